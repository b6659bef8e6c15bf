"""Parts of every training: a plan, a learner, its opponent, what grades it, the file that keeps it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import TypeAlias

from damier.core.bits import random_below, reseed
from damier.core.display import Displayed
from damier.core.errors import BadInput, LimitReached, Unsuitable
from damier.core.files import keep_as_previous
from damier.core.game import Game, option_text
from damier.core.grade import Curve, Grade
from damier.core.json_types import JsonObject
from damier.core.loop import MatchSetup
from damier.core.player import Learner, Player, Policy
from damier.core.words import _, grouped, message
from damier.lab.lab import Lab
from damier.lab.starts import Starts
from damier.learn.parameters import USUAL_GAMES, SeatName
from damier.learn.store import stages_of
from damier.learn.training import Training
from damier.solve.grade import Grader

AgentMaker: TypeAlias = Callable[[Lab, str], Player]
"""What makes an agent of its text."""
FREE_POSITIONS = 50_000
"""A game whose grade costs no more positions is graded after every block: forty of it take two seconds."""
PLIES_A_POSITION = 30
"""Plies of training that take ten times as long as one position of a grade."""
GRADED_BYTES = 1 << 30
"""Memory that grading may take while a learner trains: a larger game trains without grades."""


@dataclass
class Plan:
    """Plan of a training, as its file says it.

    learner  as text, such as q:preset=hexapion; opponent and seat: the preset's own, or against
             random at seat 1, unless given
    grade_every  games between two grades, rounded up to a power of 2; 0: never; None: as often as
                 takes little of the time. Its file does not say it
    starts  where its games begin, other than at the start of the game
    """

    learner: str
    opponent: str | None = None
    seat: SeatName | None = None
    seed: int = 0
    max_plies: int = 1000
    grade_every: int | None = None
    starts: Starts | None = None


@dataclass
class Trainer(Displayed, ABC):
    """One training, ready to run or to go on.

    against  whom the learner is graded against: its opponent where that never changes, else the
             random player
    grades   what grades it, from the start of the game wherever its games begin
    stages   where games of earlier runs began, by its file: after how many in all, as it was written
    """

    lab: Lab
    plan: Plan
    training: Training
    learner: Learner
    opponent: Player
    against: str
    usual_games: int = USUAL_GAMES
    grades: Grades = field(init=False)
    stages: list[tuple[int, str]] = field(default_factory=list, kw_only=True)

    @abstractmethod
    def policy(self) -> Policy | None:
        """Return what is graded, as it plays now; None where that cannot be done exactly."""

    @abstractmethod
    def save(self, path: Path) -> None:
        """Writes all that is needed to go on."""

    @abstractmethod
    def resume(self, path: Path) -> None:
        """Goes on from a file, which must be of the same training. Raises BadFile, BadInput."""

    @property
    def facts(self) -> JsonObject:
        """Return how it trains, as its file says it."""
        plan = self.plan
        return {
            "opponent": plan.opponent,
            "seat": plan.seat,
            "seed": plan.seed,
            "max_plies": plan.max_plies,
            "against": self.against,
        }

    @property
    def facts_of_file(self) -> JsonObject:
        """Return how it trained, as its file says it: with where its games began, stage by stage, after how
        many in all and as it was written. Where all began at the start of the game nothing is said of that.
        """
        played, written = self.training.episodes, self.plan.starts.written if self.plan.starts else ""
        stages = [*self.stages]
        if not stages or played > stages[-1][0]:
            stages[-1:] = [stage for stage in stages[-1:] if stage[1] != written]
            stages.append((played, written))
        if not any(text for _games, text in stages):
            return self.facts
        return self.facts | {"starts": [[games, text] for games, text in stages]}

    def go_on_from(self, games: int, curve: Curve, training: JsonObject) -> None:
        """Go on after the games that a file tells of."""
        self.training.episodes, self.training.curve = games, curve
        self.stages = stages_of(training) or [(games, "")]

    def save_to(self, path: Path, *, keep_previous: bool = False) -> None:
        """Keeps `path` up to date while it runs; what was there before its first writing is kept
        beside it, if asked for.
        """
        earlier = [path] if keep_previous else []

        def save(_training: Training) -> None:
            while earlier:
                keep_as_previous(earlier[0])
                earlier.pop()
            self.save(path)

        self.training.saved = save

    def grade_by(self, grades: Grades) -> None:
        """Has the learner graded, as often as its plan says."""
        every, self.grades = self.plan.grade_every, grades
        self.training.grade = lambda _learner: grades.grade(self.policy)
        self.training.grade_every = grades.affordable if every is None else lambda: power_of_two(every or 0)


def require_same(path: Path, theirs: JsonObject, ours: JsonObject) -> None:
    """Raises BadInput where a file is of another training; its games may have begun elsewhere."""
    for name, value in ours.items():
        if theirs.get(name) != value:
            raise BadInput(
                message(
                    "{path} was trained with {name}={theirs}, not {ours}",
                    path=path,
                    name=name,
                    theirs=option_text(theirs.get(name)),
                    ours=value,
                )
            )


def require_two(lab: Lab) -> None:
    """Raises Unsuitable for a game that learners cannot handle."""
    if lab.game.players != 2 or lab.game.imperfect_information:
        raise Unsuitable(
            message(
                "learners handle games of two players with perfect information (no secrets); {game} is"
                " not one",
                game=lab.game.text,
            )
        )


def table_of(lab: Lab, plan: Plan, learner: Learner, opponent: Player, seat: SeatName) -> MatchSetup:
    """The table at which a learner plays its opponent."""
    swap = {"1": 0, "alternate": 1, "2": 2}[seat]
    starts = plan.starts.of(lab.game, plan.seed) if plan.starts else None
    return MatchSetup(lab.game, (learner, opponent), plan.seed, swap, plan.max_plies, starts=starts)


class Grades:
    """Exact grader of a learner, made when it is first needed; where the game is too large or
    goes round, or has more than `most` positions, nothing, and a note says why.
    """

    def __init__(self, lab: Lab, against: Policy, most: int | None = None) -> None:
        self._lab, self._against, self._most = lab, against, most

    @cached_property
    def _grader(self) -> Grader | None:
        job = self._lab.job
        job = replace(job, memory=min(job.memory, GRADED_BYTES))
        try:
            grader = Grader(self._lab.game, self._against, job)
        except (Unsuitable, LimitReached) as error:
            job.note(_("the learner is not graded: {error}", error=error))
            return None
        if self._most is not None and grader.positions > self._most:
            job.note(
                _(
                    "the learner is not graded while it learns: it would be asked in {n} positions; damier"
                    " grade does that",
                    n=grouped(grader.positions),
                )
            )
            return None
        return grader

    def grade(self, asked: Callable[[], Policy | None]) -> Grade | None:
        """The exact grade of a policy, which is asked for only where it can be graded: to find it may
        take a question in every position.
        """
        if self._grader is None:
            return None
        policy = asked()
        return self._grader.grade(policy) if policy else None

    def affordable(self) -> int:
        """Games between two grades, a power of 2: every block of a small game; of a larger one so
        many that grading takes a tenth of the time.

        It follows from the game alone, not from a clock: the same training has the same curve on
        every machine (docs/decisions/0015).
        """
        if self._grader is None or self._grader.cost <= FREE_POSITIONS:
            return 1
        return power_of_two(PLIES_A_POSITION * self._grader.cost / mean_plies(self._lab.game))


def power_of_two(n: float) -> int:
    """The smallest power of 2 that is not less than `n`; 0 for 0.

    >>> power_of_two(0), power_of_two(1), power_of_two(4.5)
    (0, 1, 8)
    """
    return 1 << max(0, ceil(n) - 1).bit_length() if n else 0


RANDOM_GAMES, LONGEST = 16, 1000


def mean_plies(game: Game) -> float:
    """Return how long a few random games are, always the same ones."""
    rng = [0]
    plies = 0
    for number in range(RANDOM_GAMES):
        reseed(rng, 0, number)
        s = game.start
        for _ply in range(LONGEST):
            legal = game.legal(s)
            if not legal:
                break
            s = game.play(s, legal[random_below(rng, len(legal))])
            plies += 1
    return max(1.0, plies / RANDOM_GAMES)
