"""Connect Four solved by the shards of a cluster, here of this machine alone: CPU seconds of the busiest
shard, once the shards are there, and of the process that asks them; bytes that shards send each other.
"""

from __future__ import annotations

import json
from typing import Any

from benchmarks.large import BASE, name_of
from benchmarks.measure import Bar, Bench, Row, Skipped, agree, python, race

SIZE = (5, 5)

ALONE = """
import json, sys, time
from damier import load
from damier.core.job import Job
from damier.solve import solve

for text in sys.argv[1:]:  # the first, small, loads the engines
    game = load(text)
    begun = time.process_time()
    solution = solve(game, job=Job(jit=True))
    seconds = time.process_time() - begun
print(json.dumps({"count": len(solution), "score": solution.score(game.start), "seconds": seconds}))
"""

SHARED = """
import json, os, sys, time
from pathlib import Path
from damier import load
from damier.core.job import Job
from damier.plugins.cluster.connection import connect
from damier.plugins.cluster.shard_actors import ShardedRun

def spent():
    "CPU seconds of every shard's process, by its number: as Linux tells them."
    found = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = place.read_text().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        if name.startswith("ray::Shard"):
            fields = rest.split()
            found[place.parent.name] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found

job = Job(memory=6 << 30)
with connect("local", cores=int(sys.argv[1]), memory=job.memory) as cluster:
    for text in sys.argv[2:]:
        game = load(text)
        run = ShardedRun(game, text, game.start, job, cluster)
        before, begun = spent(), time.process_time()
        solution = run.solve(whole=False)
        after = spent()
        seconds = time.process_time() - begun + max(after[n] - before[n] for n in before if n in after)
count = sum(run.by_ply)
print(json.dumps({
    "count": count, "score": solution.score(game.start), "seconds": seconds,
    "forwards": run.exchange.forwards / count, "backwards": run.exchange.backwards / count,
}))
"""


def alone() -> dict[str, Any]:
    """A solve in one process, on one core."""
    answer: dict[str, Any] = json.loads(python("-c", ALONE, name_of(BASE), name_of(SIZE))[1])
    return answer


def shared(shards: int) -> dict[str, Any]:
    """The same by so many shards. Raises Skipped where Ray is missing."""
    try:
        import ray
    except ImportError as error:
        raise Skipped(f"ray is not installed (pip install 'damier[ray]'): {error}") from None
    del ray
    answer: dict[str, Any] = json.loads(
        python("-c", SHARED, str(shards), name_of(BASE), name_of(SIZE))[1].splitlines()[-1]
    )
    return answer


def through_ray(name: str) -> Row:
    """Value and distance of every position of Connect Four 5×5: CPU seconds by one shard through
    Ray, against one process.
    """
    one, other = shared(1), alone()
    agree(name, *((answer["count"], answer["score"]) for answer in (one, other)))
    return race(
        name,
        "s",
        "in process",
        lambda: float(shared(1)["seconds"]),
        lambda: float(alone()["seconds"]),
        pairs=2,
        less=True,
        warm=False,
    )


def two_shards(name: str) -> Row:
    """The same by two shards, the busier one counted, against one: what two free cores would show."""
    return race(
        name,
        "s",
        "one shard",
        lambda: float(shared(2)["seconds"]),
        lambda: float(shared(1)["seconds"]),
        pairs=2,
        less=True,
        warm=False,
    )


def bytes_sent(name: str) -> Row:
    """Bytes a position that shards, as many as the name says, send each other to solve Connect Four 5×5;
    reference: what keys of eight bytes and requests of them would take, with a byte for each answer.
    """
    found = shared(int(name.rpartition("-")[2]))
    ours = float(found["forwards"] + found["backwards"])
    asked = 17 * float(found["backwards"])  # a key forwards; a key and a byte backwards
    return Row(name, "bytes/position", ours, "keys and requests", asked, asked / ours)


BENCHES = (
    Bench("cluster-5x5", through_ray, Bar(0.5), long=True),
    Bench("cluster-5x5-shards", two_shards, long=True),
    Bench("cluster-5x5-bytes-2", bytes_sent, long=True),
    Bench("cluster-5x5-bytes-8", bytes_sent, long=True),
)
