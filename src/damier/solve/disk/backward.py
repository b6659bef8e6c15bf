"""Backwards: each position takes the best of the scores that the next layer holds.

As much of the next layer as memory holds is unpacked, and the whole layer goes over it once; where it
does not fit, once for every range of its keys. In between the best so far stands in the file of the
scores.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from damier.core.arrays import IntArray, SmallIntArray
from damier.core.cores import in_order
from damier.core.files import unwritten
from damier.core.job import Job
from damier.core.score_table import dtype_for
from damier.core.words import _
from damier.solve.depth_first import check
from damier.solve.disk.engines import DiskEngines
from damier.solve.disk.folder import ScoresFacts, WorkingFolder
from damier.solve.disk.keys_file import KeysReader, read_into
from damier.solve.disk.sizes import KEYS_AN_ENTRY, LEAST_PART, Sizes
from damier.solve.layers import directory_for
from damier.solve.packing import BLOCK


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
