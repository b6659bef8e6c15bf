"""How many positions there will be, from the layers so far."""

from __future__ import annotations

from collections.abc import Sequence

FEWEST = 6
"""Layers from which on something is said."""


def forecast(by_ply: Sequence[int], most: int | None) -> int | None:
    """The positions of all layers, if the growth over two plies goes on to fall as fast as it falls
    now; at most `most`. None where nothing can be said yet.

    Over two plies, since the players may grow differently. Of most games the growth falls ever more
    slowly until few positions are left, so that this is rather too little than too much.
    """
    if len(by_ply) < FEWEST or 0 in by_ply[-FEWEST:]:
        return None
    growths = [by_ply[place] / by_ply[place - 2] for place in range(-4, 0)]
    step = (growths[3] + growths[2] - growths[1] - growths[0]) / 4
    if step >= 0:
        return None
    before, last, growth, total = float(by_ply[-2]), float(by_ply[-1]), growths[3], float(sum(by_ply))
    while last >= 1 and (most is None or total < most):
        growth = max(0.0, growth + step)
        before, last = last, before * growth
        total += last
    return int(total) if most is None else min(int(total), most)
