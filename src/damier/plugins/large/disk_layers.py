"""Solving and counting with layers on disk."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from damier.core.arrays import IntArray, SmallIntArray, np
from damier.core.compile import instantiate
from damier.core.errors import Interrupted, LimitReached, Uncompilable, Unsuitable
from damier.core.files import write_at, writing_to
from damier.core.game import Game
from damier.core.job import Job, gib, in_order, resident
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
from damier.core.tiers import require_agreement
from damier.core.words import _, grouped, in_short, message
from damier.lab.large import Disk
from damier.plugins.large.disk_folder import (
    MANIFEST,
    DiskEngines,
    KeysFacts,
    KeysReader,
    KeysWriter,
    RunFacts,
    ScoresFacts,
    WorkingFolder,
    engines_of,
    estimate,
    prepare,
    read_into,
    working,
)
from damier.solve import store
from damier.solve.count import Counts
from damier.solve.depth_first import check
from damier.solve.layers import directory_for
from damier.solve.packed_store import BLOCK, ByteArray, LayerSource, file_size, is_packed, write_packed
from damier.solve.reach import SYMMETRIC, in_units, sorts, write_code

METHOD = "disk"
PIECE = 1 << 22
"""Bytes that are copied at once."""


def is_begun(disk: Disk) -> bool:
    """Return whether there are working files to go on with."""
    return (disk.folder / MANIFEST).exists()


def fits_disk(game: Game) -> bool:
    """Return whether a game can be solved with layers on disk."""
    return sorts(game) and not in_units(game)


def solve_on_disk(
    game: Game, start: State | None, job: Job, disk: Disk, out: Path | None = None
) -> tuple[Solution, int]:
    """Return what `start` and its moves are worth, and how many positions can follow; with `out`, the whole
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
        sentence = _(
            "{what}; by their growth there will be about {n}, for which {size} of disk are missing",
            what=what,
            n=in_short(expected),
            size=short,
        )
        job.progress(done, total, sentence)

    return replace(job, progress=progress)


def _score_layers(folder: WorkingFolder, engines: DiskEngines, job: Job) -> None:
    """Adds the scores that are not there yet."""
    dtype = np.dtype(dtype_for(len(folder.layers)))
    prepare(engines, folder.game.most_moves(), [dtype.name])
    size = sizes(job, folder.game.most_moves(), dtype.itemsize)
    done = 0
    for number in reversed(range(len(folder.layers))):
        if number not in folder.scores:
            score_layer(folder, number, engines, job, size, done)
        done += folder.layers[number].keys


def _answer(folder: WorkingFolder, engines: DiskEngines, root: State) -> Solution:
    """Return what the start and its moves are worth."""
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
    layer = KeysReader(folder.path, folder.layers[number], engines)
    scores = np.empty(layer.facts.keys, dtype_for(len(folder.layers)))
    read_into(folder.scores_path(number), scores.view(np.uint8).data, 0)
    return layer.read(0, layer.blocks), scores


def _write(folder: WorkingFolder, engines: DiskEngines, root: State, out: Path, job: Job) -> None:
    """The whole solution as a file."""
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
    for begin in range(place, place + size, PIECE):
        piece = np.empty(min(PIECE, place + size - begin), np.uint8)
        read_into(path, piece.data, begin)
        yield piece


# Forwards: each layer is expanded part by part, each part sorted and freed of doubles, and the runs
# that come of it merged to the next layer, range by range.


def start_layer(folder: WorkingFolder, engines: DiskEngines) -> None:
    """The layer of the start, if there is none."""
    if folder.layers:
        return
    first = np.zeros(1, np.int64)
    bind = SYMMETRIC if folder.symmetric else {}
    instantiate(write_code, folder.game, jit=True, bind=bind)(folder.game.fields(folder.start), first)
    folder.add_layer(_written(folder, 0, [first], engines))


def next_layer(folder: WorkingFolder, engines: DiskEngines, job: Job, size: Sizes) -> None:
    """Adds the layer that follows the last one, or says that none does."""
    number = len(folder.layers)
    layer = KeysReader(folder.path, folder.layers[-1], engines)
    part = part_of(layer.facts.keys, size.expanded, job.jobs)
    known = folder.positions
    begun = folder.runs[-1].until if folder.runs else 0
    whole: Iterable[IntArray]
    if begun == 0 and layer.facts.keys <= part:
        whole = [children(layer, 0, layer.facts.keys, engines, folder.game)]
    else:
        _write_runs(folder, layer, begun, part, engines, job, known)
        runs = [KeysReader(folder.path, run.file, engines) for run in folder.runs if run.file.keys]
        whole = merged(runs, size.merged, engines, job)
    found = _written(folder, number, _told(whole, known, job), engines)
    if found.keys:
        folder.add_layer(found)
    else:
        folder.remove(found.name)
        folder.end_layers()


def _told(arrays: Iterable[IntArray], known: int, job: Job) -> Iterator[IntArray]:
    """Yield the arrays, with signs of life."""
    for keys in arrays:
        yield keys
        known += len(keys)
        job.progress(known, None, _("positions"))


def part_of(keys: int, most: int, jobs: int) -> int:
    """Return how many positions of a layer of so many a thread takes, in whole blocks."""
    fair = max(-(-keys // jobs), LEAST_PART)
    return min(most, -(-fair // BLOCK) * BLOCK)


def children(layer: KeysReader, first: int, stop: int, engines: DiskEngines, game: Game) -> IntArray:
    """The codes of the children of positions first to stop (`first` begins a block), ascending, each
    once.
    """
    parents = layer.read(first // BLOCK, -(-stop // BLOCK))
    found = np.empty((len(parents) + 1) * game.most_moves(), np.int64)
    done, written = engines.expand(parents, 0, found)
    assert done == len(parents)  # there is room for all children
    found = found[:written]
    found.sort()
    return found[: engines.drop_doubles(found)]


def _write_runs(
    folder: WorkingFolder,
    layer: KeysReader,
    begun: int,
    part: int,
    engines: DiskEngines,
    job: Job,
    known: int,
) -> None:
    """Writes what positions from number `begun` on lead to, a run for each part."""
    keys = layer.facts.keys
    cuts = [*range(begun, keys, part), keys]
    paths = {first: folder.run_path(later) for later, first in enumerate(cuts[:-1])}

    def written(bounds: tuple[int, int]) -> RunFacts:
        first, stop = bounds
        found = children(layer, first, stop, engines, folder.game)
        with KeysWriter(paths[first], engines, folder.space) as writer:
            writer.add(found)
            return RunFacts(stop, writer.finish())

    found = sum(run.file.keys for run in folder.runs)
    for run in in_order(job.jobs, written, pairwise(cuts)):
        folder.add_run(run)
        found += run.file.keys
        job.progress(known + found, None, _("positions, doubles among them"))


def merged(runs: Sequence[KeysReader], most: int, engines: DiskEngines, job: Job) -> Iterator[IntArray]:
    """The keys of some runs, ascending, each once, in arrays of about `most` at most."""
    return in_order(job.jobs, lambda bounds: _merge(runs, *bounds, engines), ranges(runs, most))


def ranges(runs: Sequence[KeysReader], most: int) -> list[tuple[int, int]]:
    """Ranges of keys, from one on and below another, that hold about `most` keys of all runs at most."""
    if not runs:
        return []
    samples = np.sort(np.concatenate([run.first_keys for run in runs]))
    # of each run, what is before its first sample in a range is not counted
    step = max(1, most // BLOCK - len(runs))
    cuts = [int(samples[0]), *sorted(set(samples[step::step].tolist()) - {int(samples[0])}), (1 << 63) - 1]
    return list(pairwise(cuts))


def _merge(runs: Sequence[KeysReader], low: int, high: int, engines: DiskEngines) -> IntArray:
    """The keys of a range."""
    parts = []
    for run in runs:
        first = max(0, int(np.searchsorted(run.first_keys, low, "right")) - 1)
        keys = run.read(first, int(np.searchsorted(run.first_keys, high, "left")))
        part = keys[np.searchsorted(keys, low) : np.searchsorted(keys, high)]
        if len(part):
            parts.append(part)
    while len(parts) > 1:  # all two by two, so that a key is handled as often as their number has bits
        pairs = zip_longest(parts[::2], parts[1::2])
        parts = [one if two is None else _united(one, two, engines) for one, two in pairs]
    return parts[0]


def _united(one: IntArray, two: IntArray, engines: DiskEngines) -> IntArray:
    """The keys of two arrays, ascending, each once."""
    both = np.empty(len(one) + len(two), np.int64)
    return both[: engines.unite(one, two, both)]


def _written(folder: WorkingFolder, number: int, keys: Iterable[IntArray], engines: DiskEngines) -> KeysFacts:
    """A layer as a file."""
    with KeysWriter(folder.layer_path(number), engines, folder.space) as writer:
        for part in keys:
            writer.add(part)
        return writer.finish()


# Backwards: each position takes the best of the scores that the next layer holds.
#
# As much of the next layer as memory holds is unpacked, and the whole layer goes over it once; where it
# does not fit, once for every range of its keys. In between the best so far stands in the file of the
# scores.


class LaterRange(NamedTuple):
    """Keys of a later layer and their scores, and how they are found."""

    keys: IntArray
    scores: SmallIntArray
    directory: SmallIntArray
    bounds: IntArray  # as `back_up` reads them


def score_layer(
    folder: WorkingFolder, number: int, engines: DiskEngines, job: Job, size: Sizes, done: int
) -> None:
    """Adds the scores of a layer, those of the next one being there; `done`: positions scored before."""
    dtype = np.dtype(dtype_for(len(folder.layers)))
    layer, path = KeysReader(folder.path, folder.layers[number], engines), folder.scores_path(number)
    bytes_of_scores = dtype.itemsize * layer.facts.keys
    folder.space.take(bytes_of_scores)
    last_one = number + 1 == len(folder.layers)
    later = None if last_one else KeysReader(folder.path, folder.layers[number + 1], engines)
    step = size.held // BLOCK
    cuts = (
        [(0, 0)]
        if later is None
        else [(at, min(at + step, later.blocks)) for at in range(0, later.blocks, step)]
    )
    limits = np.zeros(3, np.int64)
    farthest = 0
    with writing_to(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        try:
            for turn, cut in enumerate(cuts):
                held = _later(folder, number + 1, later, cut, engines, job, size)
                held.bounds[4], held.bounds[5] = turn == 0, turn == len(cuts) - 1

                def scored(first: int, held: LaterRange = held) -> int:
                    return _score_part(layer, first, size.scored, descriptor, path, held, engines, limits)

                for first, plies in zip(
                    range(0, layer.facts.keys, size.scored),
                    in_order(job.jobs, scored, range(0, layer.facts.keys, size.scored)),
                    strict=True,
                ):
                    farthest = max(farthest, plies)
                    check(folder.game, limits)
                    part = (turn * layer.facts.keys + first) // len(cuts)
                    job.progress(done + part, folder.positions, _("positions scored"))
                del held
        finally:
            os.close(descriptor)
    folder.add_scores(number, ScoresFacts(path.name, bytes_of_scores, farthest))


def _later(
    folder: WorkingFolder,
    number: int,
    later: KeysReader | None,
    cut: tuple[int, int],
    engines: DiskEngines,
    job: Job,
    size: Sizes,
) -> LaterRange:
    """The keys of some blocks of a layer and their scores, unpacked; nothing of a layer that is not
    there.
    """
    dtype = dtype_for(len(folder.layers))
    bounds = np.zeros(6, np.int64)
    bounds[0] = np.iinfo(dtype).max
    if later is None:
        bounds[1], bounds[3] = 1, 0  # no child is in it
        return LaterRange(np.zeros(1, np.int64), np.zeros(1, dtype), np.zeros(2, np.int32), bounds)
    first, stop = cut
    keys = np.empty(later.keys_in(first, stop), np.int64)
    scores = np.empty(len(keys), dtype)
    read_into(folder.scores_path(number), scores.view(np.uint8).data, first * BLOCK * scores.dtype.itemsize)
    step = max(LEAST_PART // BLOCK, len(keys) // BLOCK // (4 * job.jobs))

    def read(block: int) -> None:
        end = min(block + step, stop)
        begin = (block - first) * BLOCK
        later.read(block, end, keys[begin : begin + later.keys_in(block, end)])

    def enter(begin: int) -> None:
        end = min(begin + step * BLOCK, len(keys))
        engines.fill_directory(begin, end, keys, directory, bounds)

    for _none in in_order(job.jobs, read, range(first, stop, step)):
        pass
    directory = directory_for(
        keys, bounds, -(-len(keys) // (1 if len(keys) <= size.small else KEYS_AN_ENTRY))
    )
    for _none in in_order(job.jobs, enter, range(0, len(keys), step * BLOCK)):
        pass
    return LaterRange(keys, scores, directory, bounds)


def _score_part(
    layer: KeysReader,
    first: int,
    most: int,
    descriptor: int,
    path: Path,
    held: LaterRange,
    engines: DiskEngines,
    limits: IntArray,
) -> int:
    """Scores positions from number `first` on as far as a range of children goes; returns the plies of
    the latest end that is forced, once all ranges are done.
    """
    keys = layer.read(first // BLOCK, min(-(-(first + most) // BLOCK), layer.blocks))
    scores = np.zeros(len(keys), held.scores.dtype)
    place = first * scores.dtype.itemsize
    if not held.bounds[4]:
        read_into(path, scores.view(np.uint8).data, place)
    engines.back_up(keys, scores, held.keys, held.scores, held.directory, held.bounds, limits)
    write_at(descriptor, scores.view(np.uint8).data, place)
    if not held.bounds[5]:
        return 0
    top = int(held.bounds[0])
    plies = np.abs(scores)
    return top - int(plies.min(initial=top, where=plies > 0))


# How much is done at once, so that a job stays within its memory: arrays of keys take 8 bytes a key.

MOST_CHILDREN = 1 << 24
"""Children that are sorted at once: more make fewer runs, fewer stay nearer to the caches."""
MOST_MERGED = 1 << 22
"""Keys of several runs that are merged at once."""
LEAST_PART = 1 << 16
"""Positions that are worth a thread of their own."""
PART = 1 << 18
"""Positions that are scored at once."""
MOST_HELD = (1 << 31) - BLOCK
"""Keys in a range: a directory counts them with 32 bits."""
KEYS_AN_ENTRY = 2
"""Keys of a large range for each entry of its directory; of a small one, one: so that a child is found at
the first look.
"""
KEY, ENTRY = 8, 4
"""Bytes of a key in memory, of an entry of a directory."""
SLACK = 0.8
"""What is planned with; the rest is for buffers, and what the allocator holds back."""

LEAST_ROOM = 16 << 20
"""Bytes beside the program itself with which layers on disk get on: with less, runs are so short that nearly
all the time goes into merging them.
"""


class Sizes(NamedTuple):
    """Positions or keys at once: what a thread expands, a thread merges, all threads look children up
    in, up to how many of these have an entry each, what a thread scores.
    """

    expanded: int
    merged: int
    held: int
    small: int
    scored: int


def sizes(job: Job, most_moves: int, score_bytes: int = 1) -> Sizes:
    """Return what fits into the memory of a job. Raises LimitReached where next to nothing does."""
    room = int(SLACK * max(job.memory - resident(), job.memory // 4))
    # parents and children of each thread
    expanded = min(MOST_CHILDREN // most_moves, room // (job.jobs * KEY * (most_moves + 2)))
    # each thread has its parts and what they are joined to; as many results again and one wait in a row
    merged = min(MOST_MERGED, room // (KEY * (4 * job.jobs + 3)))
    scored = min(PART, room // (4 * job.jobs * (2 * KEY + score_bytes)))
    left = room - job.jobs * scored * (2 * KEY + score_bytes)
    # a directory may have twice as many entries as are asked for
    held = min(left // (KEY + score_bytes + 2 * ENTRY // KEYS_AN_ENTRY), MOST_HELD)
    small = min(left // (KEY + score_bytes + 2 * ENTRY), MOST_HELD)
    found = Sizes(*(size // BLOCK * BLOCK for size in (expanded, merged, held, small, scored)))
    if min(found) == 0:
        raise LimitReached(
            message(
                "{budget} of memory is too little to work with layers on disk; a larger --memory or fewer"
                " --jobs",
                budget=gib(job.memory),
            )
        )
    return found


def require_room(job: Job) -> None:
    """Raises LimitReached where the program itself leaves next to nothing of the memory of a job. To be asked
    once, with all engines there: later, what the allocator holds back looks like the program's.
    """
    own = resident()
    if job.memory < own + LEAST_ROOM:
        raise LimitReached(
            message(
                "{budget} of memory is too little to work with layers on disk, of which damier itself takes"
                " {own}; --memory {least} is the least",
                budget=gib(job.memory),
                own=gib(own),
                least=f"{(own + 2 * LEAST_ROOM) / (1 << 30):.2f}",
            ),
        )
