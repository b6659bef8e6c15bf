"""Two people and a watcher at one table, each with a browser of their own; and what becomes of them
when the lab is started again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from browsing import serve, stop, violations
from lasting import long
from on_board import invite, join, line, status
from playwright.sync_api import expect

from damier.web.settings import Settings


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
    link = invite(host, "/hexapawn?1=human&2=perfect&moves=a1a2,b3b2")
    join(guest, link)
    expect(guest.locator("[data-part=table]")).to_contain_text("Black: you")
    watcher.goto(link)
    expect(watcher.locator("[data-part=table]")).to_contain_text("You watch")
    expect(watcher.get_by_role("button", name="Sit down")).to_have_count(0)
    expect(status(host)).to_have_text("Your move (White).")
    first_move(host)
    for page in people:
        expect(line(page)).to_have_count(3)
    expect(host.locator("[data-part=moves] [data-move]")).to_have_count(0)
    expect(watcher.locator("[data-part=moves] [data-move]")).to_have_count(0)
    guest.reload()
    expect(status(guest)).to_have_text("Your move (Black).")
    assert violations(guest) == []
    first_move(guest)
    for page in (host, guest):
        expect(line(page)).to_have_count(4)
    guest.get_by_role("button", name="Leave the table").click()
    expect(guest.get_by_role("button", name="Invite somebody")).to_be_visible()
    expect(line(guest)).to_have_count(4)
    expect(host.locator("[data-part=table]")).to_contain_text("Black: free")


@long
def test_an_agent_sits_at_a_table_too(people: list[Any]) -> None:
    host = people[0]
    host.goto("/pacman?1=human&2=chase&3=chase")
    host.get_by_role("button", name="Invite somebody").click()
    expect(host.locator("[data-part=table]")).to_contain_text("Player 3: chase")
    expect(host.locator("[data-part=table]")).to_contain_text("Player 2: free")


@long
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
        expect(status(page)).to_have_text("Black is to move.")
    finally:
        context.close()
        stop(lab)


@long
def test_they_play_again_and_the_other_begins(people: list[Any]) -> None:
    host, guest, watcher = people
    link = invite(host, "/nim:matches=3?1=human&2=human")
    join(guest, link)
    watcher.goto(link)
    host.locator("[data-part=moves] [data-move='2']").click()
    for page in people:
        expect(line(page)).to_have_count(1)
    guest.locator("[data-part=moves] [data-move='1']").click()
    expect(status(host)).to_have_text("You have won.")
    expect(host.locator("[data-part=table]")).not_to_contain_text("to move")
    expect(watcher.get_by_role("button", name="New game")).to_have_count(0)
    guest.get_by_role("button", name="Let me start").click()
    expect(status(guest)).to_have_text("Your move (player 1).")
    expect(host.locator("[data-part=table]")).to_contain_text("Player 2: you")
    expect(watcher.locator("[data-part=table]")).to_contain_text("You watch")
    host.reload()
    first_move(guest)
    expect(status(host)).to_have_text("Your move (player 2).")


@long
def test_who_looks_back_at_a_table_plays_nothing_and_comes_back(people: list[Any]) -> None:
    host = people[0]
    host.goto("/hexapawn?1=human&2=human&moves=a1a2,b3b2")
    host.get_by_role("button", name="Invite somebody").click()
    expect(host.locator("[data-part=table]")).to_contain_text("White: you")
    host.get_by_role("button", name="One move back").click()
    expect(host.locator("[data-part=status]")).to_contain_text("Move 1 of 2: you look back.")
    expect(host.get_by_role("button", name="Go on from here")).to_have_count(0)
    host.get_by_role("button", name="To the latest position").click()
    expect(status(host)).to_have_text("Your move (White).")


@long
def test_who_leaves_makes_room_and_goes_on_alone(people: list[Any]) -> None:
    host, guest, other = people
    link = invite(host, "/hexapawn?1=human&2=human&moves=a1a2")
    join(guest, link)
    expect(status(guest)).to_have_text("Your move (Black).")
    guest.get_by_role("button", name="Leave the table").click()
    expect(guest.get_by_role("button", name="Invite somebody")).to_be_visible()
    expect(line(guest)).to_have_text(["1. a1a2"])
    expect(host.locator("[data-part=table]")).to_contain_text("Black: free")
    join(other, link)
    expect(status(other)).to_have_text("Your move (Black).")


def test_the_link_of_a_table_is_one_that_others_can_follow() -> None:
    link = "http://127.0.0.1:8000/hexapawn?table=x"
    assert Settings().for_others(link) == link
    assert Settings("192.0.2.7").for_others(link) == "http://192.0.2.7:8000/hexapawn?table=x"
    assert Settings("2001:db8::7").for_others(link) == "http://[2001:db8::7]:8000/hexapawn?table=x"
    assert (
        Settings("192.0.2.7").for_others("http://lab.local:8000/hexapawn") == "http://lab.local:8000/hexapawn"
    )
    assert not urlsplit(Settings("0.0.0.0").for_others(link)).netloc.startswith(("127.", "0."))


@long
def test_a_table_of_one_machine_says_so(people: list[Any]) -> None:
    people[0].goto("/hexapawn?1=human&2=human")
    people[0].get_by_role("button", name="Invite somebody").click()
    expect(people[0].locator("[data-part=table]")).to_contain_text("Only this machine can reach this lab.")
