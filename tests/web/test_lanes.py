"""Moves are answered whatever others ask: one slow question an asker, a lane for those who think, a place
that is out of reach of every address.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from itertools import count

import pytest
from scenes import acted

from damier.core.errors import BadInput, LimitReached
from damier.lab.agents import AGENTS
from damier.web.app import LATE, MUCH, REMEMBERED, ReplyPools, WebLab
from damier.web.board_truth import BRIEF, HOPELESS, Prospects
from damier.web.limits import (
    BY_CLOCK,
    BY_NODES,
    CEILINGS,
    EXPANDED,
    LAB,
    ClientId,
    FairSemaphore,
    ceiling_in_words,
    held_to_ceilings,
    limited,
)
from damier.web.messages import Query
from damier.web.pool import Answer, Pool
from damier.web.registry import Registry
from damier.web.settings import Settings
from damier.web.worker import reply

ADA, BOB, MAL = ClientId("school", "ada"), ClientId("home", "bob"), ClientId("elsewhere", "mal")
FAIR = ("quick", "moves", "thinking", "slow", "boxes")
"""The pools that a page, or a move, waits for."""


async def ready() -> None:
    for _turn in range(5):
        await asyncio.sleep(0)


async def leave(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("name", FAIR)
def test_one_worker_is_out_of_reach_of_whoever_sends_a_new_cookie_with_every_question(name: str) -> None:
    async def scene() -> None:
        lab, names = WebLab(Settings()), count()
        pool = lab.pools[name]
        turns = FairSemaphore(pool.size, 300, late=0, of_one=pool.of_one, of_place=pool.of_place)
        greedy = [
            asyncio.create_task(turns.take(ClientId("elsewhere", str(next(names))))) for _time in range(100)
        ]
        await ready()
        assert turns.taken == pool.size - 1
        await asyncio.wait_for(turns.take(ADA), 1)
        assert turns.held[ADA] == 1
        await leave(greedy)
        await lab.close()

    acted(scene())


@pytest.mark.parametrize("name", ["moves", "thinking", "proofs", "boxes", "own"])
def test_a_browser_has_one_slow_question_at_a_time_and_the_lab_as_many_as_there_are(name: str) -> None:
    async def scene() -> None:
        lab = WebLab(Settings())
        pool = lab.pools[name]
        turns = FairSemaphore(pool.size, 300, late=0, of_one=pool.of_one, of_place=pool.of_place)
        waiting = [asyncio.create_task(turns.take(MAL)) for _time in range(4)]
        await ready()
        assert turns.held == {MAL: 1}
        waiting += [asyncio.create_task(turns.take(LAB)) for _time in range(9)]
        await ready()
        assert turns.held[LAB] >= pool.size - 1
        turns.give(MAL)
        await ready()
        assert turns.held[MAL] <= 1
        await leave(waiting)
        await lab.close()

    acted(scene())


def test_a_reply_that_took_long_leads_to_the_other_lane_and_so_do_proofs_to_theirs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scene() -> None:
        lab = WebLab(Settings())
        asked: list[str] = []

        def answering(name: str) -> None:
            async def ask(question: bytes, seconds: float, asker: ClientId = LAB) -> Answer:
                asked.append(name)
                return Answer(200, "", b"")

            monkeypatch.setattr(lab.pools[name], "ask", ask)

        for name in lab.pools:
            answering(name)
        reply = Query("board.reply", {"game": "connect_four"}, "en", MAL)
        await lab.ask(reply)
        lab.pools["moves"].note_cost(MAL, 2.0)
        await lab.ask(reply)
        await lab.ask(Query("board.reply", {"game": "connect_four"}, "en", ADA))
        await lab.ask(Query("truth.show", {"game": "connect_four"}, "en", MAL))
        assert asked == ["moves", "thinking", "moves", "proofs"]
        await lab.close()

    acted(scene())


@dataclass
class Scene:
    """ReplyPools, and a clock that goes when it is told to."""

    now: float = 0.0

    def __post_init__(self) -> None:
        self.lanes = ReplyPools(Pool(Settings(), 1), Pool(Settings(), 1), lambda: self.now)

    def plays(self, asker: ClientId, seconds: float, *, every: float, times: int) -> None:
        """So many replies, each of which takes so long."""
        for _reply in range(times):
            self.lanes.note(asker, seconds)
            self.now += every

    def is_quick(self, asker: ClientId) -> bool:
        return self.lanes.pool_for(asker) is self.lanes.quick


def test_who_plays_against_an_agent_that_is_quick_stays_quick() -> None:
    scene = Scene()
    scene.plays(ADA, 0.25, every=2.8, times=100)
    assert scene.is_quick(ADA)
    scene.plays(ADA, 0.5, every=2.8, times=100)
    assert not scene.is_quick(ADA)
    scene.now += 2 * LATE
    assert scene.is_quick(ADA)


def test_a_new_name_for_every_question_is_quick_for_a_few_only() -> None:
    scene = Scene()
    for name in range(20):
        scene.plays(MAL._replace(browser=f"a {name}th"), 0.25, every=0.1, times=1)
    assert not scene.is_quick(MAL)
    assert scene.is_quick(ADA)
    scene.plays(MAL, MUCH / 4, every=1, times=1)  # one who stays goes by what was its own
    assert scene.is_quick(MAL)


def test_who_has_not_asked_for_long_is_forgotten() -> None:
    scene = Scene()
    scene.plays(MAL, 2 * MUCH, every=0, times=1)
    assert not scene.is_quick(MAL)
    for number in range(REMEMBERED):
        scene.lanes.note(ClientId(str(number)), 0.01)
    assert scene.is_quick(MAL)


def test_a_pool_tells_what_an_answer_cost_its_worker() -> None:
    told: list[tuple[ClientId, float]] = []

    async def scene() -> None:
        pool = Pool(Settings(), 1, note_cost=lambda asker, seconds: told.append((asker, seconds)))
        try:
            quick = Query("table.judge", {"game": "hexapawn", "moves": []}, "en")
            long = Query("board.reply", {"game": "othello", "1": "mcts:simulations=100"}, "en")
            assert (await pool.ask(quick.line, 300, ADA)).status == 200
            assert (await pool.ask(long.line, 300, MAL)).status == 200
        finally:
            await pool.close()

    acted(scene())
    (ada, little), (mal, much) = told
    assert (ada, mal) == (ADA, MAL)
    assert 0 < little < much


def test_what_a_page_may_ask_of_a_search_is_refused_beyond_its_ceiling_and_held_to_the_clock() -> None:
    registry = Registry(Settings())
    for text in (
        "mcts:simulations=999999999",
        "mcts:seconds=60",
        "alphabeta:plies=2,seconds=2.5",
        "selective:nodes=1e12",
        "minimax:plies=1000",
        "bfs:nodes=500000",
        "mcts:seconds=inf",
    ):
        with pytest.raises(BadInput, match="at most") as refused:
            registry.agent("hexapawn", text)
        assert len(str(refused.value).splitlines()) == 1
    for name in BY_CLOCK:
        assert "seconds=2" in held_to_ceilings(name)
        assert "2 seconds" in ceiling_in_words(name)
        most = ",".join(f"{option}={n}" for option, n in CEILINGS.items() if option in ("nodes", "seconds"))
        assert held_to_ceilings(f"{name}:{most}") == f"{name}:{most}"
    for name in BY_NODES:
        assert held_to_ceilings(name) == f"{name}:nodes={EXPANDED}"
    assert held_to_ceilings("mcts:c=2") == "mcts:c=2,simulations=1000,seconds=2"
    assert {name for name in AGENTS if ceiling_in_words(name)} == {*BY_CLOCK, *BY_NODES}
    # an opponent of a training keeps what it was asked for, so that it can be graded
    assert limited("minimax:plies=2") == "minimax:plies=2"


def test_a_proof_that_came_to_no_end_later_in_a_game_is_not_begun_early_in_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, worked = [0.0], [0.0]
    monkeypatch.setattr("damier.web.board_truth.time.monotonic", lambda: now[0])
    monkeypatch.setattr("damier.web.board_truth.time.process_time", lambda: worked[0])
    prospects = Prospects(2.0)

    def search(ply: int, cpu: float) -> None:
        seconds = prospects.seconds("g", ply)
        with prospects.remembering("g", ply, seconds):
            worked[0] += cpu * seconds / 2
            raise LimitReached("no end")

    def in_vain(ply: int, cpu: float = 2.0) -> None:
        with pytest.raises(LimitReached):
            search(ply, cpu)

    assert prospects.seconds("g", 0) == 2.0
    in_vain(8, cpu=0.1)  # others were at work
    assert prospects.seconds("g", 0) == 2.0
    in_vain(8)
    assert [prospects.seconds("g", ply) for ply in (9, 8, 9 - HOPELESS, 8 - HOPELESS, 0)] == [
        2.0,
        2 * BRIEF,
        2 * BRIEF,
        0.0,
        0.0,
    ]
    assert prospects.seconds("other", 0) == 2.0
    in_vain(6)  # of the brief ones nothing is remembered
    with prospects.remembering("g", 9, 2.0):
        pass
    assert prospects.seconds("g", 9) == 2.0
    now[0] += 61
    assert prospects.seconds("g", 0) == 2.0


def test_the_page_of_an_agent_says_its_ceilings_beside_its_options() -> None:
    question = {"game": "tictactoe", "1": "human", "2": "mcts"}
    line = json.dumps({"verb": "board.page", "language": "en", "body": json.dumps(question)}).encode()
    status, _kind, page = reply(Registry(Settings()), line)
    assert status == 200
    assert ceiling_in_words("mcts").encode() in page
