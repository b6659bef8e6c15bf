"""Long work says where it is, also in a pipe and while it compiles; --quiet says nothing."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from commands import beginning

from damier.arena.match import match
from damier.cli import command
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.lab.games import load

Captured = pytest.CaptureFixture[str]
call, _data = beginning()


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Lines come without a pause: whatever takes any time says so."""
    monkeypatch.delenv("DAMIER_QUIET")
    monkeypatch.setattr(command, "FIRST", 0.001)
    monkeypatch.setattr(command, "RAREST", 0.001)
    yield
    command.clear_bar()


@pytest.mark.usefixtures("hurried")
def test_long_work_in_a_pipe_says_where_it_is(capsys: Captured) -> None:
    code, out, err = call(capsys, "match", "tictactoe", "random", "random", "--games", "2000", "--pure")
    assert code == 0
    assert "/ 2,000 games, " in err
    assert "… " not in out
    assert all(line.startswith("… ") and line.endswith((" s", " s in all)")) for line in err.splitlines())


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize(
    "command",
    [
        ("match", "tictactoe", "random", "random", "--games", "500"),
        ("train", "hexapawn", "q", "--games", "500"),
    ],
)
def test_quiet_work_says_nothing(capsys: Captured, command: tuple[str, ...]) -> None:
    code, _out, err = call(capsys, *command, "--pure", "--quiet")
    assert (code, err) == (0, "")


def test_work_that_says_nothing_itself_is_still_told_of(
    monkeypatch: pytest.MonkeyPatch, capsys: Captured, hurried: None
) -> None:
    command.watch()
    beat = command.heartbeat
    assert beat is not None
    while "at work" not in (told := capsys.readouterr().err):
        assert beat.thread.is_alive()
    assert told.startswith("… at work, 0 s")
    command.clear_bar()
    capsys.readouterr()
    assert not beat.thread.is_alive()


def test_what_changes_behind_a_semicolon_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a search: what is proven so far."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for done, what in (
        (1000, "nodes; so far: at least a draw"),
        (2000, "nodes; a win in 5 plies"),
        (3, "games"),
    ):
        command.bar(done, None, what)
    assert command.progress_bar is not None
    assert [(task.description, task.completed) for task in command.progress_bar.tasks] == [
        ("nodes; a win in 5 plies", 2000),
        ("games", 3),
    ]
    command.clear_bar()


def test_a_line_says_for_how_long_a_stage_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [100.0]
    monkeypatch.setattr(command.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(command.Heartbeat, "beat", lambda beat: None)
    beat = command.Heartbeat()
    said = []
    for seconds, done, what in (
        (3, 30_000, "positions"),
        (4, 0, "compiling; plain Python goes on meanwhile"),
        (5, 0, "compiling; still"),
    ):
        clock[0] += seconds
        beat.tell(done, None, what)
        clock[0] += 1
        said.append(beat.line())
    assert said == [
        "… 30,000 positions, 1 s (4 s in all)",
        "… compiling; plain Python goes on meanwhile, 1 s (9 s in all)",
        "… compiling; still, 7 s (15 s in all)",
    ]


def test_what_nothing_is_counted_of_has_no_number_and_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for done, what in ((30_000, "positions"), (0, "compiling; plain Python goes on meanwhile")):
        command.bar(done, None, what)
    assert command.progress_bar is not None
    assert [(task.description, task.fields["shown"]) for task in command.progress_bar.tasks][1] == (
        "compiling; plain Python goes on meanwhile",
        "",
    )
    command.bar(0, None, "at work")
    assert [task.description for task in command.progress_bar.tasks] == ["positions", "at work"]
    command.clear_bar()


def test_a_match_says_that_it_compiles() -> None:
    stages: list[str] = []
    job = Job(progress=lambda done, total, what: stages.append(what), jit=True)
    match(MatchSetup(load("tictactoe"), (RandomPlayer(), RandomPlayer()), 0), 20_000, job)
    assert "compiling" in stages
    assert stages.index("compiling") < len(stages) - 1
