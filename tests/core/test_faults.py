"""An agent that breaks off loses its game, with the reason on record; where it is strict, it ends all."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from damier import load
from damier.arena.match import Score, match, record
from damier.arena.records import GameRecord, Referee, record_of
from damier.core.bits import Rng
from damier.core.errors import AgentFault, BadFile
from damier.core.game import Game
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import AnyKernel, RandomPlayer
from damier.core.rules import State
from damier.learn.player import ALGORITHMS, LearningPlayer


@dataclass
class Faulty:
    """Plays the first move, but breaks off in every third of its games, at its second move."""

    text = "faulty"
    compiles, learns = False, False
    games: int = -1

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        second = game.ply(s) > 1
        self.games += not second
        if second and self.games % 3 == 0:
            raise AgentFault("faulty.py:3: no such move")
        return game.legal(s)[0]

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None


def setup(*, strict: bool = False, swap: int = 0) -> MatchSetup:
    return MatchSetup(load("tictactoe"), (Faulty(), RandomPlayer()), 4, swap=swap, record=True, strict=strict)


@pytest.mark.parametrize("swap", [0, 1])
def test_the_game_is_lost_and_the_match_goes_on(swap: int) -> None:
    table, records = setup(swap=swap), list[GameRecord]()
    score = match(table, 30, Job(), keep=records.extend)
    assert score.games == 30
    assert list(table.faults.of_game) == list(range(0, 30, 3))
    for game in records:
        faulty = game.players.index("faulty")
        if game.number % 3 == 0:
            assert game.resigned
            assert str(game.fault) == "faulty.py:3: no such move"
            assert game.payoffs[faulty] == -1
        else:
            assert not game.fault
            assert "fault" not in game.as_json()
        Referee(table.game).check(game)
        said = game.as_json() | {"players": list(game.players), "moves": list(game.moves)}
        assert record_of(said | {"payoffs": list(game.payoffs)}) == game


def test_where_it_is_strict_the_fault_is_raised() -> None:
    with pytest.raises(AgentFault, match="no such move"):
        match(setup(strict=True), 30, Job(), score=Score())


def test_a_fault_of_a_game_that_nobody_gave_up_is_refused() -> None:
    table = setup()
    played = record(table, 1, table.play(0, 2, jit=False).lines[1])
    assert not played.resigned
    with pytest.raises(BadFile, match="fault"):
        Referee(table.game).check(GameRecord(**{**vars(played), "fault": "cell"}))


def test_who_may_fail_reaches_the_rules_as_others_do() -> None:
    """What is learnt is read by functions that are bound to the rules of the game."""
    game = load("tictactoe")
    learner = LearningPlayer(game, "q", ALGORITHMS["q"].Parameters())
    scores = [
        match(MatchSetup(game, (learner, RandomPlayer()), 4, record=True, strict=strict), 20, Job(jit=False))
        for strict in (True, False)
    ]
    assert [score.games for score in scores] == [20, 20]
