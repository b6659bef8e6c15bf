"""Perft: how many lines of play are exactly so many plies long.

A finished game has no children, and nothing is counted in bulk.

Perft walks the tree, not the graph: a position met twice counts twice. It tests rules and measures
speed.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from functools import partial

from damier.core.bits import Rng, reseed
from damier.core.compile import instantiate
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.interruptible import in_order, patient
from damier.core.job import Job, calls_deep
from damier.core.moves import each, random_move
from damier.core.rules import Field, State, as_state, moves, over, play
from damier.core.tiers import PLAIN_POSITIONS, tier
from damier.core.words import _

CHUNK, PLAIN_CHUNK = 20_000_000, 100_000  # leaves between two signs of life
SHARED = 2_000_000  # leaves, compiled, that are worth other threads
PARTS = 16  # for each core: the last of them are soon over
SECONDS_A_LINE = 1e-6  # about, in plain Python, before any was counted


def leaves(s: State, depth: int) -> int:
    """Return how many lines of `depth` plies, at least one, start at `s`.

    The last ply is played here: a call by leaf costs three times as much.
    """
    if over(s):
        return 0
    count = 0
    for move in each(moves(s)):
        child = play(s, move)
        count += leaves(child, depth - 1) if depth > 1 else 1
    return count


def start_leaves(fields: tuple[Field, ...], depth: int) -> int:
    """`leaves` from a start; compiled code is entered with a plain tuple."""
    return leaves(as_state(fields), depth) if depth > 0 else 1


def perft(game: Game, depth: int, start: State | None = None, job: Job | None = None) -> list[int]:
    """The number of lines of 1 to `depth` plies from `start`. Each depth is counted on its own. The
    cores of the job share compiled work.
    """
    job = job or Job()
    counts: list[int] = []
    for plies in range(1, depth + 1):
        found = divide(game, plies, start, job, expected=_growth(counts))
        counts.append(sum(found.values()))
        job.progress(counts[-1], None, _("lines of {plies} plies", plies=plies))
    return counts


def divide(
    game: Game,
    depth: int,
    start: State | None = None,
    job: Job | None = None,
    expected: int = PLAIN_POSITIONS,
) -> dict[str, int]:
    """The lines of `depth` plies by their first move, in the game's own words.

    `expected`: about how many lines there will be.
    """
    job = job or Job()
    root = game.start if start is None else start
    counter = _Counter(game, job, expected)
    divided = dict.fromkeys(game.name_moves(root, game.moves(root)), 0)
    much = job.jobs > 1 and expected >= SHARED
    chunk = min(CHUNK, expected // (PARTS * job.jobs)) if much else CHUNK
    parts, below = _parts(game, root, depth, expected, chunk if counter.rises() else PLAIN_CHUNK)

    def counted(part: tuple[str, State]) -> int:
        return counter.count(part[1], below)

    def add(name: str, lines: int) -> None:
        divided[name] += lines
        job.progress(sum(divided.values()), None, _("lines"))

    with calls_deep(below):
        first = 0  # of those that may be counted beside each other: plain Python counts one by one
        while first < len(parts) and not counter.rises():
            add(parts[first][0], counted(parts[first]))
            first += 1
        shared = in_order(job.jobs, counted, parts[first:], much=much)
        for (name, _s), lines in zip(parts[first:], shared, strict=True):
            add(name, lines)
    return divided


def _parts(
    game: Game, root: State, depth: int, expected: int, chunk: int
) -> tuple[list[tuple[str, State]], int]:
    """A long job in short ones of about `chunk` lines: positions, each with the name of the first move
    that leads to it, and how many plies follow on them.
    """
    parts = [(game.name_move(root, move), game.play(root, move)) for move in game.legal(root)]
    below = depth - 1
    while below > 1 and expected > chunk * len(parts) and len(parts) < PLAIN_POSITIONS:
        parts = [(name, game.play(s, reply)) for name, s in parts for reply in game.legal(s)]
        below -= 1
    return parts, below


def _growth(counts: list[int]) -> int:
    """Return what the next count will be about, from the last two."""
    return counts[-1] * counts[-1] // max(counts[-2], 1) if len(counts) > 1 else PLAIN_POSITIONS // 100


class _Counter:
    """`start_leaves` for a game, compiled as soon as that is there and there is enough to count."""

    def __init__(self, game: Game, job: Job, expected: int) -> None:
        self._plain = instantiate(start_leaves, game, jit=False)
        compiled = instantiate(start_leaves, game, jit=True)
        self._compiled = patient(compiled)
        self._tier = tier(game, "perft", lambda: compiled(game.fields(game.start), 0))
        self._game, self._job, self._expected = game, job, expected
        self._lines, self._seconds = 0, 0.0  # counted in plain Python

    def rises(self) -> bool:
        """Return whether the next lines are counted compiled."""
        rate = self._seconds / self._lines if self._lines else SECONDS_A_LINE
        return self._tier.rises(self._job, rate * max(0, self._expected - self._lines))

    def count(self, s: State, depth: int) -> int:
        if self.rises():
            return self._compiled(self._game.fields(s), depth)
        begun = time.perf_counter()
        lines = self._plain(self._game.fields(s), depth)
        self._lines, self._seconds = self._lines + lines, self._seconds + time.perf_counter() - begun
        return lines


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
    rng = [0]
    reseed(rng, 0, 0)
    line = instantiate(random_line, game, jit=False)(game.start, rng)
    return line[max(0, len(line) - 3)]


def random_line(s: State, rng: Rng) -> list[State]:
    """The positions of a random game, at most PLIES of them."""
    line = [s]
    while len(line) < PLIES and not over(line[-1]) and moves(line[-1]):
        line.append(play(line[-1], random_move(rng, moves(line[-1]))))
    return line


def plies_of_random_game(game: Game, s: State) -> int:
    """Return how long a random game from `s` is, about: one of them, always the same."""
    rng = [0]
    reseed(rng, 0, 0)
    return len(instantiate(random_line, game, jit=False)(s, rng)) - 1


def prepared(work: Callable[[State, Job], object], game: Game) -> Callable[[], None]:
    """Return what does some work compiled, from a late position, with little memory."""
    return partial(_prepare, work, game)


def _prepare(work: Callable[[State, Job], object], game: Game) -> None:
    with contextlib.suppress(LimitReached):
        work(near_end(game), Job(memory=LITTLE, jit=True))
