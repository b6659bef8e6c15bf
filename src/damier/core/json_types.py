"""Types of what JSON can hold: of what files, records and answers for programs are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

JsonValue: TypeAlias = "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
"""Anything that can be written as JSON: tuples as lists."""

JsonObject: TypeAlias = "dict[str, JsonValue]"
"""A JSON object that was read, or is to be written."""
