"""What a worker is asked, and what the rooms answer.

An answer has `parts`: the HTML of the elements of a page whose `data-part` names them; and where
the program of the page must know something, a `state`.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, TypedDict

from damier.web.messages.parts import AddressAnswer, AddressState, AddressValues, NoAnswer, Parts, PartsAnswer
from damier.web.messages.training import RoomFilm

# What the room of search trees answers.


class TreeState(AddressState):
    """A search at one of its steps.

    chunk    steps that may be asked for at once
    order    of the moves; ordered: whether there are others; cuts: the steps at which it cuts
    """

    steps: int
    step: int
    chunk: int
    order: int
    ordered: bool
    cuts: list[int]


class TreeAnswer(TypedDict):
    """A search at one of its steps."""

    state: TreeState
    parts: Parts


class StepsAnswer(TypedDict):
    """Some steps of a search: the parts that change with each."""

    steps: dict[int, Parts]


# What the room of matchboxes answers, and the first page, where such a machine plays.


class MachineState(TypedDict):
    """A machine of matchboxes, as an address says it."""

    game: str
    agent: str
    seat: str
    seed: int
    played: str


class MatchboxState(MachineState):
    """The same with the game that goes on.

    waiting  whether a bead is to be drawn; pause: whether somebody has to ask for it
    back     the moves before the person's last one; next, forgotten: the games with this one, and
             without it
    box      the number of the box that is open
    """

    moves: list[str]
    over: bool
    waiting: bool
    pause: bool
    back: list[str] | None
    next: str
    forgotten: str | None
    box: int | None


class MatchboxAnswer(TypedDict):
    """A machine of matchboxes and its game with a person."""

    parts: Parts
    state: MatchboxState


class HomeState(MatchboxState):
    """The same on the first page, with what can be pointed at as on a board: see BoardState."""

    person: bool
    legal: list[str]
    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]
    columns: int


class HomeAnswer(TypedDict):
    """The machine of the first page and its game with a person."""

    parts: Parts
    state: HomeState


# What the rooms of exercises and guided sheets answer.


class DrillState(AddressState):
    """An exercise; `kept` is what it, or its run, is kept under in a browser, `run` the same, but empty for
    one alone; `item` counts from 1.

    closed   whether nothing more is marked of it
    has_key  whether its key may be seen: that of a class, once it is handed in
    """

    run: str
    kept: str
    item: int
    count: int
    closed: bool
    has_key: bool


class DrillAnswer(TypedDict):
    """An exercise, or the same after a marking."""

    state: DrillState
    parts: Parts


class MarkAnswer(TypedDict):
    """An exercise, marked: what is right, and its points so far; none where they are not told yet."""

    right: int
    of: int
    points: float | None
    closed: bool
    parts: Parts


class RunAnswer(TypedDict):
    """A run, finished: its points, and what a list calls it."""

    total: float
    of: int
    title: str
    parts: Parts


class CourseAnswer(PartsAnswer):
    """An answer of a guided sheet, marked, or a command: whether it was right, or understood."""

    right: bool


# What the rooms of boards answer.


class BoardState(TypedDict):
    """A position, for the program of the board.

    at       how many of `moves` are played
    query    what the address says beside the game
    mover    who is to move, from 0; -1 is chance
    person   whether that is somebody at this page; plays: whether anybody at it ever is
    decided  the plies at which a person was to move
    stopped  whether an agent gave up
    light    whether the next reply takes no time to think about
    moving   whether something moves by itself: dice, or agents
    veiled   whether the board is hidden, since it shows secrets
    taps     by place, the move that it means; routes: the places of a move one after the other, where
             one does not say it, and the move; said: the moves that are said otherwise than written
    truth    off, guess, later, wait, search, stopped, none or here: what is known of the exact values;
             search: something, and more is being proven; stopped: something
    mistakes the plies of the moves that gave something away, as far as it is known
    steered  whether a person steers by directions
    written  the position in the game's notation, where it has one
    """

    game: str
    moves: list[str]
    at: int
    query: dict[str, str]
    seats: list[str]
    mover: int
    over: bool
    person: bool
    plays: bool
    decided: list[int]
    stopped: bool
    light: bool
    moving: bool
    veiled: bool
    legal: list[str]
    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]
    said: dict[str, str]
    columns: int
    show: list[str]
    truth: str
    mistakes: list[int]
    steered: bool
    written: str


class BoardAnswer(TypedDict):
    """A position on a board."""

    state: BoardState
    parts: Parts


class BoardReply(BoardAnswer):
    """The same after a reply, with the last move."""

    move: str


class GuessAnswer(BoardAnswer):
    """The same after a guess: whether it was right, None where nobody knows, and what is said."""

    right: bool | None
    said: str


class PossibleAnswer(PartsAnswer):
    """Whether a board can come up."""

    possible: bool


class Judged(TypedDict):
    """What the moves of a table come to: their names, who made each, whose turn it is, from 0, -1
    is chance.
    """

    moves: list[str]
    movers: list[int]
    mover: int
    over: bool
    players: int


class ReplayAnswer(TypedDict):
    """The address of a board with a game that is to be seen again."""

    address: str


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
