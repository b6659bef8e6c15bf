"""The parts of a page with an exercise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from damier.core.words import _
from damier.lab.exercises.drill import POINTS, Drill
from damier.lab.exercises.kinds import KINDS, NAMES, USUAL_COUNT, RunPoints, has_shape, usual_shape
from damier.trees.marking import Marked
from damier.web import pages
from damier.web.exercise.asked_drill import AskedDrill, sizes_of
from damier.web.messages.parts import Parts

ANSWERED: Mapping[str, str] = {}


class DrillStanding(NamedTuple):
    """How an exercise stands: what was marked, how often, what it is worth so far, and whether
    nothing more is marked.
    """

    found: Sequence[Marked]
    markings: int
    points: float
    closed: bool

    @property
    def right(self) -> int:
        return sum(each.is_right for each in self.found)


NOT_MARKED = DrillStanding((), 0, 0.0, closed=False)


def all_parts(asked: AskedDrill) -> Parts:
    """An exercise that nobody has begun: nothing of its key."""
    return {
        "sheet": pages.picture(asked.drill.sheet_svg(asked.title, headed=False)),
        "task": pages.part("exercise_task.html", task=asked.drill.task(), notes=notes(asked.drill)),
        "progress": progress_part(asked),
        "choices": choices_part(asked),
        "result": "",
        "key": "",
        **marked_parts(asked, ANSWERED, NOT_MARKED),
    }


def marked_parts(asked: AskedDrill, given: Mapping[str, str], standing: DrillStanding) -> Parts:
    """The fields as they were filled in, and what is said of them."""
    return {
        "fields": fields_part(asked.drill, given, standing),
        "status": pages.part(
            "exercise_status.html", standing=standing, points=POINTS, figure=figure, once=bool(asked.sheet)
        ),
        "reasons": pages.part("exercise_reasons.html", rows=reasons(asked.drill, standing)),
    }


def notes(drill: Drill) -> list[str]:
    """How answers are written."""
    kinds, found = {field.kind for field in drill.fields()}, []
    if drill.kind == "alphabeta":
        found.append(_("A node that is never looked at: leave it empty."))
    if "numbers" in kinds:
        found.append(_("One number for each player, with commas or blanks between: 3 1 5."))
    if drill.kind in ("beads", "evaluation"):
        found.append(_("Fractions may be written 1/4; two decimals are enough."))
    return found


def figure(points: float) -> str:
    """Points as people write them: to a tenth, if they are no whole number."""
    # Translators: what stands before the tenths of a number.
    return f"{points:g}".replace(".", _("."))


def fields_part(drill: Drill, given: Mapping[str, str], standing: DrillStanding) -> str:
    rows = enumerate(reasons(drill, standing), 1)
    return pages.part(
        "exercise_fields.html",
        fields=drill.fields(),
        given=given,
        found={each.key: each.is_right for each in standing.found},
        why={key: f"why-{number}" for number, (keys, _said) in rows for key, _label in keys},
        closed=standing.closed,
    )


def reasons(drill: Drill, standing: DrillStanding) -> list[tuple[list[tuple[str, str]], str]]:
    """Of what is wrong, by key and label: nothing at first, then hints, then the reasons; what is said
    of several is said once.
    """
    if not standing.closed and standing.markings < 2:
        return []
    labels = {field.key: field.label for field in drill.fields()}
    found: dict[str, list[tuple[str, str]]] = {}
    for each in standing.found:
        if not each.is_right:
            said = each.reason if standing.closed else each.hint
            found.setdefault(said, []).append((each.key, labels[each.key]))
    return [(keys, said) for said, keys in found.items()]


def progress_part(asked: AskedDrill) -> str:
    """Where one is in a run."""
    items = [(number, asked.address(number)) for number in range(1, asked.count + 1)]
    return pages.part("exercise_progress.html", title=asked.title, items=items, item=asked.item)


def choices_part(asked: AskedDrill) -> str:
    usual = sizes_of(usual_shape(asked.kind)) if asked.kind != "minimal" else ("", "", "")
    return pages.part(
        "exercise_choices.html",
        asked=asked,
        kinds=[(kind, _(NAMES[kind])) for kind in KINDS],
        has_shape=has_shape(asked.kind),
        sizes=sizes_of(asked.shape) if asked.shape else usual,
        usual_count=USUAL_COUNT,
    )


def result_part(asked: AskedDrill, found: RunPoints) -> str:
    """A run that is finished."""
    rows = [(number, points, asked.address(number)) for number, points in enumerate(found.each, 1)]
    return pages.part("exercise_result.html", found=found, rows=rows, figure=figure, again=not asked.sheet)
