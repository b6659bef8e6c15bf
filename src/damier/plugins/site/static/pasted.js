// A file of the reader's own, handed to the lab in this tab: its rules on the left, its board on the right, anew whenever the text has been changed.
import { ask, put, say, visit } from "./damier.js";
import { editing } from "./editor.js";
import { pointing } from "./board_touch.js";

const PAUSE = 700; // milliseconds without a key after which a text is looked at
const room = document.querySelector("[data-room=pasted]");
const form = room.querySelector("form"), board = room.querySelector(".own-board"), stage = room.querySelector("[data-stage]");
const { name, file } = form.elements;
const code = editing(form.querySelector(".editor"), { key: "damier-own", changed: soon });
let state = null; // of the board; null where the file holds no game that can be played
let game = "";
let moves = []; // that were made on the board; they stay as long as the rules allow them
let waiting = 0, taking = 0;

const touch = pointing(stage, {
  state: () => state ?? { person: false, routes: [], taps: {}, legal: [], columns: 0 },
  play: (move) => show([...moves, move]),
  wrong: () => say(room.dataset.wrong),
  early: () => { if (state) say(room.dataset.early); },
  room,
  keys: stage,
});

function soon() {
  clearTimeout(waiting);
  waiting = setTimeout(look, PAUSE);
}

/** Hands the text over; the address of its board, or null after it has said, and marked, what is wrong. */
async function take() {
  clearTimeout(waiting);
  const mine = ++taking;
  const answer = await ask("pasted.take", { name: name.value, text: code.files()[code.shown()] ?? "" });
  if (mine !== taking) return null;
  if (answer) code.unmark();
  const line = !answer && document.getElementById("notice").textContent.match(/\.py:(\d+)/);
  if (line) code.mark(code.shown(), Number(line[1]));
  return answer && answer.address;
}

/** Shows the board of a text; where the rules are now others, the moves as far as they go, else none. */
async function look() {
  if (code.isEmpty()) return;
  const address = await take();
  if (!address) return;
  const { pathname, searchParams } = new URL(address, location.href);
  if (searchParams.has("2")) return void (board.hidden = true); // an agent: "Play it" opens its board
  if (game !== pathname.slice(1)) moves = [];
  game = pathname.slice(1);
  if (!(await show(moves)) && moves.length) await show([]);
}

/** The board after some moves, everybody a person; whether there is one. */
async function show(wanted) {
  const answer = await ask("board.show", { game, moves: wanted, 1: "human", 2: "human", 3: "human" });
  if (!answer) return false;
  moves = wanted;
  state = answer.state;
  board.hidden = false;
  const { board: drawn, status, moves: listed } = answer.parts;
  put({ board: drawn, status, moves: listed });
  for (const button of board.querySelectorAll("[data-part=status] button")) button.remove(); // they are of the page of a board
  touch.refresh();
  return true;
}

board.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.do === "back") show(moves.slice(0, -1));
  else if (button?.dataset.do === "again") show([]);
  else if (button?.dataset.move && !stage.contains(button)) show([...moves, button.dataset.move]);
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const address = await take();
  if (address) visit(address);
});

form.addEventListener("click", (event) => {
  const example = document.querySelector(`[data-text="${event.target.dataset.example}"]`);
  if (!example) return;
  name.value = example.dataset.name;
  code.open({ [example.dataset.name]: example.textContent });
  soon();
});

file.addEventListener("change", async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  name.value = chosen.name;
  code.open({ [chosen.name]: await chosen.text() });
  soon();
});

if (!code.isEmpty()) {
  name.value = code.shown();
  soon();
}
