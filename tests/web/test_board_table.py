"""Two people and a watcher at one table, each with a browser of their own; and what becomes of them when the lab is started again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import serve, stop, violations
from on_board import line, status
from playwright.sync_api import expect


@pytest.fixture
def people(browser: Any, served: Any) -> Iterator[list[Any]]:
    """Three browsers that share nothing."""
    contexts = [browser.new_context(base_url=served.address, locale="en-GB") for _person in range(3)]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def first_move(page: Any) -> None:
    page.locator("[data-part=moves] [data-move]").first.click()


def test_two_people_play_and_a_third_watches(people: list[Any]) -> None:
    host, guest, watcher = people
    host.goto("/hexapawn?1=human&2=perfect&moves=a1a2,b3b2")
    host.get_by_role("button", name="Invite somebody").click()
    link = host.get_by_label("Address of this table").input_value()
    guest.goto(link)
    guest.get_by_role("button", name="Sit down").click()
    expect(guest.locator("[data-part=table]")).to_contain_text("Player 2: you")
    watcher.goto(link)
    expect(watcher.locator("[data-part=table]")).to_contain_text("You watch")
    expect(watcher.get_by_role("button", name="Sit down")).to_have_count(0)
    expect(status(host)).to_have_text("Your move (player 1).")
    first_move(host)
    for page in people:
        expect(line(page)).to_have_count(3)
    expect(host.locator("[data-part=moves] [data-move]")).to_have_count(0)
    expect(watcher.locator("[data-part=moves] [data-move]")).to_have_count(0)
    guest.reload()
    expect(status(guest)).to_have_text("Your move (player 2).")
    assert violations(guest) == []
    first_move(guest)
    expect(line(host)).to_have_count(4)


def test_an_agent_sits_at_a_table_too(people: list[Any]) -> None:
    host = people[0]
    host.goto("/pacman?1=human&2=chase&3=chase")
    host.get_by_role("button", name="Invite somebody").click()
    expect(host.locator("[data-part=table]")).to_contain_text("Player 3: chase")
    expect(host.locator("[data-part=table]")).to_contain_text("Player 2: free")


def test_a_table_that_is_gone_offers_to_go_on(browser: Any, tmp_path: Path) -> None:
    lab = serve(tmp_path)
    port = lab.address.rpartition(":")[2]
    context = browser.new_context(base_url=lab.address, locale="en-GB")
    page = context.new_page()
    page.goto("/hexapawn?1=human&2=human&moves=a1a2")
    page.get_by_role("button", name="Invite somebody").click()
    expect(page.get_by_label("Address of this table")).to_be_visible()
    stop(lab)
    lab = serve(tmp_path, port=port)
    try:
        page.get_by_role("button", name="Go on from this position").click()
        expect(line(page)).to_have_text(["1. a1a2"])
        expect(status(page)).to_have_text("Player 2 is to move.")
    finally:
        context.close()
        stop(lab)
