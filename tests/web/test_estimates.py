"""Estimates beside proofs: of every move, in a moment, and none once the game is over."""

from __future__ import annotations

import pytest
from lasting import long, shortly

from damier.web.board_session import session_in
from damier.web.board_truth import estimates, judges
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board
from damier.web.settings import Settings

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1"


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry(Settings())


def shown(registry: Registry, **asked: object) -> tuple[str, str]:
    found = board.truth_show(registry, Params({"show": "truth", **asked}))
    return found["state"]["truth"], found["parts"]["truth"]


@pytest.mark.parametrize(
    "game",
    shortly(
        ["chess", "draughts", "go:size=7", "hex:size=6", "othello", "connect_four"], "othello", "connect_four"
    ),
)
def test_every_move_of_a_large_game_has_an_estimate(registry: Registry, game: str) -> None:
    session = session_in(registry, Params({"game": game}))
    found = estimates(session)
    assert set(found) == set(session.game.legal(session.position.state))
    assert all(-1 <= value <= 1 for value in found.values())
    assert bool(judges(session.game)) == (game != "connect_four")


def test_a_queen_that_hangs_is_seen_by_the_estimate(registry: Registry) -> None:
    session = session_in(registry, Params({"game": "chess", "position": "3rk3/8/8/3Q4/8/8/8/K7 b - - 0 1"}))
    found = estimates(session)
    best = max(found, key=lambda move: found[move])
    assert session.game.name_move(session.position.state, best) == "d8d5"


@long
def test_a_mate_is_proven_in_the_first_slice_and_nothing_is_worked_out_after_it(registry: Registry) -> None:
    state, text = shown(registry, game="chess", position=BACK_RANK)
    assert state == "search"
    assert "wins in 1" in text
    state, text = shown(registry, game="chess", moves=["f2f3", "e7e5", "g2g4", "d8h4"])
    assert state == "here"
    assert "aria-busy" not in text
