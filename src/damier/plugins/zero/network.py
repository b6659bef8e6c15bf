"""Networks, and how they learn; the residual multilayer perceptron in NumPy; networks as ONNX.

    h = relu(x W0 + b0)    h <- h + relu(h Wk + bk)    logits = h Wp + bp    value = tanh(h Wv + bv)

A network learns by Adam (D. Kingma and J. Ba, 2015 [KingmaBa15]) to answer with the policy of the search
(cross-entropy over the legal moves) and the value of the game (squared error). What plays is a running mean
of its weights, which needs no plan of falling steps that would have to know when a training ends.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from damier.core.arrays import IntArray
from damier.core.errors import BadFile, LimitReached
from damier.core.files import read_bytes
from damier.core.runtime import needing
from damier.core.words import N_, message

if TYPE_CHECKING:
    from onnx import ModelProto

Array: TypeAlias = "NDArray[np.float32]"
Tensor: TypeAlias = Any
"""Numbers where a network computes with them: an array of NumPy, or a tensor of PyTorch on some device."""

BETA_MEAN, BETA_SQUARE, EPSILON = np.float32(0.9), np.float32(0.999), float(np.float32(1e-8))
FROM_MEAN, FROM_SQUARE = float(1 - BETA_MEAN), float(1 - BETA_SQUARE)
"""How much of a gradient joins its running means."""
DECAY = np.float32(1e-4)
"""How much weights are drawn to 0, beside the gradient (decoupled)."""
KEPT = 0.995
"""How much of the running mean of the weights one step keeps, once there have been some."""
NONE = np.float32(-1e9)
"""The logit of a move that is not legal."""


@dataclass(frozen=True)
class Losses:
    """Means over some positions: cross-entropy of the policy, squared error of the value."""

    policy: float
    value: float


def always() -> bool:
    """Return True."""
    return True


class Network(ABC):
    """A network: what it says of positions, and what its weights should be.

    Attributes:
        weights: all that it learns
    """

    weights: list[Tensor]

    @property
    @abstractmethod
    def input_size(self) -> int:
        """Return how many numbers it sees."""

    @property
    @abstractmethod
    def slots(self) -> int:
        """Return for how many moves it answers."""

    @property
    @abstractmethod
    def layers(self) -> list[int]:
        """Return how many numbers, or planes, each layer of weights sees."""

    @property
    def places(self) -> IntArray:
        """Return which numbers lie where on the board that it sees; nothing where it sees none."""
        return np.zeros(0, np.int64)

    @abstractmethod
    def with_weights(self, weights: Sequence[Tensor]) -> Network:
        """A network of the same shapes with other weights."""

    @abstractmethod
    def evaluate(self, inputs: Array) -> tuple[Array, Array]:
        """Return logits [rows, slots or more] and values [rows], from the side of the mover."""

    @abstractmethod
    def gradients(
        self,
        inputs: Array,
        slots: NDArray[np.int16],
        policy: Array,
        outcomes: Array,
        goes_on: Callable[[], bool] = always,
    ) -> tuple[list[Tensor], Losses]:
        """Return the gradient of every weight, and the losses.

        Args:
            inputs: [rows, inputs] positions
            slots: [rows, moves] the slot of every legal move, -1 where there is none
            policy: [rows, moves] what the answers for these moves shall be
            outcomes: [rows] what the values shall be
            goes_on: asked between parts of the work; where it says no, nobody needs the answer
        """

    @abstractmethod
    def as_onnx(self) -> bytes:
        """Return the content of an ONNX file. Raises BadInput where ONNX is not installed, LimitReached."""

    def array(self, weight: Tensor) -> Array:
        """Return a tensor of its own as an array."""
        return np.asarray(weight, np.float32)

    def tensor(self, array: Array) -> Tensor:
        """Return an array where this network computes."""
        return array

    @property
    def parameters(self) -> int:
        """Return how many weights it has."""
        return sum(self.array(weight).size for weight in self.weights)

    def flat(self) -> Array:
        """All weights one after the other."""
        return np.concatenate([self.array(weight).reshape(-1) for weight in self.weights])

    def with_flat(self, weights: Array) -> Network:
        """A network of the same shapes with such weights. Raises ValueError for too few or too many."""
        shapes = [tuple(weight.shape) for weight in self.weights]
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes])
        if len(weights) != ends[-1]:
            raise ValueError
        parts = np.split(weights, ends[:-1])
        return self.with_weights(
            [self.tensor(part.reshape(shape)) for part, shape in zip(parts, shapes, strict=True)]
        )


class Perceptron(Network):
    """A residual multilayer perceptron; `weights` are matrices and biases in turn, the last pair that of all
    answers: a number for every slot of moves, and the value.
    """

    def __init__(self, weights: Sequence[Array]) -> None:
        self.weights = list(weights)

    @classmethod
    def new(cls, inputs: int, hidden: int, layers: int, slots: int, seed: int) -> Perceptron:
        """A network that knows nothing, drawn from a seed (K. He et al., 2015)."""
        rng = np.random.default_rng([seed, 0])
        weights: list[Array] = []
        for above, below in [(inputs, hidden), *[(hidden, hidden)] * layers, (hidden, slots + 1)]:
            size = np.float32(np.sqrt(2 / above))
            weights += [rng.standard_normal((above, below), np.float32) * size, np.zeros(below, np.float32)]
        weights[-2] *= np.float32(0.1)
        return cls(weights)

    @property
    def input_size(self) -> int:
        return len(self.weights[0])

    @property
    def layers(self) -> list[int]:
        return [len(weights) for weights in self.weights[::2]]

    @property
    def slots(self) -> int:
        return len(self.weights[-1]) - 1

    def with_weights(self, weights: Sequence[Array]) -> Perceptron:
        return Perceptron(weights)

    def as_onnx(self) -> bytes:
        graph, weights = OnnxGraph(), self.weights
        h = graph.node("Relu", [graph.layer("inputs", weights[0], weights[1])])
        for layer in range(2, len(weights) - 2, 2):
            step = graph.node("Relu", [graph.layer(h, weights[layer], weights[layer + 1])])
            h = graph.node("Add", [h, step])
        matrix, bias = weights[-2], weights[-1]
        graph.heads((h, matrix[:, :-1], bias[:-1]), (h, matrix[:, -1:], bias[-1:]))
        return graph.content(self.input_size, self.slots)

    def evaluate(self, inputs: Array) -> tuple[Array, Array]:
        answers = self._hidden(inputs)[-1] @ self.weights[-2]
        answers += self.weights[-1]
        return answers, np.tanh(answers[:, -1])

    def _hidden(self, inputs: Array) -> list[Array]:
        """The activations, layer by layer."""
        h = inputs @ self.weights[0]
        h += self.weights[1]
        np.maximum(h, 0, out=h)
        found = [inputs, h]
        for layer in range(2, len(self.weights) - 2, 2):
            step = h @ self.weights[layer]
            step += self.weights[layer + 1]
            np.maximum(step, 0, out=step)
            h = h + step
            found.append(h)
        return found

    def gradients(
        self,
        inputs: Array,
        slots: NDArray[np.int16],
        policy: Array,
        outcomes: Array,
        goes_on: Callable[[], bool] = always,
    ) -> tuple[list[Array], Losses]:
        hidden = self._hidden(inputs)
        answers = hidden[-1] @ self.weights[-2]
        answers += self.weights[-1]
        values = np.tanh(answers[:, -1])
        rows, legal = np.arange(len(inputs))[:, None], slots >= 0
        logits = np.where(legal, answers[rows, slots], NONE)
        likely = np.exp(logits - logits.max(1, keepdims=True))
        likely /= likely.sum(1, keepdims=True)
        error = values - outcomes
        losses = Losses(
            float(-(policy * np.log(likely + np.float32(1e-9))).sum(1).mean()), float((error * error).mean())
        )
        count = np.float32(len(inputs))
        back = np.zeros_like(answers)
        off = likely * policy.sum(1, keepdims=True) - policy  # nothing is taught where all shares are 0
        np.add.at(back, (np.broadcast_to(rows, slots.shape)[legal], slots[legal]), off[legal])
        back[:, -1] = 2 * error * (1 - values * values)
        back /= count
        gradients = [back.sum(0), hidden[-1].T @ back]
        back = back @ self.weights[-2].T
        for layer in range(len(self.weights) - 4, 0, -2):
            above = hidden[layer // 2]
            through = back * (hidden[layer // 2 + 1] > above)
            gradients += [through.sum(0), above.T @ through]
            back = back + through @ self.weights[layer].T
        through = back * (hidden[1] > 0)
        gradients += [through.sum(0), inputs.T @ through]
        return gradients[::-1], losses


class NetworkLearner:
    """A network that learns: its weights, their moments, and their running mean, which plays."""

    def __init__(self, network: Network) -> None:
        self.network, self.steps = network, 0
        self.first = [0 * weight for weight in network.weights]
        self.second = [0 * weight for weight in network.weights]
        self.mean = deepcopy(network.weights)

    def copy(self) -> NetworkLearner:
        """One that goes on by itself."""
        made = NetworkLearner(self.network.with_weights(deepcopy(self.network.weights)))
        made.steps = self.steps
        made.first, made.second, made.mean = deepcopy((self.first, self.second, self.mean))
        return made

    def playing(self) -> Network:
        """The network that plays now."""
        return self.network.with_weights(deepcopy(self.mean))

    def learn(
        self,
        inputs: Array,
        slots: NDArray[np.int16],
        policy: Array,
        outcomes: Array,
        rate: float,
        goes_on: Callable[[], bool] = always,
    ) -> Losses:
        """One step of Adam on some positions (`Network.gradients`)."""
        gradients, losses = self.network.gradients(inputs, slots, policy, outcomes, goes_on)
        self.steps += 1
        size = float(np.float32(rate) / (1 - BETA_MEAN**self.steps))
        square = float(1 - BETA_SQUARE**self.steps)
        decay = float(np.float32(rate) * DECAY)
        joining = float(1 - np.float32(min(KEPT, self.steps / (self.steps + 10))))
        columns = zip(self.network.weights, gradients, self.first, self.second, self.mean, strict=True)
        for weight, gradient, first, second, mean in columns:
            first += FROM_MEAN * (gradient - first)
            second += FROM_SQUARE * (gradient * gradient - second)
            weight -= size * first / ((second / square) ** 0.5 + EPSILON) + decay * weight
            mean += joining * (weight - mean)
        return losses

    def arrays(self) -> dict[str, Array]:
        """All that is needed to go on."""
        return {
            f"{kind}{number}": self.network.array(tensor)
            for kind, held in self._held().items()
            for number, tensor in enumerate(held)
        }

    def restore(self, arrays: Mapping[str, NDArray[np.generic]], steps: int) -> None:
        """Go on from `arrays`. Raises ValueError for others, KeyError for what is missing."""
        self.steps = steps
        for kind, held in self._held().items():
            held[:] = from_arrays(self.network, arrays, kind).weights

    def _held(self) -> dict[str, list[Tensor]]:
        """The tensors that change, by what they are."""
        return {"weight": self.network.weights, "first": self.first, "second": self.second, "mean": self.mean}


def from_arrays(network: Network, arrays: Mapping[str, NDArray[np.generic]], kind: str) -> Network:
    """A network of the same shapes, its weights in arrays of one dimension that are called so and numbered.
    Raises ValueError for others, KeyError for what is missing.
    """
    count = range(len(network.weights))
    return network.with_flat(
        np.concatenate([np.array(arrays[f"{kind}{number}"], np.float32).reshape(-1) for number in count])
    )


# Networks as ONNX: written from damier's own, and played by ONNX Runtime, without what trained them.
#
#     inputs [rows, n] -> logits [rows, slots], value [rows]        float32, opset 17
#
# A file may come from anywhere. Before a session is made of it, its graph must be one of few standard
# operators, without data in other files, and no tensor of it may be large; it runs on one thread.

OPSET, IR_VERSION = 17, 8
LARGEST_ONNX = 1 << 28
"""Bytes of such a file, at most."""
MOST_NODES = 1024
MOST_NUMBERS = 1 << 18
"""Numbers of a tensor of one position, at most."""
AT_A_TIME = 1 << 24
"""Numbers of the largest tensor of the positions that are evaluated at a time, at most."""
OPERATORS: dict[str, set[str]] = {
    "Add": set(),
    "Conv": {"kernel_shape", "pads", "strides", "dilations", "group"},
    "Flatten": {"axis"},
    "Gather": {"axis"},
    "Gemm": {"alpha", "beta", "transA", "transB"},
    "Mul": set(),
    "Relu": set(),
    "Reshape": set(),
    "Tanh": set(),
}
"""The operators that a graph may have, and their attributes."""
BY_WEIGHTS = {"Conv", "Gather", "Gemm", "Reshape"}
"""Operators of which all inputs but the first are weights."""


def require_onnx() -> None:
    """Raises BadInput where ONNX or ONNX Runtime is not installed."""
    with needing("zero", N_("a network as ONNX needs more packages: {command}")):
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401


class OnnxGraph:
    """A graph under construction, from its input on."""

    def __init__(self) -> None:
        require_onnx()
        self._nodes: list[Any] = []
        self._weights: list[Any] = []

    def weight(self, array: NDArray[np.generic]) -> str:
        """The name of new weights."""
        from onnx import numpy_helper

        name = f"weight{len(self._weights)}"
        self._weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str = "", **attributes: object) -> str:
        """The name of what an operator makes."""
        from onnx import helper

        name = output or f"{operator.lower()}{len(self._nodes)}"
        self._nodes.append(helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def layer(self, below: str, matrix: Array, bias: Array, output: str = "") -> str:
        """The name of what a layer of weights makes of the one below."""
        return self.node("Gemm", [below, self.weight(matrix), self.weight(bias)], output)

    def heads(
        self,
        policy: tuple[str, Array, Array],
        value: tuple[str, Array, Array],
    ) -> None:
        """End in the answers for moves, and the value: a layer and its weights each."""
        self.layer(*policy, output="logits")
        bounded = self.node("Tanh", [self.layer(*value)])
        self.node("Reshape", [bounded, self.weight(np.array([-1], np.int64))], "value")

    def content(self, input_size: int, slots: int) -> bytes:
        """The model of a network that sees so many numbers, as the content of a file. Raises LimitReached."""
        from onnx import TensorProto, helper

        def tensor(name: str, *shape: str | int) -> Any:
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

        outputs = [tensor("logits", "rows", slots), tensor("value", "rows")]
        graph = helper.make_graph(
            self._nodes, "zero", [tensor("inputs", "rows", input_size)], outputs, self._weights
        )
        model = helper.make_model(
            graph,
            producer_name="damier",
            ir_version=IR_VERSION,
            opset_imports=[helper.make_opsetid("", OPSET)],
        )
        if model.ByteSize() > LARGEST_ONNX:
            raise LimitReached(message("the network is too large to be written as ONNX"))
        return bytes(model.SerializeToString(deterministic=True))


class OnnxNetwork:
    """A network that ONNX Runtime evaluates.

    Attributes:
        input_size: how many numbers it sees; slots: how many moves it answers for
        parameters: how many weights it has
        layers: how many numbers, or planes, each layer of weights sees
    """

    def __init__(self, content: bytes, where: object) -> None:
        """Raises BadFile for what is no such network, BadInput where ONNX Runtime is not installed."""
        require_onnx()
        from onnx import TensorProto

        self._content = content
        model = checked_model(content, where)
        self.input_size = int(model.graph.input[0].type.tensor_type.shape.dim[1].dim_value)
        self.slots, largest = checked_shapes(model, where)
        weights = {held.name: list(held.dims) for held in model.graph.initializer}
        floats = [held for held in model.graph.initializer if held.data_type == TensorProto.FLOAT]
        self.parameters = sum(int(np.prod(weights[held.name])) for held in floats)
        self.layers = [
            int(weights[node.input[1]][0 if node.op_type == "Gemm" else 1])
            for node in model.graph.node
            if node.op_type in ("Conv", "Gemm")
        ]
        self.rows_at_a_time = max(1, AT_A_TIME // largest)
        self._session = session_of(content, where)
        try:
            self._answers(np.zeros((2, self.input_size), np.float32))
        except Exception as error:  # its errors have no class in common
            raise wrong(where, "graph") from error

    def evaluate(self, inputs: Array) -> tuple[Array, Array]:
        """Return logits [rows, slots] and values [rows], from the side of the mover."""
        found = [
            self._answers(inputs[begin : begin + self.rows_at_a_time])
            for begin in range(0, len(inputs), self.rows_at_a_time)
        ]
        if len(found) == 1:
            return found[0]
        logits, values = zip(*found, strict=True)
        return np.concatenate(logits), np.concatenate(values)

    def as_onnx(self) -> bytes:
        """Return the content of its file."""
        return self._content

    def _answers(self, inputs: Array) -> tuple[Array, Array]:
        logits, values = self._session.run(["logits", "value"], {"inputs": inputs})
        return logits, values


Evaluator: TypeAlias = Network | OnnxNetwork
"""A network that judges positions."""


def session_of(content: bytes, where: object) -> Any:
    """A session of one thread. Raises BadFile."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    options.log_severity_level = 4
    try:
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its errors have no class in common
        raise wrong(where, "graph") from error


def wrong(where: object, what: str) -> BadFile:
    """The error of a file that holds no network that may be played."""
    return BadFile(message("{path} is no ONNX network that damier plays ({what})", path=where, what=what))


def checked_model(content: bytes, where: object) -> ModelProto:
    """The model of a file that has nothing but weights and known operators. Raises BadFile."""
    import onnx
    from google.protobuf.message import DecodeError

    try:
        model = onnx.load_model_from_string(content)
    except DecodeError as error:
        raise wrong(where, "ModelProto") from error
    graph = model.graph
    imported = [(held.domain, held.version) for held in model.opset_import]
    if len(imported) != 1 or imported[0][0] != "" or not 13 <= imported[0][1] <= OPSET:
        raise wrong(where, "opset_import")
    beside = [model.functions, model.training_info, graph.sparse_initializer, graph.quantization_annotation]
    if any(map(len, beside)) or not 0 < len(graph.node) <= MOST_NODES:
        raise wrong(where, "graph")
    weights = {held.name: held for held in graph.initializer}
    for held in weights.values():
        if held.data_location != onnx.TensorProto.DEFAULT or held.external_data or not is_weight(held):
            raise wrong(where, f"initializer {ascii(held.name)[:40]}")
    for node in graph.node:
        known = OPERATORS.get(node.op_type)
        held_ones = all(name in weights for name in node.input[1:]) or node.op_type not in BY_WEIGHTS
        plain = {onnx.AttributeProto.INT, onnx.AttributeProto.INTS, onnx.AttributeProto.FLOAT}
        simple = all(held.type in plain and held.name in (known or ()) for held in node.attribute)
        if known is None or node.domain not in ("", "ai.onnx") or not (held_ones and simple):
            raise BadFile(
                message(
                    "{path} has the operator {name}, which no network of damier has in this way",
                    path=where,
                    name=ascii(node.op_type)[:40],
                )
            )
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError as error:
        raise wrong(where, "graph") from error
    if [held.name for held in graph.input if held.name not in weights] != ["inputs"] or len(graph.input) != 1:
        raise wrong(where, "input")
    if [held.name for held in graph.output] != ["logits", "value"]:
        raise wrong(where, "output")
    shape = graph.input[0].type.tensor_type.shape.dim
    if len(shape) != 2 or not 0 < shape[1].dim_value <= MOST_NUMBERS:
        raise wrong(where, "input")
    return model


def is_weight(held: Any) -> bool:
    """Return whether a tensor holds finite numbers, all that its shape needs and no more."""
    from onnx import TensorProto, numpy_helper

    size = 1
    for dim in held.dims:
        size *= dim
    width = {TensorProto.FLOAT: 4, TensorProto.INT64: 8}.get(held.data_type, 0)
    if not width or any(dim < 1 for dim in held.dims) or len(held.raw_data) != size * width:
        return False
    return bool(np.isfinite(numpy_helper.to_array(held)).all())


def checked_shapes(model: ModelProto, where: object) -> tuple[int, int]:
    """Return how many moves a network answers for, and how many numbers its largest tensor has for each
    position. Raises BadFile.
    """
    sizes = [inferred_sizes(model, rows, where) for rows in (2, 4)]
    few, many = ({name: int(np.prod(shape)) for name, shape in held.items()} for held in sizes)
    made = {name for node in model.graph.node for name in node.output}
    if not made <= set(few) or any(many[name] > 2 * few[name] for name in few):
        raise wrong(where, "shape")
    largest = max(few.values()) // 2
    slots = sizes[0]["logits"][-1]
    if largest > MOST_NUMBERS or sizes[0]["logits"] != (2, slots) or sizes[0]["value"] != (2,):
        raise wrong(where, "shape")
    return slots, largest


def inferred_sizes(model: ModelProto, rows: int, where: object) -> dict[str, tuple[int, ...]]:
    """The shapes of all tensors where so many positions are evaluated. Raises BadFile."""
    import onnx

    copied = onnx.ModelProto()
    copied.CopyFrom(model)
    copied.graph.input[0].type.tensor_type.shape.dim[0].dim_value = rows
    for held in copied.graph.output:
        held.type.tensor_type.ClearField("shape")
    del copied.graph.value_info[:]
    try:
        found = onnx.shape_inference.infer_shapes(copied, check_type=True, strict_mode=True, data_prop=True)
    except Exception as error:  # its errors have no class in common
        raise wrong(where, "shape") from error
    return {
        held.name: tuple(int(dim.dim_value) for dim in held.type.tensor_type.shape.dim)
        for held in (*found.graph.input, *found.graph.value_info, *found.graph.output)
        if all(dim.dim_value > 0 for dim in held.type.tensor_type.shape.dim)
    }


def read_onnx(path: Path, expected: object) -> OnnxNetwork:
    """The network of a file whose checksum a folder names. Raises BadFile, BadInput."""
    content = read_bytes(path, LARGEST_ONNX)
    if checksum_of(content) != expected:
        raise BadFile(message("{path} is damaged: its checksum is wrong", path=path))
    return OnnxNetwork(content, path)


def checksum_of(content: bytes) -> str:
    """The checksum of a file, as `facts.json` has it."""
    return hashlib.sha256(content).hexdigest()
