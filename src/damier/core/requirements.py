"""What an algorithm needs of a game, and what is said of a game that lacks it.

Each algorithm lists its own `NEEDS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.words import N_, message


class Requirement(NamedTuple):
    """Whether a game meets it; and the sentence where it does not, about the {work}, the {game} and
    its {n} players.
    """

    is_met: Callable[[Game], bool]
    sentence: str


TWO_PLAYERS = Requirement(
    lambda game: game.players == 2, N_("{work} handles games of two players; {game} has {n}")
)
PERFECT_INFORMATION = Requirement(
    lambda game: not game.imperfect_information,
    N_("{work} handles games of perfect information (no secrets); {game} hides information from its players"),
)
NO_CHANCE = Requirement(
    lambda game: not game.stochastic,
    N_(
        "{work} handles games without chance nodes (dice); {game} has moves of chance: expectimax and maxn"
        " average over them"
    ),
)
ZERO_SUM = Requirement(
    lambda game: game.zero_sum,
    N_(
        "{work} handles zero-sum games, in which what one gains the other loses; {game} is not one: maxn"
        " handles it"
    ),
)
ACYCLIC = Requirement(
    lambda game: game.acyclic,
    N_(
        "{work} needs a game in which no position comes back; {game} says nothing of it (by a ply that"
        " every move advances, or acyclic=True)"
    ),
)


def require(game: Game, work: str, *needs: Requirement) -> None:
    """Raises Unsuitable, naming the work and the game, for the first need that the game does not
    meet.
    """
    for need in needs:
        if not need.is_met(game):
            raise Unsuitable(message(need.sentence, work=work, game=game.text, n=game.players))
