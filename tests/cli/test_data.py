"""Tables for data frames: pandas, polars and DuckDB read what the commands write, with the values of
`--json` and the columns of docs/data.md, whose commands run.
"""

from __future__ import annotations

import contextlib
import csv
import errno
import json
import os
import re
import runpy
import shlex
import sys
import types
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from at_work import interrupted, started, wait_until
from commands import Captured, beginning
from lasting import long, shortly

from damier import load
from damier.arena.records import GAME_COLUMNS, GameRecord, Recorder
from damier.cli.main import build, run
from damier.core import data_files
from damier.core.data_files import CsvEncoder, DataTable, ParquetEncoder, encoder_for, write_data
from damier.core.errors import BadInput, LimitReached
from damier.core.job import no_progress
from damier.core.keys import flat
from damier.lab.curves import CURVE_COLUMNS
from damier.lab.solving import SOLUTION_COLUMNS, field_names, solution_data
from damier.lab.tournament import TOURNAMENT_COLUMNS
from damier.plugins.studies.sweep import SWEEP_COLUMNS
from damier.solve import solve

call, data = beginning()
PAGE = Path(__file__).parents[2] / "docs" / "data.md"
RECORD = GameRecord("nim", {"matches": 4}, ("random", "=perfect"), ("3", "1"), (1, -1), seed=5)
Row = dict[str, Any]


def by_pandas(path: Path) -> list[Row]:
    pandas = pytest.importorskip("pandas")
    frame = (pandas.read_parquet if path.suffix == ".parquet" else pandas.read_csv)(path)
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{name: list(v) if hasattr(v, "tolist") else v for name, v in row.items()} for row in rows]


def by_polars(path: Path) -> list[Row]:
    polars = pytest.importorskip("polars")
    return list((polars.read_parquet if path.suffix == ".parquet" else polars.read_csv)(path).to_dicts())


def by_duckdb(path: Path) -> list[Row]:
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql(f"select * from '{path}'")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


READERS: list[Callable[[Path], list[Row]]] = [by_pandas, by_polars, by_duckdb]


def read_alike(path: Path) -> list[Row]:
    """The rows of a table, which all readers find equal; an empty text of CSV is none."""
    found = [reader(path) for reader in READERS]
    assert found[0] == found[1] == found[2]
    return found[0]


@pytest.fixture(params=[".csv", ".parquet"])
def suffix(request: pytest.FixtureRequest) -> str:
    if request.param == ".parquet":
        pytest.importorskip("pyarrow")
    return str(request.param)


def test_games_of_a_match(tmp_path: Path, capsys: Captured, suffix: str) -> None:
    out = tmp_path / f"games{suffix}"
    line = ("match", "nim:matches=7", "random", "perfect", "--games", "50", "--swap-seats", "--pure")
    told = data(capsys, *line, "-o", str(out))
    rows = read_alike(out)
    assert list(rows[0]) == list(GAME_COLUMNS)
    first, second = told["agents"]
    payoff = [row["payoff_1"] if row["agent_1"] == first else row["payoff_2"] for row in rows]
    assert [payoff.count(end) for end in (1, 0, -1)] == [told["wins"], told["draws"], told["losses"]]
    assert sum(row["plies"] for row in rows) == told["plies"]
    assert [row["number"] for row in rows] == list(range(50))
    assert {(row["agent_1"], row["agent_2"]) for row in rows} == {(first, second), (second, first)}
    assert {(row["game"], row["options"]) for row in rows} == {("nim", "matches=7,take=3,misere=true")}
    recorded = tmp_path / "games.jsonl"
    data(capsys, *line, "-o", str(recorded))
    games = [json.loads(text) for text in recorded.read_text().splitlines()[:-1]]
    moves = [row["moves"] if suffix == ".parquet" else str(row["moves"]).split() for row in rows]
    assert moves == [game["moves"] for game in games]


def test_curve_of_a_training(tmp_path: Path, capsys: Captured, suffix: str) -> None:
    out, agent, again = (tmp_path / name for name in (f"c{suffix}", "agent.json", f"again{suffix}"))
    line = ("train", "nim:matches=5", "q", "--games", "300", "--pure", "--grade-every", "100")
    told = data(capsys, *line, "--curve", str(out), "-o", str(agent))
    rows = read_alike(out)
    assert list(rows[0]) == list(CURVE_COLUMNS)
    played = 0
    for row, block in zip(rows, told["curve"], strict=True):
        played += block["games"]
        assert (row["games"], row["block_games"], row["wins"]) == (played, block["games"], block["wins"])
        grade = block["grade"]
        for number, seat in enumerate((1, 2)):
            assert row[f"payoff_{seat}"] == (grade and grade["seats"][number]["payoff"])
            assert row[f"best_response_{seat}"] == (grade and grade["best_response"][number]["payoff"])
        assert row["optimal_share_all"] == (grade and grade["optimal_share"]["all"])
    assert {row["opponent"] for row in rows} == {"random"}
    assert call(capsys, "show", str(agent), "-o", str(again))[0] == 0
    assert [row | {"learner": "q"} for row in read_alike(again)] == rows


def test_standings_and_sweep(tmp_path: Path, capsys: Captured, suffix: str) -> None:
    pytest.importorskip("scipy")
    out, swept = tmp_path / f"standings{suffix}", tmp_path / f"sweep{suffix}"
    store = ("--store", str(tmp_path / "a.db"), "-o", str(out))
    told = data(capsys, "tournament", "nim:matches=5", "random", "perfect", "--games", "20", *store)
    rows = read_alike(out)
    assert list(rows[0]) == [*TOURNAMENT_COLUMNS, *(line["agent"] for line in told["standings"])]
    for row, line in zip(rows, told["standings"], strict=True):
        assert {name: row[name] for name in ("place", "agent", "wins", "losses", "points", "elo")} == {
            name: line[name] for name in ("place", "agent", "wins", "losses", "points", "elo")
        }
    line = ("sweep", "nim:matches=5", "--learner", "q:alpha=0.1,0.3", "--games", "200", "--seeds", "2")
    told = data(capsys, *line, "-o", str(swept), "--pure")
    rows = read_alike(swept)
    assert list(rows[0]) == [*SWEEP_COLUMNS, "alpha"]
    for row, one in zip(rows, told["rows"], strict=True):
        assert (row["learner"], float(row["alpha"])) == (one["learner"], float(one["options"]["alpha"]))
        assert [row[f"payoff{end}"] for end in ("", "_low", "_high")] == [
            one["payoff"]["mean"],
            *one["payoff"]["interval"],
        ]


def test_positions_of_a_solution(tmp_path: Path, capsys: Captured, suffix: str) -> None:
    out = tmp_path / f"positions{suffix}"
    told = data(capsys, "solve", "nim:matches=7", "-o", str(out), "--pure")
    rows = read_alike(out)
    assert list(rows[0]) == list(SOLUTION_COLUMNS) + list(field_names(load("nim").start))
    assert len(rows) == told["positions"]
    game = load("nim:matches=7")
    start = dict(zip(field_names(game.start), flat(game.start), strict=True))
    first = next(row for row in rows if start.items() <= row.items())
    best = first["best_moves"] if suffix == ".parquet" else str(first["best_moves"]).split()
    assert (first["value"], best) == (told["value"], told["best_moves"])


@pytest.mark.parametrize("text", ["tictactoe", "dots_and_boxes:rows=1", "pig:target=8"])
def test_rows_of_a_solution_are_what_it_says(text: str) -> None:
    game = load(text)
    solution = solve(game)
    table = solution_data(solution, no_progress)
    columns, fields = list(table.columns), [name for name in table.columns if name.startswith("state_")]
    rows = [dict(zip(columns, row, strict=True)) for row in table.rows]
    assert len(rows) == len(solution)
    keys = solution.key_table().keys.tolist()
    for row, key in list(zip(rows, keys, strict=True))[:: max(1, len(rows) // 200)]:
        s = game.unkey(key)
        assert row["over"] == game.over(s)
        assert row["best_moves"] == game.name_moves(s, solution.best_moves(s))
        assert row["distance"] == solution.distance(s)
        value = solution.value(s)
        assert row["value"] == (value if isinstance(value, str) else value.word)
        assert row["payoff"] == (None if isinstance(value, str) else value.payoff)
        assert [row[name] for name in fields] == list(flat(s))


def test_every_column_stands_in_the_page() -> None:
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")[1:6]
    named = [re.findall(r"^\| `(\w+)` \| ([\w ]+) \|", section, re.MULTILINE) for section in sections]
    kinds = {"text": str, "whole number": int, "number": float, "truth": bool, "words": list}
    tables = (GAME_COLUMNS, CURVE_COLUMNS, TOURNAMENT_COLUMNS, SWEEP_COLUMNS, SOLUTION_COLUMNS)
    for found, columns in zip(named, tables, strict=True):
        assert [(name, kinds[kind]) for name, kind in found] == list(columns.items())


@long
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    for library in ("pyarrow", "scipy"):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    for line in re.findall(r"^damier .*$", page, re.MULTILINE):
        assert run(build(), shlex.split(line)[1:]) == 0, capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} >= {
        "games.parquet",
        "standings.csv",
        "positions.parquet",
    }
    readers, tensorboard = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    if all(find_spec(library) for library in ("pandas", "polars", "duckdb")):
        (tmp_path / "readers.py").write_text(readers)
        runpy.run_path("readers.py")
    assert len(tensorboard.splitlines()) <= 16  # its name, and fifteen lines
    scalars = list[tuple[str, float, int]]()
    writer = types.SimpleNamespace(add_scalar=lambda *given: scalars.append(given), close=lambda: None)
    summary = types.ModuleType("tensorboard.summary")
    summary.Writer = lambda folder: writer  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "tensorboard", types.ModuleType("tensorboard"))
    monkeypatch.setitem(sys.modules, "tensorboard.summary", summary)
    monkeypatch.setattr(sys, "argv", ["curve_to_tensorboard.py", "curve.csv", "runs"])
    (tmp_path / "curve_to_tensorboard.py").write_text(tensorboard)
    runpy.run_path("curve_to_tensorboard.py")
    assert max(step for name, _value, step in scalars if name == "payoff_1") == 2000


def test_what_cannot_be_written_is_told_in_a_line_before_the_work(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "is_a_folder.csv"
    folder.mkdir()
    lines = {
        "match nim random random -o": "is not a file",
        "train nim q --curve": "is not a file",
        "sweep nim --learner q -o": "is not a file",
        "solve nim -o": "is not a file",
    }
    for line, said in lines.items():
        code, _out, err = call(capsys, *line.split(), str(folder))
        assert (code, err.count("\n"), said in err) == (2, 1, True), (line, err)
    code, _out, err = call(capsys, "sweep", "nim", "--learner", "q", "-o", str(tmp_path / "a.xlsx"))
    assert (code, ".csv .parquet" in err) == (2, True)
    code, _out, err = call(capsys, "solve", "nim", "-o", str(tmp_path / "a.csv"), "--disk", "1")
    assert (code, "--disk" in err) == (2, True)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for line in lines:
        code, _out, err = call(capsys, *line.split(), str(tmp_path / "a.parquet"))
        assert (code, err.count("\n"), "[data]" in err) == (2, 1, True), (line, err)
    assert list(tmp_path.iterdir()) == [folder]


def test_what_was_there_stays_until_all_is_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    write_data(DataTable({"n": int}, [[1], [2]]), path)
    before = path.read_bytes()

    def rows() -> Any:
        yield [3]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_data(DataTable({"n": int}, rows()), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_parts_are_one_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, suffix: str) -> None:
    monkeypatch.setattr(data_files, "ROWS_AT_ONCE", 3)
    path = tmp_path / f"a{suffix}"
    write_data(DataTable({"n": int, "words": list}, [[n, ["a", "b"]] for n in range(10)]), path)
    assert [row["n"] for row in read_alike(path)] == list(range(10))
    assert type(encoder_for(path, {"n": int})) is (ParquetEncoder if suffix == ".parquet" else CsvEncoder)


@pytest.mark.parametrize("suffix", shortly([".csv", ".parquet"], ".csv"), indirect=True)
def test_a_match_that_is_interrupted_keeps_its_games(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_text("what was there")
    line = ("nim", "random", "random", "--games", "1000000000", "--jobs", "1", "--pure", "-o", str(path))
    process = started("match", *line, "--json")
    wait_until(lambda: _drafts(process.pid), process)
    interrupted(process)
    process.communicate()
    assert process.returncode == 130
    assert path.read_text() == "what was there"
    rows = read_alike(tmp_path / f"games.interrupted{suffix}")
    assert [row["number"] for row in rows] == list(range(len(rows)))
    assert rows


def _drafts(pid: int) -> list[Path]:
    """The files without a name that a process has open and has written to."""
    found = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # it has closed it meanwhile
            if "(deleted)" in os.readlink(entry) and entry.stat().st_size:
                found.append(entry)
    return found


def test_on_a_full_disk_only_what_can_be_read_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(data_files, "ROWS_AT_ONCE", 1)
    path, real = tmp_path / f"a{suffix}", os.write

    def full(descriptor: int, some: Any) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    recorder = Recorder(path)

    def record() -> None:
        with recorder:
            recorder.keep([RECORD])
            monkeypatch.setattr(os, "write", full)
            recorder.keep([RECORD, RECORD])

    with pytest.raises(LimitReached):
        record()
    monkeypatch.setattr(os, "write", real)
    if suffix == ".csv":
        [row] = csv.DictReader(path.open())
        assert row["agent_2"] == "'=perfect"
    else:
        assert recorder.kept is None
        assert not path.exists()


def test_a_name_of_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="ends in"):
        write_data(DataTable({}, []), tmp_path / "a.txt")
