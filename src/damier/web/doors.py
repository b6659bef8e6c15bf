"""The first things that one wants of damier, each with a picture: a game against a machine that
knows nothing, what every move is worth, a search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from damier.core.position import Position
from damier.core.words import _
from damier.draw.board import board_block, title_of
from damier.draw.marks import MoveMark, grid_of, move_marks
from damier.draw.svg import document
from damier.draw.tree import tree_block
from damier.lab.trees import EXAMPLES, read
from damier.solve import solve
from damier.trees.explicit import search
from damier.trees.replay import Replay
from damier.web import pages
from damier.web.registry import Registry

HEXAPAWN = "hexapawn:blocked=loss"
"""With the rule of M. Gardner's machine: nobody can draw."""


class Door(NamedTuple):
    """What one does there, in a few words and in a sentence; a picture; the address; another
    address beside it, with its words.
    """

    title: str
    said: str
    picture: str
    link: str
    other: tuple[str, str]


def doors(registry: Registry) -> Iterator[Door]:
    """In the order of the first page."""
    yield Door(
        _("Beat a machine while you can"),
        _(
            "It begins with the rules of hexapawn and nothing else. Watch it become unbeatable, and play"
            " against it meanwhile."
        ),
        opening(registry),
        pages.address("/learning", game="hexapawn"),
        (_("Matchboxes that learn hexapawn"), pages.address("/matchboxes", game="hexapawn")),
    )
    yield Door(
        _("Play, and see the truth"),
        _(
            "Every move shows what it is worth if nobody errs: +n wins in n plies, 0 draws, −n loses. Guess"
            " first, if you like."
        ),
        values(registry),
        pages.address(f"/{HEXAPAWN}", **{"1": "human", "2": "perfect", "show": "truth"}),
        (
            _("The same with tic-tac-toe"),
            pages.address("/tictactoe", **{"1": "human", "2": "perfect", "show": "truth"}),
        ),
    )
    yield Door(
        _("Alpha-beta, step by step"),
        _(
            "A search of a tree, forwards and back, with the reason of every cut; change the order of the"
            " moves and count the work."
        ),
        first_cut(),
        "/tree",
        (_("Exercises, marked with reasons"), pages.address("/tree", view="exercise")),
    )


def opening(registry: Registry) -> str:
    """The board before the first move."""
    return board_of(registry.game("hexapawn").position(), [])


def values(registry: Registry) -> str:
    """A board with what its moves are worth."""
    game = registry.game(HEXAPAWN)
    position = game.position().play("b1b2")
    return board_of(position, move_marks(game, position.state, solve(game).explain(position.state)))


def board_of(position: Position, marks: Sequence[MoveMark]) -> str:
    grid = grid_of(position)
    assert grid is not None
    return pages.picture(document(board_block(grid, marks), title_of(position), ""))


def first_cut() -> str:
    """The classic tree at the moment of its first cut."""
    example = EXAMPLES["classic"]
    found = search(read(example.text), "alphabeta", trace=True)
    cut = next(number for number, step in enumerate(found.steps, 1) if step.kind == "cut")
    replay = Replay(found)
    return pages.picture(document(tree_block(replay.scene(cut), replay.scene(cut)), _(example.name), ""))
