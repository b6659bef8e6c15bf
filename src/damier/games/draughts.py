"""Draughts: English (checkers), on which Samuel's and Schaeffer's programs learned and won [Samuel59]
[Schaeffer07], and international on 10 × 10.

Squares are numbered as in the field, 1 at the top left, Black above; `draughts_board` draws their
bits. English draughts: Black begins. International: White begins.

>>> from damier import load
>>> position = load("draughts").position()
>>> position.moves
('9-13', '10-14', '11-15', '12-16', '9-14', '10-15', '11-16')
>>> position.play("11-15", "22-18").moves
('15x22',)
"""

from __future__ import annotations

from damier.core.bits import popcount
from damier.core.game import Game
from damier.core.grid import Grid
from damier.core.words import N_
from damier.games.draughts_board import SQUARES, DraughtsState, Variant, paths
from damier.games.draughts_draws import draws_on
from damier.games.draughts_endgames import endgames_on
from damier.games.draughts_english import english
from damier.games.draughts_fen import read_fen, written_fen
from damier.games.draughts_international import international


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
