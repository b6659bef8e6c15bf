"""A search that is ended goes on from its file, and takes no file of another one."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from lasting import shortly

from damier import Game, load
from damier.core.errors import BadFile, Unsuitable
from damier.core.job import Job
from damier.core.json_data import read_arrays, write_arrays
from damier.core.rules import TOP, State
from damier.search import bounds_table
from damier.search.exact import exact
from tests import long_search
from tests.long_search import FORMAT, search_on_file
from tests.search.recorded import walk
from tests.search.test_late_bindings import LATE, boxes_or_othello

MEMORY = 1 << 24
SLICE = 20_000


class Ended(Exception):
    """What ends a process in the middle of a search."""


def position(game: Game, plies: int) -> State:
    s = game.start
    for ply in range(plies):
        legal = game.legal(s)
        s = game.play(s, legal[ply % len(legal)])
    return s


class Searched(NamedTuple):
    """A game, and after how many plies what is left of it is searched for how long."""

    game: Game
    long: int
    dear: int
    middle: int
    short: int


@pytest.fixture(scope="module", params=shortly([LATE, "othello:size=6,discs=true"], LATE))
def at(request: pytest.FixtureRequest) -> Searched:
    game = boxes_or_othello(request.param)
    return Searched(game, *((0, 0, 4, 8) if request.param == LATE else (14, 16, 20, 22)))


def searched(game: Game, s: State, path: Path, ends_after: int = 1 << 60) -> tuple[int, int, list[int]]:
    """What is proven, and the nodes that were told; ended when it tells of so many slices."""
    told: list[int] = []

    def tell(nodes: int, _all: int | None, _what: str) -> None:
        told.append(nodes)
        if len(told) == ends_after:
            raise Ended

    job = Job(jit=True, memory=MEMORY, progress=tell)
    try:
        found = search_on_file(game, s, path, job, units=True, slice=SLICE)
    except Ended:
        return -TOP, TOP, told
    return found.bounds.low, found.bounds.high, told


def test_a_search_that_was_ended_goes_on(
    at: Searched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_search, "DEAR", 1 << 8)
    game, s, path = at.game, position(at.game, at.long), tmp_path / "proof"
    known = exact(game, s, Job(jit=True), units=True, moves=False)
    _low, _high, whole = searched(game, s, tmp_path / "whole")
    assert len(whole) > 6
    _low, _high, first = searched(game, s, path, ends_after=4)
    low, high, rest = searched(game, s, path)
    assert low == high == known.bounds.low
    assert first[-1] < rest[0] < first[-1] + 2 * SLICE
    assert whole[-1] <= rest[-1] * 1.3
    assert rest[-1] <= whole[-1] * 1.3
    assert searched(game, s, path) == (low, high, [])


def test_only_what_was_dear_is_written(at: Searched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_search, "DEAR", 1 << 8)
    s, path = position(at.game, at.dear), tmp_path / "proof"
    searched(at.game, s, path)
    header, arrays = read_arrays(path, FORMAT)
    slots = arrays["slots"].reshape(-1, int(str(header["slot_words"])))
    assert 0 < len(slots) < int(str(header["nodes"])) // 100
    assert (slots[:, 0] >> bounds_table.COST >= 9).all()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"fingerprint": "0"}, "other rules"),
        ({"position": [1, 2, 0]}, "another position"),
        ({"units": False}, "another position"),
        ({"low": 3, "high": 2}, "what is proven"),
        ({"nodes": None}, "what is proven"),
        ({"slot_words": 4}, "no table"),
    ],
)
def test_a_file_of_another_search_is_refused(
    at: Searched, tmp_path: Path, change: dict[str, object], reason: str
) -> None:
    game, s, path = at.game, position(at.game, at.short), tmp_path / "proof"
    searched(game, s, path)
    header, arrays = read_arrays(path, FORMAT)
    kept = {name: header[name] for name in header if name not in ("format", "version", "arrays", "sha256")}
    write_arrays(path, FORMAT, kept | change, arrays)  # type: ignore[operator]  # what JSON has no place for
    with pytest.raises(BadFile, match=reason):
        searched(game, s, path)


def test_a_guess_changes_only_what_is_asked_first(at: Searched, tmp_path: Path) -> None:
    game, s = at.game, position(at.game, at.middle)
    job, values = Job(jit=True, memory=MEMORY), set()
    for guess in (-20, -3, 1, 30):
        found = search_on_file(game, s, tmp_path / str(guess), job, units=True, guess=guess)
        assert found.bounds.exact
        values.add(found.bounds.low)
    assert len(values) == 1


def test_time_ends_it_and_the_file_says_how_far_it_came(tmp_path: Path) -> None:
    game, path = load("connect_four"), tmp_path / "proof"
    found = search_on_file(game, game.start, path, Job(jit=True, memory=MEMORY), 0.3)
    assert found.stopped
    assert not found.bounds.exact
    header, _arrays = read_arrays(path, FORMAT)
    assert (header["nodes"], header["low"], header["high"]) == (found.nodes, -TOP, TOP)


def test_wins_and_losses_are_searched_so_too(tmp_path: Path) -> None:
    game = load("connect_four")
    s = walk(game, 26, 1)
    found = search_on_file(game, s, tmp_path / "proof", Job(jit=True, memory=MEMORY), slice=2000)
    assert found.bounds == exact(game, s, Job(jit=False)).bounds


def test_a_game_whose_positions_come_back_is_refused(tmp_path: Path) -> None:
    game = load("draughts")
    with pytest.raises(Unsuitable, match="exact search"):
        search_on_file(game, game.start, tmp_path / "proof", Job(jit=True, memory=MEMORY))
