"""Messages between the processes of the web lab and its pages: their types, one schema, and how what a
browser sent is read, of the right type and size, or refused with one line.

    page      a question (HTTP)          ->  hub, which hands it to a worker: `WorkerQuestion`
    worker    HTML, PDF or an answer     ->  hub  ->  page: `RoomAnswer`, made of `Parts` and
              what one room says
    page      a message (socket)         ->  hub, which answers, and publishes what goes on: objects, as the
              docstring of who answers or publishes says
    hub       an `Order`                 ->  training, which tells how it goes: `TrainingLine`
    hub       WARM, FORK                 ->  fork server, which answers with a process

What a page sends is JSON that anybody may have written: `Params` reads it with care. All else is one of these
types.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, TypeAlias, TypedDict, TypeGuard, TypeVar

from damier.core.errors import BadInput
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import N_, FormattedNumber, _, message
from damier.web.learners import is_own_learner
from damier.web.limits import LAB, ClientId
from damier.web.settings import Settings

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


State = TypeVar("State")


class StateAnswer(PartsAnswer, Generic[State]):
    """Parts of a page, and what its program must know."""

    state: State


class AddressState(TypedDict):
    """Values with which a page is asked again, and its address."""

    values: AddressValues
    address: str


# What the hub and a training say to each other, a line of JSON each.
#
# hub       an `Order`: first the whole plan, then what to do           ->  training
# training  a `TrainingLine`: what it is, how far it is, its picture    ->  hub
#
# The hub keeps what it was told last and hands it to a worker, which makes HTML of it
# (`web/rooms/learning.py`). Of a learner that only lies in a file, the same is made from that file.


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

    blocks: list[JsonObject]
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


# What the rooms of exercises and guided sheets answer.


class DrillState(AddressState):
    """An exercise; `kept` is what it, or its run, is kept under in a browser, `run` the same, but empty for
    one alone; `item` counts from 1.
    """

    run: str
    kept: str
    item: int
    count: int


class MarkAnswer(PartsAnswer):
    """An exercise, marked: what is right, and its points so far."""

    right: int
    of: int
    points: float
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
    said: dict[str, str]
    asked: dict[str, str]
    flipped: bool
    show: list[str]
    truth: str
    mistakes: list[int]
    steered: bool
    written: str


class BoardAnswer(StateAnswer[BoardState]):
    """A position on a board."""


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


class Download(NamedTuple):
    """A file to keep, or a picture to show."""

    kind: Literal[
        "text/csv", "text/plain", "application/xml", "application/zip", "application/pdf", "image/png"
    ]
    content: bytes


RoomAnswer: TypeAlias = (
    str
    | Download
    | NoAnswer
    | PartsAnswer
    | BoardAnswer
    | BoardReply
    | GuessAnswer
    | StateAnswer[PuzzleState]
    | PossibleAnswer
    | Judged
    | StateAnswer[AddressState]
    | StateAnswer[TreeState]
    | StepsAnswer
    | StateAnswer[DrillState]
    | MarkAnswer
    | RunAnswer
    | StateAnswer[MatchboxState]
    | StateAnswer[HomeState]
    | StateAnswer[TrainingState]
    | RoomFilm
    | ReplayAnswer
)
"""What a verb can answer: a page, a file, or an object."""


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


# What a browser sent, read with care.

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
                message(
                    "{name} must be a text of at most {n} characters",
                    name=called(name),
                    n=FormattedNumber(longest, ","),
                )
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
                    high=FormattedNumber(high, ","),
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
    return settings.own_and_options(text)[0]
