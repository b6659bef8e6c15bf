"""What the store of a class keeps of a file is damaged, or of another version: the pages and the files to
take home say so of this file, and show all others.
"""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from lasting import later
from markupsafe import escape
from sqlalchemy import update

from damier.arena.pairing import PlayedGame, TournamentPlan
from damier.arena.store import GameRow, SubmissionRow, opened
from damier.core.errors import UnknownName
from damier.core.game import Position
from damier.core.words import _
from damier.plugins.classroom.class_check import item_facts, kept, marks_text, report_text, unchecked
from damier.plugins.classroom.class_process import pace_of
from damier.plugins.classroom.class_store import (
    ClassStore,
    LatestSubmission,
    NewSubmission,
    Roll,
    Student,
    in_own_words,
)
from damier.plugins.classroom.marking.sheet import ItemMark, sheet
from damier.plugins.classroom.marking.submission import Finding, WrongAnswer
from damier.plugins.classroom.room import (
    OpenClass,
    download_of,
    file_part,
    games_part,
    standings_part,
    students_part,
)

PLAN = TournamentPlan("tictactoe", {"misere": False}, "", (), 0, 4, 100, is_open=True)
S4 = sheet("s4")
WRONG = WrongAnswer(Position(S4.game, S4.game.start), "0", "1")
MARKS = [
    ItemMark(S4.items[0], Finding(True, _("right in all {n} positions", n=7)), 0.25),
    ItemMark(S4.items[1], Finding(False, "no", WRONG), 0.5),
]
ODD: Sequence[object] = (
    *(None, True, -1, 10**400, 1e308, float("nan"), "x", "=1+1", "\ud800", "<b>\0", [], [[7] * 3], {}),
    *({"text": "{x"}, {"number": 10**400, "form": ".2f"}, {"parts": [{}] * 50}, {"text": "a", "values": 1}),
)
TEXTS = (
    "null",
    "[]",
    "{}",
    "7",
    '"x"',
    "{",
    "[" * 100_000,
    "9" * 5_000,
    '{"plays": true}',
    "[[]]",
    "\0",
    "[{}]",
)


class Kept(NamedTuple):
    """A class of two, each with a file that plays."""

    shown: OpenClass
    mal: Student
    submission: int

    def keep(self, **columns: str) -> None:
        with self.shown.store.writing() as session:
            mine = SubmissionRow.id == self.submission
            session.execute(update(SubmissionRow).where(mine).values(**columns))


@pytest.fixture
def a_class(tmp_path: Path) -> Iterator[Kept]:
    with opened(str(tmp_path / "class.db")) as store:
        roll = Roll(store)
        roll.open(PLAN, "s4")
        classroom = roll.classroom()
        assert classroom is not None
        queue = ClassStore(store, classroom.tournament)
        for name in ("Ada", "Mal"):
            taken = roll.enrol(name, NewSubmission(b"x = 1", "", "en", 0))
            queue.admit(taken.submission, "agent.py:play", "", report_text(report()))
            queue.keep_marks(taken.submission, marks_text(MARKS))
        yield Kept(
            OpenClass(store, classroom.tournament, PLAN.game_text, S4), taken.student, taken.submission
        )


def report() -> Any:
    items = [item_facts(mark) for mark in MARKS]
    found = {"plays": True, "agent": "play", "agents": ["play"], "games": [10, 6, 3, 1], "pace": 0.1}
    return {**unchecked(""), **found, "said": kept(_("It plays legally.")), "items": items}


def damaged(data: Any) -> Iterator[Any]:
    """The data with one thing in it replaced by something odd, or left out."""
    yield from ODD
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        if isinstance(data, dict):
            yield {key: value for key, value in data.items() if key != name}
        for odd in damaged(part):
            copy = data.copy()
            copy[name] = odd
            yield copy


def texts(data: Any, step: int = 1) -> Iterator[str]:
    """Texts that are no report, and every `step`th of those that a damage leaves of one."""
    yield from TEXTS
    yield from map(json.dumps, islice(damaged(data), 0, None, step))


often = pytest.mark.parametrize("step", [5, later(1)])


def test_a_student_sees_the_stages_and_what_to_write_next_and_the_teacher_at_which_each_is(
    a_class: Kept,
) -> None:
    """The findings of items that are not open stay the teacher's."""
    closed = next(item for item in S4.items if not item.is_open)
    first = [item for item in S4.items if item.stage == S4.stages[0].name]
    marks = [ItemMark(item, Finding(item in first, f"said of {item.name}"), 0.0) for item in S4.items]
    a_class.keep(marks=marks_text(marks))
    part = file_part(a_class.shown, a_class.mal, a_class.shown.latest(a_class.mal.id))
    assert part.count('data-stage="done"') == part.count('data-stage="current"') == 1
    assert part.count('data-stage="later"') == len(S4.stages) - 2
    current = re.findall(r'aria-current="step">.*?</li>', part, re.DOTALL)
    assert len(current) == 1
    assert escape(f"To be written: {S4.stages[1].write}.") in current[0]
    assert escape(str(S4.stages[1].text)) in current[0]
    assert f"said of {closed.name}" not in part
    assert f"2/{len(S4.stages)} {escape(str(S4.stages[1].text))}" in students_part(a_class.shown)
    a_class.keep(marks=marks_text([replace(mark, finding=Finding(True, "")) for mark in marks]))
    assert "<td>all done</td>" in students_part(a_class.shown)
    a_class.keep(marks="")
    assert "data-marking" in file_part(a_class.shown, a_class.mal, a_class.shown.latest(a_class.mal.id))
    assert "1/" in students_part(a_class.shown)


def test_files_are_called_after_the_student_and_the_sheet(a_class: Kept) -> None:
    roll = Roll(a_class.shown.store)
    names = {"Zoé d'Ailly": b"x = 1", "Zoe d Ailly": b"int play(int a){return 0;}", "Ада": b"y = 1"}
    names |= {"zoé d'Ailly 3": b"z = 1"}  # as the folder of the first would be called
    taken = [roll.enrol(name, NewSubmission(content, "", "en", 0)) for name, content in names.items()]
    page = students_part(a_class.shown)
    for name in ("Zoe-d-Ailly-s4.py", "student-5-s4.py"):
        assert re.search(rf'href="/class/files/\d+/{name}"', page)
    address = f"{taken[0].submission}/Zoe-d-Ailly-s4.py"
    assert download_of(a_class.shown, address).content == b"x = 1"
    for wrong in ("9999/x.py", f"{taken[0].submission}/../x", f"{taken[0].submission}"):
        with pytest.raises(UnknownName):
            download_of(a_class.shown, wrong)
    with zipfile.ZipFile(io.BytesIO(download_of(a_class.shown, "files.zip").content)) as packed:
        found = set(packed.namelist())
        folders = json.loads(packed.read("students.json"))
    assert folders["Zoe-d-Ailly-3"] == "Zoé d'Ailly"
    assert set(names) < set(folders.values())
    assert {"Ada/Ada-s4.py", "Zoe-d-Ailly-3/Zoe-d-Ailly-3-s4.py", "student-5/student-5-s4.py"} <= found
    assert len({name.casefold() for name in found}) == len(found)


@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("ma tour.py", "ma tour.py:3"),
        ("", "agent.py:3"),
        ("projet.zip", "agent.py:3"),
        ("P.ZIP", "agent.py:3"),
    ],
)
def test_a_file_is_called_as_its_student_calls_it_and_one_of_a_folder_by_its_place(
    own: str, said: str
) -> None:
    latest = LatestSubmission(1, "refused", "agent.py:3", own)
    assert in_own_words(latest).report == said


@often
def test_a_damaged_report_is_one_sentence_on_the_page_of_its_student(step: int, a_class: Kept) -> None:
    whole = file_part(a_class.shown, a_class.mal, a_class.shown.latest(a_class.mal.id))
    assert "It plays legally" in whole
    assert "<svg" in whole
    for text in (*texts(report(), step), "{}"):
        a_class.keep(report=text)
        part = file_part(a_class.shown, a_class.mal, a_class.shown.latest(a_class.mal.id))
        assert "File 1:" in part
        for entrant in ClassStore(a_class.shown.store, a_class.shown.tournament).current():
            assert pace_of(entrant) >= 0
    assert "cannot be read" in part


@often
def test_damaged_marks_cost_no_other_student_a_page_or_a_file(step: int, a_class: Kept) -> None:
    for text in (*texts(json.loads(marks_text(MARKS)), step), "{}"):
        a_class.keep(marks=text)
        page = students_part(a_class.shown)
        assert "3/20" in page or "1/20" in page
        table = csv.reader(io.StringIO(download_of(a_class.shown, "marks.csv").content.decode("utf-8-sig")))
        assert [row[:2] for row in table][2] == ["Ada", "1.0"]
        suites = ElementTree.fromstring(download_of(a_class.shown, "junit.xml").content)
        assert [suite.get("name") for suite in suites] == ["Ada", "Mal"]
        with zipfile.ZipFile(io.BytesIO(download_of(a_class.shown, "files.zip").content)) as packed:
            assert {"Ada/Ada-s4.py", "Ada/results.json", "Mal/Mal-s4.py"} <= set(packed.namelist())
    a_class.keep(marks="")  # not marked yet, which is no 0
    table = csv.reader(io.StringIO(download_of(a_class.shown, "marks.csv").content.decode("utf-8-sig")))
    assert list(table)[3] == ["Mal", ""]
    assert page.count("cannot be read") == 1
    assert suites[1].find("testcase/error") is not None
    assert "Mal/results.txt" in packed.namelist()


def test_a_damaged_game_is_a_line_that_says_so(a_class: Kept) -> None:
    store = a_class.shown.store
    (pair,) = ClassStore(store, a_class.shown.tournament).unplayed(4)
    games = [PlayedGame(number, ["1"], (1, -1), True, False, "late") for number in range(2)]
    store.keep((pair.pairing, game) for game in games)
    for column, text in [("moves", text) for text in TEXTS] + [("fault", text) for text in texts("x")]:
        with store.writing() as session:
            session.execute(update(GameRow).where(GameRow.number == 0).values({column: text}))
        assert games_part(a_class.shown, "tictactoe", "Ada", "").count("<tr") == 3
        assert "2 games played" in standings_part(a_class.shown.table())
