"""A traced search played again: the tree as it stood after any of its steps.

What a cut node returns is a bound: a MIN node that stops at 2 is worth 2 at most. Bounds go up as
intervals do, and a value that both ends agree on is exact (row A-60).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import NamedTuple

from damier.core.json_types import JsonObject
from damier.core.rules import CHANCE
from damier.core.tree import (
    TERMINAL,
    Mark,
    Number,
    Role,
    Scene,
    SearchMoment,
    Sign,
    Step,
    Trace,
    Tree,
    Value,
    is_end,
    to_player,
    unfolded,
    written_value,
)
from damier.core.words import N_, _, ngettext
from damier.trees.explicit import Algorithm, Cut, Prune, TreeAnalysis, role_of

MOST_PLACES = 3000
"""The most nodes of a tree that is shown as a whole."""


class Replay(Trace[Step, "TreeMoment"]):
    """The moments of the search of a tree.

    Raises LimitReached for a tree too large to be shown.
    """

    def __init__(self, found: TreeAnalysis, most: int = MOST_PLACES) -> None:
        tree = found.tree
        self.found, self.steps = found, found.steps
        self.sentences = tuple(sentences(found))
        self.lines = tuple(f"{n:4}  {sentence}" for n, sentence in enumerate(self.sentences, 1))
        self.cuts = tuple(n for n, step in enumerate(found.steps, 1) if step.kind == "cut")
        places = unfolded(tree, found.plies, most)
        movers = tuple(tree.mover(place.node, place.ply) for place in places)
        roles = tuple(
            None if is_end(tree, place, found.plies) else role_of(found.algorithm, mover)
            for place, mover in zip(places, movers, strict=True)
        )
        self.blank = Scene(tree, places, roles, movers, (Mark("unseen"),) * len(places))
        self.below = self.blank.children()

    @cached_property
    def _current(self) -> tuple[frozenset[str], ...]:
        return (frozenset(), *current_lines(self.found))

    def code(self, steps: int, listing: int = 0) -> tuple[tuple[str, bool], ...]:
        """Return the pseudo-code of the slides in one of their ways."""
        known = listings(self.found)[listing : listing + 1]
        return tuple(
            (line.text, bool(line.keys & self._current[steps])) for each in known for line in each.lines
        )

    def begin(self) -> TreeMoment:
        return TreeMoment(self)

    def scene(self, steps: int | None = None) -> Scene:
        """The tree after so many steps; by default after all of them, and then no place is at hand."""
        scene = super().scene(steps)
        if self.below[0] and steps in (None, len(self)):
            best = {self.below[0][number] for number in self.found.best}
            scene = replace(scene, thick=scene.thick - set(self.below[0]) | best)
        return scene if steps is not None else replace(scene, here=-1)


class TreeMoment(SearchMoment[Step]):
    """Knowledge after some steps; `ends` are the least and the most that a place can be worth."""

    def __init__(self, replay: Replay) -> None:
        super().__init__(replay.blank)
        self.replay = replay
        self.ends: dict[int, tuple[Number, Number]] = {}
        self.path: list[int] = []
        self.tried = [0] * len(self.marks)

    def take(self, step: Step) -> None:
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
                    self.causes[self.here] = cause_of(self.replay.found, cut_of(self.replay.found, step))
                    self._cut(step.child)

    def _next(self) -> int:
        """The place that a search goes to from where it is."""
        if not self.path:
            return 0
        above = self.path[-1]
        self.tried[above] += 1
        return self.replay.below[above][self.tried[above] - 1]

    def _cut(self, child: int) -> None:
        """Mark what is below the other moves as never looked at."""
        todo = self.replay.below[self.here][child + 1 :]
        while todo:
            place = todo.pop()
            self.marks[place] = Mark("cut")
            todo += self.replay.below[place]

    def _close(self, value: Value | None, window: tuple[Number, Number] | None) -> None:
        """A place is done: its value is exact, or one of its ends."""
        role, below = self.replay.blank.roles[self.here], self.replay.below[self.here]
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
        mover = self.replay.blank.movers[self.here]
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


# The steps of a search in words, the same in the terminal, in pictures and in JSON (rows A-59 and
#


def sentences(found: TreeAnalysis) -> Iterator[str]:
    """One sentence a step."""
    before: Step | None = None
    for step in found.steps:
        yield sentence(found, step, before)
        before = step


def sentence(found: TreeAnalysis, step: Step, before: Step | None) -> str:
    """A step in words, given the step before it."""
    name = found.tree.nodes[step.node].name
    if step.kind == "enter":
        return entered(found, step, name)
    if step.kind == "leaf":
        return read(found.tree, step, name)
    if step.kind == "update":
        return updated(found, step, before.value if before else None)
    if step.kind == "cut":
        return cause_of(found, cut_of(found, step)) + _("; ") + left_out(found.tree, step)
    if before is None or before.kind != "cut":
        return _("back from {name} with {value}", name=name, value=written_value(step.value))
    if cut_of(found, before).role == "max":
        return _("back from {name} with {value} or more", name=name, value=written_value(step.value))
    return _("back from {name} with {value} or less", name=name, value=written_value(step.value))


def entered(found: TreeAnalysis, step: Step, name: str) -> str:
    who = mover_name(found, step.node, step.depth)
    if found.algorithm != "alphabeta":
        return _("{who} moves at {name}", who=who, name=name)
    return _(
        "{who} moves at {name}: α = {alpha}, β = {beta}",
        who=who,
        name=name,
        alpha=written_value(step.alpha),
        beta=written_value(step.beta),
    )


def read(tree: Tree, step: Step, name: str) -> str:
    if tree.nodes[step.node].player == TERMINAL:
        return _("{name} is worth {value}", name=name, value=written_value(step.value))
    return _(
        "{name}: the search stops here, and takes it to be worth {value}",
        name=name,
        value=written_value(step.value),
    )


def updated(found: TreeAnalysis, step: Step, given: Value | None) -> str:
    """Return what a move came to, and what its node is worth so far."""
    node = found.tree.nodes[step.node]
    who, move = mover_name(found, step.node, step.depth), node.moves[step.child].name
    sentence = _("{move} leads to {value}", move=move, value=written_value(given))
    role = role_of(found.algorithm, found.tree.mover(step.node, step.depth))
    if role == "mean":
        missing = len(node.moves) - step.child - 1
        if missing:
            return sentence + ngettext(
                "; {n} more draw to average over", "; {n} more draws to average over", missing
            )
        return sentence + _(
            "; the mean of all at {name} is {value}", name=node.name, value=written_value(step.value)
        )
    sentence += _(
        "; {who} at {name} has {value} so far", who=who, name=node.name, value=written_value(step.value)
    )
    if found.algorithm != "alphabeta":
        return sentence
    return sentence + (
        _(", α = {alpha}", alpha=written_value(step.alpha))
        if role == "max"
        else _(", β = {beta}", beta=written_value(step.beta))
    )


def cut_of(found: TreeAnalysis, step: Step) -> Cut:
    """The cut that a step tells."""
    role = role_of(found.algorithm, found.tree.mover(step.node, step.depth))
    assert step.value is not None
    assert not isinstance(step.value, tuple)
    return Cut(step.node, step.child, role, step.value, step.beta if role == "max" else step.alpha)


def cause_of(found: TreeAnalysis, cut: Cut) -> str:
    """Return why the rest of a node's moves was left out."""
    value, bound = written_value(cut.value), written_value(cut.bound)
    if cut.role == "max":
        return _(
            "MAX already has {value} {sign} β = {bound}: MIN will not come here",
            value=value,
            bound=bound,
            sign=sign(found.prune, "≥", ">"),
        )
    return _(
        "MIN already has {value} {sign} α = {bound}: MAX will not come here",
        value=value,
        bound=bound,
        sign=sign(found.prune, "≤", "<"),
    )


def sign(prune: Prune, weak: str, strict: str) -> str:
    return weak if prune == "weak" else strict


def left_out(tree: Tree, step: Step) -> str:
    """The moves that a cut leaves out."""
    names = [move.name for move in tree.nodes[step.node].moves[step.child + 1 :]]
    return _("not looked at: {moves}", moves=", ".join(names[:8]) + (", …" if len(names) > 8 else ""))


def mover_name(found: TreeAnalysis, node: int, ply: int) -> str:
    """Return who moves at a node, as the algorithm sees it."""
    return named(found.algorithm, found.tree.mover(node, ply), found.tree.players)


def named(algorithm: Algorithm, mover: int, players: int) -> str:
    """A mover as an algorithm sees it. Players count from 1 for people."""
    if mover == CHANCE:
        return _("chance")
    if algorithm == "maxn":
        return _("player {n}", n=mover + 1)
    if mover == 0:
        return "MAX"
    name = "MIN" if algorithm != "expectimax" else _("chance")
    return name if players < 3 else _("{name} (player {n})", name=name, n=mover + 1)


def finite(value: Number) -> Number | None:
    """A number for JSON, which knows no infinity."""
    return value if abs(value) != float("inf") else None


def step_facts(found: TreeAnalysis, step: Step, text: str) -> JsonObject:
    """A step as plain data, for whoever replays it."""
    node = found.tree.nodes[step.node]
    value = step.value if isinstance(step.value, tuple) or step.value is None else finite(step.value)
    move = node.moves[step.child].name if step.child >= 0 else None
    facts: JsonObject = {
        "kind": step.kind,
        "node": node.name,
        "ply": step.depth,
        "move": move,
        "value": value,
    }
    if found.algorithm == "alphabeta":
        facts |= {"alpha": finite(step.alpha), "beta": finite(step.beta)}
    return facts | {"words": text}


def cut_facts(found: TreeAnalysis, cut: Cut) -> JsonObject:
    """A cut as plain data."""
    moves = found.tree.nodes[cut.node].moves
    left = [move.name for move in moves[cut.child + 1 :]]
    facts: JsonObject = {
        "node": found.tree.nodes[cut.node].name,
        "cause": cause_of(found, cut),
        "bound": "beta" if cut.role == "max" else "alpha",  # the side of the window that it meets
    }
    return facts | {"value": cut.value, "limit": cut.bound, "after": moves[cut.child].name, "left_out": left}


# The pseudo-code of document [S2], and the lines at which a traced search stands after each of its steps.


class CodeLine(NamedTuple):
    """A line of pseudo-code; `keys` say what is done there, the same in every listing."""

    keys: frozenset[str]
    text: str


class Listing(NamedTuple):
    """Pseudo-code as one of the slides has it: by name, with a title to be translated."""

    name: str
    title: str
    lines: tuple[CodeLine, ...]


def lines_of(text: str) -> tuple[CodeLine, ...]:
    """Return lines before each of which stand its keys, and a bar.

    >>> lines_of("max:init|    initialize v = -∞")
    (CodeLine(keys=frozenset({'max:init'}), text='    initialize v = -∞'),)
    """
    parted = (line.partition("|") for line in text.strip("\n").splitlines())
    return tuple(CodeLine(frozenset(keys.split()), rest) for keys, _bar, rest in parted)


DISPATCH = Listing(
    "value",
    N_("with value, which asks who moves"),
    lines_of("""
value|def value(state):
terminal|    if the state is a terminal state: return the state's utility
to-max|    if the next agent is MAX: return max-value(state)
to-min|    if the next agent is MIN: return min-value(state)
|
max|def max-value(state):
max:init|    initialize v = -∞
max:each|    for each successor of state:
max:update|        v = max(v, value(successor))
max:return|    return v
|
min|def min-value(state):
min:init|    initialize v = +∞
min:each|    for each successor of state:
min:update|        v = min(v, value(successor))
min:return|    return v
"""),
)
TWO = Listing(
    "two",
    N_("two functions that call each other"),
    lines_of("""
max|def max-value(state):
max:init|    initialize v = -∞
max:each|    for each successor of state:
max:update max:leaf|        v = max(v, min-value(successor))
max:return|    return v
|
min|def min-value(state):
min:init|    initialize v = +∞
min:each|    for each successor of state:
min:update min:leaf|        v = min(v, max-value(successor))
min:return|    return v
"""),
)
ALPHABETA = """
max|def max-value(state, α, β):
max:init|    initialize v = -∞
max:each|    for each successor of state:
max:update max:leaf|        v = max(v, value(successor, α, β))
max:cut|        if v ≥ β return v
max:bound|        α = max(α, v)
max:return|    return v
|
min|def min-value(state, α, β):
min:init|    initialize v = +∞
min:each|    for each successor of state:
min:update min:leaf|        v = min(v, value(successor, α, β))
min:cut|        if v ≤ α return v
min:bound|        β = min(β, v)
min:return|    return v
"""


def listings(found: TreeAnalysis) -> tuple[Listing, ...]:
    """Return the pseudo-code of a search, in each of the ways in which the slides write it; none of one that
    they do not have.
    """
    if found.algorithm == "minimax":
        return DISPATCH, TWO
    if found.algorithm != "alphabeta":
        return ()
    text = (
        ALPHABETA if found.prune == "weak" else ALPHABETA.replace("v ≥ β", "v > β").replace("v ≤ α", "v < α")
    )
    return (Listing("alphabeta", N_("alpha-beta"), lines_of(text)),)


def current_lines(found: TreeAnalysis) -> Iterator[frozenset[str]]:
    """Give the keys of the lines that each step is about: what a move comes to changes v, and then α or β,
    unless it cuts.
    """
    above: list[str] = []
    steps = found.steps
    for step, before, after in zip(steps, [None, *steps], [*steps[1:], None], strict=False):
        role = role_of(found.algorithm, found.tree.mover(step.node, step.depth))
        if step.kind == "enter":
            above.append(role)
            yield frozenset({f"to-{role}", f"{role}:init"})
        elif step.kind == "leaf":
            yield frozenset({"terminal", *(f"{caller}:leaf" for caller in above[-1:])})
        elif step.kind == "update":
            cuts = after is not None and after.kind == "cut"
            yield frozenset({f"{role}:update"} | (set() if cuts else {f"{role}:bound"}))
        elif step.kind == "cut":
            yield frozenset({f"{role}:cut"})
        else:
            above.pop()
            cut = before is not None and before.kind == "cut"
            yield frozenset({f"{role}:cut" if cut else f"{role}:return"})
