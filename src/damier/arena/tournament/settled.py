"""When nothing can change: which places no game that is left can touch."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from damier.arena.tournament.results import Vector


def settled(points: Vector, left: Vector) -> NDArray[np.bool_]:
    """Whether the place of each entrant is certain, with so many points, and games left to play.

    It is where everybody else is certainly behind or certainly before it: even if one loses all that
    is left and the other wins it. Two who have played everything keep their order, also if it is
    shared.

    >>> settled(np.array([9.0, 4.0, 3.0]), np.array([2.0, 2.0, 2.0]))
    array([ True, False, False])
    """
    before = points[:, None] > (points + left)[None, :]
    done = (left == 0)[:, None] & (left == 0)[None, :]
    certain = before | before.T | done
    np.fill_diagonal(certain, True)
    return np.asarray(certain.all(axis=1))
