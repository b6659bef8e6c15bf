// The matchboxes: what is kept is the list of games and the moves of this one; every step asks what follows from them.
import { ask, latestOnly, put } from "./damier.js";

const room = document.querySelector("[data-room=matchboxes]");
const LONGEST = 1900; // characters of an address that every browser and server takes
const SETUP = ["game", "agent", "seat", "seed"];
let state = JSON.parse(room.dataset.state);
let asking = false;
const askForGames = latestOnly();

const machine = () => Object.fromEntries([...SETUP, "played"].map((name) => [name, state[name]]));

/** The address of a state; where it would be too long, the games are kept by the browser and the address names them. */
function address(path, of) {
  const here = new URL(path, location.href);
  for (const name of SETUP) here.searchParams.set(name, of[name]);
  if (of.pause) here.searchParams.set("pause", "1");
  if (of.played) here.searchParams.set("played", of.played);
  if (of.moves?.length) here.searchParams.set("moves", of.moves.join(","));
  return here.href.replaceAll("%2C", ",").replaceAll("%3B", ";").replaceAll("%3A", ":").replaceAll("%3D", "=");
}

function keep() {
  let here = address("/matchboxes", state);
  if (here.length > LONGEST) {
    const kept = "matchboxes " + Date.now();
    try { sessionStorage.setItem(kept, JSON.stringify({ played: state.played, moves: state.moves })); } catch { /* then a reload begins anew */ }
    here = address("/matchboxes", { ...state, played: "", moves: [] }) + "&kept=" + encodeURIComponent(kept);
  }
  return here;
}

async function step(verb, values) {
  if (asking) return;
  asking = true;
  document.body.setAttribute("aria-busy", "true");
  const before = state.played, answer = await askForGames(verb, { ...machine(), moves: state.moves, pause: state.pause, ...values });
  asking = false;
  document.body.removeAttribute("aria-busy");
  if (!answer) return;
  shown(answer);
  history.pushState(null, "", keep());
  if (state.over || state.played !== before) refresh();
}

function shown(answer) {
  state = answer.state;
  put(answer.parts);
  links();
  mark();
  if (!document.activeElement || document.activeElement === document.body) room.querySelector("[data-part=board] button:not(:disabled)")?.focus({ preventScroll: true });
}

const finished = () => ({ ...machine(), played: state.next });

/** The boxes of a stage, as they are after the games that count. */
async function boxes(details, most) {
  const stage = Number(details.dataset.stage);
  details.dataset.most = most ?? details.dataset.most ?? "";
  const games = state.next;
  const answer = await ask("matchboxes.boxes", { ...finished(), stage, ...(details.dataset.most ? { most: Number(details.dataset.most) } : {}) });
  if (answer && games === state.next) put(answer.parts); // else more games were played
  mark();
}

function refresh() {
  for (const details of document.querySelectorAll("details[data-stage]")) {
    if (details.open) boxes(details);
    else put({ [`boxes-${details.dataset.stage}`]: "" });
  }
}

/** The box that is in use, among all others. */
function mark() {
  for (const box of document.querySelectorAll("li[data-box]")) {
    const isOpen = Number(box.dataset.box) === state.box;
    box.classList.toggle("current", isOpen);
    if (isOpen) box.setAttribute("aria-current", "true");
    else box.removeAttribute("aria-current");
  }
}

/** The pages to print are those of the machine as it is. */
function links() {
  for (const link of document.querySelectorAll("[data-sheet]")) {
    link.href = address(link.dataset.sheet, { ...state, played: state.next, moves: [], pause: false });
  }
}

const actions = {
  draw: () => step("matchboxes.show", { draw: true }),
  next: () => step("matchboxes.show", { played: state.next, moves: [] }),
  undo: () => step("matchboxes.show", { moves: state.back }),
  forget: () => step("matchboxes.show", { played: state.forgotten, moves: [] }),
};

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do], [data-move], [data-more]");
  if (!target) return;
  if (target.dataset.more) boxes(target.closest("details"), target.dataset.more);
  else if (target.dataset.do in actions) actions[target.dataset.do]();
  else if (target.dataset.move !== undefined && target.closest("[data-part=board]") && !state.over && !state.waiting) step("matchboxes.show", { moves: [...state.moves, target.dataset.move] });
});

document.addEventListener("change", (event) => {
  if (event.target.dataset.do === "pause") state.pause = event.target.checked;
  if ("setup" in event.target.dataset) location.assign(`/matchboxes?game=${encodeURIComponent(event.target.value)}`);
});

document.addEventListener("submit", async (event) => {
  const { form } = event.target.dataset;
  if (!form) return;
  event.preventDefault();
  const values = Object.fromEntries(new FormData(event.target));
  if (form === "train") return step("matchboxes.train", { games: Number(values.games), opponent: values.opponent });
  const wanted = form === "moves" ? { moves: values.moves.split(/[\s,]+/).filter(Boolean) } : { number: Number(values.number) };
  const answer = await ask("matchboxes.find", { ...finished(), ...wanted });
  if (answer) put(answer.parts);
});

addEventListener("popstate", restore);

/** A state as the address says it. */
async function restore() {
  const here = new URL(location.href).searchParams;
  const kept = here.get("kept"), values = Object.fromEntries(SETUP.map((name) => [name, here.get(name) ?? state[name]]));
  let games = { played: here.get("played") ?? "", moves: here.get("moves") ?? "" };
  if (kept) try { games = JSON.parse(sessionStorage.getItem(kept)) ?? games; } catch { /* as the address says */ }
  const answer = await askForGames("matchboxes.show", { ...values, ...games, pause: here.get("pause") === "1" });
  if (answer) { shown(answer); refresh(); }
}

document.addEventListener("toggle", (event) => {
  const details = event.target;
  if (details.open && details.dataset?.stage && !details.querySelector("li")) boxes(details);
}, true);

if (new URL(location.href).searchParams.has("kept")) restore();
else {
  links();
  refresh();
}
