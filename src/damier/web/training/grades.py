"""What both players of a training room are worth, exactly, as far as that takes no time that anybody
would notice: in plain Python, of games with few positions.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from damier.core.errors import LimitReached, Unsuitable
from damier.core.grade import Grade
from damier.core.player import Policy
from damier.core.words import _, grouped
from damier.lab.lab import Lab
from damier.lab.trainer import GRADED_BYTES, power_of_two
from damier.solve.grade import Grader, refuse_ungradable
from damier.solve.reach import has_at_most

MOST_POSITIONS = 8_000
"""Of the largest game that is graded after its games; a larger one is graded when somebody asks."""
FREE_POSITIONS = 1_000
"""Of a game that is graded after every block of games."""
LATE_POSITIONS, LATE_BY_CHANCE = 60_000, 20_000
"""Of the largest game that is graded when somebody asks, and of one with chance nodes, which takes many
passes over all of them.
"""
SELDOM = 8
"""Grades of a larger game, however many games have been played, or up to twice as many."""


class RoomGrades:
    """What grades both players of a room against `against`.

    comes_later  whether the game is too large for a grade after its games, so that it is asked for
    """

    def __init__(self, lab: Lab, against: Policy) -> None:
        self._lab, self._against = lab, against
        self._too_many = False

    @property
    def comes_later(self) -> bool:
        return self._grader is None and self._too_many

    def late(self, policy: Policy) -> Grade:
        """The exact grade of a policy in a larger game, compiled, in a worker that stands back.

        Raises Unsuitable, and LimitReached, before the work, for one that is too large.
        """
        return (self._grader or self._large).grade(policy)

    @cached_property
    def _large(self) -> Grader:
        game, job = self._lab.game, self._lab.job
        refuse_ungradable(game)
        most = LATE_BY_CHANCE if game.stochastic else LATE_POSITIONS
        if not has_at_most(game, most, job):
            raise LimitReached(
                _(
                    "{game} has more than {n} positions, too many to grade here: choose a smaller board",
                    game=game.text,
                    n=grouped(most),
                )
            )
        return Grader(game, self._against, replace(job, memory=min(job.memory, GRADED_BYTES)))

    @cached_property
    def _grader(self) -> Grader | None:
        game, job = self._lab.game, replace(self._lab.job, jit=False)
        try:
            if has_at_most(game, MOST_POSITIONS, job):
                return Grader(game, self._against, job)
            self._too_many = True
        except (Unsuitable, LimitReached):
            pass
        return None

    def every(self, games: int) -> int:
        """Games between two grades, a power of 2, where so many have been played in all."""
        if self._grader is None or self._grader.positions <= FREE_POSITIONS:
            return 1
        return max(1, power_of_two(games / SELDOM))

    def grade(self, policy: Policy | None) -> Grade | None:
        """The exact grade of a policy."""
        return self._grader.grade(policy) if self._grader and policy else None
