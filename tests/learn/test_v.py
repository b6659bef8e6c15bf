"""The V-function by hand: the document's own preset after scripted games, its ties, its
exploration.
"""

from __future__ import annotations

import pytest

from damier import load
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.learn.action_values import Row
from damier.learn.player import LearningPlayer
from tests.learn.scripted import learner, play, position

WON = "0 3 1 4 2"  # X has the top row
DRAWN = "0 1 2 4 3 5 7 6 8"


def values(player: LearningPlayer) -> dict[State, float]:
    return {found.state: found.values[0] for found in player.memory.rows()}


def test_vfunction_after_one_two_and_three_games() -> None:
    """Rows A-64 to A-68: alpha 0.1, afterstates, backwards, each target the new value of the next;
    a draw is 0.1 to X and 0.5 to O.
    """
    game = load("tictactoe")
    x, o = learner(game, "v", "vfunction"), learner(game, "v", "vfunction")

    def after(*moves: str) -> list[float]:
        both = values(x) | values(o)
        return [both[position(game, some)] for some in moves]

    play(x, o, WON)
    # X: the last 0 + 0.1 * (1 - 0) = 0.1; before it 0.1 * 0.1 = 0.01; the first 0.1 * 0.01 = 0.001
    assert after("0", "0 3 1", WON) == pytest.approx([0.001, 0.01, 0.1])
    # O: -1 after its last move, so 0.1 * -1 = -0.1; before it -0.01
    assert after("0 3", "0 3 1 4") == pytest.approx([-0.01, -0.1])

    play(x, o, WON)
    # X: 0.1 + 0.1 * 0.9 = 0.19; 0.01 + 0.1 * (0.19 - 0.01) = 0.028; 0.001 + 0.1 * (0.028 - 0.001) = 0.0037
    assert after("0", "0 3 1", WON) == pytest.approx([0.0037, 0.028, 0.19])
    # O: -0.1 + 0.1 * (-1 + 0.1) = -0.19; -0.01 + 0.1 * (-0.19 + 0.01) = -0.028
    assert after("0 3", "0 3 1 4") == pytest.approx([-0.028, -0.19])

    play(x, o, DRAWN)
    # X, from the last: 0.1 * 0.1 = 0.01, 0.001, 0.0001, 0.00001; and the first 0.0037 + 0.1 * (0.00001 -
    # 0.0037) = 0.003331
    assert after(DRAWN, "0 1 2 4 3 5 7", "0 1 2 4 3", "0 1 2", "0") == pytest.approx(
        [0.01, 0.001, 0.0001, 0.00001, 0.003331]
    )
    # O, from the last: 0.1 * 0.5 = 0.05, 0.005, 0.0005, 0.00005
    assert after("0 1 2 4 3 5 7 6", "0 1 2 4 3 5", "0 1 2 4", "0 1") == pytest.approx(
        [0.05, 0.005, 0.0005, 0.00005]
    )

    assert not set(values(x)) & set(values(o))
    # row A-64: 3^8; and 2 * 3^5 for O on cell 3, 3^7 for X on cell 1
    assert [game.id(found.state) for found in x.memory.rows()][:2] == [6561, 6561 + 2 * 243 + 2187]
    assert (x.memory.games, x.memory.decisions, o.memory.decisions) == (3, 3 + 3 + 5, 2 + 2 + 4)


def test_a_game_lost_by_the_first() -> None:
    game = load("tictactoe")
    x = learner(game, "v", "vfunction")
    play(x, None, "0 3 1 4 8 5")
    assert list(values(x).values()) == pytest.approx([-0.001, -0.01, -0.1])


def test_td_lambda_with_values_from_before_the_game() -> None:
    """alpha 1/2, lambda 0.9, gamma 0.8: targets 1; 0.8 * 0.9 * 1 = 0.72; 0.8 * 0.9 * 0.72 = 0.5184;
    halved, since all was 0.

    The second game: 1; 0.8 * (0.5 + 0.9 * (1 - 0.5)) = 0.76; 0.8 * (0.36 + 0.9 * (0.76 - 0.36)) =
    0.576.
    """
    game = load("tictactoe")
    x = learner(game, "v", "td-lambda", alpha=0.5, gamma=0.8, epsilon=1.0)
    play(x, None, WON)
    assert list(values(x).values()) == pytest.approx([0.2592, 0.36, 0.5])
    play(x, None, WON)
    assert list(values(x).values()) == pytest.approx([(0.2592 + 0.576) / 2, (0.36 + 0.76) / 2, 0.75])


def test_ties_go_to_the_highest_cell() -> None:
    """Row A-66: from the last cell to the first, strictly better only."""
    game = load("tictactoe")
    x = learner(game, "v", "vfunction", epsilon=0.0)
    assert x.probabilities(game, game.start)[1 << 8] == 1
    known = {0: 0.2, 3: 0.5, 5: 0.5, 8: -0.1}
    x.memory.fill(
        [Row(game.play(game.start, 1 << cell), (0,), (value,), (1,)) for cell, value in known.items()]
    )
    assert x.probabilities(game, game.start) == {1 << cell: float(cell == 5) for cell in range(9)}
    bad = learner(game, "v", "vfunction", epsilon=0.0)
    bad.memory.fill([Row(game.play(game.start, 1 << cell), (0,), (-0.5,), (1,)) for cell in (4, 5, 6, 7, 8)])
    assert bad.probabilities(game, game.start)[1 << 3] == 1  # one never met is worth 0
    played = MatchSetup(game, (x, RandomPlayer()), seed=1, record=True, limit=16).play(0, 1, jit=False)
    assert played.lines[0][0] == 1 << 5


def test_exploration() -> None:
    """Row A-69: every 100 games, game 0 included, epsilon becomes max(0.996 epsilon, 0.1): 0.6698
    after 10 000 games.
    """
    game = load("nim:matches=2")
    x = learner(game, "v", "vfunction")
    table = MatchSetup(game, (x, RandomPlayer()), seed=1, limit=4)
    expected = 1.0
    for first in range(0, 10_000, 100):
        table.play(first, first + 1, jit=False)
        expected = max(0.996 * expected, 0.1)
        assert x.memory.epsilon == expected
        table.play(first + 1, first + 100, jit=False)
        assert x.memory.epsilon == expected
    assert round(x.memory.epsilon, 4) == 0.6698
    x.memory.rates[:] = [0.1001, 0.1001]
    table.play(0, 1, jit=False)
    assert x.memory.epsilon == 0.1


def test_the_state_index_of_the_document() -> None:
    """Row A-64: X, O, free, free, X is 11016."""
    assert load("tictactoe").id(position(load("tictactoe"), "0 1 4")) == 11016
