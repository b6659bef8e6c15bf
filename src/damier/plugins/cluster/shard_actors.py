"""The shards of a run as actors: asked together, and replaced where a machine is lost."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar, cast

from damier.core.arrays import SmallIntArray, np
from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.job import Job
from damier.core.json_data import to_json, whole_number
from damier.core.json_types import JsonObject
from damier.core.solution import SCORES
from damier.core.words import message, speak
from damier.lab.games import load
from damier.plugins.cluster.connection import ObjectRef, RemoteMethod
from damier.plugins.cluster.sharding import AnyArray, Gaps, LayerPart, MemoryShelf, ScoredPart, Shard

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


class FolderShelf:
    """The shelf of one shard in such a folder."""

    memory = 0

    def __init__(self, folder: CheckpointFolder, shard: int) -> None:
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

LOOK = 0.1
"""Seconds between two looks for an answer: as long as a Ctrl-C waits."""


class Lost(Exception):
    """A machine is gone, and with it what only its memory held."""


class ShardHandle(Protocol):
    """A `ShardActor`, wherever it is."""

    open: RemoteMethod
    begin: RemoteMethod
    expand: RemoteMethod
    merge: RemoteMethod
    answers: RemoteMethod
    back_up: RemoteMethod
    table: RemoteMethod
    ready: RemoteMethod


class ShardActors:
    """One actor a shard, spread over the machines by their cores; they ask for no core of their own, so
    that what is left of a cluster can take over what is lost.
    """

    def __init__(self, openings: Sequence[ShardOpening]) -> None:
        self._openings = openings
        self._actors = [self._hired(number) for number in range(len(openings))]
        self._hold_layers = False  # before, what is lost with a machine is nothing

    def _hired(self, number: int) -> ShardHandle:
        """A new actor for a shard, on its turn of the machines that there are."""
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

        alive = sorted((node["NodeID"], node["Resources"]) for node in ray.nodes() if node["Alive"])
        seats = [node for node, has in alive for _core in range(max(1, int(has.get("CPU", 0))))]
        where = On(seats[number % len(seats)], soft=True)
        made = ray.remote(num_cpus=0, max_restarts=0, scheduling_strategy=where)(ShardActor).remote()
        return cast("ShardHandle", made)

    def __len__(self) -> int:
        return len(self._openings)

    def open(self) -> None:
        self.answers(self.ask(lambda shard: shard.open, [(opening,) for opening in self._openings]), object)
        self._hold_layers = True

    def ask(
        self, method: Callable[[ShardHandle], RemoteMethod], arguments: Sequence[tuple[object, ...]]
    ) -> list[ObjectRef]:
        """Asks every shard for something, each with its own arguments; the answers are not waited for."""
        pairs = zip(self._actors, arguments, strict=True)
        return [method(actor).remote(*given) for actor, given in pairs]

    def ask_for_parts(
        self,
        method: Callable[[ShardHandle], RemoteMethod],
        arguments: Sequence[tuple[object, ...]],
        parts: int,
    ) -> list[list[ObjectRef]]:
        """Ask all shards for answers that come in so many parts, two or more."""
        pairs = zip(self._actors, arguments, strict=True)
        return [method(actor).options(num_returns=parts).remote(*given) for actor, given in pairs]

    def answers(
        self, asked: Sequence[ObjectRef], kind: type[T], tell: Callable[[int], None] = lambda done: None
    ) -> list[T]:
        """Return what all shards answer, each of this kind; `tell` is called with how many have.

        Raises Lost where a machine is gone, and whatever damier raised in a shard.
        """
        import ray

        left = list(asked)
        while left:
            ready, left = ray.wait(left, num_returns=len(left), timeout=LOOK, fetch_local=False)
            for ref in ready:
                _value(ref)
            tell(len(asked) - len(left))
        values = [_value(ref) for ref in asked]
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
                self.answers([actor.ready.remote()], bool)
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


class ShardActor:
    """Does what it is asked, one thing after the other. Layers it has from before are on its shelf."""

    _shard: Shard

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
        self._shard = Shard(
            game,
            opening.number,
            opening.shards,
            FolderShelf(folder, opening.number) if folder else MemoryShelf(),
            Job(memory=opening.memory, jit=True),
            symmetric=opening.symmetric,
            solving=opening.solving,
        )

    def begin(self, key: int) -> LayerPart:
        return self._shard.begin(key)

    def expand(self, layer: int) -> list[object]:
        """The bytes that go to other shards, and then a batch for each shard."""
        expanded = self._shard.expand(layer)
        return [expanded.sent, *expanded.batches]

    def merge(self, layer: int, *batches: Gaps) -> LayerPart:
        return self._shard.merge(layer, list(batches))

    def answers(self, layer: int) -> list[object]:
        """The bytes that go to other shards, and then the scores for each shard."""
        told = self._shard.answers(layer)
        sent = sum(part.nbytes for shard, part in enumerate(told) if shard != self._shard.number)
        return [sent, *told]

    def back_up(self, layer: int, dtype: str, *answers: SmallIntArray) -> int:
        return self._shard.back_up(layer, list(answers), dtype)

    def table(self, layer: int) -> ScoredPart:
        return self._shard.table(layer)

    def ready(self) -> bool:
        return True
