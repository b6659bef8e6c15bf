"""The V-function: a position is worth what follows from it; of all moves, take the one that leads
to the best (document [S3], rows A-64 to A-70; with `lambda_`, TD(lambda): R. S. Sutton, "Learning
to predict by the methods of temporal differences", Machine Learning 3 (1988) [Sutton88]).

    V[s] <- V[s] + step_size (target - V[s])

where the target is the reward at the end, and before it the value of the next s.

`s` is an afterstate: the board after the learner's own move. It learns when a game is over, from
its last afterstate to its first; with `backward_updates`, as the document has it, the target is the
new value of the next one. With `lambda_` = 1 every target is the reward of the end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from damier.core.arrays import Floats
from damier.core.bits import Rng
from damier.core.moves import each, no_moves, random_move, with_move, without_moves
from damier.core.open_addressing import number_of, size
from damier.core.player import Arrays, chosen
from damier.core.rules import Moves, State, canonical, key, moves, play
from damier.learn.parameters import StepNumbers, StepParameters, numbers_of
from damier.learn.qtable import (
    SeatArrays,
    add_entry,
    add_reward,
    count_decision,
    count_game,
    end_row,
    explores,
    known_row,
    remember,
    reward_of_end,
    share_evenly,
    update_trace,
)


@dataclass(frozen=True)
class VParameters(StepParameters):
    """The options of the V-function."""

    backward_updates: bool = True
    """Whether a step sees what the step after it has just learnt (row A-67)."""


Parameters = VParameters  # as every way of learning calls its own


class VNumbers(StepNumbers, Protocol):
    """The parameters as engines read them: see `as_numbers`."""

    backward_updates: float


Numbers: Callable[..., VNumbers] = numbers_of(Parameters)


def choose(s: State, arrays: Arrays, rng: Rng) -> int:
    """A move while learning: at random, or to the best afterstate."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    if explores(seat, rng):
        move = random_move(rng, moves(s))
    else:
        move = chosen(best_moves(s, seat, p, no_moves()), int(p.ties), rng)
    row = row_of(play(s, move), p.alike != 0, seat)
    remember(row, seat.first[row], 0.0, seat)
    count_decision(seat, p)
    return move


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
        entry = seat.entries[decision]
        target = reward + p.discount_factor * (following + trace * (target - following))
        before = seat.values[entry]
        seat.values[entry] = before + p.step_size * (target - before)
        seat.counts[entry] += 1
        after = seat.values[entry]
        update_trace(
            player, decision, entry, seat.counts[entry], reward, following, trace, target, before, after
        )
        following = seat.values[entry] if p.backward_updates else before
        reward, trace = seat.rewards[decision], p.lambda_
    count_game(seat, p)


def action_probabilities(s: State, arrays: Arrays, weights: Floats) -> None:
    """Write how likely each move is without exploration."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    share_evenly(best_moves(s, seat, p, no_moves()), moves(s), int(p.ties), weights)


def best_moves(s: State, seat: SeatArrays, p: StepNumbers, best: Moves) -> Moves:
    """The moves to the afterstates of the highest value, gathered in `best`, which holds none yet; one
    that was never met is worth 0.
    """
    highest, first = 0.0, True
    for move in each(moves(s)):
        row = known_row(play(s, move), p.alike != 0, seat)
        value = seat.values[seat.first[row]] if row >= 0 else 0.0
        if first or value > highest:
            highest, best = value, without_moves(best)
        if first or value == highest:
            best = with_move(best, move)
        first = False
    return best


def row_of(s: State, alike: bool, seat: SeatArrays) -> int:
    """The row of an afterstate, which has one entry."""
    known = size(seat.numbering)
    row = number_of(seat.numbering, key(canonical(s) if alike else s))
    if row == known:
        add_entry(0, 0, seat)
        end_row(row, seat)
    return row
