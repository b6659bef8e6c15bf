"""A name with its options, as people write it: `hexapawn:blocked=loss`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Option: TypeAlias = "bool | int | float | str | None"
"""What an option of a game or an agent can be."""


def written(name: str, options: Mapping[str, object]) -> str:
    """A name with its options, as on the command line.

    >>> written("tictactoe", {"misere": False})
    'tictactoe:misere=false'
    """
    text = ",".join(f"{option}={option_text(value)}" for option, value in options.items())
    return f"{name}:{text}" if text else name


def written_game(header: Mapping[str, object]) -> str:
    """The game that the header of a file names, as it is written on the command line.

    >>> written_game({"game": "nim", "options": {"misere": True}})
    'nim:misere=true'
    """
    options = header.get("options")
    return written(str(header.get("game")), options if isinstance(options, dict) else {})


def option_text(value: object) -> str:
    """An option's value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)
