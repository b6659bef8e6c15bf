"""What is known at a seat of a training room at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from damier.core.player import Learner, Player
from damier.lab.traced_agent import FollowedOwn
from damier.learn.action_values import Memory
from damier.learn.player import AnyParameters, LearningPlayer


@dataclass(frozen=True)
class SeatKnown:
    """What the learner at one seat knows, and how it goes on learning."""

    memory: Memory
    parameters: AnyParameters  # the dataclass of its algorithm

    @property
    def epsilon(self) -> float:
        return self.memory.epsilon


Known: TypeAlias = "SeatKnown | FollowedOwn | None"
"""What is known at a seat: the table of a learner, or an agent of one's own, whether it learns or not; None
of all others.
"""


def is_learning(player: Player) -> TypeGuard[LearningPlayer]:
    """Whether a player learns here in a table of damier's: one from a file plays what it knows."""
    return isinstance(player, LearningPlayer) and player.learns


def learns_here(player: Player) -> TypeGuard[Learner]:
    """Whether a player learns here, in whatever way."""
    return is_learning(player) or (isinstance(player, FollowedOwn) and player.learns)


def known_of(player: Player) -> Known:
    """What a player knows at this moment. Of an agent of one's own it is the object: who plays copies it."""
    if isinstance(player, FollowedOwn):
        return player
    return SeatKnown(player.memory.copied(), player.parameters) if is_learning(player) else None


def experience(seat: SeatKnown | FollowedOwn) -> tuple[int, int]:
    """How many positions it knows, or was to move in, and how many decisions it has taken."""
    if isinstance(seat, FollowedOwn):
        return len(seat.visits), seat.decisions
    return len(seat.memory), seat.memory.decisions
