"""`damier match`: many games between two agents, every rate with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.arena.match import Score, match as run
from damier.arena.records import Recorder
from damier.cli.command import (
    MOST_JOBS,
    AgentName,
    ClusterAddress,
    GameName,
    Isolated,
    Json,
    MaxPlies,
    Report,
    Seed,
    Work,
    checked_seed,
    percent,
    remark,
    report,
    say,
    table,
    within,
)
from damier.cli.play import ask, shown, to_stderr
from damier.core.errors import BadInput
from damier.core.job import cores
from damier.core.loop import MatchSetup
from damier.core.words import _, decimal, grouped, message, ngettext
from damier.lab.agents import agent
from damier.lab.games import Lab, load
from damier.lab.match_ranges import hiring
from damier.lab.workers import hired


def match(
    game: GameName,
    first: AgentName,
    second: AgentName,
    /,
    *,
    games: Annotated[int, Parameter(converter=within(), help=_("how many games"))] = 1000,
    swap_seats: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("the agents change seats every other game"))
    ] = False,
    jobs: Annotated[
        int | None,
        Parameter(
            converter=within(1, MOST_JOBS),
            help=_("so many cores share the games (default: all, one where an agent learns)"),
        ),
    ] = None,
    record: Annotated[
        Path | None,
        Parameter(
            name=("--record", "-o"),
            help=_(
                "write every game to a file, one JSON object a line; a last line, of the format"
                ' "damier-record/1", seals them; .csv, .parquet: a table, a row a game'
            ),
        ),
    ] = None,
    max_plies: MaxPlies = 10_000,
    strict: Annotated[
        bool,
        Parameter(
            negative=(),
            show_default=False,
            help=_("end at the first fault of an agent, which else loses that game"),
        ),
    ] = False,
    cluster: ClusterAddress = None,
    isolated: Isolated = False,
    seed: Seed = 0,
    work: Work | None = None,
    json: Json = False,
) -> None:
    job, notes = (work or Work()).job()
    job = replace(job, jobs=jobs or cores())
    tell = to_stderr if json else say
    lab = Lab(load(game), job, lambda prompt: ask(prompt, tell), tell, checked_seed(seed), isolated)
    agents = (shown(agent(lab, first), tell), shown(agent(lab, second), tell))
    seats = MatchSetup(lab.game, agents, seed, swap_seats, max_plies, record is not None, strict)
    if seats.learns and jobs is not None and jobs > 1:
        raise BadInput(
            message("--jobs {n}: an agent that learns plays its games one after the other", n=jobs)
        )
    score = Score()
    interrupted = False
    recorder = Recorder(record)
    try:
        with recorder, hired(cluster, job) as hire:
            others = hiring(lab, seats, (first, second), hire)
            run(seats, games, job, keep=recorder.keep if record else None, score=score, hire=others)
    except KeyboardInterrupt:  # what was played counts
        interrupted = True
    finally:
        if recorder.kept:
            remark(
                ngettext(
                    "{n} game was played; it is kept in {path}",
                    "{n} games were played; they are kept in {path}",
                    recorder.games,
                    n=grouped(recorder.games),
                    path=recorder.kept,
                )
            )
    if cluster is not None and seats.learns:
        job.note(_("an agent that learns plays its games one after the other, on this machine"))
    names = [agent.text for agent in agents]
    report(
        facts(seats, score),
        json,
        lambda: show(seats, score, names),
        None if interrupted else record,
        notes=notes,
    )
    if interrupted:
        raise KeyboardInterrupt


def facts(seats: MatchSetup, score: Score) -> Report:
    """Report of a match: counts and rates are those of the first agent, `interval` that of each rate,
    `seats` has its ends at each seat, `faults` the games that an agent lost by one.
    """
    faults = [
        {"number": number, "fault": str(fault)} for number, fault in sorted(seats.faults.of_game.items())
    ]
    return {
        "game": seats.game.text,
        "agents": [agent.text for agent in seats.agents],
        "seed": seats.seed,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "interval": score.intervals,
        "seats": [dict(zip(score.intervals, seat, strict=True)) for seat in score.seats],
        "unfinished": score.unfinished,
        "plies": score.plies,
        "games_per_second": round(score.games_per_second, 1),
        **({"faults": faults} if faults else {}),
    }


def show(seats: MatchSetup, score: Score, agents: Sequence[str]) -> None:
    """The match as a table, the agents by these names. Where a game is not zero-sum, both may gain, or lose:
    nobody wins.
    """
    games = score.games
    title = _("{game}: {first} against {second}", game=seats.game.text, first=agents[0], second=agents[1])
    labels = (
        (_("wins of the first"), _("draws"), _("wins of the second"))
        if seats.game.zero_sum
        else (_("the first gains"), _("the first gets 0"), _("the first loses"))
    )
    counts = (score.wins, score.draws, score.losses)
    rows = [
        (label, grouped(n), percent(n / games) if games else "", f"{percent(low)} – {percent(high)}")
        for label, n, (low, high) in zip(labels, counts, score.intervals.values(), strict=True)
    ]
    table(("", _("games"), _("rate"), _("95 % interval")), rows, title, numbers=[1, 2, 3])
    if any(map(any, score.seats[1:])):
        for number, (wins, draws, losses) in enumerate(score.seats, 1):
            say(
                _(
                    "first agent at seat {n}: {wins} wins, {draws} draws, {losses} losses",
                    n=number,
                    wins=grouped(wins),
                    draws=grouped(draws),
                    losses=grouped(losses),
                )
            )
    if score.unfinished:
        say(
            ngettext(
                "{n} game was stopped at the limit of plies and counts as a draw",
                "{n} games were stopped at the limit of plies and count as draws",
                score.unfinished,
                n=grouped(score.unfinished),
            )
        )
    rate = round(score.games_per_second, 1)
    say(
        ngettext(
            "{n} game, {rate} games/s, seed {seed}",
            "{n} games, {rate} games/s, seed {seed}",
            games,
            n=grouped(games),
            rate=decimal(rate) if rate < 10 else grouped(rate),
            seed=seats.seed,
        )
    )
    if faults := seats.faults.of_game:
        number = min(faults)
        say(
            ngettext(
                "{n} game was lost by a fault of an agent: {first}",
                "{n} games were lost by faults of agents, the first one (game {number}): {first}",
                len(faults),
                number=number + 1,  # people count from 1, as the lines of a record do
                first=str(faults[number]),
            )
        )
