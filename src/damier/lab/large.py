"""Games beyond memory: what the plug-in `large` does for whoever has one (docs/large_games.md,
docs/endgames.md). It is imported where it is asked: most answers need neither a disk nor tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from damier.core.endgames import Probe
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State
from damier.core.solution import Solution
from damier.lab.plugins import PluginRegistry
from damier.solve.count import Counts

INDEX, SCORES = "endgames.json", "endgames.scores"
"""The files of a folder of endgame tables: what it holds, and the scores."""


@dataclass(frozen=True)
class Disk:
    """The folder of working files, and how many bytes all that is written may take (None: what is free)."""

    folder: Path
    limit: int | None = None


class DiskLayers(Protocol):
    """A module that counts and solves with layers on disk."""

    def is_begun(self, disk: Disk) -> bool:
        """Return whether there are working files to go on with."""

    def fits_disk(self, game: Game) -> bool:
        """Return whether a game can be solved so."""

    def solve_on_disk(
        self, game: Game, start: State | None, job: Job, disk: Disk, out: Path | None = None
    ) -> tuple[Solution, int]:
        """Return what `start` and its moves are worth, and how many positions can follow; with `out`, write
        the whole solution. Raises Unsuitable, LimitReached, Interrupted.
        """

    def count_on_disk(
        self, game: Game, start: State | None, job: Job, disk: Disk, *, symmetric: bool = False
    ) -> Counts:
        """Count what can be reached. Raises as `solve_on_disk`."""


class TablesOfGame(Protocol):
    """Endgame tables of one game, opened."""

    def probe(self) -> Probe:
        """Return what a search binds, plain or compiled."""

    def solution(self, s: State) -> Solution:
        """Return what a position and its moves are worth. Raises BadInput where no table holds them."""


class TablesAnswer(NamedTuple):
    """Answer of the tables in the cache about a position.

    Attributes:
        solution: of the position that was asked for; None where no table holds it
        why: what is to be said of that
        building: whether the tables that will hold it are being built
    """

    solution: Solution | None = None
    why: str = ""
    building: bool = False


class TablesModule(Protocol):
    """A module that opens endgame tables, and keeps some in the user's cache."""

    def open_tables(self, folder: Path, game: Game) -> TablesOfGame:
        """Return the tables of a folder. Raises BadFile where they are none of this game."""

    def ask_tables(self, game: Game, s: State, *, patience: float, begin: bool) -> TablesAnswer:
        """Answer as `ask_tables`, of a game that gives slices of its endings."""

    def score_in_tables(self, game: Game, s: State) -> int | None:
        """Return the score of a position to its mover as the tables in the cache have it, or None."""


_layers = PluginRegistry[DiskLayers]("damier.disk_layers", {}, lambda point: point.load())
_tables = PluginRegistry[TablesModule]("damier.endgame_tables", {}, lambda point: point.load())


def disk_layers() -> DiskLayers:
    """Return what counts and solves with layers on disk."""
    return _layers["damier"]


def endgame_tables() -> TablesModule:
    """Return what opens and keeps endgame tables."""
    return _tables["damier"]


def ask_tables(game: Game, s: State, *, patience: float = 0.0, begin: bool = False) -> TablesAnswer:
    """Return what the tables in the cache know of a position. Where they are small and not there, and these
    are to `begin`, they are built beside this process, and waited for so many seconds as there is `patience`.
    """
    if game.endgames is None:
        return TablesAnswer()
    return endgame_tables().ask_tables(game, s, patience=patience, begin=begin)


def score_in_tables(game: Game, s: State) -> int | None:
    """Return the score of a position to its mover as the tables in the cache have it; None where they do
    not.
    """
    return None if game.endgames is None else endgame_tables().score_in_tables(game, s)
