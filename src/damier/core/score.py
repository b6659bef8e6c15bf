"""A score says who wins and how soon: the sooner win and the later loss are the larger score, so
that best play is the largest one.

    win_in(n)    +TOP - n        0    a draw        loss_in(n)    n - TOP

>>> win_in(1) > win_in(3) > 0 > loss_in(4) > loss_in(2)
True
"""

from __future__ import annotations

from typing import Final

TOP: Final = 32767
"""A win that is there: no plies are left to it."""


def win_in(plies: int) -> int:
    """The score of a win after so many plies."""
    return TOP - plies


def loss_in(plies: int) -> int:
    """The score of a loss after so many plies."""
    return plies - TOP


def later(score: int) -> int:
    """A score of the next position, as seen one ply before it."""
    if score > 0:
        return score - 1
    return score + 1 if score < 0 else 0


def sooner(score: int) -> int:
    """What the next position must be worth at least, for this position to be worth `score` at
    least.

    >>> [later(sooner(score)) == score for score in (win_in(7), 0, loss_in(7))]
    [True, True, True]
    """
    if score > 0:
        return score + 1
    return score - 1 if score < 0 else 0
