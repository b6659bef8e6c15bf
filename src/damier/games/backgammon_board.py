"""The board of backgammon with few checkers: as a picture, as text, and which places are pointed at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from damier.core.grid import Look
from damier.core.number_board import NumberBoard, NumberPlace
from damier.core.words import _
from damier.games.backgammon_checkers import BAR, OFF, POINTS, SLOTS, WIDTH, count_at, point_of, step

LOOKS: tuple[Look, Look] = ("light", "dark")
HALF, MIDDLE = 3.5, 1.4
"""How high a point is on the picture, and what lies between those above and those below."""
DEEP = 3
"""Checkers that stand on one point of the text."""


def ways_to(both: int, goal: int, steps: tuple[int, ...], mover: int) -> tuple[tuple[int, ...], ...]:
    """The places that one may point at to come from one position of both sides to another: of every step
    where it begins and ends, but a checker that goes on is not named again. In any order of the checkers,
    as long as the dice allow it.
    """
    return () if goal == both else tuple(sorted(set(paths(both, goal, steps, mover, ()))))


def paths(
    both: int, goal: int, steps: tuple[int, ...], mover: int, path: tuple[int, ...]
) -> Iterator[tuple[int, ...]]:
    """All ways on from a path, to a goal that takes all the steps that it can."""
    if both == goal:
        yield path
        return
    for die in dict.fromkeys(steps):
        left = list(steps)
        left.remove(die)
        for slot in range(SLOTS):
            then = step(both, slot, die)
            if then:
                point = point_of(both & (1 << WIDTH) - 1, slot)
                begin, end = place_at(point, mover), place_at(max(OFF, point - die), mover)
                going = path if path[-1:] == (begin,) else (*path, begin)
                yield from paths(then, goal, tuple(left), mover, (*going, end))


def place_at(point: int, player: int) -> int:
    """The place of the board where a player's point is, his bar, or what he has borne off: points of
    player 1 are numbered from 0, then come the bars and what is off, player 1 first.

    >>> place_at(1, 0), place_at(24, 1), place_at(BAR, 0), place_at(OFF, 1)
    (0, 0, 24, 27)
    """
    if point in (BAR, OFF):
        return POINTS + player + 2 * (point == OFF)
    return (point if player == 0 else BAR - point) - 1


def picture(
    both: tuple[int, int], dice: tuple[int, ...], mover: int, absent: int, *, active: bool
) -> NumberBoard:
    """The board as player 1 sees it: points 13 to 24 along the top, 12 to 1 below, the bar between; what
    is off at the right, the dice in the middle.

    both    the checkers of player 1 and those of player 2, of whom each has `absent` fewer than there may be
    active  whether the dice are still thrown
    """
    places = [point_place(point, both) for point in range(1, POINTS + 1)]
    for name, point, x in ((_("bar"), BAR, 6.0), (_("off"), OFF, 13.0)):
        for player, look in enumerate(LOOKS):
            count = count_at(both[player], point) - (absent if point == OFF else 0)
            # who was hit comes in where the other bears off
            top = (player == 0) == (point == BAR)
            words = _("{place} of player {n}: {count}", place=name, n=player + 1, count=count)
            y = 0.0 if top else HALF + MIDDLE
            places.append(NumberPlace("rail", x, y, 1, HALF, words, count, name, pieces=(look,) * count))
    for number, die in enumerate(dice or (0, 0)):
        said = _("die: {n}", n=die) if die else _("die")
        x = 8.0 + number * 1.5 if mover == 0 else 1.5 + number * 1.5
        places.append(NumberPlace("die", x, HALF, 1.4, MIDDLE, said, die or None, active=active))
    return NumberBoard(tuple(places))


def point_place(point: int, both: tuple[int, int]) -> NumberPlace:
    """A point of player 1, with what stands on it."""
    player = 0 if count_at(both[0], point) else 1
    count = count_at(both[player], point if player == 0 else BAR - point)
    column = (point - 13 if point > 12 else 12 - point) + ((point - 12 if point > 12 else 13 - point) > 6)
    words = (
        _("point {point}: {n} of player {player}", point=point, n=count, player=player + 1)
        if count
        else _("point {point}: free", point=point)
    )
    top = 0.0 if point > POINTS // 2 else HALF + MIDDLE
    pieces = (LOOKS[player],) * count
    return NumberPlace("point", column, top, 1, HALF, words, point, str(point), pieces=pieces)


def lines(both: tuple[int, int], dice: tuple[int, ...], absent: int) -> list[str]:
    """The same as text: X are the checkers of player 1, O those of player 2."""
    crosses, rings = both

    def parted(cells: Sequence[str]) -> str:
        return " ".join(cells[:6]) + "  |  " + " ".join(cells[6:])

    def drawn(points: Sequence[int], depths: Sequence[int]) -> Iterator[str]:
        there = ["X" * count_at(crosses, point) + "O" * count_at(rings, BAR - point) for point in points]
        for depth in depths:
            yield parted([f"{pieces[depth : depth + 1] or '.':>2}" for pieces in there])

    def numbered(points: Sequence[int]) -> str:
        return parted([f"{point:>2}" for point in points])

    above, below = range(POINTS // 2 + 1, POINTS + 1), range(POINTS // 2, 0, -1)
    beside = [
        _(
            "{piece}: bar {bar}, off {off}",
            piece=piece,
            bar=count_at(side, BAR),
            off=count_at(side, OFF) - absent,
        )
        for piece, side in (("X", crosses), ("O", rings))
    ]
    return [
        numbered(above),
        *drawn(above, range(DEEP)),
        "",
        *drawn(below, range(DEEP - 1, -1, -1)),
        numbered(below),
        " · ".join([*beside, "-".join(map(str, dice))] if dice else beside),
    ]
