// The size of a picture on its stage: all of it, or as large as it was drawn, with scrollbars.

/** Follows the choice `zoom`: auto, fit, or a factor. Returns what is to be called whenever the picture has changed. */
export function zoomed(stage, zoom) {
  const size = () => {
    const svg = stage.querySelector("svg");
    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    const chosen = zoom.value === "auto" ? (width <= 1.5 * stage.clientWidth ? "fit" : "1") : zoom.value;
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
