"""The positions of a game as one picture: its tree, complete or truncated, or its graph, coloured
by exact value (row A-35).
"""

from __future__ import annotations

from damier.core.diagram import DiagramKind
from damier.core.errors import LimitReached
from damier.core.job import Job, Notes
from damier.core.json_data import to_json
from damier.core.position import line
from damier.core.words import _, grouped
from damier.draw.graph import graph_svg
from damier.lab.graphs import DRAWN, WORDS, DiagramPlan, diagram, shape
from damier.web import pages
from damier.web.messages.parts import AddressAnswer
from damier.web.params import Asked
from damier.web.registry import Registry

FIRST = "nim:matches=6"
"""Small enough that all of it can be read at a glance."""
KINDS: tuple[DiagramKind, ...] = ("merged", "truncated", "complete")


def page(registry: Registry, asked: Asked) -> str:
    """The page of graphs; the tree room reaches it."""
    answer = show(registry, asked)
    return pages.page(
        "graph.html",
        "/tree",
        _("Graph of a game"),
        view="graph",
        state=to_json(answer["state"]),
        parts=answer["parts"],
    )


def show(registry: Registry, asked: Asked) -> AddressAnswer:
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
    """What is said of a picture that nobody could read."""
    nodes = error.reached.get("nodes")
    size = grouped(nodes) if isinstance(nodes, int) else _("more than {n}", n=grouped(DRAWN))
    sentence = _(
        "{what} of {game} would have {size} nodes; up to {most} are drawn. Choose fewer plies, a later"
        " position, or another kind of picture."
    )
    return LimitReached(
        sentence.format(what=_(WORDS[plan.kind]), game=plan.game.text, size=size, most=grouped(DRAWN))
    )
