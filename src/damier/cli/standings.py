"""The standings of a tournament: told, shown, and written as a picture, a table or data."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from damier.cli.options import whole
from damier.cli.output import report, say, table
from damier.core.errors import BadInput
from damier.core.extras import installing
from damier.core.files import LARGEST, opened, require_place, write_text
from damier.core.json_text import to_json
from damier.core.words import _, grouped, message, ngettext, printable
from damier.lab.tournament_report import (
    TournamentReport,
    as_csv,
    cells,
    cross_lines,
    facts,
    heads,
    progress_of,
    scores_of,
    title_of,
)

if TYPE_CHECKING:
    from damier.arena.tournament.store import GameOfAgent
    from damier.core.record import GameRecord

WIDEST = 14
"""Agents whose matrix is shown beside the table; that of more is written to a file."""


def require_packages() -> None:
    """Raises BadInput where the extra `class` is not installed."""
    try:
        import scipy
        import sqlalchemy
    except ImportError as error:
        raise BadInput(
            message("a tournament needs more packages: {command}", command=installing("class"))
        ) from error
    del scipy, sqlalchemy


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
            matrix_rows(data),
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


def matrix_rows(data: TournamentReport) -> list[list[str]]:
    """The matrix in percents, each line with its place and its name."""
    from damier.draw.crosstable import percent

    return [
        [str(line["place"]), line["agent"], *("" if score is None else percent(score) for score in scores)]
        for line, scores in zip(data["standings"], scores_of(data), strict=True)
    ]


LONGEST = 1 << 16
"""Characters of the moves of a game that are shown."""
SQLITE = b"SQLite format 3\0"
"""How every file of SQLite begins."""
PICTURES = (".svg", ".png", ".pdf")
SUFFIXES = (*PICTURES, ".csv", ".json")


def require_out(out: Path | None) -> None:
    """Raises BadInput where nothing could be written: before long work."""
    from damier.draw.export import require_picture

    if out is None:
        return
    if out.suffix.lower() not in SUFFIXES:
        raise BadInput(
            message(
                "{path}: the name of a file of standings ends in {suffixes}",
                path=out,
                suffixes=" ".join(SUFFIXES),
            )
        )
    require_picture(out) if out.suffix.lower() in PICTURES else require_place(out)


def write(data: TournamentReport, out: Path) -> None:
    """Writes the standings as the name of the file says."""
    from damier.draw.crosstable import crosstable_svg
    from damier.draw.export import write_picture

    kind = out.suffix.lower()
    if kind == ".json":
        write_text(out, to_json(data) + "\n")
    elif kind == ".csv":
        write_text(out, as_csv(data))
    else:
        write_picture(crosstable_svg(cross_lines(data), title_of(data)), out)


@Parameter(name="*")
@dataclass
class StoreOptions:
    """What of a store is shown."""

    tournament: Annotated[
        int | None, Parameter(converter=whole, help=_("of a store: which tournament (default: the latest)"))
    ] = None
    of: Annotated[str, Parameter(help=_("of a tournament: the games of this agent"))] = ""
    number: Annotated[
        int | None, Parameter(converter=whole, help=_("of a tournament: the game of this number, to replay"))
    ] = None


def is_store(place: str) -> bool:
    """Whether a place is a database: a URL, or a file of SQLite."""
    if "://" in place:
        return True
    with opened(Path(place), LARGEST) as stream:
        return stream.read(len(SQLITE)) == SQLITE


def show_store(place: str, wanted: StoreOptions, rows: int, out: Path | None, json: bool) -> None:
    """What is in a store: the standings of a tournament, the games of one agent in it, or one game."""
    require_packages()
    from damier.arena.tournament import database, store
    from damier.arena.tournament.run import Tournament

    require_out(out)
    with store.opened(place, create=False) as found:
        if wanted.number is not None:
            record = found.record(wanted.number)
            report(record.as_json(), json, lambda: show_game(record))
            return
        there = found.tournaments()
        if not there:
            raise BadInput(message("{place} holds no tournament yet", place=database.shown(place)))
        id = there[-1] if wanted.tournament is None else wanted.tournament
        plan = found.plan(id)
        if wanted.of:
            games = found.games_of(id, [entrant.name for entrant in plan.entrants], wanted.of)
            report({"agent": wanted.of, "games": games}, json, lambda: show_games(games[:rows], wanted.of))
            return
        data = facts(Tournament(plan, found, id))
    if out is not None:
        write(data, out)
    report(data, json, lambda: show(data))


def show_games(games: Sequence[GameOfAgent], of: str) -> None:
    """The games of an agent, a line each."""
    ends = {1: _("won"), 0: _("drawn"), -1: _("lost")}
    table(
        (_("game"), _("opponent"), _("seat"), "", _("plies"), _("fault")),
        [
            (game["game"], game["opponent"], game["seat"], ends[game["result"]], game["plies"], game["fault"])
            for game in games
        ],
        printable(of),
        numbers=[0, 2, 4],
    )


def show_game(record: GameRecord) -> None:
    """A game in words, and the command that shows it on the board with its truth."""
    from damier.core.option_text import written

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
