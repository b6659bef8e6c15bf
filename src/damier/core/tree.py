"""An explicit game tree: named nodes, whose moves lead to other nodes, and numbers at its ends
(spec D, "Tree file").

It may be a directed acyclic graph: a node that two moves lead to is searched twice, as a position
would be.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isinf
from typing import Literal, NamedTuple, TypeAlias

from damier.core.rules import CHANCE
from damier.core.words import _, decimal

Number: TypeAlias = "int | float"
Payoffs: TypeAlias = tuple[Number, ...]
Value: TypeAlias = "Number | Payoffs"


def to_player(value: Value, player: int) -> Number:
    """What a value is to one player; a single number is one for whoever asks."""
    return value[player] if isinstance(value, tuple) else value


Role: TypeAlias = Literal["max", "min", "mean", "best"]
"""What a mover does with the values of its moves; `best` is the largest of its own."""

TERMINAL = -2
"""The player of a node at which nobody moves."""


class Move(NamedTuple):
    """A move: its name, the number of the node that it leads to, and how likely it is where chance
    moves.
    """

    name: str
    child: int
    probability: float


class Node(NamedTuple):
    """A node: who moves there, what it is worth if it is an end, and what a search takes for that
    where it stops. One number a player.
    """

    name: str
    player: int  # from 0; CHANCE; TERMINAL
    moves: tuple[Move, ...]
    value: Payoffs | None
    evaluation: Payoffs | None


@dataclass(frozen=True)
class Tree:
    """Nodes, of which number `root` is the first.

    With `cycle`, who moves follows from the plies since the root, not from the node.
    """

    nodes: tuple[Node, ...]
    root: int
    players: int
    cycle: bool = False

    def mover(self, number: int, ply: int) -> int:
        """Who moves at a node, so many plies from the root."""
        player = self.nodes[number].player
        return ply % self.players if self.cycle and player not in (TERMINAL, CHANCE) else player


StepKind: TypeAlias = Literal["enter", "leaf", "update", "cut", "return"]


class Step(NamedTuple):
    """One step of a search: what happened at a node, with what is known there after it.

    value   best so far, or the value that is returned
    alpha   what player 0 is sure of on the way here; beta: what its opponents are
    child   for an update, the number of the move that was tried
    """

    kind: StepKind
    node: int
    depth: int
    value: Value | None
    alpha: Number
    beta: Number
    child: int = -1


def shown(value: Value | None) -> str:
    """A value as people write it.

    >>> from math import inf
    >>> shown(3.0), shown(2 / 3), shown((1, -1)), shown(-1234567.5), shown(10**20), shown(-inf), shown(None)
    ('3', '0.666667', '(1, -1)', '-1234567.5', '1e+20', '-∞', '?')
    """
    if value is None:
        return "?"
    if isinstance(value, tuple):
        # Translators: what stands between the numbers of several players.
        between = _(", ")
        return f"({between.join(map(shown, value))})"
    if isinf(value):
        return "∞" if value > 0 else "-∞"
    if isinstance(value, int) and abs(value) < 1e15:
        return str(value)
    return decimal(value, ".6g") if not 1e6 <= abs(value) < 1e15 else decimal(value, ".15g")
