"""Many games side by side are the games of the plain rules, move by move."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lasting import later, long, shortly

from damier import CHANCE, BadInput, IllegalMove
from damier.core.bits import reseed
from damier.core.errors import Unsuitable
from damier.core.past import Line
from damier.core.rules import State
from damier.interop.observations import Observer, player_named
from damier.interop.vector import VectorGames
from damier.lab.games import chance_move
from tests.conformance.test_every_game import BUILT_IN, OF_USERS, shown

SIZE, STEPS, LIMIT = 12, 60, 40
DICE = "pig:target=6"
"""With an opponent, its engine takes every branch."""
FEW = ("tictactoe",)
NONE = (
    "kuhn_poker",
    "mnk:width=1,height=1",
    "pacman:layout=corridor",
    "nim:matches=1",
    "pawns:width=1,height=2",
    "pig:target=1",
)
"""Games with secrets, for one player, or that are over at once for somebody."""
GAMES = [text for text in (*BUILT_IN, *OF_USERS) if not any(none in text for none in NONE)]


class PlainGame:
    """One game, played by the rules in plain Python as `VectorGames` plays it."""

    def __init__(self, games: VectorGames, number: int, seed: int) -> None:
        self.game, self.number = games.game, number
        self.opponent = player_named(games.game, games.opponent) if games.opponent else None
        self.seat = number % self.game.players
        self.rng = [0]
        reseed(self.rng, seed, number)
        self.observer = Observer(self.game)
        self.begin()
        self.go_on()

    def begin(self) -> None:
        self.line, self.plies = Line(self.game, self.game.start), 0

    @property
    def state(self) -> State:
        return self.line.state

    def go_on(self) -> tuple[int, list[int], Any]:
        """Play on until the caller is to move; how the first game ended, payoffs and the last observation."""
        ended, payoffs, final = 0, [0] * self.game.players, None
        while True:
            s, game = self.state, self.game
            if game.over(s) or self.plies >= LIMIT:
                if not ended:
                    ended = 1 if game.over(s) else 2
                    payoffs = [game.payoff(s, p) if game.over(s) else 0 for p in range(game.players)]
                    side = self.seat if self.opponent else max(game.mover(s), 0)
                    final = self.observer.observe(s, side)
                    payoffs = [payoffs[self.seat]] if self.opponent else payoffs
                if self.opponent:
                    self.seat = (self.seat + 1) % game.players
                self.begin()
                continue
            if game.mover(s) == CHANCE:
                self.line.play(chance_move(game, s, self.rng))
            elif self.opponent and game.mover(s) != self.seat:
                self.line.play(self.opponent.choose(game, s, self.rng))
            else:
                return ended, payoffs, final
            self.plies += 1

    def play(self, action: int) -> tuple[int, list[int], Any]:
        self.line.play(self.observer.legal(self.state)[action])
        self.plies += 1
        return self.go_on()


def compare(text: str, opponent: str | None = None) -> int:
    """Play both, and return how many games ended."""
    games = VectorGames(text, SIZE, opponent=opponent, max_plies=LIMIT)
    observations, masks = games.reset(seed=5)
    plain = [PlainGame(games, number, 5) for number in range(SIZE)]
    ends = 0
    for _step in range(STEPS):
        for number, other in enumerate(plain):
            mover = other.game.mover(other.state)
            assert games.turn[number] == mover
            assert (observations[number] == other.observer.observe(other.state, mover)).all()
            assert set(np.flatnonzero(masks[number])) == set(other.observer.legal(other.state))
        assert games.states() == [other.state for other in plain]
        actions = games.random_actions()
        observations, masks, rewards, terminated, truncated, final = games.step(actions)
        for number, other in enumerate(plain):
            ended, payoffs, last = other.play(int(actions[number]))
            assert (ended == 1, ended == 2) == (terminated[number], truncated[number])
            assert np.atleast_1d(rewards[number]).tolist() == (payoffs if ended or not opponent else [0])
            if ended:
                ends += 1
                assert (final[number] == last).all()
    return ends


@pytest.mark.parametrize("text", shortly(GAMES, *FEW), ids=shown)
def test_every_game_is_that_of_the_plain_rules(text: str) -> None:
    compare(text)


@pytest.mark.parametrize(
    ("text", "opponent"),
    [
        (DICE, "random"),
        later(("tictactoe", "random")),
        later(("hexapawn", "perfect:ties=random")),
    ],
)
def test_an_opponent_plays_in_the_same_step(text: str, opponent: str) -> None:
    assert compare(text, opponent) > 20


def test_an_illegal_action_is_named_and_nothing_is_played() -> None:
    games = VectorGames("tictactoe", 3)
    for early in (lambda: games.step([0, 0, 0]), games.random_actions):
        with pytest.raises(IllegalMove, match="reset"):
            early()
    games.reset()
    games.step([4, 4, 4])
    before = games.states()
    for wrong in ([0, 4, 0], [0, 9, 0], [0, -1, 0]):
        with pytest.raises(IllegalMove, match=r"game 1: action .* legal are 0 1 2 3 5 6 7 8"):
            games.step(wrong)
        assert games.states() == before
    with pytest.raises(IllegalMove, match="2 actions for 3 games"):
        games.step([0, 0])
    for fractions in ([0.5, 1.0, 2.0], np.zeros(3), ["0", "1", "2"], np.zeros((3, 1), int)):
        with pytest.raises(IllegalMove, match="whole numbers"):
            games.step(fractions)  # type: ignore[arg-type]
    assert games.states() == before


def test_observations_are_copies_unless_it_is_said() -> None:
    own, shared = VectorGames("tictactoe", 2), VectorGames("tictactoe", 2, copy=False)
    first, _mask = own.reset()
    same, _mask = shared.reset()
    for games in (own, shared):
        games.step([4, 4])
    assert not first.any()
    assert same.any()


def test_the_same_seed_gives_the_same_games() -> None:
    games = VectorGames(DICE, 40, opponent="random")
    found = []
    for seed in (3, 3 + 2**64, 4):  # of a seed 64 bits count
        games.reset(seed=seed)
        trace = []
        for _step in range(20):
            trace.append(games.step(games.random_actions()).rewards.tolist())
        found.append(trace)
    assert found[0] == found[1] != found[2]


def test_what_cannot_be_is_refused_by_name() -> None:
    for wrong, sentence in (
        (lambda: VectorGames("tictactoe", 0), "0 games"),
        (lambda: VectorGames("tictactoe", 1, max_plies=0), "max_plies=0: it is at least 1"),
        (lambda: VectorGames("tictactoe", 1, seat=1), "needs an opponent"),
        (lambda: VectorGames("tictactoe", 1, opponent="random", seat=2), "seats 0 to 1"),
        (lambda: VectorGames("tictactoe", 1, opponent="q"), "learns"),
        (lambda: VectorGames("examples/kuhn_poker.py", 1), "kuhn_poker.*cannot see all"),
        (lambda: VectorGames("tictactow", 1), "tictactow"),
    ):
        with pytest.raises(BadInput, match=sentence):
            wrong()


@long
def test_who_never_gets_to_move_is_told() -> None:
    games = VectorGames("nim:matches=1", 1, opponent="random", seat=1)
    with pytest.raises(Unsuitable, match="never gets to move"):
        games.reset()
