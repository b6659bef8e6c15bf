"""How sure a rate is, after so many games: the interval of E. B. Wilson, "Probable inference, the
law of succession, and statistical inference", Journal of the American Statistical Association 22
(1927) [Wilson27].
"""

from __future__ import annotations

from math import sqrt

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
