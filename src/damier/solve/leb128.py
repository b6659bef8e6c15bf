"""Whole numbers from 0 on as bytes: seven bits a byte, the lowest first, the top bit set where more follow
(LEB128, of the DWARF debugging format). Differences of ascending keys take one to three bytes like this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ByteArray: TypeAlias = "NDArray[np.uint8]"
"""Numbers one after the other, as they lie in a file."""

LONGEST = 9
"""Bytes that a number of 63 bits takes."""
MORE, LOW_BITS, BITS = 128, 127, 7


def bytes_of_number(number: int) -> int:
    """How many bytes a number takes."""
    size = 1
    while number > LOW_BITS:
        number >>= BITS
        size += 1
    return size


def put_number(number: int, packed: ByteArray, place: int) -> int:
    """Writes a number from packed[place] on; returns the place behind it."""
    while number > LOW_BITS:
        packed[place] = (number & LOW_BITS) | MORE
        number >>= BITS
        place += 1
    packed[place] = number
    return place + 1


def number_at(packed: ByteArray | bytes, place: int) -> tuple[int, int]:
    """The number that begins at packed[place], and the place behind it. A number must end somewhere from
    there on: compiled, nothing else would stop it.
    """
    byte = int(packed[place])
    number, shift = byte & LOW_BITS, 0
    while byte >= MORE:
        place += 1
        shift += BITS
        byte = int(packed[place])
        number |= (byte & LOW_BITS) << shift
    return number, place + 1
