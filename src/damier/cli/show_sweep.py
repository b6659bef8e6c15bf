"""`damier show` of the file of a sweep."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from damier.cli.output import report

SWEEP = "damier-sweep/1"


def show_sweep(file: Path, json: bool) -> None:
    """The table of the trainings that are in the file of a sweep."""
    from damier.cli.sweep import show
    from damier.lab.sweep.grid import SweepSetting
    from damier.lab.sweep.kept import trainings_in
    from damier.lab.sweep.plan import SweepPlan
    from damier.lab.sweep.summary import sweep_report

    game, opponent, results = trainings_in(file)
    counted = Counter(result["learner"] for result in results)
    settings = tuple(SweepSetting(learner, (), learner) for learner in counted)
    first = min((result["seed"] for result in results), default=0)
    plan = SweepPlan(settings, range(first, first + max(counted.values(), default=0)), opponent=opponent)
    data = sweep_report(game, plan, results)
    data["of"] = data["trained"]
    report(data, json, lambda: show(data, []))
