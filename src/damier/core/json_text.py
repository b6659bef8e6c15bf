"""Data as a text of JSON: on one line for programs, laid out for people."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from damier.core.json_types import JsonValue

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
    """Whether data is a list of objects, an object of lists, or an object that holds one of these."""
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
