"""Two people play a whole game in two browsers; one of them loses the connection on the way, and
comes back to the same position.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browsing import Served
from lasting import long
from on_board import invite, join, line, status
from playwright.sync_api import expect
from wire import Wire

GAME = ("b1b2", "a3b2", "a1b2", "c3b2", "c1b2")


@pytest.fixture
def wire(served: Served) -> Iterator[Wire]:
    found = Wire(served)
    yield found
    found.close()


@pytest.fixture
def two(browser: Any, served: Served, wire: Wire) -> Iterator[tuple[Any, Any]]:
    """One at the lab's own address, the other behind a wire."""
    contexts = [
        browser.new_context(base_url=address, locale="en-GB") for address in (served.address, wire.address)
    ]
    yield contexts[0].new_page(), contexts[1].new_page()
    for context in contexts:
        context.close()


def seated(host: Any, guest: Any) -> None:
    """The host invites, the guest follows the link and sits down."""
    link = invite(host, "/hexapawn?1=human&2=human")
    join(guest, link[link.index("/hexapawn") :])
    expect(guest.locator("[data-part=table]")).to_contain_text("Black: you")


def play(page: Any, move: str) -> None:
    page.locator(f"[data-part=moves] [data-move='{move}']").click()


def test_a_game_goes_on_after_a_connection_was_lost(two: tuple[Any, Any], wire: Wire) -> None:
    host, guest = two
    seated(host, guest)
    play(host, GAME[0])
    expect(line(guest)).to_have_count(1)
    wire.cut()
    expect(guest.locator("#notice")).to_contain_text("The connection is lost")
    wire.mend()
    expect(guest.locator("#notice")).to_be_empty()
    for ply, move in enumerate(GAME[1:], 1):
        play(two[ply % 2], move)
        for page in two:
            expect(line(page)).to_have_count(ply + 1)
    for page in two:
        expect(status(page)).to_have_text("A draw.")


@long
def test_what_was_played_in_the_meantime_is_there_after_a_connection_was_lost(
    two: tuple[Any, Any], wire: Wire
) -> None:
    host, guest = two
    seated(host, guest)
    wire.cut()
    expect(guest.locator("#notice")).to_contain_text("The connection is lost")
    play(host, GAME[0])
    expect(line(host)).to_have_count(1)
    wire.mend()
    expect(line(guest)).to_have_count(1)
    play(guest, GAME[1])
    expect(line(host)).to_have_count(2)


@long
def test_a_move_that_is_made_while_the_connection_is_lost_is_played_when_it_is_back(
    two: tuple[Any, Any], wire: Wire
) -> None:
    host, guest = two
    seated(host, guest)
    play(host, GAME[0])
    expect(status(guest)).to_have_text("Your move (Black).")
    wire.cut()
    expect(guest.locator("#notice")).to_contain_text("The connection is lost")
    play(guest, GAME[1])
    wire.mend()
    expect(line(host)).to_have_count(2)
    expect(line(guest)).to_have_count(2)


@long
def test_a_table_that_was_opened_without_a_connection_comes_about_when_it_is_there(
    two: tuple[Any, Any], wire: Wire
) -> None:
    _host, guest = two
    guest.goto("/hexapawn?1=human&2=human")
    wire.cut()
    guest.get_by_role("button", name="Invite somebody").click()
    expect(guest.locator("#notice")).to_contain_text("The connection is lost")
    wire.mend()
    expect(guest.locator("[data-part=table]")).to_contain_text("White: you")
