"""Kalah: sow the seeds of a pit around the board; the end is worth the seeds that one has more in
one's store.

Pits are numbered against the clock, those of player 0 first:

           2m … m + 2  m + 1         player 1, whose first pit is m + 1
    2m + 1                     m     the stores
           0  …  m - 2  m - 1        player 0

A move takes all the seeds of one of one's own pits and sows them one by one, from the next place
on, into one's own store too, but not into the other's. The last seed in one's own store: move
again. The last seed in one's own pit that was empty, while the pit across is not: both are taken to
the store. As soon as a side is empty, the other player stores what is left there, and the game is
over.

`empty_capture` takes the last seed also where the pit across is empty. Solved by G. Irving, J. Donkers
and J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000) [Irving00].

A position is written as the pits lie on the board, those of player 1 above and from right to left; the
stores, that of player 0 first; and who moves: `3-3-4/3-0-4 1-0 second`.

>>> from damier import load
>>> load("kalah:pits=2,seeds=1").position().play("2", "1").payoffs
(2, -2)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from damier.core.bits import bit, position_of
from damier.core.board import NumberBoard, NumberPlace
from damier.core.errors import BadInput
from damier.core.game import Game, require
from damier.core.keys import KEY_BITS
from damier.core.wide import as_word
from damier.core.words import N_, _, message, ngettext, printable

LARGEST = 12
"""Pits of a player, and seeds of a pit at the start, on the largest board wider than a word."""
MOVERS = ("first", "second")


class KalahState(NamedTuple):
    board: int  # the seeds of every place but the last, side by side, place 0 in the lowest bits
    mover: int


def kalah(pits: int = 3, seeds: int = 3, empty_capture: bool = False) -> Game:
    """A board of `pits` pits for each player, with `seeds` in each."""
    require(
        pits > 0 and seeds > 0,
        _("kalah: pits={pits},seeds={seeds}; both are at least 1", pits=pits, seeds=seeds),
    )
    total, places = 2 * pits * seeds, 2 * pits + 2
    width = total.bit_length()
    bits = width * (places - 1)  # what is nowhere else is in the last store
    require(
        bits < KEY_BITS or max(pits, seeds) <= LARGEST,
        _(
            "kalah: pits={pits},seeds={seeds}; both are at most {most}, or {n} bits at most 61",
            pits=pits,
            seeds=seeds,
            most=LARGEST,
            n=bits,
        ),
    )
    mask, side = (1 << width) - 1, (1 << width * pits) - 1
    stores = (pits, places - 1)

    def at(board: int, place: int) -> int:
        """The seeds of a pit, or of the first store."""
        return as_word(board >> width * place & mask)

    def row(board: int, player: int) -> int:
        """The pits of a player, side by side."""
        return board >> width * (pits + 1) * player & side

    def held(board: int) -> int:
        """The seeds of all places but the last."""
        found = 0
        for place in range(places - 1):
            found += at(board, place)
        return found

    def moves(s: KalahState) -> int:
        mine, legal = row(s.board, s.mover), 0
        for pit in range(pits):
            if mine >> width * pit & mask:
                legal |= 1 << pit
        return legal

    def play(s: KalahState, move: int) -> KalahState:
        home = (pits + 1) * s.mover  # the first of one's own places
        place = home + position_of(move)
        left = at(s.board, place)
        board = s.board - (bit(width * place) * left)
        while left > 0:
            place = (place + 1) % places
            if place != stores[1 - s.mover]:
                left -= 1
                if place < places - 1:
                    board += bit(width * place)
        if place == stores[s.mover]:
            return KalahState(board, s.mover)
        if home <= place < home + pits and at(board, place) == 1:
            across = 2 * pits - place
            taken = at(board, across)
            if taken > 0 or empty_capture:
                board -= bit(width * across) * taken + bit(width * place)
                if s.mover == 0:
                    board += bit(width * pits) * (taken + 1)
        return KalahState(board, 1 - s.mover)

    def over(s: KalahState) -> bool:
        return row(s.board, 0) == 0 or row(s.board, 1) == 0

    def lead(s: KalahState) -> int:
        """The seeds that player 0 has stored more than player 1."""
        return at(s.board, pits) - (total - held(s.board))

    def payoff(s: KalahState, player: int) -> int:
        first = at(s.board, pits)
        for pit in range(pits):
            first += at(s.board, pit)
        margin = 2 * first - total
        return margin if player == 0 else -margin

    def name_move(s: KalahState, move: int) -> str:
        return str(position_of(move) + 1)

    def caption(s: KalahState) -> str:
        first = at(s.board, pits)
        return _("stores: {first} to {second}", first=first, second=total - held(s.board))

    def numbers(s: KalahState) -> tuple[list[int], list[int]]:
        """The pits as the board has them: those of player 1 from right to left."""
        return (
            [at(s.board, pits + 1 + pit) for pit in reversed(range(pits))],
            [at(s.board, pit) for pit in range(pits)],
        )

    def show(s: KalahState) -> str:
        lines = [" ".join(f"{count:2}" for count in line) for line in numbers(s)]
        arrows = (" <" if s.mover == 1 else "", " >" if s.mover == 0 else "")
        return "\n".join((lines[0] + arrows[0], lines[1] + arrows[1], caption(s)))

    def write_position(s: KalahState) -> str:
        rows = "/".join("-".join(map(str, row)) for row in numbers(s))
        return f"{rows} {at(s.board, pits)}-{total - held(s.board)} {MOVERS[s.mover]}"

    number = "([0-9]{1,7})"  # as many digits as 61 bits allow
    written_row = "-".join([number] * pits)
    notation = re.compile(f"{written_row}/{written_row} {number}-{number} (?P<mover>{'|'.join(MOVERS)})")

    def read_position(text: str) -> KalahState:
        found = notation.fullmatch(text.strip())
        if found is None:
            raise BadInput(
                message(
                    "{text}: a position is the seeds of the pits in two rows, the stores, and who moves:"
                    " {start}",
                    text=printable(text, 80),
                    start=write_position(start),
                )
            )
        *counts, first, second = map(int, found.groups()[:-1])
        there = sum(counts) + first + second
        require(there == total, _("{n} seeds; this game has {total}", n=there, total=total))
        above, below = counts[:pits], counts[pits:]
        return KalahState(side_by_side((*below, first, *reversed(above))), MOVERS.index(found["mover"]))

    def side_by_side(counts: Sequence[int]) -> int:
        """The board with so many seeds in all places but the last."""
        return sum(count << width * place for place, count in enumerate(counts))

    def grid(s: KalahState) -> NumberBoard:
        second, first = numbers(s)
        return picture(s.mover, first, second, (at(s.board, pits), total - held(s.board)))

    def place(s: KalahState, move: int) -> tuple[int, ...]:
        return (s.mover * (pits + 1) + position_of(move),)

    start = KalahState(side_by_side((*[seeds] * pits, 0, *[seeds] * pits)), 0)
    return Game(
        "kalah",
        start,
        moves,
        play,
        over=over,
        payoff=payoff,
        actions=pits,
        features={"lead": lead},
        bits=(bits, 1),
        most_moves=None if bits < KEY_BITS else pits,
        states=2 * comb(total + places - 1, places - 1),
        name_move=name_move,
        grid=grid,
        place=place,
        show=show,
        write_position=write_position,
        read_position=read_position,
        title=N_("Kalah"),
        summary=N_("Kalah: sow seeds; the end is worth the seeds that one has stored more"),
        description=N_(
            "Take all the seeds of one of your pits and sow them one by one around the board, into your own"
            " store too. The last one in your store: move again. The last one in an empty pit of yours: it"
            " and those across are stored. Who has no seeds left to sow ends the game; the other stores the"
            " rest."
        ),
    )


PIT = 1.72
"""Height of the room of a pit on the picture, its number and its name included."""


def picture(mover: int, first: list[int], second: list[int], stores: tuple[int, int]) -> NumberBoard:
    """The board as player 1 has it before himself, its places numbered as those of the game are: his
    pits from left to right, his store at the right; those of player 2 above, from right to left.
    """
    places = []
    for player, row in enumerate((first, second[::-1])):
        mine = player == mover and any(first) and any(second)
        for pit, count in enumerate(row):
            places.append(
                NumberPlace(
                    "pit",
                    1.2 + (pit if player == 0 else len(row) - 1 - pit),
                    PIT * (1 - player),
                    1,
                    PIT,
                    ngettext(
                        "pit {pit} of player {player}: {n} seed",
                        "pit {pit} of player {player}: {n} seeds",
                        count,
                        pit=pit + 1,
                        player=player + 1,
                    ),
                    count,
                    str(pit + 1),
                    mine and count > 0,
                )
            )
        stored = stores[player]
        words = ngettext(
            "store of player {player}: {n} seed",
            "store of player {player}: {n} seeds",
            stored,
            player=player + 1,
        )
        left = 0.0 if player else 1.2 + len(row)
        name = _("pl. {n}", n=player + 1)
        places.append(NumberPlace("store", left, 0, 1.2, 2 * PIT, words, stored, name, mine))
    return NumberBoard(tuple(places))
