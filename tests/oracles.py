"""Naive rules and naive solvers, to hold damier's against: boards are strings and matrices, nothing
of damier is imported.

A set of naive rules has `start`, `mover(s)`, `moves(s)` (in the words of the command line, in the
game's own order, also where the game is over), `play(s, name)`, `result(s)` (None, or the payoff of
player 0) and `rows(s)` (the board as text).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol


class Rules(Protocol):
    start: Any

    def mover(self, s: Any) -> int: ...

    def moves(self, s: Any) -> list[str]: ...

    def play(self, s: Any, name: str) -> Any: ...

    def result(self, s: Any) -> int | None: ...

    def rows(self, s: Any) -> list[str]: ...


# ------------------------------------------------------------------------------------------
# the games


@dataclass(frozen=True)
class Mnk:
    """k in a row; a state is a string of `X`, `O` and `.`, row by row from the top left."""

    width: int = 3
    height: int = 3
    k: int = 3
    misere: bool = False

    @property
    def start(self) -> str:
        return "." * (self.width * self.height)

    def mover(self, s: str) -> int:
        return 0 if s.count("X") == s.count("O") else 1

    def moves(self, s: str) -> list[str]:
        return [str(cell) for cell, mark in enumerate(s) if mark == "."]

    def play(self, s: str, name: str) -> str:
        assert s[int(name)] == "."
        return s[: int(name)] + "XO"[self.mover(s)] + s[int(name) + 1 :]

    def result(self, s: str) -> int | None:
        for mark, payoff in (("X", 1), ("O", -1)):
            if self._has_line(s, mark):
                return -payoff if self.misere else payoff
        return None if "." in s else 0

    def rows(self, s: str) -> list[str]:
        return [s[row * self.width : (row + 1) * self.width] for row in range(self.height)]

    def _has_line(self, s: str, mark: str) -> bool:
        board = self.rows(s)
        for row in range(self.height):
            for column in range(self.width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + down * i, column + right * i) for i in range(self.k)]
                    if all(
                        0 <= r < self.height and 0 <= c < self.width and board[r][c] == mark for r, c in cells
                    ):
                        return True
        return False


@dataclass(frozen=True)
class ConnectFour:
    """Stones fall; a state is a tuple of rows, the top row first."""

    width: int = 7
    height: int = 6
    k: int = 4

    @property
    def start(self) -> tuple[str, ...]:
        return ("." * self.width,) * self.height

    def mover(self, s: tuple[str, ...]) -> int:
        board = "".join(s)
        return 0 if board.count("X") == board.count("O") else 1

    def moves(self, s: tuple[str, ...]) -> list[str]:
        return [str(column + 1) for column in range(self.width) if s[0][column] == "."]

    def play(self, s: tuple[str, ...], name: str) -> tuple[str, ...]:
        board = [list(row) for row in s]
        column = int(name) - 1
        row = max(row for row in range(self.height) if board[row][column] == ".")
        board[row][column] = "XO"[self.mover(s)]
        return tuple("".join(cells) for cells in board)

    def result(self, s: tuple[str, ...]) -> int | None:
        lines = Mnk(self.width, self.height, self.k)
        return lines.result("".join(s))

    def rows(self, s: tuple[str, ...]) -> list[str]:
        return list(s)


@dataclass(frozen=True)
class Pawns:
    """Hexapawn and its family; a state is a matrix of 1 (White), -1 (Black) and 0, the top row
    first, and who moves.
    """

    width: int = 3
    height: int = 3
    blocked: str = "draw"

    @property
    def start(self) -> tuple[tuple[tuple[int, ...], ...], int]:
        return ((-1,) * self.width, *((0,) * self.width,) * (self.height - 2), (1,) * self.width), 0

    def mover(self, s: Any) -> int:
        return s[1]

    def moves(self, s: Any) -> list[str]:
        """From the mover's own side: his rows from home on, his columns from his left, forward left
        before forward before forward right.
        """
        board, mover = s
        colour = 1 if mover == 0 else -1
        rows = range(self.height - 1, -1, -1) if mover == 0 else range(self.height)
        columns = range(self.width) if mover == 0 else range(self.width - 1, -1, -1)
        found = []
        for row in rows:
            for column in columns:
                if board[row][column] != colour or not 0 <= row - colour < self.height:
                    continue
                for aside in (-colour, 0, colour):
                    if 0 <= column + aside < self.width and board[row - colour][column + aside] == (
                        0 if aside == 0 else -colour
                    ):
                        found.append(self._name(row, column) + self._name(row - colour, column + aside))
        return found

    def play(self, s: Any, name: str) -> Any:
        board, mover = [list(row) for row in s[0]], s[1]
        (row, column), (to_row, to_column) = self._cell(name[:2]), self._cell(name[2:])
        board[to_row][to_column], board[row][column] = board[row][column], 0
        return tuple(map(tuple, board)), 1 - mover

    def result(self, s: Any) -> int | None:
        board, mover = s
        if 1 in board[0] or not any(-1 in row for row in board):
            return 1
        if -1 in board[-1] or not any(1 in row for row in board):
            return -1
        if self.moves(s):
            return None
        return 0 if self.blocked == "draw" else 1 if mover == 1 else -1

    def rows(self, s: Any) -> list[str]:
        return ["".join("B.W"[cell + 1] for cell in row) for row in s[0]]

    def id(self, s: Any) -> int:
        """The matrix in base 3, as White sees it: the top left cell most significant, -1 as 0, 0 as
        1, 1 as 2 (row A-4).
        """
        number = 0
        for row in s[0]:
            for cell in row:
                number = 3 * number + cell + 1
        return number

    def id_of_black(self, s: Any) -> int:
        """What Black sees: the board rotated by half a turn, the signs flipped (row A-5)."""
        return self.id((tuple(tuple(-cell for cell in reversed(row)) for row in reversed(s[0])), s[1]))

    def _name(self, row: int, column: int) -> str:
        return "abcdefghijklmnopqrstuvwxyz"[column] + str(self.height - row)

    def _cell(self, name: str) -> tuple[int, int]:
        return self.height - int(name[1:]), "abcdefghijklmnopqrstuvwxyz".index(name[0])


@dataclass(frozen=True)
class Nim:
    """Heaps of matches; a state is the heaps and who moves. `take` 0: no cap."""

    heaps: tuple[int, ...] = (16,)
    take: int = 3
    misere: bool = True

    @property
    def start(self) -> tuple[tuple[int, ...], int]:
        return self.heaps, 0

    def mover(self, s: Any) -> int:
        return s[1]

    def moves(self, s: Any) -> list[str]:
        found = []
        for number, left in enumerate(s[0], 1):
            for taken in range(1, (min(left, self.take) if self.take else left) + 1):
                found.append(f"{number}:{taken}" if len(self.heaps) > 1 else str(taken))
        return found

    def play(self, s: Any, name: str) -> Any:
        number, taken = map(int, name.split(":")) if ":" in name else (1, int(name))
        heaps = list(s[0])
        heaps[number - 1] -= taken
        assert heaps[number - 1] >= 0
        return tuple(heaps), 1 - s[1]

    def result(self, s: Any) -> int | None:
        if any(s[0]):
            return None
        won_by_mover = self.misere  # the other has taken the last
        return (1 if s[1] == 0 else -1) * (1 if won_by_mover else -1)

    def rows(self, s: Any) -> list[str]:
        return [f"{left} {'|' * left}".rstrip() for left in s[0]]


class FromGame:
    """The rules of a damier Game seen as naive rules, its moves by their numbers: for games that
    have no second set of rules here.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.start = game.start

    def mover(self, s: Any) -> int:
        return self.game.mover(s)

    def moves(self, s: Any) -> list[str]:
        legal = self.game.moves(s)
        return [str(bit) for bit in range(62) if legal >> bit & 1]

    def play(self, s: Any, name: str) -> Any:
        return self.game.play(s, 1 << int(name))

    def result(self, s: Any) -> int | None:
        return self.game.payoff(s, 0) if self.game.over(s) else None

    def rows(self, s: Any) -> list[str]:
        return [repr(s)]


# ------------------------------------------------------------------------------------------
# naive counting


@dataclass
class Census:
    """What can be reached: by the ply at which it is first met."""

    by_ply: list[int] = field(default_factory=list)
    wins: int = 0
    draws: int = 0
    losses: int = 0
    states: list[Any] = field(default_factory=list)


def census(rules: Rules, name: Callable[[Any], Hashable] = lambda s: s) -> Census:
    """Breadth first from the start; states of the same `name` count once."""
    counted = Census()
    layer, seen = [rules.start], {name(rules.start)}
    while layer:
        counted.by_ply.append(len(layer))
        counted.states += layer
        following = []
        for s in layer:
            result = rules.result(s)
            if result is not None:
                counted.wins += result > 0
                counted.draws += result == 0
                counted.losses += result < 0
                continue
            for move in rules.moves(s):
                child = rules.play(s, move)
                if name(child) not in seen:
                    seen.add(name(child))
                    following.append(child)
        layer = following
    return counted


def lines_of(rules: Rules, s: Any, plies: int) -> int:
    """How many lines of exactly so many plies start at `s`."""
    if plies == 0:
        return 1
    if rules.result(s) is not None:
        return 0
    return sum(lines_of(rules, rules.play(s, move), plies - 1) for move in rules.moves(s))


def complete_games(rules: Rules) -> tuple[int, int, int]:
    """Complete games won, drawn and lost by player 0."""
    done: dict[Any, tuple[int, int, int]] = {}

    def games(s: Any) -> tuple[int, int, int]:
        if s not in done:
            result = rules.result(s)
            if result is not None:
                done[s] = (int(result > 0), int(result == 0), int(result < 0))
            else:
                won, drawn, lost = zip(*(games(rules.play(s, move)) for move in rules.moves(s)), strict=True)
                done[s] = (sum(won), sum(drawn), sum(lost))
        return done[s]

    with deep_recursion():
        return games(rules.start)


# ------------------------------------------------------------------------------------------
# naive solving


class Known(NamedTuple):
    """What a state is worth to player 0, and in how many plies if the winner hurries and the loser
    delays (None: a draw).
    """

    value: int
    plies: int | None


def by_recursion(rules: Rules) -> dict[Any, Known]:
    """Minimax over every state that can follow the start of a game without cycles."""
    known: dict[Any, Known] = {}

    def solve(s: Any) -> Known:
        if s in known:
            return known[s]
        result = rules.result(s)
        if result is not None:
            known[s] = Known(result, 0)
        else:
            known[s] = best_of(rules.mover(s), [solve(rules.play(s, move)) for move in rules.moves(s)])
        return known[s]

    with deep_recursion():
        solve(rules.start)
    return known


def best_of(mover: int, children: list[Known]) -> Known:
    """What the best of some children makes of the state above them."""
    ours = 1 if mover == 0 else -1
    wins = [child.plies for child in children if child.value == ours]
    if wins:
        return Known(ours, 1 + min(wins))
    if any(child.value == 0 for child in children):
        return Known(0, None)
    return Known(-ours, 1 + max(child.plies for child in children))


def by_iteration(rules: Rules) -> dict[Any, Known]:
    """Values by rounds, to a fixed point: in round n, whatever somebody can force to end in n
    plies. What is never decided is a draw.
    """
    states = census(rules).states
    results = {s: rules.result(s) for s in states}
    children = {
        s: [] if results[s] is not None else [rules.play(s, move) for move in rules.moves(s)] for s in states
    }
    known = {s: Known(result, 0) for s, result in results.items() if result in (1, -1)}
    plies = 0
    fresh = dict(known)
    while fresh:
        plies += 1
        fresh = {}
        for s in states:
            if results[s] is None and s not in known:
                ours = 1 if rules.mover(s) == 0 else -1
                if any(child in known and known[child].value == ours for child in children[s]):
                    fresh[s] = Known(ours, plies)
                elif all(child in known and known[child].value == -ours for child in children[s]):
                    fresh[s] = Known(-ours, plies)
        known |= fresh
    return {s: known.get(s, Known(0, 0 if results[s] is not None else None)) for s in states}


def best_moves(rules: Rules, known: dict[Any, Known], s: Any) -> tuple[set[str], set[str]]:
    """The moves that keep the value of `s`, and those of them that win soonest or lose latest."""
    reached = {move: known[rules.play(s, move)] for move in rules.moves(s)}
    keeping = {move for move, child in reached.items() if child.value == known[s].value}
    if known[s].value == 0:
        return keeping, keeping
    wanted = known[s].plies - 1
    return keeping, {move for move in keeping if reached[move].plies == wanted}


@contextmanager
def deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
