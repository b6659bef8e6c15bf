"""The positions of a game as a picture shows them: a tree, or a graph in which each position stands
once (document [S1], rows A-34 and A-35).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from damier.core.display import Displayed
from damier.core.game import Position
from damier.core.solution import PayoffValue, Value

DiagramKind: TypeAlias = Literal["complete", "truncated", "merged"]
"""complete   a position is drawn as often as lines of play lead to it
truncated  drawn with what follows only where it is met first, depth-first; "…" elsewhere
merged     drawn once
"""


SIGNS: dict[Value, str] = {"win": "+1", "draw": "0", "loss": "−1"}
ALIKE = 2e-6
"""Payoffs that differ by no more are shown as one."""


class Edge(NamedTuple):
    """An edge from one node to another: the names of the moves, several where they lead to the
    same.
    """

    child: int
    moves: tuple[str, ...]


@dataclass
class Vertex:
    """A node: a position, the edges to those that follow, and what it is worth to the first player,
    where that is known.

    worth     its payoff to the first player, where that is more than a win, a draw or a loss
    repeated  drawn with what follows elsewhere: only "…" stands here
    cut       not the end of a game, but the last ply that was asked for
    """

    position: Position
    edges: list[Edge] = field(default_factory=list)
    value: Value | None = None
    repeated: bool = False
    cut: bool = False
    worth: PayoffValue | None = None

    @property
    def sign(self) -> str:
        """The value in a few characters, nothing where it is not known."""
        return str(self.worth) if self.worth else SIGNS[self.value] if self.value else ""

    def as_good_as(self, other: Vertex) -> bool:
        """Return whether both are worth the same, as far as it is known."""
        if self.worth and other.worth:
            return abs(self.worth.payoff - other.worth.payoff) <= ALIKE
        return self.value is not None and self.value == other.value


@dataclass
class Diagram(Displayed):
    """The nodes, the first at number 0."""

    kind: DiagramKind
    vertices: list[Vertex]

    @property
    def children(self) -> list[list[int]]:
        """The numbers of the nodes that follow each node."""
        return [[edge.child for edge in vertex.edges] for vertex in self.vertices]


class DiagramShape(NamedTuple):
    """The size of a diagram, whether it can be drawn or not.

    nodes     all that would be drawn, states + repeated
    leaves    nodes below which nothing is drawn
    states    different positions
    repeated  nodes whose position is met elsewhere before: in a truncated tree the "…"
    """

    nodes: int
    leaves: int
    edges: int
    states: int
    repeated: int


# A matchbox as data: a position, and beads of a colour for each of its moves.


@dataclass(frozen=True)
class Matchbox(Displayed):
    """One box of a machine that draws its moves as beads.

    number    of the box in its machine, from 1
    stage     decisions of the machine before it in a game
    position  the one on its label
    beads     how many for each move that has a colour, by the move, lowest bit first
    """

    number: int
    stage: int
    position: Position
    beads: Mapping[int, int]

    @property
    def total(self) -> int:
        """Beads in the box."""
        return sum(self.beads.values())
