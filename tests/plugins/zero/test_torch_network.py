"""The network of convolutions: the board that it sees, the same answers by ONNX Runtime, trainings that go on
to the same bytes, and what is missing told in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from commands import Captured, beginning
from lasting import long

from damier import load
from damier.core.errors import BadFile, BadInput, Unsuitable
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.lab.agents import agent
from damier.lab.games import Lab
from damier.plugins.zero.encoding import sizes_of
from damier.plugins.zero.files import open_folder, save
from damier.plugins.zero.network import Network, NetworkLearner
from damier.plugins.zero.torch_network import layout_of
from damier.plugins.zero.training import ZeroSettings, ZeroTraining, new_network

PLAIN = Job(jit=False)
SMALL = ZeroSettings(network="conv", games=8, simulations=4, hidden=4, layers=1, batch=32, window=1024)


@pytest.mark.parametrize(
    ("name", "rows", "columns", "placed"),
    [
        ("tictactoe", 3, 3, [9, 9]),
        ("connect_four:width=4,height=4", 4, 4, [16, 16]),  # bits above the columns are no cells
        ("go:size=3", 3, 3, [9, 9]),
        ("draughts", 8, 8, [32, 32, 32]),
        ("nine_mens_morris", 7, 7, [24, 24]),
        ("examples/three_mens_morris.py", 3, 3, [9, 9]),  # a file that says nothing of its state
    ],
)
def test_bits_are_laid_out_on_the_board(name: str, rows: int, columns: int, placed: list[int]) -> None:
    game = load(name)
    found = layout_of(game, sizes_of(game))
    assert (found.rows, found.columns, found.planes) == (rows, columns, len(placed))
    planes = np.array(found.numbers).reshape(found.planes, -1)
    assert (planes >= 0).sum(1).tolist() == placed
    known = planes[planes >= 0].tolist()
    assert len(set(known)) == len(known)


def test_cells_are_those_of_the_board() -> None:
    game = load("connect_four:width=4,height=4")
    planes = np.array(layout_of(game, sizes_of(game)).numbers).reshape(2, 4, 4)
    assert planes[0, 3].tolist() == [0, 5, 10, 15]  # the lowest row: the first bit of each column


def test_games_without_a_board_are_refused() -> None:
    game = load("pig")
    with pytest.raises(Unsuitable, match="network=mlp"):
        layout_of(game, sizes_of(game))


def test_what_is_missing_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = Lab(load("tictactoe"), PLAIN)
    with pytest.raises(BadInput, match="network=conv"):
        ZeroTraining(lab, replace(SMALL, network="mlp", device="cuda"), 0)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(BadInput, match="zero]"):
        ZeroTraining(lab, SMALL, 0)


def test_nothing_imports_torch_before_it_is_used() -> None:
    script = (
        "import sys, damier.plugins.zero.agent, damier.plugins.zero.torch_network;"
        "sys.exit(bool({'torch', 'onnx', 'onnxruntime'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def network(seed: int = 3) -> Network:
    pytest.importorskip("torch")
    game = load("connect_four:width=4,height=4")
    made = new_network(game, SMALL, sizes_of(game), seed)
    rng = np.random.default_rng(seed)  # blocks begin as the identity
    return made.with_flat(made.flat() + 0.1 * rng.standard_normal(made.parameters, np.float32))


def some(network: Network, rows: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(0).integers(0, 2, (rows, network.input_size)).astype(np.float32)


def test_onnx_runtime_answers_as_pytorch_does() -> None:
    ours = network()
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    from damier.plugins.zero.network import OnnxNetwork

    theirs = OnnxNetwork(ours.as_onnx(), "network.onnx")
    assert (theirs.input_size, theirs.slots) == (ours.input_size, ours.slots)
    inputs = some(ours, 300)
    for found, expected in zip(theirs.evaluate(inputs), ours.evaluate(inputs), strict=True):
        assert found.shape == expected.shape
        assert np.allclose(found, expected, atol=1e-5)


def test_gradients_are_those_of_the_losses() -> None:
    ours, rng = network(), np.random.default_rng(1)
    inputs, slots = some(ours, 6), np.array([[0, 1, -1], [2, 3, 4]] * 3, np.int16)
    policy = np.where(slots >= 0, 0.5, 0).astype(np.float32)
    outcomes = rng.uniform(-1, 1, 6).astype(np.float32)
    gradients, _losses = ours.gradients(inputs, slots, policy, outcomes)
    flat = np.concatenate([ours.array(gradient).reshape(-1) for gradient in gradients])

    def loss(weights: np.ndarray[tuple[int, ...], np.dtype[np.float32]]) -> float:
        found = ours.with_flat(weights).gradients(inputs, slots, policy, outcomes)[1]
        return found.policy + found.value

    for _time in range(4):
        way = rng.standard_normal(len(flat)).astype(np.float32)
        slope = (loss(ours.flat() + 2e-4 * way) - loss(ours.flat() - 2e-4 * way)) / 4e-4
        assert slope == pytest.approx(float(flat @ way), rel=0.05, abs=0.02)


def test_a_learner_learns_and_goes_on() -> None:
    learner = NetworkLearner(network())
    inputs, slots = some(learner.network, 16), np.tile(np.array([0, 1, 2], np.int16), (16, 1))
    policy = np.tile(np.array([0, 1, 0], np.float32), (16, 1))
    batch = (inputs, slots, policy, np.full(16, 0.5, np.float32), 0.01)
    first = learner.learn(*batch)
    for _step in range(40):
        last = learner.learn(*batch)
    assert last.policy < first.policy / 4
    assert last.value < 0.02
    arrays = {name: array.copy() for name, array in learner.arrays().items()}
    again = NetworkLearner(network(4))
    again.restore(arrays, learner.steps)
    learner.learn(*batch)
    again.learn(*batch)
    assert all(np.array_equal(array, again.arrays()[name]) for name, array in learner.arrays().items())
    with pytest.raises(KeyError):
        again.restore({}, 0)


def trained(generations: int, jobs: int = 1, settings: ZeroSettings = SMALL) -> ZeroTraining:
    training = ZeroTraining(Lab(load("tictactoe"), replace(PLAIN, jobs=jobs)), settings, 5)
    training.run(lambda: training.learnt.generations < generations, lambda _found: None)
    return training


def saved(training: ZeroTraining, path: Path) -> Path:
    save(path, training.lab.game, training.network(), training.arrays(), training.facts([]))
    return path


def test_a_folder_holds_onnx_and_plays_without_torch(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    training = trained(0)
    path = saved(training, tmp_path / "z")
    assert sorted(file.suffix for file in path.iterdir()) == [".arrays", ".json", ".onnx"]
    script = (
        "import sys; sys.modules['torch'] = None;"
        "from damier import load; from damier.core.job import Job; from damier.lab.agents import agent;"
        "from damier.lab.games import Lab; game = load('tictactoe');"
        f"player = agent(Lab(game, Job(jit=False)), 'zero:file={path},simulations=4');"
        "print(player.choose(game, game.start, [0]))"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    player = agent(training.lab, f"zero:file={path},simulations=4")
    assert int(done.stdout) == player.choose(training.lab.game, training.lab.game.start, [0])
    found = open_folder(path).learner()
    moved = dict(found[0]) | {"places": found[0]["places"][::-1]}
    with pytest.raises(BadFile):
        training.restore(path, moved, found[1])


@long
def test_what_is_learnt_depends_on_the_seed_alone(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    straight = trained(3).arrays()
    further = ZeroTraining(Lab(load("tictactoe"), PLAIN), SMALL, 5)
    further.restore(tmp_path / "z", *open_folder(saved(trained(1), tmp_path / "z")).learner())
    further.run(lambda: further.learnt.generations < 3, lambda _found: None)
    for other in (further.arrays(), trained(3, jobs=2).arrays()):
        assert straight.keys() == other.keys()
        assert all(np.array_equal(array, other[name]) for name, array in straight.items())


train, _trained = beginning("train")


@long
def test_the_command_trains_and_goes_on(capsys: Captured, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnxruntime")
    options = "zero:network=conv,games=64,simulations=8,batch=256"
    facts: list[JsonObject] = []
    for name, steps in (("straight", ["256"]), ("again", ["128", "256"])):
        for games in steps:
            out = tmp_path / name
            usual = ("tictactoe", options, "--out", str(out), "--jobs", "1", "--resume", "--json")
            code, text, _err = train(capsys, *usual, "--games", games, "--grade-every", "never")
            assert code == 0
            facts.append(json.loads(text))
    files = [
        {file.name: file.read_bytes() for file in (tmp_path / n).iterdir()} for n in ("straight", "again")
    ]
    assert files[0] == files[1]
    assert facts[0]["network"] == facts[2]["network"]
