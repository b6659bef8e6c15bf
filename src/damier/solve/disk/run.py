"""Solving and counting with layers on disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from damier.core.agreement import require_agreement
from damier.core.arrays import IntArray, SmallIntArray
from damier.core.errors import Interrupted, Uncompilable, Unsuitable
from damier.core.game import Game
from damier.core.job import Job, gib
from damier.core.rules import State
from damier.core.solution import (
    DISTANT_SCORE_TYPE,
    SCORE_TYPE,
    TOPS,
    KeyTable,
    Solution,
    StateTable,
    dtype_for,
)
from damier.core.words import _, grouped, in_short, message
from damier.solve import store
from damier.solve.count import Counts
from damier.solve.disk.engines import DiskEngines, engines_of, prepare
from damier.solve.disk.folder import MANIFEST, KeysReader, WorkingFolder, read_into, working
from damier.solve.disk.forward import next_layer, score_layer, start_layer
from damier.solve.disk.sizes import require_room, sizes
from damier.solve.disk.space import estimate
from damier.solve.packed_store import BLOCK, ByteArray, LayerSource, file_size, is_packed, write_packed
from damier.solve.reach import sorts
from damier.solve.units import in_units

METHOD = "disk"
PIECE = 1 << 22
"""Bytes that are copied at once."""


@dataclass(frozen=True)
class Disk:
    """Where working files lie, and how many bytes all that is written may take (None: what is free)."""

    folder: Path
    limit: int | None = None


def is_begun(disk: Disk) -> bool:
    """Whether there are working files to go on with."""
    return (disk.folder / MANIFEST).exists()


def fits_disk(game: Game) -> bool:
    """Whether a game can be solved with layers on disk."""
    return sorts(game) and not in_units(game)


def solve_on_disk(
    game: Game, start: State | None, job: Job, disk: Disk, out: Path | None = None
) -> tuple[Solution, int]:
    """What `start` and its moves are worth, and how many positions can follow; with `out`, the whole
    solution in a file, the same bytes as those of a solution found in memory.

    What is interrupted, killed or stopped by a limit is gone on with by the same call; at the end the
    working files are removed. Raises Unsuitable for a game whose positions are no sorted layers of wins,
    draws and losses, LimitReached where memory or disk do not suffice, Interrupted.
    """
    if not fits_disk(game):
        raise Unsuitable(
            message(
                "layers go to disk where a game of wins, draws and losses advances a ply with every move and"
                " its keys are one word; {game} is none",
                game=game.text,
            )
        )
    begun, root = time.perf_counter(), game.start if start is None else start
    with _at_work(game, root, job, disk, symmetric=False) as (folder, engines):
        _find_layers(folder, engines, job, solving=True, out=out)
        _score_layers(folder, engines, job)
        solution = _answer(folder, engines, root)
        if out is not None:
            _write(folder, engines, root, out, job)
        positions = folder.positions
        folder.clear()
    return replace(solution, seconds=time.perf_counter() - begun), positions


def count_on_disk(
    game: Game, start: State | None, job: Job, disk: Disk, *, symmetric: bool = False
) -> Counts:
    """Counts what can be reached, as `damier.solve.count` does, with layers on disk. Raises as
    `solve_on_disk`.
    """
    import numpy as np

    if not sorts(game):
        raise Unsuitable(
            message(
                "layers go to disk where a game advances a ply with every move and its keys are one word;"
                " {game} is none",
                game=game.text,
            )
        )
    root = game.start if start is None else start
    with _at_work(game, root, job, disk, symmetric=symmetric) as (folder, engines):
        _find_layers(folder, engines, job, solving=False, out=None)
        ends, counts = np.zeros(3, np.int64), Counts(by_ply=[layer.keys for layer in folder.layers])
        for facts in folder.layers:
            layer = KeysReader(folder.path, facts, engines)
            step = PIECE // 8 // BLOCK
            for first in range(0, layer.blocks, step):
                engines.tally(layer.read(first, min(first + step, layer.blocks)), ends)
        counts.losses, counts.draws, counts.wins = (int(n) for n in ends)
        counts.states, counts.terminals = folder.positions, int(ends.sum())
        folder.clear()
    return counts


@contextmanager
def _at_work(
    game: Game, root: State, job: Job, disk: Disk, *, symmetric: bool
) -> Iterator[tuple[WorkingFolder, DiskEngines]]:
    """The folder and the engines; an interruption is told with how to go on."""
    job.progress(0, None, _("compiling"))
    try:
        require_agreement(game)
        engines = engines_of(game, symmetric)
    except Uncompilable as error:
        raise Unsuitable(
            message(
                "layers go to disk by compiled code, and {game} cannot be compiled: {error}",
                game=game.text,
                error=error,
            )
        ) from None
    with working(disk.folder, game, root, job, symmetric=symmetric, limit=disk.limit) as folder:
        try:
            yield folder, engines
        except KeyboardInterrupt:
            job.note(
                _(
                    "stopped: {n} layers with {positions} positions are in {folder}, {scored} of them scored;"
                    " the same command goes on from there",
                    n=len(folder.layers),
                    positions=grouped(folder.positions),
                    folder=folder.path,
                    scored=len(folder.scores),
                )
            )
            raise Interrupted(
                {
                    "layers": len(folder.layers),
                    "positions": folder.positions,
                    "scored": len(folder.scores),
                    "folder": str(folder.path),
                }
            ) from None


def _find_layers(
    folder: WorkingFolder, engines: DiskEngines, job: Job, *, solving: bool, out: Path | None
) -> None:
    """Adds the layers that are not there yet."""
    prepare(engines, folder.game.most_moves())
    require_room(job)
    size = sizes(job, folder.game.most_moves())
    start_layer(folder, engines)
    while not folder.whole:
        needed = _needed(folder, solving=solving, out=out is not None)
        folder.space.require(needed, folder.positions)
        next_layer(folder, engines, _warning(job, folder, needed), size)


def _needed(folder: WorkingFolder, *, solving: bool, out: bool) -> int:
    """The bytes that the positions which are there will take beside what is written of them."""
    packed = sum(layer.size for layer in folder.layers)
    scores = folder.positions if solving else 0
    return scores + (packed + scores if out else 0) - sum(one.size for one in folder.scores.values())


def _warning(job: Job, folder: WorkingFolder, needed: int) -> Job:
    """A job whose signs of life say that the disk may not suffice, where the growth of the layers lets
    expect so. It is not refused by that: games fit whose growth falls faster later on, and what has been
    found when the disk is full is kept.
    """
    expected = estimate([layer.keys for layer in folder.layers], folder.game.states)
    if expected is None:
        return job
    packed = sum(layer.size for layer in folder.layers)
    # a position on disk, over all that is written
    size = int((needed + packed) / folder.positions * expected) - packed
    if size <= folder.space.left:
        return job
    short = gib(size - folder.space.left)

    def progress(done: int, total: int | None, what: str) -> None:
        said = _(
            "{what}; by their growth there will be about {n}, for which {size} of disk are missing",
            what=what,
            n=in_short(expected),
            size=short,
        )
        job.progress(done, total, said)

    return replace(job, progress=progress)


def _score_layers(folder: WorkingFolder, engines: DiskEngines, job: Job) -> None:
    """Adds the scores that are not there yet."""
    import numpy as np

    dtype = np.dtype(dtype_for(len(folder.layers)))
    prepare(engines, folder.game.most_moves(), [dtype.name])
    size = sizes(job, folder.game.most_moves(), dtype.itemsize)
    done = 0
    for number in reversed(range(len(folder.layers))):
        if number not in folder.scores:
            score_layer(folder, number, engines, job, size, done)
        done += folder.layers[number].keys


def _answer(folder: WorkingFolder, engines: DiskEngines, root: State) -> Solution:
    """What the start and its moves are worth."""
    import numpy as np

    game, dtype = folder.game, dtype_for(len(folder.layers))
    scores: dict[State, int] = {}
    for number in range(min(2, len(folder.layers))):
        keys, held = _unpacked(folder, number, engines)
        scores |= {game.unkey(key): score for key, score in zip(keys.tolist(), held.tolist(), strict=True)}
    wide = dtype == DISTANT_SCORE_TYPE
    top, own = TOPS[4 if wide else 2], TOPS[np.dtype(dtype).itemsize]
    table = StateTable(
        {s: score + (top - own) * ((score > 0) - (score < 0)) for s, score in scores.items()},
        DISTANT_SCORE_TYPE if wide else SCORE_TYPE,
    )
    return Solution(game, root, table, METHOD, cyclic=False)


def _unpacked(folder: WorkingFolder, number: int, engines: DiskEngines) -> tuple[IntArray, SmallIntArray]:
    """The keys and the scores of a layer."""
    import numpy as np

    layer = KeysReader(folder.path, folder.layers[number], engines)
    scores = np.empty(layer.facts.keys, dtype_for(len(folder.layers)))
    read_into(folder.scores_path(number), scores.view(np.uint8).data, 0)
    return layer.read(0, layer.blocks), scores


def _write(folder: WorkingFolder, engines: DiskEngines, root: State, out: Path, job: Job) -> None:
    """The whole solution as a file."""
    import numpy as np

    game = folder.game
    first_ply = game.ply(root)
    top = TOPS[np.dtype(dtype_for(len(folder.layers))).itemsize]
    if not is_packed(game, folder.positions):
        parts = [_unpacked(folder, number, engines) for number in range(len(folder.layers))]
        offsets = (0, *np.cumsum([layer.keys for layer in folder.layers]).tolist())
        keys, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
        table: KeyTable[int] = KeyTable(game, keys, scores, offsets, first_ply)
        store.save(Solution(game, root, table, METHOD, cyclic=False), out)
        return
    sources = [_source(folder, number) for number in range(len(folder.layers))]
    folder.space.take(file_size(sources))
    job.progress(folder.positions, folder.positions, _("positions written"))
    store.require_readable(out, len(sources) + 1)
    header = store.header_of(game, root, False, first_ply)
    write_packed(out, header, sources, top, max(one.farthest for one in folder.scores.values()))


def _source(folder: WorkingFolder, number: int) -> LayerSource:
    """A layer that is written from its working files."""
    facts, scores = folder.layers[number], folder.scores[number]
    path = folder.path / facts.name
    half = (facts.size - facts.index_place) // 2
    dtype = dtype_for(len(folder.layers))
    return LayerSource(
        facts.keys,
        facts.bytes,
        partial(_pieces, path, facts.index_place, half, "int64"),
        partial(_pieces, path, facts.index_place + half, half, "int64"),
        partial(_bytes, path, 0, facts.bytes),
        partial(_pieces, folder.path / scores.name, 0, scores.size, dtype),
    )


def _pieces(path: Path, place: int, size: int, dtype: str) -> Iterator[IntArray]:
    """The ints that lie in a part of a file, piece by piece."""
    for piece in _bytes(path, place, size):
        yield piece.view(dtype)


def _bytes(path: Path, place: int, size: int) -> Iterator[ByteArray]:
    """The bytes in a part of a file, piece by piece."""
    import numpy as np

    for begin in range(place, place + size, PIECE):
        piece = np.empty(min(PIECE, place + size - begin), np.uint8)
        read_into(path, piece.data, begin)
        yield piece
