"""The room of a class: who is let in, who may replace what, what is told to whom; and the same as
people use it.
"""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import re
import subprocess
import sys
import tarfile
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from itertools import combinations
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import Served, serve, stop, violations, visiting
from class_lab import (
    FIRST,
    LAST,
    ClassLab,
    asked,
    asked_status,
    handed_in,
    handed_in_folder,
    packed,
    reported,
)
from commands import Captured
from english import english, pieces, pointed, words
from lasting import long, shortly
from marked import filled
from postgres import running_server
from starlette.datastructures import Headers
from talking import Live

from damier.agents.isolation import no_isolation
from damier.arena.store import opened
from damier.cli.main import build, run
from damier.cli.serve import class_welcome
from damier.core.errors import BadFile, BadInput
from damier.core.words import speaking
from damier.lab.exercises.kinds import DrillRun
from damier.plugins.classroom import room
from damier.plugins.classroom.class_archive import files_in, unpack
from damier.plugins.classroom.class_auth import ClassAuth
from damier.plugins.classroom.class_process import OpenedClass, open_class
from damier.plugins.classroom.class_store import CODE_LENGTH, NewSubmission, Roll, new_key
from damier.plugins.classroom.marking.sheet import sheet
from damier.web import gate
from damier.web.limits import ClientId
from damier.web.messages import Params, Query
from damier.web.pool import Answer
from damier.web.registry import Registry
from damier.web.settings import Settings

pytestmark = pytest.mark.skipif(bool(no_isolation()), reason=f"no sandbox here: {no_isolation()}")

FILE = "<strong>File 1:</strong>"
"""What is said of the first file of a student, whatever was found: on a busy machine it may be late."""
RIGHT = Path(__file__).parent / "marking" / "s4_solution.py"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClassLab]:
    folder = tmp_path_factory.mktemp("class")
    served = serve(folder, "--class", str(folder / "class"), "--sheet", "s4")
    yield ClassLab(served)
    stop(served)


def test_without_the_code_nothing_is_seen_and_nothing_taken(lab: ClassLab) -> None:
    stranger = lab.stranger()
    page = stranger.get("/class").text
    assert "refuses cookies" in page  # told where a browser does
    assert "asks for its code" in page
    assert "standings" not in page
    for verb in ("hand_in", "report", "identify", "teach", "students", "new_key", "remove"):
        answer = stranger.post(f"/ask/classroom.{verb}", json={"member": True, "key": lab.teacher_key})
        assert answer.status_code == 403
    assert stranger.get("/class/files/marks.csv").status_code == 403
    assert stranger.post("/class/enter", json={"code": "guessed"}).status_code == 403
    assert stranger.post("/class/enter", json=["code"]).status_code == 400
    assert "standings" in lab.member().get("/class").text


def test_a_student_hands_in_and_is_in_the_table(lab: ClassLab) -> None:
    ada, bob = lab.member(), lab.member()
    key = handed_in(ada, RIGHT.read_text(), "Ada")["key"]
    assert "AiAgent plays in the class" in (said := reported(ada))
    assert "right in all 958 positions" in said
    assert "equation (1)" not in said  # an item that is not open
    assert handed_in(bob, FIRST, "Bob")["key"]
    assert "plays" in reported(bob)
    topic = re.findall(r'data-topic="([^"]+)"', ada.get("/class").text)[0]
    live = Live(lab.served)
    live.send(do="watch", topic=topic)
    live.until(
        topic,
        lambda told: re.search(r"[1-9]\d* games played, 0 left", told["parts"]["standings"]) is not None,
    )
    live.close()
    games = bob.get("/class?of=Bob&against=Ada").text
    # one that was lost on time before its first move is replayed too: from the start, without moves
    replayed = re.findall(r'href="(/tictactoe\?[^"]*at=0[^"]*)"', games)
    assert len(replayed) == 20
    assert bob.get(replayed[0].replace("&amp;", "&")).status_code == 200
    assert bob.get("/class?of=Nobody").status_code == 404

    elsewhere = lab.member()
    assert asked(elsewhere, "identify", key=f" {key.upper()} ")["name"] == "Ada"
    assert "Your agent, Ada" in elsewhere.get("/class").text
    assert elsewhere.post("/class/leave", json={}).status_code == 200
    assert "Your agent" not in elsewhere.get("/class").text


def test_who_leaves_can_ask_on_over_the_same_connection(lab: ClassLab) -> None:
    connection = HTTPConnection(lab.served.address.removeprefix("http://"), timeout=300)
    connection.putrequest("POST", "/class/leave")
    connection.putheader("Content-Type", "application/json")
    connection.putheader("Content-Length", "2")
    connection.endheaders()
    assert lab.stranger().get("/class").status_code == 200  # by then the head was read
    connection.send(b"{}")
    assert connection.getresponse().read()
    kept = connection.sock
    connection.request("GET", "/class")
    assert connection.getresponse().status == 200
    assert connection.sock is kept is not None
    connection.close()


def test_nobody_is_replaced_by_another(lab: ClassLab) -> None:
    cleo, dan = lab.member(), lab.member()
    handed_in(cleo, "x = 1", "Cléo")
    assert "already" in handed_in(dan, FIRST, "CLÉO")["error"]
    dan.cookies.set(f"damier-student-{lab.served.address.rpartition(':')[2]}", "1-aaaa-aaaa-aaaa-aaaa")
    refused = dan.post("/ask/classroom.hand_in", json={"content": base64.b64encode(b"x").decode()})
    assert refused.status_code == 403
    assert "Max-Age=0" in refused.headers["set-cookie"]
    assert dan.get("/class").status_code == 200


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"name": "<script>", "content": "eA=="}, "letters, digits"),
        ({"name": "../../x", "content": "eA=="}, "letters, digits"),
        ({"name": "Fay", "content": "%%%"}, "did not arrive whole"),
        ({"name": "Fay", "content": ""}, "empty"),
        ({"name": "Fay", "content": "eA==", "wanted": "../x"}, "letters, digits and _"),
        ({"name": "Fay", "content": 7}, "content must be a text"),
        ({"name": "Fay", "content": base64.b64encode(b"PK\x03\x04").decode()}, "the archive cannot be read"),
        ({"name": "Fay", "content": base64.b64encode(b"# coding: rot13\n").decode()}, "written in rot13"),
        ({"name": "Fay", "content": base64.b64encode(b"x = 1\0\n").decode()}, "no text"),
        ({"name": "Fay", "content": base64.b64encode(b"x" * (257 << 10)).decode()}, "256 KiB"),
    ],
)
def test_what_cannot_be_taken_is_refused_in_one_line(
    lab: ClassLab, values: dict[str, object], said: str
) -> None:
    answer = asked(lab.member(), "hand_in", **values)
    assert said in answer["error"]
    assert "\n" not in answer["error"]


def test_only_the_teacher_sees_marks_and_files(lab: ClassLab) -> None:
    eve, teacher = lab.member(), lab.teacher()
    key = handed_in(eve, "def play(position): return 1 / 0", "Eve")["key"]
    assert "ZeroDivisionError" in reported(eve)
    (own,) = re.findall(r'"/class/files/([0-9]+/Eve-s4\.py)"', teacher.get("/class/teacher").text)
    files = ("marks.csv", "standings.csv", "junit.xml", "files.zip", own)
    for name in files:
        assert eve.get(f"/class/files/{name}").status_code == 403
        answer = teacher.get(f"/class/files/{name}")
        assert (answer.status_code, answer.headers["content-disposition"]) == (200, "attachment")
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content.startswith(BOM_UTF8) == name.endswith(".csv"), "Excel asks for it"
    for name in ("999/Eve-s4.py", "nothing", "class.db", "..%2Fclass.db"):
        assert teacher.get(f"/class/files/{name}").status_code == 404
    for verb in ("students", "new_key", "remove"):
        assert eve.post(f"/ask/classroom.{verb}", json={"id": 1}).status_code == 403
    assert "data-remove" not in eve.get("/class").text
    assert "data-remove" in teacher.get("/class/teacher").text
    number = int(key.partition("-")[0])
    renewed = asked(teacher, "new_key", id=number)
    assert renewed["name"] == "Eve"
    assert eve.post("/ask/classroom.report", json={}).status_code == 403
    assert asked(lab.member(), "identify", key=renewed["key"])["name"] == "Eve"
    assert "Eve" not in asked(teacher, "remove", id=number)["parts"]["students"]
    assert asked(teacher, "remove", id=number)["error"]


def test_runs_of_exercises_are_kept_for_the_teacher(lab: ClassLab, browser: Any) -> None:
    run = DrillRun("q", 5, 2)
    for visitor in visiting(browser, lab.served):
        page = visitor.new_page()
        page.goto("/tree?view=exercise&kind=q&seed=5&run=2")
        assert violations(page) == []
        for number in (1, 2):
            page.get_by_role("heading", name=f"Exercise {number} of 2").wait_for()
            right = run.drill(number).right_answers()
            page.locator("[name=greedy]").select_option(right.pop("greedy"))
            for name, text in right.items():
                page.locator(f"[name={name}]").fill(text)
            page.get_by_role("button", name="Mark", exact=True).click()
            if number == 1:
                page.get_by_role("button", name="Next exercise").click()
        page.locator(".result").wait_for()
        page.get_by_label("Code of the class").fill("wrong")
        page.get_by_label("Your name").fill("Ivy")
        page.get_by_role("button", name="That is me").click()
        page.get_by_text("not the code of this class").wait_for()
        page.get_by_label("Code of the class").fill(lab.code)
        page.get_by_role("button", name="That is me").click()
        page.get_by_text("Kept for the class: Ivy, 20 points of 20.").wait_for()
        key = page.locator("#class .secret").inner_text()
        assert violations(page) == []
        page.reload()  # it is not kept twice
        page.locator(".result").wait_for()
        page.get_by_text("You are: Ivy").wait_for()
    teacher = lab.teacher()
    page_of_teacher = teacher.get("/class/teacher").text
    assert "One step of Q-learning, seed 5, 2 exercises" in page_of_teacher
    assert 'Ivy,?kind=q&seed=5&run=2,"One step' in teacher.get("/class/files/exercises.csv").text
    french = teacher.get("/class/files/exercises.csv", headers={"Accept-Language": "fr"}).text
    assert 'Ivy,?kind=q&seed=5&run=2,"Un pas' in french
    assert asked(teacher, "students")["parts"]["students"].count("Ivy") >= 2
    ivy = lab.member()
    assert asked(ivy, "identify", key=key)["name"] == "Ivy"
    assert ivy.get("/class/files/exercises.csv").status_code == 403
    again = {"kind": "q", "seed": 5, "run": 2, "items": [[{}], []]}
    assert "0 points of 20" in asked(ivy, "keep_run", **again)["parts"]["kept"]
    assert ",20.0,20.0,20,2," in teacher.get("/class/files/exercises.csv").text


def test_a_run_that_is_lost_on_its_way_is_sent_again_and_the_keyboard_goes_along(
    lab: ClassLab, browser: Any
) -> None:
    from playwright.sync_api import expect

    for visitor in visiting(browser, lab.served):
        visitor.request.post("/class/enter", data={"code": lab.code})
        page = visitor.new_page()
        page.goto("/tree?view=exercise&kind=q&seed=7&run=2")
        page.get_by_label("Your name").fill("Una")
        page.keyboard.press("Enter")
        expect(page.locator("[data-known]")).to_be_focused()
        page.route("**/classroom.keep_run", lambda route: route.fulfill(status=503, json={"error": "busy"}))
        again = page.get_by_role("button", name="Send it again")
        expect(again).to_be_hidden()
        page.get_by_role("button", name="Show the key").press("Enter")
        page.get_by_role("button", name="Next exercise").press("Enter")
        page.get_by_role("heading", name="Exercise 2 of 2").wait_for()
        expect(page.locator("[data-part=task]")).to_be_focused()
        page.get_by_role("button", name="Show the key").press("Enter")
        expect(again).to_be_visible()
        page.unroute("**/classroom.keep_run")
        again.press("Enter")
        page.get_by_text("Kept for the class: Una").wait_for()
        expect(again).to_be_hidden()


def test_runs_are_kept_of_nobody_unknown_and_points_are_not_told_by_who_wants_them(lab: ClassLab) -> None:
    run = {"kind": "q", "seed": 5, "run": 2, "items": [[{}]], "points": 20, "student": "1-forged"}
    assert lab.stranger().post("/ask/classroom.keep_run", json=run).status_code == 403
    assert lab.member().post("/ask/classroom.keep_run", json=run).status_code == 403
    assert lab.stranger().post("/ask/classroom.join", json={"name": "Kim"}).status_code == 403
    assert lab.stranger().post("/ask/classroom.who", json={}).status_code == 403
    kim = lab.member()
    assert asked(kim, "who")["name"] == ""
    assert asked(kim, "join", name="Kim")["key"]
    assert asked(kim, "join", name="Lou") == {"name": "Kim", "key": ""}  # one browser is one student
    assert asked(kim, "who")["name"] == "Kim"
    assert "only a run" in asked(kim, "keep_run", kind="q")["error"]
    assert "at most" in asked(kim, "keep_run", kind="q", run=2, items=[[{}] * 4])["error"]


def test_a_french_class_reads_no_english(lab: ClassLab) -> None:
    teacher, lea = lab.teacher(), lab.member()
    for client in (teacher, lea):
        client.headers["Accept-Language"] = "fr"
    assert asked(lea, "join", name="Léa")["key"]
    run = {"kind": "q", "seed": 5, "run": 2, "items": [[{}], []]}
    said: list[object] = [
        asked(lea, "hand_in", content=base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()),
        lab.stranger().get("/class", headers={"Accept-Language": "fr"}).text,
        *(client.get("/class").text for client in (teacher, lea)),
        *(teacher.get(f"/class/{page}").text for page in ("teacher", "board", "compare?first=99&second=99")),
        lea.get("/class/teacher").text,
        *(
            asked(lea, verb, **run)
            for verb in ("who", "identify", "report", "keep_run", "students", "hand_in")
        ),
        *(asked(teacher, verb, id=999) for verb in ("students", "new_key", "remove", "teach")),
    ]
    row = asked(teacher, "students")["parts"]["students"].partition(">Léa<")[2].partition("</tr>")[0]
    assert row
    assert "…" not in row  # no marks are to come of what was not handed in
    with speaking("fr"):  # it names functions of its document
        s4 = sheet("s4")
        asks = {str(each.text) for each in (*s4.items, *s4.stages)}
    for answer in said:
        found = [piece.replace(lab.code, "") for piece in pieces(answer) if piece not in asks]  # it is drawn
        left = [piece for piece in found if words(piece) & english() or pointed(piece)]
        assert left == []


def test_of_a_document_the_starter_is_its_kit(lab: ClassLab) -> None:
    gil = lab.member()
    page = gil.get("/class").text
    assert "Project 3: artificial intelligence (S4)" in page  # the sheet stands there
    assert "ai: the optimal move" in page
    assert "equation (1)" not in page  # an item that is not open
    files = asked(gil, "starter")["files"]
    assert next(iter(files)) == "aiagent.py"  # where something is to be written
    assert not {name for name in files if name.startswith("test_")}
    with zipfile.ZipFile(io.BytesIO(gil.get("/class/starter/s4.zip").content)) as kit:
        assert {"agent.py", "aiagent.py", "README.md"} <= set(kit.namelist())


def test_a_report_is_told_in_the_language_of_the_page(lab: ClassLab) -> None:
    john = lab.member()
    assert handed_in(john, "x = 1", "John")["key"]
    assert "agent.py has no agent" in reported(john)
    john.headers["Accept-Language"] = "fr"
    assert "agent.py n&#39;a pas d&#39;agent" in reported(john)
    assert "il n&#39;y a pas de fonction getMinimaxScore" in john.get("/class").text


@pytest.fixture(scope="module")
def new_class(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ClassLab]:
    """One of whose people no test above has heard."""
    folder = tmp_path_factory.mktemp("new")
    served = serve(folder, "--class", str(folder / "class"), "--sheet", "s4")
    yield ClassLab(served)
    stop(served)


@long
def test_faults_of_games_are_told_in_the_language_of_who_reads(new_class: ClassLab) -> None:
    ada, bob = new_class.member(), new_class.member()
    late = (
        "asked = []\ndef play(position):\n    asked.append(0)\n"
        "    return position.moves[0] if len(asked) < 60 else 'z'\n"
    )
    for client, text, name in ((ada, FIRST, "Ada"), (bob, late, "Bob")):
        assert handed_in(client, text, name)["key"]
        assert "plays" in reported(client)
    topic = re.findall(r'data-topic="([^"]+)"', ada.get("/class").text)[0]
    live = Live(new_class.served)
    live.send(do="watch", topic=topic)
    live.until(topic, lambda told: "20 games played, 0 left" in told["parts"]["standings"])
    live.close()
    assert "Bob: agent.py:2: z is not a legal move" in ada.get("/class?of=Bob").text
    ada.headers["Accept-Language"] = "fr"
    assert (
        "Bob\N{NO-BREAK SPACE}: agent.py:2\N{NO-BREAK SPACE}: z n&#39;est pas"
        in ada.get("/class?of=Bob").text
    )


@pytest.mark.parametrize("came_in", shortly(["by name", "with a file"], "by name"))
def test_who_was_taken_out_is_told_so_and_comes_in_again(
    came_in: str, lab: ClassLab, browser: Any, tmp_path: Path
) -> None:
    teacher, mine = lab.teacher(), tmp_path / "mine.py"
    mine.write_text(LAST)

    def hand_in(page: Any) -> None:
        page.get_by_label("Your file in Python").set_input_files(str(mine))
        page.locator("#hand-in button[type=submit]").click()

    for visitor in visiting(browser, lab.served, viewport={"width": 390, "height": 844}):
        page = visitor.new_page()
        page.goto("/class")
        page.get_by_label("Code of the class").fill(lab.code)
        page.keyboard.press("Enter")
        for _time in (1, 2):
            page.get_by_label("Your name").fill("Gus")
            if came_in == "by name":
                key = page.request.post("/ask/classroom.join", data={"name": "Gus"}).json()["key"]
                page.reload()
                page.locator("#leave").wait_for()
            else:
                hand_in(page)
                key = page.locator("#key .secret", has_text="-").inner_text()
                page.locator("[data-noted]").click()
                page.locator("#leave").wait_for()
                page.locator("#yours [data-state]:not([data-state=waiting])").wait_for()  # nothing asks now
            asked(teacher, "remove", id=int(key.partition("-")[0]))
            hand_in(page)
            page.get_by_text("your teacher can give you a new one").wait_for()
            page.get_by_label("Your name").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


@long
def test_a_class_outlasts_its_lab_and_nobody_tries_out_keys(tmp_path: Path) -> None:
    arguments = ("hexapawn", "--class", str(tmp_path / "class"))
    served = serve(tmp_path, *arguments)
    first = ClassLab(served)
    ada = first.member()
    assert handed_in(ada, FIRST, "Ada")["key"]  # it is kept, whatever comes
    served.process.kill()
    served.process.communicate()
    again = serve(tmp_path, *arguments, port=served.address.rpartition(":")[2])
    try:
        lab = ClassLab(again)
        assert lab.code == first.code
        assert "It plays legally" in reported(ada)  # the same browser, and nobody handed in again

        mallory = lab.member()
        assert 429 in {asked_status(mallory, key=f"x{n}") for n in range(200)}
        # who was known before is not kept out by others of the same address
        assert ada.post("/ask/classroom.report", json={}).status_code == 200
        assert ada.get("/class").status_code == 200
    finally:
        stop(again)


def test_a_class_is_kept_in_postgresql(tmp_path: Path) -> None:
    """What cannot be reached is told without where it is; then all goes on."""
    folder = tmp_path / "class"

    def page() -> str:
        settings = Settings(store=place, class_folder=str(folder))
        return room.page(Registry(settings), Params({"member": True, "topic": "t"}))

    with running_server() as server:
        place = server.new_database()
        first = open_class(folder, "hexapawn", "", place)
        assert not (folder / "class.db").exists()
        with opened(place, create=False) as store:
            key = Roll(store).enrol("Ada", NewSubmission(FIRST.encode(), "", "en", 0)).key
        assert "standings" in page()
        server.stop()
        with pytest.raises(BadFile, match="cannot be reached now") as told:
            page()
        assert str(server.folder) not in str(told.value)
        server.start()
        assert "standings" in page()
        assert open_class(folder, "", "", place).code == first.code
        with opened(place, create=False) as store:
            assert Roll(store).student(key).name == "Ada"


@long
@pytest.mark.parametrize("students", [2, 30])
def test_a_class_is_kept_in_postgresql_whatever_is_started_again(
    students: int, tmp_path: Path, capsys: Captured
) -> None:
    names = [f"Student {number}" for number in range(students)]

    def hands_in(lab: ClassLab, name: str) -> httpx.Client:
        client = lab.member()
        assert handed_in(client, f"# {name}\n{FIRST}", name)["key"]
        return client

    with running_server() as server:
        place = server.new_database()
        arguments = ("--class", str(tmp_path / "class"), "--store", place)
        served = serve(tmp_path, "hexapawn", *arguments)
        try:
            first = ClassLab(served)
            with ThreadPoolExecutor(students) as all_at_once:
                clients = list(all_at_once.map(hands_in, [first] * students, names))
            assert all(FILE in reported(client) for client in clients)
            assert not (tmp_path / "class" / "class.db").exists()

            server.stop()
            said = clients[0].get("/class").text
            assert "cannot be reached now" in said
            assert str(server.folder) not in said
            server.start()
            assert "standings" in clients[0].get("/class").text
            assert FILE in reported(hands_in(first, "Late"))
        finally:
            stop(served)

        again = serve(tmp_path, *arguments, port=served.address.rpartition(":")[2])
        try:
            lab = ClassLab(again)
            assert lab.code == first.code
            assert FILE in reported(clients[0])
            listed = asked(lab.teacher(), "students")["parts"]["students"]
            assert all(name in listed for name in [*names, "Late"])
        finally:
            stop(again)

        with opened(place, create=False) as store:
            meetings = {pairing.pair for pairing in store.pairings(1)}
        assert meetings == set(
            combinations(range(students + 1), 2)
        )  # files that are admitted at once meet too
        assert run(build(), ["show", place]) == 0
        shown = capsys.readouterr().out
        assert all(name in shown for name in [*names, "Late"])


@pytest.mark.parametrize(
    "place",
    [
        "postgresql://me:secret@127.0.0.1:1/class",
        "postgresql://me@127.0.0.1:1/class?password=secret",
        "postgresql://me:secret@/class?host=/nowhere",
        "postgresql://me:secret:other/class",
        "mysql://me:secret@localhost/class",
    ],
)
def test_a_store_that_cannot_be_reached_is_told_in_a_line_without_its_password(
    place: str, tmp_path: Path, capsys: Captured
) -> None:
    arguments = ["serve", "hexapawn", "--class", str(tmp_path / "class"), "--store", place]
    assert run(build(), arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "secret" not in err


def test_the_first_page_of_a_class_needs_nothing_that_takes_long_to_import(tmp_path: Path) -> None:
    place = open_class(tmp_path / "class", "hexapawn", "").place
    code = """
import json, sys
from damier.web.settings import Settings
from damier.web.worker import opened, reply
question = {"verb": "classroom.page", "language": "en", "body": json.dumps({"member": True, "topic": "t"})}
settings = Settings(store=sys.argv[1], class_folder="class")
status, _kind, page = reply(opened(settings), json.dumps(question).encode())
print(status, b"data-room" in page, "scipy" in sys.modules, "numba" in sys.modules)
"""
    found = subprocess.run([sys.executable, "-c", code, place], capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["200", "True", "False", "False"]


@pytest.fixture
def tournament(tmp_path: Path) -> str:
    """A store with a tournament that the command has played."""
    place = str(tmp_path / "class.db")
    assert run(build(), ["tournament", "nim", "random", "perfect", "--games", "4", "--store", place]) == 0
    return place


def test_a_tournament_that_somebody_else_plays_takes_nothing(tournament: str) -> None:
    registry, member = Registry(Settings(store=tournament)), {"member": True, "topic": "t"}
    page = room.page(registry, Params(member))
    assert "4 games played, 0 left" in page
    assert '<a href="/nim">Nim</a></h1>' in page
    assert "hand-in" not in page
    assert "moves=" in room.page(registry, Params(member | {"of": "random"}))
    content = base64.b64encode(FIRST.encode()).decode()
    with pytest.raises(BadInput):
        room.hand_in(registry, Params(member | {"content": content, "name": "Ada"}))


@long
def test_a_tournament_is_shown_that_somebody_else_plays(tmp_path: Path, tournament: str) -> None:
    place = tournament
    served = serve(tmp_path, "--store", place)
    try:
        page = httpx.get(f"{served.address}/class", timeout=300).text
        assert "4 games played, 0 left" in page
        assert 'href="/class"' in page  # among the rooms
        assert "hand-in" not in page
        assert "moves=" in httpx.get(f"{served.address}/class?of=random", timeout=300).text
        assert handed_in(httpx.Client(base_url=served.address, timeout=300), FIRST, "Ada")["error"]
    finally:
        stop(served)


def test_a_lab_without_a_class_says_how_to_open_one(served: Served) -> None:
    answer = httpx.get(f"{served.address}/class", timeout=300)
    assert answer.status_code == 404
    assert "whoever starts this lab can open one" in answer.text
    assert 'href="/class"' not in answer.text


def test_the_code_is_what_others_show_at_the_gate() -> None:
    secret = new_key(CODE_LENGTH)
    settings = Settings(host="0.0.0.0", token=secret, class_code=secret, class_folder="x", key="k")
    assert settings.code_lets_in
    assert secret not in settings.as_text()
    assert gate.fits(settings, secret.upper())
    assert not gate.fits(Settings(), "")
    assert secret not in gate.pass_cookie(settings)
    said = class_welcome(settings, OpenedClass("p", secret, "the-key", "hexapawn"))
    assert f"code of the class: {secret}" in said
    assert "the-key" in said


def test_codes_are_not_tried_out() -> None:
    secret = new_key(CODE_LENGTH)
    door = ClassAuth(Settings(class_code=secret, class_folder="x", store="x"))
    here, elsewhere = ClientId("192.0.2.1"), ClientId("192.0.2.2")
    answers = [door.enter({"code": wrong}, here).status for wrong in (None, "", *["x"] * 100)]
    assert set(answers[:50]) == {403}
    assert answers[-1] == 429
    assert door.enter({"code": secret}, here).status == 429
    assert door.enter({"code": secret}, elsewhere).cookies == (gate.pass_cookie(door.settings),)


def test_a_key_that_nobody_looked_at_is_not_taken_for_right() -> None:
    door = ClassAuth(Settings(class_code=new_key(CODE_LENGTH), class_folder="x", store="x"))
    member, key = gate.pass_cookie(door.settings).partition(";")[0], "damier-student-8000=1-aaaa"
    shown: list[Any] = []

    async def ask(query: Query) -> Answer:
        shown.append(query.values["student"])
        return Answer(403 if query.values["student"] else 200, "text/html", b"")

    def status(verb: str, cookies: str) -> int:
        query = Query(f"classroom.{verb}", {"student": "forged", "member": True}, "en", ClientId("192.0.2.1"))
        asking = door.answer(Headers({"cookie": cookies}), query, ask)
        try:
            asking.send(None)
        except StopIteration as ended:
            found: int = ended.value.status
            return found
        raise AssertionError

    assert status("page", key) == 200  # who is no member is asked for the code, and no key is looked at
    assert status("report", key) == 403
    assert shown == [""]
    statuses = [status("report", f"{member}; {key}") for _guess in range(80)]
    assert (statuses[0], statuses[-1]) == (403, 429)
    assert set(shown) == {"", "1-aaaa"}


@long
def test_it_is_handed_in_by_hand(lab: ClassLab, browser: Any, tmp_path: Path) -> None:
    other = lab.member()
    handed_in(other, FIRST, "Hal")  # a table has two lines at least
    assert "plays" in reported(other)
    mine = tmp_path / "mine.py"
    mine.write_text(LAST)
    for visitor in visiting(browser, lab.served):
        page = visitor.new_page()
        page.goto("/class")
        assert violations(page) == []
        page.get_by_label("Code of the class").fill(lab.code)
        page.keyboard.press("Enter")
        page.get_by_label("Your name").fill("Gil")
        page.get_by_label("Your file in Python").set_input_files(str(mine))
        page.keyboard.press("Tab")
        page.locator("#hand-in button[type=submit]").press("Enter")
        page.locator("[data-state=playing]").wait_for()
        key = page.locator("#key .secret").text_content()
        page.locator("tr[data-agent=Gil][data-mine=true]").wait_for()
        assert violations(page) == []
        page.locator("[data-noted]").click()
        page.get_by_text("Your agent, Gil").wait_for()
        page.get_by_role("link", name="For the teacher").click()
        page.get_by_label("The teacher's key").fill(lab.teacher_key)
        page.keyboard.press("Enter")
        page.locator(".students").wait_for()
        page.goto("/class?of=Gil")
        page.emulate_media(color_scheme="dark")
        assert violations(page) == []
        assert key not in page.content()
        page.locator("[data-language=fr]").click()
        page.get_by_text("Votre agent, Gil").wait_for()


def test_a_form_that_is_sent_before_its_script_is_there_waits_for_it(lab: ClassLab, browser: Any) -> None:
    for visitor in visiting(browser, lab.served):
        page = visitor.new_page()
        held: list[Any] = []
        page.route("**/static/class.js", lambda route: held.append(route), times=1)
        page.goto("/class", wait_until="commit")
        page.get_by_label("Code of the class").fill(lab.code)
        page.keyboard.press("Enter")
        page.keyboard.press("Enter")
        page.evaluate("1")  # what the keys did is done
        assert page.url == f"{lab.served.address}/class"  # nothing secret is in the address
        for route in held:
            route.continue_()
        page.get_by_text("Standings").first.wait_for()
        assert page.url == f"{lab.served.address}/class"


@long
def test_a_folder_is_handed_in_as_an_archive(lab: ClassLab, tmp_path: Path) -> None:
    zoe = lab.member()
    assert handed_in_folder(zoe, filled("s4", tmp_path / "mine"), "Zoe", "createRlAgent")["key"]
    report = reported(zoe)
    assert "It plays legally." in report
    assert "createRlAgent" in report
    assert "failed" not in report


def test_an_archive_that_is_not_whole_or_holds_no_agent_is_refused(lab: ClassLab, tmp_path: Path) -> None:
    folder = filled("s4", tmp_path / "mine")
    for number, (content, said) in enumerate(
        {
            packed(folder)[:-40]: "the archive cannot be read",
            packed(tmp_path / "mine" / "__none__"): "the file is",
            packed(filled("s1", tmp_path / "other"), "a/b/"): "the archive holds no agent.py",
        }.items()
    ):
        text = base64.b64encode(content).decode()
        refused = asked(lab.member(), "hand_in", name=f"No {number}", content=text, wanted="")
        assert said in refused["error"]


def test_the_one_folder_of_an_archive_may_be_called_as_it_pleases(tmp_path: Path) -> None:
    for top in ("Projet 3 (Zoé)", "mine.v2", "données"):
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            for place in ("agent.py", "parts/other.py", "notes de cours.txt", ".git/config"):
                archive.writestr(f"{top}/{place}", FIRST)
            for place in (f"__MACOSX/{top}/._agent.py", ".DS_Store", "read me.txt", "/agent.py"):
                archive.writestr(place, "")
        assert sorted(files_in(written.getvalue())) == ["agent.py", "parts/other.py"]


def test_an_archive_that_no_folder_can_hold_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    deep = "/".join(["folder"] * 2000)
    for places, said in ((("a", "a/b.py"), "a is a file and a folder, too"), ((f"{deep}/b.py",), "")):
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            for place in ("agent.py", *places):
                archive.writestr(place, FIRST)
        if said:
            with pytest.raises(BadInput, match=said):
                files_in(written.getvalue())
        else:
            unpack(written.getvalue(), tmp_path)


def test_other_archives_and_too_large_files_are_told_what_to_do(lab: ClassLab) -> None:
    member, tarred = lab.member(), io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("Agent.java"))
    for content in (tarred.getvalue(), gzip.compress(FIRST.encode()), bz2.compress(b""), lzma.compress(b"")):
        text = base64.b64encode(content).decode()
        refused = asked(member, "hand_in", name="Tar", content=text, wanted="")
        assert "hand a folder in as a ZIP file" in refused["error"]
    for size in ((256 << 10) + 1, 500 << 10):
        refused = handed_in(member, "#" * size, "Large")
        assert refused["error"] == "the file has more than 256 KiB"


def test_what_an_archive_says_of_places_is_not_taken(tmp_path: Path) -> None:
    written = io.BytesIO()
    outside = ("top/../../outside.py", "/absolute.py", "top/.hidden", "top/__pycache__/a.pyc")
    with zipfile.ZipFile(written, "w") as archive:
        for place in ("top/agent.py", "top/parts/other.py", *outside):
            archive.writestr(place, "x = 1")
    folder = unpack(written.getvalue(), tmp_path)
    assert folder == tmp_path / "agent.zip"
    assert {str(path.relative_to(folder)) for path in folder.rglob("*.*")} == {"agent.py", "parts/other.py"}
    with zipfile.ZipFile(written, "a") as archive:
        for number in range(250):
            archive.writestr(f"top/part{number}.py", "")
    with pytest.raises(BadInput, match="at most 200 files"):
        files_in(written.getvalue())
