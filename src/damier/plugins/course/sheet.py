"""A guided sheet in one language: the questions of a document with their texts, which lie as data in
`sheets/`, one file a document and language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypeAlias

from damier.core.errors import BadFile, BadInput
from damier.core.words import _, decimal, grouped, language, languages, message, printable
from damier.lab.options import unknown
from damier.plugins.course import s0, s1, s2, s3, s4
from damier.plugins.course.question import CourseNumber, CoursePart, CourseQuestion, RoomLink, TypedAnswer

# Which document writes its commands how.

TypedReader: TypeAlias = Callable[[str, Sequence[str]], TypedAnswer]

READERS: dict[str, TypedReader] = {
    "s0": s0.typed_hexapion,
    "s1": s1.typed_nim,
    "s2": s2.typed_slides,
    "s3": s3.typed_vfunction,
    "s4": s4.typed_morpion,
}
"""By the short name of a document, what understands its commands."""
PHONES = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "−": "-", "–": "-", "—": "--"}
)
"""Signs that a phone, or a page from which a command is copied, puts for those of a keyboard."""
PRINTED: dict[str, tuple[str, ...]] = {
    "s0": (
        'player1=new RandomPlayer("AgentA", 1, this);',
        '//player1=new Joueur("AgentA", 1, this);',
        'player2=new Joueur("AgentB", 2, this);',
        'player1=new Agent("AgentA", 1, this);',
        'player2=new Agent("AgentB", 2, this);',
        "id(-1 -1 -1 0 0 0 1 1 1)",
    ),
    "s1": (
        "pip install graphviz",
        "(setq nbCoupsAJouer (explore 4 actions 'HUMAIN 0))",
        "(setq nbCoupsAJouer (explore 7 actions 'IA 0))",
        "(explore-renf 16 *actions* 'IA 0)",
        "(explore-renf 16 *actions*)",
        "(explore-renf-rec 16 *actions*)",
        "(JeuJoueur 16 *actions*)",
        "(dotimes (x 1000)(explore-renf-rec 16 *actions*))",
        "(aff *actions*)",
    ),
    "s2": ("max-value(((3 12 8) (2 4 6) (14 5 2)))", "max-value(((3 12 8) (2 4 6) (14 5 2)), -∞, +∞)"),
    "s3": (
        "3**9",
        "get_state([1, 2, 0, 0, 1, 0, 0, 0, 0])",
        "1 * 6561 + 2 * 2187 + 0 * 729 + 0 * 243 + 1 * 81 + 0 * 27 + 0 * 9 + 0 * 3 + 0",
        "var demo = new Vfunction();",
        "var trained_agents = demo.train(10000);",
        "demo.test(trained_agents[0], trained_agents[1], 100);",
    ),
    "s4": (
        "make run",
        "./tictactoe -s human human",
        "./tictactoe -s human ai",
        "./tictactoe -s human rl",
        "./tictactoe -s human rl -p 10000 ai",
        "./tictactoe -s ai rl",
        "./tictactoe -t 1000 random ai",
        "./tictactoe -t 1000 random rl",
        "./tictactoe -t 1000 random rl -p 100000",
        "./tictactoe -t 1000 random rl -p 100000 ai",
        "./tictactoe -t 1000 rl rl -p 10000",
    ),
}
"""Commands as each document prints them."""


def typed(document: str, text: str, before: Sequence[str] = ()) -> TypedAnswer:
    """Return what a command of a document comes to, after those that were typed before it.

    Raises BadInput for one that is not understood, LimitReached.
    """
    written = text.strip().translate(PHONES)
    if not written:
        raise BadInput(message("type a command first"))
    longest = LONGEST_TREE if document == "s2" else LONGEST
    if len(written) > longest:
        raise BadInput(message("a command has at most {n} characters", n=longest))
    return READERS[document](written, before)


def typed_anywhere(text: str, before: Sequence[str] = (), usual: str = "s3") -> tuple[str, TypedAnswer]:
    """Return what a command comes to after those that were typed before it, whichever document writes it
    so, first that which is meant where its beginning does not say; and the document.

    Raises BadInput, LimitReached.
    """
    refusals = []
    for document in first_tried(text, usual):
        try:
            return document, typed(document, text, before)
        except BadInput as error:
            refusals.append(error)
    raise refusals[0]


def first_tried(text: str, usual: str) -> list[str]:
    """The documents, that first whose commands begin as this one does."""
    start = text.strip()[:1].lower()
    words = {"pip": "s1", "make": "s4", "max-value": "s2", "min-value": "s2", "value": "s2"}
    signs = {"(": "s1", ".": "s4", "t": "s4", "p": "s0", "/": "s0", "i": "s0"}
    word = re.split(r"[\s(]", text.strip().lower(), maxsplit=1)[0]
    likely = words.get(word) or signs.get(start, usual)
    return [likely, *(name for name in READERS if name != likely)]


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
    wrong one, reasons of their own by the name of an answer or of a slip, the words of its link.
    """

    text: str
    right: str
    wrong: str
    answers: Mapping[str, str]
    because: Mapping[str, str]
    link: str


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
    data = tomllib.loads((Path(__file__).parent / "sheets" / name).read_text(encoding="utf-8"))
    try:
        questions = {
            question_name: QuestionText(
                each["text"],
                each["right"],
                each["wrong"],
                each.get("answers", {}),
                each.get("because", {}),
                each.get("link", ""),
            )
            for question_name, each in data["ask"].items()
        }
        return SheetText(data["title"], data["about"], data["intro"], data["parts"], questions)
    except (KeyError, AttributeError, TypeError) as error:
        raise BadFile(message("{path}: {what} is missing", path=name, what=str(error))) from None


# An answer to a question of a guided sheet, marked: right or wrong, and why.

NUMBER = re.compile(r"([+-]?)(?=[.,]?\d)(\d{0,12})(?:[.,](\d{0,20}))?(?:\s*/\s*(\d{1,9}))?\s*(%?)")
GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+")
"""Thousands as English sets them apart."""
LONGEST, LONGEST_TREE = 300, 600
"""Characters of an answer or a command, and of one with a tree in it."""
DIGITS = 4
"""How precisely a key is shown that is not whole."""


@dataclass(frozen=True)
class CourseMark:
    """The verdict on an answer.

    Attributes:
        right: whether it is
        sentence: why
        key: the right answer in words, once it may be told
        lines, links: what a command came to that was typed as an answer
    """

    right: bool
    sentence: str
    key: str = ""
    lines: tuple[str, ...] = ()
    links: tuple[RoomLink, ...] = ()


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
        given.links,
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


def filled(text: str, question: CourseQuestion) -> str:
    """A reason with the key in it."""
    return text.replace("{key}", number_words(key_number(question))) if question.kind == "number" else text


def read_number(text: str) -> CourseNumber:
    """A number as people type it: 0.5, 0,5, .5, 1/2, 50 %, 19 683. Raises BadInput."""
    squeezed = re.sub(r"(?<=\d)[\s\u00a0\u202f'](?=\d)", "", text.strip()[:LONGEST]).translate(PHONES)
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
