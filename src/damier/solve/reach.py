"""The positions that can be reached, one layer after the other; and the units of their values, as some
random games tell them.

`_by_ply` serves games whose moves advance a ply: a layer is the sorted keys of one ply, found by
expanding the layer before it, sorting and dropping doubles. `_by_distance` serves all others: a
layer is what was first met after so many plies, told from old positions by a table: where moves
advance a ply that is the same layer, so it also serves games whose keys have several words, which are
not sorted. Cores share the first; one does the second. Both yield layers of codes
(`damier.core.open_addressing`): the key of a position or, up to symmetry, the smallest key among its images.
"""

from __future__ import annotations

import contextlib
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias, cast
from weakref import WeakKeyDictionary

from damier.core.arrays import IntArray, Ints, np
from damier.core.bits import Rng, seeded
from damier.core.codes import code_at, put_code, word_of_code
from damier.core.compile import Bindings, instantiate
from damier.core.errors import BadGame, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job, Workers, patient, patiently
from damier.core.moves import each, random_move
from damier.core.open_addressing import (
    NUMBERS_IN_DICTIONARY,
    Index,
    array_of,
    as_codes,
    flat,
    has_room,
    number_of,
    plain_index,
    renumber,
)
from damier.core.rules import Field, Key, State, as_it_is, as_state, key, most_moves, moves, over, play, unkey
from damier.core.symmetry import least_image
from damier.core.tiers import Allowance
from damier.core.words import FormattedNumber, _, message

SWEPT = 1 << 17  # positions expanded in one go: short for Ctrl-C


def code(s: State) -> Key:
    """Return what stands for a state: its key, unless `representative` is bound in its place."""
    return key(s)


def representative(s: State) -> Key:
    """The least key among the images of `s` under the symmetries of the game."""
    return least_image(s)[0]


def write_code(fields: tuple[Field, ...], codes: IntArray) -> None:
    """Writes the `code` of the start; compiled code is entered with a plain tuple."""
    put_code(codes, 0, code(as_state(fields)))


def expand(layer: IntArray, first: int, children: IntArray) -> tuple[int, int]:
    """Writes the codes of the children of layer[first:], as far as `children` has room; returns
    where it stopped and how many it wrote.
    """
    written = 0
    index = first
    while index < len(layer) and written + most_moves() <= len(children):
        s = unkey(layer[index])
        index += 1
        if not over(s):
            for move in each(moves(s)):
                children[written] = word_of_code(code(play(s, move)))
                written += 1
    return index, written


def drop_doubles(codes: IntArray) -> int:
    """Moves the different values of a sorted array to its front; returns how many there are."""
    kept = 0
    for index in range(len(codes)):
        if kept == 0 or codes[index] != codes[kept - 1]:
            codes[kept] = codes[index]
            kept += 1
    return kept


def unite(one: IntArray, two: IntArray, both: IntArray) -> int:
    """Writes the values of two ascending arrays, each once, to `both` in ascending order; returns
    how many there are.
    """
    i = j = written = 0
    while i < len(one) and j < len(two):
        x, y = one[i], two[j]
        both[written] = min(x, y)
        written += 1
        i += int(x <= y)  # no branches: which of the two is smaller cannot be foreseen
        j += int(y <= x)
    while i < len(one):
        both[written] = one[i]
        written += 1
        i += 1
    while j < len(two):
        both[written] = two[j]
        written += 1
        j += 1
    return written


def sweep(first: int, stop: int, table: Index) -> int:
    """Expands the codes numbered first to stop of a table of codes, adding the new ones; returns
    where it stopped for want of room.
    """
    index = first
    while index < stop and has_room(table, most_moves()):
        s = unkey(code_at(table[0], index))
        index += 1
        if not over(s):
            for move in each(moves(s)):
                number_of(table, code(play(s, move)))
    return index


PURE = NUMBERS_IN_DICTIONARY
PURE_STATES: Bindings = PURE | {
    code: as_it_is,
    unkey: as_it_is,
}  # without symmetries a state stands for itself
SYMMETRIC: Bindings = {code: representative}
STRIDE, LEAST_STRIDE = 10_000, 16
PURE_BYTES = 300  # a code, its number and its place in a dictionary


FARTHEST = 100_000
"""Plies after which a game that bounds its positions nowhere is taken to have no end."""


def require_end(game: Game, plies: int, positions: int) -> None:
    """Raises LimitReached where so many plies from the start there are still positions, too many plies."""
    if game.states is None and plies > FARTHEST:
        raise LimitReached(
            message(
                "{game} seems to go on for ever: after {plies} plies and {positions} positions there are"
                " still new ones. If it has an end, say so in its Game: states=N, no fewer than it has"
                " positions",
                game=game.text,
                plies=FormattedNumber(FARTHEST, ","),
                positions=FormattedNumber(positions, ","),
            ),
            {"positions": positions},
        )


class TooMany(Exception):
    """More positions than the limit, or than the memory budget holds."""


def require_allowed(allowance: Allowance | None, found: int) -> None:
    """Raises TooMany where the allowance ends: between two passes over so many positions."""
    if allowance is not None and allowance.spent(found):
        raise TooMany


def pure_layers(
    game: Game, start: State, job: Job, *, symmetric: bool = False, allowance: Allowance | None = None
) -> Iterator[list[State]]:
    """Layers of states (of keys, up to symmetry), by the ply at which they are first met.

    Raises TooMany where the allowance ends.
    """
    bind = PURE | SYMMETRIC if symmetric else PURE_STATES
    run, first_code = (
        instantiate(sweep, game, jit=False, bind=bind),
        instantiate(code, game, jit=False, bind=bind),
    )
    found = cast("list[State]", [first_code(start)])
    table = plain_index(found)
    done, by_ply = 0, []
    while done < len(found):
        stop = len(found)
        by_ply.append(stop - done)
        require_end(game, len(by_ply), stop)
        yield found[done:stop]
        while done < stop:
            done = run(done, min(done + _stride(game, allowance, len(found)), stop), table)
            require_allowed(allowance, len(found))
            job.require(len(found) * PURE_BYTES, by_ply)
            job.progress(len(found), None, _("positions"))


def _stride(game: Game, allowance: Allowance | None, found: int) -> int:
    """Return how many positions are expanded before the allowance is looked at again: where few are left of
    it, not many more than use it up, since each may have hundreds of moves.
    """
    if allowance is None:
        return STRIDE
    return min(STRIDE, max(LEAST_STRIDE, (allowance.positions - found) // game.most_moves()))


def has_at_most(game: Game, most: int, job: Job) -> bool:
    """Return whether no more than so many positions can be reached, as far as plain Python tells it at
    once.
    """
    try:
        for _layer in pure_layers(game, game.start, job, allowance=Allowance(most)):
            pass
    except TooMany:
        return False
    return True


def layers(game: Game, start: State, job: Job, *, symmetric: bool = False) -> Iterator[IntArray]:
    """Layers of keys, compiled: by ply and sorted where the game's moves advance one and a key is a
    word, else by the ply at which they are first met.
    """
    bind = SYMMETRIC if symmetric else {}
    first = array_of([0] * game.key_words, game.key_words)
    instantiate(write_code, game, jit=True, bind=bind)(game.fields(start), flat(first))
    return (_by_ply if sorts(game) else _by_distance)(game, first, job, bind)


def children_of(game: Game, layer: IntArray, job: Job, *, symmetric: bool = False) -> IntArray:
    """The ascending keys of what the ascending keys of a layer lead to; of a game that `sorts`."""
    found = _by_ply(game, layer, job, SYMMETRIC if symmetric else {})
    next(found, None)
    return next(found, layer[:0])


def sorts(game: Game) -> bool:
    """Return whether the positions of a game are found as sorted layers of keys."""
    return game.advances and game.key_words == 1


def _by_ply(game: Game, layer: IntArray, job: Job, bind: Bindings) -> Iterator[IntArray]:
    """Cores share the parts of a layer, and the uniting of what came of two of them."""
    make = SortedChildren(
        instantiate(expand, game, jit=True, bind=bind),
        instantiate(drop_doubles, game, jit=True),
        game.most_moves(),
        job,
    )
    join = instantiate(unite, game, jit=True)
    by_ply: list[int] = []
    known = 0  # the sum of `by_ply`, which may be of a hundred thousand layers
    runs: list[IntArray] = []

    def united(one: IntArray, two: IntArray) -> IntArray:
        both = np.empty(len(one) + len(two), np.int64)
        at_work = make.most_at_work if len(layer) > make.positions() else 0
        job.require(8 * (known + sum(map(len, runs)) + 2 * len(both) + at_work), by_ply)
        both.resize(merged(one, two, both, join, workers), refcheck=False)
        return both

    with Workers(job.jobs) as workers:
        while len(layer):
            by_ply.append(len(layer))
            known += len(layer)
            require_end(game, len(by_ply), known)
            yield layer
            # ascending, without doubles, each more than twice as long as the next
            runs = [np.empty(0, np.int64)]
            for made in workers.in_order(make, parts(layer, make.positions())):
                for run in made:
                    runs.append(run)
                    while len(runs) > 1 and len(runs[-2]) <= 2 * len(runs[-1]):
                        runs.append(united(runs.pop(), runs.pop()))
                job.progress(known + sum(map(len, runs)), None, _("positions"))
            while len(runs) > 1:
                runs.append(united(runs.pop(), runs.pop()))
            layer = runs[0]


def _by_distance(game: Game, first: IntArray, job: Job, bind: Bindings) -> Iterator[IntArray]:

    words = game.key_words
    run, enter = instantiate(sweep, game, jit=True, bind=bind), patient(instantiate(renumber, game, jit=True))
    found, slots = np.empty(words << 12, np.int64), np.full(1 << 13, -1, np.int64)
    filled = np.ones(1, np.int64)
    found[:words] = flat(first)
    enter((found, slots, filled))
    done, by_ply = 0, []
    while done < filled[0]:
        stop = int(filled[0])
        by_ply.append(stop - done)
        require_end(game, len(by_ply), stop)
        yield as_codes(found, words)[done:stop]
        while done < stop:
            done = run(done, min(stop, done + SWEPT), (found, slots, filled))
            if not has_room((as_codes(found, words), slots, filled), game.most_moves()):
                job.require(4 * 8 * (len(found) + len(slots)), by_ply)
                found = np.concatenate([found, np.empty_like(found)])
                slots = np.full(2 * len(slots), -1, np.int64)
                enter((found, slots, filled))
            job.progress(int(filled[0]), None, _("positions"))


def numbered(
    game: Game, start: State, job: Job, *, jit: bool, allowance: Allowance | None = None
) -> tuple[IntArray | list[State], Index, list[int]]:
    """All positions, compiled their keys, in a table for `number_of`, the start first, and how many were
    first met at each ply.

    Raises LimitReached beyond the memory budget, TooMany where the allowance ends.
    """
    if not jit:
        found = list(pure_layers(game, start, job, allowance=allowance))
        states = [s for layer in found for s in layer]
        return states, plain_index(states), list(map(len, found))
    by_ply, copies = [], []
    for layer in layers(game, start, job):
        by_ply.append(len(layer))
        copies.append(layer.copy())
    keys = np.concatenate(copies)
    del copies, layer  # `layer` holds on to the whole table of the search
    n = len(keys)
    table = (flat(keys), np.full(1 << (2 * n).bit_length(), -1, np.int64), np.full(1, n, np.int64))
    patient(instantiate(renumber, game, jit=True))(table)
    return as_codes(table[0], game.key_words), table, by_ply


# Sorted runs of keys, ascending and without doubles: made of the children of positions, and two of them
# united, by as many cores as there are.
#
# The runs that are made depend on how many cores there are, and what they are united to does not.

CHUNK = 1 << 22
"""Children made before they are sorted, by all cores together."""
SORTED_AT_ONCE = 1 << 17
"""Positions that take long to expand, for Ctrl-C."""
SHARE = 1 << 20
"""Values that are worth a core of their own."""

Expand: TypeAlias = Callable[[IntArray, int, IntArray], tuple[int, int]]
"""`damier.solve.reach.expand`, compiled."""
DropDoubles: TypeAlias = Callable[[IntArray], int]
"""`damier.solve.reach.drop_doubles`, compiled."""
Unite: TypeAlias = Callable[[IntArray, IntArray, IntArray], int]
"""`damier.solve.reach.unite`, compiled."""


def parts(layer: IntArray, size: int) -> Iterator[IntArray]:
    """The layer in pieces of `size` positions."""
    for first in range(0, len(layer), size):
        yield layer[first : first + size]


class SortedChildren:
    """Makes runs of what positions lead to: mostly one of each part of a layer.

    Attributes:
        most_at_work: the most codes in buffers, and in runs that wait for those before them
    """

    def __init__(self, expand: Expand, drop_doubles: DropDoubles, most_moves: int, job: Job) -> None:
        self._expand, self._drop_doubles, self._most = expand, drop_doubles, most_moves
        self._room, self.most_at_work = CHUNK, 0
        if job.jobs > 1:
            waiting = 3 * job.jobs + 1  # with a buffer for each core
            self._room = max(2 * most_moves, min(CHUNK // job.jobs, job.memory // 8 // (8 * waiting)))
            self.most_at_work = waiting * self._room
        self._spare: list[IntArray] = []  # buffers
        self._last = (0, 0)  # of the part made last, how many positions and children

    def positions(self) -> int:
        """Return how many make up a part: their children fill a buffer, if they have as many as the last."""
        positions, children = self._last
        if not children:
            return max(1, self._room // self._most)
        return max(1, self._room * positions // (children + children // 16))

    def __call__(self, part: IntArray) -> list[IntArray]:
        """The runs, where the children do not fit one buffer in order of their parents."""
        return patiently(lambda: self._runs(part)) if len(part) >= SORTED_AT_ONCE else self._runs(part)

    def _runs(self, part: IntArray) -> list[IntArray]:
        children = self._spare.pop() if self._spare else np.empty(self._room, np.int64)
        runs: list[IntArray] = []
        done = made = 0
        while done < len(part):
            done, written = self._expand(part, done, children)
            children[:written].sort()
            runs.append(children[: self._drop_doubles(children[:written])].copy())
            made += written
        self._spare.append(children)
        self._last = (len(part), made)
        return runs


def merged(one: IntArray, two: IntArray, both: IntArray, unite: Unite, workers: Workers) -> int:
    """Writes the values of two ascending arrays, each once, to the front of `both`, which has room for
    all of them; returns how many there are.
    """
    shares = min(workers.jobs, len(both) // SHARE)
    if shares < 2:
        return unite(one, two, both) if len(both) < SHARE else patiently(lambda: unite(one, two, both))
    cuts = [cut(one, two, len(both) * share // shares) for share in range(shares + 1)]

    def united(share: int) -> int:
        (i, j), (i_end, j_end) = cuts[share], cuts[share + 1]
        return unite(one[i:i_end], two[j:j_end], both[i + j : i_end + j_end])

    filled = 0
    for share, written in enumerate(workers.in_order(united, range(shares))):
        begin = sum(cuts[share])
        if begin > filled:  # the doubles of the shares before it left room
            both[filled : filled + written] = both[begin : begin + written]
        filled += written
    return filled


def cut(one: IntArray, two: IntArray, wanted: int) -> tuple[int, int]:
    """Return how many of each of two ascending arrays without doubles come first, about `wanted` together, so
    that what comes first is smaller than the rest.
    """

    def before(i: int) -> int:
        return i + int(two.searchsorted(one[i]))

    i = bisect_left(range(len(one)), wanted, key=before)
    least = int(two.searchsorted(one[i - 1], "right")) if i else 0
    return i, min(max(wanted - i, least), int(two.searchsorted(one[i])) if i < len(one) else len(two))


# Facts that random games tell before a game is solved: the units of its values, and a position near its end.
#
# Games are solved in the units of their payoffs (docs/decisions/0052) whose ends are worth more than a win, a
# draw or a loss, in which dice are thrown, and those of one player. All others are solved by wins, draws and
# losses, with distances. A few random games tell which it is; where they do not, the first end does that is
# found later (`BeyondWins`).


GAMES = 4
"""Random games that are looked at."""

BOUND = 1e-6
"""How far an expected payoff may be from the right one, where nothing else is said."""

BEYOND_WINS, NOT_ZERO_SUM, WEIGHTS, TOO_LARGE = 1, 2, 3, 4
"""What an engine notes in limits[2]: a payoff that is no win, draw or loss; payoffs that do not
cancel out; weights of chance that are none; a payoff that does not fit the table.
"""

_known: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()


class BeyondWins(BadGame):
    """A game turned out to have payoffs beyond a win, a draw and a loss."""


class LargePayoffs(Exception):
    """Payoffs that do not fit the table."""


def in_units(game: Game) -> bool:
    """Return whether exact values of a game are payoffs, as far as it is known."""
    if game not in _known:
        _known[game] = game.stochastic or game.players == 1 or _beyond_wins(game)
    return _known[game]


def _beyond_wins(game: Game) -> bool:
    """Return whether one of a few random games ends with more than a win, a draw or a loss."""
    line = instantiate(random_line, game, jit=False)
    for number in range(GAMES):
        last = line(game.start, seeded(0, number))[-1]
        if game.over(last) and any(abs(game.payoff(last, player)) > 1 for player in range(game.players)):
            return True
    return False


def check(game: Game, limits: Ints) -> None:
    """Raises what an engine could only note in limits[2]."""
    found = int(limits[2])
    if found == BEYOND_WINS:
        _known[game] = True  # from here on it is one of those in units
        raise BeyondWins(
            message(
                "{game}: payoffs that are not 1, 0 or -1, or do not cancel out; solve knows wins, draws and"
                " losses",
                game=game.text,
            )
        )
    if found == NOT_ZERO_SUM:
        raise Unsuitable(
            message(
                "{game}: payoffs of an end that do not cancel out, so the game is not zero-sum: maxn"
                " handles it",
                game=game.text,
            )
        )
    if found == WEIGHTS:
        raise BadGame(message("{game}: weights of chance that are negative, or all 0", game=game.text))
    if found == TOO_LARGE:
        raise LargePayoffs


# A position near the end of a game: whatever goes over all positions is done soon from there.
#
# Compiled engines are prepared by that (`damier.core.tiers`).

LITTLE = 8 << 20
"""Bytes that are enough to call every engine; where positions come back, a late one may lead to
all.
"""
PLIES = 1000


def near_end(game: Game) -> State:
    """Two plies before the end of a random game, always the same one."""
    line = instantiate(random_line, game, jit=False)(game.start, seeded(0))
    return line[max(0, len(line) - 3)]


def random_line(s: State, rng: Rng) -> list[State]:
    """The positions of a random game, of at most PLIES plies."""
    line = [s]
    while len(line) <= PLIES and not over(line[-1]) and moves(line[-1]):
        line.append(play(line[-1], random_move(rng, moves(line[-1]))))
    return line


def plies_of_random_game(game: Game, s: State, number: int = 0) -> int:
    """Return how long a random game from `s` is, about: the one of this number is always the same."""
    return len(instantiate(random_line, game, jit=False)(s, seeded(0, number))) - 1


def prepared(work: Callable[[State, Job], object], game: Game) -> Callable[[], None]:
    """Return what does some work compiled, from a late position, with little memory."""
    return partial(_prepare, work, game)


def _prepare(work: Callable[[State, Job], object], game: Game) -> None:
    with contextlib.suppress(LimitReached):
        work(near_end(game), Job(memory=LITTLE, jit=True))
