"""The page of scale: its simulation is what shards do, and its figures are what docs/scale.py works out."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from damier import load
from damier.core.job import Job
from damier.plugins.cluster.sharding import Shard, Shelf

HERE = Path(__file__).parent
SPEC = importlib.util.spec_from_file_location("scale", HERE / "scale.py")
assert SPEC is not None
assert SPEC.loader is not None
scale = importlib.util.module_from_spec(SPEC)
import sys  # noqa: E402

sys.modules["scale"] = scale
SPEC.loader.exec_module(scale)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_simulation_deals_as_shards_do(n: int) -> None:
    game = load("connect_four:width=4,height=3")
    simulated = scale.dealt(scale.layers_of(game), n)
    shards = [Shard(game, number, n, Shelf(), Job()) for number in range(n)]
    positions = [sum(shard.begin(game.key(game.start)).positions for shard in shards)]
    children = size = 0
    while positions[-1]:
        sent = [shard.expand(len(positions) - 1)[1:] for shard in shards]
        children += sum(batch.keys for batches in sent for batch in batches)
        size += sum(len(batch.packed) for batches in sent for batch in batches)
        merged = [
            shard.merge(len(positions), *(batches[number] for batches in sent))
            for number, shard in enumerate(shards)
        ]
        positions.append(sum(part.positions for part in merged))
    assert simulated.children == pytest.approx(children / sum(positions))
    assert simulated.bytes_a_child == pytest.approx(size / children)


def test_positions_by_ply_are_those_that_are_known() -> None:
    assert sum(scale.by_ply(7, 6)) == pytest.approx(4_531_985_219_092)
    assert sum(scale.by_ply(6, 6)) == pytest.approx(69_212_342_175)
    assert scale.by_ply(7, 6)[:5] == pytest.approx([1, 7, 49, 238, 1120])


def test_no_machine_is_faster_than_its_slowest_part() -> None:
    found = scale.plan(5, 5, scale.RENTED, 64)
    assert found.seconds >= max(found.processor, found.network, found.disk)
    faster = scale.plan(5, 5, scale.MANY, 192)
    assert faster.processor < found.processor
    assert faster.memory < found.memory


@pytest.mark.long
def test_the_figures_of_the_page_are_worked_out() -> None:
    page = scale.PAGE.read_text(encoding="utf-8")
    assert f"{scale.BEGIN}\n\n{scale.written()}\n\n{scale.END}" in page, "run python docs/scale.py"
