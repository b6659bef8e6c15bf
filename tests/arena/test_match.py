"""Matches: the same games plain and compiled, on one core or several; exact rates inside the
intervals; records that replay.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from lasting import later

from damier.arena.match import Score, match
from damier.arena.records import GameRecord
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.lab.agents import Lab, agent
from damier.lab.games import load


def seats(
    game: str,
    first: str,
    second: str,
    *,
    seed: int = 1,
    swap: bool = False,
    record: bool = False,
    limit: int = 10_000,
) -> MatchSetup:
    lab = Lab(load(game))
    return MatchSetup(lab.game, (agent(lab, first), agent(lab, second)), seed, swap, limit, record)


def played(table: MatchSetup, games: int, jit: bool | None, jobs: int = 1) -> tuple[Score, list[GameRecord]]:
    records: list[GameRecord] = []
    score = match(table, games, Job(jit=jit, jobs=jobs), keep=records.extend if table.record else None)
    score.seconds = 0.0
    return score, records


@pytest.mark.parametrize(
    ("game", "first", "second"),
    [
        ("tictactoe", "random", "random"),
        later(("hexapawn", "perfect", "random")),
        later(("hexapawn", "random", "perfect:prefer=fastest,ties=last")),
        ("nim", "random", "perfect:prefer=fastest,ties=last"),
        later(("nim:heaps=1-3-5", "perfect:ties=first", "random")),
    ],
)
def test_plain_and_compiled_play_the_same_games(game: str, first: str, second: str) -> None:
    plain = played(seats(game, first, second, swap=True, record=True), 300, False)
    compiled = played(seats(game, first, second, swap=True, record=True), 300, True)
    assert plain == compiled
    assert plain[0].games == 300


def test_jobs_do_not_change_the_games() -> None:
    one = played(seats("tictactoe", "random", "random", record=True), 9000, True, jobs=1)
    two = played(seats("tictactoe", "random", "random", record=True), 9000, True, jobs=2)
    assert one == two


def test_a_seed_is_a_match() -> None:
    scores = [played(seats("tictactoe", "random", "random", seed=seed), 2000, True)[0] for seed in (1, 1, 2)]
    assert scores[0] == scores[1] != scores[2]


def test_random_tictactoe_falls_inside_the_exact_rates() -> None:
    """Exact: X 737/1260, O 121/420, draw 8/63 (spec C); five standard deviations of a million
    games.
    """
    score, _records = played(seats("tictactoe", "random", "random", seed=3), 1_000_000, None)
    for count, exact in (
        (score.wins, Fraction(737, 1260)),
        (score.losses, Fraction(121, 420)),
        (score.draws, Fraction(8, 63)),
    ):
        spread = 5 * float(exact * (1 - exact) / 1_000_000) ** 0.5
        assert abs(count / 1_000_000 - float(exact)) < spread


def test_the_seats_add_up_and_swapping_is_fair() -> None:
    score, _records = played(seats("tictactoe", "perfect", "random", swap=True), 1001, False)
    assert [sum(seat) for seat in score.seats] == [501, 500]
    assert score.losses == 0
    assert (score.wins, score.draws) == tuple(sum(seat[end] for seat in score.seats) for end in (0, 1))


def test_two_perfect_players_draw_a_drawn_game() -> None:
    score, _records = played(seats("tictactoe", "perfect", "perfect:ties=last,prefer=fastest"), 500, False)
    assert score.draws == 500


def test_records_replay_to_their_payoffs() -> None:
    table = seats("tictactoe", "random", "random", record=True)
    _score, records = played(table, 200, True)
    assert [record.number for record in records] == list(range(200))
    for record in records:
        position = table.game.position().play(*record.moves)
        assert position.payoffs == record.payoffs
        assert record.finished


def test_a_game_without_end_is_stopped_and_counted() -> None:
    score, records = played(seats("tictactoe", "random", "random", record=True, limit=4), 100, True)
    assert score.unfinished == score.draws == 100
    assert all(
        len(record.moves) == 4 and not record.finished and record.payoffs == (0, 0) for record in records
    )
    assert played(seats("tictactoe", "random", "random", record=True, limit=4), 100, False)[1] == records


def test_an_interrupted_match_keeps_what_was_played() -> None:
    table, score = seats("tictactoe", "random", "random"), Score()

    def interrupt(done: int, total: int | None, what: str) -> None:
        if done >= 64:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        match(table, 10**9, Job(progress=interrupt, jit=False), score=score)
    assert score.games == score.wins + score.draws + score.losses
    assert 64 <= score.games < 64 + 32  # the chunk that was being played is counted
