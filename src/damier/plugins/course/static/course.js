// The course: answers are marked by the server; which questions were answered right is kept in this browser, and nowhere else.
import { ask, put, visit } from "./damier.js";

const KEPT = "damier-course-";
const room = document.querySelector("[data-room=course]");

function answered(sheet) {
  try {
    const names = JSON.parse(localStorage.getItem(KEPT + sheet) ?? "[]");
    return new Set(Array.isArray(names) ? names : []);
  } catch { return new Set(); }
}

function keep(sheet, names) {
  try { localStorage.setItem(KEPT + sheet, JSON.stringify([...names])); } catch { /* the score stands as long as the page does */ }
}

function tell(element, n) {
  element.textContent = element.dataset.words.replace("%1", n).replace("%2", element.dataset.of);
}

for (const progress of document.querySelectorAll("[data-progress]")) {
  const n = answered(progress.dataset.progress).size;
  if (n) tell(progress, Math.min(n, Number(progress.dataset.of)));
}

if (room) begin(room.dataset.document);

function begin(sheet) {
  const right = answered(sheet), score = room.querySelector("[data-score]"), forget = room.querySelector("[data-forget]");
  const questions = [...room.querySelectorAll("[data-question]")];

  function settle() {
    for (const form of questions) form.classList.toggle("done", right.has(form.dataset.question));
    const n = questions.filter((form) => right.has(form.dataset.question)).length;
    if (n) tell(score, n);
    forget.hidden = n === 0;
  }

  async function mark(form, values) {
    const name = form.dataset.question;
    const answer = await ask("course.mark", { document: sheet, name, answers: [], ...values });
    if (!answer) return;
    put(answer.parts);
    if (answer.right) { right.add(name); keep(sheet, right); }
    const wrong = !answer.right && !values.give_up;
    form.querySelector("[data-give-up]").hidden = !wrong;
    settle();
    form.querySelector(".mark").scrollIntoView({ block: "nearest" });
  }

  for (const form of questions) {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      mark(form, { answers: new FormData(form).getAll("answer") });
    });
    form.querySelector("[data-give-up]").addEventListener("click", () => mark(form, { give_up: true }));
  }
  forget.addEventListener("click", () => {
    right.clear();
    keep(sheet, right);
    visit(location.href);
  });
  settle();
  commands(sheet);
}

function commands(sheet) {
  const typing = room.querySelector("[data-typing]"), field = typing.elements.text, transcript = room.querySelector("[data-transcript]");
  const before = []; // commands that were understood: later ones build on them
  const sent = []; // what was typed, for the arrows up and down
  let shown = 0, last = Promise.resolve();

  /** Commands are asked one after the other, in the order in which they were sent: each builds on what those before it came to. */
  function run(text) {
    if (!text.trim()) return;
    if (sent.at(-1) !== text) sent.push(text);
    shown = sent.length;
    const waits = waiting(text);
    transcript.append(waits);
    toTheEnd(waits);
    last = last.then(() => answer(text, waits)).catch(() => waits.remove());
  }

  async function answer(text, waits) {
    const answer = await ask("course.typed_command", { document: sheet, text, before });
    if (answer) waits.insertAdjacentHTML("beforebegin", answer.parts.typed);
    const said = waits.previousElementSibling;
    waits.remove();
    if (!answer) return;
    toTheEnd(said);
    if (answer.right) { before.push(text); if (field.value === text) field.value = ""; }
  }

  function toTheEnd(element) {
    element.scrollIntoView({ block: "nearest" });
    transcript.scrollTop = transcript.scrollHeight;
  }

  /** A command that is being worked on. */
  function waiting(text) {
    const place = document.createElement("p"), code = document.createElement("code");
    place.className = "prompt waits";
    code.textContent = text;
    place.append(code, " …");
    return place;
  }

  field.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !sent.length) return;
    event.preventDefault();
    shown = Math.max(0, Math.min(sent.length, shown + step));
    field.value = sent[shown] ?? "";
  });
  typing.addEventListener("submit", (event) => { event.preventDefault(); run(field.value); });
  room.addEventListener("click", (event) => {
    const printed = event.target.closest("[data-print]");
    if (printed) run(printed.dataset.print);
  });
}
