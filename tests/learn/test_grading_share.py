"""How often a learner is graded while it trains: by the sizes of game and blocks, never by a clock."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from commands import beginning
from lasting import shortly

from damier.core.job import Job
from damier.lab import training
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, Trainer, trainer

Captured = pytest.CaptureFixture[str]
call, data = beginning("train")


def graded(made: Trainer) -> list[int]:
    """After how many games there is a grade."""
    blocks = made.training.curve.blocks
    return [
        sum(block.games for block in blocks[: number + 1])
        for number, block in enumerate(blocks)
        if block.grade
    ]


def trained(games: int, grade_every: int | None = None, text: str = "hexapawn") -> Trainer:
    made = trainer(Lab(load(text), Job(jit=False)), Plan("q", grade_every=grade_every))
    made.training.run(games, Job(jit=False))
    return made


def test_a_small_game_is_graded_after_every_block() -> None:
    assert graded(trained(100)) == [*range(4, 100, 4), 100]


@pytest.mark.parametrize(
    ("every", "expected"),
    [(1, [*range(4, 101, 4)]), (16, [16, 32, 48, 64, 80, 96, 100]), (20, [32, 64, 96, 100]), (0, [])],
)
def test_so_often_as_it_is_asked(every: int, expected: list[int]) -> None:
    assert graded(trained(100, every)) == expected


def test_a_large_game_is_graded_when_the_games_between_have_taken_ten_times_as_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(training, "FREE_POSITIONS", 100)
    made = trained(5000)
    every = made.training.grade_every()
    assert every == training.power_of_two(
        training.PLIES_A_POSITION * 135 / training.mean_plies(made.lab.game)
    )
    assert graded(made) == [*range(every, 5000, every), 5000]
    assert 512 <= every <= 2048
    assert graded(trained(40)) == [40]


@pytest.mark.parametrize(
    ("parts", "every"),
    shortly(product([(64, 300), (100, 131, 300), (256, 300)], [None, 32, 0]), ((100, 131, 300), 32)),
)
def test_a_training_in_parts_has_the_grades_of_one_in_one_go(
    parts: tuple[int, ...], every: int | None, tmp_path: Path
) -> None:
    whole = tmp_path / "whole.json"
    made = trainer(Lab(load("hexapawn"), Job(jit=False)), Plan("q", grade_every=every))
    made.save_to(whole)
    made.training.run(300, Job(jit=False))
    path = tmp_path / "parts.json"
    for games in parts:
        made = trainer(Lab(load("hexapawn"), Job(jit=False)), Plan("q", grade_every=every))
        if path.exists():
            made.resume(path)
        made.save_to(path)
        made.training.run(games, Job(jit=False))
    assert path.read_bytes() == whole.read_bytes()


def test_on_the_command_line(capsys: Captured) -> None:
    told = data(capsys, "hexapawn", "q", "--games", "100", "--grade-every", "32", "--pure")
    assert [block["grade"] is not None for block in told["curve"]] == [
        number % 8 == 7 or number == 24 for number in range(25)
    ]
    assert told["grade"] is not None
    assert (
        data(capsys, "hexapawn", "q", "--games", "100", "--grade-every", "never", "--pure")["grade"] is None
    )
    for wrong in ("0", "-1", "often", "1.5"):
        code, _out, err = call(capsys, "hexapawn", "q", "--grade-every", wrong)
        assert (code, err.count("\n")) == (2, 1)
        assert "never" in err
