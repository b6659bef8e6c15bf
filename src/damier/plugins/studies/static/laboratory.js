// Pacman's laboratory: the page asks for some more games until all are played; what has been played is kept here, and sent with every question.
import { ask, bar, put, speak, visit } from "./damier.js";

const room = document.querySelector("[data-room=laboratory]");
const button = room.querySelector("[data-do=run]");
let state = JSON.parse(room.dataset.state);
let running = false;
let cell = null; // the cell whose games are listed

const done = () => state.played.length >= state.total;

function mark() {
  button.textContent = done() ? button.dataset.again : running ? button.dataset.pause : button.dataset.run;
  bar(button, done());
}

async function run() {
  running = !running;
  mark();
  while (running && !done()) {
    const answer = await ask("laboratory.play", { ...state.values, played: state.played });
    if (!answer) { running = false; break; }
    state = answer.state;
    const open = document.querySelector("[data-part=table] details").open, told = room.querySelector("[data-part=status] details").open;
    put(answer.parts);
    document.querySelector("[data-part=table] details").open = open;
    room.querySelector("[data-part=status] details").open = told;
  }
  running = false;
  mark();
  speak(room.querySelector("[data-played]").innerText);
}

async function list(number) {
  cell = number;
  const answer = await ask("laboratory.games", { ...state.values, played: state.played, cell });
  if (!answer || cell !== number) return;
  put(answer.parts);
  const place = room.querySelector("[data-part=games]");
  place.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}

async function replay(number) {
  running = false;
  const answer = await ask("laboratory.replay", { ...state.values, cell, number });
  if (answer) visit(answer.address);
}

button.addEventListener("click", run);
document.addEventListener("click", (event) => {
  const { heat } = event.target.closest("[data-heat]")?.dataset ?? {}, { cell: listed, replay: again } = event.target.closest("button")?.dataset ?? {};
  if (heat ?? listed) list(Number(heat ?? listed));
  else if (again) replay(Number(again));
});
room.querySelector("[data-form]").addEventListener("submit", (event) => {
  event.preventDefault();
  const form = event.target, found = new URL("/pacman/laboratory", location.href), chosen = (name) => [...form.querySelectorAll(`[data-${name}]:checked`)].map((box) => box.value);
  for (const [name, value] of Object.entries({ maze: form.maze.value, ghosts: chosen("ghosts").join(";"), evaluate: form.evaluate.value, rounds: chosen("rounds").join(","), games: form.games.value, seed: form.seed.value })) if (value) found.searchParams.set(name, value);
  visit(found.href);
});
mark();
