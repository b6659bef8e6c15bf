"""Numbers of positions of a game, by ply and by result, up to symmetry or not, and how many complete
games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import cast

from damier.core.arrays import IntArray, Ints, np
from damier.core.codes import code_at, code_room
from damier.core.compile import instantiate
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.interruptible import Workers
from damier.core.job import Job
from damier.core.open_addressing import flat
from damier.core.rules import Key, State, over, payoff, unkey
from damier.core.tiers import PLAIN_POSITIONS, Allowance, Outgrown, run_tiered, tier
from damier.core.words import _, message
from damier.solve.dispatch import refuse_too_large
from damier.solve.perft import prepared
from damier.solve.reach import PURE_BYTES, PURE_STATES, SYMMETRIC, TooMany, code, layers, parts, pure_layers

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
    root = game.start if start is None else start
    if root == game.start:
        refuse_too_large(game, job)

    def compiled(root: State, job: Job) -> Counts:
        return _compiled(game, root, job, symmetric)

    def plain(allowance: Allowance) -> Counts:
        try:
            return _pure(game, root, job, symmetric, allowance)
        except TooMany:
            raise Outgrown from None

    rising = tier(game, ("count", symmetric), prepared(compiled, game))
    # every image costs as much as a position
    most = PLAIN_POSITIONS // (game.symmetries() if symmetric else 1)
    return run_tiered(rising, job, plain, lambda: compiled(root, job), most)


def _compiled(game: Game, root: State, job: Job, symmetric: bool) -> Counts:

    found = layers(game, root, job, symmetric=symmetric)
    run = instantiate(tally, game, jit=True)

    def ends_among(part: IntArray) -> IntArray:
        ends = np.zeros(3, np.int64)
        run(flat(part), ends)
        return ends

    with Workers(job.jobs) as workers:
        return _counted(found, lambda layer: workers.in_order(ends_among, parts(layer, CHUNK)))


def _pure(game: Game, root: State, job: Job, symmetric: bool, allowance: Allowance) -> Counts:
    run = instantiate(tally, game, jit=False, bind={} if symmetric else PURE_STATES)
    # read as what is bound reads them
    codes = cast("Iterable[IntArray]", pure_layers(game, root, job, symmetric=symmetric, allowance=allowance))

    def ends_among(layer: IntArray) -> Iterator[Ints]:
        ends = [0, 0, 0]
        run(layer, ends)
        yield ends

    return _counted(codes, ends_among)


def _counted(found: Iterable[IntArray], ends_of: Callable[[IntArray], Iterable[Ints]]) -> Counts:
    """`ends_of`: what `tally` counts in a layer, of one part of it after the other."""
    counts = Counts()
    for layer in found:
        counts.by_ply.append(len(layer))
        for lost, drawn, won in ends_of(layer):
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
    job = job or Job()
    name = instantiate(code, game, jit=False, bind=SYMMETRIC if symmetric else PURE_STATES)
    done: dict[Key, tuple[int, int, int]] = {}
    # the positions that led here, and the names of those that their moves lead to
    path: dict[Key, list[Key]] = {}
    waiting = [game.start if start is None else start]
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
