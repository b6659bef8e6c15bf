"""Layers shared among shards, without a cluster: what it does to them is in test_sharded.py."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from lasting import later

from damier.core.arrays import SmallIntArray
from damier.core.errors import BadFile, LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.games.connect_four import connect_four
from damier.lab.games import load
from damier.plugins.cluster import sharding
from damier.plugins.cluster.sharding import LayerPart, Packer, Shard, Shelf, shard_of
from damier.solve import layers
from damier.solve.count import count

SMALL = connect_four(width=4, height=3)
KEYS = st.lists(st.integers(0, 2**62), unique=True, max_size=60).map(sorted)


@given(KEYS, st.integers(1, 5))
def test_keys_are_dealt_and_put_together_again(keys: list[int], shards: int) -> None:
    packer = Packer(SMALL)
    dealt = packer.deal(np.array(keys, np.int64), shards)
    parts = [packer.unpack(part).tolist() for part in dealt]
    assert parts == [[key for key in keys if shard_of(key, shards) == shard] for shard in range(shards)]
    said: list[SmallIntArray] = [np.array([key % 100 for key in part], np.int8) for part in parts]
    assert packer.collected(np.array(keys, np.int64), said).tolist() == [key % 100 for key in keys]


@given(KEYS)
def test_plain_and_compiled_write_the_same(keys: list[int]) -> None:
    size, plain = [0], [0] * (10 * len(keys))
    sharding.measure(keys, [0], [0], size)  # type: ignore[arg-type]
    sharding.write_gaps(keys, [0], [0], plain)  # type: ignore[arg-type]
    assert Packer(SMALL).pack(np.array(keys, np.int64)).packed.tolist() == plain[: size[0]]
    read = [0] * len(keys)
    sharding.read_gaps(plain, read)  # type: ignore[arg-type]
    assert read == keys


def forwards(shards: list[Shard]) -> list[list[LayerPart]]:
    """All layers, as the shards find them."""
    game = shards[0].game
    found = [[shard.begin(game.key(game.start)) for shard in shards]]
    while any(part.positions for part in found[-1]):
        dealt = [shard.expand(len(found) - 1)[1:] for shard in shards]
        found.append(
            [shard.merge(len(found), *(sender[n] for sender in dealt)) for n, shard in enumerate(shards)]
        )
    return found[:-1]


def backwards(shards: list[Shard], found: int) -> None:
    for layer in reversed(range(found)):
        told = [shard.answers(layer + 1)[1:] for shard in shards] if layer + 1 < found else []
        for number, shard in enumerate(shards):
            shard.back_up(layer, "int8", *(answers[number] for answers in told))


def some(game: Game, n: int, **options: bool) -> list[Shard]:
    return [Shard(game, number, n, Shelf(), Job(), **options) for number in range(n)]


@pytest.mark.parametrize("n", [1, 2, 3, 7])
@pytest.mark.parametrize(
    "game", [SMALL, later(load("tictactoe")), later(load("mnk:width=4,height=3"))], ids=lambda game: game.text
)
def test_shards_find_what_one_process_finds(game: Game, n: int) -> None:
    shards = some(game, n)
    found = forwards(shards)
    backwards(shards, len(found))
    alone, packer = layers.compiled(game, game.start, Job()), Packer(game)
    assert [sum(part.positions for part in layer) for layer in found] == np.diff(alone.offsets).tolist()
    for layer, (low, high) in enumerate(zip(alone.offsets, alone.offsets[1:], strict=False)):
        scored = {}
        for number, shard in enumerate(shards):
            keys, scores = shard.table(layer)
            part = packer.unpack(keys).tolist()
            assert all(shard_of(key, n) == number for key in part)
            scored |= dict(zip(part, scores.tolist(), strict=True))
        expected = dict(zip(alone.keys[low:high].tolist(), alone.scores[low:high].tolist(), strict=True))
        assert scored == expected


@pytest.mark.parametrize("symmetric", [False, True])
def test_shards_count(symmetric: bool) -> None:
    found = forwards(some(SMALL, 3, symmetric=symmetric, solving=False))
    alone = count(SMALL, symmetric=symmetric)
    ends = [sum(part.ends[which] for layer in found for part in layer) for which in range(3)]
    assert ends == [alone.losses, alone.draws, alone.wins]
    assert [sum(part.positions for part in layer) for layer in found] == alone.by_ply


def test_a_shard_that_begins_again_goes_on_from_its_shelf() -> None:
    game, n = SMALL, 3
    shards = some(game, n)
    found = len(forwards(shards))
    shelf = shards[1].shelf
    shards[1] = Shard(game, 1, n, shelf, Job())
    again = [shard.expand(4)[1:] for shard in shards]
    assert [part.keys for part in again[1]] == [part.keys for part in shards[1].expand(4)[1:]]
    backwards(shards, found)
    assert sum(len(shard.table(0)[1]) for shard in shards) == 1


def test_what_is_gone_from_a_shelf_is_told() -> None:
    shard = some(SMALL, 1)[0]
    shard.begin(SMALL.key(SMALL.start))
    shard.shelf.drop("keys-00000")
    with pytest.raises(BadFile, match="keys-00000"):
        shard.expand(0)


def test_a_shard_keeps_within_its_memory() -> None:
    shard = Shard(SMALL, 0, 1, Shelf(), Job(memory=1 << 10))
    with pytest.raises(LimitReached):
        forwards([shard])
