"""Files of JSON that people can read and edit: each says its format, and the checksum of what it
says.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from damier.core.errors import BadFile, LimitReached
from damier.core.files import LARGEST, opened, read_text, write_text
from damier.core.json_data import USUAL, JsonBounds, parse_json
from damier.core.json_text import NEXT_LINE, laid_out, to_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import message


def format_of(path: Path) -> str:
    """The format that a file of damier says it has, such as `damier-agent/1`.

    Raises BadFile for any other file.
    """
    with opened(path, LARGEST) as stream:
        found = re.match(rb'\s*\{\s*"format"\s*:\s*"(damier-[a-z]+/[0-9]{1,9})"', stream.read(200) or b"")
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
    if said := bounds.passed(text):
        raise LimitReached(
            message("{path} would hold more than can be read again: {said}", path=path, said=said)
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


def checksum(data: Mapping[str, JsonValue]) -> str | None:
    """The SHA-256 of data, however it is laid out; None of what is never written, an infinite
    number.
    """
    try:
        return hashlib.sha256(to_json(data).encode()).hexdigest()
    except ValueError:
        return None
