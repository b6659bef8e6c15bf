"""What the file of every agent says, whatever keeps its knowledge: for which game, how it was trained,
its curve; each value checked before it is used.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from damier.core.curve import Block, Curve
from damier.core.errors import BadFile, DamierError
from damier.core.game import Game
from damier.core.grade import Chances, Grade
from damier.core.json_data import Kind, held, require_keys, whole_number
from damier.core.json_types import JsonObject, JsonValue
from damier.core.option_text import written_game
from damier.core.rules import ONGOING
from damier.core.words import _, message
from damier.learn.presets import SeatName

LARGEST_VALUE = 1e15
LARGEST_COUNT = 1 << 50


class refusing:
    """Turns whatever is wrong inside into a BadFile that names the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, DamierError):
            raise BadFile(message("{path}: {error}", path=self.path, error=error)) from error
        # the rules stumbled over a state that never comes up
        if isinstance(error, (ArithmeticError, LookupError, TypeError, ValueError)):
            raise BadFile(message("{path} does not hold what an agent file holds", path=self.path)) from error


def require_same_game(data: JsonObject, game: Game) -> None:
    """Raises BadFile for the agent of another game, or of other rules of the same name."""
    same = bare(str(data.get("game"))) == bare(game.name) and data.get("options") == game.options
    if not same or data.get("rules") != game.fingerprint():
        raise BadFile(
            message(
                "it is an agent for {found}, not for {game}, or for other rules",
                found=written_game(data),
                game=game.text,
            )
        )


def bare(name: str) -> str:
    """A game's name; that of a user's file without the place where it lies, which is no part of
    what was learnt.

    >>> bare("hexapawn"), bare("games/mine.py"), bare("mine")
    ('hexapawn', 'mine', 'mine')
    """
    path, dot, _function = name.partition(".py")
    return Path(path).name if dot else name


def the(data: Mapping[str, JsonValue], name: str, kind: type[Kind]) -> Kind:
    """What a file says under a name. Raises BadFile if it is not of the kind."""
    found = held(data, name, kind)
    if found is None:
        raise unusable(name)
    return found


def objects(data: Mapping[str, JsonValue], name: str) -> list[JsonObject]:
    """The list under a name, all of objects. Raises BadFile."""
    return [an_object(value, name) for value in the(data, name, list)]


def an_object(value: JsonValue, name: str) -> JsonObject:
    """What should be an object may be anything. Raises BadFile."""
    if not isinstance(value, dict):
        raise unusable(name)
    return value


def unusable(name: str) -> BadFile:
    return BadFile(message("its {name} is missing, or not what it should be", name=name))


def whole(data: Mapping[str, JsonValue], name: str, most: int = LARGEST_COUNT) -> int:
    return whole_of(data.get(name), name, most)


def whole_of(value: object, name: str, most: int = LARGEST_COUNT) -> int:
    """A count. Raises BadFile."""
    number = whole_number(value)
    if number is None or not 0 <= number <= most:
        raise BadFile(message("its {name} is {value}", name=name, value=value))
    return number


def real(value: object, name: str, least: float = -LARGEST_VALUE, most: float = LARGEST_VALUE) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= most:
        raise BadFile(message("its {name} is {value}", name=name, value=value))
    return float(value)


def read_training(data: JsonObject) -> JsonObject:
    """How an agent was trained; nothing, if it never was."""
    kinds = {"opponent": str, "seat": str, "seed": int, "max_plies": int, "against": str}
    if not data:
        return {}
    require_keys(data, kinds, _("the training"))
    if set(data) != set(kinds) or data["seat"] not in typing.get_args(SeatName):
        raise BadFile(message("its training is not one of damier"))
    return {
        name: whole(data, name, 1 << 62) if kind is int else the(data, name, kind)
        for name, kind in kinds.items()
    }


def read_curve(agent: JsonObject) -> Curve:
    """The curve of an agent, which counts as many games as its file says. Raises BadFile."""
    data, games = the(agent, "curve", dict), whole(agent, "games", 1 << 60)
    blocks = []
    require_keys(data, ("size", "blocks"), _("the curve"))
    for block in objects(data, "blocks"):
        played, wins, draws, losses = (
            whole(block, name, 1 << 60) for name in ("games", "wins", "draws", "losses")
        )
        require_keys(
            block, ("games", "wins", "draws", "losses", "epsilon", "grade"), _("a block of the curve")
        )
        if played != wins + draws + losses:
            raise BadFile(message("a block of its curve does not add up"))
        blocks.append(
            Block(
                played,
                wins,
                draws,
                losses,
                real(block.get("epsilon"), "epsilon", 0, 1),
                read_grade(block.get("grade")),
            )
        )
    size = whole(data, "size", 1 << 60)
    if (
        size & (size - 1)
        or size == 0
        or any(block.games != size for block in blocks[:-1])
        or any(block.games > size for block in blocks)
    ):
        raise BadFile(message("the blocks of its curve are not of one size"))
    curve = Curve(size, blocks)
    if curve.games != games:
        raise BadFile(message("its curve counts {n} games, not {games}", n=curve.games, games=games))
    return curve


def chances(seat: JsonObject) -> Chances:
    """How a game ends, of a file: with its mean payoff, where that is not the wins less the losses."""
    found = Chances(*(real(seat[end], end, 0, 1.000001) for end in ("win", "draw", "loss")))
    payoff = real(seat["payoff"], "payoff", -ONGOING, ONGOING)
    return found if abs(payoff - found.payoff) < 1e-9 else replace(found, margin=payoff)


def read_grade(grade: JsonValue) -> Grade | None:
    """The grade of a block, None where it was not graded. Raises BadFile."""
    if grade is None:
        return None
    data = an_object(grade, "grade")

    def pair(name: str) -> tuple[Chances, Chances]:
        for seat in objects(data, name):
            require_keys(seat, ("win", "draw", "loss", "payoff"), _("a grade"))
        one, two = (chances(seat) for seat in objects(data, name))
        return one, two

    require_keys(data, ("seats", "best_against", "best_response", "optimal_share", "states"), _("a grade"))
    share = the(data, "optimal_share", dict)
    require_keys(share, ("all", "reached"), _("a grade"))
    shares = (real(share["all"], "all", 0, 1.000001), real(share["reached"], "reached", 0, 1.000001))
    return Grade(pair("seats"), pair("best_against"), pair("best_response"), *shares, whole(data, "states"))
