// The room of the matchboxes: the machine of the address, all its boxes, and the pages to print.
import { ask, put, visit } from "./damier.js";
import { Machine } from "./machine.js";

const room = document.querySelector("[data-room=matchboxes]");
const machine = new Machine({ room: "matchboxes", path: "/matchboxes", setup: ["game", "agent", "seat", "seed"], state: JSON.parse(room.dataset.state), show: shown });
let games = machine.state.next; // those after which the boxes are shown

function shown(answer) {
  put(answer.parts);
  links();
  mark();
  if (machine.state.next !== games) refresh();
  if (!document.activeElement || document.activeElement === document.body) room.querySelector("[data-part=board] button:not(:disabled)")?.focus({ preventScroll: true });
}

/** The boxes of a stage, as they are after the games that count. */
async function boxes(details, most) {
  const stage = Number(details.dataset.stage);
  details.dataset.most = most ?? details.dataset.most ?? "";
  const asked = machine.state.next;
  const answer = await ask("matchboxes.boxes", { ...machine.finished, stage, ...(details.dataset.most ? { most: Number(details.dataset.most) } : {}) });
  if (answer && asked === machine.state.next) put(answer.parts); // else more games were played
  mark();
}

function refresh() {
  games = machine.state.next;
  for (const details of document.querySelectorAll("details[data-stage]")) {
    if (details.open) boxes(details);
    else put({ [`boxes-${details.dataset.stage}`]: "" });
  }
}

/** The box that is in use, among all others. */
function mark() {
  for (const box of document.querySelectorAll("li[data-box]")) {
    const isOpen = Number(box.dataset.box) === machine.state.box;
    box.classList.toggle("current", isOpen);
    if (isOpen) box.setAttribute("aria-current", "true");
    else box.removeAttribute("aria-current");
  }
}

/** The pages to print are those of the machine as it is. */
function links() {
  for (const link of document.querySelectorAll("[data-sheet]")) {
    link.href = machine.address(link.dataset.sheet, { ...machine.state, played: machine.state.next, moves: [], pause: false });
  }
}

const actions = {
  draw: () => machine.step("matchboxes.show", { draw: true }),
  next: () => machine.step("matchboxes.show", { played: machine.state.next, moves: [] }),
  undo: () => machine.step("matchboxes.show", { moves: machine.state.back }),
  forget: () => machine.step("matchboxes.show", { played: machine.state.forgotten, moves: [] }),
};

document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-do], [data-move], [data-more]");
  if (!target) return;
  if (target.dataset.more) boxes(target.closest("details"), target.dataset.more);
  else if (target.dataset.do in actions) actions[target.dataset.do]();
  else if (target.dataset.move !== undefined && target.closest("[data-part=board]") && !machine.state.over && !machine.state.waiting) machine.step("matchboxes.show", { moves: [...machine.state.moves, target.dataset.move] });
});

document.addEventListener("change", (event) => {
  if (event.target.dataset.do === "pause") machine.state.pause = event.target.checked;
  if ("setup" in event.target.dataset) visit(`/matchboxes?game=${encodeURIComponent(event.target.value)}`);
});

document.addEventListener("submit", async (event) => {
  const { form } = event.target.dataset;
  if (!form) return;
  event.preventDefault();
  const values = Object.fromEntries(new FormData(event.target));
  if (form === "train") return machine.step("matchboxes.train", { games: Number(values.games), opponent: values.opponent });
  const wanted = form === "moves" ? { moves: values.moves.split(/[\s,]+/).filter(Boolean) } : { number: Number(values.number) };
  const answer = await ask("matchboxes.find", { ...machine.finished, ...wanted });
  if (answer) put(answer.parts);
});

document.addEventListener("toggle", (event) => {
  const details = event.target;
  if (details.open && details.dataset?.stage && !details.querySelector("li")) boxes(details);
}, true);

if (!machine.restoreKept()) {
  links();
  refresh();
}
