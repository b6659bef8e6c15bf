"""How a book of proven positions is made (`damier.search.proof_store` reads it); `scripts/book` runs it.

Of all positions: those of the last ply are proven one by one, and those before them follow by minimax. Of
those that games reach: each with all of its moves, those reached most at first.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from damier.core.arrays import np
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import write_arrays
from damier.core.json_types import JsonObject
from damier.core.rules import TOP, later
from damier.core.solution import side
from damier.core.words import _, message
from damier.search import bounds_table, exact
from damier.search.exact import Prover
from damier.search.proof_store import (
    BOOK_FORMAT,
    DEAR,
    LARGEST_BOOK,
    OPEN,
    PACKED,
    Book,
    Bounds,
    Proofs,
    ProvenScore,
    book_key,
    end_score,
    join,
    recall,
    score_of_byte,
    take_in,
    tighten,
)

FARTHEST = 126
"""Plies of the longest win that a byte says."""
CHUNK = 1 << 27
"""Nodes after which what is proven of a position so far is noted: some seconds."""


def byte_of_score(score: int) -> int:
    """Return the byte of a score. Raises LimitReached for a win that is farther than a byte says."""
    plies = TOP - abs(score)
    if score and plies > FARTHEST:
        raise LimitReached(message("a win in {n} plies is too far for a book", n=plies))
    found = 0 if score == 0 else plies or OPEN
    return found if score > 0 else -found


def book_of_bounds(game: Game, bounds: Mapping[int, Bounds]) -> Book:
    """The book of what is proven of positions, by their least keys."""
    keys = sorted(bounds)
    low, high = (
        np.array([byte_of_score(getattr(bounds[key], end)) for key in keys], np.int8)
        for end in ("low", "high")
    )
    return Book(
        game, max((game.ply(game.unkey(key)) for key in keys), default=0), np.array(keys, np.int64), low, high
    )


def write_book(path: Path, game: Game, bounds: Mapping[int, Bounds]) -> None:
    """Writes the book of what is proven."""
    book = book_of_bounds(game, bounds)
    keys, plies = book.keys, book.plies
    differences = np.diff(keys, prepend=np.int64(0)).astype("<i8")
    planes = differences.view(np.uint8).reshape(-1, 8).T
    packed = zlib.compress(planes.tobytes() + book.low.tobytes() + book.high.tobytes(), 9)
    header: JsonObject = {
        "game": game.name,
        "options": {**game.options},
        "fingerprint": game.fingerprint(),
        "plies": plies,
        "positions": len(keys),
    }
    write_arrays(path, BOOK_FORMAT, header, {PACKED: np.frombuffer(packed, np.int8)}, LARGEST_BOOK)


def early_positions(game: Game, plies: int) -> list[list[int]]:
    """The least keys of all positions of every ply up to `plies` in which the game goes on, ascending."""
    layers = [[book_key(game, game.start)]]
    for _ply in range(plies):
        after = (game.play(s, move) for s in map(game.unkey, layers[-1]) for move in game.legal(s))
        layers.append(sorted({book_key(game, child) for child in after if not game.over(child)}))
    return layers


def bounds_from_above(game: Game, layers: list[list[int]], known: Proofs) -> dict[int, Bounds]:
    """Return what follows for the last layer where positions of the one before are `known` already, from a
    book of fewer plies: that no move is better than its position.
    """
    found: dict[int, Bounds] = {}
    for s in map(game.unkey, layers[-2] if len(layers) > 1 else ()):
        children = {move: Bounds() for move in game.legal(s)}
        recall(known, game, s, Bounds(), children)
        for move, bounds in children.items():
            after = game.play(s, move)
            if not game.over(after):
                tighten(found.setdefault(book_key(game, after), Bounds()), bounds.low, bounds.high)
    return found


def prove_all(
    game: Game, keys: list[int], known: Proofs, job: Job, above: Mapping[int, Bounds] | None = None
) -> Iterator[int]:
    """Proves the score of every position of `keys`, all over one table, and yields each as soon as that
    is noted: what is `known` exactly at once. What was begun and is stopped has noted its bounds.

    Args:
        above: bounds that follow of positions before, by keys
    """
    jit = job.jit is not False
    prover = Prover(game, jit, bounds_table.slots_within(game, job.memory))
    for done, key in enumerate(keys):
        s, bounds = game.unkey(key), (above or {}).get(key, Bounds())
        take_in(bounds, known.look(s))
        while not bounds.exact:
            prover.run.spend(CHUNK, partial(prover.narrow, s, bounds))
            known.note(s, ProvenScore(bounds.low, bounds.high, None, prover.run.nodes))
            job.progress(done, len(keys), _("positions"))
            if prover.run.interrupted:
                raise KeyboardInterrupt
        yield key


def scores_upwards(game: Game, layers: list[list[int]], known: Proofs) -> dict[int, Bounds]:
    """The scores of the positions of all layers by their keys: those of the last as `known`, the others by
    minimax, which are noted too. Raises KeyError for a position of the last layer that is not known.
    """
    scores: dict[int, int] = {}
    costs: dict[int, int] = {}
    for key in layers[-1]:
        found = known.look(game.unkey(key))
        if found is None or found.low != found.high:
            raise KeyError(key)
        scores[key], costs[key] = found.low, found.nodes
    for key in (key for layer in reversed(layers[:-1]) for key in layer):
        s = game.unkey(key)
        best = max if game.mover(s) == 0 else min
        children = {}
        for move in game.legal(s):
            after = game.play(s, move)
            end = end_score(game, after, units=False) if game.over(after) else None
            image = book_key(game, after)
            children[move] = end.low if end is not None else scores[image]
            costs[key] = costs.get(key, 0) + costs.get(image, 0)
        move = best(children, key=children.__getitem__)
        scores[key] = later(children[move])
        known.note(s, ProvenScore(scores[key], scores[key], move, costs[key]))
    return {key: Bounds(score, score) for key, score in scores.items()}


def prove_moves(game: Game, keys: Iterable[int], found: dict[int, Bounds], job: Job) -> Iterator[int]:
    """Proves the score of every position of `keys` and of what each of its moves leads to, all over one
    table, and yields each as soon as they are in `found`: bounds by keys, of which nothing is proven again.
    At its end, which may be asked for at any time, what else was dear is there, too.
    """
    prover = Prover(game, True, bounds_table.slots_within(game, job.memory))
    prover.take_in(book_of_bounds(game, found).slots.ravel())
    try:
        for key in keys:
            _prove_moves(game, key, found, prover)
            yield key
    finally:
        for key, bounds in dear_of(prover).items():
            tighten(found.setdefault(key, Bounds()), bounds.low, bounds.high)


def _prove_moves(game: Game, key: int, found: dict[int, Bounds], prover: Prover) -> None:
    s, own = game.unkey(key), found.setdefault(key, Bounds())
    moves = {}
    for move in game.legal(s):
        after = game.play(s, move)
        moves[move] = Bounds() if game.over(after) else found.setdefault(book_key(game, after), Bounds())
        if game.over(after):
            take_in(moves[move], end_score(game, after, units=False))
    join(game, s, own, moves)
    while not own.exact or not all(bounds.exact for bounds in moves.values()):
        prover.run.spend(CHUNK, partial(exact.prove_all, game, s, own, moves, prover))
        if prover.run.interrupted:
            raise KeyboardInterrupt


def dear_of(prover: Prover) -> dict[int, Bounds]:
    """Return what a table knows of positions whose proofs took DEAR nodes or more."""
    game, found = prover.game, dict[int, Bounds]()
    for entry, sealed in prover.dear(DEAR).tolist():
        s = game.unkey(sealed ^ entry)
        told = Bounds(bounds_table.lower_of(entry), bounds_table.upper_of(entry))
        low, high = told.for_mover(side(game, s))
        tighten(found.setdefault(book_key(game, s), Bounds()), low, high)
    return found


def bounds_of(book: Book) -> dict[int, Bounds]:
    """All that a book says, by keys."""
    told = zip(book.keys.tolist(), book.low.tolist(), book.high.tolist(), strict=True)
    return {key: Bounds(score_of_byte(low), score_of_byte(high)) for key, low, high in told}
