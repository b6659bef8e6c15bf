"""A network as one file among the learners of the web lab: the facts of its folder, its weights, and all that
is needed to go on.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.json_data import read_arrays, whole_number, write_arrays
from damier.core.json_types import JsonObject
from damier.core.words import message
from damier.lab.lab import Lab
from damier.learn.store import require_same_game
from damier.plugins.zero import encoding
from damier.plugins.zero.agent import ZeroPlayer
from damier.plugins.zero.encoding import NetworkSizes
from damier.plugins.zero.folder import save, shaped
from damier.plugins.zero.network import Network, Perceptron
from damier.plugins.zero.self_play import Evaluator, SearchSettings, ZeroEngines

FORMAT = "damier-zerolearner/1"
LARGEST = 1 << 28
SIMULATIONS = 32
"""Simulations of an opponent at a board, whatever it was trained with."""
WEIGHT = "network"
"""What the names of the arrays of weights begin with."""


@dataclass(frozen=True)
class KeptNetwork:
    """Contents of such a file.

    Attributes:
        facts: how it was trained, and its curve, as in the folder of an agent
        sizes: the sizes of its game
        network: the network that plays
        arrays: all that is needed to go on
    """

    facts: JsonObject
    sizes: NetworkSizes
    network: Perceptron
    arrays: Mapping[str, NDArray[np.generic]]

    def done(self) -> tuple[int, int, int]:
        """Return generations, games and steps so far. Raises BadFile."""
        found = [whole_number(self.facts.get(name)) for name in ("generations", "games", "steps")]
        if any(number is None or number < 0 for number in found):
            raise BadFile(message("{path} does not say how far it is", path=FORMAT))
        return int(str(found[0])), int(str(found[1])), int(str(found[2]))


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
        "game": game.name,
        "options": game.options,
        "rules": game.fingerprint(),
        "learner": learner,
        "shapes": [list(array.shape) for array in network.weights],
        "facts": facts,
        "games": facts["games"],
    }
    write_arrays(path, FORMAT, header, weights | dict(arrays), LARGEST)


def kept(path: Path, game: Game) -> KeptNetwork:
    """Read such a file. Raises BadFile for one of another game, or a damaged one."""
    header, arrays = read_arrays(path, FORMAT, largest=LARGEST)
    require_same_game(header, game)
    facts = header.get("facts")
    sizes = facts.get("sizes") if isinstance(facts, dict) else None
    if not isinstance(facts, dict) or not isinstance(sizes, dict):
        raise BadFile(message("{path} holds no network", path=path))
    found = NetworkSizes.read(sizes)
    weights = {
        f"weight{name.removeprefix(WEIGHT)}": array
        for name, array in arrays.items()
        if name.startswith(WEIGHT)
    }
    network = Perceptron(shaped(path, header.get("shapes"), weights))
    if len(network.weights[0]) != encoding.input_count(game) or network.slots != found.slots:
        raise BadFile(message("{path} holds no network", path=path))
    rest = {name: array for name, array in arrays.items() if not name.startswith(WEIGHT)}
    return KeptNetwork(facts, found, network, rest)


def zipped(found: KeptNetwork, game: Game, name: str) -> bytes:
    """Return the folder of an agent as a ZIP file, always the same bytes."""
    made = io.BytesIO()
    with TemporaryDirectory() as held, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        folder = Path(held)
        save(folder, game, found.network, found.arrays, found.facts)
        for path in sorted(folder.iterdir()):
            entry = zipfile.ZipInfo(f"{name}/{path.name}")
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def player_of(lab: Lab, network: Evaluator, sizes: NetworkSizes, simulations: int, text: str) -> ZeroPlayer:
    """Return the player of a network. One position at a time is searched in plain Python: it takes some
    hundredths of a second, and no compiler.
    """
    from dataclasses import replace

    engines = ZeroEngines(lab.game, sizes, replace(lab.job, jit=False))
    return ZeroPlayer(text, engines, network, SearchSettings(simulations))


def opponent(lab: Lab, path: Path, text: str) -> ZeroPlayer:
    """Return the player of a file, as it sits at a board. Raises BadFile."""
    found = kept(path, lab.game)
    return player_of(lab, found.network, found.sizes, SIMULATIONS, text)
