"""What a run keeps of its layers: taken whole or not at all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from damier.core.errors import BadInput
from damier.plugins.cluster.shard_actors import CheckpointFolder, FolderShelf, RunRecord


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32"])
def test_an_array_comes_back(dtype: str, tmp_path: Path) -> None:
    shelf = FolderShelf(CheckpointFolder(str(tmp_path)), 3)
    for length in (0, 1, 1000):
        array = np.arange(length).astype(dtype)
        shelf.put("keys", array)
        found = shelf.get("keys")
        assert found is not None
        assert found.dtype == array.dtype
        assert found.tolist() == array.tolist()
    shelf.drop("keys")
    shelf.drop("keys")
    assert shelf.get("keys") is None


def test_a_damaged_array_is_none(tmp_path: Path) -> None:
    shelf = FolderShelf(CheckpointFolder(str(tmp_path)), 0)
    shelf.put("keys", np.arange(100, dtype=np.int16))
    (place,) = (path for path in tmp_path.rglob("*") if path.is_file())
    whole = place.read_bytes()
    for damaged in (b"", whole[:10], whole[:-1], whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]):
        place.write_bytes(damaged)
        assert shelf.get("keys") is None


@pytest.mark.parametrize("said", [b"|O", b"<f8", b"x", b"\xff", b""])
def test_an_array_of_another_type_is_none(said: bytes, tmp_path: Path) -> None:
    shelf = FolderShelf(CheckpointFolder(str(tmp_path)), 0)
    shelf.put("keys", np.arange(101, dtype=np.int8))
    (place,) = (path for path in tmp_path.rglob("*") if path.is_file())
    whole = place.read_bytes()
    for kind in (said, b"<i2"):  # of which 101 bytes are not a whole number
        place.write_bytes(kind.ljust(12) + whole[12:])
        assert shelf.get("keys") is None


def test_a_run_that_was_killed_as_it_began_begins_again(tmp_path: Path) -> None:
    folder, facts = CheckpointFolder(str(tmp_path)), {"game": "nim", "start": [1, 2]}
    RunRecord(folder, dict(facts), 3)
    place = tmp_path / "run.json"
    whole = place.read_bytes()
    for size in (0, 10, len(whole) - 1):
        place.write_bytes(whole[:size])
        assert RunRecord(folder, dict(facts), 3).shards == 3
        assert place.read_bytes() == whole
    for foreign in (b"notes", whole.replace(b": 3}", b": 0}"), whole.replace(b": 3}", b": 99999999}")):
        place.write_bytes(foreign)
        with pytest.raises(BadInput, match="another run"):
            RunRecord(folder, dict(facts), 3)
        assert place.read_bytes() == foreign


def test_a_run_goes_on_with_its_own_shards(tmp_path: Path) -> None:
    folder, facts = CheckpointFolder(str(tmp_path)), {"game": "nim", "start": [1, 2]}
    record = RunRecord(folder, dict(facts), 3)
    assert record.done("forward-00000") is None
    record.finish("forward-00000", {"positions": 1})
    again = RunRecord(folder, dict(facts), 8)
    assert again.shards == 3
    assert again.done("forward-00000") == {"positions": 1}
    (tmp_path / "done" / "forward-00000.json").write_text('{"positions"')  # half written
    assert RunRecord(folder, dict(facts), 3).done("forward-00000") is None
    with pytest.raises(BadInput, match="another run"):
        RunRecord(folder, {**facts, "game": "hexapawn"}, 3)


def test_a_place_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nowhere"):
        CheckpointFolder("nowhere://here")
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput, match="--checkpoints"):
        RunRecord(CheckpointFolder(str(tmp_path / "file")), {}, 1)
