"""Random trees to work out by hand, their keys, and answers marked, each with the reason (rows A-58 and A-61:
the quizzes of document [S2], whose pictures are lost); the minimal tree of alpha-beta; retrograde analysis.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from damier.core.bits import position_of, random_below, seeded
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.core.rules import CHANCE, ONGOING
from damier.core.solution import Solution, Value
from damier.core.tree import TERMINAL, Mark, Move, Node, Payoffs, Scene, Tree, written_value
from damier.core.words import _, labelled, ngettext, together
from damier.draw.education import ring_svg
from damier.draw.svg import LEAST, NOTHING, FillInLine, fill_in_block
from damier.draw.tree import legend, tree_lines, tree_svg
from damier.lab.exercises import (
    AnswerField,
    Answers,
    Drill,
    FieldChoice,
    FieldKind,
    KnownAnswer,
    Marked,
    is_value,
)
from damier.solve import solve
from damier.trees.explicit import Algorithm, Cut, TreeAnalysis, least_leaves, ordered, search, uniform_tree
from damier.trees.replay import Replay, cause_of, cut_facts, mover_name
from damier.trees.tree_text import facts, inner_names, move_names, written

TRIES = 300
"""How many trees are looked at for one that asks something."""
WANTED_CUTS = 2
SHARES = {
    2: ((0.5, 0.5), (0.25, 0.75), (0.75, 0.25)),
    3: ((0.25, 0.25, 0.5), (0.25, 0.5, 0.25), (0.5, 0.25, 0.25)),
}
"""Probabilities that are easy to reckon with, by the number of moves."""


class TreeShape(NamedTuple):
    """Difficulty: at most so many moves at a node, so many plies, so many players."""

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


class Blank(NamedTuple):
    """A node to be worked out: its name, its place in the scene, the moves that may be cut there."""

    name: str
    place: int
    moves: tuple[str, ...]

    @property
    def cut_field(self) -> AnswerField:
        """The branches that may be cut there: all but the first, which is always looked at."""
        choices = tuple(
            FieldChoice(move, _("{name}: move {move} is cut", name=self.name, move=move))
            for move in self.moves[1:]
        )
        label = _("Branches cut at {name}", name=self.name)
        return AnswerField(f"cut:{self.name}", label, "branches", choices, self.name)


def blanks_of(scene: Scene) -> list[Blank]:
    """The nodes of a tree that have moves: what is asked there, nothing of the answers."""
    found = [(number, scene.tree.nodes[place.node]) for number, place in enumerate(scene.places)]
    return [
        Blank(node.name, number, tuple(move.name for move in node.moves))
        for number, node in found
        if scene.roles[number] is not None
    ]


class CutDrill(Drill):
    """A tree whose search is `found`, and of which it is asked what is cut."""

    found: TreeAnalysis

    @property
    def cuts(self) -> dict[str, tuple[str, ...]]:
        """By node, the moves that are cut there."""
        nodes = self.found.tree.nodes
        return {
            nodes[cut.node].name: tuple(move.name for move in nodes[cut.node].moves[cut.child + 1 :])
            for cut in self.found.cuts
        }

    def marked_cuts(self, end: Scene, blank: Blank, answers: Answers, why: str, hint: str) -> Marked:
        """Mark what is cut at a node; `why` is said of one that the search looks at, as its `end` shows."""
        key = f"cut:{blank.name}"
        is_right = set(answers.get(key, "").split()) == set(self.cuts.get(blank.name, ()))
        reason = never_looked_at() if end.marks[blank.place].known == "cut" else why
        return Marked(key, is_right, reason, hint)

    def right_answers(self) -> dict[str, str]:
        return {f"cut:{name}": " ".join(left) for name, left in self.cuts.items()} | super().right_answers()


@dataclass(frozen=True)
class TreeDrill(CutDrill):
    """A tree and its search, told step by step; boxes are in its nodes, branches are cut or chosen."""

    kind: Algorithm
    seed: int
    found: TreeAnalysis

    @classmethod
    def of(cls, kind: Algorithm, seed: int, shape: TreeShape) -> TreeDrill:
        """Among TRIES trees the first that has one best move, and cuts where they are asked for."""
        tried: list[TreeDrill] = []
        for stream in range(TRIES):
            if tried and tried[-1].is_good(shape):
                return tried[-1]
            tried.append(cls(kind, seed, search(random_tree(kind, seed, stream, shape), kind, trace=True)))
        return max(tried, key=lambda each: (len(each.found.cuts), -len(each.found.best)))

    def is_good(self, shape: TreeShape) -> bool:
        """Return whether the answer is clear, and there is something to be found."""
        wanted = WANTED_CUTS if self.kind == "alphabeta" and shape.plies > 1 else 0
        return len(self.found.best) == 1 and len(self.found.cuts) >= wanted

    @property
    def tree(self) -> Tree:
        return self.found.tree

    def key(self) -> Scene:
        """The tree worked out."""
        return Replay(self.found).scene()

    def sheet(self) -> Scene:
        """The tree to be filled in: only its leaves are known."""
        blank = Replay(self.found).blank
        marks = tuple(
            Mark("blank") if role else Mark("done", self._leaf_value(place.node))
            for role, place in zip(blank.roles, blank.places, strict=True)
        )
        return replace(blank, marks=marks)

    def _leaf_value(self, node: int) -> Payoffs | float | None:
        value = self.tree.nodes[node].value
        return value if value is None or self.kind == "maxn" else value[0]

    def tree_text(self) -> str:
        return written(self.tree)

    @property
    def blanks(self) -> list[Blank]:
        """The nodes to be worked out, in the order of their names."""
        sheet = self.sheet()
        return sorted(blanks_of(sheet), key=lambda blank: sheet.places[blank.place].node)

    def task(self) -> str:
        """Return what is asked."""
        if self.kind == "maxn":
            return _(
                "A leaf holds the payoffs of player 1, 2, …. Every player takes the most for themselves; of"
                " equal moves, the first. Values? Move at A?"
            )
        if self.kind == "expectimax":
            return _(
                "The number on a branch below ● is its probability. Fill in the value of every node. Which"
                " move is best at A?"
            )
        if self.kind == "alphabeta":
            return _(
                "From left to right, cutting at equality too: what does each node return? Cross out the"
                " branches that are cut. Move at A?"
            )
        if self.tree.players > 2:
            return _(
                "MAX plays against several opponents, who all minimise. Fill in the value of every node."
                " Which move is best at A?"
            )
        return _("Fill in the value of every node. Which move is best at A?")

    def fields(self) -> tuple[AnswerField, ...]:
        """The questions as somebody works them out: what is below a node before the node itself."""
        root, *_others = self.blanks
        blanks = self._from_below()
        kind: FieldKind = "numbers" if self.kind == "maxn" else "number"
        values = [
            AnswerField(f"value:{blank.name}", _("Value of {name}", name=blank.name), kind)
            for blank in blanks
        ]
        cuts = [blank.cut_field for blank in blanks if blank != root] if self.kind == "alphabeta" else []
        choices = tuple(
            FieldChoice(move, _("{name}: {move} is the best move", name=root.name, move=move))
            for move in root.moves
        )
        action = AnswerField("action", _("Best move at {name}", name=root.name), "branch", choices, root.name)
        return (*values, *cuts, action)

    def _from_below(self) -> list[Blank]:
        by_place = {blank.place: blank for blank in self.blanks}
        below = self.sheet().children()
        found: list[Blank] = []
        todo = [(0, False)]
        while todo:
            place, is_done = todo.pop()
            if is_done:
                found.append(by_place[place])
            elif place in by_place:
                todo.append((place, True))
                todo += [(child, False) for child in reversed(below[place])]
        return found

    def picture(self, title: str, note: str = "", *, solved: bool = False, headed: bool = True) -> str:
        return tree_svg(self.key() if solved else self.sheet(), title, note, headed=headed)

    def marked(self, answers: Answers) -> list[Marked]:
        """Every answer marked; the root is never cut at, so nothing is asked about that.

        `answers` has `value:NODE`, `cut:NODE` (names of moves, with blanks between) and `action`.
        """
        key, blanks = self.key(), self.blanks
        root = blanks[0]
        given = {name: text.strip() for name, text in answers.items()}
        found = [self._marked_value(key, blank, given.get(f"value:{blank.name}", "")) for blank in blanks]
        if self.kind == "alphabeta":
            cuts = [blank for blank in blanks if blank.name != root.name]
            found += [self.marked_cuts(key, blank, given, *self._about_cuts(key, blank)) for blank in cuts]
        best = [root.moves[number] for number in self.found.best]
        reason = _(
            "best at {name}: {moves}, worth {value}",
            name=root.name,
            moves=", ".join(best),
            value=written_value(self.found.value),
        )
        hint = _("the move that leads to the value of {name}", name=root.name)
        return [*found, Marked("action", given.get("action", "") in best, reason, hint)]

    def _marked_value(self, key: Scene, blank: Blank, text: str) -> Marked:
        """The value of a node; of one that is never looked at: nothing."""
        mark, name = key.marks[blank.place], f"value:{blank.name}"
        hint = self._value_hint(key, blank)
        if mark.known == "cut":
            return Marked(name, text in ("", "-", "–"), never_looked_at(), hint)
        assert mark.value is not None
        return Marked(name, is_value(text, mark.value), self._value_reason(key, blank), hint)

    def _value_hint(self, key: Scene, blank: Blank) -> str:
        """Return how the value of a node is found."""
        role = key.roles[blank.place]
        if role == "mean":
            return _("each value below times its probability, all added up")
        if role == "best":
            who = mover_name(self.found, key.places[blank.place].node, key.places[blank.place].ply)
            return _("{who} looks at its own number only, and takes the whole line of numbers", who=who)
        if self.kind == "alphabeta" and role == "max":
            return _(
                "the largest of what was looked at; from left to right: does the search come here, and does"
                " it go on?"
            )
        if self.kind == "alphabeta":
            return _(
                "the smallest of what was looked at; from left to right: does the search come here, and does"
                " it go on?"
            )
        if role == "max":
            return _("MAX takes the largest of what its moves lead to")
        return _("MIN takes the smallest of what its moves lead to")

    def _value_reason(self, key: Scene, blank: Blank) -> str:
        """Return where the value of a node comes from: what is below it."""
        below = key.children()[blank.place]
        known = [place for place in below if key.marks[place].known == "done"]
        values = ", ".join(written_value(key.marks[place].value) for place in known)
        value, role = written_value(key.marks[blank.place].value), key.roles[blank.place]
        if role == "mean":
            moves = key.tree.nodes[key.places[blank.place].node].moves
            terms = " + ".join(
                f"{written_value(move.probability)} · {written_value(key.marks[place].value)}"
                for move, place in zip(moves, known, strict=True)
            )
            return _("{terms} = {value}", terms=terms, value=value)
        if (cut := self._cut_at(blank)) is not None:
            return _("returns {value}: {cause}", value=value, cause=cause_of(self.found, cut))
        if role == "best":
            who = mover_name(self.found, key.places[blank.place].node, key.places[blank.place].ply)
            return _(
                "{who} takes what is most for themselves of {values}: {value}",
                who=who,
                values=values,
                value=value,
            )
        if role == "max":
            return _("MAX takes the largest of {values}: {value}", values=values, value=value)
        return _("MIN takes the smallest of {values}: {value}", values=values, value=value)

    def _cut_at(self, blank: Blank) -> Cut | None:
        """The cut at a node, if there is one."""
        return next((cut for cut in self.found.cuts if self.tree.nodes[cut.node].name == blank.name), None)

    def _about_cuts(self, key: Scene, blank: Blank) -> tuple[str, str]:
        """Return why moves of a node are cut there, or none, and how one finds out."""
        cut, left = self._cut_at(blank), ", ".join(sorted(self.cuts.get(blank.name, ())))
        return (
            _("{cause}; cut: {left}", cause=cause_of(self.found, cut), left=left)
            if cut
            else _("nothing is cut here"),
            _("carry β down: MAX stops as soon as it has found β or more; all that is left is cut")
            if key.roles[blank.place] == "max"
            else _("carry α down: MIN stops as soon as it has found α or less; all that is left is cut"),
        )

    def right_answers(self) -> dict[str, str]:
        key = self.key()
        right = {
            f"value:{blank.name}": written_value(key.marks[blank.place].value).strip("()")
            for blank in self.blanks
            if key.marks[blank.place].known == "done"
        }
        return (
            right
            | super().right_answers()
            | {"action": self.tree.nodes[self.tree.root].moves[self.found.best[0]].name}
        )

    def solution(self) -> list[str]:
        """The answers in sentences: the decision, and the reason of each cut."""
        found = self.found
        root = found.tree.nodes[found.tree.root]
        best = [root.moves[number].name for number in found.best]
        lines = [
            ngettext(
                "value {value}; best move at A: {moves}",
                "value {value}; best moves at A: {moves}",
                len(best),
                value=written_value(found.value),
                moves=", ".join(best),
            )
        ]
        for cut in found.cuts:
            node = found.tree.nodes[cut.node].name
            left = ", ".join(self.cuts[node])
            lines.append(_("{node}: {cause}; cut: {left}", node=node, cause=cause_of(found, cut), left=left))
        return lines

    def key_facts(self) -> JsonObject:
        """The key as plain data. A node of which only a bound is known stands in `bounds` too."""
        found, key = self.found, self.key()
        names = [found.tree.nodes[place.node].name for place in key.places]
        inner = [
            (name, mark)
            for name, mark, role in zip(names, key.marks, key.roles, strict=True)
            if role is not None
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

    def facts(self) -> JsonObject:
        return {"tree": facts(self.tree), "answers": self.key_facts()}

    def lines(self) -> list[str]:
        sheet = self.sheet()
        return [*tree_lines(sheet), legend(sheet)]


def never_looked_at() -> str:
    return _("never looked at: it is cut off above")


def random_tree(kind: Algorithm, seed: int, stream: int, shape: TreeShape) -> Tree:
    """A tree whose inner nodes are A, B, C … ply by ply, their moves a, b, c …"""
    rng = seeded(seed, stream)
    nodes: list[Node] = []
    planned = [("A", 0)]  # name and ply; grows while it is read
    names = inner_names()
    next(names)
    for name, ply in planned:
        if ply == shape.plies:
            nodes.append(Node(name, TERMINAL, (), random_value(kind, rng, shape.players), None))
            continue
        moves = [chr(ord("a") + number) for number in range(2 + random_below(rng, shape.branching - 1))]
        # the players in turn; every second time chance, where the mean is asked for
        player = (CHANCE if ply % 2 else 0) if kind == "expectimax" else ply % shape.players
        first = len(planned)
        planned += [(f"{name},{move}" if ply + 1 == shape.plies else next(names), ply + 1) for move in moves]
        shares = random_shares(rng, len(moves)) if player == CHANCE else [1 / len(moves)] * len(moves)
        children = tuple(
            Move(move, first + number, share)
            for number, (move, share) in enumerate(zip(moves, shares, strict=True))
        )
        nodes.append(Node(name, player, children, None, None))
    return Tree(tuple(nodes), 0, shape.players)


def random_value(kind: Algorithm, rng: list[int], players: int) -> Payoffs:
    """Return what a leaf is worth: small numbers; multiples of four where quarters of them are taken."""
    if kind == "maxn":
        return tuple(random_below(rng, 10) for _player in range(players))
    value = 4 * (1 + random_below(rng, 10)) if kind == "expectimax" else 1 + random_below(rng, 20)
    return (value, -value) if players == 2 else (value,)


def random_shares(rng: list[int], n: int) -> Sequence[float]:
    """Return how likely each of `n` moves of chance is."""
    choices = SHARES.get(n, ((1 / n,) * n,))
    return choices[random_below(rng, len(choices))]


# The minimal tree: what alpha-beta reads where the best moves come first [KnuthMoore75]. Which branches
# are left does not depend on the numbers, so that none are shown; the key is the search of a tree of that
# shape, its moves in the best order.

SHAPES = (TreeShape(2, 3), TreeShape(3, 2), TreeShape(2, 4), TreeShape(3, 3), TreeShape(4, 2))
"""The shapes of trees of which nothing is said."""
LARGEST = 50


@dataclass(frozen=True)
class MinimalDrill(CutDrill):
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
    def known(self) -> tuple[KnownAnswer, ...]:
        b, m = self.shape.branching, self.shape.plies
        read, far = self.found.reads, least_leaves(self.far.branching, self.far.plies)
        hint = _("b to the power of half the plies rounded up, plus the same rounded down, minus 1")
        fields = [AnswerField(line.key, line.text, "number") for line in self._lines()]
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
        return (*(blank.cut_field for blank in self.blanks), *super().fields())

    def picture(self, title: str, note: str = "", *, solved: bool = False, headed: bool = True) -> str:
        below = fill_in_block(self._lines(), self.filled(solved=solved) or NOTHING, LEAST)
        return tree_svg(self._shape(is_key=solved), title, note, below=below, headed=headed)

    def _shape(self, *, is_key: bool) -> Scene:
        """The tree without its numbers; on the key, with what is cut."""
        marks = tuple(Mark("cut" if is_key and mark.known == "cut" else "unseen") for mark in self._end.marks)
        return replace(self._end, marks=marks, thick=frozenset(), here=-1, sentence="")

    def marked(self, answers: Answers) -> list[Marked]:
        given = {key: text.strip() for key, text in answers.items()}
        hint = _(
            "along the first moves everything is looked at; beside that line one reply is enough for who"
            " refutes, and every move is needed of who is refuted"
        )
        cuts = [
            self.marked_cuts(self._end, blank, given, self._why_cut(blank), hint) for blank in self.blanks
        ]
        return [*cuts, *(each.marked(given) for each in self.known)]

    def _why_cut(self, blank: Blank) -> str:
        if left := self.cuts.get(blank.name, ()):
            return _("its first move refutes it: that is enough; cut: {left}", left=", ".join(left))
        return _("every move must be looked at here")

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
        pairs = zip(self._solved, self.moves, strict=True)
        return sum(found == value and bool(below) for (found, _distance), below in pairs)

    @cached_property
    def _solved(self) -> list[tuple[Value, int | None]]:
        """The value and the distance of every position."""
        found = solve(ring_game(self.moves), job=Job(jit=False), method="retrograde")
        assert isinstance(found, Solution)
        return [value_at(found, place) for place in range(len(self.moves))]

    @property
    def known(self) -> tuple[KnownAnswer, ...]:
        return tuple(
            KnownAnswer(
                AnswerField(f"worth:{name}", _("What is {name} worth?", name=name), "choice", values()),
                value,
                self._reason(place),
                hint(),
            )
            for place, (name, (value, _distance)) in enumerate(zip(self.names, self._solved, strict=True))
        )

    def _reason(self, place: int) -> str:
        """Return why a position is worth what it is."""
        below = self.moves[place]
        value, distance = self._solved[place]
        if not below:
            return _("no move: whoever is to move has lost")
        if value == "draw":
            return _("no move to a lost position, and one to a drawn one: {moves}", moves=self._named(below))
        plies = ngettext("in {n} ply", "in {n} plies", distance or 0)
        if value == "loss":
            return _(
                "every move leads to a position won for the other: {moves}", moves=self._named(below)
            ) + (f" ({plies})")
        best = next(move for move in below if self._solved[move] == ("loss", (distance or 0) - 1))
        return _("to {name}, which is lost for the other", name=NAMES[best]) + f" ({plies})"

    def _named(self, places: tuple[int, ...]) -> str:
        words = {choice.value: choice.text for choice in values()}
        return ", ".join(f"{NAMES[place]} {words[self._solved[place][0]]}" for place in places)

    def task(self) -> str:
        return _(
            "An arrow is a move; turns alternate, and whoever has no move has lost. A game may go on for"
            " ever: then it is drawn. Say of every position what it is worth to whoever is to move there:"
            " begin at the ends, and go backwards."
        )

    def picture(self, title: str, note: str = "", *, solved: bool = False, headed: bool = True) -> str:
        filled, lines = self.filled(solved=solved), note.split("\n") if note else []
        return ring_svg(title, self.names, self.moves, filled, lines, headed=headed)

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
        distances: JsonObject = {
            name: distance for name, (_value, distance) in zip(self.names, self._solved, strict=True)
        }
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
