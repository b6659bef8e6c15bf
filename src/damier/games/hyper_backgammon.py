"""Hyper-backgammon: backgammon with three checkers a side, on the last three points of the way.

Points are counted as in `damier.games.backgammon_checkers`. A throw is played whole: both dice if
that can be, else the larger if that can be, a double four times as often as can be. A move is what
a play leads to, and is written as in backgammon, with `+` between checkers: `24/18*/17`,
`bar/23+6/off`, `no-play`.

A win counts 1; with `gammons` twice where the loser has borne nothing off, and three times where a
checker of his is still on the bar or in the winner's home. There is no doubling cube, and the first
player throws first. With one or two checkers a side the game is small enough to be solved here. A
position is written as XGID (`damier.games.xgid`); on the board, player 1 (X) has light checkers and
bears them off at the bottom right.

>>> from damier import load
>>> position = load("hyper_backgammon").position().play("6-5", "24/18+23/18")
>>> position.state.theirs == pack(22, 18, 18)
True
"""

from __future__ import annotations

from math import comb
from typing import NamedTuple

from damier.core.game import Game, require
from damier.core.moves import holds
from damier.core.number_board import NumberBoard
from damier.core.rules import CHANCE
from damier.core.words import N_, _
from damier.games.backgammon_board import lines, picture, ways_to
from damier.games.backgammon_checkers import (
    BAR,
    HOME,
    OFF,
    POINTS,
    SLOTS,
    WIDTH,
    count_at,
    pack,
    standing,
    step,
)
from damier.games.backgammon_notation import written_play
from damier.games.xgid import read_xgid, written_xgid

FACES = 6
THROWS = tuple((high, low) for high in range(1, FACES + 1) for low in range(1, high + 1))


class BackgammonState(NamedTuple):
    mine: int  # the checkers of the player to move, as in `backgammon_checkers`; `theirs` likewise
    theirs: int
    high: int  # the dice, the larger first; 0 while they are in the air
    low: int
    mover: int  # whose turn it is


def longest(both: int, die: int, left: int) -> int:
    """How many steps of one die can be made, at most `left`."""
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
    """How far all the checkers have still to go."""
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
        worth = 1
        if gammons and count_at(s.mine, OFF) == absent:
            worth = 3 if s.mine & 31 > POINTS - HOME else 2
        return -worth if player == s.mover else worth

    def lead(s: BackgammonState) -> int:
        """Pips that player 1 has still to go more than player 0."""
        ahead = pips(s.theirs) - pips(s.mine)
        return ahead if s.mover == 0 else -ahead

    def name_move(s: BackgammonState, move: int) -> str:
        if s.high == 0:
            return "{}-{}".format(*THROWS[move - 1])
        return written_play(s.mine | s.theirs << WIDTH, move - 1, list(steps(s)))

    def grid(s: BackgammonState) -> NumberBoard:
        return picture(sides(s), dice(s), s.mover, absent, active=not over(s))

    def show(s: BackgammonState) -> str:
        return "\n".join(lines(sides(s), dice(s), absent))

    def ways(s: BackgammonState, move: int) -> tuple[tuple[int, ...], ...]:
        return () if s.high == 0 else ways_to(s.mine | s.theirs << WIDTH, move - 1, steps(s), s.mover)

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
    """How far each step of a play goes: a double is played four times."""
    return (s.high,) * 4 if s.high == s.low else (s.high, s.low)
