"""Parameters that a browser sent: everything is of the right type and size, or refused with one line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from damier.core.errors import BadInput
from damier.core.json_types import JsonObject
from damier.core.words import N_, _, message
from damier.web.learners import is_own_learner
from damier.web.limits import LAB, ClientId
from damier.web.messages import WorkerQuestion
from damier.web.settings import Settings

LARGEST_ANSWER = 32 << 20
"""Bytes of an answer: the hub holds all of it until it is taken."""


LONGEST_NAME = 300
MOST_MOVES = 2_000

FIELDS = {
    "agent": N_("agent"),
    "algorithm": N_("algorithm"),
    "branching": N_("moves a node"),
    "evaluate": N_("evaluation"),
    "game": N_("game"),
    "games": N_("number of games"),
    "kind": N_("kind"),
    "learner": N_("learner"),
    "move": N_("move"),
    "moves": N_("moves"),
    "name": N_("name"),
    "number": N_("number"),
    "opponent": N_("opponent"),
    "pace": N_("pace"),
    "players": N_("players"),
    "plies": N_("plies"),
    "seat": N_("seat"),
    "seed": N_("seed"),
    "step": N_("step"),
    "text": N_("text"),
    "tree": N_("tree"),
}
"""What a reader calls the values that are typed or chosen, by their names in an address."""

Word = TypeVar("Word", bound=str)


class Params:
    """One question: named values, each checked when it is read. Raises BadInput."""

    def __init__(self, values: JsonObject) -> None:
        self.values = values

    @classmethod
    def read(cls, body: bytes) -> Params:
        try:
            values = json.loads(body or b"{}")
        except (ValueError, RecursionError):
            raise BadInput(message("the question is not JSON")) from None
        if not isinstance(values, dict):
            raise BadInput(message("the question must be one JSON object"))
        return cls(values)

    def text(self, name: str, default: str = "", longest: int = LONGEST_NAME) -> str:
        found = self.values.get(name, default)
        if not isinstance(found, str) or len(found) > longest:
            raise BadInput(
                message("{name} must be a text of at most {n} characters", name=called(name), n=longest)
            )
        return found

    def choice(self, name: str, choices: Sequence[Word]) -> Word:
        """One of some words; the first where none is given."""
        found = self.text(name, choices[0])
        for word in choices:
            if word == found:
                return word
        raise BadInput(
            message("{name} must be one of: {choices}", name=called(name), choices=" ".join(choices))
        )

    def whole(self, name: str, default: int, low: int = 0, high: int = (1 << 53) - 1) -> int:
        """A whole number between two others; as text too, as it stands in an address."""
        found = self.values.get(name, default)
        if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 17:
            found = int(found)
        if isinstance(found, bool) or not isinstance(found, int) or not low <= found <= high:
            raise BadInput(
                message(
                    "{name} must be a whole number from {low} to {high}",
                    name=called(name),
                    low=low,
                    high=high,
                )
            )
        return found

    def flag(self, name: str) -> bool:
        return self.values.get(name, False) in (True, "1", "true", "on")

    def texts(self, name: str, most: int) -> list[str]:
        """A list of texts."""
        found = self.values.get(name, [])
        if isinstance(found, list) and len(found) <= most:
            texts = [text for text in found if isinstance(text, str) and len(text) <= LONGEST_NAME]
            if len(texts) == len(found):
                return texts
        raise BadInput(
            message(
                "{name} must be at most {n} texts of at most {m} characters",
                name=called(name),
                n=most,
                m=LONGEST_NAME,
            )
        )

    def moves(self, name: str = "moves") -> list[str]:
        """The moves of a game: a list, or one text with commas, as it stands in an address."""
        found = self.values.get(name, [])
        if isinstance(found, str):
            return Params({name: list(found.split(",")) if found else []}).moves(name)
        return self.texts(name, MOST_MOVES)


def called(name: str) -> str:
    """A value in words, where it has a field; else as an address names it."""
    return _(FIELDS[name]) if name in FIELDS else name


# A question as the hub knows it: read once, where it comes in; behind that nobody looks at
# raw JSON again.

COMPARED = ("one", "other")
"""The values that name learners which are to play."""
GAMES, LEARNERS = ("game",), ("name", *COMPARED)
"""Values of questions that name a game, and those that name a learner, which is usually called
after its game.
"""
PLAYING = "learner:"
"""Before the name of a learner, where an agent is named."""
AGENT, AGENTS = "agent", "agents"
"""The values that name an agent, and several; those that are called `1`, `2`, … name one, too."""


@dataclass
class Query:
    """Question to a worker.

    Attributes:
        verb: what is asked, `room.verb`
        values: what it is asked about, by name
        language: that of the reader
        asker: who waits for the answer
        line: the same for a worker, without who asks; what an answer is kept under
    """

    verb: str
    values: Mapping[str, object]
    language: str
    asker: ClientId = LAB
    line: bytes = field(init=False)

    def __post_init__(self) -> None:
        question: WorkerQuestion = {
            "verb": self.verb,
            "language": self.language,
            "body": json.dumps(self.values),
        }
        self.line = json.dumps(question).encode()

    @classmethod
    def read(cls, verb: str, body: str, language: str, asker: ClientId) -> Query:
        """A question of a browser. Raises BadInput for what is no JSON object."""
        try:
            return cls(verb, Params.read(body.encode(errors="replace")).values, language, asker)
        except RecursionError:
            raise BadInput(message("the question is not JSON")) from None

    def is_about(self, games: dict[str, str]) -> bool:
        """Return whether it names one of some games, or a learner of one."""
        return any(self._text(name).partition(":")[0] in games for name in GAMES) or any(
            found == game or found.startswith(f"{game}-")
            for game in games
            for name in LEARNERS
            if (found := self._text(name))
        )

    def seats_own(self, settings: Settings) -> bool:
        """Return whether it is to run one of the user's own agents."""
        return bool(own_agent_in(self.values, settings))

    def _text(self, name: str) -> str:
        found = self.values.get(name, "")
        return found if isinstance(found, str) else ""


def own_agent_in(values: Mapping[str, object], settings: Settings) -> str:
    """The first of the user's own agents that is to play by the values of a question, by its name or as
    what it has learnt; nothing where there is none.
    """
    several = values.get(AGENTS)
    texts = [
        *(found for name, found in values.items() if name == AGENT or name.isdecimal()),
        *(several if isinstance(several, list) else str(several or "").split(",")),
        *(f"{PLAYING}{values[name]}" for name in COMPARED if name in values),
    ]
    return next((own for text in texts if isinstance(text, str) and (own := own_named(text, settings))), "")


def own_named(text: str, settings: Settings) -> str:
    """The user's own agent that the text of an agent means, as pages call it; nothing where it is none."""
    learner = text.removeprefix(PLAYING)
    if learner != text and is_own_learner(settings.folder, learner):
        return learner
    return settings.own_agent(text)
