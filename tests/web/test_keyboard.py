"""The whole lab without a mouse: every control of every room is come to by Tab, in the order of the page,
is seen when it is, and lets go; drawers open by Enter and close by Escape; boards are played by arrows and
Enter.
"""

from __future__ import annotations

from typing import Any

import pytest
from browsing import violations
from lasting import later, long, shortly
from on_board import cell, go_to, in_address, line, status
from playwright.sync_api import expect
from rooms import ROOMS

FAR = ("/go:size=19", "/draughts:variant=international")
"""Rooms with more of what others have: their Tabs take long, and tell nothing new."""
WALKED = (*(path for path in ROOMS if path not in FAR), "/lessons/q", "/tree?view=exercise&kind=alphabeta")
OFTEN = (
    "/training/hexapawn",
    "/learning",
    "/tictactoe?1=human&2=perfect&show=truth,mind&moves=4,0",
)
"""Of rooms and of boards: links, fields, and drawers that ask for more."""
FOLLOW = """() => {
  window.come = [];
  const shown = (element) => {
    const ring = getComputedStyle(element), box = element.getBoundingClientRect();
    const within = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    const ringed = ring.outlineStyle !== "none" && parseFloat(ring.outlineWidth) >= 2;
    return ringed && within && box.width > 1 && box.height > 1;
  };
  addEventListener("focusin", ({ target }) => come.push([target, shown(target)]));
}"""
HERE = """() => {
  const here = document.activeElement, drawer = here.localName === "summary" ? here.parentElement : null;
  return [here !== document.body, Boolean(drawer) && !drawer.open];
}"""
OPENED = """() => {
  const drawer = document.activeElement.parentElement;
  return drawer.open && (!drawer.dataset.ask || drawer.querySelector("[data-part]").childElementCount > 0);
}"""
FOUND = """() => {
  const said = (element) => element.outerHTML.slice(0, 120);
  const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
  const all = [...document.querySelectorAll(kinds)].filter((element) => {
    const box = element.getBoundingClientRect();
    const may = element.tabIndex >= 0 && !element.disabled;
    return may && element.checkVisibility({ visibilityProperty: true }) && box.width && box.height;
  });
  const been = new Set(come.map(([element]) => element));
  const group = ({ name }) => all.some((one) => one.name === name && been.has(one));
  const met = [...been].filter((element) => all.includes(element));
  const due = all.filter((element) => been.has(element));
  return {
    missed: all.filter((one) => !been.has(one) && !(one.type === "radio" && group(one))).map(said),
    unseen: come.filter(([, shown]) => !shown).map(([element]) => said(element)),
    early: met.filter((element, place) => element !== due[place]).slice(0, 1).map(said),
    tabs: come.length > all.length ? [come.length, all.length] : [],
  };
}"""
AS_IT_SHOULD = {"missed": [], "unseen": [], "early": [], "tabs": []}


def come_to_rest(page: Any) -> None:
    """Waits for what a page brings by itself."""
    if page.get_by_label("What the agents think").and_(page.locator(":checked")).count():
        page.locator("[data-part=mind] table").first.wait_for()
    expect(page.locator("[aria-busy=true]:visible")).to_have_count(0)
    for own in page.locator("[data-card]").all():
        own.locator(".start, .problem").first.wait_for()


@pytest.mark.parametrize("path", shortly(WALKED, *OFTEN))
def test_tab_comes_to_every_control_and_past_it(page: Any, path: str) -> None:
    page.goto(path)
    come_to_rest(page)
    page.evaluate(FOLLOW)
    there = True
    while there:
        page.keyboard.press("Tab")
        there, closed = page.evaluate(HERE)
        if closed:
            page.keyboard.press("Enter")
            page.wait_for_function(OPENED)
        assert page.evaluate("come.length") < 500, "a trap"
    assert page.evaluate(FOUND) == AS_IT_SHOULD


def test_the_first_tab_leads_past_the_head_of_the_page(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=human")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="To the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Puzzles")).to_be_focused()  # beside the title
    page.keyboard.press("Tab")
    expect(page.locator("main [data-stage]")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.locator("header #theme")).to_be_focused()


def test_escape_closes_a_drawer_from_within_and_gives_the_keyboard_back(page: Any) -> None:
    page.goto("/connect_four?1=human&2=human")
    drawer = page.locator("details", has_text="Names and rules")
    drawer.locator("summary").focus()
    page.keyboard.press("Enter")
    page.get_by_label("Name of Red").focus()
    page.keyboard.press("Escape")
    expect(drawer).not_to_have_attribute("open", "")
    expect(drawer.locator("summary")).to_be_focused()


@pytest.mark.parametrize(
    ("address", "cells", "played"),
    [
        later(("tictactoe", (4,), "4")),
        later(("connect_four", (24,), "4")),
        ("hexapawn", (6, 3), "a1a2"),
        later(("chess", (52, 36), "e2e4")),
        later(("go:size=5", (12,), "C3")),
        ("hex:size=5", (7,), "c2"),
        later(("othello", (19,), "d3")),
        later(("nim:matches=5", (3,), "2")),
        later(("nine_mens_morris", (4,), "d6")),
        later(("kalah", (1,), "2")),
        later(("dots_and_boxes:rows=1,columns=2", (1,), "h1-1")),
    ],
)
def test_a_move_is_made_by_arrows_and_enter_and_the_keyboard_stays_at_the_board(
    page: Any, address: str, cells: tuple[int, ...], played: str
) -> None:
    page.goto(f"/{address}?1=human&2=human")
    page.locator("[data-stage]").focus()
    for number in cells:
        go_to(page, number)
        page.keyboard.press("Enter")
    expect(line(page)).to_have_count(1)
    expect(page.locator("[data-stage]")).to_be_focused()
    assert in_address(page, "moves") == played


JUMPS = "11-16,24-20,10-15,20x11,7x16,23-19,16x23"  # then 26x19x10 or 27x18x11


@long
def test_a_jump_over_two_goes_step_by_step(page: Any) -> None:
    page.goto(f"/draughts?1=human&2=human&moves={JUMPS}")
    page.locator("[data-stage]").focus()
    for number in (51, 37):
        go_to(page, number)
        page.keyboard.press("Enter")
    expect(page.locator(".b-chosen")).to_have_count(2)
    expect(page.locator(".b-goal")).to_have_attribute("data-cell", "19")
    page.keyboard.press("Escape")
    expect(page.locator(".b-chosen")).to_have_count(0)
    for number in (51, 37, 19):
        go_to(page, number)
        page.keyboard.press("Enter")
    expect(line(page).last).to_have_text("8. 26x19x10")
    expect(page.locator("[data-stage]")).to_be_focused()


def test_the_piece_of_a_promotion_is_asked_for_and_escape_asks_no_more(page: Any) -> None:
    page.goto("/chess?1=human&2=human&position=8/P6k/8/8/8/8/8/K7 w - - 0 1")
    page.locator("[data-stage]").focus()
    for _time in range(2):
        for number in (8, 0):
            go_to(page, number)
            page.keyboard.press("Enter")
        expect(page.locator("[data-choice] button").first).to_be_focused()
        if not _time:
            page.keyboard.press("Escape")
            expect(page.locator("[data-choice]")).to_be_hidden()
            expect(page.locator("[data-stage]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(line(page)).to_contain_text("=Q")
    expect(page.locator("[data-stage]")).to_be_focused()


@long
def test_go_is_passed_and_counted(page: Any) -> None:
    page.goto("/go:size=5,komi=0.5?1=human&2=human&moves=C3")
    for _time in range(2):
        page.locator("[data-move=pass]").focus()
        page.keyboard.press("Enter")
        expect(line(page)).to_have_count(2 + _time)
    expect(status(page)).to_have_text("Black has won.")
    expect(page.locator("[data-part=status]")).to_contain_text(
        "Area of Black less that of White: +25; komi for White: 0.5"
    )
    expect(page.locator("[data-stage]")).to_be_focused()


@long
def test_a_position_is_set_up_by_arrows_and_enter(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=human")
    page.get_by_role("link", name="Set up a position").focus()
    page.keyboard.press("Enter")
    editor = page.get_by_role("region", name="Set up a position")
    board = editor.get_by_role("group", name="Position: arrow keys")
    expect(board).to_be_focused()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(editor.get_by_label("The same in the game's notation")).to_have_value(".../.X./... O")
    expect(board).to_be_focused()
    expect(editor.locator("[data-editor-cell]")).to_have_text("row 2, column 2: cross")
    expect(editor.get_by_role("radio", name="O")).to_be_checked()
    assert violations(page) == []
    editor.get_by_role("link", name="Play from here").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**position=**")
    expect(cell(page, 4)).to_have_attribute("data-name", "row 2, column 2: cross")


def test_a_control_that_makes_no_more_sense_keeps_the_keyboard_and_does_nothing(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=human&moves=b1b2")
    start = page.get_by_role("button", name="To the start")
    start.focus()
    for _time in range(2):
        page.keyboard.press("Enter")
        expect(start).to_be_disabled()
        expect(start).to_be_focused()
    assert in_address(page, "at") == "0"
    page.get_by_role("button", name="To the latest position").focus()
    page.keyboard.press("Enter")
    expect(start).to_be_enabled()


def test_what_did_not_change_is_not_read_aloud_again(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=perfect&moves=b1b2,a3b2")
    page.evaluate(
        """() => {
          window.read = 0;
          const spoken = document.querySelector("[data-part=status]");
          new MutationObserver(() => { read += 1; }).observe(spoken, { childList: true, subtree: true });
        }"""
    )
    page.get_by_label("What the agents think").press("Space")
    page.locator("[data-part=mind] table").first.wait_for()
    assert page.evaluate("read") == 0
    page.get_by_role("button", name="To the start").press("Enter")
    expect(page.locator("[data-part=status]")).to_contain_text("Move 0 of 2")
    assert page.evaluate("read") > 0
