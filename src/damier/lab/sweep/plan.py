"""What a sweep trains: settings and seeds, and how each training goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypedDict

from damier.core.errors import Unsuitable
from damier.core.json_types import JsonObject
from damier.core.words import message
from damier.lab.lab import Lab
from damier.lab.sweep.grid import SweepSetting
from damier.lab.trainer import Plan, Trainer
from damier.lab.training import trainer
from damier.learn.parameters import SeatName


class TrainingOrder(TypedDict):
    """One training: a learner, its seed, how many games."""

    learner: str
    seed: int
    games: int


@dataclass(frozen=True)
class SweepPlan:
    """A sweep: every setting with every seed.

    games, opponent, seat  None: as the preset of the learner says, or as in `train`
    grade_every            as in `Plan`
    """

    settings: tuple[SweepSetting, ...]
    seeds: range
    games: int | None = None
    opponent: str | None = None
    seat: SeatName | None = None
    max_plies: int = 1000
    grade_every: int | None = None

    def training(self, learner: str, seed: int) -> Plan:
        """One of its trainings."""
        return Plan(learner, self.opponent, self.seat, seed, self.max_plies, self.grade_every)

    @property
    def given(self) -> JsonObject:
        """What all its trainings share, as data."""
        return {
            "opponent": self.opponent,
            "seat": self.seat,
            "max_plies": self.max_plies,
            "grade_every": self.grade_every,
        }


def orders_of(plan: SweepPlan, lab: Lab) -> list[TrainingOrder]:
    """All trainings: setting after setting, each with every seed. Every learner is made once, so that
    what is wrong with one is told before the first game.

    Raises BadInput, Unsuitable, LimitReached, AgentFault, as a training does.
    """
    usual = {setting.text: _tried(plan, lab, setting).usual_games for setting in plan.settings}
    return [
        {"learner": setting.text, "seed": seed, "games": plan.games or usual[setting.text]}
        for setting in plan.settings
        for seed in plan.seeds
    ]


def _tried(plan: SweepPlan, lab: Lab, setting: SweepSetting) -> Trainer:
    made = trainer(lab, plan.training(setting.text, plan.seeds.start))
    if made.opponent.text == "human":
        raise Unsuitable(message("human does not play by itself; a sweep is between programs"))
    return made
