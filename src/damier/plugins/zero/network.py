"""Networks, and how they learn; the residual multilayer perceptron in NumPy.

    h = relu(x W0 + b0)    h <- h + relu(h Wk + bk)    logits = h Wp + bp    value = tanh(h Wv + bv)

A network learns by Adam (D. Kingma and J. Ba, 2015 [KingmaBa15]) to answer with the policy of the search
(cross-entropy over the legal moves) and the value of the game (squared error). What plays is a running mean
of its weights, which needs no plan of falling steps that would have to know when a training ends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from damier.core.arrays import IntArray
from damier.plugins.zero.onnx_network import OnnxGraph, OnnxNetwork

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
    def seen(self) -> int:
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


Evaluator: TypeAlias = Network | OnnxNetwork
"""A network that judges positions."""


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
    def seen(self) -> int:
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
        return graph.content(self.seen, self.slots)

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
