"""A worker calls the verbs of the table, each by its own function, and nothing else, whatever the
hub were to ask.
"""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from types import FunctionType

import pytest

import damier.web
from damier.web.registry import Registry
from damier.web.rooms import ROOMS
from damier.web.settings import Settings
from damier.web.worker import function_of, reply


@pytest.mark.parametrize("verb", ROOMS.verbs)
def test_every_verb_is_a_public_function_of_its_own_room(verb: str) -> None:
    room, name = verb.split(".")
    function = function_of(verb)
    assert isinstance(function, FunctionType)
    assert function.__module__ == ROOMS[room].module
    name = ROOMS[room].prefix + name
    assert function is getattr(import_module(function.__module__), name)
    assert not name.startswith("_")


@pytest.mark.parametrize(
    "verb",
    [
        "board.replace",
        "board.to_json",
        "board.Params",
        "boards.Path",
        "boards.inspect",
        "matchboxes.find_spec",
        "board.__loader__",
        "lessons.folder",
        "x.y",
    ],
)
def test_no_other_function_of_a_room_is_called(verb: str, tmp_path: Path) -> None:
    question = {"verb": verb, "language": "en", "body": json.dumps({"game": "hexapawn"})}
    status, _kind, answer = reply(Registry(Settings(folder=tmp_path)), json.dumps(question).encode())
    assert status == 404
    assert "no such question" in str(answer)
    with pytest.raises(KeyError):
        function_of(verb)


def test_every_verb_in_use_stands_in_the_table() -> None:
    """What the hub and the pages ask, as they write it."""
    home = Path(damier.web.__file__).parent
    rooms = "|".join({verb.partition(".")[0] for verb in ROOMS.verbs})
    used: set[str] = set()
    for path in [*home.rglob("*.py"), *home.rglob("*.js")]:
        used |= set(re.findall(rf'"((?:{rooms})\.[a-z_]+)"', path.read_text()))
    own = {verb for verb in used if not verb.endswith((".html", ".js", ".css"))}
    assert {"learning.listed", "table.judge", "board.page"} <= own
    handlers = {
        "table.open",
        "table.look",
        "table.sit",
        "table.move",
        "table.back",
        "table.again",
        "table.leave",
    }
    assert own - handlers - set(ROOMS.verbs) == set()


def test_an_answer_that_is_too_large_is_refused_where_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.web.worker.LARGEST_ANSWER", 1_000)
    question = {"verb": "board.page", "language": "en", "body": json.dumps({"game": "hexapawn"})}
    status, _kind, answer = reply(Registry(Settings(folder=tmp_path)), json.dumps(question).encode())
    assert status == 422
    assert "ask for less" in json.loads(answer)["error"]
