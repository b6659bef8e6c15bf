"""The rules of draughts, English and international, and when a game is drawn: the dark squares of a board
as bits, and a move as one int.

Black's men start on the lowest bits and move up. After every second row one bit stays empty, so that
up is `half` or `half` + 1 bits further from every square, and a step over the edge meets no square.
On 8 × 8, half = 4, with square 1 at the top left as it is printed:

         0   1   2   3          square  1 …       Black
       4   5   6   7                    5 …
         9  10  11  12                  9 …
      13  14  15  16                   13 …
        18  19  20  21                 17 …
      22  23  24  25                   21 …
        27  28  29  30                 25 …
      31  32  33  34                   29 …       White

A move is start | goal << 6 | (taken >> half) << 12: the bits of two squares, and the set of the
pieces that are jumped. Nothing on the first row can be jumped, so that 62 bits are enough for both
boards. Two ways to jump the same pieces from the same start to the same goal are one move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from damier.core.bits import bit, each, lowest, popcount, position_of
from damier.core.past import ago, length
from damier.core.rules import ONGOING, Past

Variant: TypeAlias = Literal["english", "international"]

FIELD = 63
"""The six bits of a square in a move."""


class DraughtsState(NamedTuple):
    mine: int  # pieces of the player to move
    theirs: int
    kings: int  # those of both that are kings
    mover: int  # 0 who began: Black in English draughts, White in international draughts
    drawn: int  # 1: by what was before (`draws_on`)


class DraughtsMove(NamedTuple):
    """A move taken apart: two squares as numbers of bits, and a set of squares."""

    start: int
    goal: int
    taken: int


class DraughtsRules(NamedTuple):
    """Rules in which the variants of draughts differ."""

    moves: Callable[[DraughtsState, list[int]], None]
    play: Callable[[DraughtsState, int], DraughtsState]
    outcome: Callable[[DraughtsState], int]
    threatened: Callable[[DraughtsState], bool]


class DarkSquares(NamedTuple):
    """The squares of a board as wide as 2 × half squares.

    Attributes:
        half: dark squares in a row
        flying: whether kings go any distance
        black: the number of the player who has the black pieces
        bits: how many bits they take, the empty ones between them included
        numbers: how many squares there are, from square 1
        board: all squares
        crown: where a man of each player becomes a king
        men: where the men of each player start
    """

    half: int
    flying: bool
    black: int
    bits: int
    numbers: int
    board: int
    crown: tuple[int, int]
    men: tuple[int, int]

    def bit_of(self, number: int) -> int:
        """The bit of a square by its number."""
        return number - 1 + (number - 1) // (2 * self.half)

    def number_of(self, place: int) -> int:
        """The number of the square of a bit."""
        return place + 1 - (place + 1) // (2 * self.half + 1)

    def numbers_of(self, pieces: int) -> list[int]:
        """The numbers of some squares."""
        return [self.number_of(position_of(piece)) for piece in each(pieces)]

    def cell_of(self, number: int) -> int:
        """The cell of a square on the board as it is printed, row by row from the top left."""
        row, place = divmod(number - 1, self.half)
        return row * 2 * self.half + 2 * place + (row % 2 == 0)

    def parts(self, move: int) -> DraughtsMove:
        return DraughtsMove(move & FIELD, move >> 6 & FIELD, move >> 12 << self.half)


def dark_squares(half: int, flying: bool, black: int) -> DarkSquares:
    """The squares of the board of 2 × half rows; the men of each player start on all but one row of
    a half.

    >>> squares = dark_squares(4, flying=False, black=0)
    >>> squares.numbers, squares.bits, squares.bit_of(9), squares.number_of(34), squares.cell_of(5)
    (32, 35, 9, 32, 8)
    """
    count, men = 2 * half * half, half * (half - 1)
    places = [1 << number + number // (2 * half) for number in range(count)]
    crowns = sum(places[-half:]), sum(places[:half])
    starts = sum(places[:men]), sum(places[-men:])
    if black == 1:
        crowns, starts = crowns[::-1], starts[::-1]
    return DarkSquares(half, flying, black, places[-1].bit_length(), count, sum(places), crowns, starts)


SQUARES: dict[Variant, DarkSquares] = {
    "english": dark_squares(4, flying=False, black=0),
    "international": dark_squares(5, flying=True, black=1),
}


def play_on(squares: DarkSquares) -> Callable[[DraughtsState, int], DraughtsState]:
    """The rule `play`, which all variants share."""
    half, (crown, other_crown) = squares.half, squares.crown

    def play(s: DraughtsState, move: int) -> DraughtsState:
        start, goal = bit(move & FIELD), bit(move >> 6 & FIELD)
        taken = move >> 12 << half
        crowned = goal if s.kings & start else goal & (crown if s.mover == 0 else other_crown)
        return DraughtsState(
            s.theirs & ~taken, s.mine & ~start | goal, s.kings & ~(start | taken) | crowned, 1 - s.mover, 0
        )

    return play


def move_of(start: int, goal: int, taken: int, half: int) -> int:
    """A move from the square `start` to `goal`, each a set of one, over the pieces `taken`."""
    return position_of(start) | position_of(goal) << 6 | taken >> half << 12


def listed(move: int, found: list[int], since: int) -> bool:
    """Return whether a move is among those found from number `since` on."""
    for i in range(since, len(found)):  # noqa: SIM110  compiled, a list of moves knows no `in`
        if found[i] == move:
            return True
    return False


def paths(squares: DarkSquares, s: DraughtsState, move: int) -> Iterator[tuple[int, ...]]:
    """The ways that a move may go: start, every landing square of its jumps, goal, as bits."""
    start, goal, taken = squares.parts(move)
    free = squares.board & ~(s.mine | s.theirs) | 1 << start
    far = squares.flying and bool(s.kings >> start & 1)
    stack: list[tuple[tuple[int, ...], int]] = [((start,), taken)]
    while stack:
        path, left = stack.pop()
        if not left and path[-1] == goal and len(path) > 1:
            yield path
        elif not taken:
            yield (start, goal)
        for over, landing in _jumps(squares, path[-1], left, free, far):
            stack.append(((*path, landing), left & ~over))


def _jumps(squares: DarkSquares, at: int, left: int, free: int, far: bool) -> Iterator[tuple[int, int]]:
    """Return what can be jumped from a square out of `left`, and where the piece may land."""
    for step in (-squares.half - 1, -squares.half, squares.half, squares.half + 1):
        place = _next(at, step, free) if far else at
        over = _square(place + step) & left
        landing = place + 2 * step
        while over and _square(landing) & free:
            yield over, landing
            landing = landing + step if far else -1


def _next(at: int, step: int, free: int) -> int:
    """The last free square on the way from `at`, or `at` itself."""
    while _square(at + step) & free:
        at += step
    return at


def _square(place: int) -> int:
    return 1 << place if place >= 0 else 0


# The rules of English draughts (checkers): men move and take forwards, kings one step both ways; who
# can take must, and goes on as long as he can (Arthur L. Samuel, 1959 [Samuel59]).


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
        """Return the outcome: who cannot move loses; what was before may draw."""
        free, kings = board & ~(s.mine | s.theirs), s.mine & s.kings
        up = s.mine if s.mover == black else kings
        down = kings if s.mover == black else s.mine
        steps = up & (free >> half | free >> half + 1) | down & (free << half | free << half + 1)
        if not steps and not jumpers(s.theirs, free, up, down, half):
            return -1
        return 0 if s.drawn else ONGOING

    def threatened(s: DraughtsState) -> bool:
        """Return whether there is something to take: who can must."""
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
        """Return how many pieces can be taken from a square on."""
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
        """Return the outcome: who cannot move loses; what was before may draw. A king that can take can step,
        or stands before what it takes.
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
        """Return whether there is something to take: who can must."""
        return jumpers(s, board & ~(s.mine | s.theirs), s.mine & s.kings) != 0

    return DraughtsRules(moves, play_on(squares), outcome, threatened)


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
