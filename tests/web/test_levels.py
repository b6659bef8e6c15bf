"""Levels on a board: they come first, under the names that people know, and say what they are worth."""

from __future__ import annotations

from typing import Any

import pytest
from lasting import long

from damier.core.errors import DamierError
from damier.core.words import speaking
from damier.lab.agents import agent_in_words
from damier.web.board_session import choices, in_groups
from damier.web.messages import Params
from damier.web.registry import Registry
from damier.web.rooms import board
from damier.web.settings import Settings


@pytest.fixture
def registry() -> Registry:
    return Registry(Settings())


def shown(registry: Registry, game: str) -> str:
    return str(board.levels_show(registry, Params({"game": game}))["parts"]["levels"])


@pytest.mark.parametrize(
    ("game", "names"),
    [
        ("tictactoe", ["beginner", "medium", "strong", "perfect"]),
        ("chess", ["beginner", "medium", "strong"]),
        ("pig:target=10", ["beginner", "medium", "strong", "perfect"]),
        ("pacman", ["beginner", "medium", "strong"]),
    ],
)
def test_levels_come_first_and_only_those_that_there_are(
    registry: Registry, game: str, names: list[str]
) -> None:
    groups = list(in_groups(choices(registry, game, 1)))
    assert [words for words, _members in groups[:2]] == ["people", "levels"]
    assert [choice.name for choice in groups[1][1]] == names
    assert not any(choice.options for choice in groups[1][1])
    later = [choice.name for _words, members in groups[2:] for choice in members]
    assert set(later).isdisjoint(names)


def test_what_levels_are_worth_is_exact_where_it_is_told(registry: Registry) -> None:
    found = shown(registry, "hexapawn")
    assert "alphabeta:plies=2" in found
    assert found.count("<tr>") == 1 + 3 * 4
    assert "not known exactly" not in found
    large = shown(registry, "connect_four")
    assert "not known exactly" in large
    assert "There is no perfect player here" in large


def test_the_clock_bounds_a_level_as_any_other_agent_of_a_page(registry: Registry) -> None:
    assert "seconds=" in registry.agent("connect_four", "strong").text
    assert registry.agent("nim", "medium").text == registry.agent("nim", "alphabeta:plies=2").text
    with pytest.raises(DamierError):
        registry.agent("nim", "medium:plies=9")


def test_a_level_has_a_name_in_every_language() -> None:
    assert agent_in_words("strong") == "strong"
    with speaking("fr"):
        assert agent_in_words("strong") == "fort"


@long
def test_a_person_plays_a_level_and_sees_what_it_is_worth(page: Any) -> None:
    page.goto("/nim")
    page.locator("[data-ask='levels.show'] summary").click()
    page.wait_for_selector("[data-part=levels] table")
    assert "medium" in page.locator("[data-part=levels]").inner_text()
    assert (
        "medium"
        in page.locator("[data-part=status]").inner_text()
        + page.title()
        + page.locator("[data-seat='2']").inner_text()
    )
    assert page.locator("[data-seat='2']").input_value() == "medium"
