"""Grades where positions come back: against every strategy tried out, with exact linear algebra."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import gallery
import numpy as np
import pytest
from lasting import later

from damier import ONGOING, Job, load, position_of
from damier.arena.match import match
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.solve import interval_iteration, solve
from damier.solve.grade import Grader, grade
from damier.solve.reach import pure_layers

NODES = 7
Strategy = dict[int, dict[int, float]]
"""For each node the weight of each move."""


class Place(NamedTuple):
    node: int


class Board(NamedTuple):
    """A game of few nodes: where each of its moves leads, who is to move, and how it ends where there is
    no move, for player 0.
    """

    children: tuple[tuple[int, ...], ...]
    movers: tuple[int, ...]
    ends: tuple[int, ...]

    def game(self) -> Game:
        sign = tuple(1 if mover == 0 else -1 for mover in self.movers)
        sets = tuple((1 << len(nodes)) - 1 for nodes in self.children)
        outcomes = tuple(
            ONGOING if nodes else end * s
            for nodes, end, s in zip(self.children, self.ends, sign, strict=True)
        )
        return Game(
            "nodes",
            Place(0),
            lambda s: sets[s.node],
            lambda s, move: Place(self.children[s.node][position_of(move)]),
            lambda s: outcomes[s.node],
            mover=lambda s: self.movers[s.node],
            bits=(4,),
        )


class Weighted(RandomPlayer):
    """A policy that is known by node."""

    text = "weighted"

    def __init__(self, weights: Strategy) -> None:
        self.weights = weights

    def kernel(self, *, jit: bool) -> None:
        return None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        assert isinstance(s, Place)
        return {1 << move: weight for move, weight in self.weights[s.node].items()}


def boards(n: int) -> Iterator[Board]:
    """Random games in which most positions can come back."""
    for seed in range(n):
        rng = random.Random(seed)
        ended = rng.randint(1, 3)
        children = tuple(
            () if node >= NODES - ended else tuple(rng.sample(range(NODES), rng.randint(1, 3)))
            for node in range(NODES)
        )
        movers = tuple(rng.randint(0, 1) for _node in range(NODES))
        yield Board(children, movers, tuple(rng.choice((-1, 0, 1)) for _node in range(NODES)))


def weighted(board: Board, seed: int) -> Strategy:
    """Weights of which many are 0, and some lack to 1: it resigns."""
    rng = random.Random(seed)
    found = {}
    for node, moves in enumerate(board.children):
        parts = [rng.choice((0, 0, 1, 3)) for _move in moves]
        whole = sum(parts) + rng.choice((0, 0, 0, 1))
        found[node] = {move: part / whole if whole else float(move == 0) for move, part in enumerate(parts)}
    return found


def chances(board: Board, by: tuple[Strategy, Strategy]) -> tuple[float, float]:
    """How likely player 0 wins and loses, from node 0: absorption of a Markov chain, solved."""
    step, win, loss = np.zeros((NODES, NODES)), np.zeros(NODES), np.zeros(NODES)
    for node, moves in enumerate(board.children):
        mover = board.movers[node]
        if not moves:
            win[node], loss[node] = board.ends[node] > 0, board.ends[node] < 0
            continue
        for move, child in enumerate(moves):
            step[node, child] += by[mover][node][move]
        resigns = 1 - sum(by[mover][node].values())
        if resigns > 1e-9:
            (loss if mover == 0 else win)[node] += resigns
    ending = [not moves or win[node] + loss[node] > 0 for node, moves in enumerate(board.children)]
    for _again in range(NODES):
        ending = [ending[n] or any(step[n, m] > 0 and ending[m] for m in range(NODES)) for n in range(NODES)]
    inner = [n for n in range(NODES) if ending[n]]
    if 0 not in inner:
        return 0.0, 0.0
    left = np.eye(len(inner)) - step[np.ix_(inner, inner)]
    both = [np.linalg.solve(left, sums[inner])[inner.index(0)] for sums in (win, loss)]
    return float(both[0]), float(both[1])


def strategies(board: Board, player: int) -> Iterator[Strategy]:
    """Every way to choose one move for each node of a player."""
    own = [n for n in range(NODES) if board.movers[n] == player and board.children[n]]
    for choice in product(*(range(len(board.children[n])) for n in own)):
        moves = dict(zip(own, choice, strict=True))
        yield {
            n: {move: float(move == moves.get(n, 0)) for move in range(len(board.children[n]))}
            for n in range(NODES)
        }


@pytest.mark.parametrize("jit", [False, True])
def test_two_policies_are_graded_as_linear_algebra_says(jit: bool) -> None:
    for seed, board in enumerate(boards(3 if jit else 60)):
        ours, theirs = weighted(board, 2 * seed), weighted(board, 2 * seed + 1)
        found = grade(board.game(), Weighted(ours), Weighted(theirs), Job(jit=jit))
        win, loss = chances(board, (ours, theirs))
        assert (found.seats[0].win, found.seats[0].loss) == pytest.approx((win, loss), abs=1e-8)
        loss, win = chances(board, (theirs, ours))
        assert (found.seats[1].win, found.seats[1].loss) == pytest.approx((win, loss), abs=1e-8)


@pytest.mark.parametrize("responder", [0, 1])
def test_a_best_response_is_the_best_of_all_strategies(responder: int) -> None:
    for seed, board in enumerate(boards(60)):
        weights = weighted(board, seed)
        found = Grader(board.game(), Weighted(weights), Job(jit=False)).grade(RandomPlayer())
        payoffs = []
        for strategy in strategies(board, responder):
            win, loss = chances(board, (strategy, weights) if responder == 0 else (weights, strategy))
            payoffs.append(win - loss if responder == 0 else loss - win)
        assert found.best_against[responder].payoff == pytest.approx(max(payoffs), abs=1e-8), seed


def test_a_gamble_at_the_last_moment_gains_nothing() -> None:
    """Where play goes round, an even chance to win at once or to lose soon is worth nothing; a horizon
    of so many moves would take it at its last move and call it a half.
    """
    #        0 wait, or gamble; 1 the gamble; 2 doomed, 3 more so; 4 won; 5 lost; 6 lost
    board = Board(((0, 1), (4, 2), (3,), (5,), (), (), ()), (0, 1, 1, 1, 0, 0, 0), (0, 0, 0, 0, 1, -1, -1))
    found = grade(board.game(), RandomPlayer(), RandomPlayer())
    assert found.best_against[0].payoff == pytest.approx(0, abs=1e-9)


def test_who_can_stay_for_good_need_not_lose_and_leaves_to_win() -> None:
    round_and_round = ((1, 5), (0,), (), (), (), (), ())
    ends = (0, 0, 0, 0, 0, -1, 0)
    movers = (0, 1, 0, 0, 0, 0, 0)
    for end, payoff in ((-1, 0.0), (0, 0.0), (1, 1.0)):
        board = Board(round_and_round, movers, (*ends[:5], end, 0))
        assert grade(board.game(), RandomPlayer(), RandomPlayer()).best_against[0].payoff == payoff


def test_what_keeps_the_value_is_what_solving_says() -> None:
    for board in boards(30):
        game = board.game()
        solution, found = solve(game), grade(game, RandomPlayer(), RandomPlayer())
        kept = [
            sum(after == solution.value(s) for after, _distance in moves.values()) / len(moves)
            for layer in pure_layers(game, game.start, Job())
            for s in layer
            if (moves := solution.explain(s))
        ]
        assert found.states == len(kept)
        assert found.optimal_share_all == pytest.approx(np.mean(kept) if kept else 1.0)


@pytest.mark.parametrize(
    ("text", "jit"), [(f"{gallery.__file__}:tug", False), later(("examples/three_mens_morris.py", True))]
)
def test_games_played_agree(text: str, jit: bool) -> None:
    game = load(text)
    found = grade(game, RandomPlayer(), RandomPlayer(), Job(jit=jit))
    assert found.seats[0].win + found.seats[0].loss == pytest.approx(1, abs=1e-9)
    score = match(MatchSetup(game, (RandomPlayer(), RandomPlayer()), 1), 3000, Job(jit=jit))
    assert abs(score.wins / score.games - found.seats[0].win) < 4 * 0.5 / score.games**0.5


def test_where_play_goes_round_for_too_long_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interval_iteration, "PASSES", 100)
    rare = Board(((0, 5), (), (), (), (), (), ()), (0,) * NODES, (0, 0, 0, 0, 0, 1, 0))
    weights = {**{n: {} for n in range(NODES)}, 0: {0: 1 - 1e-6, 1: 1e-6}}
    with pytest.raises(LimitReached, match="goes round for too long"):
        grade(rare.game(), Weighted(weights), RandomPlayer())
