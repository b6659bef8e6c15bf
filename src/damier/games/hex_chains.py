"""Chains of Hex that nobody can cut: stones side by side, or joined by *bridges*.

Two stones with two free cells between them are as good as joined: who takes one of the two cells is
answered on the other. So is a stone in the second row with the edge. A chain whose bridges share no
cell wins, although the opponent is to move (virtual connections: V. V. Anshelevich, 2002
[Anshelevich02]).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from damier.core.bits import lowest


class Chain(NamedTuple):
    """What is joined to an edge by a chain that nobody can cut."""

    stones: int
    between: int  # the free cells of its bridges
    bridges: int


class Chains(NamedTuple):
    """The functions of one size of board: to be taken apart where they are used, since compiled
    rules know functions by their own names.
    """

    with_neighbours: Callable[[int], int]
    joined_to: Callable[[int, int], int]
    chained_to: Callable[[int, int, int, int], Chain]


def chains_of(size: int) -> Chains:
    """Cells are bits, row by row from the top left. A set of cells may come back with bits beyond
    the board: all that calls it masks.
    """
    board = (1 << size * size) - 1
    left = sum(1 << row * size for row in range(size))
    not_left, not_right = board ^ left, board ^ left << size - 1
    diagonal = size - 1

    def shifted(stones: int, direction: int) -> int:
        """The cells beside these in one of six directions, clockwise from the right."""
        if direction == 0:
            return (stones & not_right) << 1
        if direction == 1:
            return stones << size & board
        if direction == 2:
            return (stones & not_left) << diagonal & board
        if direction == 3:
            return (stones & not_left) >> 1
        if direction == 4:
            return stones >> size
        return (stones & not_right) >> diagonal

    def with_neighbours(stones: int) -> int:
        """These cells and all beside them."""
        to_right, to_left = stones & not_right, stones & not_left
        beside = to_right << 1 | to_right >> diagonal | to_left >> 1 | to_left << diagonal
        return stones | (beside | stones << size | stones >> size) & board

    def joined_to(edge: int, stones: int) -> int:
        """The stones that lie side by side from an edge on."""
        reached, grown = 0, stones & edge
        while grown != reached:
            reached = grown
            grown = with_neighbours(reached) & stones
        return reached

    def chained_to(edge: int, stones: int, free: int, first: int) -> Chain:
        """What bridges join to an edge, one bridge at a time; `first` is the direction towards the
        edge of the first of the two cells between it and a stone.
        """
        reached, between, bridges = joined_to(edge, stones), 0, 0
        found = True
        while found:
            found = False
            open_cells = free & ~between
            on_edge = open_cells & edge
            second = (first + 1) % 6
            near = shifted(on_edge, (first + 3) % 6) & shifted(on_edge, (first + 4) % 6) & stones & ~reached
            if near:
                stone = lowest(near)
                between |= shifted(stone, first) | shifted(stone, second)
                reached, bridges, found = joined_to(reached | stone, stones), bridges + 1, True
            else:
                for one in range(6):
                    other = (one + 1) % 6
                    by_one = shifted(shifted(reached, one) & open_cells, other)
                    by_other = shifted(shifted(reached, other) & open_cells, one)
                    far = by_one & by_other & stones & ~reached
                    if far:
                        stone = lowest(far)
                        between |= shifted(stone, (one + 3) % 6) | shifted(stone, (other + 3) % 6)
                        reached, bridges, found = joined_to(reached | stone, stones), bridges + 1, True
                        break
        return Chain(reached, between, bridges)

    return Chains(with_neighbours, joined_to, chained_to)
