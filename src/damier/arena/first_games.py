"""The first games of a match, played by compiled code as well as in plain Python: what is compiled goes
on only where both play the same. The rules of the game were compared before
(`damier.core.agreement`); here it is the agents, such as one that brings a kernel of its own.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from damier.core.errors import BadInput
from damier.core.loop import UNFINISHED, MatchSetup, Played
from damier.core.past import played
from damier.core.words import _, message

MOST = 64
"""Games that are compared."""


def require_same_games(table: MatchSetup, first: int, plain: Played) -> None:
    """Plays games from number `first` on, whose end in plain Python is known, compiled too.

    Raises BadInput with the position and both moves where the two differ.
    """
    games = sum(plain.tallies[:UNFINISHED])
    if table.play(first, first + games, jit=True) == plain:
        return
    recorded = replace(table, record=True)
    lines = [recorded.play(first, first + games, jit=jit).lines for jit in (False, True)]
    for number, (expected, found) in enumerate(zip(*lines, strict=True), first):
        if expected != found:
            raise BadInput(difference(table, number, expected, found))
    raise BadInput(
        message(
            "{game}: {first} against {second} does not play the same games again, so that it cannot go on"
            " compiled",
            game=table.game.text,
            first=table.agents[0].text,
            second=table.agents[1].text,
        )
    )


def difference(table: MatchSetup, number: int, plain: list[int], compiled: list[int]) -> str:
    """Where two games of the same number part."""
    game = table.game
    pairs = list(zip_longest(plain, compiled, fillvalue=0))
    ply = next(ply for ply, (expected, found) in enumerate(pairs) if expected != found)
    s = played(game, plain[:ply])[-1]
    names = [game.name_move(s, move) if move else _("nothing") for move in pairs[ply]]
    at_first_seat = (game.mover(s) == 0) != (table.swap == 2 or (table.swap == 1 and number & 1 == 1))
    return _(
        "{game}, game {number}, ply {ply}: compiled, {agent} plays {compiled}, in plain Python {plain}, in"
        " {state}; --pure plays it in plain Python",
        game=game.text,
        number=number,
        ply=ply,
        agent=table.agents[0 if at_first_seat else 1].text,
        compiled=names[1],
        plain=names[0],
        state=s,
    )
