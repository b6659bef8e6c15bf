"""`damier tables`: every position with few pieces, solved; and what `damier show` says of such tables."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.command import (
    GameName,
    Json,
    Report,
    SharedWork,
    refuse_out,
    remark,
    remarks,
    report,
    say,
    table,
    whole,
)
from damier.core.errors import Interrupted
from damier.core.game import written_game
from damier.core.json_data import held
from damier.core.words import _, grouped, ngettext
from damier.lab.games import load
from damier.lab.large import SCORES
from damier.plugins.large.cached_tables import made_folder
from damier.plugins.large.endgame_tables import BYTES, build, read_index, required_layout


def tables(
    game: GameName,
    /,
    *,
    pieces: Annotated[
        int,
        Parameter(converter=whole, help=_("all positions with up to so many pieces, both sides together")),
    ],
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "-o"),
            help=_(
                "the folder of the tables; what is finished there is gone on with (default: one in the cache,"
                " where the pages of the board look)"
            ),
        ),
    ] = None,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    job, notes = (work or SharedWork()).job()
    loaded, begun = load(game), time.perf_counter()
    required_layout(loaded, pieces)
    folder = made_folder(loaded) if out is None else out
    try:
        solved = build(loaded, pieces, folder, job)
    except Interrupted as interrupted:
        remarks(notes)
        remark(
            _(
                "stopped: {n} of {of} slices are in {folder}; the same command goes on from there",
                n=interrupted.reached["slices"],
                of=interrupted.reached["of"],
                folder=folder,
            )
        )
        raise
    data = {**tables_facts(folder), "solved": solved, "seconds": round(time.perf_counter() - begun, 3)}
    report(data, json, lambda: show_tables(data, folder), notes=notes)


def tables_facts(folder: Path) -> Report:
    """Return what is reported of a folder of tables: of every slice what it holds, and their sums."""
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


def show_tables(data: Report, folder: Path) -> None:
    """Show the slices as a table."""
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


def show_file(index: Path, out: Path | None, json: bool) -> None:
    """Show the tables of which this is the index."""
    refuse_out(out, index)
    facts = tables_facts(index.parent)
    report(facts, json, lambda: show_tables(facts, index.parent))
