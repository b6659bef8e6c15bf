"""The questions that a board asks, sent by a program: what cannot be meant is refused in one line,
the same question gets the same reply.
"""

from __future__ import annotations

from typing import Any

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
    visitor: Any, verb: str, question: dict[str, Any]
) -> None:
    answer = visitor.request.post(f"/ask/{verb}", data=question)
    assert answer.status in (400, 404)
    assert "\n" not in answer.json()["error"]


def test_an_illegal_move_changes_nothing(visitor: Any) -> None:
    answer = visitor.request.post(
        "/ask/board.move", data={"game": "hexapawn", "moves": "a1a2", "move": "a1a2"}
    )
    assert answer.status in (400, 404)
    assert "a1a2 is not a legal move here" in answer.json()["error"]


@pytest.mark.parametrize(
    "agent", ["q:file=/etc/passwd", "nobody", "chase", "perfect:prefer=never", "mcts:simulations=0"]
)
def test_an_agent_that_cannot_sit_here_is_refused(visitor: Any, agent: str) -> None:
    answer = visitor.request.post("/ask/board.reply", data={"game": "hexapawn", "1": agent})
    assert answer.status in (400, 404)


def test_the_same_question_gets_the_same_reply(visitor: Any) -> None:
    question = {"game": "tictactoe", "moves": "4", "1": "human", "2": "random", "seed": 11}
    replies = {visitor.request.post("/ask/board.reply", data=question).json()["move"] for _time in range(3)}
    assert len(replies) == 1


@pytest.mark.parametrize(
    ("agent", "status"), [("random", 200), ("perfect", 200), ("mcts", 400), ("human", 400), ("q", 400)]
)
def test_only_who_need_not_think_replies_at_once(visitor: Any, agent: str, status: int) -> None:
    answer = visitor.request.post(
        "/ask/board.soon", data={"game": "tictactoe", "moves": "4", "1": "human", "2": agent}
    )
    assert answer.status == status


def test_several_replies_stop_at_a_person(visitor: Any) -> None:
    answer = visitor.request.post(
        "/ask/board.reply", data={"game": "pacman", "moves": "East", "1": "human", "2": "chase", "most": 9}
    ).json()
    assert len(answer["state"]["moves"]) == 3
    assert answer["state"]["person"]
