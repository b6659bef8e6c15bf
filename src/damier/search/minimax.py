"""Minimax: what a position is worth when everybody plays perfectly (document [S2], row A-52; S.
Russell and P. Norvig, "Artificial Intelligence: A Modern Approach" [RussellNorvig]).

    value(s) = payoff(s, 0)                           where the game is over
             = evaluate(s)                            where the limit is reached
             = max over moves m of value(play(s, m))  where player 0 moves
             = min over moves m of value(play(s, m))  where anybody else does

Player 0 is MAX; every other player is MIN, also several in a row (Pacman's ghosts), so nothing here
assumes that turns alternate.
"""

from __future__ import annotations

from damier.core.analysis import (
    NO_CHANCE,
    PERFECT_INFORMATION,
    ZERO_SUM,
    Analysis,
    Evaluation,
    Limit,
    Weights,
    evaluate,
    plain,
    require,
)
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import each
from damier.core.past import AnyPast, Before, advance, mark, rewind
from damier.core.rules import ONGOING, Field, State, as_state, mover, moves
from damier.search.distance import find_distance
from damier.search.lookahead import (
    Ask,
    Found,
    LookAhead,
    Root,
    answer,
    never,
    principal_variation,
    values_of_moves,
)
from damier.search.running import DEPTH_CUTOFFS, Counts, Run, Seen, spent, terminal_value

INFINITY = float("inf")
NEEDS = (PERFECT_INFORMATION, NO_CHANCE, ZERO_SUM)


def value(s: State, plies: int, weights: Weights, count: Counts, seen: Seen, past: AnyPast) -> float:
    """The value of `s` to player 0, looking at most `plies` single moves ahead."""
    if spent(s, plies, count, seen):
        return 0.0
    end = terminal_value(s)
    if end != ONGOING:
        return float(end)
    if plies == 0:
        count[DEPTH_CUTOFFS] += 1
        return float(evaluate(s, weights))
    side = 1.0 if mover(s) == 0 else -1.0  # MIN maximises the opposite
    best, here = -INFINITY, mark(past)
    for move in each(moves(s)):
        best = max(best, side * value(advance(s, move, past), plies - 1, weights, count, seen, past))
        rewind(past, here)
    return side * best


def value_of(
    fields: tuple[Field, ...], plies: int, weights: Weights, count: Counts, seen: Seen, past: AnyPast
) -> float:
    """`value`; compiled code is entered with a plain tuple."""
    return value(as_state(fields), plies, weights, count, seen, past)


def minimax(
    game: Game,
    s: State,
    limit: Limit | None = None,
    evaluation: Evaluation | None = None,
    *,
    before: Before = (),
    job: Job | None = None,
    explain: bool = True,
) -> Analysis:
    """Searches the whole tree down to the limit, without any pruning.

    `explain`: also tell different positions apart, and the principal variation.

    Raises Unsuitable for stochastic games, for those of imperfect information, and for those in
    which both players may win.
    """
    require(game, "minimax", *NEEDS)
    heuristic = evaluation or Evaluation()
    search = LookAhead(game, s, limit or Limit(), job or Job(), ("minimax", heuristic), explain, before)

    def at(run: Run, found: Found, s: State) -> None:
        one_depth(run, found, s, heuristic)

    found = search.search(lambda run, found: at(run, found, s))
    if not explain:
        return answer(search, found, "minimax")
    pv = find_distance(search, found, heuristic) or principal_variation(search, found, at, never)
    return answer(search, found, "minimax", pv)


def one_depth(run: Run, found: Found, s: State, heuristic: Evaluation) -> None:
    """Searches one depth, move by move of the root."""
    root = Root(run, s, found.plies)
    if root.is_over(found):
        return
    engine = run.engine(value_of, heuristic.bindings)
    weights = run.weights(heuristic.weights)

    def searcher(run: Run, thread: int) -> Ask[float]:
        def ask(child: State, alpha: float) -> float:
            memory = (weights, run.count, run.seen, run.line.past)
            return root.side * engine(run.game.fields(child), found.plies - 1, *memory)

        return ask

    for move, value in values_of_moves(run, root.moves, searcher):
        found.values[move] = plain(value)
        root.settle(found)
