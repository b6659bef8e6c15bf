"""Grades of networks against the exact truth: of all positions where the game can be solved, else of a
fixed sample of positions that an exact search proves.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property

import numpy as np

from damier.core.errors import LimitReached, Unsuitable
from damier.core.grade import Grade, grade_facts
from damier.core.json_types import JsonObject
from damier.core.past import words_of_key
from damier.core.player import RandomPlayer
from damier.core.words import _, grouped
from damier.lab.lab import Lab
from damier.plugins.zero.agent import ZeroPlayer
from damier.plugins.zero.proven_moves import KnownMoves, Share, kept_sample, proven_moves
from damier.solve.grade import Grader

GRADED_BYTES = 1 << 31
"""Memory that the graph of a game may take, to be graded in all positions."""
ROUNDS = 16
"""How many times smaller a game must be whose values are found by going over it again and again."""
UNCOMPILED = 64
"""The same of a game whose rules are plain Python."""
SEARCHED = 8192
"""Positions that a search is graded in, at most: all of a smaller game."""
GRADED_OF_PLY = 10
"""Positions of each ply of a sample that comes with damier, in which networks are graded while they learn."""
SHARE = 10
"""Grading takes this part of the work of self-play, at most, where nobody said how often."""


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
            sample = kept_sample(self._lab)
            return self._told(sample.known(GRADED_OF_PLY)) if sample else proven_moves(self._lab)
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

    def _told(self, known: KnownMoves) -> KnownMoves:
        """Tell what a sample is."""
        self._lab.job.note(
            _(
                "{game} is too large to be solved: graded in {n} proven positions, {each} of each ply",
                game=self._lab.game.text,
                n=grouped(len(known)),
                each=GRADED_OF_PLY,
            )
        )
        return known

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
