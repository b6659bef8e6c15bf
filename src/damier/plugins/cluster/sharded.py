"""Counting and solving by layers whose positions are shared among the shards of a cluster.

    forwards    expand: every shard    merge: every shard     until a layer is empty
    backwards   answers: every shard   back_up: every shard   until the first layer

A step is done when all shards have done it. Where a machine is lost meanwhile, its shards begin again
elsewhere with what is on their shelves, and the step is done again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar, cast

from damier.core.arrays import np
from damier.core.compile import instantiate
from damier.core.errors import BadInput, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.core.rules import State
from damier.core.solution import KeyTable, Solution, dtype_for
from damier.core.words import _, decimal, language, message
from damier.lab.games import is_file
from damier.lab.solving import SolvedPosition, limited_to
from damier.plugins.cluster.connection import Cluster, connect
from damier.plugins.cluster.shard_actors import CheckpointFolder, Lost, RunRecord, ShardActors, ShardOpening
from damier.plugins.cluster.sharding import LayerPart, Packer, ScoredPart
from damier.solve.count import Counts
from damier.solve.reach import SYMMETRIC, code, sorts
from damier.solve.units import in_units

T = TypeVar("T")
LOSSES: Final = 5
"""How often a step may lose a machine: more is no accident."""


@dataclass
class Exchange:
    """Bytes that went from a shard to another one, forwards and backwards."""

    forwards: int = 0
    backwards: int = 0


class ShardedRun:
    """A game, from `start` on, shared among as many shards as the cluster has cores, or as the run has
    that was begun in `checkpoints`. Raises Unsuitable for a game without sorted layers.
    """

    def __init__(
        self,
        game: Game,
        text: str,
        start: State,
        job: Job,
        cluster: Cluster,
        checkpoints: str = "",
        *,
        symmetric: bool = False,
        solving: bool = True,
    ) -> None:
        refuse_unsorted(game)
        self.game, self.start, self.job, self.cluster = game, start, job, cluster
        self.exchange, self.by_ply = Exchange(), list[int]()
        self._solving = solving
        self._key = instantiate(code, game, jit=False, bind=SYMMETRIC if symmetric else {})(start)
        facts: JsonObject = {
            "game": game.text,
            "rules": game.fingerprint(),
            "start": list(start),
            "symmetric": symmetric,
            "solving": solving,
        }
        folder = CheckpointFolder(checkpoints) if checkpoints else None
        self._record = RunRecord(folder, facts, max(1, cluster.cores))
        shards = self._record.shards
        each = job.memory * 3 // 4 // -(-shards // max(1, cluster.nodes))
        self._actors = ShardActors(
            [
                ShardOpening(
                    elsewhere(text),
                    game.fingerprint(),
                    number,
                    shards,
                    each,
                    checkpoints,
                    symmetric,
                    solving,
                    language(),
                )
                for number in range(shards)
            ]
        )
        self._safely(self._actors.open)

    def count(self) -> Counts:
        """Raises LimitReached where the memory of the shards does not suffice."""
        counts, layers = Counts(), self._forwards()
        self.by_ply = [part.positions for part in layers]
        for part in layers:
            counts.by_ply.append(part.positions)
            counts.losses += part.ends[0]
            counts.draws += part.ends[1]
            counts.wins += part.ends[2]
        counts.states, counts.terminals = sum(counts.by_ply), counts.losses + counts.draws + counts.wins
        self._tell_exchange()
        return counts

    def solve(self, *, whole: bool) -> Solution:
        """The values of all positions, if the `whole` is asked for, and else of the first and those that
        its moves lead to. Raises what `count` raises, and what the check of ends does.
        """
        begun = time.perf_counter()
        self.by_ply = [part.positions for part in self._forwards()]
        dtype = dtype_for(len(self.by_ply))
        for layer in reversed(range(len(self.by_ply))):
            self._backwards(layer, dtype)
        table = self._table(len(self.by_ply) if whole else min(2, len(self.by_ply)))
        self._tell_exchange()
        return Solution(self.game, self.start, table, "layers", False, time.perf_counter() - begun)

    def _forwards(self) -> list[LayerPart]:
        """All layers that have positions."""
        first = self._step("forward-00000", lambda: self._begin())
        layers = [_layer(first)]
        while layers[-1].positions:
            number = len(layers)
            found = self._step(f"forward-{number:05}", lambda: self._expanded(number, layers))
            self.exchange.forwards += cast("int", found["sent"])
            layers.append(_layer(found))
        return layers[:-1]

    def _begin(self) -> JsonObject:
        shards = len(self._actors)
        asked = self._actors.ask(lambda shard: shard.begin, [(self._key,)] * shards)
        return _found(self._actors.answers(asked, LayerPart), 0)

    def _expanded(self, number: int, layers: list[LayerPart]) -> JsonObject:
        """Layer `number`, from the one before."""
        known, shards = sum(layer.positions for layer in layers), len(self._actors)
        tell = self._teller(known, 0)
        dealt = self._actors.ask_for_parts(lambda shard: shard.expand, [(number - 1,)] * shards, 1 + shards)
        sent = sum(self._actors.answers([sender[0] for sender in dealt], int, tell))
        batches: list[tuple[object, ...]] = [
            (number, *(sender[1 + shard] for sender in dealt)) for shard in range(shards)
        ]
        merged = self._actors.ask(lambda shard: shard.merge, batches)
        return _found(self._actors.answers(merged, LayerPart, tell), sent)

    def _backwards(self, layer: int, dtype: str) -> None:
        def scored() -> JsonObject:
            shards = len(self._actors)
            total, after = sum(self.by_ply), sum(self.by_ply[layer + 1 :])
            tell = self._teller(after, self.by_ply[layer], total)
            sent = 0
            given: list[tuple[object, ...]] = [(layer, dtype)] * shards
            if layer + 1 < len(self.by_ply):
                told = self._actors.ask_for_parts(
                    lambda shard: shard.answers, [(layer + 1,)] * shards, 1 + shards
                )
                sent = sum(self._actors.answers([sender[0] for sender in told], int))
                given = [(layer, dtype, *(sender[1 + shard] for sender in told)) for shard in range(shards)]
            self._actors.answers(self._actors.ask(lambda shard: shard.back_up, given), int, tell)
            return {"sent": sent}

        found = self._step(f"backward-{layer:05}", scored)
        self.exchange.backwards += cast("int", found["sent"])

    def _table(self, layers: int) -> KeyTable[int]:
        """The first layers, of all shards, in order."""
        packer, keys, scores = Packer(self.game), [], []
        for layer in range(layers):
            parts = self._safely(lambda: self._scored(layer))
            of_layer = np.concatenate([packer.unpack(part.keys) for part in parts])
            order = np.argsort(of_layer)
            keys.append(of_layer[order])
            scores.append(np.concatenate([part.scores for part in parts])[order])
        offsets = np.cumsum([0, *(len(part) for part in keys)])
        return KeyTable(
            self.game,
            np.concatenate(keys),
            np.concatenate(scores),
            tuple(int(offset) for offset in offsets),
            self.game.ply(self.start),
        )

    def _scored(self, layer: int) -> list[ScoredPart]:
        """A layer, shard by shard."""
        asked = self._actors.ask(lambda shard: shard.table, [(layer,)] * len(self._actors))
        return self._actors.answers(asked, ScoredPart)

    def _step(self, name: str, work: Callable[[], JsonObject]) -> JsonObject:
        """Return what a step finds; done before, it is not done again."""
        found = self._record.done(name)
        if found is None:
            found = self._safely(work)
            self._record.finish(name, found)
        return found

    def _safely(self, work: Callable[[], T]) -> T:
        """Does some work again where a machine was lost meanwhile."""
        for _time in range(LOSSES):
            try:
                return work()
            except Lost:
                self._replace_lost()
        raise LimitReached(message("the cluster has lost a machine {n} times in one layer", n=LOSSES))

    def _replace_lost(self) -> None:
        for _time in range(LOSSES):
            try:
                lost = self._actors.replace_lost()
                self.job.note(_("a machine of the cluster was lost; shards begun again: {n}", n=lost))
                return
            except Lost:
                continue

    def _teller(self, done: int, more: int, total: int | None = None) -> Callable[[int], None]:
        """Tells of positions, as shards finish their parts of the next ones."""
        shards = len(self._actors)
        what = (
            _("positions, {n} shards", n=shards)
            if total is None
            else _("positions scored, {n} shards", n=shards)
        )
        return lambda finished: self.job.progress(done + more * finished // shards, total, what)

    def _tell_exchange(self) -> None:
        positions = sum(self.by_ply)
        if positions:
            self.job.note(
                _(
                    "shards: {shards}, machines: {nodes}; bytes a position sent: {forwards} forwards,"
                    " {backwards} backwards",
                    shards=len(self._actors),
                    nodes=self.cluster.nodes,
                    forwards=decimal(self.exchange.forwards / positions, ".2f"),
                    backwards=decimal(self.exchange.backwards / positions, ".2f"),
                )
            )


def refuse_unsorted(game: Game) -> None:
    """Raises Unsuitable for a game whose positions are not found as sorted layers, or have payoffs."""
    if not sorts(game) or in_units(game):
        raise Unsuitable(
            message(
                "--cluster shares layers of positions: it needs a ply that every move advances, keys of one"
                " word, and wins, draws and losses; {game} has not all of these",
                game=game.text,
            )
        )


def elsewhere(text: str) -> str:
    """Return how a game is written for a process in another folder: a user's file by its whole path."""
    if not is_file(text):
        return text
    path, suffix, rest = text.partition(".py")
    return f"{Path(path + suffix).resolve()}{rest}"


def _found(parts: list[LayerPart], sent: int) -> JsonObject:
    """Return what a step forwards has found, of all shards."""
    ends = [sum(part.ends[which] for part in parts) for which in range(3)]
    return {"positions": sum(part.positions for part in parts), "ends": list(ends), "sent": sent}


def _layer(found: JsonObject) -> LayerPart:
    lost, drawn, won = cast("list[int]", found["ends"])
    return LayerPart(cast("int", found["positions"]), (lost, drawn, won))


# What commands ask of a cluster: to solve, and to count.


def solved(
    game: Game,
    text: str,
    s: State,
    job: Job,
    address: str,
    checkpoints: str = "",
    *,
    whole: bool = False,
    seconds: float | None = None,
) -> SolvedPosition:
    """The value of `s` and of its moves, or of everything that can follow it, if the `whole` is asked
    for, by all machines of a cluster; `text` is how the game was written.

    Raises BadInput where the cluster cannot be joined, Unsuitable for a game without sorted layers,
    LimitReached where the memory of its shards, or the `seconds`, do not suffice.
    """
    if seconds is not None:
        job = replace(job, progress=limited_to(time.perf_counter() + seconds, job.progress))
    _refuse(game, job)
    with connect(address, cores=job.jobs, memory=job.memory) as cluster:
        run = ShardedRun(game, text, s, job, cluster, checkpoints)
        solution = run.solve(whole=whole)
    return SolvedPosition(solution, sum(run.by_ply), searched=False)


def counted(
    game: Game, text: str, job: Job, address: str, checkpoints: str = "", *, symmetric: bool = False
) -> Counts:
    """`damier.solve.count.count` by all machines of a cluster; it raises the same."""
    _refuse(game, job)
    with connect(address, cores=job.jobs, memory=job.memory) as cluster:
        run = ShardedRun(
            game, text, game.start, job, cluster, checkpoints, symmetric=symmetric, solving=False
        )
        return run.count()


def _refuse(game: Game, job: Job) -> None:
    """Raises what can be refused before a cluster is started."""
    if job.jit is False:
        raise BadInput(message("--cluster runs compiled only; leave out --pure"))
    refuse_unsorted(game)
