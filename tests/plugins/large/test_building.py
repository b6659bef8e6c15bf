"""Tables of a game in a user's file: right, however they are built; gone on with, whatever stops them;
refused where the slices do not hold together.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from ring import reachable, ring, slices_of, text_of_ring

from damier import BadGame, BadInput, Game, Job, LimitReached, load
from damier.core.compile import instantiate
from damier.core.endgames import NOTHING, UNKNOWN, Probe, probe
from damier.core.errors import BadFile, Interrupted, Unsuitable
from damier.core.hooks import Slice
from damier.core.rules import TOP, Field, State, as_state
from damier.lab.large import INDEX, SCORES
from damier.plugins.large.endgame_tables import EndgameTables, build, open_tables, read_index
from damier.solve import solve

PLAIN = Job(jit=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> EndgameTables:
    """The tables of the ring, in plain Python and backwards."""
    folder = tmp_path_factory.mktemp("ring")
    game = ring(folder)
    assert build(game, 4, folder / "tables", PLAIN) == 3
    return open_tables(folder / "tables", game)


def folder_of(made: EndgameTables) -> Path:
    assert made.game.source is not None
    return made.game.source.parent / "tables"


def test_every_position_has_the_value_that_solving_the_game_gives(made: EndgameTables) -> None:
    game = made.game
    solution = solve(game, job=PLAIN)
    values = set()
    for s in reachable(game):
        score = made.score(s)
        value, distance = solution.value(s), solution.distance(s)
        assert (score > 0) - (score < 0) == {"win": 1, "draw": 0, "loss": -1}[value], s
        assert distance is None or TOP - abs(score) == distance, s
        values.add(value)
    assert values == {"win", "draw", "loss"}


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("backwards", [True, False], ids=["backwards", "passes"])
def test_every_way_to_build_gives_the_same_bytes(
    made: EndgameTables, tmp_path: Path, jit: bool, backwards: bool
) -> None:
    game = ring(tmp_path, **({} if backwards else {"unmoves": None, "unplay": None}))
    assert build(game, 4, tmp_path / "tables", Job(jit=jit, jobs=2)) == 3
    folder = tmp_path / "tables"
    assert (folder / SCORES).read_bytes() == (folder_of(made) / SCORES).read_bytes()
    assert read_index(folder)["slices"] == read_index(folder_of(made))["slices"]


def asked(start: tuple[Field, ...], held: tuple[Any, ...]) -> int:
    """An engine that asks a table."""
    return probe(as_state(start), held)


def bound(found: Probe, game: Game, jit: bool) -> Callable[[State], int]:
    engine = instantiate(asked, game, jit=jit, bind=found.bindings)
    return lambda s: engine(game.fields(s), found.arrays)


@pytest.mark.parametrize("jit", [False, True], ids=["plain", "compiled"])
def test_an_engine_probes_as_it_asks_a_rule(made: EndgameTables, jit: bool) -> None:
    ask, nothing = bound(made.probe(), made.game, jit), bound(NOTHING, made.game, jit)
    for s in reachable(made.game):
        expected = UNKNOWN if made.game.over(s) else made.score(s)  # no stones: no slice
        assert ask(s) == expected
        assert nothing(s) == UNKNOWN
    assert made.probe().most_pieces == made.pieces == 4


def test_a_solution_from_tables_names_the_best_moves(made: EndgameTables) -> None:
    game, solution = made.game, solve(made.game, job=PLAIN)
    for s in reachable(game)[::7]:
        from_tables = made.solution(s)
        assert from_tables.explain(s) == solution.explain(s)
        assert from_tables.fastest_moves(s) == solution.fastest_moves(s)


def test_what_was_stopped_goes_on(made: EndgameTables, tmp_path: Path) -> None:
    game, folder = ring(tmp_path), tmp_path / "tables"

    def stop(done: int, total: int | None, what: str) -> None:
        if (folder / INDEX).exists():
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        build(game, 4, folder, Job(jit=False, progress=stop))
    finished = stopped.value.reached["slices"]
    assert isinstance(finished, int)
    assert 1 <= finished < 3
    partly = open_tables(folder, game)
    assert [one.slice.name for one in partly.slices] == ["1-1", "2-1", "2-2"][:finished]
    assert partly.pieces == finished + 1
    with pytest.raises(BadInput, match="no table holds"):
        partly.solution(game.start)
    assert build(game, 4, folder, PLAIN) == 3 - finished
    assert (folder / SCORES).read_bytes() == (folder_of(made) / SCORES).read_bytes()
    assert build(game, 4, folder, PLAIN) == 0


def test_tables_of_fewer_pieces_are_added_to(made: EndgameTables, tmp_path: Path) -> None:
    game, folder = ring(tmp_path), tmp_path / "tables"
    assert [build(game, pieces, folder, PLAIN) for pieces in (2, 4, 3)] == [1, 2, 0]
    assert (folder / SCORES).read_bytes() == (folder_of(made) / SCORES).read_bytes()


def test_an_unfinished_slice_is_begun_anew(made: EndgameTables, tmp_path: Path) -> None:
    game, folder = ring(tmp_path), tmp_path / "tables"
    build(game, 3, folder, PLAIN)
    with (folder / SCORES).open("ab") as stream:  # as a power cut may leave it
        stream.write(os.urandom(1000))
    assert build(game, 4, folder, PLAIN) == 1
    assert (folder / SCORES).read_bytes() == (folder_of(made) / SCORES).read_bytes()


def test_nobody_else_writes_there(tmp_path: Path) -> None:
    import fcntl

    game, folder = ring(tmp_path), tmp_path / "tables"
    folder.mkdir()
    with (folder / SCORES).open("wb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(BadInput, match="another process writes tables to"):
            build(game, 4, folder, PLAIN)
    (folder / SCORES).unlink()
    (folder / "letter.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"holds letter\.txt; give a new folder"):
        build(game, 4, folder, PLAIN)
    with pytest.raises(BadInput, match="cannot be written"):
        build(game, 4, tmp_path / "ring.py", PLAIN)


class Disk(NamedTuple):
    total: int
    used: int
    free: int


def test_what_is_too_large_is_said_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, folder = ring(tmp_path), tmp_path / "tables"
    with pytest.raises(LimitReached, match="beyond the budget of"):
        build(game, 4, folder, Job(jit=False, memory=100_000))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: Disk(1 << 30, 1 << 30, 1000))
    with pytest.raises(LimitReached, match=r"has .* free; the tables need"):
        build(game, 4, folder, PLAIN)
    assert not (folder / INDEX).exists()


def damaged(made: EndgameTables, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder_of(made), tmp_path / "damaged"))


def test_a_damaged_table_is_refused(made: EndgameTables, tmp_path: Path) -> None:
    folder = damaged(made, tmp_path)
    whole = bytearray((folder / SCORES).read_bytes())
    whole[1000] ^= 1
    (folder / SCORES).write_bytes(whole)
    with pytest.raises(BadFile, match="the checksum of the slice 1-1 is wrong"):
        open_tables(folder, made.game)
    (folder / SCORES).write_bytes(whole[:-2])
    with pytest.raises(BadFile, match="was cut off"):
        open_tables(folder, made.game)
    index = (folder / INDEX).read_text()
    (folder / INDEX).write_text(index.replace('"wins": ', '"wins": 1'))
    with pytest.raises(BadFile, match="its checksum is wrong"):
        read_index(folder)
    (folder / INDEX).unlink()
    with pytest.raises(BadFile, match="holds no endgame tables"):
        open_tables(folder, made.game)


def test_tables_of_another_game_are_refused(made: EndgameTables) -> None:
    with pytest.raises(BadFile, match=r"holds tables of .*ring.*, not of draughts"):
        open_tables(folder_of(made), load("draughts"))
    with pytest.raises(Unsuitable, match="gives no slices"):
        open_tables(folder_of(made), load("tictactoe"))
    with pytest.raises(BadInput, match="has slices with up to 4 pieces"):
        build(made.game, 5, folder_of(made), PLAIN)
    with pytest.raises(BadInput, match="no slice with up to 1 pieces"):
        build(made.game, 1, folder_of(made), PLAIN)


def test_slices_that_do_not_hold_together_are_refused(tmp_path: Path) -> None:
    slices = slices_of(ring(tmp_path)).stages(4)

    def refused(sentence: str, **changed: Any) -> None:
        with pytest.raises(BadGame, match=sentence):
            build(ring(tmp_path, **changed), 4, tmp_path / sentence[:4], PLAIN)

    refused("leads to .*, which no slice of an earlier stage holds", stages=lambda n: slices[1:])
    refused("two of its slices have one number", stages=lambda n: [slices[0], slices[0]])
    refused("the slice none has the number -1", stages=lambda n: [[Slice(-1, "none", 5)]])
    one_way = lambda s, found: found.append(1) if s.theirs & 1 else None  # noqa: E731
    refused("does not follow from those of its moves", unmoves=one_way)


def test_a_trial_run_sees_a_place_that_is_another(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(text_of_ring().replace("ring(", "wrong(").replace("State(place >> CELLS, ", "State(1, "))
    with pytest.raises(BadGame, match=r"wrong\.py:\d+: state_at answered State"):
        load(str(path))
