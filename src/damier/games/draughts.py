"""Draughts: English (checkers), on which Samuel's and Schaeffer's programs learned and won [Samuel59]
[Schaeffer07], and international on 10 × 10.

Squares are numbered as in the field, 1 at the top left, Black above; `draughts_rules` draws their
bits. English draughts: Black begins. International: White begins.

>>> from damier import load
>>> position = load("draughts").position()
>>> position.moves
('9-13', '10-14', '11-15', '12-16', '9-14', '10-15', '11-16')
>>> position.play("11-15", "22-18").moves
('15x22',)
"""

from __future__ import annotations

import re

from damier.core.bits import each, popcount, position_of, reversed_bits
from damier.core.board import Grid
from damier.core.encoding import PlaneLayout
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.words import N_, message, printable
from damier.games.draughts_endgames import endgames_on
from damier.games.draughts_rules import (
    SQUARES,
    DarkSquares,
    DraughtsState,
    Variant,
    draws_on,
    english,
    international,
    paths,
)


def draughts(variant: Variant = "english") -> Game:
    """Jump over the other's pieces to take them; who cannot move loses."""
    is_english, squares = variant == "english", SQUARES[variant]
    rules = english(squares) if is_english else international(squares)
    draws = draws_on(squares)
    half, width, board, black = squares.half, 2 * squares.half, squares.board, squares.black
    crown, other_crown = squares.crown

    def for_first(s: DraughtsState, lead: int) -> int:
        return lead if s.mover == 0 else -lead

    def men(s: DraughtsState) -> int:
        """Men of the player who began less those of the other."""
        return for_first(s, popcount(s.mine & ~s.kings) - popcount(s.theirs & ~s.kings))

    def kings(s: DraughtsState) -> int:
        """Kings of the player who began less those of the other."""
        return for_first(s, popcount(s.mine & s.kings) - popcount(s.theirs & s.kings))

    def back_rank(s: DraughtsState) -> int:
        """Men that still guard the row on which the other's would become kings."""
        first = s.mine if s.mover == 0 else s.theirs
        second = s.theirs if s.mover == 0 else s.mine
        return popcount(first & ~s.kings & other_crown) - popcount(second & ~s.kings & crown)

    def mobility(s: DraughtsState) -> int:
        """Steps that the pieces of the player who began have room for, less those of the other."""
        return for_first(s, steps(s.mine, s, s.mover == black) - steps(s.theirs, s, s.mover != black))

    def steps(pieces: int, s: DraughtsState, are_black: bool) -> int:
        free, kings, count = board & ~(s.mine | s.theirs), pieces & s.kings, 0
        for step in (half, half + 1):
            count += popcount((pieces if are_black else kings) & free >> step)
            count += popcount((kings if are_black else pieces) & free << step)
        return count

    def reward(s: DraughtsState, move: int) -> int:
        """Pieces taken."""
        return popcount(move >> 12)

    def path(s: DraughtsState, move: int) -> tuple[int, ...]:
        """The numbers of the squares on which a piece stands during a move."""
        way = next(paths(squares, s, move))
        return tuple(squares.number_of(place) for place in way)

    def name_move(s: DraughtsState, move: int) -> str:
        return ("x" if squares.parts(move).taken else "-").join(map(str, path(s, move)))

    def place(s: DraughtsState, move: int) -> tuple[int, ...]:
        return tuple(squares.cell_of(number) for number in path(s, move))

    names = {squares.cell_of(number): str(number) for number in range(1, squares.numbers + 1)}
    numbers = tuple(names.get(cell, "") for cell in range(width * width))
    lines = tuple(f"{row * half + 1}-{row * half + half}" for row in range(width))

    def grid(s: DraughtsState) -> Grid:
        marks = ["." if number else " " for number in numbers]
        blacks, whites = (s.mine, s.theirs) if s.mover == black else (s.theirs, s.mine)
        for pieces, mark in (
            (blacks & ~s.kings, "b"),
            (whites & ~s.kings, "w"),
            (blacks & s.kings, "B"),
            (whites & s.kings, "W"),
        ):
            for number in squares.numbers_of(pieces):
                marks[squares.cell_of(number)] = mark
        rows = tuple("".join(marks[row * width : (row + 1) * width]) for row in range(width))
        return Grid(
            rows,
            {"b": "dark", "w": "light", "B": "dark_king", "W": "light_king"},
            lines=lines,
            numbers=numbers,
        )

    def planes(s: DraughtsState, player: int) -> tuple[int, int, int, int]:
        """The board turned so that own men go up."""
        own, other = (s.mine, s.theirs) if s.mover == player else (s.theirs, s.mine)
        kings = s.kings
        if player == black:
            own, other = reversed_bits(own, squares.bits), reversed_bits(other, squares.bits)
            kings = reversed_bits(kings, squares.bits)
        return own & ~kings, own & kings, other & ~kings, other & kings

    def write_position(s: DraughtsState) -> str:
        return written_fen(squares, s)

    def read_position(text: str) -> DraughtsState:
        return read_fen(squares, text)

    return Game(
        "draughts",
        DraughtsState(*squares.men, 0, 0, 0),
        rules.moves,
        rules.play,
        rules.outcome,
        with_past=draws.with_past,
        irreversible=draws.irreversible,
        reward=reward,
        move_score=reward,
        threatened=rules.threatened,
        evaluation="men+1.5*kings+0.08*back_rank+0.02*mobility",
        bits=(squares.bits, squares.bits, squares.bits, 1, 1),
        planes=planes,
        plane_layout=PlaneLayout(
            width,
            width,
            (N_("own men"), N_("own kings"), N_("the other's men"), N_("the other's kings")),
            tuple(squares.bit_of(int(number)) if number else 2 * half for number in numbers),
        ),
        features={"men": men, "kings": kings, "back_rank": back_rank, "mobility": mobility},
        explanations={
            "men": N_("men, of who began less those of the other"),
            "kings": N_("kings, of who began less those of the other"),
            "back_rank": N_("men that still guard the row on which the other's would become kings"),
            "mobility": N_("steps that the pieces have room for"),
        },
        states=2 * 5**squares.numbers,
        name_move=name_move,
        grid=grid,
        place=place,
        write_position=write_position,
        read_position=read_position,
        endgames=endgames_on(squares),
        title=N_("Draughts"),
        summary=N_("Draughts: jump over the other's pieces to take them"),
        description=(
            N_(
                "A man moves one square diagonally ahead; a king, which it becomes on the far row, also"
                " back. Jump over a piece of the other onto the free square behind it to take it, and go on"
                " as long as you can; who can take must. Who cannot move has lost. The third time of one"
                " position is a draw, and so are 40 moves of each side with kings alone that take nothing."
            )
            if is_english
            else N_(
                "A man moves one square diagonally ahead and takes in all directions; a king, which it"
                " becomes where a move ends on the far row, goes and takes any distance. Jump over pieces of"
                " the other onto a free square behind to take them: as many as you can, you must. Who cannot"
                " move has lost. The third time of one position is a draw, and so are 25 moves of each side"
                " with kings alone that take nothing (of three kings against one 16, of fewer 5)."
            )
        ),
    )


# A position of draughts in the notation of PDN (Adrian Millett, "Portable Draughts Notation" [MillettPdn]):
# who moves, then each side with the numbers of its squares, `K` before those of kings.
#
#     B:W18,24,27,28,K10:B12,16,20

COLOURS = "BW"
LONGEST = 1000
"""The most characters in a position: 40 pieces need 160."""


def written_fen(squares: DarkSquares, s: DraughtsState) -> str:
    """A position."""
    black_moves = s.mover == squares.black
    black, white = (s.mine, s.theirs) if black_moves else (s.theirs, s.mine)
    written = [
        colour
        + ",".join(
            ("K" if piece & s.kings else "") + str(squares.number_of(position_of(piece)))
            for piece in each(pieces)
        )
        for colour, pieces in (("W", white), ("B", black))
    ]
    return ":".join(["B" if black_moves else "W", *written])


def read_fen(squares: DarkSquares, text: str) -> DraughtsState:
    """The position that is written so. Raises BadInput, which says what is wrong and where."""
    parts = text.strip().removesuffix(".").split(":")
    if len(text) > LONGEST or len(parts) != 3 or parts[0] not in tuple(COLOURS):
        raise _not_a_position(text)
    sides = {part[:1]: part[1:] for part in parts[1:]}
    if set(sides) != set(COLOURS):
        raise _not_a_position(text)
    black, black_kings = _read_side(squares, squares.black, sides["B"])
    white, white_kings = _read_side(squares, 1 - squares.black, sides["W"])
    if black & white:
        raise BadInput(
            message("square {n} holds a piece of each colour", n=squares.numbers_of(black & white)[0])
        )
    kings = black_kings | white_kings
    if parts[0] == "B":
        return DraughtsState(black, white, kings, squares.black, 0)
    return DraughtsState(white, black, kings, 1 - squares.black, 0)


def _read_side(squares: DarkSquares, player: int, written: str) -> tuple[int, int]:
    """The pieces of a player, and those of them that are kings."""
    pieces = kings = 0
    for word in written.split(",") if written.strip() else ():
        match = re.fullmatch(r"(K?)([0-9]{1,2})(?:-([0-9]{1,2}))?", word.strip())
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if not match or not 1 <= first <= last <= squares.numbers:
            raise BadInput(
                message(
                    "{word} is no square of a position: they are numbered from 1 to {n}, K before a king",
                    word=printable(word.strip(), 20) or "''",
                    n=squares.numbers,
                )
            )
        for number in range(first, last + 1):
            piece = 1 << squares.bit_of(number)
            if pieces & piece:
                raise BadInput(message("square {n} is given twice", n=number))
            pieces |= piece
            kings |= piece if match[1] else 0
    _check_side(squares, player, pieces, kings)
    return pieces, kings


def _check_side(squares: DarkSquares, player: int, pieces: int, kings: int) -> None:
    """No more pieces than at the start, and no man where it would be a king."""
    most = squares.men[player].bit_count()
    if pieces.bit_count() > most:
        raise BadInput(
            message("{n} pieces of one colour; each side starts with {most}", n=pieces.bit_count(), most=most)
        )
    uncrowned = squares.numbers_of(pieces & squares.crown[player] & ~kings)
    if uncrowned:
        raise BadInput(
            message("square {n} holds a man on the far row, which would be a king", n=uncrowned[0])
        )


def _not_a_position(text: str) -> BadInput:
    return BadInput(
        message(
            "{text}: a position of draughts is written like B:W18,24,K10:B12,16, who moves first",
            text=printable(text, 60),
        )
    )
