"""A traced search played again: the tree as it stood after any of its steps.

What a cut node returns is a bound: a MIN node that stops at 2 is worth 2 at most. Bounds go up as
intervals do, and a value that both ends agree on is exact (row A-60).
"""

from __future__ import annotations

from functools import cached_property
from math import inf

from damier.core.scene import Mark, Scene, Sign, is_end, unfolded
from damier.core.tree import Number, Role, Step, Value, to_player
from damier.trees.explicit import TreeAnalysis, role_of
from damier.trees.words import sentences

MOST_PLACES = 3000
"""The most nodes of a tree that is shown as a whole."""


class Replay:
    """The moments of one search, from 0 steps to all of them.

    Raises LimitReached for a tree too large to be shown.
    """

    def __init__(self, found: TreeAnalysis, most: int = MOST_PLACES) -> None:
        tree = found.tree
        self.found = found
        self.said = tuple(sentences(found))
        self.places = unfolded(tree, found.plies, most)
        self.movers = tuple(tree.mover(place.node, place.ply) for place in self.places)
        pairs = zip(self.places, self.movers, strict=True)
        self.roles = tuple(
            None if is_end(tree, place, found.plies) else role_of(found.algorithm, mover)
            for place, mover in pairs
        )
        self.blank = Scene(tree, self.places, self.roles, self.movers, (Mark("unseen"),) * len(self.places))
        self.below = self.blank.children()

    def __len__(self) -> int:
        return len(self.said)

    @property
    def lines(self) -> tuple[str, ...]:
        """A line for each step, for whoever lists them."""
        return tuple(f"{n:4}  {sentence}" for n, sentence in enumerate(self.said, 1))

    @cached_property
    def cuts(self) -> tuple[int, ...]:
        """The steps at which it cuts, from 1."""
        return tuple(n for n, step in enumerate(self.found.steps, 1) if step.kind == "cut")

    @cached_property
    def end(self) -> Scene:
        """The tree after all steps."""
        return self.scene()

    def scene(self, steps: int | None = None) -> Scene:
        """The tree after so many steps; after all of them by default."""
        count = len(self) if steps is None else steps
        state = PartialScene(self)
        for step in self.found.steps[:count]:
            state.take(step)
        said = self.said[count - 1] if count else ""
        thick = frozenset(state.thick)
        if count == len(self) and self.below[0]:
            thick = thick - set(self.below[0]) | {self.below[0][number] for number in self.found.best}
        return Scene(
            self.found.tree,
            self.places,
            self.roles,
            self.movers,
            tuple(state.marks),
            thick,
            state.here if steps is not None else -1,
            said,
        )


class PartialScene:
    """What is known after some steps; `ends` are the least and the most that a place can be worth."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.marks = list(replay.blank.marks)
        self.ends: dict[int, tuple[Number, Number]] = {}
        self.path: list[int] = []
        self.tried = [0] * len(replay.places)
        self.thick: set[int] = set()
        self.here = -1

    def take(self, step: Step) -> None:
        """Goes on by one step."""
        window = (step.alpha, step.beta) if self.replay.found.algorithm == "alphabeta" else None
        if step.kind in ("enter", "leaf"):
            self.here = self._next()
            if step.kind == "enter":
                self.path.append(self.here)
                self.marks[self.here] = Mark("open", None, "=", window)
            else:
                self._close(step.value, window)
        else:
            self.here = self.path[-1]
            if step.kind == "return":
                self.path.pop()
                self._close(step.value, self.marks[self.here].window)
            else:
                self.marks[self.here] = Mark("open", step.value, "=", window)
                if step.kind == "cut":
                    self._cut(step.child)

    def _next(self) -> int:
        """The place that a search goes to from where it is."""
        if not self.path:
            return 0
        above = self.path[-1]
        self.tried[above] += 1
        return self.replay.below[above][self.tried[above] - 1]

    def _cut(self, child: int) -> None:
        """What is below the other moves is never looked at."""
        todo = self.replay.below[self.here][child + 1 :]
        while todo:
            place = todo.pop()
            self.marks[place] = Mark("cut")
            todo += self.replay.below[place]

    def _close(self, value: Value | None, window: tuple[Number, Number] | None) -> None:
        """A place is done: its value is exact, or one of its ends."""
        role, below = self.replay.roles[self.here], self.replay.below[self.here]
        sign: Sign = "="
        if self.replay.found.algorithm == "alphabeta" and not isinstance(value, tuple) and value is not None:
            low, high = self.ends[self.here] = self._bounds(value, role, below)
            sign = "=" if low == high else "≤" if high == value else "≥"
        self.marks[self.here] = Mark("done", value, sign, window)
        if role in ("max", "min", "best") and sign == "=":
            self._choose(value, below)

    def _bounds(self, value: Number, role: Role | None, below: list[int]) -> tuple[Number, Number]:
        """The least and the most that a place can be worth, given what is known below it."""
        if role is None:
            return value, value
        choose = max if role == "max" else min
        ends = [self.ends.get(place, (-inf, inf)) for place in below]
        return choose(end[0] for end in ends), choose(end[1] for end in ends)

    def _choose(self, value: Value | None, below: list[int]) -> None:
        """Marks the first move that leads to what its node is worth."""
        mover = self.replay.movers[self.here]
        for place in below:
            mark = self.marks[place]
            if (
                mark.value is not None
                and value is not None
                and mark.sign == "="
                and to_player(mark.value, mover) == to_player(value, mover)
            ):
                self.thick.add(place)
                return
