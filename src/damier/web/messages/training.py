"""What the hub and a training say to each other, a line of JSON each.

    hub       an `Order`: first the whole plan, then what to do           ->  training
    training  a `TrainingLine`: what it is, how far it is, its picture    ->  hub

The hub keeps what it was told last and hands it to a worker, which makes HTML of it
(`TrainingView`). Of a learner that only lies in a file, the same is made from that file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, TypedDict, TypeGuard

from damier.core.json_types import JsonValue

if TYPE_CHECKING:
    from damier.learn.parameters import SeatName


class TrainingPlan(TypedDict):
    """What a training is to be, as far as the hub has checked it.

    game    as pages name it; opponent, seat: the preset's own where they are empty
    resume  whether the learner lies in a file, and goes on; owner: whose it is (`quota.py`)
    games   that are to have been played in all; pace: games a second, 0: no limit
    """

    name: str
    game: str
    learner: str
    resume: bool
    owner: str
    seed: int
    games: int
    pace: int
    opponent: str
    seat: SeatName | Literal[""]
    language: str


class TrainOrder(TrainingPlan):
    """The first order: the plan."""

    do: Literal["train"]


class SteerOrder(TypedDict):
    """A pause, its end, or the end of all."""

    do: Literal["pause", "go", "stop"]


class PaceOrder(TypedDict):
    """Games a second from now on; 0: no limit."""

    do: Literal["pace"]
    pace: int


SaveOrder = TypedDict("SaveOrder", {"do": Literal["save"], "number": int, "as": str})
"""Save now, also `as` another learner where that is a name; the answer has the same number."""

Order: TypeAlias = TrainOrder | SteerOrder | PaceOrder | SaveOrder


class BlockEnds(TypedDict):
    """How the games of a block ended."""

    games: int
    wins: int
    draws: int
    losses: int


class ToldBlock(BlockEnds):
    """A block of a curve; `grade` is its grade as plain data, where it has one."""

    epsilon: float
    grade: JsonValue


ToldRow: TypeAlias = tuple[int, list[int | list[int]], list[int | None], Sequence[float], Sequence[int]]
"""A row of a table: its number, state, moves as tables hold them (None: an afterstate has none),
values and counts.
"""


OWN = "own"
"""The algorithm of an agent of one's own."""


class LearnerAbout(TypedDict):
    """What does not change of a learner; `parameters` by the names that they have in files, none for an
    agent of one's own; `tables` that it has: two where it has one for each seat.
    """

    game: str
    learner: str
    algorithm: str
    parameters: Mapping[str, JsonValue]
    tables: int


class PlanAbout(TypedDict):
    """Who learns what from whom."""

    game: str
    learner: str
    opponent: str | None
    seat: str | None


class TrainingAbout(PlanAbout, total=False):
    """The same, and what a training knows once it is put together: whom it is graded against."""

    seed: int
    algorithm: str
    parameters: Mapping[str, JsonValue]
    tables: int
    against: str


class GamesSoFar(TypedDict):
    """How far a learner is; `ends` of the last block, `total` of all games."""

    games: int
    known: int
    decisions: int
    epsilon: float
    ends: BlockEnds | None
    total: BlockEnds


class Preparing(TypedDict):
    """How far a training is that gets ready.

    `state` is a key of `picture.STATES`, `stage` what goes on between the games, `pace` games a
    second.
    """

    of: int
    stage: str
    pace: float
    state: str
    games: int
    notes: list[str]


class Progress(Preparing, total=False):
    """How far a training is. `rate`: games a second, over the last second."""

    known: int
    decisions: int
    epsilon: float
    ends: BlockEnds | None
    total: BlockEnds
    rate: float


class ToldRows(TypedDict):
    """The part of a table that a page can show."""

    rows: list[ToldRow]


class OtherTable(ToldRows):
    """The table of the other seat, where a learner has one for each."""

    last: int | None
    known: int


class TrainingPicture(TypedDict, total=False):
    """Curve and table; `last` is the row of the last decision. Nothing while a training gets ready."""

    blocks: list[ToldBlock]
    last: int | None
    rows: list[ToldRow]
    other: OtherTable | None


class SavedTraining(TypedDict):
    """How a learner came to what it is, as its file says it."""

    opponent: str
    seat: str
    seed: int
    against: str
    state: str
    games: int
    of: int
    blocks: list[ToldBlock]
    ends: BlockEnds | None
    total: BlockEnds


class SavedLearner(LearnerAbout, GamesSoFar, TrainingPicture):
    """A learner as its file has it."""

    opponent: str
    seat: str
    seed: int
    against: str
    state: str
    of: int


class TrainingLine(TypedDict, total=False):
    """What a training tells: what it is, once; how far it is; its picture; that it has saved, after
    so many games, as it was ordered by this `number`; why it has ended.
    """

    about: TrainingAbout
    now: Progress
    picture: TrainingPicture
    saved: int
    number: int
    error: str


class TrainingNumbers(TrainingAbout, Progress):
    """All that is quickly told of a learner."""

    name: str
    error: str


class TrainingFacts(TrainingNumbers, TrainingPicture):
    """All that is told of a learner."""


class TrainingView(TrainingFacts, total=False):
    """The same as somebody watches it: the `order` of the rows."""

    order: str


class ListedTraining(TypedDict):
    """A training in the list of all."""

    name: str
    game: str
    learner: str
    state: str
    games: int
    of: int


class LearnerHeader(TypedDict):
    """What a file says of its learner, as far as lists show it."""

    game: str
    learner: str
    games: int


def is_told(values: Mapping[str, object]) -> TypeGuard[TrainingView]:
    """Whether a question has all that a training tells; only the hub asks so."""
    return TrainingView.__required_keys__ <= values.keys()


def is_listed(value: object) -> TypeGuard[list[ListedTraining]]:
    """The same of a list of trainings."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and ListedTraining.__required_keys__ <= each.keys() for each in value
    )


# What the training room answers: one game as a film that the page plays, in parts that it puts in place.


class RoomFrame(TypedDict):
    """A position of a game.

    board  its picture; said: whose turn it is, or how the game has ended; why: how the last move was chosen
    cell   of a table, that of the last move: seat, row and entry; row: of the position at hand
    """

    board: str
    said: str
    why: str
    cell: str
    row: str


class RoomCell(TypedDict):
    """What stands in a cell from there on, in short and in full, and its colour."""

    cell: str
    text: str
    exactly: str
    hue: str


class RoomStep(TypedDict):
    """Something that is learnt.

    seat      who learns, from 1; decision: the place of the move in the game that it is learnt of
    frame     the number of the position, from 0, after which it happens
    row       of a table, where it is to be seen; cells: what is another there
    formula   how, as far as that is known
    """

    seat: int
    decision: int
    frame: int
    row: str
    cells: list[RoomCell]
    formula: str


RoomState = TypedDict(
    "RoomState",
    {
        "game": str,
        "1": str,
        "2": str,
        "seed": int,
        "log": str,
        "person": str,
        "moves": list[str],
        "over": bool,
        "next": str,
        "games": int,
    },
)
"""A room, as an address says it.

log     what has happened; next: with this game, where it is over
person  the seat of a person, from 1, or nothing; moves: those of that person
"""


class RoomFilm(TypedDict):
    """A game: its positions, and what is learnt from it; `later` are the parts that are others then."""

    parts: dict[str, str]
    later: dict[str, str]
    state: RoomState
    frames: list[RoomFrame]
    steps: list[RoomStep]
