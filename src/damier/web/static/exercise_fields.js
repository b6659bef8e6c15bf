// The fields of an exercise, laid over the boxes and branches of its picture; what is cut fades; the number pad of a device without keys.

import { readable } from "./zoom.js";

const paper = document.querySelector(".sheet-paper"), stage = paper.parentElement;
const pad = document.getElementById("pad");
const touched = matchMedia("(pointer: coarse)");
const BOX = 30, LEAST = { fine: 28, coarse: 40 }; // height of a box in the picture, and the least on the screen
const WIDEST = 1.3, STEP = 1.25, BELOW = 70; // what stands below the picture

const outside = document.getElementById("outside");

let first = null; // the first field that is outside of what is seen
let factor = 1, chosen = 0; // how large the picture is; what was chosen, 0 for what suits

/** Lays every field over its place. To be called whenever the picture or the fields are new. */
export function lay() {
  const svg = paper.querySelector("svg"), whole = svg.getBoundingClientRect();
  for (const old of svg.querySelectorAll("[data-press]")) old.remove();
  for (const field of paper.querySelectorAll("[data-over]")) {
    const box = svg.querySelector(`[data-blank="${CSS.escape(field.dataset.over)}"]`);
    const path = svg.querySelector(`[data-branch="${CSS.escape(field.dataset.over)}"]`);
    const label = svg.querySelector(`[data-label="${CSS.escape(field.dataset.over)}"]`);
    const place = box ? box.getBoundingClientRect() : middle(label.getBoundingClientRect());
    set(field, "left", (place.left - whole.left) / whole.width);
    set(field, "top", (place.top - whole.top) / whole.height);
    if (box) { set(field, "width", place.width / whole.width); set(field, "height", place.height / whole.height); }
    else { press(path); label.classList.add("d-covered"); }
  }
  tellOutside();
  for (const input of paper.querySelectorAll("input[inputmode]")) input.inputMode = touched.matches ? "none" : "decimal";
  fade();
}

function set(field, side, share) {
  field.style[side] = `${100 * share}%`;
}

/** Where the name of a branch stands: its mark bears it. */
function middle(place) {
  return { left: place.left + place.width / 2, top: place.top + place.height / 2 };
}

/** A branch can be pressed anywhere along it. */
function press(path) {
  const wide = path.cloneNode();
  wide.removeAttribute("data-branch");
  wide.setAttribute("class", "d-press");
  wide.dataset.press = path.dataset.branch;
  path.before(wide);
}

/** How far a point of the screen lies from a branch, which is straight. */
function distance(path, x, y) {
  const matrix = path.getScreenCTM(), ends = [0, path.getTotalLength()].map((at) => path.getPointAtLength(at).matrixTransform(matrix));
  const [dx, dy] = [ends[1].x - ends[0].x, ends[1].y - ends[0].y];
  const along = Math.min(1, Math.max(0, ((x - ends[0].x) * dx + (y - ends[0].y) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ends[0].x - along * dx, y - ends[0].y - along * dy);
}

paper.addEventListener("click", (event) => {
  if (!event.target.closest("[data-press]")) return;
  const far = (path) => distance(path, event.clientX, event.clientY); // where they meet, one lies on the other
  const wide = [...paper.querySelectorAll("[data-press]")].reduce((best, path) => (far(path) < far(best) ? path : best));
  const input = paper.querySelector(`[data-over="${CSS.escape(wide.dataset.press)}"] input`);
  if (input && !input.disabled) { input.focus({ preventScroll: true }); input.click(); }
});
paper.addEventListener("change", fade);

/** Shows what is cut and what is chosen, and lets fade all that lies below a cut. */
function fade() {
  const svg = paper.querySelector("svg"), branches = [...svg.querySelectorAll("[data-branch]")];
  const cut = new Set(), best = new Set();
  for (const input of paper.querySelectorAll(".branch input:checked")) {
    (input.type === "radio" ? best : cut).add(input.parentElement.dataset.over);
  }
  const below = new Set(); // places; they are numbered from the root down
  for (const path of branches.toSorted((one, other) => one.dataset.to - other.dataset.to)) {
    const above = below.has(path.dataset.from);
    if (above || cut.has(path.dataset.branch)) below.add(path.dataset.to);
    path.classList.toggle("d-is-cut", above || cut.has(path.dataset.branch));
    path.classList.toggle("d-is-best", best.has(path.dataset.branch));
    const mark = paper.querySelector(`.branch.cut[data-over="${CSS.escape(path.dataset.branch)}"]`);
    if (mark && mark.hidden !== above) {
      mark.hidden = above;
      const input = mark.querySelector("input");
      if (above && !input.disabled) input.checked = false;
    }
  }
  for (const node of svg.querySelectorAll("[data-place]")) {
    const is = below.has(node.dataset.place);
    node.classList.toggle("d-below-cut", is);
    const blank = node.querySelector("[data-blank]")?.dataset.blank;
    if (blank) paper.querySelector(`[data-over="${CSS.escape(blank)}"]`)?.classList.toggle("below-cut", is);
  }
}

// --- size

/** All of the picture where its text can be read so: nobody looks for a box that is outside. Else as large as it is well written into. */
export function size() {
  const svg = paper.querySelector("svg");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const least = readable(svg), written = (touched.matches ? LEAST.coarse : LEAST.fine) / BOX;
  const room = innerHeight - (stage.getBoundingClientRect().top + scrollY) - BELOW;
  const across = (stage.clientWidth - 2) / width, down = Math.max(room, innerHeight / 2) / height;
  const wanted = Math.max(least, written, Math.min(WIDEST, across, down));
  factor = chosen || (across >= least ? Math.min(wanted, across) : wanted);
  svg.setAttribute("width", width * factor);
  svg.setAttribute("height", height * factor);
  paper.style.setProperty("--unit", `${factor}px`);
  tellOutside();
}

/** Says how many boxes are outside of the part of the picture that is seen, and on which sides; pressed, it goes to the first of them. */
function tellOutside() {
  const view = stage.getBoundingClientRect(), lost = [], sides = new Set();
  for (const field of paper.querySelectorAll("[data-over]:not([hidden])")) {
    const { left, right, top, bottom } = field.getBoundingClientRect(), x = (left + right) / 2, y = (top + bottom) / 2;
    const out = [x < view.left && "←", y < view.top && "↑", x > view.right && "→", y > view.bottom && "↓"].filter(Boolean);
    if (out.length) lost.push(field);
    out.forEach((side) => sides.add(side));
  }
  first = lost[0];
  const told = lost.length ? `${[..."←↑→↓"].filter((side) => sides.has(side)).join(" ")} ${lost.length === 1 ? outside.dataset.one : outside.dataset.many.replace("{n}", lost.length)}` : "";
  if (outside.textContent !== told) outside.textContent = told;
  outside.classList.toggle("is-idle", !lost.length);
}

stage.addEventListener("scroll", tellOutside);
outside.addEventListener("click", () => {
  if (!first) return;
  const { left, right, top, bottom } = first.getBoundingClientRect(), view = stage.getBoundingClientRect();
  stage.scrollBy((left + right - view.left - view.right) / 2, (top + bottom - view.top - view.bottom) / 2);
});

/** A tree to the middle, where its root is. */
export function centre() {
  stage.scrollLeft = paper.querySelector("[data-branch]") ? (stage.scrollWidth - stage.clientWidth) / 2 : 0;
  stage.scrollTop = 0;
  tellOutside();
}

for (const button of document.querySelectorAll("[data-zoom-by]")) {
  button.addEventListener("click", () => {
    const by = Number(button.dataset.zoomBy), svg = paper.querySelector("svg"), width = svg.viewBox.baseVal.width;
    chosen = by ? Math.min(4, Math.max(0.3, factor * STEP ** by)) : (stage.clientWidth - 2) / width;
    size();
  });
}
addEventListener("resize", size);

// --- going from box to box

/** The boxes that are still open, in the order in which one goes through them. */
function open() {
  return [...paper.querySelectorAll("input:not([type]):not([readonly]), select:not([disabled])")];
}

/** Goes to the next box; false where there is none. */
function next(from) {
  const boxes = open(), box = boxes[boxes.indexOf(from) + 1];
  box?.focus();
  return Boolean(box);
}

paper.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches("input, select") || event.isComposing) return;
  if (event.target.matches(".branch input")) { event.preventDefault(); event.target.click(); }
  else if (next(event.target)) event.preventDefault();
});

let typing = null;
paper.addEventListener("focusin", (event) => {
  typing = event.target.matches("input[inputmode]:not([readonly])") ? event.target : null;
  pad.hidden = !typing || !touched.matches;
  if (!pad.hidden) event.target.scrollIntoView({ block: "center", inline: "center" });
});
document.addEventListener("focusin", (event) => {
  if (!paper.contains(event.target) && !pad.contains(event.target)) pad.hidden = true;
});
pad.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
pad.addEventListener("click", (event) => {
  const sign = event.target.closest("[data-sign]")?.dataset.sign;
  if (!sign || !typing?.isConnected) return;
  if (sign === "next") { if (!next(typing)) document.getElementById("mark").focus(); return; }
  const from = typing.selectionStart, to = typing.selectionEnd;
  if (sign === "erase") typing.setRangeText("", from === to ? Math.max(0, from - 1) : from, to, "end");
  else typing.setRangeText(sign, from, to, "end");
});
