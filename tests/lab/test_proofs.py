"""What was proven before is answered at once, says so, and can be left out."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from books import early_positions, prove_all, scores_upwards, write_book
from commands import Captured, beginning
from lasting import later, long

from damier import Game, load
from damier.core.job import Job, Notes, take_notes_of_process
from damier.lab import solving
from damier.lab.solving import METHOD, RECALLED, KnownBefore, book_path, known_before, solved
from damier.search import proof_store
from damier.search.exact import exact
from damier.search.proof_store import ProofStore

PLAIN = Job(jit=False)
BOARD = "connect_four:width=5,height=4"
call, data = beginning("solve")
ROOT = Path(__file__).parent.parent.parent
LATE = "1213234455"


@pytest.fixture(autouse=True)
def switched_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(solving.SWITCH, "on")
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))
    monkeypatch.setattr(proof_store, "COSTLY", 1)


def test_what_a_search_has_proven_is_answered_at_once_and_says_so() -> None:
    game = load(BOARD)
    s = game.position().play(*LATE).state
    first = solved(game, s, PLAIN, method="search")
    again = solved(load(BOARD), s, PLAIN, method="search")
    fresh = solved(game, s, PLAIN, method="search", fresh=True)
    assert first.solution.explain(s) == again.solution.explain(s) == fresh.solution.explain(s)
    assert [found.solution.method for found in (first, again, fresh)] == [METHOD, RECALLED, METHOD]
    assert again.positions == 0
    assert first.positions == fresh.positions > 0


def test_what_was_proven_only_in_part_is_told() -> None:
    game, notes = load(BOARD), Notes()
    s = game.position().play(*LATE).state
    exact(game, game.play(s, game.legal(s)[0]), PLAIN, moves=False, known=known_before(game))
    found = solved(game, s, Job(jit=False, note=notes), method="search")
    assert found.solution.method == METHOD
    assert notes == ["1 score was proven before; --fresh proves it anew"]


def test_switched_off_nothing_is_read_or_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(solving.SWITCH, "off")
    game = load(BOARD)
    assert known_before(game) is None
    solved(game, game.position().play(*LATE).state, PLAIN, method="search")
    assert not (tmp_path / "engines").exists()


def test_where_others_may_write_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "engines").mkdir(mode=0o777)
    (tmp_path / "engines").chmod(0o777)
    game = load(BOARD)
    assert known_before(game) == KnownBefore(None, None)
    assert "proofs are not kept" in take_notes_of_process()[0]


def test_the_command_leaves_out_what_was_proven(capsys: Captured) -> None:
    line = (BOARD, "--moves", ",".join(LATE), "--method", "search", "--pure", "--quiet")
    first, again, fresh = (data(capsys, *line, *options) for options in ((), (), ("--fresh",)))
    assert [found.pop("method") for found in (first, again, fresh)] == [METHOD, RECALLED, METHOD]
    assert [found.pop("positions") > 0 for found in (first, again, fresh)] == [True, False, True]
    for found in (first, again, fresh):
        found.pop("seconds")
    assert first == again == fresh
    code, out, _err = call(capsys, *line)
    assert code == 0
    assert f"({RECALLED})" in out


def write_alone(game: Game, tmp_path: Path) -> None:
    """As the script does it, in plain Python."""
    layers, known = early_positions(game, 1), ProofStore(game, tmp_path / "proofs", pages=64)
    assert list(prove_all(game, layers[-1], known, Job(memory=1 << 16, jit=False))) == layers[-1]
    (tmp_path / "books").mkdir()
    write_book(book_path(game, tmp_path / "books"), game, scores_upwards(game, layers, known))


def write_by_the_script(game: Game, tmp_path: Path) -> None:
    command = [
        sys.executable,
        ROOT / "scripts" / "book",
        game.text,
        "--plies",
        "1",
        "--store",
        tmp_path / "proofs",
    ]
    subprocess.run([*command, "--write", tmp_path / "books"], check=True, capture_output=True)


@pytest.mark.parametrize("write", [write_alone, later(write_by_the_script)])
def test_a_book_that_the_script_wrote_is_read_first(
    write: Callable[[Game, Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("connect_four:width=4,height=3")
    write(game, tmp_path)
    monkeypatch.setattr(solving, "BOOKS", tmp_path / "books")
    assert solved(game, game.start, PLAIN, method="search").solution.method == RECALLED
    path = book_path(game, tmp_path / "books")
    path.write_bytes(path.read_bytes()[:-1] + b"\1")
    other = load(game.text)
    assert solved(other, other.start, PLAIN, method="search").solution.method == METHOD
    assert any("damaged" in note for note in take_notes_of_process())


@long
def test_a_book_goes_on_where_its_script_was_killed(tmp_path: Path) -> None:
    def script(store: str, books: str) -> list[str | Path]:
        command = [sys.executable, ROOT / "scripts" / "book", "connect_four:width=5,height=4", "--plies", "4"]
        return [*command, "--store", tmp_path / store, "--write", tmp_path / books]

    killed = subprocess.Popen(script("killed", "again"), stdout=subprocess.DEVNULL)
    while not (tmp_path / "killed").exists() and killed.poll() is None:
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    for store, books in (("killed", "again"), ("whole", "books")):
        subprocess.run(script(store, books), check=True, capture_output=True)
    (again,), (whole,) = ((tmp_path / folder).iterdir() for folder in ("again", "books"))
    assert again.read_bytes() == whole.read_bytes()
