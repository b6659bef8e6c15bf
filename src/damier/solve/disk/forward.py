"""Forwards: each layer is expanded part by part, each part sorted and freed of doubles, and the runs
that come of it merged to the next layer, range by range.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest

from damier.core.arrays import IntArray
from damier.core.compile import instantiate
from damier.core.cores import in_order
from damier.core.game import Game
from damier.core.job import Job
from damier.core.words import _
from damier.solve.disk.engines import DiskEngines
from damier.solve.disk.folder import RunFacts, WorkingFolder
from damier.solve.disk.keys_file import KeysFacts, KeysReader, KeysWriter
from damier.solve.disk.sizes import LEAST_PART, Sizes
from damier.solve.packing import BLOCK
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
