"""What a policy is worth, exactly."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.json_types import JsonObject


@dataclass(frozen=True)
class Chances:
    """How likely the ends of a game are, for one of its players.

    margin  the mean payoff, of games whose ends are worth more than a win, a draw or a loss; else
            None
    """

    win: float
    draw: float
    loss: float
    margin: float | None = None

    @property
    def payoff(self) -> float:
        """What the game is worth on average: win minus loss, or the mean margin."""
        return self.win - self.loss if self.margin is None else self.margin


@dataclass(frozen=True)
class Grade:
    """A policy A graded against B. Pairs hold one entry a seat."""

    seats: tuple[Chances, Chances]  # A at seat 1, at seat 2, against B
    # the most that any policy gets against B from that seat: the best-response value, A's ceiling
    best_against: tuple[Chances, Chances]
    best_response: tuple[Chances, Chances]  # the most that an opponent at that seat gets against A
    # mean probability that A gives to moves that keep the value, over all positions in which somebody is to
    # move
    optimal_share_all: float
    optimal_share_reached: float  # the same over those that A reaches against B
    states: int  # positions in which somebody is to move


def grade_facts(grade: Grade) -> JsonObject:
    """A grade as plain data (spec D, "Grade")."""

    def pair(chances: tuple[Chances, Chances]) -> list[dict[str, float]]:
        return [{"win": c.win, "draw": c.draw, "loss": c.loss, "payoff": c.payoff} for c in chances]

    return {
        "seats": pair(grade.seats),
        "best_against": pair(grade.best_against),
        "best_response": pair(grade.best_response),
        "optimal_share": {"all": grade.optimal_share_all, "reached": grade.optimal_share_reached},
        "states": grade.states,
    }
