// Exercises: answers go to the server, which marks them: right or wrong at first, then with hints, then with reasons.
import { ask, copied, latestOnly, put, shared } from "./damier.js";
import "./exercise_class.js";
import { centre, lay, size } from "./exercise_fields.js";
import { finished, forget, forgetFinished, keep, markings, run } from "./exercise_runs.js";

const room = document.querySelector("[data-room=exercise]");
const answers = document.getElementById("answers"), sheet = document.getElementById("sheet");
const mark = document.getElementById("mark"), key = document.getElementById("key"), next = document.getElementById("next"), again = document.getElementById("again");

let state = JSON.parse(room.dataset.state);
let before = [], closed = false; // what was marked of this exercise; whether nothing more is
const askForSheet = latestOnly();

// --- one exercise

/** Everything typed, ticked and chosen, by the names of the fields. */
function given() {
  const found = {};
  for (const [name, value] of new FormData(answers)) found[name] = found[name] ? `${found[name]} ${value}` : value;
  return found;
}

/** Asks for another exercise. `push`: whether the history of the browser takes it. */
async function change(values, push = true) {
  const answer = await askForSheet("exercise.show", values);
  if (!answer) return;
  const held = document.activeElement;
  state = answer.state;
  put(answer.parts);
  if (push) history.pushState(null, "", state.address);
  await begin();
  pass(held, room.querySelector("[data-part=task]"));
}

/** Gives the keyboard to `place` where what held it is no more. */
function pass(held, place) {
  const here = document.activeElement;
  if (held !== document.body && (here === document.body || !here.checkVisibility())) place.focus({ preventScroll: true });
}

/** A new exercise is on the page; one that was marked before stands as it stood. */
async function begin() {
  [before, closed] = [[], false];
  size();
  lay();
  centre();
  const kept = run(state.kept).items[state.item];
  dress();
  if (kept) await send(kept.answers, kept.before, kept.given_up);
}

/** Has answers marked, after those marked `earlier`. */
async function send(typed, earlier, givenUp) {
  const marked = state;
  const answer = await ask("exercise.mark", { ...state.values, answers: typed, before: earlier, given_up: givenUp });
  if (!answer || marked !== state) return null; // another exercise has come
  before = givenUp ? earlier : [...earlier, typed];
  closed = answer.closed;
  put(answer.parts);
  lay();
  dress();
  const record = run(state.kept); // one exercise alone is kept too, so that it stands as it stood when it is loaded again
  record.items[state.item] = { before: earlier, answers: typed, given_up: givenUp, points: answer.points, closed };
  keep(state.kept, record);
  dress();
  if (state.run) await finish();
  return answer;
}

/** The buttons, and how the run stands. */
function dress() {
  mark.hidden = closed;
  next.hidden = !closed || isFinished();
  again.hidden = !closed || Boolean(state.run);
  if (closed && document.activeElement === document.body) next.focus({ preventScroll: true });
  const items = state.run ? run(state.run).items : {};
  for (const link of room.querySelectorAll(".progress [data-item]")) {
    const item = items[link.dataset.item];
    link.classList.toggle("is-closed", Boolean(item?.closed));
    link.querySelector(".points").textContent = item?.closed ? written(item.points) : "";
  }
  list();
}

answers.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!closed) send(given(), before, false);
});

key.addEventListener("click", async () => {
  const solved = state;
  if (!closed && !await send(given(), before, true)) return;
  const answer = await ask("exercise.key", state.values);
  if (answer && solved === state) put(answer.parts);
});

answers.addEventListener("click", (event) => {
  const link = event.target.closest("[data-focus]");
  if (!link) return;
  const name = CSS.escape(link.dataset.focus);
  answers.querySelector(`[name="${name}"]:not([type=hidden])`)?.focus();
});

next.addEventListener("click", () => {
  if (!state.run) return change({ ...state.values, seed: Number(state.values.seed) + 1 });
  const { items } = run(state.run), numbers = Array.from({ length: state.count }, (_each, at) => at + 1);
  const open = numbers.filter((number) => !items[number]?.closed);
  const item = open.find((number) => number > state.item) ?? open[0];
  if (item) change({ ...state.values, item });
});

again.addEventListener("click", () => { forget(state.kept); change(state.values, false); });

// --- a run

/** Whether nothing of a run is open. */
function isFinished() {
  return Boolean(state.run) && Object.values(run(state.run).items).filter((item) => item.closed).length === state.count;
}

/** The result of a run that is finished. */
async function finish() {
  const asked = state, record = run(state.run), held = document.activeElement;
  if (!isFinished()) return;
  const items = markings(record, state.count);
  const answer = await ask("exercise.result", { ...state.values, items });
  if (!answer || asked !== state) return;
  put(answer.parts);
  if (!record.done) {
    record.done = { title: answer.title, total: answer.total, of: answer.of, when: Date.now() };
    keep(state.run, record);
    list();
    room.querySelector(".result").scrollIntoView({ block: "nearest" });
    pass(held, room.querySelector(".result"));
  }
  if (!record.kept) dispatchEvent(new CustomEvent("finished", { detail: { values: state.values, items, name: state.run } }));
}

addEventListener("kept", ({ detail: name }) => keep(name, { ...run(name), kept: true }));

const written = (points) => points.toLocaleString(document.documentElement.lang);

/** The list of the runs that this browser has finished. */
function list() {
  const place = document.getElementById("runs"), rows = finished();
  place.hidden = rows.length === 0;
  place.querySelector("tbody").replaceChildren(...rows.map(([name, done]) => {
    const row = document.createElement("tr"), link = document.createElement("a");
    link.href = `/tree${name}&view=exercise`;
    link.textContent = done.title;
    const cells = [link, `${written(done.total)} / ${done.of}`, new Date(done.when).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" })];
    for (const cell of cells) row.insertCell().append(cell);
    return row;
  }));
}

document.getElementById("forget").addEventListener("click", () => { forgetFinished(); list(); });

const anySeed = () => 1 + Math.floor(Math.random() * 99_999);
room.addEventListener("click", (event) => {
  const link = event.target.closest("[data-item]"), { item: _item, ...values } = state.values;
  if (link) {
    event.preventDefault();
    change({ ...state.values, item: Number(link.dataset.item) });
  } else if (event.target.id === "new-run") change({ ...values, seed: anySeed() });
  else if (event.target.id === "same-run") { forget(state.run); change(values); }
});

// --- which exercise

const chosen = () => Object.fromEntries(new FormData(sheet));
sheet.addEventListener("submit", (event) => {
  event.preventDefault();
  change({ ...chosen(), run: event.submitter?.value ?? state.count });
});
sheet.addEventListener("change", (event) => {
  if (event.target.id === "kind") change({ kind: event.target.value, seed: chosen().seed, run: state.count });
});
sheet.addEventListener("click", async (event) => {
  if (event.target.id === "another") change({ ...chosen(), run: state.count, seed: anySeed() });
  else if (event.target.id === "print") print();
  else if (event.target.id === "copy") {
    if (await copied(shared(state.address))) event.target.textContent = event.target.dataset.done;
  }
});

addEventListener("popstate", () => {
  const { view: _view, ...values } = Object.fromEntries(new URL(location.href).searchParams);
  change(values, false);
});

history.replaceState(null, "", state.address); // it names the exercise that is shown: loaded again, it is the same
begin();
