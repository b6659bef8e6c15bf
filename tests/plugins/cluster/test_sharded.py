"""A game solved and counted by three nodes, of which one is lost: the same answers, the same file. What needs
no node to be lost, and a sweep in which one is, are in test_cluster.py.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import ThreeNodes, three_nodes
from lasting import long

from damier.core.errors import LimitReached
from damier.core.job import Job, Notes
from damier.lab.games import load
from damier.plugins.cluster.connection import ALONE
from damier.plugins.cluster.shard_actors import counted, solved
from damier.solve import count, store
from damier.solve.dispatch import solve

pytestmark = long
GAME = "connect_four:width=4,height=3"


@pytest.fixture(scope="module")
def nodes() -> Iterator[ThreeNodes]:
    with three_nodes() as cluster:
        yield cluster


class LosesANode:
    """The progress of a job, at one step of which a node of the cluster is lost."""

    def __init__(self, nodes: ThreeNodes, when: str, done: int) -> None:
        self.nodes, self.when, self.done, self.lost = nodes, when, done, False

    def __call__(self, done: int, total: int | None, what: str) -> None:
        if not self.lost and what.startswith(self.when) and done >= self.done:
            self.lost = True
            self.nodes.lose_one()


def test_a_node_lost_costs_its_layer(nodes: ThreeNodes, tmp_path: Path) -> None:
    game, notes = load(GAME), Notes()
    loses = LosesANode(nodes, "positions,", 4_000)
    job = Job(memory=2 << 30, progress=loses, note=notes)
    answer = solved(game, GAME, game.start, job, nodes.address, str(tmp_path / "kept"), whole=True)
    assert loses.lost
    assert any("lost" in note for note in notes)
    alone = solve(game, method="layers")
    store.save(answer.solution, tmp_path / "shared.solution")
    store.save(alone, tmp_path / "alone.solution")
    assert (tmp_path / "shared.solution").read_bytes() == (tmp_path / "alone.solution").read_bytes()
    nodes.add()
    # what was done is not done again, whoever asks
    again = solved(game, GAME, game.start, Job(memory=2 << 30), nodes.address, str(tmp_path / "kept"))
    assert again.positions == len(alone) == 12_031
    assert again.solution.explain(game.start) == alone.explain(game.start)
    counts = counted(game, GAME, Job(memory=2 << 30), nodes.address, symmetric=True)
    assert counts == count(game, symmetric=True)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_run_that_was_stopped_goes_on(how: signal.Signals, tmp_path: Path) -> None:
    text, kept, out = "connect_four:width=5,height=4", tmp_path / "kept", tmp_path / "shared.solution"
    command = [sys.executable, "-m", "damier.cli.main", "solve", text, "--cluster", "local", "--json"]
    command += ["--checkpoints", str(kept), "-o", str(out), "--memory", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while not (kept / "done" / "forward-00006.json").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(how)
        said, _remarks = process.communicate()
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    assert said == (b'{"error": "interrupted"}\n' if how == signal.SIGINT else b"")
    assert not out.exists()
    subprocess.run(command, check=True, capture_output=True)
    store.save(solve(load(text), method="layers"), tmp_path / "alone.solution")
    assert out.read_bytes() == (tmp_path / "alone.solution").read_bytes()


def test_without_checkpoints_a_node_lost_ends_the_run() -> None:
    game = load(GAME)
    with three_nodes() as nodes:
        job = Job(memory=2 << 30, progress=LosesANode(nodes, "positions scored", 1))
        with pytest.raises(LimitReached, match="--checkpoints"):
            solved(game, GAME, game.start, job, nodes.address, whole=True)


def test_who_knows_nothing_of_a_cluster_on_loopback_alone_reaches_it(nodes: ThreeNodes) -> None:
    """Ray by itself looks for it at the address that the machine has for others."""
    environment = {name: value for name, value in os.environ.items() if name not in ALONE}
    done = subprocess.run(
        [sys.executable, "-m", "damier", "count", "tictactoe", "--json", "--cluster", nodes.address],
        env={**environment, "RAY_AUTH_MODE": "disabled"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["states"] == 5_478
