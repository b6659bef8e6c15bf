// The training room: the server tells a game as a film (its positions, then each cell that is learnt from); here it is played, step by step. What is
// not played yet is in no element of the page, and neither is what was played later than the step that is shown.
import { ask, askAhead, bar, isBarred, put, say, visit } from "./damier.js";
import { fly, land } from "./training_flight.js";
import { expect, forget, listen } from "./training_predict.js";

const room = document.querySelector("[data-room=training]");
const LONGEST = 1900; // characters of an address that every browser and server takes
const PACES = { slow: 900, fast: 90 }; // milliseconds a step
const SOON = 120; // milliseconds for which a number must stay before its game is asked for
const BLOCK = 400; // milliseconds that a block of games is to take, as fast as it goes
const SETUP = ["1", "2", "seed"];
const KNOWN = ["curve", "totals", "worth-1", "worth-2"]; // parts that say what the games have come to
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const narrow = matchMedia("(max-width: 46rem)"); // the width below which the curve is a square
const pace = document.getElementById("pace");
const tables = room.querySelector("[data-do=tables]");
const steps = document.getElementById("steps"), games = document.getElementById("games"); // what was played so far, to go back and forth in
let film = null, state = JSON.parse(room.dataset.state), concluded = false;
let present = { log: state.log, person: state.person, moves: state.moves, games: state.games, seen: 0 }; // the latest game, and how much of it was seen
let order = [[0, 0]]; // the steps of the film: how many frames are shown, and how much is learnt
let at = 0, seen = 0; // the step that is shown, and the last that was
let timer = null, running = false, waiting = false, runs = 0; // runs: how often it was started or stopped
let asked = Promise.resolve(); // the last question
let givenUp = new AbortController(); // what gives up the questions for games that were to be played at once
let ahead = { question: "", answer: null }; // the game after this one, asked for while this one is watched
let changes = []; // of parameters, for the next game
let block = 50; // games in one go, as fast as it goes
const before = new Map(); // what a cell showed before it was learnt from

const part = (name) => document.querySelector(`[data-part="${name}"]`);
const cellsOf = (key) => (key ? [...room.querySelectorAll(`[data-cell="${key}"]`)] : []);
const rowOf = (key) => (key ? room.querySelector(`[data-row="${key}"]`) : null);
const last = () => order.length - 1;
const inPast = () => state.games < present.games;

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
  const path = `/training/${encodeURI(state.game)}`, more = inPast() ? { shown: state.games + 1 } : {}, { log, person, moves } = present;
  const here = address(path, { ...state, log, person, moves, more });
  if (here.length <= LONGEST) return here;
  const kept = "training " + Date.now();
  try { sessionStorage.setItem(kept, JSON.stringify({ log, moves })); } catch { /* then a reload begins anew */ }
  return address(path, { ...state, person, log: "", moves: [], more: { ...more, kept } });
}

/** Asks for a film: a game after `log`, with the moves of a person, as `wanted` says when nothing else is asked. It begins at step `from`. */
function load(wanted, from = 0, again = false) {
  asked = asked.then(() => ask_film(wanted(), from, again));
  return asked;
}

/** What a log says of its first games, and of the one after them. */
function upTo(log, count) {
  const found = [];
  let left = count;
  for (const event of log.split(";")) {
    const many = Number(event.match(/^(\d+)\*$/)?.[1] ?? 0), [, person, moves] = event.match(/^([12]):(.*)$/) ?? [];
    if (!left && (many || person)) return { log: found.join(";"), person: person ?? "", moves: moves?.split(",").filter(Boolean) ?? [] };
    found.push(many > left ? `${left}*` : event);
    if (many > left) break;
    left -= many || Number(person !== undefined);
  }
  return { log: found.filter(Boolean).join(";"), person: "", moves: [] };
}

/** The question for a game that was played. */
const played = (count) => (count < present.games ? upTo(present.log, count) : { log: present.log, person: present.person, moves: present.moves });

/** Shows a game again that was played; the latest as far as it was seen. */
function recall(count) {
  return load(() => played(count), count < present.games ? 0 : present.seen, true);
}

/** Asks for the same film once more, since more of it, or another size of it, is looked at; it stays at its step. */
const look = () => load(() => ({}), null, true);

const opened = () => !room.querySelector("#tables").hidden;

/** The question for a film, with the tables where they are looked at, and the curve as the window has room for it. */
function question(values) {
  const { game, 1: first, 2: second, seed, positions, log, person, moves } = { ...state, ...values };
  return { game, 1: first, 2: second, seed, positions, log, person, moves, tables: opened(), narrow: narrow.matches };
}

/** The film that answers a question: the one that was asked for ahead, where it is that. */
async function filmOf(values) {
  const asked = question(values), early = ahead.question === JSON.stringify(asked) ? await ahead.answer : null;
  return early && early.error === undefined ? early : ask("training_room.show", asked, givenUp.signal);
}

/** Asks for the game after this one while this one is watched: then the step that begins it waits for nothing. What this one has come to is known from it. */
function lookAhead() {
  if (!state.over || !at) return;
  const asked = question(afterThis()), text = JSON.stringify(asked);
  if (ahead.question !== text) ahead = { question: text, answer: askAhead("training_room.show", asked) };
}

/** The game after the one that is shown: in the past the one that was played then. */
const afterThis = () => (inPast() ? played(state.games + 1) : { log: state.next, moves: [] });

async function ask_film(values, from, again) {
  const { signal } = givenUp;
  waiting = true;
  document.body.setAttribute("aria-busy", "true");
  const answer = await filmOf(values);
  waiting = false;
  document.body.removeAttribute("aria-busy");
  if (!answer) { if (!signal.aborted) stop(); return false; }
  film = answer;
  state = film.state;
  order = ordered(film);
  if (!again) present = { log: state.log, person: state.person, moves: state.moves, games: state.games, seen: 0 };
  concluded = false;
  before.clear();
  const places = [...room.querySelectorAll(".scroll")].map((box) => [box, box.scrollTop, box.scrollLeft]);
  put(film.parts);
  dials();
  part("time").replaceChildren();
  for (const [box, top, left] of places) box.scrollTo(left, top);
  seats();
  links();
  seen = inPast() ? last() : Math.min(present.seen, last());
  show(Math.min(from ?? at, last()));
  history.replaceState(null, "", keep());
  return true;
}

/** What has happened with this game, and what was changed meanwhile. */
const following = () => [state.next, ...changes.splice(0)].filter(Boolean).join(";");
const asItIs = () => [state.log, ...changes.splice(0)].filter(Boolean).join(";");
/** The log from which to go on: a game that is over counts once its film has been seen, or was left. */
const onwards = () => (state.over && at > 0 ? following() : asItIs());
/** The same, for games that are to be played now. */
const latest = () => (inPast() && !changes.length ? present.log : onwards());

/** Shows the film up to a step. */
function show(step) {
  const forward = step === at + 1;
  at = step;
  seen = Math.max(seen, at);
  if (!inPast()) present.seen = seen;
  const [shown, known] = order[at], frame = film.frames[shown], learnt = film.steps.slice(0, known);
  if (!forward) land();
  put({ board: frame.board, said: frame.said, why: frame.why });
  for (const mark of room.querySelectorAll(".at, .current")) mark.classList.remove("at", "current");
  timeline(shown);
  rows(shown);
  const step_ = at > 0 && order[at - 1][0] === shown ? learnt.at(-1) : null; // what has just been learnt
  const cells = new Map(learnt.flatMap((each) => each.cells).map((each) => [each.cell, each]));
  for (const cell of room.querySelectorAll("[data-cell]")) paint(cell, cells.get(cell.dataset.cell));
  put({ formula: step_ ? step_.formula : `<p class="quiet">${part("formula").dataset.rest}</p>` });
  mark(step_, frame, shown);
  forget();
  expect(!running && order[at + 1]?.[0] === shown ? film.steps[known] : null);
  lookAhead();
  met(frame, state.over && at === last());
  controls();
  if (step_ && forward) flight(step_);
}

/** The cells and the row that are at hand. */
function mark(step, frame, shown) {
  const marked = (step ? step.cells.map((each) => each.cell) : [frame.cell]).flatMap(cellsOf), row = rowOf(step ? step.row : frame.row || rowOfCell(frame.cell));
  for (const cell of marked) cell.classList.add("at");
  row?.classList.add("current");
  const column = part("time").querySelector(step ? `[data-decision="${step.seat}-${step.decision}"]` : `[data-ply="${shown}"]`);
  for (const place of part("time").children) place.toggleAttribute("aria-current", place === column);
  column?.classList.add("current");
  for (const found of [column, row]) if (found) intoView(found);
}

const rowOfCell = (cell) => cell.split("-").slice(0, 2).join("-");

/** The number that a cell is learnt from flies there. */
function flight({ source, carried, cells }) {
  const time = part("time"), from = time.querySelector(`[data-cell="${source}"], [data-cell-end="${source}"]`);
  if (from && cells.length) fly(carried, from, time.querySelector(`[data-cell="${cells[0].cell}"]`), cellsOf(cells[0].cell));
}

/** What the games have come to counts this one when all of it has been seen: as the page of the game after it shows it. */
async function conclude() {
  const of = film, after = await ahead.answer;
  if (film === of && concluded && after?.parts) known(after);
}

/** Puts in place what the games before a film have come to. */
function known({ parts }) {
  put(Object.fromEntries(KNOWN.map((name) => [name, parts[name]])));
  dials();
}

/** The fields of ε show what it has come to, unless somebody is about to change it. */
function dials() {
  for (const dial of room.querySelectorAll("[data-dial][name=epsilon]")) {
    const now = part(`worth-${dial.dataset.dial}`).querySelector("[data-epsilon]")?.dataset.epsilon;
    if (now !== undefined && dial !== document.activeElement && !changes.some((change) => change.startsWith(`${dial.dataset.dial}~epsilon`))) dial.value = now.replace(".", dial.dataset.point);
  }
}

/** Rows that this game has made are there from when it comes to them. */
function rows(shown) {
  const made = film.frames.slice(0, shown + 1).flatMap((frame) => frame.rows);
  for (const box of room.querySelectorAll("[data-part^=table-]")) {
    const body = box.querySelector("tbody"), mine = made.filter(({ seat }) => box.dataset.part === `table-${seat}`);
    if (!body) continue;
    const there = [...body.querySelectorAll("tr[data-new]")];
    for (const row of there.slice(mine.length)) row.remove();
    body.insertAdjacentHTML("beforeend", mine.slice(there.length).map(({ html }) => html).join(""));
    body.parentElement.hidden = !body.rows.length;
    box.querySelector(".nothing").hidden = body.rows.length > 0;
  }
}

/** What each agent has met counts the positions of this game as it comes to them, and the whole game when all of it has been seen. */
function met(frame, whole) {
  if (concluded && !whole) known(film);
  frame.known.forEach((words, seat) => { const place = part(`worth-${seat + 1}`).querySelector(".now"); if (place && words) place.textContent = words; });
  if (whole && !concluded) conclude();
  concluded = whole;
}

/** A cell holds what the server has told of it, or what it held before the game. */
function paint(cell, learnt) {
  const value = cell.querySelector("[data-value]"), hue = [...cell.classList].find((name) => /^[pn][1-4]$/.test(name)) ?? "";
  if (!learnt && !before.has(cell)) return;
  if (!before.has(cell)) before.set(cell, { text: value.textContent, hue, title: cell.title });
  const shown = learnt ? { ...learnt, title: before.get(cell).title.replace(/^([^:]*:\s)[^ ]*/, (_, name) => name + learnt.exactly) } : before.get(cell);
  value.textContent = shown.text;
  cell.title = shown.title;
  if (hue) cell.classList.remove(hue);
  if (shown.hue) cell.classList.add(shown.hue);
}

/** Scrolls the box that an element lies in, and nothing else. */
function intoView(element) {
  const box = element.closest(".scroll, .time"), inner = element.getBoundingClientRect(), outer = box.getBoundingClientRect();
  if (element.localName === "tr" && (inner.top < outer.top || inner.bottom > outer.bottom)) box.scrollTop += inner.top - outer.top - outer.height / 3;
  if (element.localName === "li" && (inner.left < outer.left || inner.right > outer.right)) box.scrollLeft += inner.left - outer.left - outer.width / 2;
}

/** The line of time holds the positions so far, each but the last with its move. */
function timeline(shown) {
  const time = part("time");
  while (time.children.length > shown + 1) time.lastElementChild.remove();
  for (let ply = 0; ply <= shown; ply++) {
    const moved = String(ply < shown), place = time.children[ply], html = film.frames[ply][ply < shown ? "moved" : "state"];
    if (place?.dataset.moved === moved) continue;
    if (place) place.outerHTML = html;
    else time.insertAdjacentHTML("beforeend", html);
    time.children[ply].dataset.moved = moved;
  }
}

const persons = () => state.person !== "" && !state.over && at === last();

function controls() {
  const run = room.querySelector("[data-do=run]");
  run.textContent = running ? run.dataset.stop : run.dataset.run;
  run.setAttribute("aria-pressed", String(running));
  for (const told of [room.querySelector(".said"), part("why"), part("formula")]) told.ariaLive = running && pace.value !== "slow" ? "off" : "polite"; // nobody reads aloud so fast
  bar(room.querySelector("[data-do=step]"), persons());
  bar(room.querySelector("[data-do=back]"), at === 0);
  const undo = room.querySelector("[data-do=undo]");
  undo.hidden = state.person === "" || inPast();
  document.getElementById("many").hidden = state.person !== "";
  bar(undo, !state.moves.length);
  scrubber(steps, at, seen);
  scrubber(games, state.games + 1, present.games + 1);
  for (const button of room.querySelectorAll("[data-part=board] [data-move]")) if (!persons() && button.localName === "button") bar(button);
}

/** A place on the way that was gone so far: its end is all that anybody is told of the rest. */
function scrubber(field, value, most) {
  field.max = most;
  field.value = value;
  field.disabled = Number(field.min) >= most;
  field.setAttribute("aria-valuetext", field.dataset.words.replace("{n}", value).replace("{of}", most));
  room.querySelector(`[data-short=${field.id}]`).textContent = value;
}

/** One step further: the next position, the next cell, the next game. */
async function step() {
  if (!film) await asked;
  if (at < last()) return show(at + 1);
  if (persons()) return stop();
  if (waiting) return;
  if (inPast() && !changes.length) await recall(state.games + 1);
  else await load(() => ({ log: onwards(), moves: [] }));
}

let left = 0; // games that are still to be played at once

/** Plays a block of the games that are to be played at once. */
async function many(mine) {
  const played = Math.min(block, left);
  if (!(await playBlock(played)) || mine !== runs) return;
  left -= played;
  if (left > 0) return again(20);
  stop();
  say(part("totals").innerText);
}

/** Plays some games at once. */
async function playBlock(played) {
  const begun = performance.now();
  if (!(await load(() => ({ log: [latest(), `${played}*`].filter(Boolean).join(";") })))) return false;
  resize(performance.now() - begun, played);
  return true;
}

/** How many games are played in one go: as many as take a moment. */
function resize(taken, games) {
  block = Math.max(5, Math.min(20000, Math.round(games * Math.min(4, BLOCK / Math.max(1, taken)))));
}

/** Goes on by itself at the pace that is chosen, as long as this is the same run: one that was stopped while it waited for an answer is not gone on with by the next. */
async function go() {
  const mine = runs;
  if (!running) return;
  if (left > 0) return many(mine);
  const most = pace.value === "most" && state.person === "";
  if (most) { if (!(await playBlock(block))) return; }
  else await step();
  if (mine === runs && running) again(most ? 20 : PACES[pace.value] ?? PACES.fast);
}

function again(soon) {
  clearTimeout(timer);
  timer = setTimeout(go, soon);
}

/** Begins to go on by itself, now or after a moment. */
function start(soon = 0) {
  stop();
  running = true;
  expect(null);
  controls();
  if (soon) again(soon);
  else go();
}

/** Nothing goes on by itself any more, in whatever it was: what a run waits for is given up. */
function stop() {
  if (running && waiting) { givenUp.abort(); givenUp = new AbortController(); }
  runs += 1;
  running = false;
  left = 0;
  clearTimeout(timer);
  controls();
}

const actions = {
  step: () => { stop(); step(); },
  back: () => { stop(); if (at > 0) show(at - 1); },
  run: () => (running ? stop() : start()),
  tables: () => { drawer(!opened()); if (opened()) look(); },
  undo: () => { stop(); load(() => ({ moves: state.moves.slice(0, -1) }), Infinity); },
};

/** The drawer with the tables, open or shut. What is in it comes when it is opened; where no program runs it is a link to the page with them. */
function drawer(open) {
  room.querySelector("#tables").hidden = !open;
  room.classList.toggle("opened", open);
  tables.setAttribute("aria-expanded", String(open));
}

tables.setAttribute("role", "button");
tables.addEventListener("keydown", (event) => { if (event.key === " ") { event.preventDefault(); event.stopPropagation(); tables.click(); } });
narrow.addEventListener("change", look);

listen(() => { stop(); show(at + 1); });

steps.addEventListener("input", () => { const to = steps.valueAsNumber; stop(); show(to); });
let soon = null;
games.addEventListener("input", () => {
  const to = games.valueAsNumber;
  stop();
  scrubber(games, to, present.games + 1);
  clearTimeout(soon);
  soon = setTimeout(() => recall(to - 1), SOON);
});

/** A person's move: what follows is told from there on. */
async function play(move) {
  const from = last();
  if (!(await load(() => ({ moves: [...state.moves, move] }), calm.matches ? Infinity : from + 1))) return;
  if (!calm.matches && at < last()) start(PACES.slow);
  const free = [...room.querySelectorAll("[data-part=board] button, [data-do=step]")].find((button) => !isBarred(button));
  if (document.activeElement === document.body || isBarred(document.activeElement)) free?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do], [data-move]");
  if (!target) return;
  if (target === tables && (event.ctrlKey || event.metaKey || event.shiftKey)) return; // it is a link
  if (target.dataset.do in actions) { event.preventDefault(); actions[target.dataset.do](); }
  else if (target.dataset.move !== undefined && target.closest("[data-part=board]") && persons()) play(target.dataset.move);
});

const KEYS = { " ": "step", ArrowRight: "step", ArrowLeft: "back" };

/** Space and the arrows step, but where they mean something else: in a field, on a button, in a box that scrolls. */
document.addEventListener("keydown", (event) => {
  const action = KEYS[event.key], here = event.target.closest?.("input, select, textarea, button, a, summary, [contenteditable], .scroll, .time, .curve, pre");
  if (!action || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  if (here && !(here.matches("[data-do], .scroll, .time") && event.key.startsWith("Arrow") && !scrolls(here))) return;
  if (isBarred(room.querySelector(`[data-do=${action}]`))) return;
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
  await load(() => ({ log: onwards(), person, moves: [] }), person ? Infinity : 0);
}

/** Who sits where in the game that is shown. */
function seats() {
  for (const select of room.querySelectorAll("[data-player]")) select.value = select.dataset.player === state.person ? "human" : state[select.dataset.player];
  for (const note of room.querySelectorAll("[data-resting]")) note.hidden = note.dataset.resting !== state.person;
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
  tables.href = address(`/training/${encodeURI(state.game)}`, { ...state, more: { tables: 1 } });
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
  go();
});

document.querySelector("#setup form").addEventListener("submit", (event) => {
  event.preventDefault();
  const { game, seed, positions } = Object.fromEntries(new FormData(event.target));
  visit(address(`/training/${encodeURI(game)}`, { 1: state[1], 2: state[2], seed, positions }));
});

document.getElementById("grade")?.addEventListener("click", async ({ target: button }) => {
  const words = button.textContent;
  bar(button);
  button.textContent = button.dataset.waits;
  const answer = await ask("training_room.grade", { game: state.game, 1: state[1], 2: state[2], seed: state.seed, positions: state.positions, log: state.log });
  bar(button, false);
  button.textContent = words;
  if (!answer) return;
  put(answer.parts);
  part("graded").scrollIntoView({ block: "nearest" });
});

const { kept = "", shown = "" } = Object.fromEntries(new URL(location.href).searchParams);
let begun = null;
if (kept) try { begun = JSON.parse(sessionStorage.getItem(kept)); } catch { /* as the address says */ }
drawer(opened() || matchMedia("(min-width: 100rem)").matches);
links();
if (begun || !shown) load(() => begun ?? {}, state.person ? Infinity : 0);
if (shown) recall(Number(shown) - 1);
