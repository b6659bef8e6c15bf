"""`damier tables`: endgame tables, the value and distance of every position with few pieces."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.options import GameName, Json, SharedWork, whole
from damier.cli.output import Report, remark, remarks, report, say, table
from damier.core.errors import Interrupted
from damier.core.words import _, grouped, ngettext


def tables(
    game: GameName,
    /,
    *,
    pieces: Annotated[
        int,
        Parameter(converter=whole, help=_("all positions with up to so many pieces, both sides together")),
    ],
    out: Annotated[
        Path,
        Parameter(
            name=("--out", "-o"), help=_("the folder of the tables; what is finished there is gone on with")
        ),
    ],
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    from damier.lab.games import load
    from damier.solve.endgame_tables import build

    job, notes = (work or SharedWork()).job()
    loaded, begun = load(game), time.perf_counter()
    try:
        solved = build(loaded, pieces, out, job)
    except Interrupted as interrupted:
        remarks(notes)
        remark(
            _(
                "stopped: {n} of {of} slices are in {folder}; the same command goes on from there",
                n=interrupted.reached["slices"],
                of=interrupted.reached["of"],
                folder=out,
            )
        )
        raise
    remarks(notes)
    seconds = time.perf_counter() - begun
    data = {**facts(out), "solved": solved, "seconds": round(seconds, 3)}
    report(data, json, lambda: show(data, out))


def facts(folder: Path) -> Report:
    """What is reported of a folder of tables: of every slice what it holds, and their sums."""
    from damier.core.json_data import held
    from damier.core.option_text import written_game
    from damier.solve.endgame_tables import BYTES, read_index

    index = read_index(folder)
    slices = [entry for entry in held(index, "slices", list) or [] if isinstance(entry, dict)]
    sums = {name: sum(int(str(entry[name])) for entry in slices) for name in ("places", "positions")}
    return {
        "format": index["format"],
        "game": written_game(index),
        "folder": str(folder),
        "slices": slices,
        **sums,
        "bytes": BYTES * sums["places"],
    }


def show(data: Report, folder: Path) -> None:
    """The same as a table."""
    from damier.solve.endgame_tables import SCORES

    slices = data["slices"]
    assert isinstance(slices, list)
    names = ("positions", "wins", "draws", "losses", "longest_win")
    rows = [(entry["name"], *(_cell(entry[name]) for name in names)) for entry in slices]
    head = (_("slice"), _("positions"), _("wins"), _("draws"), _("losses"), _("longest win"))
    table(head, rows, str(data["game"]), numbers=range(1, 6))
    say(
        ngettext(
            "{n} position in {slices} slices, for who is to move; {bytes} bytes in {path}",
            "{n} positions in {slices} slices, for who is to move; {bytes} bytes in {path}",
            int(str(data["positions"])),
            n=grouped(int(str(data["positions"]))),
            slices=len(slices),
            bytes=grouped(int(str(data["bytes"]))),
            path=folder / SCORES,
        )
    )


def _cell(count: int) -> str:
    return grouped(count) if count >= 0 else ""


def folder_of(path: Path) -> Path | None:
    """The folder of tables that a path names, or whose index it is; None for any other."""
    from damier.solve.endgame_tables import INDEX, SCORES

    if path.is_dir() and (path / INDEX).is_file():
        return path
    return path.parent if path.name in (INDEX, SCORES) and (path.parent / INDEX).is_file() else None
