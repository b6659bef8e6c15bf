"""Every game and every agent has a name that people read, in every language."""

from __future__ import annotations

import pytest

from damier.core.game import Game
from damier.core.words import speaking
from damier.lab.agents import AGENTS
from damier.lab.games import game_factories, load
from damier.lab.names import AGENTS_IN_WORDS, agent_in_words, game_in_words


@pytest.mark.parametrize("name", game_factories())
def test_every_game_has_a_title(name: str) -> None:
    assert load(name).title
    assert "_" not in game_in_words(name)


def test_every_agent_has_a_name() -> None:
    assert set(AGENTS_IN_WORDS) == {*AGENTS, "self"}


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
