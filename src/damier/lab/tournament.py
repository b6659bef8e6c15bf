"""The agents of a tournament: who takes part, and their games."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

from damier.agents.languages import is_source, language_of, sources_of
from damier.arena.match import match
from damier.arena.pairing import Entrant, Keep, Piece, PlayedGame
from damier.arena.records import GameRecord
from damier.arena.standings import Pair, standings
from damier.core.analysis import TWO_PLAYERS, require
from damier.core.data_files import (
    OF_GAME,
    Cell,
    Columns,
    DataTable,
    csv_text,
    joined_columns,
    of_written_game,
)
from damier.core.errors import BadInput, Unsuitable
from damier.core.job import no_progress
from damier.core.json_types import JsonObject, JsonValue
from damier.core.loop import MatchSetup
from damier.core.player import Player
from damier.core.words import _, decimal, grouped, message, packed, unpacked
from damier.lab.agent_file import MAIN, digest, digest_of_folder, digest_of_text, several_agents
from damier.lab.agents import HumanPlayer, agent
from damier.lab.games import Lab
from damier.lab.user_file import is_folder
from damier.lab.workers import Listener, PieceWork, TellPart, Workforce, answer_of

if TYPE_CHECKING:
    from damier.arena.standings import Results, Standing
    from damier.arena.tournament import Tournament
    from damier.draw.tables import CrossLine


def player_of(text: str, lab: Lab) -> Player:
    """The player that an entrant's text makes. Raises what `agent` raises, and Unsuitable for one
    that cannot play by itself, or whose games would depend on those before.
    """
    player = agent(lab, text)
    if isinstance(player, HumanPlayer):
        raise Unsuitable(
            message("{agent} does not play by itself; a tournament is between programs", agent=text)
        )
    if player.learns:
        raise Unsuitable(
            message(
                "{agent} would learn while it plays; train it first, and enter it with file=FILE", agent=text
            )
        )
    return player


def entrants(arguments: Sequence[str], lab: Lab) -> tuple[Entrant, ...]:
    """Return who takes part, in the order of the names: agents by name, files, and folders of files.

    Raises BadInput, BadFile, and Unsuitable for a game that is not of two players.
    """
    require(lab.game, _("a match"), TWO_PLAYERS)
    texts = [text for argument in arguments for text in texts_of(argument)]
    return tuple(sorted(entrant_of(text, lab) for text in texts))


def texts_of(argument: str) -> Iterator[str]:
    """The agents that one argument names: of a folder its *.py, its programs, and the folders of agents
    in it.
    """
    if not os.path.isdir(argument):
        yield argument
        return
    found = [name for name in sorted(os.listdir(argument)) if is_agent(Path(argument, name))]
    if not found:
        raise BadInput(
            message(
                "{folder} holds no agents: neither a NAME.py nor a program nor a folder with {file}",
                folder=argument,
                file=MAIN,
            )
        )
    yield from (os.path.join(argument, name) for name in found)


def is_agent(path: Path) -> bool:
    """Return whether a file of a folder, or a folder in it, is somebody's agent, and no helper of one."""
    if path.name.startswith((".", "_")):
        return False
    if path.is_dir():
        return Path(path, MAIN).is_file() or language_of(path) is not None
    return path.is_file() and (is_source(path.name) or os.access(path, os.X_OK))


def entrant_of(text: str, lab: Lab) -> Entrant:
    """An agent as it takes part: a file by its name without ending, a folder by its name, any other as it
    is written. The latter is made once, so that what cannot play is refused before the first game, as is one
    in another language of whose agents none is named.
    """
    if language_of(text) is not None and os.path.exists(text):
        names = sources_of(Path(text)).creators
        if len(names) > 1:
            raise several_agents(Path(text), names)
    if (os.sep in text or is_source(text)) and os.path.isfile(text):
        return Entrant(Path(text).stem, text, digest(Path(text)))
    folder = Path(text.partition(":")[0]) if is_folder(text) else None
    if folder is not None and ":" not in text:
        return Entrant(folder.name, text, digest_of_folder(folder))
    player_of(text, lab)
    return Entrant(text, text, digest_of_text(text))


def played(one: GameRecord) -> PlayedGame:
    """A game as it is kept: payoffs in the order of the pair, whoever sat where."""
    seats = one.payoffs[::-1] if one.number & 1 else one.payoffs
    return PlayedGame(
        one.number,
        list(one.moves),
        (seats[0], seats[1]),
        one.finished,
        one.resigned,
        one.fault,
    )


# The games of a tournament as pieces of work, for this process or others: each keeps its agents.


class PieceOrder(TypedDict):
    """Some games of a pair."""

    id: int
    pair: tuple[int, int]
    seed: int
    first: int
    stop: int


class TournamentDoer:
    """Plays pieces; tells games as they are played. Each player is made when it first plays, once."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._lab, self._texts = lab, cast("list[str]", given["agents"])
        self._max_plies = cast("int", given["max_plies"])
        self._players: dict[int, Player] = {}
        self._setups: dict[Pair, MatchSetup] = {}

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        piece = cast("PieceOrder", order)

        def keep(records: Sequence[GameRecord]) -> None:
            tell([(*game[:-1], packed(game.fault)) for game in map(played, records)])

        match(
            self._setup(piece),
            piece["stop"] - piece["first"],
            replace(self._lab.job, progress=no_progress),  # of the whole tournament somebody else tells
            first=piece["first"],
            keep=keep,
        )
        return None

    def _setup(self, piece: PieceOrder) -> MatchSetup:
        """The two of a piece at their game: the same for all pieces of the pair."""
        first, second = piece["pair"]
        if (first, second) not in self._setups:
            self._setups[first, second] = MatchSetup(
                self._lab.game,
                (self._player(first), self._player(second)),
                piece["seed"],
                swap=1,
                limit=self._max_plies,
                record=True,
                strict=False,
            )
        return self._setups[first, second]

    def _player(self, entrant: int) -> Player:
        if entrant not in self._players:
            self._players[entrant] = player_of(self._texts[entrant], self._lab)
        return self._players[entrant]


@dataclass
class PlayedPieces(Listener):
    """Hands games over as they come, each once: a piece that is played again tells of all of its own."""

    keep: Keep
    pieces: dict[int, Piece] = field(default_factory=dict)
    next_game: dict[int, int] = field(default_factory=dict)

    def orders(self, pieces: Iterable[Piece]) -> Iterator[JsonObject]:
        for number, piece in enumerate(pieces):
            self.pieces[number], self.next_game[number] = piece, piece.numbers.start
            yield {
                "id": piece.pairing.id,
                "pair": list(piece.pairing.pair),
                "seed": piece.seed,
                "first": piece.numbers.start,
                "stop": piece.numbers.stop,
            }

    def part(self, number: int, data: JsonValue) -> None:
        pieces = cast("list[tuple[int, list[str], tuple[int, int], bool, bool, JsonValue]]", data)
        games = [
            PlayedGame(game, moves, (first, second), finished, resigned, unpacked(fault))
            for game, moves, (first, second), finished, resigned, fault in pieces
        ]
        fresh = [game for game in games if game.number >= self.next_game[number]]
        if fresh:
            self.next_game[number] = fresh[-1].number + 1
            self.keep(self.pieces[number].pairing, fresh)


def play_pieces(workers: Workforce, pieces: Iterable[Piece], keep: Keep) -> None:
    """Have workers play all pieces of a tournament (`PlayPieces`). Raises BadInput or LimitReached, as the
    process that could not.
    """
    played = PlayedPieces(keep)
    for piece in workers.do(played.orders(pieces), played):
        answer_of(piece)
        del played.pieces[piece.number], played.next_game[piece.number]


def tournament_work(lab: Lab, agents: Sequence[str], max_plies: int) -> PieceWork:
    """The games between these agents."""
    return PieceWork(TournamentDoer, lab, {"agents": list(agents), "max_plies": max_plies})


# The standings of a tournament as data: what commands write and pages show.


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
    lines = standings(names, results) if len(names) > 1 else []
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
    return DataTable(joined_columns(columns, [line["agent"] for line in data["standings"]], kind=float), rows)
