"""What the searches of document [S1] share: a line of play that was looked for, in what order moves
are tried, and what they need of a game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.requirements import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS
from damier.core.rules import State
from damier.core.words import _, grouped

Order: TypeAlias = Literal["first", "last"]
"""Which of the legal moves is tried first: that with the lowest bit, or with the highest (in Nim:
the largest).
"""

NODES = 1_000_000
"""How many positions a search expands unless it is told otherwise: some seconds of plain Python."""


NEEDS = (TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE)


@dataclass(frozen=True)
class Path:
    """The first line that a search came upon at whose end `player` has won.

    found     whether there is one; then `line` leads to it, and is empty where the game is over
              already
    expanded  positions whose moves were tried, each as often as that happened
    visited   different positions that the search came to, the first included
    """

    player: int
    found: bool
    line: tuple[int, ...]
    expanded: int
    visited: int

    @property
    def move(self) -> int:
        """The first move of the line, whoever makes it; 0 where there is none."""
        return self.line[0] if self.line else 0


def ordered(game: Game, s: State, order: Order) -> list[int]:
    """The legal moves, that to be tried first at the front."""
    legal = game.legal(s)
    return legal if order == "first" else legal[::-1]


def won(game: Game, s: State, player: int) -> bool:
    """Whether the game has ended well for a player."""
    return bool(game.over(s)) and game.payoff(s, player) > 0


def require_nodes(work: str, expanded: int, visited: int, nodes: int) -> None:
    """Raises LimitReached before more than `nodes` positions are expanded."""
    if expanded >= nodes:
        sentence = _(
            "{work} stopped after {n} positions; it had come to {visited} different ones",
            work=work,
            n=grouped(expanded),
            visited=grouped(visited),
        )
        raise LimitReached(sentence, {"expanded": expanded, "visited": visited})
