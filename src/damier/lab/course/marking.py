"""An answer to a question of a guided sheet, marked: right or wrong, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from damier.core.errors import BadInput
from damier.core.words import _, decimal, grouped, language, message, printable
from damier.lab.course.question import CourseNumber, CourseQuestion
from damier.lab.course.sheet import QuestionText, question_of, text_of_sheet
from damier.lab.typed.commands import typed
from damier.lab.typed.said import RoomLink

NUMBER = re.compile(r"([+-]?)(?=[.,]?\d)(\d{0,12})(?:[.,](\d{0,20}))?(?:\s*/\s*(\d{1,9}))?\s*(%?)")
GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
"""Thousands as English sets them apart."""
MINUS = str.maketrans("−–", "--")
"""What people and keyboards write for a minus."""
LONGEST = 300
DIGITS = 4
"""How precisely a key is shown that is not whole."""


@dataclass(frozen=True)
class CourseMark:
    """What is said of an answer.

    right  whether it is; said: why; key: the right answer in words, once it may be told
    lines, doors  what a command came to that was typed as an answer
    """

    right: bool
    said: str
    key: str = ""
    lines: tuple[str, ...] = ()
    doors: tuple[RoomLink, ...] = ()


def mark_answer(document: str, name: str, answers: Sequence[str], *, give_up: bool = False) -> CourseMark:
    """Marks an answer; where its reader has given up, the key is told instead.

    Raises UnknownName, and BadInput for what cannot be an answer.
    """
    question, text = question_of(document, name), text_of_sheet(document).questions[name]
    if give_up:
        return CourseMark(False, filled(text.right, question), key_words(question, text))
    if question.kind == "number":
        return mark_number(question, text, answers)
    if question.kind == "command":
        return mark_command(document, question, text, answers)
    return mark_chosen(question, text, answers)


def mark_number(question: CourseQuestion, text: QuestionText, answers: Sequence[str]) -> CourseMark:
    given, key = read_number(answers[0] if answers else ""), key_number(question)
    if abs(given - key) <= question.tolerance + 1e-9:
        return CourseMark(True, filled(text.right, question), key_words(question, text))
    for slip, value in question.slips.items():
        if abs(given - value()) <= question.tolerance + 1e-9:
            return CourseMark(False, filled(text.because[slip], question))
    return CourseMark(False, filled(text.wrong, question))


def mark_chosen(question: CourseQuestion, text: QuestionText, answers: Sequence[str]) -> CourseMark:
    assert question.chosen is not None
    given, key = frozenset(answers), question.chosen()
    if not given:
        raise BadInput(message("choose an answer first"))
    if not given <= set(text.answers):
        raise BadInput(message("there is no such answer"))
    if given == key:
        return CourseMark(True, filled(text.right, question), key_words(question, text))
    reasons = [text.because[name] for name in text.answers if name in given - key and name in text.because]
    if not reasons and question.kind == "several" and given < key:
        reasons = [_("All of these are right, and some are missing.")]
    return CourseMark(False, filled(" ".join(reasons) or text.wrong, question))


def mark_command(
    document: str, question: CourseQuestion, text: QuestionText, answers: Sequence[str]
) -> CourseMark:
    """A command is right where it means the same, however it is spaced."""
    given = typed(document, (answers[0] if answers else "")[:LONGEST])
    right = given.command == question.command
    return CourseMark(
        right,
        filled(text.right if right else text.wrong, question),
        question.command if right else "",
        given.lines,
        given.doors,
    )


def key_number(question: CourseQuestion) -> CourseNumber:
    assert question.number is not None
    return question.number()


def key_words(question: CourseQuestion, text: QuestionText) -> str:
    """The right answer as people read it."""
    if question.kind == "number":
        return number_words(key_number(question))
    if question.kind == "command":
        return question.command
    assert question.chosen is not None
    key = question.chosen()
    return " · ".join(words for name, words in text.answers.items() if name in key)


def number_words(value: CourseNumber) -> str:
    """A number in the language in force."""
    if isinstance(value, int) or value == int(value):
        return grouped(int(value))
    return decimal(round(value, DIGITS))


def filled(said: str, question: CourseQuestion) -> str:
    """A reason with the key in it."""
    return said.replace("{key}", number_words(key_number(question))) if question.kind == "number" else said


def read_number(text: str) -> CourseNumber:
    """A number as people type it: 0.5, 0,5, .5, 1/2, 50 %, 19 683. Raises BadInput."""
    squeezed = re.sub(r"(?<=\d)[\s\u00a0\u202f'](?=\d)", "", text.strip()[:LONGEST]).translate(MINUS)
    if not squeezed:
        raise BadInput(message("write an answer first"))
    if language() == "en" and GROUPED.fullmatch(squeezed):
        squeezed = squeezed.replace(",", "")
    found = NUMBER.fullmatch(squeezed)
    if not found:
        raise BadInput(
            message("{text}: a number is needed, such as 12, 0.5 or 1/2", text=printable(text, 30))
        )
    sign, whole, part, below, percent = found.groups()
    if below and not int(below):
        raise BadInput(message("nothing can be divided by 0"))
    value: CourseNumber = float(f"{whole or 0}.{part}") if part else int(whole)
    value = value / int(below) if below else value
    return (-value if sign == "-" else value) / (100 if percent else 1)
