"""The kinds of exercises by name."""

from __future__ import annotations

from functools import lru_cache
from typing import get_args

from damier.core.errors import BadInput
from damier.core.words import N_, FormattedNumber, message
from damier.lab.exercises.bead_drill import BeadDrill
from damier.lab.exercises.drill import Drill
from damier.lab.exercises.evaluation_drill import EvaluationDrill
from damier.lab.exercises.kind import DrillKind
from damier.lab.exercises.minimal_drill import MinimalDrill
from damier.lab.exercises.q_drill import QDrill
from damier.lab.exercises.retrograde_drill import RetrogradeDrill
from damier.lab.exercises.tree_drill import TreeDrill
from damier.trees.exercise import MOST_LEAVES, USUAL, TreeShape
from damier.trees.explicit import Algorithm

KINDS: tuple[DrillKind, ...] = get_args(DrillKind)
MIXED: DrillKind = "mixed"
NAMES: dict[DrillKind, str] = {
    "minimax": N_("Minimax"),
    "alphabeta": N_("Alpha-beta"),
    "expectimax": N_("Expectimax"),
    "maxn": N_("Several players (max^n)"),
    "evaluation": N_("Evaluations of Pacman"),
    "minimal": N_("The minimal tree of alpha-beta"),
    "q": N_("One step of Q-learning"),
    "beads": N_("Beads after a game"),
    "retrograde": N_("Retrograde analysis"),
    "mixed": N_("All kinds in turn"),
}
TREES: tuple[Algorithm, ...] = get_args(Algorithm)


def usual_shape(kind: DrillKind) -> TreeShape:
    """The size of the trees of a kind, where something else is said of it."""
    return next((USUAL[each] for each in TREES if each == kind), TreeShape(3, 3))


def has_shape(kind: DrillKind) -> bool:
    """Whether something may be said of the size of its trees."""
    return kind in TREES or kind == "minimal"


def kind_of(kind: DrillKind, seed: int) -> DrillKind:
    """What a seed is an exercise of: `mixed` takes the kinds in turn."""
    return KINDS[seed % (len(KINDS) - 1)] if kind == MIXED else kind


@lru_cache(maxsize=64)
def drill(kind: DrillKind, seed: int, shape: TreeShape | None = None) -> Drill:
    """An exercise: the same kind, seed and shape give the same.

    Raises BadInput for a shape that its kind does not have, or that is too large for a sheet.
    """
    if kind == MIXED:
        return drill(kind_of(kind, seed), seed)
    if shape is not None:
        require_shape(kind, shape)
    for each in TREES:
        if each == kind:
            return TreeDrill.of(each, seed, shape or USUAL[each])
    if kind == "minimal":
        return MinimalDrill.of(seed, shape)
    if kind == "evaluation":
        return EvaluationDrill.of(seed)
    if kind == "q":
        return QDrill.of(seed)
    return BeadDrill.of(seed) if kind == "beads" else RetrogradeDrill.of(seed)


def require_shape(kind: DrillKind, shape: TreeShape) -> None:
    """Raises BadInput."""
    if not has_shape(kind):
        raise BadInput(
            message(
                "{kind} has no tree: branching, plies and players go with the kinds that have one", kind=kind
            )
        )
    leaves = shape.branching**shape.plies
    if leaves > MOST_LEAVES:
        raise BadInput(
            message(
                "up to {n} leaves; a sheet has {most} at most",
                n=FormattedNumber(leaves, ","),
                most=MOST_LEAVES,
            )
        )
    if kind == "expectimax" and shape.players != 2:
        raise BadInput(message("{n} players: in expectimax one player moves, and chance", n=shape.players))
    if kind == "minimal" and shape.players != 2:
        raise BadInput(message("{n} players: the minimal tree is one of two players", n=shape.players))
