"""Events of a game, as data; a line of a record file (JSON Lines) is one of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from damier.core.errors import BadFile
from damier.core.json_data import Kind, held, require_keys, whole_number
from damier.core.json_types import JsonObject, JsonValue
from damier.core.solution import Value, value_of_score
from damier.core.words import Text, _, message


@dataclass(frozen=True)
class GameRecord:
    """A game that was played: who played which moves, and what it was worth to each."""

    game: str
    options: Mapping[str, JsonValue]
    players: tuple[str, ...]
    moves: tuple[str, ...]
    payoffs: tuple[int, ...]
    seed: int
    number: int = 0  # which game of a match: the random numbers come from stream `number` of `seed`
    finished: bool = True  # False where the limit of plies stopped it: then every payoff is 0
    resigned: bool = False  # the player to move gave up
    fault: Text = ""  # what one of the players did instead of playing; the player to move lost by it

    @property
    def outcome(self) -> Value:
        """Return what the game was to the first player."""
        return value_of_score(self.payoffs[0])

    def as_json(self) -> JsonObject:
        """The record as plain data, its outcome included; a fault in the language in force."""
        facts = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "fault"}
        fault = {"fault": str(self.fault)} if self.fault else {}
        return facts | fault | {"outcome": self.outcome}


KEYS = (
    "game",
    "options",
    "players",
    "moves",
    "payoffs",
    "seed",
    "number",
    "finished",
    "resigned",
    "fault",
    "outcome",
)


def record_of(data: Mapping[str, JsonValue]) -> GameRecord:
    """The record that plain data describes. Raises BadFile."""
    require_keys(data, KEYS, _("a record"))
    found = GameRecord(
        game=_the(data, "game", str),
        options=_the(data, "options", dict),
        players=tuple(_texts(data, "players")),
        moves=tuple(_texts(data, "moves")),
        payoffs=tuple(_whole(payoff, "payoffs") for payoff in _the(data, "payoffs", list)),
        seed=_whole(data.get("seed"), "seed"),
        number=_whole(data.get("number"), "number"),
        finished=_the(data, "finished", bool),
        resigned=_the(data, "resigned", bool),
        fault=_the(data, "fault", str) if "fault" in data else "",
    )
    if not all(type(value) in (str, int, float, bool) for value in found.options.values()):
        raise _unusable("options")
    if len(found.payoffs) != len(found.players) or not found.players:
        raise _unusable("payoffs")
    if data.get("outcome") != found.outcome:
        raise BadFile(
            message(
                "outcome is {outcome}; the payoffs say {right}",
                outcome=data.get("outcome"),
                right=found.outcome,
            )
        )
    return found


def _the(data: Mapping[str, JsonValue], name: str, kind: type[Kind]) -> Kind:
    """Return what a record says under a name, of this kind."""
    found = held(data, name, kind)
    if found is None:
        raise _unusable(name)
    return found


def _texts(data: Mapping[str, JsonValue], name: str) -> list[str]:
    listed: list[str] = _the(data, name, list)
    if not all(isinstance(word, str) for word in listed):
        raise _unusable(name)
    return listed


def _whole(value: object, name: str) -> int:
    number = whole_number(value)
    if number is None:
        raise _unusable(name)
    return number


def _unusable(name: str) -> BadFile:
    return BadFile(message("a record whose {name} is missing, or not what it should be", name=name))
