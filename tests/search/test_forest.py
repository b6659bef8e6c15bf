"""Several trees grown side by side: their answer does not depend on how many cores grow them."""

from __future__ import annotations

import gallery
import pytest
from lasting import later

from damier import Game, load
from damier.core.analysis import Analysis, Limit
from damier.core.errors import BadInput, LimitReached
from damier.core.job import Job
from damier.lab.agents import Lab, agent
from damier.search.mcts import mcts
from damier.solve import solve

FACTS = ("value", "values", "visits", "best", "nodes", "plies", "exact", "pv", "stopped")
OFTEN = [load("tictactoe"), gallery.dice()]
"""Engines that the tests of one tree compile too."""
SELDOM = [load("connect_four"), gallery.scored(9, 3, -2), gallery.tug()]


def facts(found: Analysis) -> list[object]:
    return [getattr(found, name) for name in FACTS]


def grown(game: Game, trees: int, jobs: int = 1, simulations: int = 400, jit: bool = True) -> Analysis:
    return mcts(game, game.start, None, simulations, seed=5, job=Job(jit=jit, jobs=jobs), trees=trees)


@pytest.mark.parametrize("game", [*OFTEN, *map(later, SELDOM)], ids=str)
def test_cores_do_not_change_the_answer(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.search.mcts.ALONE", 0)
    monkeypatch.setitem(_chunk(), True, 30)
    alone = facts(grown(game, 3))
    assert [facts(grown(game, 3, jobs)) for jobs in (2, 3, 8)] == [alone] * 3
    assert facts(grown(game, 3, jit=False)) == alone


def _chunk() -> dict[bool, int]:
    from damier.search.mcts import CHUNK

    return CHUNK


def test_one_tree_is_what_it_was_and_others_are_other_trees() -> None:
    game = load("tictactoe")
    one = mcts(game, game.start, None, 400, seed=5, job=Job(jit=True))
    assert facts(grown(game, 1, jobs=4)) == facts(one) != facts(grown(game, 2))


@pytest.mark.parametrize("trees", [2, 3, 7])
def test_the_simulations_are_shared_out_among_the_trees(trees: int) -> None:
    found = grown(load("tictactoe"), trees, simulations=100)
    assert sum(found.visits.values()) == 100 - trees  # the first of each looks at the root only
    assert set(found.visits) == set(found.game.legal(found.state))


def test_more_trees_than_simulations() -> None:
    assert facts(grown(load("tictactoe"), 9, simulations=3))[0] is not None


def test_what_one_tree_has_proven_is_proven() -> None:
    game = load("tictactoe")
    s = game.position().play(*"0136").state
    found = mcts(game, s, None, 3000, job=Job(jit=True, jobs=2), trees=3)
    assert found.exact
    assert found.best == solve(game).best_moves(s)


def test_the_nodes_are_shared_out_too() -> None:
    game = load("connect_four")
    found = mcts(game, game.start, Limit(nodes=3000), None, job=Job(jit=False, jobs=2), trees=3)
    assert found.stopped
    assert 3000 <= found.nodes < 3000 + 3 * 60 * game.most_moves()


def test_all_trees_together_keep_to_the_budget() -> None:
    game = load("tictactoe")
    with pytest.raises(LimitReached):
        mcts(game, game.start, None, 100_000, job=Job(1_000_000, jit=True, jobs=2), trees=2)


@pytest.mark.parametrize("trees", ["0", "257", "-1"])
def test_too_few_or_too_many_trees_are_refused(trees: str) -> None:
    with pytest.raises(BadInput, match="from 1 to 256"):
        agent(Lab(load("tictactoe"), Job()), f"mcts:trees={trees}")


def test_the_trees_are_part_of_the_name() -> None:
    lab = Lab(load("tictactoe"), Job())
    assert agent(lab, "mcts:trees=2").text.endswith("trees=2")
    assert "trees" not in agent(lab, "mcts").text
