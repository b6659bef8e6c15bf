"""A tournament goes on where its store says, plays every game once, and stops where nothing can
change.
"""

from __future__ import annotations

import os
import signal
import sqlite3
from contextlib import closing, suppress
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import psycopg
import pytest
from at_work import wait_until
from lasting import shortly
from scripted_tournaments import Scripted, by_number, plan

from damier.arena import tournament as running
from damier.arena.pairing import TournamentPlan, missing, seed_of_pair, sweeps
from damier.arena.standings import Pair, Results, Standing, Tally, standings
from damier.arena.store import opened
from damier.arena.tournament import Tournament, run, settled


def play(
    place: str | Path, plan: TournamentPlan, hands: Scripted, *, until_sure: bool = False
) -> list[Standing]:
    with opened(str(place)) as store:
        tournament = Tournament(plan, store, store.enter(plan))
        run(tournament, hands, until_sure=until_sure)
        again = Tournament(plan, store, tournament.id)
        for counted in ("wins", "draws", "faults", "byes"):
            assert np.array_equal(getattr(tournament.results, counted), getattr(again.results, counted))
        return standings([entrant.name for entrant in plan.entrants], tournament.results)


def test_every_game_is_played_once_and_in_sweeps(tmp_path: Path) -> None:
    hands = Scripted()
    table = play(tmp_path / "a.db", plan(5, 40), hands)
    assert len(set(hands.played)) == len(hands.played) == 10 * 40
    assert {number for _pair, number in hands.played[:40]} == set(range(4))
    assert [line["agent"] for line in table] == sorted(line["agent"] for line in table)
    assert all(line["games"] == 160 for line in table)


@pytest.mark.parametrize("parts", shortly([8, 20], 8))
def test_whatever_breaks_it_off_it_goes_on(parts: int, tmp_path: Path) -> None:
    whole = play(tmp_path / "whole.db", plan(6, 10), Scripted())
    games, random = [], Random(1)
    for part in range(parts):
        hands = Scripted(limit=random.randrange(12) if part < parts - 1 else None, shuffled=random)
        with suppress(KeyboardInterrupt):
            table = play(tmp_path / "parts.db", plan(6, 10), hands)
        games += hands.played
    assert len(set(games)) == len(games) == 150
    assert table == whole


@pytest.mark.skipif(not hasattr(os, "fork"), reason="copies this process")
@pytest.mark.parametrize(
    ("place", "kills"),
    shortly(product(("sqlite", "postgresql"), (2, 20)), ("sqlite", 2)),
    indirect=["place"],
)
def test_killed_many_times_it_loses_nothing_and_counts_nothing_twice(
    place: str, kills: int, tmp_path: Path
) -> None:
    games, random = plan(4, 500), Random(1)
    for _kill in range(kills):
        seen, more = games_in(place), random.choice([0, 0, 1, 1, 40])
        child = os.fork()
        if child == 0:
            running.KEEP_SECONDS = 0.005
            try:
                play(place, games, Scripted(limit=140))  # so that some are left, however late it is killed
            finally:
                os._exit(0)
        wait_until(lambda: games_in(place) >= seen + more)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert games_in(place) >= seen
    assert 0 < games_in(place) < 3000
    assert play(place, games, Scripted()) == play(tmp_path / "whole.db", games, Scripted())
    assert games_in(place) == 3000


def games_in(place: str) -> int:
    """How many games are in a store that another process may be making; no two are the same."""
    counts = "SELECT count(*), count(DISTINCT pairing_id * 10000 + number) FROM game"
    if place.startswith("postgresql:"):
        with suppress(psycopg.errors.UndefinedTable), psycopg.connect(place) as server:
            return all_different(server.execute(counts).fetchone())
    elif Path(place).exists():
        with suppress(sqlite3.OperationalError), closing(sqlite3.connect(place)) as connection:
            return all_different(connection.execute(counts).fetchone())
    return 0


def all_different(counted: tuple[int, int] | None) -> int:
    assert counted is not None
    assert counted[0] == counted[1]
    return counted[0]


def test_more_games_a_pair_go_on_with_the_same_tournament(tmp_path: Path) -> None:
    first, more = Scripted(), Scripted()
    play(tmp_path / "a.db", plan(3, 6), first)
    play(tmp_path / "a.db", plan(3, 10), more)
    assert len(first.played) == 18
    assert {number for _pair, number in more.played} == {6, 7, 8, 9}


def test_another_seed_or_an_edited_agent_is_another_tournament(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db")) as store:
        ids = [store.enter(one) for one in (plan(3), plan(3, seed=1), plan(3, sha256="ab"), plan(3))]
        assert ids == [1, 2, 3, 1]
        assert store.tournaments() == [1, 2, 3]
        assert store.plan(2) == plan(3, seed=1)


def test_by_the_swiss_system_the_same_whatever_breaks_it_off(tmp_path: Path) -> None:
    whole, parts = Scripted(), list[tuple[Pair, int]]()
    table = play(tmp_path / "whole.db", plan(65, 2), whole)
    for limit in (70, 200, None):
        hands = Scripted(limit=limit)
        with suppress(KeyboardInterrupt):
            other = play(tmp_path / "parts.db", plan(65, 2), hands)
        parts += hands.played
    assert sorted(parts) == sorted(whole.played)
    assert len(parts) == 9 * 32 * 2
    assert other == table
    assert int(table[0]["agent"][5:]) < 22


def test_games_that_can_change_nothing_are_left_out(tmp_path: Path) -> None:
    """One that always wins, one that always loses, and two between them who are equal."""

    def ends(pair: Pair, number: int) -> int:
        return 1 if pair[0] == 0 or pair[1] == 3 else (-1) ** number

    hands = Scripted(ends)
    early = play(tmp_path / "early.db", plan(4, 100), hands, until_sure=True)
    assert 300 < len(hands.played) < 600
    assert (0, 3) not in {pair for pair, number in hands.played if number > 70}
    assert {number for pair, number in hands.played if pair == (1, 2)} == set(range(100))
    whole = play(tmp_path / "whole.db", plan(4, 100), Scripted(ends))
    assert [line["agent"] for line in early] == [line["agent"] for line in whole]


@pytest.mark.parametrize("seed", range(5))
def test_a_settled_order_is_the_final_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    points, left = random.integers(0, 30, 6) / 2.0, random.integers(0, 5, 6) * 1.0
    sure = settled(points, left)
    for _trial in range(50):
        final = points + np.array([random.integers(0, 2 * n + 1) / 2 for n in left])
        for entrant in np.flatnonzero(sure):
            for other in range(6):
                if left[entrant] or left[other]:
                    assert (final[entrant] > final[other]) == (points[entrant] > points[other])


def test_what_is_left_of_a_pair() -> None:
    assert list(missing(range(5), set(range(5)))) == []
    assert [list(part) for part in missing(range(25_000), {12_000})] == [
        list(range(10_000)),
        list(range(10_000, 12_000)),
        list(range(12_001, 22_001)),
        list(range(22_001, 25_000)),
    ]
    assert [number for part in sweeps(101) for number in part] == list(range(101))


def test_the_seed_of_a_pair_is_of_their_names_only() -> None:
    seeds = {seed_of_pair(seed, a, b) for seed in (0, 1) for a, b in (("a", "b"), ("a", "c"), ("ab", ""))}
    assert len(seeds) == 6
    assert all(0 <= seed < 1 << 62 for seed in seeds)


def test_equal_points_share_a_place() -> None:
    results = Results(3)
    results.add([Tally((0, 1), 0, 2, 0), Tally((0, 2), 2, 0, 0, 0, 1), Tally((1, 2), 2, 0, 0)])
    table = standings(["x", "y", "z"], results)
    assert [(line["place"], line["agent"], line["points"], line["faults"]) for line in table] == [
        (1, "x", 3.0, 0),
        (1, "y", 3.0, 0),
        (3, "z", 0.0, 1),
    ]
    assert by_number((0, 1), 3) == by_number((0, 1), 3)
