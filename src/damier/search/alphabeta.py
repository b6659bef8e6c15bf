"""Alpha-beta: minimax that leaves out what cannot matter (document [S2], rows A-59 and A-60; D. E.
Knuth and R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975)
[KnuthMoore75]; fail-soft as in J. P. Fishburn, 1983 [Fishburn83]).

On the way to a position player 0 is sure of `alpha` and its opponents of `beta`. Where the mover of
a position has found a move that is better than what the other side is sure of elsewhere, the other
side will not come here, and the rest of the moves is left out:

    weak      also where it is just as good (v ≥ β, v ≤ α, as on the slides)
    strict    only where it is better       (v > β, v < α)

The value of the root is right under both. The values of the moves of the root are not: they may
only *seem* as good as the best, so a decision is made from values that are found apart, one move
after the other, and not counted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from damier.core.analysis import Analysis, Evaluation, Limit, Weights, evaluate, plain_number, require
from damier.core.arrays import ints
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import each, holds
from damier.core.past import Before, advance, mark, rewind
from damier.core.rules import ONGOING, AnyPast, Field, Moves, State, as_state, mover, moves
from damier.core.tree import to_player
from damier.search import transposition
from damier.search.lookahead import (
    BOTH,
    MAX_CUTS,
    MIN_CUTS,
    NOBODY,
    Ask,
    Found,
    LookAhead,
    Root,
    RootMoves,
    answer,
    principal_variation,
    uncounted_run,
    values_of_moves,
)
from damier.search.minimax import INFINITY, NEEDS, find_distance
from damier.search.running import (
    CUTS,
    DEPTH,
    DEPTH_CUTOFFS,
    ENDLESS,
    Counts,
    Run,
    Visited,
    spent,
    terminal_value,
)
from damier.search.transposition import asks_first, most_promising_first, order_of, stack_words

Prune: TypeAlias = Literal["weak", "strict"]
Window: TypeAlias = Literal["full", "null"]

SETTLED = 300_000
"""Nodes that may be spent on the other moves where the value of the best one is known to the end;
and ten times what that took.
"""


@dataclass(frozen=True)
class Options:
    """table: positions that come back are not searched again. deepen: depths 1, 2, 3 … in turn.
    order: moves that look best come first.

    window: null asks of all moves but the first only whether they are better (principal variation
    search).
    """

    prune: Prune = "weak"
    table: bool = False
    deepen: bool = False
    order: bool = False
    evaluation: Evaluation = Evaluation()  # noqa: RUF009  it is frozen
    window: Window = "full"


def value(
    s: State,
    plies: int,
    alpha: float,
    beta: float,
    cut_at_equality: int,
    weights: Weights,
    count: Counts,
    visited: Visited,
    past: AnyPast,
) -> float:
    """The value of `s` to player 0 if it lies between `alpha` and `beta`; else a bound of it, on
    the same side of them.

    `cut_at_equality` is the set of sides that cut at equality too (`window`).
    """
    if spent(s, plies, count, visited):
        return 0.0
    end = terminal_value(s)
    if end != ONGOING:
        return float(end)
    if plies == 0:
        count[DEPTH_CUTOFFS] += 1
        return float(evaluate(s, weights))
    side = 1.0 if mover(s) == 0 else -1.0
    alpha, beta = (alpha, beta) if side > 0 else (-beta, -alpha)  # from here on as the mover sees them
    best, here = -INFINITY, mark(past)
    for move in each(moves(s)):
        low, high = (alpha, beta) if side > 0 else (-beta, -alpha)
        child = advance(s, move, past)
        found = side * value(child, plies - 1, low, high, cut_at_equality, weights, count, visited, past)
        rewind(past, here)
        if found > best:
            best = found
            if best > beta or (best == beta and cut_at_equality & (MAX_CUTS if side > 0 else MIN_CUTS) != 0):
                count[CUTS] += 1
                break
            if best > alpha:
                alpha = best
    return side * best


def value_of(
    fields: tuple[Field, ...],
    plies: int,
    alpha: float,
    beta: float,
    cut_at_equality: int,
    weights: Weights,
    count: Counts,
    visited: Visited,
    past: AnyPast,
) -> float:
    """`value`; compiled code is entered with a plain tuple."""
    return value(as_state(fields), plies, alpha, beta, cut_at_equality, weights, count, visited, past)


@dataclass
class Windows:
    """The engine in one run: searches a position between two bounds."""

    run: Run
    options: Options

    def __post_init__(self) -> None:
        options, run = self.options, self.run
        self._weights = run.weights(options.evaluation.weights)
        run.remembers = options.table
        self._remembers = options.table or options.order or options.window == "null"
        if not self._remembers:
            self._lesson = run.engine(value_of, options.evaluation.bindings)
            return
        table: Bindings = transposition.NONE if not options.table else {} if run.jit else transposition.PURE
        order = order_of(run.game)
        if options.order:
            order = order | {transposition.lay_out: order.get(most_promising_first, most_promising_first)}
        windows: Bindings = NULL_WINDOWS if options.window == "null" else {}
        self._engine = run.engine(
            transposition.value_of, options.evaluation.bindings | table | order | windows
        )
        self._table = transposition.empty(run.game, run.jit, options.table)
        self._stack = ints(0, run.jit)

    def value(self, s: State, plies: int, alpha: float, beta: float, weak: bool) -> float:
        """The value of `s` to player 0, or a bound of it."""
        return self._search(s, plies, alpha, beta, BOTH if weak else NOBODY)

    def at_least(self, s: State, plies: int, wanted: float, side: int) -> bool:
        """Return whether `s` is worth that much to a side: a null window, in which only that side cuts at
        equality.
        """
        own = MAX_CUTS if side > 0 else MIN_CUTS
        return side * self._search(s, plies, side * wanted, side * wanted, own) >= wanted

    def above(self, s: State, plies: int, alpha: float, side: int, weak: bool) -> float:
        """The value of `s` to a side if that is more than `alpha`, which it is sure of; else an
        upper bound that is not more.
        """
        cuts = BOTH if weak else NOBODY
        if self.options.window == "null" and alpha > -INFINITY:
            bound = side * self._search(
                s, plies, side * alpha, side * alpha, cuts & ~(MAX_CUTS if side > 0 else MIN_CUTS)
            )
            if bound <= alpha:
                return bound
        low, high = (alpha, INFINITY) if side > 0 else (-INFINITY, -alpha)
        return side * self._search(s, plies, low, high, cuts)

    def _search(self, s: State, plies: int, alpha: float, beta: float, cuts: int) -> float:
        run = self.run
        if not self._remembers:
            return float(
                self._lesson(
                    run.game.fields(s),
                    plies,
                    float(alpha),
                    float(beta),
                    cuts,
                    self._weights,
                    run.count,
                    run.visited,
                    run.line.past,
                )
            )
        if len(self._stack) < stack_words(run.game, plies):
            self._stack = ints(stack_words(run.game, plies), run.jit)
        memory = (self._weights, run.count, run.visited, self._table, self._stack, run.line.past)
        return float(self._engine(run.game.fields(s), plies, float(alpha), float(beta), cuts, *memory))


def alphabeta(
    game: Game,
    s: State,
    limit: Limit | None = None,
    options: Options | None = None,
    *,
    before: Before = (),
    job: Job | None = None,
    explain: bool = True,
) -> Analysis:
    """Searches a position.

    `explain`: also the value of every move, different positions told apart, and the principal
    variation.

    Without `explain` the best moves are still all that are best, and no others. Raises Unsuitable
    as minimax does.
    """
    require(game, "alphabeta", *NEEDS)
    chosen = options or Options()
    search = LookAhead(game, s, limit or Limit(), job or Job(), ("alphabeta", chosen), explain, before)
    at = Depths(chosen)
    found = search.search(at.search, deepen=chosen.deepen)
    settle(search, found, chosen, every=explain)
    pv = (
        find_distance(search, found, chosen.evaluation) or principal_variation(search, found, at.search)
        if explain
        else ()
    )
    return answer(search, found, "alphabeta", pv)


class Depths:
    """Searches to several depths, which share a table, and the best move of one of which the next
    tries first.
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self._windows: Windows | None = None
        self._hash_moves: Moves = 0

    def windows(self, run: Run) -> Windows:
        if self._windows is None or self._windows.run is not run:
            self._windows, self._hash_moves = Windows(run, self.options), 0
        return self._windows

    def search(self, run: Run, found: Found, s: State) -> None:
        """Searches one depth: the value of the root, and of the moves that raised it."""
        root = Root(run, s, found.plies)
        if root.is_over(found):
            return
        windows, weak, alpha = self.windows(run), self.options.prune == "weak", -INFINITY

        def searcher(run: Run, thread: int) -> Ask[float]:
            own = windows if thread == 0 else Windows(run, self.options)
            return lambda child, alpha: own.above(child, found.plies - 1, alpha, root.side, weak)

        moves = self._in_order(root)
        with RootMoves(run, moves, searcher, shared=not self.options.table) as root_moves:
            for number, move in enumerate(moves):
                value = root_moves.value(number, alpha)
                if value is None or run.stopped:
                    return
                if value > alpha:
                    alpha = value
                    found.values[move] = plain_number(value)
                    root.settle(found)
        self._hash_moves = found.best

    def _in_order(self, root: Root) -> list[int]:
        if not self.options.order:
            return root.moves
        score = root.game.move_score
        return sorted(
            root.moves, key=lambda move: (not holds(self._hash_moves, move), -score(root.state, move))
        )


def settle(search: LookAhead, found: Found, options: Options, *, every: bool) -> None:
    """The best moves of the root, all of them and no others; with `every`, also what each move is
    worth.

    A decision against the clock that nobody wants explained does without: it takes the move that it
    has found.
    """
    if not found.done or not found.best:
        return
    if search.deadline is not None and not every:
        search.left_out.append("best")
        return
    settling = replace(options, table=True) if every else options
    apart = replace(options, table=False)
    plies, nodes = depth_to_settle(search, found)
    game, s = search.game, search.state
    side = -1 if game.mover(s) > 0 else 1
    best = to_player(found.value, 0) if found.value is not None else 0
    values: dict[int, float] = {}
    good: dict[int, bool] = {}

    def work(run: Run) -> None:
        judge(run, Windows(run, settling))
        if not run.sound:
            judge(run, Windows(run, apart))

    def judge(run: Run, windows: Windows) -> None:
        of_thread = {0: windows}  # each with a table of its own

        def searcher(run: Run, thread: int) -> Ask[float]:
            own = of_thread[thread] = of_thread.get(thread) or Windows(run, windows.options)
            own.run = run
            if every:
                return lambda child, alpha: side * own.value(child, plies - 1, -INFINITY, INFINITY, weak=True)
            return lambda child, alpha: own.at_least(child, plies - 1, best, side)

        for move, value in values_of_moves(run, game.legal(s), searcher):
            if every:
                values[move] = value
            good[move] = value >= best if every else bool(value)

    if uncounted_run(search, f"settle {every}", work, nodes):
        found.best = game.gathered(move for move, is_best in good.items() if is_best)
        if every:
            found.values = {move: plain_number(value) for move, value in values.items()}
    else:
        search.left_out += ["values", "best"] if every else ["best"]


def depth_to_settle(search: LookAhead, found: Found) -> tuple[int, int]:
    """Return how deep the moves are searched, and with how many nodes at most.

    Where one depth after the other was searched, the last may prove what the best move is worth and
    leave the others open: these are searched to the end, which may be far away, or never come.
    """
    deepest = search.limit.plies_of(search.game) or DEPTH
    if not found.exact or found.plies == deepest:
        return found.plies, ENDLESS
    return deepest, SETTLED + 10 * search.nodes


# Principal variation search: alpha-beta that guesses that the first move is the best, and asks of
# every other only whether it is better (T. A. Marsland and M. Campbell, "Parallel search of strongly
# ordered game trees", Computing Surveys 14 (1982) [MarslandCampbell82]; A. Reinefeld, "An improvement
# to the scout tree search algorithm", ICCA Journal 6 (1983) [Reinefeld83]: NegaScout).
#
# The question is a *null window*: both bounds are what the mover is sure of. There whoever asks must
# not cut at equality, or "as good" could not be told from "better"; the others may. Where the answer
# is yes, the move is searched again for what it is worth. Without a good order most questions are
# asked twice.
#
# The search is that of `transposition`, and asks where this says so.


def all_but_the_first(later_move: bool) -> bool:
    return later_move


NULL_WINDOWS: Bindings = {asks_first: all_but_the_first}
