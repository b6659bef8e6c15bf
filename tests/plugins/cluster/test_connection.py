"""Joining a cluster: what is refused in one line, and what a cluster of this machine leaves open."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from commands import beginning
from lasting import shortly

from damier.core.errors import BadInput
from damier.core.runtime import installing
from damier.plugins.cluster import connection
from damier.plugins.cluster.connection import connect

call, data = beginning()

ALONE = """
import json, os
from pathlib import Path
from damier.plugins.cluster.connection import connect

def listening():
    "Local addresses, in hexadecimal, on which processes of this cluster listen."
    sockets = {}
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A":
                sockets[f"socket:[{fields[9]}]"] = fields[1].split(":")[0]
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.environ["DAMIER_OWN"] not in (process / "environ").read_text(errors="replace"):
                continue
            found |= {sockets.get(os.readlink(fd), "") for fd in (process / "fd").iterdir()}
        except OSError:
            continue
    return sorted(found - {""})

for _time in range(int(os.environ["DAMIER_TIMES"]) - 1):
    with connect("local", cores=2):
        pass
with connect("local", cores=1, memory=1 << 30) as cluster:
    print(json.dumps({"cores": cluster.cores, "nodes": cluster.nodes, "listening": listening()}))
print(json.dumps({"left": os.listdir(os.environ["HOME"]), "mode": os.environ.get("RAY_AUTH_MODE")}))
"""
LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F"}


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="Linux tells who listens")
@pytest.mark.parametrize("times", shortly([1, 2], 1))
def test_a_cluster_of_this_machine_is_this_machines_alone(times: int, tmp_path: Path) -> None:
    """Also the second of one process."""
    environment = {"HOME": str(tmp_path), "DAMIER_OWN": f"own-{tmp_path.name}", "DAMIER_TIMES": str(times)}
    done = subprocess.run(
        [sys.executable, "-c", ALONE],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    inside, after = map(json.loads, done.stdout.splitlines())
    assert (inside["cores"], inside["nodes"]) == (1, 1)
    assert inside["listening"]
    assert set(inside["listening"]) <= LOOPBACK
    assert after == {"left": [], "mode": None}
    assert done.stderr == ""


def test_an_address_that_is_none_or_silent_is_told() -> None:
    with pytest.raises(BadInput, match="HOST:PORT"), connect("nowhere", cores=1):
        pass
    with socket.socket() as bound:  # bound, and nobody listens
        bound.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        with pytest.raises(BadInput, match="cannot be reached"), connect(address, cores=1):
            pass


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"])
def test_an_address_where_something_else_answers_is_told_at_once(said: bytes) -> None:
    """Ray itself would go on trying for minutes, and take no Ctrl-C meanwhile."""

    def answer(listener: socket.socket) -> None:
        with listener.accept()[0] as connection:
            connection.recv(100)
            connection.sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        answering = threading.Thread(target=answer, args=(listener,))
        answering.start()
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(BadInput, match="not Ray"), connect(address, cores=1):
            pass
        answering.join()


def test_an_address_that_accepts_and_says_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "REACHED", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(BadInput, match="timed out"), connect(address, cores=1):
            pass


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BadInput, match=re.escape(installing("ray"))), connect("local", cores=1):
        pass


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve", "hexapawn", "--cluster", "local"], "has not all of these"),
        (["solve", "connect_four", "--cluster", "local", "--method", "search"], "--method search"),
        (["solve", "tictactoe", "--cluster", "local", "--pure"], "compiled only"),
        (["count", "tictactoe", "--checkpoints", "here"], "goes with --cluster"),
        (["count", "tictactoe", "--cluster", "x"], "HOST:PORT"),
    ],
)
def test_what_cannot_be_shared_is_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
