"""Python run in a process of its own, with its own folder for compiled engines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def start(code: str, cache: Path | str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        | {"DAMIER_CACHE": str(cache), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer(process: subprocess.Popen[str]) -> str:
    """What it printed; the test fails if it failed, or took too long, and then nothing is left of it."""
    try:
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 0, err[-3000:]
    return out.strip()


def run(code: str, cache: Path | str, *arguments: str, **environment: str) -> str:
    return answer(start(code, cache, *arguments, **environment))


REPLIES = """
from damier.core.compile import instantiate
from damier.core.moves import each
from damier.core.rules import as_state, moves, over, play

def replies(fields):
    s, count = as_state(fields), 0
    for move in each(moves(s)):
        child = play(s, move)
        if not over(child):
            for _reply in each(moves(child)):
                count += 1
    return count

def count_replies(game, jit=True):
    return instantiate(replies, game, jit=jit)(game.fields(game.start))
"""
"""Code of a small engine, for tests of how any engine is kept: perft takes four times as long to compile."""
