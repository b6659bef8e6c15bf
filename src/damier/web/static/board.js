// The board room: what a person does is a question to the server, its answer the new page. The address says everything that the server must know.
import { ask, put, say } from "./damier.js";
import { pointing } from "./board_touch.js";
import { seated } from "./board_table.js";

const room = document.querySelector("[data-room=board]");
const stage = room.querySelector("[data-stage]");
const tempo = room.querySelector("[data-tempo]");
const runs = room.querySelector("[data-do=run]");
let state = JSON.parse(room.dataset.state);
let running = state.seats.includes("human"); // two agents wait until somebody presses Play
let stepping = 0; // a number for what goes on by itself: whatever a person does ends it
let replaying = false; // whether moves that were taken back are played again
let guessed = null; // the position that was guessed last

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const seats = () => Object.fromEntries(state.seats.map((agent, player) => [String(player + 1), agent]));

/** A position as one text. */
const here = ({ moves, at }) => moves.slice(0, at).join();

/** All that a question says of the present position, and what is changed of it. */
function question(changed = {}) {
  const asked = { game: state.game, moves: state.moves, at: state.at, ...seats(), seed: Number(state.query.seed || 0), show: state.query.show, ...table.question(), ...changed };
  if (guessed === here(asked)) asked.guessed = true;
  return asked;
}

/** Puts an answer on the page. `how` is what becomes of the address: push, replace, or nothing. */
function show(answer, how) {
  state = answer.state;
  put(answer.parts);
  touch.refresh();
  mark();
  if (how) history[`${how}State`](null, "", address());
  more();
}

function address() {
  const found = new URL(location.pathname, location.href);
  for (const [name, value] of Object.entries(state.query)) if (value) found.searchParams.set(name, value);
  if (table.id) found.searchParams.set("table", table.id);
  return found.href.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3D", "=");
}

/** Which controls make sense now. */
function mark() {
  const may = { first: state.at > 0, back: state.at > 0, last: state.at < state.moves.length, undo: decision() >= 0 && !table.id };
  may.step = state.at < state.moves.length || (!state.over && !state.person && !state.stopped && !table.id);
  for (const [name, yes] of Object.entries(may)) room.querySelector(`.controls [data-do=${name}]`).disabled = !yes;
  runs.classList.toggle("main", !running && may.step);
  runs.textContent = running ? runs.dataset.pause : runs.dataset.play;
  room.querySelector("[data-do=swap]").disabled = state.seats.length !== 2 || Boolean(table.id);
  stage.classList.toggle("is-mine", state.person);
  stage.classList.toggle("is-busy", running && thinks());
  stage.classList.toggle("has-drags", state.drags.length > 0);
}

/** Whether the move is an agent's, or that of a die. */
const thinks = () => !state.over && !state.person && !state.stopped && state.at === state.moves.length && !table.id;

/** What has to be asked besides: values that take longer, what the agents think; and the next move of whoever is no person. */
async function more() {
  const asked = ++stepping;
  if (state.truth === "wait") later("truth.show", asked);
  if (state.show.includes("mind")) later("mind.show", asked);
  else put({ mind: "" });
  if (!running || !(thinks() || (replaying && state.at < state.moves.length))) return;
  await wait(Number(tempo.value));
  if (asked === stepping && running) await onward("replace");
}

async function later(verb, asked) {
  const answer = await ask(verb, question());
  if (!answer || asked !== stepping) return;
  if (answer.state) {
    state = answer.state;
    put(answer.parts);
    touch.refresh();
  } else put(answer.parts);
}

/** One move on: of those that were taken back, else of the agent that is to move. */
async function onward(how) {
  const asked = ++stepping;
  if (state.at < state.moves.length) return jump(state.at + 1, how);
  replaying = false;
  if (!thinks()) return mark();
  const answer = await ask(state.light ? "board.soon" : "board.reply", question());
  if (asked !== stepping) return;
  if (answer) return show(answer, how);
  running = false; // the notice says why
  mark();
}

async function jump(at, how = "push") {
  const asked = ++stepping;
  const answer = await ask("board.show", question({ at }));
  if (answer && asked === stepping) show(answer, how);
}

/** The last ply before the present one at which a person decided, or any where none plays; -1 where there is none. */
const decision = () => (state.seats.includes("human") ? state.decided.findLast((ply) => ply < state.at) ?? -1 : state.at - 1);

/** A person plays a move. */
async function play(move) {
  if (!state.person) return;
  if (table.id) return state.at < state.moves.length ? jump(state.moves.length) : table.play(move);
  const asked = ++stepping;
  if (state.truth === "guess") await guess({ move });
  const answer = await ask("board.move", question({ move }));
  if (!answer || asked !== stepping) return;
  replaying = false;
  running = true;
  show(answer, "push");
}

/** A person says what the position is worth, or picks a move instead. */
async function guess(said) {
  const answer = await ask("truth.guess", question(said));
  if (!answer) return;
  if (answer.right !== null) {
    const tally = JSON.parse(sessionStorage.getItem("guesses") ?? "[0,0]");
    sessionStorage.setItem("guesses", JSON.stringify([tally[0] + Number(answer.right), tally[1] + 1]));
    room.querySelector("[data-verdict]").textContent = answer.said;
    tell();
  }
  guessed = here(state);
  if (!said.move) show(answer);
}

function tell() {
  const [right, n] = JSON.parse(sessionStorage.getItem("guesses") ?? "[0,0]");
  const place = room.querySelector("[data-tally]");
  place.hidden = !n;
  place.textContent = place.dataset.words.replace("{right}", right).replace("{n}", n);
}

/** Another agent, another seed, another thing to show: the same position, asked again. */
async function change(changed, verb = "board.show") {
  const answer = await ask(verb, question(changed));
  if (answer) show(answer, "replace");
  return answer;
}

const swapped = () => ({ 1: state.seats[1], 2: state.seats[0] });

const actions = {
  first: () => { stop(); jump(0); },
  back: () => { stop(); jump(state.at - 1); },
  step: () => { stop(); onward("push"); },
  last: () => { stop(); jump(state.moves.length); },
  undo: () => { stop(); jump(decision()); },
  run: () => { running = replaying = !running; running ? onwardSoon() : (++stepping, mark()); },
  replay: () => { running = replaying = true; jump(0); },
  on: () => { running = true; change({ moves: state.moves.slice(0, state.at) }); },
  new: () => begin({}),
  other: () => begin(swapped()),
  swap: () => change(swapped(), "board.seats"),
  look: () => change({ look: state.at }),
  invite: () => table.invite(),
  leave: () => table.leave(),
  tableBack: () => table.back(),
};

/** A person turns the pages: nothing turns them meanwhile. Agents still answer a person's move. */
function stop() {
  replaying = false;
  if (!state.seats.includes("human")) running = false;
}

function onwardSoon() {
  mark();
  if (state.at < state.moves.length || thinks()) onward("replace");
}

/** A new game, of the same agents; dice fall anew. */
async function begin(changed) {
  if (table.id) return location.assign(address().split("?")[0]);
  running = state.seats.includes("human");
  replaying = false;
  guessed = null;
  room.querySelector("[data-verdict]").textContent = "";
  const answer = await ask("board.seats", question({ moves: [], at: 0, seed: Number(state.query.seed || 0) + 1, ...changed }));
  if (answer) show(answer, "push");
}

room.addEventListener("click", (event) => {
  const button = event.target.closest("button, [data-at]");
  if (!button || button.disabled) return;
  if (button.dataset.do) actions[button.dataset.do]?.();
  else if (button.dataset.at) { stop(); jump(Number(button.dataset.at)); }
  else if (button.dataset.guess) guess({ guess: button.dataset.guess });
  else if (button.dataset.move) play(button.dataset.move);
  else if (button.dataset.sit) table.sit(Number(button.dataset.sit));
});

room.addEventListener("change", async (event) => {
  const { seat, options, seed, rules, show: shown } = event.target.dataset;
  if (seat || options) {
    const player = seat ?? options;
    const chosen = room.querySelector(`[data-seat="${player}"]`).value;
    const written = options ? event.target.value.trim().replace(/\s+/g, "") : "";
    const agent = chosen + (written ? `:${written}` : "");
    const last = Number(player) === Math.min(3, state.seats.length); // the third choice is for all others too
    const changed = {};
    for (let n = Number(player); n <= (last ? state.seats.length : Number(player)); n++) changed[n] = agent;
    event.target.setAttribute("aria-invalid", String(!await change(changed, "board.seats")));
  } else if (seed !== undefined) change({ seed: Number(event.target.value) || 0 }, "board.seats");
  else if (rules) { // other rules are another game: the page of that
    const found = new URL(address());
    for (const name of ["moves", "at", "table"]) found.searchParams.delete(name);
    location.assign(`/${rules}${event.target.value.trim() ? ":" + event.target.value.trim() : ""}${found.search}`);
  } else if (shown) {
    const boxes = [...room.querySelectorAll("[data-show]")];
    const wanted = boxes.filter((box) => box.checked).map((box) => box.dataset.show);
    if (wanted.includes("predict") && !wanted.includes("truth")) {
      if (shown === "predict") wanted.push("truth");
      else wanted.splice(wanted.indexOf("predict"), 1);
      for (const box of boxes) box.checked = wanted.includes(box.dataset.show);
    }
    guessed = null;
    change({ show: wanted.join(",") });
  }
});

room.addEventListener("submit", async (event) => {
  event.preventDefault();
  const board = event.target.elements.board;
  if (!board) return;
  const answer = await ask("boards.possible", { game: state.game, board: board.value });
  if (answer) put(answer.parts);
});

for (const details of room.querySelectorAll("details[data-ask]")) {
  details.addEventListener("toggle", async () => {
    if (!details.open || details.querySelector("[data-part]").childElementCount) return;
    const answer = await ask(details.dataset.ask, { game: state.game });
    if (answer) put(answer.parts);
  });
}

addEventListener("popstate", async () => {
  const said = new URL(location.href).searchParams;
  const same = state.seats.every((agent, player) => (said.get(String(player + 1)) ?? agent) === agent) && (said.get("table") ?? "") === table.id;
  if (!same) return location.reload();
  stop();
  const moves = (said.get("moves") ?? "").split(",").filter(Boolean);
  const asked = ++stepping;
  const answer = await ask("board.show", question({ moves, at: Number(said.get("at") ?? moves.length), seed: Number(said.get("seed") ?? 0) }));
  if (answer && asked === stepping) show(answer);
});

const touch = pointing(stage, { state: () => state, play, wrong: () => say(room.dataset.wrong), room });
const table = seated(room, { state: () => state, show, question, halt: () => { ++stepping; } });
tell();
mark();
table.open();
if (!table.id) more();
