"""Parts of a board page that follow from the position alone, whoever sits there: the sides beside the board,
with their pieces, what was taken and what is counted; what a board of chess shows of its kings; and what
pointing at the places of a board means.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from markupsafe import Markup

from damier.core.board import Board, Grid, Look, NumberBoard
from damier.core.game import Game, Position
from damier.core.moves import each
from damier.core.rules import State
from damier.core.words import _, grouped, ngettext
from damier.draw.background import material
from damier.draw.board import NAMES
from damier.draw.pieces import SHAPES
from damier.draw.svg import tag
from damier.draw.text import MoveMark, grid_of, is_free

COLOURS: dict[str, tuple[str, ...]] = {
    "White": ("light", "white"),
    "Black": ("dark", "black"),
    "Red": ("red",),
    "Yellow": ("yellow",),
    "X": ("cross",),
    "O": ("ring",),
}
"""How the looks of the pieces of a side begin."""
MATERIAL = {"king": 0, "queen": 9, "rook": 5, "bishop": 3, "knight": 3, "pawn": 1}
"""What a chessman is worth, as beginners count, the heaviest first."""
MEN: tuple[Look, Look] = ("light", "dark")
"""The looks of pieces that lie in places of numbers."""


Taken: TypeAlias = tuple[str, str, tuple[tuple[Markup, int], ...]]
"""How far ahead a player is, what he has taken in words, and the same drawn."""


@lru_cache(maxsize=4096)
def census(game: Game, s: State) -> Counter[Look]:
    """Count of the pieces of each look that stand on a board."""
    board = game.grid(s) if game.grid else None
    if board is None or isinstance(board, NumberBoard):
        return Counter()
    return Counter(board.looks[piece] for row in board.rows for piece in row if piece in board.looks)


def is_of(look: Look, side: str) -> bool:
    """Return whether a look is that of a side, by the name that a game gives it."""
    return look.startswith(COLOURS.get(side, ("?",)))


def taken_by(game: Game, player: int, positions: Iterable[Position]) -> Counter[Look]:
    """Return what a player took: pieces of others that are fewer after his moves."""
    found: Counter[Look] = Counter()
    before: Position | None = None
    for after in positions:
        if before is not None and before.mover == player:
            gone = census(game, before.state) - census(game, after.state)
            found += Counter({look: n for look, n in gone.items() if not is_of(look, game.sides[player])})
        before = after
    return found


def sides(position: Position, line: list[Position], who: list[str]) -> list[dict[str, object]]:
    """The players beside the board, where the game has names for them; `line` are the positions of the
    game so far, `who` is what each is called.

    Of each: `who` that is; `sign`, one of his pieces, drawn; whether he `moves` now; `count`, what is counted
    on the board, or was taken, as text, and `words`, the same for who does not see it; `taken`, the pieces of
    others that he has taken, drawn, and how many of each.
    """
    game, board = position.game, grid_of(position)
    if board is None or len(game.sides) != game.players:
        return []
    made, found = material(board), list[dict[str, object]]()
    for player, name in enumerate(game.sides):
        own = next((look for look in (*board.looks.values(), *MEN) if is_of(look, name)), None)
        sign = drawn(own, made) if own else Markup()
        moves = not position.over and position.mover == player
        if made == "m-felt":  # what lies on felt is counted
            n = sum(number for look, number in census(game, position.state).items() if is_of(look, name))
            counted: Taken = grouped(n), ngettext("{n} disc", "{n} discs", n), ()
        elif "white_stone" in board.looks.values():
            n = taken_by(game, player, line).total()
            sentence = ngettext("{n} stone taken", "{n} stones taken", n) if n else ""
            counted = sentence, sentence, ()
        else:
            counted = taken_in_words(game, player, line, made)
        count, words, taken = counted
        found.append(
            {"who": who[player], "sign": sign, "moves": moves, "count": count, "words": words, "taken": taken}
        )
    return found


def taken_in_words(game: Game, player: int, line: list[Position], made: str | None) -> Taken:
    """Return what a player has taken, the heaviest first; of chess, how much more that is worth than what he
    lost.
    """
    taken, lost = taken_by(game, player, line), taken_by(game, 1 - player, line)
    if not taken:
        return "", "", ()
    ahead = sum(value_of_man(look) * n for look, n in taken.items()) - sum(
        value_of_man(look) * n for look, n in lost.items()
    )
    in_order = sorted(taken, key=rank)
    pieces = ", ".join(f"{taken[look]} × {_(NAMES[look])}" for look in in_order)
    return (
        f"+{grouped(ahead)}" if ahead > 0 else "",
        _("taken: {pieces}", pieces=pieces),
        tuple((drawn(look, made), taken[look]) for look in in_order),
    )


def value_of_man(look: Look) -> int:
    """Return what a chessman is worth; 0 for anything else."""
    return MATERIAL.get(look.partition("_")[2], 0) if look.startswith(("white_", "black_")) else 0


def rank(look: Look) -> int:
    """The place of a look in a row of taken pieces."""
    kind, order = look.partition("_")[2], [*MATERIAL]
    return order.index(kind) if kind in MATERIAL else len(order)


def drawn(look: Look, made: str | None) -> Markup:
    """A piece alone, small, of what the board is made of."""
    shape = tag("g", SHAPES[look](10, 10, 20), class_=made)
    return Markup(tag("svg", shape, viewBox="0 0 20 20", class_="damier", aria_hidden="true"))


ERASER = (
    '<g transform="rotate(-40 20 20)"><rect class="d-light" x="9" y="14" width="22" height="12" rx="2.5"'
    ' stroke-width="1.2"/><path class="d-head" d="M11.5 14H19V26H11.5Q9 26 9 23.5V16.5Q9 14 11.5 14Z"/></g>'
)
"""A rubber, in forty units."""


def on_field(look: Look | None, board: Board) -> Markup:
    """A piece on a field of its board, or the rubber that takes one away: alone, small."""
    made = material(board)
    field = "d-panel" if made == "m-rack" else "d-square" if made else "d-cell"
    ground = tag("rect", class_=field, x=1, y=1, width=38, height=38, rx=5)
    if made == "m-rack":
        ground += tag("circle", class_="d-hole", cx=20, cy=20, r=16)
    piece = SHAPES[look](20, 20, 40) if look else ERASER
    shape = tag("g", ground, tag("g", piece, class_="tray-piece"), class_=made)
    return Markup(tag("svg", shape, viewBox="0 0 40 40", class_="damier", aria_hidden="true"))


def off_board(marks: Iterable[MoveMark]) -> list[MoveMark]:
    """The moves that happen nowhere on a board on which others do: a pass."""
    found = list(marks)
    return [mark for mark in found if not mark.cells] if any(mark.cells for mark in found) else []


# Chess: a king in check, and what such a game ended by.


def in_check(position: Position) -> tuple[int, ...]:
    """The place of the king of who is to move, where it is in check; none on a board without kings."""
    board = grid_of(position)
    king = ("white_king", "black_king")[position.mover] if position.mover in (0, 1) else ""
    if board is None or king not in board.looks.values() or not position.game.threatened(position.state):
        return ()
    return tuple(place for place in range(board.places) if board.looks.get(board.piece(place)) == king)


def end_in_words(position: Position) -> str:
    """Return by what a game of chess ended, where its board shows it: mate, stalemate."""
    board, game = grid_of(position), position.game
    if not position.over or board is None or "white_king" not in board.looks.values():
        return ""
    if any(position.payoffs or ()):
        return _("Checkmate.")
    stuck = not list(each(game.moves(position.state))) and not game.threatened(position.state)
    return _("Stalemate.") if stuck else ""


# Pointing at the places of a board: the move that a place means, the places that a move passes.

MOST_COMPARED = 512
"""Moves whose boards are compared with the one before them, at most."""
GONE = 3
"""Places that a move changes at most whose piece goes from one to another, and takes what it jumps over."""


def says_itself(grid: Board, mark: MoveMark) -> bool:
    """A stone put on a free cell, or a place that says itself that it can be pressed."""
    return len(mark.cells) == 1 and (isinstance(grid, NumberBoard) or is_free(grid.piece(mark.cells[0])))


def cells_of_move(before: Position, name: str) -> tuple[int, ...]:
    """Return where a move begins and ends; nothing in a game that does not say where moves happen."""
    place = before.game.place
    cells = tuple(place(before.state, before.read(name))) if place else ()
    return (cells[0], cells[-1]) if cells else ()


def columns_of_board(board: Board | None) -> int:
    """Return how many places there are in each row, 0 where rows are not of one length or not numbered
    one after the other.
    """
    rows = board.by_rows if board else ()
    length = len(rows[0]) if rows else 0
    numbered = [place for row in rows for place in row] == list(range(length * len(rows)))
    return length if numbered and all(len(row) == length for row in rows) else 0


class Pointing(NamedTuple):
    """Meaning of pointing at places of a board.

    Attributes:
        taps: by place, the move that it means by itself
        routes: the places of a move one after the other, and the move, where one place does not say it
    """

    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]


def pointing(position: Position, marks: list[MoveMark]) -> Pointing:
    """Return what pointing at the places of a position means; of games that do not tell where a move
    happens too.

    Where moves are named as the columns are, all of a column means its move.
    """
    grid = grid_of(position)
    if grid is None:
        return Pointing({}, [])
    if position.game.place is None:
        found = by_comparison(position, grid, marks)
        return Pointing(in_columns(grid, found.taps), found.routes)
    return Pointing(in_columns(grid, taps(marks)), routes(position, marks))


def taps(marks: list[MoveMark]) -> dict[int, str]:
    """By place, the only move that happens there and nowhere else."""
    alone = [mark for mark in marks if len(mark.cells) == 1]
    shared = Counter(mark.cells for mark in alone)
    return {mark.cells[0]: mark.name for mark in alone if shared[mark.cells] == 1}


def in_columns(grid: Board, found: dict[int, str]) -> dict[int, str]:
    """Return the same, with all cells of a column where each move is called as its column is."""
    if not isinstance(grid, Grid) or not all(
        cell < grid.places and grid.columns[cell % grid.width : cell % grid.width + 1] == (name,)
        for cell, name in found.items()
    ):
        return found
    return {
        row * grid.width + cell % grid.width: name
        for cell, name in found.items()
        for row in range(grid.height)
    }


def by_comparison(position: Position, grid: Board, marks: list[MoveMark]) -> Pointing:
    """Return what places mean in a game that tells of no move where it happens: a place means the move
    that is called as it is, else the moves that change what is there. Where those are several, the
    other places that each changes tell them apart, or else their names.
    """
    names = {mark.name for mark in marks}
    found = {place: name for place in range(grid.places) if (name := grid.name_of(place)) in names}
    meant: dict[int, list[tuple[str, tuple[int, ...]]]] = {}
    for mark in marks if len(marks) <= MOST_COMPARED and not position.game.imperfect_information else ():
        places = changed(grid, grid_of(position.after(mark.move)))
        for place in places:
            if place not in found:
                meant.setdefault(place, []).append((mark.name, places))
    ways: list[tuple[tuple[int, ...], str]] = []
    for place, moves in meant.items():
        if len(moves) == 1:
            found[place] = moves[0][0]
            continue
        ways += [((place,), name) for name, _places in moves]
        if all(1 < len(places) <= GONE for _name, places in moves):
            ways += [((place, other), name) for name, places in moves for other in places if other != place]
    return Pointing(found, ways)


def changed(before: Board, after: Board | None) -> tuple[int, ...]:
    """The places of a board at which another shows something else; none where it is another board."""
    if after is None or type(after) is not type(before) or after.places != before.places:
        return ()
    return tuple(place for place in range(before.places) if before.piece(place) != after.piece(place))


def routes(position: Position, marks: list[MoveMark]) -> list[tuple[tuple[int, ...], str]]:
    """The places that moves pass, one after the other: where a move has several, or shares its only
    one with others. There may be many ways to one move.
    """
    game, s = position.game, position.state
    if game.ways:
        named = position.named_moves
        return [(way, mark.name) for mark in marks for way in game.ways(s, named[mark.name])]
    shared = Counter(mark.cells for mark in marks)
    return [
        (mark.cells, mark.name)
        for mark in marks
        if len(mark.cells) > 1 or (mark.cells and shared[mark.cells] > 1)
    ]
