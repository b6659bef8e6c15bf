"""How sure a rate is, after so many games: the interval of E. B. Wilson, "Probable inference, the
law of succession, and statistical inference", Journal of the American Statistical Association 22
(1927) [Wilson27]; and how sure a mean is: that of Student, "The probable error of a mean", Biometrika 6
(1908) [Student08].
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import cos, pi, sin, sqrt, tan

Z = 1.959963984540054  # 97.5 % of the normal distribution lies below: 95 % lies within


def wilson(successes: int, games: int) -> tuple[float, float]:
    """The 95 % interval of a rate; all of [0, 1] after no game.

    >>> low, high = wilson(5, 10)
    >>> f"{low:.4f} {high:.4f}"
    '0.2366 0.7634'
    """
    if games == 0:
        return 0.0, 1.0
    rate, spread = successes / games, Z * Z / games
    centre = (rate + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(rate * (1 - rate) / games + spread / games / 4)
    return (0.0 if successes == 0 else centre - half), (1.0 if successes == games else centre + half)


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95 % interval of the mean of what such values are drawn from, by Student's t; None of one
    value, which tells nothing of its spread.

    >>> low, high = mean_interval([1.0, 2.0, 3.0])
    >>> f"{low:.4f} {high:.4f}"
    '-0.4841 4.4841'
    """
    from statistics import fmean, stdev  # some milliseconds, that few commands need

    n = len(values)
    if n < 2:
        return None
    middle, half = fmean(values), student(n - 1) * stdev(values) / sqrt(n)
    return middle - half, middle + half


@cache
def student(degrees: int) -> float:
    """How far Student's t with so many degrees of freedom lies from 0 at most, 95 times of 100.

    >>> f"{student(1):.4f} {student(9):.4f}"
    '12.7062 2.2622'
    """
    low, high = 0.0, pi / 2
    for _step in range(60):
        middle = (low + high) / 2
        if within(middle, degrees) < 0.95:
            low = middle
        else:
            high = middle
    return tan(low) * sqrt(degrees)


def within(angle: float, degrees: int) -> float:
    """How likely the angle of t, whose tangent is |t| / sqrt(degrees), is at most this: M. Abramowitz
    and I. A. Stegun, Handbook of Mathematical Functions, 1964, 26.7.3 and 26.7.4 [AbramowitzStegun64].
    """
    odd = degrees % 2
    term = cos(angle) if odd else 1.0
    total = term if degrees > 1 else 0.0
    for k in range(2 + odd, degrees, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
