"""A training put together: a learner, its opponent, the seat, what grades it, the file that keeps
it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Literal

from damier.core.bits import random_below, reseed
from damier.core.errors import BadFile, BadInput, LimitReached, Unsuitable
from damier.core.files import keep_as_previous
from damier.core.game import Game, option_text
from damier.core.grade import Grade
from damier.core.loop import MatchSetup
from damier.core.player import Player, Policy, RandomPlayer
from damier.core.words import _
from damier.lab.agents import AGENTS, Lab, agent
from damier.lab.learners import preset_of
from damier.lab.options import read_options
from damier.learn import reading, store
from damier.learn.parameters import as_written
from damier.learn.player import ALGORITHMS, LearningPlayer
from damier.learn.presets import USUAL_GAMES, SeatName
from damier.learn.seated import SeatedPlayer
from damier.learn.training import Training
from damier.solve.grade import Grader

FREE_POSITIONS = 50_000
"""A game of no more positions is graded after every block: forty grades of it take two seconds."""
PLIES_A_POSITION = 30
"""Plies of training that take ten times as long as one position of a grade."""
GRADED_BYTES = 1 << 30
"""Memory that grading may take while a learner trains: a larger game trains without grades."""


@dataclass
class Plan:
    """What a training is, as its file says it.

    learner  as text, such as q:preset=hexapion; opponent and seat: the preset's own, or against
             random at seat 1, unless given
    grade_every  games between two grades, rounded up to a power of 2; 0: never; None: as often as
                 takes little of the time. Its file does not say it
    """

    learner: str
    opponent: str | None = None
    seat: SeatName | None = None
    seed: int = 0
    max_plies: int = 1000
    grade_every: int | None = None


def self_play(
    table: Literal["shared", "separate"] = "shared", learn: Literal["both", "one"] = "both"
) -> tuple[str, str]:
    """The options of the opponent `self`."""
    return table, learn


@dataclass
class Trainer:
    """One training, ready to run or to go on.

    against  whom the learner is graded against: its opponent where that never changes, else the
             random player
    """

    lab: Lab
    plan: Plan
    training: Training
    learner: LearningPlayer
    opponent: Player
    against: str
    saved_opponent: LearningPlayer | None = None
    usual_games: int = USUAL_GAMES

    @property
    def both_seats(self) -> bool:
        """Whether the learner has a table for each seat."""
        return (
            self.opponent is self.saved_opponent
            and self.plan.opponent is not None
            and self.plan.opponent.startswith("self")
        )

    @property
    def policy(self) -> LearningPlayer | SeatedPlayer:
        """What is graded: the learner, with each seat's own table where it has two, as from its
        file.
        """
        if not self.both_seats or self.saved_opponent is None:
            return self.learner
        pair = (self.learner, self.saved_opponent)
        return SeatedPlayer(*(pair if self.plan.seat == "1" else pair[::-1]))

    def agent(self) -> store.Agent:
        """All that its file says."""
        memories = [self.learner.memory]
        opponent = None
        if self.both_seats and self.saved_opponent:
            memories.insert(1 if self.plan.seat == "1" else 0, self.saved_opponent.memory)
        elif self.saved_opponent:
            opponent = (self.saved_opponent.name, self.saved_opponent.parameters, self.saved_opponent.memory)
        plan = self.plan
        training = {
            "opponent": plan.opponent,
            "seat": plan.seat,
            "seed": plan.seed,
            "max_plies": plan.max_plies,
            "against": self.against,
        }
        done = self.training
        return store.Agent(
            self.lab.game,
            self.learner.name,
            self.learner.parameters,
            training,
            memories,
            opponent,
            done.episodes,
            done.curve,
        )

    def save_to(self, path: Path, *, keep_previous: bool = False) -> None:
        """Keeps `path` up to date while it runs; what was there before its first writing is kept
        beside it, if asked for.
        """
        earlier = [path] if keep_previous else []

        def save(_training: Training) -> None:
            while earlier:
                keep_as_previous(earlier[0])
                earlier.pop()
            store.save(self.agent(), path)

        self.training.saved = save

    def resume(self, path: Path) -> None:
        """Goes on from a file, which must be of the same training. Raises BadFile, BadInput."""
        found, mine = reading.load(path, self.lab.game), self.agent()
        if found.note:
            self.lab.job.note(found.note)
        ours = {"learner": mine.learner, **as_written(mine.parameters), **mine.training}
        theirs = {"learner": found.learner, **as_written(found.parameters), **found.training}
        if different := [name for name in ours if ours[name] != theirs.get(name)]:
            name = different[0]
            raise BadInput(
                _(
                    "{path} was trained with {name}={theirs}, not {ours}",
                    path=path,
                    name=name,
                    theirs=option_text(theirs.get(name)),
                    ours=ours[name],
                )
            )
        if len(found.memories) != len(mine.memories) or (found.opponent is None) != (mine.opponent is None):
            raise BadFile(_("{path} does not hold the tables of this training", path=path))
        own = self.learner.memory
        for memory, loaded in zip(
            [memory for _n, _p, memory in mine.tables],
            [memory for _n, _p, memory in found.tables],
            strict=True,
        ):
            target = self.learner if memory is own else self.saved_opponent
            assert target is not None
            target.memory = loaded
        if (
            self.opponent is not self.saved_opponent
            and isinstance(self.opponent, LearningPlayer)
            and self.opponent.memory is own
        ):
            self.opponent.memory = self.learner.memory
        self.training.episodes, self.training.curve = found.games, found.curve


def trainer(lab: Lab, plan: Plan) -> Trainer:
    """A training as planned. Raises UnknownName, BadInput, Unsuitable, LimitReached."""
    name, _colon, written = plan.learner.partition(":")
    if lab.game.players != 2 or lab.game.imperfect_information:
        raise Unsuitable(
            _(
                "learners handle games of two players with perfect information (no secrets); {game} is"
                " not one",
                game=lab.game.text,
            )
        )
    learner = agent(lab, plan.learner)
    if not isinstance(learner, LearningPlayer):
        raise BadInput(
            _("{name} does not learn; learners are {names}", name=name, names=" ".join(learner_names()))
        )
    learner.learns = True
    options = read_options(name, written, AGENTS[name][0], given=["lab"])
    preset = preset_of(learner.name, options, "hexapion" if name == "menace" else "")
    seat = plan.seat or (preset.seat if preset else "1")
    opponent, text, saved = opponent_of(
        lab, learner, plan.opponent, preset.opponent if preset else "random", seat
    )
    full = Plan(plan.learner, text, seat, plan.seed, plan.max_plies, plan.grade_every)
    table = MatchSetup(
        lab.game, (learner, opponent), plan.seed, {"1": 0, "alternate": 1, "2": 2}[seat], plan.max_plies
    )
    fixed = (
        isinstance(opponent, Policy)
        and not opponent.learns
        and not (isinstance(opponent, LearningPlayer) and opponent.memory is learner.memory)
    )
    against = opponent if fixed else RandomPlayer()
    games = preset.games if preset else USUAL_GAMES
    made = Trainer(lab, full, Training(table, learner), learner, opponent, against.text, saved, games)
    grades = Grades(lab, against)  # type: ignore[arg-type]
    made.training.grade = lambda _learner: grades.grade(made.policy)
    made.training.grade_every = (
        grades.affordable if plan.grade_every is None else lambda: power_of_two(plan.grade_every or 0)
    )
    return made


def learner_names() -> list[str]:
    return [name for name in AGENTS if name in ALGORITHMS or name == "menace"]


def opponent_of(
    lab: Lab, learner: LearningPlayer, text: str | None, usual: str, seat: SeatName
) -> tuple[Player, str, LearningPlayer | None]:
    """The opponent, how it is written, and, where it has a table of its own that changes, the same
    again.
    """
    name, _colon, options = (usual if text is None else text).partition(":")
    if name != "self":
        opponent = agent(lab, usual if text is None else text)
        return (
            opponent,
            usual if text is None else text,
            opponent if isinstance(opponent, LearningPlayer) and opponent.learns else None,
        )
    given = read_options("self", usual.partition(":")[2], self_play) if usual.startswith("self") else {}
    if text is not None:  # a plain `self` is one table; who learns is part of a preset's method (row A-46)
        given.pop("table", None)
    table, learn = self_play(**(given | read_options("self", options, self_play)))
    written = f"self:table={table},learn={learn}"
    if table == "shared":
        return learner.beside(learns=learn == "both"), written, None
    if seat == "alternate":
        raise BadInput(
            _(
                "self:table=separate has a table for each seat, so --seat is 1 or 2, the one whose results"
                " are told"
            )
        )
    if learn == "one":
        raise BadInput(
            _(
                "self:table=separate,learn=one: a table that nobody learns is the random player or one from a"
                " file"
            )
        )
    other = LearningPlayer(lab.game, learner.name, learner.parameters)
    return other, written, other


class Grades:
    """What grades a learner exactly, made when it is first needed; where the game is too large or
    goes round, nothing, and a note says why.
    """

    def __init__(self, lab: Lab, against: Policy) -> None:
        self._lab, self._against = lab, against

    @cached_property
    def _grader(self) -> Grader | None:
        job = self._lab.job
        job = replace(job, memory=min(job.memory, GRADED_BYTES))
        try:
            return Grader(self._lab.game, self._against, job)
        except (Unsuitable, LimitReached) as error:
            job.note(_("the learner is not graded: {error}", error=error))
            return None

    def grade(self, policy: Policy) -> Grade | None:
        """The exact grade of a policy."""
        return self._grader.grade(policy) if self._grader else None

    def affordable(self) -> int:
        """Games between two grades, a power of 2: every block of a small game; of a larger one so
        many that grading takes a tenth of the time.

        It follows from the game alone, not from a clock: the same training has the same curve on
        every machine (docs/decisions/0037).
        """
        if self._grader is None or self._grader.positions <= FREE_POSITIONS:
            return 1
        return power_of_two(PLIES_A_POSITION * self._grader.positions / mean_plies(self._lab.game))


def power_of_two(n: float) -> int:
    """The smallest power of 2 that is not less than `n`; 0 for 0.

    >>> power_of_two(0), power_of_two(1), power_of_two(4.5)
    (0, 1, 8)
    """
    return 1 << max(0, ceil(n) - 1).bit_length() if n else 0


def mean_plies(game: Game, games: int = 16, most: int = 1000) -> float:
    """How long a few random games are, always the same ones."""
    rng = [0]
    plies = 0
    for number in range(games):
        reseed(rng, 0, number)
        s = game.start
        for _ply in range(most):
            legal = game.legal(s)
            if not legal:
                break
            s = game.play(s, legal[random_below(rng, len(legal))])
            plies += 1
    return max(1.0, plies / games)
