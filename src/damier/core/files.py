"""The one way a file is written and read.

A small file of damier is JSON that people can read and edit. A large one is one line of JSON, the header, and then arrays: little-endian,
each at a multiple of 64 bytes.
The header carries `format`, `version` and, for arrays, their names, types, shapes and the SHA-256 of all that follows. A file is written
beside its place and moved there in one step, so that a crash at any instant leaves the old file or the new one. Nothing that is read can
execute: JSON and numbers only.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn

from damier.core.errors import BadFile, BadInput
from damier.core.reasons import reason
from damier.core.words import _

if TYPE_CHECKING:
    from numpy.typing import NDArray

ALIGN = 64
LONGEST_HEADER = 1 << 20
LARGEST_JSON = 1 << 28
DTYPES = ("int8", "int16", "int32", "int64", "float64")


@contextlib.contextmanager
def replacing(path: Path, private: bool = False) -> Iterator[IO[bytes]]:
    """A stream whose bytes take the place of `path` when the block ends well; on any error the old file stays, and nothing is left behind.

    A private file is for this user alone.
    """
    require_place(path)
    path = path.resolve()  # what a link points to is replaced, not the link
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}.tmp"
    try:
        descriptor, named = _unnamed(path.parent), False
        if descriptor is None:
            descriptor, named = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), True
    except OSError as error:
        raise BadInput(_("{path} cannot be written: {error}", path=path, error=reason(error))) from error
    try:
        with os.fdopen(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            os.fchmod(stream.fileno(), 0o600 if private else 0o666 & ~_umask())
            if not named:
                _name(stream.fileno(), path)
        if named:
            os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            raise BadInput(_("{path} cannot be written: {error}", path=path, error=reason(error))) from error
        raise
    with contextlib.suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _name(descriptor: int, path: Path) -> None:
    """Gives a file that has no name the place of another. What kills the process on the way leaves `.name.tmp`; the next to write there removes it."""
    import fcntl

    temporary = path.parent / f".{path.name}.tmp"
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # one at a time; the system lets go for who is killed
        temporary.unlink(missing_ok=True)
        os.link(f"/proc/self/fd/{descriptor}", temporary, src_dir_fd=descriptor, follow_symlinks=True)  # Python follows links only beside a dir_fd
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        os.close(folder)


def _unnamed(folder: Path) -> int | None:
    """A new file without a name, where the system has such files."""
    with contextlib.suppress(OSError, AttributeError):
        if os.path.isdir("/proc/self/fd"):
            return os.open(folder, os.O_WRONLY | os.O_TMPFILE, 0o600)
    return None


def require_place(path: Path) -> None:
    """Raises BadInput where no file can be put: before long work whose result is to go there."""
    if path.exists() and not path.is_file():  # a folder; or /dev/null, whose place would be taken by a file
        raise BadInput(_("{path} cannot be written: it is not a file", path=path))
    if not path.absolute().parent.is_dir():
        raise BadInput(_("{path} cannot be written: there is no folder {folder}", path=path, folder=path.parent))


def require_file(path: Path) -> None:
    """Raises BadFile for a folder, or a pipe on which reading would wait; a file that is missing is told of by whoever opens it."""
    if path.exists() and not path.is_file():
        raise BadFile(_("{path} cannot be read: it is not a file", path=path))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_text(path: Path, text: str) -> None:
    """Writes a text file (SVG, JSON, …) in one step."""
    with replacing(path) as stream:
        stream.write(text.encode())


def to_json(data: Any) -> str:
    """Data as one line of JSON; NaN and infinity are refused with ValueError."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def parse_json(text: str, where: object) -> Any:
    """JSON without the parts that two readers may read differently: NaN, infinity, the same key twice. Raises BadFile."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            raise BadFile(_("{where}: the same key twice in one object", where=where))
        return found

    def refuse(constant: str) -> NoReturn:
        raise BadFile(_("{where}: {constant} is not a number", where=where, constant=constant))

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=refuse)
    except (ValueError, RecursionError) as error:
        raise BadFile(_("{where} is not JSON: {error}", where=where, error=error)) from error


def format_of(path: Path) -> str:
    """The format that a file of damier says it has, such as `damier-agent/1`. Raises BadFile for any other file."""
    require_file(path)
    try:
        with open(path, "rb") as stream:
            found = re.match(rb'\s*\{\s*"format"\s*:\s*"(damier-[a-z]+/[0-9]+)"', stream.read(200))
    except OSError as error:
        raise BadFile(_("{path} cannot be read: {error}", path=path, error=reason(error))) from error
    if not found:
        raise BadFile(_("{path} is not a file of damier", path=path))
    return found.group(1).decode()


def write_json(path: Path, data: Mapping[str, Any]) -> None:
    """Writes data as JSON that people can read and edit, with the checksum of what it says."""
    text = laid_out(data)
    hashed = hashlib.sha256(NEXT_LINE.sub(", ", text).encode()).hexdigest()  # what to_json makes of the data, without making it again
    write_text(path, f'{text[:-1]},\n "sha256": "{hashed}"}}\n')


def read_json(path: Path, format: str) -> dict[str, Any]:
    """The data of such a file, without its checksum; where somebody took that out, the data is taken as it is. Raises BadFile."""
    require_file(path)
    try:
        if path.stat().st_size > LARGEST_JSON:
            raise BadFile(_("{path} is larger than any file that damier writes", path=path))
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadFile(_("{path} cannot be read: {error}", path=path, error=reason(error))) from error
    except UnicodeDecodeError as error:
        raise BadFile(_("{path} is not a file of damier", path=path)) from error
    data = parse_json(text, path)
    if not isinstance(data, dict) or not isinstance(data.get("format"), str) or not data["format"].startswith("damier-"):
        raise BadFile(_("{path} is not a file of damier", path=path))
    if data["format"] != format:
        raise BadFile(_("{path} is a {found}; a {format} is needed here", path=path, found=data["format"], format=format))
    said = data.pop("sha256", None)
    if said is not None and said != checksum(data):
        raise BadFile(_("{path} is damaged: its checksum is wrong; if you have edited it, take out its sha256", path=path))
    return data


def checksum(data: Mapping[str, Any]) -> str:
    """The SHA-256 of data, however it is laid out."""
    return hashlib.sha256(to_json(data).encode()).hexdigest()


class Encoded(str):
    """A part of some data that is JSON already."""

    __slots__ = ()


NEXT_LINE = re.compile(r",\n *")


def laid_out(data: Any, indent: str = "") -> str:
    """JSON that has one object, or one list, of a longer list a line."""
    if isinstance(data, Encoded):
        return data
    if not _is_long(data):
        return to_json(data)
    inner = indent + " "
    if isinstance(data, dict):
        lines = [f"{to_json(key)}: {laid_out(value, inner)}" for key, value in data.items()]
        return "{" + f",\n{inner}".join(lines) + "}"
    return "[" + f",\n{inner}".join(laid_out(value, inner) for value in data) + "]"


def _is_long(data: Any) -> bool:
    """Whether data is a list of objects, an object of lists, or an object that holds one of these."""
    if isinstance(data, list):
        return len(data) > 0 and isinstance(data[0], (dict, Encoded))
    lists = isinstance(data, dict) and [value for value in data.values() if isinstance(value, list)]
    held = isinstance(data, dict) and [value for value in data.values() if isinstance(value, dict) and all(isinstance(v, list) for v in value.values())]
    return bool(lists and (len(lists) == len(data) or any(_is_long(value) for value in lists))) or bool(held)


def write_arrays(path: Path, format: str, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Writes a header and one-dimensional arrays. Raises BadInput if the place cannot be written."""
    little = {name: array.astype(array.dtype.newbyteorder("<"), copy=False) for name, array in arrays.items()}
    hashed = hashlib.sha256()
    for array in little.values():
        hashed.update(array.data)
        hashed.update(bytes(_padding(array.nbytes)))
    shapes = {name: {"dtype": array.dtype.name, "length": len(array)} for name, array in little.items()}
    line = to_json({"format": format, "version": 1, **header, "arrays": shapes, "sha256": hashed.hexdigest()}).encode()
    with replacing(path) as stream:
        stream.write(line + b" " * (_padding(len(line) + 1)) + b"\n")
        for array in little.values():
            stream.write(array.data)
            stream.write(bytes(_padding(array.nbytes)))


def read_header(path: Path) -> tuple[dict[str, Any], int]:
    """The header of a file with arrays, and where its arrays begin. Raises BadFile."""
    require_file(path)
    try:
        with open(path, "rb") as stream:
            line = stream.readline(LONGEST_HEADER)
    except OSError as error:
        raise BadFile(_("{path} cannot be read: {error}", path=path, error=reason(error))) from error
    try:
        header = parse_json(line.decode(), path)
    except UnicodeDecodeError as error:
        raise BadFile(_("{path} is not a file of damier", path=path)) from error
    if not isinstance(header, dict) or not isinstance(header.get("format"), str) or not header["format"].startswith("damier-"):
        raise BadFile(_("{path} is not a file of damier", path=path))
    return header, len(line)


def read_arrays(path: Path, format: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header, and the arrays by memory map, once their checksum is right. Raises BadFile."""
    import numpy as np

    header, offset = read_header(path)
    if header["format"] != format:
        raise BadFile(_("{path} is a {found}; a {format} is needed here", path=path, found=header["format"], format=format))
    if header.get("version") != 1:
        raise BadFile(_("{path} has version {version}; this damier reads version 1", path=path, version=header.get("version")))
    places: dict[str, tuple[str, int, int]] = {}
    end = offset
    for name, shape in _shapes(header, path).items():
        size = int(np.dtype(shape[0]).itemsize) * shape[1]
        places[name] = (shape[0], shape[1], end)
        end += size + _padding(size)
    if path.stat().st_size != end:
        raise BadFile(_("{path} is {size} bytes long; its header announces {end}: it was cut off or added to", path=path, size=path.stat().st_size, end=end))
    whole = np.memmap(path, np.uint8, "r") if end > offset else np.zeros(0, np.uint8)
    if hashlib.sha256(whole[offset:].data).hexdigest() != header.get("sha256"):
        raise BadFile(_("{path} is damaged: its checksum is wrong", path=path))
    return header, {name: np.frombuffer(whole.data, np.dtype(dtype).newbyteorder("<"), length, begin) for name, (dtype, length, begin) in places.items()}


def _shapes(header: dict[str, Any], path: Path) -> dict[str, tuple[str, int]]:
    """The type and the length of every array, checked."""
    shapes = header.get("arrays")
    if not isinstance(shapes, dict):
        raise BadFile(_("{path} has a header without arrays", path=path))
    found = {}
    for name, shape in shapes.items():
        length = shape.get("length") if isinstance(shape, dict) else None
        if length is None or shape.get("dtype") not in DTYPES or type(length) is not int or not 0 <= length < 1 << 48:
            raise BadFile(_("{path}: the array {name} has no usable type and length", path=path, name=name))
        found[name] = (shape["dtype"], length)
    return found


def _padding(size: int) -> int:
    """Bytes up to the next multiple of ALIGN."""
    return -size % ALIGN
