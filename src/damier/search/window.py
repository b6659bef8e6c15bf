"""Between which bounds a search is asked, and the three cases of what it answers.

A window is (low, high), seen by whoever is to move. Who searches may stop at values outside it:
what comes back is then a bound, not the value.

    value beyond high     fail high    a lower bound: the value is at least that
    value beyond low      fail low     an upper bound: the value is at most that
    between them          exact

Whether a value that *equals* a side of the window is beyond it is said for each side of the game
apart: `cut_at_equality` is a set of sides. Nobody cuts there where pruning is strict, both do where
it is weak (docs/decisions/0025).
"""

from __future__ import annotations

NOBODY, MAX_CUTS, MIN_CUTS, BOTH = range(4)


def fails_high(value: float, high: float, at_equality: bool) -> bool:
    """Whether a value is too good for its mover to come up: its opponents have something better for
    them elsewhere.
    """
    return value > high or (at_equality and value == high)


def fails_low(value: float, low: float, at_equality: bool) -> bool:
    """Whether a value is so bad for its mover that it need not come here: it has something better
    elsewhere.
    """
    return value < low or (at_equality and value == low)
