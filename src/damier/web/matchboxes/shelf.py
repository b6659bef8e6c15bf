"""A machine of matchboxes on its shelf: its boxes, which never change, and the engines that draw
beads from them and put them back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from damier.core.compile import E, instantiate
from damier.core.errors import LimitReached
from damier.core.matchbox import Matchbox
from damier.core.position import Position
from damier.core.sampling import sample_chance
from damier.core.words import _, grouped
from damier.draw.beads import Kinds
from damier.lab.agents import Lab
from damier.lab.matchboxes import Machine
from damier.learn.beads import Numbers, choose, code_of, learn
from damier.learn.memory import Memory, bindings
from damier.learn.parameters import as_numbers
from damier.learn.player import LearningPlayer
from damier.learn.seat import begin
from damier.web.matchboxes.played import Entry

PLIES = 1_000
"""The most plies of a game, as in a training."""
MOST_BOXES = 3_000


class Result(NamedTuple):
    """Games of a machine against somebody, counted for the machine; an empty opponent is a person."""

    opponent: str
    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass(frozen=True)
class Known:
    """What a machine knows after some games, and how these ended."""

    memory: Memory
    results: tuple[Result, ...] = ()

    @property
    def games(self) -> int:
        return sum(result.games for result in self.results)


@dataclass
class Shelf:
    """All boxes of one machine, in the order of their numbers, as they are before the first game.

    known  what the machine knows after some lists of games: seed and games -> table
    """

    lab: Lab
    machine: Machine
    known: OrderedDict[tuple[int, tuple[Entry, ...]], Known] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        if len(self.machine.boxes) > MOST_BOXES:
            boxes, most = grouped(len(self.machine.boxes)), grouped(MOST_BOXES)
            raise LimitReached(
                _(
                    "{game} has {n} boxes; a page shows up to {most}",
                    game=self.lab.game.text,
                    n=boxes,
                    most=most,
                )
            )
        game, bind = self.lab.game, bindings(self.lab.game)

        def bound(engine: E) -> E:
            return instantiate(engine, game, jit=False, bind=bind)

        self._begin, self.choose, self.learn, self.draw, self._code_of = (
            bound(begin),
            bound(choose),
            bound(learn),
            bound(sample_chance),
            bound(code_of),
        )
        self._numbers = Numbers(*as_numbers(self.machine.parameters))
        self._by_code = {self.code(box.position)[0]: box for box in self.machine.boxes}
        self.kinds = Kinds(self.machine.boxes)

    def code(self, position: Position) -> tuple[Any, int]:
        """What the box of a position is known by, and the symmetry that turns the position into the
        one on its label.
        """
        return self._code_of(position.state, self._numbers)

    def box_of(self, position: Position, memory: Memory) -> Matchbox | None:
        """The box of a position with its present beads; None where there is none."""
        box = self._by_code.get(self.code(position)[0])
        return box and next((found for found in self.opened(memory) if found.number == box.number), box)

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
        return LearningPlayer(self.lab.game, "beads", self.machine.parameters, memory)

    def arrays(self, memory: Memory) -> tuple[Any, ...]:
        """A table at its seat, at the beginning of a game."""
        learner = self.learner(memory)
        while True:
            kernel = learner.kernel(jit=False)
            assert kernel is not None
            if self._begin(kernel.arrays, PLIES):
                return kernel.arrays
            kernel.grow(PLIES)


def with_beads(box: Matchbox, beads: Sequence[int]) -> Matchbox:
    return replace(box, beads=dict(zip(box.beads, map(int, beads), strict=True)))


def copied(memory: Memory) -> Memory:
    """The same knowledge in a table of its own, in plain Python and with no room to spare."""
    copy = Memory(memory.game)
    copy.fill(memory.rows())
    copy.counters[:], copy.rates[:] = list(memory.counters), list(memory.rates)
    return copy
