"""Large solutions as packed files: every position is probed, files of before are read, damage is told."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from lasting import later

from damier import BadInput, Game, Job, load
from damier.core.errors import BadFile
from damier.core.json_data import Arrays, read_arrays, write_arrays
from damier.core.solution import KeyTable, Solution
from damier.solve import packed_store, solve as solve_in_memory, store
from damier.solve.packed_store import PackedTable

SMALL = "tictactoe"


def solved(game: Game) -> Solution:
    solution = solve_in_memory(game, job=Job(jit=True), method="layers")
    assert isinstance(solution, Solution)
    return solution


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small solution, packed."""
    path = tmp_path_factory.mktemp("packed") / "small.solution"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_store, "PACKED_FROM", 1)
        store.save(solved(load(SMALL)), path)
    return path


@pytest.mark.parametrize(
    ("text", "positions", "least"),
    [
        (SMALL, 5_478, 1 << 12),
        later(("connect_four:width=4,height=4", 161_029, 1 << 17)),
        later(("connect_four:width=5,height=4", 3_945_711, 1 << 17)),
    ],
)
def test_every_position_of_a_large_file_is_probed(
    text: str, positions: int, least: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_store, "PACKED_FROM", least)
    game = load(text)
    known = solved(game)
    table = known.key_table()
    path = tmp_path / "large.solution"
    store.save(known, path)
    assert path.stat().st_size < 2.5 * len(known)
    read = store.load(path, game)
    assert isinstance(read.table, PackedTable)
    assert len(read) == len(known) == positions
    assert np.array_equal(read.table.scores_of(table.keys), table.scores)
    probed, expected = read.probe(table.keys[::101]), known.probe(table.keys[::101])
    assert all(np.array_equal(one, other) for one, other in zip(probed, expected, strict=True))
    again = read.key_table()
    assert np.array_equal(again.keys, table.keys)
    assert np.array_equal(again.scores, table.scores)
    for index in range(0, len(table), 997):
        s = game.unkey(int(table.keys[index]))
        assert read.score(s) == int(table.scores[index])
    store.save(read, tmp_path / "again.solution")
    assert (tmp_path / "again.solution").read_bytes() == path.read_bytes()


def test_positions_that_cannot_come_up_are_not_there(small: Path) -> None:
    game = load(SMALL)
    read = store.load(small, game)
    keys = set(read.key_table().keys.tolist())
    assert isinstance(read.table, PackedTable)
    rng = random.Random(0)
    near = [key + by for key in rng.sample(sorted(keys), 60) for by in (-1, 1)]
    for key in {0, max(keys) + 1, 1 << 40, *near, *(rng.randrange(max(keys)) for _ in range(60))} - keys:
        with pytest.raises(BadInput, match="is not the key of a position"):
            read.probe(np.array([key]))
        if game.key(game.unkey(key)) == key:
            with pytest.raises(KeyError):
                read.table.score(game.unkey(key))


@pytest.mark.parametrize("name", ["tictactoe", later("connect_four:width=4,height=3")])
def test_files_of_arrays_are_read_as_before(name: str, tmp_path: Path) -> None:
    """What damier wrote before there were packed files, also of large solutions."""
    game, path = load(name), tmp_path / "a.solution"
    known = solved(game)
    store.save(known, path)
    header, arrays = read_arrays(path, store.FORMAT)
    assert header["format"] == "damier-solution/1"
    assert set(arrays) == {"offsets", "keys", "scores"}
    read = store.load(path, game)
    assert isinstance(read.table, KeyTable)
    table = known.key_table()
    assert np.array_equal(read.probe(table.keys)[1], known.probe(table.keys)[1])


def test_a_position_that_can_come_back_is_packed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_store, "PACKED_FROM", 1)
    game = load("nim:heaps=1-3-5")
    known = solve_in_memory(game, job=Job(jit=False), method="retrograde")
    assert isinstance(known, Solution)
    store.save(known, tmp_path / "a.solution")
    read = store.load(tmp_path / "a.solution", game)
    assert isinstance(read.table, PackedTable)
    keys = known.key_table().keys
    assert np.array_equal(read.probe(keys)[1], known.probe(keys)[1])
    assert read.explain(game.start) == known.explain(game.start)


def test_every_cut_and_every_changed_byte_is_told(small: Path, tmp_path: Path) -> None:
    game, data, path = load(SMALL), small.read_bytes(), tmp_path / "harmed.solution"
    step = max(1, len(data) // 60)
    for place in range(0, len(data), step):
        harmed = bytearray(data)
        harmed[place] ^= 4
        for harm in (bytes(harmed), data[:place]):
            path.write_bytes(harm)
            with pytest.raises(BadFile, match=r"^[^\n]*$"):
                store.load(path, game)


def shifted(arrays: Arrays, name: str, place: int, by: int) -> Arrays:
    changed = arrays[name].copy()
    changed[place] += by  # type: ignore[index, operator]
    return {**arrays, name: changed}


HARMS: list[Callable[[Arrays], Arrays]] = [
    lambda arrays: shifted(arrays, "offsets", 0, 1),
    lambda arrays: shifted(arrays, "offsets", 3, 40_000),
    lambda arrays: shifted(arrays, "offsets", -1, 1),
    lambda arrays: shifted(arrays, "offsets", 3, 1 << 62),
    lambda arrays: shifted(arrays, "offsets", 3, -(1 << 62)),
    lambda arrays: {**arrays, "differences": arrays["differences"].view(np.uint8) | 128},
    lambda arrays: shifted(arrays, "differences", -1, 128),
    lambda arrays: shifted(arrays, "differences", 40, 128),
    lambda arrays: shifted(arrays, "places", 1, 1 << 40),
    lambda arrays: shifted(arrays, "places", 0, 1),
    lambda arrays: shifted(arrays, "scores", 0, 3),
    lambda arrays: shifted(arrays, "first_keys", 0, 1),
    lambda arrays: {**arrays, "first_keys": arrays["first_keys"][:-1]},
    lambda arrays: {**arrays, "scores": arrays["scores"][:-1]},
    lambda arrays: {**arrays, "scores": arrays["scores"].astype(np.int64)},
    lambda arrays: {name: array for name, array in arrays.items() if name != "places"},
]


@pytest.mark.parametrize("harm", HARMS)
def test_arrays_that_do_not_fit_are_refused(
    harm: Callable[[Arrays], Arrays], small: Path, tmp_path: Path
) -> None:
    header, arrays = read_arrays(small, packed_store.FORMAT)
    kept = {name: value for name, value in header.items() if name in (*store.KEYS, "block")}
    for name in ("format", "version", "arrays", "sha256"):
        kept.pop(name, None)
    path = tmp_path / "harmed.solution"
    write_arrays(path, packed_store.FORMAT, kept, arrays)
    store.load(path, load(SMALL))  # as it was
    write_arrays(path, packed_store.FORMAT, kept, harm(arrays))
    with pytest.raises(BadFile):
        store.load(path, load(SMALL))
    write_arrays(path, packed_store.FORMAT, {**kept, "block": 64}, arrays)
    with pytest.raises(BadFile):
        store.load(path, load(SMALL))


def test_a_packed_file_of_another_game_is_refused(small: Path) -> None:
    with pytest.raises(BadFile, match="other rules than connect_four"):
        store.load(small, load("connect_four:width=3,height=4"))
