"""`damier match`: many games between two agents, every rate with its interval."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, NotRequired, TypedDict

from cyclopts import Parameter

from damier.arena.match import Score, match as run
from damier.arena.records import Recorder
from damier.cli.command import (
    AgentName,
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
    percent,
    remark,
    report,
    say,
    table,
    whole,
)
from damier.cli.play import ask, shown, to_stderr
from damier.core.errors import BadInput
from damier.core.loop import MatchSetup
from damier.core.words import _, decimal, grouped, message, ngettext
from damier.lab.agents import agent
from damier.lab.games import Lab, load
from damier.lab.match_ranges import hiring
from damier.lab.workers import hired


class MatchReport(TypedDict):
    """Report of a match: counts and rates are those of the first agent, `interval` that of each rate.

    Attributes:
        seats: its wins, draws and losses at each seat
        faults: the games that an agent lost by a fault: number, fault
    """

    game: str
    agents: list[str]
    seed: int
    games: int
    wins: int
    draws: int
    losses: int
    interval: dict[str, list[float]]
    seats: list[dict[str, int]]
    unfinished: int
    faults: NotRequired[list[dict[str, int | str]]]
    plies: int
    games_per_second: float


def match(
    game: GameName,
    first: AgentName,
    second: AgentName,
    /,
    *,
    games: Annotated[int, Parameter(converter=whole, help=_("how many games"))] = 1000,
    swap_seats: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("the agents change seats every other game"))
    ] = False,
    jobs: Annotated[
        int | None,
        Parameter(
            converter=whole,
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
    checked_count("--games", games)
    checked_count("--max-plies", max_plies)
    workers = checked_jobs(jobs)
    job, notes = (work or Work()).job()
    job = replace(job, jobs=workers)
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
    data = facts(seats, score)
    report(data, json, lambda: show(data, lab.game.zero_sum), None if interrupted else record, notes=notes)
    if interrupted:
        raise KeyboardInterrupt


def facts(seats: MatchSetup, score: Score) -> MatchReport:
    found: MatchReport = {
        "game": seats.game.text,
        "agents": [agent.text for agent in seats.agents],
        "seed": seats.seed,
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.losses,
        "interval": {name: list(interval) for name, interval in score.intervals.items()},
        "seats": [{"wins": w, "draws": d, "losses": n} for w, d, n in score.seats],
        "unfinished": score.unfinished,
        "plies": score.plies,
        "games_per_second": round(score.games_per_second, 1),
    }
    if faults := seats.faults.of_game:
        found["faults"] = [
            {"number": number, "fault": str(fault)} for number, fault in sorted(faults.items())
        ]
    return found


def show(data: MatchReport, zero_sum: bool = True) -> None:
    """The match as a table. Where a game is not zero-sum, both may gain, or lose: nobody wins."""
    games = data["games"]
    title = _(
        "{game}: {first} against {second}",
        game=data["game"],
        first=data["agents"][0],
        second=data["agents"][1],
    )
    rows = []
    labels = (
        (_("wins of the first"), _("draws"), _("wins of the second"))
        if zero_sum
        else (_("the first gains"), _("the first gets 0"), _("the first loses"))
    )
    counts = (("wins", data["wins"]), ("draws", data["draws"]), ("losses", data["losses"]))
    for (name, count), label in zip(counts, labels, strict=True):
        low, high = data["interval"][name]
        rows.append(
            (
                label,
                grouped(count),
                percent(count / games) if games else "",
                f"{percent(low)} – {percent(high)}",
            )
        )
    table(("", _("games"), _("rate"), _("95 % interval")), rows, title, numbers=[1, 2, 3])
    if any(seat["wins"] + seat["draws"] + seat["losses"] for seat in data["seats"][1:]):
        for number, seat in enumerate(data["seats"], 1):
            say(
                _(
                    "first agent at seat {n}: {wins} wins, {draws} draws, {losses} losses",
                    n=number,
                    wins=grouped(seat["wins"]),
                    draws=grouped(seat["draws"]),
                    losses=grouped(seat["losses"]),
                )
            )
    if data["unfinished"]:
        say(
            ngettext(
                "{n} game was stopped at the limit of plies and counts as a draw",
                "{n} games were stopped at the limit of plies and count as draws",
                data["unfinished"],
                n=grouped(data["unfinished"]),
            )
        )
    rate = data["games_per_second"]
    say(
        ngettext(
            "{n} game, {rate} games/s, seed {seed}",
            "{n} games, {rate} games/s, seed {seed}",
            games,
            n=grouped(games),
            rate=decimal(rate) if rate < 10 else grouped(rate),
            seed=data["seed"],
        )
    )
    if faults := data.get("faults"):
        say(
            ngettext(
                "{n} game was lost by a fault of an agent: {first}",
                "{n} games were lost by faults of agents, the first one (game {number}): {first}",
                len(faults),
                number=faults[0]["number"],
                first=faults[0]["fault"],
            )
        )
