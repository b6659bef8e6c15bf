"""Is this board possible? A position that is set up by hand.

Noughts and crosses typed in, an illustration of one that is not (row A-71); and the rules of a game
as a program.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

from damier.core.errors import BadFile, BadInput
from damier.core.game import Game
from damier.core.position import Position, read, written
from damier.core.words import _, message
from damier.draw.board import Touch, board_svg, grid_svg, piece_name
from damier.games.mnk import stones
from damier.lab.games import game_factories
from damier.lab.python_source import read_source
from damier.web import pages
from damier.web.board.editing import (
    IMPOSSIBLE,
    board_of,
    fault,
    is_impossible_shown,
    moves_to,
    pieces,
    positions,
    set_up,
    tidy,
)
from damier.web.board.session import LONGEST_POSITION
from damier.web.messages.parts import PartsAnswer
from damier.web.messages.rooms import PossibleAnswer
from damier.web.pages import for_page
from damier.web.params import Asked
from damier.web.registry import Registry

LONGEST_SOURCE = 200_000


def possible(registry: Registry, asked: Asked) -> PossibleAnswer:
    """Whether a board can come up: its picture, its number, the moves that lead to it or why there
    are none. Raises BadInput.
    """
    game = registry.game(asked.text("game"))
    if not is_impossible_shown(game):
        raise BadInput(
            message("only of tictactoe is it asked which boards are possible, not of {game}", game=game.text)
        )
    text = asked.text("board") or IMPOSSIBLE
    moves, why = None, ""
    try:
        moves = moves_to(game, text)
    except BadInput as error:
        why = for_page(str(error))
    picture, number = "", None
    if board := tidy(text):
        drawn = Position(game, stones(board))
        picture, number = pages.picture(board_svg(drawn, size=40)), drawn.id
    part = pages.part(
        "board_possible.html",
        board=text,
        moves=moves,
        why=why,
        picture=picture,
        number=number,
        all=3**9,
        possible=positions(),
        game=asked.text("game"),
    )
    return {"parts": {"possible": part}, "possible": moves is not None}


def edit(registry: Registry, asked: Asked) -> PartsAnswer:
    """A position that is being set up (`position`, in the game's notation), with a `piece` in a `cell` or
    another `mover`: its picture, and the way to play it or why it is none.

    Raises BadInput for a game that reads no positions.
    """
    game = registry.game(asked.text("game"))
    if game.read_position is None:
        raise BadInput(message("{game} reads no positions; play to the one you want", game=game.text))
    text = asked.text("position", longest=LONGEST_POSITION) or written(Position(game, game.start))
    made = set_up(game, text)
    if made:
        if piece := asked.text("piece"):
            made = made.put(asked.whole("cell", 0), piece).tidied()
        made = made.moved_by(asked.text("mover"))
        text = made.text
    why = fault(game, text)
    grid = board_of(game)
    picture = ""
    if made:
        picture = pages.picture(grid_svg(made.board(), _("The position as it is set up"), Touch()))
    elif not why:
        picture = pages.picture(board_svg(read(game, text), size=40))
    part = pages.part(
        "board_editor.html",
        play=pages.address(f"/{asked.text('game')}", position=text, **dict(seats_said(game, asked))),
        text=text,
        why=why,
        picture=picture,
        made=made,
        longest=LONGEST_POSITION,
        pieces=[(piece, piece_name(grid, piece)) for piece in pieces(game)] if made and grid else [],
        chosen=asked.text("piece") or next(iter(pieces(game)), ""),
    )
    return {"parts": {"editor": part}}


def seats_said(game: Game, asked: Asked) -> Iterator[tuple[str, str]]:
    """Who sits where, as far as a question says it."""
    for player in range(game.players):
        if agent := asked.text(str(player + 1)):
            yield str(player + 1), agent


def code(registry: Registry, asked: Asked) -> PartsAnswer:
    """The program that a game is, as it stands in its file; no path is told, only the name of the
    file.
    """
    game = registry.game(asked.text("game"))
    file = game.source or Path(
        inspect.getfile(inspect.unwrap(game_factories()[asked.text("game").partition(":")[0]]))
    )
    try:
        source = read_source(file)[:LONGEST_SOURCE]
    except BadFile:
        source = ""
    return {"parts": {"code": pages.part("board_code.html", file=file.name, source=source)}}
