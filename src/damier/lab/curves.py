"""Learning curves of trainings and of agent files, as data to draw, in words, and as pictures in
files.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from damier.arena.match import wilson
from damier.core.grade import Block, Chances, Curve
from damier.core.words import _, decimal, percent
from damier.draw.curve import Point, RateInterval, Series, curve_svg
from damier.draw.picture_files import write_picture

if TYPE_CHECKING:
    from damier.lab.training import Trainer

SEATS = {"1": (0,), "2": (1,), "alternate": (0, 1)}
"""The seats that a learner is trained at, by the text of --seat: what it is worth is the mean over
them.
"""


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
    if block.grade is None:
        return Point(games, (win, draw, loss), block.epsilon)
    return Point(
        games,
        (win, draw, loss),
        block.epsilon,
        mean_payoff(block.grade.seats, seat),
        mean_payoff(block.grade.best_against, seat),
    )


def mean_payoff(chances: tuple[Chances, Chances], seat: str) -> float:
    """The payoff at a seat, or the mean of both."""
    seats = SEATS[seat]
    return sum(chances[number].payoff for number in seats) / len(seats)


def of_training(made: Trainer) -> Series:
    """The curve of a training so far."""
    return series(made.plan.learner, made.training.curve, made.plan.seat or "1", made.against)


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
    shown = (f"{percent(rate.rate)} [{_interval(rate)}]" for rate in point.rates)
    return "  ".join(f"{name} {rate}" for name, rate in zip(names, shown, strict=True))


def _interval(rate: RateInterval) -> str:
    return _("{low}, {high}", low=decimal(100 * rate.low, ".1f"), high=decimal(100 * rate.high, ".1f"))


def write_curve(curves: Sequence[Series], path: Path, title: str = "") -> None:
    """Writes a picture of curves to a .svg, .png or .pdf file. Raises BadInput."""
    write_picture(curve_svg(curves, title), path)
