"""A learner at its seat, as engines see it: what it knows, and the game that it is in.

What it knows is a table: one row a position, in order of discovery, and in each row one entry for
every move.

    numbering  the number of each position      moves   the move of each entry
    first      the first entry of each row;     values  its value
               it ends where the next begins    counts  how often it was learnt from, or its beads

The game so far is the entry of each of its decisions, and what was gained before it.
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import Floats, Ints
from damier.core.bits import Rng, random_below, random_unit
from damier.core.moves import each, move_number, no_moves, numbered_move, with_move
from damier.core.open_addressing import Index, has_room, number_if_known, number_of, size
from damier.core.player import FIRST, LAST, Arrays, share_of
from damier.core.rules import Moves, State, canonical, key, most_moves, moves
from damier.learn.parameters import ParameterNumber, TableNumbers


class SeatArrays(NamedTuple):
    """Arrays of ints and floats, in plain Python lists; those below the line belong to one seat,
    the others to the table.
    """

    numbering: Index
    first: Ints  # [rows + 1]
    moves: Ints  # [entries] its `move_number`: that of a bit in one byte, the table is a third smaller
    values: Floats  # [entries]
    counts: Ints  # [entries]
    counters: Ints  # [COUNTERS] see below
    rates: Floats  # [2] epsilon; epsilon when the game began
    # ----
    rows: Ints  # [decisions] the row of each
    entries: Ints  # [decisions] the entry of each
    bests: Floats  # [decisions] the highest value of its row when each was taken
    rewards: Floats  # [decisions + 1] what was gained before each, and since the last
    length: Ints  # [1] decisions so far
    weights: Floats  # [most_moves] how likely each move is, in the order of `moves`: room to work
    options: tuple[ParameterNumber, ...]  # the parameters, as numbers


# counters: of the table's life, but for PLAYING: whether in a game
DECISIONS, GAMES, ENTRIES, PLAYING, DECISIONS_BEFORE = range(5)
COUNTERS = 5
EPSILON, EPSILON_BEFORE = range(2)
NO_MOVE = -1  # of the one entry of an afterstate


def begin(arrays: Arrays, plies: int) -> bool:
    """Starts a game of at most so many plies; False where there is no room for what may be met in
    it.

    A game that was broken off is as if it had never been: its decisions are not counted.
    """
    seat = SeatArrays(*arrays)
    if seat.counters[PLAYING] == 1:
        seat.counters[DECISIONS] = seat.counters[DECISIONS_BEFORE]
        seat.rates[EPSILON] = seat.rates[EPSILON_BEFORE]
    seat.counters[PLAYING] = 1
    seat.counters[DECISIONS_BEFORE] = seat.counters[DECISIONS]
    seat.rates[EPSILON_BEFORE] = seat.rates[EPSILON]
    seat.length[0] = 0
    seat.rewards[0] = 0.0
    rows, entries = size(seat.numbering) + plies, seat.counters[ENTRIES] + plies * most_moves()
    return bool(
        plies < len(seat.entries)
        and rows < len(seat.first)
        and entries <= len(seat.moves)
        and has_room(seat.numbering, plies)
    )


def row_of(s: State, alike: bool, seat: SeatArrays, count: int) -> int:
    """The row of a position; a new one gets an entry for every legal move, of value 0 and so many
    counts.
    """
    representative = canonical(s) if alike else s
    known = size(seat.numbering)
    row = number_of(seat.numbering, key(representative))
    if row == known:
        for move in each(moves(s)):
            add_entry(move, count, seat)
        end_row(row, seat)
    return row


def known_row(s: State, alike: bool, seat: SeatArrays) -> int:
    """The row of a position, -1 if it was never met."""
    return number_if_known(seat.numbering, key(canonical(s) if alike else s))


def add_entry(move: int, count: int, seat: SeatArrays) -> None:
    """An entry more in the row that is being made."""
    entry = seat.counters[ENTRIES]
    seat.moves[entry] = move_number(move) if move else NO_MOVE
    seat.values[entry] = 0.0
    seat.counts[entry] = count
    seat.counters[ENTRIES] = entry + 1


def move_of(entry: int, seat: SeatArrays) -> int:
    """The move of an entry."""
    return numbered_move(int(seat.moves[entry]))


def end_row(row: int, seat: SeatArrays) -> None:
    """The entries added since the last row are those of this one."""
    seat.first[row + 1] = seat.counters[ENTRIES]


def best_entry(row: int, ties: int, seat: SeatArrays, rng: Rng) -> int:
    """The entry of the highest value in a row.

    Written without branches that nobody can foresee: they cost more than the comparisons.
    """
    first, end = seat.first[row], seat.first[row + 1]
    highest, lowest_best, highest_best, equals = seat.values[first], first, first, 1
    for entry in range(first + 1, end):
        value = seat.values[entry]
        better, same = value > highest, value == highest
        highest = value if better else highest
        lowest_best = entry if better else lowest_best
        highest_best = entry if better or same else highest_best
        equals = 1 if better else equals + same
    if ties == FIRST:
        return int(lowest_best)
    if ties == LAST or equals == 1:
        return int(highest_best)
    wanted = random_below(rng, equals)
    entry = lowest_best
    while wanted > 0:
        entry += 1
        wanted -= seat.values[entry] == highest
    return int(entry)


def best_moves(row: int, seat: SeatArrays, best: Moves) -> Moves:
    """The moves of the highest value in a row, gathered in `best`, which holds none yet."""
    highest = highest_value(row, seat)
    for entry in range(seat.first[row], seat.first[row + 1]):
        if seat.values[entry] == highest:
            best = with_move(best, move_of(entry, seat))
    return best


def any_entry(row: int, seat: SeatArrays, rng: Rng) -> int:
    """An entry of a row, each as likely."""
    first = seat.first[row]
    return int(first + random_below(rng, seat.first[row + 1] - first))


def highest_value(row: int, seat: SeatArrays) -> float:
    """The highest value in a row."""
    highest = seat.values[seat.first[row]]
    for entry in range(seat.first[row] + 1, seat.first[row + 1]):
        value = seat.values[entry]
        highest = value if value > highest else highest
    return float(highest)


def remember(row: int, entry: int, best: float, seat: SeatArrays) -> None:
    """Notes a decision of this game."""
    decision = seat.length[0]
    seat.bests[decision] = best
    seat.rows[decision] = row
    seat.entries[decision] = entry
    seat.rewards[decision + 1] = 0.0
    seat.length[0] = decision + 1


def end_game(seat: SeatArrays) -> bool:
    """Counts a game; False where the table's other seat has counted it already."""
    if seat.counters[PLAYING] == 0:
        return False
    seat.counters[PLAYING] = 0
    seat.counters[GAMES] += 1
    return True


# What learners tell of each step of their learning, to whoever watches: `damier.learn.episode_trace`.


def update_trace(
    player: int,
    decision: int,
    entry: int,
    times: int,
    reward: float,
    following: float,
    trace: float,
    target: float,
    before: float,
    after: float,
) -> None:
    """An entry has been learnt from; nobody listens, unless another function is bound to this name.

    Args:
        player, decision: whose, and which of the game, from 0
        entry, times: of the table, and how often it has been learnt from now
        reward: what came after the decision: of matchboxes, the beads put in or taken out
        following: what was expected after that
        trace: the share of the target there in it
        target: what the value moves towards: of a mean, the score of the game
        before, after: the value, or the number of beads

    Compiled it is inlined to nothing.
    """


# What learners with a table of values do alike: explore, let exploration decay, add up what is
# gained.

PER_GAME = 1  # of decay_per
FIRST_ONLY = 1  # of events


def explores(seat: SeatArrays, rng: Rng) -> bool:
    """Return whether the next move is drawn at random (row A-20)."""
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
    """Return what the end of a game gives (rows A-7, A-9, A-68): for a win by three, three times that of a
    win by one.
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
