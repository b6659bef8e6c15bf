"""The questions of document [S3]: the V-function, learnt for tic-tac-toe."""

from __future__ import annotations

from damier.lab.course.question import CoursePart, CourseQuestion, always, choice, constant, numeric
from damier.lab.games import load
from damier.solve import count

ALPHA = 0.1
DECAY, DECAYS, FLOOR = 0.996, 100, 0.1
BOARDS = {
    "three": "XO..X....",
    "noughts": "OO.......",
    "both": "XXXOOO...",
    "empty": ".........",
}
"""Boards, row by row; which of them can come up is computed."""


def number_of(board: str, *, backwards: bool = False) -> int:
    """The number of a board (row A-64)."""
    digits = [".XO".index(cell) for cell in (reversed(board) if backwards else board)]
    return sum(digit * 3 ** (8 - place) for place, digit in enumerate(digits))


def impossible() -> frozenset[str]:
    """The boards that no game comes to: a walk through all that can be reached."""
    game = load("tictactoe")
    assert game.id is not None
    reached, todo = {game.start}, [game.start]
    for s in todo:  # grows while it is read
        for move in game.legal(s) if not game.over(s) else ():
            after = game.play(s, move)
            if after not in reached:
                reached.add(after)
                todo.append(after)
    numbers = {game.id(s) for s in reached}
    return frozenset(name for name, board in BOARDS.items() if number_of(board) not in numbers)


PARTS = (
    CoursePart(
        "states",
        (
            numeric("theory", lambda: 3**9, slips={"two": lambda: 2**9}),
            numeric("met", lambda: count(load("tictactoe")).states, slips={"theory": lambda: 3**9}),
            choice("impossible", impossible, "several", door="/tictactoe"),
            numeric(
                "index",
                lambda: number_of("....X...O"),
                slips={"backwards": lambda: number_of("....X...O", backwards=True), "minus": constant(80)},
            ),
            CourseQuestion("call", "command", command="get_state([1, 2, 0, 0, 1, 0, 0, 0, 0])"),
        ),
    ),
    CoursePart(
        "choosing",
        (
            numeric("tie", constant(8), slips={"first": constant(4), "order": constant(0)}),
            numeric(
                "epsilon",
                lambda: max(DECAY**DECAYS, FLOOR),
                tolerance=0.001,
                slips={"floor": constant(FLOOR)},
            ),
        ),
    ),
    CoursePart(
        "learning",
        (
            numeric("last", constant(ALPHA), tolerance=0.0005, slips={"rate": constant(1)}),
            numeric(
                "before",
                constant(ALPHA * ALPHA),
                tolerance=0.0005,
                slips={"same": constant(ALPHA), "old": constant(0)},
            ),
            numeric("draw", constant(0.5), slips={"first": constant(0.1), "zero": constant(0)}),
            choice("alpha", always("precise"), door="/lessons/v"),
        ),
    ),
    CoursePart(
        "training",
        (
            CourseQuestion(
                "train",
                "command",
                command="demo.train(10000)",
                door="/learning?game=tictactoe&learner=v:preset=vfunction&games=10000&pace=0",
            ),
            choice("history", always("4"), "error"),
        ),
    ),
)
