"""Chess, by the laws of FIDE but for clocks; every draw that may be claimed is.

Moves are named as engines write them (UCI), positions in FEN; people are told SAN, which
`chess_pgn` reads, with games of it.

>>> from damier import load
>>> load("chess").position().play("e2e4", "e7e5").moves[:3]
('b1a3', 'b1c3', 'd1e2')
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.analysis import weighed
from damier.core.bits import bit, popcount, position_of
from damier.core.board import Grid, Look
from damier.core.encoding import PlaneLayout
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.rules import ONGOING
from damier.core.words import N_, _, message, ngettext
from damier.games.chess_endgames import chess_endgames
from damier.games.chess_evaluation import EXPLANATIONS, FEATURES, WEIGHTS
from damier.games.chess_rules import (
    BISHOP,
    KNIGHT,
    LIGHT_CELLS,
    QUEEN,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    ROOK,
    START,
    ChessState,
    checkers,
    irreversible,
    moves,
    noisy_moves,
    null_move,
    outcome,
    play,
    points_of,
    truly_passed,
    turned_over,
    with_past,
)

LOOKS: dict[str, Look] = {
    "K": "white_king",
    "Q": "white_queen",
    "R": "white_rook",
    "B": "white_bishop",
    "N": "white_knight",
    "P": "white_pawn",
    "k": "black_king",
    "q": "black_queen",
    "r": "black_rook",
    "b": "black_bishop",
    "n": "black_knight",
    "p": "black_pawn",
}


MOST_POSITIONS = 64 * 63 * 11**62 * 2 * 16 * 9
"""The kings on two cells, nothing or one of the ten other pieces on each of the rest; who moves, sixteen ways
to castle, and at most one of eight cells passed.
"""


def chess() -> Game:
    """The game of chess."""
    return Game(
        "chess",
        START,
        moves,
        play,
        outcome,
        bits=(64, 64, 64, 64, 64, 64, 64, 64, 1, 1),
        most_moves=256,
        reward=points_gained,
        move_score=promise,
        noisy_moves=noisy_moves,
        null_move=null_move,
        threatened=threatened,
        canonical=up_to_mover,
        with_past=with_past,
        irreversible=irreversible,
        planes=planes,
        plane_layout=PlaneLayout(8, 8, PLANES, tuple(cell ^ 56 for cell in range(64))),
        action=action,
        actions=BY_CELLS + PROMOTIONS,
        features=FEATURES,
        evaluation=weighed(WEIGHTS),
        explanations=EXPLANATIONS,
        states=MOST_POSITIONS,
        name_move=uci,
        say_move=in_letters,
        grid=grid,
        place=place,
        write_position=to_fen,
        read_position=from_fen,
        write_clocks=written_clocks,
        read_clocks=clocks_of,
        endgames=chess_endgames(),
        sides=(N_("White"), N_("Black")),
        title=N_("Chess"),
        summary=N_("Chess: give checkmate"),
        description=N_(
            "Attack the other king so that it cannot escape: checkmate. Pieces move by the laws of chess,"
            " with castling, taking in passing and promotion. Stalemate is a draw, and so are a position in"
            " which neither side has the pieces for a checkmate, the third time of one position, and 50 moves"
            " of each side without a pawn move or a capture."
        ),
    )


PLANES = (
    N_("own pawns"),
    N_("own knights"),
    N_("own bishops"),
    N_("own rooks"),
    N_("own queens"),
    N_("own king"),
    N_("the other's pawns"),
    N_("the other's knights"),
    N_("the other's bishops"),
    N_("the other's rooks"),
    N_("the other's queens"),
    N_("the other's king"),
    N_("rooks that may castle, and the cell that a pawn has passed"),
)
BY_CELLS = 64 * 64
"""Actions that go from one cell to another; a pawn that gets so to the last row becomes a queen."""
PROMOTIONS = 8 * 3 * 3
"""Actions of a pawn that becomes less: its file, to the left, straight on or to the right, and what."""


def planes(s: ChessState, player: int) -> tuple[int, ...]:
    """The board as this player sees it, its own first row below."""
    if s.mover != player:
        s = turned_over(s)
    return (
        s.mine & s.pawns,
        s.mine & s.knights,
        s.mine & s.diagonal & ~s.straight,
        s.mine & s.straight & ~s.diagonal,
        s.mine & s.diagonal & s.straight,
        s.mine & s.kings,
        s.theirs & s.pawns,
        s.theirs & s.knights,
        s.theirs & s.diagonal & ~s.straight,
        s.theirs & s.straight & ~s.diagonal,
        s.theirs & s.diagonal & s.straight,
        s.theirs & s.kings,
        s.rights,
    )


def action(s: ChessState, move: int) -> int:
    """64 · start + goal, on the board as its mover sees it; then those of a pawn that becomes a knight, a
    bishop or a rook.
    """
    start, goal, kind = move & 63, move >> 6 & 63, move >> 12
    if kind == 0 or kind == QUEEN:
        return 64 * start + goal
    aside = (goal & 7) - (start & 7) + 1
    return BY_CELLS + ((start & 7) * 3 + aside) * 3 + (0 if kind == KNIGHT else 1 if kind == BISHOP else 2)


def points_gained(s: ChessState, move: int) -> int:
    """Return what a move takes, and what a pawn gains by becoming more, in pawns: a knight or a bishop 3, a
    rook 5, a queen 9.
    """
    start, goal, kind = bit(move & 63), bit(move >> 6 & 63), move >> 12
    gain = 0
    if goal & s.theirs:
        gain = points_of(s, goal)
    elif start & s.pawns and goal & s.rights & RANK_6:
        gain = 1
    if kind == QUEEN:
        gain += 8
    elif kind == ROOK:
        gain += 4
    elif kind:
        gain += 2
    return gain


def promise(s: ChessState, move: int) -> int:
    """Return what is taken, the most first, and by the least of the mover's pieces."""
    gain, piece = points_gained(s, move), bit(move & 63)
    if gain == 0:
        return 0
    return 16 * gain - (0 if piece & s.kings else points_of(s, piece))


def threatened(s: ChessState) -> bool:
    """Return whether the mover is in check."""
    return checkers(s) != 0


def up_to_mover(s: ChessState) -> ChessState:
    """The board as its mover sees it, as if it were White."""
    return ChessState(
        s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.rights, 0, s.drawn
    )


def grid(s: ChessState) -> Grid:
    """The board from White's side, with what it does not show."""
    facts = [_("check")] if checkers(s) else []
    if castling_text(s) != "-":
        facts.append(_("castling: {rights}", rights=castling_words(castling_text(s))))
    if passed_text(s) != "-":
        facts.append(_("taking in passing: {cell}", cell=passed_text(s)))
    return Grid(board_rows(s), LOOKS, tuple(FILES), tuple("87654321"), ", ".join(facts))


def castling_words(rights: str) -> str:
    """Return in words who may still castle and where; `rights` as a FEN has them.

    >>> castling_words("Qkq")
    'White long, Black short and long'
    """
    ways = {"kq": _("short and long"), "k": _("short"), "q": _("long")}
    white = ways.get("".join(right.lower() for right in rights if right.isupper()))
    black = ways.get("".join(right for right in rights if right.islower()))
    sentences = [_("White {ways}", ways=white)] if white else []
    return ", ".join([*sentences, _("Black {ways}", ways=black)] if black else sentences)


def place(s: ChessState, move: int) -> tuple[int, ...]:
    """Return where a move starts and ends on the grid."""
    start, goal = cells_of_move(s, move)
    return start ^ 56, goal ^ 56


# Positions of chess whose best moves are known: those of D. Kopec and I. Bratko, "The Bratko-Kopec
# experiment: a comparison of human and computer performance in chess", 1982 [BratkoKopec82], as far as one
# move, or two, is best. Each in FEN, with its best moves in SAN.

KNOWN = (
    ("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", ("Qd1+",)),
    ("3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1", ("d5",)),
    ("2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1", ("f5",)),
    ("rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq - 0 1", ("e6",)),
    ("r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1", ("Nd5", "a4")),
    ("2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1", ("g6",)),
    ("1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1", ("Nf6",)),
    ("4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1", ("f5",)),
    ("2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1", ("f5",)),
    ("3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - - 0 1", ("Ne5",)),
    ("r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1", ("Bf5",)),
    ("rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - - 0 1", ("Qd2", "Qe1")),
    ("2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - - 0 1", ("Qxg7+",)),
    ("r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq - 0 1", ("Ne4",)),
    ("r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - - 0 1", ("h5",)),
    ("r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1", ("Nb3",)),
    ("3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - - 0 1", ("Rxe4",)),
    ("r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - - 0 1", ("g4",)),
    ("3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1", ("Nh6",)),
    ("2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - - 0 1", ("Bxe4",)),
    ("r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1", ("f6",)),
    ("r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - - 0 1", ("f4",)),
)


# Positions of chess in Forsyth-Edwards notation, FEN (S. J. Edwards, 1994 [Edwards94], section
# 16.1).
#
# A state has no clocks: `to_fen` takes them, `read_fen` gives them back beside the state. In a line of
# positions the first of them is how many positions before may come back, since what resets it is what
# cannot be taken back; the positions that it stands for are not known (`UNKNOWN`). The cell of
# a pawn that has passed is written only where it can be taken there, since only then the positions
# differ. It is read wherever a pawn may have passed, as older programs write it after every double
# step.

PIECES = "KQRBNPkqrbnp"
CASTLES = {"K": 1 << 7, "Q": 1, "k": 1 << 63, "q": 1 << 56}  # the rook that each letter stands for
LONGEST = 200
"""The most characters that are read; a FEN has at most some 90."""


UNKNOWN = ChessState(0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
"""Stands for a position of the game before that is not known: an empty board, which none is equal to."""


class FenPosition(NamedTuple):
    """Contents of a FEN."""

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
    """Return what the clocks of a FEN say of the game before: positions, and plies. Raises BadInput."""
    s, halfmove_clock, move_number = read_fen(text)
    return (UNKNOWN,) * halfmove_clock, 2 * (move_number - 1) + s.mover


def castling_text(s: ChessState) -> str:
    """Return who may still castle and where, such as `KQkq`; `-` where nobody may."""
    rights = from_white(s).rights
    return "".join(letter for letter, rook in CASTLES.items() if rights & rook) or "-"


def passed_text(s: ChessState) -> str:
    """The cell on which a pawn can be taken in passing, or `-`."""
    passed = from_white(s).rights & (RANK_3 | RANK_6)
    return cell_name(position_of(passed)) if passed else "-"


def from_fen(text: str) -> ChessState:
    """The position of a FEN, or of its first four fields. Raises BadInput, with what is wrong."""
    return read_fen(text).state


def read_fen(text: str) -> FenPosition:
    """Return what a FEN says, or its first four fields with a clock of 0 in move 1. Raises BadInput."""
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
        why = ngettext(
            "it has {n} row; there are eight, with a / between two",
            "it has {n} rows; there are eight, with a / between two",
            len(lines),
        )
        raise wrong(text, why)
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
            why = ngettext(
                "row {row} has {n} cell; it has eight",
                "row {row} has {n} cells; it has eight",
                column,
                row=number,
            )
            raise wrong(text, why)
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


# A position of chess as its players see it: letters of pieces, names of cells and of moves.
#
# The rules number cells from the mover's own side; people number them from White's.

FILES = "abcdefgh"
PROMOTED = {KNIGHT: "n", BISHOP: "b", ROOK: "r", QUEEN: "q"}


def from_white(s: ChessState) -> ChessState:
    """The board as White sees it, whoever is to move: `mine` are White's pieces."""
    return turned_over(s) if s.mover else s


def letter_sets(s: ChessState) -> dict[str, int]:
    """The cells of every kind of piece by its letter, a capital for White; a1 is bit 0."""
    board = from_white(s)
    kinds = {
        "K": board.kings,
        "Q": board.diagonal & board.straight,
        "R": board.straight & ~board.diagonal,
        "B": board.diagonal & ~board.straight,
        "N": board.knights,
        "P": board.pawns,
    }
    white = {letter: cells & board.mine for letter, cells in kinds.items()}
    return white | {letter.lower(): cells & board.theirs for letter, cells in kinds.items()}


def board_rows(s: ChessState) -> tuple[str, ...]:
    """The eight rows from the top, a letter for a piece, `.` for a free cell."""
    marks = ["."] * 64
    for letter, cells in letter_sets(s).items():
        for cell in range(64):
            if cells >> cell & 1:
                marks[cell] = letter
    text = "".join(marks)
    return tuple(text[row * 8 : row * 8 + 8] for row in range(7, -1, -1))


def cell_name(cell: int) -> str:
    """The name of a cell as White numbers them.

    >>> cell_name(0), cell_name(63)
    ('a1', 'h8')
    """
    return f"{FILES[cell & 7]}{(cell >> 3) + 1}"


def cells_of_move(s: ChessState, move: int) -> tuple[int, int]:
    """Return where a move starts and ends, as White numbers the cells."""
    turned = 56 if s.mover else 0
    return move & 63 ^ turned, move >> 6 & 63 ^ turned


def uci(s: ChessState, move: int) -> str:
    """A move as engines write it: `e2e4`, `e7e8q`; castling is the move of the king, `e1g1`."""
    start, goal = cells_of_move(s, move)
    return cell_name(start) + cell_name(goal) + PROMOTED.get(move >> 12, "")


# A move as people write it: standard algebraic notation, SAN (FIDE, *Laws of Chess* [Fide23], appendix C;
# S. J. Edwards, 1994 [Edwards94], section 8.2.3).


def legal_moves(s: ChessState) -> list[int]:
    """The legal moves in the order of the rules; none where the game is over."""
    found: list[int] = []
    if outcome(s) == ONGOING:
        moves(s, found)
    return found


def piece_letter(s: ChessState, cell: int) -> str:
    """The piece on `cell`, a set of one as the rules number cells: `K`, `Q`, `R`, `B`, `N`, or `P`."""
    if cell & s.kings:
        return "K"
    if cell & s.diagonal:
        return "Q" if cell & s.straight else "B"
    return "R" if cell & s.straight else "N" if cell & s.knights else "P"


def castling_side(s: ChessState, move: int) -> str:
    """`O-O` or `O-O-O` for a move that castles, else nothing."""
    start, goal = move & 63, move >> 6 & 63
    if not bit(start) & s.kings or abs(start - goal) != 2:
        return ""
    return "O-O" if goal > start else "O-O-O"


def san(s: ChessState, move: int) -> str:
    """A legal move in standard algebraic notation."""
    child = play(s, move)
    mate = outcome(child) == -1
    return bare_san(s, move) + ("#" if mate else "+" if checkers(child) else "")


def bare_san(s: ChessState, move: int) -> str:
    """Return the same without the sign of check or mate."""
    castles = castling_side(s, move)
    if castles:
        return castles
    start, goal = cells_of_move(s, move)
    letter = piece_letter(s, bit(move & 63))
    takes = "x" if bit(move >> 6 & 63) & s.theirs else ""
    if letter == "P":
        takes = takes or ("x" if start & 7 != goal & 7 else "")  # in passing
        kind = PROMOTED.get(move >> 12, "").upper()
        return (FILES[start & 7] if takes else "") + takes + cell_name(goal) + (f"={kind}" if kind else "")
    return letter + disambiguation(s, move, letter) + takes + cell_name(goal)


def disambiguation(s: ChessState, move: int, letter: str) -> str:
    """As much of the start as tells the move from others of equal pieces to the same cell: the
    column, else the row, else both.
    """
    start, goal = cells_of_move(s, move)
    rivals = [
        cells_of_move(s, other)[0]
        for other in legal_moves(s)
        if other != move and cells_of_move(s, other)[1] == goal and piece_letter(s, bit(other & 63)) == letter
    ]
    name = cell_name(start)
    if not rivals:
        return ""
    if all(rival & 7 != start & 7 for rival in rivals):
        return name[0]
    return name[1] if all(rival >> 3 != start >> 3 for rival in rivals) else name


def in_letters(s: ChessState, move: int) -> str:
    """A move as people write it, with the letters that pieces have in the language in force."""
    return san(s, move).translate(str.maketrans("KQRBN", _("KQRBN")))
