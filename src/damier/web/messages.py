"""Messages between the processes of the web lab and its pages, as types: one schema.

    page      a question (HTTP)          ->  hub, which hands it to a worker: `WorkerQuestion`
    worker    HTML, PDF or an answer     ->  hub  ->  page: `RoomAnswer`, made of `Parts` and
              what one room says
    page      a message (socket)         ->  hub, which answers (`HubAnswer`), and publishes what
              goes on (`Published`)
    hub       an `Order`                 ->  training, which tells how it goes: `TrainingLine`
    hub       WARM, FORK                 ->  fork server, which answers with a process

What a page sends is JSON that anybody may have written: `damier.web.params` reads it with care. All
else is one of these types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, TypedDict, TypeGuard

from damier.core.json_types import JsonValue

if TYPE_CHECKING:
    from damier.learn.parameters import SeatName

# Parts of a page, and how a page is asked again: what the answers of all rooms are made of.


Parts: TypeAlias = dict[str, str]
"""By name, the HTML of parts of a page."""

AddressValues: TypeAlias = "Mapping[str, str | int]"
"""What an address says of a page, by name."""


class NoAnswer(TypedDict):
    """There is nothing to say: what was asked has been done, or can be."""


class PartsAnswer(TypedDict):
    """Parts of a page, and nothing else."""

    parts: Parts


class AddressState(TypedDict):
    """Values with which a page is asked again, and its address."""

    values: AddressValues
    address: str


class AddressAnswer(PartsAnswer):
    """A graph."""

    state: AddressState


# What the hub and a training say to each other, a line of JSON each.
#
# hub       an `Order`: first the whole plan, then what to do           ->  training
# training  a `TrainingLine`: what it is, how far it is, its picture    ->  hub
#
# The hub keeps what it was told last and hands it to a worker, which makes HTML of it
# (`TrainingView`). Of a learner that only lies in a file, the same is made from that file.


class TrainingPlan(TypedDict):
    """Plan of a training, as far as the hub has checked it.

    Attributes:
        game: as pages name it; opponent, seat: the preset's own where they are empty
        resume: whether the learner lies in a file, and goes on
        owner: whose it is (`learners.Quota`)
        games: that are to have been played in all
        pace: games a second, 0: no limit
        starts: where its games begin, as it was typed; nothing: at the start of the game
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
    starts: str
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
    """Ends of the games of a block."""

    games: int
    wins: int
    draws: int
    losses: int


class BlockFacts(BlockEnds):
    """A block of a curve; `grade` is its grade as plain data, where it has one."""

    epsilon: float
    grade: JsonValue


RowFacts: TypeAlias = tuple[int, list[int | list[int]], list[int | None], Sequence[float], Sequence[int]]
"""A row of a table: its number, state, moves as tables hold them (None: an afterstate has none),
values and counts.
"""


OWN = "own"
"""The algorithm of an agent of one's own."""


class TrainingAbout(TypedDict, total=False):
    """Facts of a learner that do not change: what learns what from whom, and what is known once that is put
    together.

    Attributes:
        parameters: by the names that they have in files, none for an agent of one's own
        tables: that it has: two where it has one for each seat
        against: whom it is graded against
    """

    game: str
    learner: str
    opponent: str | None
    seat: str | None
    seed: int
    starts: str
    algorithm: str
    parameters: Mapping[str, JsonValue]
    tables: int
    against: str


class Progress(TypedDict, total=False):
    """Progress of a learner, quickly told.

    Attributes:
        state: a key of `snapshot.STATES`
        stage: what goes on between the games
        pace: games a second that are asked for
        rate: those of the last second
        ends: of the games of the last block
        total: of all games
    """

    of: int
    stage: str
    pace: float
    state: str
    games: int
    notes: list[str]
    known: int
    decisions: int
    epsilon: float
    ends: BlockEnds | None
    total: BlockEnds
    rate: float


class TrainingTable(TypedDict, total=False):
    """The part of a table that a page can show; `last` is the row of the last decision."""

    rows: list[RowFacts]
    last: int | None
    known: int


class TrainingPicture(TrainingTable, total=False):
    """Curve and table, and that of the other seat, where a learner has one for each. Nothing while a
    training gets ready.
    """

    blocks: list[BlockFacts]
    other: TrainingTable | None


class TrainingLine(TypedDict, total=False):
    """Line of a training: what it is, once; how far it is; its picture; that it has saved, after so
    many games, as it was ordered by this `number`; why it has ended.
    """

    about: TrainingAbout
    now: Progress
    picture: TrainingPicture
    drawing: JsonValue
    saved: int
    number: int
    error: str


class TrainingNumbers(TrainingAbout, Progress, total=False):
    """All that is quickly told of a learner: the name under which it is kept, and why it has ended, too."""

    name: str
    error: str


class TrainingFacts(TrainingNumbers, TrainingPicture, total=False):
    """All that is told of a learner, in training or from its file; `order` of the rows, as it is watched."""

    order: str
    drawing: JsonValue


TOLD = {
    "name",
    "error",
    "game",
    "learner",
    "opponent",
    "seat",
    "of",
    "stage",
    "pace",
    "state",
    "games",
    "notes",
}
"""Names of what is always told of a learner."""


class LearnerHeader(TypedDict):
    """Header of the file of a learner, as far as lists show it."""

    game: str
    learner: str
    games: int


class ListedTraining(LearnerHeader):
    """A training in the list of all."""

    name: str
    state: str
    of: int


def is_told(values: Mapping[str, object]) -> TypeGuard[TrainingFacts]:
    """Return whether a question has all that a training tells; only the hub asks so."""
    return values.keys() >= TOLD


def is_listed(value: object) -> TypeGuard[list[ListedTraining]]:
    """Return the same of a list of trainings."""
    return isinstance(value, list) and all(
        isinstance(each, dict) and ListedTraining.__required_keys__ <= each.keys() for each in value
    )


# What the training room answers: one game as a film that the page plays, in parts that it puts in place.


class NewRow(TypedDict):
    """A row that joins the table of a seat, from 1."""

    seat: int
    html: str


class RoomFrame(TypedDict):
    """A position of a game.

    Attributes:
        board: its picture
        said: whose turn it is, or how the game has ended
        why: how the last move was chosen
        cell: of a table, that of the last move: seat, row and entry
        row: of the position at hand
        state: its place in the line of time
        moved: the same once its move is known
        rows: of a table, that the game comes to here for the first time
        known: what each agent has met by then
    """

    board: str
    said: str
    why: str
    cell: str
    row: str
    state: str
    moved: str
    rows: list[NewRow]
    known: list[str]


class RoomCell(TypedDict):
    """Content of a cell from there on, in short and in full, and its colour."""

    cell: str
    text: str
    exactly: str
    hue: str


class RoomStep(TypedDict):
    """Something that is learnt.

    Attributes:
        seat: who learns, from 1
        decision: the place of the move in the game that it is learnt of
        frame: the number of the position, from 0, after which it happens
        row: of a table, where it is to be seen
        cells: what is another there
        formula: how, as far as that is known
        source: the cell that the value of what follows was read in, or the end of a seat
        carried: that value, in short
        asked: the same without its numbers, for who says the new value beforehand: `value`, which is taken
            for right `within` so much; nothing where nobody can know it
    """

    seat: int
    decision: int
    frame: int
    row: str
    cells: list[RoomCell]
    formula: str
    source: str
    carried: str
    asked: str
    value: float
    within: float


RoomState = TypedDict(
    "RoomState",
    {
        "game": str,
        "1": str,
        "2": str,
        "seed": int,
        "positions": str,
        "log": str,
        "person": str,
        "moves": list[str],
        "over": bool,
        "next": str,
        "games": int,
    },
)
"""A room, as an address says it.

positions  where games begin, as it was typed; nothing: at the start of the game
log        what has happened; next: with this game, where it is over
person     the seat of a person, from 1, or nothing; moves: those of that person
"""


class RoomFilm(TypedDict):
    """A game: its positions, what is learnt from it, and the parts of the page as they are before it."""

    parts: dict[str, str]
    state: RoomState
    frames: list[RoomFrame]
    steps: list[RoomStep]


# What a worker is asked, and what the rooms answer.
#
# An answer has `parts`: the HTML of the elements of a page whose `data-part` names them; and where
# the program of the page must know something, a `state`.


# What the room of search trees answers.


class TreeState(AddressState):
    """A search at one of its steps.

    Attributes:
        chunk: steps that may be asked for at once
        order: of the moves
        ordered: whether there are others
        cuts: the steps at which it cuts
    """

    steps: int
    step: int
    chunk: int
    order: int
    ordered: bool
    cuts: list[int]


class TreeAnswer(PartsAnswer):
    """A search at one of its steps."""

    state: TreeState


class StepsAnswer(TypedDict):
    """Some steps of a search: the parts that change with each."""

    steps: dict[int, Parts]


# What the room of matchboxes answers, and the first page, where such a machine plays.


class MatchboxState(TypedDict):
    """A machine of matchboxes, as an address says it, with the game that goes on.

    Attributes:
        waiting: whether a bead is to be drawn
        pause: whether somebody has to ask for it
        back: the moves before the person's last one; next, forgotten: the games with this one, and without it
        box: the number of the box that is open
    """

    game: str
    agent: str
    seat: str
    seed: int
    played: str
    moves: list[str]
    over: bool
    waiting: bool
    pause: bool
    back: list[str] | None
    next: str
    forgotten: str | None
    box: int | None


class MatchboxAnswer(PartsAnswer):
    """A machine of matchboxes and its game with a person."""

    state: MatchboxState


class PointedState(TypedDict):
    """A board that can be pointed at.

    Attributes:
        person: whether somebody at this page is to move
        legal: that person's moves
        taps: by place, the move that it means
        routes: the places of a move one after the other, where one does not say it, and the move
        columns: how many places there are in each row, 0 where that cannot be said
    """

    person: bool
    legal: list[str]
    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]
    columns: int


class HomeState(MatchboxState, PointedState):
    """A machine on the first page."""


class HomeAnswer(PartsAnswer):
    """The machine of the first page and its game with a person."""

    state: HomeState


# What the rooms of exercises and guided sheets answer.


class DrillState(AddressState):
    """An exercise; `kept` is what it, or its run, is kept under in a browser, `run` the same, but empty for
    one alone; `item` counts from 1.

    Attributes:
        closed: whether nothing more is marked of it
        has_key: whether its key may be seen: that of a class, once it is handed in
    """

    run: str
    kept: str
    item: int
    count: int
    closed: bool
    has_key: bool


class DrillAnswer(PartsAnswer):
    """An exercise, or the same after a marking."""

    state: DrillState


class MarkAnswer(PartsAnswer):
    """An exercise, marked: what is right, and its points so far; none where they are not told yet."""

    right: int
    of: int
    points: float | None
    closed: bool


class RunAnswer(PartsAnswer):
    """A run, finished: its points, and what a list calls it."""

    total: float
    of: int
    title: str


# What the rooms of boards answer.


class BoardState(PointedState):
    """A position, for the program of the board.

    Attributes:
        at: how many of `moves` are played
        query: what the address says beside the game
        mover: who is to move, from 0; -1 is chance
        plays: whether anybody at this page is ever to move
        decided: the plies at which a person was to move
        stopped: whether an agent gave up
        light: whether the next reply takes no time to think about
        moving: whether something moves by itself: dice, or agents
        veiled: whether the board is hidden, since it shows secrets
        said: the moves that are said otherwise than written
        asked: those that are asked for in words, where several go one way
        truth: off, guess, later, wait, search, stopped, none or here: what is known of the exact values;
            search: something, and more is being proven; stopped: something
        mistakes: the plies of the moves that gave something away, as far as it is known
        steered: whether a person steers by directions
        flipped: whether the board is seen from the second seat
        written: the position in the game's notation, where it has one
    """

    game: str
    moves: list[str]
    at: int
    query: dict[str, str]
    seats: list[str]
    mover: int
    over: bool
    plays: bool
    decided: list[int]
    stopped: bool
    light: bool
    moving: bool
    veiled: bool
    said: dict[str, str]
    asked: dict[str, str]
    flipped: bool
    show: list[str]
    truth: str
    mistakes: list[int]
    steered: bool
    written: str


class BoardAnswer(PartsAnswer):
    """A position on a board."""

    state: BoardState


class BoardReply(BoardAnswer):
    """A position after a reply, with the last move."""

    move: str


class GuessAnswer(BoardAnswer):
    """A position after a guess: whether it was right, None where nobody knows, and what is said."""

    right: bool | None
    said: str


class PuzzleState(PointedState):
    """A puzzle.

    Attributes:
        seed: which one of its game it is
        move: the one that was tried, and whether it is right; nothing and None where none was
    """

    game: str
    seed: int
    move: str
    right: bool | None
    said: dict[str, str]
    flipped: bool


class PuzzleAnswer(PartsAnswer):
    """A puzzle, or the same with a move that was tried."""

    state: PuzzleState


class PossibleAnswer(PartsAnswer):
    """Verdict on a board: whether it can come up."""

    possible: bool


class Judged(TypedDict):
    """Position of a table after some moves: their names, who made each, whose turn it is, from 0, -1
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
    """Progress of a learner; `tables` that it has, by which `algorithm` it learns, where its games begin."""

    name: str
    state: str
    tables: int
    algorithm: str
    games: int
    of: int
    game: str
    pace: float
    starts: str


class TrainingAnswer(PartsAnswer):
    """A learner, or what has changed of it."""

    state: TrainingState


class Download(NamedTuple):
    """A file to keep, or a picture to show."""

    kind: Literal["text/csv", "text/plain", "application/xml", "application/zip", "image/png"]
    content: bytes


RoomAnswer: TypeAlias = (
    str
    | bytes
    | Download
    | NoAnswer
    | PartsAnswer
    | BoardAnswer
    | BoardReply
    | GuessAnswer
    | PuzzleAnswer
    | PossibleAnswer
    | Judged
    | AddressAnswer
    | TreeAnswer
    | StepsAnswer
    | DrillAnswer
    | MarkAnswer
    | RunAnswer
    | MatchboxAnswer
    | HomeAnswer
    | TrainingAnswer
    | RoomFilm
    | ReplayAnswer
)
"""What a verb can answer: a page, a PDF or another file, or an object."""


# What the hub answers to the messages of a socket, and what it publishes.


class Failure(TypedDict):
    """Reason why there is no answer, in one sentence."""

    error: str


class GoneTable(Failure):
    """The table that was meant is no more."""

    gone: Literal[True]


class OpenedTable(TypedDict):
    """A new table, and the seat of who opened it, from 1."""

    table: str
    key: str
    seat: int


class SeatNumber(TypedDict):
    """The seat that a key belongs to, from 1; 0: none."""

    seat: int


class SeatKey(TypedDict):
    """Secret that whoever sits down must show from then on."""

    key: str


class StartedTraining(TypedDict):
    """The name of a new training, and the key that steers it."""

    name: str
    key: str


class MaySteer(TypedDict):
    """Right of who asks to steer a training."""

    may: bool


class RoomLeft(TypedDict):
    """Room that is left for learners, in words."""

    said: str


class SavedGames(TypedDict):
    """Number of games that a learner had learnt from when it was saved."""

    saved: int


HubAnswer: TypeAlias = (
    Failure
    | GoneTable
    | NoAnswer
    | OpenedTable
    | SeatNumber
    | SeatKey
    | StartedTraining
    | MaySteer
    | RoomLeft
    | SavedGames
)


class SeatState(TypedDict):
    """Occupant of a seat of a table."""

    agent: str
    taken: bool
    name: str


class TableState(TypedDict):
    """Public state of a table."""

    game: str
    moves: Sequence[str]
    seats: list[SeatState]
    mover: int
    over: bool
    seed: int
    trouble: str
    round: int


class Asleep(TypedDict):
    """A learner does not learn here now."""

    asleep: Literal[True]


Published: TypeAlias = TableState | Asleep | PartsAnswer | TrainingAnswer


# What the hub and the fork server say to each other.

FORK_SERVER = "fork"
"""What the latter is started with, instead of how far a worker stands back."""
WARM, FORK = b"warm", b"fork"
"""Orders, of which the second is followed by how far the worker stands back; the first is answered by
itself, the second by the number of the process and a handle of it, or by NO_ROOM.
"""
NO_ROOM = b"0"
LONGEST = 100
"""Bytes of an order, and of an answer."""
