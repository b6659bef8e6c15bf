"""What the room of the class shows of its store: a class, or the latest tournament of any store."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from damier.arena.classroom.roll import Roll
from damier.arena.classroom.runs import FinishedRuns
from damier.arena.classroom.views import ClassViews, UnplayablePair
from damier.arena.tournament.database import engine_of
from damier.arena.tournament.run import Tournament
from damier.arena.tournament.store import ListedGame, Store
from damier.core.errors import BadFile, BadInput, UnknownName
from damier.core.words import message
from damier.lab.marking.sheet import MarkingSheet
from damier.lab.marking.sheet import sheet as sheet_of
from damier.lab.tournament_report import ResultsTable, table_of
from damier.web.own_agents import without_folder
from damier.web.settings import Settings

MOST_REPLAYS = 100
"""Games of a list."""


class ShownTable(NamedTuple):
    """The table as it is now.

    game       what is played, as the store writes it
    played     games, and how many are left
    waiting    files that are looked at
    set_aside  pairs that cannot be played
    """

    version: str
    game: str
    table: ResultsTable
    played: int
    left: int
    waiting: int
    set_aside: Sequence[UnplayablePair] = ()


@cache
def store_at(place: str) -> Store:
    """The store of the lab, opened once in a process. Raises BadFile, BadInput."""
    return Store(place, engine_of(place, create=False))


@lru_cache(maxsize=2)
def sheet_at(sheet: str, edition: int) -> MarkingSheet:
    """The sheet of a class, read again when its file has been edited. Raises BadFile."""
    with without_folder(sheet):
        return sheet_of(sheet)


def edition_of(sheet: str) -> int:
    """What changes when the file of a sheet is edited; 0 for one that damier brings, or that is gone."""
    try:
        return os.stat(sheet).st_mtime_ns if os.path.isabs(sheet) else 0
    except OSError:
        return 0


@dataclass
class ShownClass:
    """A class that may hand in."""

    store: Store
    tournament: int
    game: str
    sheet: MarkingSheet | None

    @property
    def views(self) -> ClassViews:
        return ClassViews(self.store, self.tournament)

    @property
    def roll(self) -> Roll:
        return Roll(self.store)

    @property
    def runs(self) -> FinishedRuns:
        return FinishedRuns(self.store)

    def version(self) -> str:
        return ".".join(map(str, self.views.progress()))

    def table(self) -> ShownTable:
        progress = self.views.progress()
        names, results, left, aside = self.views.results()
        return ShownTable(
            ".".join(map(str, progress)),
            self.game,
            table_of(names, results),
            results.games,
            left,
            progress.waiting,
            aside,
        )

    def names(self) -> dict[int, str]:
        """Who stands in the table, by place."""
        return self.views.names()


@dataclass
class ShownTournament:
    """A tournament that somebody else plays, or played."""

    store: Store
    tournament: int
    game: str
    sheet: None = field(default=None, init=False)

    def version(self) -> str:
        return f"{self.tournament}.{self.store.last_game()}"

    def table(self) -> ShownTable:
        version = self.version()
        tournament = Tournament(self.store.plan(self.tournament), self.store, self.tournament)
        names = [entrant.name for entrant in tournament.plan.entrants]
        played = tournament.results.games
        return ShownTable(
            version, self.game, table_of(names, tournament.results), played, tournament.games - played, 0
        )

    def names(self) -> dict[int, str]:
        plan = self.store.plan(self.tournament)
        return {place: entrant.name for place, entrant in enumerate(plan.entrants)}


Shown: TypeAlias = "ShownClass | ShownTournament"


def shown_by(settings: Settings) -> Shown:
    """What the lab's store holds. Raises BadFile, BadInput."""
    store = store_at(settings.store)
    if settings.class_folder:
        classroom = Roll(store).classroom()
        if classroom is None:
            raise BadFile(message("{path} keeps no class", path=Path(settings.store).name))
        sheet = sheet_at(classroom.sheet, edition_of(classroom.sheet)) if classroom.sheet else None
        return ShownClass(store, classroom.tournament, classroom.plan.game_text, sheet)
    tournaments = store.tournaments()
    if not tournaments:
        raise BadInput(message("no tournament has been begun here yet"))
    return ShownTournament(store, tournaments[-1], store.plan(tournaments[-1]).game_text)


def replays(shown: Shown, of: str, against: str) -> tuple[list[ListedGame], dict[int, str]]:
    """Games of an agent, with another or with all, and the names by place. Raises UnknownName."""
    names = shown.names()
    places = {name: place for place, name in names.items()}
    for name in (of, against):
        if name and name not in places:
            raise UnknownName(message("no agent {agent} takes part", agent=name))
    others = [places[against]] if against else [place for place in names if place != places[of]]
    return shown.store.replays(shown.tournament, places[of], others, MOST_REPLAYS), names


class LatestTable:
    """The tables that were worked out last, by their versions: the strengths of many agents take time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], ShownTable] = OrderedDict()

    def of(self, settings: Settings, shown: Shown) -> ShownTable:
        known_as = (settings.store, shown.version())
        if known_as not in self._kept:
            table = shown.table()
            known_as = (settings.store, table.version)
            self._kept[known_as] = table
            if len(self._kept) > 2:
                self._kept.popitem(last=False)
        return self._kept[known_as]
