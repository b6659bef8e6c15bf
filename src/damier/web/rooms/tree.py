"""The tree room: a search told step by step, forwards and back, with its reasons; and two links
beside it, exercises and graphs of positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Generic, Literal, TypeAlias, TypeVar, get_args

from damier.core.analysis import ZERO_SUM, evaluation, example, require
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import line
from damier.core.job import Job, Notes
from damier.core.json_data import to_json
from damier.core.tree import Role, Scene, Tree, size_of, written_value
from damier.core.words import N_, FormattedNumber, _, grouped, labelled, language, message
from damier.draw.board import board_svg
from damier.draw.graph import DiagramKind, graph_svg
from damier.draw.tree import symbol_text, tree_svg, value_text, window_text
from damier.lab.agents import agent_in_words
from damier.lab.games import game_in_words
from damier.lab.graphs import DRAWN, WORDS, DiagramPlan, diagram, shape
from damier.search.state_space import NEEDS
from damier.search.state_space_trace import (
    SPACE_ALGORITHMS,
    SpaceAlgorithm,
    SpaceReplay,
    conclusion,
    ours,
    theirs,
    trace_search,
)
from damier.trees import explicit
from damier.trees.replay import DISPATCH, TWO, Replay, listings
from damier.trees.tree_text import written
from damier.web import pages
from damier.web.limits import LRU, MOST_NODES
from damier.web.messages import (
    AddressState,
    AddressValues,
    Params,
    Parts,
    StateAnswer,
    StepsAnswer,
    TreeState,
)
from damier.web.registry import Registry
from damier.web.rooms import exercise

# The searches of document [S1] in the tree room: explore, breadth-first and AND/OR, told step by
# step with their lists and their indented trace (rows ).


# What the tree room is asked: which tree, and how it is searched.
#
# All of it stands in the address of the page.


LONGEST_TREE = 60_000
LONGEST_IN_ADDRESS = 1_500
ORDERS = 10
"""The order of moves goes from 0, the worst first, to this, the best first."""
OWN = ("random", "text", "game")
GAME = "nim:matches=5"
"""Whose tree is shown where no game is named."""
ZERO_SUM_ALGORITHMS = ("minimax", "alphabeta")
ALGORITHMS: tuple[explicit.Algorithm, ...] = get_args(explicit.Algorithm)
PRUNES: tuple[explicit.Prune, ...] = get_args(explicit.Prune)


@dataclass(frozen=True)
class Question:
    """Search of a tree that a page asks for.

    Attributes:
        tree: the name of an example; or random, text, game
        algorithm: nothing where the one is meant that suits the tree
        order: -1 as the tree has it; from 0 to ORDERS the moves are sorted
        yielding: the tree is new: an algorithm that does not suit it gives way to one that does
        space: a search of document S1 in the place of an algorithm: then `winner`, from 1, is the player for
            whom a win is looked for (0: who is to move), and `revisit` keeps no list of visited states
    """

    tree: str
    text: str = ""
    seed: int = 1
    branching: int = 3
    depth: int = 3
    largest: int = 50
    game: str = GAME
    moves: tuple[str, ...] = ()
    plies: int = 0
    evaluate: str = ""
    algorithm: explicit.Algorithm | Literal[""] = ""
    prune: explicit.Prune = "weak"
    order: int = -1
    yielding: bool = False
    space: SpaceAlgorithm | Literal[""] = ""
    winner: int = 0
    revisit: bool = False

    @classmethod
    def of_address(cls, params: Params) -> Question:
        """Return what a page asks. Raises BadInput."""
        given = (
            "game"
            if params.text("game") and "tree" not in params.values
            else "text"
            if params.text("text", longest=LONGEST_TREE)
            else "classic"
        )
        tree = params.choice("tree", (*explicit.EXAMPLES, *OWN)) if params.text("tree") else given
        is_game, is_random = tree == "game", tree == "random"
        in_space = is_game and params.values.get("algorithm") in SPACE_ALGORITHMS
        game = params.text("game") if is_game else ""
        return cls(
            tree,
            prune=params.choice("prune", PRUNES),
            order=params.whole("order", -1, 0, ORDERS) if "order" in params.values else -1,
            yielding=params.flag("yielding"),
            space=params.choice("algorithm", SPACE_ALGORITHMS) if in_space else "",
            winner=params.whole("winner", 0, 0, 2)
            if in_space and params.values.get("winner", "") != ""
            else 0,
            revisit=in_space and params.flag("revisit"),
            algorithm="" if in_space else params.choice("algorithm", ("", *ALGORITHMS)),
            branching=params.whole("branching", 3, 2, 8) if is_random else 3,
            depth=params.whole("depth", 3, 1, 8) if is_random else 3,
            seed=params.whole("seed", 1) if is_random else 1,
            largest=params.whole("largest", 50, 1, 1000) if is_random else 50,
            text=params.text("text", longest=LONGEST_TREE) if tree == "text" else "",
            game=game or GAME,
            plies=0 if is_random else params.whole("plies", 2 if game else 0, 0, 1000),
            moves=tuple(params.moves()) if is_game else (),
            evaluate=params.text("evaluate") if is_game else "",
        )

    @property
    def own(self) -> AddressValues:
        """The values that say which tree it is."""
        if self.tree == "random":
            return {
                "seed": self.seed,
                "branching": self.branching,
                "depth": self.depth,
                "largest": self.largest,
            }
        if self.tree == "game":
            return {
                "game": self.game,
                "moves": ",".join(self.moves),
                "plies": self.plies,
                "evaluate": self.evaluate,
            }
        return {"text": self.text, "plies": self.plies or ""} if self.tree == "text" else {}

    @property
    def values(self) -> AddressValues:
        """Return the same question as an address carries it, and as a page asks it again."""
        given: AddressValues = {
            "prune": self.prune if self.prune != "weak" else "",
            "order": self.order if self.order >= 0 else "",
        }
        if self.space:
            given = {"winner": self.winner or "", "revisit": "1" if self.revisit else ""}
        return {
            name: value
            for name, value in {"tree": self.tree, **self.own, "algorithm": self.chosen, **given}.items()
            if value != ""
        }

    @property
    def chosen(self) -> str:
        """The search, as an address names it."""
        return self.space or self.algorithm

    def spaces(self, registry: Registry) -> tuple[SpaceAlgorithm, ...]:
        """The searches of document S1 that its tree allows: it is a game, for two, without secrets or
        dice.
        """
        if self.tree != "game":
            return ()
        game = registry.game(self.game)
        return SPACE_ALGORITHMS if all(need.is_met(game) for need in NEEDS) else ()

    @property
    def address(self) -> str:
        """The address of the page, but for the step; a long tree stays in the browser that it was
        typed into.
        """
        if len(self.text) > LONGEST_IN_ADDRESS:
            return pages.address("/tree", **{**self.values, "text": "", "kept": 1})
        return pages.address("/tree", **self.values)

    @property
    def limit(self) -> int | None:
        """Return how deep the search goes, in plies."""
        return self.plies or None

    def suitable(self, registry: Registry, tree: Tree | None) -> list[explicit.Algorithm]:
        """The algorithms that can search its tree, or that of a game for two without dice: of a game in which
        payoffs are not zero-sum, neither of those that take it to be.
        """
        found = explicit.suitable(tree) if tree else list(ALGORITHMS)
        if self.tree != "game" or registry.game(self.game).zero_sum:
            return found
        return [algorithm for algorithm in found if algorithm not in ZERO_SUM_ALGORITHMS]

    def settled(self, registry: Registry, tree: Tree) -> Question:
        """With its algorithm, where that is left to the tree."""
        known = self.suitable(registry, tree)
        if self.algorithm and (not self.yielding or self.algorithm in known):
            return replace(self, yielding=False)
        best = (
            "alphabeta"
            if self.tree == "game" and not registry.game(self.game).stochastic
            else explicit.default_algorithm(tree)
        )
        return replace(self, algorithm=best if best in known else "maxn", yielding=False)

    def found(self, registry: Registry) -> Tree:
        """The tree, its moves in the order that is asked for. Raises BadInput, LimitReached."""
        tree = self._unordered(registry)
        refuse_too_large(tree, self.limit)
        if self.order < 0 or "minimax" not in explicit.suitable(tree):
            return tree
        return explicit.ordered(tree, self.limit, 2 * self.order / ORDERS - 1, MOST_NODES)

    def _unordered(self, registry: Registry) -> Tree:
        if self.tree == "random":
            leaves = self.branching**self.depth
            if leaves > MOST_NODES:
                raise too_large_tree(_("{n} leaves", n=grouped(leaves)))
            return explicit.uniform_tree(self.branching, self.depth, self.largest, self.seed)
        if self.tree == "game":
            game = registry.game(self.game)
            if self.algorithm in ZERO_SUM_ALGORITHMS and not self.yielding:
                require(game, self.algorithm, ZERO_SUM)
            if self.evaluate and not game.zero_sum:
                raise Unsuitable(
                    message(
                        "an evaluation speaks of player 1 against all others; in {game} they gain together",
                        game=game.text,
                    )
                )
            judged = evaluation(game, self.evaluate)
            try:
                return explicit.game_tree(game, line(game, list(self.moves))[-1].state, self.limit, judged)
            except LimitReached as error:
                nodes = error.reached.get("nodes")
                raise too_large_tree(
                    _("{n} nodes or more", n=grouped(nodes))
                    if isinstance(nodes, int)
                    else _("too many nodes to count")
                ) from None
        return explicit.read(self.text if self.tree == "text" else explicit.EXAMPLES[self.tree].text)


def refuse_too_large(tree: Tree, plies: int | None) -> None:
    """Raises LimitReached for a tree that no page shows."""
    nodes = size_of(tree, plies).nodes
    if nodes > MOST_NODES:
        raise too_large_tree(_("{n} nodes", n=grouped(nodes)))


def too_large_tree(size: str) -> LimitReached:
    return LimitReached(
        message(
            "This tree has {size}; up to {most} nodes are shown on a page. Choose fewer plies, or fewer"
            " moves.",
            size=size,
            most=FormattedNumber(MOST_NODES, ","),
        )
    )


NAMES: dict[SpaceAlgorithm, str] = {
    "dfs": N_("explore (depth-first)"),
    "bfs": N_("breadth-first"),
    "andor": N_("mixed (AND/OR)"),
}
SHOWS: dict[SpaceAlgorithm, str] = {
    "dfs": N_("The first way to a win, the opponent helping: what document S1 calls explore."),
    "bfs": N_("Ply by ply, with a queue and a list of visited states; the opponent helps here too."),
    "andor": N_("One good move for us, every move for the opponent: a win that is found here is forced."),
}


Replayed = TypeVar("Replayed", Replay, SpaceReplay)


@dataclass
class PageTrace(Generic[Replayed]):
    """A search, and what is said of it; `movers` says in words who does what with values, and `best` what the
    thick moves of the picture are.
    """

    question: Question
    replay: Replayed
    title: str
    movers: Mapping[Role, str]
    best: str


class SpaceTrace(PageTrace[SpaceReplay]):
    """A search of document S1, and all that is said of it."""

    @property
    def end(self) -> Scene:
        return self.replay.end

    @property
    def listed(self) -> str:
        """All steps as the indented trace, as a part of the page."""
        return pages.part("tree_trace.html", lines=self.replay.lines)


def space_trace(registry: Registry, question: Question) -> SpaceTrace:
    """The search that is asked for. Raises BadInput, Unsuitable, LimitReached."""
    assert question.space
    game = registry.game(question.game)
    state = line(game, list(question.moves))[-1].state
    player = question.winner - 1 if question.winner else int(game.mover(state))
    found = trace_search(game, state, question.space, player, revisit=question.revisit)
    title = f"{game_in_words(question.game)} · {_(NAMES[question.space])}"
    return SpaceTrace(question, SpaceReplay(found), title, {"max": ours(), "min": theirs()}, _("decides"))


def space_moment(this: SpaceTrace, step: int, shape: TreeShape) -> Parts:
    """The parts that change from step to step."""
    moment, scene, found = this.replay.moment(step), this.replay.scene(step), this.replay.found
    readings = [] if found.revisit else [(_("visited"), unbroken(moment.listed))]
    if found.algorithm == "bfs":
        readings.append((_("queue"), unbroken(moment.waiting)))
    sentence = pages.part(
        "tree_space_said.html",
        step=step,
        of=len(this.replay),
        sentence=scene.sentence or _(SHOWS[found.algorithm]),
        readings=readings,
        conclusion=conclusion(found) if step == len(this.replay) else "",
        hopeful=step == len(this.replay)
        and found.found
        and found.algorithm != "andor"
        and len(found.line) > 1,
        ours=ours(),
        theirs=theirs(),
        other=pages.address("/tree", **{**this.question.values, "algorithm": "andor", "revisit": ""}),
    )
    work = pages.part("tree_work.html", rows=work_rows(this, step), is_alphabeta=False)
    return {
        **drawn_parts(this, scene, shape),
        "code": "",
        "said": sentence,
        "work": work,
    }


# The tree as lines under one another, each as far in as it is deep: what a phone has room for, and what is
# read aloud. It is made of the same moment as the picture.

OUTLINED = 200
"""Places up to which the page brings the outline beside the picture, for who has no program running; of a
larger tree it comes when it is looked at.
"""
OPENED = 40
"""Places up to which all of an outline is open; of a larger tree the way to where the search is."""


def outline_part(scene: Scene, movers: Mapping[Role, str], best: str) -> str:
    """The outline of a tree at one moment; `movers` says in words who does what with values, and `best` what
    the thick moves of the picture are.

    Of each place: `sign`, who moves there, as the picture marks it, and `mover` in words; `move`, the one
    that leads there; `value`, what is known of it, and `is_noted`, whether that is a word of the search;
    `cause`, why the search has cut there; `opens`, whether something stands below it, and `is_open`, whether
    it is seen at first; `ends`, how many lists end after it.
    """
    causes, outline, path = dict(scene.causes), outlined(scene), set(scene.path)
    lines = []
    depths = [scene.places[place].ply for place in outline] + [0]
    for number, place in enumerate(outline):
        mark, role = scene.marks[place], scene.roles[place]
        lines.append(
            {
                "place": place,
                "move": scene.move_label(place),
                "sign": symbol_text(scene, place) if role else "",
                "mover": (movers.get(role) or _("player {n}", n=scene.movers[place] + 1)) if role else "",
                "name": scene.node_name(place),
                "value": value_text(mark, end=role is None),
                "is_noted": bool(mark.note),
                "window": window_text(mark) if mark.window and role else "",
                "cause": causes.get(place, ""),
                "stage": mark.known,
                "is_best": place in scene.thick,
                "is_here": place == scene.here,
                "opens": depths[number + 1] > depths[number],
                "is_open": len(scene.places) <= OPENED or place in path or place == 0,
                "ends": max(0, depths[number] - depths[number + 1]),
            }
        )
    return pages.part("tree_outline.html", lines=lines, best=best)


def outlined(scene: Scene) -> list[int]:
    """The places that have a line: not those below what was cut off, nor those that are not there yet."""
    left_out, found = set[int](), list[int]()
    for number, place in enumerate(scene.places):
        above = place.above
        if scene.marks[number].known == "hidden" or above in left_out:
            left_out.add(number)
        else:
            found.append(number)
            if scene.marks[number].known == "cut":
                left_out.add(number)
    return found


def drawn_parts(this: SearchTrace | SpaceTrace, scene: Scene, shape: TreeShape) -> Parts:
    """The tree at one moment, as a picture or as an outline or both."""
    found = dict[str, str]()
    if shape != "outline":
        found["tree"] = pages.picture(tree_svg(replace(scene, sentence=""), this.title, like=this.end))
    if shape != "picture":
        found["outline"] = outline_part(scene, this.movers, this.best)
    return found


def unbroken(names: Sequence[str]) -> list[str]:
    """Names that no end of a line tears apart."""
    return [name.replace(" ", "\u00a0") for name in names]


def work_rows(this: SpaceTrace, step: int) -> list[tuple[str, int, int]]:
    """Return how much was done up to a step, and in all."""
    found = this.replay.found
    done = found.steps[:step]
    starts = "take" if found.algorithm == "bfs" else "go"
    expanded = sum(each.kind == starts for each in done)
    if found.algorithm != "bfs" and done and not found.is_over(0):
        expanded += 1
    tried = ("go", "wait", "won", "lost", "seen")
    return [
        (_("states expanded"), expanded, found.expanded),
        (_("moves tried"), sum(each.kind in tried for each in done), len(found.places) - 1),
        (
            _("met again"),
            sum(each.kind == "seen" for each in done),
            sum(each.kind == "seen" for each in found.steps),
        ),
    ]


# The positions of a game as one picture: its tree, complete or truncated, or its graph, coloured
# by exact value (row A-35).


FIRST = "nim:matches=6"
"""Small enough that all of it can be read at a glance."""
KINDS: tuple[DiagramKind, ...] = ("merged", "truncated", "complete")


def graph_page(registry: Registry, params: Params) -> str:
    """The page of graphs; the tree room reaches it."""
    answer = graph_show(registry, params)
    return pages.page(
        "graph.html",
        "/tree",
        _("Graph of a game"),
        view="graph",
        state=to_json(answer["state"]),
        parts=answer["parts"],
    )


def graph_show(registry: Registry, params: Params) -> StateAnswer[AddressState]:
    """A graph or a tree: its picture, and how large it is.

    Raises LimitReached for one that is too large to be drawn.
    """
    game, moves, symmetric = params.text("game") or FIRST, params.moves(), params.flag("symmetric")
    kind = params.choice("kind", KINDS)
    plies = None if params.values.get("plies", "") == "" else params.whole("plies", 0, 0, 1000)
    loaded = registry.game(game)
    notes = Notes()
    job = Job(memory=registry.settings.memory, note=notes)
    plan = DiagramPlan(loaded, line(loaded, moves)[-1].state, kind, plies, symmetric)
    try:
        drawn = graph_svg(diagram(plan, job), labelled(game_in_words(game, loaded), _(WORDS[plan.kind])))
    except LimitReached as error:
        raise too_large(error, kind, game_in_words(game, loaded)) from None
    size = shape(plan, job)
    values = {
        "game": game,
        "moves": ",".join(moves),
        "kind": kind if kind != KINDS[0] else "",
        "plies": "" if plies is None else str(plies),
        "symmetric": "1" if symmetric else "",
    }
    rows = [
        (_("nodes"), size.nodes),
        (_("different positions"), size.states),
        (_("edges"), size.edges),
        (_("nodes below which nothing is drawn"), size.leaves),
        (_("positions met again"), size.repeated),
    ]
    parts = {
        "graph": pages.picture(drawn),
        "size": pages.part("graph_size.html", rows=rows, notes=notes),
        "choices": pages.part(
            "graph_choices.html",
            values=values,
            kind=kind,
            kinds={each: _(WORDS[each]) for each in KINDS},
            games=registry.names,
        ),
    }
    return {
        "state": {"values": values, "address": pages.address("/tree", view="graph", **values)},
        "parts": parts,
    }


def too_large(error: LimitReached, kind: DiagramKind, game: str) -> LimitReached:
    """Return what is said of a picture that nobody could read."""
    nodes = error.reached.get("nodes")
    size = grouped(nodes) if isinstance(nodes, int) else _("more than {n}", n=grouped(DRAWN))
    sentence = _(
        "{what} of {game} would have {size} nodes; up to {most} are drawn. Choose fewer plies, a later"
        " position, or another kind of picture."
    )
    return LimitReached(sentence.format(what=_(WORDS[kind]), game=game, size=size, most=grouped(DRAWN)))


AT_ONCE = 8
"""The most steps that are sent at once."""
NODES_AT_ONCE = 300
PACES = {"slow": 2400, "normal": 1200, "fast": 400}
"""Milliseconds from step to step."""
FAR = 1_000_000
TreeShape: TypeAlias = Literal["picture", "outline", "both"]
"""How a tree is sent: only as it is looked at, since each is most of an answer."""


class SearchTrace(PageTrace[Replay]):
    """A search of an explicit tree, and all that is said of it."""

    @property
    def found(self) -> explicit.TreeAnalysis:
        return self.replay.found

    @property
    def is_alphabeta(self) -> bool:
        return self.found.algorithm == "alphabeta"

    @property
    def listed(self) -> str:
        """All steps in sentences, as a part of the page."""
        return pages.part("tree_list.html", said=self.replay.sentences)

    @cached_property
    def true(self) -> Sequence[float]:
        """Return what every place is worth, where alpha-beta may say less than that."""
        return explicit.place_values(self.found.tree, self.replay.blank.places, self.found.plies)

    @cached_property
    def end(self) -> Scene:
        return self.scene(len(self.replay))

    def scene(self, step: int) -> Scene:
        """The tree at a step; what a leaf holds can be read before the search comes there."""
        scene = self.replay.scene(step)
        nodes = self.found.tree.nodes
        marks = list(scene.marks)
        for number, place in enumerate(scene.places):
            if scene.roles[number] is None and marks[number].known in ("unseen", "cut"):
                value = nodes[place.node].value or nodes[place.node].evaluation
                if value is not None:
                    marks[number] = marks[number]._replace(
                        value=value if self.found.algorithm == "maxn" else value[0]
                    )
        return replace(scene, marks=tuple(marks), sentence="")


_traces = LRU[tuple[Question, str], SearchTrace | SpaceTrace](8)
"""Searches that stay at hand."""


def trace_of(registry: Registry, question: Question) -> SearchTrace | SpaceTrace:
    """The search that is asked for. Raises BadInput, Unsuitable, LimitReached."""
    trace = space_trace if question.space else search_trace
    return _traces.find((question, language()), lambda: trace(registry, question))


def search_trace(registry: Registry, question: Question) -> SearchTrace:
    """The search of an explicit tree that is asked for. Raises BadInput, LimitReached."""
    tree = question.found(registry)
    settled = question.settled(registry, tree)
    assert settled.algorithm
    found = explicit.search(tree, settled.algorithm, settled.limit, settled.prune, trace=True)
    names = {
        "random": _("Random tree, seed {seed}", seed=settled.seed),
        "text": _("A tree of your own"),
        "game": game_in_words(settled.game),
    }
    name = names.get(settled.tree) or _(explicit.EXAMPLES[settled.tree].name)
    title = f"{name} · {agent_in_words(found.algorithm)}"
    movers: dict[Role, str] = {"max": "MAX", "min": "MIN", "mean": _("chance")}
    return SearchTrace(settled, Replay(found, MOST_NODES), title, movers, _("best"))


def page(registry: Registry, params: Params) -> str:
    """The page: a search, exercises, or the graph of a game's positions."""
    view = params.choice("view", ("search", "exercise", "sheet", "graph"))
    if view == "exercise":
        return exercise.page(registry, params)
    if view == "sheet":
        return exercise.sheet(registry, params)
    if view == "graph":
        return graph_page(registry, params)
    if params.flag("kept"):  # the tree lies in the browser, which asks for it once the page is there
        params = Params(
            {name: value for name, value in params.values.items() if name not in ("tree", "plies")}
        )
    answer = answer_of(registry, params, "both")
    return pages.page(
        "tree.html",
        "/tree",
        _("Trees"),
        view=view,
        state=to_json(answer["state"]),
        parts=answer["parts"],
        orders=ORDERS,
        paces=PACES,
        listings=[(listing.name, _(listing.title)) for listing in (DISPATCH, TWO)],
    )


def show(registry: Registry, params: Params) -> StateAnswer[TreeState]:
    """A tree and how it is searched: all parts of its page, at one `step`."""
    return answer_of(registry, params, shape_asked(params))


def answer_of(registry: Registry, params: Params, shape: TreeShape) -> StateAnswer[TreeState]:
    this = trace_of(registry, Question.of_address(params))
    step = min(params.whole("step", 0, 0, FAR), len(this.replay))
    of_tree = this if isinstance(this, SearchTrace) else None
    ordered = of_tree if of_tree and of_tree.is_alphabeta else None
    if shape == "both" and len(this.replay.blank.places) > OUTLINED:
        shape = "picture"
    state: TreeState = {
        "values": this.question.values,
        "address": this.question.address,
        "steps": len(this.replay),
        "step": step,
        "chunk": max(1, min(AT_ONCE, NODES_AT_ONCE // len(this.replay.blank.places))),
        "order": this.question.order if of_tree else -1,
        "ordered": ordered is not None,
        "cuts": list(this.replay.cuts),
    }
    parts = {
        "form": form_part(registry, this.question, of_tree.found.tree if of_tree else None),
        "list": this.listed,
        "orders": orders_part(ordered) if ordered else "",
        **moment(this, step, shape),
    }
    return {"state": state, "parts": parts}


def steps(registry: Registry, params: Params) -> StepsAnswer:
    """Some steps of a search, from `first` on: what changes on the page."""
    question, first = Question.of_address(params), params.whole("first", 0, 0, FAR)
    count = params.whole("count", 1, 1, AT_ONCE)
    this = trace_of(registry, question)
    last = min(first + count, len(this.replay) + 1)
    return {"steps": {step: moment(this, step, shape_asked(params)) for step in range(first, last)}}


def shape_asked(params: Params) -> TreeShape:
    return "outline" if params.flag("outline") else "picture"


def moment(this: SearchTrace | SpaceTrace, step: int, shape: TreeShape) -> Parts:
    """The parts that change from step to step."""
    if isinstance(this, SpaceTrace):
        return space_moment(this, step, shape)
    scene = this.scene(step)
    # the pseudo-code, with the lines that the step is about
    listed = [
        (listing.name, _(listing.title), this.replay.code(step, number))
        for number, listing in enumerate(listings(this.found))
    ]
    return {
        **drawn_parts(this, scene, shape),
        "said": sentence_part(this, scene, step),
        "work": work_part(this, scene, step),
        "code": pages.part("tree_code.html", listings=listed),
    }


def sentence_part(this: SearchTrace, scene: Scene, step: int) -> str:
    """The sentence of a step, what is known after it, and what is to be said at the end."""
    of = len(this.replay)
    last = this.found.steps[step - 1] if step else None
    readings = [("v", written_value(last.value))] if last is not None and last.value is not None else []
    if last is not None and this.is_alphabeta:
        readings = [("α", written_value(last.alpha)), ("β", written_value(last.beta)), *readings]
    ended = step == of
    returns = last is not None and last.kind == "return"
    return pages.part(
        "tree_said.html",
        step=step,
        of=of,
        sentence=(
            this.replay.sentences[step - 1]
            if step
            else _("Nothing is known yet but the leaves. → goes on, ← goes back.")
        ),
        readings=readings,
        lie=falsehood(this, scene) if returns and this.is_alphabeta else "",
        decision=explicit.decision(this.found) if ended else "",
        moves=root_moves(this, scene) if ended else [],
        is_alphabeta=this.is_alphabeta,
    )


def falsehood(this: SearchTrace, scene: Scene) -> str:
    """Return what is to be said where a node comes back with a number that is not its value (row A-60)."""
    mark, true = scene.marks[scene.here], this.true[scene.here]
    if mark.value == true or isinstance(mark.value, tuple):
        return ""
    name = this.found.tree.nodes[scene.places[scene.here].node].name
    return _(
        "{value} is only a bound: {name} is worth {true}",
        value=written_value(mark.value),
        name=name,
        true=written_value(true),
    )


def root_moves(this: SearchTrace, scene: Scene) -> list[tuple[str, str, str, bool]]:
    """The moves of the root: name, what came back, what it is worth, and whether the one passes for
    the best and the other is not.
    """
    rows = []
    for number, place in enumerate(this.replay.below[0]):
        mark, value = scene.marks[place], this.found.values[number]
        back = f"{mark.sign} {written_value(mark.value)}" if mark.sign != "=" else written_value(mark.value)
        rows.append(
            (scene.move_name(place), back, written_value(value), mark.value == this.found.value != value)
        )
    return rows


def work_part(this: SearchTrace, scene: Scene, step: int) -> str:
    """Return how much was done up to a step, in all, and by minimax, which looks at everything."""
    done = [each.kind for each in this.found.steps[:step]]
    places = this.replay.blank.places
    ends = sum(role is None for role in this.replay.blank.roles)
    unlooked = [sum(mark.known == "cut" for mark in marks) for marks in (scene.marks, this.end.marks)]
    rows = [
        (_("nodes searched"), done.count("enter") + done.count("leaf"), this.found.nodes, len(places)),
        (_("leaves read"), done.count("leaf"), this.found.reads, ends),
        (_("cuts"), done.count("cut"), len(this.found.cuts), 0),
        (_("nodes cut off"), *unlooked, 0),
    ]
    return pages.part(
        "tree_work.html",
        rows=rows if this.is_alphabeta else [row[:3] for row in rows[:2]],
        is_alphabeta=this.is_alphabeta,
    )


def orders_part(this: SearchTrace) -> str:
    """The order of the moves in words, and what is read in it."""
    ends = sum(role is None for role in this.replay.blank.roles)
    return pages.part(
        "tree_orders.html", order=this.question.order, most=ORDERS, read=this.found.reads, ends=ends
    )


def form_part(registry: Registry, question: Question, tree: Tree | None) -> str:
    """Return what can be chosen, as it is chosen; a search of document S1 has no tree before it."""
    text = (
        question.text
        if question.tree == "text"
        else written(tree)
        if tree and question.tree != "game"
        else ""
    )
    game = registry.game(question.game) if question.tree == "game" else None
    position = line(game, list(question.moves))[-1] if game else None
    known = question.suitable(registry, tree)
    return pages.part(
        "tree_form.html",
        question=question,
        examples={name: _(example.name) for name, example in explicit.EXAMPLES.items()},
        shows=_(explicit.EXAMPLES[question.tree].shows) if question.tree in explicit.EXAMPLES else "",
        text=text,
        longest=LONGEST_TREE,
        games=registry.names,
        example=example(game) if game and game.features else "",
        algorithms=known,
        spaces={name: _(NAMES[name]) for name in question.spaces(registry)},
        board=pages.picture(board_svg(position)) if position else "",
    )
