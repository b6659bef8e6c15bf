"""Exact grades: policy evaluation and best responses by one pass over all positions, children first
(Sutton & Barto, Reinforcement Learning [SuttonBarto], section 4.1). No game is sampled. Where a
position can come back, play that never ends is a draw (`damier.solve.endless`).

A policy is a weight for every move of every position; what the weights of a position lack to 1
resigns, and resigning loses as much as a game can cost. Throws of dice have the weights of their
odds under every policy. Where ends are worth more than a win, a draw or a loss, an end counts as a
win by its payoff in parts of the largest, so that one arithmetic serves all (docs/decisions/0052).
"""

from __future__ import annotations

from dataclasses import replace

from damier.core.arrays import Floats, IntArray, Ints
from damier.core.game import Game
from damier.core.grade import Chances, Grade
from damier.core.job import Job
from damier.core.player import Arrays, Policy
from damier.core.requirements import TWO_PLAYERS, require
from damier.core.rules import State, unkey
from damier.core.tiers import PLAIN_POSITIONS, Allowance, tier
from damier.core.words import _
from damier.core.worth import DIGITS
from damier.solve import endless, expected, interval_iteration
from damier.solve.door import refuse_too_large, refuse_unsuitable
from damier.solve.graph import Graph, graph
from damier.solve.late import prepared
from damier.solve.reach import TooMany, pure_layers
from damier.solve.units import BeyondWins


def grade(game: Game, policy: Policy, against: Policy, job: Job | None = None) -> Grade:
    """The exact grade of `policy` against another.

    Raises Unsuitable and LimitReached.
    """
    return Grader(game, against, job or Job()).grade(policy)


class Grader:
    """Grades policies against one opponent, which must not change: the positions, their values and
    the best-response values are worked out once.
    """

    def __init__(self, game: Game, against: Policy, job: Job) -> None:
        """Raises Unsuitable and LimitReached."""
        refuse_ungradable(game)
        refuse_too_large(game, job)
        self._positions = positions = _graph(game, job)
        if positions.cyclic:
            job.note(_("in {game} a position can come back: play that never ends is a draw", game=game.text))
        self._theirs = weights_of(positions, against)
        self._best, self._even = values(positions)
        self._best_response_values = (
            responded(positions, self._theirs, 0),
            responded(positions, self._theirs, 1),
        )

    @property
    def positions(self) -> int:
        """How many positions there are."""
        return len(self._positions)

    @property
    def cost(self) -> int:
        """How many positions every grade looks at, each as often as it does."""
        return len(self._positions) * (endless.USUAL_PASSES if self._positions.cyclic else 1)

    def grade(self, policy: Policy) -> Grade:
        """The exact grade of a policy."""
        positions, theirs = self._positions, self._theirs
        ours = weights_of(positions, policy)
        reached = positions.ints(len(positions))
        for seat, pair in enumerate(((ours, theirs), (theirs, ours))):
            find_reached(positions, *pair, seat, reached)
        sums = positions.floats(4)
        graph = (positions.order, positions.first, positions.child, positions.movers)
        positions.engine(share)(*graph, ours, self._best, self._even, reached, sums)
        return Grade(
            seats=(evaluated(positions, ours, theirs, 0), evaluated(positions, theirs, ours, 1)),
            best_against=self._best_response_values,
            best_response=(responded(positions, ours, 0), responded(positions, ours, 1)),
            optimal_share_all=float(sums[0] / sums[1]) if sums[1] else 1.0,
            optimal_share_reached=float(sums[2] / sums[3]) if sums[3] else 1.0,
            states=int(sums[1]),
        )


def refuse_ungradable(game: Game) -> None:
    """Raises Unsuitable, by name, where no exact grade exists for a game, LimitReached where its
    positions are too wide.
    """
    require(game, "grade", TWO_PLAYERS)
    refuse_unsuitable(game, "grade")


def _graph(game: Game, job: Job) -> Graph:
    """The graph of a game, of whichever kind its payoffs turn out to be."""
    try:
        return _graph_of_kind(game, job)
    except BeyondWins:
        return _graph_of_kind(game, job)


def _graph_of_kind(game: Game, job: Job) -> Graph:
    """The graph of a game: plain Python for a small one, or one that Numba cannot compile."""
    if job.jit is None:
        try:
            few = Allowance(PLAIN_POSITIONS // 10)
            for _layer in pure_layers(game, game.start, job, allowance=few):
                pass
            return graph(game, job, jit=False)
        except TooMany:
            pass

    def prepare(start: State, little: Job) -> None:
        graph(game, little, jit=True, start=start)

    # it is compiled here: many grades follow, each a hundred times as fast
    rising = tier(game, "graph", prepared(prepare, game))
    return graph(game, job, jit=rising.rises(replace(job, jit=job.jit is not False), 0.0))


def weights_of(positions: Graph, policy: Policy) -> Floats:
    """A weight for every move of every position."""
    weights = positions.floats(len(positions.moves))
    kernel = policy.kernel(jit=True) if positions.jit else None
    if kernel is not None and kernel.action_probabilities is not None:
        scratch = positions.floats(positions.game.most_moves())
        fill = positions.engine(fill_weights, {action_probabilities: kernel.action_probabilities})
        assert not isinstance(positions.states, list)
        graph = (positions.states, positions.first, positions.moves, positions.movers)
        fill(*graph, kernel.arrays, scratch, weights)
        return with_odds(positions, weights)
    game = positions.game
    for index, state in enumerate(positions.states):
        begin, end = int(positions.first[index]), int(positions.first[index + 1])
        if begin < end and positions.movers[index] >= 0:
            likely = policy.probabilities(game, game.unkey(int(state)) if positions.jit else state)
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
    for index in range(len(states)):
        if first[index] < first[index + 1] and movers[index] >= 0:
            action_probabilities(unkey(states[index]), arrays, scratch)
            for edge in range(first[index], first[index + 1]):
                weights[edge] = scratch[edge - first[index]]


def values(positions: Graph) -> tuple[Ints | Floats, float]:
    """The value of every position to player 0, and by how much two values may differ that are one."""
    if positions.in_payoffs:
        found = expected.payoffs(positions)
        return found.values, max(DIGITS, 2 * found.bound) if positions.game.stochastic else 0.0
    if positions.cyclic:
        return endless.minimax(positions), 0.0
    best = positions.ints(len(positions))
    run = positions.engine(minimax)
    run(positions.order, positions.first, positions.child, positions.movers, positions.ends, best)
    return best, 0.0


def find_reached(positions: Graph, ours: Floats, theirs: Floats, seat: int, reached: Ints) -> None:
    """Marks the positions that can come up when one of the policies sits at `seat`."""
    graph = (positions.order, positions.first, positions.child, positions.movers)
    mark = positions.engine(mark_reached)
    while mark(*graph, ours, theirs, seat, reached) and positions.cyclic:
        pass


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


def minimax(order: Ints, first: Ints, child: Ints, movers: Ints, ends: Ints, best: Ints) -> None:
    """The value of every position to player 0."""
    for number in range(len(order)):
        here = order[number]
        best[here] = ends[here]
        if first[here] < first[here + 1]:
            ours = 1 if movers[here] == 0 else -1
            value = -1
            for edge in range(first[here], first[here + 1]):
                value = max(value, ours * best[child[edge]])
            best[here] = ours * value


def mark_reached(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    ours: Floats,
    theirs: Floats,
    seat: int,
    reached: Ints,
) -> int:
    """Marks, one pass, the positions that can come up when one of the policies sits at `seat`: 1, and 2
    where it is to move; shifted by 2 for seat 1. Returns how many are new.
    """
    can, decides = 1 << 2 * seat, 2 << 2 * seat
    new = 0
    reached[0] |= can
    for number in range(len(order) - 1, -1, -1):
        here = order[number]
        if reached[here] & can:
            weights = ours if movers[here] == 0 else theirs
            if movers[here] == seat and first[here] < first[here + 1]:
                reached[here] |= decides
            for edge in range(first[here], first[here + 1]):
                if weights[edge] > 0 and not reached[child[edge]] & can:
                    reached[child[edge]] |= can
                    new += 1
    return new


def share(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    weights: Floats,
    best: Ints | Floats,
    even: float,
    reached: Ints,
    sums: Floats,
) -> None:
    """sums: probability of moves that keep the value (but for `even`), positions; the same over the
    positions that are reached.
    """
    for number in range(len(order)):
        here = order[number]
        if first[here] < first[here + 1] and movers[here] >= 0:
            kept = 0.0
            for edge in range(first[here], first[here + 1]):
                found = best[child[edge]]
                if found == best[here] or (even > 0 and abs(found - best[here]) <= even):
                    kept += weights[edge]
            sums[0] += kept
            sums[1] += 1
            if reached[here] & 2 or reached[here] & 8:
                sums[2] += kept
                sums[3] += 1
