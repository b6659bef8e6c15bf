"""Nim: take matches from one heap; who takes the last one loses (misère, as in document [S1]) or
wins.

Heaps lie side by side in one int, the first in the lowest bits. A move is a bit; heaps lay their
moves one after the other, smallest first. Heaps of 1, 3, 5 and 7:

    bit    0   1 2 3   4 5 6 7 8   9 10 11 12 13 14 15
    heap   1   2 2 2   3 3 3 3 3   4  4  4  4  4  4  4
    take   1   1 2 3   1 2 3 4 5   1  2  3  4  5  6  7

Theory: Charles L. Bouton, "Nim, a game with a complete mathematical theory", Annals of Mathematics
3 (1901) [Bouton1901].

>>> from damier import load
>>> load("nim").position().play("3").moves
('1', '2', '3')
"""

from __future__ import annotations

import re
from math import prod
from typing import NamedTuple

from damier.core.bits import position_of
from damier.core.board import Grid
from damier.core.errors import BadInput
from damier.core.game import Game, require
from damier.core.moves import MOVES
from damier.core.rules import ONGOING
from damier.core.words import N_, _, message, printable

DRAWN = 30
"""The largest heap whose matches are drawn one by one."""


MOVERS = ("first", "second")


class NimState(NamedTuple):
    mover: int
    matches: int  # all heaps, side by side


def nim(matches: int = 16, take: int | None = None, misere: bool = True, heaps: str = "") -> Game:
    """Take from 1 to `take` matches (0: as many as one likes) from a heap of `matches`, or from one
    of several `heaps`, like 1-3-5-7.

    `take` is 3 for one heap and 0 for several, unless it is said.
    """
    sizes = sizes_of(heaps) if heaps else (matches,)
    cap = take if take is not None else 0 if heaps else 3
    require(cap >= 0, _("nim: take={take}; it is at least 1, or 0 for no limit", take=cap))
    require(
        all(size > 0 for size in sizes),
        _("nim: a heap of {size} matches; a heap has at least 1", size=min(sizes)),
    )
    most = tuple(min(cap, size) if cap else size for size in sizes)
    require(
        sum(most) <= MOVES,
        _("nim: {n} different moves; there are at most 62: make the heaps or take smaller", n=sum(most)),
    )
    widths = tuple(size.bit_length() for size in sizes)
    require(
        sum(widths) <= 61,
        _("nim: {n} bits to write down the heaps; there are at most 61: make them smaller", n=sum(widths)),
    )
    shifts = tuple(sum(widths[:heap]) for heap in range(len(sizes)))
    masks = tuple((1 << width) - 1 for width in widths)
    first_bits = tuple(sum(most[:heap]) for heap in range(len(sizes)))
    heap_of = tuple(heap for heap, count in enumerate(most) for _take in range(count))  # of each bit
    payoff_of_the_end = 1 if misere else -1  # to the player who finds no match

    def moves(s: NimState) -> int:
        legal = 0
        for heap in range(len(most)):
            legal |= ((1 << min(most[heap], s.matches >> shifts[heap] & masks[heap])) - 1) << first_bits[heap]
        return legal

    def play(s: NimState, move: int) -> NimState:
        bit = position_of(move)
        heap = heap_of[bit]
        return NimState(1 - s.mover, s.matches - ((bit - first_bits[heap] + 1) << shifts[heap]))

    def outcome(s: NimState) -> int:
        return payoff_of_the_end if s.matches == 0 else ONGOING

    def theory(s: NimState) -> int:
        """1 where player 0 wins by Bouton's theory, -1 where it loses; with a cap, a heap counts
        modulo take + 1.
        """
        nim_sum, large = 0, 0
        for heap in range(len(most)):
            left = s.matches >> shifts[heap] & masks[heap]
            left = left % (cap + 1) if cap else left
            nim_sum ^= left
            large |= left >> 1
        mover_wins = nim_sum == 0 if misere and large == 0 else nim_sum != 0
        return 1 if mover_wins == (s.mover == 0) else -1

    def odd(s: NimState) -> int:
        """1 where player 0 is to move and the number of matches is odd, or player 1 is and it is
        even; else -1.
        """
        all_ = 0
        for heap in range(len(most)):
            all_ += s.matches >> shifts[heap] & masks[heap]
        return 1 if (all_ & 1 == 1) == (s.mover == 0) else -1

    def canonical(s: NimState) -> NimState:
        return NimState(0, s.matches)

    def name_move(s: NimState, move: int) -> str:
        bit = position_of(move)
        heap = heap_of[bit]
        taken = bit - first_bits[heap] + 1
        return f"{heap + 1}:{taken}" if len(sizes) > 1 else str(taken)

    def left(s: NimState) -> tuple[int, ...]:
        return tuple(s.matches >> shift & mask for shift, mask in zip(shifts, masks, strict=True))

    def grid(s: NimState) -> Grid:
        rows = tuple("|" * count + "." * (max(sizes) - count) for count in left(s))
        return Grid(
            rows,
            {"|": "match"},
            lines=tuple(str(heap + 1) for heap in range(len(sizes))) if len(sizes) > 1 else (),
        )

    def place(s: NimState, move: int) -> tuple[int, ...]:
        """A move is shown on the first of the matches that it takes."""
        bit = position_of(move)
        heap = heap_of[bit]
        return (heap * max(sizes) + left(s)[heap] - (bit - first_bits[heap] + 1),)

    def show(s: NimState) -> str:
        return "\n".join(f"{count} {'|' * count if count <= DRAWN else ''}".rstrip() for count in left(s))

    def write_position(s: NimState) -> str:
        return f"{'/'.join(map(str, left(s)))} {MOVERS[s.mover]}"

    def read_position(text: str) -> NimState:
        heaps, _space, word = text.strip().partition(" ")
        counts = [int(count) if re.fullmatch(r"[0-9]{1,18}", count) else -1 for count in heaps.split("/")]
        require(
            word in MOVERS
            and len(counts) == len(sizes)
            and all(0 <= count <= size for count, size in zip(counts, sizes, strict=True)),
            _(
                "{text}: a position is the matches of each heap, at most {heaps}, and after a space who"
                " moves: first | second",
                text=printable(text, 80),
                heaps="/".join(map(str, sizes)),
            ),
        )
        return NimState(
            MOVERS.index(word), sum(count << shift for count, shift in zip(counts, shifts, strict=True))
        )

    drawn = max(sizes) <= DRAWN
    game = Game(
        "nim",
        NimState(0, sum(size << shift for size, shift in zip(sizes, shifts, strict=True))),
        moves,
        play,
        outcome,
        canonical=canonical,
        features={"theory": theory, "odd": odd},
        bits=(1, sum(widths)),
        states=2 * prod(size + 1 for size in sizes),
        name_move=name_move,
        grid=grid if drawn else None,
        place=place if drawn else None,
        show=show,
        write_position=write_position,
        read_position=read_position,
        title=N_("Nim"),
        summary=(
            N_("Take matches; who takes the last one loses")
            if misere
            else N_("Take matches; who takes the last one wins")
        ),
        description=(
            N_(
                "Take one match or more from a heap, by turns; there may be a most that one may take. Who"
                " takes the last match loses."
            )
            if misere
            else N_(
                "Take one match or more from a heap, by turns; there may be a most that one may take. Who"
                " takes the last match wins."
            )
        ),
    )
    game.options = {"heaps": heaps} if heaps else {"matches": matches}
    game.options |= {"take": cap, "misere": misere}
    return game


def sizes_of(heaps: str) -> tuple[int, ...]:
    """The sizes written in `heaps`.

    >>> sizes_of("1-3-5-7")
    (1, 3, 5, 7)
    """
    sizes = heaps.split("-")
    if not all(re.fullmatch(r"[0-9]{1,18}", size) for size in sizes):
        raise BadInput(
            message("nim: heaps={heaps}; write the sizes with dashes between them, like 1-3-5-7", heaps=heaps)
        )
    return tuple(map(int, sizes))
