// A board under a mouse, a finger, or the keys. It only finds out which move is meant: whether it is legal is for the server to say.
import { ARROWS, frame, goal, placeOf, walked } from "./board_cursor.js";

const SVG = "http://www.w3.org/2000/svg";
const STEERING = { ArrowUp: "North", ArrowDown: "South", ArrowLeft: "West", ArrowRight: "East", " ": "Stop", ".": "Stop" };
const FAR = 6; // pixels from where on a press is a drag
const SWIPE = 24; // pixels that a finger goes to steer

/** `state()` is the page's, `play` takes a move, `wrong` says that there is no such move, `early` that it is not the person's turn; keys that mean a
 * move are heard wherever they are pressed in `keys`: in all of the page, which is one board. */
export function pointing(stage, { state, play, wrong, early, room, keys = window }) {
  const spoken = room.querySelector("[data-cell-name]");
  const asked = room.querySelector("[data-choice]");
  let chosen = []; // the places of the move so far, the first that of the piece that is to go
  let cursor = null; // the cell that the keys are at
  let drag = null; // from, x, y, far
  let dragged = false; // whether the click that follows belongs to a drag
  let released = null; // the place on which a piece was dropped that has moved by that
  let steered = false; // whether the person steers, as Pacman is
  let next = null; // where the person has steered while others moved

  const cell = (number) => placeOf(stage, number);
  const fitting = (path) => state().routes.filter(([places]) => path.every((place, i) => places[i] === place));
  const from = (number) => fitting([number]).filter(([places]) => places.length > 1);
  const to = (number, path) => fitting(path).filter(([places]) => places.length > path.length && places.at(-1) === number);
  const under = (x, y) => {
    const found = document.elementsFromPoint(x, y).find((element) => element.classList.contains("d-touch") && stage.contains(element));
    return found ? Number(found.dataset.cell) : null;
  };

  /** A place was pointed at: it goes on with the move that was begun, ends one, or begins one. */
  function pick(number) {
    if (!state().person) return early();
    const path = [...chosen, number], going = fitting(path), ends = to(number, chosen);
    if (going.length) going.every(([places]) => places.length === path.length) ? settle(going) : choose(path);
    else if (chosen.length && ends.length) settle(ends);
    else if (number === chosen.at(-1)) again();
    else if (from(number).length) choose([number]);
    else if (state().taps[number]) go(state().taps[number]);
    else if (!chosen.length && ends.length) settle(ends);
    else { wrong(); choose([]); }
  }

  /** The same place once more: the move that ends here, or none. */
  function again() {
    const ended = fitting(chosen).filter(([places]) => places.length === chosen.length);
    if (ended.length) settle(ended);
    else choose([]);
  }

  /** Plays the only move, or asks which of several: of promotions, which come from the least piece on, the greatest first. */
  function settle(moves) {
    if (moves.length === 1) return go(moves[0][1]);
    asked.hidden = false;
    for (const [, name] of moves[0][0].length > 1 && isShared(moves[0][1]) ? moves.toReversed() : moves) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.move = name;
      button.textContent = state().asked?.[name] ?? state().said?.[name] ?? name;
      asked.append(button);
    }
    asked.querySelector("button").focus();
  }

  function go(move) {
    choose([]);
    play(move);
  }

  function choose(path) {
    const held = asked.contains(document.activeElement);
    chosen = path;
    asked.hidden = true;
    for (const old of asked.querySelectorAll("button")) old.remove();
    if (held) stage.focus({ preventScroll: true });
    draw();
  }

  /** What the page draws itself: the piece that was chosen, where it may go, where the keys are. */
  function draw() {
    for (const old of stage.querySelectorAll(".b-own")) old.remove();
    for (const place of chosen) frame(stage, place, "b-chosen");
    if (chosen.length) for (const place of new Set(fitting(chosen).map(([places]) => places[chosen.length]))) goal(stage, place);
    if (cursor !== null && document.activeElement === stage) frame(stage, cursor, "b-cursor");
  }

  function ghost(x, y) {
    for (const old of stage.querySelectorAll(".b-disc")) old.remove();
    const place = cell(drag.from);
    if (!place) return;
    const at = new DOMPoint(x, y).matrixTransform(place.getScreenCTM().inverse());
    const { x: left, y: top, width, height } = place.getBBox();
    const across = at.x - left - width / 2, down = at.y - top - height / 2, piece = stage.querySelector(`.d-piece[data-on="${drag.from}"]`);
    if (piece) { // the piece itself, above all others
      piece.classList.add("b-ghost");
      piece.setAttribute("transform", `translate(${across} ${down})`);
      if (piece.nextElementSibling) piece.parentNode.append(piece);
      return;
    }
    const disc = document.createElementNS(SVG, "circle");
    for (const [name, value] of Object.entries({ cx: at.x, cy: at.y, r: 0.37 * Math.min(width, height), class: "b-ghost b-disc" })) disc.setAttribute(name, value);
    place.parentNode.append(disc);
  }

  /** Steers: at once, or as soon as the others have moved. */
  function steer(move) {
    if (!state().person && !state().over) next = move;
    else if (state().legal.includes(move)) play(move);
  }

  for (const button of room.querySelectorAll("[data-steer]")) button.addEventListener("click", () => steer(button.dataset.steer));

  let swipe = null; // where a finger that steers came down, or steered last
  stage.addEventListener("pointerdown", (event) => { swipe = state().steered && event.pointerType !== "mouse" ? [event.clientX, event.clientY] : null; });
  stage.addEventListener("pointermove", (event) => {
    if (!swipe) return;
    const across = event.clientX - swipe[0], down = event.clientY - swipe[1];
    if (Math.max(Math.abs(across), Math.abs(down)) < SWIPE) return;
    dragged = true;
    swipe = [event.clientX, event.clientY];
    steer(Math.abs(across) > Math.abs(down) ? (across > 0 ? "East" : "West") : down > 0 ? "South" : "North");
  });
  for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, () => { swipe = null; });

  stage.addEventListener("pointerdown", (event) => {
    dragged = false;
    const number = under(event.clientX, event.clientY);
    if (swipe || event.button || number === null || !state().person || !from(number).length) return;
    drag = { from: number, x: event.clientX, y: event.clientY, far: false };
    stage.setPointerCapture(event.pointerId);
  });

  stage.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag.far ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (!drag.far) return;
    if (chosen.length !== 1 || chosen[0] !== drag.from) choose([drag.from]);
    ghost(event.clientX, event.clientY);
  });

  stage.addEventListener("pointerup", (event) => {
    if (!drag) return;
    const { from: first, far } = drag;
    end();
    if (!far) return;
    dragged = true;
    const number = under(event.clientX, event.clientY);
    const meant = to(number, [first]), begun = fitting([first, number]);
    choose([]);
    if (begun.some(([places]) => places.length > 2)) choose([first, number]);
    else if (meant.length) {
      released = String(number);
      settle(meant);
    }
    else if (number !== first) wrong();
  });

  stage.addEventListener("pointercancel", end);

  function end() {
    drag = null;
    for (const old of stage.querySelectorAll(".b-disc")) old.remove();
    for (const piece of stage.querySelectorAll(".b-ghost")) {
      piece.classList.remove("b-ghost");
      piece.removeAttribute("transform");
    }
  }

  stage.addEventListener("click", (event) => {
    if (dragged) return void (dragged = false);
    const named = event.target.closest("[data-move]")?.dataset.move;
    const number = under(event.clientX, event.clientY);
    if (named && isMeant(named, number)) return go(named);
    if (number !== null) pick(number);
  });

  /** Whether who points at a move drawn over a place means that move: where nothing but it can be meant there. A piece that was chosen goes on
   * with its own moves, step by step; where several end in one place, each of their arrows lies over the others. */
  function isMeant(move, number) {
    if (number === null) return true;
    if (isShared(move) || fitting([...chosen, number]).length || to(number, chosen).length > 1) return false;
    return !chosen.length || fitting(chosen).some(([, name]) => name === move);
  }

  /** Whether other moves go the same way, as promotions do: their arrows lie on one another, and one is asked for. */
  function isShared(move) {
    const way = state().routes.find(([, name]) => name === move)?.[0].join();
    return state().routes.filter(([places]) => places.join() === way).length > 1;
  }

  /** Goes one place on with the keys, and says what is there. */
  function walk(direction) {
    cursor = walked(stage, state().columns, state().flipped, cursor, direction);
    if (cursor === null) return;
    tell();
    draw();
  }

  /** Says what is in the cell that the keys are at. */
  function tell() {
    spoken.textContent = cell(cursor)?.dataset.name ?? "";
  }

  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || steers(event.key)) return;
    if (ARROWS[event.key]) walk(ARROWS[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && cursor !== null) pick(cursor);
    else if (event.key === "Escape") choose([]);
    else return;
    event.preventDefault();
  });

  asked.addEventListener("keydown", (event) => { if (event.key === "Escape") choose([]); });

  const steers = (key) => STEERING[key] !== undefined && steered;

  keys.addEventListener("keydown", (event) => {
    if (stage.closest(".is-editing")) return; // another board is in its place
    const field = event.target.closest?.("input, select, textarea, button, a, summary");
    if (event.ctrlKey || event.altKey || event.metaKey || (field && !/^Arrow/.test(event.key)) || field?.matches("input, select, textarea")) return;
    const move = steers(event.key) ? STEERING[event.key] : event.key;
    if (steers(event.key) && !state().person && !state().over) {
      next = move;
      return event.preventDefault();
    }
    if (!state().legal.includes(move) || (!steers(event.key) && !/^[0-9]$/.test(move))) return;
    event.preventDefault();
    play(move);
  });

  stage.addEventListener("focus", draw);
  stage.addEventListener("blur", draw);

  function refresh() {
    choose([]);
    if (state().person) steered = state().legal.some((move) => Object.values(STEERING).includes(move));
    else if (drag) end();
    if (cursor !== null) tell();
    draw();
  }

  /** Plays what was steered while others moved. */
  function proceed() {
    if (!state().person) return;
    const move = next;
    next = null;
    if (state().legal.includes(move)) play(move);
  }

  /** The place on which a piece was dropped last, once. */
  function dropped() {
    const place = released;
    released = null;
    return place;
  }

  refresh();
  return { refresh, proceed, dropped };
}
