"""The command line's contract (spec D): what JSON carries, which exit code, one line for whatever
is wrong.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from commands import beginning

from damier.cli.main import run
from damier.cli.tictactoe import command as tictactoe

Captured = pytest.CaptureFixture[str]

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


call, data = beginning()


def test_games_and_agents_list_names_and_options(capsys: Captured) -> None:
    games = data(capsys, "games")
    assert {"tictactoe", "mnk", "hexapawn", "octapawn", "pawns", "nim", "connect_four"} <= set(games["names"])
    assert games["options"]["nim"] == {"matches": 16, "take": 3, "misere": True, "heaps": ""}
    agents = data(capsys, "agents")
    assert agents["options"]["perfect"] == {"prefer": "value", "ties": "random"}


def test_solve(capsys: Captured) -> None:
    found = data(capsys, "solve", "hexapawn:blocked=loss")
    assert (found["value"], found["distance"], found["positions"]) == ("loss", 6, 135)
    assert found["best_moves"] == ["a1a2", "b1b2", "c1c2"]
    assert set(found["fastest_moves"]) <= set(found["best_moves"])
    assert data(capsys, "solve", "nim:matches=7", "--moves", "2")["value"] == "loss"
    over = data(capsys, "solve", "tictactoe", "--moves", "0,3,1,4,2")
    assert (over["value"], over["distance"], over["best_moves"]) == ("loss", 0, [])


def test_a_draw_has_no_distance(capsys: Captured) -> None:
    assert data(capsys, "solve", "tictactoe")["distance"] is None


def test_solve_writes_a_file_that_show_reads(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "hexapawn.solution"
    solved = data(capsys, "solve", "hexapawn", "--out", str(path))
    shown = data(capsys, "show", str(path))
    assert {key: shown[key] for key in ("value", "best_moves", "positions")} == {
        key: solved[key] for key in ("value", "best_moves", "positions")
    }
    assert list(tmp_path.iterdir()) == [path]


def test_count(capsys: Captured) -> None:
    counts = data(capsys, "count", "tictactoe", "--games")
    assert counts["by_ply"] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert [counts[key] for key in ("states", "terminals", "wins", "losses", "draws", "games")] == [
        5478,
        958,
        626,
        316,
        16,
        255168,
    ]
    symmetric = data(capsys, "count", "tictactoe", "--symmetry", "--by-ply", "--games")
    assert [symmetric[key] for key in ("states", "terminals", "wins", "losses", "draws", "games")] == [
        765,
        138,
        91,
        44,
        3,
        26830,
    ]


def test_perft(capsys: Captured) -> None:
    found = data(capsys, "perft", "tictactoe", "--depth", "6", "--divide")
    assert found["leaves"] == [9, 72, 504, 3024, 15120, 54720]
    assert sum(found["divide"].values()) == 54720
    assert list(found["divide"]) == [str(cell) for cell in range(9)]
    ended = data(capsys, "perft", "tictactoe", "--moves", "0,3,1,4,2", "--depth", "2", "--divide")
    assert (ended["leaves"], ended["divide"]) == ([0, 0], {})


def test_replay(capsys: Captured) -> None:
    states = data(capsys, "replay", "hexapawn", "--moves", "a1a2,b3a2,b1a2")["states"]
    assert [state["mover"] for state in states] == [0, 1, 0, 1]
    assert states[0]["id"] == [377, 377]
    assert states[0]["legal"] == ["a1a2", "b1b2", "c1c2"]
    assert states[0]["payoffs"] is None
    won = data(capsys, "replay", "tictactoe", "--moves", "0,3,1,4,2")["states"][-1]
    assert (won["terminal"], won["legal"], won["payoffs"]) == (True, [], [1, -1])


def test_replay_in_batches(capsys: Captured, tmp_path: Path) -> None:
    batch = tmp_path / "games.txt"
    batch.write_text("4,0\n\n8\n")
    code, out, _err = call(capsys, "replay", "tictactoe", "--batch", str(batch))
    assert code == 0
    assert [len(json.loads(line)["states"]) for line in out.splitlines()] == [3, 1, 2]
    batch.write_text("4\n4,4\n")
    code, _out, err = call(capsys, "replay", "tictactoe", "--batch", str(batch))
    assert code == 2
    assert "games.txt:2" in err
    batch.write_bytes("\ufeff4,0\r\n8\r\n".encode())  # as an editor of Windows writes it
    code, out, _err = call(capsys, "replay", "tictactoe", "--batch", str(batch))
    assert (code, len(out.splitlines())) == (0, 2)
    batch.write_text("4, 0 8\n4,,0\n")
    code, _out, err = call(capsys, "replay", "tictactoe", "--batch", str(batch))
    assert code == 2
    assert "games.txt:2: move 2 of 4,,0 is empty" in err


def test_the_objects_of_a_batch_are_the_answer(capsys: Captured, tmp_path: Path) -> None:
    batch = tmp_path / "games.txt"
    batch.write_text("4,0\n\n8\n")
    plain = call(capsys, "replay", "tictactoe", "--batch", str(batch))
    assert call(capsys, "replay", "tictactoe", "--batch", str(batch), "--json") == plain
    assert plain[1].count("\n") == 3
    assert plain[2] == ""


@pytest.mark.parametrize(
    "line",
    [
        "games",
        "agents",
        "solve nim:matches=4",
        "count nim:matches=4",
        "perft nim:matches=4 --depth 2",
        "replay nim:matches=4",
        "search nim:matches=4 minimax",
        "graph nim:matches=4",
        "tree nim:matches=4",
        "tree nim:matches=4 --step",
        "explore nim:matches=4",
        "explore nim:matches=4 --step",
        "exercise minimax",
        "exercise beads --count 2",
        "matchboxes nim:matches=4",
        "match nim:matches=4 random random --games 2",
        "train nim:matches=4 q --games 2",
        "grade nim:matches=4 random",
        "study growth nim:matches=4",
    ],
)
def test_what_a_command_answers_in_json_stands_alone_on_standard_output(capsys: Captured, line: str) -> None:
    code, out, err = call(capsys, *line.split(), "--json")
    assert (code, out.count("\n"), err) == (0, 1, "")
    assert json.loads(out)


def test_match(capsys: Captured, tmp_path: Path) -> None:
    record = tmp_path / "games.jsonl"
    found = data(
        capsys,
        "match",
        "tictactoe",
        "perfect",
        "random",
        "--games",
        "50",
        "--swap-seats",
        "--seed",
        "9",
        "--record",
        str(record),
    )
    assert found["games"] == found["wins"] + found["draws"] + found["losses"] == 50
    assert set(found["interval"]) == {"wins", "draws", "losses"}
    assert found["games_per_second"] > 0
    shown = data(capsys, "show", str(record))
    assert shown["games"] == 50


def test_play(capsys: Captured) -> None:
    played = data(capsys, "play", "nim:matches=5", "random", "perfect", "--seed", "4")
    assert played["payoffs"] == [-1, 1]
    assert played["outcome"] == "loss"
    assert sum(map(int, played["moves"])) == 5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["solve", "hexapwn"], "did you mean hexapawn"),
        (["solve", "checkers"], "no game is called checkers; did you mean draughts?"),
        (["solve", "Noughts-and-Crosses"], "did you mean tictactoe?"),
        (["solve", "tictactoe:size=4"], "no option size"),
        (["solve", "mnk:width=3,,height=3"], "mnk:width=3,,height=3: an option is missing beside a comma"),
        (["solve", "mnk:width=3,"], "an option is missing beside a comma"),
        (["solve", "mnk:,width=3"], "an option is missing beside a comma"),
        (["solve", "nim:"], "a colon with nothing beside it in nim:"),
        (["match", "nim", "mcts:", "random"], "a colon with nothing beside it in mcts:"),
        (["match", "nim", "q:alpha=0.1,,gamma=1", "random"], "an option is missing beside a comma"),
        (["match", "nim", "q:alpha=1_0e-2", "random"], "alpha=1_0e-2; it must be a number"),
        (["solve", "nim:heaps=1_0-3"], "heaps=1_0-3; write the sizes with dashes"),
        (["solve", "nim:heaps=+3-3"], "heaps=+3-3; write the sizes with dashes"),
        (["solve", "nim:heaps=3-3", "--position", "١/1 first"], "a position is the matches of each heap"),
        (["solve", "mnk:width=20,height=9"], "62"),
        (["solve", "mnk:width=-1"], "62"),
        (["solve", "mnk:width=three"], "whole number"),
        (["solve", "mnk:misere=yes"], "true or false"),
        (["solve", "hexapawn:blocked=win"], "draw loss"),
        (["solve", "hexapawn:width"], "no value"),
        (["solve", "hexapawn:width=3,width=3"], "twice"),
        (["solve", "hexapawn:width=40"], "62"),
        (["solve", "connect_four:width=20,height=20"], "62"),
        (["solve", "nim:take=70,matches=90"], "62"),
        (["solve", "nim:heaps=1-x"], "1-3-5-7"),
        (["solve", "nim:matches=0"], "at least 1"),
        (["solve", "tictactoe", "--moves", "9"], "legal: 0 1 2"),
        (["replay", "tictactoe", "--moves", "0,3,1,4,2,5"], "over"),
        (["replay", "tictactoe", "--moves", "0,,1"], "move 2 of 0,,1 is empty"),
        (["solve", "tictactoe", "--moves", ",0"], "move 1 of ,0 is empty"),
        (["search", "tictactoe", "minimax", "--moves", "0, ,"], "move 2"),
        (["solve", "no/such/game.py"], "not a file"),
        (["solve", "tictactoe", "--memory", "-1"], "above 0"),
        (["solve", "tictactoe", "--pure", "--compiled"], "exclude"),
        (["solve", "tictactoe", "--no-such-option"], "no-such-option"),
        (["solve"], "GAME"),
        (["nosuchcommand"], "nosuchcommand"),
        (["perft", "tictactoe", "--depth", "x"], "depth"),
        (["perft", "tictactoe", "--depth", "0"], "--depth"),
        (["train", "nim", "random", "--games", "5"], "learners are beads mean menace q v zero"),
        (["search", "nim", "random"], "selective zero"),
        (["match", "tictactoe", "random", "nobody"], "nobody"),
        (["match", "tictactoe", "random", "perfect:ties=some"], "first last random"),
        (["match", "tictactoe", "random", "random", "--games", "0"], "--games"),
        (["match", "tictactoe", "random", "random", "--seed", "-1"], "--seed"),
        (
            ["match", "tictactoe", "random", "random", "--games", "5", "--record", "/dev/null/folder/x"],
            "cannot be written",
        ),
        (["show", "/no/such/file"], "cannot be read"),
        (["replay", "tictactoe", "--batch", "/no/such/file"], "cannot be read"),
        (["solve", "tictactoe\x1b[31m\n"], "tictactoe"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(capsys: Captured, arguments: list[str], says: str) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert says in err
    assert all(c.isprintable() for c in err.rstrip("\n"))


def test_a_game_that_is_too_large_is_exit_3_and_says_how_large(capsys: Captured) -> None:
    code, out, err = call(capsys, "solve", "connect_four", "--seconds", "0.2", "--json")
    assert code == 3
    assert json.loads(out)["states"] == 70_728_639_995_483
    assert err.count("\n") == 1
    code, out, err = call(capsys, "play", "connect_four", "perfect", "random")
    assert code == 3
    assert "70,728,639,995,483" in err


def test_a_budget_of_memory_stops_with_the_growth_so_far(capsys: Captured) -> None:
    code, out, _err = call(capsys, "solve", "pawns:width=5,height=5", "--memory", "0.003", "--json")
    assert code == 3
    reached = json.loads(out)
    assert reached["by_ply"][0] == 1
    assert reached["positions"] == sum(reached["by_ply"]) > 1000


def test_human_is_asked_until_legal(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("9\nfoo\n3\n"))
    code, out, _err = call(capsys, "play", "nim:matches=4", "human", "random")
    assert code == 0
    assert out.count("is not a legal move here; legal: 1 2 3") == 2
    assert "Player 1 (human) wins." in out


def test_the_end_of_the_input_ends_the_game(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, _out, err = call(capsys, "play", "nim", "human", "random")
    assert code == 2
    assert "input ended" in err


def test_hints_show_the_value_of_every_move(capsys: Captured) -> None:
    _code, out, _err = call(capsys, "play", "nim:matches=4", "perfect", "random", "--hints")
    assert "+2" in out


def one_line(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    code = run(tictactoe, arguments)
    out, err = capsys.readouterr()
    return code, out, err


def test_tictactoe_counts_games(capsys: Captured) -> None:
    code, out, _err = one_line(capsys, "-t", "200", "random", "ai", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["wins"] == 0
    assert found["games"] == 200


def test_tictactoe_shows_a_game(capsys: Captured) -> None:
    code, out, _err = one_line(capsys, "-s", "ai", "ai")
    assert code == 0
    assert "A draw." in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["-s", "human"], "-s"),
        (["-t", "x", "random", "ai"], "number of games"),
        (["-t", "5", "random", "nobody"], "nobody"),
        (["-t", "5", "random", "ai", "-p", "10"], "rl"),
        ([], "-s"),
    ],
)
def test_tictactoe_refuses_in_one_line(capsys: Captured, arguments: list[str], says: str) -> None:
    code, out, err = one_line(capsys, *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert says in err


HEAVY = {
    "numba",
    "ray",
    "damier.plugins.cluster.connection",
    "damier.plugins.large.disk_layers",
}
"""What takes long to import, and light commands have no use for."""


def test_light_commands_import_nothing_heavy() -> None:
    match = ["match", "tictactoe", "random", "random", "--games", "20", "--quiet"]
    lines = [["--help"], ["solve", "tictactoe"], ["games"], match]
    code = f"""
import sys
from damier.cli.main import build, run
for arguments in {lines!r}:
    run(build(), arguments)
    if {HEAVY!r} & sys.modules.keys():
        sys.exit(f"{{arguments}}: {{', '.join({HEAVY!r} & sys.modules.keys())}}")
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, b"")


def test_help_fits_one_screen(capsys: Captured) -> None:
    code, out, _err = call(capsys, "--help")
    assert code == 0
    assert out.count("\n") <= 48


def test_whatever_writes_a_file_takes_o(capsys: Captured) -> None:
    for command in ("solve", "match", "train", "graph", "tree", "exercise", "matchboxes", "study", "show"):
        _code, out, _err = call(capsys, command, "--help")
        assert " -o " in out, command


def test_no_option_is_offered_that_nobody_wrote(capsys: Captured) -> None:
    """An option that may be given several times has no twin that empties it: a sweep of nothing."""
    for command in ("sweep", "study"):
        _code, out, _err = call(capsys, command, "--help")
        assert "--empty" not in out, command
    code, _out, err = call(capsys, "sweep", "hexapawn", "--empty-learner")
    assert (code, err.count("\n")) == (2, 1)


def test_a_reader_that_has_gone_is_no_fault_of_a_game(tmp_path: Path) -> None:
    """A file that prints, and whose reader has read enough: `… | head -1`."""
    (tmp_path / "talkative.py").write_text(
        (EXAMPLES / "clock.py").read_text() + '\nfor n in range(100_000):\n    print("line", n)\n'
    )
    command = [sys.executable, "-m", "damier", "solve", str(tmp_path / "talkative.py:clock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "line 0\n"
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 0


def test_a_line_without_end_is_not_read_to_it(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.cli.play.LONGEST", 100)
    batch = tmp_path / "games.txt"
    batch.write_text("4\n" + "4" * 200)
    code, _out, err = call(capsys, "replay", "tictactoe", "--batch", str(batch))
    assert (code, err) == (2, f"damier: {batch}:2: the line is longer than any game\n")
