"""Workers that answer, die, hang and grow: every question gets an answer or one line, and the next
one finds a worker.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lasting import later, shortly
from scenes import acted

from damier.web.app import Answers
from damier.web.limits import ClientId, Crowded, FairSemaphore
from damier.web.pool import Answer, Pool, Worker
from damier.web.settings import Settings

GAME = '''
"""A game whose rules misbehave on demand."""
import os, sys, time
from typing import NamedTuple
from damier import ONGOING, Game, position_of

class State(NamedTuple):
    ply: int
    kind: int

def moves(s): return 0 if s.ply else 0b11111111
def outcome(s): return 0 if s.ply else ONGOING
def play(s, move): return State(1, position_of(move))

def show(s):
    if s.kind == 1:
        while True: pass
    if s.kind == 2: os.kill(os.getpid(), 9)
    if s.kind == 3: sys.exit("out")
    if s.kind == 4: raise RuntimeError("<b>broken</b>")
    if s.kind == 5: return "x" * (1 << 34)
    if s.kind == 6: return f"{input()} was read"
    if s.kind == 7:
        child = os.fork()
        if child:
            with open(os.environ["CHILD"], "w") as file: file.write(str(child))
        while True: time.sleep(1)
    return "well"

def odd():
    return Game("odd", State(0, 0), moves, play, outcome, mover=lambda s: s.ply, bits=(1, 3), show=show)
'''
OK = b'{"verb": "table.judge", "language": "en", "body": "{\\"game\\": \\"hexapawn\\", \\"moves\\": []}"}'


def question(verb: str, **values: Any) -> bytes:
    return json.dumps({"verb": verb, "language": "en", "body": json.dumps(values)}).encode()


@asynccontextmanager
async def pool(size: int = 1, **settings: Any) -> AsyncIterator[Pool]:
    made = Pool(replace(Settings(), **settings), size)
    try:
        yield made
    finally:
        await made.close()


async def until(seen: Callable[[], object]) -> None:
    """Waits until something is seen, for as long as it takes; a test that hangs here has failed."""
    while not seen():
        await asyncio.sleep(0.001)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The questions that have been written to a worker."""
    written: list[bytes] = []
    exchange = Worker.exchange

    async def spied(self: Worker, asked: bytes) -> tuple[Answer, int]:
        written.append(asked)  # and it is written before anybody else has a turn
        return await exchange(self, asked)

    monkeypatch.setattr(Worker, "exchange", spied)
    return written


def pid(pool: Pool) -> int:
    process = pool.workers[0].process
    assert process is not None
    return process.pid


def test_a_worker_that_is_killed_at_work_costs_its_question_and_no_other(sent: list[bytes]) -> None:
    async def scene() -> None:
        async with pool() as one:
            assert (await one.ask(OK, 60)).status == 200
            os.kill(pid(one), signal.SIGSTOP)
            asked = asyncio.create_task(one.ask(OK, 60))
            await until(lambda: len(sent) == 2)
            os.kill(pid(one), signal.SIGKILL)
            lost = await asked
            assert lost.status == 500
            assert len(json.loads(lost.body)["error"].splitlines()) == 1
            assert (await one.ask(OK, 60)).status == 200

    acted(scene())


def test_a_question_that_takes_too_long_is_ended_and_the_next_is_answered() -> None:
    async def scene() -> None:
        async with pool() as one:
            assert (await one.ask(OK, 60)).status == 200
            first = pid(one)
            os.kill(first, signal.SIGSTOP)
            late = await one.ask(OK, 0.2)
            assert late.status == 503
            assert "takes longer" in json.loads(late.body)["error"]
            assert (await one.ask(OK, 60)).status == 200
            assert pid(one) != first
            assert not Path(f"/proc/{first}").exists()

    acted(scene())


@pytest.mark.parametrize(("patience", "status"), [(60.0, 200), later((0.0, 503))])
def test_the_time_in_which_a_worker_had_no_processor_does_not_count_up_to_a_limit(
    patience: float, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scene() -> None:
        async with pool() as one:
            assert (await one.ask(OK, 60)).status == 200
            looks: list[int] = []

            def queued(process: int) -> float:
                looks.append(process)
                if len(looks) == 2:  # its time is over: now it has a processor
                    os.kill(process, signal.SIGCONT if patience else signal.SIGSTOP)
                return 1000.0 * (len(looks) - 1)

            monkeypatch.setattr("damier.web.pool.seconds_queued", queued)
            monkeypatch.setattr("damier.web.pool.PATIENCE", patience)
            os.kill(pid(one), signal.SIGSTOP)
            assert (await one.ask(OK, 0.2)).status == status

    acted(scene())


def test_who_gives_up_leaves_the_worker_its_work_and_the_turn_to_others(sent: list[bytes]) -> None:
    async def scene() -> None:
        async with pool() as one:
            await one.ask(OK, 60)
            first = pid(one)
            os.kill(first, signal.SIGSTOP)
            asked, waiting = asyncio.create_task(one.ask(OK, 60)), asyncio.create_task(one.ask(OK, 60))
            await until(lambda: len(sent) == 2 and one.turns.count == 1)
            asked.cancel(), waiting.cancel()
            await asyncio.gather(asked, waiting, return_exceptions=True)
            os.kill(first, signal.SIGCONT)
            assert (await one.ask(OK, 60)).status == 200
            assert pid(one) == first

    acted(scene())


def test_a_worker_that_holds_too_much_is_replaced_after_its_answer() -> None:
    async def scene() -> None:
        async with pool(memory=-(1 << 29)) as one:  # whatever it holds is too much
            assert (await one.ask(OK, 60)).status == 200
            first = pid(one)
            assert (await one.ask(OK, 60)).status == 200
            assert pid(one) != first

    acted(scene())


def test_a_queue_that_is_full_answers_at_once() -> None:
    async def scene() -> None:
        async with pool() as one:
            await one.ask(OK, 60)
            os.kill(pid(one), signal.SIGSTOP)
            asked = [
                asyncio.create_task(one.ask(OK, 60, ClientId(place)))
                for place in "abc"
                for _time in range(one.waiting)
            ]
            await until(
                lambda: sum(task.done() for task in asked) + one.turns.count + len(one.working) == len(asked)
            )
            refused = [task.result().status for task in asked if task.done()]
            assert set(refused) == {503}
            assert len(refused) == 3 * one.waiting - one.waiting - 1  # one is worked on
            for task in asked:
                task.cancel()
            await asyncio.gather(*asked, return_exceptions=True)

    acted(scene())


def test_a_pool_that_is_closed_leaves_no_process(sent: list[bytes]) -> None:
    async def scene() -> list[int]:
        async with pool(2) as two:
            await two.warm()
            pids = [worker.process.pid for worker in two.workers if worker.process]
            os.kill(pids[0], signal.SIGSTOP), os.kill(pids[1], signal.SIGSTOP)
            asked = [asyncio.create_task(two.ask(OK, 60)) for _time in range(2)]
            await until(lambda: len(sent) == 2)
        assert {answer.status for answer in await asyncio.gather(*asked)} == {500}
        return pids

    pids = acted(scene())
    assert len(pids) == 2
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


STAGES: dict[str, Callable[[Worker], object]] = {
    "asked": lambda worker: True,
    "starting": lambda worker: worker.starting.locked() or worker.runs,  # it may be over before one looks
    "started": lambda worker: worker.runs,
}


@pytest.mark.parametrize("stage", shortly(STAGES, "starting"))
def test_a_pool_that_is_closed_while_it_starts_a_process_waits_for_no_answer(
    tmp_path: Path, stage: str
) -> None:
    (tmp_path / "odd.py").write_text(GAME)
    endless = question("board.show", game="odd", moves=["1"])

    async def scene() -> Answer:
        async with pool(games={"odd": str(tmp_path / "odd.py")}) as one:
            asked = asyncio.create_task(one.ask(endless, 60))
            await asyncio.sleep(0)
            await until(lambda: STAGES[stage](one.workers[0]))
            async with asyncio.timeout(50):  # less than the question may take
                await one.close()
        return await asked

    assert acted(scene()).status in (500, 503)


def test_a_pool_that_is_closed_waits_for_no_pipe_that_a_child_of_a_game_holds_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHILD", str(tmp_path / "child"))
    (tmp_path / "odd.py").write_text(GAME)
    forking = question("board.show", game="odd", moves=["7"])

    async def scene() -> Answer:
        async with pool(games={"odd": str(tmp_path / "odd.py")}) as one:
            asked = asyncio.create_task(one.ask(forking, 300))
            await until(lambda: (tmp_path / "child").exists() and (tmp_path / "child").read_text())
            async with asyncio.timeout(200):  # less than the question may take
                await one.close()
            assert not one.working
        return await asked

    try:
        assert acted(scene()).status == 500
    finally:
        os.kill(int((tmp_path / "child").read_text()), signal.SIGKILL)


@pytest.mark.parametrize(
    ("kind", "status", "words"),
    [
        (1, 503, "odd: its rules take longer"),
        later((2, 500, "has ended")),
        later((3, 500, "SystemExit: out")),
        later((4, 500, "<b>broken</b>")),
        (5, 422, "memory"),
        later((6, 500, "EOFError")),
    ],
)
def test_an_own_game_that_misbehaves_harms_only_its_own_question(
    tmp_path: Path, kind: int, status: int, words: str
) -> None:
    (tmp_path / "odd.py").write_text(GAME)

    async def scene() -> None:
        async with pool(games={"odd": str(tmp_path / "odd.py")}) as one:
            assert (await one.ask(OK, 60)).status == 200
            bad = await one.ask(question("board.show", game="odd", moves=[str(kind)]), 2 if kind == 1 else 60)
            found = json.loads(bad.body)
            assert (bad.status, words in found["error"], len(found["error"].splitlines())) == (
                status,
                True,
                1,
            ), found
            assert (await one.ask(OK, 60)).status == 200

    acted(scene())


def test_askers_take_turns_and_one_askers_questions_keep_their_order() -> None:
    async def scene() -> list[str]:
        turns, order = FairSemaphore(1, 100), list[str]()
        await turns.take(ClientId("x"))

        async def wait(asker: str, number: int) -> None:
            await turns.take(ClientId(asker))
            order.append(f"{asker}{number}")
            turns.give(ClientId(asker))

        waiting = [
            asyncio.create_task(wait(asker, number))
            for asker, number in [("a", 1), ("a", 2), ("a", 3), ("b", 1), ("c", 1), ("c", 2)]
        ]
        await asyncio.sleep(0)
        turns.give(ClientId("x"))
        await asyncio.gather(*waiting)
        assert turns.taken == 0
        return order

    assert acted(scene()) == ["a1", "b1", "c1", "a2", "c2", "a3"]


def test_nobody_may_take_more_than_half_of_the_line() -> None:
    async def scene() -> None:
        turns = FairSemaphore(1, 10)
        await turns.take(ClientId("a"))
        waiting = [asyncio.create_task(turns.take(ClientId("a"))) for _time in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(Crowded):
            await turns.take(ClientId("a"))
        waiting.append(asyncio.create_task(turns.take(ClientId("b"))))
        await asyncio.sleep(0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        turns.give(ClientId("a"))
        assert turns.taken == 0

    acted(scene())


def test_a_place_that_is_given_to_somebody_who_has_just_left_goes_to_the_next() -> None:
    async def scene() -> None:
        turns = FairSemaphore(1, 10)
        await turns.take(ClientId("a"))
        gone, next_one = (
            asyncio.create_task(turns.take(ClientId("b"))),
            asyncio.create_task(turns.take(ClientId("c"))),
        )
        await asyncio.sleep(0)
        turns.give(ClientId("a"))
        gone.cancel()
        await asyncio.wait_for(next_one, 5)
        assert gone.cancelled()
        assert turns.held == {ClientId("c"): 1}

    acted(scene())


def counting(
    found: Answer, calls: list[int], gate: asyncio.Event
) -> Callable[[], Coroutine[Any, Any, Answer]]:
    async def work() -> Answer:
        calls.append(1)
        await gate.wait()
        return found

    return work


def test_the_same_question_of_many_is_worked_out_once_and_kept() -> None:
    async def scene() -> None:
        answers, calls, gate = Answers(), list[int](), asyncio.Event()
        found = Answer(200, "text/html", b"x")
        asked = [asyncio.create_task(answers.of(b"q", counting(found, calls, gate))) for _time in range(5)]
        await asyncio.sleep(0)
        asked[0].cancel()
        gate.set()
        assert {await task for task in asked[1:]} == {found}
        assert await answers.of(b"q", counting(found, calls, gate)) == found
        assert len(calls) == 1

    acted(scene())


def test_work_for_which_nobody_waits_any_more_is_given_up() -> None:
    async def scene() -> None:
        answers, calls = Answers(), list[int]()
        never = asyncio.Event()
        asked = [
            asyncio.create_task(answers.of(b"q", counting(Answer(200, "", b""), calls, never)))
            for _time in range(2)
        ]
        await asyncio.sleep(0)
        for task in asked:
            task.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        await asyncio.sleep(0)
        assert len(asyncio.all_tasks()) == 1  # this one

    acted(scene())


def test_what_is_kept_is_bounded_by_its_bytes_and_no_refusal_is_kept() -> None:
    async def ask(answers: Answers, question: bytes, answer: Answer) -> None:
        async def work() -> Answer:
            return answer

        assert await answers.of(question, work) == answer

    async def scene() -> None:
        answers = Answers(kept=1000)
        for number in range(100):
            await ask(answers, str(number).encode(), Answer(200, "", 100 * b"x"))
            assert answers.size <= 1000
        assert 8 <= len(answers.kept) <= 10
        before = dict(answers.kept)
        await ask(answers, b"refused", Answer(400, "", b""))
        await ask(answers, b"large", Answer(200, "", (2 << 20) * b"x"))
        assert answers.kept == before

    acted(scene())


def test_no_module_of_the_current_folder_runs_in_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "jinja2.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit")
    monkeypatch.chdir(tmp_path)

    async def scene() -> None:
        async with pool() as one:
            assert (await one.ask(question("gallery.problem", error="x"), 60)).status == 200

    acted(scene())
    assert not (tmp_path / "ran").exists()


def test_an_answer_larger_than_any_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.web.pool.LARGEST_ANSWER", 100)

    async def scene() -> None:
        async with pool() as one:
            assert (await one.ask(question("board.show", game="hexapawn"), 60)).status == 500
            assert (await one.ask(OK, 60)).status == 200

    acted(scene())
