"""What a position is worth where wins, draws and losses do not say it: a payoff in the game's own
units, exact or expected, from the side of one player (docs/decisions/0052).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from damier.core.analysis import plain
from damier.core.solution import Value, value_of_score
from damier.core.tree import Number
from damier.core.words import _, decimal, percent

Kind: TypeAlias = Literal["margin", "payoff", "chance", "mean"]
"""How a payoff is said: a whole margin, what one player alone gets, the chance to win where each end
is worth 1 or -1, or the mean of whatever the ends are worth.
"""

DIGITS = 1e-9
"""Payoffs that differ by less are told apart by rounding only."""


@dataclass(frozen=True, order=True)
class Worth:
    """A payoff to one player, and how it is said.

    >>> print(Worth(3, "margin"), Worth(-0.5, "mean"), Worth(0.0612, "chance"))
    +3 -0.5 53.1 %
    """

    payoff: Number
    kind: Kind = "margin"

    def __str__(self) -> str:
        if self.kind == "chance":
            return percent(self.win_probability)
        return signed(self.payoff)

    @property
    def win_probability(self) -> float:
        """How likely a win is, where the only ends are worth 1 and -1."""
        return (1 + self.payoff) / 2

    @property
    def word(self) -> Value:
        """Whether it is more than nothing, less, or neither, in the words of wins and losses."""
        return value_of_score(round(self.payoff / DIGITS))

    @property
    def words(self) -> str:
        """What it means for who moves: `wins by 3`."""
        if self.kind == "chance":
            return _("wins with probability {p}", p=decimal(self.win_probability, ".4f"))
        if self.kind == "mean":
            return _("expects a payoff of {payoff}", payoff=signed(self.payoff))
        if self.kind == "payoff":
            return _("gets a payoff of {payoff}", payoff=signed(self.payoff))
        if self.payoff > 0:
            return _("wins by {n}", n=decimal(plain(self.payoff), ""))
        return (
            _("loses by {n}", n=decimal(plain(-self.payoff), "")) if self.payoff < 0 else _("plays to a draw")
        )

    def __neg__(self) -> Worth:
        return Worth(-self.payoff, self.kind)


def signed(payoff: Number) -> str:
    """A payoff with its sign; nothing has none.

    >>> signed(3.0), signed(-0.25), signed(-1e-12)
    ('+3', '-0.25', '0')
    """
    shown = plain(round(payoff, 6))
    return decimal(shown, "+") if shown else "0"
