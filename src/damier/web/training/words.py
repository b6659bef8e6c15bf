"""Numbers of a training room as people read them."""

from __future__ import annotations

from damier.core.words import _

STRONGEST = 4
"""Shades of a value, of one sign."""


def short_number(value: float) -> str:
    """A value of a table.

    >>> short_number(-0.25), short_number(12)
    ('−0.25', '12.00')
    """
    return localised(f"{value:.2f}")


def full_number(value: float) -> str:
    """A number of a formula, to six digits.

    >>> full_number(-1.5), full_number(2 / 3), full_number(100)
    ('−1.5', '0.666667', '100')
    """
    return localised(f"{value:.6g}")


def exact_number(value: float) -> str:
    """All digits of a number."""
    return localised(repr(float(value)))


def localised(written: str) -> str:
    """With a minus sign, and the decimal sign of the language."""
    shown = written.replace("-", "−")
    return shown.replace(".", _("."))


def hue_of(value: float, scale: float) -> str:
    """The shade of a value, by the largest that there can be: p1 to p4 above 0, n1 to n4 below.

    >>> hue_of(100, 100), hue_of(-1, 100), hue_of(0, 100)
    ('p4', 'n1', '')
    """
    if value == 0:
        return ""
    strength = round(STRONGEST * min(1.0, abs(value) / (scale or 1.0)) ** 0.5)
    return ("p" if value > 0 else "n") + str(max(1, strength))


def lowered(number: int) -> str:
    """A number below the line.

    >>> lowered(12)
    '₁₂'
    """
    return "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(number))
