"""The web lab, from a player's point of view: how soon it is there, how much it sends, how soon a
click shows, and 200 players at once.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.measure import Bar, Bench, Row, Skipped, peer

ROOT = Path(__file__).resolve().parent.parent
PAIRS, PROCESSES, SECONDS = 100, 2, float(os.environ.get("DAMIER_BENCH_SECONDS", "60"))
"""A minute, as the rows say; DAMIER_BENCH_SECONDS=600 is the long form."""
CLICKS = 30
STREAMED = 8.0
"""Times a second that the numbers of the training, told at 10 Hz, must have reached each player:
with fewer, the row fails.
"""
STREAM = {
    "do": "training.start",
    "name": "stream",
    "game": "hexapawn",
    "learner": "q",
    "opponent": "self",
    "games": 100_000_000,
    "pace": 20,
}
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


@contextmanager
def lab(*arguments: str, program: str = "damier") -> Iterator[tuple[str, int]]:
    """A lab that listens: its address and the process id of its hub."""
    with tempfile.TemporaryDirectory(prefix="damier-bench-") as folder:
        command = [sys.executable, "-m", program, "serve", "--port", "0", "--folder", folder, *arguments]
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=os.environ | {"LANGUAGE": "en", "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert process.stdout is not None
            yield (
                next(word for word in process.stdout.readline().split() if word.startswith("http://"))
                .partition("?")[0]
                .rstrip("/"),
                process.pid,
            )
        finally:
            process.terminate()
            process.wait()


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        content: bytes = answer.read()
        return content


def start(name: str) -> Row:
    """Seconds on the clock from `damier serve` to its first page, answered as a whole; median of 7,
    after one that does not count.
    """

    def once() -> float:
        begun = time.perf_counter()
        with lab() as (address, _hub):
            fetched(address + "/")
            return time.perf_counter() - begun

    once()
    return asked(name, "s", median(once() for _time in range(7)), 1.5)


def size(name: str) -> Row:
    """kB of the first page with every style, script and picture that it loads, as they are sent."""
    with lab() as (address, _hub):
        known: dict[str, bytes] = {}
        wanted = ["/"]
        while wanted:
            path = wanted.pop()
            known[path] = fetched(address + path)
            wanted += [
                link for link in links(path, known[path].decode()) if link not in known and link not in wanted
            ]
        return asked(name, "kB", sum(map(len, known.values())) / 1000, 150)


def links(path: str, text: str) -> list[str]:
    """What a page, a style or a module loads by itself."""
    if path.endswith(".js"):
        return ["/static/" + found for found in re.findall(r'from "\./([^"]+)"', text)]
    return re.findall(r'<(?:link[^>]*? href|script[^>]*? src|img[^>]*? src)="(/[^"]+)"', text) + re.findall(
        r'url\("?(/[^")]+)', text
    )


def click(name: str) -> Row:
    """Milliseconds from a click on a move of hexapawn, exact values shown, to the repainted board,
    in Chromium; median of 30.
    """
    chromium = (
        os.environ.get("DAMIER_CHROMIUM")
        or shutil.which("chromium")
        or shutil.which("chromium-headless-shell")
    )
    if not chromium:
        raise Skipped("no Chromium: scripts/debian installs Debian's, or name one in DAMIER_CHROMIUM")
    with lab() as (address, _hub), peer("playwright.sync_api").sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        times: list[float] = []
        while len(times) < CLICKS + 4:
            page.goto(f"{address}/hexapawn?1=human&2=human&show=truth")
            page.wait_for_selector("[data-part=board] [data-move]")
            page.wait_for_load_state("networkidle")
            for _ply in range(4):
                times.append(page.evaluate(CLICK))
        browser.close()
        return asked(name, "ms", median(times[4:]), 50)


CLICK = """() => new Promise((resolve) => {
  const board = document.querySelector("[data-part=board]");
  const begun = performance.now();
  new MutationObserver((changes, observer) => {
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - begun)));
  }).observe(board, { childList: true });
  board.querySelector("[data-move]").dispatchEvent(new MouseEvent("click", { bubbles: true }));
})"""


@dataclass(frozen=True)
class Load:
    """told: seconds from each move until both its players knew it; cpu: cores that the hub took;
    before, after: its bytes of memory early and late.
    """

    told: list[float]
    cpu: float
    before: int
    after: int


@cache
def load() -> Load:
    """100 pairs for a minute.

    Raises RuntimeError where a move was lost, doubled or answered by an error.
    """
    with (
        lab() as (address, hub),
        peer("websockets.sync.client").connect(
            address.replace("http", "ws", 1) + "/live", origin=address
        ) as socket,
    ):
        socket.send(json.dumps(STREAM | {"number": 1}))
        told = json.loads(socket.recv(timeout=60))
        if "error" in told:
            raise RuntimeError(told["error"])
        command = [
            sys.executable,
            "-m",
            "benchmarks.players",
            address,
            told["name"],
            str(PAIRS // PROCESSES),
            str(SECONDS),
        ]
        players = [
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
            for _process in range(PROCESSES)
        ]
        time.sleep(10)
        begun, used, before = time.monotonic(), ticks(hub), resident(hub)
        time.sleep(SECONDS - 12)
        cpu, after = (ticks(hub) - used) / TICKS / (time.monotonic() - begun), resident(hub)
        seen: list[dict[str, Any]] = [json.loads(process.communicate()[0]) for process in players]
    faults = [fault for each in seen for fault in each["faults"]]
    streamed, pictures = (
        sum(each[kind] for each in seen) / 2 / PAIRS / SECONDS for kind in ("streamed", "pictures")
    )
    moves = [seconds for each in seen for seconds in each["told"]]
    games = sum(each["games"] for each in seen)
    print(f"load: {len(moves)} moves, {games} games, hub {cpu:.2f}", file=sys.stderr)
    print(
        f"numbers {streamed:.1f} and pictures {pictures:.1f} times a second each, {os.getloadavg()}",
        file=sys.stderr,
    )
    if faults or streamed < STREAMED:
        raise RuntimeError(f"{len(faults)} faults, numbers {streamed:.1f} times a second: {faults[:3]}")
    return Load(moves, cpu, before, after)


def ticks(pid: int) -> int:
    """CPU time of a process, in TICKS a second."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def players(name: str) -> Row:
    """200 players at 100 tables for a minute, a move each 2 s, every position drawn for both, while
    a training is streamed to all (its numbers at 10 Hz, its curve and table at up to 20 MB a
    second): ms from a move until both players know it, the 99th of 100. No move is lost or doubled,
    and the numbers come at 8 Hz or more, or the row fails.
    """
    return asked(name, "ms", 1000 * quantiles(load().told, n=100)[98], 300)


def hub(name: str) -> Row:
    """The same: CPU seconds of the hub by second on the clock."""
    return asked(name, "cores", load().cpu, 0.5)


def memory(name: str) -> Row:
    """The same: by how many MB the hub is larger at the end of the minute than after its first ten
    seconds, while answers (8 MB) and tables (2,000) are still being filled, beyond which nothing is
    kept.
    """
    return asked(name, "MB", (load().after - load().before) / 1e6, 16)


def asked(name: str, unit: str, ours: float, limit: float) -> Row:
    """A row that has no reference but what was asked for."""
    return Row(name, unit, ours, "asked", limit, limit / max(ours, 1e-9) if ours > 0 else 1.0)


BENCHES = (
    Bench("web-start", start, Bar(1.5, of="ours", most=True)),
    Bench("web-size", size, Bar(150, of="ours", most=True)),
    Bench("web-click", click, Bar(50, of="ours", most=True)),
    Bench("web-players", players, Bar(300, of="ours", most=True), long=True),
    Bench("web-players-hub", hub, Bar(0.5, of="ours", most=True), long=True),
    Bench("web-players-memory", memory, Bar(16, of="ours", most=True), long=True),
)
