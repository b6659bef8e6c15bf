"""Networks of others: graded exactly, shown where they go wrong, written as agents that play."""

from __future__ import annotations

import importlib.util
import time
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from lasting import later, long

from damier import BadInput, load
from damier.arena.match import match
from damier.core.grade import Grade
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.interop.policies import ExactGrader, ScoredPolicy, graded, linear_layers, write_agent
from damier.lab.agents import agent, policy
from damier.lab.games import Lab
from damier.lab.grading import graded as graded_agent, mistakes
from damier.solve.grade import grade

EXAMPLES = Path(__file__).parents[2] / "examples" / "networks"


def first_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.broadcast_to(-np.arange(masks.shape[1]), masks.shape)


def last_legal(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return -first_legal(observations, masks)


def test_a_scorer_is_graded_as_the_player_that_it_is() -> None:
    game = load("hexapawn:blocked=loss")

    class First:
        text, compiles, learns = "first", False, False

        def probabilities(self, game: Any, s: Any) -> dict[int, float]:
            return {game.legal(s)[0]: 1.0}

        def kernel(self, *, jit: bool) -> None:
            return None

        def choose(self, game: Any, s: Any, rng: Any) -> int:
            return int(game.legal(s)[0])

    against: Any = agent(Lab(game), "random")
    assert graded(first_legal, game) == grade(game, First(), against)


@pytest.mark.parametrize(("game", "positions"), [("hexapawn", 70), later(("tictactoe", 4520))])
def test_a_scorer_is_asked_in_all_positions_at_once(game: str, positions: int) -> None:
    asked: list[int] = []

    def scorer(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        asked.append(len(observations))
        assert observations.dtype == np.float32
        assert (masks.sum(axis=1) > 0).all()
        return first_legal(observations, masks)

    grader = ExactGrader(game, "perfect")
    policy = grader.policy(scorer)
    begun = time.process_time()
    for _time in range(3):
        found = grader.grade(policy)
    assert asked == [positions] * 3  # every position that is not over
    assert time.process_time() - begun < 10
    assert not grader.is_unbeatable(found)
    assert found.best_response[0].payoff == 1.0
    first, *_more = grader.mistakes(policy, 2)
    assert first.played not in first.right
    curve, wrong = grader.told([(1.5, 512, found)], policy).split("\n")[:2]
    assert "against perfect; who knows it gets +1" in curve
    assert wrong == f"goes wrong after {' '.join(first.moves)}: {first.played}, not {first.right[0]}"


def test_what_no_scorer_may_answer_is_named() -> None:
    for wrong in (
        lambda observations, masks: np.zeros(9),
        lambda observations, masks: np.full(masks.shape, np.nan),
    ):
        with pytest.raises(BadInput, match="a number for each action"):
            graded(wrong, "hexapawn")


def test_a_move_of_no_likelihood_is_played_where_there_is_no_other() -> None:
    def impossible(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.full(masks.shape, -np.inf)  # the logarithms of a table that knows nothing

    grader = ExactGrader("hexapawn")
    assert grader.grade(impossible) == grader.grade(lambda observations, masks: np.zeros(masks.shape))
    assert grader.mistakes(impossible) == grader.mistakes(first_legal)
    first = grader.policy(impossible).probabilities(grader.game, grader.game.start)
    assert sum(first.values()) == 1.0


def test_what_a_scorer_does_to_its_arrays_is_its_own() -> None:
    grader = ExactGrader("hexapawn")

    def scorer(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        observations -= 0.5
        scores = observations.reshape(len(observations), -1) @ np.sin(np.arange(18 * 14).reshape(18, 14))
        masks[:] = True
        return scores

    policy = grader.policy(scorer)
    grade = grader.grade(policy)
    assert [grader.grade(policy) for _time in range(2)] == [grade, grade]


def test_of_dice_a_perfect_player_is_unbeatable_and_what_is_told_is_no_whole_number() -> None:
    game = load("pig:target=10")
    grader = ExactGrader(game)
    perfect, random = (policy(Lab(game), name) for name in ("perfect", "random"))
    assert grader.is_unbeatable(grade(game, perfect, random))
    assert grader.is_unbeatable(grader.grade(first_legal))  # who goes on throwing
    beaten = grader.grade(last_legal)
    assert not grader.is_unbeatable(beaten)
    told = grader.told([(1.0, 1, beaten)], last_legal).splitlines()[0]
    assert told.endswith("; who knows it gets " + " ".join(f"{s.payoff:+.3f}" for s in beaten.best_response))


def test_a_network_becomes_an_agent_that_plays_alike(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    sizes = (18, 8, 14)
    layers = [(rng.normal(size=pair), rng.normal(size=pair[1])) for pair in pairwise(sizes)]
    layers = [(matrix.astype(np.float32), biases.astype(np.float32)) for matrix, biases in layers]

    def scorer(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        hidden = np.maximum(observations.reshape(len(observations), -1) @ layers[0][0] + layers[0][1], 0)
        return hidden @ layers[1][0] + layers[1][1]

    path = tmp_path / "network.py"
    write_agent(path, layers, 'A "network" of hexapawn')
    lab = Lab(load("hexapawn"))
    player = agent(lab, str(path))
    found = graded_agent(lab, player, agent(lab, "random"), None, 0)
    assert found == graded(scorer, lab.game)
    played = match(MatchSetup(lab.game, (player, agent(lab, "random")), 1, swap=1), 20, Job())
    assert played.games == 20


@pytest.mark.parametrize(
    ("shapes", "said"),
    [
        ([], "a network has at least one layer"),
        ([((8, 18), (8,))], r"layer 1: .* here they are \(8, 18\) and \(8,\)"),  # as PyTorch holds it
        ([((18, 8), (8,)), ((14, 8), (14,))], r"layer 2: .* here they are \(14, 8\) and \(14,\)"),
        ([((18,), ())], "layer 1"),
    ],
)
def test_layers_that_are_no_network_are_refused_before_they_are_written(
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]], said: str, tmp_path: Path
) -> None:
    layers = [(np.zeros(matrix), np.zeros(biases)) for matrix, biases in shapes]
    with pytest.raises(BadInput, match=said):
        write_agent(tmp_path / "network.py", layers, "none")
    assert not list(tmp_path.iterdir())


def test_a_single_position_is_answered_as_all_are() -> None:
    game = load("connect_four:width=3,height=3,in_a_row=3")
    policy = ScoredPolicy(game, first_legal)
    assert policy.probabilities(game, game.start) == {game.legal(game.start)[0]: 1.0}
    assert policy.choose(game, game.start, [0]) == game.legal(game.start)[0]


def example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def comes_back(path: Path, game: str, layers: Any, grader: ExactGrader, policy: Any) -> None:
    """The agent of a network that cannot be beaten is not beaten, and goes wrong where the network does."""
    write_agent(path, layers, "A network that learnt")
    lab = Lab(load(game))
    player = agent(lab, str(path))
    wrong, other = (
        [(m.moves, m.played) for m in found]
        for found in (mistakes(lab, player, 3), grader.mistakes(policy, 3))
    )
    assert wrong == other
    found = graded_agent(lab, player, agent(lab, "perfect"), None, 0)
    assert isinstance(found, Grade)
    assert grader.is_unbeatable(found)


@long
@pytest.mark.parametrize(("game", "seconds"), [("hexapawn", 30), ("tictactoe", 120)])
def test_deep_q_learning_reaches_the_ceiling(game: str, seconds: float, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    dqn = example("dqn")
    net, curve, grader, policy = dqn.learn(game, seconds)
    spent, _moves, last = curve[-1]
    assert grader.is_unbeatable(last)
    assert spent <= seconds + 5
    begun = time.process_time()
    for _time in range(10):
        grader.grade(policy)
    assert (time.process_time() - begun) / 10 <= 0.1
    comes_back(tmp_path / "dqn.py", game, linear_layers(net), grader, policy)


@long
def test_maskable_ppo_reaches_the_ceiling_of_hexapawn(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    ppo = example("maskable_ppo")
    model, curve, grader, policy = ppo.learn("hexapawn", "random", 200_000)
    spent, _moves, last = curve[-1]
    assert grader.is_unbeatable(last)
    assert spent <= 30
    comes_back(tmp_path / "ppo.py", "hexapawn", linear_layers(ppo.modules(model)), grader, policy)
