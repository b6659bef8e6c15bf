"""Handouts: `damier exercise`, sheets to work out by hand, and their keys; `damier start`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, NamedTuple

from cyclopts import Parameter

from damier.cli.command import Json, Report, checked_seed, report, say, whole, within
from damier.core.errors import BadInput
from damier.core.words import _, language, message
from damier.draw.picture_files import require_picture, write_pages, write_picture
from damier.lab.exercises import Drill
from damier.lab.exercises.kinds import (
    LARGEST_SEED,
    MOST_COUNT,
    DrillKind,
    DrillRun,
    has_shape,
    require_shape,
    usual_shape,
)
from damier.lab.exercises.tree_drills import TreeShape
from damier.lab.kits import kit


class SheetAndKey(NamedTuple):
    """An exercise: as data, its sheet and its key as pictures, and the sheet as text."""

    data: Report
    sheet: str
    key: str
    text: str


def exercise(
    kind: Annotated[DrillKind, Parameter(help=_("what is to be worked out"))],
    /,
    *,
    seed: Annotated[
        int | None,
        Parameter(
            converter=whole,
            help=_("the same seed gives the same exercise (default: a new one, which is told)"),
        ),
    ] = None,
    branching: Annotated[
        int | None,
        Parameter(converter=within(2, 8), help=_("the most moves of a node (default: 3; 2 for maxn)")),
    ] = None,
    plies: Annotated[
        int | None,
        Parameter(converter=within(1, 8), help=_("how deep (default: 2; 3 for alphabeta and maxn)")),
    ] = None,
    players: Annotated[
        int | None,
        Parameter(
            converter=within(2, 6),
            help=_("how many (default: 2; 3 for maxn); with minimax, MAX plays against all others"),
        ),
    ] = None,
    count: Annotated[
        int | None,
        Parameter(
            converter=within(1, MOST_COUNT),
            help=_("a run of so many, as the web lab has it: exercise n has the seed 100 S + n; -o: .pdf"),
        ),
    ] = None,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"),
            help=_("draw the sheet: .svg or .png, its key as NAME-key.svg; .pdf: two pages"),
        ),
    ] = None,
    json: Json = False,
) -> None:
    if out is not None:
        require_drawable(out, count)
    chosen = checked_seed(seed)
    shape = shape_of(kind, branching, plies, players)
    if count is not None and chosen > LARGEST_SEED:
        raise BadInput(message("--seed {seed}: up to {most} for a run", seed=chosen, most=LARGEST_SEED))
    run = DrillRun(kind, chosen, count or 0, shape)
    made = [worked_out(run.drill(n), run.title_of(n)) for n in range(1, max(1, run.count) + 1)]
    if out is not None:
        write(made, out)
    data: Report = made[0].data
    if count is not None:
        data = {"kind": kind, "seed": chosen, "exercises": [each.data for each in made]}
    report(data, json, lambda: show("\n\n".join(each.text for each in made), chosen, count, out))


def shape_of(
    kind: DrillKind, branching: int | None, plies: int | None, players: int | None
) -> TreeShape | None:
    """The size of the trees; None where nothing was said of it. Raises BadInput."""
    if branching is plies is players is None:
        return None
    if not has_shape(kind):
        raise BadInput(
            message(
                "{kind} has no tree of its own: --branching, --plies and --players go with the kinds that"
                " have one",
                kind=kind,
            )
        )
    usual = usual_shape(kind)
    shape = TreeShape(
        branching or usual.branching,
        plies or usual.plies,
        players or usual.players,
    )
    require_shape(kind, shape)
    return shape


def worked_out(drill: Drill, title: str) -> SheetAndKey:
    """An exercise and its key."""
    task = drill.task()
    return SheetAndKey(
        {"kind": drill.kind, "seed": drill.seed, **drill.facts()},
        drill.picture(title, task),
        drill.picture(_("{title}: key", title=title), "\n".join(drill.solution()), solved=True),
        "\n".join([title, task, *drill.lines()]),
    )


def key_path(out: Path) -> Path:
    """Return where the key goes."""
    return out.with_name(f"{out.stem}-key{out.suffix}")


def require_drawable(out: Path, count: int | None) -> None:
    """Raises BadInput where the pictures cannot be put."""
    if count is not None and out.suffix.lower() != ".pdf":
        raise BadInput(message("-o {path}: a run is one file of several pages; write .pdf", path=out))
    require_picture(out)
    require_picture(key_path(out))


def write(made: list[SheetAndKey], out: Path) -> None:
    """Writes the pictures: two files, or a page each, the keys last."""
    if out.suffix.lower() == ".pdf":
        write_pages([*(each.sheet for each in made), *(each.key for each in made)], out)
    else:
        write_picture(made[0].sheet, out)
        write_picture(made[0].key, key_path(out))


def show(text: str, seed: int, count: int | None, out: Path | None) -> None:
    """The sheet for people, and where its key is; or those of a run."""
    if out is None:
        say(text)
        say(
            _("the key: -o sheet.svg --seed {seed} draws it beside the sheet, --json lists it", seed=seed)
            if count is None
            else _(
                "the keys: -o sheets.pdf --seed {seed} draws them after the sheets, --json lists them",
                seed=seed,
            )
        )
    elif out.suffix.lower() == ".pdf":
        say(_("written to {path}: first the sheets, then their keys, a page each", path=out))
    else:
        say(_("written to {path}, the key to {key}", path=out, key=key_path(out)))


# `damier start`: the starter kit of a document, in a folder.


def start(
    document: Annotated[str, Parameter(help=_("a document that something is handed in for: s0, s1, s3, s4"))],
    folder: Annotated[Path, Parameter(help=_("a new folder"))],
    /,
    *,
    programming: Annotated[
        str, Parameter(name="--language", help=_("the programming language of the kit"))
    ] = "python",
    json: Json = False,
) -> None:
    made = kit(document, programming)
    made.write(folder)
    spoken = "" if language() == "en" else f" --lang {language()}"
    steps = [
        (f"cd {shlex.quote(str(folder))}", ""),
        (made.test, _("the test that runs from the first minute")),
        (f"damier check {document} .{spoken}", _("how far you are, stage by stage, and what to write next")),
    ]

    def tell() -> None:
        say(_("written to {path}: {files}", path=folder, files=" ".join(made.files)))
        say(_("README.md says what is asked. Now:"))
        width = max(len(line) for line, _what in steps)
        for line, what in steps:
            say(f"    {line:<{width}}   {what}".rstrip())

    data = {
        "document": document,
        "language": programming,
        "folder": str(folder),
        "files": list(made.files),
        "next": [line for line, _what in steps],
    }
    report(data, json, tell)
