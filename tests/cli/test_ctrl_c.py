"""Ctrl-C ends every command with 130 and, with --json, one whole object, from the first instruction
to the last.
"""

from __future__ import annotations

import fcntl
import json
import struct
import subprocess
import sys
import termios
from pathlib import Path
from textwrap import dedent

import pytest
from at_work import has_loaded, has_worked, holds_files, interrupted, one_object, started, wait_until
from lasting import long, shortly

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

LINES = [
    "solve connect_four --seconds 1000000",
    "solve pawns:width=5,height=5",
    "solve octapawn:width=5,height=5 --pure",
    "count octapawn:width=5,height=5",
    "perft connect_four --depth 20",
    "grade octapawn:width=5,height=4 random",
    "grade connect_four:width=5,height=4 random --compiled",
    "match connect_four random random --games 1000000000000",
    "match connect_four random random --games 1000000000000 --jobs 2 --compiled",
    "match octapawn mcts:simulations=100000 random --games 1000",
    "search connect_four alphabeta:plies=30",
    "search connect_four minimax:plies=30 --pure",
    "search connect_four mcts:simulations=1000000000",
    "study evaluation octapawn:width=5,height=4 --plies 5,6",
    "study growth connect_four --games 100000000",
    "graph connect_four --plies 12",
    "train octapawn:width=5,height=4 q --games 1000000000",
    "play connect_four alphabeta:plies=30 random",
    "solve connect_four:width=5,height=5 --jobs 2 --compiled --method enumerate",
    "search connect_four mcts:simulations=1000000000,trees=2 --jobs 2 --compiled",
]
OFTEN = "match connect_four random random --games 1000000000000 --jobs 2 --compiled"
"""Threads in compiled code; plain Python: `test_people_read_one_line`."""
SEARCH = "search connect_four alphabeta:seconds=1000000"


@pytest.mark.parametrize(
    "module",
    shortly(["damier.core.words", "cyclopts", "damier.cli.play", "damier.lab.games"], "damier.cli.play"),
)
def test_while_it_starts(module: str) -> None:
    process = started(
        "match",
        "connect_four",
        "random",
        "random",
        "--games",
        "1000000000000",
        "--json",
        PYTHONPROFILEIMPORTTIME="1",
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.rpartition("|")[2].strip() == module:
            break
    found = one_object(interrupted(process)[0])
    assert found.get("error") == "interrupted" or found["games"] >= 0


@pytest.mark.parametrize("line", shortly(LINES, OFTEN))
def test_at_work(line: str) -> None:
    process = started(*line.split(), "--json")
    wait_until(has_worked(process, 1), process)
    out, err = interrupted(process)
    found = one_object(out)
    assert "interrupted" in err
    assert found.get("error") == "interrupted" or found.keys() & {"games", "stopped"}


@pytest.mark.parametrize(
    "line",
    shortly(
        [
            "solve pawns:width=5,height=5",
            "grade connect_four:width=5,height=4 random --compiled",
            LINES[7],
            LINES[12],
            SEARCH,
        ],
        LINES[7],
    ),
)
def test_while_something_compiles(line: str, tmp_path: Path) -> None:
    process = started(*line.split(), "--json", DAMIER_CACHE=str(tmp_path))
    wait_until(has_loaded(process, "libllvmlite"), process)
    found = one_object(interrupted(process)[0])
    if line.startswith("match"):
        # what was played before counts
        assert found["games"] == found["wins"] + found["draws"] + found["losses"] > 0
    if line == SEARCH:
        assert found["stopped"] is True


def test_once_compiled(tmp_path: Path) -> None:
    process = started(
        "match",
        "nim",
        "random",
        "random",
        "--games",
        "1000000000000",
        "--json",
        DAMIER_CACHE=str(tmp_path),
    )
    wait_until(holds_files(tmp_path), process)
    found = one_object(interrupted(process)[0])
    assert found["games"] == found["wins"] + found["draws"] + found["losses"] > 0


def in_pipe(process: subprocess.Popen[str]) -> int:
    """Bytes that a process has written and nobody has read."""
    assert process.stdout is not None
    return int(struct.unpack("i", fcntl.ioctl(process.stdout, termios.FIONREAD, b"0000"))[0])


def test_an_object_that_is_being_written_is_written_whole() -> None:
    process = started("replay", "nim:matches=1500,take=1", "--moves", ",".join(["1"] * 1500), "--json")
    wait_until(lambda: in_pipe(process) >= 1 << 16, process)  # the pipe is full: it waits in the middle
    assert len(one_object(interrupted(process)[0])["states"]) == 1501


def test_twice_is_once() -> None:
    process = started("match", "connect_four", "random", "random", "--games", "1000000000000", "--json")
    wait_until(has_worked(process, 0.7), process)
    process.send_signal(2)
    found = one_object(interrupted(process)[0])
    assert found.get("error") == "interrupted" or found["games"] > 0


def test_people_read_one_line() -> None:
    process = started("perft", "connect_four", "--depth", "20")
    wait_until(has_worked(process, 0.7), process)
    out, err = interrupted(process)
    assert (out, err) == ("", "damier: interrupted\n")


@long
def test_what_an_exact_search_has_proven_is_told() -> None:
    process = started("solve", "connect_four", "--seconds", "1000000", "--json")
    wait_until(has_worked(process, 2), process)
    found = one_object(interrupted(process)[0])
    assert found["error"] == "interrupted"
    assert {"at_least", "at_most", "moves"} <= found.keys()


def test_seconds_end_it_while_something_compiles(tmp_path: Path) -> None:
    process = started(
        "solve",
        "pawns:width=5,height=5",
        "--compiled",
        "--seconds",
        "0.01",
        "--json",
        DAMIER_CACHE=str(tmp_path),
    )
    out, _err = process.communicate(timeout=300)
    assert process.returncode == 3
    assert "--seconds" in json.loads(out)["error"]
    assert not holds_files(tmp_path)()


def test_in_the_end_of_python_itself_the_code_stays() -> None:
    """When modules are cleared, other handlers than the default are given up."""
    code = """
    import os, signal
    from damier.cli import interrupt

    class Last:
        def __del__(self, kill=os.kill, me=os.getpid(), number=signal.SIGINT):
            kill(me, number)

    last = Last()
    interrupt.listen()
    interrupt.end(3)
    """
    assert subprocess.run([sys.executable, "-c", dedent(code)], check=False).returncode == 3
