"""`damier graph`: the tree or graph of a game: its size, and a picture of it
(document S1, row A-35).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.command import (
    Begin,
    GameName,
    Json,
    Moves,
    Report,
    Symmetry,
    Work,
    report,
    split_moves,
    table,
    within,
)
from damier.core.errors import at_most_one
from damier.core.files import write_text
from damier.core.game import line
from damier.core.words import _, grouped, ngettext
from damier.draw.graph import Diagram, DiagramKind, DiagramShape, graph_dot, graph_svg
from damier.draw.picture_files import require_picture, write_picture
from damier.lab.games import load
from damier.lab.graphs import WORDS, DiagramPlan, diagram, shape


def graph(
    game: GameName,
    /,
    *,
    complete: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help=_("the tree: a position as often as lines of play lead to it"),
        ),
    ] = False,
    truncated: Annotated[
        bool,
        Parameter(
            negative=(), show_default=False, help=_("the tree, … where a position is drawn elsewhere already")
        ),
    ] = False,
    merged: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("the graph: every position once (default)"))
    ] = False,
    moves: Moves = "",
    begin: Begin = None,
    plies: Annotated[
        int | None,
        Parameter(converter=within(0), help=_("how far it goes (default: to the end of every game)")),
    ] = None,
    symmetry: Symmetry = False,
    out: Annotated[
        Path | None,
        Parameter(name=("--out", "-o"), help=_("draw it: .svg, .png, .pdf, or .dot for Graphviz")),
    ] = None,
    work: Work | None = None,
    json: Json = False,
) -> None:
    kind = kind_of(complete, truncated, merged)
    if out is not None:
        require_picture(out, ".dot")
    job, notes = (work or Work()).job()
    loaded = load(game)
    plan = DiagramPlan(loaded, line(loaded, split_moves(moves), begin)[-1].state, kind, plies, symmetry)
    drawn = diagram(plan, job) if out is not None else None
    size = shape(plan, job)
    if drawn is not None and out is not None:
        draw(drawn, out, title_of(plan, split_moves(moves)))
    report(facts(plan, size), json, lambda: show(plan, size), out, notes=notes)


def kind_of(complete: bool, truncated: bool, merged: bool) -> DiagramKind:
    """Return what is asked for. Raises BadInput where that is more than one."""
    kinds: dict[DiagramKind, bool] = {"complete": complete, "truncated": truncated, "merged": merged}
    at_most_one(**kinds)
    return next((kind for kind, wanted in kinds.items() if wanted), "merged")


def draw(diagram: Diagram, path: Path, title: str) -> None:
    """Writes the picture, or the text for Graphviz."""
    if path.suffix.lower() == ".dot":
        write_text(path, graph_dot(diagram, title) + "\n")
    else:
        write_picture(graph_svg(diagram, title), path)


def title_of(plan: DiagramPlan, moves: list[str]) -> str:
    """Return what the picture shows."""
    sentence = _("{game}: {what}", game=plan.game.text, what=_(WORDS[plan.kind]))
    if moves:
        sentence += ", " + _("after {moves}", moves=" ".join(moves))
    if plan.plies is not None:
        sentence += ", " + ngettext("{n} ply deep", "{n} plies deep", plan.plies)
    return sentence + (", " + _("images of one position drawn once") if plan.symmetric else "")


def facts(plan: DiagramPlan, size: DiagramShape) -> Report:
    """Return what is reported."""
    return {
        "game": plan.game.text,
        "kind": plan.kind,
        "plies": plan.plies,
        "symmetric": plan.symmetric,
        **size._asdict(),
    }


def show(plan: DiagramPlan, size: DiagramShape) -> None:
    """Show a graph as a table."""
    rows = [
        (_("nodes"), size.nodes),
        (_("leaves"), size.leaves),
        (_("edges"), size.edges),
        (_("different positions"), size.states),
        (_("drawn again"), size.repeated),
    ]
    table((title_of(plan, []), ""), ((name, grouped(n)) for name, n in rows), numbers=[1])
