"""Answers to an exercise, each right or wrong, with the reason (rows A-57, A-58 and A-61)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from damier.core.bits import random_below, seeded
from damier.core.board import Grid
from damier.core.json_types import JsonObject
from damier.core.rules import CHANCE
from damier.core.tree import TERMINAL, Mark, Move, Node, Payoffs, Scene, Tree, Value, written_value
from damier.core.words import N_, _, ngettext
from damier.trees.explicit import Algorithm, Cut, TreeAnalysis, search
from damier.trees.replay import Replay, cause_of, cut_facts, mover_name
from damier.trees.tree_text import inner_names

NEAR = 0.01
"""How far an answer may be off: two decimals are enough."""
NUMBER = re.compile(r"[-−]?[0-9]{1,12}(?:\.[0-9]{0,20})?(?:/[0-9]{1,12})?")


class Marked(NamedTuple):
    """A question (its key in the answers), whether the answer is right, why the right one is so;
    and a hint, which says how it is found and not what it is.
    """

    key: str
    is_right: bool
    reason: str
    hint: str


class Blank(NamedTuple):
    """A node to be worked out: its name, its place in the scene, the moves that may be cut there."""

    name: str
    place: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Form:
    """Questions of an exercise: a value at each of the `blanks`; the best move at the root, one of
    `actions`; which moves are cut, if `cuts`.
    """

    blanks: tuple[Blank, ...]
    actions: tuple[str, ...]
    cuts: bool


def form(exercise: Exercise) -> Form:
    """The questions of an exercise, in the order of the nodes' names; nothing of the answers."""
    sheet, tree = exercise.sheet(), exercise.tree
    inner = sorted(
        (place.node, number) for number, place in enumerate(sheet.places) if sheet.roles[number] is not None
    )
    blanks = tuple(
        Blank(tree.nodes[node].name, place, tuple(move.name for move in tree.nodes[node].moves))
        for node, place in inner
    )
    return Form(blanks, blanks[0].moves, exercise.kind == "alphabeta")


def marked(exercise: Exercise, answers: Mapping[str, str]) -> list[Marked]:
    """Every answer marked.

    `answers` has `value:NODE`, `cut:NODE` (names of moves, with blanks between) and `action`; what
    is missing is empty.
    """
    asked, key = form(exercise), exercise.key()
    given = {name: text.strip() for name, text in answers.items()}
    found = [
        marked_value(exercise, key, blank, given.get(f"value:{blank.name}", "")) for blank in asked.blanks
    ]
    if asked.cuts:
        found += [
            marked_cuts(exercise, key, blank, given.get(f"cut:{blank.name}", "")) for blank in asked.blanks
        ]
    best = [asked.actions[number] for number in exercise.found.best]
    reason = _(
        "best at {name}: {moves}, worth {value}",
        name=asked.blanks[0].name,
        moves=", ".join(best),
        value=written_value(exercise.found.value),
    )
    hint = _("the move that leads to the value of {name}", name=asked.blanks[0].name)
    return [*found, Marked("action", given.get("action", "") in best, reason, hint)]


def marked_value(exercise: Exercise, key: Scene, blank: Blank, text: str) -> Marked:
    """The value of a node; of one that is never looked at: nothing."""
    mark, name = key.marks[blank.place], f"value:{blank.name}"
    hint = value_hint(exercise, key, blank)
    if mark.known == "cut":
        return Marked(name, text in ("", "-", "–"), never_looked_at(), hint)
    assert mark.value is not None
    return Marked(name, is_value(text, mark.value), value_reason(exercise, key, blank), hint)


def value_hint(exercise: Exercise, key: Scene, blank: Blank) -> str:
    """Return how the value of a node is found."""
    role = key.roles[blank.place]
    if role == "mean":
        return _("each value below times its probability, all added up")
    if role == "best":
        who = mover_name(exercise.found, key.places[blank.place].node, key.places[blank.place].ply)
        return _("{who} looks at its own number only, and takes the whole line of numbers", who=who)
    if exercise.kind == "alphabeta" and role == "max":
        return _(
            "the largest of what was looked at; from left to right: does the search come here, and does it"
            " go on?"
        )
    if exercise.kind == "alphabeta":
        return _(
            "the smallest of what was looked at; from left to right: does the search come here, and does it"
            " go on?"
        )
    if role == "max":
        return _("MAX takes the largest of what its moves lead to")
    return _("MIN takes the smallest of what its moves lead to")


def never_looked_at() -> str:
    return _("never looked at: it is cut off above")


def is_value(text: str, value: Value) -> bool:
    """Return whether somebody wrote a value; a bound may be written `≤ 3`, and a number for each player in
    brackets or without.
    """
    wanted = value if isinstance(value, tuple) else (value,)
    text = text.lstrip("≤≥<>= ")
    written = numbers(text.replace(",", ".") if len(wanted) == 1 else text)
    return len(written) == len(wanted) and all(
        abs(a - b) <= NEAR for a, b in zip(written, wanted, strict=True)
    )


def numbers(text: str) -> list[float]:
    """The numbers of an answer; none where it holds anything else.

    >>> numbers("(3, -1.5)"), numbers("1/4"), numbers("2,5"), numbers("three")
    ([3.0, -1.5], [0.25], [2.0, 5.0], [])
    """
    words = text.strip("()[] ").replace(",", " ").replace(";", " ").split()
    return [as_number(word) for word in words] if all(NUMBER.fullmatch(word) for word in words) else []


def as_number(word: str) -> float:
    above, _slash, below = word.replace("−", "-").partition("/")
    return float(above) / float(below) if below and float(below) else float("nan") if below else float(above)


def value_reason(exercise: Exercise, key: Scene, blank: Blank) -> str:
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
    if (cut := cut_at(exercise, blank)) is not None:
        return _("returns {value}: {cause}", value=value, cause=cause_of(exercise.found, cut))
    if role == "best":
        who = mover_name(exercise.found, key.places[blank.place].node, key.places[blank.place].ply)
        return _(
            "{who} takes what is most for themselves of {values}: {value}",
            who=who,
            values=values,
            value=value,
        )
    if role == "max":
        return _("MAX takes the largest of {values}: {value}", values=values, value=value)
    return _("MIN takes the smallest of {values}: {value}", values=values, value=value)


def cut_at(exercise: Exercise, blank: Blank) -> Cut | None:
    """The cut at a node, if there is one."""
    return next(
        (cut for cut in exercise.found.cuts if exercise.tree.nodes[cut.node].name == blank.name), None
    )


def marked_cuts(exercise: Exercise, key: Scene, blank: Blank, text: str) -> Marked:
    """Return which moves of a node are cut there."""
    cut = cut_at(exercise, blank)
    left = set(blank.moves[cut.child + 1 :]) if cut else set()
    if key.marks[blank.place].known == "cut":
        reason = never_looked_at()
    elif cut is None:
        reason = _("nothing is cut here")
    else:
        reason = _("{cause}; cut: {left}", cause=cause_of(exercise.found, cut), left=", ".join(sorted(left)))
    return Marked(
        f"cut:{blank.name}", set(text.split()) == left, reason, cut_hint(key.roles[blank.place] or "")
    )


def cut_hint(role: str) -> str:
    """Return when moves are cut."""
    if role == "max":
        return _("carry β down: MAX stops as soon as it has found β or more; all that is left is cut")
    return _("carry α down: MIN stops as soon as it has found α or less; all that is left is cut")


def marked_quiz(quiz: Quiz, answers: Mapping[str, str]) -> list[Marked]:
    """The quiz on evaluations marked.

    `answers` has `left:NUMBER`, `right:NUMBER` and `prefers:NUMBER`, evaluations counted from 0.
    """
    words = {"left": _("the left"), "right": _("the right"), "neither": _("neither")}
    found = []
    for number, (name, evaluation) in enumerate(EVALUATIONS.items()):
        for side, room in zip(("left", "right"), quiz.rooms, strict=True):
            value = round(evaluation(room), 3)
            reason = _(
                "d(food) = {food}, d(ghost) = {ghost}: {value}",
                food=room.to_food,
                ghost=room.to_ghost,
                value=written_value(value),
            )
            is_right = is_value(answers.get(f"{side}:{number}", ""), value)
            hint = _("count d(food) and d(ghost) first: steps to the right or left, and up or down")
            found.append(Marked(f"{side}:{number}", is_right, reason, hint))
        wanted = preferred(quiz, name)
        is_right = answers.get(f"prefers:{number}", "") == wanted
        reason = _("the larger number is preferred: {side}", side=words[wanted])
        hint = _("the position with the larger number is preferred")
        found.append(Marked(f"prefers:{number}", is_right, reason, hint))
    return found


# Random trees to work out by hand, and their keys (rows: the quizzes of document
# [S2], whose pictures are lost).

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
    """Return what stands in a leaf."""
    value = exercise.tree.nodes[node].value
    return value if value is None or exercise.kind == "maxn" else value[0]


def exercise(kind: Algorithm, seed: int, shape: TreeShape) -> Exercise:
    """An exercise of a kind: the same seed gives the same.

    Among TRIES trees the first that has one best move, and cuts where they are asked for.
    """
    tried: list[Exercise] = []
    for stream in range(TRIES):
        if tried and is_good(tried[-1], shape):
            return tried[-1]
        tried.append(Exercise(search(random_tree(kind, seed, stream, shape), kind, trace=True)))
    return max(tried, key=lambda each: (len(each.found.cuts), -len(each.found.best)))


def is_good(exercise: Exercise, shape: TreeShape) -> bool:
    """Return whether the answer is clear, and there is something to be found."""
    wanted = WANTED_CUTS if exercise.kind == "alphabeta" and shape.plies > 1 else 0
    return len(exercise.found.best) == 1 and len(exercise.found.cuts) >= wanted


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
    """Return who moves: the players in turn; every second time chance, where the mean is asked for."""
    return (CHANCE if ply % 2 else 0) if kind == "expectimax" else ply % players


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


def task(exercise: Exercise) -> str:
    """Return what is asked."""
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
            value=written_value(found.value),
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


# The evaluation quiz (row A-57): two positions of Pacman, four evaluations; which of them prefer
# the left one?
#
#     1 / d(food)     d(ghost)     d(ghost) + 1 / d(food)     d(ghost) + 1000 / d(food)
#
# d is the number of steps in an open room, rows and columns added. No value is that of a real game:
# the quiz is about what a formula weighs.

WIDTH, HEIGHT = 7, 4
Cell = tuple[int, int]
"""Column and row, from the top left."""


@dataclass(frozen=True)
class Room:
    """An open room with Pacman, a ghost and one food, in different cells."""

    pacman: Cell
    ghost: Cell
    food: Cell

    @property
    def to_food(self) -> int:
        return steps(self.pacman, self.food)

    @property
    def to_ghost(self) -> int:
        return steps(self.pacman, self.ghost)

    @property
    def grid(self) -> Grid:
        marks = {self.pacman: "P", self.ghost: "G", self.food: "·"}
        rows = tuple(
            "".join(marks.get((column, row), " ") for column in range(WIDTH)) for row in range(HEIGHT)
        )
        return Grid(rows, {"P": "pacman", "G": "ghost", "·": "food"})


@dataclass(frozen=True)
class Quiz:
    left: Room
    right: Room

    @property
    def rooms(self) -> tuple[Room, Room]:
        return self.left, self.right


EVALUATIONS: Final[Mapping[str, Callable[[Room], float]]] = {
    N_("1 / d(food)"): lambda room: 1 / room.to_food,
    N_("d(ghost)"): lambda room: room.to_ghost,
    N_("d(ghost) + 1 / d(food)"): lambda room: room.to_ghost + 1 / room.to_food,
    N_("d(ghost) + 1000 / d(food)"): lambda room: room.to_ghost + 1000 / room.to_food,
}


def steps(a: Cell, b: Cell) -> int:
    """Steps from one cell to another."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def quiz(seed: int) -> Quiz:
    """The first two rooms of a seed about which the evaluations disagree, none of them undecided."""
    rng = seeded(seed)
    while True:
        drawn = Quiz(random_room(rng), random_room(rng))
        if {preferred(drawn, name) for name in EVALUATIONS} == {"left", "right"}:
            return drawn


def random_room(rng: list[int]) -> Room:
    """Three different cells."""
    free = [(column, row) for column in range(WIDTH) for row in range(HEIGHT)]
    pacman, ghost, food = (free.pop(random_below(rng, len(free))) for _piece in range(3))
    return Room(pacman, ghost, food)


def preferred(quiz: Quiz, name: str) -> str:
    """Return which position an evaluation prefers: left, right, or neither."""
    left, right = (EVALUATIONS[name](room) for room in quiz.rooms)
    return "left" if left > right else "right" if right > left else "neither"


def quiz_task() -> str:
    """Return what is asked."""
    return _(
        "d counts the steps to Pacman, rows and columns added. What does each evaluation give, and which"
        " position does it prefer?"
    )


def quiz_solution(quiz: Quiz) -> list[str]:
    """The answers in sentences."""
    words = {"left": _("prefers the left"), "right": _("prefers the right"), "neither": _("prefers neither")}
    said = [
        _(
            "left: d(food) = {a}, d(ghost) = {b}; right: d(food) = {c}, d(ghost) = {d}",
            a=quiz.left.to_food,
            b=quiz.left.to_ghost,
            c=quiz.right.to_food,
            d=quiz.right.to_ghost,
        )
    ]
    for name, evaluation in EVALUATIONS.items():
        left, right = (written_value(round(evaluation(room), 3)) for room in quiz.rooms)
        said.append(
            _(
                "{name}: left {left}, right {right}; {prefers}",
                name=_(name),
                left=left,
                right=right,
                prefers=words[preferred(quiz, name)],
            )
        )
    return said


def facts(quiz: Quiz) -> JsonObject:
    """The quiz and its key as plain data."""
    rooms: list[JsonObject] = [
        {"board": list(room.grid.rows), "pacman": room.pacman, "ghost": room.ghost, "food": room.food}
        for room in quiz.rooms
    ]
    answers: JsonObject = {
        name: {
            "left": evaluation(quiz.left),
            "right": evaluation(quiz.right),
            "prefers": preferred(quiz, name),
        }
        for name, evaluation in EVALUATIONS.items()
    }
    return {"positions": dict(zip(("left", "right"), rooms, strict=True)), "answers": answers}
