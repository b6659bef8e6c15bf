"""The course: a guided sheet for each of the five documents, its questions marked with reasons, its
commands understood as they are printed.
"""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.words import _, message, ngettext
from damier.plugins.course.figures import FIGURES
from damier.plugins.course.question import CourseQuestion, TypedAnswer
from damier.plugins.course.sheet import (
    DOCUMENTS,
    PRINTED,
    CourseMark,
    QuestionText,
    mark_answer,
    parts_of,
    question_of,
    text_of_sheet,
    typed,
)
from damier.web import pages
from damier.web.messages import Params, PartsAnswer
from damier.web.registry import Registry

LONGEST = 600
"""Characters of an answer, or of a command."""
MOST_ANSWERS = 20
MOST_BEFORE = 200
"""Commands of one sitting."""


class CourseAnswer(PartsAnswer):
    """An answer of a guided sheet, marked, or a command: whether it was right, or understood."""

    right: bool


def page(registry: Registry, params: Params) -> str:
    """The list of the sheets."""
    sheets = [
        (document, text_of_sheet(document), sum(len(part.questions) for part in parts))
        for document, parts in DOCUMENTS.items()
    ]
    return pages.page("course.html", "/course", _("Guided sheets"), sheets=sheets)


def sheet(registry: Registry, params: Params) -> str:
    """One sheet. Raises UnknownName."""
    document = params.text("name")
    text, parts = text_of_sheet(document), parts_of(document)
    questions = [each for part in parts for each in part.questions]
    figures = {name: pages.picture(FIGURES[name]()) for name in {each.figure for each in questions} if name}
    return pages.page(
        "course_sheet.html",
        "/course",
        text.title,
        document=document,
        sheet=text,
        parts=parts,
        numbers={each.name: number for number, each in enumerate(questions, 1)},
        shown_answers={each.name: answers(each, text.questions[each.name]) for each in questions},
        figures=figures,
        printed=PRINTED[document],
        others=[(name, text_of_sheet(name).title) for name in DOCUMENTS],
        count=ngettext("{n} question", "{n} questions", len(questions)),
    )


def answers(question: CourseQuestion, text: QuestionText) -> Sequence[tuple[str, str]]:
    """The answers that can be chosen, by name."""
    return tuple(text.answers.items()) if question.chosen else ()


def mark(registry: Registry, params: Params) -> CourseAnswer:
    """An answer, marked: right or wrong, and why. Raises UnknownName."""
    document, name = params.text("document"), params.text("name")
    question = question_of(document, name)
    try:
        found = mark_answer(
            document, name, params.texts("answers", MOST_ANSWERS), give_up=params.flag("give_up")
        )
    except BadInput as error:  # beside the field, not below the page
        found, refusal = CourseMark(False, ""), str(error)
    else:
        refusal = ""
    part = pages.part(
        "course_mark.html",
        mark=found,
        refusal=refusal,
        gave_up=params.flag("give_up"),
        is_command=question.kind == "command",
        links=found.links,
    )
    return {"right": found.right, "parts": {f"mark-{name}": part}}


def typed_command(registry: Registry, params: Params) -> CourseAnswer:
    """Return what a command comes to; `before` are those that were typed before it, all of them: what it
    comes to follows from them alone. Raises UnknownName.
    """
    document, text = params.text("document"), params.text("text", longest=LONGEST)
    parts_of(document)
    answer, refusal = TypedAnswer(""), ""
    try:
        before = params.texts("before", MOST_BEFORE + 1)
        if len(before) > MOST_BEFORE:
            raise LimitReached(
                message("a sitting has up to {n} commands: load the page again to begin anew", n=MOST_BEFORE)
            )
        answer = typed(document, text, before)
    except DamierError as error:
        refusal = str(error)
    part = pages.part("course_typed.html", text=text, lines=answer.lines, links=answer.links, refusal=refusal)
    return {"right": not refusal, "parts": {"typed": part}}
