"""The tree room: a search told step by step, forwards and back, with its reasons; and two doors
beside it, exercises and graphs of positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from damier.core.analysis import example
from damier.core.diagram import DiagramKind
from damier.core.errors import LimitReached
from damier.core.job import Job, Notes
from damier.core.json_data import to_json
from damier.core.position import line
from damier.core.tree import Scene, Tree, shown
from damier.core.words import _, grouped, language
from damier.draw.board import board_svg
from damier.draw.graph import graph_svg
from damier.draw.tree import tree_svg
from damier.lab.graphs import DRAWN, WORDS, DiagramPlan, diagram, shape
from damier.lab.trees import EXAMPLES, decision
from damier.trees.explicit import Algorithm, TreeAnalysis, place_values, search
from damier.trees.replay import Replay
from damier.trees.tree_text import written
from damier.web import pages
from damier.web.limits import LRU
from damier.web.messages import AddressAnswer, Parts, StepsAnswer, TreeAnswer, TreeState
from damier.web.params import Params
from damier.web.registry import Registry
from damier.web.rooms import exercise
from damier.web.tree_question import (
    ALGORITHMS,
    LONGEST_TREE,
    NAMES,
    ORDERS,
    SHOWN,
    ZERO_SUM_ALGORITHMS,
    Question,
    difference,
    orders_part,
    space_moment,
    space_state,
    space_trace,
    trace_part,
)

# The positions of a game as one picture: its tree, complete or truncated, or its graph, coloured
# by exact value (row A-35).


FIRST = "nim:matches=6"
"""Small enough that all of it can be read at a glance."""
KINDS: tuple[DiagramKind, ...] = ("merged", "truncated", "complete")


def graph_page(registry: Registry, asked: Params) -> str:
    """The page of graphs; the tree room reaches it."""
    answer = graph_show(registry, asked)
    return pages.page(
        "graph.html",
        "/tree",
        _("Graph of a game"),
        view="graph",
        state=to_json(answer["state"]),
        parts=answer["parts"],
    )


def graph_show(registry: Registry, asked: Params) -> AddressAnswer:
    """A graph or a tree: its picture, and how large it is.

    Raises LimitReached for one that is too large to be drawn.
    """
    game, moves, symmetric = asked.text("game") or FIRST, asked.moves(), asked.flag("symmetric")
    kind = asked.choice("kind", KINDS)
    plies = None if asked.values.get("plies", "") == "" else asked.whole("plies", 0, 0, 1000)
    loaded = registry.game(game)
    notes = Notes()
    job = Job(memory=registry.settings.memory, note=notes)
    plan = DiagramPlan(loaded, line(loaded, moves)[-1].state, kind, plies, symmetric)
    try:
        drawn = graph_svg(diagram(plan, job), f"{loaded.text}: {_(WORDS[plan.kind])}")
    except LimitReached as error:
        raise too_large(error, plan) from None
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


def too_large(error: LimitReached, plan: DiagramPlan) -> LimitReached:
    """Return what is said of a picture that nobody could read."""
    nodes = error.reached.get("nodes")
    size = grouped(nodes) if isinstance(nodes, int) else _("more than {n}", n=grouped(DRAWN))
    sentence = _(
        "{what} of {game} would have {size} nodes; up to {most} are drawn. Choose fewer plies, a later"
        " position, or another kind of picture."
    )
    return LimitReached(
        sentence.format(what=_(WORDS[plan.kind]), game=plan.game.text, size=size, most=grouped(DRAWN))
    )


AT_ONCE = 8
"""The most steps that are sent at once."""
NODES_AT_ONCE = 300
KEPT = 8
"""Searches that stay at hand."""
PACES = {"slow": 2400, "normal": 1200, "fast": 400}
"""Milliseconds from step to step."""
FAR = 1_000_000


@dataclass
class SearchTrace:
    """A search, and all that is said of it."""

    question: Question
    replay: Replay

    @property
    def found(self) -> TreeAnalysis:
        return self.replay.found

    @property
    def is_alphabeta(self) -> bool:
        return self.found.algorithm == "alphabeta"

    @cached_property
    def true(self) -> Sequence[float]:
        """Return what every place is worth, where alpha-beta may say less than that."""
        return place_values(self.found.tree, self.replay.places, self.found.plies)

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
        return replace(scene, marks=tuple(marks), said="")

    @property
    def title(self) -> str:
        names = {
            "random": _("Random tree, seed {seed}", seed=self.question.seed),
            "text": _("A tree of your own"),
            "game": self.question.game,
        }
        name = names.get(self.question.tree) or _(EXAMPLES[self.question.tree].name)
        return f"{name} · {self.found.algorithm}"


_told = LRU[tuple[Question, str], SearchTrace](KEPT)


def search_trace(registry: Registry, question: Question) -> SearchTrace:
    """The search that is asked for. Raises BadInput, LimitReached."""
    key = question, language()
    if key not in _told:
        tree = question.found(registry)
        settled = question.settled(registry, tree)
        assert settled.algorithm
        found = search(tree, settled.algorithm, settled.limit, settled.prune, trace=True)
        _told[key] = SearchTrace(settled, Replay(found, SHOWN))
    return _told[key]


def page(registry: Registry, asked: Params) -> str:
    """The page: a search, exercises, or the graph of a game's positions."""
    view = asked.choice("view", ("search", "exercise", "sheet", "graph"))
    if view == "exercise":
        return exercise.page(registry, asked)
    if view == "sheet":
        return exercise.sheet(registry, asked)
    if view == "graph":
        return graph_page(registry, asked)
    if asked.flag("kept"):  # the tree lies in the browser, which asks for it once the page is there
        asked = Params({name: value for name, value in asked.values.items() if name not in ("tree", "plies")})
    answer = show(registry, asked)
    return pages.page(
        "tree.html",
        "/tree",
        _("Trees"),
        view=view,
        state=to_json(answer["state"]),
        parts=answer["parts"],
        orders=ORDERS,
        paces=PACES,
    )


def show(registry: Registry, asked: Params) -> TreeAnswer:
    """A tree and how it is searched: all parts of its page, at one `step`."""
    question = Question.asked(asked)
    if question.space:
        return show_space(registry, question, asked)
    this = search_trace(registry, question)
    steps = len(this.replay)
    step = min(asked.whole("step", 0, 0, FAR), steps)
    state: TreeState = {
        "values": this.question.values,
        "address": this.question.address,
        "steps": steps,
        "step": step,
        "chunk": max(1, min(AT_ONCE, NODES_AT_ONCE // len(this.replay.places))),
        "order": this.question.order,
        "ordered": this.is_alphabeta,
        "cuts": [number for number, each in enumerate(this.found.steps, 1) if each.kind == "cut"],
    }
    parts = {
        "form": form_part(registry, this.question, this.found.tree),
        "list": pages.part("tree_list.html", said=this.replay.said),
        "orders": orders_part(registry, this.question) if this.is_alphabeta else "",
        **moment(this, step),
    }
    return {"state": state, "parts": parts}


def show_space(registry: Registry, question: Question, asked: Params) -> TreeAnswer:
    """Return the same for a search of document S1."""
    this = space_trace(registry, question)
    step = min(asked.whole("step", 0, 0, FAR), len(this.replay))
    parts = {
        "form": form_part(registry, question, None),
        "list": trace_part(this),
        "orders": "",
        **space_moment(this, step),
    }
    return {"state": space_state(this, step), "parts": parts}


def steps(registry: Registry, asked: Params) -> StepsAnswer:
    """Some steps of a search, from `first` on: what changes on the page."""
    question = Question.asked(asked)
    first = asked.whole("first", 0, 0, FAR)
    count = asked.whole("count", 1, 1, AT_ONCE)
    if question.space:
        space = space_trace(registry, question)
        last = min(first + count, len(space.replay) + 1)
        return {"steps": {step: space_moment(space, step) for step in range(first, last)}}
    this = search_trace(registry, question)
    return {
        "steps": {step: moment(this, step) for step in range(first, min(first + count, len(this.replay) + 1))}
    }


def moment(this: SearchTrace, step: int) -> Parts:
    """The parts that change from step to step."""
    scene = this.scene(step)
    return {
        "tree": pages.picture(tree_svg(scene, this.title, like=this.end)),
        "said": sentence_part(this, scene, step),
        "work": work_part(this, scene, step),
    }


def sentence_part(this: SearchTrace, scene: Scene, step: int) -> str:
    """The sentence of a step, what is known after it, and what is to be said at the end."""
    of = len(this.replay)
    last = this.found.steps[step - 1] if step else None
    readings = [("v", shown(last.value))] if last is not None and last.value is not None else []
    if last is not None and this.is_alphabeta:
        readings = [("α", shown(last.alpha)), ("β", shown(last.beta)), *readings]
    ended = step == of
    returns = last is not None and last.kind == "return"
    return pages.part(
        "tree_said.html",
        step=step,
        of=of,
        sentence=(
            this.replay.said[step - 1]
            if step
            else _("Nothing is known yet but the leaves. → goes on, ← goes back.")
        ),
        readings=readings,
        lie=falsehood(this, scene) if returns and this.is_alphabeta else "",
        decision=decision(this.found) if ended else "",
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
        value=shown(mark.value),
        name=name,
        true=shown(true),
    )


def root_moves(this: SearchTrace, scene: Scene) -> list[tuple[str, str, str, bool]]:
    """The moves of the root: name, what came back, what it is worth, and whether the one passes for
    the best and the other is not.
    """
    rows = []
    for number, place in enumerate(this.replay.below[0]):
        mark, value = scene.marks[place], this.found.values[number]
        back = f"{mark.sign} {shown(mark.value)}" if mark.sign != "=" else shown(mark.value)
        rows.append((scene.move_name(place), back, shown(value), mark.value == this.found.value != value))
    return rows


def work_part(this: SearchTrace, scene: Scene, step: int) -> str:
    """Return how much was done up to a step, in all, and by minimax, which looks at everything."""
    done = [each.kind for each in this.found.steps[:step]]
    places = this.replay.places
    ends = sum(role is None for role in this.replay.roles)
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
    known = question.suitable(registry, tree) if tree else suitable_game(registry, question)
    return pages.part(
        "tree_form.html",
        question=question,
        examples={name: _(example.name) for name, example in EXAMPLES.items()},
        shows=_(EXAMPLES[question.tree].shows) if question.tree in EXAMPLES else "",
        text=text,
        longest=LONGEST_TREE,
        games=registry.names,
        example=example(game) if game and game.features else "",
        algorithms=known,
        spaces={name: _(NAMES[name]) for name in question.spaces(registry)},
        cuts=difference(registry, question) if question.algorithm == "alphabeta" else "",
        board=pages.picture(board_svg(position)) if position else "",
    )


def suitable_game(registry: Registry, question: Question) -> list[Algorithm]:
    """The algorithms that can search the tree of a game for two without dice."""
    zero_sum = registry.game(question.game).zero_sum
    return [name for name in ALGORITHMS if zero_sum or name not in ZERO_SUM_ALGORITHMS]
