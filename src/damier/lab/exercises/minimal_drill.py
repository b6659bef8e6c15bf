"""The minimal tree: what alpha-beta reads where the best moves come first [KnuthMoore75]. Which branches
are left does not depend on the numbers, so that none are shown; the key is the search of a tree of that
shape, its moves in the best order.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from damier.core.bits import random_below, reseed
from damier.core.json_types import JsonObject
from damier.core.tree import TERMINAL, Mark, Move, Node, Scene, Tree
from damier.core.words import _
from damier.draw.blocks import LEAST, NOTHING, FillInLine, fill_in_block
from damier.draw.tree import tree_lines, tree_svg
from damier.lab.exercises.drill import AnswerField, Answers, KnownAnswer, shown_answers, typed
from damier.lab.exercises.tree_drill import cut_field
from damier.trees.explicit import TreeAnalysis, least_leaves, ordered, search, uniform_tree
from damier.trees.marking import MOST_LEAVES, Blank, Marked, TreeShape, never_looked_at
from damier.trees.replay import Replay
from damier.trees.tree_text import inner_names, move_names

SHAPES = (TreeShape(2, 3), TreeShape(3, 2), TreeShape(2, 4), TreeShape(3, 3), TreeShape(4, 2))
"""The shapes of trees of which nothing is said."""
LARGEST = 50


@dataclass(frozen=True)
class MinimalDrill:
    """A tree without numbers; and another, `far`, of which only the size is told."""

    seed: int
    shape: TreeShape
    far: TreeShape
    found: TreeAnalysis
    kind: str = "minimal"

    @classmethod
    def of(cls, seed: int, shape: TreeShape | None = None) -> MinimalDrill:
        rng = [0]
        reseed(rng, seed, 0)
        drawn = SHAPES[random_below(rng, len(SHAPES))]
        far = TreeShape(3 + random_below(rng, 4), 4 + random_below(rng, 3))
        chosen = shape or drawn
        made = uniform_tree(chosen.branching, chosen.plies, LARGEST, seed)
        tree = renamed(ordered(made, None, 1.0, 2 * MOST_LEAVES))
        return cls(seed, chosen, far, search(tree, "alphabeta", trace=True))

    @cached_property
    def _end(self) -> Scene:
        return Replay(self.found).scene()

    @cached_property
    def blanks(self) -> tuple[Blank, ...]:
        """The nodes with moves, but for the root, at which nothing can be cut."""
        nodes = self.found.tree.nodes
        inner = [(number, place) for number, place in enumerate(self._end.places) if nodes[place.node].moves]
        return tuple(
            Blank(nodes[place.node].name, number, tuple(move.name for move in nodes[place.node].moves))
            for number, place in inner[1:]
        )

    @property
    def cuts(self) -> dict[str, tuple[str, ...]]:
        """By node, the moves that are cut there."""
        nodes = self.found.tree.nodes
        return {
            nodes[cut.node].name: tuple(move.name for move in nodes[cut.node].moves[cut.child + 1 :])
            for cut in self.found.cuts
        }

    @property
    def _known(self) -> tuple[KnownAnswer, ...]:
        b, m = self.shape.branching, self.shape.plies
        read, far = self.found.reads, least_leaves(self.far.branching, self.far.plies)
        hint = _("b to the power of half the plies rounded up, plus the same rounded down, minus 1")
        fields = self._numbers()
        return (
            KnownAnswer(fields[0], read, formula(self.shape, read), hint),
            KnownAnswer(
                fields[1],
                b**m,
                _("{b} moves at every node, {m} plies", b=b, m=m),
                _("as many times as many, ply by ply"),
            ),
            KnownAnswer(fields[2], far, formula(self.far, far), hint),
        )

    def _numbers(self) -> tuple[AnswerField, ...]:
        return tuple(AnswerField(line.key, line.text, "number") for line in self._lines())

    def _lines(self) -> tuple[FillInLine, ...]:
        far = {"b": self.far.branching, "m": self.far.plies}
        return (
            FillInLine(_("leaves that are read here:"), "read"),
            FillInLine(_("leaves that there are:"), "leaves"),
            FillInLine(_("least leaves with {b} moves at every node, {m} plies:", **far), "far"),
        )

    def task(self) -> str:
        return _(
            "At every node the best move stands first, whatever the numbers are. Which branches does"
            " alpha-beta cut? Cross them out, and count the leaves that are read."
        )

    def fields(self) -> tuple[AnswerField, ...]:
        return (*map(cut_field, self.blanks), *self._numbers())

    def sheet_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        return self._svg(self._shape(is_key=False), title, note, {}, headed)

    def key_svg(self, title: str, note: str = "", *, headed: bool = True) -> str:
        return self._svg(self._shape(is_key=True), title, note, shown_answers(self._known), headed)

    def _shape(self, *, is_key: bool) -> Scene:
        """The tree without its numbers; on the key, with what is cut."""
        marks = tuple(Mark("cut" if is_key and mark.known == "cut" else "unseen") for mark in self._end.marks)
        return replace(self._end, marks=marks, thick=frozenset(), here=-1, said="")

    def _svg(self, scene: Scene, title: str, note: str, filled: dict[str, str], headed: bool) -> str:
        below = fill_in_block(self._lines(), filled or NOTHING, LEAST)
        return tree_svg(scene, title, note, below=below, headed=headed)

    def marked(self, answers: Answers) -> list[Marked]:
        given = {key: text.strip() for key, text in answers.items()}
        cuts = [self._marked_cuts(blank, given.get(f"cut:{blank.name}", "")) for blank in self.blanks]
        return [*cuts, *(each.marked(given) for each in self._known)]

    def _marked_cuts(self, blank: Blank, text: str) -> Marked:
        left = self.cuts.get(blank.name, ())
        if self._end.marks[blank.place].known == "cut":
            reason = never_looked_at()
        elif left:
            reason = _("its first move refutes it: that is enough; cut: {left}", left=", ".join(left))
        else:
            reason = _("every move must be looked at here")
        hint = _(
            "along the first moves everything is looked at; beside that line one reply is enough for who"
            " refutes, and every move is needed of who is refuted"
        )
        return Marked(f"cut:{blank.name}", set(text.split()) == set(left), reason, hint)

    def right_answers(self) -> dict[str, str]:
        return {f"cut:{name}": " ".join(left) for name, left in self.cuts.items()} | typed(self._known)

    def solution(self) -> list[str]:
        cut = ", ".join(f"{name}: {' '.join(left)}" for name, left in self.cuts.items())
        known = [f"{each.field.label} {each.reason}" for each in self._known]
        return [_("cut: {moves}", moves=cut or "—"), *known]

    def facts(self) -> JsonObject:
        answers: JsonObject = {"cut": {name: list(left) for name, left in self.cuts.items()}}
        answers |= {each.field.key: each.right for each in self._known}
        size: JsonObject = {"branching": self.shape.branching, "plies": self.shape.plies}
        return size | {"far": {"branching": self.far.branching, "plies": self.far.plies}, "answers": answers}

    def lines(self) -> list[str]:
        return [*tree_lines(self._shape(is_key=False)), *(f"{line.text} …" for line in self._lines())]

    def tree_text(self) -> str:
        return ""


def formula(shape: TreeShape, value: int) -> str:
    """The formula of Knuth and Moore with its numbers."""
    b, up, down = shape.branching, -(-shape.plies // 2), shape.plies // 2
    return f"{b}^{up} + {b}^{down} − 1 = {value}"


def renamed(tree: Tree) -> Tree:
    """The same tree, its nodes A, B, C … ply by ply and its moves a, b, c … from left to right."""
    order = [tree.root]
    for number in order:  # grows while it is read
        order += [move.child for move in tree.nodes[number].moves]
    names, at = inner_names(), {number: place for place, number in enumerate(order)}
    nodes: list[Node] = []
    called: dict[int, str] = {}
    for number in order:
        node = tree.nodes[number]
        name = called.get(number, "") if node.player == TERMINAL else next(names)
        letters = [letter for letter, _move in zip(move_names(), node.moves, strict=False)]
        moves = tuple(
            Move(letter, at[move.child], move.probability)
            for letter, move in zip(letters, node.moves, strict=True)
        )
        called |= {move.child: f"{name},{letter}" for letter, move in zip(letters, node.moves, strict=True)}
        nodes.append(Node(name, node.player, moves, node.value, node.evaluation))
    return Tree(tuple(nodes), 0, tree.players)
