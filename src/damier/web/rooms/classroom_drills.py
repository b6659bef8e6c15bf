"""The sheets of exercises of a class: nobody but the teacher sees what is right before it is handed in.

The seed of a sheet follows from its name and a secret of the class (`AskedDrill.of_class`); an answer is
taken as it is and marked when the whole sheet is handed in, once. What the hub says of who asks stands in
`member`, `student` and `teacher`.
"""

from __future__ import annotations

import time

from damier.arena.classroom.roll import wrong_key
from damier.core.errors import BadInput
from damier.core.json_data import to_json
from damier.core.words import _, message
from damier.lab.exercises.drill import MARKINGS
from damier.web import pages
from damier.web.classroom.class_context import ShownClass
from damier.web.classroom.runs import finished_run_of, kept_part
from damier.web.exercise.asked_drill import AskedDrill, answers_of, items_of
from damier.web.exercise.parts import DrillStanding, all_parts, marked_parts, result_part
from damier.web.messages.parts import PartsAnswer
from damier.web.messages.rooms import DrillAnswer, MarkAnswer, RunAnswer
from damier.web.params import Asked
from damier.web.registry import Registry
from damier.web.rooms.classroom import (
    LONGEST_KEY,
    discreet,
    is_teacher,
    known_student,
    opened,
    require_teacher,
)
from damier.web.rooms.exercise import marking, printed, worked_out


def asked_of_class(shown: ShownClass, asked: Asked) -> AskedDrill:
    """The exercise that is asked for. Raises BadInput."""
    return AskedDrill.of_class(asked, shown.roll.secret())


def sees_key(shown: ShownClass, asked: Asked, this: AskedDrill) -> bool:
    """Whether who asks may see what is right: the teacher, or who has handed this sheet in.

    Raises WrongKey.
    """
    if is_teacher(shown, asked):
        return True
    student = known_student(shown, asked)
    return student is not None and shown.runs.has(student.id, this.state()["run"])


@discreet
def page(registry: Registry, asked: Asked) -> str:
    """A sheet of the class; of one who has not shown the code, the question for it."""
    title = _("Exercises")
    if not asked.flag("member"):
        return pages.page("class_code.html", pages.CLASS, title)
    answer = show(registry, asked)
    return pages.page(
        "exercise.html",
        pages.CLASS,
        title,
        view="exercise",
        state=to_json(answer["state"]),
        parts=answer["parts"],
        has_class=not is_teacher(opened(registry), asked),
    )


@discreet
def show(registry: Registry, asked: Asked) -> DrillAnswer:
    """An exercise of a sheet, and nothing of its key."""
    shown = opened(registry)
    this = asked_of_class(shown, asked)
    open_key = sees_key(shown, asked, this)
    note = pages.part(
        "exercise_of_class.html",
        sheet=this.sheet,
        has_key=open_key,
        teaches=is_teacher(shown, asked),
        printed=this.sheet_address(keys=False),
        keys=this.sheet_address(keys=True),
    )
    return {"state": this.state(has_key=open_key), "parts": all_parts(this) | {"choices": note}}


@discreet
def mark(registry: Registry, asked: Asked) -> MarkAnswer:
    """The answers of an exercise: marked for who may see what is right; else taken, and nothing said."""
    shown = opened(registry)
    this = asked_of_class(shown, asked)
    given = answers_of(asked.values.get("answers", {}))
    if is_teacher(shown, asked):
        return marking(this, asked)
    if sees_key(shown, asked, this):  # it has counted: nothing is left to be tried
        return marking(this, Asked({**asked.values, "before": [given], "given_up": True}))
    parts = marked_parts(this, given, DrillStanding((), 1, 0.0, closed=True))
    return {
        "right": 0,
        "of": len(this.drill.fields()),
        "points": None,
        "closed": True,
        "parts": parts | {"status": pages.part("exercise_taken.html")},
    }


@discreet
def key(registry: Registry, asked: Asked) -> PartsAnswer:
    """The key of an exercise. Raises WrongKey for who has not handed its sheet in."""
    shown = opened(registry)
    this = asked_of_class(shown, asked)
    if not sees_key(shown, asked, this):
        raise wrong_key()
    return worked_out(this)


@discreet
def hand_in(registry: Registry, asked: Asked) -> RunAnswer:
    """Keeps a sheet of the student whose key came along, once, and marks it.

    Raises WrongKey, BadInput, LimitReached.
    """
    shown = opened(registry)
    this = asked_of_class(shown, asked)
    student = shown.roll.student(asked.text("student", longest=LONGEST_KEY))
    run, items = this.run, items_of(asked.values.get("items", []), MARKINGS)
    if run is None or any(len(markings) > 1 for markings in items):
        raise BadInput(message("every exercise of a sheet of the class is answered once"))
    if shown.runs.has(student.id, this.state()["run"]):
        raise BadInput(message("this sheet is handed in already"))
    kept = finished_run_of(this, items, int(time.time()))
    shown.runs.keep(student.id, kept)
    points = run.points(items)
    return {
        "total": points.total,
        "of": points.of,
        "title": run.title,
        "parts": {"kept": kept_part(student, kept), "result": result_part(this, points)},
    }


@discreet
def sheet(registry: Registry, asked: Asked) -> str:
    """A sheet to be printed; with its key for the teacher only. Raises WrongKey."""
    shown = opened(registry)
    if asked.flag("keys"):
        require_teacher(shown, asked)
    if not asked.flag("member"):
        raise wrong_key()
    return printed(asked_of_class(shown, asked), keys=asked.flag("keys"))
