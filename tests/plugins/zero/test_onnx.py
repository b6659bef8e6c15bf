"""Networks as ONNX: the same answers as those of NumPy, folders that hold them, files that are hostile."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import Captured, beginning

from damier import load
from damier.core.errors import BadFile
from damier.core.job import Job
from damier.core.json_types import JsonObject
from damier.lab.agents import agent
from damier.lab.games import Lab
from damier.plugins.zero import encoding
from damier.plugins.zero.encoding import sizes_of
from damier.plugins.zero.files import CHECKSUM, FACTS, save
from damier.plugins.zero.network import MOST_NUMBERS, OnnxNetwork, Perceptron, checksum_of

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

Change = Callable[[Any], None]
SEEN, SLOTS = 20, 9


def network(seed: int = 1) -> Perceptron:
    game = load("tictactoe")
    return Perceptron.new(encoding.input_count(game), 16, 2, sizes_of(game).slots, seed)


@pytest.fixture(scope="module")
def content() -> bytes:
    return network().as_onnx()


def test_onnx_runtime_answers_as_numpy_does(content: bytes) -> None:
    ours, theirs = network(), OnnxNetwork(content, "network.onnx")
    assert (theirs.input_size, theirs.slots, theirs.parameters) == (
        ours.input_size,
        ours.slots,
        ours.parameters,
    )
    inputs = np.random.default_rng(0).integers(0, 2, (300, ours.input_size)).astype(np.float32)
    logits, values = ours.evaluate(inputs)
    found, worth = theirs.evaluate(inputs)
    assert np.allclose(found, logits[:, :-1], atol=1e-5)
    assert np.allclose(worth, values, atol=1e-5)
    theirs.rows_at_a_time = 7  # in pieces
    pieces = theirs.evaluate(inputs)
    assert np.allclose(pieces[0], found, atol=1e-6)
    assert pieces[1].shape == (300,)
    assert content == network().as_onnx()


def drop_weights(model: Any) -> None:
    model.graph.initializer[0].external_data.add(key="location", value="../secret")
    model.graph.initializer[0].data_location = onnx.TensorProto.EXTERNAL


def own_domain(model: Any) -> None:
    model.graph.node[0].domain = "com.example"


def own_opset(model: Any) -> None:
    model.opset_import.add(domain="com.example", version=1)


def other_operator(model: Any) -> None:
    model.graph.node[1].op_type = "Softmax"


def own_function(model: Any) -> None:
    model.functions.add(name="Relu", domain="")


def hidden_graph(model: Any) -> None:
    model.graph.node[1].attribute.add(name="body", type=onnx.AttributeProto.GRAPH)


def two_inputs(model: Any) -> None:
    model.graph.input.add().CopyFrom(model.graph.input[0])


def infinite(model: Any) -> None:
    held = model.graph.initializer[1]
    held.raw_data = np.full(list(held.dims), np.inf, np.float32).tobytes()


def too_few_weights(model: Any) -> None:
    model.graph.initializer[1].raw_data = b"1234"


def other_name(model: Any) -> None:
    model.graph.node[0].input[1] = "nothing"


def squared_rows(model: Any) -> None:
    """[rows] and [rows, 1] make [rows, rows]."""
    nodes, graph = list(model.graph.node), model.graph
    del graph.node[:]
    tanh = next(node for node in nodes if node.op_type == "Tanh")
    flat = onnx.helper.make_node("Reshape", [tanh.output[0], nodes[-1].input[1]], ["flat"])
    square = onnx.helper.make_node("Add", ["flat", tanh.output[0]], ["square"])
    nodes[-1].input[0] = "square"
    graph.node.extend([*nodes[:-1], flat, square, nodes[-1]])


def too_large(model: Any) -> None:
    """A layer of a few weights, and many numbers of each position."""
    graph = model.graph
    wide = np.zeros((1, MOST_NUMBERS + 1), np.float32)
    graph.initializer.append(onnx.numpy_helper.from_array(wide, "wide"))
    tanh = next(node for node in graph.node if node.op_type == "Tanh")
    nodes = list(graph.node)
    del graph.node[:]
    graph.node.extend([*nodes, onnx.helper.make_node("Gemm", [tanh.output[0], "wide"], ["unused"])])


CHANGES: list[Change] = [
    drop_weights,
    own_domain,
    own_opset,
    other_operator,
    own_function,
    hidden_graph,
    two_inputs,
    infinite,
    too_few_weights,
    other_name,
    squared_rows,
    too_large,
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_graphs_that_damier_does_not_write_are_refused(content: bytes, change: Change) -> None:
    model = onnx.load_model_from_string(content)
    change(model)
    with pytest.raises(BadFile, match=r"network\.onnx"):
        OnnxNetwork(model.SerializeToString(), "network.onnx")


@pytest.mark.parametrize("damaged", [b"", b"\x00\xff" * 40, b"not onnx"])
def test_what_is_no_model_is_refused(damaged: bytes) -> None:
    with pytest.raises(BadFile):
        OnnxNetwork(damaged, "network.onnx")


@pytest.fixture
def folder(tmp_path: Path, content: bytes) -> Path:
    """A folder that holds ONNX instead of arrays."""
    path = tmp_path / "z"
    facts: JsonObject = {"generations": 1, "games": 8, "steps": 0, "curve": [], "seed": 1}
    about: JsonObject = {"settings": {}, "sizes": sizes_of(load("tictactoe")).as_json()}
    save(path, load("tictactoe"), network(), {}, {**facts, **about})
    with_onnx(path, content)
    return path


def with_onnx(path: Path, content: bytes, **changes: object) -> None:
    (path / "network-1.onnx").write_bytes(content)
    data = json.loads((path / FACTS).read_text())
    data |= {"network": "network-1.onnx", CHECKSUM: checksum_of(content), **changes}
    data.pop("sha256", None)
    (path / FACTS).write_text(json.dumps(data))


def test_agents_play_by_onnx_runtime(folder: Path, content: bytes) -> None:
    lab = Lab(load("tictactoe"), Job(jit=False))
    s = lab.game.start
    player = agent(lab, f"zero:file={folder},simulations=8")
    move = player.choose(lab.game, s, [0])
    with_onnx(folder, content, network="network-1.arrays")
    assert agent(lab, f"zero:file={folder},simulations=8").choose(lab.game, s, [0]) == move


def test_folders_with_another_file_are_refused(folder: Path, content: bytes) -> None:
    lab = Lab(load("tictactoe"), Job(jit=False))
    (folder / "network-1.onnx").write_bytes(content[:-1] + b"x")
    with pytest.raises(BadFile, match="checksum"):
        agent(lab, f"zero:file={folder}")
    with_onnx(folder, Perceptron.new(5, 4, 1, 9, 0).as_onnx())
    with pytest.raises(BadFile, match="sees 5"):
        agent(lab, f"zero:file={folder}")
    (folder / "network-1.onnx").unlink()
    with pytest.raises(BadFile):
        agent(lab, f"zero:file={folder}")


show, _shown = beginning("show")


def test_the_command_writes_networks(capsys: Captured, folder: Path, content: bytes, tmp_path: Path) -> None:
    out = tmp_path / "network.onnx"
    code, text, _err = show(capsys, str(folder), "-o", str(out))
    assert code == 0
    assert "network.onnx" in text
    assert out.read_bytes() == content
    out.unlink()
    with_onnx(folder, content, network="network-1.arrays")
    assert show(capsys, str(folder), "-o", str(out), "--json")[0] == 0
    assert out.read_bytes() == content
    code, _text, err = show(capsys, str(folder), "-o", str(tmp_path / "network.txt"))
    assert code == 2
    assert err.count("\n") == 1


def test_playing_imports_no_torch(folder: Path) -> None:
    script = (
        "import sys; from damier import load; from damier.lab.agents import agent;"
        "from damier.lab.games import Lab; from damier.core.job import Job;"
        f"agent(Lab(load('tictactoe'), Job(jit=False)), 'zero:file={folder}');"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
