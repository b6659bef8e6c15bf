"""What an exercise is worth to who does it: all for what is right at once, half for the second try, a
quarter with hints. What an empty sheet has right is worth nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from damier.lab.exercises.drill import Answers, Drill

SHARES = (1.0, 0.5, 0.25)
"""Of an answer that is right at the first, the second, the third marking."""
MARKINGS = len(SHARES)
POINTS = 10
"""Of one exercise."""
NONE: Answers = {}


def points(drill: Drill, markings: Sequence[Answers]) -> float:
    """The points of one exercise, whose answers were marked so often; to a tenth."""
    found = [{each.key: each.is_right for each in drill.marked(given)} for given in markings[:MARKINGS]]
    free = sum(each.is_right for each in drill.marked(NONE))
    asked = len(drill.fields()) - free
    if not found or asked <= 0:
        return 0.0
    gained = sum(share_of(key, found) for key in found[0]) - free
    return round(POINTS * max(0.0, gained) / asked, 1)


def share_of(key: str, found: Sequence[dict[str, bool]]) -> float:
    """What an answer counts: by the marking since which it has been right."""
    if not found[-1][key]:
        return 0.0
    wrong = [number for number, each in enumerate(found) if not each[key]]
    return SHARES[wrong[-1] + 1 if wrong else 0]
