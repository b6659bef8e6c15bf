"""Monte Carlo tree search: UCT, with exact back-up where lines of the tree have come to their end
(L. Kocsis and C. Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006 [KocsisSzepesvari06];
M. Winands, Y. Björnsson and J.-T. Saito, "Monte-Carlo tree search solver", CG 2008 [Winands08]).

A simulation selects its way down the tree, expands the position it comes to when it comes back to
it, plays from there at random, and backs the payoffs up. Of the moves of a position it selects the
one with the largest

    mean payoff to the mover + c · spread · sqrt(ln(visits of the position) / visits of the move)

The tree is a record of arrays; the moves of node i are the nodes first_child[i] … first_child[i] +
child_count[i] - 1. A state is not kept: it is played anew.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple, TypeAlias

from damier.core.arrays import Floats, Ints
from damier.core.bits import Rng, random_unit, random_word
from damier.core.moves import each, random_move
from damier.core.past import AnyPast, advance, mark, rewind
from damier.core.rules import (
    CHANCE,
    Field,
    Moves,
    State,
    as_state,
    chance,
    most_moves,
    mover,
    moves,
    over,
    payoff,
)
from damier.core.sampling import sample_chance

PLIES = 1000
"""A simulation that is longer counts as a draw."""


class SearchTree(NamedTuple):
    """The tree.

    `total` is what the simulations through a node were worth to the player who moved there; `exact`
    to player 0, where `proven`.
    """

    move: Ints
    first_child: Ints
    child_count: Ints
    visits: Ints
    total: Floats
    proven: Ints
    exact: Floats


class Scratch(NamedTuple):
    """The way of one simulation, node by node, with the player who moved to each; what it was worth
    to each player; and the tree's own numbers.
    """

    path: Ints
    who: Ints
    payoffs: Floats
    # nodes in the tree; the largest payoff so far; whether one move that wins proves its position
    filled: Floats


FILLED, SPREAD, PROVES = 0, 1, 2


TreeColumns: TypeAlias = tuple[Ints, Ints, Ints, Ints, Floats, Ints, Floats]
ScratchColumns: TypeAlias = tuple[Ints, Ints, Floats, Floats]


def simulate(
    fields: tuple[Field, ...],
    times: int,
    players: int,
    c: float,
    columns: TreeColumns,
    room: ScratchColumns,
    rng: Rng,
    past: AnyPast,
) -> int:
    """Runs simulations on the arrays of a SearchTree and a Scratch; returns how many.

    It ends early where the tree is nearly full, where the root is proven, and where it misjudges.
    """
    tree, scratch, here = SearchTree(*columns), Scratch(*room), mark(past)
    for number in range(times):
        if scratch.filled[FILLED] + most_moves() > len(tree.move) or tree.proven[0] or misjudges(scratch):
            return number
        rewind(past, here)
        s, depth = select(as_state(fields), c * scratch.filled[SPREAD], tree, scratch, rng, past)
        rollout(scratch.path[depth], s, players, tree, scratch, rng, past)
        backpropagate(depth, players, tree, scratch)
    rewind(past, here)
    return times


def select(
    s: State, c: float, tree: SearchTree, scratch: Scratch, rng: Rng, past: AnyPast
) -> tuple[State, int]:
    """Goes down the tree to a position that is not expanded, or is settled; its state and its
    depth. One that was visited is expanded first.
    """
    node, depth = 0, 0
    scratch.path[0] = 0
    scratch.who[0] = CHANCE
    while not tree.proven[node]:
        if tree.child_count[node] == 0:
            if over(s) or tree.visits[node] == 0 or depth + 1 == len(scratch.path):
                break
            expand(node, moves(s), tree, scratch, rng)
        player = mover(s)
        node = sampled_child(node, s, tree, rng) if player == CHANCE else best_child(node, c, player, tree)
        s = advance(s, tree.move[node], past)
        depth += 1
        scratch.path[depth] = node
        scratch.who[depth] = player
    return s, depth


def misjudges(scratch: Scratch) -> bool:
    """Whether a win was taken for the most that anybody can get, and then a larger payoff came."""
    return bool(scratch.filled[PROVES] > 0 and scratch.filled[SPREAD] > 1)


def expand(node: int, legal: Moves, tree: SearchTree, scratch: Scratch, rng: Rng) -> None:
    """Adds the moves of a position to the tree, in random order."""
    begin = int(scratch.filled[FILLED])
    end = begin
    for move in each(legal):
        place = begin + random_word(rng) % (end - begin + 1)
        tree.move[end] = tree.move[place]
        tree.move[place] = move
        end += 1
    scratch.filled[FILLED] = end
    tree.first_child[node] = begin
    tree.child_count[node] = end - begin


def best_child(node: int, c: float, player: int, tree: SearchTree) -> int:
    """The move that promises most: one that was never tried, or the largest upper bound."""
    begin = int(tree.first_child[node])
    best, high = begin, -1e300
    ln = log(tree.visits[node])
    for child in range(begin, begin + tree.child_count[node]):
        visits = tree.visits[child]
        if visits == 0:
            return child
        if tree.proven[child]:
            bound = tree.exact[child] if player == 0 else -tree.exact[child]
        else:
            bound = tree.total[child] / visits + c * sqrt(ln / visits)
        if bound > high:
            best, high = child, bound
    return best


def sampled_child(node: int, s: State, tree: SearchTree, rng: Rng) -> int:
    """A move at a chance node: `sample_chance` over the children in their own order, so that the
    same seed gives the same tree.
    """
    begin, end = int(tree.first_child[node]), int(tree.first_child[node] + tree.child_count[node])
    whole = 0.0
    for child in range(begin, end):
        whole += chance(s, tree.move[child])
    left = random_unit(rng) * whole
    for child in range(begin, end):
        left -= chance(s, tree.move[child])
        if left < 0:
            return child
    return end - 1


def rollout(
    node: int, s: State, players: int, tree: SearchTree, scratch: Scratch, rng: Rng, past: AnyPast
) -> None:
    """Plays from the end of the way in the tree to the end of the game, and writes what it was
    worth.
    """
    if tree.proven[node]:
        scratch.payoffs[0], scratch.payoffs[1] = tree.exact[node], -tree.exact[node]
        return
    ended = over(s)
    plies = 0
    while plies < PLIES and not over(s):
        if mover(s) == CHANCE:
            s = advance(s, sample_chance(s, moves(s), rng), past)
        else:
            s = advance(s, random_move(rng, moves(s)), past)
        plies += 1
    finished = over(s)
    for player in range(players):
        value = float(payoff(s, player)) if finished else 0.0
        scratch.payoffs[player] = value
        scratch.filled[SPREAD] = max(scratch.filled[SPREAD], abs(value))
    if ended and scratch.filled[PROVES] >= 0:
        tree.proven[node] = 1
        tree.exact[node] = scratch.payoffs[0]


def backpropagate(depth: int, players: int, tree: SearchTree, scratch: Scratch) -> None:
    """Adds what a simulation was worth to every node of its way, and proves the positions that it
    settles.
    """
    settles = tree.proven[scratch.path[depth]] and players == 2
    for step in range(depth, -1, -1):
        node = scratch.path[step]
        if settles and step < depth and not prove(node, scratch.who[step + 1], tree, scratch):
            settles = False
        if settles:
            scratch.payoffs[0], scratch.payoffs[1] = tree.exact[node], -tree.exact[node]
        tree.visits[node] += 1
        if scratch.who[step] != CHANCE:
            tree.total[node] += scratch.payoffs[scratch.who[step]]


def prove(node: int, player: int, tree: SearchTree, scratch: Scratch) -> bool:
    """Whether the moves of a position settle it: one of them wins, or all of them are proven."""
    if player == CHANCE:
        return False
    side = 1.0 if player == 0 else -1.0
    best = -1e300
    all_proven = True
    for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
        if tree.proven[child]:
            best = max(best, side * tree.exact[child])
        else:
            all_proven = False
    if all_proven or (scratch.filled[PROVES] > 0 and best >= 1.0):
        tree.proven[node] = 1
        tree.exact[node] = side * best
        return True
    return False
