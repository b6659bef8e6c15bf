// The room of a class: its table is told by the server as it is played; a file is handed in, and how it stands is asked until that is known.
import { ask, bar, live, put, say } from "./damier.js";
import { editing } from "./editor.js";

const room = document.querySelector("[data-room=class]");
const form = document.getElementById("hand-in");
const AGAIN = 1000; // milliseconds between two questions how a file stands
const LATER = 5000; // the same while a file that has been looked at is marked
const WHY = "damier-class-why"; // what was said before the page was loaded again

/** Sends values to an address of the class; says why where that is refused. */
async function send(path, values) {
  try {
    const response = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });
    const answer = await response.json();
    say(answer.error ?? "");
    return answer.error === undefined;
  } catch {
    say(document.getElementById("notice").dataset.failed);
    return false;
  }
}

document.getElementById("enter")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!navigator.cookieEnabled) say(event.target.dataset.cookies);
  else if (await send("/class/enter", { code: event.target.elements.code.value })) location.reload();
});

for (const [id, verb] of [["identify", "classroom.identify"], ["teach", "classroom.teach"]]) {
  document.getElementById(id)?.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (await ask(verb, { key: event.target.elements.key.value })) location.reload();
  });
}

document.getElementById("leave")?.addEventListener("click", async () => {
  code?.forget();
  if (await send("/class/leave", {})) location.reload();
});

/** The bytes of a file as base64. */
async function encoded(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

// What is written on the page, or a file that is taken as it is: an archive, or a text in another encoding.
const whole = document.getElementById("whole");
let taken = null;

/** Takes a file as it is; none: what is written counts. */
function take_whole(file) {
  taken = file;
  whole.hidden = !file;
  place.hidden = Boolean(file);
  whole.querySelector("output").textContent = file ? room.dataset.whole.replace("{}", file.name) : "";
}

const place = form?.querySelector(".editor");
const code = place && editing(place, { key: `damier-code:${room.dataset.topic.split("/")[0]}` });
whole?.querySelector("button").addEventListener("click", () => {
  form.elements.file.value = "";
  take_whole(null);
});

/** Opens the files that were chosen, as far as they are texts. */
async function opened(files) {
  for (const file of files) {
    if (file.size > Number(room.dataset.largest)) return say(room.dataset.large);
    try {
      if (file.name.endsWith(".zip")) throw new TypeError("no text");
      code.take(file.name, new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()).replaceAll("\r\n", "\n"));
      take_whole(null);
    } catch {
      return take_whole(file);
    }
  }
}
let opening = Promise.resolve(); // files that are being read
form?.elements.file.addEventListener("change", () => { opening = opened(form.elements.file.files); });

document.getElementById("begin")?.addEventListener("click", async () => {
  if (!code.isEmpty() && !confirm(room.dataset.sure)) return;
  const answer = await ask("classroom.starter", {});
  if (!answer) return;
  take_whole(null);
  code.open(answer.files);
});

/** What is sent of a program; null, after it has been said, where there is none. */
async function program() {
  await opening;
  const values = { name: form.elements.name?.value ?? "", wanted: form.elements.agent.value };
  if (taken) return { ...values, file: taken.name, content: await encoded(taken) };
  if (code.isEmpty()) return say(room.dataset.none), null;
  const files = code.files(), names = Object.keys(files);
  return { ...values, files, file: names.length === 1 ? names[0] : "" };
}

/** Marks the line that a report blames. */
function blame(part) {
  const line = room.querySelector(`[data-part=${part}] [data-line]`);
  if (line) code.mark(line.dataset.file, Number(line.dataset.line));
}
room?.addEventListener("click", (event) => {
  const line = event.target.closest("[data-line]");
  if (line) code?.mark(line.dataset.file, Number(line.dataset.line), true);
});

/** Tries what is written: it is looked at as if it were handed in, and nothing comes of it but what is told. */
document.getElementById("run")?.addEventListener("click", async (event) => {
  if (!form.reportValidity()) return;
  const values = await program();
  if (!values) return;
  bar(event.target);
  code.unmark();
  const answer = await ask("classroom.try_out", values);
  if (answer) {
    settle(answer);
    for (let tried = null; !tried?.done;) {
      if (tried) await new Promise((resolve) => setTimeout(resolve, AGAIN / 2));
      tried = await ask("classroom.trial", {});
      if (!tried) break;
      put(tried.parts);
    }
    blame("trial");
  } else known();
  bar(event.target, false);
});

/** Asks how the last file stands, until that is known. */
async function follow() {
  const yours = document.getElementById("yours");
  let shown = "";
  while (true) {
    const answer = await ask("classroom.report", {});
    if (!answer) return known();
    yours.hidden = false;
    if (shown !== answer.parts.file) put(answer.parts);
    shown = answer.parts.file;
    if (answer.done && answer.marked) return blame("file");
    await new Promise((resolve) => setTimeout(resolve, answer.done ? LATER : AGAIN));
  }
}

async function hand_in() {
  if (!form.reportValidity()) return;
  const values = await program();
  if (!values) return;
  const button = form.querySelector("button[type=submit]");
  bar(button);
  say(room.dataset.sending);
  const answer = await ask("classroom.hand_in", values);
  bar(button, false);
  if (!answer) return known();
  form.elements.file.value = "";
  take_whole(null);
  settle(answer);
  mark();
  await follow();
}

/** Who has just come is known from here on. */
function settle(answer) {
  room.dataset.student = answer.name;
  form.elements.name?.closest(".fields").remove();
  if (answer.key) show_key(answer.key);
}

let leaving = false; // the first refusal says why; a question that was on its way is refused for another reason

/** Whoever was taken out of the class, or given another key, gets the page of somebody unknown, and is told why there. */
async function known() {
  const why = document.getElementById("notice").textContent;
  if (!room.dataset.student || leaving) return;
  leaving = true;
  try {
    const response = await fetch("/ask/classroom.who", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
    leaving = (await response.json()).name === "";
  } catch {
    leaving = false;
  }
  if (!leaving) return;
  try { sessionStorage.setItem(WHY, why); } catch { /* then it is not told */ }
  location.assign("/class");
}

/** Shows a new student's key, this once; the page is then that of a known student. */
function show_key(key) {
  const place = document.getElementById("key");
  place.hidden = false;
  place.querySelector(".secret").textContent = key;
  place.querySelector(".secret").focus();
}
document.querySelector("[data-noted]")?.addEventListener("click", () => location.reload());

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  hand_in();
});

const drop = document.getElementById("drop");
drop?.addEventListener("dragover", (event) => { event.preventDefault(); drop.dataset.over = "true"; });
drop?.addEventListener("dragleave", () => { drop.dataset.over = "false"; });
drop?.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.dataset.over = "false";
  opening = opened(event.dataTransfer.files);
});

/** The line of this browser's student stands out. */
function mark() {
  for (const line of room.querySelectorAll("[data-agent]")) line.dataset.mine = String(line.dataset.agent === room.dataset.student);
}

const teacher = document.querySelector(".teacher");
teacher?.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.newKey) {
    const answer = await ask("classroom.new_key", { id: Number(button.dataset.newKey) });
    if (!answer) return;
    teacher.querySelector(".secret-of span").textContent = answer.name;
    teacher.querySelector(".secret-of .secret").textContent = answer.key;
  } else if (button?.dataset.remove && confirm(button.dataset.sure)) {
    const answer = await ask("classroom.remove", { id: Number(button.dataset.remove) });
    if (answer) put(answer.parts);
  }
});

/** The teacher's list follows, unless marks are open in it or the keyboard is there. */
async function renew() {
  const list = teacher?.querySelector("[data-part=students]");
  if (!list || list.querySelector("details[open]") || list.contains(document.activeElement)) return;
  const answer = await ask("classroom.students", {});
  if (answer && !list.querySelector("details[open]") && !list.contains(document.activeElement)) put(answer.parts);
}

if (room) {
  let shown = {};
  try { say(sessionStorage.getItem(WHY) ?? ""); sessionStorage.removeItem(WHY); } catch { /* nothing is kept here */ }
  live.watch(room.dataset.topic, (answer) => {
    put(Object.fromEntries(Object.entries(answer.parts).filter(([part, html]) => shown[part] !== html)));
    shown = answer.parts;
    mark();
    renew();
  });
  mark();
  if (room.querySelector("[data-state=waiting], [data-marking]")) follow();
}
