"""The kinds of numbers that engines read and write: lists in plain Python, NumPy's arrays when compiled.

Only names: nothing here imports NumPy, which light commands do not load. What an array holds, and how many entries it has, is
said where it is made, or in the value that holds it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
