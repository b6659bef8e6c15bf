"""The rules of international draughts on 10 × 10: men take backwards too, kings fly, and who can take
must take as many as he can (Fédération mondiale du jeu de dames, annex 1 [FmjdRules]).

A piece that is jumped stays until the move ends, and may not be jumped twice; a man becomes a king
only where its move ends on the far row.
"""

from __future__ import annotations

from damier.core.bits import lowest
from damier.core.rules import ONGOING
from damier.games.draughts_board import (
    DarkSquares,
    DraughtsRules,
    DraughtsState,
    listed,
    move_of,
    play_on,
)

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
