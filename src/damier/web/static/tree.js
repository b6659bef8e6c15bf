// The step by step view of the tree room: steps come from the server some at a time and are kept; everything that is chosen stands in the address.
import { ask, bar, latestOnly, put, say } from "./damier.js";
import { zoomed } from "./zoom.js";

const room = document.querySelector("[data-room=tree]");
const slider = document.getElementById("step"), size = zoomed(room.querySelector(".tree-stage"), document.getElementById("zoom"));
const form = document.getElementById("question"), order = document.getElementById("order"), written = document.getElementById("written");
const play = room.querySelector("[data-play]"), list = room.querySelector(".list");
const KEPT_TREE = "damier-tree", URL_PAUSE = 300, END = 1_000_000; // the last step, however many there are

let state = JSON.parse(room.dataset.state);
let moments = new Map(), asked = new Set(); // step -> parts; first steps of what is on its way
let wanted = state.step, playing = 0, writing = 0;
const outline = room.querySelector(".tree-outline"), lines = document.getElementById("lines"), narrow = matchMedia("(max-width: 46rem)");
const folds = new Map(); // place -> whether somebody has opened it, or shut it
const askForTree = latestOnly();

// --- steps

function go(step) {
  wanted = Math.max(0, Math.min(state.steps, step));
  slider.value = wanted;
  if (moments.has(wanted)) show(wanted);
  fetchAround(wanted);
}

function show(step) {
  put(moments.get(step));
  refold();
  settle(step);
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", address()), URL_PAUSE);
}

/** What follows from the step that is shown, beside its parts. */
function settle(step) {
  for (const line of list.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  const line = list.querySelector(`[data-step="${step}"]`);
  line?.setAttribute("aria-current", "step");
  list.scrollTop = line ? line.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
  for (const button of room.querySelectorAll("[data-go=first], [data-go=back]")) bar(button, step === 0);
  for (const button of room.querySelectorAll("[data-go=next], [data-go=last]")) bar(button, step === state.steps);
  size();
  const here = outline.querySelector(".line[aria-current]");
  if (here) outline.scrollTop += here.getBoundingClientRect().top - outline.getBoundingClientRect().top - outline.clientHeight / 2;
}

// --- as lines under one another, on a phone or where somebody wants it

const asLines = () => room.dataset.shows === "lines";

/** One of the two is asked for and shown. */
function shape(is) {
  if (is === asLines() && room.dataset.shows) return;
  room.dataset.shows = is ? "lines" : "picture";
  lines.setAttribute("aria-pressed", String(is));
  moments = new Map();
  asked = new Set();
}

/** What was opened or shut stays so, but for the way to where the search is. */
function refold() {
  const here = outline.querySelector(".line[aria-current]");
  for (const branch of outline.querySelectorAll("details")) {
    const open = folds.get(branch.dataset.place);
    if (open !== undefined && (open || !branch.contains(here))) branch.open = open;
  }
}

outline.addEventListener("click", (event) => {
  const branch = event.target.closest("summary")?.parentElement;
  if (branch) folds.set(branch.dataset.place, !branch.open);
});
lines.addEventListener("click", () => { shape(!asLines()); fetchAround(wanted); });
narrow.addEventListener("change", () => { shape(narrow.matches); fetchAround(wanted); });

async function fetchAround(step) {
  const first = step - step % state.chunk, next = first + state.chunk;
  await fetchFrom(first);
  if (step >= next - Math.ceil(state.chunk / 2) && next <= state.steps) fetchFrom(next);
}

async function fetchFrom(first) {
  if (asked.has(first)) return;
  const on = asked;
  on.add(first);
  const answer = await ask("tree.steps", { ...state.values, first, count: state.chunk, outline: asLines() });
  if (!answer) on.delete(first);
  if (!answer || on !== asked) return; // another tree has come
  const shown = moments.has(wanted);
  for (const [step, parts] of Object.entries(answer.steps)) moments.set(Number(step), parts);
  if (!shown && moments.has(wanted)) show(wanted);
}

const target = {
  first: () => 0,
  back: () => wanted - 1,
  next: () => wanted + 1,
  last: () => state.steps,
  cut: () => state.cuts.find((cut) => cut > wanted) ?? state.steps,
};

room.addEventListener("click", (event) => {
  const button = event.target.closest("[data-go]"), line = event.target.closest("li[data-step]");
  if (button) { stop(); go(target[button.dataset.go]()); }
  else if (line) { stop(); go(Number(line.dataset.step)); }
});
slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });

const KEYS = { ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last" };
const CLICKER = { ...KEYS, PageDown: "next", PageUp: "back", ArrowDown: "next", ArrowUp: "back", " ": "next", Enter: "next" };

addEventListener("keydown", (event) => {
  if (presenting() && event.key === "Escape") return present(false);
  const key = (presenting() && !event.target.closest("button, select, summary") ? CLICKER : KEYS)[event.key] ?? (presenting() ? { PageDown: "next", PageUp: "back" }[event.key] : undefined);
  if (!key || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const area = presenting() ? null : event.target.closest("[tabindex]");
  if (area && (area.scrollWidth > area.clientWidth || event.key === "Home" || event.key === "End")) return; // these keys scroll there
  event.preventDefault();
  stop();
  go(target[key]());
});

// --- presented to a class: the whole screen, steps by a clicker

const presents = room.closest("main").querySelector("[data-present]");
const presenting = () => document.body.classList.contains("presenting");

/** The tree, the pseudo-code, α and β alone. The whole screen is given where the browser allows it: where somebody has pressed something. */
function present(on) {
  document.body.classList.toggle("presenting", on);
  if (on) document.documentElement.requestFullscreen?.().catch(() => {}); // then as large as the window
  else if (document.fullscreenElement) document.exitFullscreen();
  if (on) document.activeElement?.blur(); // a clicker's keys press no button
  else presents.focus({ preventScroll: true });
  history.replaceState(null, "", address());
  size();
}

presents.addEventListener("click", () => { stop(); present(true); });
document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && presenting()) present(false); });

const listing = document.getElementById("listing"), code = room.querySelector("[data-part=code]");
listing.addEventListener("change", () => { code.dataset.shown = listing.value; });

// --- playing

function stop() {
  clearTimeout(playing);
  playing = 0;
  play.setAttribute("aria-pressed", "false");
  play.textContent = play.dataset.off;
}

play.addEventListener("click", () => {
  if (playing) return stop();
  play.setAttribute("aria-pressed", "true");
  play.textContent = play.dataset.on;
  go(wanted === state.steps ? 0 : wanted + 1);
  const beat = () => {
    if (moments.has(wanted)) go(wanted + 1);
    if (wanted === state.steps) stop();
    else playing = setTimeout(beat, Number(document.getElementById("pace").value));
  };
  playing = setTimeout(beat, Number(document.getElementById("pace").value));
});

// --- the question: which tree, how it is searched, in which order

function address() {
  const more = [wanted ? `step=${wanted}` : "", presenting() ? "present" : ""].filter(Boolean).join("&");
  return more ? `${state.address}${state.address.includes("?") ? "&" : "?"}${more}` : state.address;
}

/** Asks for another tree or another search of it. `step`: where it is to stand; `record`: how the history of the browser takes it. */
async function change(values, step, record = "pushState") {
  stop();
  const answer = await askForTree("tree.show", { ...values, step, outline: asLines() });
  if (!answer) return;
  take(answer);
  if (values.text !== undefined) keep(values.text);
  clearTimeout(writing);
  if (record) history[record](null, "", address());
}

function take(answer) {
  state = answer.state;
  moments = new Map();
  asked = new Set();
  wanted = state.step;
  slider.max = state.steps;
  slider.value = wanted;
  folds.clear();
  put(answer.parts);
  dress();
  fetchAround(wanted);
}

/** The controls that stay where they are when the tree changes. */
function dress() {
  const listings = [...code.querySelectorAll("[data-code]")];
  document.getElementById("code-panel").hidden = !listings.length;
  listing.hidden = listings.length < 2;
  document.getElementById("ordering").hidden = !state.ordered;
  written.setAttribute("aria-pressed", String(state.order < 0));
  if (state.order >= 0) order.value = state.order;
  room.querySelector("[data-go=cut]").hidden = state.cuts.length === 0;
  settle(wanted);
}

function keep(text) {
  try { sessionStorage.setItem(KEPT_TREE, text); } catch { /* the address carries it, unless it is long */ }
}

/** What the form says, with the order of the moves. */
function chosen() {
  const values = Object.fromEntries(new FormData(form));
  if (state.order >= 0) values.order = state.order;
  return values;
}

const atEnd = () => wanted === state.steps;

form.addEventListener("submit", (event) => { event.preventDefault(); change({ ...chosen(), yielding: true }, 0); });
form.addEventListener("change", (event) => {
  if (event.target.id === "tree") choose(event.target.value);
  else if (["algorithm", "prune", "winner", "revisit"].includes(event.target.id)) change(chosen(), atEnd() ? END : 0);
});
form.addEventListener("click", (event) => {
  if (event.target.id === "another") {
    document.getElementById("seed").value = Number(document.getElementById("seed").value) + 1;
    change(chosen(), 0);
  } else if (event.target.id === "edit") {
    form.elements.tree.value = "text";
    own("text");
    form.elements.text.focus();
  }
});

/** Another kind of tree: at once where nothing is left to say about it, else when its fields are filled in. */
function choose(tree) {
  own(tree);
  if (tree === "text") form.elements.text.focus();
  else {
    const { algorithm: _algorithm, order: _order, ...values } = chosen(); // those that suit the new tree
    change(values, 0);
  }
}

function own(tree) {
  for (const part of form.querySelectorAll("[data-own]")) {
    part.hidden = !part.dataset.own.split(" ").includes(tree);
    if (part.localName === "fieldset") part.disabled = part.hidden;
  }
  const edit = document.getElementById("edit");
  if (edit) edit.hidden = tree === "text";
}

order.addEventListener("input", () => change({ ...state.values, order: Number(order.value) }, END, "replaceState"));
written.addEventListener("click", () => {
  const { order: _unused, ...values } = state.values;
  change(values, END);
});

addEventListener("popstate", () => {
  const values = Object.fromEntries(new URL(location.href).searchParams);
  const { step, present: _present, ...rest } = restored(values);
  change(rest, Number(step ?? 0), null);
});

/** A tree too long for an address lies in this window. */
function restored(values) {
  if (!values.kept) return values;
  const text = sessionStorage.getItem(KEPT_TREE);
  const { kept: _unused, ...rest } = values;
  if (text === null) say(room.dataset.lost);
  return text === null ? { tree: "classic" } : { ...rest, text };
}

slider.max = state.steps;
slider.value = wanted;
if (new URL(location.href).searchParams.has("present")) document.body.classList.add("presenting");
shape(narrow.matches);
dress();
if (new URL(location.href).searchParams.has("kept")) {
  const { step, present: _present, ...rest } = restored(Object.fromEntries(new URL(location.href).searchParams));
  if (rest.text !== undefined) change(rest, Number(step ?? 0), null);
} else fetchAround(wanted);
