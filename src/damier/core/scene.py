"""A tree at one moment of a search: what a picture of it shows.

A *place* is a node where it is drawn: a node that two moves lead to has two places. Places are
numbered from the root down, the first move first (preorder), so that a place stands after the one
above it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from damier.core.errors import LimitReached
from damier.core.rules import CHANCE
from damier.core.tree import TERMINAL, Number, Role, Tree, Value, shown
from damier.core.words import FormattedNumber, _, grouped, message

NodeStage: TypeAlias = Literal["unseen", "open", "done", "cut", "blank", "hidden"]
"""unseen: not yet; open: on the path that is searched; cut: never to be; blank: to be filled in by
a reader; hidden: not there yet, its room kept.
"""
Sign: TypeAlias = Literal["=", "≤", "≥"]

UNCOUNTED = 10**15
"""Places beyond this number are not counted."""


class Place(NamedTuple):
    """A node where it is drawn: the place above it (-1 for the root), the number of the move that
    leads here, how many moves lead here.
    """

    node: int
    above: int
    move: int
    ply: int


class Mark(NamedTuple):
    """What is known of a place: its value, or a bound of it; the window [alpha, beta] that it is
    searched with, where there is one; a word in the place of a value.
    """

    known: NodeStage
    value: Value | None = None
    sign: Sign = "="
    window: tuple[Number, Number] | None = None
    note: str = ""


@dataclass(frozen=True)
class Scene:
    """A tree at one moment.

    roles   what the mover of each place does with the values of its moves; None for an end, and
            where the search stops
    movers  who moves at each place
    thick   the places that the best move of the place above leads to
    here    the place at which something happens; -1 for none
    said    what happens there, in words
    legend  what the signs mean, where it is not what they mean in minimax
    """

    tree: Tree
    places: tuple[Place, ...]
    roles: tuple[Role | None, ...]
    movers: tuple[int, ...]
    marks: tuple[Mark, ...]
    thick: frozenset[int] = field(default_factory=frozenset)
    here: int = -1
    said: str = ""
    legend: str = ""

    def move_name(self, place: int) -> str:
        """The name of the move that leads to a place; nothing for the root."""
        _node, above, move, _ply = self.places[place]
        return self.tree.nodes[self.places[above].node].moves[move].name if above >= 0 else ""

    def move_label(self, place: int) -> str:
        """The same, with its probability where chance moves."""
        _node, above, move, _ply = self.places[place]
        if above < 0 or self.movers[above] != CHANCE:
            return self.move_name(place)
        return (
            f"{self.move_name(place)}"
            f" {shown(self.tree.nodes[self.places[above].node].moves[move].probability)}"
        )

    def node_name(self, place: int) -> str:
        """The name of a place's node; nothing where it only repeats the moves that lead there."""
        name, move = self.tree.nodes[self.places[place].node].name, self.move_name(place)
        return "" if move and (name == move or name.endswith("," + move)) else name

    def children(self) -> list[list[int]]:
        """The places below each place."""
        found: list[list[int]] = [[] for _place in self.places]
        for number, place in enumerate(self.places):
            if place.above >= 0:
                found[place.above].append(number)
        return found


def unfolded(tree: Tree, plies: int | None, most: int) -> tuple[Place, ...]:
    """All places of a tree, `plies` moves deep at most.

    Raises LimitReached, with their number, where there are more than `most`.
    """
    refuse_larger(tree, plies, most)
    places: list[Place] = []
    todo = [Place(tree.root, -1, 0, 0)]
    while todo:
        place = todo.pop()
        places.append(place)
        if place.ply != plies:
            moves = tree.nodes[place.node].moves
            todo += [
                Place(moves[i].child, len(places) - 1, i, place.ply + 1) for i in reversed(range(len(moves)))
            ]
    return tuple(places)


def refuse_larger(tree: Tree, plies: int | None, most: int) -> None:
    """Raises LimitReached, with the number of places, where there are more than `most`."""
    count = size_of(tree, plies).nodes
    if count > most:
        size = _("more than {n}", n=grouped(UNCOUNTED)) if count > UNCOUNTED else grouped(count)
        raise LimitReached(
            message(
                "the tree has {n} nodes to draw; up to {most} are drawn: give fewer --plies",
                n=size,
                most=FormattedNumber(most, ","),
            ),
            {"nodes": count},
        )


class SceneSize(NamedTuple):
    """How many places a tree has, and how many of them are ends; not counted beyond UNCOUNTED."""

    nodes: int
    ends: int


def size_of(tree: Tree, plies: int | None) -> SceneSize:
    """The size of a tree, each node counted as often as moves lead to it."""
    level, nodes, ends, ply = {tree.root: 1}, 0, 0, 0
    while level and nodes <= UNCOUNTED:
        nodes += sum(level.values())
        below: dict[int, int] = {}
        for node, ways in level.items():
            moves = tree.nodes[node].moves if ply != plies else ()
            ends += 0 if moves else ways
            for move in moves:
                below[move.child] = below.get(move.child, 0) + ways
        level, ply = below, ply + 1
    return SceneSize(nodes, ends)


def is_end(tree: Tree, place: Place, plies: int | None) -> bool:
    """Whether nothing below a place is looked at."""
    return tree.nodes[place.node].player == TERMINAL or place.ply == plies
