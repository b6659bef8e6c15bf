"""Endgame tables built: stage after stage, the slices of a stage side by side."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from damier.core.agreement import require_agreement
from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.endgames import Slice, endgames_of
from damier.core.errors import BadInput, Interrupted, LimitReached, Uncompilable
from damier.core.game import Game
from damier.core.job import Job, gib, uninterrupted
from damier.core.words import _, message
from damier.solve.endgame.slice import BYTES_A_PLACE, MOST_PLACES, Engines, SolvedSlice, engines, solve_slice
from damier.solve.endgame.store import Layout, Writer, writing

LOOK: Final = 0.1
"""Seconds between two looks at slices that are at work."""
FEW: Final = 20_000
"""Places in all that plain Python solves sooner than code is compiled."""
NEEDS: Final = (TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE, ZERO_SUM)


class _Stopped(Exception):
    """A slice was told to end."""


@dataclass
class _Watch:
    """How far the slices at work are, and whether they are to end."""

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
