"""The questions of document [S0]: hexapawn and Q-learning; their answers, computed."""

from __future__ import annotations

from math import exp

from damier.core.bits import position_of
from damier.core.job import Job
from damier.lab.course.question import CoursePart, always, choice, constant, numeric
from damier.lab.games import load
from damier.lab.lab import Lab
from damier.lab.matchboxes import new_machine
from damier.solve import count

ALPHA, GAMMA = 0.01, 0.9
WIN, PAWN = 100, 10
DECISIONS = 5


def states_met() -> int:
    return count(load("hexapawn")).states


def start_number() -> int:
    game = load("hexapawn")
    assert game.id is not None
    views = game.id(game.start)
    return int(views[0]) if isinstance(views, list) else int(views)


def number_of_action(name: str) -> int:
    """The number of an action, 0 to 13 (row A-6)."""
    game = load("hexapawn")
    return next(position_of(1 << n) for n in range(14) if game.name_move(game.start, 1 << n) == name)


def updated(old: float, reward: float, best: float) -> float:
    """Q after one update of the document (row A-19)."""
    return (1 - ALPHA) * old + ALPHA * (reward + GAMMA * best)


def games_until_the_first_decision_knows() -> int:
    """The same game again and again, each decision learnt when it is left: after how many games the
    first of five decisions has a value.
    """
    values, games = [0.0] * DECISIONS, 0
    while not values[0]:
        games += 1
        for n in range(DECISIONS):
            last = n == DECISIONS - 1
            values[n] = updated(values[n], WIN if last else 0, 0.0 if last else values[n + 1])
    return games


def first_decay() -> int:
    """The decision at which ε falls for the first time (row A-21)."""
    steps = 0
    while not (steps > 5000 and steps % 100 == 0):
        steps += 1
    return steps


def share(*values: float) -> float:
    """The share of the last of some values under the softmax."""
    return exp(values[-1]) / sum(map(exp, values))


def boxes() -> int:
    """The matchboxes of MENACE (row A-26)."""
    return len(new_machine(Lab(load("tictactoe"), Job())).boxes)


PARTS = (
    CoursePart(
        "board",
        (
            numeric("theory", lambda: 3**9, slips={"cells": lambda: 2**9, "power": lambda: 9**3}),
            numeric("met", states_met, slips={"guess": constant(200)}, door="/tree?view=graph&game=hexapawn"),
            numeric("start", start_number, slips={"order": constant(19305)}, door="/hexapawn"),
            numeric(
                "action",
                lambda: number_of_action("b2c3"),
                slips={"home": lambda: number_of_action("b1c2"), "left": lambda: number_of_action("b2a3")},
                figure="actions",
                door="/hexapawn",
            ),
            choice("blocked", always("draw"), door="/hexapawn?1=human&2=perfect"),
        ),
    ),
    CoursePart(
        "rewards",
        (
            numeric(
                "between",
                lambda: PAWN - PAWN,
                slips={"own": constant(PAWN), "other": constant(-PAWN)},
                figure="timeline",
                door="/training/hexapawn",
            ),
            numeric("last", constant(WIN), slips={"both": constant(WIN + PAWN), "pawn": constant(PAWN)}),
            choice("event", always("3"), "error"),
        ),
    ),
    CoursePart(
        "learning",
        (
            numeric(
                "forwards",
                games_until_the_first_decision_knows,
                slips={"backwards": constant(1)},
                figure="triples",
                door="/training/hexapawn",
            ),
            numeric(
                "end",
                lambda: updated(0, WIN, 0),
                tolerance=0.0005,
                slips={"rate": constant(WIN), "discount": constant(ALPHA * GAMMA * WIN)},
            ),
            numeric(
                "before",
                lambda: updated(0, PAWN, updated(0, WIN, 0)),
                tolerance=0.0005,
                slips={
                    "nomax": constant(ALPHA * PAWN),
                    "nogamma": constant(ALPHA * (PAWN + 1)),
                    "rate": constant(PAWN + GAMMA),
                },
                door="/training/hexapawn",
            ),
            choice("hidden", always("field")),
        ),
    ),
    CoursePart(
        "choosing",
        (
            numeric("epsilon", first_decay, slips={"at": constant(5000), "next": constant(5001)}),
            numeric(
                "softmax",
                lambda: share(1, 2, 3),
                tolerance=0.006,
                slips={"linear": constant(0.5), "greedy": constant(1)},
                figure="softmax",
            ),
        ),
    ),
    CoursePart(
        "further",
        (
            numeric("boxes", boxes, slips={"all": constant(765)}, door="/matchboxes?game=tictactoe"),
            choice("loss", always("last"), door="/matchboxes?game=tictactoe"),
        ),
    ),
)
