"""The first page: a game that one can win, against a machine of matchboxes that learns from it; and the
doors to the rest. Where files of one's own are served, they lead it.

The machine is M. Gardner's of 1962 [Gardner62], which is only punished, at the rule of document [S0] by
which who cannot move draws: so nobody loses by force before having erred, and what it comes to in the
end is that nobody beats it.
"""

from __future__ import annotations

from damier.core.errors import BadInput
from damier.core.json_text import to_json
from damier.core.json_types import JsonObject
from damier.core.words import _, message
from damier.web import pages
from damier.web.asked import Asked
from damier.web.doors import doors
from damier.web.matchboxes.first_screen import parts_of, state_of
from damier.web.matchboxes.parts import Moment
from damier.web.matchboxes.played import Bulk, write_played
from damier.web.matchboxes.sparring import played_on
from damier.web.matchboxes.visit import Visit, moment_of, visit
from damier.web.messages.matchboxes import HomeAnswer
from damier.web.registry import Registry

MACHINE: JsonObject = {"game": "hexapawn", "agent": "beads:preset=her", "seat": "2"}
GAMES = 10
"""Games that one click plays for a person."""


def page(registry: Registry, asked: Asked) -> str:
    """The page, with the machine as the address says it."""
    _found, moment = visited(registry, asked)
    return pages.page(
        "home.html",
        "/",
        _("Beat it while you can"),
        state=to_json(state_of(moment)),
        parts=parts_of(moment),
        rules=_(moment.box_set.lab.game.description),
        games=GAMES,
        doors=doors(registry),
        own=list(registry.settings.games),
        agents=list(registry.settings.agents),
    )


def show(registry: Registry, asked: Asked) -> HomeAnswer:
    """The game after some moves: a game that is over is learnt from. Raises IllegalMove."""
    _found, moment = visited(registry, asked)
    return {"parts": parts_of(moment), "state": state_of(moment)}


def play(registry: Registry, asked: Asked) -> HomeAnswer:
    """Some games for the person; one that is over counts before them, one that goes on is left.

    Raises LimitReached.
    """
    found, moment = visited(registry, asked)
    played = played_on(found.box_set, found.seed, moment.finished, GAMES)
    _later, then = visited(registry, Asked({**asked.values, "played": write_played(played), "moves": []}))
    return {"parts": parts_of(then, before=moment.after), "state": state_of(then)}


def visited(registry: Registry, asked: Asked) -> tuple[Visit, Moment]:
    """What a question is about. Raises BadInput, IllegalMove, LimitReached."""
    asked = Asked({**asked.values, **MACHINE})
    found = visit(registry, asked)
    if any(isinstance(entry, Bulk) for entry in found.played):
        raise BadInput(message("the games of the first page are played move by move"))
    return found, moment_of(found, asked)
