"""A search is stopped by Ctrl-C at once, plain or compiled, and keeps its best answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import run

CODE = """
import os, signal, sys, threading, time
from damier import load
from damier.core.analysis import Limit
from damier.core.job import Job
from damier.search.alphabeta import Options, alphabeta

game, job = load("connect_four"), Job(jit=sys.argv[1] == "compiled")
alphabeta(game, game.start, Limit(plies=2), Options(deepen=True), job=job)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
found = alphabeta(game, game.start, None, Options(deepen=True), job=job)
print(found.interrupted, found.stopped, found.exact, found.plies >= 3, len(found.names(found.best)), len(found.line))
"""


@pytest.mark.parametrize("world", ["plain", "compiled"])
def test_ctrl_c_ends_a_search_with_the_answer_so_far(tmp_path: Path, world: str) -> None:
    assert run(CODE, tmp_path, world) == "True True False True 1 1"


NO_ANSWER = """
import os, signal, threading
from damier import load
from damier.core.job import Job
from damier.search.minimax import minimax

game = load("connect_four")
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    minimax(game, game.start, job=Job(jit=False))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_without_an_answer_it_is_an_interrupt_like_any_other(tmp_path: Path) -> None:
    assert run(NO_ANSWER, tmp_path) == "interrupted"
