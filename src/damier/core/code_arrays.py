"""Arrays of codes with NumPy, outside of engines: [codes] int64 where a code is one word, else
[codes, words]. Engines get them `flat`, and read them with `damier.core.codes`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from damier.core.arrays import IntArray
from damier.core.rules import Key

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def array_of(codes: Iterable[Key], words: int) -> IntArray:
    """Some codes of so many words."""
    import numpy as np

    return as_codes(np.array(list(codes), np.int64).reshape(-1), words)


def as_codes(flat_: IntArray, words: int) -> IntArray:
    """The codes that an engine wrote one after the other."""
    return flat_ if words == 1 else flat_.reshape(-1, words)


def flat(codes: IntArray) -> IntArray:
    """The same words one after the other, as engines read them."""
    return codes.reshape(-1)


def code_of(codes: IntArray, number: int) -> Key:
    """Code number `number`."""
    return int(codes[number]) if codes.ndim == 1 else tuple(codes[number].tolist())


def sought(codes: IntArray, wanted: Key, low: int, high: int) -> int:
    """Where a code stands, or would stand, among the ascending ones from number low up to high."""
    if codes.ndim == 1:
        return bisect_left(codes, wanted, low, high)
    return low + bisect_left(range(low, high), wanted, key=lambda number: code_of(codes, number))


def listed(codes: IntArray) -> Sequence[Key]:
    """All of them."""
    return codes.tolist() if codes.ndim == 1 else [tuple(words) for words in codes.tolist()]


def there(codes: IntArray) -> NDArray[np.bool_]:
    """Which places of a table hold a code: else the first word is negative."""
    return (codes if codes.ndim == 1 else codes[:, 0]) >= 0


def ascending(codes: IntArray) -> IntArray:
    """The numbers of the codes in ascending order."""
    import numpy as np

    # the last of the words that lexsort is given is looked at first
    return np.argsort(codes) if codes.ndim == 1 else np.lexsort(codes.T[::-1])


def comparable(codes: IntArray) -> NDArray[np.generic]:
    """The same codes as an array of one dimension that can be searched and compared: of several words,
    each is a record of them.
    """
    import numpy as np

    if codes.ndim == 1:
        return codes
    record = np.dtype([(f"word{number}", codes.dtype) for number in range(codes.shape[1])])
    return np.ascontiguousarray(codes).view(record).reshape(-1)
