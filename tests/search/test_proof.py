"""What is proven of the moves of a position a slice at a time, also where positions come back: no bound says
anything else than the solution of all positions, and what ends the game is known without any search.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import NamedTuple

import pytest
from lasting import later

from damier import ONGOING, load, position_of
from damier.core.game import Game, Position, read_position
from damier.core.job import Job
from damier.core.rules import TOP, loss_in, win_in
from damier.core.solution import side
from damier.search.exact import exact, exact_within
from damier.search.proof import STEP, Proof
from damier.search.running import DEPTH
from damier.solve import solve

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
PLAIN = Job(jit=False)


def advanced(proof: Proof, plies: int, slice: float = 0.1) -> Proof:
    """A proof that asked as far as so many plies, or came to its end."""
    while proof.plies < plies and not proof.complete:
        proof.advance(slice)
    return proof


def contradictions(proof: Proof) -> list[str]:
    """The moves whose bounds exclude their value or distance."""
    game, s = proof.game, proof.state
    ours, explained = side(game, s), solve(game, s, PLAIN).explain(s)
    found = []
    for move, (value, plies) in explained.items():
        least, most = proof.bounds[move].for_mover(ours)
        score = 0 if plies is None or value == "draw" else win_in(plies - 1)
        if not least <= (score if value == "win" else -score) <= most:
            found.append(game.name_move(s, move))
    return found


@pytest.mark.parametrize(
    ("game", "text"),
    [
        later((str(EXAMPLES / "three_mens_morris.py"), "")),
        ("draughts", "W:WK14:BK23"),
        later(("draughts", "W:WK1,K10:BK19")),
        ("chess", "8/8/8/8/8/8/p1k5/K7 w - - 0 1"),
    ],
)
def test_no_bound_contradicts_the_solution_where_positions_come_back(game: str, text: str) -> None:
    loaded = load(game)
    assert not loaded.acyclic
    draws = random.Random(0)
    for _walk in range(4):
        position = read_position(loaded, text) if text else loaded.position()
        for _ply in range(draws.randrange(6)):
            if not position.over:
                position = position.play(draws.choice(position.moves))
        if not position.over:
            assert contradictions(advanced(Proof(loaded, position.state, PLAIN), 6)) == []


@pytest.mark.parametrize(
    ("game", "moves"),
    [
        ("connect_four", "2577713147446472141745615326"),
        later((str(EXAMPLES / "three_mens_morris.py"), "")),
    ],
)
def test_threads_that_share_a_table_prove_nothing_else(game: str, moves: str) -> None:
    loaded = load(game)
    position = loaded.position().play(*moves)
    proof = advanced(Proof(loaded, position.state, Job(jit=True, jobs=2)), 8, 10)
    assert proof.complete or proof.plies >= 8
    assert proof.begun
    assert contradictions(proof) == []


def test_a_mate_in_one_is_known_without_any_search_and_one_in_two_after_four_plies() -> None:
    game = load("chess")
    s = read_position(game, "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1").state
    proof = Proof(game, s, PLAIN)
    mate = next(move for move in proof.bounds if game.name_move(s, move) == "e1e8")
    assert (proof.nodes, proof.begun) == (0, True)
    assert (proof.bounds[mate].low, proof.bounds[mate].high) == (TOP, TOP)
    assert (proof.own.low, proof.own.high) == (win_in(1), win_in(1))
    two = advanced(Proof(game, read_position(game, "7k/8/5K2/8/8/8/8/R7 w - - 0 1").state, PLAIN), 4)
    assert (two.own.low, two.own.high) == (win_in(3), win_in(3))


def test_what_was_before_is_not_looked_at() -> None:
    """A line that comes back to a position is no draw: else the table would keep what only that line
    says.
    """
    game = load("chess")
    s = read_position(game, "7k/8/5K2/8/8/8/8/R7 b - - 0 1").state
    proof = advanced(Proof(game, s, PLAIN), 5)
    assert proof.own.low >= loss_in(40)
    assert not proof.provers[False].run.line.matters


class Place(NamedTuple):
    node: int


def test_where_nobody_can_win_nothing_is_left_to_ask_after_the_farthest_horizon() -> None:
    """Two places to go to and fro between, from one of which the game may end in a draw."""
    game = Game(
        "round",
        Place(0),
        lambda s: 0b001 if s.node else 0b110,
        lambda s, move: Place(position_of(move)),
        lambda s: 0 if s.node == 2 else ONGOING,
        mover=lambda s: s.node & 1,
        bits=(2,),
    )
    proof = Proof(game, game.start, PLAIN)
    proof.advance(60)
    assert proof.exhausted
    assert proof.plies == DEPTH - STEP
    asked = proof.nodes
    proof.advance(60)
    assert proof.nodes == asked


def test_a_position_before_any_search_says_nothing() -> None:
    game = load("nine_mens_morris")
    proof = Proof(game, Position(game, game.start).state, PLAIN)
    assert not proof.begun
    assert not proof.own.exact


def test_best_play_after_a_move_that_is_proven_ends_as_it_says_and_when() -> None:
    """By the score alone: nothing is known of the positions of the line but what is asked."""
    game = load("connect_four:width=5,height=4")
    draws = random.Random(3)
    decided = 0
    while decided < 8:
        position = game.position()
        while not position.over and position.plies < 10:
            position = position.play(draws.choice(position.moves))
        if position.over:
            continue
        proof = Proof(game, position.state, PLAIN)
        while not proof.complete:
            proof.advance(5)
        solution = solve(game, position.state, PLAIN)
        for move, (value, plies) in solution.explain(position.state).items():
            line = proof.line(5, move)
            last = game.play(position.state, move)
            for each_move in line:
                last = game.play(last, each_move)
            assert game.over(last)
            payoff = side(game, position.state) * game.payoff(last, 0)
            assert payoff == {"win": 1, "draw": 0, "loss": -1}[value]
            assert value == "draw" or 1 + len(line) == plies
            decided += value != "draw"


def test_a_search_of_so_many_nodes_ends_there_or_with_the_exact_scores() -> None:
    game = load("connect_four:width=5,height=4")
    assert not exact_within(game, game.start, 50).complete
    s = game.position().play(*"33332245").state
    found = exact_within(game, s, 100_000)
    assert found.complete
    assert (found.nodes, found.bounds) == ((again := exact_within(game, s, 100_000)).nodes, again.bounds)
    assert found.bounds == exact(game, s, PLAIN).bounds
