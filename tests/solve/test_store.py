"""Solutions as arrays and as files: probed one position at a time or many, the same whatever they
came from.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np
import pytest
from lasting import later, shortly

from damier import BadInput, Job, load
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.rules import State
from damier.core.solution import Solution
from damier.solve import solve, store as files

GAMES = [
    later((("tictactoe", False, None),)),
    ("tictactoe", True, "layers"),
    later((("tictactoe", True, "depth-first"),)),
    later((("hexapawn:blocked=loss", True, None),)),
    ("nim:heaps=1-3-5", False, "retrograde"),
    later((("nim:heaps=1-3-5", True, "retrograde"),)),
]


def reachable(game: Game) -> list[State]:
    found, waiting = {game.start}, [game.start]
    while waiting:
        s = waiting.pop()
        for child in (game.play(s, move) for move in game.legal(s)):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return list(found)


@pytest.fixture(params=GAMES, ids=lambda p: f"{p[0]} {p[2]} {'compiled' if p[1] else 'pure'}")
def solution(request: pytest.FixtureRequest) -> Solution:
    text, jit, method = request.param
    return solve(load(text), job=Job(jit=jit), method=method)


def test_many_positions_at_once_are_each_of_them(solution: Solution) -> None:
    game = solution.game
    states = reachable(game)
    values, distances = solution.probe(np.array([game.key(s) for s in states]))
    sides = [1 if game.mover(s) == 0 else -1 for s in states]
    words = {1: "win", 0: "draw", -1: "loss"}
    assert [words[int(value) * side] for value, side in zip(values, sides, strict=True)] == [
        solution.value(s) for s in states
    ]
    expected = [solution.distance(s) if solution.value(s) != "draw" else None for s in states]
    assert [None if distance < 0 else int(distance) for distance in distances] == expected
    assert (values.dtype, distances.dtype) == (np.int8, np.int32)


def test_a_key_of_no_position_is_refused(solution: Solution) -> None:
    with pytest.raises(BadInput, match="not the key"):
        solution.probe(np.array([solution.game.key(solution.start), (1 << 61) + 12345]))
    for wrong in ([solution.game.key(solution.start) + 0.5], ["a"], [1 << 70]):  # a float is cut to no whole
        with pytest.raises(BadInput, match="is not the key of a position"):
            solution.probe(np.array(wrong))
    assert [len(part) for part in solution.probe(np.array([]))] == [0, 0]


def test_a_file_gives_the_same_answers(solution: Solution, tmp_path: Path) -> None:
    path = tmp_path / "file"
    files.save(solution, path)
    again = files.load(path, solution.game)
    assert len(again) == len(solution)
    assert (again.cyclic, again.start) == (solution.cyclic, solution.start)
    for s in reachable(solution.game):
        assert (again.value(s), again.distance(s)) == (solution.value(s), solution.distance(s))
        assert again.best_moves(s) == solution.best_moves(s)
        assert again.fastest_moves(s) == solution.fastest_moves(s)


@pytest.mark.parametrize("text", ["tictactoe", later("mnk:width=4,height=3")])
def test_a_solution_from_a_later_position(text: str, tmp_path: Path) -> None:
    game = load(text)
    start = game.position().play("5", "6").state
    for jit in (False, True):
        solution = solve(game, start, Job(jit=jit))
        files.save(solution, tmp_path / "file")
        again = files.load(tmp_path / "file", game)
        assert again.start == start
        child = game.play(start, 1)
        assert (again.value(child), again.distance(child)) == (
            solution.value(child),
            solution.distance(child),
        )
        with pytest.raises(BadInput, match="cannot come up"):
            again.value(game.start)


def test_a_file_of_other_rules_is_refused(tmp_path: Path) -> None:
    files.save(solve(load("hexapawn:blocked=loss")), tmp_path / "file")
    with pytest.raises(BadFile, match="blocked=loss"):
        files.load(tmp_path / "file", load("hexapawn"))


@pytest.mark.parametrize(
    "text",
    shortly(
        [
            "tictactoe",
            "hexapawn:blocked=loss",
            "nim:heaps=1-3-5",
            "nim:matches=200",
            "connect_four:width=3,height=3",
        ],
        "tictactoe",
    ),
)
def test_a_file_has_the_same_bytes_whoever_found_what_it_says(text: str, tmp_path: Path) -> None:
    game, written = load(text), set()
    for method in ("depth-first", "retrograde", "layers", None):
        for jit in (False, True):
            if method == "layers" and not (game.advances and jit):
                continue
            files.save(solve(game, job=Job(jit=jit), method=method), tmp_path / "file")
            written.add((tmp_path / "file").read_bytes())
            assert files.load(tmp_path / "file", game).method == "file"
    assert len(written) == 1


def test_holes_are_refused_before_they_are_hashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, path = load("tictactoe"), tmp_path / "file"
    files.save(solve(game, job=Job(jit=False)), path)
    size, whole = path.stat().st_size, path.read_bytes()
    path.write_bytes(whole[:2000])
    os.truncate(path, size)
    monkeypatch.setattr(hashlib, "sha256", lambda *_data: pytest.fail("hashed"))
    with pytest.raises(BadFile):
        files.load(path, game)
