"""The options that a UCI engine offers, and what of them is set (S. Meyer-Kahlen and R. Huber,
"Description of the universal chess interface", 2000 [Uci00]).

>>> offered = read_option("option name Skill Level type spin default 20 min 0 max 20")
>>> offered.name, offered.kind, offered.high
('Skill Level', 'spin', 20)
>>> setting(offered, "5")
'setoption name Skill Level value 5'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from damier.core.errors import BadInput, UnknownName
from damier.core.words import Text, message, printable

KINDS = ("check", "spin", "combo", "button", "string")
SHOWN = 60
"""Options that are listed where one is not known."""


class EngineOption(NamedTuple):
    """One option that an engine offers; `low` and `high` bound a `spin`, a `combo` has `choices`."""

    name: str
    kind: str
    default: str
    low: int | None
    high: int | None
    choices: tuple[str, ...]


def read_option(line: str) -> EngineOption | None:
    """The option that a line offers; None for a line that offers none as it should."""
    match = re.fullmatch(r"option\s+name\s+(.+?)\s+type\s+(\w+)(\s.*)?", line.strip())
    if not match or match[2] not in KINDS:
        return None
    facts = re.split(r"\s(default|min|max|var)(?=\s|$)", match[3] or "")
    found = [(key, value.strip()) for key, value in zip(facts[1::2], facts[2::2], strict=True)]
    given = dict(found)
    return EngineOption(
        match[1],
        match[2],
        given.get("default", ""),
        _whole(given.get("min")),
        _whole(given.get("max")),
        tuple(value for key, value in found if key == "var"),
    )


def settings(offered: Iterable[EngineOption], wanted: Mapping[str, str]) -> list[str]:
    """The lines that set what is wanted, by the names of options, in which case says nothing.

    Raises UnknownName, which lists what there is, and BadInput for a value that is not possible.
    """
    known = {option.name.casefold(): option for option in offered}
    return [setting(_known(known, name), value) for name, value in wanted.items()]


def setting(option: EngineOption, value: str) -> str:
    """The line that sets an option. Raises BadInput."""
    said = f"setoption name {option.name}"
    if option.kind == "button":
        return said
    expected: Text = ""
    if option.kind == "check":
        value = value.lower()
        expected = "" if value in ("true", "false") else message("true or false")
    elif option.kind == "spin":
        number, low, high = _whole(value), option.low, option.high
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            expected = message("a whole number from {low} to {high}", low=low, high=high)
    elif option.kind == "combo":
        expected = (
            "" if value in option.choices else message("one of {choices}", choices=" ".join(option.choices))
        )
    if expected:
        raise BadInput(
            message(
                "its option {name}={value}; it must be {expected}",
                name=option.name,
                value=value,
                expected=expected,
            )
        )
    return f"{said} value {value}"


def _known(known: Mapping[str, EngineOption], name: str) -> EngineOption:
    if name.casefold() not in known:
        names = [printable(option.name, 40) for option in known.values()][:SHOWN]
        raise UnknownName(
            message(
                "it has no option {name}; its options: {names}",
                name=name,
                names=", ".join(names) or message("none"),
            )
        )
    return known[name.casefold()]


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None
