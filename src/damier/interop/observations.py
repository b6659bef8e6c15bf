"""Games as environments show them, in plain Python: observations of a position, and legal moves by their
actions. Games and agents are given as they are, or as they are written on the command line.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from damier.core.errors import Unsuitable
from damier.core.game import Game, require
from damier.core.player import Player
from damier.core.rules import CHANCE, State
from damier.core.words import _, message
from damier.lab.agents import agent
from damier.lab.games import load
from damier.lab.lab import Lab

if TYPE_CHECKING:
    from numpy.typing import NDArray


def game_named(game: str | Game) -> Game:
    """Return a game that players see all of. Raises UnknownName, BadInput, and Unsuitable for one with
    imperfect information.
    """
    found = load(game) if isinstance(game, str) else game
    if found.imperfect_information:
        raise Unsuitable(
            message(
                "{game}: a player cannot see all of the position, and nothing says what it sees: there is no"
                " environment of it",
                game=found.text,
            )
        )
    if found.over(found.start):
        raise Unsuitable(message("{game} is over before it begins", game=found.text))
    return found


def require_seat(game: Game, seat: int | None, with_opponent: bool) -> None:
    """Raises BadInput for a seat that there is not, or that nobody plays against."""
    require(with_opponent or seat is None, _("seat={seat} needs an opponent", seat=seat))
    require(
        seat is None or seat in range(game.players),
        _("seat={seat}: {game} has seats 0 to {most}", seat=seat, game=game.text, most=game.players - 1),
    )


def player_named(game: Game, player: str | Player) -> Player:
    """Return an agent of a game. Raises UnknownName, BadInput, LimitReached."""
    return agent(Lab(game), player) if isinstance(player, str) else player


class Observer:
    """Observations and actions of a game.

    Attributes:
        game: whose they are
        shape: planes, rows and columns
    """

    def __init__(self, game: Game) -> None:
        self.game, self.shape = game, game.plane_layout.shape
        cells = game.plane_layout.bits_of_cells
        self._bytes = (max(cells) >> 3) + 1
        in_order = cells == tuple(range(len(cells)))
        self._cells = slice(0, len(cells)) if in_order else np.array(cells)

    def observe(self, s: State, player: int) -> NDArray[np.int8]:
        """Return the planes of a position from the side of a player, whoever is to move."""
        size = self._bytes
        raw = b"".join([plane.to_bytes(size, "little") for plane in self.game.planes(s, player)])
        sets = np.frombuffer(raw, np.uint8).reshape(-1, size)
        bits = np.unpackbits(sets, axis=1, bitorder="little")
        return bits[:, self._cells].reshape(self.shape).view(np.int8)

    def legal(self, s: State) -> dict[int, int]:
        """Return the legal moves by their actions; none where the game is over, or chance decides."""
        game = self.game
        legal = game.legal(s)
        if not legal or game.mover(s) == CHANCE:
            return {}
        if game.moves_are_listed and "action" not in game.given:
            return dict(enumerate(legal))
        return {game.action(s, move): move for move in legal}

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """Return what observations and actions mean: the names of planes, and how actions are numbered."""
        layout = self.game.plane_layout
        return {
            "game": self.game.text,
            "planes": list(layout.names),
            "rows": layout.rows,
            "columns": layout.columns,
            "actions": self.game.actions,
            "action_numbers": self.game.action_numbers,
        }
