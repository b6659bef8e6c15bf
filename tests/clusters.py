"""A cluster of three nodes on this machine, by Ray's own utility: what tests lose a node of."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from damier.plugins.cluster.connection import ALONE, QUIET

PERIOD = 500
"""Milliseconds between two questions whether a node is there; a lost one is missed after the fifth."""


class ThreeNodes:
    """A head, on which the test itself is, and nodes that can be lost."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self.address: str = cluster.address
        for _node in range(2):
            self.add()

    def add(self) -> None:
        self._cluster.add_node(num_cpus=1, object_store_memory=80 << 20)
        self._cluster.wait_for_nodes()

    def lose_one(self) -> None:
        """Kills a node as a cut of power would: all its processes at once, without a word to the others. One
        on which an actor works, where there is one: a busy machine may have put two on another.
        """
        nodes = list(self._cluster.worker_nodes)
        node = next((node for node in nodes if any(map(is_at_work, workers_of(node)))), nodes[0])
        for worker in workers_of(node):
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        self._cluster.remove_node(node, allow_graceful=False)


def workers_of(node: Any) -> list[int]:
    """The processes that a node has begun."""
    return [
        int(worker)
        for started in node.all_processes["raylet"]
        for process in Path(f"/proc/{started.process.pid}/task").glob("*/children")
        for worker in process.read_text().split()
    ]


def is_at_work(worker: int) -> bool:
    """Whether a process is that of an actor of damier's."""
    try:
        command = Path(f"/proc/{worker}/cmdline").read_text()
    except OSError:
        return False
    return command.startswith(("ray::ShardActor", "ray::RemoteWorker"))


@contextlib.contextmanager
def three_nodes() -> Iterator[ThreeNodes]:
    """Listens on 127.0.0.1 alone, and leaves nothing behind; the address and the environment are those
    of this process while it lasts.
    """
    before = {name: os.environ.get(name) for name in (*QUIET, *ALONE)}
    for name, value in (QUIET | ALONE | {"RAY_AUTH_MODE": "disabled"}).items():
        os.environ[name] = str(value)
    handler = signal.getsignal(signal.SIGTERM)
    import ray
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 1, "object_store_memory": 80 << 20, "include_dashboard": False}
    cluster = Cluster(
        initialize_head=True, head_node_args=head | {"_system_config": {"health_check_period_ms": PERIOD}}
    )
    try:
        yield ThreeNodes(cluster)
    finally:
        ray.shutdown()
        cluster.shutdown()
        signal.signal(signal.SIGTERM, handler)
        for name, value in before.items():
            os.environ.pop(name, None) if value is None else os.environ.__setitem__(name, value)
