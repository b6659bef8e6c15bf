"""The questions of document [S1]: Nim, search in a space of states, learning by lists."""

from __future__ import annotations

from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import State
from damier.lab.games import load
from damier.lab.graphs import DiagramPlan, shape
from damier.plugins.course.question import (
    CoursePart,
    CourseQuestion,
    always,
    choice,
    constant,
    numeric,
)
from damier.search.state_space import andor, bfs
from damier.search.state_space_trace import SpaceAlgorithm, line_names, trace_search
from damier.solve import count, solve

AI, HUMAN = 0, 1


def state(matches: int, mover: int) -> tuple[Game, State]:
    """The state (n j)."""
    game = load("nim")
    assert game.read_position is not None
    return game, game.read_position(f"{matches} {('first', 'second')[mover]}")


def first_move(matches: int, mover: int, algorithm: SpaceAlgorithm) -> int:
    """Return what a search of the document takes, for the AI."""
    return int(line_names(trace_search(*state(matches, mover), algorithm, AI, revisit=True))[0])


def winning_move(matches: int) -> int:
    """The number of matches that wins."""
    game, s = state(matches, AI)
    found = andor(game, s, AI)
    return int(game.name_move(s, found.move))


def nodes(matches: int) -> int:
    """The nodes of the complete tree."""
    game = load(f"nim:matches={matches}")
    return shape(DiagramPlan(game, game.start, "complete", None, False), Job()).nodes


def expanded(*, revisit: bool) -> int:
    """States that breadth-first expands from (16 IA)."""
    game = load("nim")
    return bfs(game, game.start, AI, revisit=revisit).expanded


def winner_of_the_end() -> frozenset[str]:
    """Return who has won at (0 IA)."""
    game, s = state(0, AI)
    return frozenset({"ai" if game.payoff(s, AI) > 0 else "human"})


def never_reinforced() -> frozenset[str]:
    """The entries of the list that the AI never reinforces where it begins with 16: it never stands
    there, or has no move that wins against any reply.
    """
    reached, todo = {16}, [16]
    for n in todo:  # the matches that the AI can have before it
        for after in {n - own - other for own in (1, 2, 3) for other in (1, 2, 3)}:
            if after > 0 and after not in reached:
                reached.add(after)
                todo.append(after)
    return frozenset(str(n) for n in (1, 2, 9, 13, 15, 16) if n not in reached or n == 1)


def lost_numbers() -> frozenset[str]:
    """The numbers of matches at which whoever is to move has lost."""
    game = load("nim")
    known = solve(game)
    return frozenset(str(n) for n in (4, 5, 8, 9, 12, 13) if known.value(state(n, AI)[1]) == "loss")


TREE = "/tree?tree=game&game=nim:matches={n}&algorithm={a}&winner={w}"

PARTS = (
    CoursePart(
        "space",
        (
            numeric(
                "states",
                lambda: count(load("nim")).states,
                slips={"heaps": constant(17), "all": constant(34)},
            ),
            choice("finals", winner_of_the_end),
            numeric(
                "tree",
                lambda: nodes(4),
                slips={"different": constant(8), "leaves": constant(7)},
                door="/tree?view=graph&game=nim:matches=4&kind=complete",
            ),
        ),
    ),
    CoursePart(
        "explore",
        (
            numeric(
                "four",
                lambda: first_move(4, HUMAN, "dfs"),
                slips={"good": constant(3)},
                door=TREE.format(n=4, a="dfs", w=2) + "&revisit=1",
            ),
            CourseQuestion("call", "command", command="(explore 6 actions 'HUMAIN 0)"),
            numeric(
                "seven",
                lambda: first_move(7, AI, "dfs"),
                slips={"right": lambda: winning_move(7)},
                door=TREE.format(n=7, a="dfs", w=1) + "&revisit=1",
            ),
            numeric(
                "truth",
                lambda: winning_move(7),
                slips={"hope": lambda: first_move(7, AI, "dfs")},
                door=TREE.format(n=7, a="andor", w=1),
            ),
        ),
    ),
    CoursePart(
        "breadth",
        (
            numeric(
                "listed",
                lambda: expanded(revisit=False),
                slips={"twice": lambda: expanded(revisit=True)},
                door=TREE.format(n=16, a="bfs", w=1),
            ),
            choice("claim", always("3"), "error", door=TREE.format(n=7, a="bfs", w=1)),
            choice("mixed", always("one-all"), door=TREE.format(n=6, a="andor", w=1)),
        ),
    ),
    CoursePart(
        "lists",
        (
            choice("ends", always("1"), "error"),
            numeric(
                "drawn",
                constant(3 / 5),
                tolerance=0.001,
                slips={"before": constant(1 / 3), "two": constant(2 / 5)},
            ),
            CourseQuestion(
                "train",
                "command",
                command="(dotimes (x 1000) (explore-renf-rec 16 *actions*))",
                door="/learning?game=nim&learner=beads:preset=ia01&games=1000",
            ),
            choice("never", never_reinforced, "several", door="/matchboxes?game=nim"),
            choice("leave", lost_numbers, "several", door="/nim?1=human&2=perfect&show=truth"),
        ),
    ),
)
