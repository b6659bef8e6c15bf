"""Numbers as the lessons write them: a mean with its range, tables, and sentences that are only
written while they are true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import mean, median


class Untrue(Exception):
    """A lesson says what the numbers no longer say."""


def holds(condition: bool, sentence: str) -> str:
    """The sentence, if it is true. Raises Untrue."""
    if not condition:
        raise Untrue(sentence)
    return sentence


def spread(values: Sequence[float], form: str = "+.4f") -> str:
    """Mean, and range in brackets."""
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{format(mean(values), form)} ({low} … {high})"


def quartiles(values: Sequence[float], form: str = ".0f") -> str:
    """Median, and range in brackets."""
    return f"{format(median(values), form)} ({format(min(values), form)} … {format(max(values), form)})"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown: the first column to the left, numbers to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
