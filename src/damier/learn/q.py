"""Q-learning: a move is worth what it brings at once and the best that can follow (C. J. C. H.
Watkins and P. Dayan, "Q-learning", Machine Learning 8 (1992) [WatkinsDayan92]; document [S0], rows
A-15 to A-22).

    Q[s, a] <- (1 - alpha) Q[s, a] + alpha (r + gamma max Q[s', .])

where s' is the next decision, alpha the step_size and gamma the discount_factor.

It learns when a game is over, from its last decision to its first. With `backward_updates`, as the
document has it, a step sees what the step after it has just learnt, so that one game carries a
reward all the way back. Without, each step sees the values from before the game: that is one-step
Q-learning (no position comes twice in a game, so learning at its end comes to the same), or SARSA
with `on_policy` (G. A. Rummery and M. Niranjan, 1994 [RummeryNiranjan94]). `lambda_` is lambda: the
target mixes the value of the next decision with the target there (Sutton and Barto, Reinforcement
Learning [SuttonBarto], chapter 12); without `on_policy` a move that was not the best cuts it, as in
Watkins's Q(lambda).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal, Protocol

from damier.core.arrays import Floats
from damier.core.bits import Rng, random_unit
from damier.core.player import RANDOM, Arrays
from damier.core.rules import State, moves
from damier.learn.parameters import StepNumbers, StepParameters, numbers_of, require
from damier.learn.qtable import (
    SeatArrays,
    add_reward,
    any_entry,
    best_entry,
    count_decision,
    count_game,
    explores,
    highest_value,
    known_row,
    move_of,
    remember,
    reward_of_end,
    row_of,
    share_evenly,
    share_greedily,
    update_trace,
)


@dataclass(frozen=True)
class QParameters(StepParameters):
    """The options of Q-learning."""

    on_policy: bool = False
    """Whether the next decision is worth the move that was taken there (SARSA), or its best move."""
    backward_updates: bool = True
    """Whether a step sees what the step after it has just learnt (row A-19)."""
    policy: Literal["greedy", "softmax"] = "greedy"
    """How a move is chosen that is not drawn at random (row A-22)."""
    temperature: float = 1.0
    """What values are divided by in the softmax (above 0)."""

    def __post_init__(self) -> None:
        super().__post_init__()
        require(self, "temperature", 1e-6, 1e12)


Parameters = QParameters  # as every way of learning calls its own


class QNumbers(StepNumbers, Protocol):
    """The parameters as engines read them: see `as_numbers`."""

    on_policy: float
    backward_updates: float
    policy: float
    temperature: float


Numbers: Callable[..., QNumbers] = numbers_of(Parameters)
SOFTMAX = 1  # of policy


def choose(s: State, arrays: Arrays, rng: Rng) -> int:
    """A move while learning: at random, or by the policy."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    row = row_of(s, p.alike != 0, seat, 0)
    if explores(seat, rng):
        entry, best = any_entry(row, seat, rng), highest_value(row, seat)
    elif p.policy == SOFTMAX:
        entry, best = softmax_entry(row, p.temperature, seat, rng), highest_value(row, seat)
    else:
        entry = best_entry(row, int(p.ties), seat, rng)
        best = seat.values[entry]
    remember(row, entry, best, seat)
    count_decision(seat, p)
    return move_of(entry, seat)


def observe_reward(reward: int, player: int, arrays: Arrays) -> None:
    """A move has gained something."""
    seat = SeatArrays(*arrays)
    add_reward(reward, player, seat, Numbers(*seat.options))


def learn(payoff: int, player: int, arrays: Arrays) -> None:
    """One finished game, backwards."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    reward, following, target, trace = reward_of_end(payoff, player, seat, p), 0.0, 0.0, 0.0
    for decision in range(seat.length[0] - 1, -1, -1):
        row, entry = seat.rows[decision], seat.entries[decision]
        target = reward + p.discount_factor * (following + trace * (target - following))
        taken = seat.values[entry]
        learnt = (1.0 - p.step_size) * taken + p.step_size * target
        seat.values[entry] = learnt
        seat.counts[entry] += 1
        update_trace(
            player, decision, entry, seat.counts[entry], reward, following, trace, target, taken, learnt
        )
        if p.on_policy:
            following, trace = learnt if p.backward_updates else taken, p.lambda_
        else:
            following = highest_value(row, seat) if p.backward_updates else seat.bests[decision]
            trace = p.lambda_ if taken == seat.bests[decision] else 0.0
        reward = seat.rewards[decision]
    count_game(seat, p)


def action_probabilities(s: State, arrays: Arrays, weights: Floats) -> None:
    """Write how likely each move is without exploration; all values of a position that was never met are
    0.
    """
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    row = known_row(s, p.alike != 0, seat)
    if row >= 0 and p.policy == SOFTMAX:
        total, highest = softmax_total(row, p.temperature, seat), highest_value(row, seat)
        for entry in range(seat.first[row], seat.first[row + 1]):
            weights[entry - seat.first[row]] = exp((seat.values[entry] - highest) / p.temperature) / total
    elif p.policy == SOFTMAX:
        share_evenly(moves(s), moves(s), RANDOM, weights)
    else:
        share_greedily(s, row, int(p.ties), seat, weights)


def softmax(values: Sequence[float], temperature: float = 1.0) -> list[float]:
    """Return the share of each of some values: e^(Q / temperature) over the sum of these."""
    weights = [exp((value - max(values)) / temperature) for value in values]
    return [weight / sum(weights) for weight in weights]


def softmax_entry(row: int, temperature: float, seat: SeatArrays, rng: Rng) -> int:
    """The first entry whose running sum of e^(Q / temperature) reaches a random share of their
    total.

    The highest value is taken off all of them first, which changes no share and cannot overflow.
    """
    left, highest = random_unit(rng) * softmax_total(row, temperature, seat), highest_value(row, seat)
    last = seat.first[row + 1] - 1
    for entry in range(seat.first[row], last):
        left -= exp((seat.values[entry] - highest) / temperature)
        if left < 0:
            return entry
    return int(last)


def softmax_total(row: int, temperature: float, seat: SeatArrays) -> float:
    """The sum of e^((Q - highest) / temperature) over a row: at least 1."""
    total, highest = 0.0, highest_value(row, seat)
    for entry in range(seat.first[row], seat.first[row + 1]):
        total += exp((seat.values[entry] - highest) / temperature)
    return total
