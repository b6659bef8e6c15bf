// The size of a picture on its stage: all of it, or as large as its text can be read, with scrollbars.

const READABLE = 11; // pixels
const TALLEST = 0.55; // of the window: the stage is no higher

/** Follows the choice `zoom`: auto, fit, or a factor. Returns what is to be called whenever the picture has changed. */
export function zoomed(stage, zoom) {
  const size = () => {
    const svg = stage.querySelector("svg");
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const least = Math.max(1, readable(svg));
    const room = Math.min(stage.clientWidth / width, (TALLEST * innerHeight) / height);
    const chosen = zoom.value === "auto" ? (room >= least ? "fit" : String(least)) : zoom.value;
    const factor = chosen === "fit" ? 1 : Number(chosen);
    stage.dataset.zoom = chosen === "fit" ? "fit" : "free";
    svg.setAttribute("width", width * factor);
    svg.setAttribute("height", height * factor);
    if (chosen !== "fit") showHere(stage, svg.querySelector(".d-ring"));
  };
  zoom.addEventListener("change", size);
  addEventListener("resize", size);
  return size;
}

/** The least size, as a factor, at which all text of a picture can be read. */
export const readable = (svg) => READABLE / Math.min(...fonts(svg));

const fonts = (svg) => [...svg.querySelectorAll("text[font-size]")].map((text) => Number(text.getAttribute("font-size")));

/** Scrolls only where something happens outside of what is seen; to the middle, where the root is, while nothing does. */
function showHere(stage, ring) {
  if (!ring) {
    stage.scrollLeft = (stage.scrollWidth - stage.clientWidth) / 2;
    return;
  }
  const here = ring.getBoundingClientRect(), view = stage.getBoundingClientRect();
  if (here.left < view.left || here.right > view.right) stage.scrollLeft += here.left + here.width / 2 - view.left - view.width / 2;
  if (here.top < view.top || here.bottom > view.bottom) stage.scrollTop += here.top + here.height / 2 - view.top - view.height / 2;
}
