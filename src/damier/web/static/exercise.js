// Exercises: the answers go to the server, which marks them; what was right so far stays in this window.
import { ask, latestOnly, put } from "./damier.js";

const room = document.querySelector("[data-room=exercise]");
const answers = document.getElementById("answers"), sheet = document.getElementById("sheet");
const SCORES = "damier-exercises"; // name of a sheet -> [right, of]: the first time that it is marked counts

let state = JSON.parse(room.dataset.state);
const askForSheet = latestOnly();

function scores() {
  try { return JSON.parse(sessionStorage.getItem(SCORES)) ?? {}; } catch { return {}; }
}

function named(values) {
  return Object.values(values).join(" ");
}

async function change(values, push = true) {
  const answer = await askForSheet("exercise.show", values);
  if (!answer) return;
  state = answer.state;
  put(answer.parts);
  if (push) history.pushState(null, "", state.address);
}

answers.addEventListener("submit", async (event) => {
  event.preventDefault();
  const given = {};
  for (const [name, value] of new FormData(answers)) given[name] = name in given ? `${given[name]} ${value}` : value;
  const others = Object.entries(scores()).filter(([name]) => name !== named(state.values)).map(([, score]) => score);
  const sum = (place) => others.reduce((total, score) => total + score[place], 0);
  const before = { right_before: sum(0), asked_before: sum(1), sheets_before: others.length };
  const marked = state, answer = await ask("exercise.mark", { ...state.values, ...before, answers: given });
  if (!answer || marked !== state) return; // another sheet has come
  put(answer.parts);
  const all = scores();
  all[named(state.values)] ??= [answer.right, answer.of];
  try { sessionStorage.setItem(SCORES, JSON.stringify(all)); } catch { /* then only this sheet counts */ }
});

document.getElementById("key").addEventListener("click", async () => {
  const solved = state, answer = await ask("exercise.key", state.values);
  if (answer && solved === state) put(answer.parts);
});

document.getElementById("print").addEventListener("click", () => print());

const chosen = () => Object.fromEntries(new FormData(sheet));
sheet.addEventListener("submit", (event) => { event.preventDefault(); change(chosen()); });
sheet.addEventListener("change", (event) => {
  if (event.target.id === "kind") change({ kind: event.target.value, seed: chosen().seed });
});
document.getElementById("next").addEventListener("click", () => change({ ...state.values, seed: state.values.seed + 1 }));

addEventListener("popstate", () => {
  const { view: _view, ...values } = Object.fromEntries(new URL(location.href).searchParams);
  change(values, false);
});
