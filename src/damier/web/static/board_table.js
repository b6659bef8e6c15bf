// A table for several people, each with a browser of their own. The server keeps the game; the key of a seat stays in the browser that took it.
import { ask, live, put, say, sayOutcome } from "./damier.js";

const LEAVING = 1000; // milliseconds: who leaves does not wait longer for a connection

/** `state()` is the page's, `show` puts an answer on it, `question` is what a board is asked with, `halt` ends what goes on by itself. */
export function seated(room, { state, show, question, halt }) {
  let seats = [], seed = 0, round = 0, latest = 0, trouble = "";
  let unsent = null; // how many moves there were when one was sent that got no answer
  const table = { id: room.dataset.table, question: asked, invite, open, play, back, again, sit, leave };
  const name = () => `table ${table.id}`;
  const kept = () => JSON.parse(localStorage.getItem(name()) ?? "null"); // {key, seat}
  const keep = (seat) => localStorage.setItem(name(), JSON.stringify(seat));
  const place = room.querySelector("[data-part=table]");

  function asked() {
    return table.id ? { me: kept()?.seat ?? state().seats.length + 1, seed } : {};
  }

  /** Opens a table with the present position, and goes there. One person with an agent asks for a partner in the agent's place. */
  async function invite() {
    halt();
    const people = state().seats.filter((agent) => agent === "human").length;
    const wanted = people > 1 ? state().seats : state().seats.map((agent, player) => (player < 2 ? "human" : agent));
    const found = await live.tell({ do: "table.open", game: state().game, moves: state().moves.slice(0, state().at), seats: wanted, name: state().query[`name${wanted.indexOf("human") + 1}`] ?? "" });
    if (!found || found.error) return sayOutcome(found);
    table.id = found.table;
    keep({ key: found.key, seat: found.seat });
    location.assign(`${location.pathname}?table=${found.table}`);
  }

  /** Watches the table of the address. */
  async function open() {
    if (!table.id) return;
    await look();
    live.watch(`table:${table.id}`, follow);
  }

  /** Whether the table is still there, and which seat is ours. */
  async function look() {
    if (!table.id) return;
    const found = await live.tell({ do: "table.look", table: table.id, key: kept()?.key ?? "" });
    if (found?.gone) return lost();
    if (found && kept()) found.seat ? keep({ ...kept(), seat: found.seat }) : localStorage.removeItem(name());
  }

  async function follow(told) {
    seats = told.seats;
    ({ seed, trouble } = told);
    halt();
    const number = ++latest;
    if (round !== told.round) await look(); // seats may have been changed
    round = told.round;
    const players = Object.fromEntries(seats.flatMap((one, player) => [[String(player + 1), one.agent], [`name${player + 1}`, one.name]]));
    const me = kept()?.seat ?? seats.length + 1;
    const answer = await ask("board.show", { ...question(), game: told.game, moves: told.moves, at: told.moves.length, ...players, seed, me });
    if (!answer || number !== latest) return;
    show(answer, "replace");
    if (unsent === told.moves.length) say(room.dataset.unsent);
    unsent = null;
    await part();
  }

  async function part(more = {}) {
    const taken = seats.map((one) => (one.taken ? "1" : "0")).join("");
    const answer = await ask("board.table", { ...question(), taken, mine: kept()?.seat ?? 0, link: `${location.origin}${location.pathname}?table=${table.id}`, trouble, ...more });
    if (!answer) return;
    const first = place.hidden;
    place.hidden = false;
    put(answer.parts);
    if (first && kept() && seats.some((one) => !one.taken)) place.scrollIntoView({ block: "nearest" }); // who opened a table looks for its address
  }

  async function sit(seat) {
    const found = await live.tell({ do: "table.sit", table: table.id, seat, name: place.querySelector("[data-my-name]")?.value ?? "" });
    if (!fine(found)) return;
    keep({ key: found.key, seat });
    live.watch(`table:${table.id}`, follow);
  }

  async function play(move) {
    const at = state().moves.length;
    const found = kept() && await live.tell({ do: "table.move", table: table.id, key: kept().key, at, move });
    if (found) fine(found);
    else if (kept()) unsent = at; // whether it was played is told when the connection is back
  }

  async function back() {
    if (kept()) fine(await live.tell({ do: "table.back", table: table.id, key: kept().key, at: state().moves.length }));
  }

  /** A new game; with `swap`, of which the other begins. */
  async function again(swap) {
    if (kept()) fine(await live.tell({ do: "table.again", table: table.id, key: kept().key, at: state().moves.length, swap }));
  }

  function fine(found) {
    if (found?.gone) lost();
    else if (found?.error) say(found.error);
    return Boolean(found) && !found.error;
  }

  /** The same position, without the table; our seat is free then. */
  async function leave() {
    if (kept()) await Promise.race([live.tell({ do: "table.leave", table: table.id, key: kept().key }), new Promise((resolve) => setTimeout(resolve, LEAVING))]);
    localStorage.removeItem(name());
    const here = new URL(location.href);
    here.searchParams.delete("table");
    location.assign(here.href.replaceAll("%2C", ","));
  }

  function lost() {
    live.unwatch(`table:${table.id}`);
    localStorage.removeItem(name());
    part({ gone: true });
  }

  addEventListener("reconnected", look);
  place.addEventListener("focusin", (event) => { if (event.target.matches("[data-link]")) event.target.select(); });
  return table;
}
