"""`damier solve` where enumeration cannot: an exact search, within limits."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import gallery
import pytest
from commands import beginning

from damier import load
from damier.cli.solve import solve as command
from damier.core.files import unwritten
from damier.core.job import Job
from damier.core.rules import Moves, State, win_in
from damier.core.solution import Solution
from damier.lab import solving
from damier.search import exact
from damier.solve import store

EXAMPLES = Path(__file__).parents[2] / "examples"

Captured = pytest.CaptureFixture[str]
LATE = "4,4,4,4,4,2,2,2,2,3,3,6,6,6,6,6,4,2,6,2,5,7"  # 22 plies
SOON = "7,7,7,7,7,7,2,2,2,2,2,2,4,1,4,1,4,1"  # two columns are full: the other moves are soon known
FEW = "2,3,3,2"  # on a board of four by four
LONG = ("--seconds", "600")
"""Where an exact answer is expected: a machine that does much else takes longer than the default."""


call, _data = beginning("solve")


def found(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code, out, err = call(capsys, *arguments, "--json")
    assert code == 0, err
    assert out.count("\n") == 1
    return json.loads(out)  # type: ignore[no-any-return]


def other(capsys: Captured, *arguments: str) -> str:
    """What another command says."""
    code, out, err = beginning()[0](capsys, *arguments)
    assert code == 0, err
    return out


def test_a_position_of_a_game_too_large_is_searched(capsys: Captured) -> None:
    searched = found(capsys, "connect_four", "--moves", SOON, "--memory", "1", *LONG)
    assert searched["method"] == "alpha-beta"
    assert searched["positions"] > 0
    assert searched["best_moves"]
    assert set(searched["fastest_moves"]) <= set(searched["best_moves"])
    assert (searched["distance"] is None) == (searched["value"] == "draw")


def test_a_won_position_names_value_distance_and_moves(capsys: Captured) -> None:
    won = found(capsys, "connect_four", "--moves", SOON, *LONG)
    assert (won["value"], won["distance"], won["fastest_moves"]) == ("win", 1, ["4"])
    over = found(capsys, "connect_four", "--moves", f"{SOON},4", *LONG)
    assert (over["value"], over["distance"], over["best_moves"]) == ("loss", 0, [])
    assert "\n1 position looked at in " in call(capsys, "connect_four", "--moves", f"{SOON},4", *LONG)[1]


def test_the_board_shows_what_every_move_leads_to(capsys: Captured, tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    code, out, _err = call(capsys, "connect_four", "--moves", SOON, "-o", str(picture), *LONG)
    assert code == 0
    assert "positions looked at" in out
    assert "alpha-beta" in out
    assert picture.read_text().startswith("<svg")


def test_both_methods_say_the_same(capsys: Captured) -> None:
    told = [
        found(capsys, "connect_four:width=4,height=4", "--moves", FEW, "--method", method, *LONG)
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
    line = ("connect_four:width=4,height=4", "--moves", FEW, *LONG)
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


def test_a_full_disk_takes_nothing_from_what_was_found(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_given: object) -> None:
        raise unwritten(tmp_path / "a.solution", OSError(errno.ENOSPC, "No space left on device"))

    monkeypatch.setattr(store, "save", full)
    line = ("hexapawn:blocked=loss", "--out", str(tmp_path / "a.solution"))
    code, out, err = call(capsys, *line, "--json")
    assert (code, json.loads(out)["value"], json.loads(out)["distance"]) == (3, "loss", 6)
    assert "No space left on device" in err
    code, out, err = call(capsys, *line)
    assert (code, "loses in 6 plies" in out, "written" in out) == (3, True, False)
    assert "No space left on device" in err


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
    assert "--seconds" not in err  # nobody gave it: it was Ctrl-C
    code, out, _err = call(capsys, "connect_four", "--json")
    told = json.loads(out)
    assert (code, told["error"], told["at_least"], told["at_most"]) == (130, "interrupted", "draw", "win")
    assert len(told["moves"]) == 7


def test_a_first_position_may_take_a_minute_of_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "cores", lambda: 2)
    game = load("connect_four")
    later = game.play(game.start, game.legal(game.start)[0])
    assert solving.usual_seconds(game, game.start, Job(jobs=2)) == 60
    assert solving.usual_seconds(game, game.start, Job(jobs=1)) == 30
    assert solving.usual_seconds(game, later, Job(jobs=2)) == 30


def test_signs_of_life_say_what_is_proven() -> None:
    game = load("connect_four")
    children = {move: exact.Bounds() for move in game.legal(game.start)}
    found = exact.Exact(game, game.start, exact.Bounds(0, win_in(3)), children)
    assert solving.nodes_and_proven(found) == "nodes; so far: at least a draw"
    found.bounds.low = win_in(41)
    assert solving.nodes_and_proven(found) == "nodes; so far: a win in 3 to 41 plies"
    found.bounds.high = win_in(41)
    children[min(children)].low = children[min(children)].high = 0
    assert solving.nodes_and_proven(found) == "nodes; a win in 41 plies; moves: 1 of 7"


def test_a_search_tells_what_it_has_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that grows tells it whenever it does."""
    monkeypatch.setattr(exact, "FIRST_SLOTS", 1 << 8)
    game, told = load("connect_four"), list[str]()
    s = game.position().play(*LATE.split(",")).state
    job = Job(jit=True, progress=lambda done, total, what: told.append(what))
    answer = solving.solved(game, s, job, float(LONG[1]), method="search")
    assert answer.solution.value(s) == "draw"
    assert any(what.startswith("nodes; so far: ") for what in told), told


def test_help_says_what_seconds_are(capsys: Captured) -> None:
    assert command.__module__ == "damier.cli.solve"
    code, out, _err = call(capsys, "--help")
    assert code == 0
    assert "--seconds" in out


# payoffs


def test_a_margin_is_told_in_words_and_as_data(capsys: Captured) -> None:
    code, out, err = call(capsys, "dots_and_boxes", "--moves", "h1-1")
    assert (code, err) == (0, "")
    assert "Player 2 to move loses by 2 with best play." in out
    assert " payoff " in out
    told = found(capsys, "dots_and_boxes", "--moves", "h1-1")
    assert (told["value"], told["distance"], told["bound"]) == (-2, None, 0)
    told = found(capsys, "dots_and_boxes", "--moves", "h1-1,h1-2,v1-1")
    assert len(set(told["moves"].values())) > 1
    assert {name for name, payoff in told["moves"].items() if payoff == told["value"]} == set(
        told["best_moves"]
    )


def test_a_chance_is_told_in_words_and_as_data(capsys: Captured) -> None:
    out = call(capsys, "pig:target=10")[1]
    assert "Chance is to move: player 1 wins with probability 0.7094 with best play." in out
    assert "payoffs are right to" in out
    told = found(capsys, "pig:target=10", "--moves", "6", "--bound", "1e-8")
    assert told["best_moves"] == ["roll"]
    assert told["win_probability"] == pytest.approx((1 + told["value"]) / 2)
    assert 0 < told["bound"] <= 1e-8
    assert found(capsys, "pig:target=10")["best_moves"] == []  # nobody chooses


def test_the_end_of_a_margin_game_names_the_payoffs(capsys: Captured) -> None:
    over = call(capsys, "dots_and_boxes:rows=1,columns=2", "--moves", "h1-1,h1-2,h2-1,h2-2,v1-1,v1-2,v1-3")[1]
    assert "The game is over. Payoffs: +2 -2." in over or "The game is over. Payoffs: -2 +2." in over


def test_a_puzzle_of_one_player_has_its_payoff(capsys: Captured) -> None:
    assert "gets a payoff of -7" in call(capsys, str(EXAMPLES / "river.py"))[1]


def test_the_number_of_graded_positions_is_grouped(capsys: Captured) -> None:
    assert "over all 4,520 positions" in other(capsys, "grade", "tictactoe", "random")
    assert "over all 4,520 positions" in other(capsys, "card", "random", "--game", "tictactoe")


@pytest.mark.parametrize(
    ("matches", "said"),
    [
        (1, "keep the value: 100.00 % in the one position of the game that is not over"),
        (0, "the game is over before a move: there is no move to be graded"),
    ],
)
def test_a_grade_of_a_game_of_one_move_or_none(
    capsys: Captured, tmp_path: Path, matches: int, said: str
) -> None:
    path = tmp_path / "short.py"
    path.write_text(
        "from damier import ONGOING, Game\nfrom typing import NamedTuple\n\n\n"
        "class State(NamedTuple):\n    left: int\n    mover: int\n\n\n"
        "def short(left: int = 1) -> Game:\n"
        "    return Game(\n        'short', State(left, 0), lambda s: 1,\n"
        "        lambda s, move: State(s.left - 1, 1 - s.mover),\n"
        "        lambda s: ONGOING if s.left else -1,\n    )\n"
    )
    assert said in other(capsys, "grade", f"{path}:left={matches}", "random")
    graded = json.loads(other(capsys, "grade", f"{path}:left={matches}", "random", "--json"))
    assert graded["optimal_share"] == dict.fromkeys(("all", "reached"), 1.0 if matches else None)
    out = ("--games", "8", "--pure", "-o", str(tmp_path / "agent.json"))
    other(capsys, "train", f"{path}:left={matches}", "q", *out)
    assert "8" in other(capsys, "show", str(tmp_path / "agent.json"), "--game", f"{path}:left={matches}")


def test_what_is_best_is_not_worked_out_anew_for_every_move(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[State]()
    best_moves = Solution.best_moves

    def counted(self: Solution, s: State) -> Moves:
        asked.append(s)
        return best_moves(self, s)

    monkeypatch.setattr(Solution, "best_moves", counted)
    assert call(capsys, "nim:matches=7", "--pure")[0] == 0
    assert len(asked) < 3  # it has three moves


@pytest.mark.parametrize("bound", ["0", "-1", "1", "nan", "1e-12"])
def test_a_bound_that_is_none_is_refused(capsys: Captured, bound: str) -> None:
    code, out, err = call(capsys, "pig:target=5", "--bound", bound)
    assert (code, out) == (2, "")
    assert "--bound" in err


def test_margins_are_searched_where_all_positions_are_too_many(capsys: Captured) -> None:
    told = found(capsys, "dots_and_boxes", "--method", "search", *LONG)
    assert (told["value"], told["method"], told["distance"]) == (2, "alpha-beta", None)


def test_what_is_proven_of_a_margin_is_told_where_a_search_is_stopped(capsys: Captured) -> None:
    code, out, err = call(
        capsys,
        "dots_and_boxes:rows=5,columns=4",
        "--method",
        "search",
        "--seconds",
        "0.5",
        "--pure",
        "--json",
    )
    assert code == 3
    assert "the search was stopped" in err
    assert json.loads(out)["at_most"] is None or isinstance(json.loads(out)["at_most"], int)


def test_payoffs_go_to_a_file_and_a_picture(capsys: Captured, tmp_path: Path) -> None:
    assert call(capsys, "pig:target=8", "-o", str(tmp_path / "pig.solution"))[0] == 0
    game = load("pig:target=8")
    read = store.load_payoffs(tmp_path / "pig.solution", game)
    assert read.value(game.start).win_probability == pytest.approx(
        found(capsys, "pig:target=8")["win_probability"]
    )
    shown = json.loads(other(capsys, "show", str(tmp_path / "pig.solution"), "--json"))
    assert shown["win_probability"] == read.value(game.start).win_probability
    assert "player 1 wins with probability" in other(capsys, "show", str(tmp_path / "pig.solution"))
    assert call(capsys, "dots_and_boxes", "-o", str(tmp_path / "board.svg"))[0] == 0
    assert "+n wins by n" in (tmp_path / "board.svg").read_text().replace("\xa0", " ")


def test_hints_say_margins_and_chances(capsys: Captured) -> None:
    out = other(
        capsys, "play", "dots_and_boxes:rows=1,columns=2", "perfect", "random", "--hints", "--seed", "1"
    )
    assert "+n wins by n" in out
    out = other(capsys, "play", "pig:target=10", "perfect", "perfect", "--hints", "--seed", "2")
    assert "n % the chance to win" in out
    replayed = json.loads(
        other(capsys, "replay", "dots_and_boxes:rows=1,columns=2", "--moves", "h1-1", "--hints", "--json")
    )
    assert {type(told["value"]) for told in replayed["states"][0]["moves"].values()} <= {int, float}


def test_a_grade_gives_margins_and_mistakes_what_they_cost(capsys: Captured) -> None:
    graded = json.loads(
        other(capsys, "grade", "dots_and_boxes:rows=1,columns=3", "random", "--mistakes", "1", "--json")
    )
    assert graded["best_against"][1]["payoff"] > 1
    first = graded["mistakes"][0]
    assert first["before"] > first["after"]
    assert "before" in other(capsys, "grade", "dots_and_boxes:rows=1,columns=3", "random", "--mistakes", "1")


def test_curves_of_learners_show_margins_under_a_ceiling_in_units(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "q.json"
    command_line = (
        "dots_and_boxes:rows=1,columns=3",
        "q",
        "--games",
        "64",
        "--seed",
        "1",
        "--pure",
        "--out",
        str(path),
    )
    trained = json.loads(other(capsys, "train", *command_line, "--json"))
    grade = trained["curve"][-1]["grade"]
    assert grade["best_against"][0]["payoff"] == pytest.approx(1.4058, abs=1e-4)
    shown = other(capsys, "show", str(path), "--json")
    assert json.loads(shown)["curve"][-1]["grade"] == grade


def test_a_win_by_five_is_five_times_as_good_to_a_learner(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "mean.json"
    game = f"{gallery.__file__}:scored:matches=1,win=5,loss=-5"
    other(capsys, "train", game, "mean", "--games", "20", "--seed", "1", "--out", str(path), "--json")
    rows = json.loads(other(capsys, "show", str(path), "--game", game, "--json"))["tables"][0]["rows"]
    # the mean begins with one game worth nothing
    assert [row["values"] for row in rows] == [[pytest.approx(5 * 20 / 21)]]
