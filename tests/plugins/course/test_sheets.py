"""The guided sheets: the same questions in both languages, keys that damier computes, and a mark with a
reason for every answer.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from lasting import later

from damier.core.errors import BadInput, UnknownName
from damier.core.words import speaking
from damier.plugins.course.figures import FIGURES
from damier.plugins.course.question import CourseQuestion
from damier.plugins.course.sheet import DOCUMENTS, key_number, mark_answer, read_number, read_texts, typed

QUESTIONS = [
    (document, question)
    for document, parts in DOCUMENTS.items()
    for part in parts
    for question in part.questions
]
LANGUAGES = ("en", "fr")
PLAYED = (("s2", "deep"), ("s4", "train"))
"""Questions whose key is found by games that look far ahead ("shallow" asks the same of others), and a
command that trains with a hundred thousand games: others train with fewer.
"""


def by_name(document: str, name: str) -> CourseQuestion:
    return next(each for own, each in QUESTIONS if own == document and each.name == name)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_a_sheet_has_the_same_questions_in_both_languages(document: str) -> None:
    english, french = (read_texts(document, code) for code in LANGUAGES)
    names = [question.name for own, question in QUESTIONS if own == document]
    assert len(set(names)) == len(names)
    assert list(english.questions) == list(french.questions)
    assert sorted(english.questions) == sorted(names)
    assert list(english.parts) == list(french.parts) == [part.name for part in DOCUMENTS[document]]
    for own, question in QUESTIONS:
        if own != document:
            continue
        one, other = english.questions[question.name], french.questions[question.name]
        assert list(one.answers) == list(other.answers)
        assert set(one.because) == set(other.because)
        assert set(question.slips) <= set(one.because)
        assert set(one.because) <= set(question.slips) | set(one.answers)
        assert bool(question.link) == bool(one.link) == bool(other.link)
        assert re.findall(r"\{\w+\}", one.right) == re.findall(r"\{\w+\}", other.right)
        assert one.text != other.text


def test_all_games_are_where_the_link_to_them_leads() -> None:
    assert by_name("s2", "chance").link == "/games"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_french_has_its_unbroken_spaces(document: str) -> None:
    text = read_texts(document, "fr")
    for question in text.questions.values():
        for said in (
            question.text,
            question.right,
            question.wrong,
            question.link,
            *question.because.values(),
        ):
            assert not re.search(r" [;?!»]|« ", said), said
            assert not re.search(r"[a-zé] :", said), said


@pytest.mark.parametrize(
    ("document", "question"),
    [later(each) if (each[0], each[1].name) in PLAYED else each for each in QUESTIONS],
    ids=lambda each: getattr(each, "name", each),
)
def test_the_key_is_right_and_every_slip_has_its_reason(document: str, question: CourseQuestion) -> None:
    if question.kind == "command":
        assert typed(document, question.command).command == question.command
        assert question.command in mark_answer(document, question.name, [], give_up=True).key
        return
    if question.chosen:
        asked = read_texts(document, "en").questions[question.name]
        assert question.chosen() <= set(asked.answers)
        assert question.chosen() & set(asked.because) == set(), "no reason against a right answer"
        right = mark_answer(document, question.name, sorted(question.chosen()))
        assert right.right
        for name, said in read_texts(document, "en").questions[question.name].because.items():
            wrong = mark_answer(document, question.name, [name])
            assert (wrong.right, wrong.sentence) == (False, said)
        return
    key = key_number(question)
    right = mark_answer(document, question.name, [repr(key)])
    assert right.right
    assert "{key}" not in right.sentence
    reasons = {
        mark_answer(document, question.name, [repr(value())]).sentence for value in question.slips.values()
    }
    assert len(reasons) == len(question.slips), "every slip is another number, and none is the key"
    other = mark_answer(document, question.name, ["987654"])
    assert not other.right
    assert other.sentence not in reasons


@pytest.mark.parametrize(
    ("typed_in", "read"),
    [
        ("0.5", 0.5),
        ("0,5", 0.5),
        ("1/2", 0.5),
        ("50 %", 0.5),
        (".5", 0.5),
        (",5", 0.5),
        ("5,", 5),
        ("1 / 2", 0.5),
        ("−10", -10),
        ("–10", -10),
        ("+3", 3),
        ("19 683", 19683),
        ("19,683", 19683),
    ],
)
def test_numbers_as_people_type_them(typed_in: str, read: float) -> None:
    assert read_number(typed_in) == read


@pytest.mark.parametrize(
    "typed_in", ["", " ", ".", "-", "/2", "abc", "1/0", "__import__('os')", "1e999", "9" * 40]
)
def test_what_is_no_number_is_refused_in_one_line(typed_in: str) -> None:
    with pytest.raises(BadInput) as error:
        mark_answer("s0", "theory", [typed_in])
    assert "\n" not in str(error.value)


def test_what_is_no_answer_is_refused() -> None:
    for answers in ([], ["nobody"]):
        with pytest.raises(BadInput):
            mark_answer("s1", "finals", answers)
    with pytest.raises(UnknownName):
        mark_answer("s1", "nosuch", ["1"])
    with pytest.raises(UnknownName):
        mark_answer("s9", "finals", ["1"])
    some = mark_answer("s1", "never", ["15"])
    assert not some.right
    assert "some are missing" in some.sentence


def test_a_command_that_asks_something_else_is_run_and_marked_wrong() -> None:
    wrong = mark_answer("s1", "call", ["(explore 7 actions 'IA 0)"])
    assert not wrong.right
    assert "(7 AI) = 3" in wrong.lines
    right = mark_answer("s1", "call", ["(setq nbCoupsAJouer (explore 6 actions 'humain 3))"])
    assert right.right


def test_in_french_numbers_and_reasons_are_french() -> None:
    with speaking("fr"):
        mark = mark_answer("s0", "before", ["0,109"])
        assert mark.right
        assert mark.key == "0,109"
        assert read_number("19,683") == pytest.approx(19.683)
        assert "HUMAIN joue 3" in typed("s1", "(explore 4 actions 'HUMAIN 0)").lines[1]


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_figure_is_complete_and_can_be_read(name: str, code: str) -> None:
    with speaking(code):
        root = ElementTree.fromstring(FIGURES[name]())
    space = "{http://www.w3.org/2000/svg}"
    sizes = [float(text.attrib["font-size"]) for text in root.iter(f"{space}text")]
    assert sizes
    assert min(sizes) >= 11
    assert root.findtext(f"{space}title")
    assert root.findtext(f"{space}desc")
    assert float(root.attrib["width"]) <= 780, "it fits beside the commands on a laptop"


class SlideAgent:
    """The agent of document [S0] where update declares `int actionIndex`, which hides the field."""

    def __init__(self) -> None:
        self.action_index = -1  # the field
        self.values = [0.0, 0.0, 0.0]
        self.sequence: list[int] = []

    def update(self, drawn: int) -> int:
        action_index = drawn  # int actionIndex = …
        self.sequence.append(action_index)  # actionSequence.add(actionIndex)
        return action_index  # possible_actions.get(actionIndex)

    def learn(self, reward: float) -> None:
        for action in reversed(self.sequence):
            self.values[action] = 0.99 * self.values[action] + 0.01 * reward


def test_a_variable_that_hides_the_field_spoils_no_learning_of_document_s0() -> None:
    question, agent = by_name("s0", "hidden"), SlideAgent()
    played = agent.update(2)
    agent.learn(100)
    assert agent.values == [0, 0, 1]
    assert (played, agent.action_index) == (2, -1)
    assert question.kind == "choice"
    assert question.chosen is not None
    assert question.chosen() == {"field"}
    for language in LANGUAGES:
        text = read_texts("s0", language).questions["hidden"]
        assert set(text.answers) == {"field", "minus", "other", "error"}
        assert "−1" in text.answers["field"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_of_a_fault_that_only_the_scan_of_document_s4_has(language: str) -> None:
    said = read_texts("s4", language).questions["when"].right
    assert "section" not in said.lower()


def test_the_actions_of_the_figure_have_the_numbers_of_the_game() -> None:
    told = ElementTree.fromstring(FIGURES["actions"]()).findtext("{http://www.w3.org/2000/svg}desc")
    assert told
    assert key_number(by_name("s0", "action")) == 11
    assert "11: b2 → c3" in told.splitlines()
    assert [line.split(":")[0] for line in told.splitlines()] == [str(n) for n in range(14)]
