"""One search of one position, as it stands after each of its simulations.

Nothing is computed a second time: a search of n simulations is always the same one, so that it is run with
1, 2, 3, … of them, and what lies in its tree is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from damier.core.game import Position
from damier.plugins.zero.lockstep import bound_of, terms_of
from damier.plugins.zero.self_play import Evaluator, Lockstep, SearchSettings, ZeroEngines


@dataclass(frozen=True)
class SearchedMove:
    """A move of a searched position.

    Attributes:
        move: the move, a set of one
        prior: how likely the network takes it to be
        visits: how many simulations went through it
        value: what it is worth to its mover, from -1 to 1; None where nothing is known of it
        proven: whether that is exact
        bonus: what is added to its value when the next move is selected
        bound: both together, of a move that was not tried with a guess for its value
        decided: whether the search decides for it
    """

    move: int
    prior: float
    visits: int
    value: float | None
    proven: bool
    bonus: float
    bound: float
    decided: bool


@dataclass(frozen=True)
class PassedNode:
    """A position that a simulation passed, after a move of the one before it.

    Attributes:
        move: the move, 0 at the root; player: who made it, at the root who is to move
        visits, value: before and after the simulation, to that player; no value where there is none
        proven: whether the simulation has proven it
    """

    move: int
    player: int
    visits: tuple[int, int]
    value: tuple[float | None, float]
    proven: bool


@dataclass(frozen=True)
class Simulation:
    """One simulation.

    Attributes:
        number: from 1
        moves: of the root before it, as the selection saw them; none before the first simulation
        way: the positions that it passed, the root first
        leaf: the position where it ended
        expanded: moves that were hung under that, with how likely the network takes each to be
        value: what came back, to who is to move there (at the end of a game: to player 1)
        ended: whether the game is over there
        known: whether it had been proven before
    """

    number: int
    moves: tuple[SearchedMove, ...]
    way: tuple[PassedNode, ...]
    leaf: Position
    expanded: tuple[SearchedMove, ...]
    value: float
    ended: bool
    known: bool


class SearchReplay:
    """A search of a position, with at most so many simulations."""

    def __init__(
        self, engines: ZeroEngines, network: Evaluator, position: Position, simulations: int
    ) -> None:
        self._engines, self._network = engines, network
        self.position, self.simulations = position, simulations

    def _after(self, simulations: int) -> Lockstep:
        """The search after so many simulations."""
        found = Lockstep(self._engines, SearchSettings(max(1, simulations)), 1)
        if simulations:
            codes = self._engines.codes([self.position.state])
            list(found.search(self._network, codes, [self.position.before]))
        return found

    @cached_property
    def _whole(self) -> Lockstep:
        return self._after(self.simulations)

    @property
    def done(self) -> int:
        """Return how many simulations there are: fewer where the position is proven by then."""
        return self._whole.done(0)

    @property
    def proven(self) -> bool:
        return bool(self._whole.tree.proven[0])

    def moves(self) -> tuple[SearchedMove, ...]:
        """Return the moves of the position after all simulations."""
        return moves_of(self._whole, 0, self._whole.decision(0))

    def simulation(self, number: int) -> Simulation:
        """Return one simulation, by its number from 1."""
        before, after = self._after(number - 1), self._after(number)
        way, game, leaf = after.way(0), self.position.game, self.position
        player, passed = max(0, leaf.mover), list[PassedNode]()
        for node in way:
            if node:
                player = max(0, leaf.mover)
                leaf = leaf.after(int(after.tree.move[node]))
            passed.append(passed_node(before, after, node, player))
        end = way[-1]
        known, ended = bool(before.tree.proven[end]), game.over(leaf.state)
        if after.tree.proven[end]:
            value = float(after.tree.exact[end])
        else:
            value = float(after.tree.total[end]) - float(before.tree.total[end])
        hung = not before.tree.child_count[end] and not ended
        return Simulation(
            number,
            moves_of(before, 0) if number > 1 else (),
            tuple(passed),
            leaf,
            moves_of(after, end) if hung else (),
            value if leaf.over or leaf.mover == 0 else -value,
            ended,
            known,
        )


def moves_of(search: Lockstep, node: int, decided: int = 0) -> tuple[SearchedMove, ...]:
    """Return what the tree of a search says of the moves of one of its positions."""
    tree, found = search.tree, list[SearchedMove]()
    begin, side = int(tree.first_child[node]), int(tree.side[node])
    untried, factor = terms_of(node, tree, search.numbers)
    for child in range(begin, begin + int(tree.child_count[node])):
        visits, proven = int(tree.visits[child]), bool(tree.proven[child])
        value = float(tree.exact[child]) if proven else float(tree.total[child]) / max(1, visits)
        worth, bonus = bound_of(child, side, untried, factor, tree)
        move = int(tree.move[child])
        found.append(
            SearchedMove(
                move,
                float(tree.prior[child]),
                visits,
                side * value if proven or visits else None,
                proven,
                float(bonus),
                float(worth + bonus),
                move == decided,
            )
        )
    return tuple(found)


def passed_node(before: Lockstep, after: Lockstep, node: int, player: int) -> PassedNode:
    """Return how a simulation changed a node that it passed."""
    side = 1 if player == 0 else -1
    had, has = int(before.tree.visits[node]), int(after.tree.visits[node])
    old = side * float(before.tree.total[node]) / had if had else None
    if before.tree.proven[node]:
        old = side * float(before.tree.exact[node])
    proven = bool(after.tree.proven[node])
    new = side * (float(after.tree.exact[node]) if proven else float(after.tree.total[node]) / max(1, has))
    return PassedNode(int(after.tree.move[node]) if node else 0, player, (had, has), (old, new), proven)
