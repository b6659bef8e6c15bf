"""Boards of noughts and crosses written cell by cell: whether one can come up, by which moves, and
if not, why (rows A-64, A-71).
"""

from __future__ import annotations

import re
from functools import cache

from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.rules import State
from damier.core.words import _, message
from damier.games.mnk import MnkState as Stones
from damier.games.mnk import stones
from damier.solve import solve

IMPOSSIBLE = "XXX...OOO"
"""An example: two rows are full, and the game was over with the first."""


def is_impossible_shown(game: Game) -> bool:
    """Whether a page asks which boards are possible."""
    return game.name == "tictactoe"


def read_board(game: Game, text: str) -> Stones:
    """The state of nine characters `X`, `O` and `.`, row by row. Raises BadInput."""
    if not is_impossible_shown(game):
        raise BadInput(message("board= belongs to tictactoe; of {game}, give moves=", game=game.text))
    board = tidy(text)
    if not board:
        raise BadInput(
            message(
                "{board} is not a board; write nine characters, X, O and . for a free cell, row by row",
                board=text,
            )
        )
    crosses, rings = board.count("X"), board.count("O")
    if crosses - rings not in (0, 1):
        sentence = _(
            "impossible: {crosses} X and {rings} O; X begins and they take turns, so there are as many X as"
            " O, or one more"
        )
        raise BadInput(sentence.format(crosses=crosses, rings=rings))
    board_state = game.read_state(list(stones(board)))
    assert isinstance(board_state, Stones)
    return board_state


def tidy(text: str) -> str:
    """A board as nine characters; nothing where it is none."""
    board = re.sub("[ _-]", ".", text.upper())
    return board if re.fullmatch("[XO.]{9}", board) else ""


def moves_to(game: Game, text: str) -> list[str]:
    """Moves that lead to a board. Raises BadInput, with the reason, where there are none."""
    wanted = read_board(game, text)
    found = way(game, game.start, wanted)
    if found is None:
        raise BadInput(reason(game, wanted))
    return found


def way(game: Game, s: State, wanted: Stones) -> list[str] | None:
    """The moves from one position to another: only stones that stand there are put down."""
    if s == wanted:
        return []
    for move in game.legal(s):
        child = game.play(s, move)
        assert isinstance(child, Stones)
        mine, theirs = (
            (wanted.mine, wanted.theirs)
            if game.mover(child) == game.mover(wanted)
            else (wanted.theirs, wanted.mine)
        )
        if child.mine & ~mine or child.theirs & ~theirs:
            continue
        rest = way(game, child, wanted)
        if rest is not None:
            return [game.name_move(s, move), *rest]
    return None


def reason(game: Game, s: Stones) -> str:
    """Why a board with the right number of stones cannot come up: it goes on after a line of three."""
    mine, theirs = (
        game.over(Stones(*side)) and game.outcome(Stones(*side)) != 0
        for side in ((s.theirs, s.mine), (s.mine, s.theirs))
    )
    if mine and theirs:
        return _("impossible: both have three in a row; the game was over with the first")
    return _("impossible: who has three in a row won with it, and the other has moved since")


@cache
def positions() -> int:
    """How many boards can come up."""
    from damier.lab.games import load

    return len(solve(load("tictactoe")))
