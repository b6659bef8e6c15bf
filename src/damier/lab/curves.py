"""Learning curves of trainings and of agent files, as data to draw, in words, and as pictures and tables
in files.
"""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from damier.arena.match import wilson
from damier.core.data_files import (
    OF_GAME,
    Cell,
    Columns,
    DataTable,
    is_data,
    of_game,
    write_data,
)
from damier.core.grade import Block, Chances, Curve, Grade
from damier.core.words import _, decimal, interval, percent
from damier.draw.curve import Point, RateInterval, Series, curve_svg
from damier.draw.picture_files import write_picture
from damier.learn.parameters import SEATS
from damier.learn.store import TrainedAgent

if TYPE_CHECKING:
    from damier.lab.training import Trainer


def series(name: str, curve: Curve, seat: str = "1", against: str = "") -> Series:
    """A curve ready to be drawn; `seat` as in --seat, `against` whom it was graded against."""
    points, games = [], 0
    for block in curve.blocks:
        games += block.games
        points.append(point(block, games, seat))
    return Series(name, tuple(points), against)


def point(block: Block, games: int, seat: str) -> Point:
    """A block that ends with game number `games`."""
    win, draw, loss = (
        RateInterval(n / max(block.games, 1), *wilson(n, block.games))
        for n in (block.wins, block.draws, block.losses)
    )
    graded = (block.grade.seats, block.grade.best_against) if block.grade else ()
    payoffs = (mean_payoff(chances, seat) for chances in graded)
    return Point(games, (win, draw, loss), block.epsilon, *payoffs)


def mean_payoff(chances: tuple[Chances, Chances], seat: str) -> float:
    """The payoff at a seat, or the mean of both."""
    seats = SEATS[seat]
    return sum(chances[number].payoff for number in seats) / len(seats)


def series_of(learnt: TrainedAgent) -> Series:
    """The curve of an agent, ready to be drawn."""
    training = learnt.training
    seat, against = str(training.get("seat", "1")), str(training.get("against", ""))
    return series(learnt.learner, learnt.curve, seat, against)


def of_training(made: Trainer) -> Series:
    """The curve of a training so far, ready to be drawn."""
    return series_of(learnt_so_far(made))


def learnt_so_far(made: Trainer) -> TrainedAgent:
    """The curve of a training so far, and where it comes from."""
    return TrainedAgent(made.lab.game, made.plan.learner, made.facts, curve=made.training.curve)


def title_of(made: Trainer) -> str:
    """Return who learns what from whom."""
    return _(
        "{game}: {learner} against {opponent}",
        game=made.lab.game.text,
        learner=made.plan.learner,
        opponent=made.plan.opponent,
    )


def rates_in_words(point: Point) -> str:
    """Return how the games of a block ended, with 95 % intervals, in percent."""
    names = (_("won"), _("drawn"), _("lost"))
    return "  ".join(
        f"{name} {percent(rate.rate)} [{interval_in_words(rate.low, rate.high)}]"
        for name, rate in zip(names, point.rates, strict=True)
    )


def interval_in_words(low: float, high: float, form: str = ".1f") -> str:
    """Return the ends of an interval of rates, in percent without its sign."""
    return interval(decimal(100 * low, form), decimal(100 * high, form))


def write_curve(learnt: TrainedAgent, path: Path, title: str = "") -> None:
    """Write a curve as a picture, .svg, .png or .pdf, or as a table, .csv or .parquet. Raises BadInput."""
    if is_data(path):
        write_data(table_of(learnt), path)
    else:
        write_picture(curve_svg([series_of(learnt)], title), path)


CURVE_COLUMNS: Columns = {
    **OF_GAME,
    "learner": str,
    "opponent": str,
    "seat": str,
    "seed": int,
    "against": str,
    "games": int,
    "block_games": int,
    "wins": int,
    "draws": int,
    "losses": int,
    "epsilon": float,
    **{
        f"{name}_{seat}": float
        for seat in (1, 2)
        for name in ("win", "draw", "loss", "payoff", "best_against", "best_response")
    },
    "optimal_share_all": float,
    "optimal_share_reached": float,
    "states": int,
}
"""The columns of a curve as a table, a row a block (docs/data.md)."""


def table_of(learnt: TrainedAgent) -> DataTable:
    """Return a curve as a table."""
    training, games, rows = learnt.training, 0, []
    given = (
        *of_game(learnt.game.name, learnt.game.options),
        learnt.learner,
        *(training.get(name) for name in ("opponent", "seat", "seed", "against")),
    )
    for block in learnt.curve.blocks:
        games += block.games
        counts = (games, block.games, block.wins, block.draws, block.losses, block.epsilon)
        rows.append((*given, *counts, *grade_cells(block.grade)))
    return DataTable(CURVE_COLUMNS, rows)


def grade_cells(grade: Grade | None) -> tuple[Cell, ...]:
    """Return a grade as the last cells of a row; None in each where a block was not graded."""
    if grade is None:
        return (None,) * 15
    seats = zip(grade.seats, grade.best_against, grade.best_response, strict=True)
    by_seat = (
        (own.win, own.draw, own.loss, own.payoff, most.payoff, other.payoff) for own, most, other in seats
    )
    return (
        *chain.from_iterable(by_seat),
        grade.optimal_share_all,
        grade.optimal_share_reached,
        grade.states,
    )
