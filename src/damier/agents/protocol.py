"""What is said to an agent in a process of its own, and what it answers: a line of JSON each.

    -> {"type": "new_game", …}      once a game, before its first position
    -> {"type": "position", …}      whenever it is to move
    <- {"move": "a1a2"}             one of the legal moves; or {"resign": true}, {"fault": TEXT}
    -> {"type": "end", …}           the game is over

docs/agent_protocol.md tells the rest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal, NotRequired, TypeAlias, TypedDict

from damier.core.defaults import nothing
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.json_data import JsonBounds, parse_json, require_keys
from damier.core.json_types import JsonValue
from damier.core.option_text import Option
from damier.core.rules import Field, State
from damier.core.words import Text, _, message, unpacked

VERSION = 1
"""Of the protocol: another one would be another number."""


class ToldLimits(TypedDict):
    """The limits that an agent may want to plan with; in seconds, and bytes."""

    seconds: float
    game_seconds: float
    memory: int


class NewGame(TypedDict):
    """A game begins, in which the agent sits at `seat`, counted from 0; `seed` is the same whenever
    the match is played with the same seed.
    """

    type: Literal["new_game"]
    protocol: int
    game: str
    options: Mapping[str, Option]
    players: int
    seat: int
    seed: int
    limits: ToldLimits


class AskedPosition(TypedDict):
    """The agent is to move.

    moves         a line of play that leads here: the one that was played, but for moves that came to
                  the same position; None where the game was not followed from its start
    state         the state, field by field
    player        who is to move, from 0; the seat of the agent, if it has only one
    legal         the names of the legal moves
    board         the position as text
    reward        only in games whose moves gain something: what it gained, less what the others did,
                  since it was last to move
    seconds_left  of this game, for this agent
    """

    type: Literal["position"]
    moves: list[str] | None
    state: list[Field]
    player: int
    legal: list[str]
    board: str
    reward: NotRequired[int]
    seconds_left: float


class GameEnd(TypedDict):
    """The game is over; `fault` is what the agent lost it by, or empty; `reward` as in a position."""

    type: Literal["end"]
    payoff: int
    reward: NotRequired[int]
    fault: str


class Gained(TypedDict, total=False):
    """The key of positions and ends that only some games have."""

    reward: int


Message: TypeAlias = NewGame | AskedPosition | GameEnd

WITHIN = 64
"""Lists and objects, and values, that an answer may hold: one is right, a fault has a few more as a
message (`core/words.py`), deep ones are refused.
"""


def rewarding(game: Game) -> bool:
    """Whether moves of a game gain something."""
    return game.reward is not nothing


def asked(
    game: Game, s: State, moves: list[str] | None, legal: list[str], left: float, reward: int = 0
) -> AskedPosition:
    """What an agent is told that is to move in `s`."""
    gained: Gained = {"reward": reward} if rewarding(game) else {}
    return {
        "type": "position",
        "moves": moves,
        "state": [int(field) if not isinstance(field, tuple) else field for field in s],
        "player": int(game.mover(s)),
        "legal": legal,
        "board": game.show(s),
        **gained,
        "seconds_left": round(left, 3),
    }


def ended(game: Game, payoff: int, fault: str, reward: int) -> GameEnd:
    """What an agent is told when its game is over."""
    gained: Gained = {"reward": reward} if rewarding(game) else {}
    return {"type": "end", "payoff": payoff, **gained, "fault": fault}


def written_line(message: Message) -> bytes:
    """A message as it is sent."""
    return (_ENCODER.encode(message) + "\n").encode()


_ENCODER = json.JSONEncoder(ensure_ascii=False)


def read_answer(line: bytes, largest: int) -> str | None:
    """The move that a line names; None where the agent resigns.

    Raises BadFile, which says what is wrong with the line, or by what the agent says that it fails.
    """
    where = _("its answer")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise BadFile(message("{where} is not UTF-8", where=where)) from None
    data = parse_json(text, where, JsonBounds(largest, WITHIN, WITHIN))
    if not isinstance(data, dict):
        raise BadFile(message('{where} is not an object such as {{"move": "a1a2"}}', where=where))
    require_keys(data, ("move", "resign", "fault"), where)
    if data == {"resign": True}:
        return None
    move = data.get("move")
    fault = data.get("fault")
    if len(data) == 1 and isinstance(fault, (str, dict)):
        raise BadFile(told_fault(fault, where))
    if len(data) != 1 or not isinstance(move, str):
        raise BadFile(message('{where} must be {{"move": TEXT}} or {{"resign": true}}', where=where))
    return move


def told_fault(fault: JsonValue, where: str) -> Text:
    """What an agent says that it fails by: a text, or a message (`unpacked`). Raises BadFile."""
    try:
        return unpacked(fault)
    except ValueError:
        raise BadFile(
            message('{where} must be {{"move": TEXT}} or {{"resign": true}}', where=where)
        ) from None
