// A position that is set up: pieces put on a board under a mouse, a finger or the keys, or the position written. What is different now is asked, and
// the answer is the editor with it.
import { ask, put } from "./damier.js";
import { ARROWS, frame, placeOf, walked } from "./board_cursor.js";

/** `state()` is the page's, `seats()` who sits where. */
export function editing(room, { state, seats }) {
  const form = () => room.querySelector("[data-editor]");
  const board = () => room.querySelector("[data-editor-board]");
  let edited = Promise.resolve();
  let cursor = null; // the place that the keys are at

  /** Who points at two places quickly puts two pieces. */
  const edit = (different) => (edited = edited.then(() => editNow(different)));

  async function editNow(different) {
    const piece = form().elements.piece?.value;
    const answer = await ask("boards.edit", { game: state().game, position: form().elements.position.value, ...seats(), ...different });
    if (!answer) return;
    put(answer.parts);
    const again = piece && form().querySelector(`[name=piece][value="${CSS.escape(piece)}"]`);
    if (again) again.checked = true;
    draw();
  }

  const fill = (cell) => edit({ cell, piece: form().querySelector("[name=piece]:checked")?.value ?? "" });

  /** Shows, and says, where the keys are. */
  function draw() {
    const here = board();
    if (!here) return;
    for (const old of here.querySelectorAll(".b-own")) old.remove();
    const spoken = form().querySelector("[data-editor-cell]"), has = cursor !== null && document.activeElement === here;
    spoken.textContent = has ? placeOf(here, cursor)?.dataset.name ?? "" : "";
    if (has) frame(here, cursor, "b-cursor");
  }

  room.addEventListener("click", (event) => {
    const place = event.target.closest("[data-editor-board] .d-touch");
    if (place) fill(Number(place.dataset.cell));
  });

  room.addEventListener("keydown", (event) => {
    if (!event.target.matches("[data-editor-board]") || event.ctrlKey || event.altKey || event.metaKey) return;
    if (ARROWS[event.key]) cursor = walked(event.target, state().columns, false, cursor, ARROWS[event.key]);
    else if ((event.key === "Enter" || event.key === " ") && cursor !== null) fill(cursor);
    else return;
    event.preventDefault();
    draw();
  });

  for (const name of ["focusin", "focusout"]) room.addEventListener(name, (event) => { if (event.target.matches("[data-editor-board]")) draw(); });

  room.addEventListener("change", ({ target }) => {
    if (target.closest("[data-editor]") && target.name !== "piece") edit(target.name === "mover" ? { mover: target.value } : {});
  });

  room.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-editor]")) return;
    event.preventDefault();
    edit({});
  });
}
