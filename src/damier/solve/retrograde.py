"""Backwards from the ends, for games in which a position can come back (Ken Thompson, "Retrograde
analysis of certain endgames", ICCA Journal 9, 1986 [Thompson86]).

All reachable positions are found first, with the edges that lead into each. Then waves of equal
distance run backwards from the decided ends: who can move to a position won for him wins, one ply
further away; who has only moves to positions lost for him loses when the last of them is decided.
Whatever no wave reaches is a draw: nobody can force an end.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import accumulate

from damier.core.arrays import Ints, ints, np
from damier.core.codes import code_at
from damier.core.game import Game
from damier.core.job import Job, Workers, patient
from damier.core.moves import each
from damier.core.open_addressing import Index, ascending, number_of
from damier.core.rules import ONGOING, State, later, mover, moves, outcome, play, unkey
from damier.core.solution import DISTANT_SCORE_TYPE, KeyTable, ScoreStore, StateTable
from damier.core.tiers import Allowance
from damier.core.words import _
from damier.solve.depth_first import check
from damier.solve.graph import whole
from damier.solve.reach import code, numbered, require_allowed

TOP = 2**31 - 1
CHUNK = 1 << 17  # positions between two signs of life: short for Ctrl-C


def count_edges(
    table: Index, first: int, stop: int, into: Ints, left: Ints, scores: Ints, limits: Ints
) -> None:
    """into[c + 1]: edges into c; left[p]: moves of p; scores of the ends, 0 elsewhere."""
    for index in range(first, stop):
        s = unkey(code_at(table[0], index))
        end = outcome(s)
        if end != ONGOING:
            if end < -1 or end > 1:
                limits[2] = 1
            scores[index] = end * TOP if mover(s) == 0 else -end * TOP
        else:
            for move in each(moves(s)):
                into[number_of(table, code(play(s, move))) + 1] += 1
                left[index] += 1


def list_parents(table: Index, first: int, stop: int, into: Ints, parents: Ints, movers: Ints) -> None:
    """parents[into[c]:into[c + 1]]: the positions that lead to c.

    `into` holds running sums, and is shifted by one as it is used.
    """
    for index in range(first, stop):
        s = unkey(code_at(table[0], index))
        movers[index] = mover(s)
        if outcome(s) == ONGOING:
            for move in each(moves(s)):
                child = number_of(table, code(play(s, move)))
                parents[into[child]] = index
                into[child] += 1


def run_waves(n: int, into: Ints, parents: Ints, movers: Ints, left: Ints, scores: Ints, queue: Ints) -> int:
    """Scores every position that somebody can force; returns how many.

    After `list_parents`, into[c - 1]:into[c] are the parents of c.
    """
    filled = 0
    for index in range(n):
        if scores[index] != 0:
            queue[filled] = index
            filled += 1
    done = 0
    while done < filled:
        child = queue[done]
        done += 1
        score = scores[child]
        further = later(score)
        for edge in range(into[child - 1] if child > 0 else 0, into[child]):
            parent = parents[edge]
            if scores[parent] == 0 and left[parent] > 0:
                left[parent] -= 1
                wins = (score > 0) == (movers[parent] == 0)
                if wins or left[parent] == 0:
                    scores[parent] = further
                    queue[filled] = parent
                    filled += 1
    return filled


def count_off_cycles(n: int, into: Ints, parents: Ints, left: Ints, queue: Ints) -> int:
    """Return how many positions lead to no cycle: those whose moves all lead to such positions.

    Uses up `left`.
    """
    filled = 0
    for index in range(n):
        if left[index] == 0:
            queue[filled] = index
            filled += 1
    done = 0
    while done < filled:
        child = queue[done]
        done += 1
        for edge in range(into[child - 1] if child > 0 else 0, into[child]):
            parent = parents[edge]
            left[parent] -= 1
            if left[parent] == 0:
                queue[filled] = parent
                filled += 1
    return filled


def chunks(n: int, job: Job, what: str) -> Iterator[tuple[int, int]]:
    """The numbers up to n in pieces, so that progress shows and Ctrl-C works between them."""
    for first in range(0, n, CHUNK):
        job.progress(first, n, what)
        yield first, min(first + CHUNK, n)


def solved(
    game: Game, start: State, job: Job, allowance: Allowance | None = None
) -> tuple[ScoreStore[int], bool]:
    """The table, and whether a position can come back: in plain Python within an allowance, or compiled,
    where there is none.

    Cores share compiled work by its parts: positions are sorted beside the search for edges, and cycles are
    looked for beside the waves.

    Raises LimitReached where positions and edges would need more than the budget; reach.TooMany where the
    allowance ends.
    """
    jit = allowance is None
    found, table, by_ply = numbered(game, start, job, jit=jit, allowance=allowance)
    n = len(found)
    count, list_ = whole(count_edges, game, n, jit, {}), whole(list_parents, game, n, jit, {})
    off_cycles, waves = whole(count_off_cycles, game, n, jit, {}), whole(run_waves, game, n, jit, {})
    into, left, limits = ints(n + 1, jit), ints(n, jit), ints(3, jit)
    scores, movers = ints(n, jit, "int32"), ints(n, jit, "int8")
    with Workers(job.jobs if jit and n > CHUNK else 1) as workers:
        sorting = None if isinstance(found, list) else workers.begin(patient(partial(ascending, found)))
        for first, stop in chunks(n, job, _("positions counted")):
            count(table, first, stop, into, left, scores, limits)
            check(game, limits)
            require_allowed(allowance, n)
        into[:] = np.cumsum(into) if jit else list(accumulate(into))
        # keys, into, left and its copy, scores and movers, a queue; and one more for who looks for cycles
        room = 8 * (len(table[1]) + (5 + game.key_words) * n + int(into[n]))
        if jit:
            job.require(room, by_ply)
        by = workers if room + 8 * n <= job.memory else Workers(1)
        parents = ints(int(into[n]), jit)
        for first, stop in chunks(n, job, _("positions linked")):
            list_(table, first, stop, into, parents, movers)
            require_allowed(allowance, n)
        queue = ints(n, jit)
        own = queue if by.jobs == 1 else ints(n, jit)  # alone, the waves begin where the other is done
        counting = by.begin(partial(off_cycles, n, into, parents, left.copy(), queue))
        deciding = by.begin(partial(waves, n, into, parents, movers, left, scores, own))
        cyclic = counting() < n
        job.progress(int(deciding()), n, _("positions decided"))
        if isinstance(found, list) or sorting is None:
            return StateTable(dict(zip(found, scores, strict=True)), DISTANT_SCORE_TYPE), cyclic
        order = sorting()
    return KeyTable(game, found[order], np.asarray(scores)[order], (0, n)), bool(cyclic)
