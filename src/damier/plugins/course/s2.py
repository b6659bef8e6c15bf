"""The questions of document [S2]: games as trees, minimax, evaluation, alpha-beta."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from urllib.parse import quote

from damier.core.job import Job
from damier.core.tree import to_player, written_value
from damier.core.words import _, ngettext
from damier.lab.exercises.kinds import EVALUATIONS, EvaluationDrill, Room
from damier.lab.games import Lab, load
from damier.lab.pacman_study import GAMES, PacmanPlan, PacmanStudy, cells_of
from damier.plugins.course import question
from damier.trees.explicit import Algorithm, TreeAnalysis, search, true_values
from damier.trees.replay import Replay
from damier.trees.tree_text import parse

# The functions of document [S2], typed with a tree in brackets: value, max-value and min-value, with
# α and β or without (rows ).

UNDERSTOOD = "max-value(((3 12 8) (2 4 6) (14 5 2)))  max-value(((3 12 8) (2 4 6) (14 5 2)), -∞, +∞)"
CALL = re.compile(
    r"(value|max-value|min-value)\s*\((.*?)(,\s*-\s*(?:∞|inf)\s*,\s*\+?\s*(?:∞|inf)\s*)?\)", re.DOTALL
)
MOST_STEPS = 60


def typed_slides(text: str, before: Sequence[str] = ()) -> question.TypedAnswer:
    """Return what a call comes to. Raises BadInput."""
    found = CALL.fullmatch(text.strip())
    if not found or not found[2].strip():
        raise question.refused(text, UNDERSTOOD)
    written = found[2].strip()
    if found[1] == "min-value":
        written = written if written.startswith("min") else f"min{written}"
    tree = parse(written)
    pruning = found[3] is not None
    algorithm: Algorithm = "alphabeta" if pruning else "minimax"
    answer = search(tree, algorithm, trace=True)
    sentences = Replay(answer).sentences if len(answer.steps) <= MOST_STEPS else ()
    lines = [*sentences, _("value {value}", value=written_value(answer.value))]
    lines.append(
        ngettext("{n} leaf was read", "{n} leaves were read", answer.reads)
        + (", " + ngettext("{n} cut", "{n} cuts", len(answer.cuts)) if pruning else "")
    )
    bounds = ", -∞, +∞" if pruning else ""
    return question.TypedAnswer(
        f"{found[1]}({' '.join(written.split())}{bounds})",
        tuple(lines),
        (question.RoomLink(_("Step by step"), tree_link(written, algorithm)),),
    )


CLASSIC = "((3 12 8) (2 4 6) (14 5 2))"
FIRST = "((4 9 2) (7 5 6) (3 8 1))"
GHOSTS = "max(min(p3(7 4) p3(9 6)) min(p3(5 12) p3(8 3)) min(p3(11 5) p3(6 10)))"
TIES = "((3 5) (3 1))"
LEFT, RIGHT = Room((0, 0), (4, 2), (4, 0)), Room((0, 0), (0, 3), (1, 0))
"""Two positions of Pacman: the left one is safer, in the right one food is near."""
MAZE = "pacman:layout=crossing,ghosts=1"
LABORATORY = f"/pacman/laboratory?maze={MAZE}&ghosts=chase&games={GAMES}"


def searched(text: str, algorithm: Algorithm) -> TreeAnalysis:
    return search(parse(text), algorithm)


def value_of(text: str) -> float:
    """Return what a tree is worth."""
    return to_player(searched(text, "minimax").value, 0)


def best_move(text: str) -> frozenset[str]:
    """The best moves of a tree's root, by their names."""
    found = searched(text, "minimax")
    moves = found.tree.nodes[found.tree.root].moves
    return frozenset(moves[number].name for number in found.best)


def unread() -> frozenset[str]:
    """The leaves of the classic tree that alpha-beta never reads, by their place: 1 to 9."""
    found = searched(CLASSIC, "alphabeta")
    leaves = [
        move.child
        for top in found.tree.nodes[found.tree.root].moves
        for move in found.tree.nodes[top.child].moves
    ]
    return frozenset(f"n{place}" for place, leaf in enumerate(leaves, 1) if leaf not in found.evaluated)


def with_chance() -> frozenset[str]:
    names = ("hexapawn", "tictactoe", "pig", "nim")
    return frozenset(name for name in names if load(name).stochastic)


def tree_link(text: str, algorithm: Algorithm) -> str:
    return f"/tree?tree=text&text={quote(text)}&algorithm={algorithm}"


def preferring(side: str) -> frozenset[str]:
    """The evaluations of the quiz (row A-57) that prefer one of the two positions, by their numbers."""
    pair = EvaluationDrill(0, LEFT, RIGHT)
    return frozenset(f"e{n}" for n, name in enumerate(EVALUATIONS, 1) if pair.preferred(name) == side)


@cache
def wins(rounds: int) -> dict[str, int]:
    """Return how many of twenty games Pacman wins with each evaluation of his laboratory, looking so many
    rounds ahead, against a ghost that chases: the games that the laboratory shows.
    """
    plan = PacmanPlan(("chase",), depths=(rounds,))
    study = PacmanStudy(Lab(load(MAZE), Job()), plan)
    cells = cells_of(plan, [study.play(number) for number in range(plan.total)])
    return {f"e{n}": cell.wins for n, cell in enumerate(cells, 1)}


def with_wins(rounds: int, which: Callable[[Iterable[int]], int]) -> frozenset[str]:
    """The evaluations that win the fewest games, or the most."""
    found = wins(rounds)
    return frozenset(name for name, count in found.items() if count == which(found.values()))


PARTS = (
    question.CoursePart(
        "games",
        (
            question.choice("line", "kejie", figure="machines", link="/lessons/history"),
            question.numeric(
                "plies",
                20,
                slips={"each": 40, "double": 80},
                figure="plies",
                link="/lessons/deep-blue",
            ),
            question.choice("chance", with_chance, "several", link="/games"),
        ),
    ),
    question.CoursePart(
        "minimax",
        (
            question.numeric(
                "value",
                lambda: value_of(FIRST),
                slips={"leaf": 9, "least": 1},
                link=tree_link(FIRST, "minimax"),
            ),
            question.choice("action", lambda: best_move(FIRST), link=tree_link(FIRST, "minimax")),
            question.numeric(
                "ghosts",
                lambda: value_of(GHOSTS),
                slips={"kind": 10},
                link="/tree?tree=ghosts",
            ),
            question.numeric("cost", 35**4, slips={"times": 140}),
        ),
    ),
    question.CoursePart(
        "limits",
        (
            question.numeric("nodes", 100 * 10_000, slips={"second": 10_000}),
            question.numeric("linear", 9 * 1 + 1 * -2, slips={"sign": 11}),
            question.choice("dither", "same", link="/lessons/pacman"),
        ),
    ),
    question.CoursePart(
        "evaluations",
        (
            question.choice(
                "near", lambda: preferring("right"), "several", link="/tree?view=exercise&kind=evaluation"
            ),
            question.numeric(
                "sum",
                lambda: EVALUATIONS["d(ghost) + 1 / d(food)"](LEFT),
                tolerance=0.005,
                slips={
                    "ghost": LEFT.to_ghost,
                    "whole": LEFT.to_ghost + LEFT.to_food,
                },
            ),
            question.numeric(  # w at which d(ghost) + w / d(food) is the same on both sides
                "weight",
                lambda: (LEFT.to_ghost - RIGHT.to_ghost) / (1 / RIGHT.to_food - 1 / LEFT.to_food),
                slips={"food": 1, "ghost": 3},
            ),
            question.choice("shallow", lambda: with_wins(1, min), link=LABORATORY),
            question.choice("deep", lambda: with_wins(3, max), link=LABORATORY),
        ),
    ),
    question.CoursePart(
        "pruning",
        (
            question.numeric(
                "read",
                lambda: searched(CLASSIC, "alphabeta").reads,
                slips={"all": 9},
                link="/tree",
            ),
            question.choice("cut", unread, "several", link="/tree"),
            question.CourseQuestion(
                "call", "command", command=f"max-value({FIRST}, -∞, +∞)", link=tree_link(FIRST, "alphabeta")
            ),
            question.choice("equal", "2", "error", link="/tree?tree=ties"),
            question.numeric(
                "tie",
                lambda: to_player(true_values(parse(TIES), None)[1], 0),  # of the second move
                slips={"back": 3},
                link="/tree?tree=ties&step=15",
            ),
            question.numeric(
                "least",
                3**2 + 3**2 - 1,
                slips={"all": 3**4, "half": 9},
                link="/tree?tree=random&branching=3&depth=4&order=10",
            ),
        ),
    ),
)
