"""Minimax, and below it expectimax and max^n, which also search the whole tree down to a limit.

Minimax: the value of a position when everybody plays perfectly (document [S2], row A-52; S. Russell and P.
Norvig, "Artificial Intelligence: A Modern Approach" [RussellNorvig]).

    value(s) = payoff(s, 0)                           where the game is over
             = evaluate(s)                            where the limit is reached
             = max over moves m of value(play(s, m))  where player 0 moves
             = min over moves m of value(play(s, m))  where anybody else does

Player 0 is MAX; every other player is MIN, also several in a row (Pacman's ghosts), so nothing here
assumes that turns alternate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from damier.core.analysis import (
    NO_CHANCE,
    PERFECT_INFORMATION,
    ZERO_SUM,
    Analysis,
    Evaluation,
    Limit,
    Weights,
    evaluate,
    plain_number,
    require,
)
from damier.core.arrays import Floats, IntArray, floats, np
from damier.core.bits import fibonacci_slot
from damier.core.codes import code_at, put_code, word_of_code
from damier.core.compile import Bindings, Engine
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.moves import each
from damier.core.past import Before, advance, mark, rewind
from damier.core.rules import (
    CHANCE,
    ONGOING,
    AnyPast,
    Field,
    State,
    as_state,
    chance,
    key,
    mover,
    moves,
    over,
    payoff,
)
from damier.core.tree import Payoffs, to_player
from damier.core.words import message
from damier.search.lookahead import (
    ROUNDING,
    Ask,
    Found,
    LookAhead,
    Root,
    Searcher,
    answer,
    principal_variation,
    uncounted_run,
    values_of_moves,
)
from damier.search.running import (
    DEPTH,
    DEPTH_CUTOFFS,
    STOPPED,
    Counts,
    Run,
    Visited,
    spent,
    spent_unmarked,
    terminal_value,
)

INFINITY = float("inf")
NEEDS = (PERFECT_INFORMATION, NO_CHANCE, ZERO_SUM)


def value(s: State, plies: int, weights: Weights, count: Counts, visited: Visited, past: AnyPast) -> float:
    """The value of `s` to player 0, looking at most `plies` single moves ahead."""
    if spent(s, plies, count, visited):
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
        best = max(best, side * value(advance(s, move, past), plies - 1, weights, count, visited, past))
        rewind(past, here)
    return side * best


def value_of(
    fields: tuple[Field, ...], plies: int, weights: Weights, count: Counts, visited: Visited, past: AnyPast
) -> float:
    """`value`; compiled code is entered with a plain tuple."""
    return value(as_state(fields), plies, weights, count, visited, past)


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

    def to_depth(run: Run, found: Found, s: State) -> None:
        root = Root(run, s, found.plies)
        if not root.is_over(found):
            for move, value in values_of_moves(run, root.moves, asking(run, found, value_of, heuristic)):
                found.values[move] = plain_number(root.side * value)
                root.settle(found)

    found = search.search(to_depth)
    pv = (
        (find_distance(search, found, heuristic) or principal_variation(search, found, to_depth))
        if explain
        else ()
    )
    return answer(search, found, "minimax", pv)


def asking(
    run: Run, found: Found, function: Engine, heuristic: Evaluation, *given: object
) -> Searcher[float]:
    """Return how an engine is asked about the moves of a root; `given` follows the plies that are left."""
    engine, weights = run.engine(function, heuristic.bindings), run.weights(heuristic.weights)

    def searcher(run: Run, thread: int) -> Ask[float]:
        memory = (*given, weights, run.count, run.visited, run.line.past)
        return lambda child, alpha: engine(run.game.fields(child), found.plies - 1, *memory)

    return searcher


# Expectimax: the best that one player can expect when everybody else, and every die, plays at
# random (document [S2], rows; D. Michie, "Game-playing and game-learning automata",
# 1966 [Michie66]).
#
#     value(s) = payoff(s, me)                             where the game is over
#              = evaluate(s)                               where the limit is reached
#              = max over moves m of value(play(s, m))     where I move
#              = mean over moves m of value(play(s, m))    where another moves: alike; a die: by chance(s, m)


def expectimax_value(
    s: State, plies: int, me: int, weights: Weights, count: Counts, visited: Visited, past: AnyPast
) -> float:
    """Return what `s` is worth to player `me`, looking at most `plies` single moves ahead."""
    if spent(s, plies, count, visited):
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
        found = expectimax_value(advance(s, move, past), plies - 1, me, weights, count, visited, past)
        rewind(past, here)
        weight = chance(s, move) if player == CHANCE else 1.0
        best = max(best, found)
        sum_ += weight * found
        all_ += weight
    return best if player == me else sum_ / all_


def expectimax_value_of(
    fields: tuple[Field, ...],
    plies: int,
    me: int,
    weights: Weights,
    count: Counts,
    visited: Visited,
    past: AnyPast,
) -> float:
    """`expectimax_value`; compiled code is entered with a plain tuple."""
    return expectimax_value(as_state(fields), plies, me, weights, count, visited, past)


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
    """Return what the player to move at `s` can expect against players that play at random.

    Raises Unsuitable for games of imperfect information.

    At a chance node, values are those of player 0, and no move is best.
    """
    require(game, "expectimax", PERFECT_INFORMATION)
    heuristic = evaluation or Evaluation()
    me = max(0, int(game.mover(s)))
    search = LookAhead(game, s, limit or Limit(), job or Job(), ("expectimax", heuristic), explain, before)

    def to_depth(run: Run, found: Found, s: State) -> None:
        root = Root(run, s, found.plies)
        if game.over(s):
            found.value = plain_number(game.payoff(s, me))
            return
        searcher = asking(run, found, expectimax_value_of, heuristic, me)
        for move, value in values_of_moves(run, root.moves, searcher):
            found.values[move] = plain_number(value)
            if game.mover(s) != CHANCE:
                root.settle(found, ROUNDING)
        if game.mover(s) == CHANCE and not run.stopped:
            found.value, *_same = chance_node_payoffs(game, s, found, root.moves)

    found = search.search(to_depth)
    pv = principal_variation(search, found, to_depth, player=me) if explain else ()
    return answer(search, found, "expectimax", pv)


# Max^n: what a position is worth to each of n players, every one of whom only looks at its own
# payoff (document [S2], row A-50; C. A. Luckhardt and K. B. Irani, "An algorithmic solution of
# N-person games", AAAI (1986) [LuckhardtIrani86]).
#
#     value(s) = (payoff(s, 0), …, payoff(s, n - 1))       where the game is over
#              = the value(play(s, m)) that is best for the mover, of equals the first
#              = the mean of them, by chance(s, m), at a chance node
#
# Opposed payoffs make it minimax; where they are not, players may gain together.


def maxn_value(
    s: State,
    plies: int,
    row: int,
    players: int,
    weights: Weights,
    rows: Floats,
    count: Counts,
    visited: Visited,
    past: AnyPast,
) -> bool:
    """Writes what `s` is worth to each player to rows[row * players:]; the rows below are room for
    what follows. False where it was stopped.
    """
    here, below = row * players, (row + 1) * players
    if spent(s, plies, count, visited):
        return False
    if over(s):
        for player in range(players):
            rows[here + player] = float(payoff(s, player))
        return True
    if plies == 0:
        count[DEPTH_CUTOFFS] += 1
        estimate = float(evaluate(s, weights))
        for player in range(players):
            rows[here + player] = estimate if player == 0 else -estimate
        return True
    mine = mover(s)
    total, at = 0.0, mark(past)
    for move in each(moves(s)):
        if not maxn_value(
            advance(s, move, past), plies - 1, row + 1, players, weights, rows, count, visited, past
        ):
            return False
        rewind(past, at)
        weight = chance(s, move) if mine == CHANCE else 1.0
        total += weight
        if weight > 0.0:
            take(
                rows,
                here,
                below,
                players,
                weight / total if mine == CHANCE else preferred(rows, here, below, mine, total),
            )
    return True


def preferred(rows: Floats, here: int, below: int, mine: int, tried: float) -> float:
    """1 where a player takes the move that leads to the row `below`: the first, and whatever is
    better for it than the row `here`; else 0.
    """
    return 1.0 if tried == 1.0 or rows[below + mine] > rows[here + mine] else 0.0


def take(rows: Floats, here: int, below: int, players: int, share: float) -> None:
    """Moves the row `here` towards the row `below` by a share: all the way, not at all, or as a
    running mean.
    """
    if share == 1.0:
        for player in range(players):
            rows[here + player] = rows[below + player]
    elif share > 0.0:
        for player in range(players):
            rows[here + player] += share * (rows[below + player] - rows[here + player])


def maxn_value_of(
    fields: tuple[Field, ...],
    plies: int,
    row: int,
    players: int,
    weights: Weights,
    rows: Floats,
    count: Counts,
    visited: Visited,
    past: AnyPast,
) -> bool:
    """`maxn_value`; compiled code is entered with a plain tuple."""
    return maxn_value(as_state(fields), plies, row, players, weights, rows, count, visited, past)


def maxn(
    game: Game,
    s: State,
    limit: Limit | None = None,
    evaluation: Evaluation | None = None,
    *,
    before: Before = (),
    job: Job | None = None,
    explain: bool = True,
) -> Analysis:
    """Searches a position for all players. Values are tuples, one number a player.

    Raises Unsuitable for games of imperfect information, and for an evaluation where there are not
    two players: it speaks of one against the other.
    """
    require(game, "maxn", PERFECT_INFORMATION)
    heuristic = evaluation or Evaluation()
    if heuristic.features and game.players != 2:
        raise Unsuitable(
            message(
                "maxn: evaluate says what is good for player 1 against player 2; {game} has {n} players",
                game=game.text,
                n=game.players,
            )
        )
    search = LookAhead(game, s, limit or Limit(), job or Job(), ("maxn", heuristic), explain, before)

    players = game.players

    def to_depth(run: Run, found: Found, s: State) -> None:
        root = Root(run, s, found.plies)
        if game.over(s):
            found.value = tuple(plain_number(game.payoff(s, player)) for player in range(players))
            return
        engine, weights = run.engine(maxn_value_of, heuristic.bindings), run.weights(heuristic.weights)

        def searcher(run: Run, thread: int) -> Ask[Payoffs]:
            rows = floats(players * (min(found.plies, DEPTH) + 1), run.jit)

            def ask(child: State, alpha: float) -> Payoffs:
                memory = (weights, rows, run.count, run.visited, run.line.past)
                engine(game.fields(child), found.plies - 1, 0, players, *memory)
                return tuple(plain_number(number) for number in rows[:players])

            return ask

        for move, value in values_of_moves(run, root.moves, searcher):
            found.values[move] = value
            if game.mover(s) != CHANCE:
                root.settle(found, ROUNDING, int(game.mover(s)))
        if game.mover(s) == CHANCE and not run.stopped:
            found.value = chance_node_payoffs(game, s, found, root.moves)

    found = search.search(to_depth)
    return answer(search, found, "maxn", principal_variation(search, found, to_depth) if explain else ())


def chance_node_payoffs(game: Game, s: State, found: Found, moves: list[int]) -> Payoffs:
    """Return what a chance node is worth to each player; the same to all where values are numbers."""
    shares = {move: float(game.chance(s, move)) for move in moves}
    whole = sum(shares.values())
    return tuple(
        plain_number(sum(shares[move] * to_player(found.values[move], player) for move in moves) / whole)
        for player in range(game.players)
    )


# In how many plies a game ends that somebody wins: the winner hurries, the loser delays, as
# `solve` counts them.
#
# Iterative deepening of one question (D. J. Slate and L. R. Atkin, "Chess 4.5", 1977 [SlateAtkin77]):
# can the winner force a won end within 1, 2, 3 … plies? The first depth at which it can is the
# distance, and the proof of it. What holds within n plies holds within more, and what does not, not
# within fewer: so a position is remembered with the fewest plies that are enough and the most that
# are not.

SLOTS = 1 << 20
NEVER = DEPTH + 1

DistanceTable: TypeAlias = tuple[IntArray, IntArray, IntArray]
"""(codes, enough, too_few), each [SLOTS]: the key of the position, as `damier.core.codes` reads it; the
fewest plies that are enough; the most that are not. In plain Python a `PlainDistances` stands for
it, which only the functions bound by `PURE` can read.
"""

PlainDistances: TypeAlias = dict[State, tuple[int, int]]
"""By position: (enough, too_few)."""


def wins(s: State, plies: int, side: int, count: Counts, memory: DistanceTable, past: AnyPast) -> bool:
    """Return whether player 0 (`side` 1), or whoever is against it (-1), can force a won end within so
    many plies.
    """
    if spent_unmarked(s, plies, count, memory):
        return False
    end = terminal_value(s)
    if end != ONGOING:
        return side * end > 0
    if plies == 0:
        return False
    enough, too_few = remembered(memory, s)
    if plies >= enough or plies <= too_few:
        return plies >= enough
    ours = (mover(s) == 0) == (side > 0)
    won, here = not ours, mark(past)
    for move in each(moves(s)):
        child_won = wins(advance(s, move, past), plies - 1, side, count, memory, past)
        rewind(past, here)
        if child_won == ours:
            won = ours
            break
    if count[STOPPED] == 0:
        remember(memory, s, plies if won else enough, too_few if won else plies)
    return won


def wins_at(
    fields: tuple[Field, ...], plies: int, side: int, count: Counts, memory: DistanceTable, past: AnyPast
) -> bool:
    """`wins`; compiled code is entered with a plain tuple."""
    return wins(as_state(fields), plies, side, count, memory, past)


def remembered(memory: DistanceTable, s: State) -> tuple[int, int]:
    """The fewest plies that are known to be enough, and the most that are known not to be."""
    codes, enough, too_few = memory
    wanted = key(s)
    slot = fibonacci_slot(word_of_code(wanted), SLOTS)
    if code_at(codes, slot) != wanted:
        return NEVER, 0
    return enough[slot], too_few[slot]


def remember(memory: DistanceTable, s: State, within: int, not_within: int) -> None:
    codes, enough, too_few = memory
    wanted = key(s)
    slot = fibonacci_slot(word_of_code(wanted), SLOTS)
    put_code(codes, slot, wanted)
    enough[slot], too_few[slot] = within, not_within


def remembered_in_dictionary(memory: PlainDistances, s: State) -> tuple[int, int]:
    return memory.get(s, (NEVER, 0))


def remember_in_dictionary(memory: PlainDistances, s: State, within: int, not_within: int) -> None:
    memory[s] = (within, not_within)


PURE: Bindings = {remembered: remembered_in_dictionary, remember: remember_in_dictionary}


def empty(game: Game, jit: bool) -> DistanceTable:
    """No positions yet, as the engines read it."""
    if not jit:
        return cast("DistanceTable", PlainDistances())
    return np.full(SLOTS * game.key_words, -1, np.int64), np.zeros(SLOTS, np.int64), np.zeros(SLOTS, np.int64)


def find_distance(search: LookAhead, found: Found, heuristic: Evaluation) -> tuple[int, ...]:
    """Writes to `found` in how many plies the game ends: 0 where it is over, None where nobody is
    known to win.

    Whoever is only judged to be better, by an evaluation at the end of the search, is not; nor is it
    told of a game whose payoffs differ, where who hurries wins less. Returns a line of play of that
    length, if it is also one of best play.
    """
    game, s = search.game, search.state
    if game.over(s):
        found.distance = 0
        return ()
    value = to_player(found.value, 0) if found.value is not None else 0
    line: list[int] = []
    if not value or (heuristic.features and not found.exact):
        return ()
    side = (-1 if game.mover(s) > 0 else 1) * (1 if value > 0 else -1)

    def work(run: Run) -> None:
        engine, memory = run.engine(wins_at, {} if run.jit else PURE), empty(game, run.jit)
        run.remembers = True

        def within(s: State, plies: int) -> bool:
            return bool(engine(run.game.fields(s), plies, side, run.count, memory, run.line.past))

        plies = next((plies for plies in range(1, found.plies + 1) if within(s, plies) or run.stopped), None)
        found.distance = None if run.stopped else plies
        line[:], end = hurried_line(run, s, found.distance or 0, side, within)
        if not run.sound:
            line.clear()
            found.distance = None
            run.stop()
        if run.stopped or not game.over(end):
            line.clear()
        elif game.payoff(end, game.mover(s)) != value:  # where payoffs differ, who hurries may win less
            line.clear()
            found.distance = None

    if not uncounted_run(search, "distance", work) and found.distance is None:
        search.left_out.append("distance")
    return tuple(line)


def hurried_line(
    run: Run, s: State, plies: int, side: int, within: Callable[[State, int], bool]
) -> tuple[list[int], State]:
    """The first line of play to the end that is `plies` away, and that end: the winner moves nearer
    to it, the loser no nearer than it must.
    """
    game, line = run.game, list[int]()
    for left in range(plies - 1, -1, -1):
        wins_here = (game.mover(s) == 0) == (side > 0)
        for move in game.legal(s):
            with run.line.trying(move) as child:
                if within(child, left) and (wins_here or left == 0 or not within(child, left - 1)):
                    line.append(move)
                    break
        else:  # stopped by a limit
            break
        s = run.line.play(line[-1])
    return line, s
