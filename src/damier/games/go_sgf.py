"""Games of Go as SGF text, written and read (Arno Hollosi, "SGF FF[4]: Smart Game Format"
[HollosiSgf]): one game tree, of which the main line is read.

Points are two letters, column from the left and row from the top, `a` the first; a pass is an empty
point. The first node may set stones (AB, AW) and say who begins (PL); else it is who has the first move,
White after a handicap.

>>> game = read_sgf("(;GM[1]FF[4]SZ[9]KM[5.5]PB[Anna];B[ee](;W[])(;W[aa]))")
>>> game.size, game.komi, game.moves, game.facts
(9, 5.5, ('E5', 'pass'), {'PB': 'Anna'})
>>> write_sgf(game)
'(;FF[4]GM[1]SZ[9]KM[5.5]PB[Anna];B[ee];W[])'
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import ascii_lowercase
from typing import TypeAlias

from damier.core.errors import BadFile, BadInput
from damier.core.game import Game, Position
from damier.core.words import message, printable
from damier.games.go import LETTERS, MOVERS, PASS, go
from damier.games.rows_text import written_rows

LONGEST_TEXT, MOST_MOVES = 2_000_000, 5_000
"""Bounds of a file: characters in all, and moves on the main line."""

Node: TypeAlias = dict[str, list[str]]
"""A node's properties by name, each with its values."""

TOKEN = re.compile(
    r"\s+|(?P<sign>[();])|(?P<name>[A-Za-z]{1,40})\s*(?=\[)|\[(?P<value>(?:[^\]\\]|\\.)*)\]", re.DOTALL
)
OWN = ("FF", "GM", "SZ", "KM", "AB", "AW", "AE", "PL", "B", "W")
"""Properties that say what `SgfGame` holds, or what it cannot hold."""


@dataclass(frozen=True)
class SgfGame:
    """A game of Go: the board, the position before the first move ("" for an empty board with Black
    to move), the moves in damier's own words, and what else the first node says (players, date,
    result, …).
    """

    size: int = 19
    komi: float = 0.0
    position: str = ""
    moves: tuple[str, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def start(self) -> Position:
        """The position before the first move. Raises BadInput for an impossible one."""
        game = _game_of(self.size, self.komi)
        read = game.read_position
        return Position(game, read(self.position)) if self.position and read else game.position()

    @property
    def end(self) -> Position:
        return self.start.play(*self.moves)


@cache
def _game_of(size: int, komi: float) -> Game:
    return go(size, komi)


def write_sgf(game: SgfGame) -> str:
    """A game as SGF."""
    start = game.start
    root = f"FF[4]GM[1]SZ[{game.size}]KM[{game.komi:g}]"
    grid = start.game.grid(start.state) if start.game.grid else None
    board = "".join(grid.rows) if grid else ""
    for name, stone in (("AB", "X"), ("AW", "O")):
        points = [_point(*divmod(cell, game.size)) for cell, mark in enumerate(board) if mark == stone]
        root += name + "".join(f"[{point}]" for point in points) if points else ""
    if game.position:
        root += f"PL[{'BW'[start.mover]}]"
    root += "".join(f"{name}[{_escaped(value)}]" for name, value in game.facts.items() if name not in OWN)
    moves = "".join(
        f";{'BW'[(start.mover + ply) % 2]}[{_point_of(move, game.size)}]"
        for ply, move in enumerate(game.moves)
    )
    return f"(;{root}{moves})"


def read_sgf(text: str) -> SgfGame:
    """The game of a text, every move checked.

    Raises BadFile, which says what is wrong, and at which move.
    """
    if len(text) > LONGEST_TEXT:
        raise BadFile(
            message("an SGF file of {n} characters; at most {most}", n=len(text), most=LONGEST_TEXT)
        )
    nodes = _main_line(text.removeprefix("\ufeff"))
    try:
        return _with_moves(_of_root(nodes), nodes)
    except BadInput as error:
        raise BadFile(str(error)) from None


def _main_line(text: str) -> list[Node]:
    """The nodes of the first branch, from the root to its last node."""
    nodes: list[Node] = []
    name, depth, complete = "", 0, False
    for token in _tokens(text):
        sign = token["sign"]
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and sign != ")" and token[0].strip():
            raise BadFile(
                message("an SGF file holds one game, in brackets: {text}", text=printable(token[0], 40))
            )
        if depth < 0 or (sign == "(" and depth == 1 and nodes):
            raise BadFile(message("an SGF file holds one game; after it comes another"))
        complete |= sign == ")"
        if complete:
            continue
        if sign == ";":
            nodes.append({})
        elif token["name"]:
            name = "".join(c for c in token["name"] if c.isupper())
        elif token["value"] is not None:
            if not nodes or not name:
                raise BadFile(
                    message("an SGF value without a property: {text}", text=printable(token[0], 40))
                )
            nodes[-1].setdefault(name, []).append(token["value"])
    if depth or not nodes:
        raise BadFile(message("an SGF file that ends within its game, or holds none"))
    return nodes


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if not token:
            line = text.count("\n", 0, at) + 1
            raise BadFile(
                message("line {n}: {text} is no SGF", n=line, text=printable(text[at : at + 20], 40))
            )
        at = token.end()
        yield token


def _of_root(nodes: Sequence[Node]) -> SgfGame:
    """Board, komi, start and facts. Raises BadInput."""
    root = nodes[0]
    if _one(root, "GM", "1") != "1":
        raise BadInput(message("GM[{n}] is another game; Go is GM[1]", n=printable(_one(root, "GM", ""), 20)))
    size = _number(root, "SZ", "19")
    komi = _number(root, "KM", "0")
    game = SgfGame(int(size), komi, "", (), _facts(root))
    if size != int(size):
        raise BadInput(message("SZ[{n}] is no size of a board", n=size))
    _game_of(game.size, komi)  # refuses what is too small, too large or no half point
    first = _one(root, "PL", _first_to_play(nodes)).upper()
    first = {"BLACK": "B", "WHITE": "W"}.get(first, first)
    if first not in ("B", "W"):
        raise BadInput(
            message("PL says who begins, B or W: {text}", text=printable(_one(root, "PL", ""), 20))
        )
    board = [["."] * game.size for _row in range(game.size)]
    for name, stone in (("AB", "X"), ("AW", "O")):
        for row, column in _points(root.get(name, []), game.size):
            if board[row][column] not in (".", stone):
                raise BadInput(message("{point} holds a stone of each colour", point=_point(row, column)))
            board[row][column] = stone
    rows = ["".join(row) for row in board]
    is_plain = first == "B" and all(set(row) == {"."} for row in rows)
    position = "" if is_plain else written_rows(rows, MOVERS["BW".index(first)])
    return SgfGame(game.size, komi, position, (), game.facts)


def _first_to_play(nodes: Sequence[Node]) -> str:
    """The colour of the first move, Black where there is none."""
    return next((colour for node in nodes for colour in "BW" if colour in node), "B")


def _facts(root: Node) -> dict[str, str]:
    """Return what the first node says for people, as plain text."""
    return {name: _unescaped(values[0]) for name, values in root.items() if name not in OWN}


def _with_moves(game: SgfGame, nodes: Sequence[Node]) -> SgfGame:
    """The game with the moves of its nodes, each checked. Raises BadInput."""
    position = game.start
    names: list[str] = []
    for node in nodes:
        if node is not nodes[0] and {"AB", "AW", "AE", "PL"} & node.keys():
            raise BadInput(
                message("after move {n} stones are set: only the first node may do so", n=len(names))
            )
        played = [colour for colour in "BW" if colour in node]
        if not played:
            continue
        number = len(names) + 1
        if number > MOST_MOVES:
            raise BadInput(message("more than {most} moves", most=MOST_MOVES))
        if played != ["BW"[position.mover]]:
            raise BadInput(message("move {number}: the colours do not alternate", number=number))
        names.append(_move_name(node[played[0]], game.size, number))
        try:
            position = position.play(names[-1])
        except BadInput as error:
            raise BadInput(message("move {number}: {error}", number=number, error=error)) from None
    return SgfGame(game.size, game.komi, game.position, tuple(names), game.facts)


def _move_name(values: Sequence[str], size: int, number: int) -> str:
    """The move at a point; a pass is an empty one, or `tt` on a board of up to 19 rows."""
    if values in ([""], ["tt"]):
        return PASS
    points = list(_points(values, size))
    if len(points) != 1:
        raise BadInput(message("move {number} has {n} points", number=number, n=len(points)))
    row, column = points[0]
    return f"{LETTERS[column]}{size - row}"


def _points(values: Sequence[str], size: int) -> Iterator[tuple[int, int]]:
    """Rows and columns of points, `aa:cc` a whole rectangle of them."""
    letters = ascii_lowercase[:size]
    for value in values:
        match = re.fullmatch(rf"([{letters}])([{letters}])(?::([{letters}])([{letters}]))?", value.strip())
        if not match:
            raise BadInput(
                message(
                    "{text} is no point of a board of {n} rows", text=printable(value, 20) or "[]", n=size
                )
            )
        left, top, right, bottom = (letters.index(match[group] or match[group - 2]) for group in range(1, 5))
        yield from ((row, column) for row in range(top, bottom + 1) for column in range(left, right + 1))


def _point_of(move: str, size: int) -> str:
    return "" if move == PASS else _point(size - int(move[1:]), LETTERS.index(move[0]))


def _point(row: int, column: int) -> str:
    return ascii_lowercase[column] + ascii_lowercase[row]


def _one(node: Node, name: str, otherwise: str) -> str:
    return node.get(name, [otherwise])[0].strip()


def _number(node: Node, name: str, otherwise: str) -> float:
    text = _one(node, name, otherwise)
    if not re.fullmatch(r"-?[0-9]{1,4}(\.[0-9]{0,10})?", text):
        raise BadInput(message("{name}[{text}] is no number", name=name, text=printable(text, 20)))
    return float(text)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")


def _unescaped(value: str) -> str:
    return re.sub(
        r"\\(\r\n|\n\r|.)", lambda m: "" if m[1] in ("\n", "\r", "\r\n", "\n\r") else m[1], value, flags=re.S
    )
