"""Numbers of positions of a game, by ply and by result, up to symmetry or not, how many complete games, and
how many lines of play are exactly so many plies long (perft).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from damier.core.arrays import IntArray, Ints, ints
from damier.core.codes import code_at, code_room
from damier.core.compile import instantiate
from damier.core.errors import Unsuitable
from damier.core.game import Game, first_state
from damier.core.job import Job, Workers, calls_deep, in_order, patient
from damier.core.moves import each
from damier.core.open_addressing import flat
from damier.core.rules import Field, Key, State, as_state, moves, over, payoff, play, unkey
from damier.core.tiers import PLAIN_POSITIONS, Allowance, Outgrown, run_tiered, tier
from damier.core.words import _, message, ngettext
from damier.solve.dispatch import refuse_too_large
from damier.solve.reach import (
    PURE_BYTES,
    PURE_STATES,
    SYMMETRIC,
    TooMany,
    code,
    layers,
    parts,
    prepared,
    pure_layers,
)

CHUNK = 1 << 19
"""Positions that are looked at in one go: short for Ctrl-C."""


@dataclass
class Counts:
    """Positions that can be reached, the ends among them, and whom these are won by."""

    states: int = 0
    terminals: int = 0
    wins: int = 0  # of the first player
    draws: int = 0
    losses: int = 0
    by_ply: list[int] = field(default_factory=list)  # by the ply at which a position is first met


def tally(layer: IntArray, counts: Ints) -> None:
    """Adds the ends among some positions to counts: lost, drawn and won by player 0."""
    for index in range(code_room(layer)):
        s = unkey(code_at(layer, index))
        if over(s):
            value = payoff(s, 0)
            counts[1 + (1 if value > 0 else 0) - (1 if value < 0 else 0)] += 1


def count(
    game: Game, start: State | None = None, job: Job | None = None, *, symmetric: bool = False
) -> Counts:
    """Counts what can be reached from `start`; with `symmetric`, positions that are images of each
    other count once.

    Raises LimitReached where the memory budget does not suffice.
    """
    job = job or Job()
    root = first_state(game, start)
    if root == game.start:
        refuse_too_large(game, job)

    def attempt(jit: bool, allowance: Allowance) -> Counts:
        try:
            return _counted(game, root, job, symmetric, None if jit else allowance)
        except TooMany:
            raise Outgrown from None

    prepare = prepared(lambda root, job: _counted(game, root, job, symmetric, None), game)
    rising = tier(game, ("count", symmetric), prepare)
    # every image costs as much as a position
    most = PLAIN_POSITIONS // (game.symmetries() if symmetric else 1)
    return run_tiered(rising, job, attempt, most)


def _counted(game: Game, root: State, job: Job, symmetric: bool, allowance: Allowance | None) -> Counts:
    """Counts in plain Python within an allowance, or compiled, where there is none. Raises TooMany."""
    jit, counts = allowance is None, Counts()
    run = instantiate(tally, game, jit=jit, bind={} if jit or symmetric else PURE_STATES)
    if allowance is None:
        found = layers(game, root, job, symmetric=symmetric)
    else:  # read as what is bound reads them
        states = pure_layers(game, root, job, symmetric=symmetric, allowance=allowance)
        found = cast("Iterator[IntArray]", states)

    def ends_among(part: IntArray) -> Ints:
        ends = ints(3, jit)
        run(flat(part) if jit else part, ends)
        return ends

    with Workers(job.jobs if jit else 1) as workers:
        for layer in found:
            counts.by_ply.append(len(layer))
            for lost, drawn, won in workers.in_order(ends_among, parts(layer, CHUNK) if jit else [layer]):
                counts.losses += int(lost)
                counts.draws += int(drawn)
                counts.wins += int(won)
    counts.states, counts.terminals = sum(counts.by_ply), counts.losses + counts.draws + counts.wins
    return counts


def count_games(
    game: Game, start: State | None = None, job: Job | None = None, *, symmetric: bool = False
) -> tuple[int, int, int]:
    """Complete games won, drawn and lost by the first player, as whole numbers of any size, in
    plain Python.

    With `symmetric`, moves that lead to images of one position count once (tic-tac-toe: 26 830).
    Raises Unsuitable where a position can come back: then there is no end to the games. Raises
    LimitReached where the memory budget does not suffice.
    """
    job, root = job or Job(), first_state(game, start)
    name = instantiate(code, game, jit=False, bind=SYMMETRIC if symmetric else PURE_STATES)
    done: dict[Key, tuple[int, int, int]] = {}
    # the positions that led here, and the names of those that their moves lead to
    path: dict[Key, list[Key]] = {}
    waiting = [root]
    while waiting:
        s = waiting[-1]
        here = name(s)
        if here in done:
            waiting.pop()
        elif game.over(s):
            value = game.payoff(s, 0)
            done[here] = (int(value > 0), int(value == 0), int(value < 0))
        elif here in path:
            below = path.pop(here)
            if not all(child in done for child in below):
                raise Unsuitable(
                    message(
                        "in {game} a position can come back: there is no end to its games", game=game.text
                    )
                )
            won, drawn, lost = zip(*(done[child] for child in below), strict=True)
            done[here] = (sum(won), sum(drawn), sum(lost))
            job.require(len(done) * PURE_BYTES, [len(done)])
            if len(done) % 10_000 == 0:
                job.progress(len(done), None, _("positions"))
        else:
            children = [(name(child), child) for child in (game.play(s, move) for move in game.legal(s))]
            chosen = list(dict(children).items()) if symmetric else children
            path[here] = [child for child, _state in chosen]
            waiting += [child for _name, child in chosen]
    return next(reversed(done.values()))


# Perft: a finished game has no children, and nothing is counted in bulk. It walks the tree, not the graph: a
# position met twice counts twice. It tests rules and measures speed.

LEAVES, PLAIN_LEAVES = 20_000_000, 100_000  # leaves between two signs of life
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
        if counts and counts[-1] == 0:  # every line has ended before
            return counts + [0] * (depth - len(counts))
        # about what the next count will be, from the last two
        next_one = counts[-1] * counts[-1] // max(counts[-2], 1) if plies > 2 else PLAIN_POSITIONS // 100
        counts.append(sum(divide(game, plies, start, job, expected=next_one).values()))
        job.progress(counts[-1], None, ngettext("lines of {n} ply", "lines of {n} plies", plies))
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
    root = first_state(game, start)
    counter = _Counter(game, job, expected)
    divided = dict.fromkeys((game.name_move(root, move) for move in game.legal(root)), 0)
    much = job.jobs > 1 and expected >= SHARED
    chunk = min(LEAVES, expected // (PARTS * job.jobs)) if much else LEAVES
    parts, below = _parts(game, root, depth, expected, chunk if counter.rises() else PLAIN_LEAVES)

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
