"""The network: a residual multilayer perceptron in NumPy, and how it learns.

    h = relu(x W0 + b0)    h <- h + relu(h Wk + bk)    logits = h Wp + bp    value = tanh(h Wv + bv)

It learns by Adam (D. Kingma and J. Ba, 2015 [KingmaBa15]) to answer with the policy of the search
(cross-entropy over the legal moves) and the value of the game (squared error). What plays is a running mean
of its weights, which needs no plan of falling steps that would have to know when a training ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = "NDArray[np.float32]"

BETA_MEAN, BETA_SQUARE, EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
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


class Network:
    """A network; `weights` are matrices and biases in turn, the last pair that of all answers: a number for
    every slot of moves, and the value.
    """

    def __init__(self, weights: Sequence[Array]) -> None:
        self.weights = list(weights)

    @classmethod
    def new(cls, inputs: int, hidden: int, layers: int, slots: int, seed: int) -> Network:
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
        """Return how many numbers it sees."""
        return len(self.weights[0])

    @property
    def layers(self) -> list[int]:
        """Return how many numbers each layer of weights sees."""
        return [len(weights) for weights in self.weights[::2]]

    @property
    def parameters(self) -> int:
        """Return how many weights it has."""
        return sum(array.size for array in self.weights)

    @property
    def slots(self) -> int:
        return len(self.weights[-1]) - 1

    def flat(self) -> Array:
        """All weights one after the other."""
        return np.concatenate([array.reshape(-1) for array in self.weights])

    def with_flat(self, weights: Array) -> Network:
        """A network of the same shapes with such weights."""
        ends = np.cumsum([array.size for array in self.weights])[:-1]
        parts = np.split(weights, ends)
        return Network([part.reshape(array.shape) for part, array in zip(parts, self.weights, strict=True)])

    def evaluate(self, inputs: Array) -> tuple[Array, Array]:
        """Return logits [rows, slots] and values [rows], from the side of the mover."""
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
        self, inputs: Array, slots: NDArray[np.int16], policy: Array, outcomes: Array
    ) -> tuple[list[Array], Losses]:
        """Return the gradient of every weight, and the losses.

        Args:
            inputs: [rows, inputs] positions
            slots: [rows, moves] the slot of every legal move, -1 where there is none
            policy: [rows, moves] what the answers for these moves shall be
            outcomes: [rows] what the values shall be
        """
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
        self.first = [np.zeros_like(array) for array in network.weights]
        self.second = [np.zeros_like(array) for array in network.weights]
        self.mean = [array.copy() for array in network.weights]

    def copy(self) -> NetworkLearner:
        """One that goes on by itself."""
        made = NetworkLearner(Network([array.copy() for array in self.network.weights]))
        made.steps = self.steps
        for name in ("first", "second", "mean"):
            setattr(made, name, [array.copy() for array in getattr(self, name)])
        return made

    def playing(self) -> Network:
        """The network that plays now."""
        return Network([array.copy() for array in self.mean])

    def learn(
        self, inputs: Array, slots: NDArray[np.int16], policy: Array, outcomes: Array, rate: float
    ) -> Losses:
        """One step of Adam on some positions (`Network.gradients`)."""
        gradients, losses = self.network.gradients(inputs, slots, policy, outcomes)
        self.steps += 1
        kept = np.float32(min(KEPT, self.steps / (self.steps + 10)))
        size = np.float32(rate) / (1 - BETA_MEAN**self.steps)
        square = 1 - BETA_SQUARE**self.steps
        columns = zip(self.network.weights, gradients, self.first, self.second, self.mean, strict=True)
        for weight, gradient, first, second, mean in columns:
            first += (1 - BETA_MEAN) * (gradient - first)
            second += (1 - BETA_SQUARE) * (gradient * gradient - second)
            weight -= size * first / (np.sqrt(second / square) + EPSILON) + np.float32(rate) * DECAY * weight
            mean += (1 - kept) * (weight - mean)
        return losses

    def arrays(self) -> dict[str, Array]:
        """All that is needed to go on."""
        kinds = {"weight": self.network.weights, "first": self.first, "second": self.second}
        return {f"{kind}{n}": array for kind, held in kinds.items() for n, array in enumerate(held)} | {
            f"mean{n}": array for n, array in enumerate(self.mean)
        }

    def restore(self, arrays: dict[str, Array], steps: int) -> None:
        """Go on from `arrays`."""
        self.steps = steps
        held = {"weight": self.network.weights, "first": self.first, "second": self.second, "mean": self.mean}
        for kind, columns in held.items():
            for number in range(len(columns)):
                columns[number] = arrays[f"{kind}{number}"].copy()
