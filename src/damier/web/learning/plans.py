"""What a training is to be: as a page orders it, or as the file says with which it goes on."""

from __future__ import annotations

from damier.core.errors import BadInput
from damier.core.words import message
from damier.lab.own_file import OwnAgent
from damier.lab.training import Plan
from damier.learn.player import LearningPlayer
from damier.learn.store import Agent
from damier.web.limits import limited
from damier.web.messages.training import TrainingPlan
from damier.web.own_agents import OwnAgents
from damier.web.registry import not_served, refuse_agent

MOST_PLIES = 1000


def checked_plan(plan: TrainingPlan, own: OwnAgents) -> Plan:
    """The plan of a new training, its agents as files name them.

    Raises BadInput for agents that a page may not name.
    """
    refuse_agents(plan["learner"], plan["opponent"])
    return Plan(
        own.as_in_file(plan["learner"]),
        own.as_in_file(limited(plan["opponent"])) or None,
        plan["seat"] or None,
        plan["seed"],
        MOST_PLIES,
    )


def plan_of_file(found: Agent | OwnAgent, name: str, own: OwnAgents) -> Plan:
    """The plan of a training that goes on; `name` is that of its learner.

    Raises BadInput for a learner that was never trained, by an agent that a page may not name, or
    that is one of somebody's own which is not served.

    The file may come from anywhere: what it says is no more to be trusted than what a page says.
    """
    if not found.training:
        raise BadInput(message("this learner was never trained, so there is nothing to go on with"))
    opponent = str(found.training["opponent"] or "")
    if own.named_in_file(opponent) is None:
        refuse_agents(opponent)
    if isinstance(found, Agent):
        learner = LearningPlayer(found.game, found.learner, found.parameters).text
    elif own.named_in_file(found.agent) is None:
        raise not_served(name, found.agent)
    else:
        learner = found.agent
    return Plan(learner, **{name: found.training[name] for name in ("opponent", "seat", "seed", "max_plies")})


def refuse_agents(*texts: str) -> None:
    """Raises BadInput for agents that are files of this machine, or people."""
    for text in texts:
        refuse_agent(text)
        if text.partition(":")[0] == "human":
            raise BadInput(message("people cannot sit in a training: play against the learner on the board"))
