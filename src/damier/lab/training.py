"""A training put together: of a learner that damier brings, or of an agent of one's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

from damier.agents.own import OwnPlayer
from damier.agents.process import ProcessPlayer
from damier.core.errors import AgentFault, BadFile, BadInput, LimitReached
from damier.core.player import Player, Policy, RandomPlayer
from damier.core.rules import State
from damier.core.words import _, message
from damier.lab import agent_file
from damier.lab.agent_file import data_of, load_into
from damier.lab.agents import AGENTS, agent, is_own, is_program
from damier.lab.grading import decisions, fixed_choices
from damier.lab.lab import Lab
from damier.lab.learners import preset_of
from damier.lab.options import read_options
from damier.lab.programs import learning_player
from damier.lab.trainer import AgentMaker, Grades, require_same, require_two, table_of
from damier.lab.trainer import Plan as Plan
from damier.lab.trainer import Trainer as Trainer
from damier.learn import store
from damier.learn.parameters import USUAL_GAMES, SeatName, as_written
from damier.learn.player import ALGORITHMS, LearningPlayer, SeatedPlayer
from damier.learn.training import Training


def trainer(lab: Lab, plan: Plan, make: AgentMaker = agent) -> Trainer:
    """A training as planned; `make` makes its agents.

    Raises UnknownName, BadInput, Unsuitable, LimitReached, and AgentFault for what is wrong in an
    agent of one's own.
    """
    own = is_own(plan.learner) or is_program(plan.learner)
    return (own_trainer if own else table_trainer)(lab, plan, make)


# The training of a learner with a table: presets, self-play, the file with its tables.


def self_play(
    table: Literal["shared", "separate"] = "shared", learn: Literal["both", "one"] = "both"
) -> tuple[str, str]:
    """The options of the opponent `self`."""
    return table, learn


@dataclass
class TableTrainer(Trainer):
    """The training of a learner with a table, or with one for each seat.

    saved_opponent  the opponent, where it has a table of its own that changes
    """

    learner: LearningPlayer
    saved_opponent: LearningPlayer | None = None

    @property
    def both_seats(self) -> bool:
        """Return whether the learner has a table for each seat."""
        return (
            self.opponent is self.saved_opponent
            and self.plan.opponent is not None
            and self.plan.opponent.startswith("self")
        )

    def policy(self) -> LearningPlayer | SeatedPlayer:
        """Return what is graded: the learner, with each seat's own table where it has two, as from its
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
        done = self.training
        return store.Agent(
            self.lab.game,
            self.learner.name,
            self.learner.parameters,
            self.facts_of_file,
            memories,
            opponent,
            done.episodes,
            done.curve,
        )

    def save(self, path: Path) -> None:
        store.save(self.agent(), path)

    def resume(self, path: Path) -> None:
        """Goes on from a file, which must be of the same training. Raises BadFile, BadInput."""
        found, mine = store.load(path, self.lab.game), self.agent()
        if found.note:
            self.lab.job.note(found.note)
        ours = {"learner": mine.learner, **as_written(mine.parameters), **self.facts}
        theirs = {"learner": found.learner, **as_written(found.parameters), **found.training}
        require_same(path, theirs, ours)
        if len(found.memories) != len(mine.memories) or (found.opponent is None) != (mine.opponent is None):
            raise BadFile(message("{path} does not hold the tables of this training", path=path))
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
        self.go_on_from(found.games, found.curve, found.training)


def table_trainer(lab: Lab, plan: Plan, make: AgentMaker = agent) -> TableTrainer:
    """The training of a learner with a table, as planned; `make` makes an opponent that is not itself.

    Raises UnknownName, BadInput, Unsuitable, LimitReached.
    """
    require_two(lab)
    name, _colon, written = plan.learner.partition(":")
    learner = make(lab, plan.learner)
    if not isinstance(learner, LearningPlayer):
        raise BadInput(
            message("{name} does not learn; learners are {names}", name=name, names=" ".join(learner_names()))
        )
    learner.learns = True
    options = read_options(name, written, AGENTS[name].factory, given=["lab"])
    preset = preset_of(learner.name, options, "hexapion" if name == "menace" else "")
    seat = plan.seat or (preset.seat if preset else "1")
    opponent, text, saved = opponent_of(
        lab, learner, plan.opponent, preset.opponent if preset else "random", seat, make
    )
    full = replace(plan, opponent=text, seat=seat)
    against = unchanging(opponent, learner) or RandomPlayer()
    training = Training(table_of(lab, full, learner, opponent, seat), learner)
    games = preset.games if preset else USUAL_GAMES
    made = TableTrainer(lab, full, training, learner, opponent, against.text, games, saved)
    made.grade_by(Grades(lab, against))
    return made


def learner_names() -> list[str]:
    return [name for name in AGENTS if name in ALGORITHMS or name == "menace"]


def unchanging(opponent: Player, learner: LearningPlayer) -> Policy | None:
    """The opponent, if it plays by the same probabilities from the first game to the last."""
    shares = isinstance(opponent, LearningPlayer) and opponent.memory is learner.memory
    return opponent if isinstance(opponent, Policy) and not opponent.learns and not shares else None


def opponent_of(
    lab: Lab,
    learner: LearningPlayer,
    text: str | None,
    usual: str,
    seat: SeatName,
    make: AgentMaker,
) -> tuple[Player, str, LearningPlayer | None]:
    """The opponent, how it is written, and, where it has a table of its own that changes, the same
    again.
    """
    name, _colon, options = (usual if text is None else text).partition(":")
    if name != "self":
        opponent = make(lab, usual if text is None else text)
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
            message(
                "self:table=separate has a table for each seat, so --seat is 1 or 2, the one whose results"
                " are told"
            )
        )
    if learn == "one":
        raise BadInput(
            message(
                "self:table=separate,learn=one: a table that nobody learns is the random player or one from a"
                " file"
            )
        )
    other = LearningPlayer(lab.game, learner.name, learner.parameters)
    return other, written, other


# The training of an agent of one's own.

MOST_ASKED = 200_000
"""Positions in which an agent of one's own is asked for a grade while it learns: some seconds of plain
Python.
"""
GAMES_OF_ITS_OWN = ("begin", "end")
"""Methods by which an agent keeps a game in mind: it cannot be in the middle of two."""


@dataclass
class OwnTrainer(Trainer):
    """The training of an agent of one's own.

    varies  why it is not graded: it says no probabilities and does not always choose alike
    """

    learner: OwnPlayer
    varies: str = ""

    def policy(self) -> Policy | None:
        """Return what it plays without learning: asked of a copy, so that grading changes nothing."""
        found = self.learner.frozen()
        if isinstance(found, Policy):
            return found
        if self._decisions is None:
            return None
        decided = fixed_choices(self.lab.game, found, self._decisions)
        if decided.varies:
            if not self.varies:
                self.lab.job.note(_("the learner is not graded exactly: {why}", why=decided.varies))
            self.varies = decided.varies
            return None
        return decided

    @cached_property
    def _decisions(self) -> list[State] | None:
        """Return where it is asked; None, with a note, where that is too much to keep."""
        try:
            return decisions(self.lab.game, self.lab.job)
        except LimitReached as error:
            self.lab.job.note(_("the learner is not graded: {error}", error=error))
            return None

    def save(self, path: Path) -> None:
        data = data_of(self.learner)
        if why := agent_file.why_not_kept(data):
            raise AgentFault(message("{file}: save(): {why}", file=self.learner.source.name, why=why))
        done = self.training
        facts = self.facts_of_file
        agent_file.save(
            agent_file.OwnAgent(self.lab.game, self.plan.learner, facts, done.episodes, done.curve, data),
            path,
        )

    def resume(self, path: Path) -> None:
        found = agent_file.load(path, self.lab.game)
        ours = {"learner": self.plan.learner, **self.facts}
        require_same(path, {"learner": found.agent, **found.training}, ours)
        load_into(self.learner, found.data)
        self.go_on_from(found.games, found.curve, found.training)


def own_trainer(lab: Lab, plan: Plan, make: AgentMaker = agent) -> OwnTrainer:
    """The training of an agent of one's own, as planned; `make` makes it, and its opponent.

    Raises BadInput, Unsuitable, LimitReached, and AgentFault for what is wrong in the file.
    """
    require_two(lab)
    lab.seed = plan.seed
    learner = make(lab, plan.learner)
    if isinstance(learner, ProcessPlayer):
        learner = learning_player(learner)
    assert isinstance(learner, OwnPlayer)
    if not learner.can_learn:
        raise BadInput(
            message(
                "{agent} does not learn: it has none of the methods learn, update and end",
                agent=plan.learner,
            )
        )
    learner.learns = True
    seat: SeatName = plan.seat or "1"
    text = plan.opponent or "random"
    opponent = beside(learner) if text == "self" else make(lab, text)
    full = replace(plan, opponent=text, seat=seat)
    against = opponent if isinstance(opponent, Policy) and not opponent.learns else RandomPlayer()
    training = Training(table_of(lab, full, learner, opponent, seat), learner)
    made = OwnTrainer(lab, full, training, learner, opponent, against.text)
    made.grade_by(Grades(lab, against, MOST_ASKED))
    return made


def beside(learner: OwnPlayer) -> Player:
    """The learner as its own opponent: one agent, told of the decisions of both seats.

    Raises BadInput for one that keeps the game in mind itself.
    """
    kept = [name for name in GAMES_OF_ITS_OWN if hasattr(learner.agent, name)]
    if kept:
        raise BadInput(
            message(
                "{agent} cannot sit at both seats: {method}() is about one game of its own; what learn() is"
                " told of is enough to play itself",
                agent=learner.text,
                method=kept[0],
            )
        )
    return learner.beside(learns=True)
