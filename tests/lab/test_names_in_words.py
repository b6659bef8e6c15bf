"""Every game and every agent has a name that people read, in every language."""

from __future__ import annotations

import pytest

from damier.core.game import Game
from damier.core.words import speaking
from damier.lab.agents import AGENTS, agent_in_words
from damier.lab.games import GAMES, game_in_words, load


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_title(name: str) -> None:
    assert load(name).title
    assert "_" not in game_in_words(name)


def test_every_agent_has_a_name() -> None:
    assert [name for name, kind in AGENTS.items() if not kind.title] == []


def test_they_are_said_in_the_language_of_the_reader() -> None:
    with speaking("fr"):
        assert game_in_words("connect_four") == "Puissance 4"
        assert game_in_words("hexapawn:blocked=loss,width=4") == "Hexapion (blocked=loss, width=4)"
        assert game_in_words("tictactoe") == "Morpion"
        assert agent_in_words("self") == "lui-même"
    assert game_in_words("connect_four") == "Connect Four"


def test_a_game_of_ones_own_has_its_title_or_its_name() -> None:
    nim = load("nim")
    with_title = Game("mine", nim.start, nim.moves, nim.play, nim.outcome, title="My game", bits=nim.bits)
    assert game_in_words("mine:a=1", with_title) == "My game (a=1)"
    assert game_in_words("mine") == "mine"
    assert agent_in_words("mine.py:depth=2") == "mine.py:depth=2"
