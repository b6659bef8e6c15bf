"""Puzzles on their page: tried on the board, by keys and by links, judged with exact values, and counted."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import violations
from lasting import long, shortly
from on_board import cell, go_to, in_address
from playwright.sync_api import expect

from damier.core.errors import Unsuitable
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board, puzzle
from damier.web.settings import Settings


def shown(game: str, seed: int, move: str = "") -> Any:
    return puzzle.show(Registry(Settings()), Params({"game": game, "seed": seed, "move": move}))


def answers(game: str, seed: int) -> tuple[str, list[str]]:
    """The right move of a puzzle, and the others."""
    legal = shown(game, seed)["state"]["legal"]
    right = [move for move in legal if shown(game, seed, move)["state"]["right"]]
    assert len(right) == 1
    return right[0], [move for move in legal if move not in right]


@pytest.mark.parametrize("game", shortly(["tictactoe", "connect_four"], "tictactoe"))
def test_the_same_seed_is_the_same_puzzle_byte_for_byte(game: str) -> None:
    assert shown(game, 3) == shown(game, 3)
    values = {"game": game, "seed": "3"}
    pages = [puzzle.page(Registry(Settings()), Params(values)) for _time in range(2)]
    assert pages[0] == pages[1]


def test_nothing_tells_the_answer_before_a_move() -> None:
    found = shown("tictactoe", 2)
    assert "worth" not in "".join(found["parts"].values())
    assert "d-best" not in found["parts"]["board"]
    assert found["state"]["right"] is None


def test_a_game_without_puzzles_says_so_in_a_sentence_and_has_no_link() -> None:
    registry = Registry(Settings())
    for game in ("pig", "chess", "nim:matches=2"):
        with pytest.raises(Unsuitable):
            puzzle.show(registry, Params({"game": game}))
        assert "No puzzle here: " in puzzle.page(registry, Params({"game": game}))
    for game in ("pig", "chess", "pacman"):
        assert "/puzzles/" not in board.page(registry, Params({"game": game}))
    assert 'href="/puzzles/tictactoe"' in board.page(registry, Params({"game": "tictactoe"}))


def test_a_wrong_move_is_told_with_its_values_and_counted_once(page: Any) -> None:
    right, others = answers("tictactoe", 2)
    page.goto("/puzzles/tictactoe?seed=2")
    cell(page, int(others[0])).click()
    expect(page.locator(".verdict")).to_contain_text("Wrong: ")
    expect(page.get_by_role("status").filter(has_text="Wrong: ")).to_have_count(1)  # it is read aloud
    expect(page.locator("[data-part=task]")).to_contain_text(f"The right move: {right} ")
    expect(page.locator(".moves .worth")).to_have_count(len(others) + 1)
    expect(page.locator("[data-tally]")).to_have_text("0 of 1 puzzles right")
    assert violations(page) == []
    page.reload()
    expect(page.locator("[data-tally]")).to_have_text("0 of 1 puzzles right")


@long
def test_a_wrong_move_is_told_with_its_values_and_why(page: Any) -> None:
    right, others = answers("tictactoe", 2)
    page.goto("/puzzles/tictactoe?seed=2")
    expect(page.get_by_role("heading", name="Puzzle 2")).to_be_visible()
    assert violations(page) == []
    cell(page, int(others[0])).click()
    expect(page.locator(".verdict")).to_contain_text("Wrong: ")
    expect(page.locator("[data-part=task]")).to_contain_text(f"The right move: {right} ")
    expect(page.locator(".moves .worth")).to_have_count(len(others) + 1)
    expect(page.locator("[data-tally]")).to_have_text("0 of 1 puzzles right")
    assert (in_address(page, "seed"), in_address(page, "move")) == ("2", others[0])
    assert violations(page) == []
    page.reload()
    expect(page.locator("[data-tally]")).to_have_text("0 of 1 puzzles right")
    page.locator(".verdict").get_by_role("link", name="why?").click()
    expect(page.locator("#why-said")).to_contain_text(f"After {others[0]}: ")
    page.go_back()
    page.get_by_role("link", name="Next puzzle").click()
    expect(page.get_by_role("heading", name="Puzzle 3")).to_be_visible()
    assert in_address(page, "move") == ""


@long
def test_a_puzzle_is_solved_with_keys_alone_and_counted_once(page: Any) -> None:
    right, others = answers("tictactoe", 4)
    page.goto("/puzzles/tictactoe?seed=4")
    page.locator("[data-stage]").focus()
    go_to(page, int(right))
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text(f"Right: {right} ")
    expect(page.locator("[data-tally]")).to_have_text("1 of 1 puzzles right")
    page.get_by_role("link", name="Once more").click()
    page.locator(f'.moves [data-move="{others[0]}"]').click()
    expect(page.locator(".verdict")).to_contain_text("Wrong: ")
    expect(page.locator("[data-tally]")).to_have_text("1 of 1 puzzles right")
    page.go_back()
    page.go_back()
    expect(page.locator(".verdict")).to_contain_text("Right: ")


def test_a_puzzle_is_a_page_without_javascript_in_french_and_on_a_phone(browser: Any, served: Any) -> None:
    right, _others = answers("hexapawn", 1)
    options: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "java_script_enabled": False}
    context = browser.new_context(base_url=served.address, locale="fr-FR", **options)
    context.set_default_timeout(120_000)
    page = context.new_page()
    page.goto("/hexapawn")
    page.get_by_role("link", name="Problèmes").click()
    expect(page.locator("h1")).to_contain_text("Problèmes")
    page.locator(f'.moves [data-move="{right}"]').click()
    expect(page.locator(".verdict")).to_contain_text("Juste")
    context.close()


@long
def test_the_page_is_no_wider_than_a_phone(browser: Any, served: Any) -> None:
    context = browser.new_context(base_url=served.address, viewport={"width": 390, "height": 844})
    context.set_default_timeout(120_000)
    page = context.new_page()
    for move in ("", "&move=1"):
        page.goto("/puzzles/connect_four?seed=1" + move)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()
