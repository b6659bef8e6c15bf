"""Searches and games of self-play of one game with one network: the arrays and engines of `lockstep`, and
the batches between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from damier.core.arrays import IntArray, Ints, ints
from damier.core.bits import Rng, random_below, reseed, seeded
from damier.core.compile import Bindings, E, instantiate
from damier.core.game import Game
from damier.core.job import Job
from damier.core.past import Before, Line, words_of_key
from damier.core.rules import CHANCE, State
from damier.core.tiers import tier
from damier.plugins.zero import encoding, lockstep
from damier.plugins.zero.encoding import NetworkSizes
from damier.plugins.zero.lockstep import (
    TREE_KINDS,
    Column,
    PlayNumbers,
    SearchSettings,
    SearchStates,
    SearchTrees,
    begin_games,
    decide_all,
    fill,
    grow,
    halving_schedule,
    kept_past,
    past_of_search,
    play_on,
)
from damier.plugins.zero.network import Array, Evaluator
from damier.search.mcts import zeros as column

NODES = 1 << 24
"""Nodes of all trees together, at most: some 600 MB."""


class Samples:
    """Positions that were searched in games of self-play.

    Attributes:
        codes: [positions, words] the positions
        shares: [positions, moves] how likely every move shall be, in the order of the game's moves
        values: [positions] what the search took each to be worth to its mover
        outcomes: [positions] what its game was worth to the mover in the end
        games: how many games they are of
        firsts: how many of these player 0 won, drew and lost
    """

    def __init__(
        self,
        codes: IntArray,
        shares: Array,
        values: Array,
        outcomes: Array,
        firsts: tuple[int, int, int],
    ) -> None:
        self.codes, self.shares, self.values, self.outcomes = codes, shares, values, outcomes
        self.firsts = firsts

    @property
    def games(self) -> int:
        return sum(self.firsts)

    def __len__(self) -> int:
        return len(self.codes)


class ZeroEngines:
    """Compiled functions of `lockstep`, bound to a game and to what its network sees."""

    def __init__(self, game: Game, sizes: NetworkSizes, job: Job) -> None:
        self.game, self.sizes, self.job = game, sizes, job
        self._bind: Bindings = encoding.bindings(game, sizes)
        if game.has_past:
            self._bind |= {past_of_search: kept_past}
        self.jit = job.jit is not False and self._compiles(job)

    def engine(self, function: E) -> E:
        """A function of `lockstep`, bound."""
        return instantiate(function, self.game, jit=self.jit, bind=self._bind)

    def _compiles(self, job: Job) -> bool:
        """Return whether the engines compile; where they do not, a note says why, and all is plain Python."""

        def prepare() -> None:
            self.jit = True
            inputs = np.zeros((1, encoding.input_count(self.game)), np.float32)
            self.fill(self.codes([self.game.start]), inputs)

        return tier(self.game, "zero", prepare).rises(replace(job, jit=job.jit is not False), 1e9)

    def codes(self, states: Sequence[State]) -> IntArray:
        """Some positions as codes [positions, words]."""
        return np.array([words_of_key(self.game, s) for s in states], np.int64)

    def held(self, codes: IntArray) -> Ints:
        """Codes as engines read them."""
        if self.jit:
            return np.ascontiguousarray(codes.reshape(-1))
        rows: list[list[int]] = codes.tolist()
        return [row[0] if len(row) == 1 else tuple(row) for row in rows]  # type: ignore[misc]  # a code is one thing

    def fill(
        self,
        codes: IntArray,
        inputs: Array,
        shares: Array | None = None,
        rng: NDArray[np.uint64] | None = None,
    ) -> tuple[NDArray[np.int16], Array]:
        """Write what the network sees of positions into `inputs`; return the slots of their moves
        [positions, moves], and what it shall answer. With `rng` each under a symmetry drawn by chance.
        """
        count, most = len(codes), self.sizes.moves
        slots, policy = np.zeros((count, most), np.int16), np.zeros((count, most), np.float32)
        taught = -1 if shares is None else 0 if rng is None else 1
        if shares is None:
            shares = np.zeros((1, most), np.float32)
        if rng is None:
            rng = np.zeros(1, np.uint64)
        places = np.arange(count)
        run = self.engine(fill)
        if self.jit:
            run(self.held(codes), places, shares, taught, inputs, slots, policy, rng)
        else:
            words = [int(rng[0])]
            run(self.held(codes), places.tolist(), shares, taught, inputs, slots, policy, words)
            rng[0] = words[0]
        return slots, policy


LOOKED_AT, LONGEST = 8, 200
"""Random games that show how many throws a die has, and their plies."""


@lru_cache(maxsize=16)
def throws_of(game: Game) -> int:
    """Return the most throws of a die in some random games, always the same ones; 0 where there is none."""
    most, rng = 0, [0]
    for number in range(LOOKED_AT if game.stochastic else 0):
        reseed(rng, 2, number)
        line = Line(game, game.start)
        for _ply in range(LONGEST):
            s = line.state
            if game.over(s):
                break
            legal = game.legal(s)
            if game.mover(s) == CHANCE:
                most = max(most, len(legal))
            line.play(legal[random_below(rng, len(legal))])
    return most


class Lockstep:
    """SearchStates side by side: their trees, and what a network is asked."""

    def __init__(self, engines: ZeroEngines, settings: SearchSettings, count: int) -> None:
        sizes, game = engines.sizes, engines.game
        self.engines = engines
        room = 2 + (settings.simulations + 1) * (sizes.moves + throws_of(game))
        self.count = count = max(1, min(count, NODES // room))
        self.numbers = settings._replace(
            considered=min(settings.considered, settings.simulations),
            solve=int(settings.solve),
            scale=float(sizes.scale),
        )
        depth = min(settings.simulations + 2, 4 * sizes.longest + 2)
        jit = engines.jit
        self.tree = SearchTrees._make(column(count * room, kind, jit) for kind in TREE_KINDS)
        self._searches = SearchStates(
            column(count, "int64", jit),
            column(count, "int64", jit),
            column(count, "int64", jit),
            column(count, "int64", jit),
            column(count, "int64", jit),
            table(count, depth, "int64", jit),
            table(count, sizes.moves + 1, "float32", jit),
        )
        self._room = room
        self._inputs = np.zeros((count, encoding.input_count(game)), np.float32)
        self._roots, self._leaves = self._codes(count), self._codes(count)
        rows = halving_schedule(max(self.numbers.considered, 1), settings.simulations)
        self._schedule = np.array(rows, np.int64) if jit else rows
        self._grow = engines.engine(grow)
        self._chosen = column(count, "int64", jit)
        self.evaluated = 0

    def _codes(self, count: int) -> Ints:
        """Room for codes."""
        return ints(count * (self.engines.game.key_words if self.engines.jit else 1), self.engines.jit)

    def _pasts(self, plies: int) -> tuple[Column, ...]:
        """Room for the past of every search."""
        game, jit = self.engines.game, self.engines.jit
        if not game.has_past:
            return ()
        room = plies + len(self._searches.path[0]) + 2
        words = room * (game.key_words if jit else 1)
        return tuple(table(self.count, size, "int64", jit) for size in (words, room + 1, 2))

    def run(self, network: Evaluator, pasts: tuple[Column, ...], rng: Rng) -> None:
        """Run the simulations of all active searches."""
        logits = np.zeros((1, self.engines.sizes.slots + 1), np.float32)
        values = np.zeros(1, np.float32)
        arguments = (self.tree[:], self._searches[:], self._roots, self._leaves, pasts)
        while True:
            rest = (self._inputs, self.numbers[:], self._schedule, rng)
            requests = int(self._grow(*arguments, logits, values, *rest))
            if not requests:
                return
            logits, values = network.evaluate(self._inputs[:requests])
            self.evaluated += requests

    def play(self, network: Evaluator, games: int, plays: PlayNumbers, seed: int, stream: int) -> Samples:
        """Play games of self-play, each search one after the other, and return their positions."""
        engines, game, jit = self.engines, self.engines.game, self.engines.jit
        longest = plays.most_plies + plays.openings + 4
        pasts = self._pasts(longest)
        rng = seeded(seed, stream)
        drawn: Rng = np.array(rng, np.uint64) if jit else rng
        playing, counts = table(self.count, 2, "int64", jit), column(2, "int64", jit)
        outcomes = column(games, "float32", jit)
        start = engines.held(engines.codes([game.start]))
        numbers = plays[:]
        begin = engines.engine(begin_games)
        begin(self._searches[:], self._roots, start, pasts, playing, counts, outcomes, numbers, drawn)
        go_on = engines.engine(play_on)
        count, moves = 4 * self.count, engines.sizes.moves
        noted: tuple[Column, ...] = (
            self._codes(count),
            table(count, moves, "float32", jit),
            column(count, "int8", jit),
            column(count, "int32", jit),
            column(count, "float32", jit),
        )
        left = min(games, self.count)
        while left:
            self.run(network, pasts, drawn)
            if int(counts[0]) + self.count > len(noted[2]):
                noted = tuple(longer(column) for column in noted)
            left = int(
                go_on(
                    self.tree[:],
                    self._searches[:],
                    self._roots,
                    start,
                    pasts,
                    playing,
                    counts,
                    noted,
                    outcomes,
                    self.numbers[:],
                    numbers,
                    drawn,
                )
            )
        return self._samples(noted, int(counts[0]), np.asarray(outcomes, np.float32))

    def _samples(self, noted: tuple[Column, ...], count: int, outcomes: Array) -> Samples:
        """The samples of some games, as arrays."""
        game = self.engines.game
        if self.engines.jit:
            codes = np.asarray(noted[0]).reshape(-1, game.key_words)[:count].copy()
        else:
            held = [code if isinstance(code, tuple) else (code,) for code in noted[0][:count]]
            codes = np.array(held, np.int64)
        movers, games = np.asarray(noted[2][:count]), np.asarray(noted[3][:count])
        sides = np.where(movers == 0, 1, -1).astype(np.float32)
        firsts = tuple(int(n) for n in ((outcomes > 0).sum(), (outcomes == 0).sum(), (outcomes < 0).sum()))
        return Samples(
            codes,
            np.asarray(noted[1][:count], np.float32),
            np.asarray(noted[4][:count], np.float32),
            outcomes[games] * sides,
            (firsts[0], firsts[1], firsts[2]),
        )

    def search(self, network: Evaluator, codes: IntArray, befores: Sequence[Before] = ()) -> Iterator[int]:
        """Search positions, a batch after the other; yield the number of the search that holds each, whose
        tree can be read until the next batch.
        """
        words = self.engines.game.key_words if self.engines.jit else 1
        pasts = self._pasts(max(map(len, befores), default=0))
        rng: Rng = np.zeros(1, np.uint64) if self.engines.jit else [0]
        decide = self.engines.engine(decide_all)
        for begin in range(0, len(codes), self.count):
            held = self.engines.held(codes[begin : begin + self.count])
            count = len(held) // words
            for number in range(self.count):
                self._searches.active[number] = int(number < count)
                lockstep.clear_search(number, self._searches)
                lockstep.clear(self.root(number), self.tree)
            self._roots[: len(held)] = held
            for number, before in enumerate(befores[begin : begin + self.count]):
                self._remember(pasts, number, before)
            self.run(network, pasts, rng)
            decide(self.tree[:], self._searches[:], self.numbers[:], self._chosen)
            yield from range(count)

    def _remember(self, pasts: tuple[Column, ...], number: int, before: Before) -> None:
        """Gives a search the positions before its own."""
        game = self.engines.game
        if pasts:
            line = Line(game, game.start, before, jit=self.engines.jit)
            for column, held in zip(pasts, line.past, strict=True):
                column[number][: len(held)] = held

    def root(self, number: int) -> int:
        """The node of the root of a search."""
        return number * self._room

    def decision(self, number: int) -> int:
        """The move that a search decided for."""
        return int(self.tree.move[int(self._chosen[number])])

    def done(self, number: int) -> int:
        """Return how many simulations a search has run."""
        return int(self._searches.done[number])

    def way(self, number: int) -> tuple[int, ...]:
        """Return the nodes of the last simulation of a search, from the root on."""
        depth = int(self._searches.depth[number])
        return tuple(int(node) for node in self._searches.path[number][: depth + 1])

    def line(self, number: int) -> tuple[int, ...]:
        """The move that a search decided for, and the most visited ones after it."""
        tree, node, found = self.tree, int(self._chosen[number]), list[int]()
        while node >= 0 and (tree.visits[node] or not found):
            found.append(int(tree.move[node]))
            begin, count = int(tree.first_child[node]), int(tree.child_count[node])
            node = max(range(begin, begin + count), key=lambda child: int(tree.visits[child]), default=-1)
        return tuple(found)


def table(rows: int, columns: int, kind: str, jit: bool) -> Column:
    """Room for rows of numbers: an array of two dimensions, or a list of lists in plain Python."""
    if jit:
        return np.zeros((rows, columns), kind)
    return [column(columns, kind, False) for _row in range(rows)]


def longer(held: Column) -> Column:
    """A column with twice the room."""
    if isinstance(held, list):
        return held + [list(row) if isinstance(row, list) else 0 for row in held]
    array = np.asarray(held)
    return np.concatenate([array, np.zeros_like(array)])
