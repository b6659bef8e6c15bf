"""The disk cache of compiled engines: machine code that is read only if it is ours, whole, and made
for what it is asked for.

An engine is one file: a line with the SHA-256 of all that follows, a line of JSON that says what it
was made for, and the code. The digest is checked before anything is made of the code. It finds
damage and what was renamed; against people who would forge it stands the owner of the folder
(`damier.core.files`), see docs/decisions/0028. Whatever is wrong only costs the time to compile
again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from damier.core.errors import DamierError
from damier.core.files import doubt_about, doubt_about_folder, write_bytes
from damier.core.job import note_of_process
from damier.core.words import _

MAGIC = b"damier-engine/1 "
CACHE_FILES = 2000
"""Compiled engines kept on disk, 16 kB each; those not used for longest go first. A run of all tests asks for
about a thousand: with fewer kept, each would be gone before the next run asks for it again.
"""
LARGEST = 1 << 26
"""Bytes that no engine has: a larger file is not read."""
LOCK, LOCKED = "making.lock", 15
"""The file whose bytes are held by who makes an engine, and how many digits of a name say which byte."""
OURS = re.compile(r"\w+-[0-9a-f]{32}-[0-9a-f]{16}\.engine")

Purpose = Mapping[str, object]
"""What an engine was compiled for: names and values for JSON.

`engine` is a name that can stand in the name of a file.
"""


def cache_folder() -> Path:
    """Return where compiled engines are kept: DAMIER_CACHE, or the user's cache folder."""
    if folder := os.environ.get("DAMIER_CACHE"):
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_cache_dir("damier")) / "engines"


def place() -> Path:
    """Return the folder by a path without links: what is judged is what is used."""
    return Path(os.path.realpath(cache_folder()))


def is_trusted(folder: Path) -> bool:
    """Return whether a folder that no link leads to is nobody else's; if not, this process has a note that
    says so.
    """
    return not _refused(doubt_about_folder(folder))


def path_of(purpose: Purpose) -> Path:
    """The file of an engine; links on the way are followed once, here."""
    digest = hashlib.sha256(_line(purpose)).hexdigest()
    return place() / f"{purpose['engine']}-{digest[:16]}.engine"


def load(purpose: Purpose) -> bytes | None:
    """The code that was saved for `purpose`, if there is any, it is ours, and nothing of it has
    changed.
    """
    path = path_of(purpose)
    if not is_trusted(path.parent):
        return None
    with contextlib.suppress(OSError):
        descriptor = os.open(
            path,
            os.O_RDONLY
            | getattr(os, "O_NOFOLLOW", 0)
            | getattr(os, "O_NONBLOCK", 0)
            | getattr(os, "O_BINARY", 0),
        )
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if (
                not stat.S_ISREG(status.st_mode)
                or status.st_size > LARGEST
                or _refused(doubt_about(path, status))
            ):
                return None
            code = opened(stream.read(LARGEST), purpose)
        if code is not None:
            with contextlib.suppress(OSError):
                os.utime(path)  # the last use
        return code
    return None


def save(purpose: Purpose, code: bytes) -> None:
    """Keeps code for `purpose`, in one step; does nothing where that cannot be done."""
    path = path_of(purpose)
    with contextlib.suppress(OSError, DamierError):
        make_private(path.parent)
        if not is_trusted(path.parent):
            return
        if path.is_symlink():
            path.unlink()  # what it points to is not ours to replace
        write_bytes(path, sealed(purpose, code), private=True)
        _prune(path.parent)


@contextlib.contextmanager
def alone(purpose: Purpose) -> Iterator[None]:
    """Around the making of code for `purpose`, which no two processes do at once that ask for this; where
    the system, or the folder, does not let us know of others, each does it.
    """
    held = _held(path_of(purpose))
    try:
        yield
    finally:
        if held is not None:
            os.close(held)


def _held(path: Path) -> int | None:
    """Waits until nobody else makes the engine of this file; to be closed once it is made."""
    try:
        import fcntl

        make_private(path.parent)
        if not is_trusted(path.parent):
            return None
        held = os.open(path.parent / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except (OSError, DamierError, ImportError):
        return None
    with contextlib.suppress(OSError):
        # a byte of it for each engine; the system lets go for who is killed
        fcntl.lockf(held, fcntl.LOCK_EX, 1, int(path.stem[-LOCKED:], 16))
    return held


def sealed(purpose: Purpose, code: bytes) -> bytes:
    """All bytes of the file of an engine."""
    content = _line(purpose) + code
    return MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def opened(whole: bytes, purpose: Purpose) -> bytes | None:
    """The code in such bytes; None where any bit is not as it was made, or it was made for another
    purpose.
    """
    line = _line(purpose)
    begin = len(MAGIC) + 65
    content = memoryview(whole)[begin:]
    if (
        whole[:begin] != MAGIC + hashlib.sha256(content).hexdigest().encode() + b"\n"
        or content[: len(line)] != line
    ):
        return None
    return bytes(content[len(line) :])


def _line(purpose: Purpose) -> bytes:
    return json.dumps(purpose, sort_keys=True).encode() + b"\n"


def make_private(folder: Path) -> None:
    """Makes a folder, and those above it that are missing, for this user alone."""
    if not folder.is_dir():
        make_private(folder.parent)
        with contextlib.suppress(FileExistsError):  # another process was first
            folder.mkdir(mode=0o700)


doubts_told: list[str] = []


def _refused(doubt: str) -> bool:
    """Return whether there is a doubt; who uses this process is told the first one."""
    if doubt and not doubts_told:
        doubts_told.append(doubt)
        note_of_process(_("compiled code is not kept, nor used from there: {reason}", reason=doubt))
    return bool(doubt)


def _prune(folder: Path) -> None:
    """Deletes the engines that have not been used for longest."""
    times = []
    for path in folder.iterdir():
        with contextlib.suppress(OSError):  # another process may be pruning too
            if OURS.fullmatch(path.name):
                times.append((path.stat().st_mtime, path))
    for _time, path in sorted(times, reverse=True)[CACHE_FILES:]:
        path.unlink(missing_ok=True)
