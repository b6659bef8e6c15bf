"""`damier tournament`: agents play each other, every game kept; the table and the matrix."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from damier.agents import isolation
from damier.arena.pairing import TournamentPlan
from damier.arena.records import GameRecord
from damier.cli.command import (
    MOST_JOBS,
    ClusterAddress,
    GameName,
    Isolated,
    Json,
    MaxPlies,
    Seed,
    Work,
    checked_seed,
    refuse_out,
    remark,
    remarks,
    report,
    say,
    table,
    whole,
    within,
)
from damier.cli.live import watching_standings
from damier.core.analysis import note_no_winner
from damier.core.data_files import SUFFIXES as TABLES, is_data, write_data
from damier.core.errors import BadInput
from damier.core.files import LARGEST, opened, write_text
from damier.core.game import written
from damier.core.job import cores
from damier.core.json_data import to_json
from damier.core.runtime import needing
from damier.core.words import N_, _, grouped, message, ngettext, printable
from damier.draw.picture_files import require_picture, write_picture
from damier.draw.tables import crosstable_svg, score_percent
from damier.lab.agent_file import digest
from damier.lab.games import Lab, load
from damier.lab.tournament import (
    TournamentReport,
    cells,
    cross_lines,
    entrants,
    facts,
    heads,
    play_pieces,
    progress_of,
    scores_of,
    standings_data,
    title_of,
    tournament_work,
)
from damier.lab.workers import hired, workforce

if TYPE_CHECKING:
    from damier.arena.store import ListedGame
    from damier.core.json_types import JsonObject


def tournament(
    game: GameName,
    /,
    *agents: Annotated[
        str, Parameter(help=_("agents by name, files, or folders of files: NAME.py and programs"))
    ],
    games: Annotated[
        int, Parameter(converter=within(), help=_("how many games each pair plays, at both seats in turn"))
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
            converter=within(1, MOST_JOBS),
            help=_("so many processes play (default: 1; with --cluster local, all cores)"),
        ),
    ] = None,
    cluster: ClusterAddress = None,
    max_plies: MaxPlies = 10_000,
    out: Annotated[
        Path | None,
        Parameter(
            alias="-o",
            help=_("write the standings: .csv, .parquet, .json, or the matrix as .svg, .png, .pdf"),
        ),
    ] = None,
    isolated: Isolated = False,
    seed: Seed = 0,
    work: Work | None = None,
    json: Json = False,
) -> None:
    require_packages()
    from damier.arena.store import opened
    from damier.arena.tournament import Tournament, run

    if out is not None:
        require_picture(out, *TABLES, ".json")
    job, notes = (work or Work()).job()
    job = replace(job, jobs=jobs or (1 if cluster is None else cores()))
    refusal = "" if isolated else isolation.no_isolation()
    if refusal:
        remark(
            _(
                "agents of others are not in a sandbox here, they play with all your rights: {why}",
                why=refusal,
            )
        )
    lab = Lab(load(game), job, seed=checked_seed(seed), isolated=not refusal)
    note_no_winner(lab.game, job)
    source = digest(lab.game.source) if lab.game.source else ""
    plan = TournamentPlan(
        lab.game.name, lab.game.options, source, entrants(agents, lab), checked_seed(seed), games, max_plies
    )
    texts = [entrant.text for entrant in plan.entrants]
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
                workforce(tournament_work(lab, texts, max_plies), hire) as workers,
                watching_standings(current, job) as watch,
            ):
                run(current, partial(play_pieces, workers), until_sure=until_sure, watch=watch)
        except KeyboardInterrupt:  # what was played is kept
            interrupted = True
        data = facts(current)
    remarks(notes)
    file = None if interrupted else out
    if file is not None:
        write(data, file)
    report(data, json, lambda: show(data), file)
    if interrupted:
        remark(_("the same command goes on from here"))
        raise KeyboardInterrupt


# The standings of a tournament: told, shown, and written as a picture, a table or data.

WIDEST = 14
"""Agents whose matrix is shown beside the table; that of more is written to a file."""


def require_packages() -> None:
    """Raises BadInput where the extra `class` is not installed."""
    with needing("class", N_("a tournament needs more packages: {command}")):
        import scipy  # noqa: F401
        import sqlalchemy  # noqa: F401


def show(data: TournamentReport) -> None:
    """The table, the matrix where it is small, and what else there is to say."""
    faulty = any(line["faults"] for line in data["standings"])
    rows = [(*cells(line), *([grouped(line["faults"])] if faulty else [])) for line in data["standings"]]
    table(
        (*heads(), *([_("faults")] if faulty else [])),
        rows,
        title_of(data),
        numbers=[0, 2, 3, 4, 5, 6, 7, 8, 9],
    )
    if len(rows) <= WIDEST:
        numbers = range(2, len(rows) + 2)
        places = [str(line["place"]) for line in data["standings"]]
        table(
            ("", "", *places),
            [
                (
                    line["place"],
                    line["agent"],
                    *("" if score is None else score_percent(score) for score in scores),
                )
                for line, scores in zip(data["standings"], scores_of(data), strict=True)
            ],
            _("percents of the points, each line from each column"),
            numbers,
        )
    if faulty:
        n = sum(line["faults"] for line in data["standings"])
        say(
            ngettext(
                "{n} game was lost by a fault: {first}",
                "{n} games were lost by faults, one of them by: {first}",
                n,
                first=data["first_fault"],
            )
        )
    say(progress_of(data["played"], data["of"], data["seed"]))


LONGEST = 1 << 16
"""Characters of the moves of a game that are shown."""
SQLITE = b"SQLite format 3\0"
"""How every file of SQLite begins."""


def write(data: TournamentReport, out: Path) -> None:
    """Writes the standings as the name of the file says."""
    kind = out.suffix.lower()
    if kind == ".json":
        write_text(out, to_json(data) + "\n")
    elif is_data(out):
        write_data(standings_data(data), out)
    else:
        write_picture(crosstable_svg(cross_lines(data), title_of(data), headed=True), out)


@Parameter(name="*")
@dataclass
class StoreOptions:
    """Options for what of a store is shown."""

    tournament: Annotated[
        int | None, Parameter(converter=whole, help=_("of a store: which tournament (default: the latest)"))
    ] = None
    of: Annotated[str, Parameter(help=_("of a tournament: the games of this agent"))] = ""
    number: Annotated[
        int | None, Parameter(converter=whole, help=_("of a tournament: the game of this number, to replay"))
    ] = None


def is_store(place: str) -> bool:
    """Return whether a place is a database: a URL, or a file of SQLite."""
    if "://" in place:
        return True
    with opened(Path(place), LARGEST) as stream:
        return stream.read(len(SQLITE)) == SQLITE


def show_store(place: str, wanted: StoreOptions, rows: int, out: Path | None, json: bool) -> None:
    """Show what is in a store: the standings of a tournament, the games of one agent in it, or one game."""
    require_packages()
    from damier.arena import store
    from damier.arena.tournament import Tournament

    if out is not None:
        require_picture(out, *TABLES, ".json")
    with store.opened(place, create=False) as found:
        if wanted.number is not None:
            record = found.record(wanted.number)
            refuse_out(out, place)
            report(record.as_json(), json, lambda: show_game(record))
            return
        there = found.tournaments()
        if not there:
            raise BadInput(message("{place} holds no tournament yet", place=store.shown(place)))
        id = there[-1] if wanted.tournament is None else wanted.tournament
        plan = found.plan(id)
        if wanted.of:
            refuse_out(out, place)
            names = [entrant.name for entrant in plan.entrants]
            games = found.games_of(id, names, wanted.of)
            results: list[JsonObject] = [
                {
                    "game": game.game,
                    "opponent": names[game.opponent],
                    "seat": game.seat,
                    "result": game.result,
                    "plies": len(game.moves),
                    "fault": game.fault,
                }
                for game in games
            ]
            report(
                {"agent": wanted.of, "games": results},
                json,
                lambda: show_games(games[:rows], names, wanted.of),
            )
            return
        data = facts(Tournament(plan, found, id))
    if out is not None:
        write(data, out)
    report(data, json, lambda: show(data), out)


def show_games(games: Sequence[ListedGame], names: list[str], of: str) -> None:
    """The games of an agent, a line each."""
    ends = {1: _("won"), 0: _("drawn"), -1: _("lost")}
    table(
        (_("game"), _("opponent"), _("seat"), "", _("plies"), _("fault")),
        [
            (game.game, names[game.opponent], game.seat, ends[game.result], len(game.moves), game.fault)
            for game in games
        ],
        printable(of),
        numbers=[0, 2, 4],
    )


def show_game(record: GameRecord) -> None:
    """A game in words, and the command that shows it on the board with its truth."""
    payoffs = " ".join(f"{payoff:+d}" for payoff in record.payoffs)
    words = [" – ".join(record.players) + "   " + payoffs, " ".join(record.moves)]
    if record.fault:
        words.append(_("lost by a fault: {fault}", fault=record.fault))
    line = [
        "damier",
        "replay",
        written(record.game, record.options),
        "--hints",
        "--moves",
        ",".join(record.moves),
    ]
    for text in (*words, shlex.join(line)):
        say(printable(text, LONGEST))
