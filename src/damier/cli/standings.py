"""The standings of a tournament: told, shown, and written as a picture, a table or data."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

from cyclopts import Parameter

from damier.cli.options import whole
from damier.cli.output import report, say, table
from damier.core.errors import BadInput
from damier.core.files import LARGEST, opened, require_place, to_json, write_text
from damier.core.words import _, grouped, ngettext, printable

if TYPE_CHECKING:
    from damier.arena.tournament.run import Tournament
    from damier.arena.tournament.standings import Standing
    from damier.arena.tournament.store import GameOfAgent
    from damier.core.record import GameRecord

WIDEST = 14
"""Agents whose matrix is shown beside the table; that of more is written to a file."""


class EntrantReport(TypedDict):
    """An agent that takes part."""

    name: str
    text: str
    sha256: str


class TournamentReport(TypedDict):
    """What is reported of a tournament. `wins[i][j]` is how often the agent of line i of the
    standings beat that of line j; `games` is for each pair.
    """

    tournament: int
    game: str
    system: str
    seed: int
    games: int
    max_plies: int
    played: int
    of: int
    agents: list[EntrantReport]
    standings: list[Standing]
    wins: list[list[int]]
    draws: list[list[int]]
    first_fault: str


def require_packages() -> None:
    """Raises BadInput where the extra `class` is not installed."""
    try:
        import alembic
        import scipy
        import sqlalchemy
    except ImportError as error:
        raise BadInput(_("a tournament needs more packages: pip install 'damier[class]'")) from error
    del alembic, scipy, sqlalchemy


def facts(tournament: Tournament) -> TournamentReport:
    from damier.arena.tournament.standings import standings

    plan, results = tournament.plan, tournament.results
    names = [entrant.name for entrant in plan.entrants]
    lines = standings(names, results)
    order = [names.index(line["agent"]) for line in lines]
    return {
        "tournament": tournament.id,
        "game": plan.game_text,
        "system": plan.system.name,
        "seed": plan.seed,
        "games": plan.games,
        "max_plies": plan.max_plies,
        "played": results.games,
        "of": tournament.games,
        "agents": [{"name": e.name, "text": e.text, "sha256": e.sha256} for e in plan.entrants],
        "standings": lines,
        "wins": [[int(results.wins[i, j]) for j in order] for i in order],
        "draws": [[int(results.draws[i, j]) for j in order] for i in order],
        "first_fault": tournament.store.first_fault(tournament.id) if results.faults.any() else "",
    }


def title(game: str, number: int, agents: int) -> str:
    return _("{game}: tournament {n} of {agents} agents", game=game, n=number, agents=agents)


def title_of(data: TournamentReport) -> str:
    return title(data["game"], data["tournament"], len(data["agents"]))


def progress_of(played: int, of: int, seed: int) -> str:
    return _("{played} of {of} games, seed {seed}", played=grouped(played), of=grouped(of), seed=seed)


def heads() -> tuple[str, ...]:
    return (
        "",
        _("agent"),
        _("games"),
        _("won"),
        _("drawn"),
        _("lost"),
        _("points"),
        _("Elo"),
        _("95 % interval"),
    )


def cells(line: Standing) -> tuple[str, ...]:
    """A line of the table, under `heads`."""
    return (
        str(line["place"]),
        line["agent"],
        grouped(line["games"]),
        grouped(line["wins"]),
        grouped(line["draws"]),
        grouped(line["losses"]),
        f"{line['points']:.1f}",
        f"{line['elo']:+.0f}",
        interval(line["elo_interval"]),
    )


def interval(ends: Sequence[float | None]) -> str:
    """The interval of a strength; … where it has no end."""
    low, high = ("…" if end is None else f"{end:+.0f}" for end in ends)
    return f"{low} – {high}"


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


def scores_of(data: TournamentReport) -> list[list[float | None]]:
    """The share of the points that each took from each; None for those that have not met."""
    wins, draws, lines = data["wins"], data["draws"], range(len(data["standings"]))
    games = [[wins[i][j] + wins[j][i] + draws[i][j] for j in lines] for i in lines]
    return [
        [(wins[i][j] + draws[i][j] / 2) / games[i][j] if games[i][j] else None for j in lines] for i in lines
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
            _(
                "{path}: the name of a file of standings ends in {suffixes}",
                path=out,
                suffixes=" ".join(SUFFIXES),
            )
        )
    require_picture(out) if out.suffix.lower() in PICTURES else require_place(out)


def write(data: TournamentReport, out: Path) -> None:
    """Writes the standings as the name of the file says."""
    from damier.draw.crosstable import CrossLine, crosstable_svg
    from damier.draw.export import write_picture

    kind = out.suffix.lower()
    if kind == ".json":
        write_text(out, to_json(data) + "\n")
    elif kind == ".csv":
        write_text(out, as_csv(data))
    else:
        lines = [
            CrossLine(
                line["place"],
                line["agent"],
                f"{line['elo']:+.0f}  ({interval(line['elo_interval'])})",
                scores,
            )
            for line, scores in zip(data["standings"], scores_of(data), strict=True)
        ]
        write_picture(crosstable_svg(lines, title_of(data)), out)


def as_csv(data: TournamentReport) -> str:
    """The table with the matrix beside it, shares of the points from 0 to 1; for spreadsheets."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    names = [line["agent"] for line in data["standings"]]
    head = [
        "place",
        "agent",
        "games",
        "wins",
        "draws",
        "losses",
        "points",
        "elo",
        "elo_low",
        "elo_high",
        "faults",
    ]
    written.writerow([harmless(cell) for cell in [*head, *names]])
    for line, scores in zip(data["standings"], scores_of(data), strict=True):
        counted = [line["games"], line["wins"], line["draws"], line["losses"], line["points"], line["elo"]]
        row = [line["place"], harmless(line["agent"]), *counted, *line["elo_interval"], line["faults"]]
        written.writerow([*row, *("" if score is None else round(score, 6) for score in scores)])
    return text.getvalue()


def harmless(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name.startswith(("=", "+", "-", "@", "\t", "\r")) else name


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
            raise BadInput(_("{place} holds no tournament yet", place=database.shown(place)))
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
    from damier.core.game import written

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
