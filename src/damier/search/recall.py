"""What an exact search takes from what was proven before, and what it hands on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from damier.core.game import Game
from damier.core.proofs import Proofs, ProvenScore
from damier.core.rules import State
from damier.core.score import TOP, later, sooner

if TYPE_CHECKING:
    from damier.search.exact import Bounds

COSTLY = 100_000
"""Nodes from which a proof is worth to be kept: some hundredths of a second of compiled code."""


def recall(
    known: Proofs,
    game: Game,
    s: State,
    bounds: Bounds,
    children: Mapping[int, Bounds],
    *,
    units: bool = False,
) -> int:
    """Tightens the bounds of a position, and of what its moves lead to, by what is known of them, and by
    what follows of the ones for the others. Returns how many of these scores were known exactly.
    """
    if game.over(s):
        return 0
    after = {move: game.play(s, move) for move in children}
    found = {move: known.look(child) for move, child in after.items() if not game.over(child)}
    own = known.look(s)
    facts = [(own, bounds), *((proven, children[move]) for move, proven in found.items())]
    if not any(proven for proven, _bounds in facts):
        return 0
    ends = [(end_score(game, after[move], units), children[move]) for move in after.keys() - found.keys()]
    for proven, at_hand in (*facts, *ends):
        take_in(at_hand, proven)
    join(game, s, bounds, children, units=units)
    if own is not None and own.low == own.high and own.move is not None and children:
        score = own.low if units else sooner(own.low)
        tighten(children[own.move], score, score)
    return sum(proven is not None and proven.low == proven.high for proven, _bounds in facts)


def take_in(bounds: Bounds, proven: ProvenScore | None) -> None:
    """Tightens bounds by what is known, if anything is."""
    if proven is not None:
        tighten(bounds, proven.low, proven.high)


def end_score(game: Game, s: State, units: bool) -> ProvenScore | None:
    """The score of a position in which the game is over; None where it is no win, draw or loss, which a
    search refuses.
    """
    payoff = game.payoff(s, 0)
    if units:
        return ProvenScore(payoff, payoff)
    return ProvenScore(payoff * TOP, payoff * TOP) if abs(payoff) <= 1 else None


def keep(
    known: Proofs,
    game: Game,
    s: State,
    bounds: Bounds,
    children: Mapping[int, Bounds],
    nodes: int,
    *,
    units: bool = False,
) -> None:
    """Hands on what was proven at a cost of so many nodes, of which every move counts for an equal share;
    what was cheap is proven again as soon as it is looked up.
    """
    if nodes < COSTLY:
        return
    join(game, s, bounds, children, units=units)
    if bounds.low > 1 - TOP or bounds.high < TOP - 1:
        known.note(s, ProvenScore(bounds.low, bounds.high, best_move(bounds, children, units=units), nodes))
    for move, child in children.items():
        after = game.play(s, move)
        if (child.low > -TOP or child.high < TOP) and not game.over(after):
            known.note(after, ProvenScore(child.low, child.high, None, nodes // len(children)))


def join(
    game: Game, s: State, bounds: Bounds, children: Mapping[int, Bounds], *, units: bool = False
) -> None:
    """Minimax of bounds: a position is worth as much as the best of its moves, and none of them more."""
    if not children:
        return
    first, up, down = game.mover(s) == 0, (_as_it_is if units else later), (_as_it_is if units else sooner)
    best = max if first else min
    tighten(
        bounds,
        up(best(child.low for child in children.values())),
        up(best(child.high for child in children.values())),
    )
    for child in children.values():
        tighten(child, -TOP if first else down(bounds.low), down(bounds.high) if first else TOP)


def tighten(bounds: Bounds, low: int, high: int) -> None:
    """Takes in that a score is from `low` to `high`."""
    bounds.low, bounds.high = max(bounds.low, low), min(bounds.high, high)


def best_move(bounds: Bounds, children: Mapping[int, Bounds], *, units: bool = False) -> int | None:
    """A move that leads to the score of a position, where both are exact."""
    if not bounds.exact:
        return None
    score = bounds.low if units else sooner(bounds.low)
    return next((move for move, child in children.items() if child.exact and child.low == score), None)


def _as_it_is(score: int) -> int:
    return score
