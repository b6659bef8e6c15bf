"""The standings of a tournament as data: what commands write and pages show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

from damier.core.data_files import (
    OF_GAME,
    Cell,
    Columns,
    DataTable,
    csv_text,
    joined_columns,
    of_written_game,
)
from damier.core.words import _, decimal, grouped

if TYPE_CHECKING:
    from damier.arena.standings import Results, Standing
    from damier.arena.tournament import Tournament
    from damier.draw.tables import CrossLine


class EntrantReport(TypedDict):
    """An agent that takes part."""

    name: str
    text: str
    sha256: str


class ResultsTable(TypedDict):
    """The lines of the standings, and of each how often it beat, and drew with, that of each column:
    `wins[i][j]` is how often the agent of line i of the standings beat that of line j.
    """

    standings: list[Standing]
    wins: list[list[int]]
    draws: list[list[int]]


class TournamentReport(ResultsTable):
    """Report of a tournament; `games` is for each pair."""

    tournament: int
    game: str
    system: str
    seed: int
    games: int
    max_plies: int
    played: int
    of: int
    agents: list[EntrantReport]
    first_fault: str


def table_of(names: list[str], results: Results) -> ResultsTable:
    """The table of some agents; without lines where there are not two."""
    lines: list[Standing] = []
    if len(names) > 1:  # what works strengths out takes long to import
        from damier.arena.standings import standings

        lines = standings(names, results)
    order = [names.index(line["agent"]) for line in lines]
    return {
        "standings": lines,
        "wins": [[int(results.wins[i, j]) for j in order] for i in order],
        "draws": [[int(results.draws[i, j]) for j in order] for i in order],
    }


def facts(tournament: Tournament) -> TournamentReport:
    """All that is known of a tournament."""
    plan, results = tournament.plan, tournament.results
    names = [entrant.name for entrant in plan.entrants]
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
        **table_of(names, results),
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
        decimal(line["points"], ".1f"),
        decimal(line["elo"], "+.0f"),
        interval(line["elo_interval"]),
    )


def interval(ends: Sequence[float | None]) -> str:
    """The interval of a strength; … where it has no end."""
    low, high = ("…" if end is None else decimal(end, "+.0f") for end in ends)
    return f"{low} – {high}"


def scores_of(data: ResultsTable) -> list[list[float | None]]:
    """The share of the points that each took from each; None for those that have not met."""
    wins, draws, lines = data["wins"], data["draws"], range(len(data["standings"]))
    games = [[wins[i][j] + wins[j][i] + draws[i][j] for j in lines] for i in lines]
    return [
        [(wins[i][j] + draws[i][j] / 2) / games[i][j] if games[i][j] else None for j in lines] for i in lines
    ]


def cross_lines(data: ResultsTable) -> list[CrossLine]:
    """The lines of the picture of who beats whom."""
    from damier.draw.tables import CrossLine

    return [
        CrossLine(
            line["place"],
            line["agent"],
            f"{decimal(line['elo'], '+.0f')}  ({interval(line['elo_interval'])})",
            scores,
        )
        for line, scores in zip(data["standings"], scores_of(data), strict=True)
    ]


STANDING_COLUMNS: Columns = {
    "place": int,
    "agent": str,
    "games": int,
    "wins": int,
    "draws": int,
    "losses": int,
    "points": float,
    "elo": float,
    "elo_low": float,
    "elo_high": float,
    "faults": int,
}
TOURNAMENT_COLUMNS: Columns = {**OF_GAME, "seed": int, **STANDING_COLUMNS}
"""The columns of the standings of a tournament, of which a table of results alone has the last ones; an agent
each follows, with the share of the points that was taken from it (docs/data.md).
"""


def standings_data(data: TournamentReport) -> DataTable:
    """Return the standings of a tournament for data frames."""
    return _with_matrix(data, TOURNAMENT_COLUMNS, (*of_written_game(data["game"]), data["seed"]))


def as_csv(data: ResultsTable) -> str:
    """The table with the matrix beside it, shares of the points from 0 to 1; for spreadsheets."""
    return csv_text(_with_matrix(data, STANDING_COLUMNS, ()))


def _with_matrix(data: ResultsTable, columns: Columns, given: tuple[Cell, ...]) -> DataTable:
    rows = []
    for line, scores in zip(data["standings"], scores_of(data), strict=True):
        counted = [line["games"], line["wins"], line["draws"], line["losses"], line["points"], line["elo"]]
        row = [*given, line["place"], line["agent"], *counted, *line["elo_interval"], line["faults"]]
        rows.append([*row, *(None if score is None else round(score, 6) for score in scores)])
    names = [line["agent"] for line in data["standings"]]
    return DataTable(joined_columns(columns, names, kind=float), rows)
