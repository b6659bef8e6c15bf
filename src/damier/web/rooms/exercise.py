"""Exercises: a picture whose boxes are filled in where they stand, marked first with right and wrong,
then with hints, then with reasons.

The key stays with the server until it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.json_data import to_json
from damier.core.words import _, decimal, message, ngettext
from damier.lab.exercises import MARKINGS, POINTS, Drill, Marked, points
from damier.lab.exercises.kinds import (
    KINDS,
    LARGEST_SEED,
    MOST_COUNT,
    NAMES,
    USUAL_COUNT,
    DrillKind,
    DrillRun,
    RunPoints,
    has_shape,
    require_shape,
    usual_shape,
)
from damier.lab.exercises.tree_drills import TreeShape
from damier.web import pages
from damier.web.messages import (
    AddressValues,
    DrillState,
    MarkAnswer,
    Params,
    Parts,
    PartsAnswer,
    RunAnswer,
    StateAnswer,
)
from damier.web.registry import Registry
from damier.web.rooms import EXERCISES

# What an address says of an exercise: one alone, or one of a run.


LIMITS = {"branching": (2, 8), "plies": (1, 8), "players": (2, 6)}
MOST_ANSWERS, LONGEST_ANSWER = 600, 200


@dataclass(frozen=True)
class DrillParams(DrillRun):
    """An exercise as it is asked for: number `item` of a run, or one alone."""

    item: int = 1

    @classmethod
    def of_address(cls, params: Params) -> DrillParams:
        """Return what a page asks; where it says nothing, a run begins. Raises BadInput."""
        kind = params.choice("kind", KINDS)
        usual = 0 if {"kind", "seed"} & params.values.keys() else USUAL_COUNT
        count = params.whole("run", usual, 0, MOST_COUNT)
        seed = params.whole("seed", 1, 0, LARGEST_SEED) if count else params.whole("seed", 1)
        item = params.whole("item", 1, 1, max(1, count))
        return cls(kind, seed, count, shape_of(kind, params), item=item)

    @property
    def current(self) -> Drill:
        """The exercise. Raises BadInput."""
        return self.drill(self.item)

    @property
    def heading(self) -> str:
        """Return what stands above it."""
        return self.title_of(self.item)

    @property
    def of_run(self) -> AddressValues:
        """Return what an address says, the number of the exercise left out."""
        sizes: dict[str, int] = self.shape._asdict() if self.shape else {}
        count = {"run": self.count} if self.count else {}
        return {"kind": self.kind, "seed": self.seed, **sizes, **count}

    @property
    def values(self) -> AddressValues:
        return {**self.of_run, "item": self.item} if self.count else self.of_run

    def address(self, item: int) -> str:
        """Of an exercise of the same run."""
        return pages.address("/tree", view="exercise", **{**self.of_run, "item": item})

    def sheet_address(self, *, keys: bool) -> str:
        """Of the page to be printed."""
        return pages.address("/tree", view="sheet", **self.of_run, keys="1" if keys else "")

    def state(self) -> DrillState:
        return {
            "values": self.values,
            "address": pages.address("/tree", view="exercise", **self.values),
            "run": pages.address("", **self.of_run) if self.count else "",
            "kept": pages.address("", **self.of_run),
            "item": self.item,
            "count": self.count,
        }


def shape_of(kind: DrillKind, params: Params) -> TreeShape | None:
    """The size of the trees, where something else than usual was said of it. Raises BadInput."""
    if not has_shape(kind) or not any(params.values.get(name) for name in LIMITS):
        return None
    usual = usual_shape(kind)
    given = Params({name: value for name, value in params.values.items() if value != ""})
    found = TreeShape(*(given.whole(name, size, *LIMITS[name]) for name, size in usual._asdict().items()))
    if kind in ("expectimax", "minimal"):
        found = TreeShape(found.branching, found.plies)
    require_shape(kind, found)
    return None if found == usual and kind != "minimal" else found


def answers_of(found: object) -> dict[str, str]:
    """The answers that a page sent. Raises BadInput."""
    if isinstance(found, dict) and len(found) <= MOST_ANSWERS:
        answers = {
            name: text
            for name, text in found.items()
            if isinstance(text, str) and len(text) <= LONGEST_ANSWER
        }
        if len(answers) == len(found):
            return answers
    raise BadInput(
        message("answers must be at most {n} texts, each by the name of its question", n=MOST_ANSWERS)
    )


def markings_of(found: object, most: int) -> list[dict[str, str]]:
    """Answers that were marked one after the other. Raises BadInput."""
    if isinstance(found, list) and len(found) <= most:
        return [answers_of(each) for each in found]
    raise BadInput(message("an exercise is marked {n} times at most", n=most))


def items_of(found: object, markings: int) -> list[list[dict[str, str]]]:
    """Return what was marked of every exercise of a run. Raises BadInput."""
    if isinstance(found, list) and len(found) <= MOST_COUNT:
        return [markings_of(each, markings) for each in found]
    raise BadInput(message("a run has at most {n} exercises", n=MOST_COUNT))


# The parts of a page with an exercise.


class DrillStanding(NamedTuple):
    """Standing of an exercise: what was marked, how often, what it is worth so far, and whether
    nothing more is marked.
    """

    found: Sequence[Marked]
    markings: int
    points: float
    closed: bool

    @property
    def right(self) -> int:
        return sum(each.is_right for each in self.found)


def all_parts(params: DrillParams) -> Parts:
    """An exercise that nobody has begun: nothing of its key."""
    usual = usual_shape(params.kind) if params.kind != "minimal" else ("", "", "")
    return {
        "sheet": pages.picture(params.current.picture(params.heading, headed=False)),
        "task": pages.part("exercise_task.html", drill=params.current),
        "progress": progress_part(params),
        "choices": pages.part(
            "exercise_choices.html",
            asked=params,
            kinds=[(kind, _(NAMES[kind])) for kind in KINDS],
            has_shape=has_shape(params.kind),
            sizes=params.shape or usual,
            usual_count=USUAL_COUNT,
        ),
        "result": "",
        "key": "",
        **marked_parts(params, {}, DrillStanding((), 0, 0.0, closed=False)),
    }


def marked_parts(params: DrillParams, given: Mapping[str, str], standing: DrillStanding) -> Parts:
    """The fields as they were filled in, and what is said of them."""
    drill, found_reasons = params.current, reasons(params.current, standing)
    return {
        "fields": pages.part(
            "exercise_fields.html",
            fields=drill.fields(),
            given=given,
            found={each.key: each.is_right for each in standing.found},
            why={key: f"why-{n}" for n, (keys, _said) in enumerate(found_reasons, 1) for key, _label in keys},
            closed=standing.closed,
        ),
        "status": pages.part(
            "exercise_status.html",
            standing=standing,
            points=points_in_words(standing.points, POINTS),
        ),
        "reasons": pages.part("exercise_reasons.html", rows=found_reasons),
    }


def points_in_words(points: float, of: float) -> str:
    """Return points, and how many there are, as a part of a sentence."""
    return ngettext("{n} point of {of}", "{n} points of {of}", ceil(points), n=decimal(points), of=of)


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
            reason = each.reason if standing.closed else each.hint
            found.setdefault(reason, []).append((each.key, labels[each.key]))
    return [(keys, reason) for reason, keys in found.items()]


def progress_part(params: DrillParams) -> str:
    """Return where one is in a run."""
    items = [(number, params.address(number)) for number in range(1, params.count + 1)]
    return pages.part("exercise_progress.html", title=params.heading, items=items, item=params.item)


def result_part(params: DrillParams, found: RunPoints) -> str:
    """A run that is finished."""
    rows = [(number, points, params.address(number)) for number, points in enumerate(found.each, 1)]
    return pages.part("exercise_result.html", found=found, rows=rows, total=ceil(found.total))


def page(registry: Registry, params: Params) -> str:
    """The page of exercises; the tree room reaches it."""
    answer = show(registry, params)
    return pages.page(
        "exercise.html",
        EXERCISES,
        _("Exercises"),
        view="exercise",
        state=to_json(answer["state"]),
        parts=answer["parts"],
        has_class=bool(registry.settings.class_folder),
    )


def sheet(registry: Registry, params: Params) -> str:
    """A run to be printed: all its exercises, and their keys if they are asked for."""
    this, keys = DrillParams.of_address(params), params.flag("keys")
    if not this.count:
        raise BadInput(message("one exercise alone is printed from its own page; a run has run=10"))
    rows = []
    for number in range(1, this.count + 1):
        drill, title = this.drill(number), this.title_of(number)
        keyed = _("{title}: key", title=title)
        key = (
            (pages.picture(drill.picture(keyed, headed=False, solved=True)), drill.solution())
            if keys
            else None
        )
        rows.append((title, drill.task(), pages.picture(drill.picture(title, headed=False)), key))
    return pages.page(
        "exercise_sheet.html",
        EXERCISES,
        this.title,
        view="exercise",
        rows=rows,
        keys=keys,
        back=this.address(1),
        other=this.sheet_address(keys=not keys),
    )


def show(registry: Registry, params: Params) -> StateAnswer[DrillState]:
    """An exercise: its picture, what is to be filled in, and nothing of the key."""
    this = DrillParams.of_address(params)
    return {"state": this.state(), "parts": all_parts(this)}


def mark(registry: Registry, params: Params) -> MarkAnswer:
    """The `answers` of an exercise marked; `before` are those that were marked before. With `given_up`
    nothing more is marked, and the reasons are told.
    """
    this = DrillParams.of_address(params)
    given = answers_of(params.values.get("answers", {}))
    before = markings_of(params.values.get("before", []), MARKINGS - 1)
    drill, all_of_them = this.current, [*before, given]
    found = drill.marked(given)
    right = sum(each.is_right for each in found)
    closed = right == len(found) or len(all_of_them) == MARKINGS or params.flag("given_up")
    earned = points(drill, before if params.flag("given_up") else all_of_them)
    standing = DrillStanding(found, len(all_of_them), earned, closed)
    return {
        "right": right,
        "of": len(found),
        "points": earned,
        "closed": closed,
        "parts": marked_parts(this, given, standing),
    }


def key(registry: Registry, params: Params) -> PartsAnswer:
    """The key of an exercise."""
    this = DrillParams.of_address(params)
    drill = this.current
    drawn = drill.picture(_("{title}: key", title=this.heading), solved=True)
    part = pages.part(
        "exercise_key.html",
        picture=pages.picture(drawn),
        said=drill.solution(),
        text=drill.tree_text(),
        algorithm=drill.kind,
    )
    return {"parts": {"key": part}}


def result(registry: Registry, params: Params) -> RunAnswer:
    """The points of a run, given what was marked of each of its `items`."""
    this = DrillParams.of_address(params)
    if not this.count:
        raise BadInput(message("only a run has a result"))
    found = this.points(items_of(params.values.get("items", []), MARKINGS))
    return {
        "total": found.total,
        "of": found.of,
        "title": this.title,
        "parts": {"result": result_part(this, found)},
    }
