"""Pacman's laboratory on a page: games are played a second at a time, and each is seen again."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest
from browsing import violations
from lasting import shortly
from playwright.sync_api import expect

FEW = {"rounds": "1", "ghosts": "chase", "evaluate": "score", "games": 2}


@pytest.mark.parametrize("games", shortly([1, 2], 1))
def test_games_are_played_shown_and_seen_again(games: int, page: Any) -> None:
    page.goto(f"/pacman/laboratory?rounds=1&ghosts=chase;random&evaluate=score,none&games={games}")
    expect(page.locator("[data-part=status]")).to_contain_text(f"0 of {4 * games} games played")
    assert violations(page) == []
    page.get_by_role("button", name="Play the games").click()
    expect(page.get_by_role("button", name="All games are played")).to_be_disabled()
    expect(page.locator("[data-part=status]")).to_contain_text(f"{4 * games} of {4 * games} games played")
    expect(page.locator("[data-part=panels] svg")).to_have_count(2)
    page.get_by_text("The numbers").click()
    expect(page.locator("[data-part=table] tbody tr")).to_have_count(4)
    page.locator("[data-heat='2']").click()
    expect(page.locator("[data-part=games] h2")).to_contain_text("ghosts that chase, score, 1 round")
    expect(page.locator("[data-part=games]")).to_be_focused()
    assert violations(page) == []
    page.locator(f"[data-replay='{games - 1}']").click()
    expect(page).to_have_url(re.compile(r"/pacman:layout=crossing,ghosts=1\?moves=[A-Z].*at=0"))
    page.get_by_role("button", name="To the latest position").click()
    expect(page.locator("[data-part=status]")).to_contain_text("The end.")


def test_all_panels_are_of_one_scale(http: httpx.Client) -> None:
    shown = http.get("/pacman/laboratory?lang=fr").text.partition('data-part="panels"')[2]
    widths = re.findall(r'class="heat"><svg[^>]*viewBox="0 0 ([\d.]+)', shown)
    assert len(widths) == 3
    assert len(set(widths)) == 1


def test_what_a_page_may_ask_is_bounded(http: httpx.Client) -> None:
    for wrong in (
        {"games": 21},
        {"evaluate": "score,food,ghost,near_food,score+food"},
        {"evaluate": "beauty"},
        {"evaluate": "mine.py"},
        {"ghosts": "human"},
        {"rounds": "9"},
        {"maze": "pacman:layout=maze"},
        {"played": [[1, 2]]},
        {"played": [["a", 1, 1, 1]]},
        {"played": [[1, 1, 1, 1]] * 3},
    ):
        answer = http.post("/ask/laboratory.play", json=FEW | wrong)
        assert answer.status_code == 400, wrong
        assert len(answer.json()["error"].splitlines()) == 1


def test_what_was_played_is_not_played_again(http: httpx.Client) -> None:
    first: list[Any] = []
    while len(first) < 2:  # as many at a time as a moment has room for
        answer = http.post("/ask/laboratory.play", json=FEW | {"played": first}).json()
        assert len(answer["state"]["played"]) > len(first)
        first = answer["state"]["played"]
    told = [[999, 1, 1, 5]]
    again = http.post("/ask/laboratory.play", json=FEW | {"played": told}).json()
    assert again["state"]["played"] == [*told, first[1]]
