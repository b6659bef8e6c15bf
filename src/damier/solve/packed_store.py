"""A large solution as a file: keys packed to little more than a byte each, scores beside them.

    offsets      int64, where each layer begins, counted in positions, and their number
    first_keys   int64, the first key of every block of BLOCK keys
    places       int64, where the differences of every block begin
    differences  bytes
    scores       one a position, of the smallest type that holds them

Every layer begins with a new block. Solutions of PACKED_FROM positions or more are written like this,
whether they were found in memory or on disk: the same bytes (docs/decisions/0062).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from damier.core.arrays import IntArray, Ints, SmallIntArray, np
from damier.core.codes import code_at, word_of_code
from damier.core.compile import instantiate
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.json_data import Arrays, Streamed, read_arrays, whole_number, write_arrays
from damier.core.json_types import JsonObject
from damier.core.rules import State, ply, unkey
from damier.core.solution import SCORES, TOPS, KeyTable
from damier.core.words import message
from damier.solve.depth_first import find

if TYPE_CHECKING:
    from numpy.typing import NDArray


FORMAT = "damier-solution/2"
PACKED_FROM = 1 << 20
"""Positions from which on a file is packed."""
CHUNK = 1 << 20
"""Entries that are converted at once."""


class LayerSource(NamedTuple):
    """The source of a layer that is to be written, in parts that fit into memory."""

    keys: int
    bytes: int  # of the differences
    first_keys: Callable[[], Iterable[IntArray]]
    places: Callable[[], Iterable[IntArray]]  # counted from the first difference of the layer
    differences: Callable[[], Iterable[ByteArray]]
    scores: Callable[[], Iterable[SmallIntArray]]


def is_packed(game: Game, positions: int) -> bool:
    """Return whether a solution of so many positions is written packed."""
    return positions >= PACKED_FROM and game.key_words == 1


def write_packed(
    path: Path, header: JsonObject, layers: Sequence[LayerSource], top: int, farthest: int
) -> None:
    """Writes layers whose scores have the top score `top`, with the latest end after `farthest` plies.

    Raises BadInput if the place cannot be written, LimitReached on a full disk.
    """
    counts = [layer.keys for layer in layers]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype("<i8")
    dtype, new_top = smallest_score_type(farthest)

    def first_keys() -> Iterator[memoryview]:
        for layer in layers:
            yield from (part.astype("<i8", copy=False).data for part in layer.first_keys())

    def places() -> Iterator[memoryview]:
        base = 0
        for layer in layers:
            yield from ((part + base).astype("<i8", copy=False).data for part in layer.places())
            base += layer.bytes

    def differences() -> Iterator[memoryview]:
        for layer in layers:
            yield from (part.data for part in layer.differences())

    def scores() -> Iterator[memoryview]:
        for layer in layers:
            yield from (converted(part, top, dtype, new_top).data for part in layer.scores())

    blocks = sum(map(blocks_of, counts))
    write_arrays(
        path,
        FORMAT,
        {**header, "block": BLOCK},
        {
            "offsets": offsets,
            "first_keys": Streamed("int64", blocks, first_keys),
            "places": Streamed("int64", blocks, places),
            "differences": Streamed("uint8", sum(layer.bytes for layer in layers), differences),
            "scores": Streamed(np.dtype(dtype).name, int(offsets[-1]), scores),
        },
    )


def file_size(layers: Sequence[LayerSource]) -> int:
    """About how many bytes the file of some layers takes, with scores of one byte."""
    return sum(layer.bytes + 16 * blocks_of(layer.keys) + layer.keys + 8 for layer in layers) + (1 << 16)


def smallest_score_type(farthest: int) -> tuple[str, int]:
    """The smallest type of scores, with its top, in which the latest end comes after so many plies."""
    return next((dtype, top) for dtype, top in SCORES.items() if farthest < top)


def converted(scores: SmallIntArray, top: int, dtype: str, new_top: int) -> SmallIntArray:
    """Return the scores with another top, in another type."""
    if scores.dtype.str == dtype and top == new_top:
        return scores
    wide = scores.astype(np.int64)
    return cast("SmallIntArray", (wide + np.sign(wide) * (new_top - top)).astype(dtype))


Pack: TypeAlias = "Callable[[IntArray, int, ByteArray, IntArray, IntArray, IntArray], int]"
"""`pack`, compiled."""


class KeyPacker:
    """Ascending keys as they are packed; here the differences are held, in `parts`."""

    def __init__(self, run: Pack) -> None:
        self._run, self.parts = run, list[ByteArray]()
        self._packed = np.empty(CHUNK, np.uint8)
        self._first_keys = np.empty(CHUNK // BLOCK, np.int64)
        self._places = np.empty(CHUNK // BLOCK, np.int64)
        self._state = np.zeros(5, np.int64)
        self._index: list[tuple[IntArray, IntArray]] = []

    def write(self, differences: ByteArray) -> None:
        """Takes the next differences, of an array that is used again."""
        self.parts.append(differences.copy())

    def add(self, keys: IntArray) -> None:
        """Packs keys, each larger than all before."""
        done = 0
        while done < len(keys):
            done = self._run(keys, done, self._packed, self._first_keys, self._places, self._state)
            if done < len(keys):
                self._flush()

    def packed(self) -> tuple[int, int, IntArray, IntArray]:
        """Write what is left, and return how many keys there were, how many bytes their differences take, the
        first key of every block, and its place.
        """
        self._flush()
        first_keys, places = (np.concatenate(column) for column in zip(*self._index, strict=True))
        return int(self._state[0]), int(self._state[4]), first_keys, places

    def _flush(self) -> None:
        filled, blocks = int(self._state[2]), int(self._state[3])
        self.write(self._packed[:filled])
        self._index.append((self._first_keys[:blocks].copy(), self._places[:blocks].copy()))
        self._state[4] += filled
        self._state[2] = self._state[3] = 0


def sources_of(table: KeyTable[int]) -> list[LayerSource]:
    """The layers of a table in memory, packed there."""
    run = instantiate(pack, table.game, jit=True)
    scores = cast("SmallIntArray", table.scores)
    return [_source(table.keys[low:high], scores[low:high], run) for low, high in pairwise(table.offsets)]


def _source(keys: IntArray, scores: SmallIntArray, run: Pack) -> LayerSource:
    packer = KeyPacker(run)
    packer.add(keys)
    count, size, first_keys, places = packer.packed()
    parts = packer.parts
    return LayerSource(count, size, lambda: [first_keys], lambda: [places], lambda: parts, lambda: [scores])


class PackedArrays(NamedTuple):
    """Arrays of a packed file."""

    offsets: IntArray
    first_keys: IntArray
    places: IntArray
    differences: ByteArray
    scores: SmallIntArray


def read_packed(
    path: Path, game: Game, check_header: Callable[[JsonObject], None]
) -> tuple[JsonObject, PackedTable]:
    """The header and the table in a file. Raises BadFile for a damaged or foreign one."""

    def check(header: JsonObject, arrays: Arrays) -> None:
        check_header(header)
        require_fitting(header, packed_arrays(arrays, path), path, game)

    header, arrays = read_arrays(path, FORMAT, check)
    found = packed_arrays(arrays, path)
    offsets = tuple(found.offsets.tolist())
    layers, block = [], 0
    for low, high in pairwise(offsets):
        end = block + blocks_of(high - low)
        begin = int(found.places[block]) if block < len(found.places) else len(found.differences)
        stop = int(found.places[end]) if end < len(found.places) else len(found.differences)
        differences = found.differences[begin:stop]
        require_numbers(differences, high - low - (end - block), path)
        index = slice(block, end)
        layers.append(Packed(high - low, found.first_keys[index], found.places[index], differences, begin))
        block = end
    first_ply = whole_number(header["first_ply"]) or 0
    return header, PackedTable(game, tuple(layers), found.scores, offsets, first_ply)


def packed_arrays(arrays: Arrays, path: Path) -> PackedArrays:
    """The arrays of a file, if they are of the types of a packed solution. Raises BadFile."""
    lacking = BadFile(message("{path} lacks its keys or scores", path=path))
    if set(arrays) != set(PackedArrays._fields):
        raise lacking
    offsets, first_keys, places, differences, scores = (arrays[name] for name in PackedArrays._fields)
    types = [array.dtype.str for array in (offsets, first_keys, places, differences)]
    if types != ["<i8", "<i8", "<i8", "|u1"] or scores.dtype.str not in SCORES:
        raise lacking
    return PackedArrays(
        cast("IntArray", offsets),
        cast("IntArray", first_keys),
        cast("IntArray", places),
        cast("ByteArray", differences),
        cast("SmallIntArray", scores),
    )


def require_fitting(header: JsonObject, found: PackedArrays, path: Path, game: Game) -> None:
    """Raises BadFile where offsets, blocks and differences do not fit together, or not the game."""
    damaged = unfitting(path)
    offsets, positions = found.offsets, len(found.scores)
    if header.get("block") != BLOCK or not 2 <= len(offsets) <= positions + 1 or offsets[0] != 0:
        raise damaged
    counts = np.diff(offsets)
    beyond = bool(((offsets < 0) | (offsets > positions)).any())  # of which differences might overflow
    if beyond or offsets[-1] != positions or bool((counts < 0).any()) or game.key_words != 1:
        raise damaged
    blocks = int((-(-counts // BLOCK)).sum())
    if len(found.first_keys) != blocks or len(found.places) != blocks or found.places[0] != 0:
        raise damaged
    # a block has at least a byte for each key after its first, and no more than the longest differences
    sizes = np.diff(found.places, append=len(found.differences))
    if bool((sizes < 0).any()) or bool((sizes > (BLOCK - 1) * LONGEST).any()):
        raise damaged
    begins = found.places[found.places > 0]
    if bool((found.differences[begins - 1] >= MORE).any()):  # in the middle of a difference
        raise damaged
    require_possible(positions, path, game)


def unfitting(path: Path) -> BadFile:
    """Return what is to be raised of a file whose parts are not of one solution."""
    return BadFile(message("{path}: its layers do not fit its keys", path=path))


def require_possible(positions: int, path: Path, game: Game) -> None:
    """Raises BadFile where a file has more positions than its game."""
    if game.states is not None and positions > game.states:
        raise BadFile(
            message(
                "{path} holds {n} positions; {game} has at most {most}",
                path=path,
                n=positions,
                game=game.text,
                most=game.states,
            )
        )


def require_numbers(differences: ByteArray, count: int, path: Path) -> None:
    """Raises BadFile where there are not so many numbers: compiled code would read beyond the last one."""
    parts = (differences[begin : begin + CHUNK] for begin in range(0, len(differences), CHUNK))
    ends = sum(int(np.count_nonzero(part < MORE)) for part in parts)
    if ends != count or (len(differences) and differences[-1] >= MORE):
        raise unfitting(path)


# Scores beside packed keys: a solution that is read from its file without being unpacked.


def fill_plies(keys: IntArray, plies: IntArray) -> None:
    """plies[i]: the ply of the position of key number i."""
    for index in range(len(plies)):
        plies[index] = ply(unkey(code_at(keys, index)))


def find_packed(
    wanted: IntArray,
    first_keys: IntArray,
    places: IntArray,
    differences: ByteArray,
    base: int,
    count: int,
    found: IntArray,
) -> None:
    """found[i]: where the key wanted[i] stands in a layer of `count` packed keys; -1 where it does not."""
    for number in range(len(wanted)):
        key = wanted[number]
        block = find(key + 1, first_keys, 0, len(first_keys)) - 1
        found[number] = -1
        if block >= 0:
            found[number] = place_of(key, block, first_keys, places, differences, base, count)


@dataclass
class PackedTable:
    """Scores in the order of packed keys, of a game whose keys are one word; the arrays lie in a file.

    Layer i is layers[i] with the scores [offsets[i]:offsets[i + 1]]. A game with one layer has all
    positions in it; else layer i holds those of ply first_ply + i.
    """

    game: Game
    layers: tuple[Packed, ...]
    scores: SmallIntArray
    offsets: tuple[int, ...]
    first_ply: int = 0

    def __len__(self) -> int:
        return len(self.scores)

    @property
    def top(self) -> int:
        return TOPS[self.scores.dtype.itemsize]

    def key_table(self, game: Game) -> KeyTable[int]:
        """All keys unpacked: eight bytes each."""
        run = instantiate(unpack, game, jit=True)
        keys = np.empty(len(self), np.int64)
        for layer, begin in zip(self.layers, self.offsets, strict=False):
            run(layer.differences, layer.first_keys, keys[begin : begin + layer.keys])
        return KeyTable(game, keys, self.scores, self.offsets, self.first_ply)

    def searchable(self, game: Game) -> PackedTable:
        return self

    def score(self, s: State) -> int:
        """Raises KeyError for a state that it does not hold."""
        number = self.game.ply(s) - self.first_ply if len(self.layers) > 1 else 0
        if 0 <= number < len(self.layers):
            layer, wanted = self.layers[number], word_of_code(self.game.key(s))
            block = bisect_right(layer.first_keys, wanted) - 1
            place = layer.place_in_block(wanted, block) if block >= 0 else -1
            if place >= 0:
                return int(self.scores[self.offsets[number] + block * BLOCK + place])
        raise KeyError(s)

    def scores_of(self, keys: IntArray) -> SmallIntArray:
        """The scores of an array of keys.

        Raises KeyError, with the first key that it does not hold.
        """
        run = instantiate(find_packed, self.game, jit=True)
        scores = np.zeros(len(keys), self.scores.dtype)
        numbers = np.zeros(len(keys), np.int64)
        if len(self.layers) > 1:
            instantiate(fill_plies, self.game, jit=True)(np.ascontiguousarray(keys), numbers)
            numbers -= self.first_ply
        missing = np.ones(len(keys), bool)
        for number, (layer, begin) in enumerate(zip(self.layers, self.offsets, strict=False)):
            (here,) = (numbers == number).nonzero()
            wanted, places = keys[here], np.empty(len(here), np.int64)
            run(wanted, layer.first_keys, layer.places, layer.differences, layer.base, layer.keys, places)
            found = here[places >= 0]
            scores[found] = self.scores[begin + places[places >= 0]]
            missing[found] = False
        if missing.any():
            raise KeyError(int(keys[int(missing.argmax())]))
        return scores

    def spread(self, many: int) -> Iterator[tuple[int, int]]:
        """About so many keys, spread over all, each with its score."""
        step, number = max(1, sum(len(layer.first_keys) for layer in self.layers) // many), 0
        for layer, begin in zip(self.layers, self.offsets, strict=False):
            while number < len(layer.first_keys):
                yield int(layer.first_keys[number]), int(self.scores[begin + number * BLOCK])
                number += step
            number -= len(layer.first_keys)


# Ascending keys in little more than a byte each: blocks of differences.
#
# A block is BLOCK keys, the last of a layer may have fewer. Its first key stands in an index beside the
# place at which its differences begin; each further key is written as its difference from the one before,
# less 1. One block is decoded in less than a microsecond, so that a key is found by a search in the index
# and a look at one block.

BLOCK = 128
"""Keys that are found by one look at the index: 16 bytes of it are 1/8 byte a key."""


def blocks_of(keys: int) -> int:
    """Return how many blocks so many keys take."""
    return -(-keys // BLOCK)


def pack(
    keys: IntArray, first: int, packed: ByteArray, first_keys: IntArray, places: IntArray, state: IntArray
) -> int:
    """Writes keys[first:], each larger than the one before, as far as `packed` and the index have
    room; returns where it stopped.

    state: keys so far, the last of them, bytes in `packed`, blocks in the index, bytes before `packed`.
    """
    count, before, filled, blocks, base = state[0], state[1], state[2], state[3], state[4]
    index = first
    while index < len(keys) and filled + LONGEST <= len(packed):
        key = keys[index]
        if count % BLOCK == 0:
            if blocks == len(first_keys):
                break
            first_keys[blocks] = key
            places[blocks] = base + filled
            blocks += 1
        else:
            filled = put_number(key - before - 1, packed, filled)
        before = key
        count += 1
        index += 1
    state[0], state[1], state[2], state[3] = count, before, filled, blocks
    return index


def unpack(packed: ByteArray, first_keys: IntArray, keys: IntArray) -> int:
    """Fills `keys` with those of the blocks whose first keys are given and whose differences begin at
    packed[0]; returns how many bytes they took. As many numbers as are needed must be there.
    """
    place, key = 0, 0
    for index in range(len(keys)):
        if index % BLOCK == 0:
            key = first_keys[index // BLOCK]
        else:
            difference, place = number_at(packed, place)
            key += difference + 1
        keys[index] = key
    return place


def place_of(
    wanted: int,
    block: int,
    first_keys: Ints,
    places: Ints,
    differences: ByteArray | bytes,
    base: int,
    count: int,
) -> int:
    """Return where a key stands that could be in a block, of `count` packed keys; -1 where it is not there.
    The last difference ends with the last byte.
    """
    key, at = first_keys[block], places[block] - base
    place, stop = block * BLOCK, min(block * BLOCK + BLOCK, count)
    while key < wanted and place + 1 < stop and at < len(differences):
        difference, at = number_at(differences, at)
        key += difference + 1
        place += 1
    return place if key == wanted else -1


class Packed(NamedTuple):
    """Packed keys in memory; the differences of block i begin at differences[places[i] - base]."""

    keys: int
    first_keys: IntArray  # [blocks]
    places: IntArray  # [blocks]
    differences: ByteArray
    base: int = 0

    def place_in_block(self, wanted: int, block: int) -> int:
        """Return where a key stands, counted from the first of its block; -1 where it is not there. In
        plain Python: some microseconds.
        """
        begin = int(self.places[block]) - self.base
        stop = int(self.places[block + 1]) - self.base if block + 1 < len(self.places) else None
        keys, differences = min(BLOCK, self.keys - block * BLOCK), self.differences[begin:stop].tobytes()
        return place_of(wanted, 0, [int(self.first_keys[block])], [0], differences, 0, keys)


# Whole numbers from 0 on as bytes: seven bits a byte, the lowest first, the top bit set where more follow
# (LEB128, of the DWARF debugging format). Differences of ascending keys take one to three bytes like this.

ByteArray: TypeAlias = "NDArray[np.uint8]"
"""Numbers one after the other, as they lie in a file."""

LONGEST = 9
"""Bytes that a number of 63 bits takes."""
MORE, LOW_BITS, BITS = 128, 127, 7


def bytes_of_number(number: int) -> int:
    """Return how many bytes a number takes."""
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
