"""A large solution as a file: keys packed to little more than a byte each, scores beside them.

    offsets      int64, where each layer begins, counted in positions, and their number
    first_keys   int64, the first key of every block of BLOCK keys (`damier.solve.packing`)
    places       int64, where the differences of every block begin
    differences  bytes
    scores       one a position, of the smallest type that holds them

Every layer begins with a new block. Solutions of PACKED_FROM positions or more are written like this,
whether they were found in memory or on disk: the same bytes (docs/decisions/0062).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, cast

from damier.core.array_files import Arrays, Streamed, read_arrays, write_arrays
from damier.core.arrays import IntArray, SmallIntArray
from damier.core.compile import instantiate
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.json_data import whole_number
from damier.core.json_types import JsonObject
from damier.core.score_table import SCORES, KeyTable
from damier.core.words import message
from damier.solve.leb128 import LONGEST, MORE, ByteArray
from damier.solve.packed_table import PackedTable
from damier.solve.packing import BLOCK, Packed, blocks_of, pack

FORMAT = "damier-solution/2"
PACKED_FROM = 1 << 20
"""Positions from which on a file is packed."""
CHUNK = 1 << 20
"""Entries that are converted at once."""


class LayerSource(NamedTuple):
    """Where a layer that is to be written comes from, in parts that fit into memory."""

    keys: int
    bytes: int  # of the differences
    first_keys: Callable[[], Iterable[IntArray]]
    places: Callable[[], Iterable[IntArray]]  # counted from the first difference of the layer
    differences: Callable[[], Iterable[ByteArray]]
    scores: Callable[[], Iterable[SmallIntArray]]


def is_packed(game: Game, positions: int) -> bool:
    """Whether a solution of so many positions is written packed."""
    return positions >= PACKED_FROM and game.key_words == 1


def write_packed(
    path: Path, header: JsonObject, layers: Sequence[LayerSource], top: int, farthest: int
) -> None:
    """Writes layers whose scores have the top score `top`, with the latest end after `farthest` plies.

    Raises BadInput if the place cannot be written, LimitReached on a full disk.
    """
    import numpy as np

    counts = [layer.keys for layer in layers]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype("<i8")
    dtype, new_top = next((dtype, top) for dtype, top in SCORES.items() if farthest < top)

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


def converted(scores: SmallIntArray, top: int, dtype: str, new_top: int) -> SmallIntArray:
    """The same scores with another top, in another type."""
    import numpy as np

    if scores.dtype.str == dtype and top == new_top:
        return scores
    wide = scores.astype(np.int64)
    return cast("SmallIntArray", (wide + np.sign(wide) * (new_top - top)).astype(dtype))


def sources_of(table: KeyTable[int]) -> list[LayerSource]:
    """The layers of a table in memory, packed there."""
    run = instantiate(pack, table.game, jit=True)
    scores = cast("SmallIntArray", table.scores)
    bounds = zip(table.offsets, table.offsets[1:], strict=False)
    return [_source(table.keys[low:high], scores[low:high], run) for low, high in bounds]


def _source(keys: IntArray, scores: SmallIntArray, run: Callable[..., int]) -> LayerSource:
    import numpy as np

    first_keys = np.empty(blocks_of(len(keys)), np.int64)
    places = np.empty_like(first_keys)
    parts: list[ByteArray] = []
    state = np.zeros(5, np.int64)
    buffer = np.empty(CHUNK, np.uint8)
    done = 0
    while done < len(keys):
        blocks = int(state[3])
        index = first_keys[blocks:], places[blocks:]
        held, state[3] = blocks, 0
        done = run(keys, done, buffer, *index, state)
        parts.append(buffer[: int(state[2])].copy())
        state[4] += state[2]
        state[2], state[3] = 0, held + state[3]
    return LayerSource(
        len(keys),
        sum(map(len, parts)),
        lambda: [first_keys],
        lambda: [places],
        lambda: parts,
        lambda: [scores],
    )


class PackedArrays(NamedTuple):
    """What a packed file holds beside its header."""

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
    import numpy as np

    damaged = BadFile(message("{path}: its layers do not fit its keys", path=path))
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
    import numpy as np

    parts = (differences[begin : begin + CHUNK] for begin in range(0, len(differences), CHUNK))
    ends = sum(int(np.count_nonzero(part < MORE)) for part in parts)
    if ends != count or (len(differences) and differences[-1] >= MORE):
        raise BadFile(message("{path}: its layers do not fit its keys", path=path))
