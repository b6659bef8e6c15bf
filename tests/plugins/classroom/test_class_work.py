"""What goes on behind a class: files are looked at and marked in a sandbox, games go on after whatever
was killed.
"""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import comb
from pathlib import Path

import pytest
from lasting import later, shortly

from damier import load
from damier.agents.isolation import no_isolation
from damier.arena.match import Score
from damier.arena.pairing import PlayedGame
from damier.arena.store import Store, opened
from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.words import message, speaking
from damier.plugins.classroom import class_process
from damier.plugins.classroom.class_check import (
    FileCheck,
    FileReport,
    finding_text,
    item_marks,
    marks_text,
    read_marks,
    read_report,
    report_text,
    say_on_terminal,
    unchecked,
)
from damier.plugins.classroom.class_process import (
    NICE,
    ClassFolder,
    ClassGames,
    ClassWork,
    MoreUrgent,
    open_class,
)
from damier.plugins.classroom.class_store import (
    LOOK,
    MOST_TRIES,
    Classroom,
    ClassStore,
    NewSubmission,
    Roll,
    TakenSubmission,
    UnplayedPair,
)
from damier.plugins.classroom.marking.sheet import sheet
from damier.plugins.classroom.marking.submission import ExactTruth
from damier.plugins.classroom.room import (
    OpenClass,
    blamed,
    board,
    board_part,
    games_part,
    standings_part,
)
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.settings import Settings

pytestmark = pytest.mark.skipif(bool(no_isolation()), reason=f"no sandbox here: {no_isolation()}")

FIRST = b"def play(position):\n    return position.moves[0]\n"
LAST = b"def play(position):\n    return position.moves[-1]\n"


def looked_at(folder: Path, content: bytes, wanted: str = "") -> FileReport:
    path = ClassFolder(folder).write(1, content)
    return FileCheck(load("hexapawn"), None, None).report(path, wanted)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (b"def play(p:\n", "agent.py:1:"),
        (b"x = 1\n", "agent.py has no agent"),
        (b"def play(position):\n    return 'z9'\n", "z9"),
        (b"def play(position):\n    1 / 0\n", "agent.py:2: ZeroDivisionError"),
        (b"\0", "agent.py"),
        (b"import os\nos._exit(3)\n", "agent.py"),
        (b"raise SystemExit\n", "agent.py:1: SystemExit"),
    ],
)
def test_why_a_file_does_not_play_is_said_without_where_it_lies(
    tmp_path: Path, code: bytes, said: str
) -> None:
    report = looked_at(tmp_path, code)
    assert not report["plays"]
    assert said in (told := finding_text(report["said"]))
    assert str(tmp_path) not in told


WRONG = b"def chosen(position):\n    return position.absent\n"


@pytest.mark.parametrize(
    ("code", "place", "kind"),
    [
        ("def play(position):\n    1 / 0\n", "agent.py", "ZeroDivisionError"),
        (
            "from other import chosen\ndef play(position): return chosen(position)\n",
            "other.py",
            "AttributeError",
        ),
        (
            "from part.other import chosen\ndef play(position): return chosen(position)\n",
            "part/other.py",
            "AttributeError",
        ),
    ],
)
def test_of_a_folder_the_file_is_named_in_which_it_went_wrong(
    tmp_path: Path, code: str, place: str, kind: str
) -> None:
    files = {"agent.py": code.encode(), "other.py": WRONG, "part/__init__.py": b"", "part/other.py": WRONG}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"my agent/{name}", content)
    told = finding_text(looked_at(tmp_path, written.getvalue())["said"])
    assert told.startswith(f"{place}:2: {kind}")
    assert blamed(told) == (place, 2)


GIVEN_IN = {
    "plays": FIRST,
    "no agent": b"x = 1\n",
    "no Python": b"def play(p:\n",
    "an illegal move": b"def play(position):\n    return 'z9'\n",
    "another type": b"def play(position):\n    return None\n",
    "a fault": b"def play(position):\n    1 / 0\n",
    "an end": b"import os\nos._exit(3)\n",
    "depth": b"def play(position):\n    return play(position)\n",
    "printed": b"import os\ndef play(position):\n    os.write(1, b'x\\n')\n    return '0'\n",
    "wrong values": FIRST + b"def minimax(position):\n    return 1\n",
    "a parameter": b"def play(p):\n    return p.moves[0]\n",
    "a constructor": b"class A:\n    def __init__(self):\n        1 / 0\n    def play(self, p): pass\n",
    "a picture": b"\x89PNG\r\n\x1a\n\0\0",
    "an archive": b"PK\x03\x04\0\0",
    "UTF-16": "def play(position): return 0".encode("utf-16"),
    "Latin 1": "# é\n".encode("latin-1") + FIRST,
}


@pytest.mark.parametrize("given", shortly(GIVEN_IN, "plays", "no Python", "an illegal move", "a fault"))
def test_a_report_is_told_in_the_language_of_who_reads_it(given: str, tmp_path: Path) -> None:
    s4 = sheet("s4")
    check = FileCheck(s4.game, s4, ExactTruth(s4.game))
    path = ClassFolder(tmp_path).write(1, GIVEN_IN[given])

    def kept(language: str) -> str:
        with speaking(language):
            return report_text(check.report(path, ""))

    def told(text: str, language: str) -> list[str]:
        with speaking(language):
            report = read_report(text)
            assert report is not None
            findings = [mark.finding for mark in item_marks(report["items"], s4)]
            wrong = [f"{found.wrong.expected} {found.wrong.got}" for found in findings if found.wrong]
            return [finding_text(report["said"]), *(str(found.sentence) for found in findings), *wrong]

    in_english, in_french = kept("en"), kept("fr")
    assert told(in_english, "fr") == told(in_french, "fr")
    assert told(in_french, "en") == told(in_english, "en")
    sentences = zip(told(in_english, "en"), told(in_english, "fr"), strict=True)
    assert all(one != other or not one[:1].isalpha() for one, other in sentences)


def test_what_an_earlier_damier_kept_is_still_read(tmp_path: Path) -> None:
    report = """{"plays": false, "said": "agent.py: no answer in time", "agent": "", "agents": [],
        "games": [], "pace": 0.0, "items": [{"name": "imports", "passed": false, "said": "not allowed",
        "seconds": 0.1, "wrong": {"state": null, "expected": "1", "got": "no number"}}]}"""
    with speaking("fr"):
        found = read_report(report)
        assert found is not None
        assert finding_text(found["said"]) == "agent.py: no answer in time"
        (mark,) = item_marks(found["items"], sheet("s4"))
        assert mark.finding.sentence == "not allowed"
        assert mark.finding.wrong is not None
        assert mark.finding.wrong.got == "no number"


def test_facts_of_a_later_damier_are_no_fault_of_a_page() -> None:
    assert "another damier" in finding_text({"later": "facts"})


def test_the_agent_that_is_named_plays_or_the_first(tmp_path: Path) -> None:
    code = (
        b"class B:\n    def play(self, position):\n        return position.moves[0]\nclass A(B):\n    pass\n"
    )
    report = looked_at(tmp_path, code)
    assert (report["plays"], report["agent"], report["agents"]) == (True, "B", ["B", "A"])
    assert report["games"][0] == 10
    assert looked_at(tmp_path, code, "A")["agent"] == "A"
    assert "it has: B A" in finding_text(looked_at(tmp_path, code, "C")["said"])


def test_it_sees_neither_the_store_nor_the_files_of_others(tmp_path: Path) -> None:
    (tmp_path / "class.db").write_text("secret")
    code = f"open({str(tmp_path / 'class.db')!r})\ndef play(position): return position.moves[0]\n"
    assert "FileNotFoundError" in finding_text(looked_at(tmp_path, code.encode())["said"])


def test_what_takes_all_memory_is_ended_at_once(tmp_path: Path) -> None:
    code = b"""
import os, time
for _child in range(8):
    if os.fork() == 0:
        held = bytearray(90 << 20)
        time.sleep(600)
time.sleep(600)
"""
    assert "its process has ended" in finding_text(looked_at(tmp_path, code)["said"])


def test_students_are_told_the_open_items_and_the_teacher_all(tmp_path: Path) -> None:
    s4 = sheet("s4")
    (tmp_path / "sheet.toml").write_text(
        """
game = "hexapawn"
title = {en = "A sheet"}
[[item]]
name = "imports"
kind = "imports"
points = 1
open = true
text = {en = "Imports"}
allowed = ["math"]
[[item]]
name = "ended"
kind = "values"
points = 2
text = {en = "Values"}
function = "minimax"
ended = true
"""
    )
    asked = sheet(str(tmp_path / "sheet.toml"))
    assert [item.name for item in s4.items if item.is_open][:2] == ["imports", "base-case"]
    check = FileCheck(asked.game, asked, ExactTruth(asked.game))
    path = ClassFolder(tmp_path).write(1, b"import os\ndef minimax(position):\n    return 5\n" + FIRST)
    report = check.report(path, "")
    assert [(item["name"], item["passed"]) for item in report["items"]] == [("imports", False)]
    binary = check.marks(ClassFolder(tmp_path).write(2, b"\xff"))
    assert str(tmp_path) not in marks_text(binary)
    marks = read_marks(marks_text(check.marks(path)), asked, "Ada")
    assert [mark.item.name for mark in marks.marks] == ["imports", "ended"]
    assert marks.points == 0
    wrong = marks.marks[1].finding.wrong
    assert wrong is not None
    assert wrong.position.game is asked.game


def test_an_open_item_says_yes_or_no(tmp_path: Path) -> None:
    text = (Path(sheet.__code__.co_filename).parents[1] / "sheets" / "s4.toml").read_text()
    path = tmp_path / "sheet.toml"
    path.write_text(text.replace("open = true", "open = 1", 1))
    with pytest.raises(BadFile, match=r"imports: open must be: true\|false"):
        sheet(str(path))


def test_the_code_of_a_class_stays_and_may_be_written_by_hand(tmp_path: Path) -> None:
    folder = ClassFolder(tmp_path / "class")
    folder.make()
    assert (tmp_path / "class").stat().st_mode & 0o777 == 0o700
    code = folder.code()
    assert folder.code() == code
    (tmp_path / "class" / "code.txt").write_text("our-class-7\n")
    assert folder.code() == "our-class-7"
    (tmp_path / "class" / "code.txt").write_text("abc\n")
    with pytest.raises(BadInput, match="6 letters"):
        folder.code()


def test_a_class_is_opened_again_as_it_was(tmp_path: Path) -> None:
    first = open_class(tmp_path / "class", "", "s4")
    again = open_class(tmp_path / "class", "", "")
    assert (again.code, again.game) == (first.code, "tictactoe:misere=false")
    assert again.teacher_key != first.teacher_key
    with pytest.raises(BadInput, match="the sheet is about tictactoe"):
        open_class(tmp_path / "class", "hexapawn", "s4")
    with pytest.raises(BadInput, match="say what the class plays"):
        open_class(tmp_path / "other", "", "")


@contextmanager
def working(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The process behind the class, ended without a word."""
    command = [sys.executable, "-m", "damier.plugins.classroom.class_process", str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE)
    try:
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()


def test_what_keeps_it_from_its_work_is_said_in_one_line(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = [sys.executable, "-m", "damier.plugins.classroom.class_process", str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:  # its parent is there, and says nothing
        process.wait()
    assert process.returncode == 1
    assert re.fullmatch(
        r"(.*class.db cannot be read.*|agents cannot be isolated here.*)\n", capfd.readouterr().err
    )
    try:
        raise LimitReached(message("{place}: the disk is full", place="class.db"))
    except LimitReached:
        say_on_terminal()
    assert capfd.readouterr().err == "class.db: the disk is full\n"


def games_in(store: Store, tournament: int) -> int:
    return sum(map(len, store.numbers(tournament, 0).values()))


@pytest.mark.parametrize(("kills", "students"), [(1, 2), later((2, 3))])
def test_killed_again_and_again_it_loses_nothing_and_counts_nothing_twice(
    kills: int, students: int, tmp_path: Path
) -> None:
    names = ("Ada", "Bob", "Eve")[:students]
    place = open_class(tmp_path, "hexapawn", "").place
    with opened(place) as store:
        roll = Roll(store)
        classroom = roll.classroom()
        assert classroom is not None
        views = ClassStore(store, classroom.tournament)
        for name, code in (*zip(names, (FIRST, LAST, FIRST), strict=False), ("Mal", b"def play(p:\n")):
            roll.enrol(name, NewSubmission(code, "", "en", 0))
        for _kill in range(kills):  # each time a little later
            seen = views.progress()
            with working(tmp_path):
                while views.progress() == seen and (views.progress().waiting or views.results().left):
                    threading.Event().wait(0.02)
        with working(tmp_path):
            while views.progress().waiting or views.results().left:
                threading.Event().wait(0.02)
        assert games_in(store, classroom.tournament) == comb(students, 2) * classroom.plan.games
        states = {line.name: line.latest.state for line in views.students() if line.latest}
        assert states == dict.fromkeys(names, "playing") | {"Mal": "refused"}
        for line in views.students():
            assert line.latest is not None
            assert read_report(line.latest.report) is not None


WEIGHS = b"""
import os
group = open("/proc/self/autogroup").read() if os.path.exists("/proc/self/autogroup") else ""
def play(position):
    raise ValueError(f"nice {os.getpriority(os.PRIO_PROCESS, 0)}, session: {group}")
"""
"""Says what it weighs, and the session that it is in: its number, and what that weighs."""


def test_sandboxes_stand_back_with_the_class(tmp_path: Path) -> None:
    """Linux weighs sessions before processes, so a sandbox may have none of its own."""
    nice = min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICE)  # the tests themselves may stand back
    with opened(open_class(tmp_path, "hexapawn", "").place) as store:
        roll = Roll(store)
        classroom = roll.classroom()
        assert classroom is not None
        views = ClassStore(store, classroom.tournament)
        command = [sys.executable, "-m", "damier.plugins.classroom.class_process", str(tmp_path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as process:
            group = Path(f"/proc/{process.pid}/autogroup")
            weighed = group.exists() and bool(group.read_text())
            while weighed and not group.read_text().endswith(f" nice {nice}\n"):
                threading.Event().wait(0.02)  # it may not yet
            roll.enrol("Ada", NewSubmission(WEIGHS, "", "en", 0))
            while views.progress().waiting:
                threading.Event().wait(0.02)
            session = group.read_text().strip() if weighed else ""
            process.send_signal(signal.SIGKILL)
        (line,) = views.students()
        assert line.latest is not None
        report = read_report(line.latest.report)
        assert report is not None
        assert f"ValueError: nice {nice}, session: {session}" in finding_text(report["said"])


class Died(BaseException):
    """What ends the process of a class, as `go_on` has it."""


@dataclass
class Class:
    """A class, and the processes that work for it one after the other."""

    folder: Path
    roll: Roll
    classroom: Classroom

    def begun(self) -> ClassWork:
        """Another process begins."""
        return ClassWork(ClassFolder(self.folder), self.roll.store, self.classroom)

    def enrol(self, *names: str) -> list[int]:
        return [self.roll.enrol(name, NewSubmission(FIRST, "", "en", 0)).submission for name in names]

    def admit(self, *names: str) -> None:
        for submission in self.enrol(*names):
            self.begun().queue.admit(submission, "agent.py:play", "", report_text(unchecked("")))

    @property
    def views(self) -> ClassStore:
        return ClassStore(self.roll.store, self.classroom.tournament)


@pytest.fixture
def a_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Class]:
    monkeypatch.setattr(class_process, "REST", 0)
    monkeypatch.setattr(sys, "excepthook", lambda *_error: None)
    with opened(open_class(tmp_path, "hexapawn", "").place) as store:
        classroom = Roll(store).classroom()
        assert classroom is not None
        yield Class(tmp_path, Roll(store), classroom)


def test_who_ends_the_process_is_alone_with_it(a_class: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    work = a_class.begun()
    (poison,) = a_class.enrol("Mal")
    work.queue.begin(LOOK, poison)
    work = a_class.begun()
    (innocent,) = a_class.enrol("Ada")
    seen: list[tuple[int, set[int], bool]] = []

    def look(taken: TakenSubmission) -> None:
        seen.append((taken.id, set(work.at_work[LOOK]), work.check_next()))
        work.queue.refuse(taken.id, "{}")

    monkeypatch.setattr(work, "check_submission", look)
    assert work.check_next()
    assert work.check_next()
    assert not work.check_next()
    assert seen == [(innocent, {innocent}, False), (poison, {poison}, False)]


def test_a_pair_that_ends_the_process_is_begun_so_often_and_no_more(
    a_class: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[bool] = []

    def play(games: ClassGames, pair: UnplayedPair, urgent: Callable[[], bool]) -> None:
        begun.append(hostile := {"Mal", "Ada"} == {pair.first.student, pair.second.student})
        if hostile:
            raise Died
        for number in range(a_class.classroom.plan.games):
            played = PlayedGame(number, [], (1, -1), True, False, "")
            games.queue.store.keep([(pair.pairing, played)])

    monkeypatch.setattr(ClassGames, "play_pair", play)
    a_class.admit("Mal", "Ada", "Bob")
    a_class.enrol("Eve")  # who waits, and is looked at by nobody meanwhile
    monkeypatch.setattr(ClassStore, "has_waiting", lambda queue: False)
    goes_on, deaths = True, 0
    while goes_on:
        work = a_class.begun()
        try:
            while goes_on := work.play_next():
                pass
        except Died:
            deaths += 1
    assert (deaths, begun.count(True), begun.count(False)) == (MOST_TRIES, MOST_TRIES, 2)
    _names, results, left, aside = a_class.views.results()
    assert (results.games, left, aside) == (40, 0, [("Mal", "Ada", 20)])
    waiting = work.queue.next_waiting((), "")
    assert waiting is not None
    assert not waiting.is_suspect, "who merely waits is charged with nothing"


def test_whatever_playing_raises_ends_neither_the_class_nor_another_pair(
    a_class: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(games: ClassGames, pair: UnplayedPair, urgent: Callable[[], bool]) -> None:
        if pair.second.student != "Bob":
            raise KeyError("x")
        for number in range(a_class.classroom.plan.games):
            games.queue.store.keep([(pair.pairing, PlayedGame(number, [], (0, 0), True, False, ""))])

    monkeypatch.setattr(ClassGames, "play_pair", play)
    a_class.admit("Mal", "Ada", "Bob")
    work = a_class.begun()
    ended = [work.play_next() for _turn in range(MOST_TRIES + 4)]
    assert (ended.count(True), work.queue.unplayed(20)) == (2, [])
    assert a_class.views.results().set_aside == [("Mal", "Ada", 20)]


def played(a_class: Class, files: dict[str, bytes]) -> OpenClass:
    """The class once all files have played each other."""
    for name, code in files.items():
        taken = a_class.roll.enrol(name, NewSubmission(code, "", "en", 0))
        a_class.begun().queue.admit(taken.submission, "agent.py:play", "", report_text(unchecked("")))
    work = a_class.begun()
    while work.play_next():
        pass
    return OpenClass(a_class.roll.store, a_class.classroom.tournament, a_class.classroom.plan.game_text, None)


def test_faults_of_games_are_told_in_the_language_of_who_reads(a_class: Class) -> None:
    late = (
        b"asked = []\ndef play(position):\n    asked.append(0)\n"
        b"    return position.moves[0] if len(asked) < 9 else 'z'\n"
    )
    shown = played(a_class, {"Ada": FIRST, "Bob": late})
    assert "20 games played, 0 left" in standings_part(shown.table())
    assert "Bob: agent.py:2: z is not a legal move" in games_part(shown, "hexapawn", "Ada", "Bob")
    with speaking("fr"):
        told = games_part(shown, "hexapawn", "Ada", "Bob")
    assert "Bob\N{NO-BREAK SPACE}: agent.py:2\N{NO-BREAK SPACE}: z n&#39;est pas" in told


def test_the_board_has_the_ladder_and_the_code_and_nothing_else_of_anybody(
    a_class: Class, tmp_path: Path
) -> None:
    (mal,) = a_class.enrol("Mal")
    a_class.begun().queue.refuse(mal, report_text(unchecked("secret.py:3: ZeroDivisionError")))
    shown = played(a_class, {"Ada": FIRST, "Bob": LAST})
    settings = Settings(store=str(tmp_path / "class.db"), class_folder=str(tmp_path), port=8123)
    registry, asked = Registry(settings), {"topic": "t", "code": "the-code"}
    assert "the-code" not in board(registry, Params(asked))
    page = board(registry, Params(asked | {"member": True}))
    assert "the-code" in page
    assert "8123/class" in page
    told = board_part(shown.table())
    assert re.findall(r'class="who">(\w+)<', told) in (["Ada", "Bob"], ["Bob", "Ada"])
    assert "<dd>20</dd>" in told
    assert "<dt>Different games</dt><dd>2</dd>" in told  # one at each seat: both play as they must
    for hidden in ("Mal", "secret", "ZeroDivision"):
        assert hidden not in told
        assert hidden not in page


def test_what_the_machine_refuses_is_tried_again_and_not_for_ever(
    a_class: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def report(check: FileCheck, path: Path, wanted: str) -> FileReport:
        looked.append(path.parent.name)
        if path.parent.name == str(mal):
            raise OSError(24, "Too many open files")
        return unchecked("")

    monkeypatch.setattr(FileCheck, "report", report)
    mal, ada = a_class.enrol("Mal", "Ada")
    work = a_class.begun()
    while work.queue.has_waiting():
        work.check_next()
    assert looked == [str(mal), str(ada), *[str(mal)] * MOST_TRIES]
    latest = {line.name: line.latest for line in a_class.views.students()}
    assert latest["Mal"] is not None
    report_of_mal = read_report(latest["Mal"].report)
    assert report_of_mal is not None
    assert "again and again" in finding_text(report_of_mal["said"])


def test_what_has_to_be_alone_is_given_room(a_class: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    a_class.admit("Ada", "Bob")
    work = a_class.begun()
    (mal,) = a_class.enrol("Mal")
    work.queue.begin(LOOK, mal)
    work.queue.fail(LOOK, mal, alone=False)
    gave_way: list[bool] = []

    def play(games: ClassGames, pair: UnplayedPair, urgent: Callable[[], bool]) -> None:
        gave_way.extend((urgent(), work.check_next(), urgent()))
        raise MoreUrgent

    monkeypatch.setattr(ClassGames, "play_pair", play)
    monkeypatch.setattr(ClassStore, "has_waiting", lambda queue: False)
    monkeypatch.setattr(work, "check_submission", lambda taken: work.queue.refuse(taken.id, "{}"))
    assert work.play_next()
    assert gave_way == [False, False, True], "it is not looked at beside games, and these give way"
    assert not work.play_next()
    assert work.check_next()
    assert not work.check_next()
    assert work.play_next(), "then games go on"


@pytest.mark.parametrize("error", [KeyError("x"), UnicodeError("x"), AssertionError(), StopIteration()])
def test_a_fault_of_damier_is_said_in_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(check: FileCheck, path: Path, agent: str) -> tuple[Score, str]:
        raise error

    monkeypatch.setattr(FileCheck, "tried", fails)
    monkeypatch.setattr(sys, "excepthook", lambda *_error: None)
    report = looked_at(tmp_path, FIRST)
    assert not report["plays"]
    said = f"agent.py: damier could not look at it ({type(error).__name__})"
    assert finding_text(report["said"]) == said


def test_a_file_that_ends_who_marks_it_has_failed_items_that_say_so(tmp_path: Path) -> None:
    s4 = sheet("s4")
    marks = FileCheck(s4.game, s4, None).unmarked("again and again")
    found = read_marks(marks_text(marks), s4, "Mal")
    assert (found.points, len(found.marks)) == (0, len(s4.items))
    assert {mark.finding.sentence for mark in found.marks} == {"again and again"}
