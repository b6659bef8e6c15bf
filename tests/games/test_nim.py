"""Nim: document S1's game (rows A-33, A-34), and Bouton's theory for several heaps."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

from damier import BadInput, load
from damier.games.nim import NimState
from damier.solve import count, solve
from tests.reached import states_of


def test_the_defaults_are_those_of_fort_boyard() -> None:
    game = load("nim")
    assert game.options == {"matches": 16, "take": 3, "misere": True}
    assert game.position().moves == ("1", "2", "3")
    assert game.start == NimState(0, 16)


def test_several_heaps_are_not_capped_and_misere_unless_said() -> None:
    game = load("nim:heaps=1-3-5-7")
    assert game.options == {"heaps": "1-3-5-7", "take": 0, "misere": True}
    assert game.position().moves == (
        "1:1",
        "2:1",
        "2:2",
        "2:3",
        *(f"3:{n}" for n in range(1, 6)),
        *(f"4:{n}" for n in range(1, 8)),
    )


def test_reachable_positions_count_the_player_too() -> None:
    """32 states from (16, IA) and not 17."""
    assert count(load("nim")).states == 32
    edges = sum(len(load("nim").legal(s)) for s in reachable("nim"))
    assert edges == 84


@pytest.mark.parametrize("misere", [True, False])
def test_one_heap_is_lost_by_theory(misere: bool) -> None:
    game = load(f"nim:matches=30,misere={str(misere).lower()}")
    solution = solve(game)
    for s in reachable(game.text):
        if s.matches == 0:
            continue
        lost = s.matches % 4 == (1 if misere else 0)
        assert solution.value(s) == ("loss" if lost else "win")
        if not lost:
            taken = (s.matches - 1) % 4 if misere else s.matches % 4
            assert solution.best_moves(s) == 1 << (taken - 1)


@pytest.mark.parametrize("take", [1, 2, 5])
def test_another_cap_moves_the_period(take: int) -> None:
    game = load(f"nim:matches=25,take={take}")
    solution = solve(game)
    for s in reachable(game.text):
        assert (solution.value(s) == "loss") == (s.matches % (take + 1) == 1 % (take + 1) and s.matches > 0)


@pytest.mark.parametrize("heaps", [(1, 2, 3), (1, 3, 5, 7), (2, 2), (4, 1, 1, 1), (1, 1, 1)])
def test_several_heaps_in_normal_play_are_lost_where_the_xor_is_zero(heaps: tuple[int, ...]) -> None:
    game = load(f"nim:heaps={'-'.join(map(str, heaps))},misere=false")
    solution = solve(game)
    for s in reachable(game.text):
        assert (solution.value(s) == "loss") == (reduce(xor, left(s, heaps)) == 0)


@pytest.mark.parametrize("heaps", [(1, 2, 3), (1, 3, 5, 7), (2, 2), (4, 1, 1, 1), (1, 1, 1), (5,)])
def test_several_heaps_in_misere_play_differ_only_where_no_heap_is_larger_than_one(
    heaps: tuple[int, ...],
) -> None:
    game = load(f"nim:heaps={'-'.join(map(str, heaps))}")
    solution = solve(game)
    for s in reachable(game.text):
        sizes = left(s, heaps)
        if max(sizes) <= 1:
            lost = sum(sizes) % 2 == 1
        else:
            lost = reduce(xor, sizes) == 0
        assert (solution.value(s) == "loss") == lost


def left(s: NimState, heaps: tuple[int, ...]) -> list[int]:
    """The heaps of a state, read as the module draws them: side by side, the first lowest."""
    sizes, matches = [], s.matches
    for size in heaps:
        sizes.append(matches & ((1 << size.bit_length()) - 1))
        matches >>= size.bit_length()
    return sizes


@pytest.mark.parametrize(
    "options",
    [
        "matches=0",
        "matches=-4",
        "take=-1",
        "matches=63,take=0",
        "heaps=40-40",
        "heaps=1-0",
        "heaps=1--2",
        "heaps=a",
        "heaps=-",
        "heaps=1-2-",
        "heaps=3.5",
    ],
)
def test_a_size_out_of_range_is_refused(options: str) -> None:
    with pytest.raises(BadInput, match="nim"):
        load(f"nim:{options}")


def reachable(text: str) -> list[NimState]:
    return states_of(load(text))
