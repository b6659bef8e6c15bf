"""`damier tournament`: agents play each other, every game kept; the table and the matrix."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from damier.cli.options import (
    ClusterAddress,
    GameName,
    Isolated,
    Json,
    MaxPlies,
    Seed,
    Work,
    checked_count,
    checked_jobs,
    checked_seed,
    whole,
)
from damier.cli.output import remark, remarks, report, say
from damier.cli.standings import require_out, require_packages, show, write
from damier.core.words import _
from damier.lab.tournament_report import facts

if TYPE_CHECKING:
    from damier.arena.tournament.plan import TournamentPlan
    from damier.arena.tournament.schedule import Hands
    from damier.lab.lab import Lab
    from damier.lab.workers.hiring import Hiring


def tournament(
    game: GameName,
    /,
    *agents: Annotated[
        str, Parameter(help=_("agents by name, files, or folders of files: NAME.py and programs"))
    ],
    games: Annotated[
        int, Parameter(converter=whole, help=_("how many games each pair plays, at both seats in turn"))
    ] = 100,
    store: Annotated[
        str,
        Parameter(
            help=_("where games are kept: a file, or postgresql://user@host/database; the same again goes on")
        ),
    ] = "tournament.db",
    until_sure: Annotated[
        bool,
        Parameter(
            negative=(), show_default=False, help=_("leave out the games of those whose places are certain")
        ),
    ] = False,
    jobs: Annotated[
        int | None,
        Parameter(
            converter=whole, help=_("so many processes play (default: 1; with --cluster local, all cores)")
        ),
    ] = None,
    cluster: ClusterAddress = None,
    max_plies: MaxPlies = 10_000,
    out: Annotated[
        Path | None,
        Parameter(alias="-o", help=_("write the standings: .csv, .json, or the matrix as .svg, .png, .pdf")),
    ] = None,
    isolated: Isolated = False,
    seed: Seed = 0,
    work: Work | None = None,
    json: Json = False,
) -> None:
    require_packages()
    from damier.agents.isolation import no_isolation
    from damier.arena.tournament.plan import TournamentPlan
    from damier.arena.tournament.run import Tournament, run
    from damier.arena.tournament.store import opened
    from damier.cli.live_standings import watching
    from damier.lab.games import load
    from damier.lab.lab import Lab
    from damier.lab.tournament import digest, entrants
    from damier.lab.workers.hiring import hired

    checked_count("--games", games)
    jobs = checked_jobs(1 if jobs is None and cluster is None else jobs)
    checked_count("--max-plies", max_plies)
    require_out(out)
    job, notes = (work or Work()).job()
    job = replace(job, jobs=jobs)
    refusal = "" if isolated else no_isolation()
    if refusal:
        remark(
            _(
                "agents of others are not in a sandbox here, they play with all your rights: {why}",
                why=refusal,
            )
        )
    lab = Lab(load(game), job, seed=checked_seed(seed), isolated=not refusal)
    source = digest(lab.game.source) if lab.game.source else ""
    plan = TournamentPlan(
        lab.game.name, lab.game.options, source, entrants(agents, lab), checked_seed(seed), games, max_plies
    )
    with opened(store) as kept:
        known = kept.tournaments()
        id = kept.enter(plan)
        if known and id not in known:
            remark(_("{store} keeps this as tournament {n}, beside those before it", store=store, n=id))
        current = Tournament(plan, kept, id)
        interrupted = False
        try:
            with (
                hired(cluster, job) as hire,
                hands(lab, plan, hire) as players,
                watching(current, job) as watch,
            ):
                run(current, players, until_sure=until_sure, watch=watch)
        except KeyboardInterrupt:  # what was played is kept
            interrupted = True
        data = facts(current)
    remarks(notes)
    if out is not None and not interrupted:
        write(data, out)
    report(data, json, lambda: show(data))
    if interrupted:
        remark(_("the same command goes on from here"))
        raise KeyboardInterrupt
    if out is not None and not json:
        say(_("written to {path}", path=out))


@contextlib.contextmanager
def hands(lab: Lab, plan: TournamentPlan, hire: Hiring | None) -> Iterator[Hands]:
    """Who plays: this process, several others, or those who are hired."""
    from damier.lab.tournament import Players
    from damier.lab.tournament_pieces import PlayingWorkers, tournament_work
    from damier.lab.workers.hiring import processes

    texts = [entrant.text for entrant in plan.entrants]
    if lab.job.jobs == 1 and hire is None:
        yield Players(lab, texts, plan.max_plies)
        return
    with (hire or processes)(tournament_work(lab, texts, plan.max_plies)) as workers:
        yield PlayingWorkers(workers)
