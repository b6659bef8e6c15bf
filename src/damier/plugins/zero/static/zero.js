// AlphaZero: a training that is watched; a position with what is thought of it; one simulation at a time. Sentences and pictures come from the server.
import { ask, bar, latestOnly, live, put, say, speak } from "./damier.js";

const room = document.querySelector("[data-room=zero]");
const { game, language } = room.dataset;
let state = JSON.parse(room.dataset.state);
let look = JSON.parse(room.dataset.look);
let name = new URL(location.href).searchParams.get("name") ?? "";
let mine = true;
let watched = [];
const latest = latestOnly();

/** The keys of the trainings that were begun in this browser: who has one steers it. */
const keys = {
  of(training) { try { return localStorage.getItem(`training ${training}`) ?? ""; } catch { return ""; } },
  keep(training, key) { try { localStorage.setItem(`training ${training}`, key); } catch { /* then it is steered at the machine that serves */ } },
};

// A position: every link says all that is asked.

async function visit(address, how = "push") {
  const values = Object.fromEntries(new URL(address, location.href).searchParams);
  const answer = await latest("zero.look", { ...values, game, name });
  if (!answer) return;
  const held = room.contains(document.activeElement);
  put(answer.parts);
  if (held && document.activeElement === document.body) room.querySelector(".zero-moves a, [data-key=undo]")?.focus({ preventScroll: true }); // a move that was made is no more
  look = answer.state;
  if (how) history[`${how}State`](null, "", look.address);
}

const link = (move) => room.querySelector(`[data-move-name="${CSS.escape(move)}"]`);

room.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const place = event.target.closest("[data-look]");
  if (place && place !== room) {
    event.preventDefault();
    if (place.hasAttribute("href")) visit(place.getAttribute("href"));
    return;
  }
  const drawn = event.target.closest(".zero-boards [data-move], .zero-boards [data-cell]");
  const move = drawn?.dataset.move ?? look.taps[drawn?.dataset.cell];
  if (move !== undefined) link(move)?.click();
});

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

addEventListener("keydown", (event) => {
  const inside = event.target.closest?.("[data-stepper]"), free = event.target === document.body;
  const key = KEYS[event.key];
  if (!key || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.matches?.("input, select, textarea")) return;
  if (!inside && !(free && event.key.startsWith("Arrow"))) return;
  if (event.target.closest?.(".scroll")) return; // what is wide scrolls
  event.preventDefault();
  room.querySelector(`[data-stepper] [data-key=${key}]`)?.click();
});

addEventListener("popstate", () => {
  const asked = new URL(location.href).searchParams.get("name") ?? "";
  if (asked === name) visit(location.href, "");
  else location.reload();
});

// A training: the hub tells how it goes.

function paint(answer) {
  if (answer.asleep) return read();
  if (answer.error) return say(answer.error);
  const open = room.querySelector("[data-part=curve] details")?.open;
  put(answer.parts);
  const details = room.querySelector("[data-part=curve] details");
  if (details && open) details.open = true;
  const before = state;
  state = { points: answer.state.name === before.name ? before.points : 0, ...answer.state }; // the numbers do not tell how many points the curve has
  steer();
  if (state.points > before.points || (state.state !== before.state && state.state !== "running")) visit(look.address, "replace"); // its thoughts have changed
  if (state.state !== before.state) speak(room.querySelector("[data-part=status] .state")?.textContent ?? "");
}

async function read() {
  const answer = await ask("zero.show", { game, name });
  if (answer) paint(answer);
}

/** Shows the controls that mean something now. */
function steer() {
  const runs = ["preparing", "running", "paused"].includes(state.state), known = state.name !== "" && state.points > 0;
  const held = document.activeElement?.closest?.(".controls");
  const visible = { pause: mine && state.state === "running", go: mine && state.state === "paused", stop: mine && runs, more: mine && known && !runs };
  for (const [what, shown] of Object.entries(visible)) room.querySelector(`[data-do=${what}]`).hidden = !shown;
  if (held && document.activeElement.hidden) held.querySelector("button:not([hidden])")?.focus();
  bar(document.querySelector("#plan button"), mine && runs);
  for (const id of ["uses", "how"]) document.getElementById(id).hidden = !known;
  room.querySelector("[data-use=play]").href = `/${encodeURI(game)}?1=human&2=learner:${name}`;
  room.querySelector("[data-use=file]").href = `/zero/files/${name}.zip`;
  room.querySelector("[data-command]").textContent = `damier play ${game} human zero:file=${name}`;
}

function follow(next) {
  for (const topic of watched) live.unwatch(topic);
  name = next;
  watched = [];
  if (!name) return;
  watched = [`progress/${name}/${language}`, `training/${name}/${language}/visits`];
  for (const topic of watched) live.watch(topic, paint);
  whose();
}

async function whose() {
  const asked = name, answer = await live.tell({ do: "training.may", name, key: keys.of(name) });
  if (asked !== name || answer?.may === undefined) return;
  mine = answer.may;
  steer();
}

async function start(values) {
  say(room.dataset.starting);
  const answer = await live.tell({ do: "training.start", game, ...values });
  say(answer?.error ?? "");
  if (!answer?.name) return;
  keys.keep(answer.name, answer.key);
  const here = new URL(look.address, location.href);
  here.searchParams.set("name", answer.name);
  look.address = here.pathname + here.search;
  history.pushState(null, "", look.address);
  follow(answer.name);
}

document.getElementById("plan").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { games, simulations, seed } = Object.fromEntries(new FormData(event.target));
  const button = event.target.querySelector("button");
  bar(button);
  await start({ learner: `zero:simulations=${simulations}`, games, seed: seed || "0", seat: "", pace: 0 });
  steer();
});

room.querySelector(".controls").addEventListener("click", async (event) => {
  const what = event.target.closest("[data-do]")?.dataset.do;
  if (!what) return;
  if (what === "more") return start({ resume: true, name, key: keys.of(name), learner: state.learner, seed: state.seed, games: 2 * state.games, seat: "", pace: 0 });
  const answer = await live.tell({ do: `training.${what}`, name, key: keys.of(name) });
  say(answer?.error ?? "");
});

addEventListener("reconnected", () => { if (name) whose(); });
steer();
follow(name);
