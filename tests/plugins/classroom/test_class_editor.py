"""A program that is written, tried and handed in on the page of a class: what a student is told, what is
kept, and what is not.
"""

from __future__ import annotations

import base64
import math
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from browsing import serve, stop, violations, visiting
from class_lab import FIRST, LAST, ClassLab, asked, packed, reported
from lasting import long
from playwright.sync_api import expect
from talking import Live

from damier.agents.isolation import no_isolation
from damier.arena.store import Store, opened
from damier.core.errors import LimitReached
from damier.plugins.classroom.class_process import open_class
from damier.plugins.classroom.class_store import MOST_TRIALS_AN_HOUR, ClassStore, NewSubmission, Roll
from damier.plugins.classroom.room import biggest_upset, compared
from damier.plugins.classroom.similar import (
    LONGEST,
    SimilarPair,
    hashes,
    runs_of,
    share_of,
    similar_pairs,
    tokens,
)

pytestmark = pytest.mark.skipif(bool(no_isolation()), reason=f"no sandbox here: {no_isolation()}")

FAULTY = """def play(position):
    if len(position.moves) < 5:
        return 1 / 0
    return position.moves[0]
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClassLab]:
    folder = tmp_path_factory.mktemp("class")
    served = serve(folder, "tictactoe", "--class", str(folder / "class"))
    yield ClassLab(served)
    stop(served)


def tried(client: httpx.Client, files: dict[str, str], name: str = "") -> str:
    """What is said of files that are tried."""
    own = next(iter(files)) if len(files) == 1 else ""
    answer = asked(client, "try_out", name=name, files=files, file=own)
    assert "error" not in answer, answer
    while not (found := asked(client, "trial"))["done"]:
        threading.Event().wait(0.1)
    part: str = found["parts"]["trial"]
    return part


def test_what_is_tried_is_told_and_not_handed_in(lab: ClassLab) -> None:
    ada = lab.member()
    said = tried(ada, {"ma tour.py": FIRST}, "Ada")
    assert "It plays legally." in said
    assert re.search(r"[0-9] won, [0-9] drawn, [0-9] lost", said)
    page = ada.get("/class").text
    assert "You have handed in nothing yet." in page
    assert 'data-trial="tried"' in page  # it stands there when the page is opened again
    assert "0 games played" in page
    assert asked(ada, "report")["done"]
    assert "Ada" not in lab.teacher().get("/class/files/standings.csv").text


def test_a_fault_names_the_students_file_its_line_and_the_position(lab: ClassLab) -> None:
    bob = lab.member()
    said = tried(bob, {"ma tour.py": FAULTY}, "Bob")
    assert "ma tour.py:3: ZeroDivisionError" in said
    assert "agent.py" not in said
    assert 'data-file="ma tour.py" data-line="3"' in said
    (address,) = re.findall(r'href="(/tictactoe[^"]*\?moves=[^"]+)"', said)
    board = bob.get(address.replace("&amp;", "&"))
    assert board.status_code == 200
    assert len(re.findall("[0-9]", re.findall("moves=([^&]*)", address)[0])) in (5, 6)


def test_what_is_handed_in_is_called_by_its_own_name_everywhere(lab: ClassLab) -> None:
    cleo = lab.member()
    values = {"files": {"Cléo.py": FAULTY}, "file": "Cléo.py", "name": "Cléo"}
    assert asked(cleo, "hand_in", **values)["key"]
    said = reported(cleo)
    assert "Cléo.py:3: ZeroDivisionError" in said
    assert "agent.py" not in said
    strange = asked(cleo, "hand_in", files={"a.py": FAULTY}, file="../<b>/agent.py")
    assert "error" not in strange
    said = reported(cleo)
    assert "agent.py:3: ZeroDivisionError" in said  # what is no plain name is not told
    assert "&lt;b&gt;" not in said


@long
def test_the_line_of_another_file_of_the_folder_is_told_and_no_place_of_ours(lab: ClassLab) -> None:
    dan = lab.member()
    files = {
        "agent.py": "from other import chosen\n\n\ndef play(position):\n    return chosen(position)\n",
        "other.py": "def chosen(position):\n    return position.nothing\n",
    }
    said = tried(dan, files, "Dan")
    assert "AttributeError" in said
    assert 'data-file="other.py" data-line="2"' in said  # not where the agent called it
    files["agent.py"] = "from other import absent\n"
    said = tried(dan, files)
    assert "cannot import name" in said
    assert "/agent/" not in said
    assert "/own/" not in said
    for name in ("../x.py", "a/b.py", "", ".hidden.py"):
        assert "called by letters" in asked(dan, "try_out", files={"agent.py": "", name: ""})["error"]


def test_only_who_is_in_the_class_tries_and_begins(lab: ClassLab) -> None:
    stranger = lab.stranger()
    for verb in ("try_out", "trial", "starter"):
        assert stranger.post(f"/ask/classroom.{verb}", json={"files": {"agent.py": FIRST}}).status_code == 403
    assert stranger.get("/class/starter/agent.py").status_code == 403
    eve = lab.member()
    assert "letters, digits" in asked(eve, "try_out", files={"a.py": FIRST}, name="<script>")["error"]
    content = base64.b64encode(b"x = 1\0\n").decode()
    assert "no text" in asked(eve, "try_out", content=content, name="Eve")["error"]


def test_the_starter_file_plays(lab: ClassLab) -> None:
    fay = lab.member()
    files = asked(fay, "starter")["files"]
    assert list(files) == ["agent.py"]
    assert "It plays legally." in tried(fay, files, "Fay")
    kept = fay.get("/class/starter/agent.py")
    assert kept.text == files["agent.py"]
    assert kept.headers["content-disposition"] == "attachment"


def class_in(folder: Path) -> tuple[str, int]:
    place = open_class(folder, "hexapawn", "").place
    with opened(place) as store:
        classroom = Roll(store).classroom()
        assert classroom is not None
        return place, classroom.tournament


def new(at: int, content: bytes = FIRST.encode()) -> NewSubmission:
    return NewSubmission(content, "", "en", at)


def test_a_newer_trial_takes_the_place_of_the_older_and_hand_ins_come_first(tmp_path: Path) -> None:
    place, tournament = class_in(tmp_path / "class")
    with opened(place) as store:
        roll, queue, views = Roll(store), ClassStore(store, tournament), ClassStore(store, tournament)
        ada = roll.enrol("Ada", new(0), trial=True)
        older = queue.next_trial(())
        assert older is not None
        queue.begin("try", older.id)
        newer = roll.hand_in(ada.key, new(1), trial=True).submission
        assert queue.next_trial({older.id}) is None  # one of each student at a time
        queue.keep_trial(older.id, "{}")
        latest = views.trial(ada.student.id)
        assert latest is not None
        assert (latest.id, latest.state, latest.report) == (newer, "waiting", "")
        found = queue.next_trial(())
        assert found is not None
        assert found.id == newer
        assert queue.has_waiting()
        queue.keep_trial(newer, "{}")
        assert not queue.has_waiting()
        assert contents(store) == [b"", FIRST.encode()]  # nothing is kept of what was tried before
        roll.remove(ada.student.id)
        assert contents(store) == [b"", b""]


def contents(store: Store) -> list[bytes]:
    from sqlalchemy import select

    from damier.arena.store import TrialRow

    with store.writing() as session:
        return list(session.scalars(select(TrialRow.content).order_by(TrialRow.id)))


def test_trials_have_a_quota_of_their_own(tmp_path: Path) -> None:
    place, _tournament = class_in(tmp_path / "class")
    with opened(place) as store:
        roll = Roll(store)
        key = roll.enrol("Ada", new(0), trial=True).key
        for at in range(1, MOST_TRIALS_AN_HOUR):
            roll.hand_in(key, new(at), trial=True)
        with pytest.raises(LimitReached, match="60 trials in an hour; the next can begin in 60 minutes"):
            roll.hand_in(key, new(59), trial=True)
        assert roll.hand_in(key, new(59)).submission == 1
        assert roll.hand_in(key, new(3600), trial=True).submission


def test_it_is_written_tried_and_handed_in_by_keyboard(lab: ClassLab, browser: Any) -> None:
    for visitor in visiting(browser, lab.served, viewport={"width": 390, "height": 844}):
        page = visitor.new_page()
        page.goto("/class")
        page.get_by_label("Code of the class").fill(lab.code)
        scripts: list[Any] = []
        page.route("**/editor*.js*", lambda route: scripts.append(route))
        with page.expect_request("**/editor*.js*"):
            page.keyboard.press("Enter")
        page.get_by_label("Your name").fill("Hal")
        text = page.get_by_label("Text of your program")
        text.focus()
        page.keyboard.type("def ")  # before its script has come
        scripts.pop().continue_()
        page.unroute("**/editor*.js*")
        page.wait_for_load_state()
        page.keyboard.type("play(position):\n")
        assert text.input_value() == "def play(position):\n    "  # it is indented by itself
        page.keyboard.type("return 1 / 0")
        page.keyboard.press("Home")
        page.keyboard.press("Tab")
        page.keyboard.press("Shift+Tab")
        assert text.input_value() == "def play(position):\n    return 1 / 0"
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")  # leaves the field
        page.keyboard.press("Enter")
        page.locator("[data-trial=tried]").wait_for()
        assert page.locator(".editor .marked").is_visible()
        assert "agent.py:2: ZeroDivisionError" in page.locator("[data-part=trial]").inner_text()
        page.get_by_role("button", name="Show line 2").click()
        assert page.evaluate("String(getSelection())") == "    return 1 / 0"
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.locator("[data-noted]").click()
        page.locator("#leave").wait_for()
        expect(text).to_have_value(re.compile("return 1 / 0$"))  # it is kept in this browser
        text.fill(FIRST)
        page.get_by_role("button", name="Hand in").click()
        page.locator("[data-state=playing]").wait_for()
        page.locator("#leave").click()
        page.get_by_label("Your name").wait_for()
        kept = "Object.keys(localStorage).filter((key) => key.startsWith('damier-code')).length"
        assert page.evaluate(kept) == 0  # the next at this machine does not read it


def test_an_archive_and_another_encoding_go_as_they_are(lab: ClassLab, browser: Any, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "agent.py").write_text(FIRST)
    (tmp_path / "mine.zip").write_bytes(packed(tmp_path / "mine"))
    (tmp_path / "latin.py").write_bytes(b"# coding: latin-1\n# \xe9\n" + FIRST.encode())
    for visitor in visiting(browser, lab.served):
        page = visitor.new_page()
        page.goto("/class")
        page.get_by_label("Code of the class").fill(lab.code)
        page.keyboard.press("Enter")
        page.get_by_label("Your name").fill("Ida")
        for file in ("mine.zip", "latin.py"):
            page.get_by_label("Your file in Python").set_input_files(str(tmp_path / file))
            page.get_by_text(f"{file} is handed in as it is.").wait_for()
            page.locator("#run").click()
            page.locator("#run:enabled").wait_for()
            assert "It plays legally." in page.locator("[data-trial=tried]").inner_text()
        page.get_by_role("button", name="Write here instead").click()
        assert page.locator(".editor").is_visible()


ALIKE = (
    """def play(position):
    best = None
    for move in position.moves:
        if best is None or score(position.play(move)) > 3:
            best = move
    return best


def score(p):
    return sum(1 for c in p.board if c == "X") - 2
""",
    """# all of it my own
def play(place):
    top = None
    for m in place.moves:
        if top is None or value(place.play(m)) > 7:
            top = m
    return top


def value(q):
    return sum(1 for d in q.board if d == "O") - 5
""",
)


@long
def test_the_board_has_the_ladder_and_the_code_and_nothing_else_of_anybody(tmp_path: Path) -> None:
    served = serve(tmp_path, "hexapawn", "--class", str(tmp_path / "class"))
    try:
        lab = ClassLab(served)
        for name, text in zip(("Ada", "Bob", "Mal"), (FIRST, LAST, FAULTY), strict=True):
            client = lab.member()
            assert asked(client, "hand_in", name=name, files={"secret name.py": text})["key"]
            reported(client)
        assert lab.code not in lab.stranger().get("/class/board").text
        page = lab.member().get("/class/board").text
        assert lab.code in page
        assert f"{served.address.rpartition(':')[2]}/class" in page
        topic = re.findall(r'data-topic="([^"]+)"', page)[0]
        live = Live(served)
        live.send(do="watch", topic=topic)
        told = live.until(topic, lambda told: "<dd>20</dd>" in told["parts"]["board"])["parts"]["board"]
        live.close()
        assert re.findall(r'class="who">(\w+)<', told) in (["Ada", "Bob"], ["Bob", "Ada"])
        assert "<dt>Different games</dt><dd>2</dd>" in told  # one at each seat: both play as they must
        for hidden in ("Mal", "secret", "ZeroDivision", lab.teacher_key):
            assert hidden not in told
            assert hidden not in page
    finally:
        stop(served)


def test_the_teacher_sees_why_and_what_is_alike_and_nobody_else_does(lab: ClassLab) -> None:
    for name, text in zip(("Lea", "Max"), ALIKE, strict=True):
        client = lab.member()
        assert asked(client, "hand_in", name=name, files={f"{name}.py": text}, file=f"{name}.py")["key"]
        reported(client)
    nia = lab.member()
    assert asked(nia, "hand_in", name="Nia", files={"nia.py": FAULTY}, file="nia.py")["key"]
    reported(nia)
    teacher = lab.teacher()
    page = teacher.get("/class/teacher").text
    assert "nia.py:3: ZeroDivisionError" in page
    (compared,) = re.findall(r'href="(/class/compare[^"]+)"', page)
    sides = teacher.get(compared.replace("&amp;", "&")).text
    assert "100 % of the shorter one" in sides
    assert "<mark>    top = None</mark>" in sides
    assert "<li># all of it my own</li>" in sides
    assert "students" not in nia.get("/class/teacher").text
    assert nia.get(compared.replace("&amp;", "&")).status_code == 403
    assert teacher.get("/class/compare?first=1&second=999").status_code == 404
    assert "Lea" not in asked(nia, "students").get("parts", {}).get("similar", "")


def test_the_biggest_upset_is_the_win_over_most_strength() -> None:
    standings = [{"agent": name, "elo": elo} for name, elo in (("A", 200.0), ("B", 0.0), ("C", -150.0))]
    table: Any = {"standings": standings, "wins": [[0, 9, 9], [1, 0, 3], [0, 2, 0]], "draws": []}
    assert biggest_upset(table) == ("B", "A", 200.0)
    table["wins"][1][0] = 0
    assert biggest_upset(table) == ("C", "B", 150.0)
    table["wins"] = [[0, 9, 9], [0, 0, 3], [0, 0, 0]]
    assert biggest_upset(table) is None


def test_names_comments_and_spaces_make_no_difference_to_what_is_alike() -> None:
    first, second = (hashes(runs_of({"agent.py": text})) for text in ALIKE)
    other = hashes(runs_of({"agent.py": FAULTY * 9}))
    assert share_of(first, second) == 1.0
    assert share_of(first, other) < 0.2
    shares = {
        (1, 2): share_of(first, second),
        (1, 3): share_of(first, other),
        (2, 3): share_of(second, other),
    }
    assert similar_pairs(SimilarPair(*pair, share) for pair, share in shares.items()) == [(1, 2, 1.0)]
    assert share_of(first - first, second - first) == 0.0  # the starter is everybody's


def test_of_a_folder_no_more_is_compared_than_of_a_file() -> None:
    large = {f"f{n}.py": f"x{n} = [{n}, 'a' if {n} else (y, *z)]\n" * 300 for n in range(200)}
    assert len(runs_of(large)) < LONGEST


def test_files_are_compared_up_to_a_time_and_the_next_answer_goes_on() -> None:
    """A list that had to compare all first would never open for large files: nobody could be taken out."""
    sources = dict(enumerate([*ALIKE, FAULTY * 9]))
    read: list[int] = []
    shown: Any = SimpleNamespace(
        store=SimpleNamespace(place="a class"),
        content=lambda id: read.append(id) or sources[id].encode(),
        sheet=None,
    )
    assert list(compared(shown, sources, until=0)) == [None] * 3
    assert read == []
    found = list(compared(shown, sources, until=math.inf))
    assert found[0] == (0, 1, 1.0)
    assert list(compared(shown, sources, until=0)) == found
    assert len(read) == 3


@pytest.mark.parametrize("hostile", ["/*", "'''\"\"\"", '"\\', "#|", "'\n", '"', "\\", "1."])
def test_what_is_never_closed_is_read_once(hostile: str) -> None:
    """A pattern that gives up what it has read would take minutes here."""
    for suffix in (".py", ".c", ".lisp"):
        assert len(tokens(hostile * 100_000, suffix)) <= LONGEST
