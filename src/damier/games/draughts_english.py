"""The rules of English draughts (checkers): men move and take forwards, kings one step both ways; who
can take must, and goes on as long as he can (Arthur L. Samuel, 1959 [Samuel59]).
"""

from __future__ import annotations

from damier.core.bits import lowest, popcount
from damier.core.rules import ONGOING
from damier.games.draughts_board import (
    DarkSquares,
    DraughtsRules,
    DraughtsState,
    listed,
    move_of,
    play_on,
)


def english(squares: DarkSquares) -> DraughtsRules:
    """Moves, play and outcome on these squares."""
    half, board, black = squares.half, squares.board, squares.black

    def moves(s: DraughtsState, found: list[int]) -> None:
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        up = s.mine if s.mover == black else kings
        down = kings if s.mover == black else s.mine
        nothing = s.mine & s.theirs  # no literal 0: `jump`, which calls itself, would be compiled twice
        must = jumpers(s.theirs, free, up, down, half)
        if must:
            before = len(found)
            while must:
                piece = lowest(must)
                must ^= piece
                jump(
                    piece,
                    piece,
                    nothing,
                    s.theirs,
                    free | piece,
                    up & piece != 0,
                    down & piece != 0,
                    before,
                    found,
                )
            return
        for step in (half, half + 1):
            left = up & free >> step
            while left:
                piece = lowest(left)
                left ^= piece
                found.append(move_of(piece, piece << step, nothing, half))
            left = down & free << step
            while left:
                piece = lowest(left)
                left ^= piece
                found.append(move_of(piece, piece >> step, nothing, half))

    def jump(
        piece: int,
        at: int,
        taken: int,
        theirs: int,
        free: int,
        up: bool,
        down: bool,
        before: int,
        found: list[int],
    ) -> None:
        """Notes how a piece that has come to `at` goes on; where it cannot, its move ends. `before`
        moves were found before those of this position.
        """
        ends = True
        for step in (half, half + 1):
            over = at << step & theirs & ~taken
            if up and over << step & free:
                ends = False
                jump(piece, over << step, taken | over, theirs, free, up, down, before, found)
            over = at >> step & theirs & ~taken
            if down and over >> step & free:
                ends = False
                jump(piece, over >> step, taken | over, theirs, free, up, down, before, found)
        if ends:
            move = move_of(piece, at, taken, half)
            # only a king that goes round can take the same pieces in two ways: four of them at least
            if popcount(taken) < 4 or not listed(move, found, before):
                found.append(move)

    def outcome(s: DraughtsState) -> int:
        """Who cannot move loses; what was before may draw."""
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        up = s.mine if s.mover == black else kings
        down = kings if s.mover == black else s.mine
        steps = up & (free >> half | free >> half + 1) | down & (free << half | free << half + 1)
        if not steps and not jumpers(s.theirs, free, up, down, half):
            return -1
        return 0 if s.drawn else ONGOING

    def threatened(s: DraughtsState) -> bool:
        """Whether there is something to take: who can must."""
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        up = s.mine if s.mover == black else kings
        down = kings if s.mover == black else s.mine
        return jumpers(s.theirs, free, up, down, half) != 0

    return DraughtsRules(moves, play_on(squares), outcome, threatened)


def jumpers(theirs: int, free: int, up: int, down: int, half: int) -> int:
    """The pieces that can take, out of those that may go up and those that may go down."""
    above = (theirs & free >> half) >> half | (theirs & free >> half + 1) >> half + 1
    below = (theirs & free << half) << half | (theirs & free << half + 1) << half + 1
    return up & above | down & below
