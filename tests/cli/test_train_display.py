"""What `damier train` shows while it runs and leaves behind: on a terminal a picture that grows,
elsewhere nothing but the result.
"""

from __future__ import annotations

import io
import os
import re
import signal
from functools import partial
from pathlib import Path

import pytest
from commands import beginning
from lasting import later, long, shortly
from rich.console import Console
from terminals import Terminal as AnyTerminal

from damier.cli import live
from damier.cli.live import View, cells_of, laid_out, painted
from damier.cli.main import build, run
from damier.core.job import Job
from damier.draw.curve import ASCII, BLOCKS, Point, RateInterval, Series
from damier.draw.text import columns_of
from damier.lab import curves
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.training import Plan, Trainer, trainer

Terminal = partial(AnyTerminal, "train")
OPENED, CLOSED = "\x1b[?1049h", "\x1b[?1049l"


def trained(game: str, learner: str, games: int, **options: str) -> Trainer:
    made = trainer(Lab(load(game), Job(jit=False)), Plan(learner, **options))
    made.training.run(games, made.lab.job)
    return made


def view_of(made: Trainer, games: int = 0) -> View:
    memory, total = made.learner.memory, games or made.training.episodes
    lines = live.known_lines(memory, made.learner.name)
    return View(
        curves.title_of(made),
        curves.of_training(made),
        total,
        1234.5,
        67,
        len(memory),
        lines,
        made.learner.last_row,
    )


@pytest.fixture(scope="module")
def hexapawn() -> Trainer:
    return trained("hexapawn", "q:preset=hexapion", 1000)


LEARNERS = ["q:preset=hexapion", "v", "beads:preset=her", "mean"]
SIZES = [
    *((40, 9, BLOCKS), (80, 24, ASCII), (120, 40, BLOCKS), (200, 60, ASCII), (60, 80, BLOCKS)),
    (40, 9, ASCII),
]


@pytest.mark.parametrize(
    ("learner", "width", "height", "signs"),
    shortly(
        ((learner, *size) for learner in LEARNERS for size in SIZES),
        *((LEARNERS[0], *size) for size in SIZES),
        *((learner, *SIZES[1]) for learner in LEARNERS),
    ),
)
def test_the_picture_fits_the_terminal(learner, width, height, signs):
    made = trained("hexapawn", learner, 40)
    for view in (view_of(made), view_of(made, 10**9), View("title", Series("q", ()), 5, 0.0)):
        console = Console(file=io.StringIO(), width=width, height=height)
        shown = [
            "".join(part.text for part in line)
            for line in console.render_lines(painted(view, width, height, signs), pad=False)
        ]
        assert len(shown) <= height
        assert max(map(columns_of, shown)) <= width
        lines, (marked, across) = laid_out(view, width, height, signs)
        assert len(lines) == len(shown)
        assert marked < len(lines)
        assert across <= width


def test_the_position_met_last_is_on_red_and_marked(hexapawn):
    view = view_of(hexapawn)
    assert view.lines is not None
    assert view.marked is not None
    picture = painted(view, 120, 40)
    on_red = [picture.plain[span.start : span.end] for span in picture.spans if "on red" in str(span.style)]
    assert len(on_red) == 1
    assert on_red[0].startswith("▶ ")
    assert on_red[0].split()[1] == view.lines[view.marked].name
    assert picture.plain.count("▶") == 1
    assert "▶" not in painted(view, 120, 40, ASCII).plain
    assert painted(view, 120, 40, ASCII).plain.isascii()


def test_the_table_is_that_of_the_document(hexapawn):
    """Row A-23: columns are action numbers, a line a known position, its number, Q rounded to 2
    decimals.
    """
    memory = hexapawn.learner.memory
    lines, _marked = laid_out(view_of(hexapawn), 120, 40, BLOCKS)
    head = next(number for number, line in enumerate(lines) if line.split()[:1] == ["0"])
    assert lines[head].split() == [str(action) for action in range(14)]
    rows = list(memory.rows())
    shown = [line.replace("▶", " ").split() for line in lines[head + 1 : head + 1 + len(rows)]]
    assert shown[0][0] == "377"
    for row, cells in zip(rows, shown, strict=True):
        assert cells[1:] == [f"{value:.2f}" for value in row.values]
        for value in cells_of(memory.game, row, "q").values():
            assert re.fullmatch(r"-?\d+\.\d\d", value)


def test_where_the_table_does_not_fit_a_line_says_what_would_do(hexapawn):
    lines, marked = laid_out(view_of(hexapawn), 80, 24, BLOCKS)
    known = len(hexapawn.learner.memory)
    assert marked == (-1, 0)
    said = re.search(
        rf"{known} positions known; a terminal of (\d+) × (\d+) shows their values", "\n".join(lines)
    )
    assert said
    _lines, (marked_line, _across) = laid_out(view_of(hexapawn), int(said[1]), int(said[2]), BLOCKS)
    assert marked_line > 0


def test_the_rates_are_those_of_the_last_block():
    rates = (RateInterval(0.5, 0.4, 0.6), RateInterval(0.25, 0.2, 0.3), RateInterval(0.25, 0.2, 0.3))
    view = View("t", Series("q", (Point(4, rates, 0.125, 0.5, 0.75),), "random"), 8, 2.0, 2)
    lines, _marked = laid_out(view, 80, 24, BLOCKS)
    assert lines[1].endswith("4 / 8 games  2/s  0:00:02 to go")
    assert lines[2] == "won 50.0 % [40.0, 60.0]  drawn 25.0 % [20.0, 30.0]  lost 25.0 % [20.0, 30.0]"
    assert lines[3] == "ε 0.125  grade +0.5000  ceiling +0.7500  against random"


def test_a_curve_is_the_mean_over_the_seats_trained():
    made = trained("hexapawn", "q", 100, seat="alternate")
    last, grade = curves.of_training(made).points[-1], made.training.curve.blocks[-1].grade
    assert grade is not None
    assert last.payoff == pytest.approx((grade.seats[0].payoff + grade.seats[1].payoff) / 2)
    assert last.ceiling == pytest.approx((grade.best_against[0].payoff + grade.best_against[1].payoff) / 2)
    assert [curves.mean_payoff(grade.seats, seat) for seat in ("1", "2")] == [
        grade.seats[0].payoff,
        grade.seats[1].payoff,
    ]


def test_the_last_row_is_the_one_decided_in_last(hexapawn):
    row = hexapawn.learner.last_row
    assert row is not None
    assert 0 <= row < len(hexapawn.learner.memory)
    fresh = trainer(Lab(load("hexapawn"), Job(jit=False)), Plan("q"))
    assert fresh.learner.last_row is None


def test_on_a_terminal_a_picture_grows_and_goes(tmp_path: Path) -> None:
    terminal = Terminal("nim", "q", "--games", "1000", "--pure")
    assert terminal.rest() == 0
    shown, left = terminal.said.split(CLOSED)
    assert OPENED in shown
    assert "1,000 games" in shown
    assert "ceiling +1.0000" in shown
    assert "▶" in shown
    assert "\x1b[" not in re.sub(r"\x1b\[(\?25h|[0-9;]*m)", "", left)
    assert "nim:matches=16,take=3,misere=true: q against random" in left
    assert "▶" not in left


def test_ctrl_c_gives_the_terminal_back_and_saves(tmp_path: Path) -> None:
    path = tmp_path / "agent.json"
    terminal = Terminal("nim", "q", "--games", "100000000", "--pure", "--out", str(path))
    terminal.until("grade ")
    os.killpg(terminal.process.pid, signal.SIGINT)
    assert terminal.rest() == 130
    assert terminal.said.index(OPENED) < terminal.said.index(CLOSED) < terminal.said.index("--resume goes on")
    assert "Traceback" not in terminal.said
    assert path.exists()


@long
def test_a_terminal_that_cannot_be_painted_on_is_left_alone() -> None:
    terminal = Terminal("nim", "q", "--games", "100", "--pure", term="dumb")
    assert terminal.rest() == 0
    assert "\x1b" not in terminal.said


def test_output_to_a_file_is_only_the_result(tmp_path: Path) -> None:
    with open(tmp_path / "out", "w+b") as out:
        terminal = Terminal("nim", "q", "--games", "100", "--pure", out=out.fileno())
        assert terminal.rest() == 0
        out.seek(0)
        text = out.read().decode()
    assert OPENED in terminal.said
    assert "\x1b" not in text
    assert text.startswith("nim:matches=16,take=3,misere=true: q against random")


def test_without_a_terminal_and_with_json_nothing_is_painted(capsys) -> None:
    assert run(build(), ["train", "nim", "q", "--games", "100", "--pure"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "\x1b" not in out
    terminal = Terminal("nim", "q", "--games", "100", "--pure", "--json")
    assert terminal.rest() == 0
    assert OPENED not in terminal.said


def test_painting_changes_nothing_that_is_learnt(tmp_path: Path) -> None:
    watched, alone = tmp_path / "watched.json", tmp_path / "alone.json"
    arguments = ["hexapawn", "q:preset=hexapion", "--games", "300", "--pure", "--out"]
    assert Terminal(*arguments, str(watched)).rest() == 0
    assert run(build(), ["train", *arguments, str(alone)]) == 0
    assert watched.read_bytes() == alone.read_bytes()


call, _data = beginning("train", "nim", "q", "--games", "64", "--pure")


@pytest.mark.parametrize(
    ("suffix", "begin"), [(".svg", b"<svg "), later((".png", b"\x89PNG")), (".pdf", b"%PDF")]
)
def test_the_curve_is_written(capsys, tmp_path, suffix, begin):
    path = tmp_path / f"curve{suffix}"
    code, out, _err = call(capsys, "--curve", str(path))
    assert code == 0
    assert f"written to {path}" in out
    assert path.read_bytes().startswith(begin)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["curve.gif", "curve", "."])
def test_a_bad_place_for_the_curve_is_refused_before_training(capsys, tmp_path, name):
    code, out, err = call(capsys, "--curve", str(tmp_path / name), "--out", str(tmp_path / "agent.json"))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not list(tmp_path.iterdir())


def test_a_game_too_large_to_grade_still_has_a_curve(capsys, tmp_path):
    code = run(
        build(), ["train", "connect_four", "q", "--games", "30", "--pure", "--curve", str(tmp_path / "c.svg")]
    )
    out, err = capsys.readouterr()
    assert code == 0
    assert "all games won" in out
    assert "not graded" in err
    assert "exact" not in (tmp_path / "c.svg").read_text()


def test_what_is_left_says_how_sure_the_last_block_is(capsys):
    _code, out, _err = call(capsys)
    assert re.search(
        r"the last block, with 95 % intervals:\n  won [\d.]+ % \[[\d.]+, [\d.]+\]  drawn 0\.0 %", out
    )
    assert "ceiling" in out
