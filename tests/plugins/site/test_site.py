"""The web lab without a server: what `damier site` writes, damier in plain Python, a person in a browser."""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import os
import re
import shutil
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import processes
import pytest
from commands import Captured, beginning
from lasting import later, long

from damier.core.errors import BadFile, BadInput
from damier.core.job import Job
from damier.lab.exercises.kinds import drill
from damier.lab.games import brought
from damier.plugins.site import build
from damier.solve import solve
from damier.web.rooms import lessons

call, data_of = beginning("site")
RACE = """from typing import NamedTuple
from damier import ONGOING, Game, position_of
from steps import LAST


class State(NamedTuple):
    total: int
    mover: int


def race() -> Game:
    def moves(s):
        return 0b11 if s.total < LAST - 1 else 0b01

    def play(s, move):
        return State(s.total + position_of(move) + 1, 1 - s.mover)

    def outcome(s):
        return -1 if s.total == LAST else ONGOING

    return Game("race", State(0, 0), moves, play, outcome)
"""
LARGEST = 10_000_000
"""Bytes of a site where the web server compresses."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> build.Site:
    """A site with a game of one's own, which imports a file beside it, and that one from a package there."""
    own = tmp_path_factory.mktemp("own")
    (own / "my_race.py").write_text(RACE)
    (own / "steps.py").write_text("from lengths.of_races import LAST\n")
    (own / "lengths").mkdir()
    (own / "lengths" / "of_races.py").write_text("LAST = 12\n")
    (own / "unasked.py").write_text("LAST = 13\n")
    return build.Site([str(own / "my_race.py")])


def kept_files(site: build.Site) -> set[str]:
    """What a browser keeps for the time without a network."""
    return set(json.loads(re.search(r"FILES = (\[.*?\]);", site.files["sw.js"].decode())[1]))  # type: ignore[index]


def test_a_site_is_small_has_its_licences_and_knows_all_its_files(site: build.Site) -> None:
    assert site.compressed <= LARGEST
    assert {f"licences/{name}.txt" for name in ("damier", "pyodide", "python", *build.PACKAGES)} <= {
        *site.files
    }
    assert all(len(content) > 500 for name, content in site.files.items() if name.startswith("licences/"))
    kept = kept_files(site)
    shell = {"sw.js", "site.json"}
    assert kept == {name for name in site.files if not name.startswith("licences/")} - shell
    assert '<html lang="fr"' in site.files["home.fr.html"].decode()
    listed, _end, _content = gzip.decompress(site.files[build.PACK]).partition(b"\n")
    own = {name.split("/", 2)[2] for name, _size in json.loads(listed) if name.startswith(f"{build.OWN}/")}
    assert own == {"my_race.py", "steps.py", "lengths/of_races.py"}


def test_a_pack_is_a_line_that_lists_its_files_and_what_is_in_them_and_the_same_for_the_same() -> None:
    files = {"damier/a.py": b"a = 1\n", "own/é.py": "é".encode(), "empty.py": b""}
    listed, _end, content = gzip.decompress(build.pack(files)).partition(b"\n")
    assert json.loads(listed) == [["damier/a.py", 6], ["own/é.py", 2], ["empty.py", 0]]
    assert content == b"".join(files.values())
    assert build.pack(files) == build.pack(files)


def test_another_game_is_another_edition_and_the_same_is_the_same(
    site: build.Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of few sources, which are soon packed."""
    monkeypatch.setattr(build, "sources", lambda: [("damier/a.py", b"a = 1\n")])
    monkeypatch.setattr(build, "first_pages", lambda _sources, _own: {"en": "first"})
    sites = build.Site(site.named), build.Site(site.named), build.Site()
    one, same, other = (json.loads(made.files["site.json"])["edition"] for made in sites)
    assert one == same != other
    assert f'EDITION = "{one}"' in sites[0].files["sw.js"].decode()


@long
def test_another_content_is_another_edition_and_the_same_is_the_same(site: build.Site) -> None:
    edition = json.loads(site.files["site.json"])["edition"]
    again, other = build.Site(site.named), build.Site()
    assert json.loads(again.files["site.json"])["edition"] == edition
    assert json.loads(other.files["site.json"])["edition"] != edition
    assert f'EDITION = "{edition}"' in site.files["sw.js"].decode()


def test_an_installed_damier_whose_lessons_lie_among_its_sources_hands_them_on_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "lessons").mkdir()
    (tmp_path / "lessons" / "q.md").write_text("# Q-learning")
    (tmp_path / "__init__.py").write_text("")
    monkeypatch.setattr(build, "SOURCE", tmp_path)
    monkeypatch.setattr(lessons, "folder", lambda: tmp_path / "lessons")
    assert [name for name, _content in build.sources()] == ["damier/__init__.py", "damier/lessons/q.md"]


def test_a_folder_with_anything_else_is_left_alone(
    site: build.Site, tmp_path: Path, capsys: Captured
) -> None:
    (tmp_path / "out").mkdir()
    site.write(tmp_path / "out")
    (tmp_path / "out" / "extra.html").write_text("of an edition before")
    site.write(tmp_path / "out")
    assert not (tmp_path / "out" / "extra.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    code, out, err = call(capsys, str(tmp_path / "mine"))
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert "holds something else" in err
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match="holds something else"):
        build.require_free(tmp_path / "file")


def test_what_cannot_be_in_a_site_is_refused_by_name(tmp_path: Path, capsys: Captured) -> None:
    (tmp_path / "agent.c").write_text("int main() { return 0; }")
    for named in ("hexapawn", str(tmp_path / "agent.c")):
        code, _out, err = call(capsys, str(tmp_path / "out"), named)
        assert code == 2
        assert "only files of Python" in err
    assert not (tmp_path / "out").exists()


def test_a_vendored_file_that_was_changed_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shutil.copytree(build.VENDORED, tmp_path / "pyodide")
    monkeypatch.setattr(build, "VENDORED", tmp_path / "pyodide")
    assert len(build.vendored()) == 5
    (tmp_path / "pyodide" / "pyodide.mjs").write_bytes(b"changed")
    with pytest.raises(BadFile, match="not as it came"):
        build.vendored()
    (tmp_path / "pyodide" / "pyodide.mjs").unlink()
    with pytest.raises(BadFile, match="not as it came"):
        build.vendored()


def test_the_library_of_python_is_compiled() -> None:
    with zipfile.ZipFile(build.VENDORED / "python_stdlib.zip") as library:
        names = library.namelist()
    assert len(names) > 500
    assert not [name for name in names if name.endswith(".py")]


PLAIN = """
import json, sys, threading, time
for name in ("numba", "llvmlite", "numpy"):
    sys.modules[name] = None
threading.Thread.start = None
from damier.core import runtime
runtime.has_threads = lambda: False
from damier.core.job import Job, Notes
from damier.lab.agents import brought
from damier.lab.games import brought as game
from damier.lab.games import Lab
from damier.solve import solve

notes, found = Notes(), {}
small, othello = game("connect_four:width=4,height=3"), game("othello")
solution = solve(small, job=Job(note=notes))
found["value"] = solution.value(small.start), solution.distance(small.start), len(solution)
for agent in ("alphabeta:seconds=0.2", "mcts:seconds=0.2", "selective:seconds=0.2", "perfect"):
    played = small if agent == "perfect" else othello
    player = brought(Lab(played, Job(note=notes)), agent)
    begun = time.process_time()  # of this process: others may have the processor meanwhile
    assert player.choose(played, played.start, [0]) in played.legal(played.start)
    found[agent] = time.process_time() - begun
print(json.dumps([found, notes]))
"""


def test_without_compiler_numpy_and_threads_all_is_plain_python_within_its_time() -> None:
    found, notes = json.loads(processes.run(PLAIN, os.environ["DAMIER_CACHE"]))
    with_all = solve(brought("connect_four:width=4,height=3"), job=Job(jit=False))
    start = with_all.game.start
    assert found.pop("value") == [with_all.value(start), with_all.distance(start), len(with_all)]
    assert all(seconds < 1 for seconds in found.values()), found
    assert notes
    assert all(re.fullmatch(r".* runs as plain Python, .*: numpy is not installed", note) for note in notes)


# A person in a browser. Everything is waited for, nothing is waited out.

SHARED = 1.25
"""On a core that is shared the same work counts up to so many times as many CPU seconds."""
BOARD, READY, PAGE, ROOM, ALL = (SHARED * seconds for seconds in (3, 6, 1.2, 2, 25))
"""CPU seconds of the browser until the first board is there and until it answers, for a page, for one of the
training room, and for all of this: on a machine on which Pyodide alone, without damier, takes ALONE.
"""
ALONE = 1.8
"""CPU seconds of the browser."""
PYODIDE = """folder => import(folder + "pyodide.mjs").then(
    ({ loadPyodide }) => loadPyodide({ indexURL: folder })).then(python => python.runPython("1 + 1"))"""


FETCHED = """places => Promise.all(places.map(place => fetch(place).then(
    ({ ok }) => ok, () => false))).then(found => places.filter((_place, n) => !found[n]))"""
"""Those that cannot be had."""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None: ...


@pytest.fixture(scope="module")
def address(site: build.Site, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The site in a sub-folder of a plain web server."""
    root = tmp_path_factory.mktemp("www")
    (root / "school").mkdir()
    site.write(root / "school" / "lab")
    handler = functools.partial(Quiet, directory=str(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/school/lab/"
        server.shutdown()
        thread.join()


def used_by_browser() -> float:
    """CPU seconds of all processes of the browser so far."""
    parents, used = dict[int, int](), dict[int, float]()
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _mark, rest = place.read_text().partition("(")[2].rpartition(")")
        except OSError:  # it has ended meanwhile
            continue
        fields = rest.split()
        parents[int(place.parent.name)] = int(fields[1])
        if "chrom" in name:
            used[int(place.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_ours(number: int) -> bool:
        while number > 1 and number != os.getpid():
            number = parents.get(number, 0)
        return number == os.getpid()

    return sum(seconds for number, seconds in used.items() if is_ours(number))


class Reader:
    """A person before the site: what is on the page, and how to come to another."""

    def __init__(self, window: Any, slower: float) -> None:
        self.window, self.slower = window, slower
        self.spent: dict[str, float] = {}

    @property
    def page(self) -> Any:
        return self.window.frame_locator("iframe:not(.coming)")

    def goes(self, what: str, step: Any, most: float = PAGE) -> None:
        """Does a step, and waits for the next page, which costs no more than so many CPU seconds."""
        before, begun = self.window.evaluate("document.documentElement.dataset.page"), used_by_browser()
        step()
        self.window.wait_for_selector(f'html[data-page]:not([data-page="{before}"])', state="attached")
        self.spent[what] = used_by_browser() - begun
        assert self.spent[what] <= most * self.slower, (self.spent, self.slower)

    def visits(self, path: str, most: float = PAGE) -> None:
        self.goes(path, lambda: self.window.evaluate("path => { location.hash = path; }", path), most)


@pytest.fixture(scope="module")
def slower(browser: Any, address: str) -> float:
    """How many times as much CPU time this machine takes as the one of the bounds, if more: the most of three
    measurements, which differ by a fifth where its clock is not steady.
    """
    spent = [ALONE]
    for _repeat in range(3):
        begun = used_by_browser()
        with browser.new_context() as context:
            window = context.new_page()
            window.goto(address + "pyodide/manifest.json")
            assert window.evaluate(PYODIDE, address + "pyodide/") == 2
            spent.append(used_by_browser() - begun)
    return max(spent) / ALONE


@pytest.mark.parametrize("whole", [False, later(True)])
def test_a_person_uses_the_lab_in_a_browser_alone(
    whole: bool, browser: Any, site: build.Site, address: str, slower: float
) -> None:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(120_000)
    faults: list[str] = []
    host = urlsplit(address).netloc
    context.on(
        "request",
        lambda asked: faults.append(asked.url) if urlsplit(asked.url).netloc not in ("", host) else None,
    )
    context.on("weberror", lambda error: faults.append(str(error.error)))
    context.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    window = context.new_page()
    reader, begun = Reader(window, slower), used_by_browser()
    window.goto(address)
    reader.page.locator("[data-part=board] svg").wait_for()
    assert used_by_browser() - begun <= BOARD * slower
    reader.page.get_by_role("button", name="b1b2").press(
        "Enter"
    )  # at once: it is answered when Python is there
    reader.page.get_by_role("heading", name="drew").or_(reader.page.locator(".mind svg").first).wait_for()
    window.wait_for_selector("html[data-ready]")
    window.wait_for_url(re.compile("moves="))
    reader.spent["ready"] = used_by_browser() - begun
    assert reader.spent["ready"] <= READY * slower, (reader.spent, slower)

    menu = reader.page.locator("nav#rooms")
    assert menu.locator('a[href^="/learning"]').count() == 0  # which needs a server
    reader.goes("/games", menu.get_by_role("link", name="Play", exact=True).click)
    assert window.url == address + "#/games"
    reader.page.get_by_role("link", name="my_race", exact=True).wait_for()
    assert reader.page.locator('a[href^="/learning"]').first.is_hidden()
    if whole:
        visits_rooms(reader, address)
    reader.visits("/games?lang=fr")
    reader.page.get_by_role("heading", name="Jeux", exact=True).wait_for()
    reader.visits("/hexapawn")
    reader.page.get_by_text("À vous de jouer").first.wait_for()
    reader.visits("/my_race?moves=1")
    reader.page.locator(".moves button").first.wait_for()

    window.wait_for_selector("html[data-kept]", state="attached")
    context.set_offline(True)  # an address as it would be without its #, in a window without a network
    if not whole:  # all that it needs is there
        assert window.evaluate(FETCHED, [address + name for name in kept_files(site)]) == []
    else:
        window.goto(address + "my_game?moves=1")
        window.wait_for_selector("html[data-ready]")
        window.wait_for_url(re.compile(r"#/my_game\?moves="))
        reader.page.locator(".moves button").first.wait_for()
    context.close()
    assert not faults
    assert used_by_browser() - begun <= ALL * slower


def visits_rooms(reader: Reader, address: str) -> None:
    """Goes through rooms from the menu, plays, does an exercise, and writes a game of one's own."""
    window = reader.window
    for path in ("/lessons/q", "/course/s0", "/tree", "/matchboxes", "/pacman/laboratory"):
        reader.visits(path)
    reader.visits("/training/hexapawn", ROOM)
    window.go_back()
    window.wait_for_url(address + "#/pacman/laboratory")
    reader.page.get_by_role("heading", name="Pacman").first.wait_for()
    for path in ("/zero/tictactoe", "/learning"):  # the first is of a plug-in that is not in a site
        reader.visits(path)
        reader.page.get_by_text("damier serve").wait_for()

    reader.visits("/tictactoe?1=human&2=strong&show=truth")
    moves = reader.page.locator(".moves button")
    assert [move.inner_text().split()[-1] for move in moves.all()] == ["0"] * 9
    moves.first.click()
    window.wait_for_url(re.compile("moves=0,[0-9]"))
    window.go_back()
    window.wait_for_url(address + "#/tictactoe?1=human&2=strong&show=truth")

    right = drill("minimax", 1).right_answers()
    reader.visits("/tree?view=exercise&kind=minimax&seed=1")
    for key, text in right.items():
        box = reader.page.locator(f"[data-part=fields] [name='{key}']:not([type=hidden])")
        if box.first.get_attribute("type") == "radio":
            reader.page.locator(f"[name='{key}'][value='{text}']").check()
        else:
            box.fill(text)
    reader.page.get_by_role("button", name="Mark", exact=True).click()
    reader.page.locator("[data-part=status]", has_text="All right.").wait_for()

    reader.visits("/own")
    reader.page.get_by_role("button", name="count to 20").click()
    reader.page.locator(".own-board .moves button").nth(1).click()  # the board beside the rules, live
    reader.page.locator(".own-board [data-part=status]", has_text="Last move: 1").wait_for()
    text = reader.page.get_by_label("Text of your program")
    rules = text.input_value()
    text.fill(rules.replace("s.total == 20", "s.nothing == 20"))
    reader.page.locator(".editor .marked").wait_for()
    text.fill(rules.replace("20", "21"))
    reader.page.locator(".editor .marked").wait_for(state="hidden")
    reader.goes("paste", lambda: reader.page.get_by_role("button", name="Play it").click())
    assert window.url == address + "#/my_game"
    reader.page.locator(".moves button").first.click()
    window.wait_for_url(re.compile("moves="))
