"""What policies are worth, exactly: policy evaluation and best responses by one pass over all
positions, children first (Sutton & Barto, Reinforcement Learning [SuttonBarto], section 4.1). Where a
position can come back, play that never ends is a draw (`damier.solve.endless`).

A policy is a weight for every move of every position; what the weights of a position lack to 1
resigns, and resigning loses as much as a game can cost. Throws of dice have the weights of their
odds under every policy. Where ends are worth more than a win, a draw or a loss, an end counts as a
win by its payoff in parts of the largest, so that one arithmetic serves all (docs/decisions/0052).
"""

from __future__ import annotations

from dataclasses import replace

from damier.core.arrays import Floats, IntArray, Ints
from damier.core.codes import code_at
from damier.core.grade import Chances
from damier.core.open_addressing import flat
from damier.core.player import Arrays, Policy
from damier.core.rules import State, unkey
from damier.solve import endless, interval_iteration
from damier.solve.graph import Graph


def weights_of(positions: Graph, policy: Policy) -> Floats:
    """A weight for every move of every position."""
    weights = positions.floats(len(positions.moves))
    kernel = policy.kernel(jit=True) if positions.jit else None
    if kernel is not None and kernel.action_probabilities is not None:
        scratch = positions.floats(positions.game.most_moves())
        fill = positions.engine(fill_weights, {action_probabilities: kernel.action_probabilities})
        assert not isinstance(positions.states, list)
        graph = (flat(positions.states), positions.first, positions.moves, positions.movers)
        fill(*graph, kernel.arrays, scratch, weights)
        return with_odds(positions, weights)
    game = positions.game
    for index, state in enumerate(positions.listed()):
        begin, end = int(positions.first[index]), int(positions.first[index + 1])
        if begin < end and positions.movers[index] >= 0:
            likely = policy.probabilities(game, state)
            for edge in range(begin, end):
                weights[edge] = likely.get(int(positions.moves[edge]), 0.0)
    return with_odds(positions, weights)


def with_odds(positions: Graph, weights: Floats) -> Floats:
    """The weights, with those of throws of dice."""
    if positions.game.stochastic:
        positions.engine(fill_odds)(positions.first, positions.movers, positions.odds, weights)
    return weights


def fill_odds(first: Ints, movers: Ints, odds: Floats, weights: Floats) -> None:
    """Throws of dice weigh what they are likely."""
    for here in range(len(movers)):
        if movers[here] < 0:
            for edge in range(first[here], first[here + 1]):
                weights[edge] = odds[edge]


def action_probabilities(s: State, arrays: Arrays, weights: Floats) -> None:
    """Writes the weight of every legal move, in their order: bound to a policy's own."""
    raise TypeError("action_probabilities is bound by weights_of")


def fill_weights(
    states: IntArray,
    first: Ints,
    moves: Ints,
    movers: Ints,
    arrays: Arrays,
    scratch: Floats,
    weights: Floats,
) -> None:
    """The weights of every position, one after the other."""
    for index in range(len(movers)):
        if first[index] < first[index + 1] and movers[index] >= 0:
            action_probabilities(unkey(code_at(states, index)), arrays, scratch)
            for edge in range(first[index], first[index + 1]):
                weights[edge] = scratch[edge - first[index]]


def evaluated(positions: Graph, first_player: Floats, second_player: Floats, seat: int) -> Chances:
    """How the game ends for the player at `seat`, when both play by their weights."""
    found = chances(*_evaluated(positions, first_player, second_player, positions.ends, positions.most), seat)
    if positions.most == 1:
        return found
    signs = positions.ints(len(positions))
    positions.engine(keep_signs)(positions.ends, signs)
    margin = positions.most * found.payoff
    return replace(
        chances(*_evaluated(positions, first_player, second_player, signs, 1), seat), margin=margin
    )


def _evaluated(
    positions: Graph, first_player: Floats, second_player: Floats, ends: Ints, most: int
) -> tuple[Floats, Floats]:
    """The chances of player 0 to win and to lose in every position, where an end counts as a win by
    its payoff in parts of `most`.
    """
    if positions.cyclic:
        return endless.evaluated(positions, first_player, second_player, ends, most)
    win, loss = positions.floats(len(positions)), positions.floats(len(positions))
    graph = (positions.order, positions.first, positions.child, positions.movers)
    positions.engine(evaluate)(*graph, ends, 1.0 / most, first_player, second_player, win, loss)
    return win, loss


def responded(positions: Graph, weights: Floats, seat: int) -> Chances:
    """The best that a player at `seat` can get against an opponent that plays by its weights."""
    if positions.cyclic:
        chosen = interval_iteration.responded(positions, weights, seat)
    else:
        win, loss = positions.floats(len(positions)), positions.floats(len(positions))
        graph = (positions.order, positions.first, positions.child, positions.movers)
        positions.engine(respond)(*graph, positions.ends, 1.0 / positions.most, weights, seat, win, loss)
        if positions.most == 1:
            return chances(win, loss, seat)
        chosen = positions.floats(len(positions.moves))
        positions.engine(choose_best_child)(*graph, seat, win, loss, chosen)
    with_odds(positions, chosen)
    return evaluated(positions, *((chosen, weights) if seat == 0 else (weights, chosen)), seat)


def chances(win: Floats, loss: Floats, seat: int) -> Chances:
    """The chances at the start for the player at `seat`, from those of player 0."""
    won, lost = float(win[0]), float(loss[0])
    return (
        Chances(won, max(0.0, 1 - won - lost), lost)
        if seat == 0
        else Chances(lost, max(0.0, 1 - won - lost), won)
    )


def keep_signs(ends: Ints, signs: Ints) -> None:
    """Who wins, whatever it is worth."""
    for here in range(len(ends)):
        signs[here] = 1 if ends[here] > 0 else -1 if ends[here] < 0 else 0


def evaluate(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    ends: Ints,
    part: float,
    ours: Floats,
    theirs: Floats,
    win: Floats,
    loss: Floats,
) -> None:
    """The chances of player 0 in every position, when player 0 plays by `ours` and player 1 by
    `theirs`; an end counts as a win by its payoff times `part`.
    """
    for number in range(len(order)):
        here = order[number]
        if first[here] == first[here + 1]:
            win[here] = ends[here] * part if ends[here] > 0 else 0.0
            loss[here] = -ends[here] * part if ends[here] < 0 else 0.0
        else:
            average(here, first, child, movers, ours if movers[here] == 0 else theirs, win, loss)


def average(
    here: int, first: Ints, child: Ints, movers: Ints, weights: Floats, win: Floats, loss: Floats
) -> None:
    """The mean of the chances that the moves of `here` lead to; what is missing to 1 resigns."""
    won, lost, total = 0.0, 0.0, 0.0
    for edge in range(first[here], first[here + 1]):
        won += weights[edge] * win[child[edge]]
        lost += weights[edge] * loss[child[edge]]
        total += weights[edge]
    resigns = max(0.0, 1.0 - total) if total < 1.0 - 1e-12 else 0.0
    win[here] = won + (resigns if movers[here] == 1 else 0.0)
    loss[here] = lost + (resigns if movers[here] == 0 else 0.0)


def respond(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    ends: Ints,
    part: float,
    weights: Floats,
    responder: int,
    win: Floats,
    loss: Floats,
) -> None:
    """The chances of player 0 in every position, when `responder` maximises its payoff and the
    other plays by its weights.
    """
    sign = 1.0 if responder == 0 else -1.0
    for number in range(len(order)):
        here = order[number]
        if first[here] == first[here + 1]:
            win[here] = ends[here] * part if ends[here] > 0 else 0.0
            loss[here] = -ends[here] * part if ends[here] < 0 else 0.0
        elif movers[here] == responder:
            best = child[first[here]]
            for edge in range(first[here] + 1, first[here + 1]):
                other = child[edge]
                if sign * (win[other] - loss[other]) > sign * (win[best] - loss[best]):
                    best = other
            win[here], loss[here] = win[best], loss[best]
        else:
            average(here, first, child, movers, weights, win, loss)


def choose_best_child(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    responder: int,
    win: Floats,
    loss: Floats,
    chosen: Floats,
) -> None:
    """A weight of 1 for the first of the best moves of every position of `responder`."""
    sign = 1.0 if responder == 0 else -1.0
    for number in range(len(order)):
        here = order[number]
        if movers[here] == responder and first[here] < first[here + 1]:
            best = first[here]
            for edge in range(first[here] + 1, first[here + 1]):
                if sign * (win[child[edge]] - loss[child[edge]]) > sign * (
                    win[child[best]] - loss[child[best]]
                ):
                    best = edge
            chosen[best] = 1.0
