"""The outcome of a sweep, as data: a row a setting, every figure the mean over its seeds with its
interval.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Literal, NamedTuple, TypeAlias, TypedDict

from damier.arena.match import mean_interval
from damier.core.words import _, decimal, grouped, ngettext, percent
from damier.draw.line_charts import IntervalLine, IntervalPoint, MultiplePanel, multiples_svg
from damier.lab.tournament_report import harmless
from damier.plugins.studies.sweep import SweepPlan, SweepSetting, TrainingResult

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
    """The report of a sweep; `games` and `opponent` None: as each learner's preset says."""

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
    """Return what all rows have, the first of share, payoff and games won."""
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


# A sweep as a picture: a panel for each learner over the option that it varies most, and one over games
# for those that vary none; every point the mean over seeds in its 95 % interval, under the exact ceiling.


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
    """Return what the numbers of a sweep are."""
    what = {
        "share": _("exact mean payoff as a share of the ceiling"),
        "payoff": _("exact mean payoff"),
        "won": _("games won in the last block (not graded)"),
    }[measure_of(data["rows"])]
    return _("{what}: mean of {n} seeds, 95 % interval of the mean (Student's t)", what=what, n=data["seeds"])


def written(value: float, measure: SweepMeasure) -> str:
    return decimal(value, "+.3f") if measure == "payoff" else percent(value, ".1f")


def measured(row: SweepRow, measure: SweepMeasure) -> MeanOverSeeds:
    """Return what a row is drawn by."""
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
