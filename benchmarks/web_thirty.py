"""A class of thirty, one of them hostile: what the others wait for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from statistics import median, quantiles

from benchmarks.measure import Bar, Bench, Row
from benchmarks.web import ROOT, asked, lab

SECONDS = float(os.environ.get("DAMIER_BENCH_SECONDS", "60"))


@dataclass(frozen=True)
class ThirtyLoad:
    """Seconds of every move with its reply, and of every page."""

    moves: list[float]
    pages: list[float]


@cache
def load() -> ThirtyLoad:
    """A minute of it, after 20 seconds that do not count. Raises RuntimeError where somebody was refused."""
    with lab(program="benchmarks.many_addresses") as (address, _hub):
        command = [sys.executable, "-m", "benchmarks.thirty", address, str(SECONDS)]
        said = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=ROOT, check=True).stdout
        seen = json.loads(said)
    print(
        f"thirty: {len(seen['moves'])} moves, median {1000 * median(seen['moves']):.0f} ms;"
        f" {len(seen['pages'])} pages, median {1000 * median(seen['pages']):.0f} ms;"
        f" slowest of the first seconds {max(seen['early']):.2f} s; {seen['proofs']} proofs,"
        f" {seen['hostile']} hostile questions; load {os.getloadavg()[0]:.1f}",
        file=sys.stderr,
    )
    if seen["faults"]:
        raise RuntimeError(f"{len(seen['faults'])} faults: {seen['faults'][:3]}")
    return ThirtyLoad(seen["moves"], seen["pages"])


def moves(name: str) -> Row:
    """30 students at 30 addresses for a minute, after 20 s that do not count: 12 play Connect Four with exact
    values shown, 9 other games, 8 turn pages, one keeps 24 questions open that take long, each under a new
    name: ms from a move until the reply of the agent, the 99th of 100. Nobody is refused, or the row
    fails.
    """
    return asked(name, "ms", 1000 * quantiles(load().moves, n=100)[98], 500)


def pages(name: str) -> Row:
    """The same: ms of a page, the 99th of 100."""
    return asked(name, "ms", 1000 * quantiles(load().pages, n=100)[98], 1000)


BENCHES = (
    Bench("web-thirty", moves, Bar(500, of="ours", most=True), long=True),
    Bench("web-thirty-pages", pages, Bar(1000, of="ours", most=True), long=True),
)
