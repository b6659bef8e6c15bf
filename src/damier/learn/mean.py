"""Mean scores: a move is worth the average of the games in which it was played (document [S4],
section 2.2, row A-77).

    mean[s, m] <- mean[s, m] + (score - mean[s, m]) / count[s, m]

The count starts at 1 and the mean at 0, so a first win gives 1/2.

The simplest Monte-Carlo control (Sutton and Barto, Reinforcement Learning [SuttonBarto], section
5.4), learning at the end of each game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from damier.core.arrays import Floats
from damier.core.bits import Rng
from damier.core.player import Arrays, Ties
from damier.core.rules import State
from damier.learn.parameters import TableNumbers, TableParameters, numbers_of, require
from damier.learn.qtable import (
    SeatArrays,
    add_reward,
    any_entry,
    best_entry,
    count_decision,
    count_game,
    explores,
    known_row,
    move_of,
    remember,
    reward_of_end,
    row_of,
    share_greedily,
    update_trace,
)


@dataclass(frozen=True)
class MeanParameters(TableParameters):
    """The options of mean scores."""

    epsilon: float = 0.25
    """Share of moves drawn at random while learning, at first (0 to 1)."""
    ties: Ties = "random"
    """Which of several best moves is taken."""
    prior_count: int = 1
    """Games of score 0 that every move is taken to have had."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "prior_count", 0, 1 << 40)


Parameters = MeanParameters  # as every way of learning calls its own


class MeanNumbers(TableNumbers, Protocol):
    """The parameters as engines read them: see `as_numbers`."""

    prior_count: float


Numbers: Callable[..., MeanNumbers] = numbers_of(Parameters)


def choose(s: State, arrays: Arrays, rng: Rng) -> int:
    """A move while learning: at random, or of the highest mean."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    row = row_of(s, p.alike != 0, seat, int(p.prior_count))
    entry = any_entry(row, seat, rng) if explores(seat, rng) else best_entry(row, int(p.ties), seat, rng)
    remember(row, entry, 0.0, seat)
    count_decision(seat, p)
    return move_of(entry, seat)


def observe_reward(reward: int, player: int, arrays: Arrays) -> None:
    """A move has gained something."""
    seat = SeatArrays(*arrays)
    add_reward(reward, player, seat, Numbers(*seat.options))


def learn(payoff: int, player: int, arrays: Arrays) -> None:
    """One finished game: what came after a decision, gains and end, is its score."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    score = reward_of_end(payoff, player, seat, p)
    for decision in range(seat.length[0] - 1, -1, -1):
        entry = seat.entries[decision]
        before, times = seat.values[entry], seat.counts[entry] + 1
        after = before + (score - before) / times
        seat.values[entry], seat.counts[entry] = after, times
        update_trace(player, decision, entry, times, score, 0.0, 0.0, score, before, after)
        score += seat.rewards[decision]
    count_game(seat, p)


def action_probabilities(s: State, arrays: Arrays, weights: Floats) -> None:
    """Write how likely each move is without exploration; all means of a position that was never met are
    0.
    """
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    row = known_row(s, p.alike != 0, seat)
    share_greedily(s, row, int(p.ties), seat, weights)
