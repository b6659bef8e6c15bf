"""Who meets whom: everybody once; by the Swiss system nobody twice, and nobody sits out twice."""

from __future__ import annotations

from random import Random

import pytest
from lasting import later

from damier.arena.pairing import RoundRobin, Swiss, exchange_last, system_for
from damier.arena.standings import Pair


def test_everybody_meets_everybody_once() -> None:
    pairs = RoundRobin(7).round((), (), (), 0).pairs
    assert len(pairs) == len(set(pairs)) == RoundRobin(7).pairings == 21
    assert all(first < second for first, second in pairs)


@pytest.mark.parametrize(("entrants", "seed"), [(65, 1), (66, 2), later((301, 3)), later((1000, 4))])
def test_nobody_meets_twice_and_byes_go_round(entrants: int, seed: int) -> None:
    random = Random(seed)
    points, met, byes = [0.0] * entrants, set[Pair](), list[int]()
    system = system_for(entrants)
    for number in range(system.rounds):
        found = system.round(points, met, byes, seed + number)
        present = [entrant for pair in found.pairs for entrant in pair]
        assert sorted([*present, *([] if found.bye is None else [found.bye])]) == list(range(entrants))
        assert not met & set(found.pairs)
        met |= set(found.pairs)
        if found.bye is not None:
            byes.append(found.bye)
            points[found.bye] += 1
        for first, second in found.pairs:  # the smaller number mostly wins: the hardest case for rematches
            points[first if random.random() < 0.9 else second] += 1
    assert len(set(byes)) == len(byes) == (system.rounds if entrants % 2 else 0)
    assert len(met) == system.pairings
    assert max(points[: entrants // 8]) == max(points)


def test_those_meet_who_have_as_many_points() -> None:
    points = [3.0, 3.0, 2.0, 2.0, 1.0, 1.0]
    assert sorted(Swiss(6).round(points, set(), (), 0).pairs) == [(0, 1), (2, 3), (4, 5)]


def test_the_same_seed_pairs_the_same() -> None:
    points, pair = [0.0] * 70, Swiss(70).round
    assert pair(points, set(), (), 5) == pair(points, set(), (), 5) != pair(points, set(), (), 6)


def test_a_pair_that_has_met_changes_partners() -> None:
    pairs = [(0, 1), (2, 3), (4, 5)]
    exchange_last(pairs, {(4, 5), (2, 4)})
    assert pairs == [(0, 1), (3, 4), (2, 5)]


def test_where_all_have_met_they_meet_again() -> None:
    everybody = set(RoundRobin(4).round((), (), (), 0).pairs)
    assert len(Swiss(4).round([0.0] * 4, everybody, (), 0).pairs) == 2
