// Why a position is worth what it is: the line that shows it is played out, from the ply on that the address says.
import { ask } from "./damier.js";

const PACE = 900; // milliseconds of a move, so that one can follow it

/** `state()` is the page's, `question` is what a board is asked with. */
export function explaining(room, { state, question }) {
  let game = null; // the game that was left for a line: its moves, and where it stood

  const explains = () => Boolean(state().query.why);

  /** The position after a move, or the one that is shown, with the line that shows what it is worth; null where none is found. */
  async function line(move) {
    const { moves, at } = state(), left = explains() ? game : { moves, at };
    const answer = await ask("truth.why", question({ move }));
    if (answer) game = left;
    return answer;
  }

  /** What a question says of the game that was left; of one that nobody knows here, of the moves before the line. */
  function back() {
    const { moves, at, query } = state();
    return { ...(game ?? { moves: moves.slice(0, query.why), at: Math.min(at, Math.max(0, query.why - 1)) }), why: "" };
  }

  return { explains, line, back, pace: (chosen) => (explains() ? Math.max(PACE, chosen) : chosen), focus: () => room.querySelector("[data-key=why-after]")?.focus({ preventScroll: true }) };
}
