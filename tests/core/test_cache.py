"""The cache of compiled engines: right first, fast second.

Each test runs real processes over a folder of its own.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from lasting import later, long, shortly
from processes import REPLIES, answer, run, start
from sample_engines import names_of_engines, start_leaves

from damier import load
from damier.core import code_cache, numba_adapter
from damier.core.compile import instantiate

COUNT = f"""
import sys
{REPLIES}
from damier import load
for text in sys.argv[1:]:
    print(count_replies(load(text)))
"""
SOLVE = """
import sys
from damier import load
from damier.core.job import Job, Notes
from damier.solve import solve
game = load(sys.argv[1])
notes = Notes()
solution = solve(game, job=Job(jit=True, note=notes), method=sys.argv[2])
print(len(solution), solution.value(game.start), solution.distance(game.start))
assert not notes, notes
"""
COMPILATIONS = """
import numba.core.event as event
events = event.RecordingListener()
event.register("numba:compile", events)
"""
# a game in a file, with a helper beside it: the number of matches taken at most, and whether the last one
# loses
GAME = """
from typing import NamedTuple
from damier import ONGOING, Game, position_of
import {helper}
from {helper} import most

LIMIT = {limit}

class State(NamedTuple):
    left: int
    mover: int

def game(matches: int = 9, last: int = {last}) -> Game:
    def moves(s):
        return (1 << min(most(s.left), LIMIT, {helper}.BOUND, s.left)) - 1
    def play(s, move):
        return State(s.left - position_of(move) - 1, 1 - s.mover)
    def outcome(s):
        return ONGOING if s.left else last
    return Game("game", State(matches, 0), moves, play, outcome, bits=(10, 1))
"""
HELPER = """
BOUND = {bound}

def most(left, extra={extra}):
    return {most} + extra
"""
DEFAULTS = {"helper": "helper", "limit": 9, "last": 1, "bound": 9, "extra": 0, "most": 3}
ANSWER = """
import sys
from damier import load
from damier.core.job import Job, Notes
from damier.solve import solve, perft
game = load(sys.argv[1])
for jit in (True, False):
    notes = Notes()
    job = Job(jit=jit, note=notes)
    solution = solve(game, job=job)
    values = "".join(solution.value(game.start._replace(left=n))[0] for n in range(1, 4))
    print(values, solution.value(game.start), solution.distance(game.start), end=" ")
    print(*perft(game, 3, job=job), end=" / ")
    assert not notes, notes
"""
IN_ONE_GAME = f"""
import sys
{REPLIES}
from damier import load
game = load(sys.argv[1])
for jit in (True, False):
    print(count_replies(game, jit), end=" / ")
"""
PLAIN = IN_ONE_GAME.replace("(True, False)", "(False, False)")


def write(folder: Path, **changes: object) -> str:
    values = DEFAULTS | changes
    (folder / f"{values['helper']}.py").write_text(HELPER.format(**values))
    (folder / "game.py").write_text(GAME.format(**values))
    return str(folder / "game.py")


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


FAMILY = {"mnk:width=4,height=3": "132", "tictactoe": "72"}


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which two processes have left an engine of two games of one family, so that its functions
    carry equal names.
    """
    folder = tmp_path_factory.mktemp("engines")
    for text, replies in FAMILY.items():
        assert run(COUNT, folder, text) == replies
    return folder


@pytest.fixture
def engines(compiled_once: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test."""
    return Path(shutil.copytree(compiled_once, tmp_path, dirs_exist_ok=True))


def test_a_second_process_loads_what_the_first_compiled(engines: Path) -> None:
    compiled = files_of(engines)
    assert any(name.endswith(".engine") for name in compiled)
    second = run(COMPILATIONS + COUNT + "print(len(events.buffer))", engines, "tictactoe").splitlines()
    assert second == ["72", "0"], "it compiled again"
    assert files_of(engines) == compiled


def test_games_of_one_family_from_the_cache_do_not_run_each_other_s_rules(engines: Path) -> None:
    """One process loads both."""
    compiled = files_of(engines)
    assert run(COUNT, engines, *FAMILY).splitlines() == [*FAMILY.values()]
    assert files_of(engines) == compiled


def test_a_game_compiled_now_does_not_run_the_rules_of_one_that_was_loaded(engines: Path) -> None:
    assert run(COUNT, engines, "tictactoe", "mnk:width=3,height=2").splitlines() == ["72", "30"]


@pytest.mark.parametrize(
    ("text", "method", "expected"),
    [later(("nim", "depth-first", "32 win 8")), later(("nim", "retrograde", "32 win 8"))],
)
def test_recursive_and_other_engines_survive_a_second_process(
    text: str, method: str, expected: str, tmp_path: Path
) -> None:
    """A recursive function with two specialisations used to crash the process that loads it."""
    for _process in range(2):
        assert run(SOLVE, tmp_path, text, method) == expected


@long
@pytest.mark.parametrize(
    ("texts", "expected"), [(["nim"], "9"), (["tictactoe"], "72"), (["hexapawn", "tictactoe"], "10\n72")]
)
def test_two_processes_that_compile_at_once_are_both_right(
    texts: list[str], expected: str, tmp_path: Path
) -> None:
    processes = [start(COUNT, tmp_path, *texts) for _process in range(2)]
    assert {answer(process) for process in processes} == {expected}
    assert run(COUNT, tmp_path, *texts) == expected


GARBAGE = {
    "empty": b"",
    "no file of the cache": b"not a cache file",
    "a pickle": b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\xff.",
    "cut off": None,
}


@pytest.mark.parametrize("what", shortly(GARBAGE))
def test_garbage_in_the_cache_only_costs_time(what: str, tmp_path: Path) -> None:
    assert run(COUNT, tmp_path, "nim") == "9"
    for path in tmp_path.iterdir():
        garbage = GARBAGE[what]
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2] if garbage is None else garbage)
    assert run(COUNT, tmp_path, "nim") == "9"


@long
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc")
def test_a_folder_that_cannot_be_written_only_costs_time() -> None:
    """Even root cannot write into /proc."""
    assert run(COUNT, "/proc/damier", "nim") == "9"


def test_what_cannot_be_kept_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file is in the way, or somebody has deleted it; a folder that is missing is made."""
    purpose = {"engine": f"run-{1:032x}"}
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    monkeypatch.setenv("DAMIER_CACHE", str(in_the_way / "engines"))
    code_cache.save(purpose, b"code")
    assert code_cache.load(purpose) is None
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "a" / "b"))
    code_cache.save(purpose, b"code")
    assert code_cache.load(purpose) == b"code"
    code_cache.path_of(purpose).unlink()
    assert code_cache.load(purpose) is None


def test_a_read_only_folder_still_serves(engines: Path) -> None:
    engines.chmod(0o500)
    try:
        assert run(COUNT, engines, "tictactoe") == "72"
    finally:
        engines.chmod(0o700)


CHANGES: dict[str, dict[str, int]] = {
    "a default of the game": {"last": -1},
    "a global of the game": {"limit": 2},
    "a constant of another module": {"bound": 2},
    "the code of a helper": {"most": 2},
    "a default of a helper": {"extra": -1},
}


@long
@pytest.mark.parametrize(
    ("code", "changes"),
    [(IN_ONE_GAME, ["a constant of another module"]), (ANSWER, [*CHANGES])],
    ids=["perft", "all"],
)
def test_editing_a_game_or_its_helper_never_runs_stale_code(
    code: str, changes: list[str], tmp_path: Path
) -> None:
    """Each process is its own; compiled code answers what plain Python answers, and the first text
    gives the first answer again.
    """
    before = checked(run(code, tmp_path / "engines", write(tmp_path)))
    for what in changes:
        change = CHANGES[what]
        assert checked(run(code, tmp_path / "engines", write(tmp_path, **change))) != before, what
    compiled = files_of(tmp_path / "engines")
    assert checked(run(code, tmp_path / "engines", write(tmp_path))) == before
    assert files_of(tmp_path / "engines") == compiled, "the first text was compiled again"


def test_an_edited_game_or_helper_has_another_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the same text the same: an engine is found by its name."""
    named = names_of_engines(monkeypatch)
    texts = [{}, *({what: number} for change in CHANGES.values() for what, number in change.items()), {}]
    for number, change in enumerate(texts):
        (tmp_path / f"{number}").mkdir()
        instantiate(start_leaves, load(write(tmp_path / f"{number}", **change)), jit=True)
    assert len(named) == len(texts)
    assert named[-1] == named[0]
    assert len(set(named)) == len(texts) - 1


def checked(printed: str) -> str:
    """What compiled code answered, which is what plain Python answers."""
    compiled, pure = printed.rstrip(" /").split(" / ")
    assert compiled == pure
    return compiled


@pytest.mark.parametrize("code", [PLAIN, later(IN_ONE_GAME), later(ANSWER)], ids=["plain", "perft", "all"])
def test_an_edit_that_keeps_size_and_time_of_a_file_is_seen(code: str, tmp_path: Path) -> None:
    """Python's own cache of byte code looks at whole seconds and at the size only; a game's file
    and its helpers must be read anew.
    """
    answers = []
    for most in (3, 2):
        text = write(tmp_path, most=most)
        for path in tmp_path.glob("*.py"):
            os.utime(path, (1_700_000_000, 1_700_000_000))
        answers.append(checked(run(code, tmp_path / "engines", text)))
    assert answers[0] != answers[1]


IN_A_CLOSURE = """
import helper
from damier import ONGOING, Game, position_of
from helper import State

def game() -> Game:
    here = helper

    def moves(s):
        return (1 << min(here.BOUND, s.left)) - 1
    def play(s, move):
        return State(s.left - position_of(move) - 1, 1 - s.mover)
    def outcome(s):
        return ONGOING if s.left else 1
    return Game("game", State(9, 0), moves, play, outcome, bits=(10, 1))
"""
HELPER_OF_A_CLOSURE = """
from typing import NamedTuple
BOUND = {bound}

class State(NamedTuple):
    left: int
    mover: int
"""


def write_closure(folder: Path, bound: int = 3) -> str:
    (folder / "helper.py").write_text(HELPER_OF_A_CLOSURE.format(bound=bound))
    (folder / "game.py").write_text(IN_A_CLOSURE)
    return str(folder / "game.py")


@long
def test_editing_a_module_that_a_closure_names_never_runs_stale_code(tmp_path: Path) -> None:
    answers = [
        checked(run(IN_ONE_GAME, tmp_path / "engines", write_closure(tmp_path, bound=bound)))
        for bound in (3, 2)
    ]
    assert answers == ["9", "4"]


@pytest.mark.parametrize(
    ("code", "options"),
    [
        (PLAIN, [(2, 1), (9, 1)]),
        later((IN_ONE_GAME, [(2, 1), (9, 1)])),
        later((ANSWER, [(8, 1), (9, 1), (9, -1)])),
    ],
    ids=["plain", "perft", "all"],
)
def test_editing_an_option_never_runs_stale_code(
    code: str, options: list[tuple[int, int]], tmp_path: Path
) -> None:
    text = write(tmp_path)
    answers = {
        checked(run(code, tmp_path / "engines", f"{text}:matches={n},last={last}")) for n, last in options
    }
    assert len(answers) == len(options)


IN_ONE_PROCESS = f"""
import sys
from pathlib import Path
{REPLIES}
from damier import load
folder = Path(sys.argv[1])
for name in ("first", "second"):
    print(count_replies(load(str(folder / name / "game.py")), sys.argv[2] == "compiled"))
"""


@pytest.mark.parametrize("tier", shortly(["plain", "compiled"], "plain"))
def test_two_games_with_helpers_of_one_name_do_not_share_them(tier: str, tmp_path: Path) -> None:
    """In one process: each game has the helper in its own folder."""
    for name, most in (("first", 3), ("second", 2)):
        (tmp_path / name).mkdir()
        write(tmp_path / name, most=most)
    assert run(IN_ONE_PROCESS, tmp_path / "engines", str(tmp_path), tier).splitlines() == ["9", "4"]


def test_damier_s_own_code_is_part_of_the_name_of_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    from damier.core import compile as door

    named = names_of_engines(monkeypatch)
    for digest in ("as it is", "changed", "as it is"):
        monkeypatch.setattr(door, "damier_digest", lambda digest=digest: digest)
        door.instantiate(start_leaves, load("nim"), jit=True)
    assert named[0] == named[2] != named[1]


@long
def test_damier_s_own_code_is_part_of_the_digest(tmp_path: Path) -> None:
    """A change in the files that say what Numba is told about bits gives every engine another name."""
    engine_names = f"""
import sys
from damier.core import compile as door
if sys.argv[1] == "changed":
    real = door.source_digest
    door.source_digest = lambda paths: real(paths) + "changed"
{REPLIES}
from damier import load
print(count_replies(load("nim")))
"""
    assert run(engine_names, tmp_path, "as it is") == "9"
    before = set(files_of(tmp_path))
    assert run(engine_names, tmp_path, "changed") == "9"
    assert len(set(files_of(tmp_path))) == 2 * len(before)


def test_the_digest_covers_bits_and_the_doors_to_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    from damier.core import bits, compile as door, numba_pipeline

    read: list[Path] = []
    monkeypatch.setattr(door, "source_digest", lambda paths: read.extend(paths) or "digest")
    door.damier_digest.__wrapped__()
    assert {Path(module.__file__) for module in (bits, door, numba_adapter, numba_pipeline)} <= set(read)


def test_the_files_not_used_for_longest_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing goes that is not ours."""
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path))
    names = [f"run-{number:032x}-{0:016x}.engine" for number in range(code_cache.CACHE_FILES + 10)]
    for number, name in enumerate(names):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (number, number))
    for other in ("theirs.nbi", "theirs.engine"):
        (tmp_path / other).write_bytes(b"")
    code_cache.save({"engine": f"run-{1:032x}"}, b"code")
    left = {path.name for path in tmp_path.iterdir()}
    assert left >= {"theirs.nbi", "theirs.engine", *names[11:]}
    assert len(left) == code_cache.CACHE_FILES + 2
