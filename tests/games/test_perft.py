"""Perft tables as data, with their sources."""

from __future__ import annotations

import json
import sys
from itertools import takewhile
from pathlib import Path

import pytest
from lasting import later

from damier import load
from damier.core.job import Job
from damier.solve import divide, perft

TABLES = json.loads((Path(__file__).parent.parent / "golden" / "perft.json").read_text())
DEAR = (
    "tictactoe",
    "othello",
    "draughts",
    "draughts:variant=international",
    "nim:heaps=1-3-5-7",
    "mnk:width=4,height=3,in_a_row=3",
)
"""Their lines are counted less far in the default run."""
FEW = 10_000
"""Lines that plain Python counts in a moment."""


@pytest.mark.parametrize(
    "table",
    [later(table) if table["game"] in DEAR else table for table in TABLES],
    ids=[table["game"] for table in TABLES],
)
def test_leaves_by_depth_are_those_of_the_source(table: dict) -> None:
    """What takes long is compiled from the beginning: plain Python would count much of it meanwhile."""
    jit = True if table["leaves"][-1] > 300_000 else None
    assert perft(load(table["game"]), len(table["leaves"]), job=Job(jit=jit)) == table["leaves"]


@pytest.mark.parametrize(
    "table", [table for table in TABLES if table["game"] in DEAR], ids=lambda t: t["game"]
)
def test_the_first_leaves_are_those_of_the_source(table: dict) -> None:
    few = list(takewhile(lambda leaves: leaves <= FEW, table["leaves"]))
    assert len(few) > 2
    assert perft(load(table["game"]), len(few), job=Job(jit=False)) == few


@pytest.mark.parametrize(
    "table", [table for table in TABLES if len(table["leaves"]) > 6], ids=lambda table: table["game"]
)
def test_divide_adds_up_to_the_leaves(table: dict) -> None:
    divided = divide(load(table["game"]), 5, job=Job(jit=False))
    assert sum(divided.values()) == table["leaves"][4]
    assert len(divided) == table["leaves"][0]


def test_every_source_is_named() -> None:
    assert all(table["source"] and table["leaves"] for table in TABLES)


@pytest.mark.parametrize("jobs", [2, 3])
def test_cores_that_share_the_lines_count_the_same(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["damier.solve.count"], "LEAVES", 100)
    monkeypatch.setattr("damier.core.job.ALONE", 0)
    game, job = load("connect_four"), Job(jit=True, jobs=jobs)
    assert divide(game, 5, job=job) == divide(game, 5, job=Job(jit=True))
    assert perft(game, 5, job=job) == [7, 49, 343, 2401, 16807]
