"""Exact grades of games in which a position can come back; play that never ends is a draw.

Two fixed policies make the game a Markov chain, whose chances are approached from below: what is
missing to 1 bounds the error. One fixed policy and one that answers best: `damier.solve.interval_iteration`.
"""

from __future__ import annotations

from damier.core.arrays import Floats, Ints
from damier.core.errors import LimitReached
from damier.core.words import FormattedNumber, message
from damier.solve.graph import Graph

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


def refuse_slow(positions: Graph, passes: int) -> None:
    """Raises LimitReached where a game goes round for so long that its chances are not known."""
    if passes >= PASSES:
        raise LimitReached(
            message(
                "{game}: after {n} passes over all positions its chances are not known to {bound}: play"
                " goes round for too long",
                game=positions.game.text,
                n=FormattedNumber(passes, ","),
                bound=FormattedNumber(BOUND),
            ),
            {"passes": passes},
        )


def evaluated(
    positions: Graph, first_player: Floats, second_player: Floats, ends: Ints, most: int
) -> tuple[Floats, Floats]:
    """The chances of player 0 to win and to lose in every position, both players by their weights; an
    end counts as a win by its payoff in parts of `most`.
    """
    n = len(positions)
    win, draw, loss, ending = positions.floats(n), positions.floats(n), positions.floats(n), positions.ints(n)
    graph = (positions.order, positions.first, positions.child, positions.movers)
    mark, go_over = positions.engine(mark_ending), positions.engine(average_all)
    while mark(*graph, first_player, second_player, ending):
        pass
    positions.engine(set_ends)(positions.first, ends, most, ending, win, draw, loss)
    for passes in range(0, PASSES + 1, STRIDE):
        if go_over(STRIDE, *graph, first_player, second_player, ending, win, draw, loss) <= BOUND:
            break
        refuse_slow(positions, passes)
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


def minimax(positions: Graph) -> Ints:
    """The value of every position to player 0: what nobody can force is a draw."""
    best = positions.ints(len(positions))
    run = positions.engine(force_all)
    graph = (positions.order, positions.first, positions.child, positions.movers, positions.ends)
    positions.engine(set_values)(positions.first, positions.ends, best)
    while run(*graph, best):
        pass
    return best


def set_values(first: Ints, ends: Ints, best: Ints) -> None:
    """The values where the game is over."""
    for here in range(len(best)):
        if first[here] == first[here + 1]:
            best[here] = ends[here]


def force_all(order: Ints, first: Ints, child: Ints, movers: Ints, ends: Ints, best: Ints) -> int:
    """Finds, one pass, who can force a win; returns in how many new positions."""
    new = 0
    for number in range(len(order)):
        here = order[number]
        if best[here] == 0 and first[here] < first[here + 1]:
            ours = 1 if movers[here] == 0 else -1
            most = -1
            for edge in range(first[here], first[here + 1]):
                most = max(most, ours * best[child[edge]])
            if most != 0:
                best[here] = ours * most
                new += 1
    return new
