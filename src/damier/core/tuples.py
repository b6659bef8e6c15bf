"""A tuple with one element changed, in plain Python and compiled: a state may hold tuples, and no
rule can assign to one.

The function is built from small closures, one an element, so that the compiler unrolls it.

>>> changed = setter(3)
>>> changed((7, 8, 9), 1, 5)
(7, 5, 9)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Setter: TypeAlias = Callable[[tuple[int, ...], int, int], tuple[int, ...]]


def setter(length: int) -> Setter:
    """The function (tuple, index, value) -> tuple, for tuples of `length` ints; an index outside
    changes nothing.
    """
    changed: Setter = _nothing
    for index in range(length):
        changed = _append(changed, index)
    return changed


def _nothing(elements: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return ()


def _append(before: Setter, element: int) -> Setter:
    def append(elements: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
        return before(elements, index, value) + (value if index == element else elements[element],)

    return append
