// A number that flies from where it was read to the cell that it changes. What it changes is changed at once; the flight only shows it, and nobody waits for it.

const TAKES = 260; // milliseconds
const HIGH = 46; // pixels that the path rises
const POINTS = 8;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const going = new Set();

/** A place in the window, kept within the box that scrolls around it. */
function placeOf(element) {
  const inner = element.getBoundingClientRect(), outer = element.closest(".time, .scroll").getBoundingClientRect();
  return [Math.min(Math.max(inner.left, outer.left), outer.right - 30), Math.min(Math.max(inner.top, outer.top), outer.bottom - 20)];
}

/** A number flies to where it is needed; the cells that it lands in show what they hold when it is there. */
export function fly(text, from, to, cells) {
  if (calm.matches || !from || !to) return;
  const [x, y] = placeOf(from), [endX, endY] = placeOf(to), number = document.createElement("span");
  number.className = "flight";
  number.setAttribute("aria-hidden", "true");
  number.textContent = text;
  to.closest("[data-room]").append(number);
  const path = Array.from({ length: POINTS + 1 }, (_, point) => {
    const part = point / POINTS;
    return { transform: `translate(${x + (endX - x) * part}px, ${y + (endY - y) * part - HIGH * 4 * part * (1 - part)}px)` };
  });
  const flight = number.animate(path, { duration: TAKES, easing: "ease-in-out" });
  const ends = () => {
    number.remove();
    going.delete(ends);
    for (const cell of cells) cell.classList.remove("landing");
  };
  for (const cell of cells) cell.classList.add("landing");
  going.add(ends);
  flight.finished.then(ends, ends);
}

/** Nothing flies any more. */
export function land() {
  for (const ends of [...going]) ends();
}
