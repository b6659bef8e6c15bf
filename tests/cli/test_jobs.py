"""`--jobs`: who offers it, what it refuses in one line, and that it changes no result."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Captured, beginning
from lasting import later, long

call, data = beginning()

SHARING = [
    "solve tictactoe",
    "count tictactoe",
    "perft tictactoe --depth 2",
    "grade tictactoe random",
    "search tictactoe mcts",
    "match tictactoe random random --games 10",
    "study growth tictactoe --games 10",
    "train hexapawn q --games 10",
    "tables draughts --pieces 2 -o nowhere",
]
ALONE = ["play hexapawn random random", "graph nim:matches=3", "uci", "gtp"]


@pytest.mark.parametrize("line", SHARING)
@pytest.mark.parametrize(("jobs", "why"), [("0", "from 1 to 256"), ("257", "from 1 to 256"), ("x", "whole")])
def test_a_number_that_is_none_is_refused_in_one_line(
    capsys: Captured, line: str, jobs: str, why: str
) -> None:
    code, out, err = call(capsys, *line.split(), "--jobs", jobs)
    assert code == 2
    assert out == ""
    assert f"--jobs {jobs}" in err
    assert why in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("line", ALONE)
def test_what_shares_nothing_does_not_offer_it(capsys: Captured, line: str) -> None:
    code, _out, err = call(capsys, *line.split(), "--jobs", "2")
    assert code == 2
    assert "--jobs" in err


@pytest.mark.parametrize(
    "line",
    [
        "search tictactoe mcts:trees=3,simulations=60",
        later("search tictactoe minimax:plies=6"),
        later("search tictactoe alphabeta:plies=6"),
        *SHARING[1:3],
        "grade hexapawn random",
    ],
)
def test_results_do_not_depend_on_it(capsys: Captured, line: str) -> None:
    def answer(jobs: str) -> dict[str, object]:
        found = data(capsys, *line.split(), "--jobs", jobs, "--compiled")
        found.pop("seconds", None)
        return found

    assert answer("1") == answer("2") == answer("3")


@long
def test_records_are_the_same_bytes_with_all_cores(capsys: Captured, tmp_path: Path) -> None:
    match = "match tictactoe random random --games 5000 --seed 4 --compiled"
    for jobs in ([], ["--jobs", "1"], ["--jobs", "3"]):
        assert call(capsys, *match.split(), *jobs, "-o", str(tmp_path / f"games{jobs[-1:]}"))[0] == 0
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_a_learner_plays_on_one_core_and_refuses_several(capsys: Captured) -> None:
    match = "match hexapawn v random --games 20"
    assert call(capsys, *match.split())[0] == 0
    code, _out, err = call(capsys, *match.split(), "--jobs", "2")
    assert code == 2
    assert "one after the other" in err


def test_a_search_that_cannot_be_shared_says_so(capsys: Captured) -> None:
    assert "mcts:trees=N" in call(capsys, "search", "tictactoe", "mcts", "--jobs", "2")[2]
    limited = call(capsys, "search", "tictactoe", "minimax:plies=2,nodes=50", "--jobs", "2")[2]
    assert "uses 1 of them at most" in limited
    assert "trees" not in limited
    assert "at most" not in call(capsys, "search", "tictactoe", "minimax:plies=2", "--jobs", "2")[2]
    assert "trees" not in call(capsys, "search", "tictactoe", "mcts:trees=2", "--jobs", "2")[2]
    assert "trees" not in call(capsys, "search", "tictactoe", "minimax:plies=2")[2]
