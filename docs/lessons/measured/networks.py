"""What networks.md says: a network that learns tic-tac-toe, graded exactly while it does."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import cache
from pathlib import Path

from damier.core.grade import Grade
from damier.core.words import decimal
from damier.draw.line_charts import IntervalLine, IntervalPoint, MultiplePanel, multiples_svg
from measured.french import said
from measured.writing import holds, table

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "networks" / "dqn.py"
SECONDS = 600
"""CPU seconds at most; it takes some twenty."""


@cache
def curve() -> tuple[tuple[int, Grade], ...]:
    """The grades of the example, after so many moves."""
    spec = importlib.util.spec_from_file_location("dqn", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    _net, found, _grader, _policy = example.learn("tictactoe", SECONDS)
    return tuple((moves, grade) for _spent, moves, grade in found)


def grades() -> str:
    """The table of all grades."""
    rows = [
        [
            f"{moves:,}",
            *(f"{seat.payoff:+.3f}" for seat in grade.seats),
            *(f"{seat.payoff:+.0f}" for seat in grade.best_response),
            f"{grade.optimal_share_all:.3f}",
        ]
        for moves, grade in curve()
    ]
    header = (
        "moves",
        "against random, at seat 1",
        "at seat 2",
        "who knows it gets, at seat 1",
        "at seat 2",
        "positions in which it keeps the value",
    )
    return table(header, rows)


def told() -> str:
    """What the table says."""
    sums = [sum(seat.payoff for seat in grade.seats) for _moves, grade in curve()]
    best = max(range(len(sums)), key=sums.__getitem__)
    (moves, grade), (last_moves, last) = curve()[best], curve()[-1]
    beaten = max(seat.payoff for seat in grade.best_response)
    return holds(
        beaten == 1 and sums[-1] < sums[best] and max(seat.payoff for seat in last.best_response) == 0,
        f"After {moves:,} moves it is at its best against random: {grade.seats[0].payoff:+.3f} and"
        f" {grade.seats[1].payoff:+.3f}. Who knows it still wins every game from seat 1. After {last_moves:,}"
        f" moves nobody can beat it any more, and against random it gets less: {last.seats[0].payoff:+.3f}"
        f" and {last.seats[1].payoff:+.3f}.",
    )


def picture() -> str:
    """Payoffs against random, beside what an opponent gets who knows the network."""

    def line(name: str, read: Callable[[Grade], float]) -> IntervalLine:
        return IntervalLine(
            name, tuple(IntervalPoint(place, read(grade)) for place, (_moves, grade) in enumerate(curve()))
        )

    marks = tuple(f"{moves // 1000}" for moves, _grade in curve())
    panels = [
        MultiplePanel(
            said("what it gets against random"),
            (
                line(said("at seat 1"), lambda grade: grade.seats[0].payoff),
                line(said("at seat 2"), lambda grade: grade.seats[1].payoff),
            ),
            said("moves, in thousands"),
            marks,
        ),
        MultiplePanel(
            said("what an opponent gets who knows it"),
            (
                line(said("at seat 1"), lambda grade: grade.best_response[0].payoff),
                line(said("at seat 2"), lambda grade: grade.best_response[1].payoff),
            ),
            said("moves, in thousands"),
            marks,
        ),
    ]
    return multiples_svg(
        panels,
        said("A network learns tic-tac-toe"),
        said("exact payoffs"),
        lambda value: decimal(value, "+.2f"),
    )


BLOCKS: dict[str, Callable[[], str]] = {"networks-grades": grades, "networks-told": told}
PICTURES: dict[str, Callable[[], str]] = {"networks.svg": picture}
