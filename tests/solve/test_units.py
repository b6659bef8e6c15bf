"""Values in units, margins and expected payoffs, against naive recursion, every strategy tried out with
linear algebra, and value iteration over dictionaries.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import gallery
import numpy as np
import pytest
from lasting import later

from damier import CHANCE, ONGOING, BadGame, Game, Job, load, position_of
from damier.core.errors import LimitReached, Unsuitable
from damier.core.moves import each
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.core.solution import PayoffValue, ValueSolution
from damier.core.tiers import ENDLESS, Allowance, Tier, copied
from damier.lab.agents import Lab, policy
from damier.search.exact import exact
from damier.solve import expected, solve
from damier.solve.grade import grade
from damier.solve.graph import Graph, graph
from damier.solve.reach import TooMany, in_units

NODES = 7


class Place(NamedTuple):
    node: int


class Dicey(NamedTuple):
    """A game of few nodes: where each of its moves leads, who moves (CHANCE: a die, each face alike),
    and what an end is worth to player 0.
    """

    children: tuple[tuple[int, ...], ...]
    movers: tuple[int, ...]
    ends: tuple[int, ...]

    def game(self, odds: float = 1.0) -> Game:
        """The game; so likely is the second face of a die beside the others."""
        sets = tuple((1 << len(nodes)) - 1 for nodes in self.children)
        return Game(
            "nodes",
            Place(0),
            lambda s: sets[s.node],
            lambda s, move: Place(self.children[s.node][position_of(move)]),
            over=lambda s: sets[s.node] == 0,
            payoff=lambda s, player: self.ends[s.node] if player == 0 else -self.ends[s.node],
            mover=lambda s: self.movers[s.node],
            chance=(lambda s, move: odds if move == 2 else 1.0) if CHANCE in self.movers else None,
            bits=(4,),
        )


def boards(n: int, movers: tuple[int, ...]) -> Iterator[Dicey]:
    """Random games in which most positions can come back."""
    for seed in range(n):
        rng = random.Random(seed)
        ended = rng.randint(1, 3)
        children = tuple(
            () if node >= NODES - ended else tuple(rng.sample(range(NODES), rng.randint(1, 3)))
            for node in range(NODES)
        )
        who = tuple(rng.choice(movers) if nodes else 0 for nodes in children)
        yield Dicey(children, who, tuple(rng.choice((-5, -2, 0, 1, 3)) for _node in range(NODES)))


def absorbed(board: Dicey, chosen: dict[int, int]) -> np.ndarray:
    """What every node is worth where each mover plays its chosen move: play that never ends is 0."""
    step = np.zeros((NODES, NODES))
    for node, nodes in enumerate(board.children):
        following = nodes if board.movers[node] == CHANCE else [nodes[chosen[node]]] if nodes else []
        for child in following:
            step[node, child] += 1 / len(following)
    ending = np.array([not nodes for nodes in board.children])
    for _again in range(NODES):
        ending |= step @ ending > 0
    inner = np.flatnonzero(ending)
    ends = np.array([0.0 if nodes else end for nodes, end in zip(board.children, board.ends, strict=True)])
    found = np.zeros(NODES)
    found[inner] = np.linalg.solve(np.eye(len(inner)) - step[np.ix_(inner, inner)], ends[inner])
    return found


def strategies(board: Dicey, player: int) -> Iterator[dict[int, int]]:
    own = [n for n in range(NODES) if board.movers[n] == player and board.children[n]]
    for moves in product(*(range(len(board.children[n])) for n in own)):
        yield dict(zip(own, moves, strict=True))


def by_all_strategies(board: Dicey) -> float:
    """The value of the first node: positional strategies are enough for both."""
    return max(
        min(absorbed(board, ours | theirs)[0] for theirs in strategies(board, 1))
        for ours in strategies(board, 0)
    )


@pytest.mark.parametrize("movers", [(0, 1), (0, 1, CHANCE), (0, CHANCE), (0, 1, CHANCE, CHANCE)], ids=str)
def test_where_positions_come_back_values_are_those_of_the_best_strategies(movers: tuple[int, ...]) -> None:
    for seed, board in enumerate(boards(60, movers)):
        found = solve(board.game(), job=Job(jit=False))
        right = by_all_strategies(board)
        value = found.score(Place(0)) if isinstance(found, ValueSolution) else None
        if value is None:  # no end of it is worth more than a win
            word = found.value(Place(0))
            value = {"win": 1, "draw": 0, "loss": -1}[word] * (1 if board.movers[0] == 0 else -1)
        assert value == pytest.approx(right, abs=1e-6), seed


def test_compiled_and_plain_give_the_same_bytes_where_positions_come_back() -> None:
    board = next(
        board
        for board in boards(60, (0, 1, CHANCE))
        if CHANCE in board.movers and max(map(abs, board.ends)) > 1
    )
    plain, compiled = (solve(board.game(), job=Job(jit=jit)) for jit in (False, True))
    for s in plain.table.scores:
        assert plain.score(s) == compiled.score(s)
    assert plain.bound == compiled.bound


def test_who_can_stay_for_good_is_worth_nothing() -> None:
    """0 waits or goes into the die, which loses 5 or wins 3; 1 hands back to it."""
    board = Dicey(((1, 2), (0,), (3, 4), (), (), (), ()), (0, 1, CHANCE, 0, 0, 0, 0), (0, 0, 0, -5, 3, 0, 0))
    found = solve(board.game())
    assert isinstance(found, ValueSolution)
    assert found.score(Place(0)) == pytest.approx(0, abs=1e-6)
    assert found.endless
    with pytest.raises(Unsuitable, match="go round"):
        policy(Lab(board.game()), "perfect")


def test_where_bounds_do_not_meet_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expected, "ROUNDS", 1)
    monkeypatch.setattr(expected, "PASSES", 1)
    with pytest.raises(LimitReached, match="goes round for too long"):
        solve(load("pig:target=5"), job=Job(jit=False))


def graph_of(board: Dicey, odds: float = 1.0) -> Graph:
    """In plain Python."""
    return graph(board.game(odds), Job(jit=False), jit=False, units=True)


SLOWLY = Dicey(((0, 1), (), (), (), (), (), ()), (CHANCE, 0, 0, 0, 0, 0, 0), (0, 3, 0, 0, 0, 0, 0))
"""Throws until the game is over."""


def test_passes_over_positions_that_come_back_are_counted_as_work() -> None:
    waiting = Dicey(((1, 2), (0, 3), (), (), (), (), ()), (0, 1, 0, 0, 0, 0, 0), (0, 0, 5, -5, 0, 0, 0))
    for positions in (graph_of(SLOWLY), graph_of(waiting)):
        found = expected.payoffs(positions)
        assert positions.cyclic
        with pytest.raises(TooMany):
            expected.payoffs(positions, allowance=Allowance(visits=len(positions)))
        assert expected.payoffs(positions, allowance=Allowance(visits=10_000)) == found


def test_passes_end_where_compiled_code_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here they would go on for minutes, where many positions come back for hours."""
    monkeypatch.setattr(expected, "PASSES", ENDLESS)
    positions = graph_of(SLOWLY, 1e-8)
    rising = Tier(positions.game, lambda: None)
    rising.copy = copied(lambda: None)
    with pytest.raises(TooMany):
        expected.payoffs(positions, allowance=Allowance(tier=rising))


def recursive(game: Game, s: State, done: dict[State, Fraction]) -> Fraction:
    """The payoff to player 0, of a game in which no position comes back."""
    if s in done:
        return done[s]
    if game.over(s):
        found = Fraction(game.payoff(s, 0))
    else:
        children = {move: recursive(game, game.play(s, move), done) for move in each(game.moves(s))}
        if game.mover(s) == CHANCE:
            weights = {move: Fraction(game.chance(s, move)) for move in children}
            found = sum((weights[m] * children[m] for m in children), Fraction(0)) / sum(weights.values())
        else:
            found = (max if game.mover(s) == 0 else min)(children.values())
    done[s] = found
    return found


MARGINS = [
    "kalah:pits=2,seeds=2",
    "kalah:pits=3,seeds=1",
    "dots_and_boxes:rows=1,columns=3",
    "dots_and_boxes",
]


@pytest.mark.parametrize("text", [*MARGINS, "examples/dice_nim.py", f"{gallery.__file__}:dice"])
@pytest.mark.parametrize("jit", [False, later(True)])
def test_payoffs_are_those_of_naive_recursion(text: str, jit: bool) -> None:
    game = load(text)
    found, right = solve(game, job=Job(jit=jit)), {}
    recursive(game, game.start, right)
    assert isinstance(found, ValueSolution)
    assert len(found) == len(right)
    for s, payoff in right.items():
        assert found.score(s) == pytest.approx(float(payoff), abs=1e-12)
        assert found.kind != "margin" or found.score(s) == payoff


@pytest.mark.parametrize(
    ("method", "jit"),
    [
        *((method, False) for method in ("depth-first", "retrograde", None)),
        *(later((method, True)) for method in ("depth-first", "retrograde", None)),
    ],
)
def test_every_method_finds_the_margin(method: str | None, jit: bool) -> None:
    found = solve(gallery.scored(matches=4, win=5, loss=-5), job=Job(jit=jit), method=method)
    assert found.value(found.start) == PayoffValue(5)
    assert found.explain(found.start) == {1: (PayoffValue(5), None), 2: (PayoffValue(-5), None)}
    assert found.best_moves(found.start) == found.fastest_moves(found.start) == 1


def test_layers_find_margins() -> None:
    game = load("dots_and_boxes:rows=1,columns=2")
    found = solve(game, method="layers")
    assert found.method == "layers"
    assert found.score(game.start) == 0


def rare(jackpot: int, low: bool) -> Game:
    """Twenty steps left or right; only who goes right every time gets more than a win."""

    def outcome(s: gallery.Left) -> int:
        return ONGOING if s.left else jackpot if s.mover else -1

    def play(s: gallery.Left, move: int) -> gallery.Left:
        return gallery.Left(s.left - 1, s.mover & position_of(move))

    return Game(
        "rare",
        gallery.Left(20, 1),
        lambda s: 3,
        play,
        outcome,
        mover=lambda s: 0,
        bits=(5, 1),
        ply=(lambda s: 20 - s.left) if low else None,
    )


@pytest.mark.parametrize(
    ("advances", "jit"), [(False, False), (True, False), (False, True), later((True, True))]
)
def test_a_payoff_that_no_random_game_shows_is_found_on_the_way(jit: bool, advances: bool) -> None:
    game = rare(40, advances)
    assert not in_units(game)
    found = solve(game, job=Job(jit=jit))
    assert found.value(game.start) == PayoffValue(40)
    assert in_units(game)


def test_payoffs_too_large_for_a_table_are_solved_as_a_graph() -> None:
    found = solve(gallery.scored(matches=4, win=1 << 30, loss=-(1 << 30)), job=Job(jit=False))
    assert found.value(found.start) == PayoffValue(1 << 30)


def test_payoffs_that_do_not_cancel_out_are_refused_with_the_reason() -> None:
    with pytest.raises(Unsuitable, match="do not cancel out"):
        solve(gallery.scored(matches=4, win=5, loss=-4))


def test_weights_of_chance_that_are_none_are_refused() -> None:
    dice = gallery.dice()
    rules = dict(dice.given) | {"chance": lambda s, move: 0.0}
    moves, play = rules.pop("moves"), rules.pop("play")
    with pytest.raises(BadGame, match="weights of chance"):
        solve(Game("dice", dice.start, moves, play, bits=dice.bits, **rules), job=Job(jit=False))


# grades


def naive(game: Game, policies: tuple[object, object], done: dict[State, Fraction], s: State) -> Fraction:
    """The expected payoff of player 0; a policy of None maximises its own."""
    if s in done:
        return done[s]
    if game.over(s):
        return Fraction(game.payoff(s, 0))
    player = game.mover(s)
    children = {move: naive(game, policies, done, game.play(s, move)) for move in each(game.moves(s))}
    if player == CHANCE:
        likely = {move: Fraction(game.chance(s, move)) for move in children}
        likely = {move: weight / sum(likely.values()) for move, weight in likely.items()}
    elif policies[player] is None:
        done[s] = (max if player == 0 else min)(children.values())
        return done[s]
    else:
        shares = policies[player].probabilities(game, s)  # type: ignore[attr-defined]
        likely = {move: Fraction(share).limit_denominator(1000) for move, share in shares.items()}
    done[s] = sum((likely[move] * worth for move, worth in children.items()), Fraction(0))
    return done[s]


@pytest.mark.parametrize(
    "text", ["kalah:pits=2,seeds=2", "dots_and_boxes:rows=1,columns=2", "examples/dice_nim.py"]
)
@pytest.mark.parametrize("jit", [False, later(True)])
def test_grades_are_those_of_naive_recursion(text: str, jit: bool) -> None:
    lab = Lab(load(text))
    game = lab.game
    for ours in ("random", "perfect:ties=first"):
        a, b = policy(lab, ours), policy(lab, "random")
        found = grade(game, a, b, Job(jit=jit))
        for seat, sign in ((0, 1), (1, -1)):
            pair = (a, b) if seat == 0 else (b, a)
            assert found.seats[seat].payoff == pytest.approx(sign * float(naive(game, pair, {}, game.start)))
            for opponent, best in ((b, found.best_against), (a, found.best_response)):
                answer = (None, opponent) if seat == 0 else (opponent, None)
                assert best[seat].payoff == pytest.approx(sign * float(naive(game, answer, {}, game.start)))
    assert found.optimal_share_all == 1


def test_perfect_play_gets_the_value_whatever_the_other_does() -> None:
    for text in ("kalah:pits=3,seeds=2", "pig:target=8"):
        lab = Lab(load(text))
        perfect = policy(lab, "perfect")
        found = grade(lab.game, perfect, RandomPlayer(), Job(jit=False))
        value = lab.solution("").score(lab.game.start)
        assert found.best_response[1].payoff == pytest.approx(-value, abs=1e-5)
        assert found.seats[0].payoff >= value - 1e-6
        assert found.optimal_share_all == 1


def test_one_who_resigns_loses_the_most_there_is_to_lose() -> None:
    class Quitter(RandomPlayer):
        text = "quitter"

        def kernel(self, *, jit: bool) -> None:
            return None

        def probabilities(self, game: Game, s: State) -> dict[int, float]:
            return {}

    found = grade(load("dots_and_boxes:rows=1,columns=3"), Quitter(), RandomPlayer(), Job(jit=False))
    assert (found.seats[0].loss, found.seats[0].payoff) == (1, -3)


# search


@pytest.mark.parametrize("jit", [False, later(True)])
def test_an_exact_search_finds_the_margins_that_solving_finds(jit: bool) -> None:
    game = load("dots_and_boxes")
    solution = solve(game, job=Job(jit=False))
    chosen, s = random.Random(0), game.start
    while not game.over(s):
        found = exact(game, s, Job(jit=jit), units=True)
        assert found.complete
        assert found.bounds.low == solution.score(s)
        assert {m: b.low for m, b in found.children.items()} == {
            m: solution.score(game.play(s, m)) for m in game.legal(s)
        }
        s = game.play(s, chosen.choice(game.legal(s)))


def mixed(board: Dicey, chosen: dict[int, int]) -> float:
    """The payoff where the nodes of `chosen` play that, and all others, dice too, each move alike."""
    movers = tuple(mover if node in chosen else CHANCE for node, mover in enumerate(board.movers))
    return float(absorbed(board._replace(movers=movers), chosen)[0])


@pytest.mark.parametrize("movers", [(0, 1), (0, 1, CHANCE)], ids=str)
def test_grades_where_positions_come_back_are_those_of_linear_algebra(movers: tuple[int, ...]) -> None:
    for seed, board in enumerate(boards(40, movers)):
        found = grade(board.game(), RandomPlayer(), RandomPlayer(), Job(jit=False))
        for seat, sign in ((0, 1), (1, -1)):
            assert found.seats[seat].payoff == pytest.approx(sign * mixed(board, {}), abs=1e-7), seed
            best = max(sign * mixed(board, chosen) for chosen in strategies(board, seat))
            assert found.best_against[seat].payoff == pytest.approx(best, abs=1e-7), seed
