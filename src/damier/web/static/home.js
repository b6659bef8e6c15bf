// The first page: a game against a machine that learns, and what its boxes do meanwhile.
import { put, say } from "./damier.js";
import { pointing } from "./board_touch.js";
import { Machine } from "./machine.js";

const PAUSE = 700; // milliseconds in which one sees the box that is opened before a bead is drawn from it
const room = document.querySelector("[data-room=home]");
const stage = room.querySelector("[data-stage]");
const machine = new Machine({ room: "home", path: "/", setup: ["seed"], state: JSON.parse(room.dataset.state), show: shown });
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
let moving = false;

const touch = pointing(stage, { state: () => machine.state, play, room, wrong: () => say(room.dataset.wrong), early: () => say(room.dataset.early) });

function shown(answer) {
  const held = document.activeElement;
  put(answer.parts);
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

const actions = {
  next: () => machine.step("home.show", { played: machine.state.next, moves: [] }),
  undo: () => machine.step("home.show", { moves: machine.state.back }),
  play: () => machine.step("home.play", {}),
  anew: () => machine.step("home.show", { seed: 1 + Math.floor(999_999 * Math.random()), played: "", moves: [] }),
};

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do], .moves [data-move]");
  if (target?.dataset.do in actions) actions[target.dataset.do]();
  else if (target?.dataset.move) play(target.dataset.move);
});

links();
stage.classList.toggle("is-mine", machine.state.person);
machine.restoreKept();
