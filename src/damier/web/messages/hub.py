"""What the hub answers to the messages of a socket, and what it publishes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypedDict

from damier.web.messages.parts import NoAnswer, PartsAnswer
from damier.web.messages.rooms import TrainingAnswer


class Failure(TypedDict):
    """Why there is no answer, in one sentence."""

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
    """What whoever sits down must show from then on."""

    key: str


class StartedTraining(TypedDict):
    """The name of a new training, and the key that steers it."""

    name: str
    key: str


class MaySteer(TypedDict):
    """Whether who asks may steer a training."""

    may: bool


class RoomLeft(TypedDict):
    """What room is left for learners, in words."""

    said: str


class SavedGames(TypedDict):
    """How many games a learner had learnt from when it was saved."""

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
    """Who sits at a seat of a table."""

    agent: str
    taken: bool
    name: str


class TableState(TypedDict):
    """What everybody may know of a table."""

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

WARM, FORK = b"warm", b"fork"
"""Orders, of which the second is followed by how far the worker stands back; the first is answered by
itself, the second by the number of the process and a handle of it, or by NO_ROOM.
"""
NO_ROOM = b"0"
LONGEST = 100
"""Bytes of an order, and of an answer."""
