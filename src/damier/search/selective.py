"""Selective search: the recipe by which programs came to play chess and draughts better than people
(C. E. Shannon's "type B", 1950 [Shannon50]; M. Campbell, A. J. Hoane and F. Hsu, "Deep Blue", 2002
[DeepBlue02]; J. Schaeffer, "One jump ahead", 1997 [Schaeffer97]). `selective_engine` is the search of one
depth; here is what people call.

Depths 1, 2, 3 … are searched in turn, until the limit, or until a win is found within the depth. Each
depth looks first where the last one ended: in a narrow window around its value (*aspiration*), which
is opened where the value lies outside.

Nothing here is claimed to be exact: some moves are left out, or searched less deep.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from math import log
from typing import TypeAlias, TypeVar

from damier.core.analysis import Analysis, Evaluation, Limit, TableEnd, plain_number, require
from damier.core.arrays import Ints, ints
from damier.core.compile import instantiate
from damier.core.endgames import NOTHING, UNKNOWN, Probe, probe
from damier.core.errors import LimitReached
from damier.core.game import Game
from damier.core.job import ALONE, Job, let_go, started
from damier.core.past import Before
from damier.core.rules import TOP, State
from damier.core.tree import Number
from damier.search import selective_engine
from damier.search.lookahead import Found, LookAhead, answer, uncounted_run
from damier.search.minimax import NEEDS
from damier.search.running import BUDGET, DEPTH, DEPTH_CUTOFFS, ENDLESS, STOPPED, Run
from damier.search.selective_engine import (
    EXTENSIONS,
    NULL_MOVE,
    PRUNING,
    QUIESCENCE,
    REDUCED,
    REDUCTIONS,
    ROOT_DEPTH,
    ROOT_VALUE,
    SEARCH_AGE,
    TABLE,
    UNIT,
    WINS,
    here,
    line_of,
    room_words,
    value_of,
)

NAME = "selective"
ASPIRED = 5
"""From this depth on the window is narrow."""
LESS_DEEP = [
    int(0.8 + log(max(1, depth)) * log(max(1, number)) / 2.2) if number and depth else 0
    for depth in range(64)
    for number in range(64)
]
"""How much less deep a late quiet move is searched: [64 · depth + number of the move]."""
NARROW = 30
"""How far a narrow window reaches on either side; four times as far when the value lay outside."""
SETTLED = 300_000
"""Nodes that may be spent on what each move is worth; and three times what the search took."""


@dataclass(frozen=True)
class Recipe:
    """The parts of the recipe that are used, the evaluation, and the endgame tables."""

    null_move: bool = True
    quiescence: bool = True
    reductions: bool = True
    pruning: bool = True
    extensions: bool = True
    table: bool = True
    evaluation: Evaluation = Evaluation()  # noqa: RUF009  it is frozen
    probe: Probe = NOTHING


@dataclass
class KeptTable:
    """A transposition table that is kept from one search of a game to the next.

    Who decides against the clock keeps one. Other decisions depend on their position alone.
    """

    age: int = 0
    tables: dict[bool, Ints] = field(default_factory=dict)

    def table(self, jit: bool) -> Ints:
        if jit not in self.tables:
            self.tables[jit] = ints(selective_engine.BUCKETS * selective_engine.BUCKET, jit)
        return self.tables[jit]


@dataclass
class SelectiveEngine:
    """The engine in one run, with its memory."""

    run: Run
    recipe: Recipe
    kept: KeptTable

    def __post_init__(self) -> None:
        run, recipe = self.run, self.recipe
        self._engine = run.engine(value_of, recipe.evaluation.bindings | recipe.probe.bindings)
        self._weights = run.weights(recipe.evaluation.weights)
        self._table = self.kept.table(run.jit) if recipe.table else ints(selective_engine.BUCKET, run.jit)
        self.room = ints(room_words(run.game), run.jit)
        for part, is_on in (
            (NULL_MOVE, recipe.null_move),
            (QUIESCENCE, recipe.quiescence),
            (REDUCTIONS, recipe.reductions),
            (PRUNING, recipe.pruning),
            (EXTENSIONS, recipe.extensions),
            (TABLE, recipe.table),
        ):
            self.room[part] = int(is_on)
        self.room[SEARCH_AGE] = self.kept.age % selective_engine.AGES
        self.room[REDUCED : REDUCED + len(LESS_DEEP)] = LESS_DEEP

    def value(self, s: State, depth: int, alpha: int, beta: int) -> int:
        """The value of `s` to its mover, if it lies between alpha and beta; else a bound of it."""
        run = self.run
        self.room[ROOT_DEPTH] = max(depth, 1)
        memory = (self._weights, run.count, run.visited, self._table, self.room, self.recipe.probe.arrays)
        return int(self._engine(run.game.fields(s), depth, alpha, beta, *memory, run.line.past))


@dataclass
class SelectiveDepths:
    """Searches to several depths, each beginning with what the last one found.

    Attributes:
        value, pv: the latest: also of a depth that was stopped when it had already found a move
        helpers: other threads, which hear of each depth
    """

    recipe: Recipe
    kept: KeptTable
    value: int = 0
    pv: tuple[int, ...] = ()
    helpers: Helpers | None = None
    _engine: SelectiveEngine | None = None

    def engine(self, run: Run) -> SelectiveEngine:
        if self._engine is None or self._engine.run is not run:
            self._engine, self.value, self.pv = SelectiveEngine(run, self.recipe, self.kept), 0, ()
        return self._engine

    def search(self, run: Run, found: Found, s: State) -> None:
        """Searches one depth: the value of the root, and the best move."""
        if run.game.over(s):
            found.value = plain_number(run.game.payoff(s, run.game.mover(s)))
            return
        if self.helpers is not None:
            self.helpers.join(run, found.plies)
        engine = self.engine(run)
        reach = NARROW if found.plies >= ASPIRED and abs(self.value) < WINS else 2 * TOP
        alpha, beta = max(-TOP, self.value - reach), min(TOP, self.value + reach)
        while True:
            value = engine.value(s, found.plies, alpha, beta)
            pv = line_of(engine.room)
            if pv:
                self.value, self.pv = int(engine.room[ROOT_VALUE]), tuple(pv)
            if run.stopped:
                return
            if alpha < value < beta or (alpha == -TOP and beta == TOP):
                break
            reach *= 4
            alpha = max(-TOP, value - reach) if value <= alpha else alpha
            beta = min(TOP, value + reach) if value >= beta else beta
        found.value, found.best = in_units(self.value), run.game.gathered(self.pv[:1])
        found.distance = distance_of(self.value)
        if found.distance is not None and found.distance <= found.plies:
            run.count[DEPTH_CUTOFFS] = 0  # nothing that a deeper search would find is better


def helper(recipe: Recipe, kept: KeptTable, s: State) -> SearchOne:
    """Return how another thread searches one depth of `s`, with a table that all share."""
    at = SelectiveDepths(recipe, kept)

    def search(run: Run, plies: int) -> HelperLine | None:
        found = Found(plies)
        at.search(run, found, s)
        won = found.distance is not None and found.distance <= plies
        return None if run.stopped or not at.pv else HelperLine(plies, at.value, at.pv, won)

    return search


def selective(
    game: Game,
    s: State,
    limit: Limit | None = None,
    recipe: Recipe | None = None,
    *,
    before: Before = (),
    kept: KeptTable | None = None,
    job: Job | None = None,
    explain: bool = True,
) -> Analysis:
    """Searches a position. The values count in the units of the evaluation; who has found a win in n
    plies is worth (32,767 - n) / 100, more than any evaluation.

    The cores of the job share a search that seconds limit, and no nodes (`Helpers`); what plies or nodes
    limit is searched by one thread, and always alike.

    There always is an answer: where the limit does not suffice for one ply, that of one ply without
    quiescence.

    `explain`: also what every move is worth, and how many different positions were looked at.

    Raises Unsuitable as minimax does.
    """
    require(game, NAME, *NEEDS)
    chosen, kept = recipe or Recipe(), kept or KeptTable()
    kept.age += 1
    search = LookAhead(game, s, limit or Limit(), job or Job(), kind_of(chosen), explain, before)
    at = SelectiveDepths(chosen, kept)
    at.helpers = Helpers(search, lambda: helper(chosen, kept, s))
    try:
        found, deepest = at.helpers.around(lambda: search.search(at.search, deepen=True))
    except LimitReached:  # who is to move must move: the best move of a glance that nothing stops
        glance = replace(chosen, quiescence=False)
        analysis = selective(
            game, s, Limit(plies=1), glance, before=before, kept=kept, job=job, explain=False
        )
        return replace(analysis, stopped=True, left_out=("values",) if explain else ())
    if deepest is not None and deepest.plies > found.plies:
        found.plies = found.reached = deepest.plies
        at.value, at.pv = deepest.value, deepest.pv
    if at.pv:
        found.value, found.best = in_units(at.value), game.gathered(at.pv[:1])
        found.distance = distance_of(at.value)
        found.values = {at.pv[0]: found.value}
        if explain:
            judge_every_move(search, at, found)
    analysis = answer(search, found, NAME, at.pv)
    table_end = end_in_tables(analysis, chosen.probe) if explain else None
    return replace(analysis, exact=False, evaluation=chosen.evaluation, table_end=table_end)


def end_in_tables(found: Analysis, tables: Probe) -> TableEnd | None:
    """The first position of best play that the tables hold, the root included."""
    if not tables.most_pieces:
        return None
    ask = instantiate(probe, found.game, jit=False, bind=tables.bindings)
    for plies, s in enumerate(found.states):
        score = int(ask(s, tables.arrays))
        if score != UNKNOWN and not found.game.over(s):
            return TableEnd(plies, score)
    return None


def kind_of(recipe: Recipe) -> Hashable:
    """Return which engines a recipe needs: its other parts are data."""
    return NAME, recipe.evaluation.features, tuple(recipe.probe.bindings.values())


def judge_every_move(search: LookAhead, at: SelectiveDepths, found: Found) -> None:
    """Judge every move of the root, as deep as it was searched; not counted."""
    game, s, values = search.game, search.state, dict(found.values)
    side = game.mover(s) == 0

    def work(run: Run) -> None:
        engine = SelectiveEngine(run, at.recipe, at.kept)
        for move in game.legal(s):
            if move not in values:
                with run.line.trying(move) as child:
                    sign = 1 if (game.mover(child) == 0) == side else -1
                    value = here(sign * engine.value(child, max(0, found.plies - 1), -TOP, TOP), 1)
                if run.stopped:
                    return
                values[move] = in_units(min(value, at.value))  # the search found no better one

    if uncounted_run(search, "values", work, SETTLED + 3 * search.nodes):
        found.values = values
    else:
        search.left_out.append("values")


def in_units(value: int) -> Number:
    """A value in the units of the evaluation."""
    return plain_number(value / UNIT)


def distance_of(value: int) -> int | None:
    """The plies to the end of a game that is won or lost; None where nobody is known to win."""
    return TOP - abs(value) if abs(value) > WINS else None


# Several threads in one selective search (*lazy SMP*): they share the transposition table and nothing else.
#
# Each goes its own way from depth to depth, every other one a ply ahead; what one has found out spares the
# others a search, and has them try other moves first. When the time is over the answer is that of the thread
# which came deepest, of equals that of the first. Which entries a thread meets is chance, so that two such
# searches need not agree: only the clock, which never promised that, may have one.

Result = TypeVar("Result")

SearchOne: TypeAlias = Callable[[Run, int], "HelperLine | None"]
"""search(run, plies): one depth; nothing where the run was stopped."""


@dataclass(frozen=True)
class HelperLine:
    """The line that a thread found at the deepest depth to whose end it came. `settled`: nothing that a
    deeper search would find is better.
    """

    plies: int
    value: int
    pv: tuple[int, ...]
    settled: bool


class Helpers:
    """The other threads of a search. They begin once one alone has taken ALONE seconds.

    Attributes:
        make: how a thread of its own searches one depth
    """

    def __init__(self, search: LookAhead, make: Callable[[], SearchOne]) -> None:
        self._search, self._make = search, make
        limit = search.limit
        self._jobs = search.job.jobs if limit.seconds is not None and limit.nodes is None else 1
        self._deepest = limit.plies or DEPTH
        self._begun = time.perf_counter()
        self._run: Run | None = None
        self._runs: list[Run] = []
        self._threads: list[threading.Thread] = []
        self._at_work: set[int] = set()  # threads that Ctrl-C may leave behind
        self._lines: list[HelperLine] = []
        self._failures: list[BaseException] = []
        self._plies = 0  # the depth of the first thread
        self._ended = False

    def join(self, run: Run, plies: int) -> None:
        """Hears that the first thread begins a depth; nobody helps with a run that only prepares engines."""
        if run is not self._search.run:
            return
        self._plies = plies
        if self._failures:
            raise self._failures[0]
        if self._threads or not run.jit or self._jobs == 1 or time.perf_counter() - self._begun < ALONE:
            return
        self._run = run
        self._runs = [run.beginning_beside() for _helper in range(self._jobs - 1)]
        self._threads = started(self._work, range(len(self._runs)))

    def around(self, work: Callable[[], Result]) -> tuple[Result, HelperLine | None]:
        """Return what the first thread finds, and the line of the helper who came deepest. What they
        counted is added to the search.
        """
        try:
            found = work()
        except BaseException:
            self._end(leave=True)
            raise
        self._end(leave=self._search.interrupted)
        return found, max(self._lines, key=lambda line: line.plies, default=None)

    def _end(self, *, leave: bool) -> None:
        """Ends the threads. Those that compile something are left behind where nobody is to wait: what they
        have counted, nobody knows then.
        """
        self._ended = True
        for run in self._runs:
            run.stop()
        if leave and let_go(self._at_work):
            self._search.explored = None
            return
        for thread in self._threads:
            thread.join()
        if self._failures:
            raise self._failures[0]
        if self._run is not None:
            self._search.nodes += sum(run.nodes for run in self._runs)
            whole = all(self._run.add_positions(run, self._search.job.memory) for run in self._runs)
            self._search.explored = self._run.explored if whole else None

    def _work(self, number: int) -> None:
        """Work of a helper."""
        me, run = threading.get_ident(), self._runs[number]
        self._at_work.add(me)
        try:
            run.make_room_as_in(self._run or run)
            search, plies = self._make(), 0
            while not self._ended:
                plies = max(plies + 1, self._plies + (number + 1) % 2)
                line = search(run, plies) if plies <= self._deepest else None
                if line is not None:
                    self._lines.append(line)
                    if line.settled:
                        return
                elif not self._goes_on(run):
                    return
                else:
                    plies -= 1
        except BaseException as error:  # told in the thread that waits
            self._failures.append(error)
        finally:
            self._at_work.discard(me)

    def _goes_on(self, run: Run) -> bool:
        """Return whether a run was stopped only because its set of positions was full, and has a larger one
        now.
        """
        if not run.crowded or not run.make_room(self._search.job.memory):
            return False
        run.count[STOPPED], run.count[BUDGET] = 0, ENDLESS
        if self._ended or (self._run is not None and self._run.stopped):
            run.stop()
        return True
