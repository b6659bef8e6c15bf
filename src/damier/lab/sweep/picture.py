"""A sweep as a picture: a panel for each learner over the option that it varies most, and one over games
for those that vary none; every point the mean over seeds in its 95 % interval, under the exact ceiling.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from damier.core.words import _, decimal, grouped, ngettext, percent
from damier.draw.interval_line import IntervalLine, IntervalPoint
from damier.draw.multiples import MultiplePanel, multiples_svg
from damier.lab.sweep.plan import SweepPlan
from damier.lab.sweep.result import TrainingResult
from damier.lab.sweep.summary import (
    MeanOverSeeds,
    SweepMeasure,
    SweepReport,
    SweepRow,
    mean_over,
    measure_of,
    sweep_report,
)


class DrawnRow(NamedTuple):
    """A row of a sweep, and the text of the learner that it comes from."""

    given: str
    row: SweepRow


def sweep_svg(game: str, plan: SweepPlan, results: Sequence[TrainingResult]) -> str:
    """The picture of a sweep of which some trainings have ended, as SVG text."""
    data = sweep_report(game, plan, results)
    measure = measure_of(data["rows"])
    given = {setting.text: setting.given for setting in plan.settings}
    drawn = [DrawnRow(given[row["learner"]], row) for row in data["rows"]]
    panels = []
    for learner in dict.fromkeys(one.given for one in drawn):
        rows = [one.row for one in drawn if one.given == learner]
        if rows[0]["options"]:
            panels.append(panel_over_option(learner, rows, measure))
    constant = [one.row for one in drawn if not one.row["options"]]
    if constant:
        panels.append(panel_over_games(constant, results, measure))
    return multiples_svg(
        panels, title_of(data), measured_in_words(data), lambda value: written(value, measure)
    )


def title_of(data: SweepReport) -> str:
    opponent, trained = data["opponent"], data["trained"]
    if opponent is None:
        return ngettext(
            "{game}: a sweep of one training",
            "{game}: a sweep of {n} trainings",
            trained,
            game=data["game"],
            n=grouped(trained),
        )
    return ngettext(
        "{game}: a sweep of one training against {opponent}",
        "{game}: a sweep of {n} trainings against {opponent}",
        trained,
        game=data["game"],
        n=grouped(trained),
        opponent=opponent,
    )


def measured_in_words(data: SweepReport) -> str:
    """What the numbers of a sweep are."""
    what = {
        "share": _("exact mean payoff as a share of the ceiling"),
        "payoff": _("exact mean payoff"),
        "won": _("games won in the last block (not graded)"),
    }[measure_of(data["rows"])]
    return _("{what}: mean of {n} seeds, 95 % interval of the mean (Student's t)", what=what, n=data["seeds"])


def written(value: float, measure: SweepMeasure) -> str:
    return decimal(value, "+.3f") if measure == "payoff" else percent(value, ".1f")


def measured(row: SweepRow, measure: SweepMeasure) -> MeanOverSeeds:
    """What a row is drawn by."""
    found = {"share": row["share"], "payoff": row["payoff"], "won": row["won"]}[measure]
    assert found is not None
    return found


def panel_over_option(learner: str, rows: Sequence[SweepRow], measure: SweepMeasure) -> MultiplePanel:
    """The option with the most values across, the first of equals; a line for each combination of the
    others.
    """
    values: dict[str, list[str]] = {}
    for row in rows:
        for option, value in row["options"].items():
            if value not in values.setdefault(option, []):
                values[option].append(value)
    across = max(values, key=lambda option: len(values[option]))
    lines: dict[str, list[IntervalPoint]] = {}
    for row in rows:
        name = ",".join(f"{option}={value}" for option, value in row["options"].items() if option != across)
        place = values[across].index(row["options"][across])
        lines.setdefault(name, []).append(point(place, measured(row, measure)))
    return MultiplePanel(
        learner,
        tuple(IntervalLine(name, tuple(points)) for name, points in lines.items()),
        across,
        tuple(values[across]),
        ceilings_of(rows, measure),
    )


def panel_over_games(
    rows: Sequence[SweepRow], results: Sequence[TrainingResult], measure: SweepMeasure
) -> MultiplePanel:
    """The curves of settings, a line each, block by block."""
    lines = []
    for row in rows:
        found = [result for result in results if result["learner"] == row["learner"]]
        ceiling = (row["ceiling"] or 1.0) if measure == "share" else 1.0
        points = []
        if measure == "won":
            points = [point(found[0]["games"], row["won"])]
        else:
            for block in zip(*(result["points"] for result in found), strict=False):  # as far as all come
                payoffs = [payoff / ceiling for _games, payoff in block]
                points.append(point(block[0][0], mean_over(payoffs, (row["ceiling"] or 0.0) / ceiling)))
        lines.append(IntervalLine(row["learner"], tuple(points)))
    title = lines[0].name if len(lines) == 1 else _("over the games played")
    return MultiplePanel(title, tuple(lines), "", ceilings=ceilings_of(rows, measure))


def point(x: float, mean: MeanOverSeeds) -> IntervalPoint:
    low, high = mean["interval"] or (None, None)
    return IntervalPoint(x, mean["mean"], low, high)


def ceilings_of(rows: Sequence[SweepRow], measure: SweepMeasure) -> tuple[tuple[float, str], ...]:
    """The ceilings of these rows, and what is written beside each."""
    found = sorted({row["ceiling"] for row in rows if row["ceiling"] is not None})
    if measure == "won" or not found:
        return ()
    names = [_("ceiling {payoff}", payoff=decimal(ceiling, "+.4f")) for ceiling in found]
    if measure == "payoff":
        return tuple(zip(found, names, strict=True))
    return ((1.0, " / ".join(names)),)
