"""Layers on disk: the same bytes as from memory, however little is done at once; gone on with, whatever
stops them; within their budget; damage is noticed.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest
from lasting import later, shortly
from processes import answer, start

from damier import BadInput, Job, LimitReached, load
from damier.core.errors import BadFile, Interrupted, Unsuitable
from damier.core.job import Notes
from damier.core.rules import ONGOING
from damier.core.solution import Solution
from damier.plugins.large import disk_folder as working_folder, disk_layers as running
from damier.plugins.large.disk_folder import FEWEST, LOCK, MANIFEST, MOST_KEYS, WorkingFolder, estimate
from damier.plugins.large.disk_layers import Disk, Sizes, count_on_disk, solve_on_disk
from damier.solve import (
    packed_store,
    solve as solve_in_memory,
    store,
)
from damier.solve.count import count
from tests.solve.test_extremes import LONG, Step, corridor, in_a_corridor

BOARD = "connect_four:width=4,height=4"
TINY = Sizes(expanded=4096, merged=8192, held=1 << 14, small=1 << 13, scored=4096)
"""So little at once that a layer of BOARD has many runs, ranges and passes."""
FEW = 1 << 12
"""Positions after which working files are named, so that most files of BOARD are named one by one."""


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "sizes", lambda *asked: TINY)
    monkeypatch.setattr(working_folder, "WAITING", FEW)
    monkeypatch.setattr(packed_store, "PACKED_FROM", 1)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """BOARD as it is solved in memory, packed."""
    path = tmp_path_factory.mktemp("board") / "memory.solution"
    before, packed_store.PACKED_FROM = packed_store.PACKED_FROM, 1
    solution = solve_in_memory(load(BOARD), job=Job(jit=True), method="layers")
    assert isinstance(solution, Solution)
    store.save(solution, path)
    packed_store.PACKED_FROM = before
    return path


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.usefixtures("tiny")
def test_the_file_is_the_same_as_from_memory(jobs: int, board: Path, tmp_path: Path) -> None:
    game = load(BOARD)
    out = tmp_path / "disk.solution"
    solution, positions = solve_on_disk(game, None, Job(jobs=jobs), Disk(tmp_path / "layers"), out)
    assert positions == 161_029
    assert out.read_bytes() == board.read_bytes()
    assert not (tmp_path / "layers").exists()
    whole = store.load(board, game)
    assert (solution.value(game.start), solution.distance(game.start)) == ("draw", None)
    assert solution.explain(game.start) == whole.explain(game.start)


PILE = """
from typing import NamedTuple
from damier import Game

class PileState(NamedTuple):
    left: int
    turn: int
    mover: int

def moves(s):
    return (1 << min(s.left, 5)) - 1

def play(s, move):
    return PileState(s.left - move.bit_length(), s.turn + 1, 1 - s.mover)

def outcome(s):
    return -1 if s.left == 0 else 1 << 40

def pile(n: int = 200):
    return Game("pile", PileState(n, 0, 0), moves, play, outcome, ply=lambda s: s.turn, bits=(9, 9, 1))
"""
"""A user's own file."""


@pytest.mark.parametrize(
    "name",
    [
        BOARD,
        later("tictactoe"),
        later("mnk:width=4,height=3,in_a_row=3"),
        later("connect_four:width=3,height=3"),
        later("connect_four:width=6,height=3"),
        later("connect_four:width=4,height=5"),
        later("connect_four:width=5,height=4"),
        later("pile.py"),
    ],
)
@pytest.mark.parametrize("packed", [False, True], ids=["arrays", "packed"])
def test_other_games_and_boards_too(
    name: str, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_store, "PACKED_FROM", 1 if packed else 1 << 40)
    (tmp_path / "pile.py").write_text(PILE)
    game = load(str(tmp_path / name) if name.endswith(".py") else name)
    known = solve_in_memory(game, job=Job(jit=True), method="layers")
    assert isinstance(known, Solution)
    store.save(known, tmp_path / "memory")
    solution, positions = solve_on_disk(game, None, Job(), Disk(tmp_path / "layers"), tmp_path / "disk")
    assert (tmp_path / "disk").read_bytes() == (tmp_path / "memory").read_bytes()
    assert (positions, solution.explain(game.start)) == (len(known), known.explain(game.start))


@pytest.mark.parametrize("length", [later(126), 127, 128, later(300)])
@pytest.mark.usefixtures("tiny")
def test_distances_of_every_type(length: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_a_corridor(monkeypatch)
    game = corridor(LONG)
    start = Step(LONG - length, 0)
    known = solve_in_memory(game, start, Job(jit=True), method="layers")
    assert isinstance(known, Solution)
    store.save(known, tmp_path / "memory")
    solution, _positions = solve_on_disk(game, start, Job(), Disk(tmp_path / "layers"), tmp_path / "disk")
    assert (tmp_path / "disk").read_bytes() == (tmp_path / "memory").read_bytes()
    assert solution.distance(start) == length
    assert store.load(tmp_path / "disk", game).distance(start) == length


@pytest.mark.parametrize("symmetric", [later(False), True])
@pytest.mark.usefixtures("tiny")
def test_counts_are_the_same(symmetric: bool, tmp_path: Path) -> None:
    game = load(BOARD)
    assert count_on_disk(game, None, Job(jobs=2), Disk(tmp_path / "layers"), symmetric=symmetric) == count(
        game, job=Job(jit=True), symmetric=symmetric
    )


@pytest.mark.usefixtures("tiny")
def test_a_position_later_in_the_game(tmp_path: Path) -> None:
    game = load(BOARD)
    s = game.start
    for column in (0, 1, 0):
        s = game.play(s, game.legal(s)[column])
    known = solve_in_memory(game, s, job=Job(jit=True), method="layers")
    solution, positions = solve_on_disk(game, s, Job(), Disk(tmp_path / "layers"))
    assert positions == len(known)  # type: ignore[arg-type]
    assert solution.explain(s) == known.explain(s)  # type: ignore[union-attr]


def test_small_files_are_named_together_and_all_when_it_is_left(
    board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one by one, which takes longer than to make them again."""
    written, write, out = 0, WorkingFolder.write, tmp_path / "a.solution"

    def counted(self: WorkingFolder) -> None:
        nonlocal written
        written += 1
        write(self)

    monkeypatch.setattr(WorkingFolder, "write", counted)
    monkeypatch.setattr(packed_store, "PACKED_FROM", 1)
    folder = tmp_path / "layers"
    halted(folder, 12, "scored")
    named = json.loads((folder / MANIFEST).read_text())
    assert written == 2  # when it began and when it ended
    assert len(named["layers"]) == 17
    assert len(named["scores"]) == 12
    assert all(one["sha256"] for one in named["scores"])
    notes = Notes()
    solve_on_disk(load(BOARD), None, Job(note=notes), Disk(folder), out)
    assert written == 3
    assert not notes
    assert out.read_bytes() == board.read_bytes()


class Stop:
    """Interrupts at a sign of life (of some kind), as Ctrl-C does."""

    def __init__(self, left: int, of: str = "") -> None:
        self.left, self.of = left, of

    def __call__(self, done: int, total: int | None, what: str) -> None:
        self.left -= self.of in what
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.usefixtures("tiny")
def test_what_is_interrupted_goes_on_from_there(board: Path, tmp_path: Path) -> None:
    out, notes, times = tmp_path / "a.solution", Notes(), 0
    while not out.exists():
        job = Job(progress=Stop(70 + times), note=notes, jobs=2)
        with contextlib.suppress(Interrupted):
            solve_on_disk(load(BOARD), None, job, Disk(tmp_path / "layers"), out)
        times += 1
    assert times > 2
    assert "the same command goes on from there" in notes[0]
    assert out.read_bytes() == board.read_bytes()


KILLED = """
import sys
from pathlib import Path
from damier import Job, load
from damier.solve import packed_store
from damier.plugins.large import disk_folder as folder
from damier.plugins.large import disk_layers as run
from damier.plugins.large.disk_layers import Sizes
from damier.plugins.large.disk_folder import FEWEST, MOST_KEYS, estimate
folder.WAITING = 1 << 12
run.sizes = lambda *asked: Sizes(4096, 8192, 1 << 14, 1 << 13, 4096)
packed_store.PACKED_FROM = 1
print("begun", flush=True)
run.solve_on_disk(load(sys.argv[1]), None, Job(jobs=2), run.Disk(Path(sys.argv[2])), Path(sys.argv[3]))
"""


@pytest.mark.parametrize("kills", [1, later(20)])
def test_what_is_killed_at_any_moment_gives_the_same_file(kills: int, board: Path, tmp_path: Path) -> None:
    rng, out = random.Random(kills), tmp_path / "a.solution"
    folder, cache = tmp_path / "layers", os.environ["DAMIER_CACHE"]
    answer(start(KILLED, cache, BOARD, str(tmp_path / "other"), str(tmp_path / "b.solution")))  # compiled now
    begun = time.perf_counter()
    answer(start(KILLED, cache, BOARD, str(tmp_path / "other"), str(tmp_path / "b.solution")))
    whole = time.perf_counter() - begun
    killed = 0
    while killed < kills:
        process = start(KILLED, cache, BOARD, str(folder), str(out))
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        try:
            # each gets some of the way, the last ones to the end
            process.wait(rng.uniform(0, whole / kills * 4))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            killed += 1
        process.communicate()
        if out.exists():
            assert out.read_bytes() == board.read_bytes()
            shutil.rmtree(folder, ignore_errors=True)
            out.unlink()
    answer(start(KILLED, cache, BOARD, str(folder), str(out)))
    assert out.read_bytes() == board.read_bytes()
    assert not folder.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.solution", "b.solution"]


@pytest.mark.usefixtures("tiny")
def test_a_disk_that_is_too_small_is_said_and_survived(board: Path, tmp_path: Path) -> None:
    """Every budget ends with a sentence, and a larger one goes on."""
    out, folder, refused = tmp_path / "a.solution", tmp_path / "layers", 0
    for limit in [1000, 20_000, 100_000, 300_000, 600_000, 1 << 20]:
        with contextlib.suppress(LimitReached):
            solve_on_disk(load(BOARD), None, Job(jobs=2), Disk(folder, limit), out)
            break
        assert sum(path.stat().st_size for path in folder.iterdir()) <= limit + (1 << 16)
        refused += 1
    assert refused >= 3
    with pytest.raises(LimitReached, match=r"^[^\n]*--disk[^\n]*$"):
        solve_on_disk(load(BOARD), None, Job(), Disk(tmp_path / "other", 5000))
    assert out.read_bytes() == board.read_bytes()


FULL = (
    """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), resource.RLIM_INFINITY))
"""
    + KILLED.replace("run.solve_on_disk", "from damier import LimitReached\ntry:\n    run.solve_on_disk")
    + "except LimitReached as error:\n    print(error)\n"
)


@pytest.mark.parametrize("sizes", [("9000", "200000"), later((("9000", "40000", "200000"),))], ids=len)
def test_a_write_that_fails_is_one_sentence_and_survived(
    sizes: tuple[str, ...], board: Path, tmp_path: Path
) -> None:
    out, folder = tmp_path / "a.solution", tmp_path / "layers"
    cache = os.environ["DAMIER_CACHE"]
    said = []
    for size in sizes:
        said.append(answer(start(FULL, cache, BOARD, str(folder), str(out), size)).splitlines()[1:])
    assert any("cannot be written" in line for lines in said for line in lines), said
    assert all(len(lines) <= 1 for lines in said)
    answer(start(KILLED, cache, BOARD, str(folder), str(out)))
    assert out.read_bytes() == board.read_bytes()


@pytest.mark.usefixtures("tiny")
def test_a_full_disk_is_said_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=60_000))
    with pytest.raises(LimitReached, match="make room, and the same command goes on"):
        solve_on_disk(load(BOARD), None, Job(), Disk(tmp_path / "layers"))
    assert json.loads((tmp_path / "layers" / MANIFEST).read_text())["layers"]


def halted(folder: Path, signs: int, of: str) -> None:
    """Working files that were left after so many signs of life of a kind."""
    with pytest.raises(Interrupted):
        solve_on_disk(load(BOARD), None, Job(progress=Stop(signs, of)), Disk(folder))


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def altered(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("harm", "pattern"),
    shortly(
        product((cut_off, altered, Path.unlink), ("layer-*.keys", "layer-*.scores", "run-*.keys")),
        (cut_off, "layer-*.keys"),
        (altered, "layer-*.scores"),
        (Path.unlink, "run-*.keys"),
    ),
)
@pytest.mark.usefixtures("tiny")
def test_damaged_working_files_are_told_and_made_again(
    harm: Callable[[Path], None], pattern: str, board: Path, tmp_path: Path
) -> None:
    folder, out, notes = tmp_path / "layers", tmp_path / "a.solution", Notes()
    halted(folder, *((9, "doubles") if pattern.startswith("run") else (30, "scored")))
    named = (folder / MANIFEST).read_text()
    found = [path for path in sorted(folder.glob(pattern)) if path.name in named]
    assert found
    harm(found[len(found) // 2])
    solve_on_disk(load(BOARD), None, Job(note=notes), Disk(folder), out)
    assert any("is damaged or gone; it is made again" in note for note in notes)
    assert out.read_bytes() == board.read_bytes()


@pytest.mark.usefixtures("tiny")
def test_a_damaged_manifest_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "layers"
    halted(folder, 4, "doubles")
    path = folder / MANIFEST
    path.write_text(path.read_text().replace('"keys": 1,', '"keys": 2,'))
    with pytest.raises(BadFile, match="checksum"):
        solve_on_disk(load(BOARD), None, Job(), Disk(folder))
    for name, value in [("layers", [{"name": "../a"}]), ("runs", [3]), ("scores", [{"layer": -1}])]:
        data = json.loads(path.read_text())
        data.pop("sha256", None)
        path.write_text(json.dumps({**data, name: value}))
        with pytest.raises(BadFile, match="does not name its files"):
            solve_on_disk(load(BOARD), None, Job(), Disk(folder))
        path.write_text(json.dumps(data))


@pytest.mark.parametrize("name", ["tictactoe", later("connect_four:width=4,height=3")])
@pytest.mark.usefixtures("tiny")
def test_a_folder_of_something_else_is_refused(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "layers"
    halted(folder, 4, "doubles")
    with pytest.raises(BadFile, match="name another folder"):
        solve_on_disk(load(name), None, Job(), Disk(folder))
    with pytest.raises(BadFile, match="name another folder"):
        count_on_disk(load(BOARD), None, Job(), Disk(folder), symmetric=True)
    game = load(BOARD)
    with pytest.raises(BadFile, match="name another folder"):
        solve_on_disk(game, game.play(game.start, game.legal(game.start)[0]), Job(), Disk(folder))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("mine")
    with pytest.raises(BadInput, match=r"letter\.txt"):
        solve_on_disk(game, None, Job(), Disk(tmp_path / "full"))
    assert sorted(path.name for path in (tmp_path / "full").iterdir()) == ["letter.txt"]


@pytest.mark.usefixtures("tiny")
def test_one_process_at_a_time(tmp_path: Path) -> None:
    import fcntl

    (tmp_path / "layers").mkdir()
    with open(tmp_path / "layers" / LOCK, "w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        with pytest.raises(BadInput, match="another process"):
            solve_on_disk(load(BOARD), None, Job(), Disk(tmp_path / "layers"))


@pytest.mark.parametrize("name", ["chess", "othello:size=4", "nim:heaps=1-3-5"])
def test_games_without_sorted_layers_of_wins_and_losses_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unsuitable, match="layers go to disk"):
        solve_on_disk(load(name), None, Job(), Disk(tmp_path / "layers"))
    assert not (tmp_path / "layers").exists()


PEAK = """
import re, sys
from pathlib import Path
from damier import Job, load
from damier.plugins.large.disk_layers import Disk, solve_on_disk
from damier.solve.reach import near_end
game, folder = load(sys.argv[1]), Path(sys.argv[2])
solve_on_disk(game, near_end(game), Job(), Disk(folder / "late"))  # what is compiled stays in the cache
if len(sys.argv) > 3:
    job = Job(memory=int(sys.argv[3]), jobs=2)
    solve_on_disk(game, None, job, Disk(folder / "layers"), folder / "disk.solution")
# not `ru_maxrss`, which begins with the memory of the process that this one came from
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) << 10)
"""


@pytest.mark.parametrize("mebibytes", [later(256), later(1024)])
def test_memory_is_kept(mebibytes: int, tmp_path: Path) -> None:
    """Connect Four 5×5: the peak of the process is at most a tenth above what it may take."""
    name, cache = "connect_four:width=5,height=5", tmp_path / "cache"
    answer(start(PEAK, cache, name, str(tmp_path)))
    peak = int(answer(start(PEAK, cache, name, str(tmp_path), str(mebibytes << 20))))
    assert peak <= 1.1 * (mebibytes << 20)
    game = load(name)
    known = solve_in_memory(game, job=Job(jit=True, jobs=2), method="layers")
    assert isinstance(known, Solution)
    store.save(known, tmp_path / "memory.solution")
    assert (tmp_path / "memory.solution").read_bytes() == (tmp_path / "disk.solution").read_bytes()


def test_what_is_done_at_once_fits_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "resident", lambda: 100 << 20)
    for gibibytes in (0.25, 1, 4, 64):
        for jobs in (1, 2, 8):
            job = Job(memory=int(gibibytes * (1 << 30)), jobs=jobs)
            found = running.sizes(job, 7)
            room = job.memory - (100 << 20)
            assert 8 * jobs * found.expanded * 8 <= room
            assert 8 * found.merged * (4 * jobs + 3) <= room
            assert 13 * found.held + jobs * 17 * found.scored <= room
            assert 17 * found.small + jobs * 17 * found.scored <= room
    with pytest.raises(LimitReached, match="too little"):
        running.sizes(Job(memory=10_000), 7)


def test_less_than_the_program_itself_takes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "resident", lambda: 100 << 20)
    running.require_room(Job(memory=132 << 20))
    with pytest.raises(LimitReached, match=r"itself takes 0\.0977 GiB; --memory 0\.13 is the least$"):
        running.require_room(Job(memory=110 << 20))


@functools.cache
def layers_of(name: str) -> list[int]:
    """How many positions of a game are how many plies from its start."""
    game, found = load(name), []
    if name.startswith("connect_four") and name != "connect_four:width=3,height=3":
        return count(game, job=Job(jit=True)).by_ply
    layer = {game.start}
    while layer:  # also of a game without `ply`
        found.append(len(layer))
        layer = {game.play(s, move) for s in layer if game.outcome(s) == ONGOING for move in game.legal(s)}
    return found


@pytest.mark.parametrize(
    "name",
    [
        "tictactoe",
        "hexapawn",
        "hexapawn:width=4",
        "hexapawn:width=3,height=4",
        "hexapawn:width=3,height=5",
        "connect_four:width=3,height=3",
        "connect_four:width=4,height=4",
        *map(later, (f"connect_four:width={width}" for width in ("4,height=2", "7,height=2", "4,height=5"))),
        later("connect_four:width=5,height=4"),
        later("connect_four:width=6,height=3"),
    ],
)
def test_the_estimate_is_rather_too_small(name: str) -> None:
    by_ply = layers_of(name)
    total, known = sum(by_ply), len(by_ply)
    expected = [estimate(by_ply[:layers], None) for layers in range(FEWEST, known + 1)]
    assert all(guess is None or guess <= 1.3 * total for guess in expected)
    assert estimate(by_ply, 1000) in (None, min(1000, total))
    if name.startswith("connect_four") and total > 1_000_000:
        assert None not in expected
        late = (guess for guess in expected[2 * known // 3 - FEWEST :] if guess is not None)
        assert all(0.4 * total <= guess <= 1.05 * total for guess in late)


def test_where_growth_does_not_fall_nothing_is_expected() -> None:
    assert estimate([1, 2, 3], None) is None
    assert estimate([1, 2, 4, 8, 16, 32, 64], None) is None
    assert estimate([7, 8, 9, 9, 9, 9, 9, 9], None) is None
    # the growth falls by what rounding left of it: once looked at for ever
    assert estimate([1, 1, 1, 1, 1, 2, 4, 4, 4, 3, 3, 3, 3, 4, 4, 4], None) is None
    # some thousands of positions: once a sentence about 7 · 10²³
    assert estimate([55, 49, 49, 49, 49, 147, 441, 882, 882, 970, 2910, 2619, 3928, 11784], None) is None
    # beyond what a float holds: once an error of Python
    assert estimate([15, 22, 23, 20, 20, 60, 66, 59, 88, 264, 792, 712, 712, 640, 1920], None) is None


class CountedLayers(list[int]):
    """Layers that count how often they are looked at."""

    looks = 0

    def __iter__(self) -> Iterator[int]:
        for size in super().__iter__():
            self.looks += 1
            yield size


def plausible_layers(rng: random.Random) -> list[int]:
    """The sizes of some layers: growing, level, shrinking, going up and down, tiny, huge, or ending."""
    size, found = rng.choice([1, 1, 3, 40, 10**5, 10**12, 10**17, 1 << 62]), []
    kinds = [(1.5, 4.0), (1.0, 1.0), (0.3, 0.95), (0.98, 1.02), (0.2, 5.0), (1.0, 1.3)]
    for _phase in range(rng.randint(1, 4)):
        low, high = rng.choice(kinds)
        for _ply in range(rng.choice([1, 2, 5, 12, 60])):
            found.append(size)
            size = min(max(rng.choice([0, 1, 1, 1, 1, 1, 1, 1]), int(size * rng.uniform(low, high))), 1 << 63)
    return found


@pytest.mark.parametrize("cases", [4000, later(20_000)])
def test_an_estimate_is_finite_bounded_and_found_at_once(cases: int) -> None:
    rng, said = random.Random(4), 0
    for _case in range(cases):
        layers = CountedLayers(plausible_layers(rng))
        known = sum(list(layers))
        most, layers.looks = rng.choice([None, known, 2 * known + 5]), 0
        found = estimate(layers, most)
        assert layers.looks <= 2 * len(layers)
        if found is not None:
            said += 1
            assert known * (1 - 1e-12) <= found <= (MOST_KEYS if most is None else most)
    assert said > cases / 20


@pytest.mark.usefixtures("tiny")
def test_nothing_is_refused_by_an_estimate_which_the_signs_of_life_tell(
    board: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "estimate", lambda by_ply, most: 206_473_588_124)
    out, said = tmp_path / "a.solution", set()
    job = Job(progress=lambda done, total, what: said.add(what))
    solve_on_disk(load(BOARD), None, job, Disk(tmp_path / "layers", 1 << 22), out)
    assert out.read_bytes() == board.read_bytes()
    assert any("; by their growth there will be about 206,473,588,124" in what for what in said)
    said.clear()
    monkeypatch.undo()
    solve_on_disk(load(BOARD), None, job, Disk(tmp_path / "layers", 1 << 22), out)
    assert not any("growth" in what for what in said)


@pytest.mark.parametrize("left", [later(".layers.json.tmp"), ".layers.json.0a1b2c3d.tmp"])
@pytest.mark.usefixtures("tiny")
def test_what_a_kill_leaves_of_a_manifest_is_in_nobodys_way(left: str, board: Path, tmp_path: Path) -> None:
    folder, out = tmp_path / "layers", tmp_path / "a.solution"
    folder.mkdir()
    (folder / left).write_text('{"format": "damier-lay')
    solve_on_disk(load(BOARD), None, Job(), Disk(folder), out)
    assert out.read_bytes() == board.read_bytes()
    assert not folder.exists()
