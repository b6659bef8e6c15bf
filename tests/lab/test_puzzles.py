"""Puzzles: exactly one of several moves keeps the value, the same seed gives the same puzzle, and later
ones are no easier.
"""

from __future__ import annotations

import pytest
from lasting import later

from damier import load
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.moves import each
from damier.core.solution import AnySolution, word_of
from damier.lab.puzzles import LEAST_MOVES, Puzzle, puzzle
from damier.solve import solve

SOLVED = ("tictactoe", "hexapawn", "octapawn", "nim", "dots_and_boxes", "kalah")
SELDOM = ("octapawn", "kalah", "tictactoe", "nim")


def wrong(game: Game, found: Puzzle, solution: AnySolution) -> list[str]:
    """What a puzzle is not that it should be."""
    position, faults = game.position().play(*found.moves), list[str]()
    s = position.state
    if s != found.position.state:
        faults.append("its moves lead elsewhere")
    if [*each(solution.best_moves(s))] != [found.right]:
        faults.append("not one move is right")
    if len(position.moves) < LEAST_MOVES:
        faults.append("few moves")
    if word_of(solution.value(s)) == "loss":
        faults.append("it is lost")
    if found.solution.explain(s) != solution.explain(s):
        faults.append("its values are others")
    return faults


@pytest.mark.parametrize("name", [later(name) if name in SELDOM else name for name in SOLVED])
def test_in_a_solved_game_exactly_one_move_is_right(name: str) -> None:
    game = load(name)
    solution = solve(game)
    for seed in range(1, 12):
        found = puzzle(game, seed, solution)
        assert wrong(game, found, solution) == []
        assert found == puzzle(game, seed, solution)


@pytest.mark.parametrize(
    ("text", "seed"),
    [("connect_four:width=6,height=6", 1), later(("connect_four", 1)), later(("connect_four", 2))],
)
def test_a_late_position_of_a_large_game_is_proven_by_a_fixed_number_of_nodes(text: str, seed: int) -> None:
    game = load(text)
    found = puzzle(game, seed, None)
    assert wrong(game, found, solve(game, found.position.state)) == []
    assert found[:3] == puzzle(game, seed, None)[:3]
    assert found.depth > 1


def test_puzzles_grow_harder() -> None:
    game = load("octapawn")
    solution = solve(game)
    early, late = ([puzzle(game, seed, solution).depth for seed in range(n, n + 10)] for n in (1, 60))
    assert sum(early) < sum(late)


@pytest.mark.parametrize("name", ["pig", "chess", "nim:matches=2"])
def test_a_game_without_puzzles_is_refused(name: str) -> None:
    game = load(name)
    with pytest.raises(Unsuitable):
        puzzle(game, 1, solve(game) if name.startswith("nim") else None)
