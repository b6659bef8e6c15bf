"""A position that a person sets up, piece by piece or in the game's own notation: accepted where it is
legal, and told why where it is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, reduce
from typing import TypeAlias

from markupsafe import Markup

from damier.core.board import Board, Grid, NumberBoard, Points
from damier.core.errors import BadFile, BadInput, IllegalMove
from damier.core.game import Game, Position, read_position, written_position
from damier.core.rules import State
from damier.core.words import Message, _, error_text, message
from damier.draw.board import piece_name
from damier.games import chess_pgn, draughts, go
from damier.games.mnk import MnkState as Stones, stones
from damier.solve import solve
from damier.web.board_position import is_of, on_field
from damier.web.pages import Row


@dataclass(frozen=True)
class SetUp:
    """A position in the making.

    Attributes:
        rows: its board, as it is drawn
        rest: what the notation says beside it, who moves first
    """

    game: Game
    notation: Notation
    rows: tuple[str, ...]
    rest: str

    @property
    def text(self) -> str:
        """The notation."""
        return self.notation.write(self.rows, self.rest)

    @property
    def movers(self) -> dict[str, int]:
        """Return how the notation says who moves, as the first position does and as the next one, and which
        player that is.
        """
        first = Position(self.game, self.game.start)
        both = (first, first.play(first.moves[0]))
        found = {position.mover: self.notation.read(written_position(position)) for position in both}
        return {made[1].split()[0]: player for player, made in found.items() if made}

    @property
    def mover(self) -> str:
        return self.rest.split()[0]

    def piece(self, place: int) -> str:
        """The character on a place; `UNUSED` where nothing can stand, or there is no such place."""
        where = self._where(place)
        return self.rows[where[0]][where[1]] if where else UNUSED

    def put(self, place: int, piece: str) -> SetUp:
        """With a piece on a place, or nothing where that stood there already."""
        return self.changed({place: FREE if self.piece(place) == piece else piece})

    def moved(self, start: int, end: int) -> SetUp:
        """With what stands on one place on another instead."""
        piece = self.piece(start)
        if piece not in pieces(self.game) or self.piece(end) == UNUSED:
            return self
        return self.changed({start: FREE, end: piece})

    def cleared(self) -> SetUp:
        """With nothing on the board."""
        return self.changed(dict.fromkeys(range(self.board().places), FREE))

    def changed(self, places: Mapping[int, str]) -> SetUp:
        """With other pieces on some places, as far as they can stand there."""
        allowed = (*pieces(self.game), FREE)
        rows = [[*row] for row in self.rows]
        for place, piece in places.items():
            where = self._where(place)
            if where and piece in allowed and rows[where[0]][where[1]] != UNUSED:
                rows[where[0]][where[1]] = piece
        made = replace(self, rows=tuple(map("".join, rows)))
        return set_up(self.game, made.with_what_still_holds().text) or self

    def _where(self, place: int) -> tuple[int, int] | None:
        """Return the row of a place, and its column there."""
        board = board_of(self.game)
        for number, places in enumerate(board.by_rows if board else ()):
            if place in places:
                return number, places.index(place)
        return None

    def with_what_still_holds(self) -> SetUp:
        """Without the rights of castling whose king or rook is not at home, and without a pawn that was just
        passed, which no other board has.
        """
        words = self.rest.split()
        if self.game.name != "chess" or len(words) < 3:
            return self
        board = "".join(self.rows)
        rights = (letter for letter in words[1] if all(board[c] == man for c, man in HOMES.get(letter, ())))
        return replace(self, rest=" ".join([words[0], "".join(rights) or "-", "-", *words[3:]]))

    def moved_by(self, mover: str) -> SetUp:
        """With somebody else to move."""
        if mover not in self.movers or mover == self.mover:
            return self
        return replace(self, rest=" ".join([mover, *self.rest.split()[1:]])).with_what_still_holds()

    def tidied(self) -> SetUp:
        """With the other to move, or other men in hand, where only that is legal, or where it is wrong for
        another reason: these mostly follow from what stands on the board, and it is the other reason that
        helps.
        """
        why = fault_of_board(self.game, self.text)
        if not why:
            return self
        others = [other for other in self.beside() if other != self]
        faults = {other.text: fault_of_board(self.game, other.text) for other in others}
        legal = (other for other in others if not faults[other.text])
        return next(legal, next((other for other in others if faults[other.text] != why), self))

    def beside(self) -> Iterator[SetUp]:
        """Yield the same board with whatever else may be said beside it: who moves and, where that is
        a number, how many men are in hand, from the nearest on.
        """
        words = self.rest.split()
        hands = [""]
        if len(words) == 2 and words[1].isdecimal():
            hand, most = int(words[1]), int(set_up_at_first(self.game).rest.split()[1])
            hands = [str(n) for n in sorted(range(most + 1), key=lambda n: abs(n - hand))]
        for hand_said in hands:
            for mover in (self.mover, *(mover for mover in self.movers if mover != self.mover)):
                rest = f"{mover} {hand_said}" if hand_said else self.moved_by(mover).rest
                yield replace(self, rest=rest)

    def board(self) -> Board:
        """As a board, whether it is legal or not."""
        board = board_of(self.game)
        assert board is not None
        assert not isinstance(board, NumberBoard)  # no notation says it by rows
        if isinstance(board, Points):
            marks = {
                place: piece
                for places, row in zip(board.by_rows, self.rows, strict=True)
                for place, piece in zip(places, row, strict=True)
            }
            shown = "".join(marks[place] for place in range(board.places))
            return replace(board, marks=shown, caption="")
        return replace(board, rows=self.rows, caption="")


def board_of(game: Game) -> Board | None:
    """The board of the first position."""
    return game.grid(game.start) if game.grid else None


def pieces(game: Game) -> tuple[str, ...]:
    """The pieces that can be put on a board."""
    board = board_of(game)
    return tuple(board.looks) if board else ()


def tray(game: Game) -> list[list[Row]]:
    """The pieces beside a board, to be taken from there: those of each side, and what belongs to none.

    Of each `piece`, a character, which is its key as well: its `look`, its `name` in words, and how it is
    `drawn` on a field.
    """
    board = board_of(game)
    if board is None:
        return []
    rows = [[piece for piece, look in board.looks.items() if is_of(look, side)] for side in game.sides]
    rows.append([piece for piece in board.looks if not any(piece in row for row in rows)])
    return [
        [
            {
                "piece": piece,
                "look": board.looks[piece],
                "name": piece_name(board, piece),
                "drawn": on_field(board.looks[piece], board),
            }
            for piece in row
        ]
        for row in rows
        if row
    ]


def eraser(board: Board | None) -> Markup:
    """The rubber that takes a piece away, drawn as the pieces of the tray are."""
    return on_field(None, board) if board else Markup()


def set_up(game: Game, text: str) -> SetUp | None:
    """A position in the making; None where the notation says no board of the game's, or is not written
    as it should be: nothing that somebody typed is mended in silence.
    """
    board = board_of(game)
    notation = notation_of(game, board) if board and not isinstance(board, NumberBoard) else None
    found = notation.read(text) if notation else None
    if notation and found and notation.write(*found) != " ".join(text.split()):
        as_written = legal(game, text)  # perhaps in another order
        found = notation.read(written_position(as_written)) if as_written else None
    if board is None or notation is None or found is None:
        return None
    if [len(row) for row in found[0]] != [len(row) for row in board.rows]:
        return None
    return SetUp(game, notation, *found)


def set_up_at_first(game: Game) -> SetUp:
    """The first position, of a game that has others in the making."""
    made = set_up(game, written_position(Position(game, game.start)))
    assert made is not None
    return made


def legal(game: Game, text: str) -> Position | None:
    """The position that is written so, if it is one."""
    try:
        return read_position(game, text)
    except BadInput:
        return None


LONGEST_RECORD = 20_000
"""Characters of a game that is pasted."""
RECORDED = {"chess": r"\[\w+ \"|1\s*\.", "draughts": r"\[\w+ \"|1\s*\.", "go": r"\(\s*;"}
"""How a whole game begins, as PGN, PDN or SGF."""
RESULT = re.compile(r"(\*|[012](/2)?-[012](/2)?)\s*$")
"""How it ends; what is pasted often lacks that."""


def pasted(game: Game, text: str) -> str:
    """A position as it is written or, where a whole game is pasted (PGN, PDN, SGF), that at its end.

    Raises BadInput, with the move that is wrong.
    """
    if game.source is not None or not re.match(RECORDED.get(game.name, "(?!)"), text.strip()):
        return text
    try:
        found = _end_of_record(game, text if game.name == "go" or RESULT.search(text) else f"{text} *")
    except BadFile as error:
        raise BadInput(str(error)) from None
    if found is None or legal(game, written_position(found)) is None:
        raise BadInput(message("this is no game of {game}", game=game.text))
    return written_position(found)


def _end_of_record(game: Game, text: str) -> Position | None:
    """The last position of the first game in a text."""
    if game.name == "chess":
        chess = next(chess_pgn.read_pgn(text), None)
        return reduce(Position.after, chess.moves, Position(game, chess.start.state)) if chess else None
    if game.name == "go":
        return go.read_sgf(text).end
    games = draughts.read_pdn(text, "english" if game.options["variant"] == "english" else "international")
    return games[0].end if games else None


def fault_of_board(game: Game, text: str) -> str:
    """Return why a position is none, without repeating it; nothing where it is legal."""
    try:
        if has_impossible_boards(game) and (found := set_up(game, text)):
            moves_to(game, "".join(found.rows))
        read_position(game, text)
    except (BadInput, IllegalMove) as error:
        said = error_text(error)
        return str(said.values.get("reason", said) if isinstance(said, Message) else said)
    return ""


# Boards of noughts and crosses written cell by cell: whether one can come up, by which moves, and
# if not, why (rows ).

IMPOSSIBLE = "XXX...OOO"
"""An example: two rows are full, and the game was over with the first."""


def has_impossible_boards(game: Game) -> bool:
    """Return whether a page asks which boards are possible."""
    return game.name == "tictactoe"


def read_board(game: Game, text: str) -> Stones:
    """The state of nine characters `X`, `O` and `.`, row by row. Raises BadInput."""
    if not has_impossible_boards(game):
        raise BadInput(message("board= belongs to tictactoe; of {game}, give moves=", game=game.text))
    board = tidy(text)
    if not board:
        raise BadInput(
            message(
                "{board} is not a board; write nine characters, X, O and . for a free cell, row by row",
                board=text,
            )
        )
    crosses, rings = board.count("X"), board.count("O")
    if crosses - rings not in (0, 1):
        sentence = _(
            "impossible: {crosses} X and {rings} O; X begins and they take turns, so there are as many X as"
            " O, or one more"
        )
        raise BadInput(sentence.format(crosses=crosses, rings=rings))
    board_state = game.read_state(list(stones(board)))
    assert isinstance(board_state, Stones)
    return board_state


def tidy(text: str) -> str:
    """A board as nine characters; nothing where it is none."""
    board = re.sub("[ _-]", ".", text.upper())
    return board if re.fullmatch("[XO.]{9}", board) else ""


def moves_to(game: Game, text: str) -> list[str]:
    """Moves that lead to a board. Raises BadInput, with the reason, where there are none."""
    wanted = read_board(game, text)
    found = way(game, game.start, wanted)
    if found is None:
        raise BadInput(reason(game, wanted))
    return found


def way(game: Game, s: State, wanted: Stones) -> list[str] | None:
    """The moves from one position to another: only stones that stand there are put down."""
    if s == wanted:
        return []
    for move in game.legal(s):
        child = game.play(s, move)
        assert isinstance(child, Stones)
        mine, theirs = (
            (wanted.mine, wanted.theirs)
            if game.mover(child) == game.mover(wanted)
            else (wanted.theirs, wanted.mine)
        )
        if child.mine & ~mine or child.theirs & ~theirs:
            continue
        rest = way(game, child, wanted)
        if rest is not None:
            return [game.name_move(s, move), *rest]
    return None


def reason(game: Game, s: Stones) -> str:
    """Return why a board with the right number of stones cannot come up: it goes on after a line of three."""
    mine, theirs = (
        game.over(Stones(*side)) and game.outcome(Stones(*side)) != 0
        for side in ((s.theirs, s.mine), (s.mine, s.theirs))
    )
    if mine and theirs:
        return _("impossible: both have three in a row; the game was over with the first")
    return _("impossible: who has three in a row won with it, and the other has moved since")


@cache
def positions() -> int:
    """Return how many boards can come up."""
    from damier.lab.games import load

    return len(solve(load("tictactoe")))


# How the notations of positions say what stands on a board: each is read into the rows of the board as
# it is drawn, and written from there, whether the position is legal or not. What a notation says beside the
# board comes with these rows; it begins with who moves. What is not written so is read as None.

FREE, UNUSED = ".", " "
MATCH = "|"
HOMES = {
    "K": ((60, "K"), (63, "R")),
    "Q": ((60, "K"), (56, "R")),
    "k": ((4, "k"), (7, "r")),
    "q": ((4, "k"), (0, "r")),
}
"""Where king and rook of a right of castling are at home."""

Rows = tuple[str, ...]


@dataclass(frozen=True)
class RowsNotation:
    """`XX./.../... O`: the rows joined by `/`; where they are `compressed`, as in chess, numbers stand for
    free cells.
    """

    compressed: bool

    def read(self, text: str) -> tuple[Rows, str] | None:
        board, _space, rest = text.strip().partition(" ")
        rows = [re.sub("[0-9]{1,2}", lambda found: FREE * int(found[0]), row) for row in board.split("/")]
        return (tuple(rows), rest) if rest else None

    def write(self, rows: Rows, rest: str) -> str:
        if self.compressed:
            rows = tuple(re.sub(r"\.+", lambda found: str(len(found[0])), row) for row in rows)
        return f"{'/'.join(rows)} {rest}"


@dataclass(frozen=True)
class HeapsNotation:
    """`3/4/5 first`: how many matches lie in every heap; `largest` are those of the first position."""

    largest: tuple[int, ...]

    def read(self, text: str) -> tuple[Rows, str] | None:
        heaps, _space, rest = text.strip().partition(" ")
        if not re.fullmatch("[0-9]{1,2}(/[0-9]{1,2})*", heaps) or not rest:
            return None
        return tuple((MATCH * int(n)).ljust(max(self.largest), FREE) for n in heaps.split("/")), rest

    def write(self, rows: Rows, rest: str) -> str:
        counts = (min(row.count(MATCH), most) for row, most in zip(rows, self.largest, strict=True))
        return f"{'/'.join(map(str, counts))} {rest}"


@dataclass(frozen=True)
class SquaresNotation:
    """`B:W18,24,K10:B12,16`: who moves, and the numbers of the squares of each side, `K` before those of
    kings; capitals are kings on the board. `numbers` are those of all cells, "" for one that is not used.
    """

    numbers: tuple[str, ...]
    width: int

    def read(self, text: str) -> tuple[Rows, str] | None:
        found = re.fullmatch("([BW]):([BW])([K0-9,]*):([BW])([K0-9,]*)", text.strip())
        if not found or found[2] == found[4]:
            return None
        cells = [FREE if number else UNUSED for number in self.numbers]
        for colour, squares in ((found[2], found[3]), (found[4], found[5])):
            for king, number in re.findall("(K?)([0-9]+)", squares):
                if number not in self.numbers:
                    return None
                cells[self.numbers.index(number)] = colour if king else colour.lower()
        board = "".join(cells)
        return tuple(board[i : i + self.width] for i in range(0, len(board), self.width)), found[1]

    def write(self, rows: Rows, rest: str) -> str:
        pieces = [(piece, self.numbers[cell]) for cell, piece in enumerate("".join(rows))]
        sides = (
            colour
            + ",".join(
                "K" * (piece == colour) + number for piece, number in pieces if piece.upper() == colour
            )
            for colour in "WB"
        )
        return ":".join((rest, *sides))


Notation: TypeAlias = RowsNotation | HeapsNotation | SquaresNotation
"""One way to write a position."""


def notation_of(game: Game, board: Board) -> Notation | None:
    """The one in which the first position of a game says its board; None where it is none of these."""
    first, rows = written_position(Position(game, game.start)), tuple(board.rows)
    for kind in _kinds(board):
        found = kind.read(first)
        if found and found[0] == rows and kind.write(*found) == first:
            return kind
    return None


def _kinds(board: Board) -> Iterator[Notation]:
    """Those that a board may have."""
    yield from (RowsNotation(compressed=False), RowsNotation(compressed=True))
    if isinstance(board, Grid):
        yield HeapsNotation(tuple(row.count(MATCH) for row in board.rows))
        if board.numbers:
            yield SquaresNotation(board.numbers, board.width)


# The address of a table as a code that a phone reads (QR, ISO/IEC 18004), drawn by segno
# (docs/decisions/0013).


def code_picture(link: str) -> Markup:
    """The code as SVG: dark on light in every theme, with the quiet edge that readers need."""
    import segno  # many modules, which nothing but this code needs

    code = segno.make(link, micro=False)
    drawn: str = code.svg_inline(
        scale=4,
        border=4,
        dark="#000",
        light="#fff",
        svgclass="code",
        lineclass=None,
        omitsize=True,
        title=_("The address of this table as a QR code"),
    )
    return Markup(drawn.replace("<svg ", '<svg role="img" ', 1))
