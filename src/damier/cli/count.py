"""`damier count`: how many positions can be reached, by ply and by result; how many complete games."""

from __future__ import annotations

import time
from typing import Annotated

from cyclopts import Parameter

from damier.cli import command
from damier.core.game import line
from damier.core.words import _, decimal, grouped
from damier.lab.games import load
from damier.lab.plugins import resolved
from damier.lab.solving import counted
from damier.lab.workers import CLUSTERS, RAY
from damier.solve.count import Counts, count_games, divide as count_divided, perft as count_lines


def count(
    game: command.GameName,
    /,
    *,
    symmetry: command.Symmetry = False,
    by_ply: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("a row for every ply"))
    ] = False,
    games: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("count the complete games too"))
    ] = False,
    disk: command.DiskOptions | None = None,
    cluster: command.ClusterAddress = None,
    checkpoints: command.Checkpoints = None,
    work: command.SharedWork | None = None,
    json: command.Json = False,
) -> None:
    kept = command.checked_checkpoints(cluster, checkpoints, disk)
    job, notes = (work or command.SharedWork()).job()
    loaded = load(game)
    place = (disk or command.DiskOptions()).place(loaded, loaded.start, symmetric=symmetry)
    if cluster is None:
        counts = counted(loaded, job, symmetric=symmetry, disk=place)
    else:
        counts = resolved(CLUSTERS[RAY].counted)(loaded, game, job, cluster, kept, symmetric=symmetry)
    data: command.Report = {"game": loaded.text, "symmetry": symmetry, **vars(counts)}
    ended = count_games(loaded, job=job, symmetric=symmetry) if games else None
    if ended:
        numbers = zip(("games", "games_won", "games_drawn", "games_lost"), (sum(ended), *ended), strict=True)
        data = {**data, **dict(numbers)}
    command.report(data, json, lambda: show(loaded.text, counts, ended, by_ply=by_ply), notes=notes)


def show(game: str, counts: Counts, ended: tuple[int, int, int] | None, *, by_ply: bool) -> None:
    """The counts as a table; `ended`: the complete games won, drawn and lost, where they were counted."""
    rows = [
        (_("positions"), counts.states),
        (_("of them ends"), counts.terminals),
        (_("won by player 1"), counts.wins),
        (_("drawn"), counts.draws),
        (_("lost by player 1"), counts.losses),
    ]
    if ended:
        names = (_("complete games"), _("won by player 1"), _("drawn"), _("lost by player 1"))
        rows += zip(names, (sum(ended), *ended), strict=True)
    command.table((game, ""), ((name, grouped(n)) for name, n in rows), numbers=[1])
    if by_ply:
        command.table(
            (_("ply"), _("positions")),
            ((ply, grouped(n)) for ply, n in enumerate(counts.by_ply)),
            numbers=[0, 1],
        )


# `damier perft`: lines of play by their length, to test rules and to measure speed.


def perft(
    game: command.GameName,
    /,
    *,
    depth: Annotated[
        int, Parameter(converter=command.within(1, 1000), help=_("the longest lines, in plies"))
    ],
    moves: command.Moves = "",
    begin: command.Begin = None,
    divide: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("the longest lines by their first move"))
    ] = False,
    work: command.SharedWork | None = None,
    json: command.Json = False,
) -> None:
    job, notes = (work or command.SharedWork()).job()
    loaded = load(game)
    start = line(loaded, command.split_moves(moves), begin)[-1].state
    begun = time.perf_counter()
    leaves = count_lines(loaded, depth, start, job)
    seconds = time.perf_counter() - begun
    by_move = count_divided(loaded, depth, start, job, expected=leaves[-1]) if divide else {}
    data: command.Report = {"game": loaded.text, "leaves": leaves, "seconds": round(seconds, 6)}
    if divide:
        data = {**data, "divide": by_move}
    command.report(data, json, lambda: show_perft(loaded.text, leaves, by_move, seconds), notes=notes)


def show_perft(game: str, leaves: list[int], by_move: dict[str, int], seconds: float) -> None:
    """The counts as tables: of lines by their length, and of the longest by their first move."""
    command.table(
        (_("plies"), _("lines")),
        ((depth, grouped(n)) for depth, n in enumerate(leaves, 1)),
        game,
        numbers=[0, 1],
    )
    if by_move:
        command.table(
            (_("first move"), _("lines")),
            ((move, grouped(n)) for move, n in by_move.items()),
            numbers=[1],
        )
    rate = grouped(sum(leaves) / max(seconds, 1e-9))
    command.say(_("{seconds} s, {rate} lines/s", seconds=decimal(seconds, ".3f"), rate=rate))
