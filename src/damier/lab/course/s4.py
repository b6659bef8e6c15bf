"""The questions of document [S4]: two agents for tic-tac-toe, one by minimax, one by mean scores."""

from __future__ import annotations

from damier.core.job import Job
from damier.core.rules import State
from damier.lab.course.question import CoursePart, CourseQuestion, always, choice, constant, numeric
from damier.lab.games import load
from damier.solve import count, solve

EPSILON, MOVES = 0.25, 4
SCORES = {"win": 1, "draw": 0, "loss": -1}


def score_after(*cells: str) -> int:
    """S(b), from the side of who is to move, after some moves."""
    game = load("tictactoe")
    position = game.position()
    for cell in cells:
        position = position.play(cell)
    return SCORES[str(solve(game).value(position.state))]


def calls() -> int:
    """Nodes of the whole tree: every line of play apart."""
    game = load("tictactoe")
    level, total = {game.start: 1}, 0
    while level:
        total += sum(level.values())
        below: dict[State, int] = {}
        for s, ways in level.items():
            for move in game.legal(s) if not game.over(s) else ():
                after = game.play(s, move)
                below[after] = below.get(after, 0) + ways
        level = below
    return total


def mean(*scores: int) -> float:
    """Ŝ after some games: at first 0, counted once (row A-77)."""
    return sum(scores) / (len(scores) + 1)


PARTS = (
    CoursePart(
        "board",
        (
            numeric("cell", constant(8), slips={"nine": constant(9)}, door="/tictactoe"),
            choice("turn", always("2"), "error"),
        ),
    ),
    CoursePart(
        "minimax",
        (
            numeric("end", constant(-1), slips={"won": constant(1), "draw": constant(0)}),
            numeric(
                "empty",
                lambda: score_after(),
                slips={"first": constant(1)},
                door="/tictactoe?1=human&2=perfect&show=truth",
            ),
            numeric(
                "edge",
                lambda: score_after("0", "1"),
                slips={"draw": constant(0), "loss": constant(-1)},
                door="/tictactoe?1=human&2=perfect&moves=0,1&show=truth",
            ),
            numeric(
                "table",
                lambda: count(load("tictactoe"), job=Job()).states,
                slips={"tree": calls, "theory": lambda: 3**9},
            ),
            CourseQuestion("match", "command", command="./tictactoe -t 1000 random ai"),
            numeric("wins", constant(0), slips={"some": constant(1)}),
        ),
    ),
    CoursePart(
        "means",
        (
            numeric("one", lambda: mean(1), tolerance=0.001, slips={"plain": constant(1)}),
            numeric(
                "two",
                lambda: mean(1, 1),
                tolerance=0.005,
                slips={"plain": constant(1), "half": constant(0.5)},
            ),
            numeric(
                "greedy",
                constant(1 - EPSILON + EPSILON / MOVES),
                tolerance=0.001,
                slips={"only": constant(1 - EPSILON)},
            ),
            choice("when", always("3"), "error"),
            CourseQuestion("train", "command", command="./tictactoe -t 1000 random rl -p 100000"),
            choice(
                "transfer",
                always("narrow"),
                door="/learning?game=tictactoe&learner=mean:preset=morpion&opponent=perfect:prefer=value,ties=first&games=10000&pace=0",
            ),
        ),
    ),
)
