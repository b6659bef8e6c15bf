"""Pictures of damier's values, and the same in words, as a notebook shows them and programs write them.

>>> from damier import in_words, load, picture
>>> from damier.solve import solve
>>> solution = solve(load("hexapawn"))
>>> print(in_words(solution))
hexapawn:width=3,height=3,blocked=draw: 135 positions; start: a draw
>>> picture(solution).startswith("<svg")
True
"""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from pathlib import Path

from damier.core.display import DENSITY
from damier.core.errors import BadInput
from damier.core.game import Position
from damier.core.grade import Curve
from damier.core.solution import Solution, ValueSolution, value_of_score
from damier.core.tree import Mark, Scene, Tree
from damier.core.words import _, grouped, message
from damier.draw import graph, matchbox
from damier.draw.board import board_svg
from damier.draw.curve import Series, curve_svg, curve_text
from damier.draw.graph import Diagram
from damier.draw.history import HistoricMoment
from damier.draw.matchbox import Matchbox
from damier.draw.picture_files import drawn
from damier.draw.text import board_text, move_marks
from damier.draw.tree import tree_lines, tree_svg
from damier.lab import curves
from damier.lab.matchboxes import Machine, title_of as title_of_machine
from damier.lab.training import Trainer
from damier.trees.explicit import TreeAnalysis, decision, default_algorithm, number_at, search
from damier.trees.replay import Replay


@singledispatch
def picture(value: object) -> str:
    """Return the picture of a position, a solution, a training or its curve, a tree, its search, a diagram, a
    matchbox or a machine of them, as SVG text.

    Raises BadInput for what has none, LimitReached for a tree that is too large to be looked at.
    """
    raise BadInput(message("there is no picture of a {kind}", kind=type(value).__name__))


def png(value: object) -> bytes:
    """Return the same as a PNG, of two pixels for one of the SVG.

    Raises BadInput where the extra `plot` is not installed, and what `picture` raises.
    """
    return svg_as_png(picture(value))


def svg_as_png(svg: str) -> bytes:
    """Return a picture, given as SVG text, as such a PNG. Raises BadInput."""
    return drawn(svg, "png", Path("PNG"), DENSITY)


@singledispatch
def in_words(value: object) -> str:
    """Return what a notebook shows of a value where no picture can be shown."""
    return repr(value)


@picture.register(Solution)
@picture.register(ValueSolution)
def solution_picture(value: Solution | ValueSolution) -> str:
    """The first position, and what each of its moves leads to."""
    game, s = value.game, value.start
    return board_svg(Position(game, s), move_marks(game, s, None if game.over(s) else value.explain(s)))


@in_words.register(Solution)
@in_words.register(ValueSolution)
def solution_words(value: Solution | ValueSolution) -> str:
    if isinstance(value, Solution):
        worth = HistoricMoment("", value_of_score(value.score(value.start)), value.distance(value.start))
    else:
        first = value.for_first(value.start)
        worth = HistoricMoment("", first.word, None, payoff=first)
    count = grouped(len(value))
    return _("{game}: {n} positions; {worth}", game=value.game.text, n=count, worth=worth.words(0))


def series_of(curve: Curve) -> Series:
    """A curve that does not say whose it is, nor at which seat."""
    return curves.series(_("the learner"), curve)


def tree_title(tree: Tree) -> str:
    """The name of its root, for those who do not see it."""
    return tree.nodes[tree.root].name or _("a tree")


def unsearched(tree: Tree) -> Scene:
    """A tree of which nothing is known but its ends."""
    algorithm = default_algorithm(tree)
    blank = Replay(search(tree, algorithm)).blank
    marks = [
        Mark("unseen") if role else Mark("done", number_at(tree, place.node, algorithm))
        for role, place in zip(blank.roles, blank.places, strict=True)
    ]
    return replace(blank, marks=tuple(marks))


def traced(value: TreeAnalysis) -> Scene:
    """The tree after its search, which is done again where it has told no steps."""
    known = value.steps or len(value.tree.nodes) < 2
    return Replay(
        value if known else search(value.tree, value.algorithm, value.plies, value.prune, trace=True)
    ).scene()


def scene_picture(value: Scene) -> str:
    return tree_svg(value, value.sentence or tree_title(value.tree), headed=False)


def scene_words(value: Scene) -> str:
    return "\n".join(tree_lines(value))


def analysis_picture(value: TreeAnalysis) -> str:
    return tree_svg(traced(value), tree_title(value.tree), decision(value), headed=False)


picture.register(Position, board_svg)
in_words.register(Position, board_text)
picture.register(Series, lambda value: curve_svg([value]))
in_words.register(Series, curve_text)
picture.register(Curve, lambda value: curve_svg([series_of(value)]))
in_words.register(Curve, lambda value: curve_text(series_of(value)))
picture.register(Trainer, lambda value: curve_svg([curves.of_training(value)], curves.title_of(value)))
in_words.register(Trainer, lambda value: f"{curves.title_of(value)}\n{curve_text(curves.of_training(value))}")
picture.register(Scene, scene_picture)
in_words.register(Scene, scene_words)
picture.register(Tree, lambda value: scene_picture(unsearched(value)))
in_words.register(Tree, lambda value: scene_words(unsearched(value)))
picture.register(TreeAnalysis, analysis_picture)
in_words.register(TreeAnalysis, lambda value: f"{scene_words(traced(value))}\n{decision(value)}")
picture.register(Diagram, graph.graph_svg)
in_words.register(Diagram, graph.in_words)
picture.register(Matchbox, lambda value: matchbox.matchbox_svg(value, matchbox.Kinds([value])))
in_words.register(
    Matchbox, lambda value: matchbox.in_words(value, matchbox.entries_of(value, matchbox.Kinds([value])))
)
picture.register(Machine, lambda value: matchbox.machine_svg(value.boxes, title_of_machine(value)))
in_words.register(Machine, title_of_machine)
