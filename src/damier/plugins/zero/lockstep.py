"""Searches of many positions in lockstep: trees that grow side by side, and one batch of positions a step
for the network that judges them.

A simulation selects its way down from the root, at every position the move with the largest

    Q(s, a) + c · P(s, a) · sqrt(N(s)) / (1 + N(s, a))

(PUCT: D. Silver et al., "Mastering the game of Go without human knowledge", Nature 550, 2017
[Silver17]). It ends in a position that no simulation came to before, which the network judges, or at the end
of the game. Ends are backed up at once and exactly ([Winands08]): a position is proven where one move wins or
all are proven. At the root of a game of self-play noise is mixed with the priors; or moves are chosen
there by sequential halving with Gumbel noise (I. Danihelka et al., "Policy improvement by planning with
Gumbel", ICLR 2022 [Danihelka22]).

`grow` is called again and again: it takes what the network said of the positions that it asked for, goes on,
and asks for the next ones.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any, NamedTuple, Protocol, TypeAlias

from damier.core.arrays import Ints
from damier.core.bits import Rng, random_below, random_unit
from damier.core.codes import code_at, put_code
from damier.core.moves import count_moves, each
from damier.core.past import advance, mark, rewind
from damier.core.player import drawn_move, sample_chance
from damier.core.rules import (
    CHANCE,
    AnyPast,
    Key,
    State,
    canonical,
    chance,
    key,
    mover,
    moves,
    over,
    payoff,
    symmetries,
    turn,
    turn_move,
    unkey,
)

ROLLED = 1000
"""Plies after which a random game is given up, as a draw."""
UNTRIED = 0.2
"""A move that was never tried is taken to be worth so much less than its position (of 1, a whole win)."""


class Column(Protocol):
    """Numbers of one kind in both worlds: an array of NumPy, of one dimension or two; in plain Python a list,
    or a list of rows.
    """

    def __len__(self) -> int: ...

    def __getitem__(self, place: Any, /) -> Any: ...

    def __setitem__(self, place: Any, value: Any, /) -> None: ...


class SearchTrees(NamedTuple):
    """Trees side by side, each with as many nodes of these arrays; a tree's node 0 is its root.

    The moves of node i are the nodes first_child[i] … first_child[i] + child_count[i] - 1. `side` is 1 where
    player 0 is to move, -1 where player 1 is, 0 at chance nodes. `total` is what the simulations through a
    node were worth to player 0, from -1 to 1; so is `exact`, where `proven`.
    """

    first_child: Column
    child_count: Column
    side: Column
    move: Column
    prior: Column
    visits: Column
    total: Column
    proven: Column
    exact: Column


class SearchStates(NamedTuple):
    """State of each search, one entry a tree; `path` and `gumbel` have a row a tree.

    Attributes:
        active: whether its position is to be searched
        filled: nodes of the tree
        done: simulations so far
        waiting: the row of the batch in which the network judges its leaf; -1: none
        depth: plies from the root to that leaf
        path: the nodes on the way
        gumbel: Gumbel noise of the moves of the root
    """

    active: Column
    filled: Column
    done: Column
    waiting: Column
    depth: Column
    path: Column
    gumbel: Column


class SearchSettings(NamedTuple):
    """Settings of searches, as engines take them.

    Attributes:
        simulations: how many positions each search looks at, at most; 1: no search
        considered: moves of the root that sequential halving with Gumbel noise begins with; 0: PUCT
        c: how much priors count beside values
        noise: the share of Dirichlet noise in the priors of roots
        solve: whether ends of games are backed up exactly
        rollouts: how much of a leaf's value is the end of a random game; the rest is the network's
        scale: the payoff that counts as 1
    """

    simulations: int = 32
    considered: int = 0
    c: float = 1.5
    noise: float = 0.0
    solve: int = 1
    rollouts: float = 0.0
    scale: float = 1.0


CONSIDERED = {"puct": 0, "gumbel": 16}
"""How many moves of a root sequential halving begins with, by how moves are chosen there."""
TreeColumns: TypeAlias = tuple[Column, ...]
"""The columns of SearchTrees: compiled code is entered with plain tuples."""
SearchColumns: TypeAlias = tuple[Column, ...]
"""Those of SearchStates."""
Numbers: TypeAlias = tuple[Any, ...]
"""Settings as a plain tuple."""
TREE_KINDS = ("int32", "int16", "int8", "int64", "float32", "int32", "float32", "int8", "float32")


def encode(s: State, row: Column) -> None:
    """Write what the network sees of a position: bound to the fields of a game."""
    raise TypeError


def slot_of(move: int) -> int:
    """Return the number of the network's answer for a move: bound to the moves of a game."""
    raise TypeError


def past_of_search(pasts: tuple[Column, ...], number: int) -> AnyPast:
    """Return the past of a search; of games whose past does not matter there is none."""
    return ()  # type: ignore[return-value]


def kept_past(pasts: tuple[Column, ...], number: int) -> AnyPast:
    """`past_of_search` where the past matters: a row of each column."""
    return pasts[0][number], pasts[1][number], pasts[2][number]  # type: ignore[return-value]


def grow(
    columns: TreeColumns,
    rows: SearchColumns,
    roots: Ints,
    leaves: Ints,
    pasts: tuple[Column, ...],
    logits: Column,
    values: Column,
    inputs: Column,
    settings: Numbers,
    schedule: Column,
    rng: Rng,
) -> int:
    """Goes on with all searches: hangs what the network said under the leaves that waited for it, and runs
    simulations until each search needs another answer, or is done. Returns how many rows of `inputs` are to
    be judged; 0 where all are done.
    """
    trees, searches, numbers = SearchTrees(*columns), SearchStates(*rows), SearchSettings(*settings)
    room = len(trees.move) // len(searches.active)
    requests = 0
    for number in range(len(searches.active)):
        if not searches.active[number]:
            continue
        base = number * room
        past = past_of_search(pasts, number)
        here = mark(past)
        if searches.waiting[number] >= 0:
            row = searches.waiting[number]
            s = unkey(code_at(leaves, number))
            leaf = searches.path[number][searches.depth[number]]
            expand(number, base, room, leaf, s, logits[row], trees, searches)
            if searches.depth[number] == 0:
                prepare_root(number, base, numbers, trees, searches, rng)
            value = float(values[row]) if mover(s) == 0 else -float(values[row])
            if numbers.rollouts > 0:
                s = opened(ROLLED, s, past, rng)
                random_end = end_value(s, numbers.scale) if over(s) else 0.0
                rewind(past, here)
                value = (1 - numbers.rollouts) * value + numbers.rollouts * random_end
            back_up(number, value, 0, trees, searches)
            searches.waiting[number] = -1
        while searches.done[number] < numbers.simulations and not trees.proven[base]:
            s = unkey(code_at(roots, number))
            s = select(number, base, room, s, past, trees, searches, numbers, schedule, rng)
            rewind(past, here)
            leaf = searches.path[number][searches.depth[number]]
            if trees.proven[leaf]:
                back_up(number, float(trees.exact[leaf]), numbers.solve, trees, searches)
            elif over(s):
                value = end_value(s, numbers.scale)
                trees.proven[leaf], trees.exact[leaf] = numbers.solve, value
                back_up(number, value, numbers.solve, trees, searches)
            elif searches.depth[number] + 1 == len(searches.path[number]):
                back_up(number, 0.0, 0, trees, searches)
            else:
                encode(canonical(s), inputs[requests])
                put_code(leaves, number, key(s))
                searches.waiting[number] = requests
                requests += 1
                break
    return requests


def end_value(s: State, scale: float) -> float:
    """Return what the end of a game is worth to player 0, from -1 to 1."""
    return min(1.0, max(-1.0, payoff(s, 0) / scale))


def select(
    number: int,
    base: int,
    room: int,
    s: State,
    past: AnyPast,
    trees: SearchTrees,
    searches: SearchStates,
    numbers: SearchSettings,
    schedule: Column,
    rng: Rng,
) -> State:
    """Goes down a tree to a position without moves in it; its state."""
    path = searches.path[number]
    node, depth = base, 0
    path[0] = node
    while depth + 1 < len(path) and not trees.proven[node]:
        player = mover(s) if not over(s) else 0
        if trees.child_count[node] == 0:
            if over(s) or player != CHANCE:
                break
            expand_chance(number, base, room, node, s, trees, searches)
            if trees.child_count[node] == 0:
                break
        if player == CHANCE:
            node = drawn_child(node, trees.prior, 1.0, trees, rng)
        elif depth == 0 and numbers.considered > 0:
            node = gumbel_child(number, base, trees, searches, numbers, schedule)
        else:
            node = best_child(node, trees, numbers)
        s = advance(s, trees.move[node], past)
        depth += 1
        path[depth] = node
    searches.depth[number] = depth
    return s


def best_child(node: int, trees: SearchTrees, numbers: SearchSettings) -> int:
    """The move with the largest upper bound; one that is proven has its value."""
    begin = int(trees.first_child[node])
    best, high = begin, -1e30
    untried, factor = terms_of(node, trees, numbers)
    for child in range(begin, begin + trees.child_count[node]):
        q, u = bound_of(child, trees.side[node], untried, factor, trees)
        if q + u > high:
            best, high = child, q + u
    return best


def terms_of(node: int, trees: SearchTrees, numbers: SearchSettings) -> tuple[float, float]:
    """Return what the moves of a position are taken to be worth to its mover that were never tried, and by
    what their priors are multiplied.
    """
    parent = max(1, trees.visits[node])
    return float(trees.side[node] * trees.total[node] / parent - UNTRIED), float(numbers.c * sqrt(parent))


def bound_of(child: int, side: int, untried: float, factor: float, trees: SearchTrees) -> tuple[float, float]:
    """Return what a move of a position is taken to be worth to its mover, and what is added to that because
    it was tried little: nothing where it is proven.
    """
    visits = trees.visits[child]
    if trees.proven[child]:
        return float(side * trees.exact[child]), 0.0
    q = side * trees.total[child] / visits if visits > 0 else untried
    return float(q), float(factor * trees.prior[child] / (1 + visits))


def drawn_child(node: int, weights: Column, whole: float, trees: SearchTrees, rng: Rng) -> int:
    """A move of a position, or a throw of the die, as likely as its share of weights that come to a whole."""
    chosen = int(trees.first_child[node])
    left = random_unit(rng) * whole
    for child in range(chosen, chosen + trees.child_count[node]):
        if weights[child] > 0:
            chosen = child
            left -= weights[child]
            if left < 0:
                return chosen
    return chosen


def expand(
    number: int,
    base: int,
    room: int,
    node: int,
    s: State,
    logits: Column,
    trees: SearchTrees,
    searches: SearchStates,
) -> None:
    """Hangs the moves of a position under it, with the network's priors; none where there is no room."""
    legal = moves(s)
    begin = base + searches.filled[number]
    if searches.filled[number] + count_moves(legal) > room:
        return
    end = begin
    high = -1e30
    for move in each(legal):
        trees.move[end] = move
        trees.prior[end] = logits[slot_of(move)]
        high = max(high, trees.prior[end])
        clear(end, trees)
        end += 1
    whole = 0.0
    for child in range(begin, end):
        trees.prior[child] = exp(trees.prior[child] - high)
        whole += trees.prior[child]
    for child in range(begin, end):
        trees.prior[child] /= whole
    trees.first_child[node], trees.child_count[node] = begin, end - begin
    trees.side[node] = 1 if mover(s) == 0 else -1
    searches.filled[number] += end - begin


def expand_chance(
    number: int, base: int, room: int, node: int, s: State, trees: SearchTrees, searches: SearchStates
) -> None:
    """Hangs the throws of a die under a position, with their odds."""
    legal = moves(s)
    begin = base + searches.filled[number]
    if searches.filled[number] + count_moves(legal) > room:
        return
    whole = 0.0
    for move in each(legal):
        whole += chance(s, move)
    end = begin
    for move in each(legal):
        trees.move[end], trees.prior[end] = move, chance(s, move) / whole
        clear(end, trees)
        end += 1
    trees.first_child[node], trees.child_count[node], trees.side[node] = begin, end - begin, 0
    searches.filled[number] += end - begin


def clear(node: int, trees: SearchTrees) -> None:
    """Make a node one that nobody came to."""
    trees.child_count[node], trees.visits[node], trees.proven[node] = 0, 0, 0
    trees.total[node] = 0.0


def prepare_root(
    number: int, base: int, numbers: SearchSettings, trees: SearchTrees, searches: SearchStates, rng: Rng
) -> None:
    """Mix Dirichlet(1) noise with the priors of a root, or draw its Gumbel noise."""
    drawn = searches.gumbel[number]
    begin, count = int(trees.first_child[base]), min(int(trees.child_count[base]), len(drawn))
    if numbers.considered > 0:
        for index in range(count):
            drawn[index] = -log(-log(random_unit(rng) + 1e-300) + 1e-300) if numbers.noise > 0 else 0.0
    elif numbers.noise > 0:
        whole = 0.0
        for index in range(count):
            drawn[index] = -log(1e-300 + random_unit(rng))
            whole += drawn[index]
        for index in range(count):
            prior = trees.prior[begin + index]
            trees.prior[begin + index] = (1 - numbers.noise) * prior + numbers.noise * drawn[index] / whole


def back_up(
    number: int,
    value: float,
    settles: int,
    trees: SearchTrees,
    searches: SearchStates,
) -> None:
    """Adds what a simulation was worth to player 0 to the nodes of its way, and proves the positions that it
    settles.
    """
    path = searches.path[number]
    for depth in range(searches.depth[number], -1, -1):
        node = path[depth]
        if settles and depth < searches.depth[number]:
            settles = prove(node, trees)
        if settles:
            value = float(trees.exact[node])
        trees.visits[node] += 1
        trees.total[node] += value
    searches.done[number] += 1


def prove(node: int, trees: SearchTrees) -> int:
    """Return 1 where the moves of a position settle it: one of them wins, or all are proven."""
    side = trees.side[node]
    if side == 0:
        return 0
    best, complete = -2.0, True
    for child in range(trees.first_child[node], trees.first_child[node] + trees.child_count[node]):
        if trees.proven[child]:
            best = max(best, side * trees.exact[child])
        else:
            complete = False
    if complete or best >= 1.0:
        trees.proven[node], trees.exact[node] = 1, side * best
        return 1
    return 0


# Sequential halving at the root: of the most promising moves, by Gumbel noise and priors, each is tried as
# often as the others, and the better half of them goes on.

VISITS = 50.0
"""How much values count beside priors where nothing was tried: c_visit of [Danihelka22]."""


def halving_schedule(considered: int, simulations: int) -> list[list[int]]:
    """Return, for every number of moves from 0 to `considered`, how often the move that each simulation takes
    was tried before.

    >>> halving_schedule(4, 8)[4]
    [0, 0, 0, 0, 1, 1, 2, 2]
    """
    table = [list(range(simulations))] * min(2, considered + 1)
    for moves_considered in range(2, considered + 1):
        rounds = (moves_considered - 1).bit_length()
        tried, left, row = [0] * moves_considered, moves_considered, list[int]()
        while len(row) < simulations:
            for _time in range(max(1, simulations // (rounds * left))):
                row += tried[:left]
                tried[:left] = [times + 1 for times in tried[:left]]
            left = max(2, left // 2)
        table.append(row[:simulations])
    return table


def gumbel_child(
    number: int,
    base: int,
    trees: SearchTrees,
    searches: SearchStates,
    numbers: SearchSettings,
    schedule: Column,
) -> int:
    """The best of those moves of a root that were tried as often as it is their turn."""
    begin, count = int(trees.first_child[base]), int(trees.child_count[base])
    turn_of = schedule[min(numbers.considered, count)][max(0, searches.done[number] - 1)]
    most, mixed = most_visits(base, trees), mixed_value(base, trees)
    best, high = begin, -1e30
    for child in range(begin, begin + count):
        if trees.visits[child] == turn_of and not trees.proven[child]:
            score = gumbel_of(number, child - begin, searches) + improved(child, base, most, mixed, trees)
            if score > high:
                best, high = child, score
    return best if high > -1e30 else best_child(base, trees, numbers)


def gumbel_of(number: int, index: int, searches: SearchStates) -> float:
    """Return the Gumbel noise of a move of a root; a position with more moves than there is room for has none
    for the last of them.
    """
    return float(searches.gumbel[number][index]) if index < len(searches.gumbel[number]) else 0.0


def most_visits(node: int, trees: SearchTrees) -> int:
    """Return how often the move of a position was tried that was tried most."""
    most = 0
    for child in range(trees.first_child[node], trees.first_child[node] + trees.child_count[node]):
        most = max(most, int(trees.visits[child]))
    return most


def mixed_value(node: int, trees: SearchTrees) -> float:
    """Return what moves that were not tried are taken to be worth to the mover (v_mix of [Danihelka22]): the
    mean of the position's own value and of those of the moves that were tried, weighed by their priors.
    """
    side = trees.side[node]
    tried, weight, total = 0, 0.0, 0.0
    for child in range(trees.first_child[node], trees.first_child[node] + trees.child_count[node]):
        if trees.visits[child] > 0:
            tried += trees.visits[child]
            weight += trees.prior[child]
            total += trees.prior[child] * side * trees.total[child] / trees.visits[child]
    whole = side * trees.total[node] / max(1, trees.visits[node])
    return float((whole + tried * total / weight) / (1 + tried) if weight > 0 else whole)


def improved(child: int, node: int, most: int, mixed: float, trees: SearchTrees) -> float:
    """The logit of a move in the improved policy: its own, and its value, completed where it is not tried."""
    side = trees.side[node]
    if trees.proven[child]:
        q = side * trees.exact[child]
    else:
        q = side * trees.total[child] / trees.visits[child] if trees.visits[child] > 0 else mixed
    return float(log(trees.prior[child] + 1e-30) + (VISITS + most) * (q + 1) / 2)


def decide(
    number: int, base: int, trees: SearchTrees, searches: SearchStates, numbers: SearchSettings
) -> int:
    """The move that a search decides for: a proven win; else, of the moves that are no proven loss where
    there are some, the most visited one, or the one that sequential halving leaves.
    """
    begin, count = int(trees.first_child[base]), int(trees.child_count[base])
    side = trees.side[base]
    most, mixed = 0, 0.0
    if numbers.considered > 0:
        most, mixed = most_visits(base, trees), mixed_value(base, trees)
    best, high = begin, -1e30
    for child in range(begin, begin + count):
        if trees.proven[base] or (trees.proven[child] and abs(trees.exact[child]) >= 1.0):
            score = 1e6 * side * trees.exact[child] if trees.proven[child] else -2e6
        elif numbers.considered > 0:
            score = improved(child, base, most, mixed, trees) + gumbel_of(number, child - begin, searches)
            score += 0.0 if trees.visits[child] == most else -1e5
        else:
            score = trees.visits[child] + 1e-3 * trees.prior[child]
        if score > high:
            best, high = child, score
    return best


def decide_all(columns: TreeColumns, rows: SearchColumns, settings: Numbers, chosen: Column) -> None:
    """Writes the node that each search decides for."""
    trees, searches, numbers = SearchTrees(*columns), SearchStates(*rows), SearchSettings(*settings)
    room = len(trees.move) // len(searches.active)
    for number in range(len(searches.active)):
        if searches.active[number]:
            chosen[number] = decide(number, number * room, trees, searches, numbers)


def share_visits(base: int, trees: SearchTrees, numbers: SearchSettings, shares: Column) -> None:
    """Write what the network shall learn of a root, move by move: the share of its visits, or the improved
    policy; where it is proven, the moves that keep its value, as likely as their priors among them.
    """
    begin, count = int(trees.first_child[base]), min(int(trees.child_count[base]), len(shares))
    most, mixed = most_visits(base, trees), mixed_value(base, trees)
    whole, high = 0.0, -1e30
    for index in range(len(shares)):
        shares[index] = 0.0
    if numbers.considered > 0 and not trees.proven[base]:
        for index in range(count):
            high = max(high, improved(begin + index, base, most, mixed, trees))
    for index in range(count):
        child = begin + index
        if trees.proven[base]:
            keeps = trees.proven[child] and trees.exact[child] == trees.exact[base]
            shares[index] = trees.prior[child] + 1e-3 if keeps else 0.0
        elif numbers.considered > 0:
            shares[index] = exp(improved(child, base, most, mixed, trees) - high)
        else:
            shares[index] = trees.visits[child]
        whole += shares[index]
    for index in range(count):
        shares[index] = shares[index] / whole if whole > 0 else 1.0 / count


# Self-play: many games side by side. Each position that was searched is noted with what the network shall
# learn of it; half of the games begin after some random moves, so that much is seen.


class NotedPositions(NamedTuple):
    """Positions of self-play, and what shall be learnt of each.

    Attributes:
        codes: the positions
        shares: a row each: how likely every move shall be, in the order of `moves`
        movers: who was to move
        games: of which game it is
        values: what the search took it to be worth to the mover
    """

    codes: Column
    shares: Column
    movers: Column
    games: Column
    values: Column


SampleColumns: TypeAlias = tuple[Column, ...]


class PlayNumbers(NamedTuple):
    """Settings of games of self-play.

    Attributes:
        openings: half of the games begin after fewer random plies than that
        sampled: so many plies are drawn by their visits, then the best is played
        most_plies: a game that is longer counts as a draw
    """

    openings: int
    sampled: int
    most_plies: int


GAME, PLIES = 0, 1
"""Entries of the row of a search in `playing`: the number of its game, and plies since it was opened."""
NOTED, BEGUN = 0, 1
"""Entries of `counts`: samples, and games that have begun."""


def begin_games(
    rows: SearchColumns,
    roots: Ints,
    start: Ints,
    pasts: tuple[Column, ...],
    playing: Column,
    counts: Column,
    outcomes: Column,
    numbers: Numbers,
    rng: Rng,
) -> None:
    """Begins a game at each of the searches, as long as there are some to begin."""
    searches = SearchStates(*rows)
    for number in range(len(searches.active)):
        begin_game(number, searches, roots, start, pasts, playing, counts, outcomes, numbers[0], rng)


def begin_game(
    number: int,
    searches: SearchStates,
    roots: Ints,
    start: Ints,
    pasts: tuple[Column, ...],
    playing: Column,
    counts: Column,
    outcomes: Column,
    openings: int,
    rng: Rng,
) -> None:
    """Begins the next game, or lets the search rest where all have begun."""
    clear_search(number, searches)
    if counts[BEGUN] >= len(outcomes):
        searches.active[number] = 0
        return
    searches.active[number] = 1
    playing[number][GAME], playing[number][PLIES] = counts[BEGUN], 0
    counts[BEGUN] += 1
    past = past_of_search(pasts, number)
    rewind(past, 0)
    s = thrown(unkey(code_at(start, 0)), past, rng)
    if openings > 0 and random_below(rng, 2):
        s = thrown(opened(random_below(rng, openings), unkey(code_at(start, 0)), past, rng), past, rng)
        while over(s):
            rewind(past, 0)
            s = thrown(opened(random_below(rng, openings), unkey(code_at(start, 0)), past, rng), past, rng)
    put_code(roots, number, key(s))


def opened(plies: int, s: State, past: AnyPast, rng: Rng) -> State:
    """The position after so many random plies, fewer where the game ends."""
    for _ply in range(plies):
        if over(s):
            return s
        s = advance(s, drawn_move(s, moves(s), rng), past)
    return s


def thrown(s: State, past: AnyPast, rng: Rng) -> State:
    """The position once all dice have been thrown."""
    while not over(s) and mover(s) == CHANCE:
        s = advance(s, sample_chance(s, moves(s), rng), past)
    return s


def clear_search(number: int, searches: SearchStates) -> None:
    """Let a search begin with an empty tree."""
    searches.filled[number], searches.done[number], searches.waiting[number] = 1, 0, -1


def play_on(
    columns: TreeColumns,
    rows: SearchColumns,
    roots: Ints,
    start: Ints,
    pasts: tuple[Column, ...],
    playing: Column,
    counts: Column,
    noted: SampleColumns,
    outcomes: Column,
    settings: Numbers,
    numbers: Numbers,
    rng: Rng,
) -> int:
    """Notes every position that was searched, and plays a move there; where a game ends the next begins.
    Returns how many games are being played.
    """
    trees, searches, samples = SearchTrees(*columns), SearchStates(*rows), NotedPositions(*noted)
    chosen, plays = SearchSettings(*settings), PlayNumbers(*numbers)
    room = len(trees.move) // len(searches.active)
    left = 0
    for number in range(len(searches.active)):
        if not searches.active[number]:
            continue
        base = number * room
        s = unkey(code_at(roots, number))
        node = decide(number, base, trees, searches, chosen)
        game = playing[number][GAME]
        if chosen.simulations == 1:  # no search: a move is drawn by its prior, and that is what is noted
            node = drawn_child(base, trees.prior, 1.0, trees, rng)
            trees.visits[node] = 1
        note(base, s, game, code_at(roots, number), trees, chosen, samples, counts)
        if playing[number][PLIES] < plays.sampled and chosen.considered == 0 and not trees.proven[base]:
            whole = 0.0
            for child in range(trees.first_child[base], trees.first_child[base] + trees.child_count[base]):
                whole += trees.visits[child]
            node = drawn_child(base, trees.visits, whole, trees, rng)
        past = past_of_search(pasts, number)
        s = thrown(advance(s, trees.move[node], past), past, rng)
        playing[number][PLIES] += 1
        if over(s) or playing[number][PLIES] >= plays.most_plies:
            outcomes[game] = end_value(s, chosen.scale) if over(s) else 0.0
            begin_game(number, searches, roots, start, pasts, playing, counts, outcomes, plays.openings, rng)
        else:
            put_code(roots, number, key(s))
            clear_search(number, searches)
        clear(base, trees)
        left += searches.active[number]
    return left


def note(
    base: int,
    s: State,
    game: int,
    code: Key,
    trees: SearchTrees,
    numbers: SearchSettings,
    samples: NotedPositions,
    counts: Column,
) -> None:
    """Notes a position that was searched."""
    place = counts[NOTED]
    counts[NOTED] = place + 1
    put_code(samples.codes, place, code)  # type: ignore[arg-type]  # Ints
    share_visits(base, trees, numbers, samples.shares[place])
    samples.movers[place], samples.games[place] = mover(s), game
    value = trees.exact[base] if trees.proven[base] else trees.total[base] / max(1, trees.visits[base])
    samples.values[place] = trees.side[base] * value


def fill(
    codes: Ints,
    places: Column,
    shares: Column,
    turned: int,
    inputs: Column,
    slots: Column,
    policy: Column,
    rng: Rng,
) -> None:
    """Writes what the network sees of some positions, the numbers of its answers for their moves (-1: there
    is no further move), and what it shall answer; where `turned` is 1, each under a symmetry drawn by chance;
    where it is -1 nothing is taught.
    """
    for row in range(len(places)):
        s = unkey(code_at(codes, places[row]))
        symmetry = random_below(rng, symmetries()) if turned > 0 else 0
        encode(canonical(turn(s, symmetry)), inputs[row])
        for index in range(len(slots[row])):
            slots[row][index], policy[row][index] = -1, 0.0
        index = 0
        for move in each(moves(s)):
            if index < len(slots[row]):
                slots[row][index] = slot_of(turn_move(move, symmetry))
                policy[row][index] = shares[places[row]][index] if turned >= 0 else 0.0
                index += 1
