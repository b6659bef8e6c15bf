// How pieces go from one board to the next: what differs between the two slides, falls, turns over or fades, above which the next click is heard at
// once. And the sound of it, off until somebody wants it.

const TIME = 150; // milliseconds
const KEPT = "sound"; // where the choice is remembered

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** What stands on a board: by place, its look, its element and its middle on the picture. */
export function standing(stage) {
  return new Map([...stage.querySelectorAll(".d-piece")].map((piece) => {
    const { x, y, width, height } = piece.getBBox();
    return [piece.dataset.on, { look: piece.dataset.look, piece, x: x + width / 2, y: y + height / 2 }];
  }));
}

/** Moves the pieces of the board that is on the page now from where they stood `before`; that on the place `dropped` lies there already. Returns
 * whether anything has moved. */
export function moved(stage, before, dropped = null) {
  const now = standing(stage), came = [], gone = new Map(), turned = [];
  for (const [place, { look }] of before) if (!now.has(place)) gone.set(place, look);
  for (const [place, { look }] of now) {
    const old = before.get(place)?.look;
    if (old === undefined) came.push(place);
    else if (old !== look) (kind(old) === kind(look) ? turned : came).push(place);
  }
  const all = came.length + turned.length + gone.size;
  if (!all || all > 40 || still()) return all > 0; // another game, not the next move
  const leaves = new Map(gone);
  for (const place of came) if (before.has(place)) leaves.set(place, before.get(place).look); // who was taken there
  for (const place of came) {
    const { look, piece, x, y } = now.get(place);
    const from = nearest(gone, before, look, x, y) ?? (came.length === 1 && gone.size === 1 ? [...gone.keys()][0] : null);
    if (from !== null) {
      gone.delete(from);
      leaves.delete(from);
      if (place !== dropped) go(piece, before.get(from).x - x, before.get(from).y - y);
    } else if (piece.closest(".m-rack")) fall(piece, y);
    else piece.animate([{ opacity: 0 }, { opacity: 1 }], { duration: TIME });
  }
  for (const place of leaves.keys()) fade(before.get(place).piece, now, stage);
  for (const place of turned) turn(now.get(place), before.get(place).piece);
  return true;
}

/** Discs of two sides are of one kind: what changes there has turned over. */
const kind = (look) => (look === "white" || look === "black" ? "disc" : look);

function nearest(gone, before, look, x, y) {
  let found = null, least = Infinity;
  for (const [place, left] of gone) {
    const far = Math.hypot(before.get(place).x - x, before.get(place).y - y);
    if (left === look && far < least) [found, least] = [place, far];
  }
  return found;
}

function go(piece, across, down) {
  piece.parentNode.append(piece); // above those that stand
  piece.animate([{ transform: `translate(${across}px, ${down}px)` }, { transform: "none" }], { duration: TIME, easing: "ease-out" });
}

/** From above the board, the faster the deeper. */
function fall(piece, y) {
  piece.animate([{ transform: `translate(0, ${-y - 32}px)`, easing: "cubic-bezier(0.5, 0, 1, 1)" }, { transform: "none" }], { duration: 180 });
}

/** A piece that is no more, for a moment. */
function fade(old, now, stage) {
  const men = now.size ? now.values().next().value.piece.parentNode : stage.querySelector("svg.damier > g");
  if (!men) return;
  const ghost = old.cloneNode(true);
  ghost.removeAttribute("data-on");
  ghost.setAttribute("class", "b-gone");
  men.insertBefore(ghost, men.querySelector(".d-piece"));
  ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: TIME }).finished.catch(() => {}).then(() => ghost.remove());
}

/** A disc turns over: the old side goes edge on, the new one comes. */
function turn({ piece, x, y }, old) {
  const ghost = old.cloneNode(true), origin = `${x}px ${y}px`;
  ghost.setAttribute("class", "b-gone");
  piece.parentNode.append(ghost);
  for (const shape of [piece, ghost]) shape.style.transformOrigin = origin;
  piece.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "none" }], { duration: 180 });
  ghost.animate([{ transform: "none" }, { transform: "scaleX(0)", offset: 0.5 }, { transform: "scaleX(0)" }], { duration: 180 }).finished.catch(() => {}).then(() => ghost.remove());
}

/** The button of the sound; answers what makes it, where it is wanted. */
export function sounding(button) {
  let context = null, wanted = false;
  try { wanted = localStorage.getItem(KEPT) === "on"; } catch { /* a browser that keeps nothing is silent */ }
  const tell = () => button.setAttribute("aria-pressed", String(wanted));
  const knock = () => {
    if (!wanted) return;
    context ??= new AudioContext();
    const { sampleRate, currentTime } = context, length = 0.07 * sampleRate;
    const buffer = context.createBuffer(1, length, sampleRate), data = buffer.getChannelData(0);
    for (let i = 0; i < length; i++) { // a short knock on wood: two tones that die away, and a little noise
      const t = i / sampleRate, fades = Math.exp(-t / 0.012);
      data[i] = fades * (0.5 * Math.sin(2 * Math.PI * 620 * t) + 0.25 * Math.sin(2 * Math.PI * 1370 * t) + 0.2 * (2 * Math.random() - 1) * Math.exp(-t / 0.003));
    }
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(new GainNode(context, { gain: 0.5 })).connect(context.destination);
    source.start(currentTime);
  };
  button.addEventListener("click", () => {
    wanted = !wanted;
    try { localStorage.setItem(KEPT, wanted ? "on" : "off"); } catch { /* wanted on this page only */ }
    tell();
    knock();
  });
  tell();
  return knock;
}
