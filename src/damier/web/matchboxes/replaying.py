"""What a machine of matchboxes knows after some games: these are played again, by the code that
trains.

It depends on the seed and the games alone, so that a page keeps the list of games, and nothing
else. What was found is kept for a while, so that the next step is quick.
"""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.errors import BadInput, IllegalMove
from damier.core.loop import MatchSetup
from damier.core.words import message
from damier.lab.agents import brought
from damier.lab.matchbox_play import PLIES, copied
from damier.learn.memory import Memory
from damier.learn.training import Training
from damier.web.matchboxes.box_set import BoxSet, Known, Result
from damier.web.matchboxes.human_game import HumanGame
from damier.web.matchboxes.played import Bulk, Entry

KEPT = 60
"""Tables that are kept, each with the list of games that led to it."""
SWAPS = {"1": 0, "alternate": 1, "2": 2}
"""How the loop of all games calls the seats of a machine."""


def after(box_set: BoxSet, seed: int, played: Sequence[Entry]) -> Known:
    """What the machine knows after these games.

    Raises BadInput, IllegalMove where they cannot have been played so.
    """
    done = next(n for n in range(len(played), -1, -1) if n == 0 or (seed, tuple(played[:n])) in box_set.known)
    known = box_set.known.get((seed, tuple(played[:done])), Known(Memory(box_set.lab.game)))
    for place in range(done, len(played)):
        entry = played[place]
        known = (
            trained(box_set, known, seed, entry)
            if isinstance(entry, Bulk)
            else taught(box_set, known, seed, entry, place + 1)
        )
        box_set.known[seed, tuple(played[: place + 1])] = known
        if len(box_set.known) > KEPT:
            box_set.known.popitem(last=False)
    return known


def trained(box_set: BoxSet, known: Known, seed: int, bulk: Bulk) -> Known:
    """After many games in the loop, numbered on from those before."""
    learner = box_set.learner(copied(known.memory))
    opponent = learner.beside(learns=True) if bulk.opponent == "self" else brought(box_set.lab, bulk.opponent)
    training = Training(
        MatchSetup(box_set.lab.game, (learner, opponent), seed, SWAPS[box_set.machine.seat], PLIES),
        learner,
        known.games,
    )
    training.run(known.games + bulk.games, box_set.lab.job)
    blocks = training.curve.blocks
    result = Result(
        bulk.opponent,
        sum(b.wins for b in blocks),
        sum(b.draws for b in blocks),
        sum(b.losses for b in blocks),
    )
    return Known(copied(learner.memory), (*known.results, result))


def taught(box_set: BoxSet, known: Known, seed: int, moves: Sequence[str], place: int) -> Known:
    """After one game with a person."""
    human_game = HumanGame(box_set, known, seed)
    try:
        human_game.follow(moves)
        if human_game.drawing:  # nothing can be left to draw, but from an empty box
            human_game.draw()
    except IllegalMove as error:
        raise IllegalMove(message("game {place}: {error}", place=place, error=error)) from None
    if not human_game.over:
        raise BadInput(message("game {place} is not over", place=place))
    human_game.learn()
    return human_game.known
