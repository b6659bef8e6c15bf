"""Where one goes on from the first page: a machine that learns, a search, files of one's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from damier.core.words import _
from damier.draw.board import board_block, title_of, unlabelled
from damier.draw.marks import grid_of, move_marks
from damier.draw.svg import document
from damier.draw.tree import tree_block
from damier.lab.trees import EXAMPLES, read
from damier.solve import solve
from damier.trees.explicit import search
from damier.trees.replay import Replay
from damier.web import pages
from damier.web.registry import Registry


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
