"""Two exercises about values: the minimal tree of alpha-beta, and retrograde analysis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from damier.core.bits import position_of, random_below, seeded
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.core.rules import ONGOING
from damier.core.solution import Solution, Value
from damier.core.tree import TERMINAL, Mark, Move, Node, Scene, Tree
from damier.core.words import _, labelled, ngettext, together
from damier.draw.education import ring_svg
from damier.draw.svg import LEAST, NOTHING, FillInLine, fill_in_block
from damier.draw.tree import tree_lines, tree_svg
from damier.lab.exercises import AnswerField, Answers, Drill, FieldChoice, KnownAnswer, Marked
from damier.lab.exercises.tree_drills import MOST_LEAVES, Blank, TreeShape, blanks_of, never_looked_at
from damier.solve import solve
from damier.trees.explicit import TreeAnalysis, least_leaves, ordered, search, uniform_tree
from damier.trees.replay import Replay
from damier.trees.tree_text import inner_names, move_names

# The minimal tree: what alpha-beta reads where the best moves come first [KnuthMoore75]. Which branches
# are left does not depend on the numbers, so that none are shown; the key is the search of a tree of that
# shape, its moves in the best order.

SHAPES = (TreeShape(2, 3), TreeShape(3, 2), TreeShape(2, 4), TreeShape(3, 3), TreeShape(4, 2))
"""The shapes of trees of which nothing is said."""
LARGEST = 50


@dataclass(frozen=True)
class MinimalDrill(Drill):
    """A tree without numbers; and another, `far`, of which only the size is told."""

    seed: int
    shape: TreeShape
    far: TreeShape
    found: TreeAnalysis
    kind: str = "minimal"

    @classmethod
    def of(cls, seed: int, shape: TreeShape | None = None) -> MinimalDrill:
        rng = seeded(seed)
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
    def blanks(self) -> list[Blank]:
        """The nodes with moves, but for the root, at which nothing can be cut."""
        return blanks_of(self._end)[1:]

    @property
    def cuts(self) -> dict[str, tuple[str, ...]]:
        """By node, the moves that are cut there."""
        nodes = self.found.tree.nodes
        return {
            nodes[cut.node].name: tuple(move.name for move in nodes[cut.node].moves[cut.child + 1 :])
            for cut in self.found.cuts
        }

    @property
    def known(self) -> tuple[KnownAnswer, ...]:
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
        return (*(blank.cut_field for blank in self.blanks), *self._numbers())

    def picture(self, title: str, note: str, *, solved: bool, headed: bool) -> str:
        below = fill_in_block(self._lines(), self.filled(solved=solved) or NOTHING, LEAST)
        return tree_svg(self._shape(is_key=solved), title, note, below=below, headed=headed)

    def _shape(self, *, is_key: bool) -> Scene:
        """The tree without its numbers; on the key, with what is cut."""
        marks = tuple(Mark("cut" if is_key and mark.known == "cut" else "unseen") for mark in self._end.marks)
        return replace(self._end, marks=marks, thick=frozenset(), here=-1, said="")

    def marked(self, answers: Answers) -> list[Marked]:
        given = {key: text.strip() for key, text in answers.items()}
        cuts = [self._marked_cuts(blank, given.get(f"cut:{blank.name}", "")) for blank in self.blanks]
        return [*cuts, *(each.marked(given) for each in self.known)]

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
        return {f"cut:{name}": " ".join(left) for name, left in self.cuts.items()} | super().right_answers()

    def solution(self) -> list[str]:
        cut = ", ".join(labelled(name, " ".join(left)) for name, left in self.cuts.items())
        known = [f"{each.field.label} {each.reason}" for each in self.known]
        return [_("cut: {moves}", moves=cut or "—"), *known]

    def facts(self) -> JsonObject:
        answers: JsonObject = {"cut": {name: list(left) for name, left in self.cuts.items()}}
        answers |= self.key_facts()
        size: JsonObject = {"branching": self.shape.branching, "plies": self.shape.plies}
        return size | {"far": {"branching": self.far.branching, "plies": self.far.plies}, "answers": answers}

    def lines(self) -> list[str]:
        return [*tree_lines(self._shape(is_key=False)), *(f"{line.text} …" for line in self._lines())]


def formula(shape: TreeShape, value: int) -> str:
    """The formula of Knuth and Moore with its numbers."""
    b, up, down = shape.branching, -(-shape.plies // 2), shape.plies // 2
    return f"{b}^{up} + {b}^{down} − 1 = {value}"


def renamed(tree: Tree) -> Tree:
    """Return the same tree, its nodes A, B, C … ply by ply and its moves a, b, c … from left to right."""
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


# Retrograde analysis by hand: a few positions whose moves can go round in circles, each to be told won,
# lost or drawn for whoever is to move [Thompson86]. They are solved as a game by `damier.solve`.

FEWEST, MOST = 6, 8
ENDS = 2
"""Positions without a move."""
COUNTS = (1, 2, 2)
"""Moves of any other: with more of them, few games are drawn."""
NAMES = "ABCDEFGH"
WANTED: dict[Value, int] = {"win": 2, "draw": 1, "loss": 1}
"""So many positions of each value there are at least, the ends left out."""


class RingState(NamedTuple):
    mover: int
    place: int


@dataclass(frozen=True)
class RetrogradeDrill(Drill):
    """The places that the moves of each position lead to; turns alternate, and who has no move loses."""

    seed: int
    moves: tuple[tuple[int, ...], ...]
    kind: str = "retrograde"

    @classmethod
    def of(cls, seed: int) -> RetrogradeDrill:
        """The first graph of a seed in which everything can be reached, and every value occurs."""
        rng = seeded(seed)
        while True:
            drawn = cls(seed, random_graph(rng))
            if len(reached(drawn.moves)) == len(drawn.moves) and all(
                drawn.count(value) >= least for value, least in WANTED.items()
            ):
                return drawn

    @property
    def names(self) -> str:
        return NAMES[: len(self.moves)]

    def count(self, value: Value) -> int:
        """Positions with a move that are worth so much."""
        pairs = zip(self._worths, self.moves, strict=True)
        return sum(worth == value and bool(below) for (worth, _distance), below in pairs)

    @cached_property
    def _worths(self) -> list[tuple[Value, int | None]]:
        """The value and the distance of every position."""
        found = solve(ring_game(self.moves), job=Job(jit=False), method="retrograde")
        assert isinstance(found, Solution)
        return [value_at(found, place) for place in range(len(self.moves))]

    @property
    def known(self) -> tuple[KnownAnswer, ...]:
        return tuple(
            KnownAnswer(field, worth[0], self._reason(place), hint())
            for place, (field, worth) in enumerate(zip(self.fields(), self._worths, strict=True))
        )

    def _reason(self, place: int) -> str:
        """Return why a position is worth what it is."""
        worths = self._worths
        below = self.moves[place]
        value, distance = worths[place]
        if not below:
            return _("no move: whoever is to move has lost")
        if value == "draw":
            return _("no move to a lost position, and one to a drawn one: {moves}", moves=self._named(below))
        plies = ngettext("in {n} ply", "in {n} plies", distance or 0)
        if value == "loss":
            return _(
                "every move leads to a position won for the other: {moves}", moves=self._named(below)
            ) + (f" ({plies})")
        best = next(move for move in below if worths[move] == ("loss", (distance or 0) - 1))
        return _("to {name}, which is lost for the other", name=NAMES[best]) + f" ({plies})"

    def _named(self, places: tuple[int, ...]) -> str:
        words = {choice.value: choice.shown for choice in values()}
        worths = self._worths
        return ", ".join(f"{NAMES[place]} {words[worths[place][0]]}" for place in places)

    def task(self) -> str:
        return _(
            "An arrow is a move; turns alternate, and whoever has no move has lost. A game may go on for"
            " ever: then it is drawn. Say of every position what it is worth to whoever is to move there:"
            " begin at the ends, and go backwards."
        )

    def fields(self) -> tuple[AnswerField, ...]:
        return tuple(
            AnswerField(f"worth:{name}", _("What is {name} worth?", name=name), "choice", values())
            for name in self.names
        )

    def picture(self, title: str, note: str, *, solved: bool, headed: bool) -> str:
        filled, said = self.filled(solved=solved), note.split("\n") if note else []
        return ring_svg(title, self.names, self.moves, filled, said, headed=headed)

    def solution(self) -> list[str]:
        return [
            together(_("{name}: {value}", name=name, value=each.shown), each.reason)
            for name, each in zip(self.names, self.known, strict=True)
        ]

    def facts(self) -> JsonObject:
        moves: JsonObject = {
            name: [NAMES[place] for place in below]
            for name, below in zip(self.names, self.moves, strict=True)
        }
        distances: JsonObject = {name: worth[1] for name, worth in zip(self.names, self._worths, strict=True)}
        return {"moves": moves, "answers": self.key_facts(), "distances": distances}

    def lines(self) -> list[str]:
        return [
            f"{name} → " + (", ".join(NAMES[place] for place in below) or "—") + "   = …"
            for name, below in zip(self.names, self.moves, strict=True)
        ]


def values() -> tuple[FieldChoice, ...]:
    return FieldChoice("win", _("win")), FieldChoice("draw", _("draw")), FieldChoice("loss", _("loss"))


def hint() -> str:
    return _(
        "one move to a lost position is enough to win; lost is where every move leads to a won one; what is"
        " never reached from the ends is drawn"
    )


def random_graph(rng: list[int]) -> tuple[tuple[int, ...], ...]:
    """Positions with their moves; the first is no end."""
    n = FEWEST + random_below(rng, MOST - FEWEST + 1)
    places = list(range(n))
    ends = {places.pop(1 + random_below(rng, len(places) - 1)) for _end in range(ENDS)}
    moves = []
    for place in range(n):
        others = [other for other in range(n) if other != place]
        count = 0 if place in ends else COUNTS[random_below(rng, len(COUNTS))]
        moves.append(tuple(sorted(others.pop(random_below(rng, len(others))) for _move in range(count))))
    return tuple(moves)


def ring_game(moves: tuple[tuple[int, ...], ...]) -> Game:
    """The positions as a game that begins at the first."""
    sets = tuple(sum(1 << place for place in below) for below in moves)

    def legal(s: RingState) -> int:
        return sets[s.place]

    def play(s: RingState, move: int) -> RingState:
        return RingState(1 - s.mover, position_of(move))

    def outcome(s: RingState) -> int:
        return ONGOING if sets[s.place] else -1

    return Game("ring", RingState(0, 0), legal, play, outcome, bits=(1, 3), most_moves=len(moves))


def reached(moves: tuple[tuple[int, ...], ...]) -> set[int]:
    """The positions that a game can come to, from the first."""
    known, todo = {0}, [0]
    while todo:
        new = set(moves[todo.pop()]) - known
        known |= new
        todo += new
    return known


def value_at(found: Solution, place: int) -> tuple[Value, int | None]:
    """Return what a position is worth, to the first player or else to the second: to both it is the same, and
    one of them may never be to move there.
    """
    try:
        return found.value(RingState(0, place)), found.distance(RingState(0, place))
    except BadInput:
        return found.value(RingState(1, place)), found.distance(RingState(1, place))
