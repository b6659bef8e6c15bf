"""Searches as players: one that decides anew in every position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from damier.core.analysis import Analysis
from damier.core.bits import Rng, random_word
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.moves import each
from damier.core.past import Before, states
from damier.core.player import TIES, AnyKernel, Ties, chosen, share_of
from damier.core.rules import AnyPast, Moves, State
from damier.core.words import message

Decide: TypeAlias = Callable[[State, Before, int, bool], Analysis]
"""decide(state, before, seed, explain): one search, of a position at the end of a line."""

REMEMBERED = 200_000
"""Positions whose best moves a player remembers."""


@dataclass
class SearchPlayer:
    """Searches every position in which it is to move, and plays one of the best moves.

    draws  whether its searches use random numbers
    cores  the most cores that can share one of them
    """

    game: Game
    text: str
    decide: Decide
    ties: Ties = "random"
    draws: bool = False
    cores: int = 1
    line: AnyPast | None = field(default=None, init=False)

    compiles, learns = False, False

    def follow(self, past: AnyPast | None) -> None:
        """Positions are searched as the end of this line."""
        self.line = past

    @property
    def before(self) -> Before:
        """The positions before the one at hand that may come back."""
        return states(self.line) if self.line else ()

    def analyse(self, s: State, seed: int = 0) -> Analysis:
        """One decision, explained."""
        return self.decide(s, self.before, seed, True)

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return chosen(self.best(s, self.before, rng), TIES[self.ties], rng)

    def best(self, s: State, before: Before, rng: Rng) -> Moves:
        """The best moves of a position."""
        found = self.decide(s, before, random_word(rng) if self.draws else 0, False)
        if found.interrupted:
            raise KeyboardInterrupt
        return found.best

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None


@dataclass
class SearchPolicy(SearchPlayer):
    """A search that always decides alike: its probabilities are known, and what it decided is
    remembered.
    """

    known: dict[tuple[State, Before], Moves] = field(default_factory=dict)

    def best(self, s: State, before: Before, rng: Rng) -> Moves:
        if (s, before) not in self.known:
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            self.known[s, before] = super().best(s, before, rng)
        return self.known[s, before]

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """Raises Unsuitable for a position in which no move is chosen."""
        best = self.best(s, (), [0])
        if not best:
            raise Unsuitable(message("{agent} has no move to choose in {state}", agent=self.text, state=s))
        return {move: share_of(move, best, TIES[self.ties]) for move in each(game.moves(s))}
