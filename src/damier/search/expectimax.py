"""Expectimax: the best that one player can expect when everybody else, and every die, plays at
random (document [S2], rows A-52 and A-63; D. Michie, "Game-playing and game-learning automata",
1966 [Michie66]).

    value(s) = payoff(s, me)                             where the game is over
             = evaluate(s)                               where the limit is reached
             = max over moves m of value(play(s, m))     where I move
             = mean over moves m of value(play(s, m))    where another moves: alike; a die: by chance(s, m)
"""

from __future__ import annotations

from damier.core.analysis import (
    PERFECT_INFORMATION,
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
from damier.core.rules import CHANCE, Field, State, as_state, chance, mover, moves, over, payoff
from damier.search.lookahead import (
    ROUNDING,
    Ask,
    Found,
    LookAhead,
    Root,
    answer,
    principal_variation,
    values_of_moves,
)
from damier.search.minimax import INFINITY
from damier.search.running import DEPTH_CUTOFFS, Counts, Run, Seen, spent


def value(s: State, plies: int, me: int, weights: Weights, count: Counts, seen: Seen, past: AnyPast) -> float:
    """What `s` is worth to player `me`, looking at most `plies` single moves ahead."""
    if spent(s, plies, count, seen):
        return 0.0
    if over(s):
        return float(payoff(s, me))
    if plies == 0:
        count[DEPTH_CUTOFFS] += 1
        estimate = float(evaluate(s, weights))
        return estimate if me == 0 else -estimate
    player = mover(s)
    best, sum_, all_ = -INFINITY, 0.0, 0.0
    here = mark(past)
    for move in each(moves(s)):
        found = value(advance(s, move, past), plies - 1, me, weights, count, seen, past)
        rewind(past, here)
        weight = chance(s, move) if player == CHANCE else 1.0
        best = max(best, found)
        sum_ += weight * found
        all_ += weight
    return best if player == me else sum_ / all_


def value_of(
    fields: tuple[Field, ...], plies: int, me: int, weights: Weights, count: Counts, seen: Seen, past: AnyPast
) -> float:
    """`value`; compiled code is entered with a plain tuple."""
    return value(as_state(fields), plies, me, weights, count, seen, past)


def expectimax(
    game: Game,
    s: State,
    limit: Limit | None = None,
    evaluation: Evaluation | None = None,
    *,
    before: Before = (),
    job: Job | None = None,
    explain: bool = True,
) -> Analysis:
    """What the player to move at `s` can expect against players that play at random.

    Raises Unsuitable for games of imperfect information.

    At a chance node, values are those of player 0, and no move is best.
    """
    require(game, "expectimax", PERFECT_INFORMATION)
    heuristic = evaluation or Evaluation()
    me = max(0, int(game.mover(s)))
    search = LookAhead(game, s, limit or Limit(), job or Job(), ("expectimax", heuristic), explain, before)

    def at(run: Run, found: Found, s: State) -> None:
        one_depth(run, found, s, me, heuristic)

    found = search.search(lambda run, found: at(run, found, s))
    pv = principal_variation(search, found, at, lambda s: bool(game.mover(s) != me)) if explain else ()
    return answer(search, found, "expectimax", pv)


def one_depth(run: Run, found: Found, s: State, me: int, heuristic: Evaluation) -> None:
    """Searches one depth, move by move of the root."""
    root = Root(run, s, found.plies)
    if run.game.over(s):
        found.value = plain(run.game.payoff(s, me))
        return
    engine = run.engine(value_of, heuristic.bindings)
    weights = run.weights(heuristic.weights)

    def searcher(run: Run, thread: int) -> Ask[float]:
        def ask(child: State, alpha: float) -> float:
            memory = (weights, run.count, run.seen, run.line.past)
            return engine(run.game.fields(child), found.plies - 1, me, *memory)

        return ask

    for move, value in values_of_moves(run, root.moves, searcher):
        found.values[move] = plain(value)
        if run.game.mover(s) != CHANCE:
            root.settle(found, ROUNDING)
    if run.game.mover(s) == CHANCE and not run.stopped:
        shares = {move: run.game.chance(s, move) for move in root.moves}
        values = {move: value for move, value in found.values.items() if not isinstance(value, tuple)}
        found.value = plain(
            sum([share * values[move] for move, share in shares.items()]) / sum(shares.values())
        )
