"""Trainings whose games begin elsewhere than at the start of the game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import Captured, beginning

from damier.core.errors import BadFile, BadInput, Unsuitable
from damier.core.game import read_position
from damier.core.job import Job
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, read_starts, trainer, typed_starts

call, data = beginning("train")
NIM, LISTS = "nim:matches=19", "beads:preset=ia01"


def lists(path: Path) -> dict[str, list[int]]:
    found: dict[str, list[int]] = json.loads(path.read_text())["tables"][0]["entries"]
    return found


def test_one_base_of_lists_is_trained_from_15_16_and_19_on(capsys: Captured, tmp_path: Path) -> None:
    """What the report of document S1 proposes; at 16 the first of these leaves everything as it was."""
    path, at_16, at_15 = tmp_path / "new" / "actions.json", [], []
    for number, matches in enumerate((15, 16, 19), 1):
        code, out, err = call(
            capsys, NIM, LISTS, "--position", f"{matches} first", "--games", str(200 * number),
            "--out", str(path), "--resume", "--quiet",
        )  # fmt: skip
        assert (code, err) == (0, "")
        assert f"up to game {200 * number}, games began here: {matches} first" in out
        at_16.append(len(lists(path)["16"]))
        at_15.append(len(lists(path)["15"]))
    assert at_16[0] == 3 < at_16[1] < at_16[2]
    assert 3 < at_15[0] == at_15[1] < at_15[2], "from 16 the AI never has 15 before it"
    assert lists(path)["1"] == [1]
    said = json.loads(path.read_text())["training"]["starts"]
    assert said == [[200, "15 first"], [400, "16 first"], [600, "19 first"]]
    _code, out, _err = call(capsys, NIM, LISTS, "--games", "700", "--out", str(path), "--resume", "--quiet")
    assert "up to game 700, games began here: the start of the game" in out
    assert "grades are of games from the start" in out


def test_a_training_broken_off_is_one_that_was_not(capsys: Captured, tmp_path: Path) -> None:
    begin = ("hexapawn", "q", "--positions", "random:plies=3", "--seed", "5", "--pure", "--quiet")
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    call(capsys, *begin, "--games", "60", "--out", str(whole))
    for games in ("25", "60"):
        call(capsys, *begin, "--games", games, "--out", str(parts), "--resume")
    assert whole.read_bytes() == parts.read_bytes()
    other = data(capsys, *begin[:2], "--games", "15", "--seed", "5", "--pure")
    assert "starts" not in other


def test_random_moves_lead_to_where_games_go_on() -> None:
    game = load("hexapawn")
    starts = read_starts(game, None, "random:plies=3")
    assert starts
    begin = starts.of(game, 1)
    found = [begin(number) for number in range(60)]
    assert found == [starts.of(game, 1)(number) for number in range(60)]
    assert found != [starts.of(game, 2)(number) for number in range(60)]
    assert all(not game.over(s) and game.mover(s) == 1 for s in found)
    assert len(set(found)) > 8
    with pytest.raises(Unsuitable, match="no game goes on after 9 random moves"):
        read_starts(load("tictactoe"), None, "random:plies=9")
    pig = load("pig:target=20")
    dice = read_starts(pig, None, "random:plies=2")
    assert dice
    assert not pig.over(dice.of(pig, 0)(1))


def test_every_game_begins_where_few_go_on_so_far() -> None:
    game = load("nim:matches=5")  # one walk in 54 leaves a match after four moves: 200 may all end before
    starts = read_starts(game, None, "random:plies=4")
    assert starts
    begin = starts.of(game, 0)
    assert {begin(number) for number in range(400)} == {read_position(game, "1 first").state}


def test_positions_of_a_file_are_taken_in_turn(tmp_path: Path) -> None:
    game, path = load("nim"), tmp_path / "positions.txt"
    path.write_text("# from here\n\n15 first\n  12 second\n")
    starts = read_starts(game, None, str(path))
    assert starts
    assert starts.written == "15 first / 12 second"
    assert [starts.of(game, 0)(n) for n in range(3)] == [*starts.positions, starts.positions[0]]
    for text, said in (("15 first\n99 first\n", "line 2: 99 first"), ("# none\n", "has no position")):
        path.write_text(text)
        with pytest.raises(BadFile, match=said):
            read_starts(game, None, str(path))


@pytest.mark.parametrize(
    ("position", "positions", "said"),
    [
        ("0 first", None, "there the game is over"),
        ("16 first", "random:plies=2", "exclude each other"),
        (None, "random:ply=2", "has no option ply"),
        (None, "random:plies=0", "between 1 and 1000"),
        (None, "no_such_file", "cannot be read"),
    ],
)
def test_what_cannot_begin_is_refused(position: str | None, positions: str | None, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read_starts(load("nim"), position, positions)


def test_a_form_says_where_games_begin_as_a_file_does_and_reads_none(tmp_path: Path) -> None:
    game, path = load("nim"), tmp_path / "positions.txt"
    path.write_text("15 first\n12 second\n")
    in_file = read_starts(game, None, str(path))
    assert in_file
    assert typed_starts(game, "15 first\r\n\n 12 second ") == typed_starts(game, in_file.written) == in_file
    assert typed_starts(game, "random:plies=2") == read_starts(game, None, "random:plies=2")
    usual = typed_starts(game, "random")
    assert usual
    assert usual.plies == 4
    assert typed_starts(game, " \n") is None
    for text, said in ((str(path), "position 1: "), ("15 first\n0 first", "position 2: .* game is over")):
        with pytest.raises(BadInput, match=said):
            typed_starts(game, text)


def test_plain_and_compiled_games_begin_alike() -> None:
    plans = []
    for jit in (False, True):
        lab = Lab(load("hexapawn"), Job(jit=jit))
        starts = read_starts(lab.game, None, "random:plies=2")
        made = trainer(lab, Plan("q:preset=hexapion", "random", "1", 3, grade_every=0, starts=starts))
        made.training.run(120, lab.job)
        plans.append([(row.state, row.values) for row in made.learner.memory.rows()])  # type: ignore[attr-defined]
    assert plans[0] == plans[1]
