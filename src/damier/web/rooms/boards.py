"""Is this board possible?

Noughts and crosses typed in, an illustration of one that is not (row A-71); and the rules of a game
as a program.
"""

from __future__ import annotations

import inspect
from pathlib import Path

from damier.core.errors import BadInput
from damier.core.position import Position
from damier.core.words import _
from damier.draw.board import board_svg
from damier.games.mnk import stones
from damier.lab.games import game_factories
from damier.web import pages
from damier.web.asked import Asked
from damier.web.board.written import IMPOSSIBLE, is_impossible_shown, moves_to, positions, tidy
from damier.web.messages.rooms import PartsAnswer, PossibleAnswer
from damier.web.plain import for_page
from damier.web.registry import Registry

LONGEST_SOURCE = 200_000


def possible(registry: Registry, asked: Asked) -> PossibleAnswer:
    """Whether a board can come up: its picture, its number, the moves that lead to it or why there
    are none. Raises BadInput.
    """
    game = registry.game(asked.text("game"))
    if not is_impossible_shown(game):
        raise BadInput(
            _("only of tictactoe is it asked which boards are possible, not of {game}", game=game.text)
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


def code(registry: Registry, asked: Asked) -> PartsAnswer:
    """The program that a game is, as it stands in its file; no path is told, only the name of the
    file.
    """
    game = registry.game(asked.text("game"))
    file = game.source or Path(
        inspect.getfile(inspect.unwrap(game_factories()[asked.text("game").partition(":")[0]]))
    )
    try:
        source = file.read_text(encoding="utf-8")[:LONGEST_SOURCE]
    except (OSError, UnicodeDecodeError):
        source = ""
    return {"parts": {"code": pages.part("board_code.html", file=file.name, source=source)}}
