"""Hyper-backgammon: backgammon with three checkers a side, on the last three points of the way.

A throw is played whole: both dice if
that can be, else the larger if that can be, a double four times as often as can be. A move is what
a play leads to, and is written as in backgammon, with `+` between checkers: `24/18*/17`,
`bar/23+6/off`, `no-play`.

A win counts 1; with `gammons` twice where the loser has borne nothing off, and three times where a
checker of his is still on the bar or in the winner's home. There is no doubling cube, and the first
player throws first. With one or two checkers a side the game is small enough to be solved here. A
position is written as XGID (`read_xgid`); on the board, player 1 (X) has light checkers and
bears them off at the bottom right.

>>> from damier import load
>>> position = load("hyper_backgammon").position().play("6-5", "24/18+23/18")
>>> position.state.theirs == pack(22, 18, 18)
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import comb
from typing import NamedTuple, TypeAlias

from damier.core.board import Look, NumberBoard, NumberPlace
from damier.core.errors import BadInput
from damier.core.game import Game, require
from damier.core.moves import holds
from damier.core.rules import CHANCE
from damier.core.words import N_, _, message, printable

FACES = 6
THROWS = tuple((high, low) for high in range(1, FACES + 1) for low in range(1, high + 1))


class BackgammonState(NamedTuple):
    mine: int  # the checkers of the player to move, packed (`pack`); `theirs` likewise
    theirs: int
    high: int  # the dice, the larger first; 0 while they are in the air
    low: int
    mover: int  # whose turn it is


def longest(both: int, die: int, left: int) -> int:
    """Return how many steps of one die can be made, at most `left`."""
    most = 0
    if left > 0:
        for slot in range(SLOTS):
            then = step(both, slot, die)
            if then != 0:
                most = max(most, 1 + longest(then, die, left - 1))
    return most


def add_doubles(both: int, die: int, left: int, found: list[int]) -> None:
    """Appends what so many steps of one die lead to."""
    if left == 0:
        add(both, found)
        return
    for slot in range(SLOTS):
        then = step(both, slot, die)
        if then != 0 and longest(then, die, left - 1) == left - 1:
            add_doubles(then, die, left - 1, found)


def add_pairs(both: int, first: int, second: int, found: list[int]) -> None:
    """Appends what one step of each die leads to, in this order."""
    for slot in range(SLOTS):
        then = step(both, slot, first)
        if then != 0:
            for other in range(SLOTS):
                after = step(then, other, second)
                if after != 0:
                    add(after, found)


def add_singles(both: int, die: int, found: list[int]) -> None:
    """Appends what one step of one die leads to."""
    for slot in range(SLOTS):
        then = step(both, slot, die)
        if then != 0:
            add(then, found)


def add(both: int, found: list[int]) -> None:
    """Appends a play that leads where no other does."""
    if not holds(found, both + 1):
        found.append(both + 1)


def moves(s: BackgammonState, found: list[int]) -> None:
    """Appends the throws, by their number in THROWS and 1; or what the plays lead to, and 1."""
    if s.high == 0:
        for number in range(len(THROWS)):
            found.append(number + 1)
        return
    both = s.mine | s.theirs << WIDTH
    if s.high == s.low:
        add_doubles(both, s.high, longest(both, s.high, 4), found)
        return
    add_pairs(both, s.high, s.low, found)
    add_pairs(both, s.low, s.high, found)
    if len(found) == 0:
        add_singles(both, s.high, found)
    if len(found) == 0:
        add_singles(both, s.low, found)
    if len(found) == 0:
        add(both, found)


def play(s: BackgammonState, move: int) -> BackgammonState:
    """The dice lie, or the other player is to throw."""
    if s.high == 0:
        high, low = THROWS[move - 1]
        return BackgammonState(s.mine, s.theirs, high, low, s.mover)
    both = move - 1
    return BackgammonState(both >> WIDTH, both & (1 << WIDTH) - 1, 0, 0, 1 - s.mover)


def mover(s: BackgammonState) -> int:
    return CHANCE if s.high == 0 else s.mover


def chance(s: BackgammonState, move: int) -> float:
    """Of 36 throws, each double is one, and any other two."""
    high, low = THROWS[move - 1]
    return 1.0 if high == low else 2.0


def pips(checkers: int) -> int:
    """Return how far all the checkers have still to go."""
    return (checkers & 31) + (checkers >> 5 & 31) + (checkers >> 10)


def hyper_backgammon(checkers: int = 3, gammons: bool = False) -> Game:
    """Bring your checkers home and off the board before the other does, with two dice."""
    require(
        1 <= checkers <= SLOTS,
        _("hyper_backgammon: checkers={n}; it is from 1 to {most}", n=checkers, most=SLOTS),
    )
    begin = pack(*(range(POINTS, POINTS - checkers, -1)))
    absent = SLOTS - checkers  # slots that are always off

    def over(s: BackgammonState) -> bool:
        return s.theirs == 0  # it was the other who moved last

    def payoff(s: BackgammonState, player: int) -> int:
        points = 1
        if gammons and count_at(s.mine, OFF) == absent:
            points = 3 if s.mine & 31 > POINTS - HOME else 2
        return -points if player == s.mover else points

    def lead(s: BackgammonState) -> int:
        """Pips that player 1 has still to go more than player 0."""
        ahead = pips(s.theirs) - pips(s.mine)
        return ahead if s.mover == 0 else -ahead

    def name_move(s: BackgammonState, move: int) -> str:
        if s.high == 0:
            return "{}-{}".format(*THROWS[move - 1])
        return written_play(s.mine | s.theirs << WIDTH, move - 1, steps(s))

    def grid(s: BackgammonState) -> NumberBoard:
        return picture(sides(s), dice(s), s.mover, absent, active=not over(s))

    def show(s: BackgammonState) -> str:
        return "\n".join(lines(sides(s), dice(s), absent))

    def ways(s: BackgammonState, move: int) -> tuple[tuple[int, ...], ...]:
        """The places that one may point at for a play: of every step where it begins and ends, but a checker
        that goes on is not named again. In any order of the checkers, as long as the dice allow it.
        """
        both = s.mine | s.theirs << WIDTH
        if s.high == 0 or move - 1 == both:
            return ()
        return tuple(sorted({places_of(play, s.mover) for play in plays_to(both, move - 1, steps(s))}))

    def place(s: BackgammonState, move: int) -> tuple[int, ...]:
        return next(iter(ways(s, move)), ())

    def write_position(s: BackgammonState) -> str:
        crosses, rings = sides(s)
        return written_xgid(standing(crosses), standing(rings), s.mover, s.high, s.low)

    def read_position(text: str) -> BackgammonState:
        found = read_xgid(text)
        for there in (found.first, found.second):
            require(
                len(there) <= checkers,
                _("{n} checkers of one player; this game has {most}", n=len(there), most=checkers),
            )
        mine, theirs = (pack(*there, *[OFF] * (SLOTS - len(there))) for there in (found.first, found.second))
        if found.mover == 1:
            mine, theirs = theirs, mine
        require(mine != 0, _("the player to move has all checkers off: the game was over before"))
        require(theirs != 0 or found.high == 0, _("the game is over: there are no dice any more"))
        return BackgammonState(mine, theirs, found.high, found.low, found.mover)

    return Game(
        "hyper_backgammon",
        BackgammonState(begin, begin, 0, 0, 0),
        moves,
        play,
        over=over,
        payoff=payoff,
        mover=mover,
        chance=chance,
        features={"lead": lead},
        bits=(WIDTH, WIDTH, 3, 3, 1),
        most_moves=200,
        states=2 * (1 + len(THROWS)) * comb(BAR + checkers, checkers) ** 2,
        name_move=name_move,
        grid=grid,
        show=show,
        place=place,
        ways=ways,
        write_position=write_position,
        read_position=read_position,
        sides=(N_("White"), N_("Black")),
        title=N_("Hyper-backgammon"),
        summary=N_("Backgammon with three checkers a side"),
        description=N_(
            "Two dice say how far your checkers go, from point 24 home to points 6 to 1 and off the board."
            " A checker that stands alone can be hit, and begins anew from the bar; two on a point block it."
            " Who has all checkers off first wins."
        ),
    )


def sides(s: BackgammonState) -> tuple[int, int]:
    """The checkers of player 1 and those of player 2."""
    return (s.mine, s.theirs) if s.mover == 0 else (s.theirs, s.mine)


def dice(s: BackgammonState) -> tuple[int, ...]:
    """The dice that lie there, the larger first."""
    return (s.high, s.low) if s.high else ()


def steps(s: BackgammonState) -> tuple[int, ...]:
    """Return how far each step of a play goes: a double is played four times."""
    return (s.high,) * 4 if s.high == s.low else (s.high, s.low)


# The board of backgammon with few checkers: as a picture, as text, and which places are pointed at.

LOOKS: tuple[Look, Look] = ("light", "dark")
HALF, MIDDLE = 3.5, 1.4
"""Height of a point on the picture, and what lies between those above and those below."""
DEEP = 3
"""Checkers that stand on one point of the text."""


def places_of(steps: Sequence[PlayedStep], mover: int) -> tuple[int, ...]:
    """The places that the steps of a play pass, one after the other."""
    path: tuple[int, ...] = ()
    for point, goal, _hits in steps:
        begin, end = place_at(point, mover), place_at(goal, mover)
        path = (*path, end) if path[-1:] == (begin,) else (*path, begin, end)
    return path


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

    Args:
        both: the checkers of player 1 and those of player 2, of whom each has `absent` fewer than there may
            be
        active: whether the dice are still thrown
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
        sentence = _("die: {n}", n=die) if die else _("die")
        x = 8.0 + number * 1.5 if mover == 0 else 1.5 + number * 1.5
        places.append(NumberPlace("die", x, HALF, 1.4, MIDDLE, sentence, die or None, active=active))
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
    """Return the board as text: X are the checkers of player 1, O those of player 2."""
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


# Plays of backgammon as they are written: `24/18*/17`, `bar/23+6/off`, `no-play`.


PlayedStep: TypeAlias = tuple[int, int, bool]
"""A step of one checker: the point that it leaves, the one that it goes to, and whether it hits there."""


def plays_to(
    both: int, goal: int, dice: Sequence[int], steps: tuple[PlayedStep, ...] = ()
) -> Iterator[tuple[PlayedStep, ...]]:
    """Yield the plays that lead from one position of both sides to another with some of the dice, the
    `steps` before it first.
    """
    if both == goal:
        yield steps
        return
    for die in dict.fromkeys(dice):
        left = list(dice)
        left.remove(die)
        for slot in range(SLOTS):
            then = step(both, slot, die)
            if then:
                point = point_of(both & (1 << WIDTH) - 1, slot)
                made = (point, max(OFF, point - die), then >> WIDTH != both >> WIDTH)
                yield from plays_to(then, goal, left, (*steps, made))


def written_play(both: int, goal: int, dice: Sequence[int]) -> str:
    """Return how a play that leads from one position of both sides to another is written: the steps of the
    shortest way, the hindmost checkers first, steps of one checker together, and * where a checker is
    hit.
    """
    if goal == both:
        return "no-play"
    return min(map(written_steps, plays_to(both, goal, dice)), key=lambda way: (len(way), way))


def written_steps(steps: Sequence[PlayedStep]) -> str:
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
        stops = [way[0], *(stop for stop in way[1:-1] if stop[1]), way[-1]]
        words.append("/".join(written_point(point) + "*" * hits for point, hits in stops))
    return "+".join(words)


def written_point(point: int) -> str:
    return "bar" if point == BAR else "off" if point == OFF else str(point)


# Where the checkers of both sides stand in backgammon with few of them, and one step of a checker.
#
# A side is an int, 5 bits a checker, the hindmost first: its point, counted as by its owner.
#
#     bits   0…4 hindmost   5…9   10…14 foremost      0 off, 1…24 points, 25 the bar
#
# Both sides are one int, the mover's in the lower 15 bits. The opponent's point n is one's own 25 - n.

POINTS, BAR, OFF, HOME = 24, 25, 0, 6
SLOTS, WIDTH = 3, 15  # checkers at most, and the bits that hold where they stand


def pack(one: int, two: int = OFF, three: int = OFF) -> int:
    """Three points as a field of a state.

    >>> pack(22, 24, 23) == 24 | 23 << 5 | 22 << 10
    True
    """
    high, low = max(one, two, three), min(one, two, three)
    return high | (one + two + three - high - low) << 5 | low << 10


def point_of(checkers: int, slot: int) -> int:
    """Return where a checker stands; that of slot 0 has the longest way to go."""
    return checkers >> 5 * slot & 31


def count_at(checkers: int, point: int) -> int:
    """Return how many of the checkers stand on a point."""
    return (checkers & 31 == point) + (checkers >> 5 & 31 == point) + (checkers >> 10 == point)


def with_point(checkers: int, slot: int, point: int) -> int:
    """The checkers after one of them has gone to another point."""
    one, two, three = checkers & 31, checkers >> 5 & 31, checkers >> 10
    if slot == 0:
        return pack(point, two, three)
    return pack(one, point, three) if slot == 1 else pack(one, two, point)


def step(both: int, slot: int, die: int) -> int:
    """Both sides' checkers after one step of one checker, the mover's in the lower bits; 0 where it may
    not be made.
    """
    mine, theirs = both & (1 << WIDTH) - 1, both >> WIDTH
    point, hindmost = point_of(mine, slot), mine & 31
    if point == OFF or (hindmost == BAR and point != BAR):
        return 0
    goal = point - die
    if goal <= OFF:
        if hindmost > HOME or (goal < OFF and point != hindmost):
            return 0
        return with_point(mine, slot, OFF) | theirs << WIDTH
    blots = count_at(theirs, BAR - goal)
    if blots > 1:
        return 0
    if blots == 1:
        theirs = with_point(theirs, slot_at(theirs, BAR - goal), BAR)
    return with_point(mine, slot, goal) | theirs << WIDTH


def slot_at(checkers: int, point: int) -> int:
    """The slot of a checker that stands on a point."""
    return 0 if checkers & 31 == point else 1 if checkers >> 5 & 31 == point else 2


def standing(checkers: int) -> tuple[int, ...]:
    """Return where the checkers stand that are not off, the hindmost first."""
    return tuple(point for slot in range(SLOTS) if (point := point_of(checkers, slot)) != OFF)


# XGID, in which positions of backgammon are written: that of the program eXtreme Gammon.
#
#     XGID=a---…---A:0:0:1:65:0:0:0:0:10
#
# The 26 places are the bar of the second player, the points 1 to 24 as the first player counts them, and
# his bar: `A` one checker of the first player, `B` two …, `a` one of the second …, `-` none. Then, between
# colons, the doubling cube (0:0, in the middle), whose turn it is (1 the first player, -1 the second), the
# dice (00 before they are thrown), and the score of a match: 0:0:0:0:10 where a game is not part of one.

XGID_PLACES = 26
XGID_BAR = XGID_PLACES - 1
XGID_LETTERS = "ABCDEFGHIJKLMNO"
"""One to fifteen checkers of the first player."""
XGID_TURNS = ("1", "-1")
XGID_CUBE, XGID_MATCH = "0:0", "0:0:0:0:10"
XGID = re.compile(f"XGID=([-A-Oa-o]{{{XGID_PLACES}}}):{XGID_CUBE}:(1|-1):(00|[1-6][1-6]):{XGID_MATCH}")


class Xgid(NamedTuple):
    """Contents of an XGID; every player's points are counted from 24 down to 1, as he goes, and 25 is his
    bar.
    """

    first: tuple[int, ...]  # where the checkers of the first player stand, the hindmost first
    second: tuple[int, ...]
    mover: int
    high: int  # the dice, the larger first; 0 before they are thrown
    low: int


def written_xgid(first: Sequence[int], second: Sequence[int], mover: int, high: int, low: int) -> str:
    """Return the XGID of a position with checkers at these places; those that are off are left out.

    >>> written_xgid((24, 23), (25,), 1, 6, 5)
    'XGID=a----------------------AA-:0:0:-1:65:0:0:0:0:10'
    """
    places = []
    for place in range(XGID_PLACES):
        mine, theirs = first.count(place), second.count(XGID_BAR - place)
        places.append(XGID_LETTERS[mine - 1] if mine else XGID_LETTERS[theirs - 1].lower() if theirs else "-")
    return f"XGID={''.join(places)}:{XGID_CUBE}:{XGID_TURNS[mover]}:{high}{low}:{XGID_MATCH}"


def read_xgid(text: str) -> Xgid:
    """Return what an XGID says. Raises BadInput.

    >>> read_xgid(written_xgid((24, 23), (25,), 1, 6, 5))
    Xgid(first=(24, 23), second=(25,), mover=1, high=6, low=5)
    """
    found = XGID.fullmatch(text.strip())
    if found is None:
        raise BadInput(
            message(
                "{text}: a position is an XGID without cube and match: {example}",
                text=printable(text, 80),
                example=written_xgid((24, 23, 22), (24, 23, 22), 0, 0, 0),
            )
        )
    sides: tuple[list[int], list[int]] = ([], [])
    for place, mark in enumerate(found[1]):
        if mark != "-":
            player = int(mark.islower())
            sides[player].extend(
                [place if player == 0 else XGID_BAR - place] * (XGID_LETTERS.index(mark.upper()) + 1)
            )
    first, second = (tuple(sorted(side, reverse=True)) for side in sides)
    if 0 in first or 0 in second:
        raise BadInput(message("a checker stands on the bar of the other player"))
    low, high = sorted(map(int, found[3]))
    return Xgid(first, second, XGID_TURNS.index(found[2]), high, low)
