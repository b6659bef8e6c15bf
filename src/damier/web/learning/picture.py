"""A learner at one moment as parts of its page: how far it is, its curve, its numbers, its table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from damier.core.curve import Block, Curve
from damier.core.grade import Chances, Grade
from damier.core.words import N_, _
from damier.draw.curve import Point, Series, curve_svg
from damier.lab.curves import SEATS, series
from damier.learn.reading import read_grade
from damier.web import pages
from damier.web.desk import Desk
from damier.web.learning.snapshot import Facts
from damier.web.learning.table import table_of

STATES = {
    "preparing": N_("getting ready"),
    "running": N_("learning"),
    "paused": N_("paused"),
    "finished": N_("has finished"),
    "stopped": N_("was stopped"),
    "saved": N_("lies in its file"),
    "failed": N_("has ended with an error"),
}
LESSONS = {"q": "q", "v": "v", "mean": "mean", "beads": "matchboxes"}
ENDS = (N_("won"), N_("drawn"), N_("lost"))
NEVER = 1e-9
"""A payoff that is no more than this is none: grades are floats."""


@dataclass(frozen=True)
class Worth:
    """What a learner is worth, exactly, at one seat or over both.

    payoff   against its opponent; ceiling: the most that anybody gets there
    worst    against whoever plays best against it, at the same seats
    share    of its moves that keep the value of the game
    """

    payoff: float
    ceiling: float
    worst: float
    share: float

    @property
    def unbeatable(self) -> bool:
        return self.worst >= -NEVER


def parts_of(desk: Desk, facts: Facts) -> dict[str, str]:
    """All parts. A training that gets ready has only a head."""
    head = pages.part("learning_head.html", facts=facts, said=STATES[facts["state"]], title=title_of(facts))
    if "blocks" not in facts:
        return {"head": head}
    curve = curve_of(facts)
    worth = worth_of(facts)
    numbers = pages.part(
        "learning_numbers.html",
        facts=facts,
        rates=rates_of(curve.points[-1]) if curve.points else [],
        block=facts["blocks"][-1]["games"] if curve.points else 0,
        worth=worth,
        verdict=verdict(worth),
        lesson=LESSONS[facts["algorithm"]],
    )
    return {"head": head, "numbers": numbers, "curve": pages.picture(curve_svg([curve], games=facts["of"])), "table": table_of(desk, facts)}


def title_of(facts: Facts) -> str:
    if not facts.get("opponent"):
        return _("{game}: {learner}", game=facts["game"], learner=facts["learner"])
    return _("{game}: {learner} against {opponent}", game=facts["game"], learner=facts["learner"], opponent=opponent_in_words(facts["opponent"]))


def opponent_in_words(text: str) -> str:
    return _("itself") if text.startswith("self") else text


def curve_of(facts: Facts) -> Series:
    """The learning curve, ready to be drawn."""
    return series(facts["name"], Curve(1, [block_of(block) for block in facts["blocks"]]), facts.get("seat") or "1", facts.get("against", ""))


def block_of(facts: Facts) -> Block:
    return Block(**(facts | {"grade": read_grade(facts["grade"])}))


def rates_of(point: Point) -> list[dict[str, Any]]:
    """How the games of the last block ended, in percent, with intervals."""
    return [{"end": _(end), "rate": 100 * rate.rate, "low": 100 * rate.low, "high": 100 * rate.high} for end, rate in zip(ENDS, point.rates, strict=True)]


def worth_of(facts: Facts) -> Worth | None:
    """What it is worth now; None where it is not graded."""
    grade = read_grade(facts["blocks"][-1]["grade"]) if facts["blocks"] else None
    return worth_at(grade, SEATS[facts.get("seat") or "1"]) if grade else None


def worth_at(grade: Grade, seats: tuple[int, ...]) -> Worth:
    def mean(pair: tuple[Chances, Chances]) -> float:
        return sum(pair[seat].payoff for seat in seats) / len(seats)

    worst = min(-grade.best_response[1 - seat].payoff for seat in seats)
    return Worth(mean(grade.seats), mean(grade.best_against), round(worst, 9) + 0.0, grade.optimal_share_reached)  # no −0


def verdict(worth: Worth | None) -> str:
    """The numbers in one sentence."""
    if worth is None:
        return ""
    at_ceiling = worth.ceiling - worth.payoff < 5e-4
    if worth.unbeatable:
        said = _("Nobody can beat it any more.")
        return said + " " + (_("And nobody gets more out of its opponent.") if at_ceiling else _("But its ceiling is higher: it spares weak opponents."))
    if at_ceiling:
        return _("It gets all that anybody gets out of this opponent. But who plays well can still beat it.")
    return _("It can be beaten.")
