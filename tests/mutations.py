"""Data of JSON with one thing in it changed: what a file says that somebody edited, or that is damaged
without its checksum to tell.
"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

VALUES: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    3.0,
    10**399,
    10**400,
    1 << 62,
    1 << 63,
    -1.5,
    0.5,
    1e300,
    "",
    "x",
    "\x00",
    "\x00\x1b[2J",
    "1",
    [],
    [[]],
    [1],
    {},
    {"a": 1},
    {"format": "q"},
]


def changed(said: Any, dice: random.Random) -> Any:
    """The same with one thing in it replaced, taken out, put in or renamed."""
    said = deepcopy(said)
    place, holder = said, None
    while isinstance(place, (dict, list)) and place and (holder is None or dice.random() < 0.85):
        holder, name = (
            place,
            (dice.choice(list(place)) if isinstance(place, dict) else dice.randrange(len(place))),
        )
        place = holder[name]
    assert holder is not None
    match dice.randrange(5):
        case 0:
            del holder[name]
        case 1 if isinstance(holder, dict):
            holder[dice.choice(["x", "mowes", name[:-1] + "z"])] = holder.pop(name)
        case 1:
            holder.insert(name, deepcopy(dice.choice([*VALUES, holder[name]])))
        case 2:
            holder[name] = [deepcopy(holder[name])]
        case _:
            holder[name] = deepcopy(dice.choice(VALUES))
    return said
