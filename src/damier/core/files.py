"""The one way a file is written and read.

A file is written beside its place and moved there in one step, so that a crash at any instant
leaves the old file or the new one. Nothing is read that is larger than any file of its kind, or
no file at all. What files hold is said elsewhere: JSON that people can read and edit,
and arrays (`core/json_data.py`); nothing that is read can execute.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import shutil
import stat
import sys
from collections.abc import Collection, Iterator
from io import BufferedReader
from pathlib import Path
from typing import IO

from damier.core.errors import BadFile, BadInput, DamierError, LimitReached
from damier.core.words import N_, _, message

LARGEST = 1 << 46
"""Bytes of any file: what can be asked of it before its kind is known."""

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Draft:
    """A file beside its place: without a name where the system has such files, else with a hidden
    one.
    """

    def __init__(self, path: Path, private: bool = False) -> None:
        """A private file is for this user alone.

        Raises BadInput where no file can be put, OSError where none can be made.
        """
        make_place(path)
        self._mode = 0o600 if private else 0o666 & ~_umask()
        self.path = path.resolve()  # what a link points to is replaced, not the link
        self._named: Path | None = None
        descriptor = _unnamed(self.path.parent)
        if descriptor is None:
            self._named = self.path.parent / f".{self.path.name}.{secrets.token_hex(4)}.tmp"
            descriptor = os.open(self._named, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        self.stream: IO[bytes] = os.fdopen(descriptor, "wb")

    def take(self) -> None:
        """Gives it its place, whatever is there. Raises OSError."""
        self._finish()
        if self._named:
            os.replace(self._named, self.path)
        else:
            _name(self.stream.fileno(), self.path)
        self.stream.close()
        _sync(self.path.parent)

    def take_free(self, path: Path) -> None:
        """Gives it the name `path`, in the same folder, where nothing is.

        Raises FileExistsError, OSError.
        """
        self._finish()
        if self._named:
            os.link(self._named, path)
            os.unlink(self._named)
        else:
            _link(self.stream.fileno(), path)
        self.stream.close()
        _sync(path.parent)

    def drop(self) -> None:
        """Leaves nothing of what has no place yet."""
        with contextlib.suppress(OSError):
            self.stream.close()
        if self._named:
            with contextlib.suppress(OSError):
                os.unlink(self._named)

    def _finish(self) -> None:
        self.stream.flush()
        os.fsync(self.stream.fileno())
        os.fchmod(self.stream.fileno(), self._mode)


@contextlib.contextmanager
def drafting(path: Path, private: bool = False) -> Iterator[Draft]:
    """A draft of the file `path`; what is not given a place inside is gone.

    Raises BadInput, or LimitReached where the disk is full.
    """
    with writing_to(path):
        draft = Draft(path, private)
        try:
            yield draft
        finally:
            draft.drop()


@contextlib.contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[IO[bytes]]:
    """A stream whose bytes take the place of `path` when the block ends well; on any error the old
    file stays, and nothing is left behind. A private file is for this user alone.
    """
    with drafting(path, private) as draft:
        yield draft.stream
        draft.take()


def previous(path: Path) -> Path:
    """Return where the generation of a file before this one is kept.

    >>> previous(Path("menace.json")).name
    'menace.previous.json'
    """
    return path.with_name(f"{path.stem}.previous{path.suffix}")


def keep_as_previous(path: Path) -> None:
    """Copies a file that is about to be written anew; one generation is kept.

    Raises BadInput, LimitReached; then it stays as it is.
    """
    with opened(path, LARGEST) as old, replacing(previous(path)) as stream:
        shutil.copyfileobj(old, stream, 1 << 20)


def unwritten(path: Path, error: OSError) -> DamierError:
    """Return what is to be raised where a file cannot be written: a full disk is a limit, anything else the
    wrong place.
    """
    sentence = _("{path} cannot be written: {error}", path=path, error=reason(error))
    return LimitReached(sentence) if error.errno in FULL else BadInput(sentence)


@contextlib.contextmanager
def writing_to(path: Path) -> Iterator[None]:
    """Refuse what goes wrong inside with writing to a file or a folder: raises BadInput, LimitReached."""
    try:
        yield
    except OSError as error:
        raise unwritten(path, error) from error


def _name(descriptor: int, path: Path) -> None:
    """Gives a file that has no name the place of another.

    What kills the process on the way leaves `.name.tmp`; the next to write there removes it.
    """
    import fcntl

    temporary = path.parent / f".{path.name}.tmp"
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # one at a time; the system lets go for who is killed
        temporary.unlink(missing_ok=True)
        _link(descriptor, temporary)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.close(folder)


def _link(descriptor: int, path: Path) -> None:
    """Gives a file that has no name one that is free. Raises FileExistsError."""
    # Python follows links only beside a dir_fd
    os.link(f"/proc/self/fd/{descriptor}", path, src_dir_fd=descriptor, follow_symlinks=True)


def _sync(folder: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)


def _unnamed(folder: Path) -> int | None:
    """A new file without a name, where the system has such files."""
    with contextlib.suppress(OSError, AttributeError):
        if os.path.isdir("/proc/self/fd"):
            return os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o600)
    return None


def make_place(path: Path, suffixes: Collection[str] = ()) -> None:
    """Make the folder of a file that is to be written, where it is missing; called before long work, too.

    Raises BadInput where no file can be put, or where its name ends in none of `suffixes`; LimitReached where
    the disk is full.
    """
    if suffixes and path.suffix.lower() not in suffixes:
        ends = " ".join(suffixes)
        raise BadInput(
            message("{path}: the name of such a file ends in {suffixes}", path=path, suffixes=ends)
        )
    if path.exists() and not path.is_file():  # a folder; or /dev/null, whose place would be taken by a file
        raise BadInput(message("{path} cannot be written: it is not a file", path=path))
    with writing_to(path):
        path.absolute().parent.mkdir(parents=True, exist_ok=True)


def make_folder(folder: Path) -> None:
    """Make a folder where it is missing. Raises BadInput, LimitReached where the disk is full."""
    with writing_to(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextlib.contextmanager
def opened(path: Path, largest: int) -> Iterator[BufferedReader]:
    """A file to read, of `largest` bytes at most.

    Raises BadFile, also for errors of reading inside the block.
    """
    with (
        opened_descriptor(path, largest) as descriptor,
        os.fdopen(descriptor, "rb", closefd=False) as stream,
    ):
        yield stream


@contextlib.contextmanager
def opened_descriptor(path: Path, largest: int = LARGEST) -> Iterator[int]:
    """Open a file without the buffer of a stream, which costs as much again as to open the file: for whoever
    knows what to read.
    """
    try:
        # a pipe without a writer does not wait
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise BadFile(message("{path} cannot be read: it is not a file", path=path))
            if found.st_size > largest:
                raise too_large(path)
            yield descriptor
        finally:
            os.close(descriptor)
    except OSError as error:
        raise BadFile(message("{path} cannot be read: {error}", path=path, error=reason(error))) from error


def too_large(path: Path) -> BadFile:
    return BadFile(message("{path} is larger than any file that damier writes", path=path))


def read_bytes(path: Path, largest: int) -> bytes:
    """The bytes of a file, `largest` at most. Raises BadFile."""
    with opened(path, largest) as stream:
        read = stream.read(largest + 1) or b""  # a file of the system may be longer than it says
    if len(read) > largest:
        raise too_large(path)
    return read


def read_text(path: Path, largest: int, encoding: str = "utf-8-sig") -> str:
    """The text of a file, of `largest` bytes at most, without the mark that some editors put before it.
    Raises BadFile.
    """
    try:
        return read_bytes(path, largest).decode(encoding)
    except UnicodeDecodeError:
        raise BadFile(message("{path} is not a text file", path=path)) from None


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: Path, text: str) -> None:
    """Writes a text file (SVG, JSON, …) in one step."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes, *, private: bool = False) -> None:
    """Writes a file in one step; for this user alone, where it is `private`."""
    with replacing(path, private=private) as stream:
        stream.write(content)


def write_at(descriptor: int, data: memoryview, place: int) -> None:
    """Writes all of some bytes, at a place of a file. Raises OSError."""
    while data:
        written = os.pwrite(descriptor, data, place)
        data, place = data[written:], place + written


# Files and folders that one process works on at a time.


def require_alone(descriptor: int, path: Path, taken: str) -> None:
    """Takes the file at `path`, open as `descriptor`, for this process until it is closed; the system lets
    go for who is killed.

    Raises BadInput with the sentence `taken` where another process has it, or has just removed it.
    """
    if sys.platform == "win32":
        return
    import fcntl

    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return
    raise BadInput(taken)


@contextlib.contextmanager
def opened_alone(path: Path, taken: str) -> Iterator[int]:
    """A descriptor of a file, made where there is none, that this process has alone. Raises BadInput where it
    cannot be opened, or with the sentence `taken` where another process has it.
    """
    with writing_to(path.parent):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        require_alone(descriptor, path, taken)
        yield descriptor
    finally:
        os.close(descriptor)


# Whose a place is: what may run as code is read only from where nobody but this user, or root, can
# have put it.

OTHERS = stat.S_IWGRP | stat.S_IWOTH
"""Permission to write for anybody but the owner."""


def doubt_about_folder(folder: Path) -> str:
    """Return why others could put files into a folder that is no link, or the empty string.

    Each folder on the way to it counts as well.

    Where Python knows no owners of files (Windows), nothing can be said, and nothing is doubted.
    """
    for path in (folder, *folder.parents):
        try:
            status = os.lstat(path)
        except OSError:  # not there yet, or not to be read anyway
            continue
        if not stat.S_ISDIR(status.st_mode):  # a device, say: nothing can be put there
            continue
        if doubt := doubt_about(path, status, on_the_way=path != folder):
            return doubt
    return ""


def doubt_about(path: Path, status: os.stat_result, on_the_way: bool = False) -> str:
    """Return why others could change what is at `path`, whose status is given, or the empty string."""
    if not hasattr(os, "geteuid"):
        return ""
    if status.st_uid not in (0, os.geteuid()):
        return _("{path} belongs to another user", path=path)
    writable = status.st_mode & OTHERS
    if on_the_way and (
        status.st_mode & stat.S_ISVTX or (writable == stat.S_IWGRP and _is_private(status.st_gid))
    ):
        return ""  # what others put there is theirs, as in /tmp; or there is nobody else in the group
    return _("others may write to {path}; chmod go-w takes that back", path=path) if writable else ""


def _is_private(group: int) -> bool:
    """Return whether this user is alone in a group, as on systems that give everybody a group of that
    name.
    """
    import grp
    import pwd

    try:
        found, name = grp.getgrgid(group), pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return False
    return found.gr_name == name and set(found.gr_mem) <= {name}


# Why the operating system refused, or Python's reader of JSON, in the language in force: their
# sentences are translated like ours.

ITS_SENTENCES = (
    N_("No such file or directory"),
    N_("Permission denied"),
    N_("Operation not permitted"),
    N_("Is a directory"),
    N_("Not a directory"),
    N_("File exists"),
    N_("File name too long"),
    N_("File too large"),
    N_("Too many levels of symbolic links"),
    N_("No space left on device"),
    N_("Disk quota exceeded"),
    N_("Read-only file system"),
    N_("Input/output error"),
    N_("Address already in use"),
    N_("Cannot assign requested address"),
    N_("Name or service not known"),
)
"""Those that files and ports can meet; any other is shown as the system says it."""


def reason(error: OSError) -> str:
    """The sentence of an error, without its number and its file."""
    return _(error.strerror) if error.strerror else str(error)


OF_JSON = (
    N_("Expecting value"),
    N_("Expecting property name enclosed in double quotes"),
    N_("Expecting ':' delimiter"),
    N_("Expecting ',' delimiter"),
    N_("Illegal trailing comma before end of array"),
    N_("Illegal trailing comma before end of object"),
    N_("Unterminated string starting at"),
    N_("Invalid control character at"),
    N_("Invalid \\escape"),
    N_("Invalid \\uXXXX escape"),
    N_("Extra data"),
)
"""What Python says of a text that is no JSON, from 3.11 to 3.14."""


def reason_of_json(error: json.JSONDecodeError) -> str:
    """Return what is wrong with a text of JSON, and where."""
    why, line, column = _(error.msg), error.lineno, error.colno
    return _("{why}: line {line} column {column} (char {n})", why=why, line=line, column=column, n=error.pos)
