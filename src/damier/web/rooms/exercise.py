"""Exercises: a picture whose boxes are filled in where they stand, marked first with right and wrong,
then with hints, then with reasons.

The key stays with the server until it is asked for.
"""

from __future__ import annotations

from damier.core.errors import BadInput
from damier.core.json_data import to_json
from damier.core.words import _, message
from damier.lab.exercises.drill import MARKINGS, points
from damier.web import pages
from damier.web.exercise.asked_drill import AskedDrill, answers_of, items_of, markings_of
from damier.web.exercise.parts import DrillStanding, all_parts, marked_parts, result_part
from damier.web.messages.parts import PartsAnswer
from damier.web.messages.rooms import DrillAnswer, MarkAnswer, RunAnswer
from damier.web.params import Asked
from damier.web.registry import Registry


def page(registry: Registry, asked: Asked) -> str:
    """The page of exercises; the tree room reaches it."""
    answer = show(registry, asked)
    return pages.page(
        "exercise.html",
        "/tree",
        _("Exercises"),
        view="exercise",
        state=to_json(answer["state"]),
        parts=answer["parts"],
        has_class=bool(registry.settings.class_folder),
    )


def sheet(registry: Registry, asked: Asked) -> str:
    """A run to be printed: all its exercises, and their keys if they are asked for."""
    return printed(AskedDrill.asked(asked), keys=asked.flag("keys"))


def printed(this: AskedDrill, *, keys: bool) -> str:
    """The page of a run to be printed. Raises BadInput where there is none."""
    run = this.run
    if run is None:
        raise BadInput(message("one exercise alone is printed from its own page; a run has run=10"))
    rows = []
    for number in range(1, run.count + 1):
        drill, title = run.drill(number), run.title_of(number)
        keyed = _("{title}: key", title=title)
        key = (pages.picture(drill.key_svg(keyed, headed=False)), drill.solution()) if keys else None
        rows.append((title, drill.task(), pages.picture(drill.sheet_svg(title, headed=False)), key))
    return pages.page(
        "exercise_sheet.html",
        "/tree",
        run.title,
        view="exercise",
        rows=rows,
        keys=keys,
        back=this.address(1),
        other=this.sheet_address(keys=not keys),
    )


def show(registry: Registry, asked: Asked) -> DrillAnswer:
    """An exercise: its picture, what is to be filled in, and nothing of the key."""
    this = AskedDrill.asked(asked)
    return {"state": this.state(), "parts": all_parts(this)}


def mark(registry: Registry, asked: Asked) -> MarkAnswer:
    """The `answers` of an exercise marked; `before` are those that were marked before. With `given_up`
    nothing more is marked, and the reasons are told.
    """
    return marking(AskedDrill.asked(asked), asked)


def marking(this: AskedDrill, asked: Asked) -> MarkAnswer:
    """The same of an exercise that is known. Raises BadInput."""
    given = answers_of(asked.values.get("answers", {}))
    before = markings_of(asked.values.get("before", []), MARKINGS - 1)
    drill, all_of_them = this.drill, [*before, given]
    found = drill.marked(given)
    right = sum(each.is_right for each in found)
    closed = right == len(found) or len(all_of_them) == MARKINGS or asked.flag("given_up")
    worth = points(drill, before if asked.flag("given_up") else all_of_them)
    standing = DrillStanding(found, len(all_of_them), worth, closed)
    return {
        "right": right,
        "of": len(found),
        "points": worth,
        "closed": closed,
        "parts": marked_parts(this, given, standing),
    }


def key(registry: Registry, asked: Asked) -> PartsAnswer:
    """The key of an exercise."""
    return worked_out(AskedDrill.asked(asked))


def worked_out(this: AskedDrill) -> PartsAnswer:
    """The same of an exercise that is known."""
    drill = this.drill
    drawn = drill.key_svg(_("{title}: key", title=this.title))
    part = pages.part(
        "exercise_key.html",
        picture=pages.picture(drawn),
        said=drill.solution(),
        text=drill.tree_text(),
        algorithm=drill.kind,
    )
    return {"parts": {"key": part}}


def result(registry: Registry, asked: Asked) -> RunAnswer:
    """The points of a run, given what was marked of each of its `items`."""
    this = AskedDrill.asked(asked)
    if this.run is None:
        raise BadInput(message("only a run has a result"))
    found = this.run.points(items_of(asked.values.get("items", []), MARKINGS))
    return {
        "total": found.total,
        "of": found.of,
        "title": this.run.title,
        "parts": {"result": result_part(this, found)},
    }
