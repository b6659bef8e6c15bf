"""The file of proofs: whatever happens to it, what it answers is right or nothing."""

from __future__ import annotations

import contextlib
import inspect
import os
import random
import signal
import time
from pathlib import Path

import pytest
from lasting import shortly
from processes import answer, start

from damier.search.proof_store import KEY, NO_MOVE, PAGE, PLACES, RECORD, ProofPages, ProofRecord

SMALL = 4
"""Pages."""


def key_of(number: int) -> bytes:
    return random.Random(number).randbytes(KEY)


def proof_of(number: int) -> ProofRecord:
    draws = random.Random(-number)
    low = draws.randrange(-100, 100)
    return ProofRecord(low, low + draws.randrange(100), draws.randrange(-1, 30), 1000 + number)


WRITER = f"""
import random, sys
from pathlib import Path
from damier.search.proof_store import KEY, ProofPages, ProofRecord
{inspect.getsource(key_of)}
{inspect.getsource(proof_of)}
pages, numbers = ProofPages(Path(sys.argv[1]), {SMALL}), range(*map(int, sys.argv[2].split(",")))
print("begun", flush=True)
while True:
    for number in numbers:
        pages.note(key_of(number), proof_of(number))
    if "endless" not in sys.argv:
        break
"""

HOLDER = """
import fcntl, os, signal, sys
descriptor = os.open(sys.argv[1], os.O_RDWR)
fcntl.lockf(descriptor, fcntl.LOCK_EX)
print("begun", flush=True)
signal.pause()
"""


def written(path: Path, numbers: range) -> ProofPages:
    pages = ProofPages(path, SMALL)
    for number in numbers:
        pages.note(key_of(number), proof_of(number))
    return pages


def known(pages: ProofPages, numbers: range) -> list[int]:
    """The numbers whose proofs are there; what is said of them is right."""
    found = {number: pages.look(key_of(number)) for number in numbers}
    assert all(proof in (None, proof_of(number)) for number, proof in found.items())
    return [number for number, proof in found.items() if proof is not None]


def test_what_was_noted_is_known_and_nothing_else(tmp_path: Path) -> None:
    pages = written(tmp_path / "proofs", range(100))
    assert known(pages, range(300)) == list(range(100))
    assert known(ProofPages(tmp_path / "none", SMALL), range(9)) == []


def test_two_proofs_of_one_position_say_more_together(tmp_path: Path) -> None:
    pages, key = ProofPages(tmp_path / "proofs", SMALL), key_of(1)
    pages.note(key, ProofRecord(-5, 32767, NO_MOVE, 10))
    pages.note(key, ProofRecord(-32767, 7, 3, 20))
    assert pages.look(key) == ProofRecord(-5, 7, 3, 30)
    pages.note(key, ProofRecord(-9, 9, NO_MOVE, 50))  # nothing new
    assert pages.look(key) == ProofRecord(-5, 7, 3, 30)
    pages.note(key, ProofRecord(8, 9, NO_MOVE, 1))  # one of the two is wrong
    assert pages.look(key) == ProofRecord(8, 9, NO_MOVE, 1)


def test_the_cheapest_proofs_go_first_and_the_file_never_grows_beyond_its_size(tmp_path: Path) -> None:
    path, most = tmp_path / "proofs", SMALL * PLACES
    pages = written(path, range(3 * most))
    assert path.stat().st_size <= SMALL * PAGE
    left = known(pages, range(3 * most))
    assert len(left) == most
    for page in range(SMALL):
        here = [n for n in range(3 * most) if int.from_bytes(key_of(n)[:8], "little") % SMALL == page]
        assert set(here) & set(left) == set(here[-PLACES:]), "a dearer proof went"
    before = path.read_bytes()
    pages.note(key_of(5000), ProofRecord(0, 0, NO_MOVE, 1))
    assert path.read_bytes() == before, "a cheap one took the place of a dearer one"


@pytest.mark.parametrize("rounds", shortly([60, 300], 60))
def test_damaged_bytes_cost_what_they_hit_and_tell_nothing_wrong(rounds: int, tmp_path: Path) -> None:
    path, numbers = tmp_path / "proofs", range(200)
    pages = written(path, numbers)
    whole, draws = path.read_bytes(), random.Random(1)
    used = [place for place in range(0, len(whole), RECORD.size) if any(whole[place : place + RECORD.size])]
    for _round in range(rounds):
        damaged = bytearray(whole)
        for _byte in range(draws.choice((1, 1, 3, 100))):
            damaged[draws.choice(used) + draws.randrange(RECORD.size)] ^= 1 << draws.randrange(8)
        path.write_bytes(damaged)
        hit = sum(damaged[p : p + RECORD.size] != whole[p : p + RECORD.size] for p in used)
        assert len(known(pages, numbers)) == len(numbers) - hit
    pages.note(key_of(0), proof_of(0))
    assert pages.look(key_of(0)) == proof_of(0), "what was damaged is not written anew"


@pytest.mark.parametrize("damage", ["cut", "empty", "text", "longer", "zeros", "another's records"])
def test_a_file_that_is_not_what_it_was_is_written_on(damage: str, tmp_path: Path) -> None:
    path, numbers = tmp_path / "proofs", range(40)
    pages = written(path, numbers)
    whole = path.read_bytes()
    path.write_bytes(
        {
            "cut": whole[: len(whole) // 2 + 13],
            "empty": b"",
            "text": b"proofs " * 3000,
            "longer": whole + bytes(100_000),
            "zeros": bytes(len(whole)),
            "another's records": whole[RECORD.size // 2 :],
        }[damage]
    )
    known(pages, numbers)
    for number in numbers:
        pages.note(key_of(number), proof_of(number))
    assert known(pages, numbers) == list(numbers)


@pytest.mark.parametrize("what", ["folder", "pipe", "link", "others may write", "no folder"])
def test_what_is_no_file_of_ours_is_neither_read_nor_written(what: str, tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "proofs", tmp_path / "elsewhere"
    written(elsewhere, range(3))
    before = elsewhere.read_bytes()
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path, 0o600)
    elif what == "link":
        path.symlink_to(elsewhere)
    elif what == "others may write":
        elsewhere.rename(path)
        path.chmod(0o666)
    else:
        path = tmp_path / "none" / "proofs"
    pages = written(path, range(3, 6))
    assert known(pages, range(9)) == []
    for file in (path, elsewhere):
        assert not file.is_file() or file.read_bytes() == before


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_is_read(tmp_path: Path) -> None:
    written(tmp_path / "proofs", range(9))
    (tmp_path / "proofs").chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        pages = written(tmp_path / "proofs", range(12))
        assert known(pages, range(12)) == list(range(9))
    finally:
        tmp_path.chmod(0o700)


def test_a_file_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As whoever runs the test."""
    pages, opened = written(tmp_path / "proofs", range(9)), os.open

    def read_only(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & (os.O_RDWR | os.O_WRONLY):
            raise PermissionError(path)
        return opened(path, flags, mode)

    monkeypatch.setattr(os, "open", read_only)
    pages.note(key_of(10), proof_of(10))
    assert known(pages, range(12)) == list(range(9))


def test_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "proofs"
    shares = [f"{first},300,3" for first in range(3)]
    for writer in [start(WRITER, tmp_path, str(path), share) for share in shares]:
        assert answer(writer) == "begun"
    assert known(ProofPages(path, SMALL), range(400)) == list(range(300))


@pytest.mark.parametrize("lets_go", [True, False])
def test_who_was_put_aside_while_writing_is_waited_for_and_who_was_stopped_is_not(
    lets_go: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = written(tmp_path / "proofs", range(9))
    holder, pauses = start(HOLDER, tmp_path, str(pages.path)), []
    assert holder.stdout is not None
    assert holder.stdout.readline() == "begun\n"

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if lets_go and sum(pauses) > 0.5:
            holder.kill()
            holder.wait()

    monkeypatch.setattr(time, "sleep", pause)
    pages.note(key_of(10), proof_of(10))
    monkeypatch.undo()
    holder.kill()
    holder.communicate()
    assert known(pages, range(12)) == [*range(9), *([10] if lets_go else [])]
    assert sum(pauses) < 3


def test_who_is_killed_while_writing_leaves_what_is_right(tmp_path: Path) -> None:
    path, draws = tmp_path / "proofs", random.Random(7)
    pages = ProofPages(path, SMALL)
    writers = [start(WRITER, tmp_path, str(path), "0,1500", "endless") for _writer in range(2)]
    try:
        for writer in writers:
            assert writer.stdout is not None
            assert writer.stdout.readline() == "begun\n"
        deadline = time.monotonic() + 300
        while not known(pages, range(1500)) and time.monotonic() < deadline:
            time.sleep(0.01)
        for writer in writers:
            time.sleep(draws.random() / 10)  # anywhere in what it does
            writer.send_signal(signal.SIGKILL)
            writer.wait()
            assert known(pages, range(1500))
    finally:
        for writer in writers:
            with contextlib.suppress(OSError):
                writer.kill()
            writer.communicate()
    pages.note(key_of(9999), proof_of(9999))
    assert pages.look(key_of(9999)) == proof_of(9999), "a lock was left behind"
