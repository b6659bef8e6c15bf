"""A training put together: of a learner that damier brings, or of an agent of one's own."""

from __future__ import annotations

from damier.lab.agents import agent, is_own
from damier.lab.lab import Lab
from damier.lab.own_training import own_trainer
from damier.lab.table_training import table_trainer
from damier.lab.trainer import AgentMaker
from damier.lab.trainer import Plan as Plan
from damier.lab.trainer import Trainer as Trainer


def trainer(lab: Lab, plan: Plan, make: AgentMaker = agent) -> Trainer:
    """A training as planned; `make` makes its agents.

    Raises UnknownName, BadInput, Unsuitable, LimitReached, and AgentFault for what is wrong in an
    agent of one's own.
    """
    return (own_trainer if is_own(plan.learner) else table_trainer)(lab, plan, make)
