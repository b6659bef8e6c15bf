"""File of what a training of an agent of one's own has learnt: JSON that people can read.

The file names the agent's file and never chooses it: who goes on from it names the agent too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from damier.core.game import Game
from damier.core.grade import Curve, block_facts
from damier.core.json_data import JsonBounds, read_json, require_keys, to_json, write_json
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _
from damier.learn.store import read_curve, read_training, refusing, require_same_game, the

FORMAT = "damier-own/1"
KEYS = ("format", "game", "options", "rules", "agent", "training", "games", "curve", "data")
BOUNDS = JsonBounds(1 << 28, 4_000_000, 12_000_000)


@dataclass
class OwnAgent:
    """All that such a file says: `agent` as it is written on the command line, `data` what its save()
    returned.
    """

    game: Game
    agent: str
    training: dict[str, Any]
    games: int
    curve: Curve
    data: JsonValue


def save(found: OwnAgent, path: Path) -> None:
    """Writes what was learnt, in one step. Raises BadInput where the place cannot be written."""
    data: JsonObject = {
        "format": FORMAT,
        "game": found.game.name,
        "options": found.game.options,
        "rules": found.game.fingerprint(),
        "agent": found.agent,
        "training": found.training,
        "games": found.games,
        "curve": {"size": found.curve.size, "blocks": [block_facts(block) for block in found.curve.blocks]},
        "data": found.data,
    }
    write_json(path, data, BOUNDS)


def header(path: Path) -> JsonObject:
    """Return what such a file says, before it is looked at. Raises BadFile."""
    return read_json(path, FORMAT, BOUNDS)


def load(path: Path, game: Game) -> OwnAgent:
    """Return what such a file says. Raises BadFile for a damaged or foreign one, or one of another game."""
    data = read_json(path, FORMAT, BOUNDS)
    with refusing(path):
        require_keys(data, KEYS, _("the agent"))
        require_same_game(data, game)
        curve, training = read_curve(data), read_training(the(data, "training", dict))
        return OwnAgent(game, the(data, "agent", str), training, curve.games, curve, data.get("data"))


def learnt_in(path: Path, game: Game) -> JsonValue:
    """Return what an agent has learnt, by its file. Raises BadFile."""
    return load(path, game).data


def why_not_kept(data: JsonValue) -> str:
    """Return why a file cannot give back what save() returned; empty where it can."""
    if isinstance(data, dict):
        wrong = next((key for key in data if not isinstance(key, str)), None)
        if wrong is not None:
            return _("a key is {key}; in a file of JSON keys are text", key=repr(wrong))
        return next(filter(None, map(why_not_kept, data.values())), "")
    if isinstance(data, (list, tuple)):
        return next(filter(None, map(why_not_kept, data)), "")
    if data is None or isinstance(data, (bool, int, float, str)):
        try:
            to_json(data)
        except ValueError as error:
            return str(error)
        return ""
    return _("{kind} is no data of JSON", kind=type(data).__name__)
