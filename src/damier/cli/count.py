"""`damier count`: how many positions can be reached, by ply and by result; how many complete games."""

from __future__ import annotations

import time
from typing import Annotated, NotRequired, TypedDict

from cyclopts import Parameter

from damier.cli.command import (
    Begin,
    Checkpoints,
    ClusterAddress,
    DiskOptions,
    GameName,
    Json,
    Moves,
    SharedWork,
    Symmetry,
    checked_checkpoints,
    checked_count,
    report,
    say,
    split_moves,
    table,
    whole,
)
from damier.core.game import line
from damier.core.words import _, decimal, grouped
from damier.lab.games import load
from damier.lab.plugins import resolved
from damier.lab.solving import counted
from damier.lab.workers import CLUSTERS, RAY
from damier.solve.count import count_games, divide as count_divided, perft as count_lines


class CountReport(TypedDict):
    """Numbers of positions: in all, ends, ends won, drawn and lost by player 1, and at each ply; where they
    were counted, the complete games.
    """

    game: str
    symmetry: bool
    states: int
    terminals: int
    wins: int
    draws: int
    losses: int
    by_ply: list[int]
    games: NotRequired[int]
    games_won: NotRequired[int]
    games_drawn: NotRequired[int]
    games_lost: NotRequired[int]


def count(
    game: GameName,
    /,
    *,
    symmetry: Symmetry = False,
    by_ply: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("a row for every ply"))
    ] = False,
    games: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("count the complete games too"))
    ] = False,
    disk: DiskOptions | None = None,
    cluster: ClusterAddress = None,
    checkpoints: Checkpoints = None,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    kept = checked_checkpoints(cluster, checkpoints, disk)
    job, notes = (work or SharedWork()).job()
    loaded = load(game)
    place = (disk or DiskOptions()).place(loaded, loaded.start, symmetric=symmetry)
    if cluster is None:
        counts = counted(loaded, job, symmetric=symmetry, disk=place)
    else:
        counts = resolved(CLUSTERS[RAY].counted)(loaded, game, job, cluster, kept, symmetric=symmetry)
    data: CountReport = {
        "game": loaded.text,
        "symmetry": symmetry,
        "states": counts.states,
        "terminals": counts.terminals,
        "wins": counts.wins,
        "draws": counts.draws,
        "losses": counts.losses,
        "by_ply": counts.by_ply,
    }
    if games:
        won, drawn, lost = count_games(loaded, job=job, symmetric=symmetry)
        data["games"] = won + drawn + lost
        data["games_won"], data["games_drawn"], data["games_lost"] = won, drawn, lost
    report(data, json, lambda: show(data, by_ply), notes=notes)


def show(data: CountReport, by_ply: bool) -> None:
    """The counts as a table."""
    rows = [
        (_("positions"), data["states"]),
        (_("of them ends"), data["terminals"]),
        (_("won by player 1"), data["wins"]),
        (_("drawn"), data["draws"]),
        (_("lost by player 1"), data["losses"]),
    ]
    if "games" in data:
        rows += [(_("complete games"), data["games"]), (_("won by player 1"), data["games_won"])]
        rows += [(_("drawn"), data["games_drawn"]), (_("lost by player 1"), data["games_lost"])]
    table((data["game"], ""), ((name, grouped(n)) for name, n in rows), numbers=[1])
    if by_ply:
        table(
            (_("ply"), _("positions")),
            ((ply, grouped(n)) for ply, n in enumerate(data["by_ply"])),
            numbers=[0, 1],
        )


# `damier perft`: lines of play by their length, to test rules and to measure speed.


class PerftReport(TypedDict):
    """Lines of play by their length, from 1 ply on; the longest also by their first move."""

    game: str
    leaves: list[int]
    seconds: float
    divide: NotRequired[dict[str, int]]


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
    report(data, json, lambda: show_perft(data, seconds), notes=notes)


def show_perft(data: PerftReport, seconds: float) -> None:
    """The counts as tables."""
    table(
        (_("plies"), _("lines")),
        ((depth, grouped(n)) for depth, n in enumerate(data["leaves"], 1)),
        data["game"],
        numbers=[0, 1],
    )
    if data.get("divide"):
        table(
            (_("first move"), _("lines")),
            ((move, grouped(n)) for move, n in data["divide"].items()),
            numbers=[1],
        )
    rate = grouped(sum(data["leaves"]) / max(seconds, 1e-9))
    say(_("{seconds} s, {rate} lines/s", seconds=decimal(seconds, ".3f"), rate=rate))
