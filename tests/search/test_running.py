"""A search is stopped by Ctrl-C at once, plain or compiled, and keeps its best answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from lasting import later
from processes import run

from damier import LimitReached, load
from damier.core.analysis import Limit
from damier.core.job import Job, TimeIsUp
from damier.core.tiers import Tier
from damier.search.alphabeta import Options, alphabeta
from damier.search.lookahead import Found, LookAhead
from damier.search.minimax import minimax

CODE = """
import os, signal, sys, threading
from damier import load
from damier.core.analysis import Limit
from damier.core.job import Job
from damier.core.job import TimeIsUp
from damier.core.tiers import Tier
from damier.search.alphabeta import Options, alphabeta
from damier.search.lookahead import LookAhead

one = LookAhead.search_depth

def interrupted_at_depth_4(self, run, one_depth, plies, deadline, allowance):
    if plies == 4:
        threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()
    return one(self, run, one_depth, plies, deadline, allowance)

game, job = load("connect_four"), Job(jit=sys.argv[1] == "compiled")
alphabeta(game, game.start, Limit(plies=2), Options(deepen=True), job=job)
LookAhead.search_depth = interrupted_at_depth_4
found = alphabeta(game, game.start, None, Options(deepen=True), job=job)
print(found.interrupted, found.stopped, found.exact, found.plies >= 3, end=" ")
print(len(found.names(found.best)), len(found.pv))
"""


@pytest.mark.parametrize("world", ["plain", later("compiled")])
def test_ctrl_c_ends_a_search_with_the_answer_so_far(tmp_path: Path, world: str) -> None:
    assert run(CODE, tmp_path, world) == "True True False True 1 1"


NO_ANSWER = """
import os, signal, threading
from damier import LimitReached, load
from damier.core.job import Job
from damier.core.job import TimeIsUp
from damier.core.tiers import Tier
from damier.search.lookahead import LookAhead
from damier.search.minimax import minimax

game = load("connect_four")
one = LookAhead.search_depth

def interrupted(*arguments):
    threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGINT)).start()
    return one(*arguments)

LookAhead.search_depth = interrupted
try:
    minimax(game, game.start, job=Job(jit=False))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_without_an_answer_it_is_an_interrupt_like_any_other(tmp_path: Path) -> None:
    assert run(NO_ANSWER, tmp_path) == "interrupted"


def expired(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the end of the counted search on, no time is left."""
    search = LookAhead.search

    def late(self: LookAhead, *arguments: object, **options: object) -> Found:
        found = search(self, *arguments, **options)  # type: ignore[arg-type]
        if self.deadline is not None:
            self.deadline = 0.0
        return found

    monkeypatch.setattr(LookAhead, "search", late)


def test_what_there_was_no_time_for_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    expired(monkeypatch)
    game = load("hexapawn:blocked=loss")
    found = alphabeta(game, game.start, Limit(seconds=60), job=Job(jit=False))
    assert (found.value, found.exact, found.distance) == (-1, True, None)
    assert found.left_out == ("values", "best", "pv", "distance")
    assert found.pv == (found.best & -found.best,)
    played = alphabeta(game, game.start, Limit(seconds=60), job=Job(jit=False), explain=False)
    assert played.left_out == ("best",)
    whole = minimax(game, game.start, Limit(seconds=60), job=Job(jit=False))
    assert whole.left_out == ("pv", "distance")
    assert set(whole.values) == set(game.legal(game.start))


def test_with_time_enough_nothing_is_left_out() -> None:
    game = load("hexapawn:blocked=loss")
    for limit in (Limit(seconds=60), Limit()):
        found = alphabeta(game, game.start, limit, Options(table=True), job=Job(jit=False))
        assert found.left_out == ()
        assert found.distance == 6


def test_an_explained_search_keeps_some_of_its_time_for_the_explanation() -> None:
    game = load("connect_four")
    for marking in (True, False):
        search = LookAhead(game, game.start, Limit(seconds=0.4), Job(jit=False), "nothing", marking)
        asked: list[float | None] = []
        search.deepen = lambda run, one_depth, depths, deadline, allowance: asked.append(deadline)  # type: ignore[method-assign]
        search.best = Found(0)
        with pytest.raises(LimitReached):
            search.search(lambda run, found, _s: None)
        assert asked[0] is not None
        assert search.deadline is not None
        assert (search.deadline - asked[0] > 0.1) == marking


@pytest.mark.parametrize("jit", [False, True])
def test_one_ply_is_looked_ahead_however_little_time_there_is(
    monkeypatch: pytest.MonkeyPatch, jit: bool
) -> None:
    game = load("hexapawn")
    for search in (alphabeta, minimax):
        found = search(game, game.start, Limit(seconds=1e-9), job=Job(jit=jit), explain=False)
        assert found.best
        assert (found.plies, found.exact) == (1, False)

    def no_time_to_compile(self: Tier, job: Job, left: float) -> bool:
        raise TimeIsUp

    monkeypatch.setattr(Tier, "rises", no_time_to_compile)
    found = alphabeta(game, game.start, Limit(seconds=1e-9), job=Job(jit=jit), explain=False)
    assert found.best
