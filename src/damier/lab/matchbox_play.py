"""A machine of matchboxes at play, move by move: the box of a position, the bead that is drawn from
it, and the beads that are put in or taken out after the game.

It draws and learns what it would in the loop of all games, by the same functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from damier.core.bits import Rng, reseed
from damier.core.compile import E, instantiate
from damier.core.matchbox import Matchbox
from damier.core.numbering import NUMBERS_IN_DICTIONARY
from damier.core.position import Position
from damier.core.rules import Key, State
from damier.lab.agents import Lab
from damier.lab.chance import chance_move
from damier.lab.matchboxes import Machine
from damier.learn.beads import Numbers, choose, code_of, learn
from damier.learn.memory import Memory
from damier.learn.parameters import as_numbers
from damier.learn.player import LearningPlayer
from damier.learn.seat import SeatArrays, begin, move_of

PLIES = 1_000
"""The most plies of a game, as in a training."""


class DrawnBead(NamedTuple):
    """move   what is played on the board; 0 where the machine resigns
    label  the move on the label of its box that the bead stands for; 0 where no bead was drawn: there
           is no choice, or the box is empty
    """

    move: int
    label: int

    @property
    def is_forced(self) -> bool:
        """Whether there is no box, since there is no choice."""
        return self.move != 0 and self.label == 0


class MachineBoxes:
    """All boxes of one machine, found by their positions, with the beads that a memory says."""

    def __init__(self, lab: Lab, machine: Machine) -> None:
        self.lab, self.machine = lab, machine
        self._code_of = self.bound(code_of)
        self._numbers = Numbers(*as_numbers(machine.parameters))
        self._by_code = {self._code(box.position): box for box in machine.boxes}

    def bound(self, engine: E) -> E:
        """A function of learners with the rules of the game, in plain Python."""
        return instantiate(engine, self.lab.game, jit=False, bind=NUMBERS_IN_DICTIONARY)

    def _code(self, position: Position) -> Key:
        """What the box of a position is known by."""
        code, _symmetry = self._code_of(position.state, self._numbers)
        return code

    def box_of(self, position: Position, memory: Memory) -> Matchbox | None:
        """The box of a position with its present beads; None where there is none."""
        box = self.first_box_of(position)
        return box and next((found for found in self.opened(memory) if found.number == box.number), box)

    def first_box_of(self, position: Position) -> Matchbox | None:
        """The same with the beads that it held before the first game."""
        return self._by_code.get(self._code(position))

    def opened(self, memory: Memory) -> Iterator[Matchbox]:
        """The boxes that have come up so far, with their present beads."""
        codes, first, _moves, _values, counts = memory.columns()
        for row, code in enumerate(codes):
            if box := self._by_code.get(code):
                yield with_beads(box, counts[first[row] : first[row + 1]])

    def boxes(self, memory: Memory) -> list[Matchbox]:
        """All boxes with their present beads."""
        now = {box.number: box for box in self.opened(memory)}
        return [now.get(box.number, box) for box in self.machine.boxes]

    def seat(self, number: int) -> int:
        """Where the machine sits in game `number`."""
        return {"1": 0, "2": 1, "alternate": number & 1}[self.machine.seat]

    def learner(self, memory: Memory) -> LearningPlayer:
        """The machine as a player that knows this."""
        return LearningPlayer(self.lab.game, "beads", self.machine.parameters, memory)


class MachineGame:
    """One game of a machine.

    memory  what it knows: at first a copy of what it knew before; changed by `learn`, and where a box
            is opened for the first time
    """

    def __init__(self, boxes: MachineBoxes, before: Memory, seed: int, number: int) -> None:
        self.memory = copied(before)
        self._game, self._seat_number = boxes.lab.game, boxes.seat(number)
        self._choose, self._learn = boxes.bound(choose), boxes.bound(learn)
        learner, start = boxes.learner(self.memory), boxes.bound(begin)
        while True:
            kernel = learner.kernel(jit=False)
            assert kernel is not None
            if start(kernel.arrays, PLIES):
                break
            kernel.grow(PLIES)
        self._seat = SeatArrays(*kernel.arrays)
        self._rng: Rng = [0]
        reseed(self._rng, seed, number)

    def draw(self, s: State) -> DrawnBead:
        """The machine's move."""
        decisions = self._seat.length[0]
        move = int(self._choose(s, self._seat, self._rng))
        drawn = self._seat.length[0] > decisions
        return DrawnBead(move, move_of(self._seat.entries[decisions], self._seat) if drawn else 0)

    def sample_chance(self, s: State) -> int:
        """How the die falls at a chance node."""
        return chance_move(self._game, s, self._rng)

    def learn(self, payoff: int) -> None:
        """Ends the game with the machine's payoff: above 0 a win, below a loss."""
        self._learn(payoff, self._seat_number, self._seat)


def with_beads(box: Matchbox, beads: Sequence[int]) -> Matchbox:
    return replace(box, beads=dict(zip(box.beads, map(int, beads), strict=True)))


def copied(memory: Memory) -> Memory:
    """The same knowledge in a table of its own, in plain Python and with no room to spare."""
    copy = Memory(memory.game)
    copy.fill(memory.rows())
    copy.counters[:], copy.rates[:] = list(memory.counters), list(memory.rates)
    return copy
