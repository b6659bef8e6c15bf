// Guess first: what a position is worth is asked before it is shown, and right guesses are counted for as long as the window is open.
import { ask } from "./damier.js";

const KEPT = "guesses"; // where the browser keeps how many were right, of how many

/** A position as one text. */
const here = ({ moves, at }) => moves.slice(0, at).join();

/** `state()` is the page's, `question` is what a board is asked with. */
export function guessing(room, { state, question }) {
  const verdict = room.querySelector("[data-verdict]");
  const place = room.querySelector("[data-tally]");
  let guessed = null; // the position that was guessed last

  /** Asks whether a guess, or a move that was picked instead, is right. Returns the position with its values, or null. */
  async function judge(said) {
    const answer = await ask("truth.guess", question(said));
    if (!answer) return null;
    if (answer.right !== null) count(answer.right);
    verdict.textContent = answer.said;
    guessed = here(state());
    return answer;
  }

  function count(right) {
    const [rights, all] = tally();
    sessionStorage.setItem(KEPT, JSON.stringify([rights + Number(right), all + 1]));
    tell();
  }

  const tally = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "[0,0]");

  /** Shows the count, where it is guessed. */
  function tell() {
    const [right, n] = tally();
    place.hidden = !n || !state().show.includes("predict");
    place.textContent = place.dataset.words.replace("{right}", right).replace("{n}", n);
  }

  return { judge, tell, knows: (asked) => guessed === here(asked), silence: () => { verdict.textContent = ""; }, forget: () => { guessed = null; verdict.textContent = ""; } };
}
