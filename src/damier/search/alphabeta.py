"""Alpha-beta: minimax that leaves out what cannot matter (document S2, rows A-59 and A-60; D. E. Knuth and R. W. Moore, "An analysis of
alpha-beta pruning", Artificial Intelligence 6 (1975); fail-soft as in J. P. Fishburn, 1983).

On the way to a position player 0 is sure of `alpha` and its opponents of `beta`. Where the mover of a position has found a move that is better
than what the other side is sure of elsewhere, the other side will not come here, and the rest of the moves is left out:

    weak      also where it is just as good (v ≥ β, v ≤ α, as on the slides)
    strict    only where it is better       (v > β, v < α)

The worth of the root is right under both. The worth of the moves of the root is not: they may only *seem* as good as the best, so a decision
is made from values that are found apart, one move after the other, and not counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from damier.core.analysis import Analysis, Limit, plain
from damier.core.bits import lowest
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import ONGOING, State, as_state, mover, moves, play
from damier.search import remembering
from damier.search import table as tables
from damier.search.counting import CUTS, LIMITED, ending, spent
from damier.search.evaluation import Evaluation, evaluate
from damier.search.lookahead import Found, LookAhead
from damier.search.minimax import INFINITY, refuse_unsuitable
from damier.search.remembering import most_promising, next_move
from damier.search.root import Root, answer, aside, never, part, principal_line
from damier.search.running import Run

Prune: TypeAlias = Literal["weak", "strict"]


@dataclass(frozen=True)
class Options:
    """table: positions that come back are not searched again. deepen: depths 1, 2, 3 … in turn. order: moves that look best come first."""

    prune: Prune = "weak"
    table: bool = False
    deepen: bool = False
    order: bool = False
    evaluation: Evaluation = Evaluation()  # noqa: RUF009  it is frozen


def value(s: State, plies: int, alpha: float, beta: float, weak: int, weights: Any, count: Any, seen: Any) -> float:
    """The worth of `s` to player 0 if it lies between `alpha` and `beta`; else a bound of it, on the same side of them."""
    if spent(s, plies, count, seen):
        return 0.0
    end = ending(s)
    if end != ONGOING:
        return float(end)
    if plies == 0:
        count[LIMITED] += 1
        return float(evaluate(s, weights))
    side = 1.0 if mover(s) == 0 else -1.0
    sure, enough = (alpha, beta) if side > 0 else (-beta, -alpha)  # of the mover; of its opponents
    best = -INFINITY
    untried = moves(s)
    while untried:
        move = lowest(untried)
        untried ^= move
        low, high = (sure, enough) if side > 0 else (-enough, -sure)
        worth = side * value(play(s, move), plies - 1, low, high, weak, weights, count, seen)
        if worth > best:
            best = worth
            if best > enough or (weak == 1 and best == enough):
                count[CUTS] += 1
                break
            if best > sure:
                sure = best
    return side * best


def value_of(fields: Any, plies: int, alpha: float, beta: float, weak: int, weights: Any, count: Any, seen: Any) -> float:
    """`value`; compiled code is entered with a plain tuple."""
    return value(as_state(fields), plies, alpha, beta, weak, weights, count, seen)


@dataclass
class Windows:
    """The engine in one run: searches a position between two bounds."""

    run: Run
    options: Options

    def __post_init__(self) -> None:
        options, run = self.options, self.run
        judged = options.evaluation.bindings
        self._weights = run.numbers(options.evaluation.weights)
        self._table: tuple[Any, ...] = ()
        if options.table or options.order:
            pure: Bindings = {} if run.jit else tables.PURE
            order: Bindings = {next_move: most_promising} if options.order else {}
            self._engine = run.engine(remembering.value_of, judged | (pure if options.table else tables.NONE) | order)
            self._table = (tables.empty(run.jit, options.table),)
        else:
            self._engine = run.engine(value_of, judged)

    def value(self, s: State, plies: int, alpha: float, beta: float, weak: bool) -> float:
        """The worth of `s` to player 0, or a bound of it."""
        return self._engine(  # type: ignore[no-any-return]
            tuple(s), plies, float(alpha), float(beta), int(weak), self._weights, self.run.count, self.run.seen, *self._table
        )


def alphabeta(game: Game, s: State, limit: Limit | None = None, options: Options | None = None, *, job: Job | None = None, explain: bool = True) -> Analysis:
    """Searches a position. `explain`: also the value of every move, different positions told apart, and the line of best play.

    Without `explain` the best moves are still all that are best, and no others. Raises Unsuitable as minimax does.
    """
    refuse_unsuitable(game, "alphabeta")
    chosen = options or Options()
    search = LookAhead(game, s, limit or Limit(), job or Job(), marking=explain)
    at = Depths(chosen)
    found = search.search(lambda run, found: at.search(run, found, s), deepen=chosen.deepen)
    timed = search.limit.seconds is not None and not explain
    if found.done and found.best and not timed:
        settle(search, found, replace(chosen, table=True) if explain else chosen, every=explain)
    return answer(search, found, "alphabeta", principal_line(search, found, at.search, never) if explain else ())


class Depths:
    """Searches to several depths, which share a table, and the best move of one of which the next tries first."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._windows: Windows | None = None
        self._hint = 0

    def windows(self, run: Run) -> Windows:
        if self._windows is None or self._windows.run is not run:
            self._windows = Windows(run, self.options)
        return self._windows

    def search(self, run: Run, found: Found, s: State) -> None:
        """Searches one depth: the worth of the root, and of the moves that raised it."""
        root = Root(run, s, found.plies)
        if root.is_over(found):
            return
        windows, weak, sure = self.windows(run), self.options.prune == "weak", -INFINITY
        for move in self._in_order(root):
            low, high = (sure, INFINITY) if root.side > 0 else (-INFINITY, -sure)
            worth = root.side * windows.value(run.game.play(s, move), found.plies - 1, low, high, weak)
            if run.stopped:
                return
            if worth > sure:
                sure = worth
                found.values[move] = plain(worth)
                root.settle(found)
        self._hint = found.best

    def _in_order(self, root: Root) -> list[int]:
        if not self.options.order:
            return root.moves
        score = root.game.rules["move_score"]
        return sorted(root.moves, key=lambda move: (not move & self._hint, -score(root.state, move)))


def settle(search: LookAhead, found: Found, options: Options, *, every: bool) -> None:
    """The best moves of the root, all of them and no others; with `every`, also what each move is worth."""
    game, s = search.game, search.state
    side = -1 if game.mover(s) > 0 else 1
    best = part(found.value, 0) if found.value is not None else 0
    worths: dict[int, float] = {}

    def work(run: Run) -> None:
        windows = Windows(run, options)
        low, high = (-INFINITY, INFINITY) if every else (side * best, side * best)
        for move in game.legal(s):
            worths[move] = side * windows.value(game.play(s, move), found.plies - 1, low, high, weak=False)

    if aside(search, work):
        found.best = sum(move for move, worth in worths.items() if worth >= best)
        if every:
            found.values = {move: plain(worth) for move, worth in worths.items()}
