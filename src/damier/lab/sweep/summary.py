"""What came of a sweep, as data: a row a setting, every figure the mean over its seeds with its interval."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Literal, TypeAlias, TypedDict

from damier.arena.statistics import mean_interval
from damier.lab.sweep.grid import SweepSetting
from damier.lab.sweep.plan import SweepPlan
from damier.lab.sweep.result import TrainingResult
from damier.lab.tournament_report import harmless

SweepMeasure: TypeAlias = Literal["share", "payoff", "won"]
"""What a sweep is drawn by: payoff as a part of the ceiling, payoff, or games won in the last block."""


class MeanOverSeeds(TypedDict):
    """A mean, and the 95 % interval of what it estimates; None where there is only one seed."""

    mean: float
    interval: list[float] | None


class SweepRow(TypedDict):
    """A setting. What is graded is None where any of its trainings was not.

    seeds    trainings that have ended
    ceiling  the most that any policy is worth at its seat against `against`
    share    the payoff as a part of the ceiling, where that is above 0
    """

    learner: str
    options: dict[str, str]
    seeds: int
    seat: str
    against: str
    payoff: MeanOverSeeds | None
    ceiling: float | None
    share: MeanOverSeeds | None
    optimal: MeanOverSeeds | None
    won: MeanOverSeeds


class SweepReport(TypedDict):
    """What is reported of a sweep; `games` and `opponent` None: as each learner's preset says."""

    game: str
    games: int | None
    opponent: str | None
    seed: int
    seeds: int
    trained: int
    of: int
    rows: list[SweepRow]


def sweep_report(game: str, plan: SweepPlan, results: Sequence[TrainingResult]) -> SweepReport:
    """A sweep so far."""
    by_learner = dict[str, list[TrainingResult]]()
    for result in results:
        by_learner.setdefault(result["learner"], []).append(result)
    return {
        "game": game,
        "games": plan.games,
        "opponent": plan.opponent,
        "seed": plan.seeds.start,
        "seeds": len(plan.seeds),
        "trained": len(results),
        "of": len(plan.settings) * len(plan.seeds),
        "rows": [
            row_of(setting, found) for setting in plan.settings if (found := by_learner.get(setting.text))
        ],
    }


def row_of(setting: SweepSetting, results: Sequence[TrainingResult]) -> SweepRow:
    """A setting from its trainings, at least one."""
    ceilings = [result["ceiling"] for result in results if result["ceiling"] is not None]
    ceiling = ceilings[0] if len(ceilings) == len(results) else None

    def mean_of(figure: Callable[[TrainingResult], float | None], most: float) -> MeanOverSeeds | None:
        figures = [found for result in results if (found := figure(result)) is not None]
        return mean_over(figures, most) if len(figures) == len(results) else None

    won = mean_over([result["won"] for result in results], 1.0)
    return {
        "learner": setting.text,
        "options": dict(setting.varied),
        "seeds": len(results),
        "seat": results[0]["seat"],
        "against": results[0]["against"],
        "payoff": None if ceiling is None else mean_of(lambda result: result["payoff"], ceiling),
        "ceiling": ceiling,
        "share": mean_of(share, 1.0),
        "optimal": mean_of(lambda result: result["optimal"], 1.0),
        "won": won,
    }


def share(result: TrainingResult) -> float | None:
    """The payoff of a training as a part of the ceiling."""
    payoff, ceiling = result["payoff"], result["ceiling"]
    return payoff / ceiling if payoff is not None and ceiling is not None and ceiling > 0 else None


def mean_over(figures: Sequence[float], most: float) -> MeanOverSeeds:
    """A mean with its interval, cut off at the `most` that there can be."""
    interval = mean_interval(figures)
    return {"mean": fmean(figures), "interval": [interval[0], min(interval[1], most)] if interval else None}


def measure_of(rows: Sequence[SweepRow]) -> SweepMeasure:
    """What all rows have, the first of share, payoff and games won."""
    if all(row["share"] is not None for row in rows):
        return "share"
    return "payoff" if all(row["payoff"] is not None for row in rows) else "won"


def sweep_csv(data: SweepReport) -> str:
    """The rows for spreadsheets: a column an option that varies."""
    text = io.StringIO()
    written = csv.writer(text, lineterminator="\n")
    options = list(dict.fromkeys(option for row in data["rows"] for option in row["options"]))
    figures = ("payoff", "share", "optimal", "won")
    head = [*(f"{name}{end}" for name in figures for end in ("", "_low", "_high")), "ceiling"]
    written.writerow([harmless(cell) for cell in ["learner", *options, "seeds", "seat", "against", *head]])
    for row in data["rows"]:
        means = (row["payoff"], row["share"], row["optimal"], row["won"])
        cells: list[float | str] = []
        for mean in means:
            cells += ["", "", ""] if mean is None else [mean["mean"], *(mean["interval"] or ("", ""))]
        chosen = [harmless(row["options"].get(option, "")) for option in options]
        ceiling = "" if row["ceiling"] is None else row["ceiling"]
        written.writerow(
            [harmless(row["learner"]), *chosen, row["seeds"], row["seat"], harmless(row["against"])]
            + [*cells, ceiling]
        )
    return text.getvalue()
