"""A folder that a student hands in, packed as a ZIP file: what is in it, and where it is unpacked.

An archive is read, and its files are written, by names that are letters, digits, `_`, `-` and points; only
the folder in which all of them lie may be called otherwise. What else it says (links, rights, absolute
places) is left out.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path

from damier.agents.languages import language_among
from damier.core.errors import BadInput
from damier.core.files import write_bytes
from damier.core.words import message
from damier.lab.agent_file import CACHE, MAIN, MOST_FILES

ZIPPED = "agent.zip"
"""What a folder is called, as it was handed in and as it is unpacked; no agent is called so."""
BEGINNING = b"PK\x03\x04"
LARGEST_IN_ALL = 2 << 20
"""Bytes of all files of a folder."""
PART = re.compile(r"[\w-][\w.-]{0,80}", re.ASCII)
DEEPEST = 10
"""Folders within one another, the file counted: no system takes names that are as long as an archive's."""
NOBODYS = frozenset({CACHE, "__MACOSX"})
"""Folders that Python and macOS write."""


def is_zipped(content: bytes) -> bool:
    """Return whether a file may be a folder that was packed."""
    return content.startswith(BEGINNING)


def files_in(content: bytes) -> dict[str, bytes]:
    """The files of a folder by their places, without the folder in which all of them lie, and without what is
    hidden.

    Raises BadInput for what is no such archive, too much, or without an agent.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            entries = places_in(packed)
            if (
                len(entries) > MOST_FILES
                or sum(entry.file_size for entry in entries.values()) > LARGEST_IN_ALL
            ):
                raise BadInput(
                    message(
                        "the folder of an agent holds at most {n} files, {size} MiB in all",
                        n=MOST_FILES,
                        size=LARGEST_IN_ALL >> 20,
                    )
                )
            found = {place: packed.read(entry) for place, entry in entries.items()}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, NotImplementedError, RuntimeError):
        raise BadInput(message("the archive cannot be read; pack the folder as a ZIP file again")) from None
    if not is_agent(found):
        raise BadInput(
            message(
                "the archive holds no {file}, nor files in C, Java or Lisp, in its one folder or in none;"
                " pack the folder in which they lie",
                file=MAIN,
            )
        )
    if both := next((place for place in found if any(other.startswith(f"{place}/") for other in found)), ""):
        raise BadInput(
            message("in the archive {name} is a file and a folder, too; pack the folder again", name=both)
        )
    return found


def places_in(packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The student's own files in an archive by their places: at its top where an agent lies there, else in
    its one folder, which may be called as it pleases.
    """
    entries = {entry.filename: entry for entry in packed.infolist()}
    own = {place: entry for place, entry in entries.items() if is_own(place)}
    if is_agent(own):
        return own
    inner: dict[str, dict[str, zipfile.ZipInfo]] = {}
    for place, entry in entries.items():
        top, _slash, rest = place.partition("/")
        if top and not top.startswith(".") and top not in NOBODYS and is_own(rest):
            inner.setdefault(top, {})[rest] = entry
    return next(iter(inner.values())) if len(inner) == 1 else own


def is_agent(places: Iterable[str]) -> bool:
    """Return whether a folder of files at these places is an agent, in Python or in another language."""
    top = [place for place in places if "/" not in place]
    return MAIN in top or language_among(top) is not None


def is_own(place: str) -> bool:
    """Return whether an entry of an archive is a file of the student's, at a place within the folder."""
    parts = place.split("/")
    return len(parts) <= DEEPEST and all(PART.fullmatch(part) for part in parts) and not NOBODYS & set(parts)


def unpack(content: bytes, place: Path) -> Path:
    """Writes the files of a folder, where they are not there yet; the folder. Raises BadInput."""
    folder = place / ZIPPED
    for name, data in files_in(content).items():
        write_private(folder / name, data)
    return folder


def write_private(path: Path, content: bytes) -> Path:
    """Writes a file for this user alone, where it is not there as it is to be; its path."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not path.is_file() or path.read_bytes() != content:
        write_bytes(path, content, private=True)
    return path
