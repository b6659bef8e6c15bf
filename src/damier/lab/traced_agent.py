"""An agent of one's own whose games are followed and can be played again: a copy of it at any moment, what
it decided in a game, what its methods were told, and what that changed of the values that it gives.

Only what its methods say is known of it. How it chooses and how it learns stands in its file.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import NamedTuple, TypeAlias

from damier.agents.own import AgentMethod, Experience, OwnPlayer
from damier.core.bits import Rng
from damier.core.errors import BadInput
from damier.core.game import Game, Position
from damier.core.player import AnyKernel
from damier.core.rules import State
from damier.core.words import message
from damier.lab.agent_file import data_of
from damier.learn.episode_trace import is_broken_off

COUNTED = 50_000
"""Positions of which it is counted how often the agent was to move there."""

RATES = ("epsilon", "alpha", "gamma", "temperature")
"""Attributes of an agent that may be changed while it learns, where they are numbers."""

Values: TypeAlias = "dict[int, float]"
"""A number for each move."""


class OwnDecision(NamedTuple):
    """A decision; `shares` how likely each move was by the agent's policy, None where it has none."""

    state: State
    move: int
    shares: Values | None


class ChangedValue(NamedTuple):
    """Value of a move to the agent before and after it was told something; None where it did not
    say.
    """

    state: State
    move: int
    before: float | None
    after: float


class OwnTelling(NamedTuple):
    """A method was told what the agent may learn from.

    Attributes:
        method: its name
        arguments: what it asked for, by name
        turn: the decision, from 0, at which it was called; None at the end of the game
        changed: of the positions in which the agent was to move in this game
    """

    method: str
    arguments: dict[str, object]
    turn: int | None
    changed: tuple[ChangedValue, ...]


@dataclass
class OwnEpisode:
    """Episode of an agent: what it did in a game, and was told."""

    decisions: list[OwnDecision] = field(default_factory=list)
    tellings: list[OwnTelling] = field(default_factory=list)
    values: dict[State, Values] = field(default_factory=dict)


class FollowedOwn(OwnPlayer):
    """An agent of one's own at one moment of its games. Its methods are asked, never its kernel.

    Attributes:
        kind: the player that it is elsewhere: a policy, or not
        visits: how often it was to move in a position
        decisions: how many moves it has chosen
        episode: what it does in the game that is played, where that is watched
    """

    kind: type[OwnPlayer] = OwnPlayer
    visits: dict[State, int]
    decisions = 0
    episode: OwnEpisode | None = None
    _has_drawn = False

    @property
    def compiles(self) -> bool:
        return False

    def copied(self, *, watched: bool = False) -> FollowedOwn:
        """Copy the moment, to go on from. Raises AgentFault for an agent that cannot be copied."""
        found = self.copied_as(FollowedOwn)
        found.positions_met, found.kind, found.learns = self.positions_met, self.kind, self.learns
        found.visits, found.decisions = dict(self.visits), self.decisions
        found.episode = OwnEpisode() if watched else None
        return found

    def frozen(self) -> OwnPlayer:
        found = self.copied_as(self.kind)
        found.learns = False
        return found

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        """Its methods alone: one engine serves all its moments."""
        return None if jit else self.asked_kernel()

    def begin_game(self) -> None:
        self._has_drawn = False
        draw_alike(self.decisions)
        super().begin_game()

    def over(self, payoff: int) -> None:
        """Note the end of a game; one that only waits for a person is not over."""
        if is_broken_off():
            self.break_off()
        else:
            super().over(payoff)

    def tell(self, method: AgentMethod, past: Experience) -> None:
        super().tell(method, past)
        if self.episode is None or not self.learns:
            return
        ended = past.payoff is not None
        self.episode.tellings.append(
            OwnTelling(
                method.name,
                {word: getattr(past, word) for word in method.words},
                None if ended else len(self.episode.decisions),
                self._changes(self.episode),
            )
        )

    def knows(self) -> object:
        """Return what it knows, as far as its methods tell it: to be compared."""
        values = [(s, self.values_aside(self.position(s))) for s in self.visits] if self.says_values else []
        saved = data_of(self) if callable(getattr(self.agent, "save", None)) else None
        return values, copy.deepcopy(saved)

    def rates(self) -> dict[str, float]:
        """Its numbers of the usual names."""
        found = {name: getattr(self.agent, name, None) for name in RATES}
        return {
            name: float(value)
            for name, value in found.items()
            if isinstance(value, (int, float)) and not isinstance(value, bool)
        }

    def values_aside(self, position: Position) -> Values:
        """The values that it gives a position; who asks draws none of its random numbers."""
        with self._aside():
            return self.values(position)

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        if not self._has_drawn:
            self._has_drawn = True
            draw_alike(rng[0])
        position = self.position(s)
        if s in self.visits or len(self.visits) < COUNTED:
            self.visits[s] = self.visits.get(s, 0) + 1
        if self.episode is not None and s not in self.episode.values:
            self.episode.values[s] = self.values_aside(position)
        move = super().choose(game, s, rng)
        self.decisions += 1
        if self.episode is not None:
            self.episode.decisions.append(OwnDecision(s, move, self._shares(position)))
        return move

    def _changes(self, episode: OwnEpisode) -> tuple[ChangedValue, ...]:
        """Return what has changed since it was last asked."""
        found = []
        for s, before in episode.values.items():
            after = episode.values[s] = self.values_aside(self.position(s))
            found += [
                ChangedValue(s, move, before.get(move), value)
                for move, value in after.items()
                if before.get(move) != value
            ]
        return tuple(found)

    def _shares(self, position: Position) -> Values | None:
        """Return what its policy says."""
        if self._policy is None:
            return None
        with self._aside():
            return self.weights(position)

    @contextmanager
    def _aside(self) -> Iterator[None]:
        """Gives back all random numbers that are drawn meanwhile."""
        stream, self.rng.stream = self.rng.stream, [0]
        state = random.getstate()
        try:
            yield
        finally:
            random.setstate(state)
            self.rng.stream = stream


def followed(player: OwnPlayer) -> FollowedOwn:
    """A player as it can be followed from here on.

    Raises BadInput for functions that learn: what they know lies in their file, which nobody can set back.
    AgentFault for an agent that cannot be copied.
    """
    if player.can_learn and isinstance(player.agent, SimpleNamespace):
        raise BadInput(
            message(
                "{agent}: its functions keep what they learn in their file, where it cannot be set back to"
                " play a game again; an agent that learns here is a class",
                agent=player.text,
            )
        )
    found = player.copied_as(FollowedOwn)
    found.kind, found.learns, found.visits = type(player), player.can_learn, {}
    return found


def draw_alike(number: int) -> None:
    """From here on Python's and NumPy's own random numbers are the same whenever `number` is: an agent that
    draws from them plays its games again alike.
    """
    random.seed(number)
    if numpy_random := sys.modules.get("numpy.random"):
        numpy_random.seed(number & 0xFFFFFFFF)
