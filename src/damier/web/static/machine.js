// A machine of matchboxes on a page. What is kept is the list of games and the moves of this one; every step asks what follows from them.
import { latestOnly } from "./damier.js";

const LONGEST = 1900; // characters of an address that every browser and server takes

/** The machine of a room, whose page is at `path`: `setup` names what its address says besides its games, `show` puts an answer on the page. */
export class Machine {
  constructor({ room, path, setup, state, show }) {
    Object.assign(this, { room, path, setup, state, show });
    this.asking = false;
    this.latest = latestOnly();
    addEventListener("popstate", () => this.restore());
  }

  /** What a question says of the machine and its games. */
  get values() {
    return Object.fromEntries([...this.setup, "played"].map((name) => [name, this.state[name]]));
  }

  /** The same with the game that is over. */
  get finished() {
    return { ...this.values, played: this.state.next };
  }

  /** The address of a state. */
  address(path, of) {
    const here = new URL(path, location.href);
    for (const name of this.setup) here.searchParams.set(name, of[name]);
    if (of.pause) here.searchParams.set("pause", "1");
    if (of.played) here.searchParams.set("played", of.played);
    if (of.moves?.length) here.searchParams.set("moves", of.moves.join(","));
    return here.href.replaceAll("%2C", ",").replaceAll("%3B", ";").replaceAll("%3A", ":").replaceAll("%3D", "=");
  }

  /** The address of this page; where it would be too long, the games are kept by the browser and the address names them. */
  keep() {
    const here = this.address(this.path, this.state);
    if (here.length <= LONGEST) return here;
    const kept = "matchboxes " + Date.now();
    try { sessionStorage.setItem(kept, JSON.stringify({ played: this.state.played, moves: this.state.moves })); } catch { /* then a reload begins anew */ }
    const short = new URL(this.address(this.path, { ...this.state, played: "", moves: [] }));
    short.searchParams.set("kept", kept);
    return short.href;
  }

  /** Asks what follows, and shows it, unless something is asked already. Returns whether it was shown. `remembered`: whether one can come back to it. */
  async step(verb, values, remembered = true) {
    if (this.asking) return false;
    this.asking = true;
    document.body.setAttribute("aria-busy", "true");
    const answer = await this.latest(verb, { ...this.values, moves: this.state.moves, pause: this.state.pause, ...values });
    this.asking = false;
    document.body.removeAttribute("aria-busy");
    if (!answer) return false;
    this.put(answer);
    if (remembered) this.remember();
    return true;
  }

  /** From here on one can come back to this state. */
  remember() {
    history.pushState(null, "", this.keep());
  }

  put(answer) {
    this.state = answer.state;
    this.show(answer);
  }

  /** Shows what the address says. */
  async restore() {
    const here = new URL(location.href).searchParams;
    const kept = here.get("kept"), values = Object.fromEntries(this.setup.map((name) => [name, here.get(name) ?? this.state[name]]));
    let games = { played: here.get("played") ?? "", moves: here.get("moves") ?? "" };
    if (kept) try { games = JSON.parse(sessionStorage.getItem(kept)) ?? games; } catch { /* as the address says */ }
    const answer = await this.latest(`${this.room}.show`, { ...values, ...games, pause: here.get("pause") === "1" });
    if (answer) this.put(answer);
  }

  /** Where the address only names what the browser keeps, it is shown now. Returns whether that is so. */
  restoreKept() {
    const kept = new URL(location.href).searchParams.has("kept");
    if (kept) this.restore();
    return kept;
  }
}
