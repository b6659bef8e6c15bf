// A puzzle: a move on the board is the answer. The address says which puzzle it is and what was tried; the browser counts what was right.
import { latestOnly, put, say } from "./damier.js";
import { pointing } from "./board_touch.js";

const KEPT = "puzzles"; // under which the browser keeps, for as long as the window is open, which were right at the first try
const room = document.querySelector("[data-room=puzzle]");
const stage = room.querySelector("[data-stage]");
const tally = room.querySelector("[data-tally]");
const latest = latestOnly();
let state = JSON.parse(room.dataset.state);

const touch = pointing(stage, { state: () => state, play: answer, wrong: () => say(room.dataset.wrong), early: () => say(room.dataset.early), room });

function address({ seed, move }) {
  const found = new URL(location.pathname, location.href);
  found.searchParams.set("seed", seed);
  if (move) found.searchParams.set("move", move);
  return found.href;
}

/** Another puzzle, or this one with a move. `pushed`: whether one can come back to what is shown now. */
async function go(seed, move = "", pushed = true) {
  stage.classList.add("is-waiting");
  const found = await latest("puzzles.show", { game: state.game, seed, move });
  stage.classList.remove("is-waiting");
  if (!found) return;
  const held = room.contains(document.activeElement);
  state = found.state;
  put(found.parts);
  if (pushed) history.pushState(null, "", address(state));
  if (held && !room.contains(document.activeElement)) (room.querySelector(".lead") ?? stage).focus({ preventScroll: true });
  shown();
}

function answer(move) {
  if (state.person) go(state.seed, move);
}

function shown() {
  touch.refresh();
  stage.classList.toggle("is-mine", state.person);
  stage.classList.toggle("has-drags", state.routes.some(([places]) => places.length > 1));
  count();
  if (!state.person && !window.site) prepare();
}

/** Has the next puzzle looked for, so that the server has it when it is wanted; where there is none, who wants it is told. */
function prepare() {
  const body = JSON.stringify({ game: state.game, seed: state.seed + 1, move: "" });
  fetch("/ask/puzzles.show", { method: "POST", headers: { "Content-Type": "application/json" }, body }).catch(() => {});
}

/** Counts the first try at each puzzle of this visit. */
function count() {
  let tries = {};
  try { tries = JSON.parse(sessionStorage.getItem(KEPT)) ?? {}; } catch { /* counted anew */ }
  const puzzle = `${state.game} ${state.seed}`;
  if (!state.person && !(puzzle in tries)) {
    tries[puzzle] = state.right;
    try { sessionStorage.setItem(KEPT, JSON.stringify(tries)); } catch { /* then a reload begins anew */ }
  }
  const told = Object.values(tries);
  tally.hidden = !told.length;
  tally.textContent = tally.dataset.words.replace("{right}", told.filter(Boolean).length).replace("{n}", told.length);
}

room.addEventListener("click", (event) => {
  const choice = event.target.closest("[data-move], [data-seed]");
  if (!choice || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (choice.dataset.seed) go(Number(choice.dataset.seed));
  else answer(choice.dataset.move);
});

addEventListener("popstate", () => {
  const said = new URL(location.href).searchParams;
  go(Number(said.get("seed") ?? 1), said.get("move") ?? "", false);
});

shown();
