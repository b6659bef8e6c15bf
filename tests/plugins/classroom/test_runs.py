"""Runs of exercises that a class keeps: by whom, the first, the best, how often; and who joins without a
file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from damier.arena.pairing import TournamentPlan
from damier.arena.store import opened
from damier.core.errors import BadInput, LimitReached
from damier.plugins.classroom import class_store as limits
from damier.plugins.classroom.class_store import ClassStore, FinishedRun, NewSubmission, Roll

PLAN = TournamentPlan("nim", {"matches": 5}, "", (), 0, 4, 100, is_open=True)


@pytest.fixture
def roll(tmp_path: Path) -> Iterator[Roll]:
    with opened(str(tmp_path / "class.db")) as store:
        found = Roll(store)
        found.open(PLAN, "")
        yield found


def run(points: int, at: int, seed: int = 7) -> FinishedRun:
    return FinishedRun(f"?kind=q&seed={seed}&run=10", points, 100, at)


def test_the_first_run_counts_and_the_best_is_shown(roll: Roll) -> None:
    bob, ada = roll.join("Bob").student, roll.join("ada").student
    views = ClassStore(roll.store, 1)
    versions = {views.progress().version}
    for student, kept in ((bob, run(600, 5)), (ada, run(955, 6)), (bob, run(900, 7)), (bob, run(100, 8, 8))):
        roll.keep_run(student.id, kept)
        versions.add(views.progress().version)
    found = [(line.student, line.first, line.best, line.times, line.last_finished) for line in roll.runs()]
    assert found == [("ada", 955, 955, 1, 6), ("Bob", 600, 900, 2, 7), ("Bob", 100, 100, 1, 8)]
    assert len(versions) == 5, "the page of the class is another after each"
    roll.remove(bob.id)
    assert [line.student for line in roll.runs()] == ["ada"]


def test_who_joins_has_a_key_and_may_hand_in_later(roll: Roll) -> None:
    joined = roll.join("  Zoé ")
    assert roll.student(joined.key) == joined.student
    assert roll.hand_in(joined.key, NewSubmission(b"x", "", "en", 0)).student == joined.student
    with pytest.raises(BadInput, match="already"):
        roll.join("ZOÉ")
    with pytest.raises(BadInput, match="letters"):
        roll.join("<b>")


def test_too_many_runs_are_refused(roll: Roll, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_RUNS", 2)
    student = roll.join("Ada").student
    for at in range(2):
        roll.keep_run(student.id, run(10, at))
    with pytest.raises(LimitReached, match="2 runs"):
        roll.keep_run(student.id, run(10, 3))
