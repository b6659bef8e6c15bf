// The training room: the server tells a game as a film (its positions, then each cell that is learnt from); here it is played, step by step.
import { latestOnly, put, visit } from "./damier.js";

const room = document.querySelector("[data-room=training]");
const LONGEST = 1900; // characters of an address that every browser and server takes
const PACES = { slow: 900, fast: 90 }; // milliseconds a step
const BLOCK = 400; // milliseconds that a block of games is to take, as fast as it goes
const SETUP = ["1", "2", "seed"];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const ask = latestOnly();
const pace = document.getElementById("pace");
let film = JSON.parse(room.dataset.film), state = film.state, concluded = false;
let order = []; // the steps of the film: how many frames are shown, and how much is learnt
let at = 0; // the step that is shown
let timer = null, running = false, waiting = false;
let asked = Promise.resolve(); // the last question
let changes = []; // of parameters, for the next game
let block = 50; // games in one go, as fast as it goes
const before = new Map(); // what a cell showed before it was learnt from

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const cellOf = (key) => (key ? room.querySelector(`[data-cell="${key}"]`) : null);
const rowOf = (key) => (key ? room.querySelector(`[data-row="${key}"]`) : null);
const last = () => order.length - 1;

/** A film in the order in which it happened: a position, then whatever is learnt there. */
function ordered({ frames, steps }) {
  const found = [];
  let learnt = 0;
  for (const frame of frames.keys()) {
    found.push([frame, learnt]);
    while (learnt < steps.length && steps[learnt].frame === frame) found.push([frame, ++learnt]);
  }
  return found;
}

function address(path, of) {
  const here = new URL(path, location.href);
  for (const name of SETUP) here.searchParams.set(name, of[name]);
  for (const name of ["positions", "person", "log"]) if (of[name]) here.searchParams.set(name, of[name]);
  if (of.moves?.length) here.searchParams.set("moves", of.moves.join(","));
  for (const [name, value] of Object.entries(of.more ?? {})) here.searchParams.set(name, value);
  return here.href.replaceAll("%2C", ",").replaceAll("%3B", ";").replaceAll("%3A", ":").replaceAll("%3D", "=").replaceAll("%7E", "~");
}

/** The address of the room; where it would be too long, the browser keeps what has happened. */
function keep() {
  const path = `/training/${encodeURI(state.game)}`, here = address(path, state);
  if (here.length <= LONGEST) return here;
  const kept = "training " + Date.now();
  try { sessionStorage.setItem(kept, JSON.stringify({ log: state.log, moves: state.moves })); } catch { /* then a reload begins anew */ }
  return address(path, { ...state, log: "", moves: [], more: { kept } });
}

/** Asks for a film: a game after `log`, with the moves of a person, as `wanted` says when nothing else is asked. It begins at step `from`. */
function load(wanted, from = 0) {
  asked = asked.then(() => ask_film(wanted(), from));
  return asked;
}

async function ask_film(values, from) {
  waiting = true;
  document.body.setAttribute("aria-busy", "true");
  const answer = await ask("training_room.show", { game: state.game, 1: state[1], 2: state[2], seed: state.seed, positions: state.positions, log: state.log, person: state.person, moves: state.moves, ...values });
  waiting = false;
  document.body.removeAttribute("aria-busy");
  if (!answer) { stop(); return false; }
  film = answer;
  state = film.state;
  order = ordered(film);
  film.earlier = Object.fromEntries(Object.keys(film.later).map((name) => [name, film.parts[name]]));
  concluded = false;
  before.clear();
  const places = [...room.querySelectorAll(".scroll")].map((box) => [box, box.scrollTop, box.scrollLeft]);
  put(film.parts);
  for (const [box, top, left] of places) box.scrollTo(left, top);
  links();
  show(Math.min(from, last()));
  history.replaceState(null, "", keep());
  return true;
}

/** What has happened with this game, and what was changed meanwhile. */
const following = () => [state.next, ...changes.splice(0)].filter(Boolean).join(";");
const asItIs = () => [state.log, ...changes.splice(0)].filter(Boolean).join(";");
/** The log from which to go on: a game that is over counts once its film has been seen, or was left. */
const onwards = () => (state.over && at > 0 ? following() : asItIs());

/** Shows the film up to a step. */
function show(step) {
  at = step;
  const [shown, known] = order[at], frame = film.frames[shown], learnt = film.steps.slice(0, known), cells = learnt.flatMap((each) => each.cells);
  put({ board: frame.board, said: frame.said, why: frame.why });
  for (const mark of room.querySelectorAll(".at, .current, .next")) mark.classList.remove("at", "current", "next");
  reveal();
  const step_ = at > 0 && order[at - 1][0] === shown ? learnt.at(-1) : null; // what has just been learnt
  for (const [cell, was] of before) if (!cells.some((each) => each.cell === cell)) paint(cell, was);
  for (const each of cells) paint(each.cell, each);
  put({ formula: step_ ? step_.formula : `<p class="quiet">${part("formula").dataset.rest}</p>` });
  const marked = (step_ ? step_.cells.map((each) => each.cell) : [frame.cell]).map(cellOf).filter(Boolean), row = rowOf(step_ ? step_.row : frame.row || frame.cell.split("-").slice(0, 2).join("-"));
  for (const cell of marked) cell.classList.add("at");
  row?.classList.add("current");
  for (const found of [row, marked[0]]) if (found) intoView(found);
  timeline(step_);
  conclude(state.over && at === last());
  controls();
}

/** What the games have come to counts this one when all of it has been seen. */
function conclude(whole) {
  if (whole !== concluded) put(whole ? film.later : film.earlier);
  concluded = whole;
  for (const dial of room.querySelectorAll("[data-dial][name=epsilon]")) {
    const now = part(`worth-${dial.dataset.dial}`).querySelector("[data-epsilon]")?.dataset.epsilon;
    if (now !== undefined && dial !== document.activeElement && !changes.some((change) => change.startsWith(`${dial.dataset.dial}~epsilon`))) dial.value = now.replace(".", dial.dataset.point);
  }
}

/** Rows that this game has made are there from when it comes to them. */
function reveal() {
  const met = new Set(film.frames.slice(0, order[at][0] + 1).flatMap((frame) => [frame.row, frame.cell.split("-").slice(0, 2).join("-")]));
  for (const row of room.querySelectorAll("tr[data-new]")) row.hidden = !met.has(row.dataset.row);
}

function paint(key, shown) {
  const cell = cellOf(key), value = cell?.querySelector("[data-value]");
  if (!cell) return;
  if (!before.has(key)) before.set(key, { text: value.textContent, hue: cell.className.split(" ").find((name) => /^[pn][1-4]$/.test(name)) ?? "" });
  value.textContent = shown.text;
  cell.className = ["number", shown.hue, cell.classList.contains("at") ? "at" : ""].filter(Boolean).join(" ");
}

/** Scrolls the box that an element lies in, and nothing else. */
function intoView(element) {
  const box = element.closest(".scroll"), inner = element.getBoundingClientRect(), outer = box.getBoundingClientRect();
  if (inner.top < outer.top + 40 || inner.bottom > outer.bottom) box.scrollTop += inner.top - outer.top - outer.height / 3;
  if (element.localName === "td" && (inner.left < outer.left + 60 || inner.right > outer.right)) box.scrollLeft += inner.left - outer.left - outer.width / 2;
}

function timeline(step) {
  const time = part("time"), [done] = order[at];
  for (const cell of time.querySelectorAll("[data-ply]")) {
    const ply = Number(cell.dataset.ply);
    const known = ply < done || (ply === done && (cell.closest("[data-states], thead") || done === film.frames.length - 1));
    cell.classList.toggle("later", !known);
    cell.classList.toggle("current", !step && ply === done);
  }
  if (step) time.querySelector(`[data-decision="${step.seat}-${step.decision}"]`)?.classList.add("current");
  const current = time.querySelector("td.current");
  if (current) intoView(current);
}

const persons = () => state.person !== "" && !state.over && at === last();

function controls() {
  const run = room.querySelector("[data-do=run]");
  run.textContent = running ? run.dataset.stop : run.dataset.run;
  run.setAttribute("aria-pressed", String(running));
  room.querySelector("[data-do=step]").disabled = persons();
  room.querySelector("[data-do=back]").disabled = at === 0;
  const undo = room.querySelector("[data-do=undo]");
  undo.hidden = state.person === "";
  document.getElementById("many").hidden = state.person !== "";
  undo.disabled = !state.moves.length;
  for (const button of room.querySelectorAll("[data-part=board] [data-move]")) if (!persons() && button.localName === "button") button.disabled = true;
}

/** One step further: the next position, the next cell, the next game. */
async function step() {
  if (at < last()) return show(at + 1);
  if (persons()) return stop();
  if (!waiting) await load(() => ({ log: onwards(), moves: [] }));
}

let left = 0; // games that are still to be played at once

/** Plays a block of the games that are to be played at once. */
async function many() {
  const begun = performance.now(), games = Math.min(block, left);
  if (!(await load(() => ({ log: [onwards(), `${games}*`].filter(Boolean).join(";") })))) return;
  left -= games;
  resize(performance.now() - begun, games);
  if (left > 0) timer = setTimeout(go, 20);
  else stop();
}

/** How many games are played in one go: as many as take a moment. */
function resize(taken, games) {
  block = Math.max(5, Math.min(20000, Math.round(games * Math.min(4, BLOCK / Math.max(1, taken)))));
}

/** Goes on by itself at the pace that is chosen. */
async function go() {
  if (!running) return;
  if (left > 0) return many();
  const begun = performance.now();
  if (pace.value === "most" && state.person === "") {
    if (!(await load(() => ({ log: [onwards(), `${block}*`].filter(Boolean).join(";") })))) return;
    resize(performance.now() - begun, block);
    timer = setTimeout(go, 20);
    return;
  }
  await step();
  if (running) timer = setTimeout(go, PACES[pace.value] ?? PACES.fast);
}

function stop() {
  running = false;
  left = 0;
  clearTimeout(timer);
  controls();
}

const actions = {
  step: () => { stop(); step(); },
  back: () => { stop(); if (at > 0) show(at - 1); },
  run: () => { if (running) return stop(); running = true; controls(); go(); },
  undo: () => { stop(); load(() => ({ moves: state.moves.slice(0, -1) }), Infinity); },
};

/** A person's move: what follows is told from there on. */
async function play(move) {
  const from = last();
  if (!(await load(() => ({ moves: [...state.moves, move] }), calm.matches ? Infinity : from + 1))) return;
  if (!calm.matches && at < last()) { running = true; controls(); timer = setTimeout(go, PACES.slow); }
  if (!document.activeElement || document.activeElement === document.body) room.querySelector("[data-part=board] button:not(:disabled), [data-do=step]")?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do], [data-move]");
  if (!target) return;
  if (target.dataset.do in actions) actions[target.dataset.do]();
  else if (target.dataset.move !== undefined && target.closest("[data-part=board]") && persons()) play(target.dataset.move);
});

const KEYS = { " ": "step", ArrowRight: "step", ArrowLeft: "back" };

/** Space and the arrows step, but where they mean something else: in a field, on a button, in a box that scrolls. */
document.addEventListener("keydown", (event) => {
  const action = KEYS[event.key], here = event.target.closest?.("input, select, textarea, button, a, summary, [contenteditable], .scroll, .curve, pre");
  if (!action || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (here && !(here.matches("[data-do], .scroll") && event.key.startsWith("Arrow") && !scrolls(here))) return;
  if (room.querySelector(`[data-do=${action}]`).disabled) return;
  event.preventDefault();
  actions[action]();
});

const scrolls = (box) => box.scrollWidth > box.clientWidth;

room.addEventListener("change", async (event) => {
  const { player, dial, import: taker } = event.target.dataset;
  if (player) return seat(player, event.target.value);
  if (taker) return give(taker, event.target);
  if (dial) {
    const text = event.target.value.trim().replace(",", "."), value = Number(text), { most, wrong } = event.target.dataset;
    event.target.setCustomValidity(!wrong || (Number.isFinite(value) && value >= 0 && value <= Number(most)) ? "" : wrong);
    if (!event.target.reportValidity() || text === "") return;
    changes.push(`${dial}~${event.target.name}=${wrong ? value : text}`);
    if (at === 0 && !state.moves.length) await load(() => ({ log: asItIs() }));
  }
  if (event.target.id === "exact") room.classList.toggle("exactly", event.target.checked);
});

/** Somebody else sits down: a person, or the agent that the person stood in for; another agent begins with an empty table. */
async function seat(player, who) {
  stop();
  if (who !== "human" && who !== state[player]) return visit(address(`/training/${encodeURI(state.game)}`, { ...state, [player]: who, log: "", moves: [], person: state.person === player ? "" : state.person }));
  const person = who === "human" ? player : state.person === player ? "" : state.person;
  for (const select of room.querySelectorAll("[data-player]")) select.value = select.dataset.player === person ? "human" : state[select.dataset.player];
  for (const note of room.querySelectorAll("[data-resting]")) note.hidden = note.dataset.resting !== person;
  await load(() => ({ log: onwards(), person, moves: [] }), person ? Infinity : 0);
}

/** An agent goes on with a table that was saved: its lines and words as an address parts them. */
async function give(taker, field) {
  const [file] = field.files;
  if (!file) return;
  stop();
  const text = (await file.text()).trim().split(/\r?\n/).map((line) => line.trim().split(/\s+/).map(encodeURIComponent).join("_")).join("|");
  await load(() => ({ log: [onwards(), `${taker}=${text}`].filter(Boolean).join(";"), moves: [] }));
  field.value = "";
}

/** The files of the tables are those of this moment. */
function links() {
  for (const link of room.querySelectorAll("[data-export]")) {
    link.href = address(link.getAttribute("href").split("?")[0], { ...state, person: "", log: state.next, moves: [], more: { game: state.game, seat: link.dataset.export } });
  }
}

document.getElementById("many").addEventListener("submit", (event) => {
  event.preventDefault();
  stop();
  left = Number(new FormData(event.target).get("games"));
  running = true;
  controls();
  many();
});

document.getElementById("setup").addEventListener("submit", (event) => {
  event.preventDefault();
  const { game, seed, positions } = Object.fromEntries(new FormData(event.target));
  visit(address(`/training/${encodeURI(game)}`, { 1: state[1], 2: state[2], seed, positions }));
});

document.getElementById("grade")?.addEventListener("click", async ({ target: button }) => {
  const words = button.textContent;
  button.disabled = true;
  button.textContent = button.dataset.waits;
  const answer = await ask("training_room.grade", { game: state.game, 1: state[1], 2: state[2], seed: state.seed, positions: state.positions, log: state.log });
  button.disabled = false;
  button.textContent = words;
  if (!answer) return;
  put(answer.parts);
  part("graded").scrollIntoView({ block: "nearest" });
});

const kept = new URL(location.href).searchParams.get("kept");
let begun = null;
if (kept) try { begun = JSON.parse(sessionStorage.getItem(kept)); } catch { /* as the address says */ }
order = ordered(film);
links();
if (begun) load(() => begun);
else show(state.person ? last() : 0);
