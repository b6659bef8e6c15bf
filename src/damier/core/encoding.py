"""Observations of positions for a network: *planes*, sets of cells of one board, seen from the side of a
player whoever is to move; and the numbers that actions have.

A game may give `planes` with a `PlaneLayout`, and `action` with how many `actions` there are. Where it does
not, every int of a state is a plane, bit by bit, and a move has the number of its bit, or its place in the
list of moves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from damier.core.codes import Reader, places, reader_of
from damier.core.keys import Bits, widths
from damier.core.rules import State
from damier.core.wide import as_wide
from damier.core.words import N_

Planes: TypeAlias = Callable[[State, int], tuple[int, ...]]
"""The rule `planes`."""

BY_BIT, BY_NUMBER, BY_PLACE, BY_GAME = "bit", "number", "place", "game"
"""How actions are numbered: by the bit of a move in a set of moves, of one word or more; by its place in the
list of moves; or as the game says.
"""


@dataclass(frozen=True)
class PlaneLayout:
    """Board on which the planes of a game lie.

    Attributes:
        rows, columns: of the board
        names: what each plane holds, the own ones first; marked for the catalogue with N_
        cells: the bit of each cell, row by row from the top left; empty where cell c is bit c
    """

    rows: int
    columns: int
    names: tuple[str, ...]
    cells: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return planes, rows and columns."""
        return len(self.names), self.rows, self.columns

    @property
    def bits_of_cells(self) -> tuple[int, ...]:
        """Return the bit of each cell, row by row."""
        return self.cells or tuple(range(self.rows * self.columns))


OWN, OTHER = N_("own pieces"), N_("the other's pieces")
"""The planes of a game with one kind of pieces."""
TO_MOVE, FIRST_PLAYER = N_("to move"), N_("first player")
"""The last two planes of a game that gives none: whether this player is to move, and is player 0."""


def int_names(fields: Sequence[str], bits: Bits) -> list[str]:
    """The names of all ints of a state, in order: those of a field that is a tuple are numbered.

    >>> int_names(("mine", "ghosts"), (9, (4, 4)))
    ['mine', 'ghosts 0', 'ghosts 1']
    """
    return [
        fields[place.field] if place.element is None else f"{fields[place.field]} {place.element}"
        for place in places(bits)
    ]


def layout_of_fields(fields: Sequence[str], bits: Bits) -> PlaneLayout:
    """The layout of `planes_of_fields`: one row, as long as the widest int."""
    return PlaneLayout(1, max(widths(bits), default=1), (*int_names(fields, bits), TO_MOVE, FIRST_PLAYER))


def planes_of_fields(
    bits: Bits, canonical: Callable[[State], State], mover: Callable[[State], int]
) -> Planes:
    """`planes` of a game that gives none: every int of the canonical state, as its mover sees it; then
    whether the player is to move, and whether it is player 0: all cells, or none.
    """
    read: Callable[[State], tuple[int, ...]] = no_ints
    for place in places(bits):
        read = with_int(read, reader_of(place))
    all_cells = (1 << max(widths(bits), default=1)) - 1

    def planes(s: State, player: int) -> tuple[int, ...]:
        to_move = all_cells if mover(s) == player else 0
        first = all_cells if player == 0 else 0
        return read(canonical(s)) + (as_wide(to_move), as_wide(first))

    return planes


# One closure for every int, so that the compiler unrolls them.


def no_ints(s: State) -> tuple[int, ...]:
    return ()


def with_int(before: Callable[[State], tuple[int, ...]], read: Reader) -> Callable[[State], tuple[int, ...]]:
    def ints(s: State) -> tuple[int, ...]:
        return before(s) + (as_wide(read(s)),)

    return ints
