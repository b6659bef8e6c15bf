"""Every kind of file, damaged: any bit of it flipped, cut off, added to, or one thing in it
replaced. It is refused, or says what it said.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lasting import later

from damier import Job, load
from damier.arena import match as playing, records
from damier.arena.records import Recorder, Records, Referee
from damier.cli.main import build, run
from damier.core import json_data
from damier.core.errors import BadFile
from damier.core.json_data import read_arrays, to_json, write_arrays, write_json
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.games.maze import MAZE_BOUNDS, maze_as_json, read_layout, read_maze_file
from damier.lab.agents import Lab
from damier.lab.training import Plan, trainer
from damier.learn import store as agents
from damier.solve import solve, store as solutions
from damier.trees import tree_text
from tests.commands import Captured, beginning
from tests.mutations import changed
from tests.sample_trees import classic

call, data = beginning("show")
GAME = "hexapawn:width=2,height=3"
HEXAPAWN, NIM = load(GAME), load("nim")


@dataclass(frozen=True)
class Kind:
    """A kind of file: its bytes, and what a file says, as a value that can be compared."""

    whole: bytes
    read: Callable[[Path], object]


def solution(folder: Path) -> Kind:
    solutions.save(solve(HEXAPAWN, job=Job(jit=False)), folder / "file")

    def read(path: Path) -> object:
        found = solutions.load(path, HEXAPAWN)
        table = found.key_table()
        return (
            found.start,
            found.cyclic,
            table.first_ply,
            table.offsets,
            table.keys.tolist(),
            table.scores.tolist(),
        )

    return Kind((folder / "file").read_bytes(), read)


def trained() -> agents.Agent:
    made = trainer(Lab(HEXAPAWN, Job(jit=False)), Plan("q", "random", "1", 1))
    made.training.grade_every = lambda: 0  # no grader is made
    made.training.run(20, Job(jit=False))
    return made.agent()


def told(path: Path) -> object:
    found = agents.load(path, HEXAPAWN)
    return (
        found.parameters,
        found.training,
        found.games,
        found.curve,
        [(list(m.rows()), m.decisions, m.games, m.epsilon) for m in found.memories],
    )


def agent(folder: Path) -> Kind:
    agents.save(trained(), folder / "file")
    return Kind((folder / "file").read_bytes(), told)


def large_agent(folder: Path) -> Kind:
    """An agent whose tables are arrays, as those of more than 30 000 rows are."""
    agents.save(trained(), folder / "small")
    said = json.loads((folder / "small").read_text())
    header = {name: value for name, value in said.items() if name not in ("format", "sha256")}
    header["tables"] = [
        {name: table[name] for name in ("decisions", "games", "epsilon")} for table in said["tables"]
    ]
    write_arrays(folder / "file", agents.FORMAT, header, agents.arrays_of(trained()))
    return Kind((folder / "file").read_bytes(), told)


def tree(folder: Path) -> Kind:
    tree_text.save(tree_text.tree_of(classic()), folder / "file")
    return Kind((folder / "file").read_bytes(), tree_text.load)


def pacman(folder: Path) -> Kind:
    write_json(folder / "file", maze_as_json(read_layout("corridor")), MAZE_BOUNDS)
    return Kind((folder / "file").read_bytes(), read_maze_file)


def record(folder: Path) -> Kind:
    table = MatchSetup(NIM, (RandomPlayer(), RandomPlayer()), 1, record=True)
    with Recorder(folder / "file") as recorder:
        playing.match(table, 5, Job(jit=False), keep=recorder.keep)

    def read(path: Path) -> object:
        found, referee = Records(path), Referee(NIM)
        games = []
        for game in found.checked():
            referee.check(game)
            games.append(game)
        return found.sealed, games

    return Kind((folder / "file").read_bytes(), read)


KINDS = {made.__name__: made for made in (solution, agent, large_agent, tree, pacman, record)}


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    return made_once(request.param)


@cache
def made_once(name: str) -> Kind:
    with tempfile.TemporaryDirectory() as folder:
        return KINDS[name](Path(folder))


def refused_or_same(kind: Kind, path: Path, content: bytes) -> bool:
    """Whether such a file is refused; if it is not, it must say the same."""
    path.write_bytes(content)
    try:
        found = kind.read(path)
    except BadFile as error:
        return one_line(error)
    assert found == said(kind)
    return False


def one_line(error: BadFile) -> bool:
    assert str(error).isprintable()
    assert len(str(error)) < 1200
    return True


@cache
def said(kind: Kind) -> object:
    """What a file says that nobody has damaged."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(kind.whole)
        file.flush()
        return kind.read(Path(file.name))


def sampled(dice: random.Random, size: int, most: int) -> list[int]:
    return sorted(dice.sample(range(size), min(size, most)))


def test_a_flipped_bit_is_refused_or_changes_nothing(kind: Kind, tmp_path: Path) -> None:
    for place in sampled(random.Random(1), 8 * len(kind.whole), 150):
        flipped = bytearray(kind.whole)
        flipped[place >> 3] ^= 1 << (place & 7)
        refused_or_same(kind, tmp_path / "file", bytes(flipped))


@pytest.mark.parametrize(
    ("made", "step"),
    [(solution, 11), (large_agent, 101), later((large_agent, 11))],
)
def test_no_bit_of_a_header_or_of_arrays_may_flip(
    made: Callable[[Path], Kind], step: int, tmp_path: Path
) -> None:
    """Bits all over the header, where a step size of 0.1 once became 0.9: white space, padding and
    the checksum itself are bytes like all others.
    """
    path, kind = tmp_path / "file", made_once(made.__name__)
    form = json.loads(kind.whole.split(b"\n")[0])["format"]
    kind = Kind(kind.whole, lambda path: read_arrays(path, form))
    header = kind.whole.index(b"\n") + 1
    places = [*range(0, 8 * header, step), *sampled(random.Random(2), 8 * len(kind.whole), 300)]
    for place in places:
        flipped = bytearray(kind.whole)
        flipped[place >> 3] ^= 1 << (place & 7)
        assert refused_or_same(kind, path, bytes(flipped)), place
    for more in (b"\0", b" ", b"\n", bytes(64)):
        assert refused_or_same(kind, path, kind.whole + more)


def test_a_file_cut_off_or_added_to_is_refused(kind: Kind, tmp_path: Path) -> None:
    whole = (
        kind.whole.rstrip(b"\n") if kind.whole.startswith(b"{") and b"\0" not in kind.whole else kind.whole
    )
    ends = {place for place, byte in enumerate(whole) if byte == 10}
    for size in {
        *sampled(random.Random(3), len(whole), 50),
        *sorted(ends)[:20],
        *(at + 1 for at in sorted(ends)[:20]),
    }:
        assert refused_or_same(kind, tmp_path / "file", whole[:size])
    for more in (b"x", b"{}", b"\0", b"[]\n", kind.whole):
        assert refused_or_same(kind, tmp_path / "file", kind.whole + more)


def test_bytes_swapped_dropped_or_repeated(kind: Kind, tmp_path: Path) -> None:
    dice = random.Random(4)
    for _try in range(60):
        first, second, third = sorted(dice.randrange(len(kind.whole)) for _ in range(3))
        head, one, two, tail = (
            kind.whole[:first],
            kind.whole[first:second],
            kind.whole[second:third],
            kind.whole[third:],
        )
        parts = dice.choice(
            [
                (head, two, one, tail),
                (head, two, tail),
                (head, one, one, two, tail),
                (head, bytes(len(one)), two, tail),
            ]
        )
        refused_or_same_or_open(kind, tmp_path / "file", b"".join(parts))


def refused_or_same_or_open(kind: Kind, path: Path, content: bytes) -> None:
    """The same for what may have lost its seal whole: then it only has to be read or refused."""
    path.write_bytes(content)
    try:
        found = kind.read(path)
    except BadFile:
        return
    if b"sha256" in content:
        assert found == said(kind)


@pytest.mark.parametrize("made", [agent, tree, pacman])
def test_whatever_a_file_says_without_its_checksum(made: Callable[[Path], Kind], tmp_path: Path) -> None:
    """It is read or refused; no other error, no key that nobody reads."""
    kind, dice = made_once(made.__name__), random.Random(5)
    data = json.loads(kind.whole)
    del data["sha256"]
    path, refusals = tmp_path / "file", 0
    for _try in range(100):
        path.write_text(json.dumps(changed(data, dice)))
        try:
            kind.read(path)
        except BadFile as error:
            refusals += one_line(error)
    assert refusals > 40


@pytest.mark.parametrize("made", [solution, large_agent])
def test_whatever_a_header_says_with_the_right_checksum(made: Callable[[Path], Kind], tmp_path: Path) -> None:
    kind, dice, path = made_once(made.__name__), random.Random(6), tmp_path / "file"
    path.write_bytes(kind.whole)
    said = json.loads(kind.whole.split(b"\n")[0])
    _header, arrays = read_arrays(path, said["format"])
    kept = {name: np.array(array) for name, array in arrays.items()}
    said = {
        name: value for name, value in said.items() if name not in ("format", "version", "arrays", "sha256")
    }
    for _try in range(60):
        write_arrays(path, _header["format"], changed(said, dice), kept)
        try:
            kind.read(path)
        except BadFile as error:
            one_line(error)


# ------------------------------------------------------------------------------------------
# version 1


def as_version_1(kind: Kind) -> bytes:
    """The same file as damier wrote it when the checksum was that of the arrays alone."""
    import hashlib

    line, payload = kind.whole[: kind.whole.index(b"\n") + 1], kind.whole[kind.whole.index(b"\n") + 1 :]
    said = json.loads(line) | {"version": 1, "sha256": hashlib.sha256(payload).hexdigest()}
    head = to_json(said).encode()
    return head + b" " * (-(len(head) + 1) % json_data.ALIGN) + b"\n" + payload


@pytest.mark.parametrize("kind", ["solution", "agent"])
@pytest.mark.parametrize("rest", ["", ', "game": 5', ', "game": ["nim"], "options": 3'])
def test_a_file_that_names_no_game_is_none_of_damier(
    kind: str, rest: str, tmp_path: Path, capsys: Captured
) -> None:
    path = tmp_path / "headless.json"
    path.write_text(f'{{"format": "damier-{kind}/1"{rest}}}')
    assert call(capsys, str(path)) == (2, "", f"damier: {path} is not a file of damier\n")


@pytest.mark.parametrize("made", [solution, large_agent])
def test_files_of_version_1_are_read_and_told_of(
    made: Callable[[Path], Kind], tmp_path: Path, capsys: Captured
) -> None:
    kind, path = made_once(made.__name__), tmp_path / "old"
    path.write_bytes(kind.whole)
    newest = kind.read(path)
    path.write_bytes(as_version_1(kind))
    assert kind.read(path) == newest
    code, _out, err = call(capsys, str(path), "--json")
    assert (code, err.count("\n")) == (0, 1)
    assert "version 1" in err
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(BadFile, match="checksum"):
        kind.read(path)


def test_a_match_tells_of_an_agent_of_version_1(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "old.agent"
    path.write_bytes(as_version_1(made_once("large_agent")))
    assert run(build(), ["match", GAME, f"q:file={path}", "random", "--games", "3", "--pure"]) == 0
    assert "version 1" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------
# records


def rewritten(path: Path, kind: Kind, change: Callable[[dict[str, Any]], object]) -> Path:
    """The record without its seal, its third game changed."""
    lines = [json.loads(line) for line in kind.whole.splitlines()[:-1]]
    change(lines[2])
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_record_without_its_seal_is_read_where_a_part_will_do_and_told_of(
    tmp_path: Path, capsys: Captured
) -> None:
    kind = made_once("record")
    path = rewritten(tmp_path / "open.jsonl", kind, lambda _game: None)
    code, out, err = call(capsys, str(path), "--json")
    assert (code, err.count("\n")) == (0, 1)
    assert "cut off after 5 games, or edited" in err
    assert json.loads(out)["sealed"] is False
    assert len(list(Records(path, part=True))) == 5
    with pytest.raises(BadFile, match=r"open\.jsonl is not whole: it was cut off after 5 games"):
        list(Records(path))
    path.write_bytes(kind.whole)
    assert (data(capsys, str(path))["sealed"], data(capsys, str(path))["games"]) == (True, 5)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda game: game["moves"].__setitem__(1, "7"), "move 2: 7 is not a legal move here; legal: 1 2 3"),
        (lambda game: game["moves"].append("1"), "is not a legal move here: the game is over"),
        (lambda game: game["moves"].pop(), "goes on"),
        (lambda game: game.update(payoffs=[-n for n in game["payoffs"]]), "outcome is"),
        (lambda game: game.update(payoffs=[5 * n for n in game["payoffs"]]), "those of this game are"),
        (lambda game: game.update(outcome="draw"), "outcome is draw"),
        (lambda game: game.update(finished=False), "is finished"),
        (lambda game: game.update(resigned=True), "given up"),
        (lambda game: game.update(mowes=[]), "did you mean moves?"),
        (lambda game: game.pop("seed"), "seed is missing"),
        (lambda game: game["options"].update(matches=10**9), ""),
        (lambda game: game.update(game="no_such"), "no_such"),
    ],
)
def test_a_game_that_was_never_played_is_refused(
    change: Callable[[dict[str, Any]], object], said: str, tmp_path: Path, capsys: Captured
) -> None:
    path = rewritten(tmp_path / "games.jsonl", made_once("record"), change)
    code, out, err = call(capsys, str(path))
    assert (code, out) == (2, ""), err
    assert err.count("\n") == 1
    assert said in err


@pytest.mark.parametrize("longest", [1 << 16, later(records.LINE.size)])
def test_a_line_longer_than_any_game_is_refused(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch, longest: int
) -> None:
    monkeypatch.setattr(records, "LINE", records.LINE._replace(size=longest))
    path = tmp_path / "games.jsonl"
    path.write_text('{"format": "damier-game/1", "moves": [' + '"1",' * (longest // 4))
    code, _out, err = call(capsys, str(path))
    assert (code, err.count("\n")) == (2, 1)
    assert "games.jsonl:1: the line is longer than any game" in err
