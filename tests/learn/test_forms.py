"""A learner learns the same of a game in whatever form its moves are: bits, a list, or a wide set."""

from __future__ import annotations

from typing import Any

import pytest
from kinds import FORMS

from damier import load
from damier.arena.match import match
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import Learner, RandomPlayer
from damier.lab.agents import agent
from damier.lab.lab import Lab
from damier.learn.memory import Memory
from damier.solve.grade import Grader

METHODS = ("q:policy=softmax", "v", "menace")
KEYED = ("list", "wide set")


def learnt(game: Any, method: str, jit: bool) -> tuple[list[Any], Any]:
    """What a learner knows after some games, with its moves by name, and its grade."""
    job = Job(jit=jit)
    player = agent(Lab(game, job, seed=2), method)
    assert isinstance(player, Learner)
    match(MatchSetup(game, (player, RandomPlayer()), seed=4, swap=1), 120, job)
    memory = player.memory
    assert isinstance(memory, Memory)
    rows = [
        (
            tuple(row.state),
            [game.name_move(row.state, move) if move else "" for move in row.moves],
            row.values,
            row.counts,
        )
        for row in memory.rows()
    ]
    return rows, Grader(game, RandomPlayer(), job).grade(player)


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("form", KEYED)
@pytest.mark.parametrize("method", METHODS)
def test_a_learner_learns_the_same(method: str, form: str, jit: bool) -> None:
    game = load("tictactoe")
    assert learnt(FORMS[form](game), method, jit) == learnt(game, method, jit)


@pytest.mark.parametrize("method", ["q", "v"])
def test_a_learner_of_a_game_beyond_a_key_knows_the_same(method: str) -> None:
    game = load("tictactoe")
    known: list[Any] = []
    for each in (game, FORMS["wide fields"](game)):
        player = agent(Lab(each, Job(jit=False), seed=2), method)
        assert isinstance(player, Learner)
        match(MatchSetup(each, (player, RandomPlayer()), seed=4), 60, Job(jit=False))
        memory = player.memory
        assert isinstance(memory, Memory)
        known.append([(tuple(row.state), row.values, row.counts) for row in memory.rows()])
    assert known[0] == known[1]
