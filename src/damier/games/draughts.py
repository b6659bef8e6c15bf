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

from collections.abc import Callable
from typing import NamedTuple

from damier.core.bits import bit, lowest, popcount
from damier.core.board import Grid
from damier.core.game import Game
from damier.core.past import Past, ago, length
from damier.core.rules import ONGOING
from damier.core.words import N_
from damier.games.draughts_board import (
    FIELD,
    SQUARES,
    DarkSquares,
    DraughtsRules,
    DraughtsState,
    Variant,
    listed,
    move_of,
    paths,
    play_on,
)
from damier.games.draughts_endgames import endgames_on
from damier.games.draughts_english import english
from damier.games.draughts_fen import read_fen, written_fen


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


# What the past of a game of draughts decides: when it is a draw.
#
# Both variants: the third time of one position with the same player to move. Then moves with kings
# alone, in which no man moves and nothing is taken:
#
#     English         40 of each player (World Checkers Draughts Federation, rules 1.32 [Wcdf])
#     international   25 of each player; where only kings are left and one side has but one, 16 against
#                     three and 5 against fewer (Fédération mondiale du jeu de dames, article 6 [Fmjd])
#
# As in `chess`, every draw that may be claimed is. The article of international draughts counts 16 and 5
# moves with a man among the three or two as well: those go on here for their 25.

ENGLISH, INTERNATIONAL = 80, 50
"""Plies with kings alone after which it is a draw."""
THREE_AGAINST_ONE, FEWER = 32, 10


class Draws(NamedTuple):
    """The rules about the past."""

    with_past: Callable[[DraughtsState, Past[DraughtsState]], DraughtsState]
    irreversible: Callable[[DraughtsState, int], bool]


def draws_on(squares: DarkSquares) -> Draws:
    """The draws of a variant."""
    flying = squares.flying

    def with_past(s: DraughtsState, past: Past[DraughtsState]) -> DraughtsState:
        times, quiet = 1, length(past)
        for n in range(4, quiet + 1, 2):
            earlier = ago(past, n)
            times += is_same(earlier, s)
        if times < 3 and quiet < most_quiet_plies(s):
            return s
        return DraughtsState(s.mine, s.theirs, s.kings, s.mover, 1)

    def is_same(one: DraughtsState, other: DraughtsState) -> bool:
        return (
            one.mover == other.mover
            and one.mine == other.mine
            and one.theirs == other.theirs
            and one.kings == other.kings
        )

    def most_quiet_plies(s: DraughtsState) -> int:
        """After how many plies with kings alone a position is drawn."""
        if not flying:
            return ENGLISH
        fewest = min(popcount(s.mine), popcount(s.theirs))
        pieces = popcount(s.mine | s.theirs)
        if s.kings == s.mine | s.theirs and fewest == 1 and pieces <= 4:
            return THREE_AGAINST_ONE if pieces == 4 else FEWER
        return INTERNATIONAL

    def irreversible(s: DraughtsState, move: int) -> bool:
        """A man moves, or something is taken."""
        return bit(move & FIELD) & s.kings == 0 or move >> 12 != 0

    return Draws(with_past, irreversible)


# The rules of international draughts on 10 × 10: men take backwards too, kings fly, and who can take
# must take as many as he can (Fédération mondiale du jeu de dames, annex 1 [FmjdRules]).
#
# A piece that is jumped stays until the move ends, and may not be jumped twice; a man becomes a king
# only where its move ends on the far row.

DIRECTIONS = (0, 1, 2, 3)
"""Up to the one side and to the other, down to the one side and to the other: `direction ^ 2` is the
way back.
"""


def international(squares: DarkSquares) -> DraughtsRules:
    """Moves, play and outcome on these squares."""
    half, board, black = squares.half, squares.board, squares.black

    def towards(pieces: int, direction: int) -> int:
        """One step on; bits beyond the board may be set."""
        if direction == 0:
            return pieces << half
        if direction == 1:
            return pieces << half + 1
        return pieces >> half if direction == 2 else pieces >> half + 1

    def moves(s: DraughtsState, found: list[int]) -> None:
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        takers = jumpers(s, free, kings)
        if takers:
            captures(s, free, kings, takers, found)
            return
        nothing = s.mine & s.theirs  # no literal 0, as in English draughts
        men = s.mine & ~kings
        for direction in DIRECTIONS:
            forwards = direction < 2 if s.mover == black else direction >= 2
            left = men & towards(free, direction ^ 2) if forwards else nothing
            while left:
                piece = lowest(left)
                left ^= piece
                found.append(move_of(piece, towards(piece, direction), nothing, half))
        left = kings
        while left:
            piece = lowest(left)
            left ^= piece
            for direction in DIRECTIONS:
                at = towards(piece, direction) & free
                while at:
                    found.append(move_of(piece, at, nothing, half))
                    at = towards(at, direction) & free

    def jumpers(s: DraughtsState, free: int, kings: int) -> int:
        """The pieces that can take; of kings, those far from what they take included."""
        found = s.mine & s.theirs
        for direction in DIRECTIONS:
            back = direction ^ 2
            open_ = s.theirs & towards(free, back)  # those that have a free square behind them
            from_ = towards(open_, back)
            found |= s.mine & from_
            if kings:
                reach = from_ & free
                while reach:
                    from_ = towards(reach, back)
                    found |= kings & from_
                    reach = from_ & free
        return found

    def captures(s: DraughtsState, free: int, kings: int, takers: int, found: list[int]) -> None:
        """Notes the moves that take the most."""
        nothing = s.mine & s.theirs
        most, left, before = 0, takers, len(found)
        while left:
            piece = lowest(left)
            left ^= piece
            most = max(most, longest(piece, nothing, s.theirs, free | piece, piece & kings != 0))
        left = takers
        while left:
            piece = lowest(left)
            left ^= piece
            jump(piece, piece, nothing, s.theirs, free | piece, piece & kings != 0, most, before, found)

    def longest(at: int, taken: int, theirs: int, free: int, king: bool) -> int:
        """How many pieces can be taken from a square on."""
        most = 0
        for direction in DIRECTIONS:
            over = next_piece(at, direction, free, king) & theirs & ~taken
            landing = towards(over, direction) & free
            while landing:
                most = max(most, 1 + longest(landing, taken | over, theirs, free, king))
                landing = towards(landing, direction) & free if king else 0
        return most

    def jump(
        piece: int,
        at: int,
        taken: int,
        theirs: int,
        free: int,
        king: bool,
        more: int,
        before: int,
        found: list[int],
    ) -> None:
        """Notes how a piece that has come to `at` takes `more` pieces; `before` moves were found before
        those of this position.
        """
        if more == 0:
            move = move_of(piece, at, taken, half)
            if not listed(move, found, before):
                found.append(move)
            return
        for direction in DIRECTIONS:
            over = next_piece(at, direction, free, king) & theirs & ~taken
            landing = towards(over, direction) & free
            while landing:
                jump(piece, landing, taken | over, theirs, free, king, more - 1, before, found)
                landing = towards(landing, direction) & free if king else 0

    def next_piece(at: int, direction: int, free: int, king: bool) -> int:
        """The square next to `at`; for a king, the first on its way that is not free."""
        next_ = towards(at, direction)
        while king and next_ & free:
            next_ = towards(next_, direction)
        return next_

    def outcome(s: DraughtsState) -> int:
        """Who cannot move loses; what was before may draw. A king that can take can step, or stands
        before what it takes.
        """
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        up = s.mine if s.mover == black else kings
        down = kings if s.mover == black else s.mine
        can = up & (free >> half | free >> half + 1) | down & (free << half | free << half + 1)
        for direction in DIRECTIONS:
            back = direction ^ 2
            can |= s.mine & towards(s.theirs & towards(free, back), back)
        if not can:
            return -1
        return 0 if s.drawn else ONGOING

    def threatened(s: DraughtsState) -> bool:
        """Whether there is something to take: who can must."""
        return jumpers(s, board & ~(s.mine | s.theirs), s.mine & s.kings) != 0

    return DraughtsRules(moves, play_on(squares), outcome, threatened)
