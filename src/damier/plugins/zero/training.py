"""Training of the agent `zero`: games of self-play, a window of their positions, a network that learns from
them, generation by generation; a folder that keeps it all.

The games of a generation are played by the network that learnt from the generations before the last one, so
that the next games are played while it learns: what comes of a training depends on its seed, not on how many
processes share the games. Killed at any moment it goes on from the last generation that was saved, to the
same bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, fields, replace
from math import sqrt
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from damier.core.analysis import PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.arrays import IntArray
from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.game import Game
from damier.core.job import gib
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import _, message
from damier.lab.games import Lab
from damier.lab.workers import Hiring, PieceWork, TellPart, Workforce, WorkHere, in_order, workforce
from damier.plugins.zero import encoding
from damier.plugins.zero.encoding import NetworkSizes, sizes_of
from damier.plugins.zero.lockstep import CONSIDERED, PlayNumbers, SearchSettings
from damier.plugins.zero.network import Array, Losses, Network, NetworkLearner, Perceptron, from_arrays
from damier.plugins.zero.self_play import Lockstep, Samples, ZeroEngines

SHARDS = 4
"""Pieces of a generation, which processes can share."""
SIDE_BY_SIDE = 64
"""Games of a piece that are played side by side."""
CONVOLVED = 1024
"""The same, at most, where a device takes large batches as fast as small ones."""
FALLS = 20.0
"""Generations after which the steps of the learner have fallen to 0.7 of the first."""
WINDOW_BYTES = 1 << 28
"""Memory of the window of positions, at most."""


@dataclass(frozen=True)
class ZeroSettings:
    """Options of a training: `zero:simulations=64,hidden=256`.

    Attributes:
        simulations: of every search of self-play; 1: no search, moves are drawn by the network, and it learns
            those of winners
        root: how moves are chosen at the root of a search: puct, or gumbel
        network: mlp, a perceptron in NumPy; or conv, AlphaZero's residual convolutions over the board, in
            PyTorch
        device: where PyTorch computes; it does not change what is learnt but for rounding
        hidden: numbers of a layer of the network, or planes of a convolution; 0: by the size of the game
        layers: layers of the network between the first and the last, or blocks of two convolutions
        noise: share of Dirichlet noise in the priors of the roots of self-play
        openings: random plies before half of the games, fewer than that; -1: as many as a game has; 0: none
        symmetries: whether positions are learnt under all symmetries of the game
        solve: whether searches back up ends of games exactly
        rollouts: how much of the value of a position is the end of a random game, as AlphaGo had it; the rest
            is the network's
        outcome: how much of what a value shall be is the outcome of its game; the rest is what the search
            took the position to be worth
        games: games of a generation
        window: positions that are learnt from, the newest ones
        reuse: how often each position is learnt, on average
        batch: positions of a step; rate: its size at first
    """

    simulations: int = 32
    root: Literal["puct", "gumbel"] = "puct"
    network: Literal["mlp", "conv"] = "mlp"
    device: Literal["cpu", "cuda"] = "cpu"
    hidden: int = 0
    layers: int = 2
    noise: float = 0.25
    openings: int = -1
    symmetries: bool = True
    solve: bool = True
    rollouts: float = 0.0
    outcome: float = 0.5
    games: int = 512
    window: int = 200_000
    reuse: float = 8.0
    batch: int = 1024
    rate: float = 0.002

    def as_json(self) -> JsonObject:
        """The settings as plain data."""
        return {**asdict(self)}

    def search(self) -> SearchSettings:
        """Return the settings of the searches of self-play."""
        return SearchSettings(
            self.simulations,
            CONSIDERED[self.root],
            noise=self.noise,
            solve=self.solve,
            rollouts=self.rollouts,
        )

    def plays(self, sizes: NetworkSizes) -> PlayNumbers:
        """Return the settings of its games."""
        openings = sizes.plies if self.openings < 0 else self.openings
        return PlayNumbers(openings, max(2, sizes.plies // 3), 4 * sizes.longest)


BOUNDS: dict[str, tuple[float, float]] = {
    "simulations": (1, 10_000),
    "hidden": (0, 4096),
    "layers": (0, 64),
    "noise": (0, 1),
    "openings": (-1, 10_000),
    "outcome": (0, 1),
    "rollouts": (0, 1),
    "games": (SHARDS, 1 << 20),
    "window": (1024, 1 << 24),
    "reuse": (0.01, 1000),
    "batch": (16, 1 << 16),
    "rate": (1e-6, 1),
}


COPIES = 8
"""Arrays as large as the weights that a training holds: moments, means, gradients, the network that plays."""


def require_memory(lab: Lab, settings: ZeroSettings, sizes: NetworkSizes) -> None:
    """Raises LimitReached where a training needs more memory than there is; `settings` are complete."""
    input_size, hidden = encoding.input_count(lab.game), settings.hidden
    convolved = settings.network == "conv"
    layers = 18 * settings.layers if convolved else settings.layers
    weights = hidden * ((10 if convolved else 1) * input_size + layers * hidden + sizes.slots)
    window = min(settings.window * row_bytes(lab.game, sizes), WINDOW_BYTES)
    most = 2 if convolved else settings.layers + 2  # layers of a batch; convolutions are computed in pieces
    needed = 4 * COPIES * weights + 2 * window + 4 * settings.batch * (input_size + most * hidden)
    if needed > lab.job.memory:
        raise LimitReached(
            message(
                "zero: hidden={hidden},layers={layers} needs {needed} to learn; the memory budget is {budget}"
                " (--memory)",
                hidden=hidden,
                layers=settings.layers,
                needed=gib(needed),
                budget=gib(lab.job.memory),
            )
        )


def row_bytes(game: Game, sizes: NetworkSizes) -> int:
    """Return the bytes of a position in the window."""
    return 8 * game.key_words + 4 * sizes.moves + 4


def require_settings(settings: ZeroSettings) -> None:
    """Raises BadInput, naming the option, for a number that is out of range, or options that do not fit."""
    if settings.device != "cpu" and settings.network != "conv":
        raise BadInput(
            message("zero: device={device} is for network=conv; NumPy has none", device=settings.device)
        )
    for field in fields(settings):
        value = getattr(settings, field.name)
        if field.name in BOUNDS:
            low, high = BOUNDS[field.name]
            if not low <= value <= high:
                raise BadInput(
                    message(
                        "zero: {option}={n}; it is from {low} to {high}",
                        option=field.name,
                        n=value,
                        low=low,
                        high=high,
                    )
                )


def usual_hidden(inputs: int) -> int:
    """Return the numbers of a layer for a game of which the network sees so many.

    >>> usual_hidden(20), usual_hidden(40), usual_hidden(60)
    (64, 128, 256)
    """
    return 64 if inputs <= 32 else 128 if inputs <= 48 else 256


def complete(settings: ZeroSettings, game: Game) -> ZeroSettings:
    """The settings with the size of the network that follows from the game."""
    if settings.hidden:
        return settings
    inputs = encoding.input_count(game)
    planes = 32 if inputs <= 48 else 64
    return replace(settings, hidden=planes if settings.network == "conv" else usual_hidden(inputs))


def comparable(settings: JsonObject) -> JsonObject:
    """The settings that a training has for good: all but where it computes. What a file does not name, which
    an older damier wrote, was as it is by default.
    """
    return {**ZeroSettings().as_json(), **settings, "device": ZeroSettings.device}


def new_network(game: Game, settings: ZeroSettings, sizes: NetworkSizes, seed: int) -> Network:
    """A network for a game that knows nothing. Raises BadInput, Unsuitable."""
    shape = encoding.input_count(game), settings.hidden, settings.layers, sizes.slots
    if settings.network == "mlp":
        return Perceptron.new(*shape, seed)
    from damier.plugins.zero.torch_network import ConvNetwork, layout_of

    return ConvNetwork.new(layout_of(game, sizes), *shape, seed, settings.device)


# The games of a generation, in pieces that can be played anywhere.


class ShardDoer:
    """Plays pieces of generations."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._settings = ZeroSettings(**given["settings"])  # type: ignore[arg-type]
        sizes = NetworkSizes.read(given["sizes"])  # type: ignore[arg-type]
        most = SIDE_BY_SIDE if self._settings.network == "mlp" else CONVOLVED
        side_by_side = min(most, max(1, self._settings.games // SHARDS))
        self._lockstep = Lockstep(
            ZeroEngines(lab.game, sizes, lab.job), self._settings.search(), side_by_side
        )
        self._plays = self._settings.plays(sizes)
        self._network = new_network(lab.game, self._settings, sizes, 0)

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        """Return the samples of a piece, as text."""
        network = self._network.with_flat(floats(str(order["network"])))
        games, seed, stream = (int(str(order[name])) for name in ("games", "seed", "stream"))
        samples = self._lockstep.play(network, games, self._plays, seed, stream)
        return {
            "codes": base64.b64encode(samples.codes.tobytes()).decode(),
            "shares": text_of(samples.shares),
            "values": text_of(samples.values),
            "outcomes": text_of(samples.outcomes),
            "firsts": list(samples.firsts),
        }


def text_of(array: Array) -> str:
    """Numbers as text, for an order of work."""
    return base64.b64encode(np.ascontiguousarray(array, "<f4").tobytes()).decode()


def floats(text: str) -> Array:
    """The numbers of such a text."""
    return np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32)


def samples_of(data: JsonObject, game: Game, sizes: NetworkSizes) -> Samples:
    """The samples of such a text."""
    codes = np.frombuffer(base64.b64decode(str(data["codes"])), "<i8").astype(np.int64)
    shares, values, outcomes = (floats(str(data[name])) for name in ("shares", "values", "outcomes"))
    ends: Any = data["firsts"]
    return Samples(
        codes.reshape(-1, game.key_words),
        shares.reshape(-1, sizes.moves),
        values,
        outcomes,
        (int(ends[0]), int(ends[1]), int(ends[2])),
    )


# The learner.


@dataclass(frozen=True)
class Generation:
    """Facts of a generation: games so far, how its games ended for player 0, and its losses."""

    number: int
    games: int
    firsts: tuple[int, int, int]
    positions: int
    losses: Losses


@dataclass(frozen=True)
class Learnt:
    """All that a training has learnt after some generations.

    Attributes:
        generations: how many; games: how many games they had in all
        learner: the network that learns
        ahead: the network that plays the generation after the next one that is learnt
        codes, shares, targets: the window, a row a position: the position, how likely its moves shall be, and
            what it shall be worth
    """

    generations: int
    games: int
    learner: NetworkLearner
    ahead: Network
    codes: IntArray
    shares: Array
    targets: Array


class ZeroTraining:
    """A training under way; `learnt` is what it has learnt so far, whole generations of it."""

    def __init__(self, lab: Lab, settings: ZeroSettings, seed: int) -> None:
        """Raises BadInput, Unsuitable."""
        require_settings(settings)
        require(lab.game, "zero", TWO_PLAYERS, PERFECT_INFORMATION, ZERO_SUM)
        self.lab, self.seed = lab, seed
        self.sizes = sizes_of(lab.game)
        inputs = encoding.input_count(lab.game)
        self.settings = settings = complete(settings, lab.game)
        require_memory(lab, settings, self.sizes)
        network = new_network(lab.game, settings, self.sizes, seed)
        self.engines = ZeroEngines(lab.game, self.sizes, lab.job)
        self._room = max(1024, min(settings.window, WINDOW_BYTES // row_bytes(lab.game, self.sizes)))
        self._inputs = np.zeros((settings.batch, inputs), np.float32)
        self._stopped = False
        self.learnt = Learnt(
            0,
            0,
            NetworkLearner(network),
            network,
            np.zeros((0, lab.game.key_words), np.int64),
            np.zeros((0, self.sizes.moves), np.float32),
            np.zeros(0, np.float32),
        )

    def prepare(self) -> None:
        """Compile all that it needs."""
        self.lab.job.progress(0, None, _("compiling"))
        plays = self.settings.plays(self.sizes)
        Lockstep(self.engines, self.settings.search(), 1).play(self.learnt.ahead, 1, plays, 0, 0)

    def network(self) -> Network:
        """The network as it plays now."""
        return self.learnt.learner.playing()

    def run(
        self,
        goes_on: Callable[[], bool],
        report: Callable[[Generation], None],
        hire: Hiring | None = None,
        tell: Callable[[int], None] = lambda _games: None,
    ) -> None:
        """Learn generation by generation, as long as `goes_on` says so before each; `report` is called after
        each, and `tell` with how many games have been played. Processes of this machine share the games where
        the job has several, or workers that `hire` finds. What ends it leaves what was learnt as it was after
        the last generation.
        """
        given: JsonObject = {"settings": self.settings.as_json(), "sizes": self.sizes.as_json()}
        work = PieceWork(ShardDoer, self.lab, given)
        with ThreadPoolExecutor(1) as beside, workforce(work, hire, SHARDS) as workers:
            try:
                samples: list[Samples] = []
                while goes_on():
                    known = self.learnt
                    samples = samples or self._play(workers, known.generations, known.ahead, tell)
                    network = self.network()
                    if isinstance(workers, WorkHere):
                        learnt, losses = self._learn(samples, network)
                        following: list[Samples] = []
                    else:
                        learning = beside.submit(self._learn, samples, network)
                        following = self._play(workers, known.generations + 1, network, tell)
                        learnt, losses = learning.result()
                    self.learnt = learnt
                    report(facts_of(learnt, samples, losses))
                    samples = following
            finally:
                self._stopped = True

    def _play(
        self, workers: Workforce, generation: int, network: Network, tell: Callable[[int], None]
    ) -> list[Samples]:
        """The games of a generation, in the order of their pieces."""
        weights = text_of(network.flat())
        each, more = divmod(self.settings.games, SHARDS)
        orders: list[JsonObject] = [
            {
                "network": weights,
                "games": each + (number < more),
                "seed": self.seed,
                "stream": 1 + generation * SHARDS + number,
            }
            for number in range(SHARDS)
        ]
        played, games = list[Samples](), generation * self.settings.games
        for data in in_order(workers.do(orders)):
            played.append(samples_of(data, self.lab.game, self.sizes))  # type: ignore[arg-type]
            tell(games + sum(part.games for part in played))
        return played

    def _learn(self, samples: list[Samples], network: Network) -> tuple[Learnt, Losses]:
        """Return what is known once some positions are in the window, and were learnt; `network` played."""
        known, settings, share = self.learnt, self.settings, np.float32(self.settings.outcome)
        if settings.simulations == 1:  # no search says what a move was worth: its game does
            share = np.float32(1)
            for part in samples:
                part.shares[part.outcomes <= 0] = 0
        found = [share * part.outcomes + (1 - share) * part.values for part in samples]
        codes = np.concatenate([known.codes, *[part.codes for part in samples]])[-self._room :]
        shares = np.concatenate([known.shares, *[part.shares for part in samples]])[-self._room :]
        targets = np.concatenate([known.targets, *found])[-self._room :]
        rng = np.random.default_rng([self.seed, 1, known.generations])
        drawn = rng.integers(0, 1 << 62, 1, np.uint64) if settings.symmetries else None
        rate = settings.rate / sqrt(1 + known.generations / FALLS)
        steps = max(1, round(settings.reuse * sum(map(len, samples)) / settings.batch))
        learner, losses = known.learner.copy(), list[Losses]()
        for _step in range(steps):
            if self._stopped:
                break
            places = rng.integers(0, len(targets), settings.batch)
            slots, policy = self.engines.fill(codes[places], self._inputs, shares[places], drawn)
            batch = (self._inputs, slots, policy, targets[places])
            losses.append(learner.learn(*batch, rate, lambda: not self._stopped))
        games = known.games + sum(part.games for part in samples)
        mean = Losses(*np.mean([[found.policy, found.value] for found in losses], 0).tolist())
        return Learnt(known.generations + 1, games, learner, network, codes, shares, targets), mean

    # ---- its file

    def facts(self, curve: Sequence[JsonValue]) -> JsonObject:
        """Return what its folder says of it, with the curve so far."""
        return {
            "seed": self.seed,
            "settings": self.settings.as_json(),
            "sizes": self.sizes.as_json(),
            "generations": self.learnt.generations,
            "games": self.learnt.games,
            "steps": self.learnt.learner.steps,
            "curve": curve,
        }

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """All that is needed to go on."""
        known = self.learnt
        network = known.ahead
        ahead = {f"ahead{number}": network.array(weight) for number, weight in enumerate(network.weights)}
        window: dict[str, NDArray[np.generic]] = {
            "codes": known.codes,
            "shares": known.shares,
            "targets": known.targets,
        }
        if len(network.places):
            window["places"] = network.places
        found: dict[str, NDArray[np.generic]] = {**known.learner.arrays(), **ahead, **window}
        return {name: array.reshape(-1) for name, array in found.items()}

    def restore(
        self, path: object, arrays: Mapping[str, NDArray[np.generic]], done: tuple[int, int, int]
    ) -> None:
        """Go on from the `arrays` of a file after so many generations, games and steps. Raises BadFile where
        their shapes are not those of this training.
        """
        learner = self.learnt.learner.copy()
        try:
            learner.restore(arrays, done[2])
            ahead = from_arrays(learner.network, arrays, "ahead")
            codes = np.array(arrays["codes"], np.int64).reshape(-1, self.lab.game.key_words)
            shares = np.array(arrays["shares"], np.float32).reshape(-1, self.sizes.moves)
            targets = np.array(arrays["targets"], np.float32)
            fits = np.array_equal(ahead.places, arrays.get("places", []))
            if not fits or not len(codes) == len(shares) == len(targets):
                raise ValueError
        except (ValueError, KeyError) as error:
            raise BadFile(message("{path} does not hold this training", path=path)) from error
        self.learnt = Learnt(done[0], done[1], learner, ahead, codes, shares, targets)


def facts_of(learnt: Learnt, samples: list[Samples], losses: Losses) -> Generation:
    """Return the facts of the generation that was learnt last."""
    wins, draws, defeats = np.array([part.firsts for part in samples]).sum(0).tolist()
    positions = sum(map(len, samples))
    return Generation(learnt.generations, learnt.games, (wins, draws, defeats), positions, losses)
