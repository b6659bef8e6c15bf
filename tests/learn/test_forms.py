"""A learner learns the same of a game in whatever form its moves and its fields are: bits, a list, or a
wide set; keys of one word or of several.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kinds import FORMS, as_wide_fields
from lasting import later

from damier import load
from damier.arena.match import match
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import read_arrays, write_arrays
from damier.core.loop import MatchSetup
from damier.core.player import Learner, RandomPlayer
from damier.lab.agents import agent
from damier.lab.games import Lab
from damier.lab.training import Plan, trainer
from damier.learn import store
from damier.learn.action_values import Memory
from damier.solve.grade import Grader

METHODS = ("q:policy=softmax", "v", "menace")
COMPILED = ("list", "wide set")
ORDINARY = (("q:policy=softmax", "list"), ("v", "wide set"), ("menace", "wide fields"))
"""Each method once, and each way in which a form differs."""


def learnt(game: Any, method: str, jit: bool) -> tuple[list[Any], Any]:
    """What a learner knows after some games, with its moves by name, and its grade."""
    job = Job(jit=jit)
    player = agent(Lab(game, job, seed=2), method)
    assert isinstance(player, Learner)
    match(MatchSetup(game, (player, RandomPlayer()), seed=4, swap=1), 120, job)
    memory = player.memory
    assert isinstance(memory, Memory)
    rows = [
        (
            tuple(row.state),
            [game.name_move(row.state, move) if move else "" for move in row.moves],
            row.values,
            row.counts,
        )
        for row in memory.rows()
    ]
    return rows, Grader(game, RandomPlayer(), Job(jit=False)).grade(player)


@pytest.mark.parametrize(
    ("text", "method", "form", "jit"),
    [
        *(("hexapawn", method, form, False) for method, form in ORDINARY),
        *(later(("tictactoe", method, form, False)) for method in METHODS for form in FORMS),
        *(later(("tictactoe", method, form, True)) for method in METHODS for form in COMPILED),
        later(("tictactoe", "menace", "wide fields", True)),
    ],
)
def test_a_learner_learns_the_same(text: str, method: str, form: str, jit: bool) -> None:
    game = load(text)
    assert learnt(FORMS[form](game), method, jit) == learnt(game, method, False)


@pytest.mark.parametrize("compiles", [False, later(True)])
def test_an_agent_is_the_same_file_plain_and_compiled(
    compiles: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a game with keys of several words, as rows and as arrays."""
    game = as_wide_fields(load("tictactoe"))
    assert game.key_words == 2
    for rows in (store.JSON_ROWS, 10):
        monkeypatch.setattr(store, "JSON_ROWS", rows)
        plain = trained(game, "q", False, tmp_path / f"{rows}")
        if compiles:
            compiled = trained(game, "q", True, tmp_path / f"{rows} compiled")
            assert plain.read_bytes() == compiled.read_bytes()
        assert (b"arrays" in plain.read_bytes()) == (rows == 10)
        found, again = store.load(plain, game), tmp_path / "again"
        store.save(found, again)
        assert again.read_bytes() == plain.read_bytes()
        assert found.memories[0].games == 150


def trained(game: Game, method: str, jit: bool, path: Path) -> Path:
    job = Job(jit=jit)
    made = trainer(Lab(game, job), Plan(method, "random", "1", 1))
    made.training.grade_every = lambda: 0  # no grader is made
    made.save_to(path)
    made.training.run(150, job)
    return path


def test_arrays_of_other_keys_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "JSON_ROWS", 10)
    game = as_wide_fields(load("tictactoe"))
    data, arrays = read_arrays(trained(game, "q", False, tmp_path / "q"), store.FORMAT)
    header = {name: value for name, value in data.items() if name not in ("format", *store.ARRAY_KEYS)}
    for wrong in (arrays["keys0"][:-1], arrays["keys0"][:-2], np.append(arrays["keys0"][:-2], (1 << 61, 0))):
        write_arrays(tmp_path / "wrong", store.FORMAT, header, {**arrays, "keys0": wrong})
        with pytest.raises(BadFile):
            store.load(tmp_path / "wrong", game)
