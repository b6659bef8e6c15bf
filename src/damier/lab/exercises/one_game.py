"""One game that a learner has played, as its engine sees it: a table of the positions that came up, and
what was drawn in each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from damier.core.numbering import plain_index
from damier.learn.parameters import as_numbers
from damier.learn.seat import COUNTERS, PLAYING, SeatArrays

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def one_game(
    rows: Sequence[Sequence[float]],
    taken: Sequence[int],
    rewards: Sequence[float],
    parameters: DataclassInstance,
) -> SeatArrays:
    """A seat just before its game is learnt from.

    rows     of each position what its entries hold: values, and where they are whole, beads
    taken    of each decision the entry of its row that was taken; rows come in their order
    rewards  what was gained before each decision, and since the last
    """
    first = [0]
    for row in rows:
        first.append(first[-1] + len(row))
    values = [float(value) for row in rows for value in row]
    decisions = len(taken)
    counters = [0] * COUNTERS
    counters[PLAYING] = 1
    return SeatArrays(
        plain_index([]),
        first,
        [entry for row in rows for entry in range(len(row))],
        values,
        [int(value) for value in values],
        counters,
        [0.0, 0.0],
        list(range(decisions)),
        [first[row] + entry for row, entry in enumerate(taken)],
        [max(rows[row]) for row in range(decisions)],
        [float(reward) for reward in rewards],
        [decisions],
        [],
        as_numbers(parameters),
    )


def row_values(seat: SeatArrays, row: int) -> list[float]:
    return [float(value) for value in seat.values[seat.first[row] : seat.first[row + 1]]]


def row_beads(seat: SeatArrays, row: int) -> list[int]:
    return [int(count) for count in seat.counts[seat.first[row] : seat.first[row + 1]]]
