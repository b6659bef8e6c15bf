"""What a machine of matchboxes knows after some games: these are played again, by the code that
trains.

It depends on the seed and the games alone, so that a page keeps the list of games, and nothing
else. What was found is kept for a while, so that the next step is quick.
"""

from __future__ import annotations

from collections.abc import Sequence

from damier.core.errors import BadInput, IllegalMove
from damier.core.loop import MatchSetup
from damier.core.words import _
from damier.lab.agents import agent
from damier.lab.matchbox_play import PLIES, copied
from damier.learn.memory import Memory
from damier.learn.training import Training
from damier.web.matchboxes.bout import Bout
from damier.web.matchboxes.played import Bulk, Entry
from damier.web.matchboxes.shelf import Known, Result, Shelf

KEPT = 60
"""Tables that are kept, each with the list of games that led to it."""
SWAPS = {"1": 0, "alternate": 1, "2": 2}
"""How the loop of all games calls the seats of a machine."""


def after(shelf: Shelf, seed: int, played: Sequence[Entry]) -> Known:
    """What the machine knows after these games.

    Raises BadInput, IllegalMove where they cannot have been played so.
    """
    done = next(n for n in range(len(played), -1, -1) if n == 0 or (seed, tuple(played[:n])) in shelf.known)
    known = shelf.known.get((seed, tuple(played[:done])), Known(Memory(shelf.lab.game)))
    for place in range(done, len(played)):
        entry = played[place]
        known = (
            trained(shelf, known, seed, entry)
            if isinstance(entry, Bulk)
            else taught(shelf, known, seed, entry, place + 1)
        )
        shelf.known[seed, tuple(played[: place + 1])] = known
        if len(shelf.known) > KEPT:
            shelf.known.popitem(last=False)
    return known


def trained(shelf: Shelf, known: Known, seed: int, bulk: Bulk) -> Known:
    """After many games in the loop, numbered on from those before."""
    learner = shelf.learner(copied(known.memory))
    opponent = learner.beside(learns=True) if bulk.opponent == "self" else agent(shelf.lab, bulk.opponent)
    training = Training(
        MatchSetup(shelf.lab.game, (learner, opponent), seed, SWAPS[shelf.machine.seat], PLIES),
        learner,
        known.games,
    )
    training.run(known.games + bulk.games, shelf.lab.job)
    blocks = training.curve.blocks
    result = Result(
        bulk.opponent,
        sum(b.wins for b in blocks),
        sum(b.draws for b in blocks),
        sum(b.losses for b in blocks),
    )
    return Known(copied(learner.memory), (*known.results, result))


def taught(shelf: Shelf, known: Known, seed: int, moves: Sequence[str], place: int) -> Known:
    """After one game with a person."""
    bout = Bout(shelf, known, seed)
    try:
        bout.follow(moves)
        if bout.drawing:  # nothing can be left to draw, but from an empty box
            bout.draw()
    except IllegalMove as error:
        raise IllegalMove(_("game {place}: {error}", place=place, error=error)) from None
    if not bout.over:
        raise BadInput(_("game {place} is not over", place=place))
    bout.learn()
    return bout.known
