"""The best response to a policy in a game in which a position can come back: a Markov decision process.

An answer may go round for as long as it likes, so that sets of positions in which it can stay (maximal
end components; C. Baier and J.-P. Katoen, Principles of Model Checking [Baier08], section 10.6.3) are
one position each, with the choice to stay for good, which is a draw; then values from below and from
above meet (S. Haddad and B. Monmege, "Interval iteration algorithm for MDPs and IMDPs", 2018
[Haddad18]).
"""

from __future__ import annotations

from collections.abc import Callable

from damier.core.arrays import Floats, Ints
from damier.core.errors import LimitReached
from damier.core.words import FormattedNumber, message
from damier.solve.graph import ComponentScratch, Graph, strongly_connected


def responded(positions: Graph, weights: Floats, responder: int) -> Floats:
    """A weight of 1 for a best move of each position of `responder`, who maximises its payoff where the
    other plays by its weights.
    """
    n, edges = len(positions), len(positions.moves)
    kept, staying = _end_components(positions, weights, responder)
    low, high = positions.floats(n), positions.floats(n)
    fresh = (positions.floats(n + 1), positions.floats(n + 1))
    picked = positions.ints(n)
    positions.engine(set_bounds)(
        positions.first, positions.ends, positions.most, staying, responder, low, high
    )
    go_over = positions.engine(improve_all)
    pass_until_known(
        positions,
        lambda: go_over(
            STRIDE, *positions.columns, weights, kept, staying, responder, low, high, *fresh, picked
        ),
    )
    chosen, near = positions.floats(edges), positions.ints(n)
    positions.engine(choose)(*positions.columns, kept, staying, responder, low, picked, chosen, near)
    approach = positions.engine(approach_exit)
    while approach(*positions.columns, weights, kept, staying, responder, chosen, near):
        pass
    return chosen


def _end_components(positions: Graph, weights: Floats, responder: int) -> tuple[Ints, Ints]:
    """The moves inside maximal end components, and the number of the component that each position
    is in, 0 if it is in none.
    """
    kept = positions.ints(len(positions.moves))
    positions.engine(begin_narrowing)(positions.first, positions.movers, weights, responder, kept)
    return kept, where_it_stays(positions, positions.movers, weights, responder, kept)


def where_it_stays(positions: Graph, movers: Ints, weights: Floats, responder: int, kept: Ints) -> Ints:
    """The number of the maximal end component that each position is in, 0 if it is in none: of the moves that
    are `kept` only those stay that are inside one.
    """
    n = len(positions)
    staying, order = positions.ints(n), positions.ints(n)
    scratch = ComponentScratch(*(positions.ints(n) for _name in ComponentScratch._fields))
    component, narrow = positions.engine(strongly_connected), positions.engine(narrow_down)
    arrays = (positions.first, positions.child)
    while True:
        component(*arrays, kept, order, staying, *scratch)
        if not narrow(*arrays, movers, weights, responder, kept, staying):
            break
    positions.engine(drop_single)(positions.first, kept, staying)
    return staying


def begin_narrowing(first: Ints, movers: Ints, weights: Floats, responder: int, kept: Ints) -> None:
    """All moves that can be played: those of the responder, and those that the other ever plays."""
    for here in range(len(movers)):
        for edge in range(first[here], first[here + 1]):
            kept[edge] = 1 if movers[here] == responder or weights[edge] > 0 else 0


def narrow_down(
    first: Ints, child: Ints, movers: Ints, weights: Floats, responder: int, kept: Ints, component: Ints
) -> int:
    """Gives up what leaves its component: a move of the responder; a position of the other, with all its
    moves, where one that it may play leaves, or where it resigns. Returns how many moves were given up.
    """
    given_up = 0
    for here in range(len(component)):
        stays, total, had = True, 0.0, 0
        for edge in range(first[here], first[here + 1]):
            total += weights[edge]
            had += kept[edge]
            inside = kept[edge] and component[child[edge]] == component[here]
            if movers[here] == responder:
                if kept[edge] and not inside:
                    kept[edge] = 0
                    given_up += 1
            elif weights[edge] > 0 and not inside:
                stays = False
        if movers[here] != responder and had and (not stays or total < 1.0 - 1e-12):
            for edge in range(first[here], first[here + 1]):
                given_up += kept[edge]
                kept[edge] = 0
    return given_up


def drop_single(first: Ints, kept: Ints, component: Ints) -> None:
    """Component 0 for positions that no move is kept of: nobody stays there."""
    for here in range(len(component)):
        stays = 0
        for edge in range(first[here], first[here + 1]):
            stays += kept[edge]
        if not stays:
            component[here] = 0


def set_bounds(
    first: Ints, ends: Ints, most: int, staying: Ints, responder: int, low: Floats, high: Floats
) -> None:
    """Payoffs of the responder, in parts of `most`: known where the game is over, between -1 and 1
    elsewhere; who can stay for good gets 0 at least.
    """
    for here in range(len(low)):
        if first[here] == first[here + 1]:
            low[here] = high[here] = (ends[here] if responder == 0 else -ends[here]) / most
        else:
            low[here], high[here] = (0.0 if staying[here] else -1.0), 1.0


def improve_all(
    passes: int,
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    weights: Floats,
    kept: Ints,
    staying: Ints,
    responder: int,
    low: Floats,
    high: Floats,
    fresh_low: Floats,
    fresh_high: Floats,
    picked: Ints,
) -> float:
    """Goes so many times over all positions, both bounds; returns how far they are apart at most.

    picked: the move that raised the lower bound last, numbered from 1; what it leads to was ahead of it,
    so that play which follows these moves gets on.
    """
    apart = 2.0
    while passes > 0 and apart > BOUND:
        passes -= 1
        apart = 0.0
        for number in range(len(fresh_low)):
            fresh_low[number], fresh_high[number] = 0.0, 0.0  # to stay for good is worth 0
        for number in range(len(order)):
            here = order[number]
            if staying[here]:
                if movers[here] == responder:
                    component = staying[here]
                    for edge in range(first[here], first[here + 1]):
                        if not kept[edge]:
                            fresh_low[component] = max(fresh_low[component], low[child[edge]])
                            fresh_high[component] = max(fresh_high[component], high[child[edge]])
            elif first[here] < first[here + 1]:
                least, most, best = -1.0, -1.0, 0
                if movers[here] == responder:
                    for edge in range(first[here], first[here + 1]):
                        if low[child[edge]] > least:
                            least, best = low[child[edge]], edge + 1
                        most = max(most, high[child[edge]])
                else:
                    least, most, total = 0.0, 0.0, 0.0
                    for edge in range(first[here], first[here + 1]):
                        least += weights[edge] * low[child[edge]]
                        most += weights[edge] * high[child[edge]]
                        total += weights[edge]
                    resigns = max(0.0, 1.0 - total) if total < 1.0 - 1e-12 else 0.0
                    least, most = least + resigns, most + resigns
                if least > low[here]:
                    low[here], picked[here] = least, best
                high[here] = min(high[here], most)
                apart = max(apart, high[here] - low[here])
        for here in range(len(low)):
            component = staying[here]
            if component:
                low[here] = max(low[here], fresh_low[component])
                high[here] = min(high[here], fresh_high[component])
                apart = max(apart, high[here] - low[here])
    return apart


def choose(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    kept: Ints,
    staying: Ints,
    responder: int,
    low: Floats,
    picked: Ints,
    chosen: Floats,
    near: Ints,
) -> None:
    """One move for each position of the responder, weight 1: the one that was picked. Of a component that
    is worth leaving only the positions from which it is best left have one yet, and are `near`; else all
    there stay.
    """
    for number in range(len(order)):
        here = order[number]
        if movers[here] == responder and first[here] < first[here + 1]:
            move = picked[here] - 1
            if staying[here] and low[here] > BOUND:
                move = best_exit(first[here], first[here + 1], child, kept, low)
                if move < 0 or low[child[move]] < low[here] - BOUND:
                    continue
                near[here] = 1
            elif staying[here]:
                move = first[here]
                while not kept[move]:
                    move += 1
                near[here] = 1
            elif move < 0:
                move = first[here]  # all is lost
            chosen[move] = 1.0


def best_exit(begin: int, end: int, child: Ints, kept: Ints, low: Floats) -> int:
    """The best move of a position that leaves its component; -1 if it has none."""
    best = -1
    for edge in range(begin, end):
        if not kept[edge] and (best < 0 or low[child[edge]] > low[child[best]]):
            best = edge
    return best


def approach_exit(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    weights: Floats,
    kept: Ints,
    staying: Ints,
    responder: int,
    chosen: Floats,
    near: Ints,
) -> int:
    """Has the positions of a component, one pass, come nearer to an exit; returns how many are new."""
    new = 0
    for number in range(len(order)):
        here = order[number]
        if staying[here] and not near[here]:
            for edge in range(first[here], first[here + 1]):
                if kept[edge] and near[child[edge]] and not near[here]:
                    near[here] = 1
                    new += 1
                    if movers[here] == responder:
                        chosen[edge] = 1.0
    return new


# Exact grades of games in which a position can come back; play that never ends is a draw.
#
# Two fixed policies make the game a Markov chain, whose chances are approached from below: what is
# missing to 1 bounds the error. One fixed policy and one that answers best.

BOUND = 1e-10
"""How far a chance, or a value, may be from the exact one."""
PASSES = 1_000_000
"""Passes over all positions after which it is given up."""
USUAL_PASSES = 40
"""Passes of a grade for each of where no position comes back: 38 times as long for three men's morris as for
as many positions of tic-tac-toe.
"""
STRIDE = 100
"""Passes in one call: Ctrl-C is answered between calls."""


def pass_until_known(positions: Graph, go_over: Callable[[], float]) -> None:
    """Has an engine go over all positions, STRIDE times in one call, until what it answers is no more than
    BOUND. Raises LimitReached where a game goes round for so long that its chances are not known.
    """
    for _passes in range(0, PASSES + 1, STRIDE):
        if go_over() <= BOUND:
            return
    raise LimitReached(
        message(
            "{game}: after {n} passes over all positions its chances are not known to {bound}: play"
            " goes round for too long",
            game=positions.game.text,
            n=FormattedNumber(PASSES, ","),
            bound=FormattedNumber(BOUND),
        ),
        {"passes": PASSES},
    )


def evaluated(
    positions: Graph, first_player: Floats, second_player: Floats, ends: Ints, most: int
) -> tuple[Floats, Floats]:
    """The chances of player 0 to win and to lose in every position, both players by their weights; an
    end counts as a win by its payoff in parts of `most`.
    """
    n = len(positions)
    win, draw, loss, ending = positions.floats(n), positions.floats(n), positions.floats(n), positions.ints(n)
    mark, go_over = positions.engine(mark_ending), positions.engine(average_all)
    while mark(*positions.columns, first_player, second_player, ending):
        pass
    positions.engine(set_ends)(positions.first, ends, most, ending, win, draw, loss)
    pass_until_known(
        positions,
        lambda: go_over(STRIDE, *positions.columns, first_player, second_player, ending, win, draw, loss),
    )
    return win, loss


def mark_ending(
    order: Ints, first: Ints, child: Ints, movers: Ints, ours: Floats, theirs: Floats, ending: Ints
) -> int:
    """Marks, one pass, the positions from which play can end; returns how many are new."""
    new = 0
    for number in range(len(order)):
        here = order[number]
        if not ending[here]:
            weights = ours if movers[here] == 0 else theirs
            total, can = 0.0, first[here] == first[here + 1]
            for edge in range(first[here], first[here + 1]):
                total += weights[edge]
                if weights[edge] > 0 and ending[child[edge]]:
                    can = True
            if can or total < 1.0 - 1e-12:  # what is missing resigns
                ending[here] = 1
                new += 1
    return new


def set_ends(
    first: Ints, ends: Ints, most: int, ending: Ints, win: Floats, draw: Floats, loss: Floats
) -> None:
    """The chances where the game is over, and where play cannot end: a draw."""
    for here in range(len(ending)):
        if not ending[here]:
            draw[here] = 1.0
        elif first[here] == first[here + 1]:
            win[here] = max(0, ends[here]) / most
            loss[here] = max(0, -ends[here]) / most
            draw[here] = 1.0 - win[here] - loss[here]


def average_all(
    passes: int,
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    ours: Floats,
    theirs: Floats,
    ending: Ints,
    win: Floats,
    draw: Floats,
    loss: Floats,
) -> float:
    """Goes so many times over the positions from which play can end; returns what the chances of some
    position lack to 1 at most.
    """
    lacking = 1.0
    while passes > 0 and lacking > BOUND:
        passes -= 1
        lacking = 0.0
        for number in range(len(order)):
            here = order[number]
            if ending[here] and first[here] < first[here + 1]:
                weights = ours if movers[here] == 0 else theirs
                won, drawn, lost, total = 0.0, 0.0, 0.0, 0.0
                for edge in range(first[here], first[here + 1]):
                    won += weights[edge] * win[child[edge]]
                    drawn += weights[edge] * draw[child[edge]]
                    lost += weights[edge] * loss[child[edge]]
                    total += weights[edge]
                resigns = max(0.0, 1.0 - total) if total < 1.0 - 1e-12 else 0.0
                win[here] = won + (resigns if movers[here] == 1 else 0.0)
                loss[here] = lost + (resigns if movers[here] == 0 else 0.0)
                draw[here] = drawn
                lacking = max(lacking, 1.0 - win[here] - drawn - loss[here])
    return lacking
