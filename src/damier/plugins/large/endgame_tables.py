"""The folder of an endgame table: an index that people can read, and the scores of all slices in one
file, read by memory map.

    endgames.json     damier-endgames/1: the game, its rules, and of every finished slice where it
                      begins, what it holds, and the SHA-256 of its scores
    endgames.scores   int16, little-endian, one a place: the score to the mover as `core.solution` has it,
                      -32768 where there is no position; the slices in the order of the index

A slice is finished when the index names it, and the index is written, in one step, after its scores
are on disk: what is stopped at any instant is a table of the slices that were finished, and is gone
on with. Tables with more pieces begin with those with fewer.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.arrays import SmallIntArray, np
from damier.core.compile import Engine, instantiate
from damier.core.endgames import (
    UNKNOWN,
    Probe,
    checked_stages,
    endgames_of,
    in_a_word,
    place_of,
    probe,
    probe_bindings,
    slice_of,
)
from damier.core.errors import BadFile, BadInput, Interrupted, LimitReached, Uncompilable
from damier.core.files import LARGEST, opened, opened_alone, write_at, writing_to
from damier.core.game import Game, game_facts, is_of_game, written_game
from damier.core.hooks import Slice
from damier.core.job import Job, gib, uninterrupted
from damier.core.json_data import held, read_json, require_keys, whole_number, write_json
from damier.core.json_types import JsonObject
from damier.core.player import Arrays
from damier.core.rules import ONGOING, TOP, State
from damier.core.solution import Solution, StateTable, side
from damier.core.tiers import require_agreement
from damier.core.words import _, message
from damier.lab.large import INDEX, SCORES
from damier.plugins.large.endgame_slice import (
    BYTES_A_PLACE,
    MOST_PLACES,
    NO_POSITION,
    Engines,
    KnownSlices,
    SliceCounts,
    SolvedSlice,
    engines,
    solve_slice,
)

if TYPE_CHECKING:
    from damier.core.json_types import JsonValue

FORMAT: Final = "damier-endgames/1"
KEYS = ("format", "game", "options", "rules", "slices")
BYTES: Final = 2
"""Of a score on disk."""
SPARE: Final = 1 << 20
"""Bytes of disk that are left free."""


class FinishedSlice(NamedTuple):
    """A slice of a table: where its scores begin, counted in places, and what they say."""

    slice: Slice
    begin: int
    counts: SliceCounts
    sha256: str

    def facts(self) -> JsonObject:
        return {
            "name": self.slice.name,
            "number": self.slice.number,
            "begin": self.begin,
            "places": self.slice.places,
            **self.counts._asdict(),
            "sha256": self.sha256,
        }


class Layout(NamedTuple):
    """The slices with up to so many pieces, and where each begins."""

    stages: tuple[tuple[Slice, ...], ...]
    begins: dict[int, int]  # by the slice's number
    places: int  # of all

    @classmethod
    def of(cls, game: Game, pieces: int) -> Layout:
        stages = tuple(tuple(stage) for stage in checked_stages(game, pieces))
        begins, end = {}, 0
        for stage in stages:
            for one in stage:
                begins[one.number] = end
                end += one.places
        return cls(stages, begins, end)

    @property
    def slices(self) -> list[Slice]:
        return [one for stage in self.stages for one in stage]


def read_index(folder: Path) -> JsonObject:
    """Return what a folder says of itself. Raises BadFile."""
    path = folder / INDEX
    if not path.is_file():
        raise BadFile(
            message("{folder} holds no endgame tables: there is no {index} in it", folder=folder, index=INDEX)
        )
    index = read_json(path, FORMAT)
    require_keys(index, KEYS, str(path))
    if not isinstance(index.get("slices"), list) or not isinstance(index.get("game"), str):
        raise BadFile(message("{path} is damaged: it does not name its slices", path=path))
    return index


def finished_slices(index: JsonObject, layout: Layout, game: Game, path: Path) -> list[FinishedSlice]:
    """The finished slices that an index names, if they are those of the game.

    Raises BadFile for tables of other rules, or laid out otherwise.
    """
    if not is_of_game(index, game):
        raise BadFile(
            message(
                "{path} holds tables of {found}, not of {game}",
                path=path,
                found=written_game(index),
                game=game.text,
            )
        )
    by_number = {one.number: one for one in layout.slices}
    return [_read_slice(entry, by_number, layout, path) for entry in held(index, "slices", list) or []]


def _read_slice(entry: JsonValue, by_number: dict[int, Slice], layout: Layout, path: Path) -> FinishedSlice:
    facts = entry if isinstance(entry, dict) else {}
    one = by_number.get(whole_number(facts.get("number")) or 0)
    numbers = [whole_number(facts.get(name)) if facts.get(name) != -1 else -1 for name in SliceCounts._fields]
    counts = [number for number in numbers if number is not None]
    sha256 = facts.get("sha256")
    if one is None or len(counts) < len(SliceCounts._fields) or not isinstance(sha256, str):
        raise BadFile(message("{path} is damaged: it does not name its slices", path=path))
    found = FinishedSlice(one, layout.begins[one.number], SliceCounts(*counts), sha256)
    if found.facts() != facts:
        raise BadFile(message("{path}: the slice {name} is laid out otherwise", path=path, name=one.name))
    return found


def map_scores(path: Path, places: int) -> SmallIntArray:
    """The scores of so many places by memory map, read-only. Raises BadFile where there are fewer."""
    with opened(path, LARGEST) as stream:
        if stream.seek(0, 2) < BYTES * places:
            raise BadFile(message("{path} was cut off: it is shorter than its index says", path=path))
        whole = np.memmap(stream, np.uint8, "r", shape=(BYTES * places,))
    return np.frombuffer(whole.data, np.dtype("<i2"), places)


def checksum_of(scores: SmallIntArray) -> str:
    return hashlib.sha256(scores.data).hexdigest()


def require_sound(found: Sequence[FinishedSlice], scores: SmallIntArray, path: Path) -> None:
    """Raises BadFile where the scores of a slice are not those that were written."""
    for one in found:
        if checksum_of(scores[one.begin : one.begin + one.slice.places]) != one.sha256:
            raise BadFile(
                message(
                    "{path} is damaged: the checksum of the slice {name} is wrong",
                    path=path,
                    name=one.slice.name,
                )
            )


def known_slices(found: Sequence[FinishedSlice], scores: SmallIntArray, whole: Layout) -> KnownSlices:
    """The finished slices of a table, whose scores are `scores`, as engines ask them."""
    starts = np.full(max(whole.begins) + 1, -1, np.int64)
    for one in found:
        starts[one.slice.number] = one.begin
    return KnownSlices(scores, starts)


class Writer:
    """A folder that tables are written to: what is finished, and how a slice is added."""

    def __init__(self, folder: Path, game: Game, layout: Layout, descriptor: int) -> None:
        """`descriptor`: of the file of scores, as long as the layout needs; this process alone has it."""
        self.folder, self.game, self.layout = folder, game, layout
        self._descriptor = descriptor
        self.finished: list[FinishedSlice] = []
        whole = Layout.of(game, endgames_of(game).most_pieces)
        if (folder / INDEX).exists():
            self.finished = finished_slices(read_index(folder), whole, game, folder / INDEX)
        self.places = max([layout.places, *(one.begin + one.slice.places for one in self.finished)])
        self._reserve()
        scores = map_scores(folder / SCORES, self.places)
        require_sound(self.finished, scores, folder / SCORES)
        self.held = known_slices(self.finished, scores, whole)

    def _reserve(self) -> None:
        """Takes the disk that the scores need, so that it cannot run out later. Raises LimitReached."""
        size, there = BYTES * self.places, os.fstat(self._descriptor).st_size
        free = shutil.disk_usage(self.folder).free
        if size - there > free - SPARE:
            raise LimitReached(
                message(
                    "{folder} has {free} free; the tables need {size}",
                    folder=self.folder,
                    free=gib(free),
                    size=gib(size - there),
                )
            )
        if size > there:
            with writing_to(self.folder / SCORES):
                if hasattr(os, "posix_fallocate"):
                    os.posix_fallocate(self._descriptor, 0, size)
                else:
                    os.ftruncate(self._descriptor, size)

    def add(self, one: Slice, solved: SolvedSlice) -> None:
        """Writes the scores of a slice, and then names it in the index."""
        begin = self.layout.begins[one.number]
        scores = solved.scores.astype("<i2", copy=False)
        with writing_to(self.folder / SCORES):
            write_at(self._descriptor, memoryview(scores.data).cast("B"), BYTES * begin)
            os.fdatasync(self._descriptor)
        self.finished.append(FinishedSlice(one, begin, solved.counts, checksum_of(scores)))
        self.finished.sort(key=lambda one: one.begin)
        write_json(
            self.folder / INDEX,
            {
                "format": FORMAT,
                **game_facts(self.game),
                "slices": [one.facts() for one in self.finished],
            },
        )
        self.held.starts[one.number] = begin


@contextlib.contextmanager
def writing(folder: Path, game: Game, layout: Layout) -> Iterator[Writer]:
    """A folder to write tables to, new or begun before.

    Raises BadInput where no folder can be, where another process writes, or where it holds something
    else; LimitReached where the disk is too small.
    """
    with writing_to(folder):
        folder.mkdir(exist_ok=True)
        others = sorted({path.name for path in folder.iterdir()} - {INDEX, SCORES})
        if others and not (folder / INDEX).exists():
            raise BadInput(
                message(
                    "{folder} holds {name}; give a new folder, or one with tables",
                    folder=folder,
                    name=others[0],
                )
            )
    taken = _("another process writes tables to {folder}", folder=folder)
    with opened_alone(folder / SCORES, taken) as descriptor:
        yield Writer(folder, game, layout, descriptor)


# An endgame table that is there, asked: one position, all its moves, or by a search.

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
    """The finished slices of a folder.

    Attributes:
        pieces: all with up to so many are there
        path: of their scores
        unchecked: those whose checksum nobody has compared yet, by number: `score` does
    """

    game: Game
    held: KnownSlices
    slices: tuple[FinishedSlice, ...]
    pieces: int
    path: Path
    unchecked: dict[int, FinishedSlice] = field(default_factory=dict)

    def probe(self) -> Probe:
        """Return what a search binds, plain or compiled."""
        return Probe({probe: held_score, **probe_bindings(self.game)}, tuple(self.held), self.pieces)

    @cached_property
    def _asked(self) -> Engine:
        return instantiate(held_score, self.game, jit=False, bind=probe_bindings(self.game))

    def score(self, s: State) -> int:
        """The score of `s` to its mover; UNKNOWN where no finished slice holds it and it is not over.

        Raises BadFile where its slice is damaged.
        """
        if self.unchecked:
            self._check(s)
        score: int = self._asked(s, tuple(self.held))
        end = self.game.outcome(s) if score == UNKNOWN else ONGOING
        return score if end == ONGOING else end * TOP

    def _check(self, s: State) -> None:
        number = in_a_word(endgames_of(self.game).slice_of)(s)
        if (found := self.unchecked.get(number)) is not None:
            require_sound([found], self.held.scores, self.path)
            del self.unchecked[number]

    def solution(self, s: State) -> Solution:
        """A position and what its moves lead to. Raises BadInput where a table is missing, BadFile."""
        states = [s, *(self.game.play(s, move) for move in self.game.legal(s))]
        scores = {t: self.score(t) for t in states}
        if missing := [t for t in states if scores[t] == UNKNOWN]:
            raise BadInput(
                message(
                    "no table holds {position}: they hold up to {n} pieces; damier search, or solve without"
                    " --tables, looks further",
                    position=(self.game.write_position or str)(missing[0]),
                    n=self.pieces,
                )
            )
        values = {t: side(self.game, t) * score for t, score in scores.items()}
        return Solution(self.game, s, StateTable(values), METHOD, cyclic=True)


def open_tables(folder: Path, game: Game, *, at_once: bool = True) -> EndgameTables:
    """The tables of a folder, of this game, each slice checked against its checksum: all of them `at_once`,
    or each when it is first asked (`score`), so that who asks for one position does not wait for all.

    Raises BadFile; Unsuitable for a game without slices.
    """
    whole = Layout.of(game, endgames_of(game).most_pieces)
    found = finished_slices(read_index(folder), whole, game, folder / INDEX)
    scores = map_scores(folder / SCORES, max((one.begin + one.slice.places for one in found), default=0))
    if at_once:
        require_sound(found, scores, folder / SCORES)
    unchecked = {} if at_once else {one.slice.number: one for one in found}
    held, pieces = known_slices(found, scores, whole), complete_to(found, game)
    return EndgameTables(game, held, tuple(found), pieces, folder / SCORES, unchecked)


def pieces_of(game: Game, s: State) -> int:
    """Return with how many pieces tables hold `s`, both sides together; 0 where none do."""
    return _pieces_by_slice(game).get(in_a_word(endgames_of(game).slice_of)(s), 0)


@lru_cache(maxsize=16)
def _pieces_by_slice(game: Game) -> dict[int, int]:
    most = endgames_of(game).most_pieces
    stages = ((n, stage) for n in range(most, 0, -1) for stage in checked_stages(game, n))
    return {one.number: n for n, stage in stages for one in stage}


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


# Endgame tables built: stage after stage, the slices of a stage side by side.

LOOK: Final = 0.1
"""Seconds between two looks at slices that are at work."""
FEW: Final = 20_000
"""Places in all that plain Python solves sooner than code is compiled."""
NEEDS: Final = (TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE, ZERO_SUM)


class _Stopped(Exception):
    """A slice was told to end."""


@dataclass
class _Watch:
    """The progress of the slices at work, and whether they are to end."""

    stop: threading.Event = field(default_factory=threading.Event)
    done: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def tell(self, places: int) -> None:
        if self.stop.is_set():
            raise _Stopped
        with self.lock:
            self.done += places


def build(game: Game, pieces: int, folder: Path, job: Job) -> int:
    """Makes, or goes on with, the tables of all slices with up to so many pieces; returns how many
    slices were solved now.

    Raises Unsuitable for a game without slices, LimitReached where memory or disk are too small,
    Interrupted after a note of how to go on.
    """
    layout = required_layout(game, pieces)
    with writing(folder, game, layout) as writer:
        finished = {one.slice.number for one in writer.finished}
        before = len(finished)
        left = [[one for one in stage if one.number not in finished] for stage in layout.stages]
        _require_memory([one for stage in left for one in stage], job)
        if any(left):
            try:
                _run(_engines(game, layout.places, job), left, writer, job)
            except KeyboardInterrupt:
                raise Interrupted(
                    {"slices": len(writer.finished), "of": len(layout.slices), "folder": str(folder)}
                ) from None
        return len(writer.finished) - before


def required_layout(game: Game, pieces: int) -> Layout:
    """The slices with up to so many pieces. Raises Unsuitable, BadInput where there are none."""
    most = endgames_of(game).most_pieces
    require(game, _("endgame tables"), *NEEDS)
    if not 1 <= pieces <= most:
        raise BadInput(
            message(
                "--pieces {n}: {game} has slices with up to {most} pieces",
                n=pieces,
                game=game.text,
                most=most,
            )
        )
    layout = Layout.of(game, pieces)
    if not layout.slices:
        raise BadInput(message("{game} has no slice with up to {n} pieces", game=game.text, n=pieces))
    return layout


def _require_memory(left: list[Slice], job: Job) -> None:
    """Raises LimitReached where the largest slices, side by side, need more than the budget."""
    sizes = sorted((one.places for one in left), reverse=True)[: job.jobs]
    if sizes and (sum(sizes) * BYTES_A_PLACE > job.memory or sizes[0] > MOST_PLACES):
        raise LimitReached(
            message(
                "the largest slices need {size} of memory, beyond the budget of {budget}; a larger --memory"
                " or fewer --jobs",
                size=gib(sum(sizes) * BYTES_A_PLACE),
                budget=gib(job.memory),
            ),
            {"bytes": sum(sizes) * BYTES_A_PLACE, "memory": job.memory},
        )


def _engines(game: Game, places: int, job: Job) -> Engines:
    """Compiled, unless there is little to do or the rules cannot be."""
    if job.jit or (job.jit is None and places > FEW):
        job.progress(0, None, _("compiling"))
        try:
            require_agreement(game)
            return engines(game, jit=True)
        except Uncompilable as error:
            job.note(_("{game} runs as plain Python, uncompiled: {reason}", game=game.name, reason=error))
    return engines(game, jit=False)


def _run(made: Engines, left: list[list[Slice]], writer: Writer, job: Job) -> None:
    """Solves what is left, the largest slices of a stage first."""
    watch, total = _Watch(), sum(one.places for stage in left for one in stage)
    pool = ThreadPoolExecutor(job.jobs, thread_name_prefix="slice")
    try:
        for stage in left:
            ready = sorted(stage, key=lambda one: -one.places)
            for one, solved in _solved(made, ready, writer, watch, pool, job, total):
                with uninterrupted():
                    writer.add(one, solved)
    finally:
        watch.stop.set()
        pool.shutdown(wait=True, cancel_futures=True)


def _solved(
    made: Engines,
    slices: list[Slice],
    writer: Writer,
    watch: _Watch,
    pool: ThreadPoolExecutor,
    job: Job,
    total: int,
) -> Iterator[tuple[Slice, SolvedSlice]]:
    """Slices that no move connects, as they are solved. Raises what their work raises."""
    at_work: dict[Future[SolvedSlice], Slice] = {
        pool.submit(solve_slice, made, one, writer.held, watch.tell): one for one in slices
    }
    while at_work:
        ended, _others = wait(at_work, timeout=LOOK, return_when=FIRST_COMPLETED)
        job.progress(watch.done, total, _("places"))
        for future in ended:
            yield at_work.pop(future), future.result()
