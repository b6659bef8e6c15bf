"""Care that an exact search takes of a position, in games that say how many plies are left.

    many     a move promises what it scores and, added to that, the most that its mover can score with the
             move after it, whatever the reply: a search of three plies for the order of moves alone
    fewer    what it scores
    fewest   the end is played out: no table, no order, since they cost more than they save

A third threshold lies between: children are looked up in the table where they are worth being there.
"""

from __future__ import annotations

from damier.core.arrays import Ints
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import each
from damier.core.rules import ONGOING, TOP, State, move_score, mover, moves, play, plies_left
from damier.search import bounds_table, move_order, transposition
from damier.search.bounds_table import probe as ask_table
from damier.search.running import NODES, Counts, terminal_value
from damier.search.transposition import as_value, one_ply_down, one_ply_up

PLAYED_OUT, LOOKED_UP, LOOKED_AHEAD = 4, 7, 14
"""Plies left: at most so many are played out; from so many on the table is asked for children, and moves are
put in order by looking ahead.
"""
SETTLED = 1 << 20
"""What a unit of payoff promises, where the game ends within these plies: more than moves score."""


def probe(
    s: State, plies: int, low: int, high: int, ours: bool, theirs: bool, table: Ints, count: Counts
) -> tuple[float, float, int]:
    """`bounds_table.probe`; near the end what is asked, and no more, by playing it out."""
    if not 0 < plies_left(s) <= PLAYED_OUT:
        return ask_table(s, plies, low, high, ours, theirs, table, count)
    found = played_out(s, high, count)
    return (found, TOP, 0) if found >= high else (-TOP, found, 0)


def played_out(s: State, high: float, count: Counts) -> float:
    """A bound of the value of `s`, which is not over, to its mover: a lower one if it is at least `high`,
    else an upper one.
    """
    best: float = -TOP
    turn = mover(s)
    for move in each(moves(s)):
        count[NODES] += 1
        child = play(s, move)
        end, same = terminal_value(child), mover(child) == turn
        if end != ONGOING:
            worth = as_value(end, count)
            found = one_ply_up(worth if turn == 0 else -worth)
        elif same:
            found = one_ply_up(played_out(child, one_ply_down(high), count))
        else:
            found = one_ply_up(-played_out(child, 1 - one_ply_down(high), count))
        best = max(best, found)
        if best >= high:
            break
    return best


def looks_up_children(s: State, moves_of_s: int) -> bool:
    """`bounds_table.looks_up_children`, where children are far enough from the end to be in the table."""
    return moves_of_s > 1 and not 0 < plies_left(s) < LOOKED_UP


def promise(s: State, move: int) -> int:
    """`move_order.promise`, by looking ahead where it pays."""
    score = move_score(s, move)
    return score if plies_left(s) < LOOKED_AHEAD else score + prospect(play(s, move), mover(s))


def prospect(s: State, player: int) -> int:
    """The most that `player` can score with a move from `s` on, or after the reply that leaves it the
    least.
    """
    if terminal_value(s) != ONGOING or mover(s) == player:
        return best_score(s, player, SETTLED * TOP)
    least = SETTLED * TOP
    for reply in each(moves(s)):
        least = min(least, best_score(play(s, reply), player, least))
    return least


def best_score(s: State, player: int, enough: int) -> int:
    """Return what the best move in `s` scores, as `player` sees it, who moves: the first that scores
    `enough`.
    """
    end = terminal_value(s)
    if end != ONGOING:
        return SETTLED * (end if player == 0 else -end)
    side, best = 1 if mover(s) == player else -1, -SETTLED * TOP
    for move in each(moves(s)):
        best = max(best, move_score(s, move))
        if side * best >= enough:
            break
    return side * best


def care_of(game: Game) -> Bindings:
    """Return what an exact search binds in a game that says how many plies are left."""
    if "plies_left" not in game.given or game.has_past:
        return {}
    bound: Bindings = {transposition.probe: probe, bounds_table.looks_up_children: looks_up_children}
    return bound | ({move_order.promise: promise} if "move_score" in game.given else {})
