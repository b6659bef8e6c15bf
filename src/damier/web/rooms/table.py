"""The judge of a table at which several people play: what the moves so far come to, and whether one
more is legal.
"""

from __future__ import annotations

from damier.core.errors import BadInput
from damier.core.position import line
from damier.core.words import message
from damier.web.messages.parts import NoAnswer
from damier.web.messages.rooms import Judged
from damier.web.params import Asked
from damier.web.registry import Registry


def judge(registry: Registry, asked: Asked) -> Judged:
    """The moves in the game's own words, one more `move` with them where it is given, who made
    each, whose turn it is now, and whether it is over.

    movers and mover count players from 0; chance is -1. Raises IllegalMove, and BadInput for a game
    of imperfect information: a table shows every move to everybody.
    """
    game = registry.game(asked.text("game"))
    if game.imperfect_information:
        raise BadInput(
            message(
                "{game} has secrets, which a table would show to everybody; play it on one page",
                game=game.name,
            )
        )
    positions = line(game, asked.moves())
    if move := asked.text("move"):
        positions.append(positions[-1].play(move))
    played = [
        game.name_move(before.state, before.read(text))
        for before, text in zip(positions[:-1], [*asked.moves(), move], strict=False)
    ]
    last = positions[-1]
    return {
        "moves": played,
        "movers": [each.mover for each in positions[:-1]],
        "mover": last.mover,
        "over": last.over,
        "players": game.players,
    }


def agents(registry: Registry, asked: Asked) -> NoAnswer:
    """Whether the agents of a table can play its game at their seats.

    Raises what building one raises.
    """
    for text in asked.moves("agents"):
        registry.agent(asked.text("game"), text)
    return {}
