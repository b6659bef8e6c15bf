"""What a search refuses at its door, by name: the kinds of games that it cannot handle."""

from __future__ import annotations

from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.words import _


def refuse_hidden(game: Game, work: str) -> None:
    """Raises Unsuitable where a player does not see all of the state."""
    if game.imperfect_information:
        raise Unsuitable(_("{work} handles games of perfect information (no secrets); {game} hides information from its players", work=work, game=game.text))


def refuse_dice(game: Game, work: str) -> None:
    """Raises Unsuitable where dice are thrown."""
    if game.stochastic:
        raise Unsuitable(
            _("{work} handles games without chance nodes (dice); {game} has moves of chance: expectimax and maxn average over them", work=work, game=game.text)
        )


def refuse_general_sum(game: Game, work: str) -> None:
    """Raises Unsuitable where what is bad for player 0 is not what is good for all others."""
    if not game.zero_sum:
        sentence = _("{work} handles zero-sum games, in which what one gains the other loses; {game} is not one: maxn handles it")
        raise Unsuitable(sentence.format(work=work, game=game.text))
