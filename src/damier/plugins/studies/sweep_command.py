"""`damier sweep`: learners × parameters × seeds, each training graded exactly; one table, one picture."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from damier.cli.command import (
    ClusterAddress,
    GameName,
    GradeEvery,
    Json,
    MaxPlies,
    Seed,
    SharedWork,
    checked_seed,
    percent,
    refuse_out,
    remark,
    report,
    say,
    table,
    within,
)
from damier.cli.train import grades_between
from damier.core.data_files import require_data, write_data
from damier.core.words import _, decimal, grouped
from damier.draw.picture_files import require_picture, write_picture
from damier.draw.tables import IntervalSigns, interval_signs, interval_text
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.workers import hired
from damier.plugins.studies.sweep import (
    MeanOverSeeds,
    Sweep,
    SweepMeasure,
    SweepPlan,
    SweepReport,
    SweepRow,
    SweepSetting,
    measure_of,
    measured,
    measured_in_words,
    settings_of,
    sweep_data,
    sweep_report,
    sweep_svg,
    title_of,
    trainings_in,
)

WIDTH = 24
"""Characters of an interval that is drawn in the table."""


def sweep(
    game: GameName,
    /,
    *,
    learner: Annotated[
        list[str],
        Parameter(
            negative=(),
            help=_(
                "a learner, with several values for some of its options: q:alpha=0.1,0.3 or"
                " q:epsilon=0.1..0.5..0.1; given once for each learner"
            ),
        ),
    ],
    opponent: Annotated[
        str | None,
        Parameter(
            name=("--opponent", "--against"),
            help=_("whom all train against, as in train (default: the preset's own, or random)"),
        ),
    ] = None,
    games: Annotated[
        int | None,
        Parameter(
            converter=within(), help=_("games of each training (default: the preset's own, or 100000)")
        ),
    ] = None,
    seeds: Annotated[
        int,
        Parameter(
            converter=within(1, 1_000_000), help=_("trainings of each setting: the seeds from --seed on")
        ),
    ] = 10,
    seat: Annotated[
        Literal["1", "2", "alternate"] | None,
        Parameter(help=_("where the learner sits (default: the preset's own, or 1)")),
    ] = None,
    grade_every: GradeEvery = "",
    max_plies: Annotated[MaxPlies, Parameter(converter=within(1, 1_000_000))] = 1000,
    store: Annotated[
        Path | None,
        Parameter(help=_("keep every training in a file, NAME.jsonl; the same again goes on from there")),
    ] = None,
    out: Annotated[
        Path | None, Parameter(name=("--out", "-o"), help=_("write the table to a .csv or .parquet file"))
    ] = None,
    picture: Annotated[
        Path | None, Parameter(help=_("draw the sweep under the ceiling to a .svg, .png or .pdf file"))
    ] = None,
    seed: Seed = 0,
    cluster: ClusterAddress = None,
    work: SharedWork | None = None,
    json: Json = False,
) -> None:
    if out is not None:
        require_data(out)
    if picture is not None:
        require_picture(picture)
    job, notes = (work or SharedWork()).job()
    lab = Lab(load(game), job)
    first = checked_seed(seed)
    plan = SweepPlan(
        tuple(settings_of(learner)),
        range(first, first + seeds),
        games,
        opponent,
        seat,
        max_plies,
        grades_between(grade_every),
    )
    current = Sweep(lab, plan, store)
    interrupted = False
    try:
        with hired(cluster, job) as hire:
            current.run(hire)
    except KeyboardInterrupt:  # what has ended is told
        interrupted = True
    finally:
        current.kept.close()
    results = current.results
    data = sweep_report(lab.game.text, plan, results)
    written = (out, picture) if results else ()
    if results and out is not None:
        write_data(sweep_data(data), out)
    if results and picture is not None:
        write_picture(sweep_svg(lab.game.text, plan, results), picture)
    report(data, json, lambda: show(data), *written, notes=notes)
    if interrupted:
        if store is not None:
            remark(_("the same command goes on from here"))
        raise KeyboardInterrupt


def show(data: SweepReport) -> None:
    """A line a setting."""
    if data["rows"]:
        measure, signs = measure_of(data["rows"]), interval_signs(sys.stdout.encoding)
        lowest = min(bounds(row, measure)[0] for row in data["rows"])
        graded = [_("payoff"), _("95 % interval"), _("ceiling"), _("of it")]
        columns = [
            _("learner"),
            _("seeds"),
            *([_("won"), _("95 % interval")] if measure == "won" else graded),
        ]
        table(
            [*columns, ""],
            [(*figures(row, measure), drawn(row, measure, lowest, signs)) for row in data["rows"]],
            _("{title}, {what}", title=title_of(data), what=measured_in_words(data)),
            numbers=range(1, len(columns)),
        )
    if data["trained"] < data["of"]:
        say(_("{n} of {of} trainings have ended", n=grouped(data["trained"]), of=grouped(data["of"])))


def figures(row: SweepRow, measure: SweepMeasure) -> tuple[str, ...]:
    """A setting as a line of the table, without its picture."""
    payoff, share, ceiling = row["payoff"], row["share"], row["ceiling"]
    if measure == "won" or payoff is None or ceiling is None:
        return row["learner"], grouped(row["seeds"]), percent(row["won"]["mean"]), interval_of(row["won"])
    return (
        row["learner"],
        grouped(row["seeds"]),
        decimal(payoff["mean"], "+.4f"),
        interval_of(payoff, "+.4f"),
        decimal(ceiling, "+.4f"),
        percent(share["mean"]) if share else "",
    )


def interval_of(mean: MeanOverSeeds, form: str = "") -> str:
    """The interval of a payoff, or of a share; nothing of one seed."""
    ends = mean["interval"] or ()
    return " – ".join(decimal(end, form) if form else percent(end) for end in ends)


def bounds(row: SweepRow, measure: SweepMeasure) -> tuple[float, float, float]:
    """Low end, mean and high end of what a row is drawn by."""
    found: MeanOverSeeds = measured(row, measure)
    low, high = found["interval"] or (found["mean"], found["mean"])
    return low, found["mean"], high


def drawn(row: SweepRow, measure: SweepMeasure, lowest: float, signs: IntervalSigns) -> str:
    """The interval of a row between the lowest of all and the ceiling."""
    highest = row["ceiling"] if measure == "payoff" and row["ceiling"] is not None else 1.0
    return interval_text(bounds(row, measure), lowest, highest, WIDTH, signs)


def show_file(file: Path, out: Path | None, json: bool) -> None:
    """Show the table of the trainings that are in the file of a sweep."""
    refuse_out(out, file)
    game, opponent, results = trainings_in(file)
    counted = Counter(result["learner"] for result in results)
    settings = tuple(SweepSetting(learner, (), learner) for learner in counted)
    first = min((result["seed"] for result in results), default=0)
    plan = SweepPlan(settings, range(first, first + max(counted.values(), default=0)), opponent=opponent)
    data = sweep_report(game, plan, results)
    data["of"] = data["trained"]
    report(data, json, lambda: show(data))
