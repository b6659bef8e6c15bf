"""The residual network of convolutions that AlphaZero has [Silver18], in PyTorch.

    h = relu(conv(planes) + (x W + b))    h <- relu(h + conv(relu(conv(h))))
    logits = relu(conv1(h)) W + b         value = tanh(relu(relu(conv1(h)) W + b) W + b)

The planes are the numbers that lie on the board (`layout_of`); all numbers, also those that lie nowhere,
shift the first layer as a whole. Nothing is normalized by batches, since what plays is a running mean of the
weights, to which the statistics of other weights do not belong: each block begins as the identity instead
(H. Zhang, Y. Dauphin and T. Ma, 2019 [Zhang19]).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from damier.core.arrays import IntArray
from damier.core.bits import reseed
from damier.core.board import Board, Points
from damier.core.compile import instantiate
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.past import Line
from damier.core.player import drawn_move
from damier.core.rules import CHANCE, State
from damier.core.runtime import needing
from damier.core.words import N_, message
from damier.plugins.zero import encoding
from damier.plugins.zero.encoding import NetworkSizes
from damier.plugins.zero.network import NONE, Array, Losses, Network, OnnxGraph, Tensor, always
from damier.plugins.zero.self_play import ZeroEngines

POLICY_PLANES, VALUE_PLANES, VALUE_HIDDEN = 8, 4, 64
"""Planes of the heads, and numbers of the last layer before the value."""
AT_A_TIME = {"cpu": 1 << 19, "cuda": 1 << 25}
"""Numbers of a layer that are computed at a time, at most: what fits the caches, or a device's memory."""


def torch_for(device: str) -> Any:
    """PyTorch, where it has such a device; on the processor it computes with one thread, so that what comes
    of a seed does not depend on the number of cores. Raises BadInput where it is not installed, or has no
    such device.
    """
    with needing("zero", N_("zero: network=conv needs more packages: {command}")):
        import torch
    if device != "cpu" and not torch.cuda.is_available():
        raise BadInput(message("zero: device={device}: PyTorch finds no such device here", device=device))
    torch.set_num_threads(1)
    return torch


class ConvNetwork(Network):
    """A network of convolutions; `weights` are tensors on its device: those of the first layer (planes, all
    numbers, bias), two pairs a block, and those of the heads.
    """

    def __init__(self, layout: BoardLayout, weights: Sequence[Tensor], device: str) -> None:
        """Raises BadInput where PyTorch is not installed, or has no such device."""
        self._torch = torch_for(device)
        self._layout, self._device, self.weights = layout, device, list(weights)
        numbers = np.array(layout.numbers)
        self._numbers, self._lies = np.maximum(numbers, 0), (numbers >= 0).astype(np.float32)
        self._places, self._mask = self.tensor(self._numbers), self.tensor(self._lies)

    @classmethod
    def new(
        cls,
        layout: BoardLayout,
        input_size: int,
        channels: int,
        blocks: int,
        slots: int,
        seed: int,
        device: str,
    ) -> ConvNetwork:
        """A network that knows nothing, drawn from a seed. Raises BadInput."""
        rng, cells = np.random.default_rng([seed, 0]), layout.rows * layout.columns
        made = cls(layout, [], device)

        def drawn(*shape: int, scale: float = 1.0) -> None:
            inputs = int(np.prod(shape[1:])) if len(shape) == 4 else shape[0]
            made.weights.append(
                rng.standard_normal(shape, np.float32) * np.float32(scale * (2 / inputs) ** 0.5)
            )

        def bias(size: int) -> None:
            made.weights.append(np.zeros(size, np.float32))

        drawn(channels, layout.planes, 3, 3)
        drawn(input_size, channels, scale=0.5)
        bias(channels)
        for _block in range(blocks):
            for scale in (blocks**-0.5, 0.0):
                drawn(channels, channels, 3, 3, scale=scale)
                bias(channels)
        drawn(POLICY_PLANES, channels, 1, 1)
        bias(POLICY_PLANES)
        drawn(POLICY_PLANES * cells, slots, scale=0.1)
        bias(slots)
        drawn(VALUE_PLANES, channels, 1, 1)
        bias(VALUE_PLANES)
        drawn(VALUE_PLANES * cells, VALUE_HIDDEN)
        bias(VALUE_HIDDEN)
        drawn(VALUE_HIDDEN, 1, scale=0.1)
        bias(1)
        made.weights = [made.tensor(weight) for weight in made.weights]
        return made

    @property
    def input_size(self) -> int:
        return len(self.weights[1])

    @property
    def slots(self) -> int:
        return len(self.weights[-7])

    @property
    def layers(self) -> list[int]:
        return [
            int(weight.shape[1 if weight.ndim == 4 else 0])
            for weight in self.weights
            if weight.ndim in (2, 4)
        ]

    @property
    def places(self) -> IntArray:
        return np.array(self._layout.numbers, np.int64)

    def with_weights(self, weights: Sequence[Tensor]) -> ConvNetwork:
        return ConvNetwork(self._layout, weights, self._device)

    def array(self, weight: Tensor) -> Array:
        return np.asarray(weight.cpu().numpy(), np.float32)

    def tensor(self, array: NDArray[np.generic]) -> Tensor:
        return self._torch.from_numpy(np.ascontiguousarray(array)).to(self._device)

    def evaluate(self, inputs: Array) -> tuple[Array, Array]:
        with self._torch.inference_mode():
            found = [
                self._answers(self.tensor(inputs[rows]), self.weights) for rows in self._pieces(len(inputs))
            ]
        logits, values = zip(*found, strict=True)
        return np.concatenate([self.array(part) for part in logits]), np.concatenate(
            [self.array(part) for part in values]
        )

    def gradients(
        self,
        inputs: Array,
        slots: NDArray[np.int16],
        policy: Array,
        outcomes: Array,
        goes_on: Callable[[], bool] = always,
    ) -> tuple[list[Tensor], Losses]:
        torch, count = self._torch, len(inputs)
        weights = [weight.detach().requires_grad_() for weight in self.weights]
        whole = [torch.zeros_like(weight) for weight in self.weights]
        lost = [0.0, 0.0]
        for rows in self._pieces(count):
            if not goes_on():
                break
            at = self.tensor(slots[rows].astype(np.int64))
            logits, values = self._answers(self.tensor(inputs[rows]), weights)
            legal = logits.gather(1, at.clamp(min=0)).masked_fill(at < 0, float(NONE))
            likely = torch.log_softmax(legal, 1)
            errors = values - self.tensor(outcomes[rows])
            losses = -(self.tensor(policy[rows]) * likely).sum() / count, (errors * errors).sum() / count
            for part, gradient in zip(
                whole, torch.autograd.grad(losses[0] + losses[1], weights), strict=True
            ):
                part += gradient
            lost = [before + loss.item() for before, loss in zip(lost, losses, strict=True)]
        return whole, Losses(*lost)

    def as_onnx(self) -> bytes:
        layout, graph = self._layout, OnnxGraph()
        kernel, matrix, bias, *rest = (self.array(weight) for weight in self.weights)
        weights = iter(rest)

        def convolved(below: str, kernel: Array, *bias: Array) -> str:
            side = kernel.shape[-1]
            inputs = [below, *(graph.weight(array) for array in (kernel, *bias))]
            return graph.node("Conv", inputs, kernel_shape=[side, side], pads=[side // 2] * 4)

        def added(*both: str) -> str:
            return graph.node("Relu", [graph.node("Add", both)])

        def head() -> str:
            """The planes of a head side by side, after its layer of convolutions."""
            planes = graph.node("Relu", [convolved(h, next(weights), next(weights))])
            return graph.node("Flatten", [planes], axis=1)

        placed = graph.node("Gather", ["inputs", graph.weight(self._numbers)], axis=1)
        masked = graph.node("Mul", [placed, graph.weight(self._lies)])
        board = graph.weight(np.array([0, layout.planes, layout.rows, layout.columns], np.int64))
        planes = convolved(graph.node("Reshape", [masked, board]), kernel)
        everywhere = graph.weight(np.array([0, len(kernel), 1, 1], np.int64))
        h = added(planes, graph.node("Reshape", [graph.layer("inputs", matrix, bias), everywhere]))
        for _block in range(self._blocks):
            inner = graph.node("Relu", [convolved(h, next(weights), next(weights))])
            h = added(h, convolved(inner, next(weights), next(weights)))
        policy = (head(), next(weights), next(weights))
        value = graph.node("Relu", [graph.layer(head(), next(weights), next(weights))])
        graph.heads(policy, (value, next(weights), next(weights)))
        return graph.content(self.input_size, self.slots)

    @property
    def _blocks(self) -> int:
        """Return how many residual blocks it has."""
        return (len(self.weights) - 13) // 4

    def _pieces(self, count: int) -> Iterator[slice]:
        """Yield the rows of a batch that are computed at a time."""
        cells = self._layout.rows * self._layout.columns
        each = max(1, AT_A_TIME[self._device] // (len(self.weights[0]) * cells))
        for begin in range(0, count, each):
            yield slice(begin, begin + each)

    def _answers(self, inputs: Tensor, weights: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
        """Return logits and values."""
        functions, layout = self._torch.nn.functional, self._layout
        kernel, matrix, bias, *rest = weights
        left = iter(rest)

        def convolved(below: Tensor) -> Tensor:
            kernel = next(left)
            return functions.conv2d(below, kernel, next(left), padding=kernel.shape[-1] // 2)

        def layer(below: Tensor) -> Tensor:
            return below @ next(left) + next(left)

        planes = (inputs[:, self._places] * self._mask).view(-1, layout.planes, layout.rows, layout.columns)
        shift = inputs @ matrix + bias
        h = (functions.conv2d(planes, kernel, padding=1) + shift[:, :, None, None]).relu()
        for _block in range(self._blocks):
            h = (h + convolved(convolved(h).relu())).relu()
        logits = layer(convolved(h).relu().flatten(1))
        value = layer(convolved(h).relu().flatten(1)).relu()
        return logits, layer(value).tanh().squeeze(1)


# Layout of the numbers that a network sees, on the board of its game. No game says which bit of its state
# is which cell: positions of random games show it. A number belongs to a cell where what stands there, and
# who is to move, always tells it; a field whose numbers go along the rows and columns of the board in equal
# steps has the other cells too, that those games did not come to.

LOOKED_AT = 1024
"""Positions of random games from which a layout follows."""
PLIES = 128
"""Plies of each of these games, at most."""
FILLED = 4
"""A plane has a number in one of so many cells at least; what is fewer is no picture of the board."""
EXACT = 1e-6


@dataclass(frozen=True)
class BoardLayout:
    """Planes of a board, as convolutions see them.

    Attributes:
        rows, columns: of the board
        planes: how many
        numbers: [planes · rows · columns] which of the numbers that a network sees lies there; -1: none
    """

    rows: int
    columns: int
    planes: int
    numbers: tuple[int, ...]


@lru_cache(maxsize=16)
def layout_of(game: Game, sizes: NetworkSizes) -> BoardLayout:
    """Lay the numbers that the network of a game sees out on its board. Raises Unsuitable where there is no
    board, or nothing of them lies on it.
    """
    states = list(random_states(game))
    if game.grid is None:
        raise no_board(game)
    places = places_of(game.grid(game.start))
    rows, columns = (max(way, default=0) + 1 for way in zip(*places, strict=True))
    engines = ZeroEngines(game, sizes, Job(jit=False))
    codes = engines.codes(states)
    inputs = np.zeros((len(states), encoding.input_count(game)), np.float32)
    engines.fill(codes, inputs)
    telling_cells = cells_that_tell(game, states, inputs)
    cells: dict[int, tuple[int, int]] = {}
    begin = 0
    for block in encoding.blocks(game):
        known = {
            n: places[telling_cells[begin + n]] for n in range(block.count) if telling_cells[begin + n] >= 0
        }
        cells |= {begin + n: cell for n, cell in in_equal_steps(known, block.count, set(places)).items()}
        begin += block.count
    planes: list[dict[tuple[int, int], int]] = []
    begin = 0
    for block in encoding.blocks(game):  # numbers of a field that share a cell lie on planes of their own
        made: list[dict[tuple[int, int], int]] = []
        for number in range(begin, begin + block.count):
            if number in cells:
                free = next((plane for plane in made if cells[number] not in plane), None)
                if free is None:
                    made.append(free := {})
                free[cells[number]] = number
        planes += made
        begin += block.count
    planes = [plane for plane in planes if FILLED * len(plane) >= len(places)]
    if not planes:
        raise no_board(game)
    everywhere = [(row, column) for row in range(rows) for column in range(columns)]
    numbers = tuple(plane.get(cell, -1) for plane in planes for cell in everywhere)
    return BoardLayout(rows, columns, len(planes), numbers)


def no_board(game: Game) -> Unsuitable:
    """The error of a game without cells."""
    return Unsuitable(
        message(
            "zero: network=conv needs a board that shows the state; {game} has none, network=mlp does"
            " without",
            game=game.text,
        )
    )


def random_states(game: Game) -> Iterator[State]:
    """Positions of random games as their movers see them, always the same ones."""
    rng, count, number, draw = [0], 0, 0, instantiate(drawn_move, game, jit=False)
    while count < LOOKED_AT:
        reseed(rng, 1, number)
        number += 1
        line = Line(game, game.start)
        for _ply in range(PLIES):
            s = line.state
            if game.over(s):
                break
            if game.mover(s) != CHANCE:
                count += 1
                yield game.canonical(s)
            line.play(draw(s, game.moves(s), rng))
        else:
            count += 1  # games that only dice play also come to an end


def places_of(board: Board) -> list[tuple[int, int]]:
    """Row and column of every place of a board, from the top left."""
    if isinstance(board, Points):
        return [(board.heights.index(y), board.across.index(x)) for x, y in board.spots]
    found = dict[int, tuple[int, int]]()
    for row, cells in enumerate(board.by_rows):
        found |= {cell: (row, column) for column, cell in enumerate(cells)}
    return [found[place] for place in range(board.places)]


def cells_that_tell(game: Game, states: list[State], inputs: NDArray[np.float32]) -> list[int]:
    """Return the cell that tells each number, -1 where none does, or several do."""
    assert game.grid is not None
    boards = [game.grid(s) for s in states]
    movers = [game.mover(s) for s in states]
    telling = np.zeros((boards[0].places, inputs.shape[1]), np.bool_)
    for cell in range(boards[0].places):
        contents = [(board.piece(cell), mover) for board, mover in zip(boards, movers, strict=True)]
        kinds = {content: number for number, content in enumerate(dict.fromkeys(contents))}
        groups = np.array([kinds[content] for content in contents])
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(len(kinds)))
        lowest, highest = (way.reduceat(inputs[order], starts, 0) for way in (np.minimum, np.maximum))
        telling[cell] = (lowest == highest).all(0)
    alone = telling.sum(0) == 1
    found: list[int] = np.where(alone, telling.argmax(0), -1).tolist()
    return found


def in_equal_steps(
    known: dict[int, tuple[int, int]], count: int, places: set[tuple[int, int]]
) -> dict[int, tuple[int, int]]:
    """Return the cells of `count` numbers from those that are known: number = first + a · row + b · column
    where that holds for these; else these alone.

    >>> in_equal_steps({0: (0, 0), 1: (0, 1), 2: (1, 0)}, 5, {(0, 0), (0, 1), (1, 0), (1, 1)})
    {0: (0, 0), 1: (0, 1), 2: (1, 0), 3: (1, 1)}
    """
    numbers = np.array(list(known), np.float64)
    cells = np.array([(1, *cell) for cell in known.values()], np.float64).reshape(-1, 3)
    if len(set(known.values())) < len(known) or np.linalg.matrix_rank(cells) < 3:
        return known
    steps = np.linalg.lstsq(cells, numbers, rcond=None)[0]
    if np.abs(cells @ steps - numbers).max() > EXACT:
        return known
    found = dict[int, tuple[int, int]]()
    for row, column in sorted(places):
        number = float(steps @ (1, row, column))
        if abs(number - round(number)) < EXACT and 0 <= round(number) < count:
            found[round(number)] = (row, column)
    return dict(sorted(found.items()))
