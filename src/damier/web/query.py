"""A question as the hub knows it: read once, where it comes in; behind that door nobody looks at
raw JSON again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from damier.core.errors import BadInput
from damier.core.words import message
from damier.web.asked import Asked
from damier.web.askers import LAB, Asker
from damier.web.learning.learners import is_own_learner
from damier.web.messages.rooms import WorkerQuestion
from damier.web.settings import Settings

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
    """verb      what is asked, `room.verb`
    values    what it is asked about, by name
    language  that of the reader
    asker     who waits for the answer
    line      the same for a worker, without who asks; what an answer is kept under
    """

    verb: str
    values: Mapping[str, object]
    language: str
    asker: Asker = LAB
    line: bytes = field(init=False)

    def __post_init__(self) -> None:
        question: WorkerQuestion = {
            "verb": self.verb,
            "language": self.language,
            "body": json.dumps(self.values),
        }
        self.line = json.dumps(question).encode()

    @classmethod
    def read(cls, verb: str, body: str, language: str, asker: Asker) -> Query:
        """A question of a browser. Raises BadInput for what is no JSON object."""
        try:
            return cls(verb, Asked.read(body.encode(errors="replace")).values, language, asker)
        except RecursionError:
            raise BadInput(message("the question is not JSON")) from None

    def is_about(self, games: dict[str, str]) -> bool:
        """Whether it names one of some games, or a learner of one."""
        return any(self._text(name).partition(":")[0] in games for name in GAMES) or any(
            found == game or found.startswith(f"{game}-")
            for game in games
            for name in LEARNERS
            if (found := self._text(name))
        )

    def seats_own(self, settings: Settings) -> bool:
        """Whether it is to run one of the user's own agents."""
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
