"""What the parameters of learners have in common: options on the command line, numbers inside the engines.

The parameters of an algorithm are one frozen dataclass; a field is an option, its docstring says what it does. Engines read them as a
NamedTuple of numbers of the same names: a word is the number of its place among its choices, a switch is 0 or 1.
"""

from __future__ import annotations

import typing
from collections import namedtuple
from dataclasses import dataclass, fields
from typing import Any, Literal, Protocol, TypeAlias

from damier.core.errors import BadInput
from damier.core.ties import Ties
from damier.core.words import _

ParameterNumber: TypeAlias = "float | tuple[float, ...]"


@dataclass(frozen=True)
class TableParameters:
    """The parameters of a learner that keeps a table of values: what a game is worth to it, and how it explores."""

    win: float = 1.0
    """Reward of a win."""
    draw: float = 0.0
    """Reward of a draw."""
    loss: float = -1.0
    """Reward of a loss."""
    draw_second: float | None = None
    """Reward of a draw at seat 2, where it is another (row A-68)."""
    event: float = 0.0
    """Reward for each unit that a move gains (a pawn captured), its negative for what the opponent gains (row A-7)."""
    events: Literal["both", "first"] = "both"
    """Whose gains are told; `first`, only those of player 1, is an error of document S0 (spec A.7)."""
    last_event: bool = False
    """Whether what was gained since the last decision counts beside the reward of the end (row A-9: it does not)."""
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
    """The parameters of `Table` as engines read them: see `as_numbers`."""

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


LARGEST = 1e6
"""The largest reward: sums of rewards must stay finite."""


def require(parameters: Any, name: str, low: float, high: float) -> None:
    """Raises BadInput where a parameter is out of range."""
    value = getattr(parameters, name)
    if not low <= value <= high:
        raise BadInput(_("{name}={value}; it must be from {low} to {high}", name=name, value=value, low=low, high=high))


def numbers_of(parameters: type) -> Any:
    """The NamedTuple that engines read parameters of this class as."""
    return namedtuple(parameters.__module__.rpartition(".")[2], [field.name for field in fields(parameters)])


def as_numbers(parameters: Any) -> tuple[ParameterNumber, ...]:
    """Parameters as the numbers that engines read."""
    hints = typing.get_type_hints(type(parameters))
    return tuple(_number(parameters, field.name, hints[field.name]) for field in fields(parameters))


def _number(parameters: Any, name: str, kind: Any) -> ParameterNumber:
    value = getattr(parameters, name)
    if typing.get_origin(kind) is Literal:
        return float(typing.get_args(kind).index(value))
    if isinstance(value, str):
        return tuple(float(part) for part in value.split("-"))
    return parameters.draw if value is None else float(value)
