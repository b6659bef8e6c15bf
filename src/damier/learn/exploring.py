"""What learners with a table of values do alike: explore, let exploration decay, add up what is
gained.
"""

from __future__ import annotations

from damier.core.arrays import Floats
from damier.core.bits import Rng, random_unit
from damier.core.moves import each, no_moves
from damier.core.player import share_of
from damier.core.rules import Moves, State, moves
from damier.learn.parameters import TableNumbers
from damier.learn.qtable import DECISIONS, EPSILON, GAMES, SeatArrays, best_moves, end_game

PER_GAME = 1  # of decay_per
FIRST_ONLY = 1  # of events


def explores(seat: SeatArrays, rng: Rng) -> bool:
    """Whether the next move is drawn at random (row A-20)."""
    return random_unit(rng) < seat.rates[EPSILON]


def count_decision(seat: SeatArrays, p: TableNumbers) -> None:
    """Counts a decision; epsilon may decay (row A-21)."""
    if p.decay_per != PER_GAME:
        decay(seat.counters[DECISIONS], seat, p)
    seat.counters[DECISIONS] += 1


def count_game(seat: SeatArrays, p: TableNumbers) -> None:
    """Counts a game; epsilon may decay (row A-69)."""
    if end_game(seat) and p.decay_per == PER_GAME:
        decay(seat.counters[GAMES] - 1, seat, p)


def decay(counted: int, seat: SeatArrays, p: TableNumbers) -> None:
    """Multiplies epsilon by `decay` if it is time, down to its floor."""
    if p.decay != 1.0 and counted > p.decay_after and counted % int(p.decay_every) == 0:
        seat.rates[EPSILON] = max(seat.rates[EPSILON] * p.decay, p.epsilon_floor)


def add_reward(reward: int, player: int, seat: SeatArrays, p: TableNumbers) -> None:
    """Adds what a move of `player` gained to what has come since the last decision (row A-8)."""
    if p.events != FIRST_ONLY or player == 0:
        seat.rewards[seat.length[0]] += p.event * reward


def reward_of_end(payoff: int, player: int, seat: SeatArrays, p: TableNumbers) -> float:
    """What the end of a game gives (rows A-7, A-9, A-68): for a win by three, three times that of a win
    by one.
    """
    if payoff > 0:
        reward = p.win * payoff
    elif payoff < 0:
        reward = p.loss * -payoff
    else:
        reward = p.draw if player == 0 else p.draw_second
    if p.last_event:
        reward += seat.rewards[seat.length[0]]
    return reward


def share_evenly(best: Moves, legal: Moves, ties: int, weights: Floats) -> None:
    """The weights of a greedy player whose best moves these are."""
    index = 0
    for move in each(legal):
        weights[index] = share_of(move, best, ties)
        index += 1  # noqa: SIM113  compiled, `each` is not to be enumerated


def share_greedily(s: State, row: int, ties: int, seat: SeatArrays, weights: Floats) -> None:
    """The weights of who plays the best moves of a row; all moves are, where there is none (-1)."""
    if row >= 0:
        share_evenly(best_moves(row, seat, no_moves()), moves(s), ties, weights)
    else:
        share_evenly(moves(s), moves(s), ties, weights)
