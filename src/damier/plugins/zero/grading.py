"""Grades of networks against the exact truth: of all positions where the game can be solved, else of a
fixed sample of positions that an exact search proves.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np

from damier.arena.match import wilson
from damier.core.arrays import FloatArray, IntArray
from damier.core.bits import random_below, reseed
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.grade import Grade, grade_facts
from damier.core.json_types import JsonObject
from damier.core.past import words_of_key
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.core.words import _, grouped
from damier.lab.lab import Lab
from damier.plugins.zero.agent import ZeroPlayer
from damier.search.exact import exact
from damier.solve.grade import Grader

GRADED_BYTES = 1 << 31
"""Memory that the graph of a game may take, to be graded in all positions."""
ROUNDS = 16
"""How many times smaller a game must be whose values are found by going over it again and again."""
UNCOMPILED = 64
"""The same of a game whose rules are plain Python."""
SEARCHED = 8192
"""Positions that a search is graded in, at most: all of a smaller game."""
PROVEN = 400
"""Positions of a game that is too large to be solved, which are proven for the grade."""
PROVEN_SECONDS = 2.0
"""Seconds after which a proof is given up, and another position taken."""
SHARE = 10
"""Grading takes this part of the work of self-play, at most, where nobody said how often."""


@dataclass(frozen=True)
class Share:
    """Share of positions in which a choice is exactly best, of how many; its 95 % interval where they are a
    sample; and what choices give away on average, of what a game can be worth.
    """

    share: float
    positions: int
    low: float
    high: float
    loss: float

    @property
    def is_sample(self) -> bool:
        return self.low < self.high


@dataclass(frozen=True)
class ZeroGrade:
    """Grade of a network: alone, and with a search of so many simulations.

    Attributes:
        alone, searched: the shares of positions in which its choice is exactly best
        simulations: of the search
        exact: the exact grade of the network alone against the random player, where the game is solved
        exact_searched: the same with the search, where there are few positions
    """

    alone: Share
    searched: Share
    simulations: int
    exact: Grade | None = None
    exact_searched: Grade | None = None

    def as_json(self) -> JsonObject:
        """The grade as plain data."""
        return {
            "alone": {**asdict(self.alone)},
            "searched": {**asdict(self.searched)},
            "simulations": self.simulations,
            "grade": grade_facts(self.exact) if self.exact else None,
            "grade_searched": grade_facts(self.exact_searched) if self.exact_searched else None,
        }


@dataclass(frozen=True)
class KnownMoves:
    """Positions whose moves are known exactly.

    Attributes:
        codes: [positions, words] the positions
        first: [positions + 1] the number of the first move of each; moves: [moves]
        losses: [moves] what each gives away of the exact value
        values: [positions] the exact value of each to its mover
        whole: whether they are all positions of the game
    """

    codes: IntArray
    first: IntArray
    moves: IntArray
    losses: FloatArray
    values: FloatArray
    whole: bool

    def __len__(self) -> int:
        return len(self.codes)

    def sample(self, count: int) -> KnownMoves:
        """Some of the positions, always the same ones; all where there are no more."""
        if len(self) <= count:
            return self
        places = np.sort(np.random.default_rng(0).choice(len(self), count, replace=False))
        counts = np.diff(self.first)[places]
        edges = np.concatenate([np.arange(self.first[place], self.first[place + 1]) for place in places])
        first = np.concatenate([[0], np.cumsum(counts)])
        return KnownMoves(
            self.codes[places], first, self.moves[edges], self.losses[edges], self.values[places], False
        )

    def share(self, player: ZeroPlayer) -> Share:
        """The share of the positions in which the choice of a player is exactly best."""
        chosen = player.batch_probabilities(self.codes, self.first, self.moves) > 0
        lost = self.losses[chosen]
        right, count = int((lost == 0).sum()), len(self)
        low, high = (right / count, right / count) if self.whole else wilson(right, count)
        return Share(right / count, count, low, high, float(lost.mean()))


class ZeroGrader:
    """Grader of the networks of a training; what it grades against is worked out once."""

    def __init__(self, lab: Lab, *, compiled: bool = True) -> None:
        self._lab, self._compiled = lab, compiled

    @cached_property
    def _grader(self) -> Grader | None:
        """The exact grader of all positions; None where the game is too large to be solved."""
        game = self._lab.game
        most = GRADED_BYTES // (1 if game.acyclic and not game.stochastic else ROUNDS)
        if not self._compiled:
            most //= UNCOMPILED
        job = replace(self._lab.job, memory=min(self._lab.job.memory, most))
        try:
            return Grader(self._lab.game, RandomPlayer(), job)
        except (Unsuitable, LimitReached):
            return None

    @property
    def is_solved(self) -> bool:
        """Return whether all positions of the game are graded."""
        return self._grader is not None

    @cached_property
    def truth(self) -> KnownMoves | None:
        """The positions that are graded; None where nothing can be proven, of which a note tells."""
        grader = self._grader
        if grader is None:
            return self._proven()
        graph = grader.graph
        first = np.asarray(graph.first, np.int64)
        counts, movers = np.diff(first), np.asarray(graph.movers)
        decided = (counts > 0) & (movers >= 0)
        edges = np.repeat(decided, counts)
        if isinstance(graph.states, list):
            codes = np.array([words_of_key(graph.game, s) for s in graph.states], np.int64)
        else:
            codes = graph.states.reshape(len(graph), -1)
        kept = np.concatenate([[0], np.cumsum(counts[decided])])
        moves = np.asarray(graph.moves, np.int64)[edges]
        values = grader.values_to_movers()[decided]
        return KnownMoves(codes[decided], kept, moves, grader.losses()[edges], values, True)

    @cached_property
    def _few(self) -> KnownMoves | None:
        """The positions in which searches are graded."""
        return self.truth.sample(SEARCHED) if self.truth else None

    def _proven(self) -> KnownMoves | None:
        """A sample of positions from random games, proven one by one."""
        game, job = (
            self._lab.game,
            replace(self._lab.job, jit=True if self._lab.job.jit is None else self._lab.job.jit),
        )
        codes, first, moves, losses, rng = list[tuple[int, ...]](), [0], list[int](), list[float](), [0]
        tried, values = 0, list[float]()
        while len(codes) < PROVEN and tried < 4 * PROVEN:
            reseed(rng, 20, tried)
            s = random_position(game, rng)
            tried += 1
            if s is None:
                continue
            try:
                found = exact(game, s, job, PROVEN_SECONDS)
            except (Unsuitable, LimitReached) as error:
                job.note(_("the network is not graded: {error}", error=error))
                return None
            signs = {
                move: 1 if bounds.low > 0 else -1 if bounds.high < 0 else 0
                for move, bounds in found.children.items()
                if bounds.low > 0 or bounds.high < 0 or bounds.low == bounds.high == 0
            }
            if len(signs) < len(found.children) or found.interrupted:
                if found.interrupted:
                    raise KeyboardInterrupt
                continue
            side = 1 if game.mover(s) == 0 else -1
            best = max(side * sign for sign in signs.values())
            codes.append(words_of_key(game, s))
            moves += signs
            losses += [float(best - side * sign) for sign in signs.values()]
            first.append(len(moves))
            values.append(float(best))
            job.progress(len(codes), PROVEN, _("positions proven"))
        if not codes:
            job.note(_("the network is not graded: no position of {game} could be proven", game=game.text))
            return None
        arrays = (
            np.array(codes, np.int64),
            np.array(first),
            np.array(moves, np.int64),
            np.array(losses),
            np.array(values),
        )
        job.note(
            _(
                "{game} is too large to be solved: graded in {n} positions of random games, each proven",
                game=game.text,
                n=grouped(len(codes)),
            )
        )
        return KnownMoves(*arrays, False)

    def grade(self, player: ZeroPlayer) -> ZeroGrade | None:
        """The grade of a player with a search, and of its network alone."""
        if self.truth is None or self._few is None or player.search is None:
            return None
        alone = replace(player, search=None)
        small = len(self.truth) == len(self._few)
        return ZeroGrade(
            self.truth.share(alone),
            self._few.share(player),
            player.search.simulations,
            self._grader.grade(alone) if self._grader else None,
            self._grader.grade(player) if self._grader and small else None,
        )

    def generations_between(self, games: int, plies: int, simulations: int) -> int:
        """Return after how many generations to grade, so that it takes a small part of the work: by the game
        alone, not by a clock.
        """
        if self.truth is None or self._few is None:
            return 1
        cost = 2 * len(self.truth) + (simulations + 2) * len(self._few)
        return max(1, -(-SHARE * cost // (games * plies * simulations)))


def random_position(game: Game, rng: list[int]) -> State | None:
    """A position of a random game in which somebody decides, drawn by its ply; None where that is none."""
    line = [game.start]
    while not game.over(line[-1]) and len(line) < 1000:
        legal = game.legal(line[-1])
        line.append(game.play(line[-1], legal[random_below(rng, len(legal))]))
    s: State = line[random_below(rng, max(1, len(line) - 1))]
    return None if game.over(s) or game.mover(s) < 0 else s
