"""One shard of all layers: the positions whose keys a hash gives to it.

Forwards, a shard expands its part of a layer, drops doubles and deals the children to their shards;
each shard unites what it is sent to its part of the next layer, and keeps for every sender the places
at which the children stand that it sent. Backwards, it answers each sender with the scores at these
places and nothing else: one byte a child, in an order that both know. No key goes over the wire twice.

Every step gives the same whenever it is done, and is kept on a shelf: a shard that is lost begins again
elsewhere, from the last layer that all had finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from damier.core.arrays import IntArray, SmallIntArray, np
from damier.core.bits import mix64
from damier.core.compile import instantiate
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.job import Job
from damier.core.words import message
from damier.solve.count import tally
from damier.solve.depth_first import check
from damier.solve.layers import CHUNK, back_up, directory_for, fill_directory, one_range
from damier.solve.packed_store import ByteArray, bytes_of_number, number_at, put_number
from damier.solve.reach import children_of, unite

if TYPE_CHECKING:
    from numpy.typing import NDArray

SENT, KEPT, SCORES, PLACES = "children", "keys", "scores", "places"


class LayerPart(NamedTuple):
    """A shard's part of a layer: how many positions, and how many of them are ends lost, drawn and won
    by player 0.
    """

    positions: int
    ends: tuple[int, int, int]


class ScoredPart(NamedTuple):
    """A shard's part of a layer, and its scores."""

    keys: Gaps
    scores: SmallIntArray


class Shard:
    """Shard `number` of `shards`. `solving`: it keeps what the way back needs."""

    def __init__(
        self,
        game: Game,
        number: int,
        shards: int,
        shelf: Shelf,
        job: Job,
        *,
        symmetric: bool = False,
        solving: bool = True,
    ) -> None:
        self.game, self.number, self.shards = game, number, shards
        self.shelf, self.job = shelf, job
        self.symmetric, self.solving = symmetric, solving
        self._packer = Packer(game)
        self._unite, self._tally = instantiate(unite, game, jit=True), instantiate(tally, game, jit=True)
        self._back_up = instantiate(back_up, game, jit=True)
        self._fill_directory = instantiate(fill_directory, game, jit=True)

    def begin(self, key: int) -> LayerPart:
        """The first layer: one position, of one of the shards."""
        gaps = self._packer.deal(np.array([key], np.int64), self.shards)[self.number]
        return self._keep(0, self._packer.unpack(gaps))

    def expand(self, layer: int) -> tuple[int, *tuple[Gaps, ...]]:
        """The bytes that go to others, and then the children of this shard's part of a layer, for each
        shard.
        """
        held = self.shelf.get(_name(SENT, layer))
        if held is not None:  # the layer is done again
            children = self._packer.unpack(_as_gaps(held))
        else:
            children = children_of(self.game, self._keys(KEPT, layer), self.job, symmetric=self.symmetric)
            if self.solving:
                self._put_keys(SENT, layer, children)
        if not self.solving:
            self.shelf.drop(_name(KEPT, layer - 1))
        self._require(children)
        batches = self._packer.deal(children, self.shards)
        sent = sum(len(batch.packed) for shard, batch in enumerate(batches) if shard != self.number)
        return sent, *batches

    def merge(self, layer: int, *batches: Gaps) -> LayerPart:
        """Keeps this shard's part of a layer: all that the shards sent, in their order."""
        parts = [self._packer.unpack(batch) for batch in batches]
        self._require(*parts, *parts)
        keys = reduce(self._united, sorted(parts, key=len), np.empty(0, np.int64))
        if self.solving:
            for sender, part in enumerate(parts):
                self._put(_name(PLACES, layer, sender), self._packer.places(keys, part))
        return self._keep(layer, keys)

    def answers(self, layer: int) -> tuple[int, *tuple[SmallIntArray, ...]]:
        """The bytes that go to others, and then what each shard is told of the children that it sent: their
        scores, in its order.
        """
        scores = self._scores(layer)
        scores_found = [
            scores[self._packer.unpack(self._got(_name(PLACES, layer, sender)))]
            for sender in range(self.shards)
        ]
        sent = sum(part.nbytes for shard, part in enumerate(scores_found) if shard != self.number)
        return sent, *scores_found

    def back_up(self, layer: int, dtype: str, *answers: SmallIntArray) -> int:
        """Scores this shard's part of a layer from what it is told of its children; returns how many
        positions that are. Raises what `damier.solve.depth_first.check` does.
        """
        keys, children = self._keys(KEPT, layer), self._keys(SENT, layer)
        self._require(keys, children)
        scores, limits, bounds = np.zeros(len(keys), dtype), np.zeros(3, np.int64), one_range(dtype)
        below, below_scores, directory = np.zeros(1, np.int64), np.zeros(1, dtype), np.zeros(2, np.int32)
        if len(children):
            below, below_scores = children, self._packer.collected(children, answers)
            directory = directory_for(below, bounds)
            self._fill_directory(0, len(below), below, directory, bounds)
        for first in range(0, len(keys), CHUNK):
            part = slice(first, first + CHUNK)
            self._back_up(keys[part], scores[part], below, below_scores, directory, bounds, limits)
            check(self.game, limits)
        self.shelf.put(_name(SCORES, layer), scores)
        return len(keys)

    def table(self, layer: int) -> ScoredPart:
        """This shard's part of a layer, and its scores."""
        return ScoredPart(self._got(_name(KEPT, layer)), self._scores(layer))

    def _keep(self, layer: int, keys: IntArray) -> LayerPart:
        self._put_keys(KEPT, layer, keys)
        ends = np.zeros(3, np.int64)
        self._tally(keys, ends)
        lost, drawn, won = (int(n) for n in ends)
        return LayerPart(len(keys), (lost, drawn, won))

    def _united(self, one: IntArray, two: IntArray) -> IntArray:
        both = np.empty(len(one) + len(two), np.int64)
        return both[: self._unite(one, two, both)]

    def _keys(self, what: str, layer: int) -> IntArray:
        return self._packer.unpack(self._got(_name(what, layer)))

    def _put_keys(self, what: str, layer: int, keys: IntArray) -> None:
        self._put(_name(what, layer), self._packer.pack(keys))

    def _put(self, name: str, gaps: Gaps) -> None:
        """Gaps as one array: how many they are, in eight bytes, and then the bytes."""
        self.shelf.put(name, np.concatenate([np.array([gaps.keys], "<i8").view(np.uint8), gaps.packed]))

    def _got(self, name: str) -> Gaps:
        return _as_gaps(self._held(name))

    def _scores(self, layer: int) -> SmallIntArray:
        return cast("SmallIntArray", self._held(_name(SCORES, layer)))

    def _held(self, name: str) -> AnyArray:
        """Raises BadFile where something that a finished step has kept is gone."""
        held = self.shelf.get(name)
        if held is None:
            raise BadFile(
                message(
                    "what shard {n} has kept is damaged or gone ({name}); begin again in an empty folder",
                    n=self.number,
                    name=name,
                )
            )
        return held

    def _require(self, *keys: IntArray) -> None:
        """Raises LimitReached where what is kept and what is being worked on are beyond the memory."""
        self.job.require(self.shelf.memory + sum(array.nbytes for array in keys), [])


def _as_gaps(held: AnyArray) -> Gaps:

    data = cast("ByteArray", held)
    return Gaps(int(data[:8].view(np.dtype("<i8"))[0]), data[8:])


def _name(what: str, layer: int, sender: int | None = None) -> str:
    return f"{what}-{layer:05}" if sender is None else f"{what}-{layer:05}-{sender:05}"


# Where a shard keeps its layers: in memory, or, as `damier.plugins.cluster` gives it, in a folder that
# survives it.

AnyArray: TypeAlias = "NDArray[np.generic]"


class Shelf:
    """Arrays by name, in memory; what is put there twice is the same."""

    def __init__(self) -> None:
        self._arrays: dict[str, AnyArray] = {}

    def put(self, name: str, array: AnyArray) -> None:
        self._arrays[name] = array

    def get(self, name: str) -> AnyArray | None:
        """None where there is none of this name, or what there is was written half."""
        return self._arrays.get(name)

    def drop(self, name: str) -> None:
        self._arrays.pop(name, None)

    @property
    def memory(self) -> int:
        """Bytes of memory that it takes."""
        return sum(array.nbytes for array in self._arrays.values())


# Ascending keys as bytes, dealt to shards: what shards send each other, and keep.
#
# A key belongs to the shard that a hash of it names. Of each shard the keys are written one after the
# other, each as its difference from the one before, the first from 0 (`damier.solve.packed_store`):
# two to three
# bytes instead of eight. Whoever dealt the keys can put together again, in their order, what every shard
# says of each of its own, since a shard keeps the order too: so an answer needs no keys.


class Gaps(NamedTuple):
    """So many ascending keys, as bytes."""

    keys: int
    packed: ByteArray


def shard_of(key: int, shards: int) -> int:
    """The shard that a key belongs to, of so many: fewer than 2**31."""
    return ((mix64(key) >> 30) * shards) >> 32


def measure(keys: IntArray, before: IntArray, counts: IntArray, sizes: IntArray) -> None:
    """Adds up how many of the keys each shard has, and how many bytes they take; `before`: zeros, and
    then the last key of each shard.
    """
    shards = len(counts)
    for index in range(len(keys)):
        key = keys[index]
        shard = shard_of(key, shards)
        gap = key - before[shard]
        before[shard] = key
        counts[shard] += 1
        sizes[shard] += bytes_of_number(gap)


def write_gaps(keys: IntArray, before: IntArray, places: IntArray, packed: ByteArray) -> None:
    """Writes each key to its shard's part of `packed`, which begins at places[shard]."""
    shards = len(places)
    for index in range(len(keys)):
        key = keys[index]
        shard = shard_of(key, shards)
        gap = key - before[shard]
        before[shard] = key
        places[shard] = put_number(gap, packed, places[shard])


def read_gaps(packed: ByteArray, keys: IntArray) -> None:
    """Fills `keys` with what `write_gaps` wrote for one shard."""
    place, key = 0, 0
    for index in range(len(keys)):
        gap, place = number_at(packed, place)
        key += gap
        keys[index] = key


def write_places(layer: IntArray, part: IntArray, places: IntArray) -> None:
    """places[i]: where part[i] stands in the layer; both ascend, and the layer has all of the part."""
    index = 0
    for which in range(len(part)):
        while layer[index] < part[which]:
            index += 1
        places[which] = index


def collect(keys: IntArray, places: IntArray, answers: SmallIntArray, scores: SmallIntArray) -> None:
    """scores[i]: what the shard of keys[i] says of it; what shard t says begins at said[places[t]]."""
    shards = len(places)
    for index in range(len(keys)):
        shard = shard_of(keys[index], shards)
        scores[index] = answers[places[shard]]
        places[shard] += 1


class Packer:
    """The engines of this file, for the keys of a game; compiled once for all games."""

    def __init__(self, game: Game) -> None:
        self._measure = instantiate(measure, game, jit=True)
        self._write = instantiate(write_gaps, game, jit=True)
        self._read = instantiate(read_gaps, game, jit=True)
        self._places = instantiate(write_places, game, jit=True)
        self._collect = instantiate(collect, game, jit=True)

    def deal(self, keys: IntArray, shards: int) -> list[Gaps]:
        """The keys of each shard."""
        counts, sizes = np.zeros(shards, np.int64), np.zeros(shards, np.int64)
        self._measure(keys, np.zeros(shards, np.int64), counts, sizes)
        ends = np.cumsum(sizes)
        places, packed = ends - sizes, np.empty(int(sizes.sum()), np.uint8)
        self._write(keys, np.zeros(shards, np.int64), places, packed)
        cuts = [0, *ends.tolist()]
        return [Gaps(int(counts[shard]), packed[cuts[shard] : cuts[shard + 1]]) for shard in range(shards)]

    def pack(self, keys: IntArray) -> Gaps:
        return self.deal(keys, 1)[0]

    def unpack(self, gaps: Gaps) -> IntArray:
        keys = np.empty(gaps.keys, np.int64)
        self._read(gaps.packed, keys)
        return keys

    def places(self, layer: IntArray, part: IntArray) -> Gaps:
        """Return where the keys of a part stand in a layer, packed."""
        found = np.empty(len(part), np.int64)
        self._places(layer, part, found)
        return self.pack(found)

    def collected(self, keys: IntArray, answers: Sequence[SmallIntArray]) -> SmallIntArray:
        """Return what all shards say of ascending keys, in the order of the keys."""
        scores = np.empty(len(keys), answers[0].dtype)
        places = np.cumsum([0, *(len(part) for part in answers[:-1])])
        self._collect(keys, places.astype(np.int64), np.concatenate(answers), scores)
        return scores
