// The learning room: a form begins a training, the hub tells how it goes; what is shown is drawn on the server.
import { ask, bar, live, put, say, sayOutcome } from "./damier.js";

const room = document.querySelector("[data-room=learning]");
const order = document.getElementById("order");
const said = document.getElementById("said");
const plan = document.getElementById("plan");
let name = room.dataset.name;
const watched = [];
const codes = Object.fromEntries([...room.querySelectorAll("[data-code]")].map((code) => [code.dataset.code, code]));
let state = null;
let shown = {};
let mine = true;

/** The keys of the trainings that were begun in this browser: who has one steers it. */
const keys = {
  of(training) { try { return localStorage.getItem(`training ${training}`) ?? ""; } catch { return ""; } },
  keep(training, key) { try { localStorage.setItem(`training ${training}`, key); } catch { /* then it is steered at the machine that serves */ } },
};

/** Puts in what has changed since the last picture: a screen reader is told nothing twice, a selection elsewhere stays. */
function paint(answer) {
  if (answer.error) return say(answer.error);
  const changed = Object.entries(answer.parts).filter(([part, html]) => shown[part] !== html);
  Object.assign(shown, answer.parts);
  put(Object.fromEntries(changed));
  order.closest("label").hidden = room.querySelector("[data-part=table] p:only-child") !== null; // nothing to sort
  if (answer.state) steer(answer.state);
}

/** Shows the controls that mean something now. */
function steer(now) {
  const before = state;
  state = now;
  const runs = ["preparing", "running", "paused"].includes(now.state);
  const alive = runs && now.state !== "preparing";
  reveal({
    "[data-do=pause]": mine && now.state === "running",
    "[data-do=go]": mine && now.state === "paused",
    "[data-do=stop]": mine && runs,
    "#copy": mine && alive,
    "#tempo": mine && now.state !== "preparing",
    "#resume": mine && !runs,
    "#others": !mine,
    "#play": now.state !== "preparing" && now.games > 0,
    "#files": now.state !== "preparing" && now.games > 0 && now.tables > 0,
    "#files [data-export='2']": now.tables === 2,
    "#manage": mine && !runs,
    "#code": now.algorithm in codes,
  });
  for (const [algorithm, code] of Object.entries(codes)) code.hidden = algorithm !== now.algorithm;
  for (const file of room.querySelectorAll("[data-export]")) file.href = `${file.getAttribute("href").split("?")[0]}?name=${now.name}&seat=${file.dataset.export}`;
  const learner = `learner:${now.name}`;
  link("[data-first]", now.game, "human", learner);
  link("[data-second]", now.game, learner, "human");
  const pace = document.getElementById("live-pace");
  const wanted = alive ? String(now.pace) : before ? pace.value : document.getElementById("pace").value;
  if (document.activeElement !== pace && [...pace.options].some((option) => option.value === wanted)) pace.value = wanted;
  if (before === null || before.state !== now.state || before.name !== now.name) {
    said.textContent = room.querySelector("[data-part=head] .state")?.textContent ?? "";
    const field = document.querySelector("#resume input");
    document.querySelector("#resume [name=positions]").value = now.starts;
    field.value = before?.of > now.games ? before.of : 2 * now.of;
    field.min = now.games + 1;
    if (before) ask_whose();
  }
}

/** Shows some controls and hides the others; the keyboard is not left on one that goes. */
function reveal(controls) {
  const held = room.querySelector(".controls")?.contains(document.activeElement) ? document.activeElement : null;
  for (const [selector, visible] of Object.entries(controls)) room.querySelector(selector).hidden = !visible;
  if (held?.closest("[hidden]")) room.querySelector(".controls button:not([hidden], [hidden] *)")?.focus();
}

function link(selector, game, first, second) {
  room.querySelector(selector).href = `/${encodeURI(game)}?1=${first}&2=${second}`;
}

const progress = () => `progress/${name}/${room.dataset.language}`;
const picture = () => `training/${name}/${room.dataset.language}/${order.value}`;

/** Watches a learner: what the hub tells of it while it learns, else what lies in its file. */
function follow(next) {
  for (const topic of watched.splice(0)) live.unwatch(topic);
  if (next !== name) { shown = {}; for (const part of ["head", "curve", "numbers", "rates", "table"]) put({ [part]: "" }); state = null; said.textContent = ""; }
  name = next;
  document.getElementById("welcome").hidden = name !== "";
  for (const part of ["training", "knowledge"]) document.getElementById(part).hidden = name === "";
  document.getElementById("code").hidden = true;
  if (name === "") return;
  watched.push(progress(), picture());
  live.watch(progress(), (told) => (told.asleep ? read() : paint(told)));
  live.watch(picture(), paint);
  ask_whose();
}

/** Shows a learner that does not learn now, as its file has it. */
async function read() {
  const wanted = picture();
  const answer = await ask("learning.show", { name, order: order.value });
  if (answer && wanted === picture()) paint(answer);
}

/** Whether this browser steers the training, or goes on with it. */
async function ask_whose() {
  const asked = name;
  const answer = await live.tell({ do: "training.may", name, key: keys.of(name) });
  if (asked !== name || answer?.may === undefined) return;
  mine = answer.may;
  if (state) steer(state);
}

/** Goes to a learner, or to none. `how`: what becomes of the address, which is pushed, or replaced where the learner of that is no more. */
function visit(next, how = "push") {
  const here = new URL(location.href);
  if (next) here.searchParams.set("name", next);
  else here.searchParams.delete("name");
  history[`${how}State`](null, "", here);
  follow(next);
  if (next) document.getElementById("training").scrollIntoView({ block: "nearest" });
}

/** Sends an order to the training that is watched. Returns whether it was obeyed; says why not. */
async function give_order(what, values = {}) {
  const answer = await live.tell({ do: `training.${what}`, name, key: keys.of(name), ...values });
  sayOutcome(answer);
  return answer !== null && answer.error === undefined;
}

async function start(values) {
  say(room.dataset.starting);
  const answer = await live.tell({ do: "training.start", ...values });
  sayOutcome(answer);
  if (!answer?.name) return;
  keys.keep(answer.name, answer.key);
  visit(answer.name);
}

plan.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = plan.querySelector("button[type=submit]");
  const given = Object.fromEntries(new FormData(plan));
  const { joint } = document.getElementById("learner").selectedOptions[0].dataset;
  const learner = given.parameters ? `${given.learner}${joint}${given.parameters}` : given.learner;
  bar(button);
  await start({ game: given.game, learner, opponent: given.opponent, seat: given.seat, seed: given.seed, positions: given.positions, games: given.games, pace: given.pace, name: given.called });
  bar(button, false);
});

// A choice stands for a text under "more"; what is written there and is none of the choice is the choice's last option.

const choices = plan.querySelectorAll("[data-writes]");
const textOf = (choice) => document.getElementById(choice.dataset.writes);

/** Shows in a choice what its text says. */
function matchText(choice) {
  const text = textOf(choice).value.trim(), known = [...choice.options].some((option) => option.value === text);
  choice.value = known ? text : choice.options[choice.options.length - 1].value;
}

function write(name, text) {
  document.getElementById(name).value = text;
  matchText(plan.querySelector(`[data-writes=${name}]`));
}

for (const choice of choices) {
  choice.addEventListener("change", () => {
    const text = textOf(choice);
    if (choice.selectedIndex < choice.options.length - 1) text.value = choice.value;
    else {
      document.getElementById("more").open = true;
      text.focus();
      text.select();
    }
  });
  textOf(choice).addEventListener("input", () => matchText(choice));
  textOf(choice).addEventListener("invalid", () => { document.getElementById("more").open = true; });
  matchText(choice); // a browser may fill in the text of an earlier visit
}

const tellLearner = () => { document.getElementById("learner-words").textContent = document.getElementById("learner").selectedOptions[0].dataset.words; };
tellLearner();

document.getElementById("learner").addEventListener("change", (event) => {
  const chosen = event.target.selectedOptions[0].dataset;
  tellLearner();
  write("opponent", chosen.opponent);
  document.getElementById("seat").value = chosen.seat;
  document.getElementById("games-number").value = chosen.games;
});

room.addEventListener("click", async (event) => {
  const what = event.target.closest("[data-do]")?.dataset.do;
  if (what) return give_order(what);
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  const learner = event.target.closest("[data-learner] a");
  if (learner) { event.preventDefault(); return visit(learner.dataset.key); }
  const play = event.target.closest("#play a, #files a");
  if (play && state && ["running", "paused"].includes(state.state)) { // whoever plays against it meets it as it is now
    event.preventDefault();
    say(room.dataset.saving);
    await give_order("save");
    location.assign(play.href);
  }
});

document.getElementById("live-pace").addEventListener("change", (event) => {
  if (["running", "paused"].includes(state?.state)) give_order("pace", { pace: Number(event.target.value) });
});
order.addEventListener("change", () => follow(name));

document.getElementById("copy").addEventListener("submit", async (event) => {
  event.preventDefault();
  if (await give_order("save", { as: event.target.elements.as.value })) { say(room.dataset.saved); event.target.reset(); }
});

document.getElementById("resume").addEventListener("submit", async (event) => {
  event.preventDefault();
  const pace = document.getElementById("live-pace").value;
  await start({ resume: true, name, key: keys.of(name), game: state.game, games: event.target.elements.games.value, positions: event.target.elements.positions.value, pace });
});

document.getElementById("rename").addEventListener("submit", async (event) => {
  event.preventDefault();
  const to = event.target.elements.to.value;
  const key = keys.of(name);
  if (!(await give_order("rename", { to }))) return;
  if (key) keys.keep(to, key);
  event.target.reset();
  visit(to, "replace");
});

document.getElementById("remove").addEventListener("click", async () => {
  if (!confirm(room.dataset.sure.replace("{name}", name)) || !(await give_order("remove"))) return;
  visit("", "replace");
  document.getElementById("learner").focus();
});

document.getElementById("compare").addEventListener("submit", async (event) => {
  event.preventDefault();
  const { one, other } = Object.fromEntries(new FormData(event.target));
  for (const learner of [one, other]) {
    if (room.querySelector(`[data-learner="${CSS.escape(learner ?? "")}"]:is([data-state=running], [data-state=paused])`)) await live.tell({ do: "training.save", name: learner });
  }
  say(room.dataset.comparing);
  const answer = await ask("learning.compare", { one, other });
  if (answer) { put(answer.parts); document.getElementById("comparison").scrollIntoView({ block: "nearest" }); }
});

/** The learners that can be compared are those of the list. */
function offer() {
  const names = [...room.querySelectorAll("[data-learner]")].map((item) => item.dataset.learner);
  document.getElementById("compare").hidden = names.length < 2;
  [...room.querySelectorAll("[data-learners]")].forEach((select, number) => {
    const chosen = select.value;
    if ([...select.options].map((option) => option.value).join(" ") === names.join(" ")) return;
    select.replaceChildren(...names.map((text) => new Option(text, text)));
    select.value = names.includes(chosen) ? chosen : (names[number] ?? names[0] ?? "");
  });
}

/** Says how much more can be kept. */
async function tell_room() {
  const answer = await live.tell({ do: "training.room" });
  const part = room.querySelector("[data-part=room]");
  if (answer?.said && part.textContent !== answer.said) part.textContent = answer.said;
}

live.watch(`trainings/${room.dataset.language}`, (answer) => { if (answer.parts) { put(answer.parts); offer(); tell_room(); } });
addEventListener("reconnected", () => { if (name) ask_whose(); });
addEventListener("popstate", () => follow(new URL(location.href).searchParams.get("name") ?? ""));
offer();
if (name) follow(name);
