"""The first page: a game that one can win, against a machine of matchboxes that learns from it; and the
doors to the rest. Where files of one's own are served, they lead it.

The machine is M. Gardner's of 1962 [Gardner62], which is only punished, at the rule of document [S0] by
which who cannot move draws: so nobody loses by force before having erred, and what it comes to in the
end is that nobody beats it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from damier.core.errors import BadInput
from damier.core.json_data import to_json
from damier.core.json_types import JsonObject
from damier.core.words import _, message
from damier.draw.annotations import grid_of, move_marks
from damier.draw.board import board_block, title_of, unlabelled
from damier.draw.svg import document
from damier.draw.tree import tree_block
from damier.lab.trees import EXAMPLES, read
from damier.solve import solve
from damier.trees.explicit import search
from damier.trees.replay import Replay
from damier.web import pages
from damier.web.matchboxes.first_screen import parts_of, played_on, state_of
from damier.web.matchboxes.parts import Moment
from damier.web.matchboxes.played import Bulk, write_played
from damier.web.matchboxes.visit import Visit, moment_of, visit
from damier.web.messages.rooms import HomeAnswer
from damier.web.params import Asked
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


# Where one goes on from the first page: a machine that learns, a search, files of one's own.


class Door(NamedTuple):
    """What one does there, in a few words and in a sentence; the address; another address beside
    it, with its words; a picture, where there is one.
    """

    title: str
    said: str
    link: str
    other: tuple[str, str]
    picture: str = ""


def doors(registry: Registry) -> Iterator[Door]:
    """In the order of the first page."""
    yield Door(
        _("Watch one learn"),
        _("It begins with the rules and nothing else, plays thousands of games, and is graded exactly."),
        "/training/hexapawn",
        (_("Matchboxes for any game"), "/matchboxes"),
        picture=values(registry),
    )
    yield Door(
        _("Search a tree"),
        _("Alpha-beta forwards and back, step by step, with the reason of every cut."),
        "/tree",
        (_("Exercises, marked with reasons"), pages.address("/tree", view="exercise")),
        picture=first_cut(),
    )
    yield Door(
        _("Your own game or agent"),
        _("A file of Python with a few functions: it is played, solved and drawn here."),
        "/games#own",
        (_("All games"), "/games"),
    )


def values(registry: Registry) -> str:
    """A board with what its moves are worth."""
    game = registry.game("hexapawn")
    position = game.position().play("b1b2").play("a3b2")
    grid = grid_of(position)
    assert grid is not None
    marks = move_marks(game, position.state, solve(game).explain(position.state))
    return pages.picture(document(board_block(unlabelled(grid), marks), title_of(position), ""))


def first_cut() -> str:
    """The classic tree at the moment of its first cut."""
    example = EXAMPLES["classic"]
    found = search(read(example.text), "alphabeta", trace=True)
    cut = next(number for number, step in enumerate(found.steps, 1) if step.kind == "cut")
    replay = Replay(found)
    return pages.picture(document(tree_block(replay.scene(cut), replay.scene(cut)), _(example.name), ""))
