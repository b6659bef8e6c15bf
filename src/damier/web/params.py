"""Parameters that a browser sent, and the verbs that may be asked with them: everything is of the right
type and size, or refused with one line.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeVar

from damier.core.errors import BadInput
from damier.core.json_types import JsonObject
from damier.core.words import N_, _, message
from damier.web.learners import is_own_learner
from damier.web.limits import LAB, ClientId
from damier.web.messages import WorkerQuestion
from damier.web.settings import Settings

# What can be asked of a worker, by which channel, and what it may cost.
#
# A verb `room.verb` is a function of `rooms/` (`worker.function_of`). No other can be called: the hub
# and the worker both look here.


LARGEST_ANSWER = 32 << 20
"""Bytes of an answer: the hub holds all of it until it is taken."""


class Verb(NamedTuple):
    """pool     quick answers never wait behind slow ones, nor the judge of moves at a table behind
             pictures, nor the reply of an agent behind a proof, nor anybody behind a class with
             matchboxes, or one that hands in
    seconds  after so long the process that works on it is ended, and another takes its place
    cached   the answer depends on nothing but the question: it is kept for the next who asks the
             same
    channel  who asks it: a page with a question, a reader with an address, or nobody but the hub
    """

    pool: Literal["quick", "judge", "moves", "slow", "proofs", "boxes", "class"]
    seconds: float
    cached: bool = False
    channel: Literal["question", "address", "hub"] = "question"


VERBS: dict[str, Verb] = {
    "home.page": Verb("quick", 10, cached=True, channel="address"),
    "home.show": Verb("quick", 10, cached=True),
    "home.play": Verb("quick", 10, cached=True),
    "gallery.page": Verb("quick", 10, cached=True, channel="address"),
    "gallery.card": Verb("quick", 10, cached=True),
    "gallery.facts": Verb("slow", 20, cached=True),
    "gallery.problem": Verb("quick", 10, channel="hub"),
    "lessons.page": Verb("quick", 10, cached=True, channel="address"),
    "lessons.lesson": Verb("quick", 10, cached=True, channel="address"),
    "matchboxes.page": Verb("boxes", 60, channel="address"),
    "matchboxes.show": Verb("boxes", 60),
    "matchboxes.train": Verb("boxes", 60),
    "matchboxes.boxes": Verb("boxes", 60),
    "matchboxes.find": Verb("boxes", 60),
    "matchboxes.sheets": Verb("boxes", 60, channel="address"),
    "matchboxes.pdf": Verb("boxes", 90, channel="address"),
    "training_room.page": Verb("boxes", 60, channel="address"),
    "training_room.show": Verb("boxes", 60),
    "training_room.grade": Verb("proofs", 60, cached=True),
    "training_room.download": Verb("boxes", 60, channel="address"),
    "board.page": Verb("quick", 10, channel="address"),
    "board.show": Verb("quick", 10, cached=True),
    "board.move": Verb("quick", 10, cached=True),
    "board.reply": Verb("moves", 10),
    "board.soon": Verb("quick", 10),
    "board.seats": Verb("quick", 10),
    "board.table": Verb("quick", 10),
    "levels.show": Verb("slow", 60, cached=True),
    "boards.possible": Verb("slow", 20, cached=True),
    "boards.code": Verb("quick", 10),
    "boards.edit": Verb("quick", 10),
    "truth.show": Verb("proofs", 60, cached=True),
    "truth.guess": Verb("proofs", 60, cached=True),
    "mind.show": Verb("slow", 20),
    "table.judge": Verb("judge", 10, cached=True),
    "table.agents": Verb("slow", 20),
    "learning.page": Verb("quick", 10, channel="address"),
    "learning.show": Verb("slow", 20),
    "learning.download": Verb("slow", 20, channel="address"),
    "learning.compare": Verb("slow", 30),
    "learning.numbers": Verb("quick", 10, channel="hub"),
    "learning.drawn": Verb("slow", 10, channel="hub"),
    "learning.listed": Verb("slow", 10, channel="hub"),
    "classroom.page": Verb("class", 20, channel="address"),
    "classroom.live": Verb("class", 20, channel="hub"),
    "classroom.hand_in": Verb("class", 20),
    "classroom.report": Verb("class", 20),
    "classroom.identify": Verb("class", 20),
    "classroom.teach": Verb("class", 20),
    "classroom.students": Verb("class", 20),
    "classroom.new_key": Verb("class", 20),
    "classroom.remove": Verb("class", 20),
    "classroom.join": Verb("class", 20),
    "classroom.who": Verb("class", 20),
    "classroom.keep_run": Verb("class", 20),
    "classroom.download": Verb("class", 60, channel="address"),
    "classroom_drills.page": Verb("class", 20, channel="address"),
    "classroom_drills.sheet": Verb("class", 20, channel="address"),
    "classroom_drills.show": Verb("class", 20),
    "classroom_drills.mark": Verb("class", 20),
    "classroom_drills.key": Verb("class", 20),
    "classroom_drills.hand_in": Verb("class", 20),
    "tree.page": Verb("slow", 20, cached=True, channel="address"),
    "tree.show": Verb("slow", 20, cached=True),
    "tree.steps": Verb("slow", 20, cached=True),
    "exercise.show": Verb("slow", 20, cached=True),
    "exercise.mark": Verb("slow", 20),
    "exercise.key": Verb("slow", 20, cached=True),
    "exercise.result": Verb("slow", 20),
    "course.page": Verb("quick", 10, cached=True, channel="address"),
    "course.sheet": Verb("quick", 10, cached=True, channel="address"),
    "course.mark": Verb("slow", 20, cached=True),
    "course.typed_command": Verb("slow", 20, cached=True),
    "graph.show": Verb("slow", 30, cached=True),
    "laboratory.page": Verb("quick", 10, channel="address"),
    "laboratory.play": Verb("slow", 20),
    "laboratory.games": Verb("quick", 10),
    "laboratory.replay": Verb("slow", 20, cached=True),
}


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

    def moves(self, name: str = "moves") -> list[str]:
        """The moves of a game: a list, or one text with commas, as it stands in an address."""
        found = self.values.get(name, [])
        if isinstance(found, str):
            found = found.split(",") if found else []
        if isinstance(found, list) and len(found) <= MOST_MOVES:
            moves = [move for move in found if isinstance(move, str) and len(move) <= LONGEST_NAME]
            if len(moves) == len(found):
                return moves
        raise BadInput(message("{name} must be a list of at most {n} moves", name=called(name), n=MOST_MOVES))


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
    """verb      what is asked, `room.verb`
    values    what it is asked about, by name
    language  that of the reader
    asker     who waits for the answer
    line      the same for a worker, without who asks; what an answer is kept under
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
