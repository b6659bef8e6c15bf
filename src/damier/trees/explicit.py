"""Minimax, alpha-beta, expectimax and max^n on an explicit tree, step by step (document [S2], rows
A-50 to A-52, A-59 and A-60; D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning",
Artificial Intelligence 6 (1975) [KnuthMoore75]; C. A. Luckhardt and K. B. Irani, "An algorithmic
solution of N-person games", AAAI (1986) [LuckhardtIrani86]).

    value(s) = what an end is worth,
               or max | min | mean | best for its mover  of  value(s') over the moves of s

Nothing calls itself: a tree may be deeper than Python's stack. A node is searched as often as moves
lead to it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import fsum, inf
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from damier.core.analysis import PERFECT_INFORMATION, Evaluation, plain_number, require, summed
from damier.core.bits import random_below, random_unit, seeded
from damier.core.display import Displayed
from damier.core.errors import BadFile, BadInput, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.json_data import parse_json
from damier.core.rules import CHANCE, State
from damier.core.tree import (
    TERMINAL,
    Move,
    Node,
    Number,
    Payoffs,
    Place,
    Role,
    Step,
    StepKind,
    Tree,
    Value,
    is_end,
    size_of,
    to_player,
    unfolded,
    written_value,
)
from damier.core.words import N_, FormattedNumber, _, grouped, message
from damier.trees.tree_text import inner_names, move_names, parse, tree_of

Algorithm: TypeAlias = Literal["minimax", "alphabeta", "expectimax", "maxn"]
Prune: TypeAlias = Literal["weak", "strict"]
V = TypeVar("V")

MOST_NODES = 5_000_000
"""The most nodes of a search: where many moves lead to a node, a small file holds a tree without
end.
"""
MOST_TRACED = 1_000_000
"""The most of a search that is told step by step."""


@dataclass
class Cut:
    """The rest of a node's moves was left out: after move `child` it was worth `value`, which the
    other side, sure of `bound`, avoids.
    """

    node: int
    child: int
    role: Role
    value: Number
    bound: Number


@dataclass
class TreeAnalysis(Displayed):
    """Result of a search of a tree, and how it was found.

    Nodes are numbers; the moves of the root are in their order.

    Attributes:
        values: what each move of the root leads to: always true, found apart where pruning hides it
        generated: the root, and every node looked at as a child
        evaluated: those whose number was read
        nodes: how many nodes were searched, each as often as it was reached
        reads: at how many of them a number was read
    """

    tree: Tree
    algorithm: Algorithm
    plies: int | None
    prune: Prune
    value: Value = 0
    values: list[Value] = field(default_factory=list)
    generated: dict[int, None] = field(default_factory=dict)  # in order, as those evaluated
    evaluated: dict[int, None] = field(default_factory=dict)
    cuts: list[Cut] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    nodes: int = 0
    reads: int = 0

    @property
    def best(self) -> list[int]:
        """The numbers of the best moves of the root."""
        root = self.tree.nodes[self.tree.root]
        if not self.values:
            return []
        mover = self.tree.mover(self.tree.root, 0)
        role = role_of(self.algorithm, mover)
        values = [to_player(value, mover) for value in self.values]
        wanted = min(values) if role == "min" else max(values)
        return (
            [number for number, _move in enumerate(root.moves) if values[number] == wanted]
            if role != "mean"
            else []
        )


@dataclass
class OpenNode:
    """A node on the path that is being searched."""

    node: int
    ply: int
    role: Role
    mover: int
    moves: tuple[Move, ...]
    alpha: Number
    beta: Number
    value: Any  # a Number for max and min, for the others a Value; None where nothing is known yet
    tried: int = 0
    values: list[Value] = field(default_factory=list)


def role_of(algorithm: Algorithm, mover: int) -> Role:
    """Return what a mover does with the values of its moves."""
    if mover == CHANCE or (algorithm == "expectimax" and mover != 0):
        return "mean"
    if algorithm == "maxn":
        return "best"
    return "max" if mover == 0 else "min"


def search(
    tree: Tree, algorithm: Algorithm, plies: int | None = None, prune: Prune = "weak", *, trace: bool = False
) -> TreeAnalysis:
    """Searches a tree from its root, `plies` moves deep at most.

    Raises BadInput where a number is missing, Unsuitable for a wrong algorithm, LimitReached for a
    search without end.
    """
    refuse_wrong_algorithm(tree, algorithm)
    most = MOST_TRACED if trace else MOST_NODES
    if (size := size_of(tree, plies).nodes) > most:  # why begin
        if algorithm != "alphabeta":  # it searches them all
            raise too_many(most, size)
        if fewest_reads(tree, plies) > most:
            raise LimitReached(
                message(
                    "more than {n} nodes to search even with the best moves first, each as often as moves"
                    " lead to it: give fewer --plies",
                    n=FormattedNumber(most, ","),
                ),
                {"nodes": most},
            )
    found = TreeAnalysis(tree, algorithm, plies, prune)
    Search(found, most, trace).run()
    # alpha-beta says of the moves of the root only which are not better: their values are found apart
    if algorithm == "alphabeta" and found.values:
        found.values = true_values(tree, plies)
    return found


def too_many(most: int, size: int | None = None) -> LimitReached:
    """Return what is said of a search without end."""
    if size is None:
        return LimitReached(
            message(
                "more than {n} nodes searched, each as often as moves lead to it: give fewer --plies",
                n=FormattedNumber(most, ","),
            ),
            {"nodes": most},
        )
    text = _(
        "{n} nodes to search, each as often as moves lead to it; up to {most} are searched: give fewer"
        " --plies",
        n=_("more than {n}", n=grouped(UNCOUNTED)) if size > UNCOUNTED else grouped(size),
        most=grouped(most),
    )
    return LimitReached(text, {"nodes": size})


def refuse_wrong_algorithm(tree: Tree, algorithm: Algorithm) -> None:
    """Raises Unsuitable where an algorithm cannot handle a tree."""
    chance = next((node.name for node in tree.nodes if node.player == CHANCE), None)
    if chance is not None and algorithm in ("minimax", "alphabeta"):
        raise Unsuitable(
            message(
                "{algorithm}: chance moves at node {name}; expectimax and maxn average over its moves",
                algorithm=algorithm,
                name=chance,
            )
        )


@dataclass
class Search:
    """One search under way.

    Attributes:
        found: what it has found so far
        most: how many nodes it may search
        path: to the node that is being searched
    """

    found: TreeAnalysis
    most: int
    trace: bool
    path: list[OpenNode] = field(default_factory=list)

    def run(self) -> None:
        found = self.found
        found.generated[found.tree.root] = None
        value = self._enter(found.tree.root, 0, -inf, inf)
        while self.path:
            frame = self.path[-1]
            if value is not None:
                if len(self.path) == 1:
                    found.values.append(value)
                self._update(frame, value)
            if frame.tried < len(frame.moves) and (value is None or not self._cuts(frame)):
                child = frame.moves[frame.tried].child
                frame.tried += 1
                found.generated[child] = None
                window = (-inf, inf) if frame.role == "mean" else (frame.alpha, frame.beta)
                value = self._enter(child, frame.ply + 1, *window)
            else:
                value = frame.value
                self._step("return", frame.node, frame.ply, value, frame.alpha, frame.beta)
                self.path.pop()
        assert value is not None
        found.value = value

    def _enter(self, number: int, ply: int, alpha: Number, beta: Number) -> Value | None:
        """Starts with a node; its value at once if nothing below it is searched."""
        found = self.found
        found.nodes += 1
        if found.nodes > self.most:
            raise too_many(self.most)
        node = found.tree.nodes[number]
        if node.player == TERMINAL or ply == found.plies:
            found.evaluated[number] = None
            found.reads += 1
            value = number_at(found.tree, number, found.algorithm)
            self._step("leaf", number, ply, value, alpha, beta)
            return value
        mover = found.tree.mover(number, ply)
        role = role_of(found.algorithm, mover)
        self._step("enter", number, ply, None, alpha, beta)
        start: Value | None = -inf if role == "max" else inf if role == "min" else None
        self.path.append(OpenNode(number, ply, role, mover, node.moves, alpha, beta, start))
        return None

    def _update(self, frame: OpenNode, value: Value) -> None:
        """Takes the value of the move just tried into account."""
        if frame.role == "max":
            frame.value = max(frame.value, value)
        elif frame.role == "min":
            frame.value = min(frame.value, value)
        elif frame.role == "best":
            if frame.value is None or to_player(value, frame.mover) > to_player(frame.value, frame.mover):
                frame.value = value
        else:
            frame.values.append(value)
            if len(frame.values) == len(frame.moves):  # a mean of some of them says nothing yet
                frame.value = mean(
                    frame.values, [1.0 if frame.mover != CHANCE else move.probability for move in frame.moves]
                )
        if self.found.algorithm == "alphabeta" and not self._beyond(frame):
            frame.alpha = max(frame.alpha, frame.value) if frame.role == "max" else frame.alpha
            frame.beta = min(frame.beta, frame.value) if frame.role == "min" else frame.beta
        self._step("update", frame.node, frame.ply, frame.value, frame.alpha, frame.beta, frame.tried - 1)

    def _beyond(self, frame: OpenNode) -> bool:
        """Return whether the other side will not let this node come up: at equality too where pruning is
        weak, as in the slides.
        """
        if frame.role == "max":
            return bool(frame.value >= frame.beta if self.found.prune == "weak" else frame.value > frame.beta)
        return bool(frame.value <= frame.alpha if self.found.prune == "weak" else frame.value < frame.alpha)

    def _cuts(self, frame: OpenNode) -> bool:
        """Return whether the rest of a node's moves is left out."""
        if self.found.algorithm != "alphabeta" or not self._beyond(frame):
            return False
        bound = frame.beta if frame.role == "max" else frame.alpha
        self.found.cuts.append(Cut(frame.node, frame.tried - 1, frame.role, frame.value, bound))
        self._step("cut", frame.node, frame.ply, frame.value, frame.alpha, frame.beta, frame.tried - 1)
        return True

    def _step(
        self,
        kind: StepKind,
        node: int,
        ply: int,
        value: Value | None,
        alpha: Number,
        beta: Number,
        child: int = -1,
    ) -> None:
        if self.trace:
            self.found.steps.append(Step(kind, node, ply, value, alpha, beta, child))


# What the nodes of a tree are worth where nothing is cut: an end, a mean, the moves of the root
# (row A-60).


def number_at(tree: Tree, number: int, algorithm: str) -> Value:
    """Return what a node is worth where the search stops: its value, or its evaluation.

    Raises BadInput if it has neither.
    """
    node = tree.nodes[number]
    found = node.value if node.player == TERMINAL and node.value is not None else node.evaluation
    if found is None:
        raise BadInput(
            message("node {name} has no value and no evaluation, and the search stops there", name=node.name)
        )
    if algorithm != "maxn":
        return found[0]
    if len(found) != tree.players:
        raise BadInput(
            message(
                "node {name} has one number for {n} players; maxn needs one for each",
                name=node.name,
                n=tree.players,
            )
        )
    return found


def mean(values: list[Value], weights: list[float]) -> Value:
    """The weighted sum of values, player by player; where they weigh the same, a sum that is
    divided once.
    """
    numbers = [value if isinstance(value, tuple) else (value,) for value in values]
    if len(set(weights)) == 1:
        sums = tuple(fsum(column) / len(values) for column in zip(*numbers, strict=True))
    else:
        sums = tuple(
            fsum(weight * number for weight, number in zip(weights, column, strict=True))
            for column in zip(*numbers, strict=True)
        )
    return sums if isinstance(values[0], tuple) else sums[0]


def true_values(tree: Tree, plies: int | None) -> list[Value]:
    """The minimax value of every move of the root; counted nowhere."""

    def best(mover: int, values: list[Number]) -> Number:
        return max(values) if mover == 0 else min(values)

    starts = [(move.child, 1) for move in tree.nodes[tree.root].moves]
    found = backed_up(tree, plies, starts, lambda node: to_player(number_at(tree, node, "minimax"), 0), best)
    return list(found)


def fewest_reads(tree: Tree, plies: int | None) -> int:
    """Return how many leaves any search must read to know what the root is worth: those that a best player
    0 can lead to, whatever the others do, and those to which a best opponent can, which share one.
    """

    def fewest(mover: int, counts: list[tuple[int, int]]) -> tuple[int, int]:
        of_first, of_others = ([count[side] for count in counts] for side in (0, 1))
        return (min(of_first), sum(of_others)) if mover == 0 else (sum(of_first), min(of_others))

    [(first, others)] = backed_up(tree, plies, [(tree.root, 0)], lambda node: (1, 1), fewest)
    return first + others - 1


def backed_up(
    tree: Tree,
    plies: int | None,
    starts: list[tuple[int, int]],
    end: Callable[[int], V],
    inner: Callable[[int, list[V]], V],
) -> list[V]:
    """Return what some nodes come to, each at its ply: an end what `end` says, any other what `inner`
    makes of its mover and of what is below it. Every node at every distance from the limit is looked at once.
    """
    known: dict[tuple[int, int], V] = {}
    todo = list(starts)
    while todo:
        number, ply = todo[-1]
        if (number, at(tree, ply, plies)) in known:
            todo.pop()
            continue
        if tree.nodes[number].player == TERMINAL or ply == plies:
            known[number, at(tree, ply, plies)] = end(number)
        else:
            children = [(move.child, ply + 1) for move in tree.nodes[number].moves]
            missing = [child for child in children if (child[0], at(tree, child[1], plies)) not in known]
            if missing:
                todo += missing
                continue
            values = [known[child, at(tree, below, plies)] for child, below in children]
            known[number, at(tree, ply, plies)] = inner(tree.mover(number, ply), values)
        todo.pop()
    return [known[number, at(tree, ply, plies)] for number, ply in starts]


def at(tree: Tree, ply: int, plies: int | None) -> int:
    """Return what the value of a node depends on beside the node: its ply where the search has a limit, or
    who moves follows from it.
    """
    return ply if plies is not None else ply % tree.players if tree.cycle else 0


# Random trees with as many moves at every node and as many plies on every line: those that the
# figures for alpha-beta are about.


def uniform_tree(branching: int, plies: int, largest: int, seed: int) -> Tree:
    """MAX and MIN in turn, leaves from 1 to `largest`: the same seed gives the same tree."""
    rng = seeded(seed)
    moves = [name for name, _number in zip(move_names(), range(branching), strict=False)]
    names = inner_names()
    nodes: list[Node] = []
    width, first = 1, 1
    for ply in range(plies):
        for _node in range(width):
            below = tuple(Move(name, first + number, 1 / branching) for number, name in enumerate(moves))
            nodes.append(Node(next(names), ply % 2, below, None, None))
            first += branching
        width *= branching
    above = [
        f"{node.name},{move.name}" for node in nodes[len(nodes) - width // branching :] for move in node.moves
    ]
    for name in above:
        value = 1 + random_below(rng, largest)
        nodes.append(Node(name, TERMINAL, (), (value, -value), None))
    return Tree(tuple(nodes), 0, 2)


# The order of moves: the same tree with its moves sorted from the worst to the best, or anything
# between (document [S2], row A-60).
#
# D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning", Artificial Intelligence 6 (1975)
# [KnuthMoore75]: where every node has b moves and every line m, any search must read  b^⌈m/2⌉ +
# b^⌊m/2⌋ − 1  leaves to know what the root is worth, and alpha-beta with the best moves first reads
# no more.

SHUFFLED = 1
"""The seed of the disorder: always the same, so that a picture can be shown again."""


def place_values(tree: Tree, places: Sequence[Place], plies: int | None) -> list[Number]:
    """Return what every place of a tree is worth to player 0 where nothing is cut.

    Raises BadInput where a number is missing.
    """
    found: list[Number | None] = [None] * len(places)
    for number in reversed(range(len(places))):  # what is below a place stands after it
        place = places[number]
        if is_end(tree, place, plies):
            end = number_at(tree, place.node, "minimax")
            assert not isinstance(end, tuple)
            found[number] = end
        value, above = found[number], place.above
        assert value is not None
        if above >= 0:
            choose = max if tree.mover(places[above].node, places[above].ply) == 0 else min
            known = found[above]
            found[above] = value if known is None else choose(known, value)
    return [value for value in found if value is not None]


def ordered(tree: Tree, plies: int | None, order: float, most: int) -> Tree:
    """The tree with its moves in another order: -1 worst first, 0 shuffled, 1 best first, and what
    is between.

    A node that two moves lead to becomes two, since each mover has its own order. Raises
    LimitReached beyond `most` nodes.
    """
    places = unfolded(tree, plies, most)
    values = place_values(tree, places, plies)
    below: list[list[int]] = [[] for _place in places]
    for number, place in enumerate(places[1:], 1):
        below[place.above].append(number)
    rng = seeded(SHUFFLED)
    nodes = []
    for place, children in zip(places, below, strict=True):
        node, mover = tree.nodes[place.node], tree.mover(place.node, place.ply)
        if mover != CHANCE:
            children = rearranged(
                children, [values[child] if mover == 0 else -values[child] for child in children], order, rng
            )
        moves = tuple(
            Move(node.moves[places[child].move].name, child, node.moves[places[child].move].probability)
            for child in children
        )
        nodes.append(Node(node.name, mover, moves, node.value, node.evaluation))
    return Tree(tuple(nodes), 0, tree.players)


def rearranged(children: Sequence[int], values: Sequence[Number], order: float, rng: list[int]) -> list[int]:
    """Moves by what they are worth to their mover, as far as `order` says, and by chance for the
    rest.
    """
    steps = sorted(set(values))
    good = [steps.index(value) / max(1, len(steps) - 1) for value in values]
    keys = [order * each + (1 - abs(order)) * random_unit(rng) for each in good]
    return [child for _key, child in sorted(zip(keys, children, strict=True), key=lambda pair: -pair[0])]


def least_leaves(branching: int, plies: int) -> int:
    """Return how many leaves must be read in any order.

    >>> least_leaves(3, 2), least_leaves(3, 4)
    (5, 17)
    """
    return int(branching ** -(-plies // 2) + branching ** (plies // 2) - 1)


# The tree of a game from one of its positions, every line of play apart (row A-49).

MOST_GAME_NODES = 100_000
"""The most nodes of a tree that is built."""
MOST_STATES = 200_000
"""The most different positions that are looked at to count its nodes."""

UNCOUNTED = 10**15
MOST_PLIES = 500
"""Where to stop counting what is too large already."""


def game_tree(
    game: Game, start: State, plies: int | None = None, evaluation: Evaluation | None = None
) -> Tree:
    """The lines of play from `start`, at most `plies` long; where one stops before its end, it has
    the evaluation, 0 if there is none.

    A node is named after the moves that lead there, joined by commas; the root is `start`. Raises
    Unsuitable for a game of hidden information, LimitReached, with the number of nodes, where there
    are more than MOST_GAME_NODES.
    """
    require(game, _("a tree"), PERFECT_INFORMATION)
    refuse_too_many(game, start, plies)
    heuristic = evaluation or Evaluation()
    # Translators: the name of the first node of the tree of a game.
    first = _("start")
    nodes: list[Node] = []
    paths: list[tuple[State, str, int]] = [(start, "", 0)]
    for state, path, ply in paths:  # grows while it is read
        name = path or first
        if game.over(state):
            nodes.append(Node(name, TERMINAL, (), payoffs(game, state), None))
        elif ply == plies:
            nodes.append(Node(name, TERMINAL, (), None, taken_for(game, state, heuristic)))
        else:
            moves = named_moves(game, state, len(paths))
            paths += [
                (game.play(state, bit), f"{path},{move.name}" if path else move.name, ply + 1)
                for bit, move in moves
            ]
            nodes.append(Node(name, int(game.mover(state)), tuple(move for _bit, move in moves), None, None))
    return Tree(tuple(nodes), 0, game.players)


def named_moves(game: Game, state: State, first: int) -> list[tuple[int, Move]]:
    """The legal moves, the nodes they lead to numbered from `first`; how likely each is, where
    chance moves.
    """
    legal = game.legal(state)
    weights = (
        [float(game.chance(state, bit)) for bit in legal]
        if game.mover(state) == CHANCE
        else [1.0] * len(legal)
    )
    total = sum(weights)
    return [
        (bit, Move(game.name_move(state, bit), first + number, weight / total))
        for number, (bit, weight) in enumerate(zip(legal, weights, strict=True))
    ]


def taken_for(game: Game, state: State, heuristic: Evaluation) -> Payoffs:
    """Return what a position is taken to be worth: to player 0 what the evaluation says, to all others the
    opposite.
    """
    estimate = plain_number(summed(heuristic.features)(state, heuristic.weights))
    return (estimate,) + (plain_number(-estimate),) * (game.players - 1)


def payoffs(game: Game, state: State) -> Payoffs:
    """Return what a finished game is worth to each player."""
    return tuple(int(game.payoff(state, player)) for player in range(game.players))


def refuse_too_many(game: Game, start: State, plies: int | None) -> None:
    """Counts the nodes ply by ply, each position once with the number of ways to it.

    Raises LimitReached.
    """
    level, total, states, ply = {start: 1}, 0, 1, 0
    while level:
        total += sum(level.values())
        below: dict[State, int] = {}
        for state, ways in level.items() if ply != plies else ():
            for move in game.legal(state):
                after = game.play(state, move)
                below[after] = below.get(after, 0) + ways
            if states + len(below) > MOST_STATES:
                refuse(_("more than {n}", n=grouped(total + sum(below.values()))), total)
        level, states, ply = below, states + len(below), ply + 1
        # a position may come back for ever
        if total > UNCOUNTED or (total > MOST_GAME_NODES and ply > MOST_PLIES):
            refuse(_("more than {n}", n=grouped(total)), total)
    if total > MOST_GAME_NODES:
        refuse(grouped(total), total)


def refuse(count: str, total: int) -> None:
    raise LimitReached(
        message(
            "the tree would have {n} nodes; up to {most} are built: give fewer --plies",
            n=count,
            most=FormattedNumber(MOST_GAME_NODES, ","),
        ),
        {"nodes": total},
    )


# Trees to look at: the examples there are, the algorithms that suit a tree, and what a search
# comes to, in a sentence.

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
    return _("{value}; {n} best moves, equal: {moves}", value=value, n=grouped(len(moves)), moves=listed)
