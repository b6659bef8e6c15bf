"""The questions that a board asks, sent by a program: what cannot be meant is refused in one line,
the same question gets the same reply.
"""

from __future__ import annotations

from typing import Any

import httpx
import pytest

HOSTILE = [
    {"game": "hexapawn", "moves": ["a1a3"]},
    {"game": "hexapawn", "moves": "a1a2", "at": 2},
    {"game": "hexapawn", "moves": "a1a2", "at": -1},
    {"game": "hexapawn", "moves": "*"},
    {"game": "hexapawn", "1": 7},
    {"game": "hexapawn", "seed": "1e3"},
    {"game": "hexapawn:file=/etc/passwd"},
    {"game": "pacman:start=/etc/passwd"},
    {"game": "../../etc/passwd"},
    {"game": "dice_nim.py"},
    {"game": "hexapawn", "me": 9},
    {"game": "tictactoe", "moves": ["0"] * 3000},
]


@pytest.mark.parametrize("verb", ["board.show", "board.reply", "board.seats", "truth.show", "mind.show"])
@pytest.mark.parametrize("question", HOSTILE)
def test_what_cannot_be_meant_is_refused_in_one_line(
    http: httpx.Client, verb: str, question: dict[str, Any]
) -> None:
    answer = http.post(f"/ask/{verb}", json=question)
    assert answer.status_code in (400, 404)
    assert "\n" not in answer.json()["error"]


def test_an_illegal_move_changes_nothing(http: httpx.Client) -> None:
    answer = http.post("/ask/board.move", json={"game": "hexapawn", "moves": "a1a2", "move": "a1a2"})
    assert answer.status_code in (400, 404)
    assert "a1a2 is not a legal move here" in answer.json()["error"]


@pytest.mark.parametrize(
    "agent", ["q:file=/etc/passwd", "nobody", "chase", "perfect:prefer=never", "mcts:simulations=0"]
)
def test_an_agent_that_cannot_sit_here_is_refused(http: httpx.Client, agent: str) -> None:
    answer = http.post("/ask/board.reply", json={"game": "hexapawn", "1": agent})
    assert answer.status_code in (400, 404)


def test_the_same_question_gets_the_same_reply(http: httpx.Client) -> None:
    question = {"game": "tictactoe", "moves": "4", "1": "human", "2": "random", "seed": 11}
    replies = {http.post("/ask/board.reply", json=question).json()["move"] for _time in range(3)}
    assert len(replies) == 1


@pytest.mark.parametrize(
    ("agent", "status"), [("random", 200), ("perfect", 200), ("mcts", 400), ("human", 400), ("q", 400)]
)
def test_only_who_need_not_think_replies_at_once(http: httpx.Client, agent: str, status: int) -> None:
    answer = http.post("/ask/board.soon", json={"game": "tictactoe", "moves": "4", "1": "human", "2": agent})
    assert answer.status_code == status


def test_several_replies_stop_at_a_person(http: httpx.Client) -> None:
    answer = http.post(
        "/ask/board.reply", json={"game": "pacman", "moves": "East", "1": "human", "2": "chase", "most": 9}
    ).json()
    assert len(answer["state"]["moves"]) == 3
    assert answer["state"]["person"]
