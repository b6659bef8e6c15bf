"""Random trees to work out by hand, and their keys (rows A-58 and A-61: the quizzes of document
[S2], whose pictures are lost).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from damier.core.bits import random_below, reseed
from damier.core.json_types import JsonObject
from damier.core.rules import CHANCE
from damier.core.scene import Mark, Scene
from damier.core.tree import TERMINAL, Move, Node, Payoffs, Tree, shown
from damier.core.words import _, ngettext
from damier.trees.explicit import Algorithm, TreeAnalysis, search
from damier.trees.replay import Replay
from damier.trees.tree_text import inner_names
from damier.trees.words import cause_of, cut_facts

TRIES = 300
"""How many trees are looked at for one that asks something."""
WANTED_CUTS = 2
SHARES = {
    2: ((0.5, 0.5), (0.25, 0.75), (0.75, 0.25)),
    3: ((0.25, 0.25, 0.5), (0.25, 0.5, 0.25), (0.5, 0.25, 0.25)),
}
"""Probabilities that are easy to reckon with, by the number of moves."""


@dataclass(frozen=True)
class TreeShape:
    """How difficult: at most so many moves at a node, so many plies, so many players."""

    branching: int
    plies: int
    players: int = 2


USUAL: dict[Algorithm, TreeShape] = {
    "minimax": TreeShape(3, 2),
    "alphabeta": TreeShape(3, 3),
    "expectimax": TreeShape(3, 2),
    "maxn": TreeShape(2, 3, 3),
}
"""The shape of each kind, unless somebody asks for another."""
MOST_LEAVES = 256


@dataclass(frozen=True)
class Exercise:
    """A tree and its search, told step by step."""

    found: TreeAnalysis

    @property
    def tree(self) -> Tree:
        return self.found.tree

    @property
    def kind(self) -> Algorithm:
        return self.found.algorithm

    def key(self) -> Scene:
        """The tree worked out."""
        return Replay(self.found).scene()

    def sheet(self) -> Scene:
        """The tree to be filled in: only its leaves are known."""
        blank = Replay(self.found).blank
        leaves = (Mark("done", leaf_value(self, place.node)) for place in blank.places)
        marks = tuple(
            leaf if role is None else Mark("blank") for role, leaf in zip(blank.roles, leaves, strict=True)
        )
        return replace(blank, marks=marks)


def leaf_value(exercise: Exercise, node: int) -> Payoffs | float | None:
    """What stands in a leaf."""
    value = exercise.tree.nodes[node].value
    return value if value is None or exercise.kind == "maxn" else value[0]


def exercise(kind: Algorithm, seed: int, shape: TreeShape) -> Exercise:
    """An exercise of a kind: the same seed gives the same.

    Among TRIES trees the first that has one best move, and cuts where they are asked for.
    """
    tried = [
        Exercise(search(random_tree(kind, seed, stream, shape), kind, trace=True)) for stream in range(1)
    ]
    for stream in range(1, TRIES):
        if is_good(tried[-1], shape):
            return tried[-1]
        tried.append(Exercise(search(random_tree(kind, seed, stream, shape), kind, trace=True)))
    return max(tried, key=lambda each: (len(each.found.cuts), -len(each.found.best)))


def is_good(exercise: Exercise, shape: TreeShape) -> bool:
    """Whether the answer is clear, and there is something to be found."""
    wanted = WANTED_CUTS if exercise.kind == "alphabeta" and shape.plies > 1 else 0
    return len(exercise.found.best) == 1 and len(exercise.found.cuts) >= wanted


def random_tree(kind: Algorithm, seed: int, stream: int, shape: TreeShape) -> Tree:
    """A tree whose inner nodes are A, B, C … ply by ply, their moves a, b, c …"""
    rng = [0]
    reseed(rng, seed, stream)
    nodes: list[Node] = []
    planned = [("A", 0)]  # name and ply; grows while it is read
    names = inner_names()
    next(names)
    for name, ply in planned:
        if ply == shape.plies:
            nodes.append(Node(name, TERMINAL, (), random_value(kind, rng, shape.players), None))
            continue
        moves = [chr(ord("a") + number) for number in range(2 + random_below(rng, shape.branching - 1))]
        player = mover_at(kind, ply, shape.players)
        first = len(planned)
        planned += [(f"{name},{move}" if ply + 1 == shape.plies else next(names), ply + 1) for move in moves]
        shares = random_shares(rng, len(moves)) if player == CHANCE else [1 / len(moves)] * len(moves)
        children = tuple(
            Move(move, first + number, share)
            for number, (move, share) in enumerate(zip(moves, shares, strict=True))
        )
        nodes.append(Node(name, player, children, None, None))
    return Tree(tuple(nodes), 0, shape.players)


def mover_at(kind: Algorithm, ply: int, players: int) -> int:
    """Who moves: the players in turn; every second time chance, where the mean is asked for."""
    return (CHANCE if ply % 2 else 0) if kind == "expectimax" else ply % players


def random_value(kind: Algorithm, rng: list[int], players: int) -> Payoffs:
    """What a leaf is worth: small numbers; multiples of four where quarters of them are taken."""
    if kind == "maxn":
        return tuple(random_below(rng, 10) for _player in range(players))
    value = 4 * (1 + random_below(rng, 10)) if kind == "expectimax" else 1 + random_below(rng, 20)
    return (value, -value) if players == 2 else (value,)


def random_shares(rng: list[int], n: int) -> Sequence[float]:
    """How likely each of `n` moves of chance is."""
    choices = SHARES.get(n, ((1 / n,) * n,))
    return choices[random_below(rng, len(choices))]


def task(exercise: Exercise) -> str:
    """What is asked."""
    if exercise.kind == "maxn":
        return _(
            "A leaf holds the payoffs of player 1, 2, …. Every player takes the most for themselves; of equal"
            " moves, the first. Values? Move at A?"
        )
    if exercise.kind == "expectimax":
        return _(
            "The number on a branch below ● is its probability. Fill in the value of every node. Which move"
            " is best at A?"
        )
    if exercise.kind == "alphabeta":
        return _(
            "From left to right, cutting at equality too: what does each node return? Cross out the branches"
            " that are cut. Move at A?"
        )
    if exercise.tree.players > 2:
        return _(
            "MAX plays against several opponents, who all minimise. Fill in the value of every node. Which"
            " move is best at A?"
        )
    return _("Fill in the value of every node. Which move is best at A?")


def solution(exercise: Exercise) -> list[str]:
    """The answers in sentences: the decision, and the reason of each cut."""
    found = exercise.found
    root = found.tree.nodes[found.tree.root]
    best = [root.moves[number].name for number in found.best]
    said = [
        ngettext(
            "value {value}; best move at A: {moves}",
            "value {value}; best moves at A: {moves}",
            len(best),
            value=shown(found.value),
            moves=", ".join(best),
        )
    ]
    for cut in found.cuts:
        node = found.tree.nodes[cut.node]
        left = ", ".join(move.name for move in node.moves[cut.child + 1 :])
        said.append(_("{node}: {cause}; cut: {left}", node=node.name, cause=cause_of(found, cut), left=left))
    return said


def answers(exercise: Exercise) -> JsonObject:
    """The key as plain data. A node of which only a bound is known stands in `bounds` too."""
    found, key = exercise.found, exercise.key()
    names = [found.tree.nodes[place.node].name for place in key.places]
    inner = [
        (name, mark) for name, mark, role in zip(names, key.marks, key.roles, strict=True) if role is not None
    ]
    moves = [move.name for move in found.tree.nodes[found.tree.root].moves]
    data: JsonObject = {
        "action": moves[found.best[0]],
        "best_actions": [moves[number] for number in found.best],
        "value": found.value,
        "values": {name: mark.value for name, mark in inner if mark.known == "done"},
    }
    if found.algorithm == "alphabeta":
        data["bounds"] = {
            name: mark.sign for name, mark in inner if mark.known == "done" and mark.sign != "="
        }
        data["not_reached"] = [
            name for name, mark in zip(names, key.marks, strict=True) if mark.known == "cut"
        ]
        data["cutoffs"] = [cut_facts(found, cut) for cut in found.cuts]
    return data
