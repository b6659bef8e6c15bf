"""What Connect Four knows of its positions (lines that are left, claimeven), against every position of
small boards solved.
"""

from __future__ import annotations

import pytest
from lasting import later, shortly

from damier import load
from damier.core.arrays import Ints
from damier.core.compile import instantiate
from damier.core.job import Job
from damier.core.rules import TOP, bounds, mover, over, unkey
from damier.solve import solve
from tests.search.recorded import walk

DRAWS, TOLD, WRONG = range(3)


def compare(keys: Ints, scores: Ints, top: int, counts: Ints) -> None:
    """Counts the positions under way that are draws or worse for somebody, those of which `bounds` says so
    without the end being there, and those of which it is wrong.
    """
    for n in range(len(keys)):
        s = unkey(keys[n])
        if over(s):
            continue
        score = int(scores[n]) if mover(s) == 0 else -int(scores[n])
        if score > 0:
            score += TOP - top
        elif score < 0:
            score -= TOP - top
        else:
            counts[DRAWS] += 1
        least, most = bounds(s)
        if least == 0 or most == 0:
            counts[TOLD] += 1
        if not least <= score <= most:
            counts[WRONG] += 1


@pytest.mark.parametrize(
    "text",
    shortly(
        [
            "connect_four:width=3,height=3,in_a_row=3",
            "connect_four:width=4,height=4",
            "connect_four:width=4,height=4,in_a_row=3",
            "connect_four:width=3,height=5,in_a_row=3",
            "connect_four:width=5,height=4",
            "connect_four:width=4,height=5",
            "connect_four:width=6,height=4",
            "connect_four:width=5,height=5",
            "connect_four:width=4,height=6",
        ],
        "connect_four:width=4,height=4",
    ),
)
def test_bounds_hold_in_every_position_of_small_boards(text: str) -> None:
    import numpy as np

    game = load(text)
    table = solve(game, job=Job(jit=True)).table.key_table(game)
    counts = np.zeros(3, np.int64)
    instantiate(compare, game, jit=True)(table.keys, table.scores, table.top, counts)
    assert counts[WRONG] == 0
    assert counts[TOLD] > counts[DRAWS] // 20


@pytest.mark.parametrize(
    ("text", "plies"), [later(("connect_four:width=4,height=4", 7)), later(("connect_four", 25))]
)
def test_bounds_are_the_same_compiled(text: str, plies: int) -> None:
    import numpy as np

    game = load(text)
    both = instantiate(written, game, jit=True)
    for seed in range(60):
        s = walk(game, plies + seed % 6, seed)
        found = np.zeros(2, np.int64)
        both(np.array([game.key(s)], np.int64), found)
        assert tuple(found) == game.bounds(s)


def written(keys: Ints, found: Ints) -> None:
    found[0], found[1] = bounds(unkey(keys[0]))
