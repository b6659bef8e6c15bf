"""JSON that somebody else wrote, read within bounds.

What is counted before anything is made of it: bytes, lists and objects, values. So a file of a few
bytes a list cannot take the memory of the machine, whatever it says it is. Without the parts that
two readers may read differently: NaN, infinity, the same key twice, half a character.
"""

from __future__ import annotations

import contextlib
import gc
import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, NoReturn, TypeVar

from damier.core.errors import BadFile
from damier.core.json_types import JsonObject, JsonValue
from damier.core.reasons import reason_of_json
from damier.core.words import _, grouped, message

Kind = TypeVar("Kind")


class JsonBounds(NamedTuple):
    """The most that a text of some format holds: bytes, lists and objects, values between commas."""

    size: int
    containers: int
    values: int

    def passed(self, text: str) -> str:
        """What there is too much of in a text, in words; nothing where it is within the bounds."""
        if len(text) > self.size:
            return _("longer than {n} bytes", n=grouped(self.size))
        if text.count("[") + text.count("{") > self.containers:
            return _("more than {n} lists and objects", n=grouped(self.containers))
        if text.count(",") > self.values:
            return _("more than {n} values", n=grouped(self.values))
        return ""


USUAL = JsonBounds(1 << 26, 3_000_000, 12_000_000)
"""A tree of a million nodes; the largest that is read where a format says nothing else."""

DEEPEST = 40
"""Lists in lists: no format has more than seven."""

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
LARGEST_EXACT = 1 << 53  # beyond it a decimal number does not say which whole number is meant


def parse_json(text: str, where: object, bounds: JsonBounds = USUAL) -> Any:
    """What a text of JSON says. Raises BadFile, one line that begins with `where`."""
    if said := bounds.passed(text):
        raise BadFile(message("{where} holds more than any file of its kind: {said}", where=where, said=said))
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
    """The same before its depth is known. Raises BadFile."""

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
    """Whether lists and objects lie in each other more than DEEPEST deep."""
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
    """What an object says under a name, if it is of exactly this kind; None for anything else.

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
            said = _(
                "{what}: there is no {key}; {hint} there are: {names}",
                what=what,
                key=key,
                hint=hint,
                names=names,
            )
            raise BadFile(said.replace("  ", " "))
