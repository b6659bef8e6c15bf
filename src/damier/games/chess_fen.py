"""Positions of chess in Forsyth-Edwards notation, FEN (S. J. Edwards, 1994 [Edwards94], section
16.1).

A state has no clocks: `to_fen` takes them, `read_fen` gives them back beside the state. In a line of
positions the first of them is how many positions before may come back, since what resets it is what
cannot be taken back; the positions that it stands for are not known (`UNKNOWN`). The cell of
a pawn that has passed is written only where it can be taken there, since only then the positions
differ. It is read wherever a pawn may have passed, as older programs write it after every double
step.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.bits import popcount, position_of
from damier.core.errors import BadInput
from damier.core.words import _, message
from damier.games.chess_attacks import RANK_1, RANK_3, RANK_6, RANK_8
from damier.games.chess_names import FILES, board_rows, cell_name, seen_by_white
from damier.games.chess_rules import LIGHT_CELLS, ChessState, checkers, truly_passed, turned_over

PIECES = "KQRBNPkqrbnp"
CASTLES = {"K": 1 << 7, "Q": 1, "k": 1 << 63, "q": 1 << 56}  # the rook that each letter stands for
LONGEST = 200
"""The most characters that are read; a FEN has at most some 90."""


UNKNOWN = ChessState(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
"""Stands for a position of the game before that is not known: an empty board, which none is equal to."""


class FenPosition(NamedTuple):
    """What a FEN says."""

    state: ChessState
    halfmove_clock: int  # plies since a pawn moved or a piece was taken
    move_number: int  # of the next move


def to_fen(s: ChessState, halfmove_clock: int = 0, move_number: int = 1) -> str:
    """The position as FEN.

    >>> from damier.games.chess_rules import START
    >>> to_fen(START)
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    """
    rows = "/".join(board_rows(s))
    for free in range(8, 0, -1):
        rows = rows.replace("." * free, str(free))
    return (
        f"{rows} {'b' if s.mover else 'w'} {castling_text(s)} {passed_text(s)} {halfmove_clock} {move_number}"
    )


def written_clocks(s: ChessState, reversible: int, plies: int) -> str:
    """The position as FEN, so many plies after the last that cannot be taken back, and after the first."""
    return to_fen(s, reversible, plies // 2 + 1)


def clocks_of(text: str) -> tuple[tuple[ChessState, ...], int]:
    """What the clocks of a FEN say of the game before: positions, and plies. Raises BadInput."""
    s, halfmove_clock, move_number = read_fen(text)
    return (UNKNOWN,) * halfmove_clock, 2 * (move_number - 1) + s.mover


def castling_text(s: ChessState) -> str:
    """Who may still castle and where, such as `KQkq`; `-` where nobody may."""
    rights = seen_by_white(s).rights
    return "".join(letter for letter, rook in CASTLES.items() if rights & rook) or "-"


def passed_text(s: ChessState) -> str:
    """The cell on which a pawn can be taken in passing, or `-`."""
    passed = seen_by_white(s).rights & (RANK_3 | RANK_6)
    return cell_name(position_of(passed)) if passed else "-"


def from_fen(text: str) -> ChessState:
    """The position of a FEN, or of its first four fields. Raises BadInput, with what is wrong."""
    return read_fen(text).state


def read_fen(text: str) -> FenPosition:
    """What a FEN says, or its first four fields with a clock of 0 in move 1. Raises BadInput."""
    fields = text.split() if len(text) <= LONGEST else []
    if len(fields) not in (4, 6):
        raise wrong(text, _("a FEN has six fields, of which the two clocks may be missing"))
    rows, side, castles, passed, *clocks = fields
    if side not in ("w", "b"):
        raise wrong(text, _("{side} is no side to move; it is w or b", side=side))
    white = white_board(text, rows)
    rights = castling_rights(text, castles, white)
    board = white._replace(rights=rights, mover=0)
    s = turned_over(board) if side == "b" else board
    s = with_passed(text, passed, s)
    check_legal(text, s)
    halfmove_clock, move_number = (clock(text, number) for number in clocks or ("0", "1"))
    if move_number == 0:
        raise wrong(text, _("moves are numbered from 1"))
    return FenPosition(truly_passed(s) if s.rights & RANK_6 else s, halfmove_clock, move_number)


def wrong(text: str, reason: str) -> BadInput:
    """The error for a text that is no position."""
    return BadInput(message("{text} is no position of chess: {reason}", text=text, reason=reason))


def white_board(text: str, rows: str) -> ChessState:
    """The pieces of the first field, White to move, nobody to castle. Raises BadInput."""
    lines = rows.split("/")
    if len(lines) != 8:
        raise wrong(text, _("it has {n} rows; there are eight, with a / between two", n=len(lines)))
    sets = dict.fromkeys(PIECES, 0)
    for number, line in zip(range(8, 0, -1), lines, strict=True):
        column, after_digit = 0, False
        for mark in line:
            if mark in "12345678" and not after_digit:
                column += int(mark)
            elif mark in PIECES:
                sets[mark] |= 1 << 8 * (number - 1) + min(column, 7)
                column += 1
            else:
                raise wrong(
                    text,
                    _("in row {row}, {mark} is neither a piece nor free cells", row=number, mark=mark),
                )
            after_digit = mark in "12345678"
        if column != 8:
            raise wrong(text, _("row {row} has {n} cells; it has eight", row=number, n=column))
    check_material(text, sets)

    def cells(letters: str) -> int:
        return sum(sets[letter] for letter in letters)

    return ChessState(
        cells("KQRBNP"),
        cells("kqrbnp"),
        cells("Pp"),
        cells("Nn"),
        cells("BbQq"),
        cells("RrQq"),
        cells("Kk"),
        0,
        0,
        0,
    )


def check_material(text: str, sets: dict[str, int]) -> None:
    """Raises BadInput where a side has pieces that no game can give it."""
    for letters, side in (("KQRBNP", _("White")), ("kqrbnp", _("Black"))):
        kings, queens, rooks, bishops, knights, pawns = (sets[letter] for letter in letters)
        if popcount(kings) != 1:
            raise wrong(text, _("{side} has {n} kings; it has one", side=side, n=popcount(kings)))
        if pawns & (RANK_1 | RANK_8):
            raise wrong(text, _("{side} has a pawn on the first or the last row", side=side))
        if popcount(pawns) > 8:
            raise wrong(text, _("{side} has {n} pawns; it has at most eight", side=side, n=popcount(pawns)))
        promoted = max(0, popcount(queens) - 1) + sum(
            max(0, popcount(pieces) - most)
            for pieces, most in (
                (rooks, 2),
                (knights, 2),
                (bishops & LIGHT_CELLS, 1),
                (bishops & ~LIGHT_CELLS, 1),
            )
        )
        missing = 8 - popcount(pawns)
        if promoted > missing:
            raise wrong(
                text,
                _(
                    "{side} has more promoted pieces ({n}) than missing pawns ({missing})",
                    side=side,
                    n=promoted,
                    missing=missing,
                ),
            )


def castling_rights(text: str, letters: str, white: ChessState) -> int:
    """The rooks of the third field. Raises BadInput where a king or a rook is not at home."""
    if letters == "-":
        return 0
    if set(letters) - set(CASTLES) or len(set(letters)) != len(letters):
        raise wrong(text, _("{letters} are no castling rights; they are some of KQkq, or -", letters=letters))
    for letter in letters:
        own, king = (white.mine, 1 << 4) if letter.isupper() else (white.theirs, 1 << 60)
        rook = white.straight & ~white.diagonal & own & CASTLES[letter]
        if not (rook and white.kings & own & king):
            raise wrong(text, _("castling {letter}: the king or the rook is not at home", letter=letter))
    return sum(CASTLES[letter] for letter in letters)


def with_passed(text: str, name: str, s: ChessState) -> ChessState:
    """The state with the cell of the fourth field. Raises BadInput where no pawn can have passed it."""
    if name == "-":
        return s
    row = "3" if s.mover else "6"
    if len(name) != 2 or name[0] not in FILES or name[1] != row:
        raise wrong(
            text,
            _("{name} is no cell that a pawn has passed; it is one of row {row}, or -", name=name, row=row),
        )
    cell = 1 << 40 + FILES.index(name[0])
    taken = s.mine | s.theirs
    if not (s.pawns & s.theirs & cell >> 8) or taken & (cell | cell << 8):
        raise wrong(text, _("no pawn can have passed {name} with the last move", name=name))
    before = s._replace(
        theirs=s.theirs ^ cell >> 8 ^ cell << 8, pawns=s.pawns ^ cell >> 8 ^ cell << 8
    )  # the double step taken back
    if checkers(before):
        raise wrong(text, _("no pawn can have passed {name}: the king was in check before", name=name))
    return s._replace(rights=s.rights | cell)


def check_legal(text: str, s: ChessState) -> None:
    """Raises BadInput where the other king could be taken, or more than two pieces give check."""
    other = turned_over(s)
    if checkers(other):
        raise wrong(text, _("the king of the side that is not to move is in check"))
    attackers = popcount(checkers(s))
    if attackers > 2:
        raise wrong(text, _("{n} pieces give check; one move gives at most two", n=attackers))


def clock(text: str, number: str) -> int:
    """A clock of the last two fields. Raises BadInput."""
    if not (number.isascii() and number.isdigit() and len(number) <= 5):
        raise wrong(text, _("{number} is no clock; it is a whole number up to 99999", number=number))
    return int(number)
