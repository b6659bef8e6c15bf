"""`damier matchboxes`: the boxes and the beads of a machine that draws its moves, as a table, as a
picture, or as pages to build it from.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from damier.cli.command import GameName, Json, Report, Work, report, say, table
from damier.core.errors import BadInput, LimitReached
from damier.core.words import _, grouped, message, ngettext
from damier.draw.matchbox import Matchbox, machine_pages, machine_svg
from damier.draw.picture_files import require_picture, write_pages, write_picture
from damier.lab.games import Lab, load
from damier.lab.matchboxes import DRAWN, Machine, instructions, machine_of_file, new_machine, title_of


def matchboxes(
    game: GameName,
    /,
    *,
    agent: Annotated[
        Path | None,
        Parameter(
            help=_("the file of a trained agent, for its beads (default: a machine before its first game)")
        ),
    ] = None,
    learner: Annotated[
        str,
        Parameter(show_default=False, help=_("menace, beads:preset=her … (default: what suits the game)")),
    ] = "",
    seat: Annotated[
        Literal["1", "2", "alternate"] | None,
        Parameter(help=_("where the machine sits (default: where it learnt, or the preset's own)")),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"), help=_("draw all boxes: .svg or .png; .pdf to print, cut out and build")
        ),
    ] = None,
    list_boxes: Annotated[
        bool, Parameter(name="--list", negative=(), show_default=False, help=_("say what is in every box"))
    ] = False,
    json: Json = False,
) -> None:
    if agent is not None and learner:
        raise BadInput(message("--agent and --learner exclude each other: the file says which learner it is"))
    if out is not None:
        require_picture(out)
    job, _notes = Work().job()
    lab = Lab(load(game), job)
    machine = new_machine(lab, learner, seat) if agent is None else machine_of_file(lab, agent, seat)
    if out is not None:
        draw(machine, out)
    report(facts(machine, list_boxes), json, lambda: show(machine, list_boxes), out)


def draw(machine: Machine, path: Path) -> None:
    """Draws all boxes. Raises LimitReached where they are too many."""
    if len(machine.boxes) > DRAWN:
        sentence = _(
            "{game} has {n} boxes; up to {most} are drawn",
            game=machine.game.text,
            n=grouped(len(machine.boxes)),
            most=grouped(DRAWN),
        )
        raise LimitReached(sentence, {"boxes": len(machine.boxes), "beads": machine.beads})
    if path.suffix.lower() == ".pdf":
        write_pages(machine_pages(machine.boxes, title_of(machine), instructions(machine)), path)
    else:
        write_picture(machine_svg(machine.boxes, title_of(machine)), path)


def facts(machine: Machine, listed: bool) -> Report:
    """Return what is reported of a machine."""
    stages = [
        {"stage": stage, "boxes": len(boxes), "beads": sum(box.total for box in boxes)}
        for stage, boxes in machine.stages
    ]
    data: dict[str, object] = {
        "game": machine.game.text,
        "learner": machine.learner,
        "seat": machine.seat,
        "games": machine.games,
        "boxes": len(machine.boxes),
        "beads": machine.beads,
        "stages": stages,
    }
    if listed:
        data["list"] = [
            {
                "number": box.number,
                "stage": box.stage,
                "board": box.position.game.show(box.position.state),
                "moves": beads_of(box),
            }
            for box in machine.boxes
        ]
    return data


def beads_of(box: Matchbox) -> dict[str, int]:
    """The beads of a box by move."""
    game, s = box.position.game, box.position.state
    return {game.name_move(s, move): count for move, count in box.beads.items()}


def show(machine: Machine, listed: bool) -> None:
    """The boxes by stage, or one by one, as a table."""
    title = _(
        "{game}: {learner} at seat {seat}", game=machine.game.text, learner=machine.learner, seat=machine.seat
    )
    if listed:
        rows: list[tuple[object, ...]] = []
        for box in machine.boxes:
            moves = "  ".join(f"{name} × {grouped(count)}" for name, count in beads_of(box).items())
            board = " / ".join(box.position.game.show(box.position.state).splitlines())
            rows.append((box.number, box.stage, board, moves))
        table((_("box"), _("decisions before"), _("position"), _("beads")), rows, title, numbers=[0, 1])
    else:
        by_stage = [
            (stage, grouped(len(boxes)), grouped(sum(box.total for box in boxes)))
            for stage, boxes in machine.stages
        ]
        table((_("decisions before"), _("boxes"), _("beads")), by_stage, title, numbers=[0, 1, 2])
    say(
        ngettext(
            "{n} box, {beads} beads",
            "{n} boxes, {beads} beads",
            len(machine.boxes),
            n=grouped(len(machine.boxes)),
            beads=grouped(machine.beads),
        )
    )
    if machine.games:
        say(
            ngettext("learnt from {n} game", "learnt from {n} games", machine.games, n=grouped(machine.games))
        )
