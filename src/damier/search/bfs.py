"""Breadth-first search for a won game, with a list of the positions seen (document [S1], row A-37).

It finds a shortest line to a game won by `player`, ply by ply. Its opponent helps, as in
`damier.search.dfs`: seeing every reply of a ply is not yet to reckon with the worst one. The list
is what makes it possible at all: without, a position is expanded once for every line to it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal, TypeAlias

from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, require
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.rules import State
from damier.core.words import _, grouped

# What the searches of document [S1] share: a line of play that was looked for, in what order moves
# are tried, and what they need of a game.

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


def bfs(
    game: Game, s: State, player: int, *, order: Order = "last", revisit: bool = False, nodes: int = NODES
) -> Path:
    """A shortest line to a game won by `player`; of several, the one whose moves are tried first.

    `revisit` does without the list of positions seen: the line is the same. Raises Unsuitable,
    LimitReached.
    """
    require(game, "bfs", *NEEDS)
    if game.over(s):
        return Path(player, won(game, s, player), (), 0, 1)
    seen, came = {s}, [(s, -1, 0)]  # every position met, which one it was met from, by which move
    waiting, expanded = deque([0]), 0
    while waiting:
        number = waiting.popleft()
        here = came[number][0]
        require_nodes("bfs", expanded, len(seen), nodes)
        expanded += 1
        for move in ordered(game, here, order):
            child = game.play(here, move)
            if child in seen and not revisit:
                continue
            seen.add(child)
            came.append((child, number, move))
            if won(game, child, player):
                return Path(player, True, _line(came), expanded, len(seen))
            if not game.over(child):
                waiting.append(len(came) - 1)
    return Path(player, False, (), expanded, len(seen))


def _line(came: list[tuple[State, int, int]]) -> tuple[int, ...]:
    """The moves to the position that was met last."""
    line, number = [], len(came) - 1
    while number:
        _s, number, move = came[number]
        line.append(move)
    return tuple(reversed(line))
