// The first page: a game against a machine that learns, and what its boxes do meanwhile.
import { put, say, shared } from "./damier.js";
import { pointing } from "./board_touch.js";
import { Machine } from "./machine.js";

const PAUSE = 700; // milliseconds in which one sees the box that is opened before a bead is drawn from it
const room = document.querySelector("[data-room=home]");
const stage = room.querySelector("[data-stage]");
const machine = new Machine({ room: "home", path: "/", setup: ["seed"], state: JSON.parse(room.dataset.state), show: shown });
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const taught = document.querySelector("[data-part=taught]");
let moving = false;

const touch = pointing(stage, { state: () => machine.state, play, room, wrong: () => say(room.dataset.wrong), early: () => say(room.dataset.early) });

function shown(answer) {
  const held = document.activeElement;
  put(answer.parts);
  if (answer.parts.taught) taught.scrollIntoView({ block: "nearest" });
  if (machine.state.moves.length) still(true); // the rules have been seen
  links();
  touch.refresh();
  stage.classList.toggle("is-mine", machine.state.person);
  stage.classList.toggle("has-drags", machine.state.person);
  if (held !== document.activeElement || held === document.body) (machine.state.over ? room.querySelector("[data-do=next]") : stage).focus({ preventScroll: true });
}

/** A person moves; the machine opens its box, and, after a moment, draws a bead. */
async function play(move) {
  if (!machine.state.person || moving) return;
  moving = true;
  const moves = [...machine.state.moves, move];
  if (calm.matches) await machine.step("home.show", { moves });
  else if (await machine.step("home.show", { moves, pause: true }, false)) await draw();
  moving = false;
}

/** The bead that the machine is to draw, unless somebody has gone elsewhere meanwhile. */
async function draw() {
  const { moves, played, waiting } = machine.state;
  if (waiting) await wait(PAUSE);
  if (machine.state.moves !== moves || machine.state.played !== played) return;
  machine.state.pause = false;
  if (waiting) await machine.step("home.show", {});
  else machine.remember();
}

/** What is printed or looked at is the machine as it is. */
function links() {
  for (const link of document.querySelectorAll("[data-sheet]")) {
    const { game, agent, seat, seed, next } = machine.state;
    link.href = machine.address(link.dataset.sheet, { seed, played: next }) + `&${new URLSearchParams({ game, agent, seat })}`;
  }
}

/** The small boards of the rules stop, or go on. */
function still(stopped) {
  room.querySelector("[data-do=still]").setAttribute("aria-pressed", stopped);
}

/** Its education once more: the line is drawn again, and one bead after the other falls into the jar. */
function again() {
  const falling = room.querySelector(".falling"), beads = [...room.querySelectorAll(".jar svg > g > g")];
  falling.classList.remove("is-again");
  for (const bead of beads) bead.classList.remove("d-new", "d-again");
  room.querySelector(".progress").scrollIntoView({ block: "center" });
  falling.getBoundingClientRect(); // what was there before is gone now
  falling.classList.add("is-again");
  beads.forEach((bead, number) => { bead.style.animationDelay = `${(3 * number) / beads.length}s`; bead.classList.add("d-again"); });
}

/** The card as a picture of its own, in light colours, twice as large. */
async function save() {
  const drawn = taught.querySelector("svg").cloneNode(true), style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = await (await fetch("/draw.css")).text();
  drawn.prepend(style);
  drawn.dataset.theme = "light";
  const { width, height } = drawn.viewBox.baseVal, image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawn))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  Object.assign(document.createElement("a"), { href: canvas.toDataURL("image/png"), download: "damier.png" }).click();
}

const actions = {
  still: () => still(room.querySelector("[data-do=still]").getAttribute("aria-pressed") === "false"),
  again,
  save,
  next: () => machine.step("home.show", { played: machine.state.next, moves: [] }),
  undo: () => machine.step("home.show", { moves: machine.state.back }),
  play: () => machine.step("home.play", {}),
  anew: () => machine.step("home.show", { seed: 1 + Math.floor(999_999 * Math.random()), played: "", moves: [] }),
};

document.addEventListener("click", (event) => {
  const given = event.target.closest("[data-copied]");
  if (given) navigator.clipboard?.writeText(shared(given.getAttribute("href"))).then(() => say(given.dataset.copied), () => {});
  if (given && navigator.clipboard) event.preventDefault();
  const target = event.target.closest("[data-do], .moves [data-move]");
  if (target?.dataset.do in actions) actions[target.dataset.do]();
  else if (target?.dataset.move) play(target.dataset.move);
});

links();
stage.classList.toggle("is-mine", machine.state.person);
machine.restoreKept();
