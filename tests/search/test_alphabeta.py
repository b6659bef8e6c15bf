"""Alpha-beta: the worth of minimax whatever the options, the nodes of the slides' own version, and
decisions that do not fall for false ties.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import inf
from pathlib import Path as FilePath
from typing import NamedTuple

import gallery
import pytest
from lasting import later, long, shortly

from damier import ONGOING, Game, load, position_of
from damier.core.analysis import Limit, evaluation
from damier.core.compile import instantiate
from damier.core.errors import Unsuitable
from damier.core.job import Job
from damier.core.moves import each
from damier.search.alphabeta import Options, alphabeta
from damier.search.minimax import minimax
from damier.solve import solve
from damier.solve.reach import representative
from tests.search.naive_games import AlphaBeta, minimax as naive

PURE = Job(jit=False)
EXAMPLES = FilePath(__file__).parents[2] / "examples"
ALL = [
    Options(prune, table, deepen, order, window=window)
    for prune, table, deepen, order, window in product(
        ("weak", "strict"), (False, True), (False, True), (False, True), ("full", "null")
    )
]

COMPILED = [
    Options(),
    Options(table=True),
    Options(table=True, deepen=True, order=True),
    Options(window="null"),
    Options(table=True, deepen=True, order=True, window="null"),
    Options("strict", True, True, True, window="null"),
]

GAMES = {
    "hexapawn loss": lambda: load("hexapawn:blocked=loss"),
    "nim": lambda: load("nim:heaps=1-2-3"),
    "connect": lambda: load("connect_four:width=3,height=3,in_a_row=3"),
    "graph": lambda: gallery.graph(seed=3, nodes=24, cycles=False),
    "tug": gallery.tug,
    "scored": lambda: gallery.scored(8, 3, -2),
}


def text_of(options: Options) -> str:
    return "-".join(
        str(value) for value in (options.prune, options.table, options.deepen, options.order, options.window)
    )


@pytest.mark.parametrize(
    ("prune", "nodes", "jit"),
    [
        ("weak", 18297, False),
        ("weak", 18297, True),
        later(("strict", 146120, False)),
        ("strict", 146120, True),
    ],
)
def test_tic_tac_toe_takes_as_many_nodes_as_the_reference(prune: str, nodes: int, jit: bool) -> None:
    """Spec C: counting every call, cells 0..8, no table."""
    game = load("tictactoe")
    found = alphabeta(game, game.start, options=Options(prune), job=Job(jit=jit))
    assert (found.nodes, found.value, found.exact, found.plies) == (nodes, 0, True, 9)
    assert found.best == 0b111111111
    assert set(found.values.values()) == {0}


@pytest.mark.parametrize("make", GAMES.values(), ids=GAMES)
@pytest.mark.parametrize("prune", ["weak", "strict"])
@pytest.mark.parametrize("plies", [1, 2, 4, 6])
def test_it_looks_at_the_nodes_that_the_slides_look_at(make: object, prune: str, plies: int) -> None:
    game: Game = make()
    reference = AlphaBeta(game, prune == "weak")
    worth = reference.value(game.start, plies)
    found = alphabeta(game, game.start, Limit(plies=plies), Options(prune), job=PURE)
    side = 1 if game.mover(game.start) == 0 else -1
    assert (side * found.value, found.nodes, found.explored) == (worth, reference.calls, len(reference.seen))


@pytest.mark.parametrize("options", ALL, ids=text_of)
@pytest.mark.parametrize(
    "make", shortly(GAMES.values(), GAMES["connect"], GAMES["graph"], GAMES["tug"]), ids=GAMES
)
def test_every_option_finds_the_values_and_the_best_moves_of_minimax(make: object, options: Options) -> None:
    game: Game = make()
    for plies in (2, 5):
        plain = minimax(game, game.start, Limit(plies=plies), job=PURE)
        for explain in (True, False):
            found = alphabeta(game, game.start, Limit(plies=plies), options, job=PURE, explain=explain)
            assert (found.value, found.best) == (plain.value, plain.best)
            if explain:
                assert found.values == plain.values


ONES = [Options(), Options("strict", True, True, True), Options(table=True, window="null")]
CONNECT = "connect_four:width=3,height=3,in_a_row=3"


@pytest.mark.parametrize(
    ("text", "options"),
    shortly(
        product(["hexapawn", "nim:matches=13", CONNECT, "mnk:width=3,height=2,in_a_row=2"], ONES),
        *product(["hexapawn", "nim:matches=13"], ONES),
        (CONNECT, ONES[0]),
    ),
    ids=lambda value: value if isinstance(value, str) else text_of(value),
)
def test_at_full_depth_it_agrees_with_the_solver_in_every_position(text: str, options: Options) -> None:
    game = load(text)
    solution = solve(game)
    job = Job(jit=False)
    for s in solution.table.scores:
        if not game.over(s):
            found = alphabeta(game, s, Limit(), options, job=job, explain=False)
            assert found.exact
            assert found.value == {"win": 1, "draw": 0, "loss": -1}[solution.value(s)]
            assert found.best == solution.best_moves(s)


@long
def test_every_position_of_tic_tac_toe() -> None:
    """One of each eight that are alike."""
    game = load("tictactoe")
    solution = solve(game)
    one_of_eight = instantiate(representative, game, jit=False)
    job = Job(jit=True)
    for s in {one_of_eight(s): s for s in solution.table.scores if not game.over(s)}.values():
        assert alphabeta(game, s, job=job, explain=False).best == solution.best_moves(s)


@long
@pytest.mark.parametrize(
    ("text", "options"),
    # with hooks; without
    [
        *(("connect_four:width=4,height=4", options) for options in COMPILED),
        ("hexapawn:blocked=loss", COMPILED[0]),
        ("hexapawn:blocked=loss", COMPILED[-1]),
    ],
    ids=lambda value: value if isinstance(value, str) else text_of(value),
)
def test_compiled_it_finds_and_counts_the_same(text: str, options: Options) -> None:
    """By default `test_recorded` and the nodes of tic-tac-toe say it."""
    game = load(text)
    pure, compiled = (
        alphabeta(game, game.start, Limit(plies=6), options, job=Job(jit=jit)) for jit in (False, True)
    )
    for name in ("value", "values", "best", "nodes", "explored", "plies", "exact", "pv", "distance"):
        assert getattr(pure, name) == getattr(compiled, name), name


def test_a_decision_does_not_fall_for_a_false_tie() -> None:
    """Row A-60: under weak pruning the second move comes back with the worth of the first, though
    it is worse.
    """

    class Spot(NamedTuple):
        place: int
        mover: int

    children = {0: (1, 2), 1: (3, 4), 2: (5, 6)}
    worths = {3: 1, 4: 1, 5: 1, 6: -1}
    edges = tuple(children.get(place, (0, 0)) for place in range(7))
    ends = tuple(worths.get(place, ONGOING) for place in range(7))
    game = Game(
        "trap",
        Spot(0, 0),
        lambda s: 3,
        lambda s, m: Spot(edges[s.place][position_of(m)], 1 - s.mover),
        lambda s: ends[s.place],
        bits=(3, 1),
    )
    reference = AlphaBeta(game, weak=True)
    assert [
        reference.value(game.play(game.start, move), 9, low, inf) for move, low in ((1, -inf), (2, 1.0))
    ] == [1.0, 1.0]
    for explain in (True, False):
        found = alphabeta(game, game.start, job=PURE, explain=explain)
        assert found.best == 1
    assert alphabeta(game, game.start, job=PURE).values == {1: 1, 2: -1}


@pytest.mark.parametrize("block", shortly(range(10), 0))
def test_a_thousand_random_games(block: int) -> None:
    """Ties in plenty, a player that moves several times in a row: weak and strict find the value
    and the best moves of minimax.
    """
    for seed in range(100 * block, 100 * block + 100):
        game = gallery.graph(seed=seed, nodes=13, degree=2, cycles=False)
        plies = 1 + seed % 7
        plain = minimax(game, game.start, Limit(plies=plies), job=PURE, explain=False)
        for options in (
            Options("weak"),
            Options("strict"),
            Options(table=True),
            Options(window="null"),
            Options("strict", window="null"),
        ):
            found = alphabeta(game, game.start, Limit(plies=plies), options, job=PURE, explain=False)
            assert (found.value, found.best) == (plain.value, plain.best)
        for prune in ("weak", "strict"):
            reference = AlphaBeta(game, prune == "weak")
            reference.value(game.start, plies)
            assert (
                alphabeta(game, game.start, Limit(plies=plies), Options(prune), job=PURE, explain=False).nodes
                == reference.calls
            )


class Path(NamedTuple):
    number: int
    plies: int


def uniform(branching: int, depth: int) -> Game:
    """A uniform tree in which the first move is always a best one: every leaf is worth the same but
    those that the first moves avoid.
    """

    def play(s: Path, move: int) -> Path:
        return Path(s.number * branching + position_of(move), s.plies + 1)

    def over(s: Path) -> bool:
        return s.plies == depth

    def payoff(s: Path, player: int) -> int:
        worth, number = 0, s.number
        digits = []
        for _ply in range(depth):
            digits.append(number % branching)
            number //= branching
        for ply, digit in enumerate(reversed(digits)):  # who first leaves the best line pays
            if digit and worth == 0:
                worth = (-1 if ply % 2 == 0 else 1) * (depth - ply)
        return worth if player == 0 else -worth

    return Game(
        "uniform",
        Path(0, 0),
        lambda s: (1 << branching) - 1,
        play,
        over=over,
        payoff=payoff,
        mover=lambda s: s.plies & 1,
        ply=lambda s: s.plies,
        bits=(40, 6),
    )


@pytest.mark.parametrize(("branching", "depth"), [(2, 4), (3, 4), (3, 5), (4, 4), (5, 3), (2, 7)])
def test_perfect_order_looks_at_the_minimal_tree_only(branching: int, depth: int) -> None:
    """Knuth and Moore (1975): b^⌈d/2⌉ + b^⌊d/2⌋ - 1 leaves."""
    game = uniform(branching, depth)
    found = alphabeta(game, game.start, job=PURE, explain=False)
    leaves = 0
    over = game.over

    def counted(s: Path) -> bool:
        nonlocal leaves
        leaves += s.plies == depth
        return bool(over(s))

    game.over = counted
    reference = AlphaBeta(game, weak=True)
    assert reference.value(game.start, depth) == found.value
    assert reference.calls == found.nodes
    assert leaves == branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1


def test_a_table_and_an_order_save_nodes() -> None:
    game = load("connect_four:width=5,height=4")
    kinds = (Options(), Options(table=True), Options(table=True, order=True))
    plain, table, both = (alphabeta(game, game.start, Limit(plies=9), options, job=PURE) for options in kinds)
    assert plain.values == table.values == both.values
    assert both.nodes < table.nodes < plain.nodes


def test_a_depth_that_proves_the_best_move_leaves_no_other_open() -> None:
    """Six plies prove the first move a draw, the loss after the other takes ten."""
    game = load("octapawn:width=3,height=4")
    state = game.start._replace(white=1568, black=21, mover=1)
    for options in (Options(deepen=True), Options(table=True, deepen=True, order=True)):
        found = alphabeta(game, state, None, options, job=PURE)
        assert (found.values, found.best) == ({64: 0, 1024: -1}, 64)
        assert found.plies < 10


def test_null_windows_save_nodes_where_the_order_is_good() -> None:
    """In a perfect order no question is asked twice."""
    full, null = (
        alphabeta(uniform(4, 6), Path(0, 0), None, Options("strict", window=window), job=PURE, explain=False)
        for window in ("full", "null")
    )
    assert (full.value, full.best, full.nodes) == (null.value, null.best, null.nodes)
    game = load("connect_four:width=4,height=4")
    options = [Options(table=True, deepen=True, order=True, window=window) for window in ("full", "null")]
    full, null = (
        alphabeta(game, game.start, Limit(plies=8), one, job=PURE, explain=False) for one in options
    )
    assert (full.value, full.best) == (null.value, null.best)
    assert null.nodes < full.nodes


@pytest.mark.parametrize(
    ("jit", "shallow", "plies", "most"),
    [(False, 5, 14, 50_000), later((False, 6, 18, 100_000)), later((True, 6, 18, 100_000))],
)
def test_where_positions_come_back_the_table_keeps_each_depth_apart(
    jit: bool, shallow: int, plies: int, most: int
) -> None:
    """Three men's morris goes round in circles: with one slot a position, 18 plies took 732,137
    nodes, and 14 took 78,148.
    """
    game = load(f"{EXAMPLES}/three_mens_morris.py")
    plain = minimax(game, game.start, Limit(plies=shallow), job=PURE, explain=False)
    found, deep = (
        alphabeta(game, game.start, Limit(plies=plies), Options(table=True), job=Job(jit=jit), explain=False)
        for plies in (shallow, plies)
    )
    assert (found.value, found.best) == (plain.value, plain.best)
    assert deep.value == 1
    assert deep.nodes < most


@pytest.mark.parametrize(
    ("options", "jit"),
    [
        (Options(), False),
        (Options("strict", True, True, True), False),
        later((Options("strict", True, True, True), True)),
        (Options(table=True, window="null"), False),
        later((Options(table=True, window="null"), True)),
    ],
)
def test_where_it_stops_it_takes_the_evaluation(options: Options, jit: bool) -> None:
    game = load("connect_four:width=4,height=4")
    judged = evaluation(game, "lines+10*threats")
    weigh = lambda s: game.features["lines"](s) + 10.0 * game.features["threats"](s)  # noqa: E731
    value, values = (
        naive(game, game.start, 4, weigh),
        minimax(game, game.start, Limit(plies=4), judged, job=PURE).values,
    )
    judging = replace(options, evaluation=judged)
    found = alphabeta(game, game.start, Limit(plies=4), judging, job=Job(jit=jit))
    assert found.value == value
    assert found.values == values


@pytest.mark.parametrize("make", [gallery.dice, gallery.secret], ids=["dice", "secret"])
def test_what_it_cannot_handle_it_refuses_by_name(make: object) -> None:
    game = make()
    with pytest.raises(Unsuitable, match="alphabeta"):
        alphabeta(game, game.start)


def test_the_line_is_best_play() -> None:
    game = load("hexapawn:blocked=loss")
    found = alphabeta(game, game.start, job=PURE)
    solution = solve(game)
    s = game.start
    for move in found.pv:
        assert move in list(each(solution.best_moves(s)))
        s = game.play(s, move)
    assert game.over(s)
