// A site without a server: this page holds a Python in a worker, and shows in a frame the pages that it makes. The address of a page stands behind
// the # of the window's, so that every web server finds this file, and a link leads to its page.
const facts = JSON.parse(document.getElementById("facts").textContent);
const base = new URL(".", location.href), worker_address = new URL(`worker.js?${facts.edition}`, base).href;
const OWN = "damier-own", LANGUAGE = "damier-language"; // what this tab, and this browser, keeps
const SLOWER = 3; // how much longer than on a server an answer may take here
const PAGE = 60; // seconds for a page, on a server
const SOON = 400; // milliseconds after which a person is told that a page is waited for

const wait = document.getElementById("wait"), said = document.getElementById("said"), bar = document.getElementById("progress");
const what = document.getElementById("what"), again = document.getElementById("again");
let language = spoken();
let shown = null; // the page that is seen: {frame, number}
let newest = 0; // number of the page that was asked for last
let outdated = false; // whether a newer edition of the site is here

/** The words of this page, in the reader's language. */
const words = (name, values = {}) => facts.words[language][name].replaceAll(/\{(\w+)\}/g, (_all, value) => values[value]);

function spoken() {
  let chosen = null;
  try { chosen = localStorage.getItem(LANGUAGE); } catch { /* as the browser says */ }
  const wanted = [chosen, ...navigator.languages.map((code) => code.slice(0, 2))];
  return wanted.find((code) => code in facts.words) ?? "en";
}

function speak(code) {
  if (!(code in facts.words)) return;
  language = document.documentElement.lang = code;
  try { localStorage.setItem(LANGUAGE, code); } catch { /* for this page only */ }
}

// The Python: one question at a time, those of the page that is seen.

class Python {
  constructor() {
    this.queue = [];
    this.number = 0;
  }

  /** Starts it; resolves once the lab is open. */
  start() {
    this.at_work = { resolve: () => {} }; // until it is there nothing is asked
    return new Promise((resolve, reject) => {
      // a worker of a blob has the rules of this page: it can ask nobody else
      const begins = URL.createObjectURL(new Blob([`import ${JSON.stringify(worker_address)};postMessage({ stage: "begins" })`], { type: "text/javascript" }));
      const worker = this.worker = new Worker(begins, { type: "module" });
      const { own, edition, sizes } = facts;
      worker.onmessage = ({ data }) => {
        if (data.stage === "begins") worker.postMessage({ begin: { base: base.href, edition, own, sizes } });
        else if (data.loaded) loaded(data.loaded);
        else if (data.stage === "opens") tell("opens");
        else if (data.stage === "ready") resolve(this.at_work = null);
        else if (data.id === undefined) reject(new Error(data.failed));
        else this.answered(data);
      };
      worker.onerror = (event) => reject(new Error(event.message || words("files")));
    });
  }

  /** Answers a question: {status, kind, content}; null where nobody waits for it any more. */
  ask(address, { body = "", seconds = PAGE, page = newest, signal } = {}) {
    return new Promise((resolve) => {
      const question = { id: ++this.number, address, body, language, seconds, page, resolve };
      this.queue.push(question);
      signal?.addEventListener("abort", () => this.drop((each) => each === question));
      this.next();
    });
  }

  drop(unwanted) {
    for (const question of this.queue.filter(unwanted)) question.resolve(null);
    this.queue = this.queue.filter((question) => !unwanted(question));
  }

  next() {
    if (this.at_work || !this.queue.length) return;
    const { resolve, page: _page, ...question } = this.at_work = this.queue.shift();
    this.at_work.timer = setTimeout(() => this.late(), 1000 * SLOWER * question.seconds);
    this.worker.postMessage(question);
  }

  answered({ id, failed, ...answer }) {
    const { resolve, timer, id: asked } = this.at_work ?? {};
    if (id !== asked) return;
    clearTimeout(timer);
    this.at_work = null;
    resolve(failed === undefined ? answer : refusal(500, words("failed", { error: failed.trim().split("\n").at(-1) })));
    this.next();
  }

  /** A question that takes too long, or never ends: this Python is given up, and another started. */
  async late() {
    const { resolve } = this.at_work;
    this.worker.terminate();
    tell("restarts");
    const waiting = this.queue;
    this.queue = [];
    try {
      await this.start();
      await takeKept();
    } catch (error) {
      return broken(error);
    }
    resolve(refusal(422, words("late")));
    hush();
    this.queue.push(...waiting);
    this.next();
  }
}

const refusal = (status, error) => ({ status, kind: "application/json", content: JSON.stringify({ error }) });
const python = new Python();

// Files that the reader pasted: this tab keeps them, and gives them to every Python that it starts.

function keptFiles() {
  try { return JSON.parse(sessionStorage.getItem(OWN)) ?? {}; } catch { return {}; }
}

function keep(files) {
  try { sessionStorage.setItem(OWN, JSON.stringify(files)); } catch { /* until this page is loaded again */ }
}

async function takeKept() {
  const files = keptFiles();
  keep({}); // one that never ends is not tried again
  for (const [name, text] of Object.entries(files)) await ask("pasted.take", JSON.stringify({ name, text }), undefined, 0);
}

async function ask(verb, body, signal, page) {
  const answer = await python.ask(`/ask/${verb}`, { body, seconds: facts.seconds[verb], signal, page });
  if (verb === "pasted.take" && answer?.status === 200) {
    const { name, text } = JSON.parse(body);
    keep({ ...keptFiles(), [name]: text });
  }
  return answer;
}

// What is told while one waits.

function tell(name, values) {
  document.body.append(wait);
  wait.classList.toggle("over", Boolean(shown));
  said.textContent = words(name, values);
  what.textContent = words("what");
  bar.hidden = false;
}

function loaded(bytes) {
  const all = Object.values(facts.sizes).reduce((sum, size) => sum + size, 0), mega = (size) => (size / 1e6).toLocaleString(language, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
  tell("loads", { n: mega(bytes), m: mega(all) });
  bar.value = bytes / all;
}

const hush = () => wait.remove();

function broken(error) {
  python.worker.onmessage = null;
  python.worker.terminate();
  tell("broken", { error: error.message });
  bar.hidden = true;
  again.hidden = false;
  again.textContent = words("again");
  again.onclick = () => location.reload();
}

// Addresses: `/games?lang=fr` of the lab is `…/#/games?lang=fr` of this window.

/** An address of the lab, of a link in one of its pages or of this window. */
function inside(link) {
  const found = new URL(link, new URL(shown?.frame.contentWindow.location.pathname ?? "/", location.origin));
  if (found.origin !== location.origin) return null;
  if (found.pathname === base.pathname && found.hash.startsWith("#/")) return found.hash.slice(1);
  return found.pathname + found.search + found.hash;
}

const outside = (address) => base.href + "#" + address;
const wanted = () => (location.hash.startsWith("#/") ? location.hash.slice(1) : "/");

// Pages.

/** Makes a page and shows it. `how` is what becomes of the window's address: push, replace, or nothing. */
async function visit(address, how = "push") {
  const number = ++newest, [path, fragment = ""] = address.split("#");
  const chosen = new URLSearchParams(path.split("?")[1] ?? "").get("lang");
  if (chosen) speak(chosen);
  if (outdated) return location.assign(outside(address)), location.reload();
  python.drop(({ page }) => page !== number && page !== 0);
  const waiting = setTimeout(() => tell("page"), SOON);
  const answer = await python.ask(path);
  clearTimeout(waiting);
  hush();
  if (!answer || number !== newest) return;
  if (answer.kind !== "text/html") return save(answer, path.split("?")[0].split("/").at(-1));
  if (how) history[`${how}State`]({ page: number }, "", outside(address));
  await show(answer.content, path, fragment, number);
}

/** Writes a page into a frame of its own: its address there is that of the lab, so that its scripts find what they look for. */
async function show(html, path, fragment, number) {
  const frame = document.createElement("iframe");
  frame.className = "coming";
  frame.src = `frame.html?${facts.edition}`; // a file, so that what keeps the site answers for its pages too
  const comes = new Promise((resolve) => { frame.onload = resolve; });
  document.body.append(frame);
  await comes;
  if (number !== newest) return frame.remove();
  const before = shown?.frame;
  frame.contentDocument.open();
  const inner = frame.contentWindow;
  inner.history.replaceState(null, "", path);
  shown = { frame, number };
  prepare(inner, number);
  const local = base.pathname;
  frame.contentDocument.write(html.replaceAll('="/static/', `="${local}static/`).replace('"/draw.css"', `"${local}draw.css"`).replace("</head>", `<link rel="stylesheet" href="${local}site.css"></head>`));
  inner.addEventListener("DOMContentLoaded", () => {
    document.title = frame.title = inner.document.title;
    frame.classList.remove("coming");
    before?.remove();
    inner.focus();
    if (fragment) inner.document.getElementById(fragment)?.scrollIntoView();
    document.documentElement.dataset.page = number; // it can be used
  });
  frame.contentDocument.close();
}

/** What a page of the lab finds here in the place of a server. */
function prepare(inner, number) {
  inner.fetch = async (place, { body, signal } = {}) => {
    const [, verb] = String(place).match(/^\/ask\/([\w.]+)$/) ?? [];
    const answer = verb ? await ask(verb, body, signal, number) : refusal(404, words("failed", { error: place }));
    if (!answer) throw new DOMException("", "AbortError");
    return new Response(answer.content, { status: answer.status, headers: { "Content-Type": answer.kind } });
  };
  inner.site = { visit: (address) => visit(inside(address)), shared: (address) => outside(inside(address)) };
  const { replaceState } = inner.history;
  const change = (how) => (state, _title, address) => {
    replaceState.call(inner.history, state, "", address);
    if (number === newest) history[how]({ page: number }, "", outside(inside(address)));
  };
  shown.move = (address) => {
    replaceState.call(inner.history, null, "", address);
    inner.dispatchEvent(new inner.PopStateEvent("popstate"));
  };
  inner.history.pushState = change("pushState");
  inner.history.replaceState = change("replaceState");
  inner.addEventListener("click", (event) => follow(event, event.target.closest?.("a[href]")));
  inner.addEventListener("auxclick", (event) => follow(event, event.target.closest?.("a[href]")));
  inner.addEventListener("contextmenu", (event) => lead(event.target.closest?.("a[href]")));
  inner.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.hasAttribute("action")) return;
    event.preventDefault();
    visit(`${form.getAttribute("action")}?${new URLSearchParams(new FormData(form, event.submitter))}`);
  });
}

/** A link that is followed: here, or, as the reader asks, in another tab. */
function follow(event, link) {
  if (!link || event.defaultPrevented || link.getAttribute("href").startsWith("#")) return;
  const address = inside(link.href);
  if (address === null) return;
  if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || link.target) return lead(link);
  event.preventDefault();
  visit(address);
}

/** A link as it leads here from anywhere, as long as the browser looks at it. */
function lead(link) {
  const here = link?.getAttribute("href");
  if (!here || here.startsWith("#") || inside(link.href) === null) return;
  link.href = outside(inside(link.href));
  setTimeout(() => link.setAttribute("href", here), 1000);
}

/** A file that the lab has made. */
function save({ status, kind, content }, name) {
  if (status !== 200) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

addEventListener("popstate", ({ state }) => {
  if (shown && state?.page === shown.number && shown.number === newest) shown.move(wanted());
  else visit(wanted(), state ? null : "replace");
});

async function begin() {
  try { document.documentElement.dataset.theme = localStorage.getItem("theme") ?? ""; } catch { /* as the system prefers */ }
  document.documentElement.lang = language;
  tell("loads", { n: 0, m: "…" });
  const starting = python.start(), welcomed = welcome();
  try {
    await starting;
    await welcomed;
    await takeKept();
  } catch (error) {
    return broken(error);
  }
  hush();
  document.documentElement.dataset.ready = "yes";
  if (shown) python.next(); // what was asked meanwhile
  else await visit(wanted(), "replace");
  await install();
}

/** Shows the first page as it was made with the site: one looks at its board while Python comes. */
async function welcome() {
  const [path, query = ""] = wanted().split("?"), asked = new URLSearchParams(query);
  if (asked.has("lang")) speak(asked.get("lang"));
  asked.delete("lang");
  if (path !== "/" || asked.size || Object.keys(keptFiles()).length) return;
  const found = await fetch(new URL(`home.${language}.html?${facts.edition}`, base)).catch(() => null);
  if (!found?.ok) return;
  history.replaceState({ page: ++newest }, "", outside(wanted()));
  await show(await found.text(), wanted(), "", newest);
}

/** Keeps the whole site in this browser, where that is possible (https, or this machine): then it works without a network. */
async function install() {
  const keeper = navigator.serviceWorker;
  if (!keeper) return;
  const first = !keeper.controller;
  keeper.addEventListener("controllerchange", () => { outdated = !first; });
  try {
    await keeper.register(new URL("sw.js", base), { scope: base.pathname, updateViaCache: "none" });
    await keeper.ready;
    document.documentElement.dataset.kept = "yes";
  } catch { /* it works as long as there is a network */ }
}

begin();
