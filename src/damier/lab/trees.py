"""Trees to look at: the examples there are, the algorithms that suit a tree, and what a search
comes to, in a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from damier.core.errors import BadFile
from damier.core.json_data import parse_json
from damier.core.rules import CHANCE
from damier.core.tree import Payoffs, Tree, written_value
from damier.core.words import N_, _, message
from damier.trees.explicit import Algorithm, TreeAnalysis
from damier.trees.tree_text import parse, tree_of

LISTED = 30
"""The most best moves that a sentence names."""


class Example(NamedTuple):
    """A tree to begin with: its name for people, how it is written, what it shows."""

    name: str
    text: str
    shows: str


EXAMPLES: dict[str, Example] = {
    "classic": Example(
        N_("The classic example"), "((3 12 8) (2 4 6) (14 5 2))", N_("Seven of nine leaves are enough.")
    ),
    "ties": Example(
        N_("False inner values"),
        "((3 5) (3 1))",
        N_(
            "Both moves of the root come back with 3, and one of them is worth 1: no action can be chosen"
            " from them."
        ),
    ),
    "deep": Example(
        N_("Four plies"),
        "((((9 4) (7 16)) ((12 3) (18 11))) (((5 8) (14 2)) ((6 10) (1 13))))",
        N_("Cuts at both sides of the window, α and β, and many more in a better order."),
    ),
    "single": Example(
        N_("One agent alone"),
        "max(max(8 2 0) max(2 6) max(4 6))",
        N_("Nobody opposes MAX: a state is worth the best that can be reached from it."),
    ),
    "ghosts": Example(
        N_("Two ghosts"),
        "max(min(p3(7 4) p3(9 6)) min(p3(5 12) p3(8 3)) min(p3(11 5) p3(6 10)))",
        N_("After MAX two opponents move, one after the other, and both minimise."),
    ),
    "chance": Example(
        N_("Chance"),
        "max(chance(1/2:8 1/2:24) chance(1/4:36 3/4:4) chance(12 16 20))",
        N_("Chance moves below the root: a node is worth the mean of what follows."),
    ),
    "players": Example(
        N_("Three players"),
        "p1(p2(p3([4 1 5] [2 6 3]) p3([5 3 1] [1 4 2])) p2(p3([3 2 7] [6 5 0]) p3([8 1 4] [0 7 6])))",
        N_("Every leaf has a number for each player, and each player takes the most for themselves."),
    ),
}
"""By the names that addresses give them; the first is shown first."""


def read(text: str) -> Tree:
    """A tree that somebody has typed in: one line of brackets and numbers, or the content of a
    tree's file. Raises BadInput.
    """
    if not text.lstrip().startswith("{"):
        return parse(text)
    data = parse_json(text, _("the tree"))
    if data.get("format", "damier-tree/1") != "damier-tree/1":
        raise BadFile(
            message(
                "the tree is a {found}; a {format} is needed here",
                found=data["format"],
                format="damier-tree/1",
            )
        )
    return tree_of(data)


def default_algorithm(tree: Tree) -> Algorithm:
    """Return what suits a tree: maxn for payoffs of their own, and for opponents beside chance; expectimax
    for chance alone; alphabeta for all others.
    """
    players = {node.player for node in tree.nodes if node.player >= 0}
    # one number: it is player 0's, and the others' without it
    single = any(len(own) < tree.players for own in payoffs_of(tree))
    if not zero_sum(payoffs_of(tree)) or (has_chance(tree) and not single and (players - {0} or tree.cycle)):
        return "maxn"
    return "expectimax" if has_chance(tree) else "alphabeta"


def suitable(tree: Tree) -> list[Algorithm]:
    """The algorithms that can search a tree."""
    chosen: list[Algorithm] = ["expectimax"] if has_chance(tree) else ["minimax", "alphabeta", "expectimax"]
    return chosen if any(len(own) < tree.players for own in payoffs_of(tree)) else [*chosen, "maxn"]


def has_chance(tree: Tree) -> bool:
    return any(node.player == CHANCE for node in tree.nodes)


def payoffs_of(tree: Tree) -> list[Payoffs]:
    """All numbers of a tree."""
    return [own for node in tree.nodes for own in (node.value, node.evaluation) if own is not None]


def zero_sum(payoffs: Sequence[Payoffs]) -> bool:
    """Return whether what player 0 gains every other loses; of three players or more, whether the numbers
    say so.
    """
    several = any(len(own) > 2 for own in payoffs)
    return all(other == -own[0] for own in payoffs for other in own[1:]) and not (
        several and not any(map(any, payoffs))
    )


def decision(found: TreeAnalysis) -> str:
    """Return what is to be done, and what it is worth."""
    moves = [found.tree.nodes[found.tree.root].moves[number].name for number in found.best]
    value = _("value {value}", value=written_value(found.value))
    if not moves:
        return value
    if len(moves) == 1:
        return _("{value}; best move: {move}", value=value, move=moves[0])
    listed = ", ".join(moves[:LISTED]) + (", …" if len(moves) > LISTED else "")
    return _("{value}; {n} best moves, equal: {moves}", value=value, n=len(moves), moves=listed)
