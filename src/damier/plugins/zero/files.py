"""Files of a network: the folder of an agent `zero`, and one file among the learners of the web lab.

    facts.json           the game, the options, the curve, which files belong to it: JSON with a checksum
    network-N.arrays     the network that plays after N generations; one of convolutions: network-N.onnx
    learner-N.arrays     all that is needed to go on: the learner's moments, the window of positions

The arrays are written before `facts.json` names them, and removed after it names others: killed at any
moment a folder holds a whole training. Nothing in it can run. One file among the learners of the web lab
holds the same: facts, weights, and all that is needed to go on.
"""

from __future__ import annotations

import contextlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

import damier
from damier.core.errors import BadFile, BadInput
from damier.core.files import make_folder, write_bytes
from damier.core.game import Game, game_facts
from damier.core.json_data import JsonBounds, read_arrays, read_json, whole_number, write_arrays, write_json
from damier.core.json_types import JsonObject
from damier.core.words import message
from damier.learn.store import require_same_game
from damier.plugins.zero import encoding
from damier.plugins.zero.encoding import NetworkSizes
from damier.plugins.zero.network import Array, Network, OnnxNetwork, Perceptron, checksum_of, read_onnx

FACTS = "facts.json"
FORMAT, NETWORK, LEARNER = "damier-zero/1", "damier-zero-network/1", "damier-zero-learner/1"
BOUNDS = JsonBounds(1 << 24, 20_000, 1_000_000)
ONNX, CHECKSUM = ".onnx", "network_sha256"
"""How the name of a network as ONNX ends, and where the facts hold its checksum."""
SHARE = ("share", "positions", "low", "high", "loss")
"""What a grade says of a choice, as `grading.Share` has it."""
LARGEST, LARGEST_LEARNER = 1 << 33, 1 << 28
"""Bytes of a file of arrays of a folder, and of a file in the web lab, at most."""


@dataclass(frozen=True)
class Folder:
    """Contents of the folder of an agent.

    Attributes:
        path: the folder
        facts: the data of `facts.json`
        sizes: the sizes of its game, as the network has them
    """

    path: Path
    facts: JsonObject
    sizes: NetworkSizes

    def network(self, game: Game) -> Perceptron | OnnxNetwork:
        """The network that plays. Raises BadFile for one of another game or size, or a damaged one; BadInput
        where it needs a package that is not installed.
        """
        with naming(self.path):
            require_same_game(self.facts, game)
        path = self.path / str(self.facts["network"])
        network: Perceptron | OnnxNetwork
        if path.suffix == ONNX:
            network = read_onnx(path, self.facts.get(CHECKSUM))
        else:
            header, arrays = read_arrays(path, NETWORK, largest=LARGEST)
            network = Perceptron(shaped(self.path, header.get("shapes"), arrays))
        input_size, slots = encoding.input_count(game), self.sizes.slots
        if network.input_size != input_size or network.slots != slots:
            raise BadFile(
                message(
                    "{path}: its network sees {n} numbers and answers {m}; {game} has {seen} and {slots}",
                    path=self.path,
                    n=network.input_size,
                    m=network.slots,
                    game=game.text,
                    seen=input_size,
                    slots=slots,
                )
            )
        return network

    def learner(self) -> tuple[Mapping[str, NDArray[np.generic]], tuple[int, int, int]]:
        """All that is needed to go on: arrays; generations, games and steps so far. Raises BadFile."""
        _header, arrays = read_arrays(self.path / str(self.facts["learner"]), LEARNER, largest=LARGEST)
        return arrays, done_by(self.facts, self.path / FACTS)


def done_by(facts: JsonObject, path: Path | str) -> tuple[int, int, int]:
    """Generations, games and steps so far, by the facts of a file. Raises BadFile."""
    found = [whole_number(facts.get(name)) for name in ("generations", "games", "steps")]
    if any(number is None or number < 0 for number in found):
        raise BadFile(message("{path} does not say how far it is", path=path))
    return int(str(found[0])), int(str(found[1])), int(str(found[2]))


@contextlib.contextmanager
def naming(path: Path) -> Iterator[None]:
    """Names the folder in what is said of its contents."""
    try:
        yield
    except BadFile as error:
        raise BadFile(message("{path}: {error}", path=path, error=error)) from error


def shaped(
    path: Path, shapes: Any, arrays: Mapping[str, NDArray[np.generic]], called: str = "weight"
) -> list[Array]:
    """The weights of a network from arrays that are `called` so and numbered. Raises BadFile."""
    try:
        found = [
            np.array(arrays[f"{called}{number}"], np.float32).reshape([int(size) for size in shape])
            for number, shape in enumerate(shapes)
        ]
        matrices, biases = found[::2], found[1::2]
        fits = len(matrices) == len(biases) >= 2 and all(
            matrix.ndim == 2 and bias.shape == matrix.shape[1:]
            for matrix, bias in zip(matrices, biases, strict=True)
        )
        joined = all(above.shape[1] == below.shape[0] for above, below in pairwise(matrices))
        square = all(matrix.shape[0] == matrix.shape[1] for matrix in matrices[1:-1])
        if not (fits and joined and square and all(np.isfinite(array).all() for array in found)):
            raise ValueError
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise BadFile(message("{path} holds no network", path=path)) from error
    return found


def is_folder(path: Path) -> bool:
    """Return whether a path is the folder of an agent `zero`, or its facts."""
    return (path / FACTS).is_file()


def open_folder(path: Path) -> Folder:
    """Read the facts of a folder. Raises BadFile, BadInput where there is none."""
    path = path.parent if path.name == FACTS else path
    if not is_folder(path):
        raise BadInput(
            message(
                "{path} is no folder of an agent zero; damier train GAME zero --out {path} makes one",
                path=path,
            )
        )
    facts = read_json(path / FACTS, FORMAT, BOUNDS)
    for name in ("network", "learner"):
        file = facts.get(name)
        kinds = (".arrays", ONNX) if name == "network" else (".arrays",)
        if not isinstance(file, str) or Path(file).name != file or not file.endswith(kinds):
            raise BadFile(
                message("{path} names no file of its folder as its {name}", path=path / FACTS, name=name)
            )
    sizes, settings = facts.get("sizes"), facts.get("settings")
    if not isinstance(sizes, dict) or not isinstance(settings, dict) or not is_curve(facts.get("curve")):
        raise BadFile(message("{path} does not say what the folder of an agent zero says", path=path / FACTS))
    with naming(path):
        return Folder(path, facts, NetworkSizes.read(sizes))


def is_curve(curve: Any) -> bool:
    """Return whether data is a curve as a training writes it: generations with their grades."""
    try:
        for row in curve:
            numbers = [row["generation"], row["games"]]
            if "alone" in row:
                numbers += [row[kind][name] for kind in ("alone", "searched") for name in SHARE]
                numbers.append(row["simulations"])
                for grade in (row["grade"], row["grade_searched"]):
                    pairs = [grade["seats"], grade["best_response"]] if grade else []
                    numbers += [seat["payoff"] for first, second in pairs for seat in (first, second)]
            if not all(type(number) in (int, float) for number in numbers):
                return False
    except (KeyError, TypeError, ValueError):
        return False
    return isinstance(curve, list)


def save(
    path: Path,
    game: Game,
    network: Network,
    arrays: Mapping[str, NDArray[np.generic]],
    facts: JsonObject,
) -> None:
    """Write a folder after some generations, in one step. Raises BadInput where it cannot be written, or a
    package is missing that writes its network.
    """
    number = facts["generations"]
    make_folder(path)
    names = {kind: f"{kind}-{number}.arrays" for kind in ("network", "learner")}
    checksum: JsonObject = {}
    if isinstance(network, Perceptron):
        weights = {f"weight{n}": array.reshape(-1) for n, array in enumerate(network.weights)}
        shapes = [list(array.shape) for array in network.weights]
        write_arrays(path / names["network"], NETWORK, {"shapes": shapes}, weights, LARGEST)
    else:
        names["network"], content = f"network-{number}{ONNX}", network.as_onnx()
        checksum = {CHECKSUM: checksum_of(content)}
        write_bytes(path / names["network"], content)
    write_arrays(path / names["learner"], LEARNER, {}, dict(arrays), LARGEST)
    data: JsonObject = {
        "format": FORMAT,
        "damier": damier.__version__,
        **game_facts(game),
        **facts,
        **names,
        **checksum,
    }
    write_json(path / FACTS, data, BOUNDS)
    for kind, name in names.items():
        for old in [*path.glob(f"{kind}-*.arrays"), *path.glob(f"{kind}-*{ONNX}")]:
            if old.name != name:
                with contextlib.suppress(OSError):
                    old.unlink()


# One file in the web lab.

LEARNER_FORMAT = "damier-zerolearner/1"
WEIGHT = "network"
"""What the names of the arrays of weights begin with."""


@dataclass(frozen=True)
class KeptNetwork:
    """Contents of such a file.

    Attributes:
        facts: how it was trained, and its curve, as in the folder of an agent
        sizes: the sizes of its game
        network: the network that plays
        arrays: its weights, and all that is needed to go on
    """

    facts: JsonObject
    sizes: NetworkSizes
    network: Perceptron
    arrays: Mapping[str, NDArray[np.generic]]

    def done(self) -> tuple[int, int, int]:
        """Return generations, games and steps so far. Raises BadFile."""
        return done_by(self.facts, LEARNER_FORMAT)


def keep(
    path: Path,
    game: Game,
    learner: str,
    network: Network,
    arrays: Mapping[str, NDArray[np.generic]],
    facts: JsonObject,
) -> None:
    """Write such a file, in one step. Raises BadInput, LimitReached where there is no room."""
    weights: dict[str, NDArray[np.generic]] = {
        f"{WEIGHT}{number}": array.reshape(-1) for number, array in enumerate(network.weights)
    }
    header: JsonObject = {
        **game_facts(game),
        "learner": learner,
        "shapes": [list(array.shape) for array in network.weights],
        "facts": facts,
        "games": facts["games"],
    }
    write_arrays(path, LEARNER_FORMAT, header, weights | dict(arrays), LARGEST_LEARNER)


def kept(path: Path, game: Game) -> KeptNetwork:
    """Read such a file. Raises BadFile for one of another game, or a damaged one."""
    header, arrays = read_arrays(path, LEARNER_FORMAT, largest=LARGEST_LEARNER)
    require_same_game(header, game)
    facts = header.get("facts")
    sizes = facts.get("sizes") if isinstance(facts, dict) else None
    if not isinstance(facts, dict) or not isinstance(sizes, dict) or not is_curve(facts.get("curve")):
        raise BadFile(message("{path} holds no network", path=path))
    found = NetworkSizes.read(sizes)
    network = Perceptron(shaped(path, header.get("shapes"), arrays, WEIGHT))
    if len(network.weights[0]) != encoding.input_count(game) or network.slots != found.slots:
        raise BadFile(message("{path} holds no network", path=path))
    return KeptNetwork(facts, found, network, arrays)


def zipped(found: KeptNetwork, game: Game, name: str) -> bytes:
    """Return the folder of an agent as a ZIP file, always the same bytes."""
    made = io.BytesIO()
    with TemporaryDirectory() as held, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        folder = Path(held)
        rest = {name: array for name, array in found.arrays.items() if not name.startswith(WEIGHT)}
        save(folder, game, found.network, rest, found.facts)
        for path in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(f"{name}/{path.name}")
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()
