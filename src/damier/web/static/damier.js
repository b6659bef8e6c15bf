// What all rooms share: asking the server, putting in what it answers, and the live connection. Sentences come from the server.

const notice = document.getElementById("notice");

/** Shows a sentence to everybody, and to screen readers. Nothing takes it away. */
export function say(sentence) {
  notice.textContent = sentence;
}

/** Asks `room.verb`. Returns what the server answered, or null after it has said why not. */
export async function ask(verb, values) {
  let response;
  try {
    response = await fetch(`/ask/${verb}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(values) });
  } catch {
    say(notice.dataset.failed);
    return null;
  }
  const answer = await response.json().catch(() => ({ error: notice.dataset.failed }));
  say(answer.error ?? "");
  return answer.error === undefined ? answer : null;
}

/** Puts parts of the page in place, by name; the element that had the keyboard keeps it where it is still there. */
export function put(parts) {
  for (const [name, html] of Object.entries(parts)) {
    const place = document.querySelector(`[data-part="${name}"]`);
    if (!place) continue;
    const focused = place.contains(document.activeElement) ? trace(document.activeElement) : null;
    place.innerHTML = html;
    if (focused) place.querySelector(focused)?.focus({ preventScroll: true });
  }
}

function trace(element) {
  for (const name of ["id", "data-key", "data-move", "name"]) {
    const value = element.getAttribute(name);
    if (value) return `[${name}="${CSS.escape(value)}"]`;
  }
  return element.localName;
}

/** The connection on which the server tells what goes on by itself. It comes back when it is lost, and asks again for all that was watched. */
class Live {
  constructor() {
    this.watched = new Map(); // topic -> function
    this.waiting = new Map(); // number of a message -> function
    this.number = 0;
    this.pause = 250;
  }

  /** Calls `told` with every new state of a topic, the present one first. */
  watch(topic, told) {
    this.watched.set(topic, told);
    this.open().then(() => this.send({ do: "watch", topic }));
  }

  unwatch(topic) {
    this.watched.delete(topic);
    this.send({ do: "unwatch", topic });
  }

  /** Sends a message; resolves to its answer, or to null where the connection is lost before. */
  async tell(message) {
    await this.open();
    const number = ++this.number;
    const answer = new Promise((resolve) => this.waiting.set(number, resolve));
    this.send({ ...message, number });
    return answer;
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  open() {
    this.opened ??= new Promise((resolve) => {
      this.socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
      this.socket.addEventListener("open", () => { this.pause = 250; say(""); resolve(); });
      this.socket.addEventListener("message", (event) => this.heard(JSON.parse(event.data)));
      this.socket.addEventListener("close", () => this.lost());
    });
    return this.opened;
  }

  heard(message) {
    if (message.topic !== undefined) this.watched.get(message.topic)?.(message);
    else {
      this.waiting.get(message.answer)?.(message);
      this.waiting.delete(message.answer);
    }
  }

  lost() {
    this.opened = undefined;
    for (const resolve of this.waiting.values()) resolve(null);
    this.waiting.clear();
    say(notice.dataset.lost);
    setTimeout(() => this.open().then(() => {
      for (const topic of this.watched.keys()) this.send({ do: "watch", topic });
      dispatchEvent(new Event("reconnected"));
    }), this.pause);
    this.pause = Math.min(2 * this.pause, 8000);
  }
}

export const live = new Live();
