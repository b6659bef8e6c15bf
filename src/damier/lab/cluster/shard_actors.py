"""The shards of a run as actors: asked together, and replaced where a machine is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeVar, cast

from damier.core.arrays import SmallIntArray
from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.job import Job
from damier.core.words import message, speak
from damier.lab.cluster.checkpoints import CheckpointFolder, FolderShelf
from damier.lab.cluster.remote import ObjectRef, RemoteMethod
from damier.lab.games import load
from damier.solve.sharding.gaps import Gaps
from damier.solve.sharding.shard import LayerPart, MemoryShelf, ScoredPart, Shard

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
        """The same where each answer comes in so many parts, two or more."""
        pairs = zip(self._actors, arguments, strict=True)
        return [method(actor).options(num_returns=parts).remote(*given) for actor, given in pairs]

    def answers(
        self, asked: Sequence[ObjectRef], kind: type[T], tell: Callable[[int], None] = lambda done: None
    ) -> list[T]:
        """What all shards answer, each of this kind; `tell` is called with how many have.

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
    """What a shard is told first. memory: bytes for it; checkpoints: an address, or nothing; language:
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
