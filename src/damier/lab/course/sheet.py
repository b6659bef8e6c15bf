"""A guided sheet in one language: the questions of a document with their texts, which lie as data in
`damier/course`, one file a document and language.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from damier.core.errors import BadFile
from damier.core.words import _, language, languages, message
from damier.lab.course import s0, s1, s2, s3, s4
from damier.lab.course.question import CoursePart, CourseQuestion
from damier.lab.options import unknown

DOCUMENTS: dict[str, tuple[CoursePart, ...]] = {
    "s0": s0.PARTS,
    "s1": s1.PARTS,
    "s2": s2.PARTS,
    "s3": s3.PARTS,
    "s4": s4.PARTS,
}
"""The questions of each document, in the order in which it raises them."""


@dataclass(frozen=True)
class QuestionText:
    """The texts of a question: itself, its answers by name, what is said of a right answer and of a
    wrong one, reasons of their own by the name of an answer or of a slip, the words of its door.
    """

    text: str
    right: str
    wrong: str
    answers: Mapping[str, str]
    because: Mapping[str, str]
    door: str


@dataclass(frozen=True)
class SheetText:
    """The texts of a sheet: its title, whom it is for, how it begins, its parts and questions."""

    title: str
    about: str
    intro: str
    parts: Mapping[str, str]
    questions: Mapping[str, QuestionText]


def question_of(document: str, name: str) -> CourseQuestion:
    """A question by its name. Raises UnknownName."""
    questions = {each.name: each for part in parts_of(document) for each in part.questions}
    if name not in questions:
        raise unknown(_("question"), name, list(questions))
    return questions[name]


def parts_of(document: str) -> tuple[CoursePart, ...]:
    """The parts of a sheet. Raises UnknownName."""
    if document not in DOCUMENTS:
        raise unknown(_("sheet"), document, list(DOCUMENTS))
    return DOCUMENTS[document]


def text_of_sheet(document: str) -> SheetText:
    """The texts of a sheet in the language in force. Raises UnknownName."""
    parts_of(document)
    return read_texts(document, language() if language() in languages() else "en")


@cache
def read_texts(document: str, code: str) -> SheetText:
    """The texts of one file. Raises BadFile where it is none of a sheet."""
    name = f"{document}.{code}.toml"
    data = tomllib.loads((resources.files("damier") / "course" / name).read_text(encoding="utf-8"))
    try:
        questions = {
            asked: QuestionText(
                each["text"],
                each["right"],
                each["wrong"],
                each.get("answers", {}),
                each.get("because", {}),
                each.get("door", ""),
            )
            for asked, each in data["ask"].items()
        }
        return SheetText(data["title"], data["about"], data["intro"], data["parts"], questions)
    except (KeyError, AttributeError, TypeError) as error:
        raise BadFile(message("{path}: {what} is missing", path=name, what=str(error))) from None
