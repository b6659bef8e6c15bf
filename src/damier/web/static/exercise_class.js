// Whose runs these are, where a class is open: who comes in says so once; what is finished is kept for the teacher.
import { ask, put, say } from "./damier.js";

const place = document.getElementById("class"), form = document.getElementById("join"), again = place?.querySelector("[data-again]");
let known = false, waiting = null; // whether the class knows who this is; a run that waits for that

/** Asks a question without a word where it is refused. */
async function quietly(path, values) {
  try {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });
    return { status: response.status, ...await response.json() };
  } catch {
    return { status: 0 };
  }
}

/** Who this is, as far as the class knows. */
function welcome(name, key) {
  known = Boolean(name);
  form.hidden = known;
  const told = place.querySelector("[data-known]"), secret = place.querySelector("[data-secret]");
  told.hidden = !known;
  told.querySelector("strong").textContent = name;
  secret.hidden = !key;
  secret.querySelector("output").textContent = key;
}

async function begin() {
  const found = await quietly("/ask/classroom.who", {});
  for (const part of form.querySelectorAll("[data-code]")) part.hidden = found.status === 200;
  welcome(found.name ?? "", "");
  if (known && waiting) await send(waiting); // it was finished before it was known whose it is
}

async function join(event) {
  event.preventDefault();
  const { code, name, key } = form.elements;
  if (code.value) {
    const entered = await quietly("/class/enter", { code: code.value });
    if (entered.error !== undefined) return say(entered.error);
  }
  const found = key.value ? await ask("classroom.identify", { key: key.value }) : await ask("classroom.join", { name: name.value });
  if (!found) return;
  const held = form.contains(document.activeElement);
  welcome(found.name, found.key);
  if (held) place.querySelector("[data-known]").focus({ preventScroll: true });
  if (waiting) await send(waiting);
}

async function send(run) {
  const answer = await ask("classroom.keep_run", { ...run.values, items: run.items });
  again.hidden = Boolean(answer);
  if (!answer) return;
  waiting = null;
  put(answer.parts);
  dispatchEvent(new CustomEvent("kept", { detail: run.name }));
}

if (place) {
  form.addEventListener("submit", join);
  again.querySelector("button").addEventListener("click", () => send(waiting));
  addEventListener("finished", ({ detail: run }) => {
    waiting = run;
    if (known) send(run);
  });
  begin();
}
