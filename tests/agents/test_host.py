"""Agents in Python in a sandbox: one process that loads them once and answers the protocol."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from foreign import QUICK, limited, played, reason, sandboxed

from damier import load
from damier.agents.command import AgentCommand
from damier.agents.isolation import launch
from damier.agents.process import ProcessPlayer
from damier.agents.protocol import asked
from damier.core.bits import Rng, random_bit
from damier.core.errors import AgentFault, BadInput
from damier.core.game import Game
from damier.core.player import AnyKernel, Arrays, Kernel
from damier.core.rules import State
from damier.lab.agents import Lab, agent
from damier.lab.host import Host
from damier.lab.process_agent import isolated_player

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


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
            if len(self.heard) > 3:
                raise AgentFault("witness.py:3: KeyError")
            return random_bit(rng, game.moves(s))

        def learn(payoff: int, player: int, arrays: Arrays) -> None:
            self.heard.append((payoff, player))

        return Kernel(choose, None, (), begin=begin, learn=learn)


def test_a_host_asks_its_player_as_a_match_does() -> None:
    game, witness = load("hexapawn"), Witness()
    host, start = Host(game, witness), game.start
    limits = {"seconds": 1.0, "game_seconds": 1.0, "memory": 1}
    new = {"type": "new_game", "protocol": 1, "game": "hexapawn", "options": {}, "players": 2, "seat": 1}
    assert host.hear({**new, "seed": 7, "limits": limits}) is None
    message = asked(game, start, [], list(game.position().moves), 1.0)
    first = host.hear(message)
    assert first is not None
    assert first["move"] in message["legal"]
    assert host.hear({"type": "end", "payoff": -1, "fault": ""}) is None
    assert witness.heard == ["begin", start, (-1, 1)]
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
