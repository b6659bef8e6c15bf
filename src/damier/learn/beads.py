"""Matchboxes: one box a position, beads of a colour for each move; draw a bead, play it, and put
beads in or take them out when the game is over (D. Michie, "Experiments on the mechanization of
game-learning", The Computer Journal 6 (1963) [Michie63]: MENACE, rows A-26 to A-31; M. Gardner,
Scientific American, March 1962 [Gardner62]: the hexapawn machine, row A-32; the lists of document
[S1], in which a move that stands twice is two beads: rows A-39 to A-47).

    beads[s, m] <- beads[s, m] + win | draw | loss

for the moves drawn in the game, all of them or the last; never below 0.

One box serves all positions that are one another's mirror image or turn (`symmetric`), and one
colour all moves that are (`merged`); a move that is drawn is played as the first move on the board
that corresponds to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from damier.core.arrays import Floats
from damier.core.bits import Rng, random_unit
from damier.core.errors import BadInput
from damier.core.moves import count_moves, each, first_move, index_of
from damier.core.open_addressing import number_if_known, number_of, size
from damier.core.player import Arrays
from damier.core.rules import Key, Moves, State, canonical, key, moves, symmetries, turn, turn_move
from damier.core.symmetry import least_image, turned_back
from damier.core.words import message
from damier.learn.parameters import numbers_of, require
from damier.learn.qtable import (
    DECISIONS,
    SeatArrays,
    add_entry,
    end_game,
    end_row,
    move_of,
    remember,
    update_trace,
)


@dataclass(frozen=True)
class BeadsParameters:
    """The options of matchboxes."""

    beads: str = "4-3-2-1"
    """Beads of each colour in a new box, by the machine's decisions before it in the game; the last
    number serves all later ones.
    """
    win: int = 3
    """Beads put into a box after a win."""
    draw: int = 1
    """Beads put into a box after a draw."""
    loss: int = -1
    """Beads put into a box after a loss: negative, taken out."""
    reinforce: Literal["every", "last"] = "every"
    """Which of the boxes used in a game gain beads."""
    punish: Literal["every", "last"] = "every"
    """Which of the boxes used in a game lose beads."""
    cascade: bool = False
    """Whether the box before loses its bead too where the last one has been emptied, and so on (row
    A-30).
    """
    empty: Literal["resign", "restock"] = "resign"
    """What an empty box does: it gives the game up, or gets its first beads again."""
    symmetric: bool = True
    """Whether one box serves all positions that are the same up to symmetry."""
    merged: bool = True
    """Whether one colour serves all moves that are the same up to symmetry."""
    forced: bool = True
    """Whether there is a box where there is only one move (MENACE has none)."""
    alike: bool = False
    """Whether positions that look alike to their movers share a box (row A-46)."""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[1-9][0-9]{0,5}(-[1-9][0-9]{0,5}){0,31}", self.beads):
            raise BadInput(
                message(
                    "beads={beads}; write how many, by stage, with dashes between them, like 4-3-2-1",
                    beads=self.beads,
                )
            )
        for name in ("win", "draw", "loss"):
            require(self, name, -MOST_BEADS, MOST_BEADS)


MOST_BEADS = 1_000_000
FULL_BOX = 1 << 50
"""Beads of one colour never become more: their sum must stay a number that a float holds exactly."""


class BeadsNumbers(Protocol):
    """The parameters as engines read them: see `as_numbers`."""

    beads: tuple[float, ...]
    win: float
    draw: float
    loss: float
    reinforce: float
    punish: float
    cascade: float
    empty: float
    symmetric: float
    merged: float
    forced: float
    alike: float


Parameters = BeadsParameters  # as every way of learning calls its own
Numbers: Callable[..., BeadsNumbers] = numbers_of(Parameters)
LAST, RESTOCK = 1, 1  # of reinforce and punish, of empty


def choose(s: State, arrays: Arrays, rng: Rng) -> int:
    """The move of a bead drawn from the box of `s`; 0 where it is empty."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    if is_forced(s, p):
        return first_move(moves(s))
    row, symmetry = box_of(s, seat, p)
    seat.counters[DECISIONS] += 1
    if p.empty == RESTOCK and beads_in(row, seat) == 0:
        for entry in range(seat.first[row], seat.first[row + 1]):
            seat.counts[entry] = stock(seat.length[0], p)
    left = int(random_unit(rng) * beads_in(row, seat))
    for entry in range(seat.first[row], seat.first[row + 1]):
        left -= seat.counts[entry]
        if left < 0:
            remember(row, entry, 0.0, seat)
            return turned_back(s, move_of(entry, seat), symmetry)
    return 0


def observe_reward(reward: int, player: int, arrays: Arrays) -> None:
    """Beads do not count what a single move gains."""


def learn(payoff: int, player: int, arrays: Arrays) -> None:
    """Puts beads in, or takes them out."""
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    beads = int(p.win if payoff > 0 else p.loss if payoff < 0 else p.draw)
    only_last = p.reinforce == LAST if beads > 0 else p.punish == LAST
    for decision in range(seat.length[0] - 1, -1, -1):
        row, entry = seat.rows[decision], seat.entries[decision]
        before = seat.counts[entry]
        seat.counts[entry] = min(max(before + beads, 0), FULL_BOX)
        after = seat.counts[entry]
        update_trace(player, decision, entry, after, beads, 0.0, 0.0, beads, before, after)
        emptied = beads < 0 and p.cascade and beads_in(row, seat) == 0
        if only_last and not emptied:
            break
    end_game(seat)


def action_probabilities(s: State, arrays: Arrays, weights: Floats) -> None:
    """Write how likely each move is: its share of the beads; a box that was never opened holds the same
    of each colour.
    """
    seat = SeatArrays(*arrays)
    p = Numbers(*seat.options)
    legal = moves(s)
    for index in range(count_moves(legal)):
        weights[index] = 0.0
    if is_forced(s, p):
        weights[0] = 1.0
        return
    code, symmetry = code_of(s, p)
    row = number_if_known(seat.numbering, code)
    total = beads_in(row, seat) if row >= 0 else 0
    if row >= 0 and (total > 0 or p.empty != RESTOCK):
        for entry in range(seat.first[row], seat.first[row + 1]):
            if seat.counts[entry] > 0:
                drawn = index_of(legal, turned_back(s, move_of(entry, seat), symmetry))
                weights[drawn] += seat.counts[entry] / total
    else:
        new_box_probabilities(s, symmetry, legal, weights, p)


def new_box_probabilities(s: State, symmetry: int, legal: Moves, weights: Floats, p: BeadsNumbers) -> None:
    """Write how likely each move is in a box that holds the same of each colour."""
    representative = turn(canonical(s) if p.alike else s, symmetry)
    same = symmetries_of(representative, p)
    colours = 0
    for move in each(moves(representative)):
        colours += 1 if has_colour(move, same) else 0
    for move in each(moves(representative)):
        if has_colour(move, same):
            weights[index_of(legal, turned_back(s, move, symmetry))] = 1.0 / colours


def is_forced(s: State, p: BeadsNumbers) -> bool:
    """Return whether `s` has no box because it has only one move."""
    return not p.forced and count_moves(moves(s)) == 1


def box_of(s: State, seat: SeatArrays, p: BeadsNumbers) -> tuple[int, int]:
    """The row of the box of `s`, now if it is new, and the symmetry that turns `s` into the
    position on the box.
    """
    code, symmetry = code_of(s, p)
    known = size(seat.numbering)
    row = number_of(seat.numbering, code)
    if row == known:
        representative = turn(canonical(s) if p.alike else s, symmetry)
        same = symmetries_of(representative, p)
        for move in each(moves(representative)):
            if has_colour(move, same):
                add_entry(move, stock(seat.length[0], p), seat)
        end_row(row, seat)
    return row, symmetry


def code_of(s: State, p: BeadsNumbers) -> tuple[Key, int]:
    """The smallest key among the images of `s`, and the symmetry that gives it."""
    representative = canonical(s) if p.alike else s
    if p.symmetric:
        return least_image(representative)
    return key(representative), 0


def symmetries_of(s: State, p: BeadsNumbers) -> int:
    """The set of the symmetries by which moves of a position share their beads: those that leave it as it
    is. Asked once a position, and not once a move, which would be most of the time of a grade.
    """
    same = 0
    if p.merged and p.symmetric:
        for symmetry in range(1, symmetries()):
            if key(turn(s, symmetry)) == key(s):
                same |= 1 << symmetry
    return same


def has_colour(move: int, same: int) -> bool:
    """Return whether a move has beads of its own: not if a symmetry of the position (`same`) turns it into a
    lower one.
    """
    if same:
        for symmetry in range(1, symmetries()):
            if same >> symmetry & 1 and turn_move(move, symmetry) < move:
                return False
    return True


def stock(stage: int, p: BeadsNumbers) -> int:
    """Beads of each colour in a new box."""
    return int(p.beads[min(stage, len(p.beads) - 1)])


def beads_in(row: int, seat: SeatArrays) -> int:
    """Beads in a box."""
    total = 0
    for entry in range(seat.first[row], seat.first[row + 1]):
        total += seat.counts[entry]
    return total
