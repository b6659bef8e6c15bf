"""A book: what is proven of early positions of a game, images under symmetries as one. Of some it has the
exact scores, all of a ply or those that games reach most; of others, which a proof of these took
long to come by, bounds. Whoever searches takes it into the table, and does not prove it again.

The file (`core/json_data.py`) says for which rules it was made, by what they do (`Game.fingerprint`),
so that it holds in every version of Python. Its one array is compressed:

    the least keys, ascending, as differences: all lowest bytes, then all second bytes, … (8 of them)
    a byte for each, the least it is worth, then another for each, the most: n where player 0 wins in
    n plies, -n where player 1 does, 0 a draw; 127 and -127 where nothing bounds it
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from damier.core.arrays import IntArray, np
from damier.core.errors import BadFile, LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import read_arrays, whole_number, write_arrays
from damier.core.json_types import JsonObject
from damier.core.rules import TOP, Key, State, later, loss_in, win_in
from damier.core.solution import side
from damier.core.words import _, message
from damier.search import bounds_table, exact
from damier.search.exact import Prover
from damier.search.proof_store import (
    Bounds,
    Proofs,
    ProvenScore,
    end_score,
    join,
    least_image,
    recall,
    take_in,
    tighten,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT: Final = "damier-book/2"
PACKED = "packed"
LARGEST = 1 << 26
MOST_POSITIONS = 1 << 26
FARTHEST = 126
"""Plies of the longest win that a byte says."""
OPEN = 127
"""The byte of what nothing bounds, with its sign."""
ENTRY = 10
"""Bytes of a position, unpacked."""


@dataclass(frozen=True)
class Book:
    """Bounds of the scores of positions up to a ply that are not over, as proofs that nobody adds to.

    Attributes:
        keys: int64 of any length, ascending: the least keys of images
        low, high: int8 of the same length
    """

    game: Game
    plies: int
    keys: NDArray[np.int64]
    low: NDArray[np.int8]
    high: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.keys)

    def look(self, s: State) -> ProvenScore | None:
        """Return what the book says of a position."""
        if self.game.ply(s) > self.plies:
            return None
        key = book_key(self.game, s)
        place = int(self.keys.searchsorted(key))
        if place == len(self.keys) or int(self.keys[place]) != key:
            return None
        return ProvenScore(score_of_byte(int(self.low[place])), score_of_byte(int(self.high[place])))

    def note(self, s: State, proven: ProvenScore) -> None:
        """A book is closed."""

    @cached_property
    def slots(self) -> IntArray:
        """[slots, 2] All of it and all images, as slots of a table (`bounds_table`)."""
        found = []
        for key, low, high in zip(self.keys.tolist(), self.low.tolist(), self.high.tolist(), strict=True):
            s = self.game.unkey(key)
            bounds = Bounds(score_of_byte(low), score_of_byte(high)).for_mover(side(self.game, s))
            entry = bounds_table.entry_of(*bounds, 0, DEAR)
            images = (self.game.turn(s, symmetry) for symmetry in range(self.game.symmetries()))
            found += [
                (entry, image ^ entry) for image in {one_word(self.game, self.game.key(s)) for s in images}
            ]
        return np.array(found, np.int64).reshape(-1, 2)


DEAR = 1 << 16
"""Nodes of a proof that is kept in a book: some hundredths of a second of compiled code."""


def book_key(game: Game, s: State) -> int:
    """The least key of the images of a position. Raises LimitReached where it needs several words."""
    return one_word(game, least_image(game, s)[0])


def one_word(game: Game, key: Key) -> int:
    """A key that is a word. Raises LimitReached for another."""
    if not isinstance(key, int):
        raise LimitReached(message("{game}: its positions need too many bits for a book", game=game.text))
    return key


def score_of_byte(plies: int) -> int:
    """The score that a byte says.

    >>> score_of_byte(3) == win_in(3), score_of_byte(-4) == loss_in(4), score_of_byte(0)
    (True, True, 0)
    >>> score_of_byte(127) == TOP, score_of_byte(-127) == -TOP
    (True, True)
    """
    if abs(plies) == OPEN:
        return TOP if plies > 0 else -TOP
    return win_in(plies) if plies > 0 else loss_in(-plies) if plies < 0 else 0


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
    write_arrays(path, FORMAT, header, {PACKED: np.frombuffer(packed, np.int8)}, LARGEST)


def read_book(path: Path, game: Game) -> Book:
    """The book of a game. Raises BadFile, also for one that was made for other rules."""
    header, arrays = read_arrays(path, FORMAT, largest=LARGEST)
    positions, plies = whole_number(header.get("positions")), whole_number(header.get("plies"))
    if positions is None or plies is None or not 0 < positions <= MOST_POSITIONS or set(arrays) != {PACKED}:
        raise BadFile(message("{path} does not say how many positions it has", path=path))
    if header.get("game") != game.name or header.get("fingerprint") != game.fingerprint():
        raise BadFile(message("{path} was made for other rules than {game}", path=path, game=game.text))
    try:
        whole = zlib.decompressobj().decompress(arrays[PACKED].tobytes(), ENTRY * positions)
    except zlib.error as error:
        raise BadFile(message("{path} is damaged: {error}", path=path, error=error)) from None
    if len(whole) != ENTRY * positions:
        raise BadFile(message("{path} has fewer positions than it says", path=path))
    planes = np.frombuffer(whole, np.uint8, 8 * positions).reshape(8, positions)
    keys = np.ascontiguousarray(planes.T).view("<i8").ravel().cumsum(dtype=np.int64)
    told = np.frombuffer(whole, np.int8, 2 * positions, 8 * positions).reshape(2, positions)
    return Book(game, plies, keys, told[0], told[1])


# How a book is made. Of all positions: those of its last ply are proven one by one, and those before them
# follow by minimax. Of those that games reach: each with all of its moves, those reached most at first.

CHUNK = 1 << 27
"""Nodes after which what is proven of a position so far is noted: some seconds."""


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
