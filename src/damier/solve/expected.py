"""The exact payoff of every position of a graph: margins where no dice are thrown, expected payoffs
where they are (docs/decisions/0052). Play that never ends is worth nothing to either player (H.
Everett, "Recursive games", 1957 [Everett57]).

no position comes back      backward induction: one pass, children first
positions come back         passes from 0 on, until nothing changes: whoever can force a payoff gets it
... and dice are thrown     two bounds that meet (`narrow_all`), as in interval iteration [Haddad18];
                            who can stay for good among positions gets no less than nothing, and no
                            more than the other's best way out, which is how the bounds get on
                            (E. Kelmendi, J. Krämer, J. Křetínský and M. Weininger, "Value iteration
                            for simple stochastic games", 2018 [Kelmendi18])
"""

from __future__ import annotations

from typing import NamedTuple

from damier.core.arrays import Floats, Ints
from damier.core.errors import LimitReached
from damier.core.tiers import Allowance
from damier.core.words import FormattedNumber, message
from damier.solve.graph import Graph
from damier.solve.interval_iteration import where_it_stays
from damier.solve.reach import BOUND, TooMany, require_allowed

ROUNDS, PASSES = 40, 1000
"""Rounds over all positions, and passes over those of one component in a round, after which it is
given up.
"""
EVEN = 1e-12
"""Two bounds that are one, but for rounding."""


class Payoffs(NamedTuple):
    """The payoff of every position to player 0; how far one may be from the right one; how it was
    found.
    """

    values: Floats
    bound: float
    method: str


def payoffs(positions: Graph, bound: float = BOUND, allowance: Allowance | None = None) -> Payoffs:
    """The payoff of every position to player 0 where both play best.

    Raises LimitReached where the bounds do not meet, TooMany where the allowance ends.
    """
    allowance = allowance or Allowance()
    visits = positions.ints(2)
    visits[0] = allowance.visits

    def stop() -> None:
        visits[0] = 0

    with allowance.watched(stop):
        return _payoffs(positions, bound, visits)


def _payoffs(positions: Graph, bound: float, visits: Ints) -> Payoffs:
    """`payoffs`, with so many visits of positions: how many are allowed, and how many there were."""
    n = len(positions)
    best = positions.floats(n)
    positions.engine(set_payoffs)(positions.first, positions.ends, best)
    if not positions.cyclic:
        positions.engine(improve)(*positions.columns, positions.odds, best)
        return Payoffs(best, 0.0, "backward-induction")
    if not positions.game.stochastic:
        run = positions.engine(improve)
        while run(*positions.columns, positions.odds, best):
            visits[1] += n
            _require_visits(visits)
        return Payoffs(best, 0.0, "fixed-point")
    return _between_bounds(positions, bound, visits)


def _require_visits(visits: Ints) -> None:
    """Raises TooMany where no more are allowed."""
    if visits[1] >= visits[0]:
        raise TooMany


def _between_bounds(positions: Graph, bound: float, visits: Ints) -> Payoffs:
    """Payoffs from below and from above, until they meet."""
    n = len(positions)
    low, high = positions.floats(n), positions.floats(n)
    positions.engine(set_bounds)(positions.first, positions.ends, low, high)
    narrow = positions.engine(narrow_all)
    apart = before = float("inf")
    for number in range(ROUNDS):
        enough = bound / 10 ** (1 + number)
        apart = narrow(
            *positions.columns, positions.odds, positions.component, low, high, enough, PASSES, visits
        )
        _require_visits(visits)
        if apart <= bound:
            values = positions.floats(n)
            positions.engine(set_means)(low, high, values)
            return Payoffs(values, apart / 2, "interval-iteration")
        moved = _bound_staying(positions, low, high, enough)
        if not moved and apart >= before:
            break
        before = apart
    raise LimitReached(
        message(
            "{game}: play goes round for too long: payoffs are known to {apart} only, not to {bound}",
            game=positions.game.text,
            apart=FormattedNumber(apart, ".2g"),
            bound=FormattedNumber(bound),
        ),
        {"bound": apart},
    )


def _bound_staying(positions: Graph, low: Floats, high: Floats, even: float) -> int:
    """Bounds the payoffs of positions among which a player can stay for good; returns how many
    bounds became tighter.
    """
    moved = 0
    for player, mine, theirs in ((1, low, high), (0, high, low)):
        staying = _where_it_stays(positions, player, mine, even)
        leave = positions.floats(len(positions) + 1)
        moved += positions.engine(bound_by_exits)(
            positions.first, positions.child, positions.movers, staying, 1 - player, theirs, leave
        )
    return moved


def _where_it_stays(positions: Graph, player: int, bounds: Floats, even: float) -> Ints:
    """The end components in which `player` keeps to its best moves, by `bounds` and but for `even`,
    and the other to any: the number of the component of each position, 0 if it is in none.
    """
    kept, choosers = positions.ints(len(positions.moves)), positions.ints(len(positions))
    positions.engine(keep_best)(
        positions.first,
        positions.child,
        positions.movers,
        positions.odds,
        player,
        bounds,
        even,
        kept,
        choosers,
    )
    return where_it_stays(positions, choosers, positions.odds, 0, kept)


def can_go_round(positions: Graph, allowance: Allowance) -> bool:
    """Return whether play may go on for ever, if the players want it. Raises TooMany where the allowance
    ends.
    """
    ending = positions.ints(len(positions))
    mark = positions.engine(mark_ending_surely)
    while mark(*positions.columns, positions.odds, ending):
        require_allowed(allowance, len(positions))
    return not bool(min(ending))


def mark_ending_surely(
    order: Ints, first: Ints, child: Ints, movers: Ints, odds: Floats, ending: Ints
) -> int:
    """Marks, one pass, the positions from which play may end whatever the players do; returns how
    many are new.
    """
    new = 0
    for number in range(len(order)):
        here = order[number]
        if not ending[here]:
            all_, some = True, first[here] == first[here + 1]
            for edge in range(first[here], first[here + 1]):
                if ending[child[edge]]:
                    some = some or movers[here] >= 0 or odds[edge] > 0
                else:
                    all_ = False
            if some and (all_ or movers[here] < 0):
                ending[here] = 1
                new += 1
    return new


def set_payoffs(first: Ints, ends: Ints, best: Floats) -> None:
    """The payoffs where the game is over."""
    for here in range(len(best)):
        if first[here] == first[here + 1]:
            best[here] = float(ends[here])


def set_bounds(first: Ints, ends: Ints, low: Floats, high: Floats) -> None:
    """Payoffs are known where the game is over, and elsewhere between the least and the largest of
    them, or nothing, which play that never ends is worth.
    """
    least, most = 0.0, 0.0
    for here in range(len(low)):
        if first[here] == first[here + 1]:
            least, most = min(least, float(ends[here])), max(most, float(ends[here]))
    for here in range(len(low)):
        if first[here] == first[here + 1]:
            low[here] = high[here] = float(ends[here])
        else:
            low[here], high[here] = least, most


def set_means(low: Floats, high: Floats, values: Floats) -> None:
    """The middle between two bounds."""
    for here in range(len(values)):
        values[here] = (low[here] + high[here]) / 2


def backed_up(begin: int, end: int, mover: int, child: Ints, odds: Floats, values: Floats) -> float:
    """Return what a position is worth whose moves are begin to end."""
    if mover < 0:
        mean = 0.0
        for edge in range(begin, end):
            mean += odds[edge] * values[child[edge]]
        return mean
    best = values[child[begin]]
    for edge in range(begin + 1, end):
        found = values[child[edge]]
        if (found > best) if mover == 0 else (found < best):
            best = found
    return best


def improve(order: Ints, first: Ints, child: Ints, movers: Ints, odds: Floats, best: Floats) -> int:
    """Backs up every position once, children first; returns how many payoffs have changed."""
    changed = 0
    for number in range(len(order)):
        here = order[number]
        if first[here] < first[here + 1]:
            found = backed_up(first[here], first[here + 1], movers[here], child, odds, best)
            if found != best[here]:
                best[here] = found
                changed += 1
    return changed


def narrow_all(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    odds: Floats,
    component: Ints,
    low: Floats,
    high: Floats,
    enough: float,
    passes: int,
    visits: Ints,
) -> float:
    """Brings both bounds nearer to each other, component by component, until they are `enough` or
    hardly move; returns how far they are apart at most. Stops where no more visits are allowed.
    """
    widest = 0.0
    begin = 0
    while begin < len(order):
        stop = begin + 1
        while stop < len(order) and component[order[stop]] == component[order[begin]]:
            stop += 1
        left, apart, moved = passes, 1.0 + enough, 1.0 + enough
        while left > 0 and apart > enough and moved > enough / 1000 and visits[1] < visits[0]:
            left -= 1
            visits[1] += stop - begin
            apart, moved = 0.0, 0.0
            for number in range(begin, stop):
                here = order[number]
                if first[here] < first[here + 1]:
                    lower = backed_up(first[here], first[here + 1], movers[here], child, odds, low)
                    upper = backed_up(first[here], first[here + 1], movers[here], child, odds, high)
                    if lower > low[here]:
                        moved = max(moved, lower - low[here])
                        low[here] = lower
                    if upper < high[here]:
                        moved = max(moved, high[here] - upper)
                        high[here] = upper
                    apart = max(apart, high[here] - low[here])
        widest = max(widest, apart)
        begin = stop
    return widest


def keep_best(
    first: Ints,
    child: Ints,
    movers: Ints,
    odds: Floats,
    player: int,
    bounds: Floats,
    even: float,
    kept: Ints,
    choosers: Ints,
) -> None:
    """Keeps the best moves of a player, by some bounds, all of the other, and the throws that can
    come. choosers: 0 where somebody chooses, -1 where a die does.
    """
    for here in range(len(choosers)):
        choosers[here] = 0 if movers[here] >= 0 else -1
        if first[here] < first[here + 1]:
            best = backed_up(first[here], first[here + 1], movers[here], child, odds, bounds)
            for edge in range(first[here], first[here + 1]):
                if movers[here] < 0:
                    kept[edge] = 1 if odds[edge] > 0 else 0
                else:
                    kept[edge] = 1 if movers[here] != player or abs(bounds[child[edge]] - best) <= even else 0


def bound_by_exits(
    first: Ints, child: Ints, movers: Ints, staying: Ints, leaver: int, bounds: Floats, leave: Floats
) -> int:
    """Return where the other player can stay for good, `leaver` gets nothing, or what its best way out is
    worth, by `bounds`; returns how many of them became tighter.
    """
    sign = 1.0 if leaver == 0 else -1.0
    for here in range(len(staying)):
        if staying[here] and movers[here] == leaver:
            for edge in range(first[here], first[here + 1]):
                if staying[child[edge]] != staying[here]:
                    leave[staying[here]] = max(leave[staying[here]], sign * bounds[child[edge]])
    tighter = 0
    for here in range(len(staying)):
        if staying[here] and leave[staying[here]] < sign * bounds[here] - EVEN:
            bounds[here] = sign * leave[staying[here]]
            tighter += 1
    return tighter
