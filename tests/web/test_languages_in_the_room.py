"""Agents in C, Java and Lisp in the training room: their games are followed and played again, as those of
agents in Python are.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from lasting import later

from damier.web.registry import Registry, own_files
from damier.web.settings import Settings
from damier.web.worker import reply

DOCUMENTS = Path(__file__).parents[1] / "agents" / "documents"


@pytest.mark.parametrize(
    ("game", "file", "compiler", "name"),
    [
        later(("tictactoe", "s4/rlagent.c", "cc", "rlagent.c")),
        later(("hexapawn", "s0/Agent.java", "javac", "Agent.java")),
        ("nim", "s1/resolution2.cl", "sbcl", "resolution2.cl:ExploreRenfRec"),
    ],
)
def test_its_games_are_followed_and_played_again(
    game: str, file: str, compiler: str, name: str, tmp_path: Path
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"there is no {compiler}")
    shutil.copy(DOCUMENTS / file, tmp_path)
    _games, agents = own_files([str(tmp_path / Path(file).name)])
    registry = Registry(Settings(folder=tmp_path, agents=agents))

    def film(log: str) -> Any:
        values = {"game": game, "1": name, "2": "random", "seed": 5, "log": log}
        question = {"verb": "training_room.show", "language": "en", "body": json.dumps(values)}
        status, _kind, body = reply(registry, json.dumps(question).encode())
        assert status == 200, body
        return json.loads(body)

    first = film("5*")
    assert first["steps"]
    assert film("5*")["steps"] == first["steps"], "the same games again"
    following = film(first["state"]["next"])
    assert following["state"]["next"] != first["state"]["next"]
