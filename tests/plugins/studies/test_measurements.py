"""Studies shared among processes: the same rows as from one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lasting import long, shortly

from damier import load
from damier.core import job as long_work
from damier.core.job import Job
from damier.lab.games import Lab
from damier.lab.pacman_study import PacmanPlan, PacmanStudy
from damier.plugins.studies.measurements import SolvedRow, entries, growth, solved_by

PLAN = PacmanPlan(("random",), ("score", "score+near_food"), (1,), games=2, seed=5)
STUDIES: dict[str, Callable[[Job], object]] = {
    "exact": lambda job: list(entries(Lab(load("nim"), job), [1, 2], ["", "theory"], "random")),
    "played": lambda job: list(entries(Lab(load("nim"), job), [1, 2], ["", "theory"], "random", 9, 4)),
    "growth": lambda job: growth(load("nim"), 120, 2, job),
    "pacman": lambda job: list(PacmanStudy(Lab(load("pacman:layout=crossing"), job), PLAN).games()),
}


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "PROCESSES_PAY", 0.0)


@pytest.mark.parametrize("name", shortly(STUDIES, "exact", "pacman"))
def test_two_processes_find_the_same_rows(name: str) -> None:
    study = STUDIES[name]
    assert study(Job(jit=False, jobs=2)) == study(Job(jit=False))


@long
def test_known_positions_are_solved_alike() -> None:
    def counted(job: Job) -> list[tuple[str, int, int, float, int]]:
        agents = ["selective:nodes=2", "selective:nodes=3"]
        return [untimed(row) for row in solved_by(Lab(load("chess"), job), agents)]

    def untimed(row: SolvedRow) -> tuple[str, int, int, float, int]:
        return row["agent"], row["solved"], row["positions"], row["plies"], row["nodes"]

    assert counted(Job(jit=False, jobs=2)) == counted(Job(jit=False))
