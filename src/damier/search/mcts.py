"""Monte Carlo tree search: UCT, with exact back-up where lines of the tree have come to their end (L. Kocsis and C. Szepesvári, "Bandit based
Monte-Carlo planning", ECML 2006; M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008).

A simulation selects its way down the tree, expands the position it comes to when it comes back to it, plays from there at random, and backs
the payoffs up. Of the moves of a position it selects the one with the largest

    mean payoff to the mover + c · spread · sqrt(ln(visits of the position) / visits of the move)

The tree is a record of arrays; the moves of node i are the nodes first[i] … first[i] + many[i] - 1. A state is not kept: it is played anew.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

from damier.core.bits import Rng, lowest, random_bit, random_word
from damier.core.rules import CHANCE, State, as_state, chance, mover, moves, over, payoff, play

MOST_MOVES = 64
"""No position has more moves."""

PLIES = 1000
"""A simulation that is longer counts as a draw."""


class Pool(NamedTuple):
    """The tree. `total` is what the simulations through a node were worth to the player who moved there; `exact` to player 0, where `proven`."""

    move: Any
    first: Any
    many: Any
    visits: Any
    total: Any
    proven: Any
    exact: Any


class Scratch(NamedTuple):
    """The way of one simulation, node by node, with the player who moved to each; what it was worth to each player; and the tree's own numbers."""

    path: Any
    who: Any
    worth: Any
    filled: Any  # nodes in the pool; the largest payoff so far; whether one move that wins proves its position


WORDS = float(1 << 53)
"""How many different random words there are."""

FILLED, SPREAD, PROVES = 0, 1, 2


def simulate(fields: Any, times: int, players: int, c: float, pool: Any, scratch: Any, rng: Rng) -> int:
    """Runs simulations; returns how many. It ends early where the pool is nearly full, where the root is proven, and where it misjudges."""
    pool, scratch = Pool(*pool), Scratch(*scratch)
    for number in range(times):
        if scratch.filled[FILLED] + MOST_MOVES > len(pool.move) or pool.proven[0] or misjudges(scratch):
            return number
        s = as_state(fields)
        depth = 0
        node = 0
        scratch.path[0] = 0
        scratch.who[0] = CHANCE
        while not pool.proven[node]:
            if pool.many[node] == 0:
                if over(s) or pool.visits[node] == 0 or depth + 1 == len(scratch.path):
                    break
                expand(node, moves(s), pool, scratch, rng)
            player = mover(s)
            node = thrown(node, s, pool, rng) if player == CHANCE else selected(node, c * scratch.filled[SPREAD], player, pool)
            s = play(s, pool.move[node])
            depth += 1
            scratch.path[depth] = node
            scratch.who[depth] = player
        finish(node, s, players, pool, scratch, rng)
        back_up(depth, players, pool, scratch)
    return times


def misjudges(scratch: Scratch) -> bool:
    """Whether a win was taken for the most that anybody can get, and then a larger payoff came."""
    return bool(scratch.filled[PROVES] > 0 and scratch.filled[SPREAD] > 1)


def expand(node: int, legal: int, pool: Pool, scratch: Scratch, rng: Rng) -> None:
    """Adds the moves of a position to the tree, in random order."""
    begin = int(scratch.filled[FILLED])
    end = begin
    while legal:
        move = lowest(legal)
        legal ^= move
        place = begin + random_word(rng) % (end - begin + 1)
        pool.move[end] = pool.move[place]
        pool.move[place] = move
        end += 1
    scratch.filled[FILLED] = end
    pool.first[node] = begin
    pool.many[node] = end - begin


def selected(node: int, c: float, player: int, pool: Pool) -> int:
    """The move that promises most: one that was never tried, or the largest upper bound."""
    begin = int(pool.first[node])
    best, high = begin, -1e300
    ln = log(pool.visits[node])
    for child in range(begin, begin + pool.many[node]):
        visits = pool.visits[child]
        if visits == 0:
            return child
        if pool.proven[child]:
            worth = pool.exact[child] if player == 0 else -pool.exact[child]
        else:
            worth = pool.total[child] / visits + c * sqrt(ln / visits)
        if worth > high:
            best, high = child, worth
    return best


def thrown(node: int, s: State, pool: Pool, rng: Rng) -> int:
    """A throw of the die."""
    begin, end = int(pool.first[node]), int(pool.first[node] + pool.many[node])
    whole = 0.0
    for child in range(begin, end):
        whole += chance(s, pool.move[child])
    left = random_word(rng) / WORDS * whole
    for child in range(begin, end):
        left -= chance(s, pool.move[child])
        if left < 0:
            return child
    return end - 1


def finish(node: int, s: State, players: int, pool: Pool, scratch: Scratch, rng: Rng) -> None:
    """Plays from the end of the way in the tree to the end of the game, and writes what it was worth."""
    if pool.proven[node]:
        scratch.worth[0], scratch.worth[1] = pool.exact[node], -pool.exact[node]
        return
    ended = over(s)
    plies = 0
    while plies < PLIES and not over(s):
        legal = moves(s)
        s = play(s, drawn(s, legal, rng) if mover(s) == CHANCE else random_bit(rng, legal))
        plies += 1
    finished = over(s)
    for player in range(players):
        worth = float(payoff(s, player)) if finished else 0.0
        scratch.worth[player] = worth
        scratch.filled[SPREAD] = max(scratch.filled[SPREAD], abs(worth))
    if ended and scratch.filled[PROVES] >= 0:
        pool.proven[node] = 1
        pool.exact[node] = scratch.worth[0]


def drawn(s: State, legal: int, rng: Rng) -> int:
    """A throw of the die outside the tree."""
    whole = 0.0
    left = legal
    while left:
        move = lowest(left)
        left ^= move
        whole += chance(s, move)
    mark = random_word(rng) / WORDS * whole
    move = lowest(legal)
    while legal:
        move = lowest(legal)
        legal ^= move
        mark -= chance(s, move)
        if mark < 0:
            return move
    return move


def back_up(depth: int, players: int, pool: Pool, scratch: Scratch) -> None:
    """Adds what a simulation was worth to every node of its way, and proves the positions that it settles."""
    settles = pool.proven[scratch.path[depth]] and players == 2
    for step in range(depth, -1, -1):
        node = scratch.path[step]
        if settles and step < depth and not prove(node, scratch.who[step + 1], pool, scratch):
            settles = False
        if settles:
            scratch.worth[0], scratch.worth[1] = pool.exact[node], -pool.exact[node]
        pool.visits[node] += 1
        if scratch.who[step] != CHANCE:
            pool.total[node] += scratch.worth[scratch.who[step]]


def prove(node: int, player: int, pool: Pool, scratch: Scratch) -> bool:
    """Whether the moves of a position settle it: one of them wins, or all of them are proven."""
    if player == CHANCE:
        return False
    side = 1.0 if player == 0 else -1.0
    best = -1e300
    all_proven = True
    for child in range(pool.first[node], pool.first[node] + pool.many[node]):
        if pool.proven[child]:
            best = max(best, side * pool.exact[child])
        else:
            all_proven = False
    if all_proven or (scratch.filled[PROVES] > 0 and best >= 1.0):
        pool.proven[node] = 1
        pool.exact[node] = side * best
        return True
    return False
