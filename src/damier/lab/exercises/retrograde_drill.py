"""Retrograde analysis by hand: a few positions whose moves can go round in circles, each to be told won,
lost or drawn for whoever is to move [Thompson86]. They are solved as a game by `damier.solve`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from damier.core.bits import position_of, random_below, reseed
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.core.rules import ONGOING
from damier.core.solution import Solution, Value
from damier.core.words import _, ngettext, together
from damier.draw.drills import ring_svg
from damier.lab.exercises.drill import (
    AnswerField,
    Answers,
    FieldChoice,
    KnownAnswer,
    key_facts,
    marked_known,
    shown_answers,
    typed,
)
from damier.solve import solve
from damier.trees.marking import Marked

FEWEST, MOST = 6, 8
ENDS = 2
"""Positions without a move."""
COUNTS = (1, 2, 2)
"""Moves of any other: with more of them, few games are drawn."""
NAMES = "ABCDEFGH"
WANTED: dict[Value, int] = {"win": 2, "draw": 1, "loss": 1}
"""So many positions of each value there are at least, the ends left out."""


class RingState(NamedTuple):
    mover: int
    place: int


@dataclass(frozen=True)
class RetrogradeDrill:
    """The places that the moves of each position lead to; turns alternate, and who has no move loses."""

    seed: int
    moves: tuple[tuple[int, ...], ...]
    kind: str = "retrograde"

    @classmethod
    def of(cls, seed: int) -> RetrogradeDrill:
        """The first graph of a seed in which everything can be reached, and every value occurs."""
        rng = [0]
        reseed(rng, seed, 0)
        while True:
            drawn = cls(seed, random_graph(rng))
            if len(reached(drawn.moves)) == len(drawn.moves) and all(
                drawn.count(value) >= least for value, least in WANTED.items()
            ):
                return drawn

    @property
    def names(self) -> str:
        return NAMES[: len(self.moves)]

    def count(self, value: Value) -> int:
        """Positions with a move that are worth so much."""
        pairs = zip(self._worths, self.moves, strict=True)
        return sum(worth == value and bool(below) for (worth, _distance), below in pairs)

    @cached_property
    def _worths(self) -> list[tuple[Value, int | None]]:
        """The value and the distance of every position."""
        found = solve(ring_game(self.moves), job=Job(jit=False), method="retrograde")
        assert isinstance(found, Solution)
        return [worth_of(found, place) for place in range(len(self.moves))]

    @property
    def _known(self) -> tuple[KnownAnswer, ...]:
        return tuple(
            KnownAnswer(field, worth[0], self._reason(place), hint())
            for place, (field, worth) in enumerate(zip(self.fields(), self._worths, strict=True))
        )

    def _reason(self, place: int) -> str:
        """Why a position is worth what it is."""
        worths = self._worths
        below = self.moves[place]
        value, distance = worths[place]
        if not below:
            return _("no move: whoever is to move has lost")
        if value == "draw":
            return _("no move to a lost position, and one to a drawn one: {moves}", moves=self._named(below))
        plies = ngettext("in {n} ply", "in {n} plies", distance or 0)
        if value == "loss":
            return _(
                "every move leads to a position won for the other: {moves}", moves=self._named(below)
            ) + (f" ({plies})")
        best = next(move for move in below if worths[move] == ("loss", (distance or 0) - 1))
        return _("to {name}, which is lost for the other", name=NAMES[best]) + f" ({plies})"

    def _named(self, places: tuple[int, ...]) -> str:
        words = {choice.value: choice.shown for choice in values()}
        worths = self._worths
        return ", ".join(f"{NAMES[place]} {words[worths[place][0]]}" for place in places)

    def task(self) -> str:
        return _(
            "An arrow is a move; turns alternate, and whoever has no move has lost. A game may go on for"
            " ever: then it is drawn. Say of every position what it is worth to whoever is to move there:"
            " begin at the ends, and go backwards."
        )

    def fields(self) -> tuple[AnswerField, ...]:
        return tuple(
            AnswerField(f"worth:{name}", _("What is {name} worth?", name=name), "choice", values())
            for name in self.names
        )

    def sheet_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        said = note.split("\n") if note else []
        return ring_svg(title, self.names, self.moves, said=said, headed=headed)

    def key_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        said, filled = note.split("\n") if note else [], shown_answers(self._known)
        return ring_svg(title, self.names, self.moves, filled, said, headed=headed)

    def marked(self, answers: Answers) -> list[Marked]:
        return marked_known(self._known, answers)

    def right_answers(self) -> dict[str, str]:
        return typed(self._known)

    def solution(self) -> list[str]:
        return [
            together(_("{name}: {value}", name=name, value=each.shown), each.reason)
            for name, each in zip(self.names, self._known, strict=True)
        ]

    def facts(self) -> JsonObject:
        moves: JsonObject = {
            name: [NAMES[place] for place in below]
            for name, below in zip(self.names, self.moves, strict=True)
        }
        distances: JsonObject = {name: worth[1] for name, worth in zip(self.names, self._worths, strict=True)}
        return {"moves": moves, "answers": key_facts(self._known), "distances": distances}

    def lines(self) -> list[str]:
        return [
            f"{name} → " + (", ".join(NAMES[place] for place in below) or "—") + "   = …"
            for name, below in zip(self.names, self.moves, strict=True)
        ]

    def tree_text(self) -> str:
        return ""


def values() -> tuple[FieldChoice, ...]:
    return FieldChoice("win", _("win")), FieldChoice("draw", _("draw")), FieldChoice("loss", _("loss"))


def hint() -> str:
    return _(
        "one move to a lost position is enough to win; lost is where every move leads to a won one; what is"
        " never reached from the ends is drawn"
    )


def random_graph(rng: list[int]) -> tuple[tuple[int, ...], ...]:
    """Positions with their moves; the first is no end."""
    n = FEWEST + random_below(rng, MOST - FEWEST + 1)
    places = list(range(n))
    ends = {places.pop(1 + random_below(rng, len(places) - 1)) for _end in range(ENDS)}
    moves = []
    for place in range(n):
        others = [other for other in range(n) if other != place]
        count = 0 if place in ends else COUNTS[random_below(rng, len(COUNTS))]
        moves.append(tuple(sorted(others.pop(random_below(rng, len(others))) for _move in range(count))))
    return tuple(moves)


def ring_game(moves: tuple[tuple[int, ...], ...]) -> Game:
    """The positions as a game that begins at the first."""
    sets = tuple(sum(1 << place for place in below) for below in moves)

    def legal(s: RingState) -> int:
        return sets[s.place]

    def play(s: RingState, move: int) -> RingState:
        return RingState(1 - s.mover, position_of(move))

    def outcome(s: RingState) -> int:
        return ONGOING if sets[s.place] else -1

    return Game("ring", RingState(0, 0), legal, play, outcome, bits=(1, 3), most_moves=len(moves))


def reached(moves: tuple[tuple[int, ...], ...]) -> set[int]:
    """The positions that a game can come to, from the first."""
    known, todo = {0}, [0]
    while todo:
        new = set(moves[todo.pop()]) - known
        known |= new
        todo += new
    return known


def worth_of(found: Solution, place: int) -> tuple[Value, int | None]:
    """What a position is worth, to the first player or else to the second: to both it is the same, and
    one of them may never be to move there.
    """
    try:
        return found.value(RingState(0, place)), found.distance(RingState(0, place))
    except BadInput:
        return found.value(RingState(1, place)), found.distance(RingState(1, place))
