"""Pig: throw a die as often as you like, and keep the sum; a 1 loses what this turn has gained. Who
has `target` points first wins.

The state after a throw asks its player: throw again, or hold; a player who has enough for the target
has won at once, and nobody holds with nothing. So whatever is played, a turn may end the game, and
play ends with certainty.

Optimal play: T. W. Neller and C. G. M. Presser, "Optimal play of the dice game Pig", The UMAP
Journal 25 (2004) [Neller04]: who begins wins 0.5306 of the games to 100 points.

A position is written as the points of both players, what this turn has gained, whose turn it is, and
`rolling` while the die is in the air: `11-0 5 second`, `11-0 0 second rolling`.

>>> from damier import load
>>> load("pig").position().play("6", "roll", "5", "hold").state
PigState(first=11, second=0, turn=0, mover=1, rolling=1)
"""

from __future__ import annotations

import re
from typing import NamedTuple

from damier.core.bits import position_of
from damier.core.board import NumberBoard, NumberPlace
from damier.core.errors import BadInput
from damier.core.game import Game, require
from damier.core.moves import move_in_words
from damier.core.rules import CHANCE
from damier.core.words import N_, _, grouped, message, printable

FACES = 6
ROLL, HOLD = 1, 2
DIE, ROLLS, HOLDS = 2, 4, 5  # places of the picture
MOST = 1000
MOVERS = ("first", "second")
IN_THE_AIR = " rolling"
NOTATION = re.compile(f"([0-9]{{1,4}})-([0-9]{{1,4}}) ([0-9]{{1,4}}) ({'|'.join(MOVERS)})({IN_THE_AIR})?")


class PigState(NamedTuple):
    first: int  # points of player 0; `second` those of player 1
    second: int
    turn: int  # gained in this turn, and not yet kept
    mover: int  # whose turn it is
    rolling: int  # 1 while the die is in the air


def pig(target: int = 100) -> Game:
    """The first to `target` points wins."""
    require(
        1 <= target <= MOST,
        _("pig: target={target}; it is from 1 to {most}", target=target, most=MOST),
    )
    faces = (1 << FACES) - 1
    width = target.bit_length()

    def points(s: PigState) -> int:
        return s.first if s.mover == 0 else s.second

    def moves(s: PigState) -> int:
        return faces if s.rolling else ROLL | HOLD

    def play(s: PigState, move: int) -> PigState:
        if s.rolling:
            face = position_of(move) + 1
            if face == 1:
                return PigState(s.first, s.second, 0, 1 - s.mover, 1)
            # more than is needed is no more than that: fewer positions
            return PigState(s.first, s.second, min(s.turn + face, target - points(s)), s.mover, 0)
        if move == ROLL:
            return PigState(s.first, s.second, s.turn, s.mover, 1)
        if s.mover == 0:
            return PigState(s.first + s.turn, s.second, 0, 1, 1)
        return PigState(s.first, s.second + s.turn, 0, 0, 1)

    def over(s: PigState) -> bool:
        return points(s) + s.turn >= target

    def payoff(s: PigState, player: int) -> int:
        return 1 if player == s.mover else -1

    def mover(s: PigState) -> int:
        return CHANCE if s.rolling else s.mover

    def chance(s: PigState, move: int) -> float:
        return 1.0

    def lead(s: PigState) -> int:
        """The points of player 0 more than those of player 1, those of the turn included."""
        return s.first - s.second + (s.turn if s.mover == 0 else -s.turn)

    def name_move(s: PigState, move: int) -> str:
        return str(position_of(move) + 1) if s.rolling else ("roll" if move == ROLL else "hold")

    def grid(s: PigState) -> NumberBoard:
        return picture(s, target, over(s))

    def place(s: PigState, move: int) -> tuple[int, ...]:
        return (DIE,) if s.rolling else (ROLLS if move == ROLL else HOLDS,)

    def show(s: PigState) -> str:
        rows = []
        for player, kept in enumerate((s.first, s.second)):
            turn = f" + {s.turn}" if player == s.mover else ""
            rows.append(f"{'>' if player == s.mover else ' '} {player + 1}: {kept}{turn} / {target}")
        return "\n".join(rows)

    def write_position(s: PigState) -> str:
        return f"{s.first}-{s.second} {s.turn} {MOVERS[s.mover]}{IN_THE_AIR if s.rolling else ''}"

    def read_position(text: str) -> PigState:
        found = NOTATION.fullmatch(text.strip())
        if found is None:
            raise BadInput(
                message(
                    "{text}: a position is the points of both, those of this turn, and whose turn it is:"
                    " 11-0 5 second, with the word rolling while the die is in the air",
                    text=printable(text, 80),
                )
            )
        first, second, turn = map(int, found.groups()[:3])
        s = PigState(first, second, turn, MOVERS.index(found[4]), int(found[5] is not None))
        for kept in (first, second):
            require(
                kept < target and kept != 1,
                _("{n} points kept: nobody keeps 1, or the {target} that win at once", n=kept, target=target),
            )
        left = target - points(s)
        gains = {0, *range(2, left)} if s.rolling else range(min(2, left), left + 1)
        require(
            turn in gains,
            _(
                "{n} points in this turn: {left} are left to the target, and no throw that counts gives"
                " less than 2",
                n=turn,
                left=left,
            ),
        )
        return s

    return Game(
        "pig",
        PigState(0, 0, 0, 0, 1),
        moves,
        play,
        over=over,
        payoff=payoff,
        mover=mover,
        chance=chance,
        features={"lead": lead},
        bits=(width, width, width, 1, 1),
        states=2 * target**2 * (target + 3),
        name_move=name_move,
        grid=grid,
        place=place,
        show=show,
        write_position=write_position,
        read_position=read_position,
        title=N_("Pig"),
        summary=N_("Pig: throw as often as you dare, a 1 loses the turn; first to the target wins"),
        description=N_(
            "Throw a die as often as you like; what it shows is added up. Hold, and the sum is yours; throw"
            " a 1, and the turn is over with nothing. Who has the target first wins."
        ),
    )


def picture(s: PigState, target: int, over: bool) -> NumberBoard:
    """The points of both, the die and what the turn has gained, and what the player may do."""
    places = []
    for player, points in enumerate((s.first, s.second)):
        words = _("player {n}: {points} of {target}", n=player + 1, points=points, target=target)
        name, mine = _("player {n}", n=player + 1), player == s.mover
        places.append(NumberPlace("score", 3 * player, 0, 3, 1.7, words, points, name, mine))
    places.append(NumberPlace("die", 0.7, 1.8, 1.6, 1.6, _("die"), active=s.rolling == 1 and not over))
    turn = _("this turn: {n}", n=s.turn)
    places.append(NumberPlace("score", 3, 1.75, 3, 1.7, turn, s.turn, _("this turn")))
    for number, move in enumerate(("roll", "hold")):
        move_text, may = move_in_words(move), not s.rolling and not over
        places.append(
            NumberPlace("button", 3 * number, 3.55, 3, 1.35, move_text, label=move_text, active=may)
        )
    return NumberBoard(tuple(places), caption=_("{target} points win", target=grouped(target)))
