"""What the processes of the lab and its pages say to one another is one schema of types, and what is
said has its shape.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from damier.core.json_types import JsonValue
from damier.web.messages import RoomAnswer, TrainingFacts, is_listed, is_told
from damier.web.registry import Registry
from damier.web.rooms import ROOMS
from damier.web.settings import Settings
from damier.web.trainings import TrainingProcess
from damier.web.worker import function_of, reply

ASKED: dict[str, dict[str, JsonValue]] = {
    "board.show": {"game": "tictactoe", "moves": ["4"]},
    "board.reply": {"game": "tictactoe", "1": "random", "2": "random"},
    "board.seats": {"game": "nim"},
    "board.table": {"game": "nim", "taken": "10"},
    "boards.possible": {"game": "tictactoe"},
    "truth.guess": {"game": "hexapawn", "guess": "win"},
    "table.judge": {"game": "tictactoe", "moves": ["4", "0"]},
    "table.agents": {"game": "tictactoe", "agents": ["random"]},
    "tree.show": {},
    "tree.steps": {},
    "exercise.show": {},
    "exercise.mark": {"answers": {}},
    "exercise.key": {"kind": "q"},
    "exercise.result": {"kind": "q", "run": 2, "items": [[{}]]},
    "graph.show": {},
    "gallery.card": {"game": "nim"},
    "matchboxes.show": {"game": "hexapawn"},
}


@pytest.mark.parametrize("verb", ROOMS.verbs)
def test_every_verb_answers_with_a_type_of_the_schema(verb: str) -> None:
    kind = get_type_hints(function_of(verb))["return"]
    of_plug_in = is_typeddict(get_origin(kind) or kind) and ROOMS[verb.split(".")[0]].folder
    assert kind in get_args(RoomAnswer) or of_plug_in


def check(value: Any, kind: Any) -> None:
    """Whether an object that was sent has the keys that its type says, and those inside it too."""
    made = get_origin(kind) or kind  # of some kind of state
    if is_typeddict(made):
        hints = get_type_hints(made)
        states = dict(zip(getattr(made, "__parameters__", ()), get_args(kind), strict=True))
        assert made.__required_keys__ <= value.keys() <= hints.keys()
        for name, inner in value.items():
            check(inner, states.get(hints[name], hints[name]))


@pytest.mark.parametrize("verb", ASKED)
def test_an_answer_has_the_shape_that_is_said_of_it(verb: str, tmp_path: Path) -> None:
    question = {"verb": verb, "language": "en", "body": json.dumps(ASKED[verb])}
    status, _kind, body = reply(Registry(Settings(folder=tmp_path)), json.dumps(question).encode())
    assert status == 200, body
    answer = json.loads(body)
    assert isinstance(answer, Mapping)
    check(answer, get_type_hints(function_of(verb))["return"])


def test_what_the_hub_knows_of_a_training_is_what_a_worker_takes_for_it(tmp_path: Path) -> None:
    plan = {
        "name": "x",
        "game": "nim",
        "learner": "q",
        "opponent": "",
        "seat": "",
        "seed": 0,
        "starts": "",
        "games": 10,
        "pace": 0,
    }
    training = TrainingProcess(Settings(folder=tmp_path), plan)
    told = json.loads(json.dumps(training.facts()))
    check(told, TrainingFacts)
    assert is_told(told)
    assert not is_told({"name": "x"})
    assert is_listed([told])
    assert is_listed([])
    assert not is_listed([{"name": "x"}])
    assert not is_listed("x")
