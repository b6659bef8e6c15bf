"""JSON and TOML that somebody else wrote, read within bounds.

What is counted before anything is made of it: bytes, lists and objects, values. So a file of a few
bytes a list cannot take the memory of the machine, whatever it says it is. Without the parts that
two readers may read differently: NaN, infinity, the same key twice, half a character.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias, TypeVar

from damier.core.arrays import np
from damier.core.errors import BadFile, LimitReached
from damier.core.files import LARGEST, opened, read_text, reason_of_json, replacing, write_text
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, grouped, message

if TYPE_CHECKING:
    from numpy.typing import NDArray


Kind = TypeVar("Kind")


class JsonBounds(NamedTuple):
    """The most that a text of some format holds: bytes, lists and objects, values between commas."""

    size: int
    containers: int
    values: int

    def passed(self, text: str) -> str:
        """Return what there is too much of in a text, in words; nothing where it is within the bounds."""
        if len(text) > self.size:
            return _("longer than {n} bytes", n=grouped(self.size))
        if text.count("[") + text.count("{") > self.containers:
            return _("more than {n} lists and objects", n=grouped(self.containers))
        if text.count(",") > self.values:
            return _("more than {n} values", n=grouped(self.values))
        return ""


USUAL = JsonBounds(1 << 26, 3_000_000, 12_000_000)
"""A tree of a million nodes; the largest that is read where a format says nothing else."""

LARGEST_TOML = 1 << 20
"""Bytes: people write it."""

DEEPEST = 40
"""Lists in lists: no format has more than seven."""

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
LARGEST_EXACT = 1 << 53  # beyond it a decimal number does not say which whole number is meant


def parse_json(text: str, where: object, bounds: JsonBounds = USUAL) -> Any:
    """Return what a text of JSON says. Raises BadFile, one line that begins with `where`."""
    if fault := bounds.passed(text):
        raise BadFile(
            message("{where} holds more than any file of its kind: {said}", where=where, said=fault)
        )
    if text.startswith("\ufeff"):
        raise BadFile(
            message("{where} begins with a mark of byte order; it must be UTF-8 without one", where=where)
        )
    data = _decoded(text, where)
    if _is_deep(data):
        raise BadFile(
            message(
                "{where} is not JSON of damier: lists in lists, more than {n} deep", where=where, n=DEEPEST
            )
        )
    return data


def _decoded(text: str, where: object) -> JsonValue:
    """Decode JSON whose depth is not known yet. Raises BadFile."""

    def pairs(items: list[tuple[str, JsonValue]]) -> JsonObject:
        found = dict(items)
        if len(found) < len(items):
            raise BadFile(message("{where}: the same key twice in one object", where=where))
        return found

    def no_number(constant: str) -> NoReturn:
        raise BadFile(message("{where}: {constant} is not a number", where=where, constant=constant))

    try:
        with _no_garbage():
            data: JsonValue = json.loads(text, object_pairs_hook=pairs, parse_constant=no_number)
        if SURROGATE.search(text):
            json.dumps(data, ensure_ascii=False).encode()
        return data
    except UnicodeEncodeError:
        raise BadFile(message("{where} holds half a character, an unpaired surrogate", where=where)) from None
    except json.JSONDecodeError as error:
        raise BadFile(
            message("{where} is not JSON: {error}", where=where, error=reason_of_json(error))
        ) from error
    except ValueError:  # Python reads no more than 4,300 digits
        raise BadFile(
            message("{where} is not JSON of damier: a number of thousands of digits", where=where)
        ) from None
    except RecursionError:
        raise BadFile(
            message(
                "{where} is not JSON of damier: lists in lists, more than {n} deep", where=where, n=DEEPEST
            )
        ) from None


@contextlib.contextmanager
def _no_garbage() -> Iterator[None]:
    """Without the collector of cycles, of which plain data has none: it would look at all lists
    again and again.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _is_deep(data: object) -> bool:
    """Return whether lists and objects lie in each other more than DEEPEST deep."""
    level = [data] if isinstance(data, (list, dict)) else []
    for _depth in range(DEEPEST):
        if not level:
            return False
        parts = chain.from_iterable(whole.values() if isinstance(whole, dict) else whole for whole in level)
        level = [part for part in parts if type(part) in (list, dict)]
    return bool(level)


def whole_number(value: object) -> int | None:
    """A whole number that JSON gave, also one that is written as 3.0; None for anything else.

    >>> whole_number(3), whole_number(3.0), whole_number(3.5), whole_number(True)
    (3, 3, None, None)
    """
    if type(value) is float and value.is_integer() and abs(value) <= LARGEST_EXACT:
        return int(value)
    return value if type(value) is int else None


def whole_numbers(values: Sequence[JsonValue]) -> list[JsonValue]:
    """A list, and lists in it, with the whole numbers that are written as decimals; what is no
    whole number stays.

    >>> whole_numbers([1.0, [2.0], 2.5])
    [1, [2], 2.5]
    """
    found: list[JsonValue] = []
    for value in values:
        number = whole_number(value)
        found.append(whole_numbers(value) if isinstance(value, list) else value if number is None else number)
    return found


def held(data: Mapping[str, JsonValue], name: str, kind: type[Kind]) -> Kind | None:
    """Return what an object says under a name, if it is of exactly this kind; None for anything else.

    >>> held({"games": 3}, "games", int), held({"games": True}, "games", int), held({}, "games", int)
    (3, None, None)
    """
    value = data.get(name)
    return value if isinstance(value, kind) and type(value) is kind else None  # True is no number


def require_keys(data: Mapping[str, object], known: Collection[str], what: str) -> None:
    """Raises BadFile for a key that nobody would read, with the nearest that somebody would."""
    for key in data:
        if key not in known:
            from difflib import get_close_matches

            near = get_close_matches(key, known, 1)
            hint = _("did you mean {near}?", near=near[0]) if near else ""
            names = " ".join(known)
            sentence = _(
                "{what}: there is no {key}; {hint} there are: {names}",
                what=what,
                key=key,
                hint=hint,
                names=names,
            )
            raise BadFile(sentence.replace("  ", " "))


# Data as a text of JSON: on one line for programs, laid out for people.

NEXT_LINE = re.compile(r",\n *")
"""Where a text that is laid out begins a new line, and one on one line has a space."""


def to_json(data: JsonValue | Mapping[str, object]) -> str:
    """Data, or a message whose keys a TypedDict names, as one line of JSON; NaN and infinity are
    refused with ValueError.
    """
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


class Encoded(str):
    """A part of some data that is JSON already."""

    __slots__ = ()


def laid_out(data: JsonValue, indent: str = "") -> str:
    """JSON that has one object, or one list, of a longer list a line."""
    if isinstance(data, Encoded):
        return data
    inner = indent + " "
    if isinstance(data, dict) and _is_long(data):
        lines = [f"{to_json(key)}: {laid_out(value, inner)}" for key, value in data.items()]
        return "{" + f",\n{inner}".join(lines) + "}"
    if isinstance(data, list) and _is_long(data):
        return "[" + f",\n{inner}".join(laid_out(value, inner) for value in data) + "]"
    return to_json(data)


def _is_long(data: JsonValue) -> bool:
    """Return whether data is a list of objects, an object of lists, or an object that holds one of these."""
    if isinstance(data, list):
        return len(data) > 0 and isinstance(data[0], (dict, Encoded))
    if not isinstance(data, dict):
        return False
    lists = [value for value in data.values() if isinstance(value, list)]
    if lists and (len(lists) == len(data) or any(_is_long(value) for value in lists)):
        return True
    return any(
        isinstance(value, dict) and all(isinstance(v, list) for v in value.values())
        for value in data.values()
    )


# Files of JSON that people can read and edit: each says its format, and the checksum of what it
# says.


def format_of(path: Path) -> str:
    """The format that a file of damier says it has, such as `damier-agent/1`.

    Raises BadFile for any other file.
    """
    with opened(path, LARGEST) as stream:
        found = re.match(
            rb'(?:\xef\xbb\xbf)?\s*\{\s*"format"\s*:\s*"(damier-[a-z]+/[0-9]{1,9})"', stream.read(200) or b""
        )
    if not found:
        raise BadFile(message("{path} is not a file of damier", path=path))
    return found.group(1).decode()


def require_format(data: JsonValue, format: str, path: Path) -> JsonObject:
    """The data of a file, if it is an object that says that it has this format. Raises BadFile."""
    if (
        not isinstance(data, dict)
        or not isinstance(data.get("format"), str)
        or not data["format"].startswith("damier-")
    ):
        raise BadFile(message("{path} is not a file of damier", path=path))
    if data["format"] != format:
        raise BadFile(
            message(
                "{path} is a {found}; a {format} is needed here",
                path=path,
                found=data["format"],
                format=format,
            )
        )
    return data


def write_json(path: Path, data: Mapping[str, JsonValue], bounds: JsonBounds = USUAL) -> None:
    """Writes data as JSON that people can read and edit, with the checksum of what it says.

    Raises BadInput if the place cannot be written, LimitReached where no such file would be read
    again.
    """
    text = laid_out(data)
    # what to_json makes of the data, without making it again
    hashed = hashlib.sha256(NEXT_LINE.sub(", ", text).encode()).hexdigest()
    text = f'{text[:-1]},\n "sha256": "{hashed}"}}\n'
    if fault := bounds.passed(text):
        raise LimitReached(
            message("{path} would hold more than can be read again: {said}", path=path, said=fault)
        )
    write_text(path, text)


def read_json(path: Path, format: str, bounds: JsonBounds = USUAL) -> JsonObject:
    """The data of such a file, without its checksum; where somebody took that out, the data is
    taken as it is. Raises BadFile.
    """
    data = require_format(parse_json(read_text(path, bounds.size), path, bounds), format, path)
    if "sha256" in data and data.pop("sha256") != checksum(data):
        raise BadFile(
            message(
                "{path} is damaged: its checksum is wrong; if you have edited it, take out its sha256",
                path=path,
            )
        )
    return data


def read_toml(path: Path) -> dict[str, object]:
    """Return what somebody wrote in a TOML file. Raises BadFile."""
    import tomllib  # for sheets and exams alone

    text = read_text(path, LARGEST_TOML)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadFile(message("{path} is not TOML: {error}", path=path, error=str(error))) from None
    except (ValueError, RecursionError):  # as in JSON
        raise BadFile(
            message(
                "{path} is not TOML of damier: a number of thousands of digits, or lists in lists in lists",
                path=path,
            )
        ) from None


def checksum(data: Mapping[str, JsonValue]) -> str | None:
    """The SHA-256 of data, however it is laid out; None of what is never written, an infinite
    number.
    """
    try:
        return hashlib.sha256(to_json(data).encode()).hexdigest()
    except ValueError:
        return None


# Large files: one line of JSON, the header, and then arrays, little-endian, each at a multiple of
# 64 bytes.
#
#     {"format": "damier-solution/1", "version": 2, …,
#      "arrays": {NAME: {"dtype": …, "length": …}}, "sha256": …}
#     spaces up to a multiple of 64 bytes, the arrays in that order, zeros up to a multiple of 64 bytes
#
# The checksum is the SHA-256 of all bytes of the file, its own 64 digits taken as zeros
# (docs/decisions/0030). In version 1 it was that of the arrays alone; such files are read, and
# `unsealed` tells them.

ALIGN = 64
VERSION = 2
HEADER = JsonBounds(1 << 20, 20_000, 100_000)
DTYPES = ("uint8", "int8", "int16", "int32", "int64", "float32", "float64")
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
    size = int(np.dtype(dtype).itemsize) * length
    return size + _padding(size)


def read_header(path: Path) -> JsonObject:
    """Return what a file with arrays says of itself; nobody has looked at its checksum yet.

    Raises BadFile.
    """
    with opened(path, LARGEST) as stream:
        return _header(stream, path)[0]


def unsealed(header: Mapping[str, JsonValue], path: Path) -> str:
    """Return what is to be said of a file whose checksum does not cover its header; nothing of any other."""
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
