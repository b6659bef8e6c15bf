"""The rules that a game leaves out, made from those that it gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from damier.core.bits import position_of
from damier.core.moves import index_of
from damier.core.rules import ONGOING, Field, Moves, State, loss_in, win_in

if TYPE_CHECKING:
    from damier.core.rules import AnyPast

Rule: TypeAlias = Callable[..., Any]
"""A rule in a table of them all: each has a signature of its own, which `damier.core.rules` says."""

Anything = TypeVar("Anything")


class StateWithMover(State, Protocol):
    """A state that says whose turn it is."""

    @property
    def mover(self) -> int: ...


def over_by_outcome(outcome: Callable[[State], int]) -> Callable[[State], bool]:
    """`over` of a game that gives `outcome`."""

    def over(s: State) -> bool:
        return outcome(s) != ONGOING

    return over


def payoff_by_outcome(
    outcome: Callable[[State], int], mover: Callable[[State], int]
) -> Callable[[State, int], int]:
    """`payoff` of a zero-sum game of two players."""

    def payoff(s: State, player: int) -> int:
        value = outcome(s)
        return value if player == mover(s) else -value

    return payoff


def outcome_by_payoff(
    over: Callable[[State], bool], payoff: Callable[[State, int], int], mover: Callable[[State], int]
) -> Callable[[State], int]:
    """`outcome`, for games of two players."""

    def outcome(s: State) -> int:
        if not over(s):
            return ONGOING
        value = payoff(s, mover(s))
        return value if payoff(s, 1 - mover(s)) == -value else NOT_ZERO_SUM

    return outcome


NOT_ZERO_SUM = ONGOING + 1
"""The outcome of a game of two players that both win, or both lose: no engine for zero-sum games
takes it for one.
"""


def maker(make: Callable[..., State]) -> Callable[[tuple[Field, ...]], State]:
    """`as_state`."""

    def as_state(fields: tuple[Field, ...]) -> State:
        return make(*fields)

    return as_state


def mover_field(s: StateWithMover) -> int:
    """`mover`, of a state that says it."""
    return s.mover


def unturned(of: Anything, symmetry: int) -> Anything:
    """`turn` and `turn_move` of a game without symmetries."""
    return of


def unchanged(s: State) -> State:
    """`canonical` and `seen_as` of a game that gives none."""
    return s


def even(s: State, move: int) -> float:
    """`chance` of a fair die."""
    return 1.0


def nothing(s: State, move: int) -> int:
    """`reward` and `move_score` of a game that gives none."""
    return 0


def quiet(s: State) -> bool:
    """`threatened` of a game that gives none."""
    return False


def no_noisy_moves(s: State) -> int:
    """`noisy_moves` of a game that gives none, where moves are a set."""
    return 0


def none_listed(s: State, found: list[int]) -> None:
    """Add no move, where moves are listed."""


def nothing_yet(s: State) -> int:
    """`ply` of a game that does not count them, and `plies_left` of one that cannot tell."""
    return 0


def whatever_was(s: State, past: AnyPast) -> State:
    """`with_past` of a game whose past does not matter."""
    return s


def reversible(s: State, move: int) -> bool:
    """`irreversible` of a game that gives none."""
    return False


def action_by_bit(s: State, move: int) -> int:
    """`action` of a game whose moves are bits."""
    return position_of(move)


def action_by_number(s: State, move: int) -> int:
    """`action` of a game whose moves are numbers of bits."""
    return move - 1


def action_by_place(moves: Callable[[State], Moves]) -> Callable[[State, int], int]:
    """`action` of a game that lists its moves: the place in the list."""

    def action(s: State, move: int) -> int:
        return index_of(moves(s), move)

    return action


def constant(n: int) -> Callable[[], int]:
    """`symmetries`."""
    return lambda: n


def anything(s: State) -> tuple[int, int]:
    """`bounds` of a game that gives none: any move may end it, for better or for worse."""
    return loss_in(1), win_in(1)
