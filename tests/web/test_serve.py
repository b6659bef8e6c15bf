"""The command `damier serve`: how it begins, what it says, and that nothing of it stays behind
however it ends.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import httpx
import pytest
from browsing import Served, serve, stop
from commands import Captured, beginning
from lasting import long, shortly
from scenes import acted
from talking import Live

from damier.cli.serve import first_page, welcome
from damier.web.app import WebLab
from damier.web.messages import Query
from damier.web.pool import Answer, Pool, crowded
from damier.web.settings import Settings

call, _data = beginning("serve")
EXAMPLES = Path(__file__).parents[2] / "examples"
ENDLESS = """
from typing import NamedTuple
from damier import ONGOING, Game

class State(NamedTuple):
    ply: int

def show(s):
    while s.ply == 1:
        pass
    return "well"

def endless():
    outcome = lambda s: 0 if s.ply else ONGOING
    moves, play, mover = lambda s: 1 - s.ply, lambda s, m: State(1), lambda s: s.ply
    return Game("endless", State(0), moves, play, outcome, mover=mover, bits=(1,), show=show)
"""


def children(pid: int) -> list[int]:
    """The processes that a process has started and that run, and those that were forked from them."""
    try:
        found = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:  # it has just ended
        return []
    return [*found, *(forked for child in found for forked in children(child))]


def is_gone(pid: int) -> bool:
    """Whether a process has ended, or only its name is left."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except OSError:
        return True


def wait_until_gone(pids: list[int]) -> None:
    """Waits for as long as it takes; a test that hangs here has failed."""
    while not all(map(is_gone, pids)):
        threading.Event().wait(0.01)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Callable[[], Served]]:
    """Starts a lab of its own with a game that never ends; within a test, since what a process writes that
    was started before is heard by no `capfd`.
    """
    (tmp_path / "endless.py").write_text(ENDLESS)
    labs: list[Served] = []

    def start() -> Served:
        labs.append(serve(tmp_path, "endless.py"))
        assert labs[-1].first == f"{labs[-1].address}/endless"
        return labs[-1]

    yield start
    for found in labs:
        stop(found)


@pytest.fixture
def lab(started: Callable[[], Served]) -> Served:
    """A lab with a game that never ends, somebody who asks for it, and somebody who listens."""
    return started()


def ask_endlessly(lab: Served) -> threading.Thread:
    """Asks a question that never ends, and returns once a worker works on it."""

    def ask() -> None:
        try:
            httpx.post(f"{lab.address}/ask/board.show", json={"game": "endless", "moves": ["0"]}, timeout=300)
        except httpx.HTTPError:
            return

    before = len(children(lab.process.pid))
    asking = threading.Thread(target=ask)
    asking.start()
    while len(children(lab.process.pid)) <= before:  # a game of the user's own has workers of its own
        threading.Event().wait(0.01)
    return asking


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize(
    ("sign", "code"),
    shortly(
        [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM), (signal.SIGKILL, -signal.SIGKILL)],
        (signal.SIGINT, 130),
        (signal.SIGKILL, -signal.SIGKILL),
    ),
)
def test_whatever_ends_the_lab_ends_all_of_it(
    started: Callable[[], Served], capfd: pytest.CaptureFixture[str], sign: signal.Signals, code: int
) -> None:
    lab = started()
    live = Live(lab)
    asking = ask_endlessly(lab)
    workers = children(lab.process.pid)
    while len(workers) < 3:  # they begin one after the other, once the first page is made
        time.sleep(0.05)
        workers = children(lab.process.pid)
    lab.process.send_signal(sign)
    assert lab.process.wait(300) == code
    wait_until_gone(workers)
    asking.join(300)
    live.vanish()
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 1


@pytest.mark.skipif(sys.platform == "win32", reason="has no signals")
def test_ctrl_c_again_and_again_is_once(
    started: Callable[[], Served], capfd: pytest.CaptureFixture[str]
) -> None:
    lab = started()
    assert httpx.get(f"{lab.address}/games", headers=lab.owned).status_code == 200
    while lab.process.poll() is None:
        lab.process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    assert lab.process.returncode == 130
    said = capfd.readouterr().err
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 1


@long
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_lab_that_is_killed_takes_its_trainings_and_those_who_think_along_without_a_word(
    started: Callable[[], Served], capfd: pytest.CaptureFixture[str]
) -> None:
    lab = started()
    live = Live(lab)
    plan = {"game": "tictactoe", "learner": "q", "opponent": "self", "games": 10**9, "pace": 0}
    live.tell("training.start", name="watched", **plan)
    live.send(do="watch", topic="training/watched/en/visits")
    live.until("training/watched/en/visits", lambda told: True)
    asking = ask_endlessly(lab)
    before = len(children(lab.process.pid))
    live.send(do="training.start", name="starting", **plan)
    while len(children(lab.process.pid)) <= before:
        threading.Event().wait(0.01)
    left = children(lab.process.pid)
    lab.process.kill()
    lab.process.wait(300)
    wait_until_gone(left)
    asking.join(300)
    live.vanish()
    assert capfd.readouterr().err == ""


def test_the_first_page_is_made_before_workers_are_started_that_take_its_time() -> None:
    done: list[str] = []

    class Recorded(Pool):
        async def warm(self, number: int | None = None) -> None:
            done.append("warm")

    class Lab(WebLab):
        async def ask(self, query: Query) -> Answer:
            done.append(query.verb)
            return crowded()

    async def warmed() -> None:
        lab = Lab(Settings())
        lab.forks = None
        lab.pools = {name: Recorded(lab.settings, 1) for name in lab.pools}
        await lab.warm_up()

    acted(warmed())
    assert done[0] == "home.page"
    assert set(done[1:]) == {"warm"}


@long
def test_a_game_that_never_ends_holds_up_no_other(lab: Served) -> None:
    asking = [ask_endlessly(lab) for _time in range(2)]
    assert (
        httpx.post(
            f"{lab.address}/ask/board.show", json={"game": "hexapawn", "moves": []}, timeout=300
        ).status_code
        == 200
    )
    for worker in children(lab.process.pid):
        os.kill(worker, signal.SIGKILL)
    for asked in asking:
        asked.join(300)
    assert (
        httpx.post(
            f"{lab.address}/ask/board.show", json={"game": "endless", "moves": []}, timeout=300
        ).status_code
        == 200
    )


def test_a_port_that_is_taken_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as taken, patch.dict(os.environ):
        code, out, err = call(capsys, "--port", str(taken.getsockname()[1]))
    assert (code, out) == (3, "")
    assert len(err.splitlines()) == 1
    assert str(taken) not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--port", "-1"),
        ("--port", "65536"),
        ("--port", "http"),
        ("--host", "256.1.1.1"),
        ("--host", "no such host"),
        ("--host", "192.0.2.1"),
        ("--folder", "hexapawn.py"),
        ("nosuch.py",),
        ("nosuch.txt",),
        ("hexapwan",),
        ("hexapawn:width=0",),
        ("tree.py",),
        ("a b.py",),
        ("hexapawn.py",),
        ("broken.py",),
    ],
)
def test_what_cannot_be_served_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "broken.py").write_text("def game(:\n")
    for name in ("tree.py", "a b.py", "hexapawn.py"):
        (tmp_path / name).write_text(ENDLESS)
    monkeypatch.chdir(tmp_path)
    some_port = () if "--port" in arguments else ("--port", "0")
    with patch.dict(os.environ):  # where `serve` leaves its secrets for the processes of the lab
        code, out, err = call(capsys, *arguments, *some_port)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_of_several_files_those_that_can_be_played_are_served_and_the_others_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    (tmp_path / "broken.py").write_text("def game(:\n")
    (tmp_path / "mine.py").write_text(ENDLESS.replace("endless", "mine"))
    monkeypatch.chdir(tmp_path)
    served: list[Settings] = []
    monkeypatch.setattr("damier.web.server.run", lambda settings, _listener: served.append(settings))
    with patch.dict(os.environ):
        code, out, err = call(capsys, "broken.py", "mine.py", "--port", "0")
    assert code == 0
    assert len(out.splitlines()) == len(err.splitlines()) == 1
    assert err.startswith("damier: broken.py:1: ")
    assert err.endswith(" — this file is not served, the others are\n")
    assert list(served[0].games) == ["mine"]


@pytest.mark.parametrize("game", ["hexapawn", "hexapawn:width=4,blocked=loss", "clock.py", "clock.py:clock"])
def test_a_game_to_begin_with_is_in_the_address(game: str) -> None:
    assert first_page([game], {"clock": "clock.py"} if ".py" in game else {}) == game.replace(".py", "")


@long
def test_the_address_of_a_game_to_begin_with_opens(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "clock.py", tmp_path)
    lab = serve(tmp_path, "clock.py:clock")
    try:
        assert lab.first == f"{lab.address}/clock:clock"
        for page in ("/clock:clock", "/hexapawn:width=4,blocked=loss"):
            assert httpx.get(lab.address + page, timeout=300).status_code == 200
            shown = httpx.get(f"{lab.address}{page}?token={lab.key}", timeout=300)
            assert shown.headers["location"] == page
    finally:
        stop(lab)


def test_it_says_who_can_reach_it(tmp_path: Path) -> None:
    assert "only this machine" in welcome(Settings(port=8000))
    assert "http://[::1]:8000/" in welcome(Settings("::1", 8000))
    assert "only this machine" in welcome(Settings("localhost", 8000))
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        assert "everybody on your network" in welcome(Settings(host, 8000, key="mine"))
        said = welcome(Settings(host, 8000, key="mine", token="theirs"))
        assert "others on your network" in said
        assert "/?token=mine " in said
        assert "/?token=theirs;" in said
    assert "0.0.0.0" not in welcome(Settings("0.0.0.0", 8000))
    assert "for others on this machine" in welcome(Settings(key="mine", token="theirs"))


def test_it_listens_to_this_machine_only_unless_told_otherwise(served: Served) -> None:
    port = int(served.address.rpartition(":")[2])
    listening = {
        line.split()[1]
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if line.split()[3] == "0A"
    }
    assert {address for address in listening if address.endswith(f":{port:04X}")} == {f"0100007F:{port:04X}"}


def test_the_lab_needs_no_database(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["sqlalchemy"] = None
import damier.cli.serve, damier.web.server
from damier.web.rooms import ROOMS
from damier.web.worker import function_of
for verb in ROOMS.verbs:
    if not verb.startswith("classroom"):
        function_of(verb)
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)
