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
from damier.plugins.course.question import (
    CoursePart,
    CourseQuestion,
    RoomLink,
    TypedAnswer,
    always,
    choice,
    constant,
    numeric,
    refused,
)
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


def typed_slides(text: str, before: Sequence[str] = ()) -> TypedAnswer:
    """Return what a call comes to. Raises BadInput."""
    found = CALL.fullmatch(text.strip())
    if not found or not found[2].strip():
        raise refused(text, UNDERSTOOD)
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
    return TypedAnswer(
        f"{found[1]}({' '.join(written.split())}{bounds})",
        tuple(lines),
        (RoomLink(_("Step by step"), tree_link(written, algorithm)),),
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


def worth(text: str) -> float:
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
    CoursePart(
        "games",
        (
            choice("line", always("kejie"), figure="machines", link="/lessons/history"),
            numeric(
                "plies",
                constant(20),
                slips={"each": constant(40), "double": constant(80)},
                figure="plies",
                link="/lessons/deep-blue",
            ),
            choice("chance", with_chance, "several", link="/games"),
        ),
    ),
    CoursePart(
        "minimax",
        (
            numeric(
                "value",
                lambda: worth(FIRST),
                slips={"leaf": constant(9), "least": constant(1)},
                link=tree_link(FIRST, "minimax"),
            ),
            choice("action", lambda: best_move(FIRST), link=tree_link(FIRST, "minimax")),
            numeric("ghosts", lambda: worth(GHOSTS), slips={"kind": constant(10)}, link="/tree?tree=ghosts"),
            numeric("cost", lambda: 35**4, slips={"times": constant(140)}),
        ),
    ),
    CoursePart(
        "limits",
        (
            numeric("nodes", constant(100 * 10_000), slips={"second": constant(10_000)}),
            numeric("linear", constant(9 * 1 + 1 * -2), slips={"sign": constant(11)}),
            choice("dither", always("same"), link="/lessons/pacman"),
        ),
    ),
    CoursePart(
        "evaluations",
        (
            choice(
                "near", lambda: preferring("right"), "several", link="/tree?view=exercise&kind=evaluation"
            ),
            numeric(
                "sum",
                lambda: EVALUATIONS["d(ghost) + 1 / d(food)"](LEFT),
                tolerance=0.005,
                slips={"ghost": constant(LEFT.to_ghost), "whole": constant(LEFT.to_ghost + LEFT.to_food)},
            ),
            numeric(  # w at which d(ghost) + w / d(food) is the same on both sides
                "weight",
                lambda: (LEFT.to_ghost - RIGHT.to_ghost) / (1 / RIGHT.to_food - 1 / LEFT.to_food),
                slips={"food": constant(1), "ghost": constant(3)},
            ),
            choice("shallow", lambda: with_wins(1, min), link=LABORATORY),
            choice("deep", lambda: with_wins(3, max), link=LABORATORY),
        ),
    ),
    CoursePart(
        "pruning",
        (
            numeric(
                "read", lambda: searched(CLASSIC, "alphabeta").reads, slips={"all": constant(9)}, link="/tree"
            ),
            choice("cut", unread, "several", link="/tree"),
            CourseQuestion(
                "call", "command", command=f"max-value({FIRST}, -∞, +∞)", link=tree_link(FIRST, "alphabeta")
            ),
            choice("equal", always("2"), "error", link="/tree?tree=ties"),
            numeric(
                "tie",
                lambda: to_player(true_values(parse(TIES), None)[1], 0),  # of the second move
                slips={"back": constant(3)},
                link="/tree?tree=ties&step=15",
            ),
            numeric(
                "least",
                lambda: 3**2 + 3**2 - 1,
                slips={"all": lambda: 3**4, "half": constant(9)},
                link="/tree?tree=random&branching=3&depth=4&order=10",
            ),
        ),
    ),
)
