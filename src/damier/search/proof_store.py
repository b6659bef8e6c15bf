"""Proofs made before of the positions of a game, images under symmetries as one: in a store, to which
searches add, and in a book that comes with a game.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import struct
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from damier.core import rules
from damier.core.arrays import IntArray, np
from damier.core.digest import Digest
from damier.core.errors import BadFile, LimitReached, Uncompilable
from damier.core.files import doubt_about
from damier.core.game import Game
from damier.core.json_data import read_arrays, whole_number
from damier.core.rules import TOP, Key, State, as_it_is, later, loss_in, sooner, win_in
from damier.core.solution import side
from damier.core.words import message
from damier.search import bounds_table

if TYPE_CHECKING:
    from numpy.typing import NDArray


# A file of proofs: of bounded size, shared by processes, and of which any byte may be wrong.
#
# The file is a table of pages, and a page of records; there is no header, and nothing else to be kept
# whole. A proof stands in one page, which its key names:
#
#     key    low    high    move    nodes    checksum of the 26 bytes before
#      12      2       2       2        8       6                              32 bytes, 128 a page
#
# A key is the first 12 bytes of a digest of what the proof is about, so that whatever else is different
# is another key. A record whose checksum is wrong is a free place: one that was never written, that was
# damaged, or that a killed process has left half written. In a full page the cheapest proof gives way.

RECORD = struct.Struct("<12shhhQ6s")
KEY, CHECKED = 12, RECORD.size - 6
PAGE = 1 << 12
PLACES = PAGE // RECORD.size
PAGES = 1 << 13
"""32 MiB on disk where every page is in use: a million proofs."""
NO_MOVE = -1
PAUSES = [0.001 * 2**number for number in range(11)]
"""Seconds between attempts at a page that another process writes, 2 s in all: who writes may have lost its
processor for a while on a busy machine, but a process that was stopped while it wrote is not waited for."""


class ProofRecord(NamedTuple):
    """A proof as the file has it: the move is a number from 0 to 32767, or NO_MOVE."""

    low: int
    high: int
    move: int
    nodes: int


class ProofPages:
    """The file at `path`, of so many pages; where it cannot be read or written nothing is known, and
    nothing is kept.
    """

    def __init__(self, path: Path, pages: int = PAGES) -> None:
        self.path, self.pages = path, pages

    def look(self, key: bytes) -> ProofRecord | None:
        """Return what is known under a key of KEY bytes."""
        with contextlib.suppress(OSError), self._opened(os.O_RDONLY) as descriptor:
            page = _read(descriptor, self._offset(key))
            if (place := _place_of(key, page)) is not None:
                return _record(page, place)
        return None

    def note(self, key: bytes, proof: ProofRecord) -> None:
        """Writes a proof, joined with what is known under its key."""
        with (
            contextlib.suppress(OSError),
            self._opened(os.O_RDWR | os.O_CREAT) as descriptor,
            _locked(descriptor, self._offset(key)) as held,
        ):
            if not held:
                return
            page = _read(descriptor, self._offset(key))
            place = _place_of(key, page)
            if place is not None:
                old = _record(page, place)
                proof = joined(old, proof)
                if proof[:3] == old[:3]:  # nothing new
                    return
            else:
                place = _place_for(proof, page)
            if place is not None:
                os.lseek(descriptor, self._offset(key) + place * RECORD.size, os.SEEK_SET)
                os.write(descriptor, _packed(key, proof))

    def _offset(self, key: bytes) -> int:
        return int.from_bytes(key[:8], "little") % self.pages * PAGE

    @contextlib.contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        """A descriptor for one page, so that a file that was deleted or replaced is found again.

        Raises OSError, also where somebody else could have written the file.
        """
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode) or doubt_about(self.path, status):
                raise PermissionError(self.path)
            yield descriptor
        finally:
            os.close(descriptor)


def joined(old: ProofRecord, new: ProofRecord) -> ProofRecord:
    """Return what two proofs of one position say together."""
    low, high = max(old.low, new.low), min(old.high, new.high)
    if low > high:  # one of them is wrong: the one that nobody has just made
        return new
    return ProofRecord(low, high, old.move if new.move == NO_MOVE else new.move, old.nodes + new.nodes)


def _packed(key: bytes, proof: ProofRecord) -> bytes:
    low, high, move, nodes = proof
    checked = RECORD.pack(key, low, high, move, min(nodes, (1 << 63) - 1), b"")[:CHECKED]
    return checked + _checksum(checked)


def _checksum(checked: bytes) -> bytes:
    return hashlib.blake2b(checked, digest_size=RECORD.size - CHECKED).digest()


def _read(descriptor: int, offset: int) -> bytes:
    """A page; beyond the end of the file there are zeros."""
    os.lseek(descriptor, offset, os.SEEK_SET)
    return os.read(descriptor, PAGE).ljust(PAGE, b"\0")


def _record(page: bytes, place: int) -> ProofRecord:
    return ProofRecord._make(RECORD.unpack_from(page, place * RECORD.size)[1:5])


def _is_whole(page: bytes, place: int) -> bool:
    begin = place * RECORD.size
    checked = page[begin : begin + CHECKED]
    return page[begin + CHECKED : begin + RECORD.size] == _checksum(checked)


def _place_of(key: bytes, page: bytes) -> int | None:
    """Return where a proof stands."""
    begin = page.find(key)
    while begin >= 0:
        place, inside = divmod(begin, RECORD.size)
        if not inside and _is_whole(page, place):
            return place
        begin = page.find(key, begin + 1)
    return None


def _place_for(proof: ProofRecord, page: bytes) -> int | None:
    """A free place for a proof, or that of a cheaper one."""
    cheapest, found = proof.nodes, None
    for place in range(PLACES):
        if not _is_whole(page, place):
            return place
        if (nodes := _record(page, place).nodes) <= cheapest:
            cheapest, found = nodes, place
    return found


@contextlib.contextmanager
def _locked(descriptor: int, offset: int) -> Iterator[bool]:
    """Around the writing of a page: whether no other process writes it, in which case none will. The
    system lets go for who is killed.
    """
    try:
        import fcntl
    except ImportError:  # where there are no such locks, what two write at once may be lost
        yield True
        return
    for pause in PAUSES:
        try:
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, PAGE, offset)
        except BlockingIOError:
            time.sleep(pause)
        else:
            yield True
            return
    yield False


# What was proven before of single positions, as searches ask for it: they know no files.


class ProvenScore(NamedTuple):
    """Bounds of a score that were proven before.

    Attributes:
        low, high: the least and the most score of a position, for player 0 (`core.solution`); of payoffs, in
            units
        move: one that leads to the score, where that is exact and one is known
        nodes: what the proof cost, in positions looked at
    """

    low: int
    high: int
    move: int | None = None
    nodes: int = 0


class Proofs(Protocol):
    """Proofs about positions of one game."""

    def look(self, s: State) -> ProvenScore | None:
        """Return what is known of a position."""

    @property
    def slots(self) -> IntArray | None:
        """[slots, words] All that is known at once, as slots of a compiled `search.bounds_table`."""

    def note(self, s: State, proven: ProvenScore) -> None:
        """Takes in what was proven of a position; what is known of it already stays known."""


ALGORITHM = 1
"""Raised where an exact search has proven what is wrong: no proof of an earlier one is read then."""
MOST_MOVES = 1 << 15
"""Moves of a position among which a record can say one."""


@dataclass
class Bounds:
    """Proven bounds of a position's score for player 0."""

    low: int = -TOP
    high: int = TOP

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def for_mover(self, side: int) -> tuple[int, int]:
        """The least and the most for the player whose side is 1 (player 0) or -1."""
        return (self.low, self.high) if side > 0 else (-self.high, -self.low)

    def question(self) -> int:
        """Return what to ask next: at least how much?"""
        if self.low <= 0 < self.high:
            return 1
        if self.low < 0 <= self.high:
            return 0
        if self.low > 0:
            return win_in(horizon(TOP - self.high, TOP - self.low))
        return loss_in(horizon(self.low + TOP, self.high + TOP)) + 1

    def nearest_question(self, guess: int) -> int:
        """Return the next question about payoffs, whose least and most nobody knows: next to what is
        proven, since a question that is far from the truth still takes a proof (the MTD(f) of Plaat and
        others [Plaat96]). First whether it is at least the `guess`.
        """
        if self.low > -TOP:
            return self.low + 1
        return self.high if self.high < TOP else guess

    def answered(self, question: int, found: int) -> None:
        """Takes an answer in."""
        if found >= question:
            self.low = found
        else:
            self.high = found


def farther(plies: int) -> int:
    """Half as far again: what lies nearer is proven in a fraction of the time."""
    return max(3, plies + (plies + 1) // 2)


def horizon(nearest: int, farthest: int) -> int:
    """Within how many plies to ask for the end next, which comes after so many at least and at most:
    half as far again as the nearest, or all but the farthest where two such steps lead beyond it. (The
    step between cost a quarter more in Connect Four from the empty board.)
    """
    step = farther(nearest)
    return step if farther(step) < farthest else farthest - 1


class ProofStore:
    """Knowledge of a file about positions of `game`: scores as `core.solution` has them, or, with `units`,
    payoffs.

    Raises Uncompilable for rules that depend on what has no digest: nobody could tell whether they are
    the same the next time.
    """

    def __init__(self, game: Game, path: Path, *, units: bool = False, pages: int = PAGES) -> None:
        self.game = game
        self._pages = ProofPages(path, pages)
        self._prefix = f"{ALGORITHM} {units} {rules_digest(game)} ".encode()

    def look(self, s: State) -> ProvenScore | None:
        """Return what is known of a position."""
        key, symmetry = canonical_image(self.game, s)
        found = self._pages.look(self._name(key))
        if found is None or not -TOP <= found.low <= found.high <= TOP:
            return None
        return ProvenScore(found.low, found.high, self._move(s, symmetry, found.move), found.nodes)

    @property
    def slots(self) -> None:
        """Nothing: it has proofs under digests of positions, which are looked up one by one."""

    def note(self, s: State, proven: ProvenScore) -> None:
        """Takes in what was proven of a position."""
        key, symmetry = canonical_image(self.game, s)
        number = self._number(s, symmetry, proven.move)
        self._pages.note(self._name(key), ProofRecord(proven.low, proven.high, number, proven.nodes))

    def _name(self, key: Key) -> bytes:
        return hashlib.blake2b(self._prefix + repr(key).encode(), digest_size=KEY).digest()

    def _number(self, s: State, symmetry: int, move: int | None) -> int:
        """The number of a move among those of the image that stands for `s`."""
        if move is None:
            return NO_MOVE
        turned = self.game.legal(self.game.turn(s, symmetry))
        number = turned.index(self.game.turn_move(move, symmetry))
        return number if number < MOST_MOVES else NO_MOVE

    def _move(self, s: State, symmetry: int, number: int) -> int | None:
        """The move of such a number."""
        turned = self.game.legal(self.game.turn(s, symmetry))
        if not 0 <= number < len(turned):
            return None
        moves = (move for move in self.game.legal(s) if self.game.turn_move(move, symmetry) == turned[number])
        return next(moves, None)


def canonical_image(game: Game, s: State) -> tuple[Key, int]:
    """The least key among the images of a position, and the symmetry that leads to it."""
    return min((game.key(game.turn(s, symmetry)), symmetry) for symmetry in range(game.symmetries()))


@lru_cache(16)
def rules_digest(game: Game) -> str:
    """A digest of all the code and constants that the rules of a game reach: another version of Python
    may give another. Raises Uncompilable where something has none.
    """
    given = {getattr(rules, name): rule for name, rule in game.rules.items()}
    digest = Digest(lambda value: given.get(value, value) if callable(value) else value)
    for name in sorted(game.rules):
        digest.add(game.rules[name], name)
    return digest.hexdigest()


def kept_in(path: Path, game: Game, *, units: bool = False) -> ProofStore | None:
    """The store of a game's proofs; None of rules that have no digest, and of a game in which positions
    before one matter to it.
    """
    if game.has_past:
        return None
    try:
        return ProofStore(game, path, units=units)
    except Uncompilable:
        return None


# What an exact search takes from what was proven before, and what it hands on.

COSTLY = 100_000
"""Nodes from which a proof is worth to be kept: some hundredths of a second of compiled code."""


def recall(
    known: Proofs,
    game: Game,
    s: State,
    bounds: Bounds,
    children: Mapping[int, Bounds],
    *,
    units: bool = False,
) -> int:
    """Tightens the bounds of a position, and of what its moves lead to, by what is known of them, and by
    what follows of the ones for the others. Returns how many of these scores were known exactly.
    """
    if game.over(s):
        return 0
    after = {move: game.play(s, move) for move in children}
    found = {move: known.look(child) for move, child in after.items() if not game.over(child)}
    own = known.look(s)
    facts = [(own, bounds), *((proven, children[move]) for move, proven in found.items())]
    if not any(proven for proven, _bounds in facts):
        return 0
    ends = [(end_score(game, after[move], units), children[move]) for move in after.keys() - found.keys()]
    for proven, at_hand in (*facts, *ends):
        take_in(at_hand, proven)
    join(game, s, bounds, children, units=units)
    if own is not None and own.low == own.high and own.move is not None and children:
        score = own.low if units else sooner(own.low)
        tighten(children[own.move], score, score)
    return sum(proven is not None and proven.low == proven.high for proven, _bounds in facts)


def take_in(bounds: Bounds, proven: ProvenScore | None) -> None:
    """Tightens bounds by what is known, if anything is."""
    if proven is not None:
        tighten(bounds, proven.low, proven.high)


def end_score(game: Game, s: State, units: bool) -> ProvenScore | None:
    """The score of a position in which the game is over; None where it is no win, draw or loss, which a
    search refuses.
    """
    payoff = game.payoff(s, 0)
    if units:
        return ProvenScore(payoff, payoff)
    return ProvenScore(payoff * TOP, payoff * TOP) if abs(payoff) <= 1 else None


def keep(
    known: Proofs,
    game: Game,
    s: State,
    bounds: Bounds,
    children: Mapping[int, Bounds],
    nodes: int,
    *,
    units: bool = False,
) -> None:
    """Hands on what was proven at a cost of so many nodes, of which every move counts for an equal share;
    what was cheap is proven again as soon as it is looked up.
    """
    if nodes < COSTLY:
        return
    join(game, s, bounds, children, units=units)
    if bounds.low > 1 - TOP or bounds.high < TOP - 1:
        known.note(s, ProvenScore(bounds.low, bounds.high, best_move(bounds, children, units=units), nodes))
    for move, child in children.items():
        after = game.play(s, move)
        if (child.low > -TOP or child.high < TOP) and not game.over(after):
            known.note(after, ProvenScore(child.low, child.high, None, nodes // len(children)))


def join(
    game: Game, s: State, bounds: Bounds, children: Mapping[int, Bounds], *, units: bool = False
) -> None:
    """Minimax of bounds: a position is worth as much as the best of its moves, and none of them more."""
    if not children:
        return
    first, up, down = game.mover(s) == 0, (as_it_is if units else later), (as_it_is if units else sooner)
    best = max if first else min
    tighten(
        bounds,
        up(best(child.low for child in children.values())),
        up(best(child.high for child in children.values())),
    )
    for child in children.values():
        tighten(child, -TOP if first else down(bounds.low), down(bounds.high) if first else TOP)


def tighten(bounds: Bounds, low: int, high: int) -> None:
    """Takes in that a score is from `low` to `high`."""
    bounds.low, bounds.high = max(bounds.low, low), min(bounds.high, high)


def best_move(bounds: Bounds, children: Mapping[int, Bounds], *, units: bool = False) -> int | None:
    """A move that leads to the score of a position, where both are exact."""
    if not bounds.exact:
        return None
    score = bounds.low if units else sooner(bounds.low)
    return next((move for move, child in children.items() if child.exact and child.low == score), None)


# A book: what is proven of early positions of a game, images under symmetries as one. Of some it has the
# exact scores, all of a ply or those that games reach most; of others, which a proof of these took
# long to come by, bounds. Whoever searches takes it into the table, and does not prove it again.
#
# The file (`core/json_data.py`) says for which rules it was made, by what they do (`Game.fingerprint`),
# so that it holds in every version of Python. Its one array is compressed:
#
#     the least keys, ascending, as differences: all lowest bytes, then all second bytes, … (8 of them)
#     a byte for each, the least it is worth, then another for each, the most: n where player 0 wins in
#     n plies, -n where player 1 does, 0 a draw; 127 and -127 where nothing bounds it

BOOK_FORMAT: Final = "damier-book/2"
PACKED = "packed"
LARGEST_BOOK = 1 << 26
MOST_POSITIONS = 1 << 26
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
    return one_word(game, canonical_image(game, s)[0])


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


def read_book(path: Path, game: Game) -> Book:
    """The book of a game. Raises BadFile, also for one that was made for other rules."""
    header, arrays = read_arrays(path, BOOK_FORMAT, largest=LARGEST_BOOK)
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
    columns = np.frombuffer(whole, np.int8, 2 * positions, 8 * positions).reshape(2, positions)
    return Book(game, plies, keys, columns[0], columns[1])
