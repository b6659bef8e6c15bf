// The room of exams: the file of keys is read here and goes along with every question; the server marks, and keeps nothing.
import { ask, put, say } from "./damier.js";

const room = document.querySelector("[data-room=exams]");
const form = document.getElementById("paper"), table = document.getElementById("table");
let keys = "";
let papers = [], at = 0; // what came back so far, and the paper whose boxes are shown
let files = {}; // the tables to be kept, as the server wrote them
let kept = true; // whether all that was typed is in a file
let last = Promise.resolve(), waits = false; // the last question, and whether one waits that will take what stands in the boxes

/** Does one thing after the other: each begins with what the one before came to. */
function inTurn(work) {
  last = last.then(work);
  return last;
}

/** Has all papers marked. `values`: a table whose papers are added, `form` for the boxes of the paper that is shown. Returns whether that could be done. */
async function mark(values = {}) {
  const answer = await ask("exams.mark", { keys, papers, at, ...values });
  if (!answer) return false;
  ({ at } = answer.state);
  if (values.form) ({ papers } = answer.state);
  files = { marks: answer.state.marks, table: answer.state.table };
  const open = [...form.querySelectorAll("[data-part] details[open]")].map((each) => each.closest("[data-part]").dataset.part);
  put(answer.parts);
  for (const part of values.form ? [] : open) form.querySelector(`[data-part="${part}"] details`)?.setAttribute("open", "");
  const wrong = new Set(answer.state.wrong);
  for (const box of form.querySelectorAll("[data-column]")) {
    const filled = box.dataset.column in papers[at].answers, bad = wrong.has(box.dataset.column);
    box.classList.toggle("is-wrong", bad && filled);
    box.classList.toggle("is-right", !bad && filled);
    for (const field of box.querySelectorAll("input, select")) field.setAttribute("aria-invalid", String(bad && filled));
  }
  return true;
}

/** Takes what stands in the boxes. */
function take() {
  const paper = { student: "", variant: "", answers: {} };
  for (const [name, text] of new FormData(form)) {
    if (name === "student" || name === "variant") paper[name] = text;
    else if (text.trim()) paper.answers[name] = name in paper.answers ? `${paper.answers[name]} ${text}` : text;
  }
  papers = papers.with(at, paper);
}

/** Changes which papers there are, or which is shown: its boxes come from the server, and nothing is typed meanwhile. */
function change(modify, values = {}, focus = "student") {
  const held = form.contains(document.activeElement) ? document.activeElement : null;
  form.inert = true;
  return inTurn(async () => {
    if (papers.length && form.elements.variant) take();
    const before = [papers, at];
    modify();
    const done = await mark({ form: true, ...values });
    if (!done) [papers, at] = before;
    form.inert = false;
    if (done) form.elements[focus].focus({ preventScroll: focus === "variant" });
    else held?.focus({ preventScroll: true });
    return done;
  });
}

document.getElementById("file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  if (file.size > Number(room.dataset.largest)) return say(room.dataset.large);
  const before = keys, read = await file.text();
  if (!kept && read !== before && !confirm(room.dataset.unsaved)) return (target.value = "");
  keys = read;
  if (await change(() => { if (keys !== before) [papers, at] = [[], 0]; })) {
    room.querySelector(".marking").hidden = false;
    kept ||= keys !== before;
  } else keys = before;
  if (!form.closest(".marking").hidden) form.elements.student.focus();
});
document.getElementById("keys").addEventListener("submit", (event) => event.preventDefault());

/** Takes in the papers of a table; a paper in which nothing stands makes way for them. */
async function add(text) {
  if (!text.trim()) return;
  const filled = (paper) => paper.student || Object.keys(paper.answers).length;
  if (await change(() => { papers = papers.filter(filled); }, { table: text })) [table.value, kept] = ["", false];
}

document.getElementById("paste").addEventListener("submit", (event) => { event.preventDefault(); add(table.value); });
// What a spreadsheet wrote: in UTF-8, or, as Excel does in Western Europe, in Windows-1252.
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

document.getElementById("csv").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  const text = file ? decoded(await file.arrayBuffer()) : "";
  target.value = "";
  add(text);
});

form.addEventListener("change", ({ target }) => {
  kept = false;
  if (target.name === "variant") return change(() => {}, {}, "variant");
  if (waits) return;
  waits = true;
  inTurn(() => { waits = false; take(); return mark(); });
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  change(() => { papers = [...papers, { student: "", variant: papers[at].variant, answers: {} }]; at = papers.length - 1; });
});

room.addEventListener("click", (event) => {
  const { paper, remove, do: what } = event.target.closest("button")?.dataset ?? {};
  if (what) inTurn(() => keep(what));
  if (paper !== undefined) change(() => { at = Number(paper); });
  if (remove !== undefined) change(() => { papers = papers.toSpliced(Number(remove), 1); if (Number(remove) < at) at -= 1; kept = false; });
});

/** Writes a table to the disk: Excel takes a file for Unicode by the mark at its begin. */
async function keep(what) {
  take();
  if (!(await mark())) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\ufeff", files[what]], { type: "text/csv" }));
  link.download = what === "marks" ? "marks.csv" : "answers.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  if (what === "table") kept = true;
}

addEventListener("beforeunload", (event) => { if (!kept) event.preventDefault(); });
