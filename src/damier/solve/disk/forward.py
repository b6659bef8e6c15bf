"""Forwards: each layer is expanded part by part, each part sorted and freed of doubles, and the runs
that come of it merged to the next layer, range by range.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from damier.core.arrays import IntArray, SmallIntArray
from damier.core.compile import instantiate
from damier.core.cores import in_order
from damier.core.files import unwritten
from damier.core.game import Game
from damier.core.job import Job
from damier.core.solution import dtype_for
from damier.core.words import _
from damier.solve.depth_first import check
from damier.solve.disk.engines import DiskEngines
from damier.solve.disk.folder import (
    KeysFacts,
    KeysReader,
    KeysWriter,
    RunFacts,
    ScoresFacts,
    WorkingFolder,
    read_into,
)
from damier.solve.disk.sizes import KEYS_AN_ENTRY, LEAST_PART, Sizes
from damier.solve.layers import directory_for
from damier.solve.packed_store import BLOCK
from damier.solve.reach import SYMMETRIC, write_code


def start_layer(folder: WorkingFolder, engines: DiskEngines) -> None:
    """The layer of the start, if there is none."""
    import numpy as np

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
    """The same arrays, with signs of life."""
    for keys in arrays:
        yield keys
        known += len(keys)
        job.progress(known, None, _("positions"))


def part_of(keys: int, most: int, jobs: int) -> int:
    """How many positions of a layer of so many a thread takes, in whole blocks."""
    fair = max(-(-keys // jobs), LEAST_PART)
    return min(most, -(-fair // BLOCK) * BLOCK)


def children(layer: KeysReader, first: int, stop: int, engines: DiskEngines, game: Game) -> IntArray:
    """The codes of the children of positions first to stop (`first` begins a block), ascending, each
    once.
    """
    import numpy as np

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
    import numpy as np

    if not runs:
        return []
    samples = np.sort(np.concatenate([run.first_keys for run in runs]))
    # of each run, what is before its first sample in a range is not counted
    step = max(1, most // BLOCK - len(runs))
    cuts = [int(samples[0]), *sorted(set(samples[step::step].tolist()) - {int(samples[0])}), (1 << 63) - 1]
    return list(pairwise(cuts))


def _merge(runs: Sequence[KeysReader], low: int, high: int, engines: DiskEngines) -> IntArray:
    """The keys of a range."""
    import numpy as np

    parts = []
    for run in runs:
        first = max(0, int(np.searchsorted(run.first_keys, low, "right")) - 1)
        stop = int(np.searchsorted(run.first_keys, high, "left"))
        keys = run.read(first, stop)
        part = keys[np.searchsorted(keys, low) : np.searchsorted(keys, high)]
        if len(part):
            parts.append(part)
    while len(parts) > 1:  # all two by two, so that a key is handled as often as their number has bits
        pairs = zip_longest(parts[::2], parts[1::2])
        parts = [one if two is None else _united(one, two, engines) for one, two in pairs]
    return parts[0]


def _united(one: IntArray, two: IntArray, engines: DiskEngines) -> IntArray:
    """The keys of two arrays, ascending, each once."""
    import numpy as np

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
    bounds: IntArray  # as `back_up_within` reads them


def score_layer(
    folder: WorkingFolder, number: int, engines: DiskEngines, job: Job, size: Sizes, done: int
) -> None:
    """Adds the scores of a layer, those of the next one being there; `done`: positions scored before."""
    import numpy as np

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
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise unwritten(path, error) from error
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
    except OSError as error:
        raise unwritten(path, error) from error
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
    import numpy as np

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
    bounds[3] = keys[-1]
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
    import numpy as np

    keys = layer.read(first // BLOCK, min(-(-(first + most) // BLOCK), layer.blocks))
    scores = np.zeros(len(keys), held.scores.dtype)
    place = first * scores.dtype.itemsize
    if not held.bounds[4]:
        read_into(path, scores.view(np.uint8).data, place)
    engines.back_up(keys, scores, held.keys, held.scores, held.directory, held.bounds, limits)
    data = scores.view(np.uint8).data
    while data:
        written = os.pwrite(descriptor, data, place)
        data, place = data[written:], place + written
    if not held.bounds[5]:
        return 0
    top = int(held.bounds[0])
    plies = np.abs(scores)
    return top - int(plies.min(initial=top, where=plies > 0))
