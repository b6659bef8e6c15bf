"""Large files: one line of JSON, the header, and then arrays, little-endian, each at a multiple of
64 bytes.

    {"format": "damier-solution/1", "version": 2, …, "arrays": {NAME: {"dtype": …, "length": …}}, "sha256": …}
    spaces up to a multiple of 64 bytes, the arrays in that order, zeros up to a multiple of 64 bytes

The checksum is the SHA-256 of all bytes of the file, its own 64 digits taken as zeros
(docs/decisions/0030). In version 1 it was that of the arrays alone; such files are read, and
`unsealed` tells them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypeAlias

from damier.core.errors import BadFile, LimitReached
from damier.core.files import LARGEST, opened, replacing
from damier.core.json_data import JsonBounds, parse_json, whole_number
from damier.core.json_files import require_format
from damier.core.json_text import to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALIGN = 64
VERSION = 2
HEADER = JsonBounds(1 << 20, 20_000, 100_000)
DTYPES = ("uint8", "int8", "int16", "int32", "int64", "float64")
NO_DIGITS = b"0" * 64
SEAL = re.compile(rb'(?<="sha256": ")[0-9a-f]{64}(?="\} *\n\Z)')

Arrays: TypeAlias = "Mapping[str, NDArray[np.generic]]"
"""By name; of one dimension, and of one of DTYPES."""

Check: TypeAlias = "Callable[[JsonObject, Arrays], None]"
"""Looks at a header and at some places of the arrays before all of them are read. Raises BadFile."""


class Streamed(NamedTuple):
    """An array that is written piece by piece, because it is not in memory: little-endian bytes."""

    dtype: str
    length: int
    pieces: Callable[[], Iterable[memoryview]]


def write_arrays(
    path: Path,
    format: str,
    header: Mapping[str, JsonValue],
    arrays: Mapping[str, NDArray[np.generic] | Streamed],
    largest: int = LARGEST,
) -> None:
    """Writes a header and one-dimensional arrays.

    Raises BadInput if the place cannot be written, LimitReached where no file of `largest` bytes
    would hold them.
    """
    streams = {
        name: array if isinstance(array, Streamed) else _streamed(array) for name, array in arrays.items()
    }
    shapes: JsonObject = {
        name: {"dtype": stream.dtype, "length": stream.length} for name, stream in streams.items()
    }
    data: JsonObject = {
        "format": format,
        "version": VERSION,
        **header,
        "arrays": shapes,
        "sha256": NO_DIGITS.decode(),
    }
    text = to_json(data)
    line = text.encode()
    line += b" " * _padding(len(line) + 1) + b"\n"
    size = len(line) + sum(padded_size(stream.dtype, stream.length) for stream in streams.values())
    if len(line) > HEADER.size or HEADER.passed(text) or size > largest:
        raise LimitReached(
            message(
                "{path} would hold more than can be read again: {said}",
                path=path,
                said=message("{n} bytes", n=size),
            )
        )
    hashed = hashlib.sha256(line)
    with replacing(path) as stream:
        stream.write(line)
        for streamed in streams.values():
            written = 0
            for piece in streamed.pieces():
                hashed.update(piece)
                stream.write(piece)
                written += piece.nbytes
            padding = bytes(padded_size(streamed.dtype, streamed.length) - written)
            hashed.update(padding)
            stream.write(padding)
        stream.seek(0)
        stream.write(SEAL.sub(hashed.hexdigest().encode(), line))


def _streamed(array: NDArray[np.generic]) -> Streamed:
    little = array.astype(array.dtype.newbyteorder("<"), copy=False)
    return Streamed(array.dtype.name, len(array), lambda: [little.data])


def padded_size(dtype: str, length: int) -> int:
    """Bytes that an array takes in a file."""
    import numpy as np

    size = int(np.dtype(dtype).itemsize) * length
    return size + _padding(size)


def read_header(path: Path) -> JsonObject:
    """What a file with arrays says of itself; nobody has looked at its checksum yet.

    Raises BadFile.
    """
    with opened(path, LARGEST) as stream:
        return _header(stream, path)[0]


def unsealed(header: Mapping[str, JsonValue], path: Path) -> str:
    """What is to be said of a file whose checksum does not cover its header; nothing of any other."""
    if header.get("version") != 1:
        return ""
    return _(
        "{path} is of version 1, whose checksum does not cover what its first line says; made anew, it is"
        " covered",
        path=path,
    )


def read_arrays(
    path: Path, format: str, check: Check | None = None, largest: int = LARGEST
) -> tuple[JsonObject, Arrays]:
    """The header, and the arrays by memory map, once their checksum is right. Raises BadFile."""
    import numpy as np

    with opened(path, largest) as stream:
        header, line = _header(stream, path)
        require_format(header, format, path)
        version = header.get("version")
        if type(version) is not int or not 1 <= version <= VERSION:
            raise BadFile(
                message(
                    "{path} has version {version}; this damier reads versions 1 to {newest}",
                    path=path,
                    version=version,
                    newest=VERSION,
                )
            )
        places: dict[str, tuple[str, int, int]] = {}
        end = len(line)
        for name, (dtype, length) in _shapes(header, path).items():
            places[name] = (dtype, length, end)
            end += padded_size(dtype, length)
        size = stream.seek(0, 2)
        if size != end:
            raise BadFile(
                message(
                    "{path} is {size} bytes long; its header announces {end}: it was cut off or added to",
                    path=path,
                    size=size,
                    end=end,
                )
            )
        whole = np.memmap(stream, np.uint8, "r")
    arrays = {
        name: np.frombuffer(whole.data, np.dtype(dtype).newbyteorder("<"), length, begin)
        for name, (dtype, length, begin) in places.items()
    }
    if check:
        check(header, arrays)
    hashed = hashlib.sha256(SEAL.sub(NO_DIGITS, line) if version > 1 else b"")
    hashed.update(whole[len(line) :].data)
    if hashed.hexdigest() != header.get("sha256") or (version > 1 and not SEAL.search(line)):
        raise BadFile(message("{path} is damaged: its checksum is wrong", path=path))
    return header, arrays


def _header(stream: IO[bytes], path: Path) -> tuple[JsonObject, bytes]:
    """The header and its line."""
    line = stream.readline(HEADER.size) or b""
    try:
        header = parse_json(line.decode(), path, HEADER)
    except UnicodeDecodeError as error:
        raise BadFile(message("{path} is not a file of damier", path=path)) from error
    if (
        not isinstance(header, dict)
        or not isinstance(header.get("format"), str)
        or not header["format"].startswith("damier-")
    ):
        raise BadFile(message("{path} is not a file of damier", path=path))
    return header, line


def _shapes(header: Mapping[str, JsonValue], path: Path) -> dict[str, tuple[str, int]]:
    """The type and the length of every array, checked."""
    shapes = header.get("arrays")
    if not isinstance(shapes, dict):
        raise BadFile(message("{path} has a header without arrays", path=path))
    found = {}
    for name, shape in shapes.items():
        length = whole_number(shape.get("length")) if isinstance(shape, dict) else None
        if length is None or shape.get("dtype") not in DTYPES or not 0 <= length < 1 << 48:
            raise BadFile(
                message("{path}: the array {name} has no usable type and length", path=path, name=name)
            )
        found[name] = (shape["dtype"], length)
    return found


def _padding(size: int) -> int:
    """Bytes up to the next multiple of ALIGN."""
    return -size % ALIGN
