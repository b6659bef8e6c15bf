"""What searches go by: the features of damier's games against naive counts and the solver, and
wrong hooks of a user's game.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lasting import later

from damier import BadGame, Game, load
from damier.core.moves import each
from damier.solve import solve

NIMS = [
    "nim",
    "nim:misere=false",
    "nim:matches=20,take=4",
    "nim:heaps=1-3-5-7",
    "nim:heaps=3-4-5,take=2",
    "nim:heaps=2-2-5,take=3,misere=false",
]


@pytest.mark.parametrize("text", NIMS)
def test_the_theory_of_nim_is_true_everywhere(text: str) -> None:
    game = load(text)
    solution = solve(game)
    for s in solution.table.scores:
        assert game.features["theory"](s) == (1 if solution.score(s) > 0 else -1)
        assert abs(game.features["odd"](s)) == 1


def naive_lines(rows: tuple[str, ...], length: int) -> tuple[int, int]:
    """Lines begun by X alone less those begun by O alone; lines that lack one X less those that
    lack one O.
    """
    height, width = len(rows), len(rows[0])
    begun = threats = 0
    for row in range(height):
        for column in range(width):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(length)]
                if all(0 <= r < height and 0 <= c < width for r, c in cells):
                    marks = [rows[r][c] for r, c in cells]
                    crosses, rings = marks.count("X"), marks.count("O")
                    begun += (crosses > 0 and rings == 0) - (rings > 0 and crosses == 0)
                    threats += (crosses == length - 1 and rings == 0) - (rings == length - 1 and crosses == 0)
    return begun, threats


@pytest.mark.parametrize(
    ("text", "length"),
    [
        later(("tictactoe", 3)),
        ("connect_four:width=3,height=3,in_a_row=3", 3),
        ("mnk:width=2,height=2,in_a_row=3", 3),
    ],
)
def test_lines_and_threats_are_what_can_be_counted_on_the_board(text: str, length: int) -> None:
    game = load(text)
    for s in solve(game).table.scores:
        assert (game.features["lines"](s), game.features["threats"](s)) == naive_lines(
            game.grid(s).rows, length
        )


def test_pawns_and_their_advance() -> None:
    game = load("hexapawn")
    for s in solve(game).table.scores:
        rows = game.grid(s).rows
        text = "".join(rows)
        assert game.features["pawns"](s) == text.count("W") - text.count("B")
        assert game.features["advance"](s) == sum(
            (2 - row) * line.count("W") - row * line.count("B") for row, line in enumerate(rows)
        )


def test_the_middle_of_connect_four_looks_best() -> None:
    game = load("connect_four")
    assert [game.move_score(game.start, move) for move in each(game.moves(game.start))] == [
        0,
        1,
        2,
        3,
        2,
        1,
        0,
    ]


SOURCE = """
from typing import NamedTuple
from damier import ONGOING, Game

class State(NamedTuple):
    left: int
    mover: int

def hinted() -> Game:
    def feature(s): return {feature}
    def score(s, move): return {score}
    def play(s, move): return State(s.left - 1, 1 - s.mover)
    def outcome(s): return -1 if s.left == 0 else ONGOING
    hints = {{"features": {{"left": feature}}, "move_score": score}}
    return Game("hinted", State(3, 0), lambda s: 1, play, outcome, bits=(2, 1), **hints)
"""


def hinted(folder: Path, feature: str, score: str = "0") -> Game:
    path = folder / "hinted.py"
    path.write_text(SOURCE.format(feature=feature, score=score))
    return load(str(path))


@pytest.mark.parametrize(
    ("feature", "score", "said"),
    [
        ("'x'", "0", "feature left"),
        ("1 // (s.left - 2)", "0", "ZeroDivisionError"),
        ("0", "None", "move_score"),
    ],
)
def test_wrong_hooks_are_told_with_file_and_line(tmp_path: Path, feature: str, score: str, said: str) -> None:
    assert hinted(tmp_path, "s.left").features["left"](hinted(tmp_path, "s.left").start) == 3
    with pytest.raises(BadGame, match=r"hinted\.py:") as caught:
        hinted(tmp_path, feature, score)
    assert said in str(caught.value)
