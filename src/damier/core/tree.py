"""An explicit game tree: named nodes, whose moves lead to other nodes, and numbers at its ends.

It may be a directed acyclic graph: a node that two moves lead to is searched twice, as a position
would be.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isinf
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from damier.core.display import Displayed
from damier.core.errors import LimitReached
from damier.core.rules import CHANCE
from damier.core.words import FormattedNumber, _, decimal, grouped, message

Number: TypeAlias = "int | float"
Payoffs: TypeAlias = tuple[Number, ...]
Value: TypeAlias = "Number | Payoffs"


def to_player(value: Value, player: int) -> Number:
    """Return what a value is to one player; a single number is one for whoever asks."""
    return value[player] if isinstance(value, tuple) else value


Role: TypeAlias = Literal["max", "min", "mean", "best"]
"""What a mover does with the values of its moves; `best` is the largest of its own."""

TERMINAL = -2
"""The player of a node at which nobody moves."""


class Move(NamedTuple):
    """A move: its name, the number of the node that it leads to, and how likely it is where chance
    moves.
    """

    name: str
    child: int
    probability: float


class Node(NamedTuple):
    """A node: who moves there, what it is worth if it is an end, and what a search takes for that
    where it stops. One number a player.
    """

    name: str
    player: int  # from 0; CHANCE; TERMINAL
    moves: tuple[Move, ...]
    value: Payoffs | None
    evaluation: Payoffs | None


@dataclass(frozen=True)
class Tree(Displayed):
    """Nodes, of which number `root` is the first.

    With `cycle`, who moves follows from the plies since the root, not from the node.
    """

    nodes: tuple[Node, ...]
    root: int
    players: int
    cycle: bool = False

    def mover(self, number: int, ply: int) -> int:
        """Return who moves at a node, so many plies from the root."""
        player = self.nodes[number].player
        return ply % self.players if self.cycle and player not in (TERMINAL, CHANCE) else player


StepKind: TypeAlias = Literal["enter", "leaf", "update", "cut", "return"]


class Step(NamedTuple):
    """One step of a search: what happened at a node, with what is known there after it.

    Attributes:
        value: best so far, or the value that is returned
        alpha: what player 0 is sure of on the way here
        beta: what its opponents are
        child: for an update, the number of the move that was tried
    """

    kind: StepKind
    node: int
    depth: int
    value: Value | None
    alpha: Number
    beta: Number
    child: int = -1


def written_value(value: Value | None) -> str:
    """A value as people write it.

    >>> from math import inf
    >>> [written_value(value) for value in (3.0, 2 / 3, (1, -1), -1234567.5, 10**20, -inf, None)]
    ['3', '0.666667', '(1, -1)', '-1234567.5', '1e+20', '-∞', '?']
    """
    if value is None:
        return "?"
    if isinstance(value, tuple):
        # Translators: what stands between the numbers of several players.
        between = _(", ")
        return f"({between.join(map(written_value, value))})"
    if isinf(value):
        return "∞" if value > 0 else "-∞"
    if isinstance(value, int) and abs(value) < 1e15:
        return str(value)
    return decimal(value, ".6g") if not 1e6 <= abs(value) < 1e15 else decimal(value, ".15g")


# A tree at one moment of a search: what a picture of it shows.
#
# A *place* is a node where it is drawn: a node that two moves lead to has two places. Places are
# numbered from the root down, the first move first (preorder), so that a place stands after the one
# above it.

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
    """Knowledge about a place: its value, or a bound of it; the window [alpha, beta] that it is
    searched with, where there is one; a word in the place of a value.
    """

    known: NodeStage
    value: Value | None = None
    sign: Sign = "="
    window: tuple[Number, Number] | None = None
    note: str = ""


@dataclass(frozen=True)
class Scene(Displayed):
    """A tree at one moment.

    Attributes:
        roles: what the mover of each place does with the values of its moves; None for an end, and where the
            search stops
        movers: who moves at each place
        thick: the places that the best move of the place above leads to
        here: the place at which something happens; -1 for none
        sentence: what happens there, in words
        legend: what the signs mean, where it is not what they mean in minimax
        causes: the places at which the search has cut, each with why
    """

    tree: Tree
    places: tuple[Place, ...]
    roles: tuple[Role | None, ...]
    movers: tuple[int, ...]
    marks: tuple[Mark, ...]
    thick: frozenset[int] = field(default_factory=frozenset)
    here: int = -1
    sentence: str = ""
    legend: str = ""
    causes: tuple[tuple[int, str], ...] = ()

    @property
    def path(self) -> list[int]:
        """Return the places from where something happens up to the root; none where nothing does."""
        found, place = list[int](), self.here
        while place >= 0:
            found.append(place)
            place = self.places[place].above
        return found

    def move_name(self, place: int) -> str:
        """The name of the move that leads to a place; nothing for the root."""
        _node, above, move, _ply = self.places[place]
        return self.tree.nodes[self.places[above].node].moves[move].name if above >= 0 else ""

    def move_label(self, place: int) -> str:
        """Return the name of a move, with its probability where chance moves."""
        _node, above, move, _ply = self.places[place]
        if above < 0 or self.movers[above] != CHANCE:
            return self.move_name(place)
        return (
            f"{self.move_name(place)}"
            f" {written_value(self.tree.nodes[self.places[above].node].moves[move].probability)}"
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
    """The number of places of a tree, and of its ends; not counted beyond UNCOUNTED."""

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
    """Return whether nothing below a place is looked at."""
    return tree.nodes[place.node].player == TERMINAL or place.ply == plies


# A search told step by step, forwards and back: of an explicit tree, or of a space of states.

Told = TypeVar("Told")
"""A step, as the search tells it."""


class SearchMoment(ABC, Generic[Told]):
    """Knowledge of a search after some of its steps; marks, thick, here and causes are those of its scene."""

    def __init__(self, blank: Scene) -> None:
        self.marks = list(blank.marks)
        self.thick = set[int]()
        self.here = -1
        self.causes: dict[int, str] = {}

    @abstractmethod
    def take(self, step: Told) -> None:
        """Goes on by one step."""


Moment = TypeVar("Moment", bound=SearchMoment[Any])


class Trace(ABC, Generic[Told, Moment]):
    """The moments of one search, from 0 steps to all of them.

    Attributes:
        steps: what it has told
        sentences: a sentence for each
        blank: its tree with nothing known yet
        lines: the steps as lines, to be listed
        cuts: the steps at which it cuts, from 1
    """

    steps: Sequence[Told]
    sentences: Sequence[str]
    blank: Scene
    lines: Sequence[str]
    cuts: Sequence[int] = ()

    @abstractmethod
    def begin(self) -> Moment:
        """Return what is known before the first step."""

    def __len__(self) -> int:
        return len(self.sentences)

    def moment(self, steps: int) -> Moment:
        """Return what is known after so many steps."""
        moment = self.begin()
        for step in self.steps[:steps]:
            moment.take(step)
        return moment

    def scene(self, steps: int | None = None) -> Scene:
        """The tree after so many steps; after all of them by default."""
        count = len(self) if steps is None else steps
        moment = self.moment(count)
        return replace(
            self.blank,
            marks=tuple(moment.marks),
            thick=frozenset(moment.thick),
            here=moment.here,
            sentence=self.sentences[count - 1] if count else "",
            causes=tuple(moment.causes.items()),
        )

    @cached_property
    def end(self) -> Scene:
        """The tree after all steps."""
        return self.scene()

    def code(self, steps: int) -> Sequence[tuple[str, bool]]:
        """Return the pseudo-code of a document, each line with whether the last of so many steps is about it;
        nothing where there is none.
        """
        return ()


AnyTrace: TypeAlias = Trace[Any, Any]
"""The trace of any search."""
