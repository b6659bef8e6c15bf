"""Intervals against an independent oracle."""

from __future__ import annotations

import pytest

from damier.arena.match import wilson


@pytest.mark.parametrize(
    ("successes", "games"),
    [(0, 1), (1, 1), (0, 50), (50, 50), (3, 10), (500, 1000), (1, 100_000), (99_999, 100_000)],
)
def test_wilson_is_scipys(successes: int, games: int) -> None:
    from scipy.stats import binomtest  # here: every worker imports this file, and one runs this test

    expected = binomtest(successes, games).proportion_ci(method="wilson")
    assert wilson(successes, games) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_no_game_says_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
