"""The kinds of numbers that engines read and write: lists in plain Python, NumPy's arrays when
compiled.

`np` is NumPy, loaded when something of it is first used: light commands do not load it. What an
array holds, and how many entries it has, is said where it is made, or in the value that holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:

    class LazyNumPy:
        """NumPy, loaded by the first attribute that is asked for."""

        def __getattr__(self, name: str) -> object:
            import numpy

            setattr(self, name, found := getattr(numpy, name))
            return found

    np = LazyNumPy()

__all__ = (
    "FloatArray",
    "Floats",
    "IntArray",
    "Ints",
    "SmallIntArray",
    "Words",
    "floats",
    "ints",
    "np",
    "words",
)

IntArray: TypeAlias = "NDArray[np.int64]"
"""Keys, moves, numbers of positions, counts."""

SmallIntArray: TypeAlias = "NDArray[np.signedinteger]"
"""Ints of any width: scores take no more bytes than they need."""

FloatArray: TypeAlias = "NDArray[np.float64]"
"""Weights, chances, values that are learnt."""

Ints: TypeAlias = "list[int] | NDArray[np.signedinteger]"
"""Ints in both worlds."""

Floats: TypeAlias = "list[float] | NDArray[np.float64]"
"""Real numbers in both worlds."""

Words: TypeAlias = "list[int] | NDArray[np.uint64]"
"""Words of 64 bits in both worlds."""


def ints(n: int, jit: bool, kind: str = "int64") -> Ints:
    """Room for n ints, all 0: an array of a NumPy type for compiled code, a list for plain Python."""
    if not jit:
        return [0] * n
    return np.zeros(n, kind)


def floats(n: int, jit: bool) -> Floats:
    """Room for n real numbers, all 0."""
    if not jit:
        return [0.0] * n
    return np.zeros(n, np.float64)


def words(n: int, jit: bool) -> Words:
    """Room for n words of 64 bits, all 0."""
    if not jit:
        return [0] * n
    return np.zeros(n, np.uint64)
