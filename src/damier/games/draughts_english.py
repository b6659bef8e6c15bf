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
    half, board = squares.half, squares.board

    def moves(s: DraughtsState, found: list[int]) -> None:
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        nothing = s.mine & s.theirs  # no literal 0: `jump`, which calls itself, would be compiled twice
        must = jumpers(s, free, kings)
        left = must
        while left:
            piece = lowest(left)
            left ^= piece
            jump(piece, piece, nothing, s.theirs, free | piece, piece & kings != 0, found)
        if must:
            return
        for step in (half, half + 1):
            left = s.mine & free >> step
            while left:
                piece = lowest(left)
                left ^= piece
                found.append(move_of(piece, piece << step, nothing, half))
            left = kings & free << step
            while left:
                piece = lowest(left)
                left ^= piece
                found.append(move_of(piece, piece >> step, nothing, half))

    def jumpers(s: DraughtsState, free: int, kings: int) -> int:
        """The pieces that can take."""
        up = s.mine & ((s.theirs & free >> half) >> half | (s.theirs & free >> half + 1) >> half + 1)
        return up | kings & ((s.theirs & free << half) << half | (s.theirs & free << half + 1) << half + 1)

    def jump(piece: int, at: int, taken: int, theirs: int, free: int, king: bool, found: list[int]) -> None:
        """Notes how a piece that has come to `at` goes on; where it cannot, its move ends."""
        ends = True
        for step in (half, half + 1):
            over = at << step & theirs & ~taken
            if over << step & free:
                ends = False
                jump(piece, over << step, taken | over, theirs, free, king, found)
            over = at >> step & theirs & ~taken
            if king and over >> step & free:
                ends = False
                jump(piece, over >> step, taken | over, theirs, free, king, found)
        if ends:
            move = move_of(piece, at, taken, half)
            # only a king that goes round can take the same pieces in two ways: four of them at least
            if popcount(taken) < 4 or not listed(move, found):
                found.append(move)

    def outcome(s: DraughtsState) -> int:
        """Who cannot move loses."""
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        steps = s.mine & (free >> half | free >> half + 1) | kings & (free << half | free << half + 1)
        return ONGOING if steps | jumpers(s, free, kings) else -1

    return DraughtsRules(moves, play_on(squares), outcome)
