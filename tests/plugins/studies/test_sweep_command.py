"""`damier sweep`: every training is that of `damier train`; one process or several, whole or killed, the
table is the same.
"""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from statistics import fmean
from typing import cast
from xml.etree import ElementTree

import pytest
from at_work import interrupted, one_object, started, wait_until
from commands import Captured, beginning
from lasting import later, shortly

from damier.core import job as long_work
from damier.core.errors import BadInput
from damier.plugins.studies.sweep import SweepPlan, TrainingResult, settings_of, sweep_report, swept
from tests.mutations import changed

call, data = beginning("sweep")
train, trained = beginning("train")
show, shown = beginning("show")
SMALL = ("nim", "--learner", "q:alpha=0.1,0.5", "--learner", "mean", "--games", "100", "--seeds", "3")
ERRORS = {
    "q:alpha=0.1,": "a value is missing",
    "q:alpha=,0.1": "a value is missing",
    "q:0.1,alpha=0.2": "0.1 is the value of no option",
    "q:alpha=0.1,0.1": "has the value 0.1 twice",
    "q:alpha=0.1,alpha=0.2": "alpha is given twice",
    "q:alpha=0.1..0.5": "0.1..0.5..STEP",
    "q:alpha=0.5..0.1..0.1": "has no values",
    "q:alpha=0.1..0.5..0": "has no values",
    "q:decay_after=0..100000": "100,001 values",
    "q:alpha=0.001..1..0.001,epsilon=0.001..1..0.001": "1,000,000 combinations",
}


@pytest.mark.parametrize("text", ERRORS)
def test_what_is_wrong_with_values_is_said(text: str) -> None:
    with pytest.raises(BadInput) as told:
        swept(text)
    assert ERRORS[text] in str(told.value)


def test_settings_are_all_combinations() -> None:
    found = swept("q:preset=one-step,alpha=0.1..0.3..0.1,ties=first,last")
    assert [setting.text for setting in found] == [
        f"q:preset=one-step,alpha={alpha},ties={ties}"
        for alpha in ("0.1", "0.2", "0.3")
        for ties in ("first", "last")
    ]
    assert found[0].varied == (("alpha", "0.1"), ("ties", "first"))
    assert [setting.text for setting in swept("./mine.py:Mine:depth=1,2")] == [
        "./mine.py:Mine:depth=1",
        "./mine.py:Mine:depth=2",
    ]
    beyond = f"q:alpha={'9' * 30}..1"  # of more digits than a number of a range: a value as it is written
    assert [setting.text for setting in swept(beyond)] == [beyond]
    with pytest.raises(BadInput, match="twice"):
        settings_of(["q", "q"])


def test_wrong_learners_are_told_before_the_first_game(capsys: Captured, tmp_path: Path) -> None:
    for learner, said in (("q:alpha=0.1,5", "alpha"), ("random", "does not learn"), ("q:beta=1", "beta")):
        store = tmp_path / "sweep.jsonl"
        code, _out, err = call(capsys, "nim", "--learner", learner, "--store", str(store))
        assert code == 2
        assert said in err
        assert not store.exists()
    code, _out, err = call(capsys, "nim", "--learner", "q", "--opponent", "human")
    assert (code, "human" in err) == (2, True)


def test_every_training_is_that_of_train(capsys: Captured) -> None:
    from scipy.stats import t

    found = data(capsys, *SMALL, "--pure")
    assert [row["learner"] for row in found["rows"]] == ["q:alpha=0.1", "q:alpha=0.5", "mean"]
    assert (found["trained"], found["of"]) == (9, 9)
    for row in found["rows"]:
        payoffs, ceilings = [], set()
        for seed in range(3):
            line = ("nim", row["learner"], "--games", "100", "--seed", str(seed), "--pure")
            grade = trained(capsys, *line)["grade"]
            payoffs.append(grade["seats"][0]["payoff"])
            ceilings.add(grade["best_against"][0]["payoff"])
        assert row["payoff"]["mean"] == fmean(payoffs)
        assert {row["ceiling"]} == ceilings
        low, high = t.interval(0.95, 2, fmean(payoffs), spread(payoffs))
        assert row["payoff"]["interval"] == pytest.approx([low, min(high, row["ceiling"])])
        assert row["share"]["mean"] == pytest.approx(fmean(payoffs) / row["ceiling"])


def spread(values: list[float]) -> float:
    """The standard error of the mean."""
    middle = fmean(values)
    return float((sum((value - middle) ** 2 for value in values) / (len(values) - 1) / len(values)) ** 0.5)


def test_processes_make_the_same_table(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(long_work, "PROCESSES_PAY", 0.0)
    for jobs in ("1", "2"):
        out, store = tmp_path / f"{jobs}.csv", tmp_path / f"{jobs}.jsonl"
        picture = tmp_path / f"{jobs}.svg"
        line = ("--jobs", jobs, "-o", str(out), "--store", str(store), "--picture", str(picture), "--pure")
        assert call(capsys, *SMALL, *line)[0] == 0
    for suffix in (".csv", ".svg"):
        one, two = ((tmp_path / f"{jobs}{suffix}").read_bytes() for jobs in ("1", "2"))
        assert one == two
    assert sorted((tmp_path / "1.jsonl").read_text().splitlines()) == sorted(
        (tmp_path / "2.jsonl").read_text().splitlines()
    )
    rows = list(csv.DictReader((tmp_path / "1.csv").open()))
    assert [row["alpha"] for row in rows] == ["0.1", "0.5", ""]
    drawn = (tmp_path / "1.svg").read_text()
    ElementTree.fromstring(drawn)
    assert "ceiling +1.0000" in drawn
    assert "Student" in drawn


def lines_in(store: Path) -> int:
    return store.read_bytes().count(b"\n") if store.exists() else 0


@pytest.mark.parametrize(
    ("kills", "seeds"), [([("2", 2)], 3), later(([("1", 2), ("2", 8)], 5))], ids=["once", "twice"]
)
def test_killed_it_goes_on(
    kills: list[tuple[str, int]], seeds: int, capsys: Captured, tmp_path: Path
) -> None:
    store, most = tmp_path / "sweep.jsonl", 5 * seeds + 1
    line = ("nim", "--learner", "q:alpha=0.1..0.5..0.1", "--games", "300", "--seeds", str(seeds), "--pure")
    for jobs, trainings in kills:
        process = started("sweep", *line, "--jobs", jobs, "--store", str(store), "--quiet")
        wait_until(lambda: lines_in(store) > trainings, process)
        process.kill()
        process.communicate()
    with store.open("ab") as torn:
        torn.write(b'{"digest": "", "learner": "q:al')
    known = lines_in(store)
    found = data(capsys, *line, "--jobs", "1", "--store", str(store))
    assert lines_in(store) == most
    assert trainings < known < most
    assert found == data(capsys, *line, "--jobs", "1")


def test_ctrl_c_tells_what_there_is(tmp_path: Path) -> None:
    store, out = tmp_path / "sweep.jsonl", tmp_path / "sweep.csv"
    line = ("nim", "--learner", "q:alpha=0.1..0.9..0.1", "--games", "2000", "--seeds", "100", "--pure")
    process = started("sweep", *line, "--store", str(store), "-o", str(out), "--json")
    wait_until(lambda: lines_in(store) > 3, process)
    printed, err = interrupted(process)
    found = one_object(printed)
    assert found["trained"] == lines_in(store) - 1 > 0
    assert found["of"] == 900
    assert sum(row["seeds"] for row in found["rows"]) == found["trained"]
    assert len(list(csv.DictReader(out.open()))) == len(found["rows"])
    assert "goes on from here" in err


def test_another_sweep_keeps_another_file(capsys: Captured, tmp_path: Path) -> None:
    store = str(tmp_path / "sweep.jsonl")
    line = ("nim", "--learner", "q", "--games", "20", "--seeds", "1", "--store", store)
    first = data(capsys, *line)
    assert data(capsys, *line[:-4], "--seeds", "2", "--store", store)["trained"] == 2  # more of the same
    code, _out, err = call(capsys, *line, "--opponent", "perfect")
    assert code == 2
    assert "opponent" in err
    assert data(capsys, *line) == first
    Path(store).write_text('{"format": "damier-tree/1"}\n')
    code, _out, err = call(capsys, *line)
    assert (code, "is not the file of a sweep" in err) == (2, True)


def test_a_learner_that_was_edited_trains_again(capsys: Captured, tmp_path: Path) -> None:
    mine, store = tmp_path / "mine.py", tmp_path / "sweep.jsonl"
    mine.write_text(OWN)
    line = (
        "nim",
        "--learner",
        f"{mine}:alpha=0.1,0.5",
        "--games",
        "30",
        "--seeds",
        "1",
        "--store",
        str(store),
    )
    assert data(capsys, *line)["trained"] == 2
    mine.write_text(OWN.replace("0.25", "0.5"))
    assert data(capsys, *line)["trained"] == 2
    assert lines_in(store) == 5


OWN = """
class Mine:
    def __init__(self, rng, alpha: float = 0.1):
        self.rng, self.alpha, self.q = rng, alpha, {}

    def row(self, position):
        return self.q.setdefault(str(position.state), dict.fromkeys(position.moves, 0.0))

    def choose(self, position):
        if self.learning and self.rng.random() < 0.25:
            return self.rng.choice(position.moves)
        row = self.row(position)
        return max(row, key=row.get)

    def learn(self, position, move, reward, next_position):
        later = max(self.row(next_position).values()) if next_position else 0.0
        row = self.row(position)
        row[move] += self.alpha * (reward + later - row[move])
"""


def test_what_is_not_graded_is_told_by_the_games_won(capsys: Captured, tmp_path: Path) -> None:
    picture = tmp_path / "sweep.svg"
    line = ("nim", "--learner", "q", "--games", "20", "--seeds", "2", "--grade-every", "never")
    found = data(capsys, *line, "--picture", str(picture))
    assert found["rows"][0]["payoff"] is None
    assert 0 <= found["rows"][0]["won"]["mean"] <= 1
    assert "not graded" in picture.read_text()


def test_files_with_other_names_are_refused(capsys: Captured) -> None:
    for option, name in (("-o", "a.json"), ("--picture", "a.txt")):
        code, _out, err = call(capsys, "nim", "--learner", "q", option, name)
        assert (code, name in err) == (2, True)


def test_show_tells_what_is_in_the_file(capsys: Captured, tmp_path: Path) -> None:
    store = tmp_path / "sweep.jsonl"
    told = data(capsys, *SMALL, "--store", str(store))
    with store.open("ab") as torn:
        torn.write(b'{"digest": "", "learner": "q:al')
    found = shown(capsys, str(store))
    assert [{**row, "options": {}} for row in told["rows"]] == found["rows"]
    assert found["trained"] == 9
    header, line, *_rest = store.read_text().splitlines()
    for damaged in (
        '{"learner": "q"}',
        line.replace('"seed": 0', '"seed": "0"'),
        line.replace("[[", "[[null,"),
    ):
        assert damaged != line
        store.write_text(f"{header}\n{damaged}\n")
        for code, _out, err in (show(capsys, str(store)), call(capsys, *SMALL, "--store", str(store))):
            assert (code, ":2: not a training" in err) == (2, True)


@pytest.mark.parametrize(
    "theirs", [b"notes", b'{"a": 1}', bytes(100), b'{"format": "damier-sweep/1", "game": "hex']
)
def test_a_file_of_something_else_stays(theirs: bytes, capsys: Captured, tmp_path: Path) -> None:
    store = tmp_path / "mine.txt"
    store.write_bytes(theirs)
    code, _out, err = call(capsys, "nim:matches=9", "--learner", "q", "--games", "9", "--store", str(store))
    assert (code, "is not the file of a sweep" in err) == (2, True)
    assert store.read_bytes() == theirs


def test_a_first_line_that_was_cut_off_is_begun_again(capsys: Captured, tmp_path: Path) -> None:
    store = tmp_path / "sweep.jsonl"
    line = ("nim", "--learner", "q", "--games", "20", "--seeds", "1", "--jobs", "1", "--store", str(store))
    told, whole = data(capsys, *line), store.read_bytes()
    for size in range(0, whole.index(b"\n"), 37):
        store.write_bytes(whole[:size])
        assert (data(capsys, *line), store.read_bytes()) == (told, whole)


@pytest.mark.parametrize("tries", shortly([15, 60], 15))
def test_whatever_a_line_says(tries: int, capsys: Captured, tmp_path: Path) -> None:
    """It is taken or refused in one line, and so is the table of it."""
    store, dice, refused = tmp_path / "sweep.jsonl", random.Random(7), 0
    line = ("nim", "--learner", "q", "--games", "20", "--seeds", "2", "--jobs", "1", "--store", str(store))
    line += ("--seed", str((1 << 62) - 3))
    told = data(capsys, *line)
    assert data(capsys, *line) == told
    kept = [json.loads(part) for part in store.read_bytes().splitlines()]
    for _try in range(tries):
        lines = changed(kept, dice)
        store.write_text("".join(json.dumps(part) + "\n" for part in lines))
        for code, _out, err in (show(capsys, str(store)), call(capsys, *line, "--picture", f"{store}.svg")):
            assert code in (0, 2), lines
            assert err.count("\n") == (code == 2), lines
            refused += code == 2
    assert refused > tries * 2 / 3


def test_the_table_of_many_settings_takes_no_longer_for_each() -> None:
    """As many comparisons as trainings, not as trainings times settings."""
    looks = 0

    class Watched(dict[str, object]):
        def __getitem__(self, name: str) -> object:
            nonlocal looks
            looks += name == "learner"
            return super().__getitem__(name)

    settings = settings_of(["q:decay_after=0..199"])
    facts = {"seed": 0, "games": 1, "seat": "1", "against": "random", "won": 0.5, "points": []}
    facts |= {"payoff": None, "ceiling": None, "optimal": None}
    results = [cast("TrainingResult", Watched(facts, learner=setting.text)) for setting in settings]
    report = sweep_report("nim", SweepPlan(tuple(settings), range(1)), results)
    assert len(report["rows"]) == 200
    assert looks <= 2 * len(results)
