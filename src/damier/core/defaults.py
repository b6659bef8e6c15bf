"""The rules that a game leaves out, made from those that it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from damier.core.rules import ONGOING, State
from damier.core.score import loss_in, win_in

Rule: TypeAlias = Callable[..., Any]


def from_outcome(outcome: Rule, mover: Rule) -> dict[str, Rule]:
    """`over` and `payoff` of a game of two players whose payoffs are opposed."""

    def over(s: State) -> bool:
        return outcome(s) != ONGOING  # type: ignore[no-any-return]

    def payoff(s: State, player: int) -> int:
        worth: int = outcome(s)
        return worth if player == mover(s) else -worth

    return {"outcome": outcome, "over": over, "payoff": payoff}


def from_payoff(over: Rule, payoff: Rule, mover: Rule) -> dict[str, Rule]:
    """`outcome`, for games of two players."""

    def outcome(s: State) -> int:
        if not over(s):
            return ONGOING
        worth = payoff(s, mover(s))
        return worth if payoff(s, 1 - mover(s)) == -worth else UNOPPOSED

    return {"outcome": outcome, "over": over, "payoff": payoff}


UNOPPOSED = ONGOING + 1
"""The outcome of a game of two players that both win, or both lose: no engine for opposed payoffs takes it for one."""


def maker(make: Callable[..., State]) -> Rule:
    """`as_state`."""

    def as_state(fields: tuple[Any, ...]) -> State:
        return make(*fields)

    return as_state


def mover_field(s: State) -> int:
    """`mover`, of a state that says it."""
    return s.mover  # type: ignore[no-any-return]


def unturned(of: Any, symmetry: int) -> Any:
    """`turn` and `turn_move` of a game without symmetries."""
    return of


def unchanged(s: State) -> State:
    """`view` and `seen_as` of a game that gives none."""
    return s


def even(s: State, move: int) -> float:
    """`chance` of a fair die."""
    return 1.0


def nothing(s: State, move: int) -> int:
    """`reward` and `move_score` of a game that gives none."""
    return 0


def nothing_yet(s: State) -> int:
    """`ply` of a game that does not count them."""
    return 0


def anything(s: State) -> tuple[int, int]:
    """`bounds` of a game that gives none: any move may end it, for better or for worse."""
    return loss_in(1), win_in(1)
