"""Go: who has more of the board at the end, with the stones and what they alone surround, wins
(area scoring; John Tromp and Bill Taylor's rules [TrompTaylor], but suicide is forbidden).

Cells are numbered row by row from the top left, one empty bit after each row, so that a step over
the edge meets no cell; the last of these bits is the pass. On 3 × 3:

              0  1  2  .                A3  B3  C3
              4  5  6  .                A2  B2  C2
              8  9 10 pass              A1  B1  C1

A group of stones without a liberty, a free cell beside it, is taken from the board. Two passes in a
row end the game. A stone may not bring back a board that was there (positional superko, which covers
ko): the state holds where it would. Counting and solving, which see single states, know no past.

>>> from damier import load
>>> position = load("go:size=3").position().play("B2", "A1", "B1", "A2", "A3")
>>> print(position)
3  X . .
2  . X .
1  . X .
   A B C
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from string import ascii_lowercase
from typing import NamedTuple, TypeAlias

from damier.core.bits import bit, each, lowest, popcount, position_of
from damier.core.board import Look, Points, read_rows, written_rows
from damier.core.encoding import OTHER, OWN, PlaneLayout
from damier.core.errors import BadFile, BadInput
from damier.core.game import Game, Position, require
from damier.core.past import ago, length
from damier.core.rules import ONGOING, Past
from damier.core.words import N_, _, message, printable

LETTERS = "ABCDEFGHJKLMNOPQRST"
"""Columns as Go players and GTP name them: without I, which looks like a 1."""
PIECES, MOVERS = ("X", "O"), ("black", "white")
PASS = "pass"
KO = "ko"
"""Before the cells that are forbidden, in the text of a position."""


class GoState(NamedTuple):
    mine: int  # stones of the player to move
    theirs: int
    passes: int  # in a row; two end the game
    mover: int  # 0 Black, 1 White
    forbidden: int  # cells where a stone would bring back a board that was there (positional superko)


REACH = 3
"""Cells from a stone as far as it has influence."""


def go(size: int = 9, komi: float = 0.0) -> Game:
    """Surround stones to take them, and cells to own them; White is given `komi` points."""
    require(2 <= size <= 19, _("go: size={size}; a board has from 2 to 19 rows", size=size))
    require(
        abs(komi) <= size * size and komi * 2 == int(komi * 2),
        _("go: komi={komi}; it is a number of half points, at most all of the board", komi=komi),
    )
    row = size + 1
    board = sum((1 << size) - 1 << row * line for line in range(size))
    passing = 1 << row * size - 1
    komi_in_halves = int(komi * 2)

    def beside(cells: int) -> int:
        """The cells next to some cells: to the right, left, below and above."""
        return (cells << 1 | cells >> 1 | cells << row | cells >> row) & board

    def flood(begin: int, within: int) -> int:
        """Return what can be reached from some cells without leaving `within`."""
        reached, more = begin, beside(begin) & within & ~begin
        while more:
            reached |= more
            more = beside(more) & within & ~reached
        return reached

    def moves(s: GoState) -> int:
        free = board & ~(s.mine | s.theirs)
        legal = free & beside(free)  # a stone beside a free cell has a liberty
        left = free & ~legal
        near = beside(left) & s.mine
        while near:  # a group that has another liberty than the new stone's cell keeps it alive
            group = flood(lowest(near), s.mine)
            near &= ~group
            liberties = beside(group) & free
            if liberties & (liberties - 1):
                legal |= liberties
        near = beside(left) & s.theirs
        while near:  # one that has no other is taken, which makes room
            group = flood(lowest(near), s.theirs)
            near &= ~group
            liberties = beside(group) & free
            if liberties & (liberties - 1) == 0:
                legal |= liberties
        return legal & ~s.forbidden | passing

    def taken_by(cell: int, theirs: int, free: int) -> int:
        """The stones beside a new one that have no liberty left."""
        taken = free & theirs  # nothing yet
        near = beside(cell) & theirs
        while near:
            group = flood(lowest(near), theirs)
            near &= ~group
            if beside(group) & free == 0:
                taken |= group
        return taken

    def play(s: GoState, move: int) -> GoState:
        if move == passing:
            return GoState(s.theirs, s.mine, s.passes + 1, 1 - s.mover, 0)
        free = board & ~(s.mine | s.theirs | move)
        return GoState(s.theirs & ~taken_by(move, s.theirs, free), s.mine | move, 0, 1 - s.mover, 0)

    def with_past(s: GoState, past: Past[GoState]) -> GoState:
        """Positional superko: a stone may not bring back a board that was there."""
        forbidden = s.mine & ~s.mine
        for n in range(1, length(past) + 1):
            earlier = ago(past, n)
            own = earlier.mine if earlier.mover == s.mover else earlier.theirs
            if s.mine & ~own == 0:  # it had all stones that the mover has now
                other = earlier.theirs if earlier.mover == s.mover else earlier.mine
                forbidden |= way_back(s, own, other)
        return GoState(s.mine, s.theirs, s.passes, s.mover, forbidden)

    def way_back(s: GoState, own: int, other: int) -> int:
        """The cell where a stone of the mover would bring back a board; none where there is no such."""
        stone = own & ~s.mine
        if stone == 0 or stone & (stone - 1) or stone & s.theirs or other & ~s.theirs:
            return stone & ~stone
        left = s.theirs & ~taken_by(stone, s.theirs, board & ~(s.mine | s.theirs | stone))
        return stone if left == other else stone & ~stone

    def outcome(s: GoState) -> int:
        if s.passes < 2:
            return ONGOING
        lead = 2 * (area(s.mine, s.theirs) - area(s.theirs, s.mine))
        lead += komi_in_halves if s.mover == 1 else -komi_in_halves
        return 1 if lead > 0 else -1 if lead < 0 else 0

    def area(own: int, other: int) -> int:
        """Stones, and the free cells from which no way leads to the other's stones."""
        free = board & ~(own | other)
        return popcount(flood(own, free) & ~flood(other, free))

    def for_black(s: GoState, lead: int) -> int:
        return lead if s.mover == 0 else -lead

    def area_lead(s: GoState) -> int:
        """Return what Black owns less what White owns, if the game ended now; without komi."""
        return for_black(s, area(s.mine, s.theirs) - area(s.theirs, s.mine))

    def stones(s: GoState) -> int:
        """Black stones less white ones."""
        return for_black(s, popcount(s.mine) - popcount(s.theirs))

    def liberties(s: GoState) -> int:
        """Free cells beside black stones less those beside white ones."""
        free = board & ~(s.mine | s.theirs)
        return for_black(s, popcount(beside(s.mine) & free) - popcount(beside(s.theirs) & free))

    def influence(s: GoState) -> int:
        """Cells that are nearer to a stone of Black than to one of White, within REACH cells, and its stones,
        less those of White.
        """
        own, other, free = s.mine, s.theirs, board & ~(s.mine | s.theirs)
        for _step in range(REACH):
            mine, theirs = beside(own) & free, beside(other) & free
            own |= mine & ~theirs
            other |= theirs & ~mine
            free &= ~(mine | theirs)
        return for_black(s, popcount(own) - popcount(other))

    def reward(s: GoState, move: int) -> int:
        """Stones taken."""
        return popcount(taken_by(move & board, s.theirs, board & ~(s.mine | s.theirs | move)))

    def turned(cells: int, symmetry: int) -> int:
        """Columns from the right (1), rows from below (2), rows for columns (4), or several."""
        rest, found = cells, cells & 0
        while rest:
            cell = lowest(rest)
            rest ^= cell
            line, column = divmod(position_of(cell), row)
            if symmetry & 1:
                column = size - 1 - column
            if symmetry & 2:
                line = size - 1 - line
            found |= bit(column * row + line if symmetry & 4 else line * row + column)
        return found

    def turn(s: GoState, symmetry: int) -> GoState:
        return GoState(
            turned(s.mine, symmetry),
            turned(s.theirs, symmetry),
            s.passes,
            s.mover,
            turned(s.forbidden, symmetry),
        )

    def turn_move(move: int, symmetry: int) -> int:
        return move if move == passing else turned(move, symmetry)

    def planes(s: GoState, player: int) -> tuple[int, ...]:
        none = s.mine & ~s.mine
        passed, black = board | none if s.passes else none, board | none if player == 0 else none
        if s.mover == player:
            return s.mine, s.theirs, s.forbidden, passed, black
        return s.theirs, s.mine, s.forbidden, passed, black

    def name_move(s: GoState, move: int) -> str:
        line, column = divmod(position_of(move), row)
        return PASS if move == passing else f"{LETTERS[column]}{size - line}"

    def place(s: GoState, move: int) -> tuple[int, ...]:
        line, column = divmod(position_of(move), row)
        return () if move == passing else (line * size + column,)

    def without_gaps(cells: int) -> int:
        return sum(1 << place // row * size + place % row for place in map(position_of, each(cells)))

    def with_gaps(cells: int) -> int:
        return sum(1 << place // size * row + place % size for place in map(position_of, each(cells)))

    lines = tuple(str(size - line) for line in range(size))

    stars = star_points(size)

    def grid(s: GoState) -> Points:
        blacks, whites = (s.mine, s.theirs) if s.mover == 0 else (s.theirs, s.mine)
        pieces = {"X": without_gaps(blacks), "O": without_gaps(whites)}
        looks: dict[str, Look] = {"X": "black_stone", "O": "white_stone"}
        return Points.crossings(size, size, pieces, looks, tuple(LETTERS[:size]), lines, stars)

    def write_position(s: GoState) -> str:
        words = [written_rows(grid(s).rows, MOVERS[s.mover]), *[PASS] * s.passes]
        if s.forbidden:
            words += [KO, *(name_move(s, cell) for cell in each(s.forbidden))]
        return " ".join(words)

    def read_position(text: str) -> GoState:
        (position, _ko, cells), passes = text.strip().partition(f" {KO} "), 0
        while passes < 2 and position.endswith(f" {PASS}"):
            position, passes = position.removesuffix(PASS).rstrip(), passes + 1
        (blacks, whites), mover = read_rows(position, size, size, PIECES, MOVERS)
        s = GoState(with_gaps(blacks), with_gaps(whites), passes, 0, 0)
        dead = without_liberty(s.mine, s.theirs) | without_liberty(s.theirs, s.mine)
        if dead:
            cell = name_move(s, lowest(dead))
            raise BadInput(message("the stone on {cell} belongs to a group without a liberty", cell=cell))
        free = {name_move(s, cell): cell for cell in each(board & ~(s.mine | s.theirs))}
        for name in cells.split():
            if name not in free:
                raise BadInput(message("{cell} is no free cell where a stone could be forbidden", cell=name))
        forbidden = sum({free[name] for name in cells.split()})
        if mover == 0:
            return GoState(s.mine, s.theirs, passes, 0, forbidden)
        return GoState(s.theirs, s.mine, passes, 1, forbidden)

    def without_liberty(own: int, other: int) -> int:
        return own & ~flood(board & ~(own | other), own)

    return Game(
        "go",
        GoState(0, 0, 0, 0, 0),
        moves,
        play,
        outcome,
        with_past=with_past,
        reward=reward,
        bits=(row * size, row * size, 2, 1, row * size),
        most_moves=row * size,
        symmetries=8,
        turn=turn,
        turn_move=turn_move,
        planes=planes,
        plane_layout=PlaneLayout(
            size,
            size,
            (OWN, OTHER, N_("forbidden to the mover"), N_("all, after a pass"), N_("all, for Black")),
            tuple(line * row + column for line in range(size) for column in range(size)),
        ),
        actions=row * size,
        features={"area": area_lead, "stones": stones, "liberties": liberties, "influence": influence},
        states=6 * 3 ** (size * size),
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        sides=(N_("Black"), N_("White")),
        title=N_("Go"),
        summary=N_("Surround stones and cells; the larger area wins"),
        description=N_(
            "Place a stone on a free cell, or pass. Stones of one colour that are connected are taken from"
            " the board when no free cell is left beside them; your own move may not do that to your own"
            " stones, nor bring back a board that was there. Two passes in a row end the game: who has more"
            " stones and surrounded cells wins."
        ),
    )


def star_points(size: int) -> tuple[int, ...]:
    """The points of a board that have a dot: the handicap points of boards from 9 × 9 on, and the middle.

    >>> star_points(9)
    (20, 24, 40, 56, 60)
    """
    middle = size // 2
    if size < 9:
        return (middle * size + middle,) if size % 2 and size > 3 else ()
    inset = 2 if size < 13 else 3
    ways = {inset, size - 1 - inset} | ({middle} if size % 2 and size > 13 else set())
    corners = {(row, column) for row in ways for column in ways}
    if size % 2:
        corners.add((middle, middle))
    return tuple(sorted(row * size + column for row, column in corners))


# Games of Go as SGF text, written and read (Arno Hollosi, "SGF FF[4]: Smart Game Format"
# [HollosiSgf]): one game tree, of which the main line is read.
#
# Points are two letters, column from the left and row from the top, `a` the first; a pass is an empty
# point. The first node may set stones (AB, AW) and say who begins (PL); else it is who has the first move,
# White after a handicap.
#
# >>> game = read_sgf("(;GM[1]FF[4]SZ[9]KM[5.5]PB[Anna];B[ee](;W[])(;W[aa]))")
# >>> game.size, game.komi, game.moves, game.facts
# (9, 5.5, ('E5', 'pass'), {'PB': 'Anna'})
# >>> write_sgf(game)
# '(;FF[4]GM[1]SZ[9]KM[5.5]PB[Anna];B[ee];W[])'

LONGEST_TEXT, MOST_MOVES = 2_000_000, 5_000
"""Bounds of a file: characters in all, and moves on the main line."""

Node: TypeAlias = dict[str, list[str]]
"""A node's properties by name, each with its values."""

TOKEN = re.compile(
    r"\s+|(?P<sign>[();])|(?P<name>[A-Za-z]{1,40})\s*(?=\[)|\[(?P<value>(?:[^\]\\]|\\.)*)\]", re.DOTALL
)
OF_DAMIER = ("FF", "GM", "SZ", "KM", "AB", "AW", "AE", "PL", "B", "W")
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
    root += "".join(
        name + "[" + value.replace("\\", "\\\\").replace("]", "\\]") + "]"
        for name, value in game.facts.items()
        if name not in OF_DAMIER
    )
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
    # what the first node says for people, as plain text
    facts = {name: _unescaped(values[0]) for name, values in root.items() if name not in OF_DAMIER}
    game = SgfGame(int(size), komi, "", (), facts)
    if size != int(size):
        raise BadInput(message("SZ[{n}] is no size of a board", n=size))
    _game_of(game.size, komi)  # refuses what is too small, too large or no half point
    colours = (colour for node in nodes for colour in "BW" if colour in node)
    first = _one(root, "PL", next(colours, "B")).upper()
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


def _unescaped(value: str) -> str:
    return re.sub(
        r"\\(\r\n|\n\r|.)", lambda m: "" if m[1] in ("\n", "\r", "\r\n", "\n\r") else m[1], value, flags=re.S
    )
