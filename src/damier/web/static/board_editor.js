// A position that is set up: pieces of a tray put on a board, men moved on it or taken off, under a mouse, a finger or the keys; or the position
// written. What is different now is asked, and the answer is the editor with it.
import { ask, put } from "./damier.js";
import { ARROWS, frame, placeOf, walked } from "./board_cursor.js";

const FAR = 6; // pixels from where on a press is a drag
const NOTHING = "."; // the piece that takes another away

/** `state()` is the page's, `seats()` who sits where; `halt` stops what goes on at the board, `proceed` lets it go on, `address()` is that of the
 * board, `copy` copies one. */
export function editing(room, { state, seats, halt, proceed, address, copy }) {
  const place = room.querySelector("[data-part=editor]");
  if (!place) return;
  const form = () => place.querySelector("[data-editor]");
  const board = () => place.querySelector("[data-editor-board]");
  const written = () => form()?.elements.position.value ?? "";
  const begins = () => state().written;
  let edited = Promise.resolve();
  let current = written(); // what was written in the last answer
  let past = []; // what was written before
  let begun = form() ? begins() : null; // the position of the game from which it was set up
  let hand = null; // the piece that the next place gets; null is the first of the tray, "" none
  let lifted = null; // the place of the man that goes to the next place
  let cursor = null; // the place that the keys are at
  let drag = null; // what is dragged: piece or from; x, y, far
  let replacing = false; // whether the editor is being put in place
  let dragged = false; // whether the click that follows belongs to a drag

  /** Who points at two places quickly puts two pieces. */
  const edit = (different, kept = true) => (edited = edited.then(() => editNow(different, kept)));

  async function editNow(different, kept) {
    const was = current, asked = written(), question = { game: state().game, position: asked, last: current, flip: state().flipped, ...seats(), ...different };
    const answer = await ask("boards.edit", question);
    if (answer) {
      replace(answer.parts, asked);
      if (kept && current !== was) past.push(was);
      remember();
    }
    rest();
    draw();
  }

  /** Puts the answer in place; what somebody has typed since it was asked for stays, and the keyboard where it was. */
  function replace(parts, asked) {
    const typed = written(), undoes = document.activeElement?.dataset.edit === "undo";
    replacing = true; // a field that goes with the keyboard in it says that it has changed
    put(parts);
    replacing = false;
    current = written();
    if (typed !== asked) form().elements.position.value = typed;
    draw();
    if (undoes) (past.length ? place.querySelector("[data-edit=undo]") : board()).focus({ preventScroll: true });
  }

  const fill = (cell, piece = held()) => edit({ cell, piece });
  const held = () => hand ?? place.querySelector("[data-piece]")?.dataset.piece ?? "";
  const standing = (cell) => board().querySelector(`.d-piece[data-on="${cell}"]`);

  /** The address holds what is set up: who comes back from playing it finds it. */
  function remember() {
    const found = new URL(address());
    found.searchParams.set("edit", current);
    history.replaceState(null, "", found.href.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%3D", "=").replaceAll("%2F", "/"));
  }

  async function open() {
    halt();
    if (begun !== begins()) {
      begun = begins();
      [current, past, hand, lifted] = ["", [], null, null];
      place.textContent = "";
      await edit({ position: begun }, false);
    }
    if (!form()) return void (begun = null); // the notice says why; who opens it once more asks once more
    room.classList.add("is-editing");
    remember();
    draw();
    scrollTo(0, 0);
    (board() ?? form().elements.position).focus({ preventScroll: true });
  }

  function close() {
    room.classList.remove("is-editing");
    history.replaceState(null, "", address());
    room.querySelector("[data-edit=open]")?.focus();
    proceed();
  }

  function undo() {
    const position = past.pop();
    if (position === undefined) return;
    lifted = null;
    edit({ position }, false);
  }

  /** Takes a piece of the tray in hand; once more lays it back, and the next place is that of a man to move. */
  function take(piece) {
    hand = hand === piece && lifted === null ? "" : piece;
    lifted = null;
    draw();
  }

  /** A place was pointed at: a piece is put there, or the man that was lifted; or the man there is lifted. */
  function pick(cell) {
    if (lifted !== null) {
      if (lifted !== cell) edit({ from: String(lifted), cell });
      lifted = null;
    } else if (held()) return fill(cell);
    else if (standing(cell)) lifted = cell;
    draw();
  }

  /** Shows what is in hand, whether anything can be undone, and where the keys are, and says that. */
  function draw() {
    if (!form()) return;
    for (const button of place.querySelectorAll("[data-piece]")) button.setAttribute("aria-pressed", String(lifted === null && button.dataset.piece === held()));
    const back = place.querySelector("[data-edit=undo]"), here = board();
    if (back) back.disabled = !past.length;
    if (!here) return;
    for (const old of here.querySelectorAll(".b-own")) old.remove();
    const has = cursor !== null && document.activeElement === here;
    form().querySelector("[data-editor-cell]").textContent = has ? placeOf(here, cursor)?.dataset.name ?? "" : "";
    if (lifted !== null) frame(here, lifted, "b-chosen");
    if (has) frame(here, cursor, "b-cursor");
  }

  const under = (x, y) => {
    const found = document.elementsFromPoint(x, y).find((element) => element.classList.contains("d-touch") && board()?.contains(element));
    return found ? Number(found.dataset.cell) : null;
  };

  /** Whether a point is off the board, so that what is dropped there is taken away. */
  function isOff(x, y) {
    const { left, right, top, bottom } = board().querySelector("svg.damier > g").getBoundingClientRect();
    return x < left || x > right || y < top || y > bottom;
  }

  place.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.button || drag || !board()) return;
    const man = event.target.closest("[data-piece]"), cell = under(event.clientX, event.clientY);
    if (man && man.dataset.piece !== NOTHING) drag = { piece: man.dataset.piece, look: man.dataset.look };
    else if (cell !== null && standing(cell)) drag = { from: cell, look: standing(cell).dataset.look };
    if (drag) Object.assign(drag, { x: event.clientX, y: event.clientY, far: false, pointer: event.pointerId });
  });

  place.addEventListener("pointermove", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    drag.far ||= Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > FAR;
    if (!drag.far) return;
    drag.ghost ??= carried(event.pointerId);
    const { width, height } = drag.ghost.getBoundingClientRect();
    drag.ghost.style.left = `${event.clientX - width / 2}px`;
    drag.ghost.style.top = `${event.clientY - height / 2}px`;
  });

  /** The piece itself, at the pointer, as large as the board has it. */
  function carried(pointer) {
    place.setPointerCapture(pointer);
    lifted = null;
    draw();
    const found = document.createElement("div"), drawn = place.querySelector(`[data-look="${CSS.escape(drag.look)}"] svg`);
    const { width, height } = board().querySelector(".d-touch").getBoundingClientRect();
    found.className = "b-carried b-ghost";
    found.style.width = `${Math.min(width, height)}px`;
    if (drawn) found.append(drawn.cloneNode(true));
    document.body.append(found);
    if (drag.from !== undefined) standing(drag.from)?.classList.add("b-lifted");
    return found;
  }

  place.addEventListener("pointerup", (event) => {
    if (drag?.pointer !== event.pointerId) return;
    const { far, from, piece, look } = drag, cell = under(event.clientX, event.clientY);
    if (!far) return void (drag = null);
    dragged = true;
    setTimeout(() => { dragged = false; }); // where the browser sends no click after it
    const same = cell !== null && standing(cell)?.dataset.look === look;
    drag = { pointer: null, ghost: drag.ghost }; // it lies where it was dropped until the answer shows it there
    if (from !== undefined && cell !== null && cell !== from) edit({ from: String(from), cell });
    else if (from !== undefined && cell === null && isOff(event.clientX, event.clientY)) fill(from, NOTHING);
    else if (piece && cell !== null && !same) fill(cell, piece);
    else rest();
  });

  place.addEventListener("pointercancel", rest);

  /** Nothing is dragged any more. */
  function rest() {
    if (drag?.far) return; // of the next piece, which was taken up before the answer
    drag = null;
    for (const ghost of document.querySelectorAll(".b-carried")) ghost.remove();
    for (const man of place.querySelectorAll(".b-lifted")) man.classList.remove("b-lifted");
  }

  room.addEventListener("click", (event) => {
    const control = event.target.closest("[data-edit]");
    if (control) {
      event.preventDefault();
      if (control.dataset.edit === "copy") copy(place.querySelector("a.main").href);
      else ({ open, close, undo })[control.dataset.edit]?.();
    }
  });

  place.addEventListener("click", (event) => {
    if (dragged) return void (dragged = false);
    const man = event.target.closest("[data-piece]");
    if (man) return take(man.dataset.piece);
    if (!board()?.contains(event.target)) return;
    const cell = under(event.clientX, event.clientY);
    if (cell !== null) pick(cell);
  });

  /** What a key means at the board; nothing where it means nothing there. */
  function meant(event) {
    if (event.ctrlKey || event.metaKey) return event.key === "z" && !event.shiftKey ? undo : null;
    if (event.altKey) return null;
    if (ARROWS[event.key]) return () => { cursor = walked(board(), Number(form().dataset.columns), state().flipped, cursor, ARROWS[event.key]); draw(); };
    if (event.key === "Escape") return () => { lifted = null; draw(); };
    const erases = event.key === "Delete" || event.key === "Backspace", piece = erases ? NOTHING : keyed(event.key);
    if (piece && cursor === null) return () => take(piece);
    if (cursor === null) return null;
    if (event.key === "Enter" || event.key === " ") return () => pick(cursor);
    if (!piece) return null;
    return () => { if (!erases) hand = piece; fill(cursor, piece); };
  }

  /** The piece whose letter a key is: capital or not where only one of both is a piece. */
  function keyed(key) {
    const all = [...place.querySelectorAll("[data-piece]")].map((button) => button.dataset.piece);
    const alike = all.filter((piece) => piece.toLowerCase() === key.toLowerCase());
    return all.includes(key) ? key : alike.length === 1 ? alike[0] : "";
  }

  place.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the board behind hears nothing
    const { target } = event, at = target.matches("[data-editor-board]");
    const act = at || ((event.ctrlKey || event.metaKey) && !target.matches("textarea")) ? board() && meant(event) : null;
    if (act) {
      event.preventDefault();
      act();
    } else if (target.matches("textarea") && event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      edit({});
    }
  });

  for (const name of ["focusin", "focusout"]) place.addEventListener(name, (event) => { if (event.target.matches("[data-editor-board]")) draw(); });

  place.addEventListener("change", ({ target }) => {
    if (!replacing) edit(target.name === "mover" ? { mover: target.value } : {});
  });
  place.addEventListener("paste", ({ target }) => { if (target.matches("textarea")) setTimeout(() => edit({})); });

  place.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation();
    lifted = null;
    edit(event.submitter?.name === "do" ? { do: event.submitter.value } : {});
  });

  if (form()) {
    halt();
    draw();
  }
}
