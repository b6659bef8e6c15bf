"""A class that hands in all at once: what everybody else in the lab notices of it, and how soon each
student knows how the file stands.
"""

from __future__ import annotations

import base64
import json
import os
import sys
import tempfile
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from http.cookiejar import CookieJar
from pathlib import Path
from statistics import quantiles
from typing import Any

from benchmarks.measure import Bar, Bench, Row
from benchmarks.web import asked, lab

STUDENTS, WITHIN = 30, 60.0
PAUSE = 0.1
"""Seconds between two other pages."""
PATIENCE = 300.0
CODE = "bench-class"
PAGES = ("/", "/hexapawn?moves=a1a2,b3b2", "/learning", "/tictactoe?moves=4", "/lessons")
SUBMISSION = '''
"""Number {number}."""
import random

VALUES = {{}}

def minimax(position):
    if position.board not in VALUES:
        if position.over:
            VALUES[position.board] = -1 if any(position.payoffs) else 0
        else:
            VALUES[position.board] = max(-minimax(position.play(move)) for move in position.moves)
    return VALUES[position.board]

class AiAgent:
    def play(self, position):
        if random.random() < {number} / 40:
            return random.choice(position.moves)
        return max(position.moves, key=lambda move: -minimax(position.play(move)))

class RlAgent:
    def play(self, position):
        return random.choice(position.moves)

    def move_score(self, position, move):
        return 0
'''


@dataclass(frozen=True)
class ClassLoad:
    """pages: seconds of every other page; known: from each file that was sent to its report."""

    pages: list[float]
    known: list[float]


class Student:
    """A browser of its own."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, **values: object) -> dict[str, Any]:
        """Raises HTTPError for whatever is refused."""
        request = urllib.request.Request(self.address + path, json.dumps(values).encode())
        with self._opener.open(request, timeout=PATIENCE) as answer:
            found: dict[str, Any] = json.loads(answer.read())
            return found

    def hand_in(self, number: int) -> float:
        """Seconds until the report is there."""
        time.sleep(number * WITHIN / STUDENTS / 2)
        self.ask("/class/enter", code=CODE)
        content = base64.b64encode(SUBMISSION.format(number=number).encode()).decode()
        begun = time.perf_counter()
        self.ask("/ask/classroom.hand_in", name=f"Student {number}", content=content)
        while not self.ask("/ask/classroom.report")["done"]:
            time.sleep(0.5)
        return time.perf_counter() - begun


def hand_in(address: str, number: int) -> float:
    """One student, from the code to the report."""
    return Student(address).hand_in(number)


def visited(address: str, ended: threading.Event) -> list[float]:
    """How long every other page took."""
    times = []
    while not ended.is_set():
        for page in PAGES:
            begun = time.perf_counter()
            with urllib.request.urlopen(address + page, timeout=PATIENCE) as answer:
                answer.read()
            times.append(time.perf_counter() - begun)
            time.sleep(PAUSE)
    return times


@cache
def load() -> ClassLoad:
    """30 students hand in, one a second. Raises what the first was refused."""
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as kept:
        folder = Path(kept) / "class"
        folder.mkdir()
        (folder / "code.txt").write_text(CODE)
        ended = threading.Event()
        with lab("--class", str(folder), "--sheet", "s4") as (address, _hub):
            visited(address, done())  # the first of each is made for all others
            with ThreadPoolExecutor(STUDENTS + 1) as people:
                pages = people.submit(visited, address, ended)
                try:
                    known = list(people.map(partial(hand_in, address), range(STUDENTS)))
                finally:
                    ended.set()
                print(f"class: {len(pages.result())} pages, {os.getloadavg()}", file=sys.stderr)
                return ClassLoad(pages.result(), known)


def done() -> threading.Event:
    """A round of every page, and no more."""
    once = threading.Event()
    threading.Timer(0.01, once.set).start()
    return once


def others(name: str) -> Row:
    """30 students hand in within half a minute, each file looked at, marked by the sheet of document S4
    and played against all others meanwhile, while somebody opens other pages of the lab, ten a
    second: ms of such a page, the 99th of 100. No file is refused, or the row fails.
    """
    return asked(name, "ms", 1000 * quantiles(load().pages, n=100)[98], 500)


def report(name: str) -> Row:
    """The same: seconds from a file that is sent until its student sees whether it plays and how the
    open items stand, the slowest of 30.
    """
    return asked(name, "s", max(load().known), 10)


BENCHES = (
    Bench("web-class", others, Bar(500, of="ours", most=True)),
    Bench("web-class-report", report, Bar(10, of="ours", most=True)),
)
