"""What the past of a game of draughts decides: when it is a draw.

Both variants: the third time of one position with the same player to move. Then moves with kings
alone, in which no man moves and nothing is taken:

    English         40 of each player (World Checkers Draughts Federation, rules 1.32 [Wcdf])
    international   25 of each player; where only kings are left and one side has but one, 16 against
                    three and 5 against fewer (Fédération mondiale du jeu de dames, article 6 [Fmjd])

As in `chess`, every draw that may be claimed is. The article of international draughts counts 16 and 5
moves with a man among the three or two as well: those go on here for their 25.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from damier.core.bits import bit, popcount
from damier.core.past import Past, ago, length
from damier.games.draughts_board import FIELD, DarkSquares, DraughtsState

ENGLISH, INTERNATIONAL = 80, 50
"""Plies with kings alone after which it is a draw."""
THREE_AGAINST_ONE, FEWER = 32, 10


class Draws(NamedTuple):
    """The rules about the past."""

    with_past: Callable[[DraughtsState, Past[DraughtsState]], DraughtsState]
    irreversible: Callable[[DraughtsState, int], bool]


def draws_on(squares: DarkSquares) -> Draws:
    """The draws of a variant."""
    flying = squares.flying

    def with_past(s: DraughtsState, past: Past[DraughtsState]) -> DraughtsState:
        times, quiet = 1, length(past)
        for n in range(4, quiet + 1, 2):
            earlier = ago(past, n)
            times += is_same(earlier, s)
        if times < 3 and quiet < most_quiet_plies(s):
            return s
        return DraughtsState(s.mine, s.theirs, s.kings, s.mover, 1)

    def is_same(one: DraughtsState, other: DraughtsState) -> bool:
        return (
            one.mover == other.mover
            and one.mine == other.mine
            and one.theirs == other.theirs
            and one.kings == other.kings
        )

    def most_quiet_plies(s: DraughtsState) -> int:
        """After how many plies with kings alone a position is drawn."""
        if not flying:
            return ENGLISH
        fewest = min(popcount(s.mine), popcount(s.theirs))
        pieces = popcount(s.mine | s.theirs)
        if s.kings == s.mine | s.theirs and fewest == 1 and pieces <= 4:
            return THREE_AGAINST_ONE if pieces == 4 else FEWER
        return INTERNATIONAL

    def irreversible(s: DraughtsState, move: int) -> bool:
        """A man moves, or something is taken."""
        return bit(move & FIELD) & s.kings == 0 or move >> 12 != 0

    return Draws(with_past, irreversible)
