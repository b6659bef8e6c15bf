// What all rooms share: asking the server, putting in what it answers, and the live connection. Sentences come from the server.

const notice = document.getElementById("notice"), spoken = document.getElementById("spoken");
const SOON = 2000; // milliseconds after which a person is told that an answer is waited for
const PATIENCE = 30000; // after which the connection is taken for lost

let questions = 0, said = 0; // how many were asked, and how many before the sentence that stands there

/** Shows a sentence to everybody, and to screen readers. It stays until a question is answered that was asked after it. */
export function say(sentence) {
  notice.textContent = sentence;
  said = questions;
}

/** Has a sentence read aloud by who reads the page so: what comes with a part of the page (`data-spoken`) is not by itself. */
export function speak(sentence) {
  spoken.textContent = sentence === spoken.textContent ? `${sentence}\u00a0` : sentence;
}

const toSpeak = (place) => [...place.querySelectorAll("[data-spoken]")].map((each) => each.textContent.trim().replace(/\s+/g, " ")).join(" ");

/** Says why a message was refused, or that its answer was lost on the way; what stood there goes where neither is so. */
export function sayOutcome(answer) {
  say(answer ? answer.error ?? "" : notice.dataset.failed);
}

/** What the server answers, or why not as its `error`, which is said to nobody: for what is asked before somebody wants it. */
export async function askAhead(verb, values, signal) {
  try {
    const response = await fetch(`/ask/${verb}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values), signal });
    return await response.json();
  } catch {
    return { error: notice.dataset.failed };
  }
}

/** Asks `room.verb`. Returns what the server answered, or null after it has said why not; null without a word where `signal` has given it up. */
export async function ask(verb, values, signal) {
  const mine = ++questions, answer = await askAhead(verb, values, signal);
  if (signal?.aborted) return null;
  if (answer.error !== undefined) say(answer.error);
  else if (mine > said) say("");
  return answer.error === undefined ? answer : null;
}

/** Bars a control, or frees it. Not `disabled`: the control that was used last would take the keyboard with it. */
export function bar(control, is = true) {
  control.setAttribute("aria-disabled", String(is));
}

export const isBarred = (control) => control.matches(":disabled, [aria-disabled=true]");

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[aria-disabled=true]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// A site without a server frames its pages: it goes where they go, and knows by which address others find them (plugins/site).
const { site } = window;

/** Goes to an address of the lab. */
export function visit(address) {
  if (site) site.visit(address);
  else if (new URL(address, location.href).href === location.href) location.reload();
  else location.assign(address);
}

/** The address of the lab by which others find it. */
export const shared = (address) => (site ? site.shared(address) : new URL(address, location.href).href);

/** Copies a text; where a browser lets no page do that (a lab without https), by a field that holds it. Returns whether that could be done. */
export async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const held = document.activeElement;
    const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    held.focus({ preventScroll: true });
    return done;
  }
}

/** A way to ask of which only the latest question is answered: an earlier one that is answered late gives null. */
export function latestOnly() {
  let latest = 0;
  return async (verb, values) => {
    const mine = ++latest, answer = await ask(verb, values);
    return mine === latest ? answer : null;
  };
}

/**
 * Puts parts of the page in place, by name; the element that had the keyboard keeps it where it is still there. What is read aloud when it changes is
 * left alone where it is the same, as it would be read again; but for an answer (`data-answer`) to what somebody has just asked.
 */
export function put(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const place = document.querySelector(`[data-part="${name}"]`);
    if (!place || (place.matches("[aria-live]:not([data-answer])") && isSame(place, html))) continue;
    const focused = place.contains(document.activeElement) ? trace(document.activeElement) : null;
    const before = toSpeak(place);
    place.innerHTML = html;
    const now = toSpeak(place);
    if (now && now !== before) speak(now);
    if (focused) place.querySelector(focused)?.focus({ preventScroll: true });
  }
}

function isSame(place, html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return fresh.innerHTML === place.innerHTML;
}

function trace(element) {
  for (const name of ["id", "data-key", "data-move", "name"]) {
    const value = element.getAttribute(name), chosen = element.matches("button, [type=radio], [type=checkbox]") && element.getAttribute("value");
    if (value) return `[${name}="${CSS.escape(value)}"]${name === "name" && chosen ? `[value="${CSS.escape(chosen)}"]` : ""}`; // several have one name
  }
  return element.localName;
}

/**
 * The connection on which the server tells what goes on by itself. It comes back when it is lost, asks again for all that was watched, and sends
 * what waited for it.
 */
class Live {
  constructor() {
    this.watched = new Map(); // topic -> function
    this.waiting = new Map(); // number of a message -> {text, sent, resolve}
    this.number = 0;
    this.pause = 250;
    this.broken = false; // whether the last connection was lost, or never came about
  }

  /** Calls `told` with every new state of a topic, the present one first. */
  watch(topic, told) {
    this.watched.set(topic, told);
    this.send(JSON.stringify({ do: "watch", topic }));
    this.open();
  }

  unwatch(topic) {
    this.watched.delete(topic);
    this.send(JSON.stringify({ do: "unwatch", topic }));
  }

  /** Sends a message, as soon as there is a connection; resolves to its answer, or to null where that was lost on the way. */
  tell(message) {
    const number = ++this.number;
    return new Promise((resolve) => {
      this.waiting.set(number, { text: JSON.stringify({ ...message, number }), sent: false, resolve });
      if (this.socket?.readyState === WebSocket.OPEN) this.sendWaiting();
      else this.open();
    });
  }

  send(text) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
  }

  sendWaiting() {
    for (const [number, message] of this.waiting) {
      if (message.sent) continue;
      message.sent = true;
      this.send(message.text);
      const late = (then) => () => { if (this.waiting.get(number) === message) then(); };
      setTimeout(late(() => say(notice.dataset.waits)), SOON);
      setTimeout(late(() => this.lost(this.socket)), PATIENCE);
    }
  }

  open() {
    if (this.socket) return;
    const socket = this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
    socket.addEventListener("open", () => this.opened(socket));
    socket.addEventListener("message", (event) => { if (socket === this.socket) this.heard(JSON.parse(event.data)); });
    socket.addEventListener("close", () => this.lost(socket));
  }

  opened(socket) {
    if (socket !== this.socket) return;
    for (const topic of this.watched.keys()) this.send(JSON.stringify({ do: "watch", topic }));
    this.sendWaiting();
    if (!this.broken) return;
    this.broken = false;
    this.pause = 250;
    if (notice.textContent === notice.dataset.lost) say("");
    dispatchEvent(new Event("reconnected"));
  }

  heard(message) {
    if (message.topic !== undefined) this.watched.get(message.topic)?.(message);
    else {
      this.waiting.get(message.answer)?.resolve(message);
      this.waiting.delete(message.answer);
      if (this.waiting.size === 0 && notice.textContent === notice.dataset.waits) say("");
    }
  }

  lost(socket) {
    if (socket !== this.socket) return;
    this.socket = undefined;
    this.broken = true;
    socket.close();
    for (const [number, { sent, resolve }] of this.waiting) {
      if (!sent) continue;
      this.waiting.delete(number);
      resolve(null);
    }
    say(notice.dataset.lost);
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(2 * this.pause, 8000);
  }
}

export const live = new Live();
