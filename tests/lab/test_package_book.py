"""The book of Connect Four that comes with the package."""

from __future__ import annotations

import pytest
from books import bounds_from_above, early_positions
from lasting import later, long

from damier import load
from damier.core.job import Job
from damier.core.rules import TOP
from damier.lab.solving import BOOKS, RECALLED, SWITCH, KnownBefore, book_of, book_path, solved
from damier.search.exact import exact
from damier.search.proof_store import Bounds, ProvenScore, recall

LARGEST = 2 << 20
"""Bytes."""
COMPLETE = 2
"""Plies of which it has all positions."""
FIRST_MOVES = {"1": -2, "2": -1, "3": 0, "4": 1, "5": 0, "6": -1, "7": -2}
"""What the first player's moves are worth in the counting of Pascal Pons: 1 for a win with the last stone,
-1 for a loss by the opponent's last one, 2 with the one before.
"""

game = load("connect_four")
book = book_of(game)
assert book is not None


def entry(key: int) -> ProvenScore:
    assert book is not None
    found = book.look(game.unkey(key))
    assert found is not None
    return found


@pytest.mark.parametrize("step", [100, later(1)])
def test_the_book_has_all_positions_of_its_first_plies_and_says_nothing_that_contradicts_itself(
    step: int,
) -> None:
    assert book is not None
    keys = book.keys.tolist()
    assert set(keys) >= {key for layer in early_positions(game, COMPLETE) for key in layer}
    assert book_path(game, BOOKS).stat().st_size < LARGEST
    for key in keys[::step]:
        s, own = game.unkey(key), entry(key)
        bounds = Bounds(own.low, own.high)
        moves = {move: Bounds() for move in game.legal(s)}
        recall(book, game, s, bounds, moves)
        assert all(found.low <= found.high for found in (bounds, *moves.values()))


def test_the_first_moves_are_worth_what_is_published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "on")
    solution = solved(game, game.start, Job(), seconds=5).solution
    assert solution.method == RECALLED
    cells, moves = 42, {}
    for move, (value, distance) in solution.explain(game.start).items():
        assert distance is None or isinstance(distance, int)
        stones = 0 if distance is None else (cells - distance) // 2 + 1
        moves[game.name_move(game.start, move)] = stones if value == "win" else -stones
    assert moves == FIRST_MOVES


def test_the_book_bounds_every_position_of_the_next_ply() -> None:
    """As `scripts/book` goes on from it."""
    assert book is not None
    layers = early_positions(game, COMPLETE + 1)
    bounds = bounds_from_above(game, layers, KnownBefore(book, None))
    assert set(bounds) == set(layers[-1])
    assert all(found.low > -TOP or found.high < TOP for found in bounds.values())


@long
def test_every_entry_is_what_an_exact_search_proves() -> None:
    """Minutes for each of them."""
    assert book is not None
    for key in early_positions(game, COMPLETE)[-1]:
        found = exact(game, game.unkey(key), Job(), moves=False)
        assert found.bounds.exact
        assert abs(found.bounds.low) < TOP
        assert found.bounds.low == entry(key).low
