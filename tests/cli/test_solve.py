"""`damier solve` where enumeration cannot: an exact search, within limits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import beginning

from damier.cli.solve import solve as command
from damier.lab import solving
from damier.search import exact

Captured = pytest.CaptureFixture[str]
LATE = "4,4,4,4,4,2,2,2,2,3,3,6,6,6,6,6,4,2"  # 18 plies
LONG = ("--seconds", "600")
"""Where an exact answer is expected: a machine that does much else takes longer than the default."""


call, _data = beginning("solve")


def found(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code, out, err = call(capsys, *arguments, "--json")
    assert code == 0, err
    assert out.count("\n") == 1
    return json.loads(out)  # type: ignore[no-any-return]


def test_a_position_of_a_game_too_large_is_searched(capsys: Captured) -> None:
    searched = found(capsys, "connect_four", "--moves", LATE, "--memory", "1", *LONG)
    assert searched["method"] == "alpha-beta"
    assert searched["positions"] > 0
    assert searched["best_moves"]
    assert set(searched["fastest_moves"]) <= set(searched["best_moves"])
    assert (searched["distance"] is None) == (searched["value"] == "draw")


def test_a_won_position_names_value_distance_and_moves(capsys: Captured) -> None:
    won = found(capsys, "connect_four", "--moves", "4,1,4,1,4,1", *LONG)
    assert (won["value"], won["distance"], won["fastest_moves"]) == ("win", 1, ["4"])
    over = found(capsys, "connect_four", "--moves", "4,1,4,1,4,1,4", *LONG)
    assert (over["value"], over["distance"], over["best_moves"]) == ("loss", 0, [])
    assert "\n1 position looked at in " in call(capsys, "connect_four", "--moves", "4,1,4,1,4,1,4", *LONG)[1]


def test_the_board_shows_what_every_move_leads_to(capsys: Captured, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    code, out, _err = call(capsys, "connect_four", "--moves", LATE, "--svg", str(picture), *LONG)
    assert code == 0
    assert "positions looked at" in out
    assert "alpha-beta" in out
    assert picture.read_text().startswith("<svg")


def test_both_methods_say_the_same(capsys: Captured) -> None:
    told = [
        found(capsys, "connect_four:width=4,height=4", "--moves", "2,3", "--method", method, *LONG)
        for method in ("enumerate", "search", "auto")
    ]
    assert [each["method"] == "alpha-beta" for each in told] == [False, True, False]
    for fact in ("value", "distance", "best_moves", "fastest_moves"):
        assert told[0][fact] == told[1][fact] == told[2][fact]


def test_a_large_game_is_searched_first_even_if_the_budget_would_hold_it(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "LARGE", 100_000)
    monkeypatch.setattr(solving, "TRIED_SECONDS", 600.0)
    line = ("connect_four:width=4,height=4", "--moves", "2,3", *LONG)
    assert found(capsys, *line)["method"] == "alpha-beta"
    monkeypatch.setattr(solving, "TRIED_SECONDS", 0.0)
    assert found(capsys, *line)["method"] != "alpha-beta"


def test_a_method_that_cannot_is_refused(capsys: Captured, tmp_path: Path) -> None:
    code, _out, err = call(capsys, "connect_four", "--method", "enumerate", "--memory", "0.01")
    assert (code, err.count("\n")) == (3, 1)
    code, _out, err = call(capsys, "hexapawn", "--method", "search")
    assert (code, "ply" in err) == (2, True)
    code, _out, err = call(capsys, "tictactoe", "--method", "search", "--out", str(tmp_path / "x.solution"))
    assert (code, "--out" in err) == (2, True)
    code, out, err = call(capsys, "connect_four", "--method", "search", "--seconds", "0.1", "--json")
    assert (code, "To enumerate" in err, json.loads(out)["value"]) == (3, False, None)


def test_one_option_writes_what_the_name_of_its_file_says(capsys: Captured, tmp_path: Path) -> None:
    for name, begins in (
        ("a.svg", b"<svg"),
        ("a.png", b"\x89PNG"),
        ("a.pdf", b"%PDF"),
        ("a.solution", b'{"format": "damier-solution'),
    ):
        for option in ("-o", "--out"):
            path = tmp_path / f"{option}{name}"
            assert call(capsys, "hexapawn", option, str(path))[0] == 0
            assert path.read_bytes().startswith(begins)
    assert call(capsys, "hexapawn", "--svg", str(tmp_path / "old"))[0] == 0
    assert (tmp_path / "old").read_bytes() == (tmp_path / "-oa.svg").read_bytes()
    code, _out, err = call(
        capsys, "hexapawn", "-o", str(tmp_path / "a.svg"), "--svg", str(tmp_path / "b.svg")
    )
    assert (code, "one option" in err) == (2, True)


def test_the_limit_of_time_is_exit_3_with_what_is_proven(capsys: Captured) -> None:
    code, out, err = call(capsys, "connect_four", "--seconds", "0.2", "--memory", "1", "--json")
    assert code == 3
    reached = json.loads(out)
    assert (reached["at_least"], reached["at_most"], reached["value"]) == ("loss", "win", None)
    assert reached["states"] == 70_728_639_995_483
    assert reached["positions"] > 0
    assert err.count("\n") == 1
    assert "--seconds" in err
    assert "70,728,639,995,483" in err


def test_a_search_leaves_nothing_to_write(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "x.solution"
    code, out, err = call(capsys, "connect_four", "--moves", LATE, "--out", str(path), "--memory", "0.5")
    assert (code, out) == (3, "")
    assert "--out" in err
    assert not path.exists()


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "1e12"])
def test_a_limit_of_time_that_is_none_is_refused(capsys: Captured, seconds: str) -> None:
    code, out, err = call(capsys, "tictactoe", "--seconds", seconds)
    assert (code, out) == (2, "")
    assert "--seconds" in err


def test_the_limit_of_time_holds_for_enumeration_too(capsys: Captured) -> None:
    code, _out, err = call(
        capsys, "connect_four:width=5,height=5", "--seconds", "0.01", "--compiled", "--memory", "8"
    )
    assert code == 3
    assert "--seconds" in err


def test_ctrl_c_tells_what_is_proven_and_is_exit_130(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(prover: exact.Prover, s: object, bounds: exact.Bounds) -> None:
        bounds.answered(0, 0)
        raise KeyboardInterrupt

    monkeypatch.setattr(exact.Prover, "narrow", interrupted)
    code, out, err = call(capsys, "connect_four")
    assert (code, out) == (130, "")
    assert "at least a draw" in err


def test_help_says_what_seconds_are(capsys: Captured) -> None:
    assert command.__module__ == "damier.cli.solve"
    code, out, _err = call(capsys, "--help")
    assert code == 0
    assert "--seconds" in out
