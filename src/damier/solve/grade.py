"""Exact grades: what a policy gets against another, and how often it keeps the value of a
position. No game is sampled.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from damier.core.analysis import TWO_PLAYERS, require
from damier.core.arrays import FloatArray, Floats, IntArray, Ints, np
from damier.core.codes import code_at
from damier.core.game import Game
from damier.core.grade import Chances, Grade
from damier.core.job import Job, Workers
from damier.core.open_addressing import flat
from damier.core.past import words_of_key
from damier.core.player import Arrays, BatchPolicy, Policy
from damier.core.rules import State, unkey
from damier.core.solution import DIGITS
from damier.core.tiers import PLAIN_POSITIONS, tier
from damier.core.words import _
from damier.solve import expected, interval_iteration
from damier.solve.dispatch import note_no_past, refuse_too_large, refuse_unsuitable
from damier.solve.graph import LONG, Graph, bytes_of, graph
from damier.solve.reach import BeyondWins, has_at_most, prepared

if TYPE_CHECKING:
    from numpy.typing import NDArray

SEATS = (0, 1)
PROGRESS_EVERY = 1024
"""Positions in which a policy is asked between two signs of life."""


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
        note_no_past(game, job)
        self._positions = positions = _graph(game, job)
        if positions.cyclic:
            job.note(_("in {game} a position can come back: play that never ends is a draw", game=game.text))
        self._theirs = theirs = weights_of(positions, against, job)
        self._job, self._jobs = job, jobs_of(positions, job)
        with Workers(self._jobs) as workers:
            responses = [workers.begin(partial(responded, positions, theirs, seat)) for seat in SEATS]
            known = workers.begin(partial(values, positions))
            self._best_response_values = (responses[0](), responses[1]())
            self._best, self._even = known()

    @property
    def positions(self) -> int:
        """Return how many positions there are."""
        return len(self._positions)

    @property
    def graph(self) -> Graph:
        """The positions and their moves."""
        return self._positions

    def values_to_movers(self) -> FloatArray:
        """Return what each position is worth to who is to move; at chance nodes to player 1."""
        return np.asarray(self._best, np.float64) * np.where(np.asarray(self._positions.movers) == 0, 1, -1)

    def losses(self) -> FloatArray:
        """Return what each move of each position gives away of its exact value, to who plays it."""
        graph, best = self._positions, np.asarray(self._best, np.float64)
        counts = np.diff(np.asarray(graph.first))
        sides = np.where(np.asarray(graph.movers) == 0, 1, -1)
        found = np.repeat(best * sides, counts) - best[np.asarray(graph.child)] * np.repeat(sides, counts)
        return np.where(np.abs(found) <= self._even, 0.0, found)

    @property
    def cost(self) -> int:
        """Return how many positions every grade looks at, each as often as it does."""
        return len(self._positions) * (interval_iteration.USUAL_PASSES if self._positions.cyclic else 1)

    def grade(self, policy: Policy) -> Grade:
        """The exact grade of a policy."""
        positions, theirs = self._positions, self._theirs
        ours = weights_of(positions, policy, self._job)
        pairs = ((ours, theirs), (theirs, ours))
        with Workers(self._jobs) as workers:
            found = [workers.begin(partial(reached_by, positions, *pairs[seat], seat)) for seat in SEATS]
            kept = workers.begin(partial(self._kept, ours, found[0](), found[1]()))
            responses = [workers.begin(partial(responded, positions, ours, seat)) for seat in SEATS]
            chances = [workers.begin(partial(evaluated, positions, *pairs[seat], seat)) for seat in SEATS]
            seats, best_response = (chances[0](), chances[1]()), (responses[0](), responses[1]())
            sums = kept()
        return Grade(
            seats=seats,
            best_against=self._best_response_values,
            best_response=best_response,
            optimal_share_all=float(sums[0] / sums[1]) if sums[1] else 1.0,
            optimal_share_reached=float(sums[2] / sums[3]) if sums[3] else 1.0,
            states=int(sums[1]),
        )

    def _kept(self, ours: Floats, by_first: Ints, by_second: Ints) -> Floats:
        """The sums of `share`."""
        positions = self._positions
        sums = positions.floats(4)
        positions.engine(share)(*positions.columns, ours, self._best, self._even, by_first, by_second, sums)
        return sums


def jobs_of(positions: Graph, job: Job) -> int:
    """Return how many cores share a grade: one where there are so few positions that sharing costs more
    than it saves, and no more than the budget has room for.
    """
    n, edges = len(positions), len(positions.moves)
    if not positions.jit or n < LONG:
        return 1
    simple = not positions.cyclic and not positions.in_payoffs
    each = 8 * (2 * n if simple else 12 * n + 3 * edges)  # of one that works beside another
    return max(1, min(job.jobs, 1 + (job.memory - bytes_of(n, edges, positions.game)) // each))


def refuse_ungradable(game: Game) -> None:
    """Raises Unsuitable, by name, where no exact grade exists for a game."""
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
    if job.jit is None and has_at_most(game, PLAIN_POSITIONS // 10, job):
        return graph(game, job, jit=False)

    def prepare(start: State, little: Job) -> None:
        graph(game, little, jit=True, start=start)

    # it is compiled here: many grades follow, each a hundred times as fast
    rising = tier(game, "graph", prepared(prepare, game))
    return graph(game, job, jit=rising.rises(replace(job, jit=job.jit is not False), 0.0))


def values(positions: Graph) -> tuple[Floats, float]:
    """The value of every position to player 0, and by how much two values may differ that are one."""
    found = expected.payoffs(positions)
    return found.values, max(DIGITS, 2 * found.bound) if positions.game.stochastic else 0.0


def reached_by(positions: Graph, ours: Floats, theirs: Floats, seat: int) -> Ints:
    """Return what `mark_reached` marks of every position, when player 0 plays by `ours` and player 1 by
    `theirs`.
    """
    reached = positions.ints(len(positions))
    mark = positions.engine(mark_reached)
    while mark(*positions.columns, ours, theirs, seat, reached) and positions.cyclic:
        pass
    return reached


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
    """Marks, one pass, the positions that can come up: 1, and 2 where the player at `seat` decides.
    Returns how many are new.
    """
    new = 0
    reached[0] |= 1
    for number in range(len(order) - 1, -1, -1):
        here = order[number]
        if reached[here]:
            weights = ours if movers[here] == 0 else theirs
            if movers[here] == seat and first[here] < first[here + 1]:
                reached[here] |= 2
            for edge in range(first[here], first[here + 1]):
                if weights[edge] > 0 and not reached[child[edge]]:
                    reached[child[edge]] = 1
                    new += 1
    return new


def share(
    order: Ints,
    first: Ints,
    child: Ints,
    movers: Ints,
    weights: Floats,
    best: Floats,
    even: float,
    by_first: Ints,
    by_second: Ints,
    sums: Floats,
) -> None:
    """sums: probability of moves that keep the value (but for `even`), positions; the same over those
    that `mark_reached` says are decided, at either seat.
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
            if by_first[here] & 2 or by_second[here] & 2:
                sums[2] += kept
                sums[3] += 1


# What policies are worth, exactly: policy evaluation and best responses by one pass over all
# positions, children first (Sutton & Barto, Reinforcement Learning [SuttonBarto], section 4.1). Where a
# position can come back, play that never ends is a draw (`damier.solve.interval_iteration`).
#
# A policy is a weight for every move of every position; what the weights of a position lack to 1
# resigns, and resigning loses as much as a game can cost. Throws of dice have the weights of their
# odds under every policy. Where ends are worth more than a win, a draw or a loss, an end counts as a
# win by its payoff in parts of the largest, so that one arithmetic serves all (docs/decisions/0052).


def weights_of(positions: Graph, policy: Policy, job: Job) -> Floats:
    """A weight for every move of every position."""
    if isinstance(policy, BatchPolicy):
        return with_odds(positions, weights_in_batches(positions, policy))
    weights = positions.floats(len(positions.moves))
    kernel = policy.kernel(jit=True) if positions.jit else None
    if kernel is not None and kernel.action_probabilities is not None:
        scratch = positions.floats(positions.game.most_moves())
        fill = positions.engine(fill_weights, {action_probabilities: kernel.action_probabilities})
        assert not isinstance(positions.states, list)
        listed = (flat(positions.states), positions.first, positions.moves, positions.movers)
        fill(*listed, kernel.arrays, scratch, weights)
        return with_odds(positions, weights)
    game = positions.game
    for index, state in enumerate(positions.listed()):
        if index and index % PROGRESS_EVERY == 0:
            job.progress(index, len(positions), _("positions decided"))
        begin, end = int(positions.first[index]), int(positions.first[index + 1])
        if begin < end and positions.movers[index] >= 0:
            likely = policy.probabilities(game, state)
            for edge in range(begin, end):
                weights[edge] = likely.get(int(positions.moves[edge]), 0.0)
    return with_odds(positions, weights)


class DecisionNodes(NamedTuple):
    """The positions in which somebody decides, as a policy is asked about them at once.

    Attributes:
        codes: [nodes, words] their keys
        first: [nodes + 1] the number of the first move of each, among their moves
        positions: [positions] which of all they are; edges: [moves] which of all moves are theirs
    """

    codes: IntArray
    first: IntArray
    positions: NDArray[np.bool_]
    edges: NDArray[np.bool_]


def decision_nodes(positions: Graph) -> DecisionNodes:
    """Return the positions that are neither over nor chance nodes."""
    begins, states = np.asarray(positions.first, np.int64), positions.states
    counts = begins[1:] - begins[:-1]
    decided = (np.asarray(positions.movers) >= 0) & (counts > 0)
    if isinstance(states, list):
        codes = np.array([words_of_key(positions.game, s) for s in states], np.int64)
    else:
        codes = states.reshape(len(states), -1)
    first = np.concatenate([[0], np.cumsum(counts[decided])])
    return DecisionNodes(codes[decided], first, decided, np.repeat(decided, counts))


def weights_in_batches(positions: Graph, policy: BatchPolicy) -> Floats:
    """The weights of a policy that is asked about all positions at once, but for chance nodes."""
    nodes, moves = decision_nodes(positions), np.asarray(positions.moves, np.int64)
    found = np.zeros(len(moves))
    found[nodes.edges] = policy.batch_probabilities(nodes.codes, nodes.first, moves[nodes.edges])
    return found if positions.jit else found.tolist()


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
    """Return how the game ends for the player at `seat`, when both play by their weights."""
    ends, most = positions.ends, positions.most
    found = chances(positions, *_evaluated(positions, first_player, second_player, ends, most), seat)
    if most == 1:
        return found
    signs = positions.ints(len(positions))
    positions.engine(keep_signs)(positions.ends, signs)
    margin = most * found.payoff
    return replace(
        chances(positions, *_evaluated(positions, first_player, second_player, signs, 1), seat), margin=margin
    )


def _evaluated(
    positions: Graph, first_player: Floats, second_player: Floats, ends: Ints, most: int
) -> tuple[Floats, Floats]:
    """The chances of player 0 to win and to lose in every position, where an end counts as a win by
    its payoff in parts of `most`.
    """
    if positions.cyclic:
        return interval_iteration.evaluated(positions, first_player, second_player, ends, most)
    win, loss = positions.floats(len(positions)), positions.floats(len(positions))
    positions.engine(evaluate)(*positions.columns, ends, 1.0 / most, first_player, second_player, win, loss)
    return win, loss


def responded(positions: Graph, weights: Floats, seat: int) -> Chances:
    """The best that a player at `seat` can get against an opponent that plays by its weights."""
    if positions.cyclic:
        chosen = interval_iteration.responded(positions, weights, seat)
    else:
        win, loss = positions.floats(len(positions)), positions.floats(len(positions))
        chosen = positions.floats(0 if positions.most == 1 else len(positions.moves))
        positions.engine(respond)(
            *positions.columns, positions.ends, 1.0 / positions.most, weights, seat, win, loss, chosen
        )
        if positions.most == 1:
            return chances(positions, win, loss, seat)
    with_odds(positions, chosen)
    return evaluated(positions, *((chosen, weights) if seat == 0 else (weights, chosen)), seat)


def chances(positions: Graph, win: Floats, loss: Floats, seat: int) -> Chances:
    """The chances at the start for the player at `seat`, from those of player 0.

    What they lack to 1 is a draw; where no game is drawn, only rounding makes them lack anything.
    """
    won, lost = float(win[0]), float(loss[0])
    drawn = max(0.0, 1 - won - lost) if positions.drawn else 0.0
    return Chances(won, drawn, lost) if seat == 0 else Chances(lost, drawn, won)


def keep_signs(ends: Ints, signs: Ints) -> None:
    """Keep who wins, whatever it is worth."""
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
    chosen: Floats,
) -> None:
    """The chances of player 0 in every position, when `responder` maximises its payoff and the
    other plays by its weights. chosen: a weight of 1 for the first of the best moves of every position of
    `responder`, unless it has no room.
    """
    sign = 1.0 if responder == 0 else -1.0
    for number in range(len(order)):
        here = order[number]
        if first[here] == first[here + 1]:
            win[here] = ends[here] * part if ends[here] > 0 else 0.0
            loss[here] = -ends[here] * part if ends[here] < 0 else 0.0
        elif movers[here] == responder:
            move = first[here]
            best = child[move]
            for edge in range(first[here] + 1, first[here + 1]):
                other = child[edge]
                if sign * (win[other] - loss[other]) > sign * (win[best] - loss[best]):
                    move, best = edge, other
            win[here], loss[here] = win[best], loss[best]
            if len(chosen):
                chosen[move] = 1.0
        else:
            average(here, first, child, movers, weights, win, loss)
