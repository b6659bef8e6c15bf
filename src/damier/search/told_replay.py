"""A told search of document [S1] played again: its states as a tree, as far as they had been come to
after any of its steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from damier.core.rules import State
from damier.core.scene import Mark, Place, Scene
from damier.core.tree import TERMINAL, Move, Node, Role, Tree
from damier.core.words import _
from damier.search.told import SpaceStep, ToldSearch
from damier.search.told_words import (
    answer,
    ours,
    sentence,
    space_step_facts,
    state_names,
    theirs,
    trace_line,
    yes_or_no,
)


@dataclass(frozen=True)
class SpaceMoment:
    """What a search knows after so many steps.

    listed   the states that it has met, in order, by their names; waiting: those in the queue
    """

    scene: Scene
    listed: Sequence[str]
    waiting: Sequence[str]


class SpaceReplay:
    """The moments of one told search, from 0 steps to all of them."""

    def __init__(self, found: ToldSearch) -> None:
        self.found = found
        self.name = state_names(found)
        self.said = tuple(sentence(found, step, self.name) for step in found.steps)
        self.trace = tuple(trace_line(found, step, self.name) for step in found.steps)
        self.lines: tuple[str, ...] = self.trace
        self.cuts: tuple[int, ...] = ()
        self.below: list[list[int]] = [[] for _place in found.places]
        for number, place in enumerate(found.places[1:], 1):
            self.below[place.above].append(number)
        self.drawn = preorder(self.below)
        self.at = {place: number for number, place in enumerate(self.drawn)}

    def __len__(self) -> int:
        return len(self.said)

    @cached_property
    def tree(self) -> Tree:
        """The places as the nodes of a tree, in the order in which they are drawn."""
        nodes = []
        for place in self.drawn:
            moves = tuple(Move(self._move_name(child), self.at[child], 1.0) for child in self.below[place])
            player = 0 if self.found.is_ours(place) else 1
            nodes.append(
                Node(self.name(place), TERMINAL if self.found.is_over(place) else player, moves, None, None)
            )
        return Tree(tuple(nodes), 0, 2)

    def _move_name(self, place: int) -> str:
        here = self.found.places[place]
        return self.found.game.name_move(self.found.places[here.above].state, here.move)

    @cached_property
    def frame(self) -> Scene:
        """The tree with nothing known yet."""
        places, movers = [], []
        roles: list[Role | None] = []
        for place in self.drawn:
            here = self.found.places[place]
            above = self.at[here.above] if here.above >= 0 else -1
            move = self.below[here.above].index(place) if here.above >= 0 else 0
            places.append(Place(self.at[place], above, move, here.ply))
            mine = self.found.is_ours(place)
            movers.append(0 if mine else 1)
            roles.append(None if self.found.is_over(place) else "max" if mine else "min")
        marks = (Mark("hidden"),) * len(places)
        return Scene(
            self.tree, tuple(places), tuple(roles), tuple(movers), marks, legend=legend_of(self.found)
        )

    @cached_property
    def end(self) -> Scene:
        """The tree after all steps."""
        return self.moment(len(self)).scene

    def scene(self, steps: int) -> Scene:
        return self.moment(steps).scene

    def moment(self, steps: int) -> SpaceMoment:
        """What is known after so many steps."""
        state = PartialSpace(self)
        for step in self.found.steps[:steps]:
            state.take(step)
        frame = self.frame
        here = self.at[self.found.steps[steps - 1].place] if steps else -1
        scene = Scene(
            frame.tree,
            frame.places,
            frame.roles,
            frame.movers,
            tuple(state.marks),
            frozenset(state.thick),
            here,
            self.said[steps - 1] if steps else "",
            frame.legend,
        )
        return SpaceMoment(
            scene,
            [self.name(place) for place in state.seen.values()],
            [self.name(place) for place in state.queue],
        )

    def facts(self) -> list[dict[str, object]]:
        """All steps as plain data."""
        return [dict(space_step_facts(self.found, step, self.name)) for step in self.found.steps]


class PartialSpace:
    """What is known after some steps."""

    def __init__(self, replay: SpaceReplay) -> None:
        self.replay = replay
        self.marks = list(replay.frame.marks)
        self.seen: dict[State, int] = {}
        self.queue: list[int] = []
        self.expanded = 0
        self.thick: set[int] = set()

    def take(self, step: SpaceStep) -> None:
        """Goes on by one step."""
        found = self.replay.found
        self.seen.setdefault(found.places[step.place].state, step.place)
        if step.kind == "root":
            over = found.is_over(0)
            self._mark(0, yes_or_no(found.found) if over else "" if found.algorithm == "bfs" else "…")
            if not over and found.algorithm == "bfs":
                self.queue.append(0)
                self._mark(0, _("waits"))
        elif step.kind == "take":
            self.queue.remove(step.place)
            self.expanded += 1
            self._mark(step.place, _("no. {n}", n=self.expanded))
        elif step.kind == "wait":
            self.queue.append(step.place)
            self._mark(step.place, _("waits"))
        elif step.kind == "go":
            self._mark(step.place, "…")
        elif step.kind in ("won", "lost"):
            self._mark(step.place, _("✓ won") if step.kind == "won" else _("✗ lost"))
        elif step.kind == "seen":
            self._mark(step.place, _("seen") if step.known is None else yes_or_no(step.known), cut=True)
        else:
            self._settle(step)

    def _settle(self, step: SpaceStep) -> None:
        found = self.replay.found
        if found.algorithm == "andor":
            self._mark(step.place, yes_or_no(step.kind == "yes"))
        else:
            self._mark(step.place, f"→ {answer(found, step)}" if step.kind == "yes" else answer(found, step))
        if step.by >= 0:
            self.thick.add(self.replay.at[step.by])

    def _mark(self, place: int, note: str, *, cut: bool = False) -> None:
        self.marks[self.replay.at[place]] = Mark("cut" if cut else "done", note=note)


def preorder(below: Sequence[Sequence[int]]) -> list[int]:
    """The places from the first down, the move tried first at the front."""
    found, todo = [], [0]
    while todo:
        found.append(todo.pop())
        todo += reversed(below[found[-1]])
    return found


def legend_of(found: ToldSearch) -> str:
    """What the signs of the picture mean."""
    said = _(
        "▲ {ours} moves   ▼ {theirs} moves   broken: not expanded again   thick: what was found",
        ours=ours(),
        theirs=theirs(),
    )
    return said
