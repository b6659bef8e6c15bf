"""Agent files: what is written comes back; what is damaged, foreign or hostile is refused with one
line, and nothing is lost.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lasting import later, long, shortly
from mutations import changed

from damier import Job, load
from damier.cli.main import build, run
from damier.core.errors import BadFile, DamierError
from damier.core.game import Game
from damier.core.json_data import write_arrays
from damier.core.player import RandomPlayer
from damier.lab.agents import Lab, agent
from damier.lab.training import Plan, trainer
from damier.learn import store
from damier.learn.store import load_hexapion, rows_of_lists, save_hexapion
from damier.solve.grade import grade

Captured = pytest.CaptureFixture[str]


def train(game: str, plan: Plan, path: Path, games: int = 60, *, jit: bool = False) -> Path:
    job = Job(jit=jit)
    made = trainer(Lab(load(game), job), plan)
    if load(game).name != "hexapawn":
        made.training.grade_every = lambda: 0  # no grader is made
    made.save_to(path)
    made.training.run(games, job)
    return path


KINDS = {
    "q": ("hexapawn", Plan("q:preset=hexapion", "random", "1", 1)),
    "v": ("hexapawn", Plan("v:preset=vfunction", None, None, 1)),
    "mean": ("tictactoe", Plan("mean", "random", "1", 1)),
    "beads": ("tictactoe", Plan("menace", "random", "1", 1)),
    "lists": ("nim", Plan("beads:preset=ia01", None, None, 1)),
    "two": ("hexapawn", Plan("q", "self:table=separate", "1", 1)),
    "opponent": ("hexapawn", Plan("mean", "v", "2", 1)),
}


@pytest.fixture(scope="module")
def agents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One file of every kind."""
    folder = tmp_path_factory.mktemp("agents")
    return {kind: train(game, plan, folder / f"{kind}.json") for kind, (game, plan) in KINDS.items()}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An agent whose rows are arrays in its file, as those of more than 30 000 rows are."""
    path = tmp_path_factory.mktemp("large") / "large.agent"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "JSON_ROWS", 100)
        return train(LARGE_GAME, Plan("q:epsilon=1", "random", "1", 1), path, 400)


LARGE_GAME = "connect_four:width=5,height=5"


# ------------------------------------------------------------------------------------------
# round trips


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_saved_comes_back(kind: str, agents: dict[str, Path], tmp_path: Path) -> None:
    game = load(KINDS[kind][0])
    found, again = store.load(agents[kind], game), tmp_path / "again.json"
    store.save(found, again)
    assert again.read_bytes() == agents[kind].read_bytes()
    twice = store.load(again, game)
    assert [list(memory.rows()) for memory in twice.memories] == [
        list(memory.rows()) for memory in found.memories
    ]
    assert (twice.parameters, twice.training, twice.curve) == (found.parameters, found.training, found.curve)


@long
def test_a_large_agent_comes_back(tmp_path: Path) -> None:
    game, again = load(LARGE_GAME), tmp_path / "again.agent"
    large = train(LARGE_GAME, Plan("q:epsilon=1", "random", "1", 1), tmp_path / "large.agent", 7000, jit=True)
    found = store.load(large, game)
    assert len(found.memories[0]) > store.JSON_ROWS
    store.save(found, again)
    assert again.read_bytes() == large.read_bytes()


def test_a_file_says_nothing_of_the_day(agents: dict[str, Path], large: Path) -> None:
    for path in (*agents.values(), large):
        head = path.read_bytes()[:20_000].decode(errors="replace")
        assert not any(word in head for word in ("date", "time", "/tmp", str(path)))


@pytest.mark.parametrize("kind", KINDS)
def test_an_edited_file_without_its_checksum_is_taken(
    kind: str, agents: dict[str, Path], tmp_path: Path
) -> None:
    data = json.loads(agents[kind].read_text())
    del data["sha256"]
    edited = tmp_path / "edited.json"
    edited.write_text(json.dumps(data, indent=2))
    game = load(KINDS[kind][0])
    assert [list(m.rows()) for m in store.load(edited, game).memories] == [
        list(m.rows()) for m in store.load(agents[kind], game).memories
    ]


# ------------------------------------------------------------------------------------------
# damage


def refused(path: Path, game: Game) -> str:
    """The one line with which a file is refused."""
    with pytest.raises(BadFile) as raised:
        store.load(path, game)
    text = str(raised.value)
    assert path.name in text
    assert len(text) < 1000
    return text


@pytest.mark.parametrize("kind", KINDS)
def test_cut_off_anywhere(kind: str, agents: dict[str, Path], tmp_path: Path) -> None:
    whole, cut, game = agents[kind].read_bytes(), tmp_path / "cut.json", load(KINDS[kind][0])
    for length in range(0, len(whole.rstrip()), max(97, len(whole) // 80)):
        cut.write_bytes(whole[:length])
        refused(cut, game)


@pytest.mark.parametrize("kind", KINDS)
def test_a_byte_flipped_anywhere(kind: str, agents: dict[str, Path], tmp_path: Path) -> None:
    """White space may change; nothing else may."""
    whole, flipped, game = agents[kind].read_bytes(), tmp_path / "flipped.json", load(KINDS[kind][0])
    dice = random.Random(kind)
    for place in sorted(dice.sample(range(len(whole)), 80)):
        data = bytearray(whole)
        data[place] ^= 1 << dice.randrange(8)
        flipped.write_bytes(data)
        if bytes([whole[place]]).isspace() and bytes([data[place]]).isspace():
            continue
        refused(flipped, game)


def test_a_large_file_cut_off_or_flipped(large: Path, tmp_path: Path) -> None:
    whole, damaged, game = large.read_bytes(), tmp_path / "damaged.agent", load(LARGE_GAME)
    dice = random.Random(1)
    header = whole.index(b"\n")
    for length in [
        0,
        1,
        2,
        30,
        header - 1,
        header,
        header + 1,
        *dice.sample(range(len(whole)), 12),
        len(whole) - 1,
    ]:
        damaged.write_bytes(whole[:length])
        refused(damaged, game)
    damaged.write_bytes(whole + b"\0")
    refused(damaged, game)
    for place in [*dice.sample(range(len(whole)), 12), *dice.sample(range(header), 12)]:
        data = bytearray(whole)
        data[place] ^= 1 << dice.randrange(8)
        damaged.write_bytes(data)
        if place > header:
            assert "checksum" in refused(damaged, game)
        else:  # a header has no checksum of its own: what it says is checked
            with pytest.raises(DamierError):
                store.load(damaged, game)


ARRAYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "keys beyond the game": lambda a: a["keys0"].__setitem__(3, (1 << 62) - 1),
    "keys below 0": lambda a: a["keys0"].__setitem__(3, -5),
    "a key twice": lambda a: a["keys0"].__setitem__(3, a["keys0"][4]),
    "rows that go back": lambda a: a["first0"].__setitem__(3, 10_000),
    "rows beyond the end": lambda a: a["first0"].__setitem__(-1, 10**9),
    "rows below 0": lambda a: a["first0"].__setitem__(0, -1),
    "moves that are none": lambda a: a["moves0"].__setitem__(0, 63),
    "moves below 0": lambda a: a["moves0"].__setitem__(0, -7),
    "moves far beyond": lambda a: a.__setitem__("moves0", np.full(len(a["moves0"]), 10**12)),
    "another move": lambda a: a["moves0"].__setitem__(0, a["moves0"][1]),
    "not a number": lambda a: a["values0"].__setitem__(7, np.nan),
    "infinity": lambda a: a["values0"].__setitem__(7, -np.inf),
    "a huge count": lambda a: a["counts0"].__setitem__(7, 1 << 62),
    "a count below 0": lambda a: a["counts0"].__setitem__(7, -1),
    "an array missing": lambda a: a.pop("moves0"),
    "an array cut off": lambda a: a.__setitem__("values0", a["values0"][:-1]),
    "keys that are floats": lambda a: a.__setitem__("keys0", a["keys0"].astype(np.float64)),
    "values that are ints": lambda a: a.__setitem__("first0", a["first0"].astype(np.float64)),
    "moves that are floats": lambda a: a.__setitem__("moves0", a["moves0"].astype(np.float64)),
    "nothing at all": lambda a: a.clear(),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_hostile_arrays_with_the_right_checksum(what: str, agents: dict[str, Path], tmp_path: Path) -> None:
    game, path = load("hexapawn"), tmp_path / "arrays.agent"
    found = store.load(agents["q"], game)
    data = json.loads(agents["q"].read_text())
    head = {name: value for name, value in data.items() if name not in ("format", "sha256")}
    head["tables"] = [
        {name: value for name, value in table.items() if name != "rows"} for table in data["tables"]
    ]
    arrays = {name: array.copy() for name, array in store.arrays_of(found).items()}
    write_arrays(path, store.FORMAT, head, arrays)
    assert list(store.load(path, game).memories[0].rows()) == list(
        store.load(agents["q"], game).memories[0].rows()
    )
    ARRAYS[what](arrays)
    write_arrays(path, store.FORMAT, head, arrays)
    refused(path, game)


# ------------------------------------------------------------------------------------------
# foreign and hostile


def rewritten(path: Path, data: dict[str, Any]) -> Path:
    """Such data in a file without a checksum."""
    data.pop("sha256", None)
    path.write_text(json.dumps(data))
    return path


def row_of(data: dict[str, Any]) -> dict[str, Any]:
    return data["tables"][0]["rows"][0]  # type: ignore[no-any-return]


HOSTILE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another game": lambda d: d.update(game="tictactoe"),
    "another option": lambda d: d["options"].update(blocked="loss"),
    "other rules": lambda d: d.update(rules="0" * 16),
    "another format": lambda d: d.update(format="damier-agent/2"),
    "no format": lambda d: d.pop("format"),
    "another learner": lambda d: d.update(learner="mean"),
    "no learner": lambda d: d.update(learner="os.system"),
    "a learner that is a list": lambda d: d.update(learner=["q"]),
    "a parameter more": lambda d: d["parameters"].update(beta=1.0),
    "a parameter less": lambda d: d["parameters"].pop("alpha"),
    "a parameter out of range": lambda d: d["parameters"].update(alpha=7.0),
    "a parameter of another type": lambda d: d["parameters"].update(alpha="0.1"),
    "a switch that is a number": lambda d: d["parameters"].update(alike=1),
    "a word that is no choice": lambda d: d["parameters"].update(ties="sometimes"),
    "a word that is a list": lambda d: d["parameters"].update(ties=[]),
    "parameters that are a list": lambda d: d.update(parameters=[1]),
    "a key more": lambda d: d.update(also=1),
    "no tables": lambda d: d.update(tables=[]),
    "three tables": lambda d: d.update(tables=d["tables"] * 3),
    "tables that are numbers": lambda d: d.update(tables=[1]),
    "a table that is a list": lambda d: d.update(tables=[[]]),
    "rows that are numbers": lambda d: d["tables"][0].update(rows=[1]),
    "rows that are lists": lambda d: d["tables"][0].update(rows=[[1, 2]]),
    "no rows": lambda d: d["tables"][0].pop("rows"),
    "lists in hexapawn": lambda d: d["tables"][0].update(entries={"1": [1]}),
    "a row twice": lambda d: d["tables"][0]["rows"].append(row_of(d)),
    "a state that is none": lambda d: row_of(d).update(state=[1 << 40, 0, 0]),
    "a state of negatives": lambda d: row_of(d).update(state=[-1, 0, 0]),
    "a state of floats": lambda d: row_of(d).update(state=[448.5, 7, 0]),
    "a state that is too long": lambda d: row_of(d).update(state=[448, 7, 0, 0]),
    "a state that is true": lambda d: row_of(d).update(state=[448, 7, False]),
    "a state that is a word": lambda d: row_of(d).update(state="start"),
    "a state with nobody": lambda d: row_of(d).update(state=[0, 0, 0]),
    "moves of another state": lambda d: row_of(d).update(moves=["a3a2", "b3b2", "c3c2"]),
    "moves in another order": lambda d: row_of(d)["moves"].reverse(),
    "a move less": lambda d: [row_of(d)[name].pop() for name in ("moves", "values", "counts")],
    "a move twice": lambda d: row_of(d).update(moves=[row_of(d)["moves"][0]] * 3),
    "a value less": lambda d: row_of(d)["values"].pop(),
    "a value that is huge": lambda d: row_of(d).update(values=[1e300, 0, 0]),
    "a value that is a word": lambda d: row_of(d).update(values=["1", 0, 0]),
    "a value that is true": lambda d: row_of(d).update(values=[True, 0, 0]),
    "a count that is huge": lambda d: row_of(d).update(counts=[10**40, 0, 0]),
    "a count below 0": lambda d: row_of(d).update(counts=[-1, 0, 0]),
    "a count that is a float": lambda d: row_of(d).update(counts=[1.5, 0, 0]),
    "decisions that are huge": lambda d: d["tables"][0].update(decisions=1 << 70),
    "epsilon above 1": lambda d: d["tables"][0].update(epsilon=1.5),
    "epsilon below 0": lambda d: d["tables"][0].update(epsilon=-0.5),
    "games that do not add up": lambda d: d.update(games=d["games"] + 1),
    "games below 0": lambda d: d.update(games=-1),
    "no curve": lambda d: d.pop("curve"),
    "a curve that is a list": lambda d: d.update(curve=[]),
    "blocks that are lists": lambda d: d["curve"].update(blocks=[[1]]),
    "blocks that are words": lambda d: d["curve"].update(blocks=["one"]),
    "a size that is no power of 2": lambda d: d["curve"].update(size=3),
    "a size of 0": lambda d: d["curve"].update(size=0),
    "a block that does not add up": lambda d: d["curve"]["blocks"][0].update(wins=10**6),
    "a grade that is a number": lambda d: d["curve"]["blocks"][0].update(grade=1),
    "a grade that is a list": lambda d: d["curve"]["blocks"][0].update(grade=[1]),
    "a grade without seats": lambda d: d["curve"]["blocks"][0].update(grade={}),
    "a grade of lists": lambda d: d["curve"]["blocks"][0]["grade"].update(seats=[[1], [2]]),
    "a grade of words": lambda d: d["curve"]["blocks"][0]["grade"].update(optimal_share="all"),
    "training that is a list": lambda d: d.update(training=[]),
    "an opponent without a table": lambda d: d.update(
        opponent={"learner": "q", "parameters": d["parameters"]}
    ),
    "an opponent that is a word": lambda d: d.update(opponent="q"),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_files(what: str, agents: dict[str, Path], tmp_path: Path) -> None:
    data = json.loads(agents["q"].read_text())
    HOSTILE[what](data)
    refused(rewritten(tmp_path / "hostile.json", data), load("hexapawn"))


LISTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a list less": lambda e: e.pop("7"),
    "a list more": lambda e: e.update({"17": [1]}),
    "a list of none": lambda e: e.update({"7": 3}),
    "too many taken": lambda e: e.update({"2": [3, 2, 1]}),
    "none taken": lambda e: e.update({"7": [0]}),
    "a word": lambda e: e.update({"7": ["3"]}),
    "true": lambda e: e.update({"7": [True]}),
    "far too many taken": lambda e: e.update({"7": [10**30]}),
}


@pytest.mark.parametrize("what", LISTS)
def test_hostile_lists(what: str, agents: dict[str, Path], tmp_path: Path) -> None:
    data = json.loads(agents["lists"].read_text())
    LISTS[what](data["tables"][0]["entries"])
    refused(rewritten(tmp_path / "hostile.json", data), load("nim"))


def test_lists_edited_by_hand_are_taken(agents: dict[str, Path], tmp_path: Path) -> None:
    data = json.loads(agents["lists"].read_text())
    data["tables"][0]["entries"]["7"] = [3, 3, 3, 1]
    game = load("nim")
    found = store.load(rewritten(tmp_path / "edited.json", data), game)
    row = next(row for row in found.memories[0].rows() if row.state.matches == 7)
    assert dict(zip(row.moves, row.counts, strict=True)) == {1: 1, 2: 0, 4: 3}


TEXTS: dict[str, bytes] = {
    "empty": b"",
    "a space": b" ",
    "not a number": b'{"format": "damier-agent/1", "games": NaN}',
    "infinity": b'{"format": "damier-agent/1", "games": -Infinity}',
    "a key twice": b'{"format": "damier-agent/1", "games": 1, "games": 2}',
    "more than a float holds": b'{"format": "damier-agent/1", "games": 1e999}',
    "a number without end": b'{"format": "damier-agent/1", "games": ' + b"9" * 100_000 + b"}",
    "brackets without end": b'{"format": "damier-agent/1", "games": ' + b"[" * 200_000 + b"}",
    "objects without end": b'{"format": "damier-agent/1", "games": ' + b'{"a":' * 200_000 + b"}",
    "a pickle": pickle.dumps({"format": "damier-agent/1"}),
    "a pickle that runs": b"cos\nsystem\n(S'echo ran > ran'\ntR.",
    "a pickle behind a header": b'{"format": "damier-agent/1", "arrays": {}}\n' + pickle.dumps([1]),
    "a NumPy file": b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
    "an archive": b"PK\x03\x04" + bytes(100),
    "not UTF-8": b'{"format": "damier-agent/1", "games": "\xff\xfe"}',
    "a mark of byte order": b'\xef\xbb\xbf{"format": "damier-agent/1"}',
    "a list": b'["damier-agent/1"]',
    "a solution": b'{"format": "damier-solution/1", "arrays": {}}',
    "control characters": b'{"format": "damier-agent/1", "game": "\\u001b[31m\\n\\u202e", "options": {}}',
    "an unpaired surrogate": b'{"format": "damier-agent/1", "game": "\\ud800", "options": {}}',
}


@pytest.mark.parametrize("what", TEXTS)
def test_whatever_bytes_a_file_holds(
    what: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "hostile.json"
    path.write_bytes(TEXTS[what])
    commands_refuse(path, capsys)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["hostile.json"]


def commands_refuse(path: Path, capsys: Captured, game: str = "hexapawn") -> None:
    """Every command that reads agents ends with 2 and one line, and leaves the file as it is."""
    before = path.read_bytes() if path.is_file() else None
    for command in (
        ["match", game, f"q:file={path}", "random", "--games", "1"],
        ["match", game, "random", f"q:file={path},learn=true", "--games", "1", "--json"],
        ["grade", game, f"q:file={path}"],
        ["train", game, "q", "--opponent", f"q:file={path}", "--games", "2"],
        ["train", game, "q:preset=hexapion", "--out", str(path), "--resume", "--games", "200"],
        ["show", str(path)],
    ):
        code = run(build(), command)
        out, err = capsys.readouterr()
        assert (code, out) == (2, ""), (command, code, out, err)
        assert err.count("\n") == 1, (command, err)
        assert err.startswith("damier: ")
        assert "fault" not in err
        assert err.strip().isprintable(), repr(err)
        assert len(err) < 1500
        if before is not None:
            assert path.read_bytes() == before


@pytest.mark.parametrize(
    "what",
    [
        "a row twice",
        "blocks that are lists",
        "tables that are numbers",
        "a grade of lists",
        "a count that is huge",
    ],
)
def test_commands_refuse_hostile_files(
    what: str, agents: dict[str, Path], tmp_path: Path, capsys: Captured
) -> None:
    data = json.loads(agents["q"].read_text())
    HOSTILE[what](data)
    commands_refuse(rewritten(tmp_path / "hostile.json", data), capsys)


def test_commands_refuse_a_folder_a_pipe_and_nothing(tmp_path: Path, capsys: Captured) -> None:
    folder, pipe, secret = tmp_path / "folder.json", tmp_path / "pipe.json", tmp_path / "missing.json"
    folder.mkdir()
    os.mkfifo(pipe)
    for path in (folder, pipe, secret):
        for command in (
            ["match", "hexapawn", f"q:file={path}", "random"],
            ["grade", "hexapawn", f"q:file={path}"],
            ["show", str(path)],
        ):
            if path is pipe and command[0] == "match":  # a process, which may be waited for in vain
                code, err = in_a_process(command)
            else:
                code, err = run(build(), command), capsys.readouterr().err
            assert code == 2, (command, err)
            assert err.count("\n") == 1, err
            assert path.name in err
    for path in (folder, pipe):
        assert run(build(), ["train", "hexapawn", "q", "--out", str(path), "--resume", "--games", "5"]) == 2
        assert "not a file" in capsys.readouterr().err


def in_a_process(command: list[str], memory: int | None = None) -> tuple[int, str]:
    """The exit code and what was said, within so many bytes of memory."""

    def limited() -> None:
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "damier.cli.main", *command],
        capture_output=True,
        text=True,
        timeout=300,
        preexec_fn=limited,
        env=environment,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("begins", "commands"),
    [
        later((b"", "show")),
        (b'{"format": "damier-agent/1", "games": "', "show"),
        (b'{"format": "damier-agent/1", "arrays": {}}\n', "show"),
        later((b'{"format": "damier-agent/1", "arrays": {}}\n', "all")),
    ],
)
def test_a_file_larger_than_memory_is_refused_unread(begins: bytes, commands: str, tmp_path: Path) -> None:
    path = tmp_path / "sparse.json"
    path.write_bytes(begins)
    os.truncate(path, 40 << 30)
    others = (
        ["grade", "hexapawn", f"q:file={path}"],
        ["train", "hexapawn", "q", "--out", str(path), "--resume", "--games", "9"],
    )
    for command in (["show", str(path)], *(others if commands == "all" else ())):
        code, err = in_a_process(command, memory=4 << 30)
        assert (code, err.count("\n")) == (2, 1), (command, code, err)
    assert path.stat().st_size == 40 << 30


# ------------------------------------------------------------------------------------------
# anything


@pytest.mark.parametrize("kind", shortly(KINDS, "q", "beads", "lists", "opponent"))
def test_anything_changed_anywhere_is_refused_or_harmless(
    kind: str, agents: dict[str, Path], tmp_path: Path
) -> None:
    """Without a checksum to help: whatever loads has probabilities in every position, and can be
    saved.
    """
    game, data = load(KINDS[kind][0]), json.loads(agents[kind].read_text())
    data["tables"] = [
        {**table, **({"rows": table["rows"][:12]} if "rows" in table else {})} for table in data["tables"]
    ]
    dice, path = random.Random(kind), tmp_path / "mutated.json"
    refusals = 0
    for _try in range(120):
        rewritten(path, changed(data, dice))
        try:
            found = store.load(path, game)
        except DamierError:
            refusals += 1
            continue
        store.save(found, tmp_path / "again.json")
        assert store.load(tmp_path / "again.json", game).parameters == found.parameters
        for name, parameters, memory in found.tables:
            player = reading_player(game, name, parameters, memory)
            for s in [game.start, *[row.state for row in memory.rows() if name != "v"]]:
                if not game.over(s):
                    likely = player.probabilities(game, s)
                    assert all(0 <= share <= 1 for share in likely.values())
                    assert sum(likely.values()) <= 1 + 1e-9
    assert refusals > 50


def reading_player(game: Game, name: str, parameters: Any, memory: Any) -> Any:
    from damier.learn.player import LearningPlayer

    return LearningPlayer(game, name, parameters, memory, learns=False)


# ------------------------------------------------------------------------------------------------------- as
# people use them


def facts(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code = run(build(), [*arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)  # type: ignore[no-any-return]


def test_a_file_plays(agents: dict[str, Path], capsys: Captured) -> None:
    """What it knows, without exploring or learning: the same games as its grade says."""
    path = agents["q"]
    before = path.read_bytes()
    graded = facts(capsys, "grade", "hexapawn", f"q:file={path}")
    played = facts(
        capsys, "match", "hexapawn", f"q:file={path}", "random", "--games", "4000", "--pure", "--seed", "5"
    )
    for end, name in (("win", "wins"), ("draw", "draws"), ("loss", "losses")):
        assert played[name] / 4000 == pytest.approx(graded["seats"][0][end], abs=0.035)
    last = json.loads(path.read_text())["curve"]["blocks"][-1]["grade"]
    assert graded["seats"] == last["seats"]
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", [later("q"), later("beads")])
def test_a_file_plays_the_same_compiled(kind: str, agents: dict[str, Path], capsys: Captured) -> None:
    text, game = f"{kind}:file={agents[kind]}", KINDS[kind][0]
    both = [
        facts(capsys, "match", game, text, "random", "--games", "200", speed, "--swap-seats")
        for speed in ("--pure", "--compiled")
    ]
    assert both[0] | {"games_per_second": 0} == both[1] | {"games_per_second": 0}


def test_going_on_learning_in_a_match(agents: dict[str, Path], capsys: Captured) -> None:
    """`learn=true` explores and learns while it plays; its file stays as it is."""
    path = agents["q"]
    before = path.read_bytes()
    lab = Lab(load("hexapawn"))
    still, learning = (agent(lab, f"q:file={path}{more}") for more in ("", ",learn=true"))
    assert (still.learns, learning.learns) == (False, True)
    games = [
        facts(capsys, "match", "hexapawn", f"q:file={path}{more}", "random", "--games", "2000", "--pure")
        for more in ("", ",learn=true")
    ]
    assert games[0]["wins"] != games[1]["wins"]
    greedy = facts(
        capsys,
        "match",
        "hexapawn",
        f"q:file={path},learn=true,epsilon=0",
        "random",
        "--games",
        "10",
        "--pure",
    )
    assert greedy["games"] == 10
    assert path.read_bytes() == before


def test_two_tables_play_at_their_seats(agents: dict[str, Path], tmp_path: Path, capsys: Captured) -> None:
    """Graded from each seat as the table of that seat is graded alone."""
    game, path = load("hexapawn"), agents["two"]
    found = store.load(path, game)
    both = facts(capsys, "grade", "hexapawn", f"q:file={path}")
    for seat in (0, 1):
        alone = tmp_path / f"{seat}.json"
        store.save(replace(found, memories=[found.memories[seat]]), alone)
        assert facts(capsys, "grade", "hexapawn", f"q:file={alone}")["seats"][seat] == both["seats"][seat]
    assert run(build(), ["match", "hexapawn", f"q:file={path},learn=true", "random"]) == 2
    assert "--resume" in capsys.readouterr().err


def test_two_tables_are_graded_the_same_compiled(agents: dict[str, Path]) -> None:
    lab = Lab(load("hexapawn"))
    player = agent(lab, f"q:file={agents['two']}")
    compiled, plain = (grade(lab.game, player, RandomPlayer(), Job(jit=jit)) for jit in (True, False))
    assert compiled == plain


@long
def test_two_tables_play_the_same_compiled(agents: dict[str, Path], capsys: Captured) -> None:
    speeds = [
        facts(
            capsys,
            "match",
            "hexapawn",
            f"q:file={agents['two']}",
            "random",
            "--games",
            "300",
            "--swap-seats",
            s,
        )
        for s in ("--pure", "--compiled")
    ]
    assert speeds[0] | {"games_per_second": 0} == speeds[1] | {"games_per_second": 0}


def test_a_file_of_one_learner_is_not_played_by_another(agents: dict[str, Path], capsys: Captured) -> None:
    q, menace = agents["q"], agents["beads"]
    for text, says in (
        (f"mean:file={q}", "q:file="),
        (f"q:file={q},preset=hexapion", "exclude"),
        (f"q:file={menace}", "tictactoe"),
    ):
        assert run(build(), ["match", "hexapawn", text, "random"]) == 2
        err = capsys.readouterr().err
        assert says in err
        assert err.count("\n") == 1


def test_show_reads_every_kind(agents: dict[str, Path], capsys: Captured) -> None:
    for kind, path in agents.items():
        shown = facts(capsys, "show", str(path))
        assert shown["game"].startswith(KINDS[kind][0]), kind
        assert run(build(), ["show", str(path)]) == 0
        assert capsys.readouterr().out


# ---------------------------------------------------------------------------------------------- the file of
# the Hexapawn lab


def lab_file(agents: dict[str, Path], path: Path) -> Path:
    found = store.load(agents["q"], load("hexapawn"))
    save_hexapion(path, found.game, found.memories[0], found.memories[0].rows())
    return path


def test_the_file_of_the_hexapawn_lab_comes_back(
    agents: dict[str, Path], tmp_path: Path, capsys: Captured
) -> None:
    """Row A-24; values to 9 digits, as 32-bit floats are printed."""
    game = load("hexapawn")
    found, path = store.load(agents["q"], game), lab_file(agents, tmp_path / "AgentA.txt")
    lines = path.read_text().splitlines()
    memory = found.memories[0]
    assert lines[0] == f"{memory.decisions} {memory.epsilon:.9g}"
    assert lines[1:3] == ["377", "0 3 6"]
    assert len(lines) == 1 + 3 * len(memory)
    read = load_hexapion(path, game)
    assert (read.decisions, read.epsilon) == (memory.decisions, pytest.approx(memory.epsilon, rel=1e-8))
    for one, two in zip(memory.rows(), read.rows(), strict=True):
        assert (one.state, one.moves) == (two.state, two.moves)
        assert two.values == pytest.approx(one.values, rel=1e-8, abs=1e-300)
    again = tmp_path / "again.txt"
    save_hexapion(again, game, read, read.rows())
    assert again.read_bytes() == path.read_bytes()
    graded = [facts(capsys, "grade", "hexapawn", f"q:file={file}")["seats"] for file in (path, agents["q"])]
    assert graded[0] == graded[1]


def test_actions_of_the_lab_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "AgentA.txt"
    path.write_text("12 0.5\n377\n6 0 3\n0.5 -1 2.5e-3\n\n\n")
    read = load_hexapion(path, load("hexapawn"))
    (row,) = read.rows()
    assert dict(zip(row.moves, row.values, strict=True)) == {1: -1.0, 1 << 3: 2.5e-3, 1 << 6: 0.5}
    assert (read.decisions, read.epsilon) == (12, 0.5)


LAB_FILES = {
    "empty": "",
    "no first line": "377\n0 3 6\n0 0 0\n",
    "a line less": "1 1.0\n377\n0 3 6\n",
    "a state that is none": "1 1.0\n378\n0 3 6\n0 0 0\n",
    "a state that is a word": "1 1.0\nstart\n0 3 6\n0 0 0\n",
    "an action that is none": "1 1.0\n377\n0 3 7\n0 0 0\n",
    "an action twice": "1 1.0\n377\n0 3 3\n0 0 0\n",
    "an action less": "1 1.0\n377\n0 3\n0 0\n",
    "a value less": "1 1.0\n377\n0 3 6\n0 0\n",
    "a value that is a word": "1 1.0\n377\n0 3 6\n0 0 x\n",
    "not a number": "1 1.0\n377\n0 3 6\n0 0 NaN\n",
    "infinity": "1 1.0\n377\n0 3 6\n0 0 Infinity\n",
    "a huge value": "1 1.0\n377\n0 3 6\n0 0 1e300\n",
    "a value beyond floats": "1 1.0\n377\n0 3 6\n0 0 1e999\n",
    "a state twice": "1 1.0\n377\n0 3 6\n0 0 0\n377\n0 3 6\n0 0 0\n",
    "epsilon above 1": "1 2.0\n377\n0 3 6\n0 0 0\n",
    "epsilon that is none": "1 e\n377\n0 3 6\n0 0 0\n",
    "steps below 0": "-1 1.0\n377\n0 3 6\n0 0 0\n",
    "a decimal comma": "1 1,0\n377\n0 3 6\n0 0 0\n",
    "other digits": "1 1.0\n٣٧٧\n0 3 6\n0 0 0\n",
    "control characters": "1 1.0\n\x1b[31m377\n0 3 6\n0 0 0\n",
    "a long number": "1 1.0\n" + "3" * 10_000 + "\n0 3 6\n0 0 0\n",
    "a long value": "1 1.0\n377\n0 3 6\n0 0 " + "1" * 10_000 + "\n",
    "other lines": "1 1.0\x0b377\x0c0 3 6\x1c0 0 0\x85",
}


@pytest.mark.parametrize("what", LAB_FILES)
def test_a_damaged_file_of_the_lab_is_refused(what: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "AgentA.txt"
    path.write_text(LAB_FILES[what])
    for command in (
        ["match", "hexapawn", f"q:file={path}", "random", "--games", "1"],
        ["grade", "hexapawn", f"q:file={path}"],
        ["show", str(path)],
    ):
        code = run(build(), command)
        out, err = capsys.readouterr()
        assert (code, out) == (2, ""), (command, err)
        assert err.count("\n") == 1
        assert err.strip().isprintable()
        assert len(err) < 1500
    assert path.read_text() == LAB_FILES[what]


def test_a_file_of_the_lab_is_for_pawns_and_q(
    agents: dict[str, Path], tmp_path: Path, capsys: Captured
) -> None:
    path = lab_file(agents, tmp_path / "AgentA.txt")
    for game, text in (("tictactoe", "q"), ("nim", "q"), ("hexapawn", "v"), ("octapawn", "q")):
        assert run(build(), ["match", game, f"{text}:file={path}", "random", "--games", "1"]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_octapawn_too(tmp_path: Path) -> None:
    """Row A-25: 30 actions, the start is number 265 760."""
    path = tmp_path / "AgentA.txt"
    path.write_text("0 1\n265760\n0 3 6 9\n1 2 3 4\n")
    (row,) = load_hexapion(path, load("octapawn")).rows()
    assert (row.values, row.state) == ((1.0, 2.0, 3.0, 4.0), load("octapawn").start)


def test_a_heap_of_any_size_has_no_list_for_each_of_its_matches(tmp_path: Path) -> None:
    """A file of 300 bytes could name a heap of 10^17, and its reader would count down from there."""
    path = tmp_path / "beads.json"
    small = trainer(Lab(load("nim:matches=3")), Plan("beads:alike=true", "self", "1"))
    store.save(small.agent(), path)
    assert "entries" in json.loads(path.read_text())["tables"][0]
    large = trainer(Lab(load("nim:matches=100000000000000000")), Plan("beads:alike=true", "self", "1"))
    store.save(large.agent(), path)
    assert json.loads(path.read_text())["tables"][0]["rows"] == []
    assert len(store.load(path, large.lab.game).memories[0]) == 0
    with pytest.raises(BadFile, match="one list for each number of matches"):
        rows_of_lists(large.lab.game, {"3": [1]}, path)
