"""What is kept as machine code is taken only if it is ours, whole, and made for what it is asked
for; whatever else is there costs time only.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from lasting import later, long, shortly
from processes import REPLIES, answer, run, start

from damier.core import code_cache
from damier.core.files import doubt_about_folder
from damier.core.job import take_notes_of_process

AS_ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)
PURPOSE = {"engine": f"perft-{7:032x}", "signature": "(int64,)", "target": ["x86_64", "some", "+bmi2"]}
CODE = bytes(range(256)) * 16

COUNT = f"""
import sys
{REPLIES}
from damier import load
from damier.core.job import take_notes_of_process
replies = count_replies(load(sys.argv[1]))
print(replies, "numba" in sys.modules, len(take_notes_of_process()))
"""
"""Prints what it counted, whether it compiled, and how many notes there are for the person."""
LOADED, COMPILED, COMPILED_WITH_NOTE = "72 False 0", "72 True 0", "72 True 1"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that holds the code of PURPOSE."""
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    monkeypatch.setattr(code_cache, "doubts_told", [])
    code_cache.save(PURPOSE, CODE)
    yield tmp_path / "engines"
    take_notes_of_process()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a tic-tac-toe that was compiled once, for all tests."""
    folder = tmp_path_factory.mktemp("compiled")
    assert run(COUNT, folder, "tictactoe") == COMPILED
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def engines(compiled: dict[str, bytes], tmp_path: Path) -> Path:
    """A folder with these files."""
    for name, content in compiled.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o600)
    return tmp_path


def test_what_was_saved_is_loaded_for_the_same_purpose_only(folder: Path) -> None:
    assert code_cache.load(PURPOSE) == CODE
    for name, other in (
        ("engine", f"perft-{8:032x}"),
        ("signature", "(int32,)"),
        ("target", ["x86_64", "other", ""]),
    ):
        assert code_cache.load(PURPOSE | {name: other}) is None
    assert take_notes_of_process() == []


@pytest.mark.parametrize("every", shortly([1, 5], 5))
def test_no_flipped_bit_is_loaded(every: int, folder: Path) -> None:
    """Each bit of the two lines in front of the code, or every fifth, and a sample of the code's."""
    whole = code_cache.path_of(PURPOSE).read_bytes()
    draws = random.Random(1)
    in_code = len(whole) - len(CODE)
    places = [(place, bit) for place in range(in_code) for bit in range(8)]
    places += [(draws.randrange(in_code, len(whole)), draws.randrange(8)) for _ in range(600)]
    for place, bit in places[::every]:
        damaged = bytearray(whole)
        damaged[place] ^= 1 << bit
        assert code_cache.opened(bytes(damaged), PURPOSE) is None, (place, bit)
    assert code_cache.opened(whole, PURPOSE) == CODE


@long
@pytest.mark.parametrize("part", ["first", "middle", "last"])
def test_a_flipped_bit_costs_a_compilation_and_nothing_else(
    part: str, compiled: dict[str, bytes], engines: Path
) -> None:
    for name, content in compiled.items():
        damaged = bytearray(content)
        damaged[{"first": 20, "middle": len(content) // 2, "last": -1}[part]] ^= 4
        (engines / name).write_bytes(bytes(damaged))
    assert run(COUNT, engines, "tictactoe") == COMPILED
    assert run(COUNT, engines, "tictactoe") == LOADED, "the damage was not mended"


def test_a_file_under_another_name_is_refused(folder: Path) -> None:
    other = PURPOSE | {"engine": f"perft-{8:032x}"}
    code_cache.save(other, CODE)
    code_cache.path_of(other).write_bytes(code_cache.path_of(PURPOSE).read_bytes())
    assert code_cache.load(other) is None
    assert code_cache.load(PURPOSE) == CODE


@long
def test_a_file_under_the_name_of_another_game_s_is_refused(engines: Path) -> None:
    run(COUNT, engines / "other", "mnk:width=4,height=3")
    mine, theirs = next(engines.glob("*.engine")), next((engines / "other").glob("*.engine"))
    theirs.write_bytes(mine.read_bytes())
    assert run(COUNT, engines / "other", "mnk:width=4,height=3") == "132 True 0"


@pytest.mark.parametrize("damage", ["cut", "empty", "a pickle", "longer", "huge", "a folder", "a pipe"])
def test_what_is_no_whole_file_is_not_loaded(damage: str, folder: Path) -> None:
    path = code_cache.path_of(PURPOSE)
    whole = path.read_bytes()
    path.unlink()
    if damage == "a folder":
        path.mkdir()
    elif damage == "a pipe":
        os.mkfifo(path, 0o600)
    else:
        pickled = b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xff."
        others = {"cut": whole[:-1], "empty": b"", "a pickle": pickled, "longer": whole + b"\0"}
        path.write_bytes(others.get(damage, whole))
        path.chmod(0o600)
    if damage == "huge":
        os.truncate(path, 1 << 40)  # holes: reading them would take minutes
    assert code_cache.load(PURPOSE) is None
    assert take_notes_of_process() == []


DOUBTS = {
    "a folder for all": lambda engines: engines.chmod(0o777),
    "a folder for the group": lambda engines: engines.chmod(0o770),
    "a file for all": lambda engines: [path.chmod(0o666) for path in engines.iterdir()],
    "a file for the group": lambda engines: [path.chmod(0o660) for path in engines.iterdir()],
    "a folder above for all": lambda engines: engines.parent.chmod(0o777),
}


@pytest.mark.parametrize("what", DOUBTS)
def test_where_others_may_write_nothing_is_used_and_one_note_says_so(what: str, folder: Path) -> None:
    DOUBTS[what](folder)
    assert code_cache.load(PURPOSE) is None
    assert code_cache.load(PURPOSE) is None
    (note,) = take_notes_of_process()
    assert "others may write" in note


@AS_ROOT
@pytest.mark.parametrize("what", ["file", "folder", "folder above"])
def test_what_belongs_to_somebody_else_is_not_used(what: str, folder: Path) -> None:
    os.chown(
        {"file": code_cache.path_of(PURPOSE), "folder": folder, "folder above": folder.parent}[what],
        12345,
        -1,
    )
    assert code_cache.load(PURPOSE) is None
    (note,) = take_notes_of_process()
    assert "another user" in note


def test_a_folder_behind_a_link_is_judged_by_where_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder.parent / "open").mkdir()
    folder.rename(folder.parent / "open" / "engines")
    folder.symlink_to(folder.parent / "open" / "engines")
    assert code_cache.load(PURPOSE) == CODE
    (folder.parent / "open").chmod(0o777)
    assert code_cache.load(PURPOSE) is None
    assert len(take_notes_of_process()) == 1


def test_a_link_that_is_turned_meanwhile_leads_to_nothing_that_was_not_judged(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who owns a link on the way could show one folder to who judges it, and another to who reads."""
    shared = folder.parent / "shared"
    shutil.copytree(folder, shared)
    shared.chmod(0o777)
    places = iter([shared, folder])
    monkeypatch.setattr(code_cache, "cache_folder", lambda: next(places))
    assert code_cache.load(PURPOSE) is None
    assert len(take_notes_of_process()) == 1


def test_a_link_in_the_place_of_a_file_is_not_followed(folder: Path) -> None:
    path = code_cache.path_of(PURPOSE)
    path.rename(folder.parent / "elsewhere")
    path.symlink_to(folder.parent / "elsewhere")
    assert code_cache.load(PURPOSE) is None
    code_cache.save(PURPOSE, CODE + b"new")
    assert (folder.parent / "elsewhere").read_bytes().endswith(CODE), "what the link points to was replaced"
    assert code_cache.load(PURPOSE) == CODE + b"new"


def test_what_is_kept_is_for_this_user_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        code_cache.save(PURPOSE | {"signature": "()"}, CODE)
        os.environ["DAMIER_CACHE"] = str(folder / "a" / "b")
        code_cache.save(PURPOSE, CODE)
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o7777 for path in folder.rglob("*")}
    assert modes == {0o600, 0o700}
    assert code_cache.load(PURPOSE) == CODE


def test_a_folder_of_many_where_each_owns_what_is_his_is_no_doubt(tmp_path: Path) -> None:
    """As /tmp is."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    (shared / "engines").mkdir(mode=0o700)
    assert doubt_about_folder(shared / "engines") == ""
    assert "others may write" in doubt_about_folder(shared)
    device = Path(os.devnull)  # the home of who has none: nobody is told to change who may write there
    assert doubt_about_folder(device) == doubt_about_folder(device / ".cache") == ""


def test_a_system_without_owners_of_files_doubts_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.chmod(0o777)
    monkeypatch.delattr(os, "geteuid")
    assert code_cache.load(PURPOSE) == CODE


@long
@pytest.mark.parametrize("what", ["a folder for all", "a file for all"])
def test_the_answers_are_right_beside_code_that_is_not_ours(what: str, engines: Path) -> None:
    DOUBTS[what](engines)
    assert run(COUNT, engines, "tictactoe") == COMPILED_WITH_NOTE


def test_the_default_folder_is_judged_as_well(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = folder.parent
    (home / "damier").mkdir(mode=0o700)
    folder.rename(home / "damier" / "engines")
    monkeypatch.delenv("DAMIER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    assert code_cache.load(PURPOSE) == CODE
    assert take_notes_of_process() == []
    (home / "damier").chmod(0o777)
    assert code_cache.load(PURPOSE) is None
    (note,) = take_notes_of_process()
    assert "others may write" in note


@long
def test_processes_judge_the_default_folder_as_well(
    engines: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("home")
    (home / "damier").mkdir(mode=0o700)
    engines.rename(home / "damier" / "engines")
    assert run(COUNT, "", "tictactoe", XDG_CACHE_HOME=str(home)) == LOADED
    (home / "damier").chmod(0o777)
    assert run(COUNT, "", "tictactoe", XDG_CACHE_HOME=str(home)) == COMPILED_WITH_NOTE


LOOKED_FOR = "from damier.core import code_cache; code_cache.load({'engine': 'perft-' + '0' * 32}); "
"""What an engine is looked for by, twice below: it takes no compiler to be told of the folder."""


@pytest.mark.parametrize(("before", "tier"), [(2 * LOOKED_FOR, "--pure"), later(("", "--compiled"))])
def test_a_command_says_once_that_nothing_is_kept(before: str, tier: str, folder: Path) -> None:
    folder.chmod(0o777)
    command = "import sys; from damier.cli.main import build, run; sys.exit(run(build(), sys.argv[1:]))"
    process = start(before + command, folder, "perft", "nim", "--depth", "3", tier)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0
    assert "27" in out
    assert err.count(f"others may write to {folder}") == 1


WRITER = """
import os, signal, sys
from damier.core import code_cache, files
purpose = {"engine": "perft-" + "0" * 32}
if sys.argv[1] == "killed":
    os.fsync = lambda descriptor: os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[1] == "full":
    import resource
    sys.dont_write_bytecode = True  # Python takes no notice where less than all could be written
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
for number in range(200 if sys.argv[1] == "many" else 1):
    code_cache.save(purpose, sys.argv[2].encode() * 9999)
    found = code_cache.load(purpose)
    assert found in (None, b"a" * 9999, b"b" * 9999), len(found)
print(found[:1].decode() if found else "nothing")
"""


def test_two_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    writers = [start(WRITER, tmp_path, "many", letter) for letter in "ab"]
    assert {answer(writer) for writer in writers} <= {"a", "b"}
    assert len(list(tmp_path.iterdir())) == 1


def test_a_writer_that_is_killed_leaves_what_was_there(tmp_path: Path) -> None:
    assert answer(start(WRITER, tmp_path, "once", "a")) == "a"
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    killed = start(WRITER, tmp_path, "killed", "b")
    killed.communicate(timeout=300)
    assert killed.returncode == -signal.SIGKILL
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert answer(start(WRITER, tmp_path, "once", "b")) == "b"


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of processes")
def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    assert answer(start(WRITER, tmp_path, "full", "a")) == "nothing"
    assert list(tmp_path.iterdir()) == []
    assert answer(start(WRITER, tmp_path, "once", "a")) == "a"
    assert answer(start(WRITER, tmp_path, "full", "b")) == "a"
