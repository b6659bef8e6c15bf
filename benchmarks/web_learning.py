"""The web lab's trainings: what it costs a learner to be watched live.

Seconds on the clock, drawing and telling included.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import tempfile
import time
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.measure import Bar, Bench, Row, peer, race

GAMES = 8_000_000
PLAN = {"game": "hexapawn", "learner": "q", "opponent": "self", "seat": "alternate", "seed": 0}
PATIENCE = 600.0
NUMBERS = count()


@cache
def folder() -> Path:
    held = tempfile.TemporaryDirectory(prefix="damier-bench-")
    atexit.register(held.cleanup)
    return Path(held.name)


@cache
def address() -> str:
    """A lab that listens until the end of this process."""
    command = [sys.executable, "-m", "damier", "serve", "--port", "0", "--folder", str(folder())]
    lab = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=None)
    atexit.register(lab.terminate)
    assert lab.stdout is not None
    return (
        next(word for word in lab.stdout.readline().split() if word.startswith("http://"))
        .partition("?")[0]
        .rstrip("/")
    )


def watched() -> float:
    """Games a second of a training at full speed, from the order to its last picture, every picture
    drawn and sent to one who watches.
    """
    lab = address()
    with peer("websockets.sync.client").connect(
        lab.replace("http", "ws", 1) + "/live", origin=lab, max_size=None
    ) as socket:
        begun = time.perf_counter()
        name = f"watched-{next(NUMBERS)}"
        socket.send(json.dumps({"do": "training.start", "name": name, "games": GAMES, "pace": 0, **PLAN}))
        for topic in (f"progress/{name}/en", f"training/{name}/en/visits"):
            socket.send(json.dumps({"do": "watch", "topic": topic}))
        while True:
            told: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
            if "error" in told:
                raise RuntimeError(f"the lab says: {told['error']}")
            if told.get("state", {}).get("state") == "finished":
                return GAMES / 1e6 / (time.perf_counter() - begun)


def unwatched() -> float:
    """The same training by `damier train`, from its start to its end."""
    command = [
        sys.executable,
        "-m",
        "damier",
        "train",
        PLAN["game"],
        PLAN["learner"],
        "--opponent",
        PLAN["opponent"],
        "--seat",
        PLAN["seat"],
    ]
    begun = time.perf_counter()
    place = folder() / "unwatched.json"
    subprocess.run(
        [*map(str, command), "--games", str(GAMES), "--overwrite", "--out", str(place), "--json"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return GAMES / 1e6 / (time.perf_counter() - begun)


def watching(name: str) -> Row:
    """Q-learning on hexapawn at full speed in the web lab, watched live over a socket (numbers ten
    times a second, curve and table as fast as they are drawn), against the same plan by `damier
    train`: games by second on the clock, from start to end, both saved as they go.
    """
    return race(name, "M games/s", "damier train, unwatched", watched, unwatched, pairs=3)


BENCHES = (Bench("web-watched", watching, Bar(0.8)),)
