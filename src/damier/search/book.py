"""A book: what is proven of early positions of a game, images under symmetries as one. Of some it has the
exact scores, all of a ply or those that games reach most; of others, which a proof of these took
long to come by, bounds. Whoever searches takes it into the table, and does not prove it again.

The file (`core/json_data.py`) says for which rules it was made, by what they do (`Game.fingerprint`),
so that it holds in every version of Python. Its one array is compressed:

    the least keys, ascending, as differences: all lowest bytes, then all second bytes, … (8 of them)
    a byte for each, the least it is worth, then another for each, the most: n where player 0 wins in
    n plies, -n where player 1 does, 0 a draw; 127 and -127 where nothing bounds it
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damier.core.arrays import IntArray, np
from damier.core.errors import BadFile, LimitReached
from damier.core.game import Game
from damier.core.json_data import read_arrays, whole_number
from damier.core.rules import TOP, Key, State, loss_in, win_in
from damier.core.solution import side
from damier.core.words import message
from damier.search import bounds_table
from damier.search.proof_store import (
    Bounds,
    ProvenScore,
    least_image,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT: Final = "damier-book/2"
PACKED = "packed"
LARGEST = 1 << 26
MOST_POSITIONS = 1 << 26
OPEN = 127
"""The byte of what nothing bounds, with its sign."""
ENTRY = 10
"""Bytes of a position, unpacked."""


@dataclass(frozen=True)
class Book:
    """Bounds of the scores of positions up to a ply that are not over, as proofs that nobody adds to.

    Attributes:
        keys: int64 of any length, ascending: the least keys of images
        low, high: int8 of the same length
    """

    game: Game
    plies: int
    keys: NDArray[np.int64]
    low: NDArray[np.int8]
    high: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.keys)

    def look(self, s: State) -> ProvenScore | None:
        """Return what the book says of a position."""
        if self.game.ply(s) > self.plies:
            return None
        key = book_key(self.game, s)
        place = int(self.keys.searchsorted(key))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        return ProvenScore(score_of_byte(int(self.low[place])), score_of_byte(int(self.high[place])))

    def note(self, s: State, proven: ProvenScore) -> None:
        """A book is closed."""

    @cached_property
    def slots(self) -> IntArray:
        """[slots, 2] All of it and all images, as slots of a table (`bounds_table`)."""
        found = []
        for key, low, high in zip(self.keys.tolist(), self.low.tolist(), self.high.tolist(), strict=True):
            s = self.game.unkey(key)
            bounds = Bounds(score_of_byte(low), score_of_byte(high)).for_mover(side(self.game, s))
            entry = bounds_table.entry_of(*bounds, 0, DEAR)
            images = (self.game.turn(s, symmetry) for symmetry in range(self.game.symmetries()))
            found += [
                (entry, image ^ entry) for image in {one_word(self.game, self.game.key(s)) for s in images}
            ]
        return np.array(found, np.int64).reshape(-1, 2)


DEAR = 1 << 16
"""Nodes of a proof that is kept in a book: some hundredths of a second of compiled code."""


def book_key(game: Game, s: State) -> int:
    """The least key of the images of a position. Raises LimitReached where it needs several words."""
    return one_word(game, least_image(game, s)[0])


def one_word(game: Game, key: Key) -> int:
    """A key that is a word. Raises LimitReached for another."""
    if not isinstance(key, int):
        raise LimitReached(message("{game}: its positions need too many bits for a book", game=game.text))
    return key


def score_of_byte(plies: int) -> int:
    """The score that a byte says.

    >>> score_of_byte(3) == win_in(3), score_of_byte(-4) == loss_in(4), score_of_byte(0)
    (True, True, 0)
    >>> score_of_byte(127) == TOP, score_of_byte(-127) == -TOP
    (True, True)
    """
    if abs(plies) == OPEN:
        return TOP if plies > 0 else -TOP
    return win_in(plies) if plies > 0 else loss_in(-plies) if plies < 0 else 0


def read_book(path: Path, game: Game) -> Book:
    """The book of a game. Raises BadFile, also for one that was made for other rules."""
    header, arrays = read_arrays(path, FORMAT, largest=LARGEST)
    positions, plies = whole_number(header.get("positions")), whole_number(header.get("plies"))
    if positions is None or plies is None or not 0 < positions <= MOST_POSITIONS or set(arrays) != {PACKED}:
        raise BadFile(message("{path} does not say how many positions it has", path=path))
    if header.get("game") != game.name or header.get("fingerprint") != game.fingerprint():
        raise BadFile(message("{path} was made for other rules than {game}", path=path, game=game.text))
    try:
        whole = zlib.decompressobj().decompress(arrays[PACKED].tobytes(), ENTRY * positions)
    except zlib.error as error:
        raise BadFile(message("{path} is damaged: {error}", path=path, error=error)) from None
    if len(whole) != ENTRY * positions:
        raise BadFile(message("{path} has fewer positions than it says", path=path))
    planes = np.frombuffer(whole, np.uint8, 8 * positions).reshape(8, positions)
    keys = np.ascontiguousarray(planes.T).view("<i8").ravel().cumsum(dtype=np.int64)
    told = np.frombuffer(whole, np.int8, 2 * positions, 8 * positions).reshape(2, positions)
    return Book(game, plies, keys, told[0], told[1])
