"""The tree or the graph of a game's positions: how large it is, and its nodes ready to be drawn
(document S1, row A-35).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator
from typing import NamedTuple, NoReturn, TypeAlias

from damier.core.compile import instantiate
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game, Position
from damier.core.job import Job, gib
from damier.core.json_types import JsonObject
from damier.core.rules import State
from damier.core.solution import AnyValue, PayoffValue, ValueSolution, value_of_score, word_of
from damier.core.words import N_, _, grouped, message
from damier.draw.graph import Diagram, DiagramKind, DiagramShape, Edge, Vertex
from damier.solve import solve
from damier.solve.dispatch import refuse_too_large
from damier.solve.reach import PURE_BYTES, PURE_STATES, SYMMETRIC, code, require_end

DRAWN = 1500
"""The most nodes on a picture: beyond, nobody finds a way through it, and programs that show
pictures give up.
"""
VALUED = 100_000
"""Games of up to so many positions are solved for their picture: a second or two."""
# a position that is counted: its state, its place in a dictionary, and what waits to be counted
NODE_BYTES = 700
WORDS: dict[DiagramKind, str] = {
    "complete": N_("the complete tree"),
    "truncated": N_("the truncated tree"),
    "merged": N_("the graph"),
}

Name: TypeAlias = Callable[[State], Hashable]


class Branch(NamedTuple):
    """Result of moves of a position; several moves that lead to the same are one branch
    where the picture shows it once.
    """

    state: State
    moves: tuple[int, ...]


class DiagramPlan(NamedTuple):
    """Description of a diagram.

    `plies`: how far from the start, None to the end; `symmetric`: images of one position count as
    one.
    """

    game: Game
    start: State
    kind: DiagramKind
    plies: int | None = None
    symmetric: bool = False

    def naming(self) -> Name:
        """Return what tells positions apart."""
        return instantiate(code, self.game, jit=False, bind=SYMMETRIC if self.symmetric else PURE_STATES)

    def smaller(self) -> list[str]:
        """The options that make it smaller."""
        kinds: dict[DiagramKind, list[str]] = {
            "complete": ["--truncated", "--merged"],
            "truncated": ["--merged"],
            "merged": [],
        }
        return [
            "--plies",
            *(["--symmetry"] if self.game.symmetries() > 1 and not self.symmetric else []),
            *kinds[self.kind],
        ]

    def ends(self, s: State, ply: int) -> bool:
        """Return whether nothing is drawn below."""
        return bool(self.game.over(s)) or ply == self.plies

    def branches(self, s: State, name: Name) -> list[Branch]:
        """Return what follows a position.

        Of a tree, every move is a branch, unless images of one position are to count as one.
        """
        children = [Branch(self.game.play(s, move), (move,)) for move in self.game.legal(s)]
        if self.kind != "merged" and not self.symmetric:
            return children
        joined: dict[Hashable, Branch] = {}
        for child in children:
            named = name(child.state)
            joined[named] = (
                Branch(joined[named].state, joined[named].moves + child.moves) if named in joined else child
            )
        return list(joined.values())


class GraphVisit(NamedTuple):
    """A node on the way through a diagram: the number of the one above it (-1: none) and the moves
    that led here.

    Attributes:
        is_new: the position is met for the first time
        repeated: what follows it, as far as it would be drawn here, stands elsewhere already
    """

    parent: int
    branch: Branch
    ply: int
    is_new: bool = True
    repeated: bool = False


def shape(plan: DiagramPlan, job: Job) -> DiagramShape:
    """Return how large a diagram is, without making it.

    Raises Unsuitable for a complete tree without end, LimitReached beyond the memory budget.
    """
    if plan.plies is None and plan.start == plan.game.start:
        try:  # before anything is counted, by the game's own bound on its positions
            refuse_too_large(plan.game, job, NODE_BYTES)
        except LimitReached as error:
            raise LimitReached(
                message("{error}. Smaller with {options}", error=error, options=" ".join(plan.smaller())),
                error.reached,
            ) from None
    return _shape_of_tree(plan, job) if plan.kind == "complete" else _shape_of_walk(plan, job)


def diagram(plan: DiagramPlan, job: Job) -> Diagram:
    """The nodes of a diagram, with exact values where the game is small enough.

    Raises Unsuitable, and LimitReached beyond `DRAWN` nodes.
    """
    numbers: dict[Hashable, int] = {}
    vertices: list[Vertex] = []
    name, values = plan.naming(), _values(plan, job)
    for visit in _walk(plan):
        s, named = visit.branch.state, name(visit.branch.state)
        if plan.kind != "merged" or not visit.repeated:
            numbers[named] = len(vertices)
            vertices.append(_vertex(plan, visit, values(s)))
        if len(vertices) > DRAWN:
            _refuse(plan, job)
        if visit.parent >= 0:
            above = vertices[visit.parent]
            moves = tuple(plan.game.name_move(above.position.state, move) for move in visit.branch.moves)
            above.edges.append(Edge(numbers[named], moves))
    return Diagram(plan.kind, vertices)


def _vertex(plan: DiagramPlan, visit: GraphVisit, value: AnyValue | None) -> Vertex:
    s = visit.branch.state
    repeated = visit.repeated and plan.kind == "truncated"
    return Vertex(
        Position(plan.game, s),
        value=None if value is None else word_of(value),
        payoff=value if isinstance(value, PayoffValue) else None,
        repeated=repeated,
        cut=not repeated and visit.ply == plan.plies and not plan.game.over(s),
    )


def _walk(plan: DiagramPlan) -> Iterator[GraphVisit]:
    """Every node in the order in which it is drawn: a tree depth-first, a graph breadth-first.

    Parents are counted as they are yielded, in a graph as their positions are met.
    """
    name = plan.naming()
    # the ply at which a position was drawn with what follows; 0 where no ply is the last
    met: dict[Hashable, int] = {}
    waiting = deque([GraphVisit(-1, Branch(plan.start, ()), 0)])
    numbered = 0
    while waiting:
        visit = waiting.popleft() if plan.kind == "merged" else waiting.pop()
        s, named = visit.branch.state, name(visit.branch.state)
        depth = 0 if plan.plies is None else visit.ply
        visit = visit._replace(is_new=named not in met, repeated=met.get(named, depth + 1) <= depth)
        yield visit
        if plan.kind != "merged" or not visit.repeated:
            number, numbered = numbered, numbered + 1
        if visit.repeated and plan.kind != "complete":
            continue
        met[named] = depth
        if not plan.ends(s, visit.ply):
            following = [GraphVisit(number, branch, visit.ply + 1) for branch in plan.branches(s, name)]
            waiting.extend(following if plan.kind == "merged" else reversed(following))


def _shape_of_walk(plan: DiagramPlan, job: Job) -> DiagramShape:
    """The size of a truncated tree or of a graph, node by node."""
    states = nodes = inner = edges = 0
    for visit in _walk(plan):
        edges += visit.parent >= 0
        states += visit.is_new
        nodes += plan.kind != "merged" or visit.is_new
        inner += not visit.repeated and not plan.ends(visit.branch.state, visit.ply)
        if visit.is_new and states % 10_000 == 0:
            _report(plan, job, states, visit.ply)
    return DiagramShape(nodes, nodes - inner, edges, states, nodes - states)


def _shape_of_tree(plan: DiagramPlan, job: Job) -> DiagramShape:
    """The size of a complete tree: each position is counted once, with the plies that are left to
    it.
    """
    name = plan.naming()
    done: dict[tuple[Hashable, int], tuple[int, int]] = {}  # nodes and leaves below, itself included
    # the positions on the way to this one, and what follows each
    path: dict[tuple[Hashable, int], list[tuple[Hashable, int]]] = {}
    waiting = [(plan.start, 0)]
    while waiting:
        s, ply = waiting[-1]
        here = (name(s), 0 if plan.plies is None else ply)
        if here in done:
            waiting.pop()
        elif plan.ends(s, ply):
            done[here] = (1, 1)
        elif here in path:
            nodes, leaves = zip(*(done[child] for child in path.pop(here)), strict=True)
            done[here] = (1 + sum(nodes), sum(leaves))
        else:
            children = [(branch.state, ply + 1) for branch in plan.branches(s, name)]
            path[here] = [(name(child), 0 if plan.plies is None else below) for child, below in children]
            if any(child in path for child in path[here]):
                sentence = _(
                    "in {game} a position can come back: its complete tree has no end; --plies, --truncated"
                    " and --merged have",
                    game=plan.game.text,
                )
                raise Unsuitable(sentence)
            waiting += children
            if (len(done) + len(path)) % 10_000 == 0:
                _report(plan, job, len(done) + len(path), ply)
    nodes_, leaves_ = done[name(plan.start), 0]
    states = len({named for named, _ply in done})
    return DiagramShape(nodes_, leaves_, nodes_ - 1, states, nodes_ - states)


def _refuse(plan: DiagramPlan, job: Job) -> NoReturn:
    """Raises LimitReached for a diagram that is too large, with the size it would have if that can
    be counted soon.
    """
    reached: JsonObject = {}
    try:
        reached["nodes"] = nodes = shape(plan, _brief(job, NODE_BYTES)).nodes
        size = grouped(nodes)
    except LimitReached:
        size = _("more than {n}", n=grouped(DRAWN))
    sentence = _(
        "{what} of {game} would have {size} nodes; up to {most} are drawn. Smaller with {options}",
        what=_(WORDS[plan.kind]),
        game=plan.game.text,
        size=size,
        most=grouped(DRAWN),
        options=" ".join(plan.smaller()),
    )
    raise LimitReached(sentence, reached)


def _report(plan: DiagramPlan, job: Job, positions: int, ply: int) -> None:
    """Says how far a count is. Raises LimitReached beyond the memory budget, and where no end comes."""
    job.progress(positions, None, _("positions"))
    require_end(plan.game, ply, positions)
    if positions * NODE_BYTES > job.memory:
        sentence = _(
            "stopped at the memory budget of {budget} after {n} positions: --plies or a larger --memory",
            budget=gib(job.memory),
            n=grouped(positions),
        )
        raise LimitReached(sentence, {"positions": positions})


def _brief(job: Job, bytes_a_position: int) -> Job:
    """A job in plain Python that ends within seconds, since it has room for `VALUED` positions
    only.
    """
    return Job(min(job.memory, VALUED * bytes_a_position), job.progress, False)


def _values(plan: DiagramPlan, job: Job) -> Callable[[State], AnyValue | None]:
    """The exact value of a position to the first player; where the game is too large or of another
    kind, the job notes why there is none.
    """
    try:
        solution = solve(plan.game, plan.start, _brief(job, PURE_BYTES))
    except LimitReached:
        job.note(
            _("no exact values: {game} has more than {n} positions", game=plan.game.text, n=grouped(VALUED))
        )
        return lambda s: None
    except Unsuitable as error:
        job.note(_("no exact values: {reason}", reason=error))
        return lambda s: None
    if isinstance(solution, ValueSolution):
        return solution.for_first
    by_wins = solution
    return lambda s: value_of_score(by_wins.score(s))
