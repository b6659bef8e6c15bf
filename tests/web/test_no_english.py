"""Who reads French meets no English: every page, part and refusal that a worker gives is looked
through, word by word.

An English word is one that stands in the sentences of the sources and in none of their French; what
commands, files and algorithms are called is allowed, and nothing else.

To look at another page or part, add a line to `ASKED`: its verb, and what it is asked with.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from english import english, pieces, pointed, shown, words
from lasting import shortly
from typed_commands import of_fewer_games

from damier.core.json_data import to_json
from damier.core.words import speaking
from damier.lab import games
from damier.lab.exercises.kinds import KINDS, kind_of
from damier.plugins.course.sheet import DOCUMENTS, PRINTED
from damier.plugins.exams.exam import Exam, ExamItem
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import ROOMS, lessons
from damier.web.settings import Settings
from damier.web.worker import answer

GAMES = sorted(games.GAMES)
PLAYED = {"hexapawn": "b1b2", "tictactoe": "4,0", "nim": "3", "connect_four": "4,4"}
Values = dict[str, Any]
LABORATORY: Values = {
    "maze": "pacman:layout=crossing,ghosts=1",
    "games": 1,
    "ghosts": "random",
    "evaluate": "none",
    "rounds": "1",
}
EXAM = Exam(
    "Contrôle", {"A": [ExamItem.drawn(kind, 2.0, 1, None) for kind in KINDS if kind_of(kind, 1) == kind]}
)
KEYS = to_json(EXAM.as_data())
WRONG: Values = {"student": "Zoé", "variant": "A", "answers": dict.fromkeys(EXAM.columns(), "99")}

ASKED: list[tuple[str, Values]] = [
    ("home.page", {}),
    ("home.show", {}),
    *(("home.play", {"moves": moves}) for moves in ("", "b1b2")),
    ("training_room.page", {"game": "hexapawn"}),
    ("training_room.show", {"game": "hexapawn"}),
    ("training_room.show", {"game": "hexapawn", "log": "20*"}),
    ("training_room.grade", {"game": "hexapawn", "log": "20*"}),
    ("training_room.page", {"game": "connect_four:width=5,height=3"}),
    ("course.page", {}),
    *(("course.sheet", {"name": name}) for name in ("s0", "s1", "s2", "s3", "s4")),
    *(
        ("course.mark", {"document": "s1", "name": "seven", "answers": [text]})
        for text in ("3", "2", "9", "trois")
    ),
    ("course.mark", {"document": "s1", "name": "never", "give_up": True}),
    *(
        ("course.typed_command", {"document": document, "text": text})
        for document, text in (
            ("s0", "id(-1 -1 -1 0 0 0 1 1 1)"),
            ("s1", "(explore 4 actions 'HUMAIN 0)"),
            ("s1", "(explore-renf-rec 16 *actions*)"),
            ("s1", "(renforcement 7 2 *actions*)"),
            ("s2", "max-value(((3 5) (3 1)), -∞, +∞)"),
            ("s3", "get_state([2, 2, 0, 0, 0, 0, 0, 0, 0])"),
            ("s4", "./tictactoe -t 10 random rl"),
            ("s4", "./tictactoe -t 10 random rl -p 2000"),
        )
    ),
    *(
        ("tree.show", {"tree": "game", "game": "nim:matches=5", "algorithm": name, "step": step})
        for name in ("dfs", "bfs", "andor")
        for step in (0, 4, 99)
    ),
    ("laboratory.page", {}),
    ("boards.edit", {"game": "tictactoe", "board": "X........"}),
    ("levels.show", {"game": "hexapawn"}),
    ("gallery.page", {}),
    *(("gallery.card", {"game": name}) for name in GAMES),
    *(("gallery.facts", {"game": name}) for name in ("hexapawn", "nim", "tictactoe", "pig", "chess")),
    ("lessons.page", {}),
    *(("board.page", {"game": name}) for name in GAMES),
    *(("board.seats", {"game": name, "1": "human", "2": "random"}) for name in GAMES),
    *(("board.show", {"game": name, "moves": moves}) for name, moves in PLAYED.items()),
    ("board.page", {"game": "hexapawn", "1": "human", "2": "human", "table": "abc"}),
    ("truth.why", {"game": "tictactoe", "moves": "4", "move": "1", "show": "truth"}),
    ("truth.why", {"game": "dots_and_boxes:rows=1,columns=2", "show": "truth"}),
    ("truth.line", {"game": "hexapawn:blocked=loss", "moves": "a1a2", "show": "truth"}),
    ("truth.show", {"game": "hexapawn:blocked=loss", "moves": "b1b2", "show": "truth"}),
    ("puzzles.page", {"game": "tictactoe", "seed": "2"}),
    ("puzzles.page", {"game": "chess"}),
    ("puzzles.page", {"game": "nim:matches=2"}),
    ("puzzles.show", {"game": "hexapawn", "seed": "1", "move": "c3c2"}),
    ("puzzles.show", {"game": "kalah", "seed": "2"}),
    ("board.show", {"game": "hexapawn", "moves": "b1b2,a3b2,a1b2,c3b2,c1b2"}),
    ("board.table", {"game": "hexapawn", "link": "http://127.0.0.1/x"}),
    ("board.reply", {"game": "hexapawn", "1": "random", "2": "random"}),
    ("boards.possible", {"game": "tictactoe"}),
    ("boards.code", {"game": "tictactoe", "moves": "4"}),
    *(("truth.show", {"game": name}) for name in ("hexapawn", "nim", "tictactoe", "pig:target=10")),
    ("truth.show", {"game": "hexapawn", "moves": "b1b2,a3b2", "all": True}),
    ("truth.guess", {"game": "hexapawn", "move": "b1b2", "guess": "win"}),
    ("truth.guess", {"game": "hexapawn", "move": "b1b2", "guess": "loss"}),
    *(
        ("mind.show", {"game": "tictactoe", "moves": "4", "1": "human", "2": agent})
        for agent in ("random", "perfect", "mcts:simulations=20", "alphabeta:plies=2", "q", "beads")
    ),
    ("mind.show", {"game": "chess", "1": "human", "2": "selective:nodes=200"}),
    ("mind.show", {"game": "draughts", "1": "human", "2": "selective:nodes=200"}),
    ("table.agents", {"game": "hexapawn", "agents": ["random"]}),
    ("matchboxes.page", {"game": "hexapawn"}),
    *(("matchboxes.show", {"game": name}) for name in ("hexapawn", "nim")),
    ("matchboxes.train", {"game": "hexapawn", "games": 2}),
    ("matchboxes.boxes", {"game": "hexapawn"}),
    ("matchboxes.find", {"game": "hexapawn", "number": 1}),
    ("matchboxes.sheets", {"game": "hexapawn"}),
    ("learning.page", {}),
    ("learning.page", {"name": "appris"}),
    ("learning.show", {"name": "appris"}),
    ("learning.compare", {"one": "appris", "other": "perles"}),
    ("tree.page", {}),
    *(("tree.page", {"view": view}) for view in ("exercise", "graph")),
    *(("tree.show", {"tree": name}) for name in ("classic", "random")),
    *(
        (verb, {"tree": "game", "game": "tictactoe", "plies": 1, "algorithm": algorithm})
        for verb in ("tree.show", "tree.steps")
        for algorithm in ("minimax", "alphabeta", "expectimax", "maxn")
    ),
    *(
        (f"exercise.{verb}", {"kind": kind, "answers": {}})
        for verb in ("show", "mark", "key")
        for kind in ("minimax", "alphabeta", "expectimax", "maxn", "evaluation")
    ),
    *(("graph.show", {"game": "nim:matches=4", "kind": kind}) for kind in ("complete", "truncated")),
]  # fmt: skip
"""Pages and parts that are there."""

ASKED += [
    *(
        ("course.mark", {"document": "s3", "name": "last", "answers": [text]})
        for text in ("0.5", "0,1", "0.1001")
    ),
    *(
        ("course.mark", {"document": document, "name": question.name, "give_up": True})
        for document, parts in DOCUMENTS.items()
        for part in parts
        for question in part.questions
    ),
    *(
        ("course.typed_command", {"document": document, "text": of_fewer_games(command)})
        for document, commands in PRINTED.items()
        for command in commands
    ),
    ("exams.page", {}),
    *(("exams.mark", {"keys": KEYS, "form": True, "papers": papers}) for papers in ([], [WRONG])),
    ("zero.page", {}),
    *(
        (f"zero.{verb}", {"game": "tictactoe", "moves": moves, "simulations": 8, "step": step})
        for verb, moves, step in (("page", "", 0), ("look", "0,4", 3), ("look", "0,3,1,4,2", 0))
    ),
    ("zero.show", {"game": "tictactoe"}),
    ("laboratory.play", LABORATORY),
    ("laboratory.games", LABORATORY | {"cell": 0, "played": [[100, 1, 1, 40]]}),
    ("laboratory.replay", LABORATORY | {"cell": 0}),
    *(
        (f"exercise.{verb}", {"kind": kind, "seed": seed, "answers": {}, "given_up": True})
        for verb in ("show", "mark", "key")
        for kind in KINDS
        for seed in (1, 2)
    ),
    ("exercise.result", {"kind": "mixed", "run": 3, "seed": 1, "items": [[{}], [{}], []]}),
]  # fmt: skip
"""Every command and question of the sheets, and what a room shows of it afterwards."""

REFUSED: list[tuple[str, Values]] = [
    ("exams.mark", {"keys": "{}"}),
    ("exams.mark", {"keys": KEYS, "papers": [{"variant": "Z"}]}),
    ("exams.mark", {"keys": KEYS, "table": "élève;A"}),
    ("gallery.page", {"nosuch": 1}),
    ("board.page", {"game": "nosuch"}),
    ("board.page", {"game": "tictactoe", "moves": "9"}),
    ("board.page", {"game": "tictactoe", "board": "XXXXXXXXX"}),
    ("board.page", {"game": "hexapawn", "board": "XX"}),
    ("board.page", {"game": "hexapawn", "1": "nosuch"}),
    ("board.page", {"game": "hexapawn", "1": "mcts:nosuch=1"}),
    ("board.page", {"game": "hexapawn", "1": "mcts:simulations=many"}),
    ("board.page", {"game": "hexapawn:width=40"}),
    ("board.page", {"game": "chess", "1": "perfect"}),
    ("board.page", {"game": "pig", "1": "alphabeta"}),
    ("board.page", {"game": "pacman:layout=../x.txt"}),
    ("board.reply", {"game": "chess", "1": "perfect", "2": "perfect"}),
    ("lessons.lesson", {"name": "menac"}),
    ("matchboxes.find", {"game": "hexapawn", "number": 999}),
    ("matchboxes.show", {"game": "hexapawn", "agent": "q"}),
    ("learning.show", {"name": "inconnu"}),
    ("learning.compare", {"one": "appris", "other": "appris"}),
    ("tree.show", {"tree": "game", "game": "pig", "algorithm": "alphabeta"}),
    ("tree.show", {"tree": "text", "text": "max(3 min("}),
    ("tree.show", {"tree": "text", "text": "chance(1/2:3 1/3:5)"}),
    ("tree.show", {"tree": "classic", "plies": 1}),
    ("graph.show", {"game": "nim", "kind": "complete"}),
    ("exercise.show", {"kind": "minimax", "branching": 8, "plies": 8}),
    ("exercise.show", {"kind": "nosuch"}),
    ("exercise.mark", {"kind": "minimax", "answers": 3}),
    ("nosuch.verb", {}),
]
"""What is refused, in a sentence."""


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory) -> Registry:
    """A lab in which two learners have learnt."""
    from damier.cli.main import build, run

    folder = tmp_path_factory.mktemp("learners")
    for name, learner in (("appris", "q"), ("perles", "beads:preset=her")):
        path = str(folder / f"{name}.json")
        arguments = ["train", "hexapawn", learner, "--opponent", "random", "--games", "40", "--out", path]
        assert run(build(), arguments) == 0
    return Registry(Settings(folder=folder, memory=1 << 26))


def in_english(registry: Registry, verb: str, values: Values) -> tuple[int, list[str]]:
    """What is left in English of a French answer."""
    with speaking("fr"):
        status, kind, content = answer(registry, verb, Params(values))
    assert isinstance(content, str)
    found = pieces(json.loads(content) if kind == "application/json" else content)
    return status, [piece for piece in found if words(piece) & english() or pointed(piece)]


VERBS = sorted({verb for verb, _values in ASKED})
DEAR = ("course.mark", "course.typed_command", "gallery.facts", "learning.compare")
"""What plays or solves a great deal before it says something."""


@pytest.mark.parametrize("verb", shortly(VERBS, *(verb for verb in VERBS if verb not in DEAR)))
def test_a_french_page_holds_no_english(registry: Registry, verb: str) -> None:
    for asked, values in ASKED:
        if asked == verb:
            status, left = in_english(registry, verb, values)
            assert (status, left) == (200, []), values


def test_a_french_refusal_holds_no_english(registry: Registry) -> None:
    for verb, values in REFUSED:
        _status, left = in_english(registry, verb, values)
        assert left == [], (verb, values)


@pytest.mark.parametrize("name", sorted(lessons.names()))
def test_a_french_lesson_holds_no_english(registry: Registry, name: str) -> None:
    assert in_english(registry, "lessons.lesson", {"name": name}) == (200, [])


def test_every_room_is_looked_at() -> None:
    looked_at = {verb.partition(".")[0] for verb, _values in ASKED}
    rooms = {verb.partition(".")[0] for verb, kind in ROOMS.verbs.items() if kind.channel != "hub"}
    assert rooms - looked_at <= {"classroom"}  # where a class is: tests/plugins/classroom/test_class.py


def test_the_test_itself_sees_english() -> None:
    assert {"the", "you", "with", "who"} <= english()
    assert pointed("worth 0.5, or -1.25") == ["0.5", "1.25"]
    assert not pointed("worth 0,5; python 3.11.2, q:alpha=0.5, 127.0.0.1, a1.")
    assert not {"la", "un", "table", "position"} & english()
    assert list(shown('<p title="a &lt; b">x<code>y</code></p>')) == ["a < b", "x"]
