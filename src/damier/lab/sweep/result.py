"""What came of one training, as data: a line of a sweep's file."""

from __future__ import annotations

from typing import TypedDict, cast

from damier.core.json_types import JsonObject, JsonValue
from damier.lab.curves import series
from damier.lab.lab import Lab
from damier.lab.sweep.plan import SweepPlan, TrainingOrder
from damier.lab.trainer import Grades, Trainer
from damier.lab.training import trainer
from damier.lab.workers.work import TellPart
from damier.learn.parameters import SeatName


class TrainingResult(TypedDict):
    """A training that has ended.

    against   whom it was graded against
    won       how many of the games of the last block it has won
    payoff    what it is worth at its seat, exactly; None, as the two below, where it was not graded
    ceiling   the most that any policy is worth there
    optimal   how likely it keeps the value of a position that it reaches
    points    games and payoff, block by block, as far as they were graded
    """

    learner: str
    seed: int
    games: int
    seat: str
    against: str
    won: float
    payoff: float | None
    ceiling: float | None
    optimal: float | None
    points: list[tuple[int, float]]


class SweepDoer:
    """Trains learners; those that are graded against the same policy share what grades them."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._lab, self._grades = lab, dict[tuple[type, str], Grades]()
        self._plan = SweepPlan(
            (),
            range(0),
            opponent=cast("str | None", given["opponent"]),
            seat=cast("SeatName | None", given["seat"]),
            max_plies=cast("int", given["max_plies"]),
            grade_every=cast("int | None", given["grade_every"]),
        )

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        asked = cast("TrainingOrder", order)
        made = trainer(self._lab, self._plan.training(asked["learner"], asked["seed"]))
        made.grade_by(self._grades.setdefault((type(made), made.against), made.grades))
        made.training.run(asked["games"], self._lab.job)
        return cast("JsonObject", result_of(made, asked))


def result_of(made: Trainer, asked: TrainingOrder) -> TrainingResult:
    """What a training has come to."""
    seat = made.plan.seat or "1"
    learnt, last = series("", made.training.curve, seat), made.training.curve.blocks[-1]
    end = learnt.points[-1]
    return {
        "learner": asked["learner"],
        "seed": asked["seed"],
        "games": made.training.episodes,
        "seat": seat,
        "against": made.against,
        "won": end.rates[0].rate,
        "payoff": end.payoff,
        "ceiling": end.ceiling,
        "optimal": last.grade.optimal_share_reached if last.grade else None,
        "points": [(point.games, point.payoff) for point in learnt.points if point.payoff is not None],
    }
