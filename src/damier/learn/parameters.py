"""The common part of the parameters of learners: options on the command line, numbers inside the
engines.

The parameters of an algorithm are one frozen dataclass; a field is an option, its docstring says
what it does. Engines read them as a NamedTuple of numbers of the same names: a word is the number
of its place among its choices, a switch is 0 or 1.
"""

from __future__ import annotations

import typing
from collections import namedtuple
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, TypeAlias, TypeVar, cast

from damier.core.errors import BadInput
from damier.core.player import Ties
from damier.core.words import N_, message

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Value: TypeAlias = "bool | int | float | str | None"
ParameterNumber: TypeAlias = "float | tuple[float, ...]"
N = TypeVar("N")


@dataclass(frozen=True)
class TableParameters:
    """The parameters of a learner that keeps a table of values: what a game is worth to it, and how
    it explores.
    """

    win: float = 1.0
    """Reward of a win."""
    draw: float = 0.0
    """Reward of a draw."""
    loss: float = -1.0
    """Reward of a loss."""
    draw_second: float | None = None
    """Reward of a draw at seat 2, where it is another (row A-68)."""
    event: float = 0.0
    """Reward for each unit that a move gains (a pawn captured), its negative for what the opponent
    gains (row A-7).
    """
    events: Literal["both", "first"] = "both"
    """Whose gains are told; `first`, only those of player 1, is an error of document [S0]."""
    last_event: bool = False
    """Whether what was gained since the last decision counts beside the reward of the end (row A-9:
    it does not).
    """
    epsilon: float = 0.2
    """Share of moves drawn at random while learning, at first (0 to 1)."""
    decay: float = 1.0
    """What epsilon is multiplied by, again and again (0 to 1)."""
    decay_every: int = 100
    """After so many decisions, or games."""
    decay_after: int = -1
    """Decisions, or games, that must have been more than this before epsilon decays."""
    decay_per: Literal["decision", "game"] = "decision"
    """What is counted for that."""
    epsilon_floor: float = 0.0
    """Epsilon decays no further than this."""
    ties: Ties = "first"
    """Which of several best moves is taken."""
    alike: bool = False
    """Whether positions that look alike to their movers share what is known of them (row A-5)."""

    def __post_init__(self) -> None:
        for name in ("win", "draw", "loss", "event"):
            require(self, name, -LARGEST, LARGEST)
        if self.draw_second is not None:
            require(self, "draw_second", -LARGEST, LARGEST)
        for name in ("epsilon", "decay", "epsilon_floor"):
            require(self, name, 0, 1)
        require(self, "decay_every", 1, 1 << 40)
        require(self, "decay_after", -1, 1 << 40)


class TableNumbers(Protocol):
    """TableParameters as engines read them: see `as_numbers`."""

    win: float
    draw: float
    loss: float
    draw_second: float
    event: float
    events: float
    last_event: float
    epsilon: float
    decay: float
    decay_every: float
    decay_after: float
    decay_per: float
    epsilon_floor: float
    ties: float
    alike: float


@dataclass(frozen=True)
class StepParameters(TableParameters):
    """The parameters of a learner whose values move towards targets, step by step."""

    step_size: float = 0.1
    """How far a value moves towards its target (above 0, up to 1)."""
    discount_factor: float = 1.0
    """What a reward is worth one decision earlier (0 to 1)."""
    lambda_: float = 0.0
    """Lambda: the share of the target's target in a target (0 to 1)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "step_size", 1e-9, 1)
        require(self, "discount_factor", 0, 1)
        require(self, "lambda_", 0, 1)


class StepNumbers(TableNumbers, Protocol):
    """StepParameters as engines read them: see `as_numbers`."""

    step_size: float
    discount_factor: float
    lambda_: float


OPTIONS = {"step_size": "alpha", "discount_factor": "gamma", "lambda_": "lambda"}
"""What a command line calls some parameters."""
WRITTEN = {
    "step_size": "alpha",
    "discount_factor": "gamma",
    "lambda_": "trace",
    "on_policy": "backup",
    "backward_updates": "fresh",
}
"""What files, and the texts of players that stand in files, call some parameters: as they did when
the first were written.
"""
BACKUPS = {"best": False, "taken": True}
"""`on_policy`, as it is written."""
FIELDS = {option: field for names in (OPTIONS, WRITTEN) for field, option in names.items()}


def option_of(field: str) -> str:
    """Return what a command line calls a parameter."""
    return OPTIONS.get(field, field)


def as_written(parameters: DataclassInstance) -> dict[str, Value]:
    """Parameters as they stand in files, in the order of their fields."""
    words = {switch: word for word, switch in BACKUPS.items()}
    return {
        WRITTEN.get(name, name): words[value] if name == "on_policy" else value
        for name, value in vars(parameters).items()
    }


def fields_of(options: Mapping[str, object]) -> dict[str, object]:
    """Options by the names of their fields: they may be given as on a command line, or as in files.

    >>> fields_of({"alpha": 0.1, "trace": 0.9, "backup": "taken"})
    {'step_size': 0.1, 'lambda_': 0.9, 'on_policy': True}
    """
    return {
        FIELDS.get(name, name): BACKUPS[str(value)] if name == "backup" else value
        for name, value in options.items()
    }


LARGEST = 1e6
"""The largest reward: sums of rewards must stay finite."""


def require(parameters: DataclassInstance, name: str, low: float, high: float) -> None:
    """Raises BadInput where a parameter is out of range."""
    value = getattr(parameters, name)
    if not low <= value <= high:
        raise BadInput(
            message(
                "{name}={value}; it must be from {low} to {high}",
                name=option_of(name),
                value=value,
                low=low,
                high=high,
            )
        )


def numbers_of(parameters: type[DataclassInstance]) -> Callable[..., N]:
    """The NamedTuple that engines read parameters of this class as; `N` says its fields once more,
    to the type checker.
    """
    name = parameters.__module__.rpartition(".")[2]
    return cast("Callable[..., N]", namedtuple(name, [field.name for field in fields(parameters)]))


def as_numbers(parameters: DataclassInstance) -> tuple[ParameterNumber, ...]:
    """Parameters as the numbers that engines read."""
    hints = typing.get_type_hints(type(parameters))
    return tuple(_number(parameters, field.name, hints[field.name]) for field in fields(parameters))


def _number(parameters: DataclassInstance, name: str, kind: object) -> ParameterNumber:
    value = getattr(parameters, name)
    if typing.get_origin(kind) is Literal:
        return float(typing.get_args(kind).index(value))
    if isinstance(value, str):
        return tuple(float(part) for part in value.split("-"))
    return float(vars(parameters)["draw"] if value is None else value)


# The constants of the source documents and of the classics, by name: data, never a second copy of
# an algorithm.

SeatName: TypeAlias = Literal["1", "2", "alternate"]
SEATS: Mapping[str, tuple[int, ...]] = {"1": (0,), "2": (1,), "alternate": (0, 1)}
"""The seats that a learner is trained at, by the text of --seat: what it is worth is the mean over them."""
SWAPS: Mapping[str, int] = {"1": 0, "alternate": 1, "2": 2}
"""The same as the loop of all games says it."""


USUAL_GAMES = 100_000
"""Games of a training that says nothing else."""


class Preset(NamedTuple):
    """Values of parameters, and the training that they were given for.

    Attributes:
        title: what it is to whoever chooses it
        summary: what stands in a footnote, with the document
    """

    title: str
    summary: str
    parameters: Mapping[str, object]
    seat: SeatName = "1"
    opponent: str = "random"
    games: int = USUAL_GAMES


MENACE = {"draw": 1, "win": 3, "loss": -1, "forced": False}
LISTS = {"beads": "1", "win": 1, "draw": 0, "loss": 0, "symmetric": False, "alike": True}
REWARDS = {"win": 100.0, "draw": 10.0, "loss": -100.0, "event": 10.0}
HEXAPION = {
    "step_size": 0.01,
    "discount_factor": 0.9,
    "epsilon": 1.0,
    "decay": 0.99,
    "decay_after": 5000,
    **REWARDS,
}
VFUNCTION = {
    "epsilon": 1.0,
    "decay": 0.996,
    "decay_per": "game",
    "epsilon_floor": 0.1,
    "ties": "last",
    "draw": 0.1,
    "draw_second": 0.5,
}

PRESETS: Mapping[str, Mapping[str, Preset]] = {
    "q": {
        "hexapion": Preset(
            N_("Q-learning, as in the course"),
            N_("document S0: rewards 100, 10, -100 and 10 for a pawn"),
            HEXAPION | {"alike": True},
        ),
        "one-step": Preset(
            N_("Q-learning, one step (Watkins)"),
            N_("Watkins: a step sees the values from before the game"),
            {"backward_updates": False},
        ),
        "sarsa": Preset(
            N_("Sarsa"),
            N_("the next decision is worth the move taken there"),
            {"backward_updates": False, "on_policy": True},
        ),
        "q-lambda": Preset(N_("Q(λ)"), N_("Watkins's Q(0.9)"), {"backward_updates": False, "lambda_": 0.9}),
    },
    "v": {
        "vfunction": Preset(
            N_("V-function, as in the course"),
            N_("document S3: two tables learn from each other"),
            VFUNCTION,
            opponent="self:table=separate",
            games=10_000,
        ),
        "td-lambda": Preset(N_("TD(λ)"), N_("TD(0.9)"), {"backward_updates": False, "lambda_": 0.9}),
    },
    "mean": {
        "morpion": Preset(
            N_("mean scores, as in the course"), N_("document S4: epsilon 0.25, a first game of score 0"), {}
        )
    },
    "beads": {
        "hexapion": Preset(
            N_("matchboxes, as in the course"),
            N_("document S0: MENACE; a loss empties boxes from the last one back"),
            MENACE | {"punish": "last", "cascade": True},
        ),
        "michie": Preset(
            N_("MENACE, as published"), N_("MENACE as Michie published it: 4, 3, 2, 1 beads"), MENACE
        ),
        "scroggs": Preset(
            N_("MENACE, as on the web"),
            N_("MENACE on the web: 8, 4, 2, 1 beads"),
            MENACE | {"beads": "8-4-2-1"},
        ),
        "her": Preset(
            N_("Gardner's hexapawn machine"),
            N_("Gardner's hexapawn machine: it is only punished"),
            {"beads": "1", "win": 0, "draw": 0, "punish": "last"},
            seat="2",
        ),
        "ia01": Preset(
            N_("lists of moves, as in the course"),
            N_("document S1: every move of a game won is put into its list again"),
            LISTS,
            opponent="self:learn=one",
            games=1000,
        ),
        "ia01-last": Preset(
            N_("lists of moves, only the last of a game won"),
            N_("document S1: only the last move of a game won is"),
            LISTS | {"reinforce": "last"},
            opponent="self:learn=one",
            games=1000,
        ),
    },
}
