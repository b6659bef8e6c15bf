"""The training of an agent of one's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from damier.agents.own import OwnPlayer
from damier.agents.process import ProcessPlayer
from damier.core.errors import AgentFault, BadInput, LimitReached
from damier.core.player import Player, Policy, RandomPlayer
from damier.core.rules import State
from damier.core.words import _, message
from damier.lab import agent_file
from damier.lab.agent_file import data_of, load_into
from damier.lab.agents import agent
from damier.lab.grading import decisions, fixed_choices
from damier.lab.lab import Lab
from damier.lab.programs import learning_player
from damier.lab.trainer import AgentMaker, Grades, Plan, Trainer, require_same, require_two, table_of
from damier.learn.parameters import SeatName
from damier.learn.training import Training

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
