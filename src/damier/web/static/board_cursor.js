// Where the keys are on a board: the arrows go from place to place.

export const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export const placeOf = (stage, number) => stage.querySelector(`.d-touch[data-cell="${number}"]`);

/** The place one step on from `from`, null at first; `columns` is how many there are in a row, 0 where rows are not of one length; `flipped` whether
 * the board is seen from its other side. */
export function walked(stage, columns, flipped, from, [right, below]) {
  const numbers = [...stage.querySelectorAll(".d-touch")].map((place) => Number(place.dataset.cell));
  const turned = flipped && columns, across = turned ? -right : right, down = turned ? -below : below;
  if (from === null || !numbers.length) return (turned ? numbers.at(-1) : numbers[0]) ?? null;
  if (!columns) return beside(stage, from, across, down);
  const last = Math.floor(Math.max(...numbers) / columns), within = (n, most) => Math.min(most, Math.max(0, n));
  return within(Math.floor(from / columns) + down, last) * columns + within((from % columns) + across, columns - 1);
}

/** The place nearest in a direction on a board without rows and columns: a step to the side counts for four. */
function beside(stage, from, across, down) {
  const middle = (place) => { const box = place.getBBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };
  const [x, y] = middle(placeOf(stage, from));
  let found = from, least = Infinity;
  for (const place of stage.querySelectorAll(".d-touch")) {
    const [to_x, to_y] = middle(place);
    const on = (to_x - x) * across + (to_y - y) * down, aside = Math.abs((to_x - x) * down) + Math.abs((to_y - y) * across);
    if (on > 0.2 * aside && on + 4 * aside < least - 0.01) [found, least] = [Number(place.dataset.cell), on + 4 * aside];
  }
  return found;
}

/** Marks a place where a piece may go: a dot where it is free, else a ring around what stands there. */
export function goal(stage, number) {
  const place = placeOf(stage, number);
  if (!place) return;
  const { x, y, width, height } = place.getBBox(), free = "free" in place.dataset, size = Math.min(width, height);
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  for (const [name, value] of Object.entries({ cx: x + width / 2, cy: y + height / 2, r: (free ? 0.15 : 0.45) * size, class: `b-own b-goal ${free ? "is-free" : "is-taken"}`, "pointer-events": "none", "data-cell": number })) shape.setAttribute(name, value);
  place.parentNode.append(shape);
}

/** Frames a place as a style sheet draws it by the class `name`. */
export function frame(stage, number, name) {
  const place = placeOf(stage, number);
  if (!place) return;
  const shape = place.cloneNode();
  shape.setAttribute("class", `b-own ${name}`);
  shape.setAttribute("pointer-events", "none");
  place.parentNode.append(shape);
}
