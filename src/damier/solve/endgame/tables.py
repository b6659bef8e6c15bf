"""An endgame table that is there, asked: one position, all its moves, or by a search."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from damier.core.compile import Engine, instantiate
from damier.core.endgames import endgames_of
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.player import Arrays
from damier.core.probe import UNKNOWN, Probe, probe
from damier.core.rules import ONGOING, State
from damier.core.score import TOP
from damier.core.score_table import StateTable
from damier.core.slices import asked, place_of, slice_of
from damier.core.solution import Solution, side
from damier.core.words import message
from damier.solve.endgame.store import (
    INDEX,
    SCORES,
    FinishedSlice,
    Layout,
    finished_slices,
    map_scores,
    read_index,
    require_sound,
)
from damier.solve.endgame.waves import NO_POSITION, KnownSlices

METHOD: Final = "endgame-tables"


def held_score(s: State, held: Arrays) -> int:
    """`probe` of endgame tables: two words of memory are read. `held` is a `KnownSlices`."""
    scores, starts = held
    slice = slice_of(s)
    if 0 <= slice < len(starts) and starts[slice] >= 0:
        place = place_of(s)
        if place >= 0:
            score = int(scores[starts[slice] + place])
            if score != NO_POSITION:
                return score
    return UNKNOWN


@dataclass(frozen=True)
class EndgameTables:
    """The finished slices of a folder; `pieces`: all with up to so many are there."""

    game: Game
    held: KnownSlices
    slices: tuple[FinishedSlice, ...]
    pieces: int

    def probe(self) -> Probe:
        """What a search binds, plain or compiled."""
        return Probe({probe: held_score, **asked(self.game)}, tuple(self.held), self.pieces)

    @cached_property
    def _asked(self) -> Engine:
        return instantiate(held_score, self.game, jit=False, bind=asked(self.game))

    def score(self, s: State) -> int:
        """The score of `s` to its mover; UNKNOWN where no finished slice holds it and it is not over."""
        score: int = self._asked(s, tuple(self.held))
        end = self.game.outcome(s) if score == UNKNOWN else ONGOING
        return score if end == ONGOING else end * TOP

    def solution(self, s: State) -> Solution:
        """A position and what its moves lead to. Raises BadInput where a table is missing."""
        states = [s, *(self.game.play(s, move) for move in self.game.legal(s))]
        scores = {t: self.score(t) for t in states}
        if missing := [t for t in states if scores[t] == UNKNOWN]:
            raise BadInput(
                message(
                    "no table holds {position}: they hold up to {n} pieces; damier search, or solve without"
                    " --tables, looks further",
                    position=self._in_words(missing[0]),
                    n=self.pieces,
                )
            )
        told = {t: side(self.game, t) * score for t, score in scores.items()}
        return Solution(self.game, s, StateTable(told), METHOD, cyclic=True)

    def _in_words(self, s: State) -> str:
        return self.game.write_position(s) if self.game.write_position else str(s)


def open_tables(folder: Path, game: Game) -> EndgameTables:
    """The tables of a folder, of this game, each slice checked against its checksum.

    Raises BadFile; Unsuitable for a game without slices.
    """
    import numpy as np

    index = read_index(folder)
    most = endgames_of(game).most_pieces
    found = finished_slices(index, Layout.of(game, most), game, folder / INDEX)
    end = max((one.begin + one.slice.places for one in found), default=0)
    scores = map_scores(folder / SCORES, end)
    require_sound(found, scores, folder / SCORES)
    starts = np.full(max((one.slice.number for one in found), default=0) + 1, -1, np.int64)
    for one in found:
        starts[one.slice.number] = one.begin
    return EndgameTables(game, KnownSlices(scores, starts), tuple(found), complete_to(found, game))


def complete_to(found: list[FinishedSlice], game: Game) -> int:
    """The most pieces up to which all slices are finished."""
    finished = {one.slice.number for one in found}
    complete = 0
    for pieces in range(1, endgames_of(game).most_pieces + 1):
        slices = Layout.of(game, pieces).slices
        if any(one.number not in finished for one in slices):
            return complete
        complete = pieces if slices else 0
    return complete
