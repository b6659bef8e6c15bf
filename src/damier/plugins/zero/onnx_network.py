"""Networks as ONNX: written from damier's own, and played by ONNX Runtime, without what trained them.

    inputs [rows, n] -> logits [rows, slots], value [rows]        float32, opset 17

A file may come from anywhere. Before a session is made of it, its graph must be one of few standard
operators, without data in other files, and no tensor of it may be large; it runs on one thread.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from damier.core.errors import BadFile, LimitReached
from damier.core.files import read_bytes
from damier.core.runtime import needing
from damier.core.words import N_, message

if TYPE_CHECKING:
    from onnx import ModelProto

Singles: TypeAlias = "NDArray[np.float32]"

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

    def layer(self, below: str, matrix: Singles, bias: Singles, output: str = "") -> str:
        """The name of what a layer of weights makes of the one below."""
        return self.node("Gemm", [below, self.weight(matrix), self.weight(bias)], output)

    def heads(
        self,
        policy: tuple[str, Singles, Singles],
        value: tuple[str, Singles, Singles],
    ) -> None:
        """End in the answers for moves, and the value: a layer and its weights each."""
        self.layer(*policy, output="logits")
        bounded = self.node("Tanh", [self.layer(*value)])
        self.node("Reshape", [bounded, self.weight(np.array([-1], np.int64))], "value")

    def content(self, seen: int, slots: int) -> bytes:
        """The model of a network that sees so many numbers, as the content of a file. Raises LimitReached."""
        from onnx import TensorProto, helper

        def tensor(name: str, *shape: str | int) -> Any:
            return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

        outputs = [tensor("logits", "rows", slots), tensor("value", "rows")]
        graph = helper.make_graph(
            self._nodes, "zero", [tensor("inputs", "rows", seen)], outputs, self._weights
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
        seen: how many numbers it sees; slots: how many moves it answers for
        parameters: how many weights it has
        layers: how many numbers, or planes, each layer of weights sees
    """

    def __init__(self, content: bytes, where: object) -> None:
        """Raises BadFile for what is no such network, BadInput where ONNX Runtime is not installed."""
        require_onnx()
        from onnx import TensorProto

        self._content = content
        model = checked_model(content, where)
        self.seen = int(model.graph.input[0].type.tensor_type.shape.dim[1].dim_value)
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
            self._answers(np.zeros((2, self.seen), np.float32))
        except Exception as error:  # its errors have no class in common
            raise wrong(where, "graph") from error

    def evaluate(self, inputs: Singles) -> tuple[Singles, Singles]:
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

    def _answers(self, inputs: Singles) -> tuple[Singles, Singles]:
        logits, values = self._session.run(["logits", "value"], {"inputs": inputs})
        return logits, values


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
