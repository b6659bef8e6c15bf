"""Every question of the table about every game: an answer, or a refusal in one line; never a fault
of damier's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lasting import shortly

from damier.lab import matchboxes
from damier.lab.games import GAMES
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import ROOMS
from damier.web.settings import Settings
from damier.web.worker import answer

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN = ("dice_nim", "kuhn_poker", "river", "stag_hunt", "three_player_nim")
MORE: dict[str, dict[str, Any]] = {
    "board.move": {"move": "1"},
    "board.reply": {"1": "random", "2": "random"},
    "board.soon": {"1": "random", "2": "random"},
    "board.seats": {"1": "random"},
    "table.judge": {"moves": []},
    "table.agents": {"agents": ["random"]},
    "truth.guess": {"move": "1", "guess": "win"},
    "mind.show": {"1": "mcts:simulations=5", "2": "mcts:simulations=5"},
    "learning.show": {"name": "nobody"},
    "learning.compare": {"one": "nobody", "other": "somebody"},
    "matchboxes.train": {"games": 2},
    "matchboxes.find": {"number": 1},
    "lessons.lesson": {"name": "menace"},
    "tree.page": {"plies": 1},
    "tree.show": {"plies": 1},
    "tree.steps": {"plies": 1},
    "graph.show": {"plies": 1},
    "exercise.mark": {"answers": {}},
    "exercise.result": {"items": []},
}
"""What a question needs besides its game."""

DIFFERENT = ("kuhn_poker", "hexapawn", "pacman")
"""Games of which no two are of one kind, and none of which takes long: secrets and chance, small, a maze with
more players.
"""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Registry]:
    """Little memory, and few matchboxes: what is too large is refused soon."""
    games = {name: str(EXAMPLES / f"{name}.py") for name in OWN}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matchboxes, "POSITIONS", 1_000)
        yield Registry(Settings(games=games, folder=tmp_path_factory.mktemp("learners"), memory=1 << 20))


@pytest.mark.parametrize("game", shortly([*OWN, *GAMES], *DIFFERENT))
@pytest.mark.parametrize("verb", [verb for verb, kind in ROOMS.verbs.items() if kind.channel != "hub"])
def test_no_question_about_any_game_is_a_fault(registry: Registry, verb: str, game: str) -> None:
    for values in ({}, MORE[verb]) if verb in MORE else ({},):
        status, kind, content = answer(registry, verb, Params({"game": game} | values))
        assert status in (200, 400, 404, 422)
        if status != 200:
            assert kind == "application/json"
            assert len(json.loads(content)["error"].splitlines()) == 1


def test_what_is_no_address_is_no_fault_of_damier(tmp_path: Path) -> None:
    status, _kind, content = answer(
        Registry(Settings(folder=tmp_path)), "board.table", Params({"game": "nim", "link": "http://["})
    )
    assert (status, json.loads(content)) == (400, {"error": "http://[ is no address"})
