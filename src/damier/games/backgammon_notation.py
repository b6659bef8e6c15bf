"""Plays of backgammon as they are written: `24/18*/17`, `bar/23+6/off`, `no-play`."""

from __future__ import annotations

from damier.games.backgammon_checkers import BAR, OFF, SLOTS, WIDTH, point_of, step


def written_play(both: int, goal: int, dice: list[int]) -> str:
    """How a play that leads from one position of both sides to another is written: the steps of the
    shortest way, the hindmost checkers first, steps of one checker together, and * where a checker is
    hit.
    """
    if goal == both:
        return "no-play"
    return min(written_ways(both, goal, dice, ()), key=lambda way: (len(way), way))


def written_ways(both: int, goal: int, dice: list[int], steps: tuple[tuple[int, int, bool], ...]) -> set[str]:
    """All ways of writing the plays that lead to a goal with some of the dice."""
    found = {written_steps(steps)} if both == goal else set[str]()
    for number, die in enumerate(dice):
        for slot in range(SLOTS):
            then = step(both, slot, die)
            if then:
                point = point_of(both & (1 << WIDTH) - 1, slot)
                hits = then >> WIDTH != both >> WIDTH
                left = dice[:number] + dice[number + 1 :]
                found |= written_ways(then, goal, left, (*steps, (point, max(OFF, point - die), hits)))
    return found


def written_steps(steps: tuple[tuple[int, int, bool], ...]) -> str:
    """Steps as they are written; those of one checker are joined: of points where nothing is hit only
    the first and the last are told.

    >>> written_steps(((24, 18, True), (18, 17, False), (6, 0, False)))
    '24/18*/17+6/off'
    """
    ways: list[list[tuple[int, bool]]] = []
    for point, goal, hits in steps:
        way = next((way for way in ways if way[-1][0] == point), None)
        if way is None:
            ways.append([(point, False), (goal, hits)])
        else:
            way.append((goal, hits))
    words = []
    for way in sorted(ways, reverse=True):
        told = [way[0], *(stop for stop in way[1:-1] if stop[1]), way[-1]]
        words.append("/".join(written_point(point) + "*" * hits for point, hits in told))
    return "+".join(words)


def written_point(point: int) -> str:
    return "bar" if point == BAR else "off" if point == OFF else str(point)
