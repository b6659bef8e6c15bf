"""What a worker is asked, and what the rooms answer.

An answer has `parts`: the HTML of the elements of a page whose `data-part` names them; and where
the program of the page must know something, a `state`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, TypedDict

from damier.web.messages.board import (
    BoardAnswer,
    BoardReply,
    GuessAnswer,
    Judged,
    PossibleAnswer,
    ReplayAnswer,
)
from damier.web.messages.exercise import CourseAnswer, DrillAnswer, MarkAnswer, RunAnswer
from damier.web.messages.matchboxes import HomeAnswer, MatchboxAnswer
from damier.web.messages.parts import AddressAnswer, AddressValues, NoAnswer, Parts, PartsAnswer
from damier.web.messages.training_room import RoomFilm
from damier.web.messages.tree import StepsAnswer, TreeAnswer


class WorkerQuestion(TypedDict):
    """A question as a line for a worker; `body` is the JSON of its values."""

    verb: str
    language: str
    body: str


class TrainingState(TypedDict):
    """How far a learner is; `tables` that it has, and by which `algorithm` it learns."""

    name: str
    state: str
    tables: int
    algorithm: str
    games: int
    of: int
    game: str
    pace: float


class TrainingAnswer(TypedDict):
    """A learner, or what has changed of it."""

    parts: Parts
    state: TrainingState


class LaboratoryState(TypedDict):
    """Pacman's laboratory: what its address says, and of every game that has been played its score,
    whether it was won, and finished, and its plies; `total`: how many there are to be.
    """

    values: AddressValues
    played: list[list[int]]
    total: int


class LaboratoryAnswer(TypedDict):
    """The laboratory after some more games."""

    state: LaboratoryState
    parts: Parts


class Download(NamedTuple):
    """A file to keep."""

    kind: Literal["text/csv", "text/plain", "application/xml", "application/zip"]
    content: bytes


class ClassAnswer(PartsAnswer):
    """The table of a class; `version` is another whenever it is. It has no parts where it is as it was."""

    version: str


class FileAnswer(PartsAnswer):
    """How a student's file stands; `done` once it has been looked at."""

    done: bool


class NewKeyAnswer(TypedDict):
    """Whose key it is, and the key where it is new; it is shown this once."""

    name: str
    key: str


RoomAnswer: TypeAlias = (
    str
    | bytes
    | Download
    | ClassAnswer
    | FileAnswer
    | NewKeyAnswer
    | NoAnswer
    | PartsAnswer
    | BoardAnswer
    | BoardReply
    | GuessAnswer
    | PossibleAnswer
    | Judged
    | AddressAnswer
    | TreeAnswer
    | StepsAnswer
    | DrillAnswer
    | MarkAnswer
    | CourseAnswer
    | RunAnswer
    | MatchboxAnswer
    | HomeAnswer
    | TrainingAnswer
    | RoomFilm
    | LaboratoryAnswer
    | ReplayAnswer
)
"""What a verb can answer: a page, a PDF or another file, or an object."""
