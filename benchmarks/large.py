"""Connect Four solved completely: value and distance of every position, layer by layer, against C."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Bar, Bench, Row, Sample, agree, compiled_c, cpu, python, race, run_c
from damier import load
from damier.core.job import Job
from damier.solve import solve

BASE = (4, 4)
"""The board whose solve is taken for what Python, NumPy and Numba need before the first position:
161 029 positions, some 2 MB.
"""

CHILD = """
import json, sys, time
from damier import load
from damier.core.job import Job
from damier.solve import solve

def peak():
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    except OSError:
        import resource
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)

game = load(sys.argv[1])
# solved first, to load the engines: the last position but one of a game of lowest moves
late = s = game.start
while not game.over(s):
    late, s = s, game.play(s, game.legal(s)[0])
solve(game, late, Job(jit=True))
begun = time.process_time()
solution = solve(game, job=Job(jit=True))
seconds = time.process_time() - begun
value = solution.score(game.start)
print(json.dumps({"count": len(solution), "value": value, "seconds": seconds, "peak": peak()}))
"""  # VmHWM, not ru_maxrss: that of a child counts what its parent held when it was forked


def name_of(size: tuple[int, int]) -> str:
    return f"connect_four:width={size[0]},height={size[1]}"


def in_damier(size: tuple[int, int]) -> dict[str, Any]:
    """A solve in a process of its own; compiled code comes from the cache once it has run before."""
    answer: dict[str, Any] = json.loads(python("-c", CHILD, name_of(size))[1])
    return answer


def in_c(size: tuple[int, int]) -> dict[str, Any]:
    return run_c(compiled_c("layers", f"W={size[0]}", f"H={size[1]}"))


def seconds(run: Callable[[tuple[int, int]], dict[str, Any]], size: tuple[int, int]) -> Sample:
    return lambda: float(run(size)["seconds"])


def bytes_a_position(run: Callable[[tuple[int, int]], dict[str, Any]], size: tuple[int, int]) -> Sample:
    """The peak of memory beyond that of the smallest board, by position."""

    def sample() -> float:
        base, whole = run(BASE), run(size)
        return float((whole["peak"] - base["peak"]) / (whole["count"] - base["count"]))

    return sample


def size_in(name: str) -> tuple[int, int]:
    """The board in a row's name, like `connect_four-5x4`."""
    width, height = name.split("-")[1].split("x")
    return int(width), int(height)


def time_against_c(name: str) -> Row:
    """CPU seconds for value and distance of every position of Connect Four, once compiled, against
    a C solver with the same algorithm.
    """
    size = size_in(name)
    agree(name, *(tuple(answer[k] for k in ("count", "value")) for answer in (in_damier(size), in_c(size))))
    return race(name, "s", "C", seconds(in_damier, size), seconds(in_c, size), pairs=3, less=True, warm=False)


def memory_against_c(name: str) -> Row:
    """Peak bytes by position of the same: what the process holds at most, less what it holds at
    most for the 4×4 board.
    """
    size = size_in(name)
    in_damier(BASE), in_damier(size)  # compiling takes memory too
    return race(
        name,
        "bytes/position",
        "C",
        bytes_a_position(in_damier, size),
        bytes_a_position(in_c, size),
        pairs=1,
        less=True,
        warm=False,
    )


def against_pure(name: str) -> Row:
    """Connect Four 4×4, all 161 029 positions: compiled, layer by layer, against plain Python,
    depth-first.
    """
    game = load(name_of(BASE))
    ours = cpu(lambda: solve(game, job=Job(jit=True)))
    return race(
        name, "s", "pure twin", ours, cpu(lambda: solve(game, job=Job(jit=False))), pairs=3, less=True
    )


BENCHES = (
    Bench("connect_four-5x4", time_against_c, Bar(2.5, of="ours", most=True)),
    Bench("connect_four-5x4-memory", memory_against_c, Bar(16, of="ours", most=True)),
    Bench("connect_four-4x4-pure", against_pure),
    Bench("connect_four-5x5", time_against_c, Bar(25, of="ours", most=True), long=True),
    Bench("connect_four-5x5-memory", memory_against_c, Bar(16, of="ours", most=True), long=True),
)
