"""A file of proofs: of bounded size, shared by processes, and of which any byte may be wrong.

The file is a table of pages, and a page of records; there is no header, and nothing else to be kept
whole. A proof stands in one page, which its key names:

    key    low    high    move    nodes    checksum of the 26 bytes before
     12      2       2       2        8       6                              32 bytes, 128 a page

A key is the first 12 bytes of a digest of what the proof is about, so that whatever else is different
is another key. A record whose checksum is wrong is a free place: one that was never written, that was
damaged, or that a killed process has left half written. In a full page the cheapest proof gives way.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from damier.core.files import doubt_about
from damier.core.rules import State

RECORD = struct.Struct("<12shhhQ6s")
KEY, CHECKED = 12, RECORD.size - 6
PAGE = 1 << 12
PLACES = PAGE // RECORD.size
PAGES = 1 << 13
"""32 MiB on disk where every page is in use: a million proofs."""
NO_MOVE = -1
TRIES, PAUSE = 20, 0.002
"""How often a page is asked for that another process writes, and seconds between: a process that was
stopped while it wrote is not waited for."""


class ProofRecord(NamedTuple):
    """A proof as the file has it: the move is a number from 0 to 32767, or NO_MOVE."""

    low: int
    high: int
    move: int
    nodes: int


class ProofPages:
    """The file at `path`, of so many pages; where it cannot be read or written nothing is known, and
    nothing is kept.
    """

    def __init__(self, path: Path, pages: int = PAGES) -> None:
        self.path, self.pages = path, pages

    def look(self, key: bytes) -> ProofRecord | None:
        """Return what is known under a key of KEY bytes."""
        with contextlib.suppress(OSError), self._opened(os.O_RDONLY) as descriptor:
            page = _read(descriptor, self._offset(key))
            if (place := _place_of(key, page)) is not None:
                return _record(page, place)
        return None

    def note(self, key: bytes, proof: ProofRecord) -> None:
        """Writes a proof, joined with what is known under its key."""
        with (
            contextlib.suppress(OSError),
            self._opened(os.O_RDWR | os.O_CREAT) as descriptor,
            _locked(descriptor, self._offset(key)) as held,
        ):
            if not held:
                return
            page = _read(descriptor, self._offset(key))
            place = _place_of(key, page)
            if place is not None:
                old = _record(page, place)
                proof = joined(old, proof)
                if proof[:3] == old[:3]:  # nothing new
                    return
            else:
                place = _place_for(proof, page)
            if place is not None:
                os.lseek(descriptor, self._offset(key) + place * RECORD.size, os.SEEK_SET)
                os.write(descriptor, _packed(key, proof))

    def _offset(self, key: bytes) -> int:
        return int.from_bytes(key[:8], "little") % self.pages * PAGE

    @contextlib.contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        """A descriptor for one page, so that a file that was deleted or replaced is found again.

        Raises OSError, also where somebody else could have written the file.
        """
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or doubt_about(self.path, status):
                raise PermissionError(self.path)
            yield descriptor
        finally:
            os.close(descriptor)


def joined(old: ProofRecord, new: ProofRecord) -> ProofRecord:
    """Return what two proofs of one position say together."""
    low, high = max(old.low, new.low), min(old.high, new.high)
    if low > high:  # one of them is wrong: the one that nobody has just made
        return new
    return ProofRecord(low, high, old.move if new.move == NO_MOVE else new.move, old.nodes + new.nodes)


def _packed(key: bytes, proof: ProofRecord) -> bytes:
    low, high, move, nodes = proof
    checked = RECORD.pack(key, low, high, move, min(nodes, (1 << 63) - 1), b"")[:CHECKED]
    return checked + _checksum(checked)


def _checksum(checked: bytes) -> bytes:
    return hashlib.blake2b(checked, digest_size=RECORD.size - CHECKED).digest()


def _read(descriptor: int, offset: int) -> bytes:
    """A page; beyond the end of the file there are zeros."""
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, PAGE).ljust(PAGE, b"\0")


def _record(page: bytes, place: int) -> ProofRecord:
    return ProofRecord._make(RECORD.unpack_from(page, place * RECORD.size)[1:5])


def _is_whole(page: bytes, place: int) -> bool:
    begin = place * RECORD.size
    checked = page[begin : begin + CHECKED]
    return page[begin + CHECKED : begin + RECORD.size] == _checksum(checked)


def _place_of(key: bytes, page: bytes) -> int | None:
    """Return where a proof stands."""
    begin = page.find(key)
    while begin >= 0:
        place, inside = divmod(begin, RECORD.size)
        if not inside and _is_whole(page, place):
            return place
        begin = page.find(key, begin + 1)
    return None


def _place_for(proof: ProofRecord, page: bytes) -> int | None:
    """A free place for a proof, or that of a cheaper one."""
    cheapest, found = proof.nodes, None
    for place in range(PLACES):
        if not _is_whole(page, place):
            return place
        if (nodes := _record(page, place).nodes) <= cheapest:
            cheapest, found = nodes, place
    return found


@contextlib.contextmanager
def _locked(descriptor: int, offset: int) -> Iterator[bool]:
    """Around the writing of a page: whether no other process writes it, in which case none will. The
    system lets go for who is killed.
    """
    try:
        import fcntl
    except ImportError:  # where there are no such locks, what two write at once may be lost
        yield True
        return
    for _try in range(TRIES):
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, PAGE, offset)
        except BlockingIOError:
            time.sleep(PAUSE)
        else:
            yield True
            return
    yield False


# What was proven before of single positions, as searches ask for it: they know no files.


class ProvenScore(NamedTuple):
    """low, high  the least and the most score of a position, for player 0 (`core.score`); of payoffs, in
               units
    move       one that leads to the score, where that is exact and one is known
    nodes      what the proof cost, in positions looked at
    """

    low: int
    high: int
    move: int | None = None
    nodes: int = 0


class Proofs(Protocol):
    """Proofs about positions of one game."""

    def look(self, s: State) -> ProvenScore | None:
        """Return what is known of a position."""

    def note(self, s: State, proven: ProvenScore) -> None:
        """Takes in what was proven of a position; what is known of it already stays known."""
