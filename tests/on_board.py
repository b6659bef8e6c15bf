"""The page of a board, as the tests of the web lab read it and play on it."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect


def status(page: Any) -> Any:
    return page.locator("[data-part=status] h2")


def line(page: Any) -> Any:
    """The moves of the game so far."""
    return page.locator("[data-part=line] .line [data-at]")


def in_address(page: Any, name: str) -> str:
    return parse_qs(urlsplit(page.url).query).get(name, [""])[0]


def cell(page: Any, number: int) -> Any:
    return page.locator(f'.d-touch[data-cell="{number}"]')


def middle(page: Any, number: int) -> tuple[float, float]:
    box = cell(page, number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Any, first: int, last: int) -> None:
    page.mouse.move(*middle(page, first))
    page.mouse.down()
    x, y = middle(page, last)
    page.mouse.move(x + 4, y + 4, steps=4)
    expect(page.locator(".b-ghost")).to_have_count(1)
    page.mouse.up()


def invite(host: Any, address: str) -> str:
    """Opens a table from a board. Returns the link that others follow."""
    host.goto(address)
    host.get_by_role("button", name="Invite somebody").click()
    return str(host.get_by_label("Address of this table").input_value())


def join(guest: Any, link: str) -> None:
    """Follows the link of a table, and takes the free seat."""
    guest.goto(link)
    guest.get_by_role("button", name="Sit down").click()


def go_to(page: Any, number: int) -> None:
    """Leads the keys to a cell of the board that has them, by arrows."""
    cursor = page.locator("[data-stage] .b-cursor")
    if not cursor.count():
        page.keyboard.press("ArrowDown")
    expect(cursor).to_have_count(1)
    for _press in range(60):
        if cursor.get_attribute("data-cell") == str(number):
            return
        here, there = cursor.bounding_box(), cell(page, number).bounding_box()
        right, down = there["x"] - here["x"], there["y"] - here["y"]
        across = "ArrowRight" if right > 0 else "ArrowLeft"
        page.keyboard.press(across if abs(right) > abs(down) else "ArrowDown" if down > 0 else "ArrowUp")
    raise AssertionError(f"no way to cell {number}")


def held(page: Any, verb: str) -> list[Any]:
    """The questions of this verb that are not let through yet."""
    found: list[Any] = []
    page.route(f"**/ask/{verb}", lambda route: found.append(route))
    return found


def let_go(page: Any, verb: str, questions: list[Any]) -> None:
    for question in questions:
        question.continue_()
    page.unroute(f"**/ask/{verb}")
