// The board of a notebook: what a person does is a message to the kernel, what it sends back the new parts of the board.
import { pointing } from "./board_touch.js";

const PACE = 700; // milliseconds for a move of a game that is seen again

/** Whether the notebook is dark: JupyterLab and VS Code say it, else the system. */
function isDark({ jpThemeLight, vscodeThemeKind }) {
  if (jpThemeLight) return jpThemeLight === "false";
  if (vscodeThemeKind) return /dark$|contrast$/.test(vscodeThemeKind);
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function render({ model, el }) {
  el.classList.add("damier-board");
  el.dataset.lmSuppressShortcuts = "true"; // keys on the board are none of JupyterLab's
  el.innerHTML = model.get("frame");
  const stage = el.querySelector("[data-stage]"), notice = el.querySelector("[data-notice]"), words = el.firstElementChild.dataset;
  const state = () => model.get("shown").state;
  const say = (sentence) => { notice.textContent = sentence; };
  const play = (move) => { if (state().person) model.send({ play: move }); };
  const touch = pointing(stage, { state, play, wrong: () => say(words.wrong), early: () => say(words.early), room: el, keys: el });
  let drawn = null; // the board as it was put here last

  function draw() {
    const { parts, notice: sentence } = model.get("shown"), held = el.contains(document.activeElement);
    for (const [name, html] of Object.entries(parts)) {
      const place = el.querySelector(`[data-part="${name}"]`);
      if (place && (name !== "board" || html !== drawn)) place.innerHTML = html;
    }
    const { person, thinks, over, stopped, at, moves, decided, routes, steered, truth, slice } = state();
    say(sentence);
    const may = { undo: decided.some((ply) => ply < at), new: moves.length > 0, reply: thinks };
    for (const [name, yes] of Object.entries(may)) el.querySelector(`.controls [data-do=${name}]`).disabled = !yes;
    stage.classList.toggle("is-mine", person);
    stage.classList.toggle("is-busy", thinks && !sentence);
    stage.classList.toggle("has-drags", routes.some(([places]) => places.length > 1));
    stage.classList.toggle("is-steered", steered);
    if (held && (!el.contains(document.activeElement) || document.activeElement.disabled)) stage.focus({ preventScroll: true }); // what had the keyboard is no more
    if (parts.board !== drawn || person) touch.refresh();
    drawn = parts.board;
    touch.proceed();
    if (!thinks && (truth === "wait" || truth === "search")) model.send({ slice });
  }

  let replays = 0; // a number for what is seen again: whatever a person does ends it
  async function replay() {
    const mine = ++replays, last = state().moves.length;
    for (let at = 0; at <= last && mine === replays; at++) {
      model.send({ at });
      await new Promise((resolve) => setTimeout(resolve, PACE));
    }
  }

  el.addEventListener("click", (event) => {
    const { do: action, at, move } = event.target.closest("button:not(:disabled), svg [data-at]")?.dataset ?? {};
    if (action === "replay") return void replay();
    if (action || at || move) ++replays;
    if (action) model.send({ do: action });
    else if (at) model.send({ at: Number(at) });
    else if (move) play(move);
  });

  const paint = () => { el.dataset.theme = isDark(document.body.dataset) ? "dark" : "light"; };
  const watch = new MutationObserver(paint), system = matchMedia("(prefers-color-scheme: dark)");
  watch.observe(document.body, { attributes: true });
  system.addEventListener("change", paint);
  paint();
  model.on("change:shown", draw);
  draw();
  return () => {
    watch.disconnect();
    system.removeEventListener("change", paint);
    model.off("change:shown", draw);
  };
}

export default { render };
