"""An exact search that takes longer than a process may last: what it has proven goes to a file now and then,
from which it goes on; `scripts/othello` runs it.

    {"format": "damier-search/1", game, options, fingerprint, position, units, "low", "high", "nodes",
     "slot_words"}    slots    the dear ones of the table (`bounds_table`), one after the other
"""

from __future__ import annotations

import time
from pathlib import Path

from damier.core.analysis import require
from damier.core.arrays import np
from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import read_arrays, whole_number, write_arrays
from damier.core.json_types import JsonObject
from damier.core.rules import TOP, State
from damier.core.words import _, message
from damier.search import bounds_table
from damier.search.exact import NEEDS, Exact, Prover
from damier.search.proof_store import Bounds

FORMAT = "damier-search/1"
DEAR = 1 << 16
"""Nodes that a proof has taken which goes to the file. It is a small part of the table, and nearly all of the
work: what is cheap is soon proven again.
"""
SLICE = 1 << 28
"""Nodes between two writings: less than a minute of compiled code."""


def search_on_file(
    game: Game,
    s: State,
    path: Path,
    job: Job,
    seconds: float | None = None,
    *,
    units: bool = False,
    guess: int = 1,
    slice: int = SLICE,
) -> Exact:
    """Proves the score of `s`, compiled, from where the file at `path` was left, and writes there how far
    it came after every `slice` of nodes, so that it may be ended by anything. `nodes` are those of all
    runs. Of payoffs the first question is whether they are at least `guess`: a good guess saves
    proofs, and a bad one proves nothing wrong.

    Raises Unsuitable for a game of another kind, BadFile where the file is of another search, Uncompilable.
    """
    require(game, _("exact search"), *NEEDS)
    begun = time.perf_counter()
    prover = Prover(game, True, bounds_table.slots_within(game, job.memory), units, job.jobs)
    found = Exact(game, s, units=units)
    if path.exists():
        _read(path, found, prover)
    while not found.bounds.exact and not found.stopped:
        prover.run.begin(slice)
        prover.run.watched(
            lambda: prover.narrow(s, found.bounds, guess), None if seconds is None else begun + seconds
        )
        found.nodes += prover.run.nodes
        found.interrupted = prover.run.interrupted
        late = seconds is not None and time.perf_counter() >= begun + seconds
        found.stopped = prover.run.stopped and (found.interrupted or late)
        _write(path, found, prover)
        job.progress(found.nodes, None, _("nodes"))
    found.seconds = time.perf_counter() - begun
    return found


def _write(path: Path, found: Exact, prover: Prover) -> None:
    game, slots = found.game, prover.dear(DEAR)
    header: JsonObject = {
        "game": game.name,
        "options": {**game.options},
        "fingerprint": game.fingerprint(),
        "position": list(found.state),
        "units": found.units,
        "low": found.bounds.low,
        "high": found.bounds.high,
        "nodes": found.nodes,
        "slot_words": slots.shape[1],
    }
    write_arrays(path, FORMAT, header, {"slots": slots.ravel()})


def _read(path: Path, found: Exact, prover: Prover) -> None:
    """Take in what the file says. Raises BadFile where it is of another search."""
    game = found.game
    header, arrays = read_arrays(path, FORMAT)
    if header.get("game") != game.name or header.get("fingerprint") != game.fingerprint():
        raise BadFile(message("{path} was made for other rules than {game}", path=path, game=game.text))
    if game.read_state(header.get("position")) != found.state or header.get("units") != found.units:
        raise BadFile(message("{path} is of the search of another position", path=path))
    low, high, nodes = (whole_number(header.get(name)) for name in ("low", "high", "nodes"))
    words = bounds_table.words_of_slot(game, game.key_words)
    slots = arrays["slots"]
    if low is None or high is None or nodes is None or not -TOP <= low <= high <= TOP:
        raise BadFile(message("{path} does not say what is proven", path=path))
    if header.get("slot_words") != words or slots.dtype != "int64" or len(slots) % words:
        raise BadFile(message("{path} has no table of this game", path=path))
    found.bounds, found.nodes = Bounds(low, high), nodes
    prover.take_in(np.array(slots, np.int64))
