"""The tree of a game: its nodes are the lines of play, its values those of the solver."""

from __future__ import annotations

import pytest

from damier.core.errors import LimitReached
from damier.core.game import line
from damier.core.tree import TERMINAL
from damier.lab.games import load
from damier.solve.count import count_games
from damier.solve.dispatch import solve
from damier.trees.explicit import game_tree, search


@pytest.mark.parametrize("text", ["nim:matches=7", "nim:heaps=1-2-3", "hexapawn", "hexapawn:blocked=loss"])
def test_values_are_the_solvers(text: str) -> None:
    game = load(text)
    tree = game_tree(game, game.start)
    value = search(tree, "alphabeta").value
    assert value == search(tree, "minimax").value == search(tree, "maxn").value[0]  # type: ignore[index]
    assert value == {"win": 1, "draw": 0, "loss": -1}[solve(game).value(game.start)]
    assert sum(node.player == TERMINAL for node in tree.nodes) == sum(count_games(game))


def test_names_and_limit() -> None:
    game = load("tictactoe")
    tree = game_tree(game, line(game, ["4", "0"])[-1].state, 2)
    assert [node.name for node in tree.nodes[:3]] == ["start", "1", "2"]
    assert tree.nodes[-1].name == "8,7"
    assert len(tree.nodes) == 1 + 7 + 42
    assert all(node.evaluation == (0, 0) for node in tree.nodes if node.player == TERMINAL)


def test_too_many() -> None:
    game = load("tictactoe")
    with pytest.raises(LimitReached, match="549,946 nodes") as error:
        game_tree(game, game.start)
    assert error.value.reached == {"nodes": 549_946}
