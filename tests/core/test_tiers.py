"""Plain Python at once, compiled code when it is there: whoever computes it, it is the same."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

import pytest
from lasting import later, shortly
from sample_engines import start_leaves

from damier import load
from damier.arena.match import Score, match
from damier.core import tiers
from damier.core.analysis import Analysis, Limit
from damier.core.compile import instantiate
from damier.core.errors import Uncompilable
from damier.core.game import Game
from damier.core.job import Job, Notes, patiently, until as deadline
from damier.core.loop import MatchSetup
from damier.core.numba_adapter import CompiledEngine
from damier.core.player import RandomPlayer
from damier.core.tiers import ENDLESS, Tier, copied
from damier.search.alphabeta import Options, alphabeta
from damier.search.exact import exact
from damier.search.mcts import mcts
from damier.solve import count, perft, solve
from damier.solve.grade import Grader

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a process is copied on Linux only")
PATIENCE = 300
SHARED = os.environ["DAMIER_CACHE"]
"""The folder of the engines that all tests compile."""
MOMENT = 0.1
"""Seconds that a compiler takes that has nothing to do."""


@pytest.fixture(autouse=True)
def _empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def table(text: str = "nim") -> MatchSetup:
    return MatchSetup(load(text), (RandomPlayer(), RandomPlayer()), 3)


class Moment:
    """A copy of the process that ends after a moment: what it was to compile is in the cache by then."""

    refusal = ""

    def __init__(self) -> None:
        self._end = time.monotonic() + MOMENT

    def ended(self) -> bool:
        return time.monotonic() > self._end

    def kill(self) -> None:
        pass


COMPILERS = ["a moment", later("a compiler")]


@pytest.fixture
def compiler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a job goes on beside: a compiler whose cache is empty, or a moment, after which what others have
    compiled is in the cache.
    """
    read = Tier.read_cache
    if request.param == "a moment":
        monkeypatch.setenv("DAMIER_CACHE", SHARED)
        monkeypatch.setattr(Tier, "read_cache", lambda tier: tier.copy is not None and read(tier))
        monkeypatch.setattr(tiers, "copied", lambda prepare: Moment())


beside_a_compiler = pytest.mark.parametrize("compiler", COMPILERS, indirect=True)


def small(text: str = "nim") -> Tier:
    """The tier of an engine that takes a compiler a moment, and of rules that have been compared."""
    game = load(text)
    game.agrees = True
    return Tier(game, lambda: instantiate(start_leaves, game, jit=True)(game.fields(game.start), 1))


def test_what_is_not_in_the_cache_is_compiled_beside_the_job(tmp_path: Path) -> None:
    tier, job = small(), Job()
    assert not tier.rises(job, inf)
    until(lambda: tier.rises(job, inf))
    assert list((tmp_path / "engines").iterdir())
    assert small().rises(job, tiers.READING_PAYS)  # from the cache, at once


def test_what_plain_python_ends_sooner_is_never_compiled(tmp_path: Path) -> None:
    setup, job = table(), Job()
    assert not setup.tier.rises(job, tiers.COMPILING_PAYS / 2)
    assert not setup.tier.is_ready
    assert not (tmp_path / "engines").exists()


def test_one_compiles_at_a_time() -> None:
    one, other, job = small(), small("nim:matches=5"), Job()
    assert not one.rises(job, inf)
    assert not other.rises(job, inf)
    until(lambda: one.is_ready)
    assert not other.rises(job, inf)
    until(lambda: other.rises(job, inf))


@pytest.mark.parametrize("jit", [True, False])
def test_a_job_may_be_told_which_of_the_two(jit: bool) -> None:
    assert small().rises(Job(jit=jit), 0.0) is jit


def test_what_cannot_be_compiled_stays_plain_and_a_note_says_so() -> None:
    def refused() -> None:
        raise Uncompilable("sets of text")

    tier, notes = Tier(load("nim"), refused), Notes()
    job = Job(note=notes)
    until(lambda: not tier.rises(job, inf) and bool(tier.refusal))
    assert not tier.rises(job, inf)
    assert notes == ["nim runs as plain Python, uncompiled: sets of text"]


def test_the_copy_says_why_it_refuses() -> None:
    def refused() -> None:
        raise Uncompilable("sets of text")

    copy = copied(refused)
    assert copy is not None
    until(copy.ended)
    assert copy.refusal == "sets of text"


def test_what_cannot_be_kept_is_compiled_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "file"))
    tier, job = small(), Job()
    until(lambda: tier.rises(job, inf))


def test_a_copy_ends_with_its_process() -> None:
    code = "import time; from damier.core.tiers import copied; "
    code += "copy = copied(lambda: time.sleep(1000)); print(copy._number, flush=True); time.sleep(1000)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    number = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.wait()
    until(lambda: not alive(number))


def alive(number: int) -> bool:
    """Whether a process runs, and is no mere entry of one that has ended."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_copy_writes_nothing_here(capfd: pytest.CaptureFixture[str]) -> None:
    copy = copied(lambda: os.write(1, b"heard"))
    assert copy is not None
    until(copy.ended)
    assert capfd.readouterr().out == ""


@beside_a_compiler
@pytest.mark.usefixtures("compiler")
def test_a_match_that_goes_over_plays_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "READING_PAYS", 0.0)
    monkeypatch.setattr(tiers, "COMPILING_PAYS", 0.0)
    # plain Python plays again whatever was played
    monkeypatch.setattr(import_module("damier.arena.match"), "COMPILED_CHUNK", 2_000)
    setup, score, compiled = table("tictactoe"), Score(), 0

    def enough(done: int, total: int | None, what: str) -> None:
        nonlocal compiled
        compiled += setup.tier.compiled
        if compiled == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(setup, 10**12, Job(progress=enough), score=score)
    plain = match(table("tictactoe"), score.games, Job(jit=False))
    assert (score.wins, score.losses, score.plies) == (plain.wins, plain.losses, plain.plies)


SEARCHES: dict[str, Callable[[Game, Job], Analysis]] = {
    "alphabeta": lambda game, job: alphabeta(game, game.start, job=job, explain=False),
    "deepened": lambda game, job: alphabeta(
        game, game.start, Limit(plies=7), Options(table=True, deepen=True, order=True), job=job
    ),
    "mcts": lambda game, job: mcts(game, game.start, simulations=20_000, job=job),
}


@beside_a_compiler
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("search", shortly(SEARCHES, "alphabeta"))
def test_a_search_that_goes_over_finds_and_counts_the_same(
    search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tiers, "READING_PAYS", 0.0)
    monkeypatch.setattr(tiers, "COMPILING_PAYS", 0.0)
    monkeypatch.setattr(tiers, "PLAIN_POSITIONS", 50)
    text = "tictactoe" if search == "alphabeta" else "hexapawn:width=4,blocked=loss"
    plain, game = SEARCHES[search](load(text), Job(jit=False)), load(text)
    end = time.monotonic() + PATIENCE
    while not any(tier.compiled for tier in game.tiers.values()):
        assert time.monotonic() < end, "it never went over"
        found = SEARCHES[search](game, Job())
        assert told(found) == told(plain)
    assert told(SEARCHES[search](game, Job())) == told(plain)


def told(found: Analysis) -> tuple[object, ...]:
    return found.value, found.values, found.best, found.nodes, found.explored, found.pv, found.distance


class Unending:
    """A copy of the process that goes on compiling."""

    refusal = ""

    def ended(self) -> bool:
        return False

    def kill(self) -> None:
        pass


def test_who_waits_is_told_that_a_compiler_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "PLAIN_POSITIONS", 50)
    monkeypatch.setattr(tiers.Tier, "read_cache", lambda tier: False)  # the cache is empty
    monkeypatch.setattr(tiers, "copied", lambda prepare: Unending())
    monkeypatch.setattr(tiers, "compiling_tiers", [])  # nor is anything else being compiled
    said: list[tuple[int, str]] = []
    job = Job(progress=lambda done, total, what: said.append((done, what)))
    assert len(solve(load("hexapawn:width=4,blocked=loss"), job=job)) == 1128
    assert said.index((0, "compiling; plain Python goes on meanwhile")) > said.index((50, "positions"))


def test_who_waits_is_told_when_the_compiler_has_ended() -> None:
    said: list[str] = []
    job, game = Job(progress=lambda done, total, what: said.append(what), jit=True), load("nim")
    game.agrees = True
    assert tiers.Tier(game, lambda: None).rises(job, 0.0)
    assert said == ["compiling", "at work"]


def solved(game: Game, job: Job) -> object:
    solution = solve(game, job=job)
    return solution.value(game.start), solution.distance(game.start), len(solution)


FINDS: dict[str, Callable[[Game, Job], object]] = {
    "solve": solved,
    "count": lambda game, job: count(game, job=job).by_ply,
    "perft": lambda game, job: perft(game, 6, job=job),
    "exact": lambda game, job: exact(game, game.start, job).bounds,
    "grade": lambda game, job: Grader(game, RandomPlayer(), job).grade(RandomPlayer()),
}


@beside_a_compiler
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("what", shortly([[name] for name in FINDS] + [[*FINDS]], ["count"]))
def test_what_begins_again_compiled_finds_the_same(what: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "READING_PAYS", 0.0)
    monkeypatch.setattr(tiers, "COMPILING_PAYS", 0.0)
    for module in ("core.tiers", "solve.count", "solve.grade"):
        monkeypatch.setattr(import_module(f"damier.{module}"), "PLAIN_POSITIONS", 50)
    # an exact search needs plies; to count, an engine that other tests compile too
    text = "tictactoe" if what == ["count"] else "connect_four:width=3,height=4,in_a_row=3"

    def everything(game: Game, job: Job) -> list[object]:
        return [FINDS[name](game, job) for name in what]

    plain, game = everything(load(text), Job(jit=False)), load(text)
    end = time.monotonic() + PATIENCE
    while True:
        assert everything(game, Job(jit=None)) == plain
        if game.tiers and all(tier.compiled for tier in game.tiers.values()):
            break
        assert time.monotonic() < end, "it never went over"
        until(lambda: not tiers.compiling_tiers or tiers.compiling_tiers[-1].is_ready)


def test_a_rate_is_known_only_after_some_time() -> None:
    assert tiers.seconds_left(1.0, 10, 30) == 2.0
    assert tiers.seconds_left(0.0, 0, 30) == 0.0
    assert tiers.seconds_left(tiers.MEASURED / 2, 1, 10**9) == 0.0


def test_ctrl_c_in_the_copy_is_not_taken_for_one_here() -> None:
    """Nothing that is raised in the copy goes on as this process."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    copy = copied(interrupted)
    assert copy is not None
    until(copy.ended)
    assert copy.refusal == ""


def test_what_nobody_waits_for_gives_way() -> None:
    one, other, job = small(), small("nim:matches=5"), Job()
    with one.wanted():
        assert not one.rises(job, ENDLESS)
        assert not one.gives_way()
    assert not other.rises(job, ENDLESS)
    assert one.gives_way()
    assert not one.is_ready
    until(lambda: other.rises(job, ENDLESS))


def test_a_copy_outlasts_the_time_of_what_it_was_begun_in() -> None:
    """A move has two seconds, and the engines that it begins to compile take longer."""
    done: list[bool] = []

    def work() -> None:
        patiently(lambda: done.append(True))
        raise Uncompilable("done" if done else "left behind")

    with deadline(time.perf_counter()):
        copy = copied(work)
    assert copy is not None
    until(copy.ended)
    assert copy.refusal == "done"


def test_two_copies_make_an_engine_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = tmp_path / "made"
    make = CompiledEngine.made

    def counted(self: CompiledEngine, *arguments: Any) -> Any:
        with made.open("a") as file:
            file.write(f"{self.name}\n")
        return make(self, *arguments)

    monkeypatch.setattr(CompiledEngine, "made", counted)
    copies = [copied(small().prepare_in_turn) for _time in range(2)]
    for copy in copies:
        assert copy is not None
        until(copy.ended)
    names = made.read_text().split()
    assert len(names) == len(set(names)) > 0


def test_jobs_that_follow_each_other_are_compiled_for_when_they_have_taken_long_enough(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each of them is far from what one alone would be compiled for."""
    read = Tier.read_cache
    monkeypatch.setattr(Tier, "read_cache", lambda tier: tier.copy is not None and read(tier))
    game, ran = load("nim"), list[str]()
    game.agrees = True
    rising = Tier(game, lambda: None)

    def attempt(jit: bool, allowance: tiers.Allowance) -> None:
        ran.append("compiled" if jit else "plain")
        if not jit:
            rising.spent += tiers.COMPILING_PAYS / 4

    def go_on() -> None:
        tiers.run_tiered(rising, Job(), attempt)

    for _job in range(4):
        go_on()
    assert ran == ["plain"] * 4
    go_on()  # compiles beside it
    until(lambda: rising.is_ready)
    go_on()
    assert ran[-1] == "compiled"


def test_a_search_by_the_clock_counts_the_searches_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, spent, game = list[float](), 0.0, load("nim")

    def rises(self: Tier, job: Job, left: float) -> bool:
        asked.append(left)
        return False

    monkeypatch.setattr(Tier, "rises", rises)
    for _move in range(3):
        asked.clear()
        mcts(game, game.start, Limit(seconds=0.1), simulations=100_000_000)
        assert min(asked) >= spent
        spent = tiers.tier(game, "mcts", lambda: None).spent
        assert spent > 0
