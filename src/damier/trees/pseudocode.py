"""The pseudo-code of document [S2], and the lines at which a traced search stands after each of its steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from damier.core.words import N_
from damier.trees.explicit import TreeAnalysis, role_of


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
