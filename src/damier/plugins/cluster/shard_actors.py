"""The shards of a run as actors: asked together, and replaced where a machine is lost; and what is counted
and solved with them.
"""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias, TypeVar, cast

from damier.core.arrays import np
from damier.core.compile import instantiate
from damier.core.errors import BadInput, DamierError, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import to_json, whole_number
from damier.core.json_types import JsonObject
from damier.core.rules import State
from damier.core.solution import SCORES, KeyTable, Solution, dtype_for
from damier.core.words import _, decimal, language, message, speak
from damier.lab.games import is_file, load
from damier.lab.solving import SolvedPosition, limited_to
from damier.plugins.cluster.connection import LOOK, Cluster, ObjectRef, connect, remote
from damier.plugins.cluster.sharding import AnyArray, LayerPart, Packer, ScoredPart, Shard, Shelf
from damier.solve.count import Counts
from damier.solve.reach import SYMMETRIC, code, in_units, sorts

# Layers kept in a folder that all machines reach: a path, or an address of object storage as fsspec
# knows it (s3://…, gs://…). What is done stays done when a machine, or the whole run, is lost.
#
#    run.json                    what is being done, among how many shards
#    SHARD/NAME                  an array: the 12 bytes of its type, its CRC-32, its bytes
#    done/STEP.json              a step that all shards have finished, and what they found
#
# A step is written as done when its arrays are; what was half written is written again.

FORMAT: Final = "damier-shards/1"
TYPE_BYTES, CHECK_BYTES = 12, 4  # 16: what follows stays aligned
MOST_SHARDS = 1 << 16
TYPES: Final = ("|u1", *SCORES)
"""What is kept: keys and places as bytes, and scores."""


class CheckpointFolder:
    """A folder by its address. Raises BadInput where it cannot be written."""

    def __init__(self, url: str) -> None:
        import fsspec

        self.url = url
        try:
            self._files, self._root = fsspec.core.url_to_fs(url)
        except (ImportError, ValueError, OSError) as error:
            raise BadInput(message("--checkpoints {url}: {error}", url=url, error=error)) from error

    def write(self, name: str, data: bytes) -> None:
        place = f"{self._root}/{name}"
        try:
            self._files.makedirs(place.rpartition("/")[0], exist_ok=True)
            self._files.pipe_file(place, data)
        except OSError as error:
            raise BadInput(message("--checkpoints {url}: {error}", url=self.url, error=error)) from error

    def read(self, name: str) -> bytes | None:
        """None where there is none of this name."""
        try:
            return cast("bytes", self._files.cat_file(f"{self._root}/{name}"))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise BadInput(message("--checkpoints {url}: {error}", url=self.url, error=error)) from error

    def drop(self, name: str) -> None:
        if self._files.exists(f"{self._root}/{name}"):
            self._files.rm_file(f"{self._root}/{name}")


class FolderShelf(Shelf):
    """The shelf of one shard in such a folder."""

    def __init__(self, folder: CheckpointFolder, shard: int) -> None:
        super().__init__()
        self._folder, self._shard = folder, f"{shard:05}"

    def put(self, name: str, array: AnyArray) -> None:
        data = array.tobytes()
        head = array.dtype.str.encode().ljust(TYPE_BYTES) + zlib.crc32(data).to_bytes(CHECK_BYTES, "little")
        self._folder.write(f"{self._shard}/{name}", head + data)

    def get(self, name: str) -> AnyArray | None:
        held = self._folder.read(f"{self._shard}/{name}")
        begin = TYPE_BYTES + CHECK_BYTES
        if held is None or len(held) < begin:
            return None
        if zlib.crc32(memoryview(held)[begin:]) != int.from_bytes(held[TYPE_BYTES:begin], "little"):
            return None
        dtype = held[:TYPE_BYTES].rstrip().decode("ascii", "replace")
        if dtype not in TYPES or (len(held) - begin) % np.dtype(dtype).itemsize:
            return None
        return cast("AnyArray", np.frombuffer(held, dtype, offset=begin))

    def drop(self, name: str) -> None:
        self._folder.drop(f"{self._shard}/{name}")


class RunRecord:
    """The steps of a run that are done; in memory alone where there is no folder."""

    def __init__(self, folder: CheckpointFolder | None, facts: JsonObject, shards: int) -> None:
        self._folder = folder
        self._done: dict[str, JsonObject] = {}
        self.shards = shards
        if folder is not None:
            self._begin(folder, {"format": FORMAT, **facts})

    def _begin(self, folder: CheckpointFolder, facts: JsonObject) -> None:
        """Takes over the shards of a run that was begun there. Raises BadInput where it is another."""
        held, whole = folder.read("run.json"), to_json({**facts, "shards": self.shards}).encode()
        if held is None or whole.startswith(held):  # or written half
            folder.write("run.json", whole)
            return
        found = _parsed(held)
        shards = whole_number(found.get("shards"))
        same = {**found, "shards": 0} == {**json.loads(to_json(facts)), "shards": 0}
        if not same or shards is None or not 0 < shards <= MOST_SHARDS:
            raise BadInput(
                message(
                    "--checkpoints {url} holds another run ({game}); give an empty folder",
                    url=folder.url,
                    game=found.get("game"),
                )
            )
        self.shards = shards

    def done(self, step: str) -> JsonObject | None:
        """Return what was found by a step that is done."""
        if step not in self._done and self._folder is not None:
            held = self._folder.read(f"done/{step}.json")
            if held is not None and (found := _parsed(held)):
                self._done[step] = found
        return self._done.get(step)

    def finish(self, step: str, found: JsonObject) -> None:
        self._done[step] = found
        if self._folder is not None:
            self._folder.write(f"done/{step}.json", to_json(found).encode())


def _parsed(data: bytes) -> JsonObject:
    """An object of a file; empty where it was written half."""
    try:
        found = json.loads(data)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


T = TypeVar("T")


class Lost(Exception):
    """A machine is gone, and with it what only its memory held."""


Method: TypeAlias = Callable[..., object]
"""A method of a shard."""


class ShardActors:
    """One actor a shard, spread over the machines by their cores; they ask for no core of their own, so
    that what is left of a cluster can take over what is lost.
    """

    def __init__(self, openings: Sequence[ShardOpening]) -> None:
        self._openings = openings
        self._actors = [self._hired(number) for number in range(len(openings))]
        self._hold_layers = False  # before, what is lost with a machine is nothing

    def _hired(self, number: int) -> object:
        """A new actor for a shard, on its turn of the machines that there are."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

        alive = sorted((node["NodeID"], node["Resources"]) for node in ray.nodes() if node["Alive"])
        seats = [node for node, has in alive for _core in range(max(1, int(has.get("CPU", 0))))]
        where = On(seats[number % len(seats)], soft=True)
        made: object = ray.remote(num_cpus=0, max_restarts=0, scheduling_strategy=where)(ShardActor).remote()
        return made

    def __len__(self) -> int:
        return len(self._openings)

    def open(self) -> None:
        self.ask(ShardActor.open, [(opening,) for opening in self._openings], object)
        self._hold_layers = True

    def ask(
        self,
        method: Method,
        arguments: Sequence[tuple[object, ...]],
        kind: type[T],
        tell: Callable[[int], None] = lambda done: None,
    ) -> list[T]:
        """Ask every shard for something, each with its own arguments; what all `answers` are."""
        pairs = zip(self._actors, arguments, strict=True)
        return self.answers([remote(method, actor).remote(*given) for actor, given in pairs], kind, tell)

    def ask_for_parts(
        self,
        method: Method,
        arguments: Sequence[tuple[object, ...]],
        parts: int,
    ) -> list[list[ObjectRef]]:
        """Ask all shards for answers that come in so many parts, two or more."""
        pairs = zip(self._actors, arguments, strict=True)
        return [remote(method, actor).options(num_returns=parts).remote(*given) for actor, given in pairs]

    def answers(
        self, references: Sequence[ObjectRef], kind: type[T], tell: Callable[[int], None] = lambda done: None
    ) -> list[T]:
        """Return what all shards answer, each of this kind; `tell` is called with how many have.

        Raises Lost where a machine is gone, and whatever damier raised in a shard.
        """
        import ray

        left = list(references)
        while left:
            ready, left = ray.wait(left, num_returns=len(left), timeout=LOOK, fetch_local=False)
            for ref in ready:
                _value(ref)
            tell(len(references) - len(left))
        values = [_value(ref) for ref in references]
        assert all(isinstance(value, kind) for value in values)
        return cast("list[T]", values)

    def replace_lost(self) -> int:
        """Opens a new actor for every shard whose own does not answer any more; returns how many.

        Raises LimitReached where nothing was kept for it.
        """
        import ray

        if self._hold_layers and not self._openings[0].checkpoints:
            raise LimitReached(
                message(
                    "a machine of the cluster was lost, and what it held; with --checkpoints only its layer"
                    " is done again"
                )
            )
        lost = 0
        for number, actor in enumerate(self._actors):
            try:
                self.answers([remote(ShardActor.ready, actor).remote()], bool)
            except Lost:
                ray.kill(actor)
                self._actors[number] = self._hired(number)
                lost += 1
        self.open()
        return lost


def _value(ref: ObjectRef) -> object:
    """Raises Lost, or what was raised in the shard."""
    import ray
    from ray.exceptions import ObjectLostError, RayActorError, RayTaskError, WorkerCrashedError

    try:
        return cast("object", ray.get(ref))
    except (ObjectLostError, RayActorError, WorkerCrashedError) as error:
        raise Lost from error
    except RayTaskError as error:
        if isinstance(error.cause, DamierError):
            raise error.cause from error
        if isinstance(error.cause, (ObjectLostError, RayActorError, WorkerCrashedError)):
            raise Lost from error
        raise


# A shard in a process of its own, on whatever machine Ray gives it.


class ShardOpening(NamedTuple):
    """The first message to a shard. memory: bytes for it; checkpoints: an address, or nothing; language:
    that of what it says.
    """

    game: str
    rules: str
    number: int
    shards: int
    memory: int
    checkpoints: str
    symmetric: bool
    solving: bool
    language: str


class ShardActor(Shard):
    """A shard that is told which one it is, and then does what it is asked, one thing after the other. Layers
    it has from before are on its shelf.
    """

    def __init__(self) -> None:
        """Knows nothing before it is opened."""

    def open(self, opening: ShardOpening) -> None:
        """Raises what `load` raises, and BadInput where the game has other rules on this machine."""
        speak(opening.language)
        game = load(opening.game)
        if game.fingerprint() != opening.rules:
            raise BadInput(
                message(
                    "{game} has other rules on a machine of the cluster; the same version of damier, and of"
                    " the game's file, must be on all of them",
                    game=opening.game,
                )
            )
        folder = CheckpointFolder(opening.checkpoints) if opening.checkpoints else None
        super().__init__(
            game,
            opening.number,
            opening.shards,
            FolderShelf(folder, opening.number) if folder else Shelf(),
            Job(memory=opening.memory, jit=True),
            symmetric=opening.symmetric,
            solving=opening.solving,
        )

    def ready(self) -> bool:
        return True


# Counting and solving by layers whose positions are shared among the shards of a cluster.
#
#     forwards    expand: every shard    merge: every shard     until a layer is empty
#     backwards   answers: every shard   back_up: every shard   until the first layer
#
# A step is done when all shards have done it. Where a machine is lost meanwhile, its shards begin again
# elsewhere with what is on their shelves, and the step is done again.

R = TypeVar("R")
LOSSES: Final = 5
"""How often a step may lose a machine: more is no accident."""


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
        self._sent_forwards = self._sent_backwards = 0  # bytes that went from a shard to another one
        self.by_ply = list[int]()
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
        keys = [(self._key,)] * len(self._actors)
        first = self._step(
            "forward-00000",
            lambda: _found(self._actors.ask(Shard.begin, keys, LayerPart), 0),
        )
        layers = [_layer(first)]
        while layers[-1].positions:
            number = len(layers)
            found = self._step(f"forward-{number:05}", lambda: self._expanded(number, layers))
            self._sent_forwards += cast("int", found["sent"])
            layers.append(_layer(found))
        return layers[:-1]

    def _expanded(self, number: int, layers: list[LayerPart]) -> JsonObject:
        """Layer `number`, from the one before."""
        known, shards = sum(layer.positions for layer in layers), len(self._actors)
        tell = self._teller(known, 0)
        dealt = self._actors.ask_for_parts(Shard.expand, [(number - 1,)] * shards, 1 + shards)
        sent = sum(self._actors.answers([sender[0] for sender in dealt], int, tell))
        batches: list[tuple[object, ...]] = [
            (number, *(sender[1 + shard] for sender in dealt)) for shard in range(shards)
        ]
        return _found(self._actors.ask(Shard.merge, batches, LayerPart, tell), sent)

    def _backwards(self, layer: int, dtype: str) -> None:
        def scored() -> JsonObject:
            shards = len(self._actors)
            total, after = sum(self.by_ply), sum(self.by_ply[layer + 1 :])
            tell = self._teller(after, self.by_ply[layer], total)
            sent = 0
            given: list[tuple[object, ...]] = [(layer, dtype)] * shards
            if layer + 1 < len(self.by_ply):
                answers = self._actors.ask_for_parts(Shard.answers, [(layer + 1,)] * shards, 1 + shards)
                sent = sum(self._actors.answers([sender[0] for sender in answers], int))
                given = [
                    (layer, dtype, *(sender[1 + shard] for sender in answers)) for shard in range(shards)
                ]
            self._actors.ask(Shard.back_up, given, int, tell)
            return {"sent": sent}

        found = self._step(f"backward-{layer:05}", scored)
        self._sent_backwards += cast("int", found["sent"])

    def _table(self, layers: int) -> KeyTable[int]:
        """The first layers, of all shards, in order."""
        packer, keys, scores = Packer(self.game), [], []
        for layer in range(layers):
            questions = [(layer,)] * len(self._actors)
            parts = self._safely(lambda: self._actors.ask(Shard.table, questions, ScoredPart))
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

    def _step(self, name: str, work: Callable[[], JsonObject]) -> JsonObject:
        """Return what a step finds; done before, it is not done again."""
        found = self._record.done(name)
        if found is None:
            found = self._safely(work)
            self._record.finish(name, found)
        return found

    def _safely(self, work: Callable[[], R]) -> R:
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
                    forwards=decimal(self._sent_forwards / positions, ".2f"),
                    backwards=decimal(self._sent_backwards / positions, ".2f"),
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
