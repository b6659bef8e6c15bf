"""What a search judges a position by: the bar between the players, and the sum below it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from browsing import violations
from lasting import long
from playwright.sync_api import expect

from damier import load
from damier.core.analysis import Limit, evaluation
from damier.core.job import Job
from damier.core.rules import State
from damier.lab.agents import Lab, searcher
from damier.lab.levels import meaning
from damier.search.selective import Recipe, selective
from damier.web.board_session import judged, squeezed, standard_opponent

PURE = Job(jit=False)
QUEEN_UP = "rnb1kbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR {} KQkq - 0 3"
JUDGED = "/chess?1=human&2=selective:nodes=300&show=mind&moves=e2e4,e7e5"


def judged_at(text: str, s: State, plies: int) -> dict[str, Any]:
    game = load(text)
    recipe = Recipe(evaluation=evaluation(game, game.evaluation))
    found = judged(selective(game, s, Limit(plies=plies), recipe, job=PURE, explain=False), "selective")
    assert found is not None
    return found


def chess_at(written: str) -> State:
    game = load("chess")
    assert game.read_position is not None
    return game.read_position(written)


@pytest.mark.parametrize("mover", ["w", "b"])
def test_the_bar_is_player_1s_whoever_moves(mover: str) -> None:
    found = judged_at("chess", chess_at(QUEEN_UP.format(mover)), 1)
    assert 0.9 < found["fill"] < 1
    assert found["value"].startswith("+")
    assert re.fullmatch(r"White is ahead by \d+(\.\d+)?", found["words"])
    queens = next(term for term in found["terms"] if term["name"] == "queens")
    assert queens["seen"] == "+1"
    assert float(queens["now"]) == pytest.approx(float(queens["weight"]), abs=0.005)


def test_the_terms_make_the_sum_and_none_is_lost() -> None:
    game, s = load("chess"), chess_at(QUEEN_UP.format("w"))
    found, judge = judged_at("chess", s, 1), evaluation(game, game.evaluation)
    exact = sum(w * f(s) for w, f in zip(judge.weights, judge.features, strict=True))
    assert float(found["now"]) == pytest.approx(exact, abs=0.005)
    assert sum(float(term["now"]) for term in found["terms"]) == pytest.approx(exact, abs=0.005 * 14)
    assert len(found["terms"]) + found["others"] == len(judge.features)
    assert all(term["words"] for term in found["terms"])


def test_a_won_game_fills_the_bar_and_says_how_soon() -> None:
    mate = chess_at("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    found = judged_at("chess", mate, 2)
    assert (found["fill"], found["words"], found["then"]) == (1.0, "White wins in 1 ply", "")


@pytest.mark.parametrize(
    ("agent", "names"),
    [
        ("alphabeta:plies=2,evaluate=2*lines", ["lines"]),
        ("minimax:plies=2", None),
        ("mcts:simulations=9", None),
    ],
)
def test_a_search_that_was_given_features_shows_them(agent: str, names: list[str] | None) -> None:
    game = load("tictactoe")
    found = searcher(Lab(game, PURE), agent).analyse(game.position().play("4").state)
    shown = judged(found, agent)
    assert (None if shown is None else [term["name"] for term in shown["terms"]]) == names


def test_squeezed_keeps_the_order_and_the_middle() -> None:
    values = [-1e9, -9.0, -1.0, 0.0, 0.5, 3.0, 327.66]
    bars = [squeezed(value) for value in values]
    assert bars == sorted(bars)
    assert (bars[0], bars[3], bars[-1]) == (-1.0, 0.0, 1.0)
    assert all(squeezed(-value) == pytest.approx(-squeezed(value)) for value in values)


def test_who_asked_for_nobody_meets_a_level_that_can_say_by_what_it_judges() -> None:
    for game in ("chess", "draughts"):
        assert standard_opponent(load(game)) == "medium"
        assert meaning(load(game), "medium").agent == "selective:nodes=2000"
    assert standard_opponent(load("tictactoe")) == "medium"


@long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_bar_and_its_sum_are_for_everybody(page: Any, theme: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.emulate_media(color_scheme=theme)
    page.goto(JUDGED)
    bar = page.get_by_role(
        "img", name=re.compile(r"^Evaluation: .+, (White|Black|X|O|Red|Yellow|player .|nobody)")
    )
    expect(bar).to_be_visible()
    expect(page.locator(".judged tfoot th")).to_have_text("sum")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    sizes = page.locator(".judged *").evaluate_all(
        "all => all.map(e => parseFloat(getComputedStyle(e).fontSize))"
    )
    assert min(sizes) >= 11


@long
def test_the_bar_speaks_french(page: Any) -> None:
    page.goto(JUDGED + "&lang=fr")
    expect(page.get_by_role("img", name=re.compile("^Évaluation"))).to_be_visible()
    expect(page.locator(".judged tfoot th")).to_have_text("somme")
