"""A file of packed keys, ascending: a layer, or a run of one.

differences, as `damier.solve.packing` writes them; zeros up to a multiple of 8 bytes; the first key
of every block, int64; the place of every block among the differences, int64
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from damier.core.arrays import IntArray
from damier.core.errors import BadFile
from damier.core.files import opened_descriptor, unwritten
from damier.core.words import message
from damier.solve.disk.engines import DiskEngines
from damier.solve.disk.space import DiskSpace
from damier.solve.packing import BLOCK, blocks_of

BUFFER = 1 << 20
"""Bytes of differences that are written at once."""
WORD = 8
HASHED = 1 << 22
"""Bytes that are read and hashed at once."""
HELD = 1 << 18
"""Bytes of a file of keys that is read at once: to open it costs as much as to read them."""
SYNCED = 1 << 22
"""Bytes from which on a file takes long to be put on the disk itself."""


class KeysFacts(NamedTuple):
    """What the manifest says of a file of keys."""

    name: str
    keys: int
    bytes: int  # of the differences
    sha256: str  # of the whole file

    @property
    def index_place(self) -> int:
        """Where the index begins."""
        return self.bytes + -self.bytes % WORD

    @property
    def size(self) -> int:
        """Bytes of the whole file."""
        return self.index_place + 2 * WORD * blocks_of(self.keys)


class KeysWriter:
    """A file of keys as it is written; what is left without `finish` is nobody's."""

    def __init__(self, path: Path, engines: DiskEngines, space: DiskSpace) -> None:
        import numpy as np

        self.path, self._pack, self._space = path, engines.pack, space
        self._packed = np.empty(BUFFER, np.uint8)
        self._first_keys = np.empty(BUFFER // BLOCK, np.int64)
        self._places = np.empty(BUFFER // BLOCK, np.int64)
        self._state = np.zeros(5, np.int64)
        self._index: list[tuple[IntArray, IntArray]] = []
        self._hash = hashlib.sha256()
        try:
            self._stream = open(path, "wb", buffering=0)  # noqa: SIM115  closed by `__exit__`
        except OSError as error:
            raise unwritten(path, error) from error

    def __enter__(self) -> KeysWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def add(self, keys: IntArray) -> None:
        """Writes keys, each larger than all before. Raises LimitReached on a full disk."""
        done = 0
        while done < len(keys):
            done = self._pack(keys, done, self._packed, self._first_keys, self._places, self._state)
            if done < len(keys):
                self._flush()

    def finish(self) -> KeysFacts:
        """Writes the index. A large file is put on the disk itself, beside what other threads do."""
        import numpy as np

        self._flush()
        count, size = int(self._state[0]), int(self._state[4])
        self._write(memoryview(bytes(-size % WORD)))
        for column in (0, 1):
            parts = [pair[column] for pair in self._index]
            self._write(np.concatenate(parts or [self._places[:0]]).view(np.uint8).data)
        if size >= SYNCED:
            sync(self.path)
        return KeysFacts(self.path.name, count, size, self._hash.hexdigest())

    def _flush(self) -> None:
        filled, blocks = int(self._state[2]), int(self._state[3])
        self._write(self._packed[:filled].data)
        self._index.append((self._first_keys[:blocks].copy(), self._places[:blocks].copy()))
        self._state[4] += filled
        self._state[2] = self._state[3] = 0

    def _write(self, data: memoryview) -> None:
        self._space.take(len(data))
        self._hash.update(data)
        try:
            while data:
                data = data[self._stream.write(data) :]
        except OSError as error:
            raise unwritten(self.path, error) from error


class KeysReader:
    """A file of keys that is read block by block; the index is held, and all of a small file."""

    def __init__(self, folder: Path, facts: KeysFacts, engines: DiskEngines) -> None:
        import numpy as np

        self.path, self.facts, self._unpack = folder / facts.name, facts, engines.unpack
        self.blocks = blocks_of(facts.keys)
        begin = 0 if facts.size <= HELD else facts.index_place
        held = np.empty(facts.size - begin, np.uint8)
        read_into(self.path, held.data, begin)
        self._held = held[: facts.index_place - begin]
        index = held[facts.index_place - begin :].view(np.int64)
        self.first_keys, self.places = index[: self.blocks], index[self.blocks :]

    def keys_in(self, first: int, stop: int) -> int:
        """How many keys are in blocks first to stop."""
        return min(stop * BLOCK, self.facts.keys) - first * BLOCK

    def read(self, first: int, stop: int, keys: IntArray | None = None) -> IntArray:
        """The keys of blocks first to stop, in the array that is given or a new one."""
        import numpy as np

        if keys is None:
            keys = np.empty(max(0, self.keys_in(first, stop)), np.int64)
        if stop > first:
            begin = int(self.places[first])
            end = int(self.places[stop]) if stop < self.blocks else self.facts.bytes
            packed = self._held[begin:end]
            if len(packed) < end - begin:
                packed = np.empty(end - begin, np.uint8)
                read_into(self.path, packed.data, begin)
            self._unpack(packed, self.first_keys[first:stop], keys)
        return keys


def read_into(path: Path, room: memoryview, place: int) -> None:
    """Fills `room` with the bytes of a file from `place` on. Raises BadFile where there are fewer."""
    with opened_descriptor(path) as descriptor:
        while room:
            read = os.preadv(descriptor, [room], place)
            if not read:
                raise BadFile(message("{path} was cut off: it is shorter than its index says", path=path))
            room, place = room[read:], place + read


def sync(path: Path) -> None:
    """Puts what was written to a file on the disk itself. Raises LimitReached, BadInput."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise unwritten(path, error) from error


def checksum_of_file(path: Path) -> str:
    """The SHA-256 of a file. Raises BadFile where it cannot be read."""
    hashed, room = hashlib.sha256(), bytearray(HASHED)
    with opened_descriptor(path) as descriptor:
        while read := os.readv(descriptor, [room]):
            hashed.update(memoryview(room)[:read])
    return hashed.hexdigest()
