"""Where a shard keeps its layers: in memory, or, as `damier.lab.cluster` gives it, in a folder that
survives it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AnyArray: TypeAlias = "NDArray[np.generic]"


class Shelf(Protocol):
    """Arrays by name; what is put there twice is the same."""

    def put(self, name: str, array: AnyArray) -> None: ...

    def get(self, name: str) -> AnyArray | None:
        """None where there is none of this name, or what there is was written half."""
        ...

    def drop(self, name: str) -> None: ...

    @property
    def memory(self) -> int:
        """Bytes of memory that it takes."""
        ...


class MemoryShelf:
    def __init__(self) -> None:
        self._arrays: dict[str, AnyArray] = {}

    def put(self, name: str, array: AnyArray) -> None:
        self._arrays[name] = array

    def get(self, name: str) -> AnyArray | None:
        return self._arrays.get(name)

    def drop(self, name: str) -> None:
        self._arrays.pop(name, None)

    @property
    def memory(self) -> int:
        return sum(array.nbytes for array in self._arrays.values())
