"""An agent at fault loses its game and nothing else, in every command that takes an agent of one's own and
with every option that keeps, shares or shows its games.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from commands import Captured, beginning, ctrl_c
from lasting import later, shortly

from damier.agents.isolation import no_isolation
from damier.arena.records import Records
from damier.core.json_types import JsonObject
from damier.core.words import speaking

FAULTS = {
    "raises": ("raise KeyError('x')", "faulty.py:3: KeyError: 'x'"),
    "raises what looks like a format": ("raise ValueError('{n.foo} {0} {} %s')", "{n.foo} {0} {} %s"),
    "raises without end": ("raise ValueError('x' * 10**6)", "xxx"),
    "raises what is no text": ("raise ValueError('\\ud800\\x1b[2J\\n')", "\\ud800\\x1b[2J\\n"),
    "exits": ("raise SystemExit(3)", "faulty.py:3: SystemExit"),
    "interrupts": ("raise KeyboardInterrupt", "faulty.py:3: KeyboardInterrupt"),
    "plays what is not there": ("return 'z9'", "z9"),
    "plays nothing": ("return None", "None"),
    "plays what cannot be shown": (
        "return type('X', (), {'__repr__': lambda self: 1 / 0})()",
        "ZeroDivisionError",
    ),
}

__all__ = ["ctrl_c"]
pytestmark = pytest.mark.usefixtures("ctrl_c")

call, data = beginning()


def faulty(tmp_path: Path, statement: str) -> str:
    """An agent that does that at its second move."""
    path = tmp_path / "faulty.py"
    path.write_text(
        f"def play(position):\n    if len(position.moves) < 6:\n        {statement}\n"
        "    return position.moves[0]\n"
    )
    return str(path)


def without_time(found: JsonObject) -> JsonObject:
    return {key: value for key, value in found.items() if key not in ("games_per_second", "seconds")}


@pytest.mark.parametrize(
    "fault",
    shortly(
        FAULTS, "raises what looks like a format", "interrupts", "plays nothing", "plays what cannot be shown"
    ),
)
def test_a_match_is_the_same_however_it_is_kept_shared_and_shown(
    fault: str, capsys: Captured, tmp_path: Path
) -> None:
    statement, said = FAULTS[fault]
    agent = faulty(tmp_path, statement)
    line = ("match", "tictactoe", agent, "random", "--games", "6", "--swap-seats")
    alone = data(capsys, *line, "--jobs", "1")
    assert (alone["games"], alone["wins"], alone["losses"]) == (6, 0, 6)
    assert len(alone["faults"]) == 6
    assert all(said in each["fault"] for each in alone["faults"])
    kept = {}
    for jobs in ("1", "2"):
        path = tmp_path / f"{jobs}.jsonl"
        assert without_time(data(capsys, *line, "--jobs", jobs, "--record", str(path))) == without_time(alone)
        kept[jobs] = path.read_bytes()
        assert [record["fault"] for record in Records(path)] == [each["fault"] for each in alone["faults"]]
    assert kept["1"] == kept["2"]
    code, out, err = call(capsys, *line, "--record", str(tmp_path / "shown.jsonl"))
    assert (code, err) == (0, "")
    assert "6 games were lost by faults of agents, the first one (game 1)" in out
    with speaking("fr"):
        code, out, err = call(capsys, *line, "--record", str(tmp_path / "french.jsonl"))
    assert (code, err) == (0, "")
    assert "6 parties" in out
    shown = tmp_path / "shown.jsonl"
    assert data(capsys, "show", str(shown))["faults"] == 6
    assert re.search(r"ended by a fault +6", call(capsys, "show", str(shown))[1])


def test_one_that_does_not_come_to_begin_loses_when_it_is_to_move(capsys: Captured, tmp_path: Path) -> None:
    path = tmp_path / "late.py"
    path.write_text(
        "class Agent:\n    games = 0\n    def begin(self):\n        self.games += 1\n"
        "        assert self.games % 2\n    def choose(self, position):\n        return position.moves[0]\n"
    )
    line = ("match", "tictactoe", str(path), str(path), "--games", "6", "--jobs", "1")
    found = data(capsys, *line)
    assert [each["number"] for each in found["faults"]] == [1, 3, 5]
    assert all("late.py:5: AssertionError" in each["fault"] for each in found["faults"])
    assert call(capsys, *line, "--strict")[0] == 2


@pytest.mark.parametrize(
    "isolated",
    [[], pytest.param(["--isolated"], marks=pytest.mark.skipif(bool(no_isolation()), reason=no_isolation()))],
)
def test_a_game_after_which_an_agent_is_at_fault_counts_as_it_was_played(
    isolated: list[str], capsys: Captured, tmp_path: Path
) -> None:
    path = tmp_path / "bad_end.py"
    path.write_text("def play(position):\n    return position.moves[0]\ndef end(payoff):\n    1 / 0\n")
    whole = tmp_path / "first.py"
    whole.write_text("def play(position):\n    return position.moves[0]\n")
    counts = []
    for agent in (path, whole):
        line = ("match", "tictactoe", str(agent), "random", "--games", "4", "--json", *isolated)
        code, out, err = call(capsys, *line)
        assert (code, "ZeroDivisionError" in err) == (0, agent == path and not isolated)
        found = json.loads(out)
        counts.append((found["wins"], found["losses"], found.get("faults")))
    assert counts[0] == counts[1]
    assert call(capsys, "match", "tictactoe", str(path), "random", "--games", "4", "--strict")[0] == 2


@pytest.mark.skipif(bool(no_isolation()), reason=no_isolation())
@pytest.mark.parametrize(
    "fault", ["raises", "raises what looks like a format", "interrupts", "plays nothing"]
)
def test_in_a_sandbox_it_is_the_same(fault: str, capsys: Captured, tmp_path: Path) -> None:
    statement, said = FAULTS[fault]
    line = ("match", "tictactoe", faulty(tmp_path, statement), "random", "--games", "4", "--swap-seats")
    path = tmp_path / "games.jsonl"
    found = data(capsys, *line, "--isolated", "--record", str(path))
    assert (found["wins"], found["losses"]) == (0, 4)
    assert all(said in each["fault"] for each in found["faults"])
    assert [record["payoffs"] for record in Records(path)] == [[-1, 1], [1, -1]] * 2


WITHOUT_LOSS = [
    "play tictactoe {agent} random",
    "match tictactoe {agent} random --strict",
    "match tictactoe {agent} random --strict --jobs 2 --record {folder}/strict.jsonl",
    "grade tictactoe {agent}",
    "grade tictactoe {agent} --mistakes 2",
    "train hexapawn q --games 64 --opponent {agent}",
]
UNFIT = ["raises", "exits", "interrupts", "plays nothing"]


@pytest.mark.parametrize(
    ("line", "fault"),
    shortly(
        product(WITHOUT_LOSS, UNFIT),
        *((line, "interrupts") for line in WITHOUT_LOSS),
        *((WITHOUT_LOSS[0], fault) for fault in UNFIT),
    ),
)
def test_where_no_game_can_be_lost_the_fault_is_one_line(
    line: str, fault: str, capsys: Captured, tmp_path: Path
) -> None:
    statement, said = FAULTS[fault]
    agent = faulty(tmp_path, statement)
    for more, language in (([], "en"), (["--json"], "en"), ([], "fr")):
        with speaking(language):
            code, _out, err = call(capsys, *line.format(agent=agent, folder=tmp_path).split(), *more)
        *before, last = err.strip().splitlines()
        assert code == 2, err
        assert said.partition(":")[0] in last
        assert "damier itself" not in err
        assert not before or line.startswith("play")  # which shows the game as far as it came


@pytest.mark.parametrize(
    "fault",
    [later(each) for each in ("raises", "raises what looks like a format", "interrupts", "plays nothing")],
)
def test_a_tournament_goes_on_and_tells_the_first_fault(fault: str, capsys: Captured, tmp_path: Path) -> None:
    statement, said = FAULTS[fault]
    agent = faulty(tmp_path, statement)
    found = []
    for jobs in ("1", "2"):
        line = ("tournament", "tictactoe", agent, "random", "perfect", "--games", "4", "--jobs", jobs)
        store = str(tmp_path / f"{jobs}.db")
        found.append(data(capsys, *line, "--store", store))
        code, out, err = call(capsys, *line, "--store", store)
        assert code == 0, err
        assert said in out
    for each in found:
        each.pop("store", None)
    assert json.dumps(found[0], sort_keys=True) == json.dumps(found[1], sort_keys=True)


def test_a_thread_that_an_agent_has_begun_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "busy.py"
    path.write_text(
        "import threading, time\n\nthreading.Thread(target=lambda: time.sleep(600)).start()\n\n\n"
        "def play(position):\n    return position.moves[0]\n"
    )
    line = [sys.executable, "-m", "damier", "match", "nim", str(path), "random", "--games", "2", "--json"]
    ended = subprocess.run(line, capture_output=True, text=True, check=False, timeout=300)
    assert (ended.returncode, json.loads(ended.stdout)["games"]) == (0, 2)


@pytest.mark.parametrize("options", [(), ("--jobs", "2")])
def test_a_copy_of_the_process_that_an_agent_makes_goes_on_with_nothing(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    path = tmp_path / "forks.py"
    path.write_text(
        "import os\n\n\ndef play(position):\n    os.fork()\n    return position.moves[0]\n", encoding="utf-8"
    )
    line = [sys.executable, "-m", "damier", "match", "nim", str(path), "random", "--games", "4", "--json"]
    ended = subprocess.run([*line, *options], capture_output=True, text=True, check=False, timeout=300)
    assert (ended.returncode, json.loads(ended.stdout)["games"]) == (0, 4)  # one object, and no second one
