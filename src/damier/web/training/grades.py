"""What both players of a training room are worth, exactly, as far as that takes no time that anybody
would notice: in plain Python, of games with few positions.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from damier.core.errors import LimitReached, Unsuitable
from damier.core.grade import Grade
from damier.core.player import Player, Policy
from damier.core.rules import State
from damier.core.words import FormattedNumber, message
from damier.lab.deterministic_policy import decisions, fixed_choices
from damier.lab.lab import Lab
from damier.lab.own_training import MOST_ASKED
from damier.lab.traced_agent import FollowedOwn
from damier.lab.trainer import GRADED_BYTES, power_of_two
from damier.learn.player import LearningPlayer, PolicyBySeat, SeatedPlayer
from damier.solve.grade import Grader, refuse_ungradable
from damier.solve.reach import has_at_most
from damier.web.training.seats import is_learning

MOST_POSITIONS = 20_000
"""Of the largest game that is graded after its games; a larger one is graded when somebody asks. A grade
takes some 13 µs of plain Python a position: a quarter of a second here, when a game has ended. Compiled it
takes 1 µs, but the seconds that it takes to compile would be waited for.
"""
FREE_POSITIONS = 1_000
"""Of a game that is graded after every block of games."""
LATE_POSITIONS, LATE_BY_CHANCE = 200_000, 20_000
"""Of the largest game that is graded when somebody asks, and of one with chance nodes, which takes many
passes over all of them.
"""
SELDOM = 8
"""Grades of a larger game, however many games have been played, or up to twice as many."""


class RoomGrades:
    """What grades both players of a room against `against`.

    comes_later  whether the game is too large for a grade after its games, so that it is asked for
    varies       by seat, why an agent of one's own cannot be graded
    """

    def __init__(self, lab: Lab, against: Policy) -> None:
        self._lab, self._against = lab, against
        self._too_many = False
        self.varies: dict[int, str] = {}

    @property
    def comes_later(self) -> bool:
        return self._grader is None and self._too_many

    def late(self, agents: tuple[Player, Player]) -> Grade:
        """The exact grade of both in a larger game, compiled, in a worker that stands back.

        Raises Unsuitable, AgentFault, and LimitReached, before the work, for one that is too large.
        """
        grader = self._grader or self._large
        policy = self.policy(agents, grader)
        if policy is None:
            raise Unsuitable(message("they are not graded: {why}", why=next(iter(self.varies.values()))))
        return grader.grade(policy)

    @cached_property
    def _large(self) -> Grader:
        game, job = self._lab.game, self._lab.job
        refuse_ungradable(game)
        most = LATE_BY_CHANCE if game.stochastic else LATE_POSITIONS
        if not has_at_most(game, most, job):
            raise LimitReached(
                message(
                    "{game} has more than {n} positions, too many to grade here: choose a smaller board",
                    game=game.text,
                    n=FormattedNumber(most, ","),
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

    def grade(self, agents: tuple[Player, Player]) -> Grade | None:
        """The exact grade of both, each at its seat."""
        policy = self.policy(agents, self._grader) if self._grader else None
        return self._grader.grade(policy) if self._grader and policy else None

    def policy(self, agents: tuple[Player, Player], grader: Grader) -> Policy | None:
        """Both as one policy that plays with what is known at each seat; where one only learns, or only
        one can be graded, that one.
        """
        first, second = (self._policy_at(seat, agent, grader) for seat, agent in enumerate(agents))
        if first is None or second is None:
            return first if second is None else second
        if (
            isinstance(first, LearningPlayer)
            and isinstance(second, LearningPlayer)
            and first.name == second.name
        ):
            return SeatedPlayer(first, second)
        return PolicyBySeat(first, second)

    def _policy_at(self, seat: int, agent: Player, grader: Grader) -> Policy | None:
        """What a learner plays when it does not learn: an agent of one's own that says no probabilities is
        asked in every position. Raises LimitReached where these are too many.
        """
        if is_learning(agent):
            return agent
        if not isinstance(agent, FollowedOwn) or not agent.learns:
            return None
        plays = agent.frozen()
        if isinstance(plays, Policy):
            return plays
        if grader.positions > MOST_ASKED:
            raise LimitReached(
                message(
                    "it would be asked in {n} positions: that takes too long here",
                    n=FormattedNumber(grader.positions, ","),
                )
            )
        decided = fixed_choices(self._lab.game, plays, self._decisions)
        self.varies[seat] = decided.varies
        return None if decided.varies else decided

    @cached_property
    def _decisions(self) -> list[State]:
        return decisions(self._lab.game, self._lab.job)
