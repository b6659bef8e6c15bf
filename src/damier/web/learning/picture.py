"""A learner at one moment as parts of its page: how far it is, its curve, its numbers, its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from damier.arena.statistics import wilson
from damier.core.curve import Block, Curve
from damier.core.grade import Chances, Grade
from damier.core.words import N_, _
from damier.draw.curve import Series, curve_svg
from damier.lab.curves import SEATS, series
from damier.lab.names import agent_in_words, game_in_words
from damier.learn.agent_facts import read_grade
from damier.web import pages
from damier.web.learning.table import table_of
from damier.web.messages.parts import Parts
from damier.web.messages.training import (
    OWN,
    BlockEnds,
    ToldBlock,
    TrainingNumbers,
    TrainingView,
)
from damier.web.plain import for_page
from damier.web.registry import Registry

STATES = {
    "preparing": N_("getting ready"),
    "running": N_("learning"),
    "paused": N_("paused"),
    "finished": N_("has finished"),
    "stopped": N_("was stopped"),
    "saved": N_("saved; it does not learn now"),
    "failed": N_("has ended with an error"),
}
LESSONS = {"q": "q", "v": "v", "mean": "mean", "beads": "matchboxes"}

TWO = 2
"""Tables of a learner that has one for each seat."""
NEVER = 1e-9
"""A payoff that is no more than this is none: grades are floats."""


class EndRate(NamedTuple):
    """How many games ended in one way, and their share with its 95 % interval, in percent."""

    end: str
    games: int
    rate: float
    low: float
    high: float


@dataclass(frozen=True)
class SeatGrade:
    """The exact grade of a learner at one seat, or over both.

    payoff               against its opponent
    best_response_value  the most that anybody gets there: its ceiling, as pages say
    worst_case           against whoever plays best against it, at the same seats
    optimal_share        of its moves that keep the value of the game
    """

    payoff: float
    best_response_value: float
    worst_case: float
    optimal_share: float

    @property
    def unbeatable(self) -> bool:
        return self.worst_case >= -NEVER


def number_parts(facts: TrainingNumbers) -> Parts:
    """How far it is, and how its last games ended."""
    notes = [for_page(note) for note in facts["notes"]]
    head = pages.part(
        "learning_head.html", facts=facts, said=STATES[facts["state"]], title=title_of(facts), notes=notes
    )
    if "ends" not in facts:
        return {"head": head}
    ends = facts["ends"]
    rates = pages.part(
        "learning_rates.html",
        facts=facts,
        lesson=LESSONS.get(facts["algorithm"], ""),
        own=facts["algorithm"] == OWN,
        rates=rates_of(ends) if ends else [],
        block=ends["games"] if ends else 0,
        totals=totals_of(facts),
    )
    return {"head": head, "rates": rates}


def picture_parts(registry: Registry, facts: TrainingView) -> Parts:
    """Its curve, what it is worth, what it knows. A training that gets ready has nothing to show."""
    if "blocks" not in facts:
        return {}
    return {
        "numbers": worth_of(facts),
        "curve": pages.picture(curve_svg(curves_of(facts), games=facts["of"])),
        "table": tables_of(registry, facts),
    }


def worth_of(facts: TrainingView) -> str:
    """What it is worth: at the seats where it learns, and at each of the two."""
    grade = grade_now(facts)
    if grade is None:
        return pages.part("learning_numbers.html", grade=None)
    told, by_seat = grade_at(grade, SEATS[seat_told(facts)]), [grade_at(grade, (seat,)) for seat in (0, 1)]
    said = verdict(told, by_seat, facts.get("against", ""))
    unbeatable = all(found.unbeatable for found in by_seat)
    return pages.part(
        "learning_numbers.html",
        grade=told,
        by_seat=by_seat,
        seat=seat_told(facts),
        verdict=said,
        unbeatable=unbeatable,
    )


def tables_of(registry: Registry, facts: TrainingView) -> str:
    """What it knows: where each seat has a table of its own, both."""
    if facts["algorithm"] == OWN:
        return pages.part("learning_own.html")
    own, other = table_of(registry, facts), facts.get("other")
    if other is None:
        return own
    pair = [own, table_of(registry, {**facts, **other})]
    return pages.part("learning_tables.html", tables=pair if facts["seat"] != "2" else pair[::-1])


def title_of(facts: TrainingNumbers) -> str:
    opponent = facts["opponent"]
    if not opponent:
        return _(
            "{game}: {learner}", game=game_in_words(facts["game"]), learner=agent_in_words(facts["learner"])
        )
    return _(
        "{game}: {learner} against {opponent}",
        game=game_in_words(facts["game"]),
        learner=agent_in_words(facts["learner"]),
        opponent=opponent_in_words(opponent),
    )


def opponent_in_words(text: str) -> str:
    return agent_in_words(text.partition(":")[0] if text.startswith("self") else text)


def curves_of(facts: TrainingView) -> list[Series]:
    """The learning curve, ready to be drawn; of two tables, that of each at its seat."""
    curve = Curve(1, [block_of(block) for block in facts["blocks"]])
    against = opponent_in_words(facts.get("against", ""))
    if facts.get("tables") != TWO:
        return [series(facts["name"], curve, facts["seat"] or "1", against)]
    first, second = (curve, mirrored(curve)) if facts["seat"] != "2" else (mirrored(curve), curve)
    return [
        series(_("agent {n}", n=seat), own, str(seat), against) for seat, own in enumerate((first, second), 1)
    ]


def mirrored(curve: Curve) -> Curve:
    """The same games as the other seat counts them."""
    return Curve(curve.size, [replace(block, wins=block.losses, losses=block.wins) for block in curve.blocks])


def block_of(told: ToldBlock) -> Block:
    return Block(
        told["games"],
        told["wins"],
        told["draws"],
        told["losses"],
        told["epsilon"],
        read_grade(told["grade"]),
    )


class TotalEnd(NamedTuple):
    """How many of all games ended in one way, and their share in percent."""

    end: str
    games: int
    rate: float


def totals_of(facts: TrainingNumbers) -> list[TotalEnd]:
    """How all games ended; of two agents that learn, which has won."""
    total = facts.get("total")
    if not total or not total["games"]:
        return []
    words = [_("won"), _("drawn"), _("lost")]
    if facts.get("tables") == TWO:
        mine = 2 if facts["seat"] == "2" else 1
        words = [_("agent {n} won", n=mine), _("drawn"), _("agent {n} won", n=3 - mine)]
    counted = (total["wins"], total["draws"], total["losses"])
    return [
        TotalEnd(end, games, 100 * games / total["games"]) for end, games in zip(words, counted, strict=True)
    ]


def rates_of(ends: BlockEnds) -> list[EndRate]:
    """How games ended, in percent, with intervals."""
    counted = {_("won"): ends["wins"], _("drawn"): ends["draws"], _("lost"): ends["losses"]}
    return [
        end_rate(words, games, ends["games"], wilson(games, ends["games"]))
        for words, games in counted.items()
    ]


def end_rate(end: str, games: int, of: int, interval: tuple[float, float]) -> EndRate:
    """One way to end, of so many games."""
    low, high = interval
    return EndRate(end, games, 100 * games / max(1, of), 100 * low, 100 * high)


def grade_now(facts: TrainingView) -> Grade | None:
    """Its grade now; None where it is not graded."""
    return read_grade(facts["blocks"][-1]["grade"]) if facts["blocks"] else None


def seat_told(facts: TrainingView) -> str:
    """The seats that are told of, as --seat says them: both where each has a table of its own."""
    return "alternate" if facts.get("tables") == TWO else facts["seat"] or "1"


def grade_at(grade: Grade, seats: tuple[int, ...]) -> SeatGrade:
    def mean(pair: tuple[Chances, Chances]) -> float:
        return sum(pair[seat].payoff for seat in seats) / len(seats)

    worst = min(-grade.best_response[1 - seat].payoff for seat in seats)
    # no −0
    return SeatGrade(
        mean(grade.seats), mean(grade.best_against), round(worst, 9) + 0.0, grade.optimal_share_reached
    )


def verdict(grade: SeatGrade, by_seat: Sequence[SeatGrade], against: str) -> str:
    """The numbers in one sentence, of the learner as it plays at this moment, at either seat: what it
    tries out next may make it worse again.
    """
    at_ceiling, opponent = grade.best_response_value - grade.payoff < 5e-4, opponent_in_words(against)
    beatable = [seat for seat, found in enumerate(by_seat, 1) if not found.unbeatable]
    if not beatable:
        said = _("As it plays now, nobody can beat it.")
        return f"{said} {spared(at_ceiling, opponent)}"
    if len(beatable) == 1:
        return _(
            "As it plays now, nobody can beat it at seat {other}; at seat {n} one can: try it.",
            n=beatable[0],
            other=3 - beatable[0],
        )
    if at_ceiling:
        return _(
            "It gets all that anybody gets out of {opponent}. But who plays well can still beat it.",
            opponent=opponent,
        )
    return _("It can be beaten: try it.")


def spared(at_ceiling: bool, opponent: str) -> str:
    """What an unbeatable learner gets out of its opponent."""
    if at_ceiling:
        return _("And nobody gets more out of {opponent}.", opponent=opponent)
    return _("But its ceiling is higher: it spares {opponent}.", opponent=opponent)
