"""A function searches trees: the value is right, and it reads the ends that the algorithm reads, exactly
these or at most so many.

What it is given is a node with `player` (0 maximises, 1 minimises), `children`, and at an end
`value`; an end whose value was read counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from damier.core.tree import Tree, to_player
from damier.core.words import Message, Text, message
from damier.lab.marking.finding import ExactTruth, Finding, Positive, WrongAnswer
from damier.lab.marking.items.learning import near, shown
from damier.lab.marking.submission import Submission, listed
from damier.trees.exercise import TreeShape, exercise
from damier.trees.explicit import TreeAnalysis, search
from damier.trees.replay import Replay


@dataclass(frozen=True)
class TreeSearchItem:
    """function   its name
    trees      how many
    branching  moves of a node, at most
    plies      of a tree
    seed       of the trees
    algorithm  minimax; or alpha-beta that cuts at equal values (weak) or not (strict)
    exactly    whether it must read the same ends, or may read fewer
    """

    function: str
    trees: Positive
    branching: Positive
    plies: Positive
    seed: int
    algorithm: Literal["minimax", "alphabeta-weak", "alphabeta-strict"]
    exactly: bool

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        shape = TreeShape(self.branching, self.plies)
        for number in range(self.trees):
            tree = exercise("alphabeta", self.seed + number, shape).tree
            found = self._searched(tree)
            asked = submission.ask("tree", name=self.function, root=tree.root, nodes=nodes_of(tree))
            value, read = listed(submission, asked, 2)
            said = listed(submission, read, None)
            if not near(value, float(to_player(found.value, 0))):
                return wrong(message("the value of a tree is wrong"), found, shown(found.value), shown(value))
            if len(said) > len(found.evaluated) or (self.exactly and said != sorted(found.evaluated)):
                return wrong(
                    message("the value is right, but other ends of the tree are read than should be"),
                    found,
                    names_of(tree, sorted(found.evaluated)),
                    names_of(tree, [end for end in said if isinstance(end, int)]),
                )
        return Finding(True, message("right in {n} trees, and no end read in vain", n=self.trees))

    def _searched(self, tree: Tree) -> TreeAnalysis:
        if self.algorithm == "minimax":
            return search(tree, "minimax", trace=True)
        prune: Literal["weak", "strict"] = "weak" if self.algorithm == "alphabeta-weak" else "strict"
        return search(tree, "alphabeta", prune=prune, trace=True)


def nodes_of(tree: Tree) -> list[tuple[int, list[int], float | None]]:
    """The nodes as they are asked: who moves, the nodes below, the value of an end."""
    return [
        (
            max(node.player, 0),
            [move.child for move in node.moves],
            None if node.value is None else float(to_player(node.value, 0)),
        )
        for node in tree.nodes
    ]


def names_of(tree: Tree, ends: list[int]) -> str:
    """Ends of a tree by name, those that there are."""
    return " ".join(tree.nodes[end].name for end in ends if 0 <= end < len(tree.nodes))


def wrong(sentence: Message, found: TreeAnalysis, expected: Text, got: Text) -> Finding:
    return Finding(False, sentence, WrongAnswer(None, expected, got, Replay(found).scene()))
