"""Monte Carlo tree search as people call it: a tree grown by simulations, and the decision read
from it.
"""

from __future__ import annotations

import time

from damier.core.analysis import Analysis, Limit, plain
from damier.core.game import Game
from damier.core.job import Job
from damier.core.past import Before
from damier.core.requirements import PERFECT_INFORMATION, require
from damier.core.rules import Moves, State
from damier.search.forest import grown, merged
from damier.search.growing_tree import GrowingTree
from damier.search.mcts_engine import SearchTree
from damier.search.running import ENDLESS


def mcts(
    game: Game,
    s: State,
    limit: Limit | None = None,
    simulations: int | None = 1000,
    c: float = 1.4,
    seed: int = 0,
    *,
    before: Before = (),
    job: Job | None = None,
    explain: bool = True,
    trees: int = 1,
) -> Analysis:
    """Grows a tree by `simulations` (None: as many as the limit lets it), or until the time or the
    nodes of `limit` are spent, or the root is proven. Several `trees` share all that (`forest`), and are
    grown by the cores of the job.

    The same seed gives the same answer, unless the clock stopped it, however many cores there are. Raises
    Unsuitable for games of imperfect information, LimitReached beyond the memory budget.
    """
    require(game, "mcts", PERFECT_INFORMATION)
    begun = time.perf_counter()
    chosen = limit or Limit()
    chosen_job = job or Job()
    if game.over(s):
        value = plain(game.payoff(s, max(0, int(game.mover(s)))))
        return Analysis(
            game, s, "mcts", value, {}, 0, 1, None, 0, True, False, False, time.perf_counter() - begun
        )
    most = ENDLESS if simulations is None else simulations
    forest, interrupted = grown(
        lambda jit, number: GrowingTree(game, s, seed, c, jit, before, number),
        trees,
        game,
        chosen,
        most,
        chosen_job,
        begun,
    )
    tree = merged(forest)
    return read(
        tree,
        begun,
        stopped=interrupted or (tree.done < most and not tree.arrays.proven[0]),
        interrupted=interrupted,
    )


def read(tree: GrowingTree, begun: float, *, stopped: bool, interrupted: bool) -> Analysis:
    """The decision: a proven win; else the most visited move, unless a proven one is worth as much
    as its mean.
    """
    game, s, arrays = tree.game, tree.state, tree.arrays
    player = int(game.mover(s))
    me = max(0, player)
    children = list(
        range(int(arrays.first_child[0]), int(arrays.first_child[0]) + int(arrays.child_count[0]))
    )
    values = {child: value_of(arrays, child, me) for child in children if arrays.visits[child]}
    best = [] if player < 0 else best_children(arrays, values)
    value = values[best[0]] if best else float(arrays.total[0]) / max(1, tree.done)
    if player < 0:
        value = sum(float(arrays.visits[child]) * mean for child, mean in values.items()) / max(
            1, sum(int(arrays.visits[child]) for child in values)
        )
    return Analysis(
        game,
        s,
        "mcts",
        plain(value),
        {
            int(arrays.move[child]): plain(mean)
            for child, mean in sorted(values.items(), key=lambda item: int(arrays.move[item[0]]))
        },
        game.gathered(int(arrays.move[child]) for child in best) or everything(game, s, player),
        tree.filled,
        None,
        len(line := line_of(arrays, best, me)),
        bool(arrays.proven[0]),
        stopped,
        interrupted,
        time.perf_counter() - begun,
        line,
        {
            int(arrays.move[child]): int(arrays.visits[child])
            for child in sorted(children, key=lambda child: int(arrays.move[child]))
        },
        before=tree.before,
    )


def everything(game: Game, s: State, player: int) -> Moves:
    """The moves to choose from where no move has been simulated yet: all, and none of chance."""
    return 0 if player < 0 else game.moves(s)


def value_of(arrays: SearchTree, child: int, me: int) -> float:
    """What a move of the root is worth to player `me`: exact where it is proven, else the mean of
    its simulations.
    """
    if arrays.proven[child]:
        return float(arrays.exact[child]) if me == 0 else -float(arrays.exact[child])
    return float(arrays.total[child]) / int(arrays.visits[child])


def best_children(arrays: SearchTree, values: dict[int, float]) -> list[int]:
    """The moves to choose from: all the best where the root is proven, else one."""
    proven = {child: value for child, value in values.items() if arrays.proven[child]}
    open_ = [child for child in values if not arrays.proven[child]]
    most = max(open_, key=lambda child: (int(arrays.visits[child]), values[child]), default=None)
    if proven and (most is None or arrays.proven[0] or max(proven.values()) >= values[most]):
        best = max(proven.values())
        return sorted(
            (child for child, value in proven.items() if value == best),
            key=lambda child: int(arrays.move[child]),
        )
    return [] if most is None else [most]


def line_of(arrays: SearchTree, best: list[int], me: int) -> tuple[int, ...]:
    """The most visited line of the tree."""
    line = []
    node = best[0] if best else -1
    while node >= 0:
        line.append(int(arrays.move[node]))
        below = range(
            int(arrays.first_child[node]), int(arrays.first_child[node]) + int(arrays.child_count[node])
        )
        node = max(below, key=lambda child: int(arrays.visits[child]), default=-1)
        if node >= 0 and not arrays.visits[node]:
            break
    return tuple(line)
