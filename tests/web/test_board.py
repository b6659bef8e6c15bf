"""The board room, as a person uses it: with a mouse, by dragging, with keys, back and forth, by its
address.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from browsing import violations
from lasting import long, shortly
from on_board import drag, held, in_address, let_go, line, middle, status
from playwright.sync_api import expect

PERFECT = "perfect:ties=first"


def test_a_move_by_button_gets_its_reply_and_an_address(page: Any) -> None:
    page.goto(f"/hexapawn?1=human&2={PERFECT}")
    page.get_by_role("button", name="b1b2", exact=True).click()
    expect(line(page)).to_have_count(2)
    expect(status(page)).to_have_text("Your move (White).")
    assert in_address(page, "moves").startswith("b1b2,")
    assert in_address(page, "2") == PERFECT


@long
def test_the_address_is_the_position(page: Any, visitor: Any) -> None:
    page.goto("/hexapawn:width=4,height=4,blocked=loss?1=human&2=human&moves=a1a2,b4b3&seed=5")
    page.reload()
    expect(line(page)).to_have_count(2)
    other = visitor.new_page()
    other.goto(page.url)
    assert (
        other.locator("svg.damier desc").first.text_content()
        == page.locator("svg.damier desc").first.text_content()
    )


def test_a_pawn_is_dragged_and_a_wrong_move_says_so(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=human")
    drag(page, 6, 4)
    expect(page.locator("#notice")).to_have_text("This is not a legal move here.")
    expect(line(page)).to_have_count(0)
    drag(page, 6, 3)
    expect(line(page)).to_have_text(["1. a1a2"])
    expect(page.locator(".b-ghost")).to_have_count(0)


def test_a_pawn_is_clicked_and_then_where_it_goes(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=human&moves=a1a2")
    page.mouse.click(*middle(page, 1))
    expect(page.locator(".b-goal")).to_have_count(2)
    page.mouse.click(*middle(page, 3))
    expect(line(page)).to_have_count(2)
    assert in_address(page, "moves") == "a1a2,b3a2"


@long
def test_keys_move_a_cursor_and_play(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=human")
    page.locator("[data-stage]").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    expect(page.locator("[data-cell-name]")).to_have_text("b1: light")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(line(page)).to_have_text(["1. b1b2"])
    expect(page.locator("[data-cell-name]")).to_have_text("b2: light")
    page.locator("[data-stage]").focus()
    expect(page.locator(".b-cursor")).to_have_count(1)


def test_number_keys_choose_columns_and_matches(page: Any) -> None:
    page.goto("/connect_four:width=5,height=4?1=human&2=human")
    page.keyboard.press("3")
    expect(line(page)).to_have_text(["1. 3"])
    page.mouse.click(*middle(page, 1))  # the top of the second column means its foot
    expect(line(page)).to_have_text(["1. 3", "2. 2"])
    page.goto("/nim:matches=5?1=human&2=human")
    page.keyboard.press("2")
    expect(line(page)).to_have_text(["1. 2"])
    page.mouse.click(*middle(page, 0))  # the first of three matches: all three
    expect(status(page)).to_have_text("Player 1 has won.")


def test_arrow_keys_steer_pacman(page: Any) -> None:
    page.goto("/pacman?1=human&2=chase")
    page.keyboard.press("ArrowRight")
    expect(line(page).nth(2)).to_be_visible()
    expect(status(page)).to_have_text("Your move (player 1).")
    page.keyboard.press("Space")
    expect(line(page).nth(5)).to_be_visible()
    moves = in_address(page, "moves").split(",")
    assert (moves[0], moves[3]) == ("East", "Stop")
    expect(page.locator("[data-part=status]")).to_contain_text("Score 8")


def test_back_forth_and_take_back(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=human&moves=4,0,8")
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("2. 0")
    assert (in_address(page, "moves"), in_address(page, "at")) == ("4,0,8", "2")
    page.reload()
    page.get_by_role("button", name="To the start").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_count(0)
    page.get_by_role("button", name="To the latest position").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("3. 8")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("2. 0")
    page.get_by_role("button", name="2", exact=True).click()  # another move: what was taken back is forgotten
    expect(line(page)).to_have_text(["1. 4", "2. 0", "3. 2"])
    page.go_back()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("2. 0")
    assert in_address(page, "moves") == "4,0,8"


@long
def test_take_back_goes_to_the_persons_own_decision(page: Any) -> None:
    page.goto(f"/tictactoe?1=human&2={PERFECT}")
    page.get_by_role("button", name="4", exact=True).click()
    expect(line(page)).to_have_count(2)
    page.get_by_role("button", name="8", exact=True).click()
    expect(line(page)).to_have_count(4)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_contain_text("2.")
    expect(status(page)).to_have_text("Your move (X).")


def test_two_agents_wait_for_play_and_the_end_says_who_won(page: Any) -> None:
    page.goto("/nim:matches=3?1=perfect:ties=first&2=perfect:ties=first")
    expect(status(page)).to_have_text("Player 1 (the perfect player) is to move.")
    expect(line(page)).to_have_count(0)
    page.get_by_role("button", name="One move on").click()
    expect(line(page)).to_have_count(1)
    page.get_by_label("Pace").select_option("0")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(status(page)).to_have_text("Player 1 (the perfect player) has won.")
    page.get_by_label("Pace").select_option("700")
    page.get_by_role("button", name="See it again").click()
    expect(page.locator("[data-part=line] [aria-current]")).to_have_count(0)
    expect(page.locator("[data-part=line] [aria-current]")).to_have_text("1. 2")
    expect(status(page)).to_have_text("Player 1 (the perfect player) has won.")


def test_the_other_starts_and_seats_are_swapped(page: Any) -> None:
    page.goto(f"/hexapawn?1=human&2={PERFECT}")
    page.get_by_role("button", name="Let the other start").click()
    expect(line(page)).to_have_count(1)
    expect(status(page)).to_have_text("Your move (Black).")
    assert in_address(page, "2") == "human"
    page.get_by_role("button", name="Swap seats").click()
    expect(line(page)).to_have_count(2)
    expect(status(page)).to_have_text("Your move (White).")


def test_an_agent_is_chosen_with_its_options(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=random")
    page.get_by_label("Black", exact=True).select_option("alphabeta")
    expect(page.get_by_label("Options of Black")).to_be_visible()
    page.get_by_label("Options of Black").fill("plies=2")
    page.get_by_label("Options of Black").press("Tab")
    expect(page).to_have_url(re.compile("alphabeta:plies=2"))
    page.get_by_label("Options of Black").fill("plies=nonsense")
    page.get_by_label("Options of Black").press("Tab")
    expect(page.locator("#notice")).to_contain_text("nonsense")
    options = page.get_by_label("Black", exact=True).locator("option")
    names = [option.get_attribute("value") for option in options.all()]
    assert "chase" not in names
    assert "perfect" in names


@long
def test_dice_fall_by_the_seed(page: Any) -> None:
    rolled = []
    for seed in ("3", "3", "4", "5", "6"):
        page.goto(f"/dice_nim?1=human&2=random&seed={seed}")
        expect(line(page)).to_have_count(1)
        rolled.append(in_address(page, "moves"))
    assert rolled[0] == rolled[1]
    assert len(set(rolled)) > 1
    assert all(move.startswith("die") for move in rolled)


def test_the_rules_are_shown_as_a_program_and_no_path_is(page: Any) -> None:
    page.goto("/dice_nim")
    page.get_by_text("The rules as a program").click()
    expect(page.locator("pre code")).to_contain_text("def dice_nim(")
    assert "/dice_nim.py" not in page.content()


@pytest.mark.parametrize(
    "path",
    shortly(
        [
            "/tictactoe?1=human&2=human&moves=4,0,8&at=2",
            "/pacman",
            "/nim?1=human&2=perfect&show=truth,predict",
            "/dice_nim?1=random&2=random",
        ],
        "/nim?1=human&2=perfect&show=truth,predict",
    ),
)
def test_every_kind_of_board_is_usable_by_everybody(page: Any, path: str) -> None:
    page.goto(path)
    expect(page.locator("svg.damier").first).to_be_visible()
    assert violations(page) == []


@long
def test_only_keys_are_needed(page: Any) -> None:
    """From the first Tab to the end of a game."""
    page.goto("/nim:matches=3?1=human&2=perfect:ties=first")
    for _press in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.move") == "2":
            break
    page.keyboard.press("Enter")
    expect(status(page)).to_have_text("You have won.")
    assert page.locator("[data-do=new]").first.is_visible()


def test_a_click_that_comes_too_early_says_so(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=perfect")
    page.get_by_label("Pace").select_option("2000")
    page.get_by_role("button", name="b1b2", exact=True).click()
    expect(status(page)).to_have_text("Black (the perfect player) is to move.")
    page.mouse.click(*middle(page, 6))
    expect(page.locator("#notice")).to_have_text("It is not your turn.")


@long
def test_pacman_is_steered_while_the_ghosts_move(page: Any) -> None:
    page.goto("/pacman?1=human&2=chase")
    page.get_by_label("Pace").select_option("700")
    page.locator("[data-stage]").focus()
    page.keyboard.press("ArrowRight")
    expect(line(page)).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    expect(line(page).nth(3)).to_be_visible()
    moves = in_address(page, "moves").split(",")
    assert (moves[0], moves[3]) == ("East", "West")


def test_where_nothing_goes_by_itself_there_is_nothing_to_pause(page: Any) -> None:
    page.goto("/hexapawn?1=human&2=human&moves=a1a2")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Play", exact=True).click()
    expect(line(page).nth(0)).to_have_attribute("aria-current", "step")


def test_the_latest_move_of_a_long_game_is_seen(page: Any) -> None:
    moves = ",".join(f"{column}{row}" for row in (9, 7, 5, 3) for column in "ABCDEFGHJ")
    page.goto(f"/go:size=9?1=human&2=human&moves={moves}")
    assert page.locator(".line").evaluate(SEES_LATEST)
    page.locator("[data-part=moves] [data-move=A1]").click()
    expect(line(page)).to_have_count(37)
    assert page.locator(".line").evaluate(SEES_LATEST)


SEES_LATEST = """line => {
  const place = (part) => part.getBoundingClientRect();
  const [outer, inner] = [place(line), place(line.querySelector("[aria-current]"))];
  const inside = inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  return inside && line.scrollHeight > line.clientHeight;
}"""


@pytest.mark.parametrize("size", shortly([9, 19], 9))
def test_the_moves_of_another_take_no_more_room_than_ones_own(page: Any, size: int) -> None:
    page.goto(f"/go:size={size}?1=random&2=random")
    box = page.locator("[data-part=moves] .of-another").bounding_box()
    assert 0 < box["height"] < 300
    assert violations(page) == []


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ("1=human&2=random", "You have won by 2."),
        ("1=random&2=human", "Player 1 (the random player) has won by 2."),
    ],
)
def test_a_game_of_points_says_who_has_won_and_by_how_many(http: Any, seats: str, words: str) -> None:
    page = http.get(f"/kalah:pits=2,seeds=1?{seats}&moves=2,1").text
    assert f">{words}<" in page.partition('data-part="status"')[2]


def test_what_a_game_is_about_does_not_begin_with_its_title(http: Any) -> None:
    for address, words in (("/chess", "Give checkmate</p>"), ("/draughts?lang=fr", "Sauter par-dessus")):
        heading = http.get(address).text.partition('class="row heading"')[2]
        assert heading.partition('<p class="quiet">')[2].startswith(words)


def test_a_click_and_a_change_in_the_same_instant_are_both_obeyed(page: Any) -> None:
    page.goto("/tictactoe?1=human&2=perfect:ties=first")
    options, cell = page.get_by_label("Options of O"), page.get_by_role("button", name="4", exact=True)
    waiting = held(page, "board.seats")
    options.fill("ties=last")
    with page.expect_request("**/ask/board.seats"):
        cell.click()
    let_go(page, "board.seats", waiting)
    expect(line(page)).to_have_text(["1. 4", "2. 8"])
    waiting = held(page, "board.move")
    with page.expect_request("**/ask/board.move"):
        page.get_by_role("button", name="0", exact=True).click()
    options.fill("ties=first")
    options.press("Enter")
    let_go(page, "board.move", waiting)
    expect(line(page)).to_have_text(["1. 4", "2. 8", "3. 0", "4. 2"])
    waiting = held(page, "board.seats")
    options.fill("m=1")
    with page.expect_request("**/ask/board.seats"):
        page.get_by_role("button", name="5", exact=True).click()
    let_go(page, "board.seats", waiting)
    expect(page.locator("#notice")).to_contain_text("no option m")
    expect(line(page)).to_have_count(4)
    page.get_by_role("button", name="5", exact=True).click()
    expect(line(page).nth(4)).to_have_text("5. 5")
