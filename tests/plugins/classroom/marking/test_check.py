"""`damier check`: what is refused in a sheet, files that misbehave, and the reports."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import Captured, beginning
from lasting import later

from damier.core.data_files import harmless
from damier.core.errors import BadFile, LimitReached
from damier.core.words import speaking
from damier.plugins.classroom.marking.reports import html_page, write_reports
from damier.plugins.classroom.marking.sheet import KINDS, ItemMark, StudentMarks, mark_all, marks_of, sheet
from damier.plugins.classroom.marking.submission import ExactTruth, Finding, Submission

call, data = beginning("check")

SHEET = """
game = "tictactoe"
title = {en = "A sheet", fr = "Une feuille"}

[[item]]
name = "values"
kind = "values"
points = 2
seconds = 20
text = {en = "S(b)", fr = "S(b) <ici>"}
function = "minimax"
ended = true
"""
RIGHT = "def minimax(position):\n    return -1 if any(position.payoffs) else 0\n"
OPPOSITE = "def minimax(position):\n    return 1 if any(position.payoffs) else 0\n"


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("points = 2", "points = -2", "values: points must be: a number above 0"),
        ("points = 2", "", "values: points must be"),
        ("ended = true", "ended = 1", "values: ended must be: true|false"),
        ('function = "minimax"', "", "values: function must be: a text"),
        ('kind = "values"', 'kind = "value"', "values: kind must be: apart"),
        ('name = "values"', 'name = "../values"', "item 1: name must be"),
        ("ended = true", "ended = true\nending = 3", "values: ending is not known here"),
        ("{en =", "{de =", "title must be"),
        ("[[item]]", "[item]", "item must be: one [[item]] or more"),
        ("game =", "game", "line 2"),
        ("game =", "game", "sheet.toml is not TOML: "),
    ],
)
def test_a_sheet_that_is_wrong_is_refused_in_one_line(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = written(tmp_path, "sheet.toml", SHEET.replace(old, new, 1))
    with pytest.raises(BadFile) as refused:
        sheet(str(path))
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


WRITING = """import os
for n in range(3, 20):
    try: os.write(n, {line} + b"\\n")
    except OSError: pass
"""
NO_FAULTS = [
    {"fault": {"text": "{n.foo}", "many": "x", "n": 1, "values": {}}},
    {"fault": {"code": "{n.foo}", "n": 1, "values": {}}},
    {"fault": {"code": "{n:>700000000}", "values": {"n": "x"}}},
    {"fault": {"number": 10**400, "form": ".9g"}},
    {"fault": {"code": "after {n} game", "n": 2, "values": {}}},
    {"fault": 3},
]
"""What is written in the name of the process that answers, and is no message."""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def minimax(position:", "student.py:1:"),
        ("import sys\nsys.exit(0)", "student.py:2: SystemExit"),
        ("import os\nos._exit(7)", "its process has ended: it ended, with exit code 7"),
        ("while True:\n    pass", "no answer in time: the file still ran after 2 s"),
        later(("def minimax(position):\n    while True: pass", "no answer in time")),
        ("def minimax(position):\n    raise KeyError('x')", "student.py:2: KeyError"),
        later(("def minimax(position):\n    exit()", "student.py:2: SystemExit")),
        ("def minimax(position):\n    return minimax(position)", "RecursionError"),
        ("VALUES = {}", "there is no function minimax"),
        ("def minimax(): return 0", "student.py: TypeError: minimax() takes 0 positional arguments"),
        ("import os\ndef minimax(position):\n    os.write(1, b'[1]\\n' * 9999)\n    return 1", "wrong in"),
        (
            "import os\nfor n in range(3, 20):\n    try: os.write(n, b'{}\\n')\n    except OSError: pass",
            "used",
        ),
        ("def minimax(position):\n    return 'x\\x1b[2J' * 999", "wrong in"),
        later(("def minimax(position):\n    return 10**400", "wrong in")),
        ("def minimax(position):\n    return 10**9999", "wrong in"),
        ("def minimax(position):\n    return float('nan')", "wrong in"),
        (
            "import os\nfor n in range(3, 20):\n    try: os.write(n, b'['"
            " * 10**6 + b'\\n')\n    except OSError: pass",
            "used",
        ),
        (WRITING.format(line=json.dumps(NO_FAULTS[0]).encode()), "used"),
        *(later((WRITING.format(line=json.dumps(line).encode()), "used")) for line in NO_FAULTS[1:]),
        ("import damier.core.game as p\np.Position.over = True\n" + OPPOSITE, "wrong in"),
    ],
)
def test_what_a_file_does_costs_its_own_points_only(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = 1 if said.startswith("no answer in time") else 300
    asked = sheet(str(written(tmp_path, "sheet.toml", SHEET.replace("seconds = 20", f"seconds = {seconds}"))))
    monkeypatch.setattr("damier.plugins.classroom.marking.submission.LOADING", 2.0 * seconds)
    path = written(tmp_path, "student.py", code)
    found = marks_of(asked, Submission(path, asked.game), "student", ExactTruth(asked.game))
    assert found.points == 0
    assert said in str(found.marks[0].finding.sentence)
    assert "\n" not in str(found.marks[0].finding.sentence)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (AttributeError("x"), "ann.py: its answer cannot be used (AttributeError)"),
        later((UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no"), "cannot be used (UnicodeEncodeError)")),
        later((RecursionError(), "cannot be used (RecursionError)")),
        later((AssertionError(), "cannot be used (AssertionError)")),
        (OSError(24, "Too many open files"), "ann.py: it could not be marked on this machine: Too many"),
        (LimitReached("the disk is full"), "the disk is full"),
    ],
)
def test_whatever_is_raised_in_an_item_costs_its_own_points_only(
    error: Exception, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = sheet(str(written(tmp_path, "sheet.toml", SHEET)))
    files = [written(tmp_path, name, RIGHT) for name in ("ann.py", "bob.py")]
    check = KINDS["values"]

    def raising(submission: Submission, truth: ExactTruth, **values: object) -> Finding:
        if submission.path.name == "ann.py":
            raise error
        return check(submission, truth, **values)

    monkeypatch.setitem(KINDS, "values", raising)
    ann, bob = mark_all(asked, files, 1, lambda done: None)
    assert (ann.points, bob.points) == (0, 2)
    assert said in str(ann.marks[0].finding.sentence)
    write_reports(tmp_path / "out", asked, [ann, bob])


def test_ctrl_c_ends_the_marking_of_an_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = sheet(str(written(tmp_path, "sheet.toml", SHEET)))

    def stopped(submission: Submission, truth: ExactTruth, **values: object) -> Finding:
        raise KeyboardInterrupt

    monkeypatch.setitem(KINDS, "values", stopped)
    path = written(tmp_path, "ann.py", RIGHT)
    with pytest.raises(KeyboardInterrupt):
        marks_of(asked, Submission(path, asked.game), "ann", ExactTruth(asked.game))


def test_a_print_disturbs_no_answer(tmp_path: Path) -> None:
    asked = sheet(str(written(tmp_path, "sheet.toml", SHEET)))
    path = written(
        tmp_path, "student.py", "print('hello')\n" + RIGHT.replace("    return", "    print(1); return")
    )
    assert marks_of(asked, Submission(path, asked.game), "student", ExactTruth(asked.game)).points == 2


@pytest.fixture
def reports(tmp_path: Path, capsys: Captured) -> Path:
    """The reports of a class of two, one of whom is wrong."""
    files = [written(tmp_path, "ann.py", RIGHT), written(tmp_path, "bob.py", OPPOSITE)]
    asked = written(tmp_path, "sheet.toml", SHEET)
    out = tmp_path / "out"
    code, said, _err = call(capsys, str(asked), *map(str, files), "-o", str(out))
    assert code == 0
    assert "2/2" in said
    assert "0/2" in said
    return out


def test_the_page_tells_what_is_wrong_in_a_later_stage_that_is_begun(tmp_path: Path) -> None:
    asked = sheet("s0")
    fourth = asked.stages[3].name
    items = [item for item in asked.items if item.stage == fourth]
    right = {item.name for item in items} - {min(items, key=lambda item: item.points).name}
    marks = tuple(
        ItemMark(item, Finding(item.name in right, f"told of {item.name}."), 0.0) for item in asked.items
    )
    page = html_page(asked, StudentMarks("bob", tmp_path, marks))
    assert all(f"told of {item.name}." in page for item in items)
    assert f"told of {asked.items[-1].name}." not in page


def test_the_page_of_a_student_fits_a_phone(browser: Any, tmp_path: Path) -> None:
    asked = sheet("s0")
    finding = Finding(False, "agent.py:1: " + "ValueError" * 20)
    marks = tuple(ItemMark(item, finding, 0.0) for item in asked.items)
    with speaking("fr"):
        page = written(tmp_path, "page.html", html_page(asked, StudentMarks("bob", tmp_path, marks)))
    assert re.search(r"\w [:;?!]\s", page.read_text().split("</style>")[1]) is None, (
        "a line may begin with it"
    )
    phone = browser.new_page(viewport={"width": 320, "height": 640})
    phone.goto(page.as_uri())
    assert phone.evaluate("document.documentElement.scrollWidth") == 320
    phone.close()


def test_the_page_of_a_student_shows_what_was_wrong(reports: Path) -> None:
    page = (reports / "bob" / "page.html").read_text()
    assert page.count("<svg") == page.count("expected: -1") == page.count("got: 1") == 1
    assert page.count('href="#values"') == page.count('id="values"') == 1
    assert "To be mended" in page
    right = (reports / "ann" / "page.html").read_text()
    assert "<svg" not in right
    assert "To be mended" not in right
    text = (reports / "bob" / "page.md").read_text()
    assert "- expected: -1\n- got: 1" in text
    assert "    X O" in text


def test_junit_and_csv_hold_the_class(reports: Path) -> None:
    suites = ElementTree.parse(reports / "junit.xml").getroot().findall("testsuite")
    assert [(suite.get("name"), suite.get("failures")) for suite in suites] == [("ann", "0"), ("bob", "1")]
    assert len(suites[1].findall("testcase/failure")) == 1
    rows = list(csv.reader((reports / "class.csv").read_text().splitlines()))
    assert rows == [
        ["name", "points", "values"],
        ["", "2.0", "2.0"],
        ["ann", "2.0", "2.0"],
        ["bob", "0.0", "0.0"],
    ]
    assert harmless("=1+1") == "'=1+1"


def test_one_student_is_told_item_by_item_in_french_too(tmp_path: Path, capsys: Captured) -> None:
    asked = written(tmp_path, "sheet.toml", SHEET)
    path = written(tmp_path, "bob.py", OPPOSITE)
    found = data(capsys, str(asked), str(path))
    assert found["students"][0]["items"][0]["wrong"]["expected"] == "-1"
    code, out, _err = call(capsys, str(asked), str(path))
    assert code == 0
    assert "expected: -1" in out


def test_what_cannot_be_marked_is_refused(tmp_path: Path, capsys: Captured) -> None:
    one = written(tmp_path, "one.py", RIGHT)
    for arguments, said in (
        (("s9", str(one)), "there is no sheet s9; there is: s0 s1 s3 s4"),
        (("s4",), "give the files to mark"),
        (("s4", str(tmp_path / "none.py")), "is not a file"),
        (("s4", str(one), str(one)), "two submissions have the same name"),
        (("s4", str(one), "--at-once", "0"), "--at-once"),
    ):
        code, out, err = call(capsys, *arguments)
        assert (code, out) == (2, "")
        assert said in err.splitlines()[-1]


def test_without_a_sandbox_it_says_so_or_refuses(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.agents.isolation.no_isolation", lambda: "no bwrap")
    asked, one = written(tmp_path, "sheet.toml", SHEET), written(tmp_path, "one.py", RIGHT)
    code, out, err = call(capsys, str(asked), str(one))
    assert (code, err.count("\n")) == (0, 1)
    assert "not in a sandbox here" in err
    assert "2/2" in out
    code, out, err = call(capsys, str(asked), str(one), "--isolated")
    assert (code, out) == (2, "")
    assert "cannot be isolated here: no bwrap" in err
