"""`damier perft`: lines of play by their length, to test rules and to measure speed."""

from __future__ import annotations

import time
from typing import Annotated, TypedDict

from cyclopts import Parameter

from damier.cli.options import (
    Begin,
    GameName,
    Json,
    Moves,
    SharedWork,
    checked_count,
    split_moves,
    whole,
)
from damier.cli.output import remarks, report, say, table
from damier.core.position import line
from damier.core.words import _, decimal, grouped


class LineCounts(TypedDict):
    """Lines of play by their length, from 1 ply on."""

    game: str
    leaves: list[int]
    seconds: float


class PerftReport(LineCounts, total=False):
    """The same, and the longest by their first move."""

    divide: dict[str, int]


def perft(
    game: GameName,
    /,
    *,
    depth: Annotated[int, Parameter(converter=whole, help=_("the longest lines, in plies"))],
    moves: Moves = "",
    begin: Begin = None,
    divide: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("the longest lines by their first move"))
    ] = False,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    from damier.lab.games import load
    from damier.solve.perft import divide as count_divided
    from damier.solve.perft import perft as count_lines

    checked_count("--depth", depth, 1, 1000)
    job, notes = (work or SharedWork()).job()
    loaded = load(game)
    start = line(loaded, split_moves(moves), begin)[-1].state
    begun = time.perf_counter()
    leaves = count_lines(loaded, depth, start, job)
    seconds = time.perf_counter() - begun
    data: PerftReport = {"game": loaded.text, "leaves": leaves, "seconds": round(seconds, 6)}
    if divide:
        data["divide"] = count_divided(loaded, depth, start, job, expected=leaves[-1])
    remarks(notes)
    report(data, json, lambda: show(data, seconds))


def show(data: PerftReport, seconds: float) -> None:
    """The counts as tables."""
    table(
        (_("plies"), _("lines")),
        ((depth, grouped(n)) for depth, n in enumerate(data["leaves"], 1)),
        data["game"],
        numbers=[0, 1],
    )
    if "divide" in data:
        table(
            (_("first move"), _("lines")),
            ((move, grouped(n)) for move, n in data["divide"].items()),
            numbers=[1],
        )
    rate = grouped(sum(data["leaves"]) / max(seconds, 1e-9))
    say(_("{seconds} s, {rate} lines/s", seconds=decimal(seconds, ".3f"), rate=rate))
