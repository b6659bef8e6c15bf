"""A shard in a process of its own, on whatever machine Ray gives it."""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import SmallIntArray
from damier.core.errors import BadInput
from damier.core.job import Job
from damier.core.words import message, speak
from damier.lab.cluster.checkpoints import CheckpointFolder, FolderShelf
from damier.lab.games import load
from damier.solve.sharding.gaps import Gaps
from damier.solve.sharding.shard import LayerPart, ScoredPart, Shard
from damier.solve.sharding.shelf import MemoryShelf


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
