"""A line that the process of a submission has written: JSON of a stranger, in which all numbers are
finite.
"""

from __future__ import annotations

import json
import re
from math import isfinite

from damier.core.json_types import JsonValue

LONGEST_INT = 19
"""Characters; a longer whole number is read as one with a point."""
UNUSUAL_NUMBER = re.compile(rb"(?<![.0-9])[0-9]{19}|[eE]\+?[0-9]{3}|NaN|Infinity")
"""What is read with care, which takes time."""


def read_answer(line: bytes) -> JsonValue:
    """An answer, in which all numbers are finite. Raises ValueError, RecursionError."""
    hooks = {"parse_int": finite, "parse_float": finite, "parse_constant": finite}
    answer: JsonValue = json.loads(line, **(hooks if UNUSUAL_NUMBER.search(line) else {}))  # type: ignore[arg-type]
    return answer


def finite(written: str) -> int | float:
    """A number as JSON has it. Raises ValueError for one that is not finite."""
    if len(written) < LONGEST_INT and written.lstrip("-").isdigit():
        return int(written)
    found = float(written)
    if not isfinite(found):
        raise ValueError(written)
    return found
