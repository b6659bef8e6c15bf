// The board room: what a person does is a question to the server, its answer the new page. The address says everything that the server must know.
import { ask, bar, copied, put, say, shared, visit } from "./damier.js";
import { editing } from "./board_editor.js";
import { guessing } from "./board_guess.js";
import { moved as hasMoved, sounding, standing } from "./board_motion.js";
import { pointing } from "./board_touch.js";
import { seated } from "./board_table.js";
import { explaining } from "./board_why.js";

const room = document.querySelector("[data-room=board]");
const stage = room.querySelector("[data-stage]");
const tempo = room.querySelector("[data-tempo]");
const runs = room.querySelector("[data-do=run]");
let state = JSON.parse(room.dataset.state);
let running = state.seats.includes("human"); // two agents wait until somebody presses Play
let stepping = 0; // a number for what goes on by itself: whatever a person does ends it
let replaying = false; // whether moves that were taken back are played again
let changes = 0; // of seats, of the seed, of what is shown: how many are not answered yet
let changed = Promise.resolve(); // the last of them
let moved = Promise.resolve(); // the last move of the person, or the last step along the moves
let drawn = null; // the board as it was put on the page last
let slices = 0; // the number of the slice of a proof that was asked for last
let looking = new AbortController(); // what is asked of the position besides: given up when it is left

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const seats = () => Object.fromEntries(state.seats.map((agent, player) => [String(player + 1), agent]));
const lasting = () => Object.fromEntries(Object.entries(state.query).filter(([name, value]) => value && /^(position|flip|why|name[0-9]+)$/.test(name)));

/** All that a question says of the present position, and what is different from it. */
function question(different = {}) {
  const asked = { game: state.game, moves: state.moves, at: state.at, ...lasting(), ...seats(), seed: Number(state.query.seed || 0), show: state.query.show, ...table.question(), ...different };
  if (guesses.knows(asked)) asked.guessed = true;
  return asked;
}

/** Puts an answer on the page. `how` is what becomes of the address: push, replace, or nothing. */
function show(answer, how) {
  const held = room.contains(document.activeElement);
  const before = standing(stage), was = state;
  state = answer.state;
  drawn = answer.parts.board;
  put(answer.parts);
  const dropped = touch.dropped();
  if (was.flipped === state.flipped && hasMoved(stage, before, dropped) && was.moves.length !== state.moves.length) knock();
  if (held && !room.contains(document.activeElement)) stage.focus({ preventScroll: true }); // what had the keyboard is no more
  touch.refresh();
  mark();
  if (how) history[`${how}State`](null, "", address());
  more();
  touch.proceed();
}

function address() {
  const found = new URL(location.pathname.replace(/^\/why\//, "/"), location.href);
  for (const [name, value] of Object.entries(state.query)) if (value) found.searchParams.set(name, value);
  if (table.id) found.searchParams.set("table", table.id);
  return found.href.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3D", "=");
}

/** Which controls make sense now. */
function mark() {
  const may = { first: state.at > 0, back: state.at > 0, last: !isLatest(), undo: decision() >= 0 && !table.id };
  may.step = !isLatest() || thinks();
  for (const [name, yes] of Object.entries(may)) bar(room.querySelector(`.controls [data-do=${name}]`), !yes);
  room.querySelector("[data-do=flip]")?.setAttribute("aria-pressed", String(Boolean(state.query.flip)));
  runs.classList.toggle("main", !goes() && may.step);
  bar(runs, isLatest() && !canGo());
  runs.textContent = goes() ? runs.dataset.pause : runs.dataset.play;
  bar(room.querySelector("[data-do=swap]"), state.seats.length !== 2 || Boolean(table.id));
  stage.classList.toggle("is-mine", state.person);
  stage.classList.toggle("is-busy", running && thinks());
  stage.classList.toggle("has-drags", state.routes.some(([places]) => places.length > 1));
  stage.classList.toggle("is-steered", state.steered);
  guesses.tell();
  showLatest();
}

/** The moves so far, and what they came to, scroll in boxes of their own: the present one is seen. */
function showLatest() {
  for (const here of room.querySelectorAll(".line [aria-current], .along .d-here")) {
    const box = here.closest(".line, .along");
    const inner = here.getBoundingClientRect(), outer = box.getBoundingClientRect();
    if (inner.top < outer.top || inner.bottom > outer.bottom) box.scrollTop += inner.bottom - outer.bottom;
  }
}

/** Whether the move is an agent's, or that of a die. */
const thinks = () => !state.over && !state.person && !state.stopped && isLatest() && !table.id && !reasons.explains();

const isLatest = () => state.at === state.moves.length;
const canGo = () => state.moving && !state.over && !state.stopped && !reasons.explains();

/** Whether moves are made by themselves, or will be once a person has moved. */
const goes = () => running && (isLatest() ? canGo() : replaying);

/** What has to be asked besides: values that take longer, what the agents think; and the next move of whoever is no person. */
async function more() {
  const asked = ++stepping;
  looking.abort();
  looking = new AbortController();
  if (state.truth === "wait" || state.truth === "search") prove(asked);
  if (state.show.includes("mind")) later("mind.show", asked);
  else put({ mind: "" });
  if (!running || !(thinks() || (replaying && !isLatest()))) return;
  await wait(reasons.pace(Number(tempo.value)));
  if (asked === stepping && running) await onward("replace");
}

async function later(verb, asked) {
  const answer = await ask(verb, question(), looking.signal);
  if (answer && asked === stepping) put(answer.parts);
}

/** The exact values, a slice of a second at a time: what is known so far is shown, and whoever goes on gives up the rest. */
async function prove(asked, first = 0) {
  for (let slice = first; asked === stepping; slice++) {
    slices = slice;
    const answer = await ask("truth.show", question({ slice }), looking.signal);
    if (!answer || asked !== stepping) return;
    const { board, ...parts } = answer.parts;
    state = answer.state;
    put(parts);
    mark();
    if (board !== drawn) { // a piece that somebody has just taken up stays in the hand
      drawn = board;
      put({ board });
      touch.refresh();
    }
    if (state.truth !== "search") return;
  }
}

/** Waits for changes that are under way: what is asked next is about what they leave. Returns whether none was refused. */
const settled = async () => !changes || Boolean(await changed);

/** One move on: of those that were taken back, else of the agent that is to move. */
async function onward(how) {
  await settled();
  const asked = ++stepping;
  if (!isLatest()) return jump(state.at + 1, how);
  replaying = false;
  if (!thinks()) return mark();
  const answer = await ask(state.light ? "board.soon" : "board.reply", question());
  if (asked !== stepping || changes) return; // it was asked of another agent: that of the change is asked after it
  if (answer) {
    show(answer, how);
    if (state.over && state.seats.includes("human")) comeIntoView();
    return mend();
  }
  running = false; // the notice says why
  mark();
}

/** A seat that tells what is wrong in the file of its agent is asked again once somebody has played: the file may have been edited. */
async function mend() {
  if (!room.querySelector("[data-fault]")) return;
  const answer = await ask("board.seats", question());
  if (answer) put({ seats: answer.parts.seats });
}

const jump = (at, how = "push") => (moved = jumpedTo(at, how));

async function jumpedTo(at, how) {
  await settled();
  guesses.silence();
  const asked = ++stepping;
  const answer = await ask("board.show", question({ at }));
  if (answer && asked === stepping) show(answer, how);
}

/** The last ply before the present one at which a person decided, or any where none plays; -1 where there is none. */
const decision = () => (state.seats.includes("human") ? state.decided.findLast((ply) => ply < state.at) ?? -1 : state.at - 1);

/** A person plays a move. */
async function play(move) {
  if (!state.person) return;
  if (table.id) return isLatest() ? table.play(move) : jump(state.moves.length);
  stage.classList.add("is-waiting");
  await (moved = playedOn(move));
  stage.classList.remove("is-waiting");
}

async function playedOn(move) {
  if (!await settled() || !state.person || !state.legal.includes(move)) return;
  const asked = ++stepping;
  guesses.silence();
  if (state.truth === "guess") await guesses.judge({ move });
  const answer = await ask("board.move", question({ move }));
  if (!answer || asked !== stepping) return;
  replaying = false;
  running = true;
  show(answer, "push");
  if (state.over) comeIntoView();
}

/** The line that shows why the position, or a move, is worth what it is: it is played out. */
async function why(move) {
  await settled();
  stop();
  guesses.silence();
  const asked = ++stepping;
  const answer = await reasons.line(move);
  if (!answer || asked !== stepping) return;
  running = replaying = true;
  show(answer, "push");
  reasons.focus();
  comeIntoView();
}

/** Another agent, another seed, another thing to show: the same position, asked again once all before it is answered. `different()` is what it is then. */
function change(different, verb = "board.show") {
  const before = [changed, moved];
  ++changes;
  return changed = changedTo(different, verb, before);
}

async function changedTo(different, verb, before) {
  await Promise.all(before);
  const answer = await ask(verb, question(different()));
  --changes;
  if (answer) show(answer, "replace");
  else more();
  return answer;
}

const swapped = () => ({ 1: state.seats[1], 2: state.seats[0] });

/** The next move that gave something away, after the present position; after the last one the first again. */
function nextMistake() {
  const next = state.mistakes.find((ply) => ply > state.at) ?? state.mistakes[0];
  if (next !== undefined) jump(next);
}

const copy = async (text) => say(await copied(text) ? room.dataset.copied : room.dataset.uncopied);

/** Puts the board where it is seen, and what is said of it: what a button far below it started, or ended, happens there. */
function comeIntoView() {
  const { top, bottom } = stage.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) stage.scrollIntoView({ block: bottom - top > innerHeight ? "start" : "nearest" });
  room.querySelector(".status").scrollIntoView({ block: "nearest" });
}

const actions = {
  first: () => { stop(); jump(0); },
  back: () => { stop(); jump(state.at - 1); },
  step: () => { stop(); onward("push"); },
  last: () => { stop(); jump(state.moves.length); },
  undo: () => { stop(); jump(decision()); },
  run: () => { running = replaying = !goes(); running ? onwardSoon() : (++stepping, mark()); },
  replay: () => { running = replaying = true; jump(0); },
  on: () => { running = true; change(() => ({ moves: state.moves.slice(0, state.at), why: "" })); },
  leaveLine,
  new: () => (table.id ? table.again(false) : begin(() => ({}))),
  other: () => (table.id ? table.again(true) : begin(swapped)),
  swap: () => change(swapped, "board.seats"),
  prove: () => prove(++stepping, slices + 1),
  look: () => change(() => ({ look: state.at })),
  flip: () => change(() => ({ flip: !state.query.flip })),
  mistake: () => { stop(); nextMistake(); comeIntoView(); },
  invite: () => (state.query.position ? say(room.dataset.elsewhere) : table.invite()),
  copy: () => copy(shared(address())),
  copyTable: () => copy(room.querySelector("[data-link]").value),
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
  if (!isLatest() || thinks()) onward("replace");
}

/** Back to the game that was left for a line. */
async function leaveLine() {
  stop();
  const asked = ++stepping;
  const answer = await ask("board.show", question(reasons.back()));
  if (answer && asked === stepping) show(answer, "push");
}

/** A new game, of the same agents; dice fall anew. */
async function begin(different) {
  await settled();
  running = state.seats.includes("human");
  replaying = false;
  guesses.forget();
  const answer = await ask("board.seats", question({ moves: [], at: 0, why: "", seed: Number(state.query.seed || 0) + 1, ...different() }));
  if (answer) show(answer, "push"), comeIntoView();
}

async function guess(said) {
  await settled();
  const answer = await guesses.judge({ guess: said });
  if (answer) show(answer);
}

room.addEventListener("click", (event) => {
  const button = event.target.closest("button, [data-at], [data-why], a[data-do]");
  if (!button) return;
  if (button.href) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // another window shows it
    event.preventDefault();
  }
  if (button.dataset.why !== undefined) why(button.dataset.why);
  else if (button.dataset.do) actions[button.dataset.do]?.();
  else if (button.dataset.at) { stop(); jump(Number(button.dataset.at)); comeIntoView(); }
  else if (button.dataset.guess) guess(button.dataset.guess);
  else if (button.dataset.move) play(button.dataset.move);
  else if (button.dataset.sit) table.sit(Number(button.dataset.sit));
});

room.addEventListener("change", async (event) => {
  if (event.target.closest("[data-editor]")) return;
  const { seat, options, seed, rules, show: shown, level, nameOf } = event.target.dataset;
  if (seat || options) {
    const player = seat ?? options;
    const chosen = room.querySelector(`[data-seat="${player}"]`).value;
    const written = options ? event.target.value.trim().replace(/\s+/g, "") : "";
    const agent = chosen + (written ? `:${written}` : "");
    const last = Number(player) === Math.min(3, state.seats.length); // the third choice is for all others too
    const different = {};
    for (let n = Number(player); n <= (last ? state.seats.length : Number(player)); n++) different[n] = agent;
    event.target.setAttribute("aria-invalid", String(!await change(() => different, "board.seats")));
  } else if (seed !== undefined) {
    const written = Number(event.target.value) || 0;
    change(() => ({ seed: written }), "board.seats");
  } else if (rules) { // other rules are another game: the page of that
    const found = new URL(address());
    for (const name of ["moves", "at", "table", "position"]) found.searchParams.delete(name);
    visit(`/${rules}${event.target.value.trim() ? ":" + event.target.value.trim() : ""}${found.search}`);
  } else if (nameOf) {
    const written = event.target.value;
    change(() => ({ [`name${nameOf}`]: written }), "board.seats");
  } else if (shown || level !== undefined) {
    const predict = room.querySelector("[data-show=predict]"), off = room.querySelector('[data-level=""]');
    if (shown === "predict" && predict.checked && off.checked) room.querySelector("[data-level=truth]").checked = true;
    if (off.checked) predict.checked = false; // there is nothing to guess where nothing is shown
    const wanted = [room.querySelector("[data-level]:checked").dataset.level, ...[...room.querySelectorAll("[data-show]:checked")].map((box) => box.dataset.show)];
    guesses.forget();
    change(() => ({ show: wanted.filter(Boolean).join(",") }));
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
  let asked = false;
  details.addEventListener("toggle", async () => {
    if (!details.open || asked) return;
    asked = true;
    const answer = await ask(details.dataset.ask, { game: state.game, position: state.written, ...seats() });
    if (answer) put(answer.parts);
    else asked = details.open = false; // the notice says why; who opens it once more asks once more
  });
}

addEventListener("popstate", async () => {
  const said = new URL(location.href).searchParams;
  const same = state.seats.every((agent, player) => (said.get(String(player + 1)) ?? agent) === agent) && (said.get("table") ?? "") === table.id;
  if (!same) return visit(location.href);
  stop();
  const moves = (said.get("moves") ?? "").split(",").filter(Boolean);
  const asked = ++stepping;
  const answer = await ask("board.show", question({ moves, at: Number(said.get("at") ?? moves.length), seed: Number(said.get("seed") ?? 0), flip: said.get("flip") === "1", why: said.get("why") ?? "" }));
  if (answer && asked === stepping) show(answer);
});

/** Ends what goes on by itself, until `more` begins it anew. */
function halt() {
  ++stepping;
  looking.abort();
}

/** Says to who points at the board while somebody else is to move. */
function early() {
  if (state.plays && !state.over && !state.stopped && isLatest()) say(room.dataset.early);
}

for (const details of room.querySelectorAll("[data-unfolds]")) details.open = matchMedia("(min-width: 64rem)").matches;

const knock = sounding(room.querySelector("[data-sound]"));
const touch = pointing(stage, { state: () => state, play, wrong: () => say(room.dataset.wrong), early, room });
const guesses = guessing(room, { state: () => state, question });
const reasons = explaining(room, { state: () => state, question });
const table = seated(room, { state: () => state, show, question, halt: () => { ++stepping; } });
mark();
if (location.pathname.startsWith("/why/")) history.replaceState(null, "", address());
table.open();
if (!table.id && !room.matches(".is-editing")) more();
editing(room, { state: () => state, seats, halt, proceed: () => { mark(); more(); }, address, copy: (text) => copy(shared(text)) });
