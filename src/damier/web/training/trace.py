"""What can be shown of the agent at one seat in one game, whoever tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from damier.core.position import Position
from damier.core.rules import CHANCE
from damier.learn.episode_trace import WatchedEpisode
from damier.web.learning.table import ExactAnswers
from damier.web.messages.training import RoomStep
from damier.web.training.words import full_number


class SeatTold(Protocol):
    """The agent at a seat, ply by ply; an empty text where there is nothing to show.

    learns  whether it is told what it may learn from
    """

    @property
    def learns(self) -> bool: ...

    def why(self, ply: int) -> str:
        """How it chose its move, as a part of the page."""

    def cell(self, ply: int) -> str:
        """The cell of its table for its move: seat, row and entry."""

    def row(self, ply: int) -> str:
        """The row of the position in which it moves: seat and row."""

    def decision(self, ply: int) -> int:
        """The place of its move among those that it learns from; -1 where it does not."""

    def fallen(self, ply: int) -> str:
        """What a move of either player gained it."""

    def received(self, ply: int) -> str:
        """What it had been told of by the time of its move."""

    def end(self) -> str:
        """What it is told of the end of the game."""

    def steps(self) -> list[RoomStep]:
        """How it learns from the game, in order."""

    def table(self, exact: ExactAnswers) -> str:
        """What it knew before the game, as a part of the page."""


def plies_of(episode: WatchedEpisode, seat: int) -> list[int]:
    """The plies at which a seat has moved."""
    return [ply for ply, position, _move in moves_of(episode) if position.mover == seat]


def moves_of(episode: WatchedEpisode) -> Iterator[tuple[int, Position, int]]:
    """Every move of a game, with its ply and its position."""
    for ply, (position, move) in enumerate(zip(episode.positions(), episode.moves, strict=False)):
        if move:
            yield ply, position, move


def gains_of(episode: WatchedEpisode) -> Iterator[tuple[int, int, int]]:
    """Every move that gains something: its ply, who made it, and what it gained that player."""
    for ply, position, move in moves_of(episode):
        if position.mover != CHANCE and (gained := episode.game.rules["reward"](position.state, move)) != 0:
            yield ply, position.mover, gained


def signed(value: float) -> str:
    """A reward.

    >>> signed(10.0), signed(-10.0), signed(0.0)
    ('+10', '−10', '0')
    """
    return ("+" if value > 0 else "") + full_number(value)


def in_order(seats: Iterable[SeatTold]) -> list[RoomStep]:
    """What all of them learn, as it happened in the game."""
    return sorted((step for seat in seats for step in seat.steps()), key=lambda step: step["frame"])
