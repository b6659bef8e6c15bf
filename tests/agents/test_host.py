"""Agents in Python in a sandbox: one process that loads them once and answers the protocol."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from foreign import QUICK, limited, played, reason, sandboxed

from damier import load
from damier.agents.isolation import AgentCommand, launch
from damier.agents.process import ProcessPlayer, position_message
from damier.arena.match import match
from damier.arena.records import GameRecord
from damier.core.bits import Rng, random_bit
from damier.core.errors import AgentFault, BadFile, BadInput
from damier.core.game import Game
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import AnyKernel, Arrays, Kernel, RandomPlayer
from damier.core.rules import State
from damier.lab.agent_file import MOST_FILES, files_of, isolated_player
from damier.lab.agents import Lab, agent
from damier.lab.host import Host
from damier.lab.training import Plan, trainer

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


SECRET = "what a neighbour has found out"
FOLDER = """
import helper
from pathlib import Path

BOOK = Path(__file__).with_name("book.txt").read_text()


class Bob:
    def __init__(self, last: bool = False):
        self.last = last

    def play(self, position):
        assert BOOK == "first"
        return helper.one_of(position.moves, self.last)
"""
CURIOUS = """
import os, sys
from pathlib import Path

def seen():
    for place in (Path(__file__).parent, Path.cwd(), Path(NEIGHBOUR).parent):
        for folder, folders, names in os.walk(place):
            folders[:] = set(folders) - {"site-packages"}  # whose names are any
            yield from (os.path.join(folder, name) for name in (*folders, *names))

def play(position):
    sys.path.insert(0, os.path.dirname(NEIGHBOUR))
    theirs = {"neighbour.py", "link.py", "inside", "secret.py"}
    found = [name for name in seen() if os.path.basename(name) in theirs]
    for name in (NEIGHBOUR, "neighbour.py", "link.py", "inside/secret.py"):
        for place in (Path(name), Path(__file__).parent / name):
            try:
                found.append(place.read_text())
            except OSError:
                pass
    try:
        import neighbour
        found.append(neighbour.SECRET)
    except ImportError:
        pass
    raise RuntimeError(repr(found))
"""
LEARNT = """
class Remembers:
    gained = None

    def play(self, position):
        if self.gained:
            raise RuntimeError(self.gained)
        return self.learnt[0] if self.learnt[0] in position.moves else position.moves[0]

    def load(self, data):
        self.learnt = data

    def save(self):
        return ["c1c2"]

    def learn(self, payoff):
        pass

    def end(self, payoff, history):
        self.gained = [int(step.reward) for step in history]
"""


@dataclass
class Witness:
    """Plays at random, and notes what it was told."""

    heard: list[object] = field(default_factory=list)
    text = "witness"
    compiles, learns = False, False

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        raise NotImplementedError

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        game = load("hexapawn")

        def begin(arrays: Arrays, plies: int) -> bool:
            self.heard.append("begin")
            return True

        def choose(s: State, arrays: Arrays, rng: Rng) -> int:
            self.heard.append(s)
            if len(self.heard) > 6:
                raise AgentFault("witness.py:3: KeyError")
            return random_bit(rng, game.moves(s))

        def gain(reward: int, player: int, arrays: Arrays) -> None:
            self.heard.append(f"gained {reward}")

        def learn(payoff: int, player: int, arrays: Arrays) -> None:
            self.heard.append((payoff, player))

        return Kernel(choose, None, (), begin, gain, learn)


def test_a_host_asks_its_player_as_a_match_does() -> None:
    game, witness = load("hexapawn"), Witness()
    host, start = Host(game, witness), game.start
    limits = {"seconds": 1.0, "game_seconds": 1.0, "memory": 1}
    new = {"type": "new_game", "protocol": 1, "game": "hexapawn", "options": {}, "players": 2, "seat": 1}
    assert host.hear({**new, "seed": 7, "limits": limits}) is None
    message = position_message(game, start, [], list(game.position().moves), 1.0)
    first = host.hear(message)
    assert first is not None
    assert first["move"] in message["legal"]
    assert host.hear(position_message(game, start, [], [], 1.0, reward=-2)) is not None
    assert host.hear({"type": "end", "payoff": -1, "reward": 1, "fault": ""}) is None
    assert witness.heard == ["begin", start, "gained -2", start, "gained 1", (-1, 1)]
    assert host.hear(message) == {"fault": "witness.py:3: KeyError"}


@sandboxed
def test_it_plays_in_a_sandbox_and_draws_from_the_seed() -> None:
    game = load("hexapawn")
    runs = []
    for _run in range(2):
        player = isolated_player("random", game)
        records, faults = played(player, 40)
        player.close()
        assert not faults
        assert player.trust.games == 40
        assert player.launch.isolated
        runs.append([record.moves for record in records])
    assert runs[0] == runs[1]
    assert len(set(runs[0])) > 20


@sandboxed
def test_a_game_of_one_s_own_comes_along() -> None:
    game = load(f"{EXAMPLES / 'clock.py'}")
    player = isolated_player("minimax:plies=2", game)
    _records, faults = played(player, 3)
    player.close()
    assert not faults


@sandboxed
def test_what_it_prints_is_not_taken_for_an_answer() -> None:
    """A person who is asked: the question goes to standard error, and there is nobody to answer."""
    player = isolated_player("human", load("hexapawn"))
    assert "the input ended before the game did" in reason(player)
    player.close()


@sandboxed
def test_a_file_is_found_in_the_sandbox_with_what_follows_its_name(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    script, data = tmp_path / "own" / "script.py", tmp_path / "own" / "data.py"
    script.write_text("import sys; sys.exit(' '.join(sys.argv[1:]) + open('/agent/data.py').read())")
    data.write_text(" is there")
    command = AgentCommand((sys.executable, str(script), f"{data}:Name:x=1"), {1: str(script), 2: str(data)})
    for folder in (False, True):
        player = ProcessPlayer(load("hexapawn"), launch(command, QUICK, True, folder=folder)[0], "agent")
        assert reason(player).endswith("(/agent/data.py:Name:x=1 is there)")


def test_a_file_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(BadInput, match=r"there is no file none\.py"):
        isolated_player("none.py:Name:x=1", load("hexapawn"), limited())


OWN = """
from pathlib import Path

class Own:
    def __init__(self, first: bool = True, seed: int = 0):
        self.first, self.seed = first, seed
        print("made")

    def play(self, position):
        print("thinks")
        if Path({secret!r}).exists():
            return "out of the sandbox"
        return position.moves[0 if self.first else self.seed]

    def end(self, payoff):
        print("ended", payoff)


class Broken:
    def play(self, position):
        return {{}}[position.moves[0]]
"""


@sandboxed
def test_a_python_file_plays_in_a_sandbox_where_this_is_asked_for(tmp_path: Path) -> None:
    path, secret = tmp_path / "own.py", tmp_path / "secret"
    path.write_text(OWN.format(secret=str(secret)))
    secret.write_text("")
    lab = Lab(load("hexapawn"), seed=1, isolated=True)
    for options, first in ((":Own", "a1a2"), (":Own:first=false", "b1b2")):
        player = agent(lab, f"{path}{options}")
        assert isinstance(player, ProcessPlayer)
        records, faults = played(player, 4, swap=0)
        player.close()
        assert not faults
        assert {record.moves[0] for record in records} == {first}
    broken = agent(lab, f"{path}:Broken")
    assert isinstance(broken, ProcessPlayer)
    _records, faults = played(broken, 5)
    broken.close()
    assert len(faults) == 5
    assert all(re.search(r"Broken: own\.py:2\d: KeyError: ", fault) for fault in faults.values())


@pytest.fixture
def bob(tmp_path: Path) -> Path:
    """A folder that is an agent."""
    folder = tmp_path / "bob"
    folder.mkdir()
    (folder / "agent.py").write_text(FOLDER)
    (folder / "helper.py").write_text("def one_of(moves, last):\n    return moves[-1 if last else 0]\n")
    (folder / "book.txt").write_text("first")
    return folder


@pytest.mark.parametrize("isolated", [False, pytest.param(True, marks=sandboxed)])
def test_who_names_a_folder_brings_it(bob: Path, isolated: bool) -> None:
    lab = Lab(load("hexapawn"), seed=1, isolated=isolated)
    for options, first in (("", "a1a2"), (":last=true", "c1c2"), (":Bob:last=true", "c1c2")):
        player = agent(lab, f"{bob}{options}")
        match_of = MatchSetup(lab.game, (player, RandomPlayer()), 1, record=True, strict=False)
        records: list[GameRecord] = []
        match(match_of, 2, Job(jit=False), keep=records.extend)
        if isinstance(player, ProcessPlayer):
            player.close()
        assert not match_of.faults.of_game
        assert {record.moves[0] for record in records} == {first}


@sandboxed
def test_who_names_a_file_brings_it_alone(bob: Path) -> None:
    player = isolated_player(str(bob / "agent.py"), load("hexapawn"))
    assert "No module named 'helper'" in reason(player)
    player.close()


@sandboxed
@pytest.mark.parametrize("folder", [False, True])
def test_nobody_reads_what_lies_beside_it(tmp_path: Path, folder: bool) -> None:
    """Agents of a class side by side: their files, links to them, their modules."""
    neighbour, mine = tmp_path / "neighbour.py", tmp_path / "mine"
    neighbour.write_text(f"SECRET = {SECRET!r}\n")
    place = mine if folder else tmp_path
    place.mkdir(exist_ok=True)
    (place / "agent.py").write_text(CURIOUS.replace("NEIGHBOUR", repr(str(neighbour))))
    (place / "link.py").symlink_to(neighbour)
    (place / "inside").symlink_to(tmp_path)
    (tmp_path / "secret.py").write_text(SECRET)
    player = isolated_player(str(mine if folder else mine.parent / "agent.py"), load("hexapawn"))
    assert "RuntimeError: []" in reason(player)
    player.close()


def test_a_folder_whose_agent_is_a_link_or_missing_is_refused(tmp_path: Path) -> None:
    (tmp_path / "neighbour.py").write_text("def play(position):\n    return position.moves[0]\n")
    mine = tmp_path / "mine"
    mine.mkdir()
    with pytest.raises(BadInput, match=r"there is no agent\.py in it"):
        agent(Lab(load("hexapawn")), str(mine))
    (mine / "agent.py").symlink_to(tmp_path / "neighbour.py")
    with pytest.raises(BadInput, match=r"there is no agent\.py in it"):
        files_of(mine)
    (mine / "agent.py").unlink()
    for number in range(MOST_FILES):
        (mine / f"{number}.py").touch()
    (mine / "agent.py").touch()
    with pytest.raises(BadInput, match="at most 200 files"):
        files_of(mine)


@sandboxed
def test_it_has_what_a_training_has_written_and_is_told_what_moves_gain(tmp_path: Path) -> None:
    game, path = load("hexapawn"), tmp_path / "own.py"
    path.write_text(LEARNT)
    made = trainer(Lab(game, Job(jit=False)), Plan(f"{path}:Remembers", "random"))
    made.save(tmp_path / "learnt.json")
    text = f"{path}:Remembers:seconds=5,file={tmp_path / 'learnt.json'}"
    for wrong in (f"{path}:file={tmp_path}/none.json", f"{path}:file={path}"):
        with pytest.raises(BadFile):
            isolated_player(wrong, game)
    with pytest.raises(BadFile, match="not for tictactoe"):
        isolated_player(text, load("tictactoe"))
    player = isolated_player(text, game)
    records, faults = played(player, 2, swap=0)
    player.close()
    assert records[0].moves[0] == "c1c2"
    gained = [0] * len(records[0].moves[::2])
    position = game.position()
    for number, name in enumerate(records[0].moves):
        gained[number // 2] += (-1) ** number * game.reward(position.state, position.named_moves[name])
        position = position.play(name)
    assert any(gained)
    assert faults[1].endswith(f"RuntimeError: {gained}")
