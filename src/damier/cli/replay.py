"""`damier replay`: every state of a game that is given by its moves; with `--batch`, of many games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.options import GameName, Json, Moves, split_moves
from damier.cli.output import Report, report, say
from damier.core.errors import BadFile, BadInput, IllegalMove
from damier.core.files import to_json
from damier.core.game import Game
from damier.core.position import Position, line
from damier.core.reasons import reason
from damier.core.words import _

LONGEST = 1 << 26
"""Characters of a line: a game of millions of plies."""


def replay(
    game: GameName,
    /,
    *,
    moves: Moves = "",
    batch: Annotated[
        Path | None, Parameter(help=_("a file with one game a line; one JSON object a line comes back"))
    ] = None,
    json: Json = False,
) -> None:
    from damier.lab.games import load

    loaded = load(game)
    if batch is None:
        positions = line(loaded, split_moves(moves))
        report(facts(loaded, positions), json, lambda: show(positions))
        return
    if moves:
        raise BadInput(_("--moves and --batch exclude each other; give one of them"))
    try:
        with open(batch, encoding="utf-8") as stream:
            for number, written in enumerate(iter(lambda: stream.readline(LONGEST + 1), ""), 1):
                if len(written) > LONGEST:
                    raise BadFile(_("{where}: the line is longer than any game", where=f"{batch}:{number}"))
                try:
                    print(to_json(facts(loaded, line(loaded, split_moves(written)))))
                except IllegalMove as error:
                    raise IllegalMove(
                        _("{path}:{number}: {error}", path=batch, number=number, error=error)
                    ) from None
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        why = reason(error) if isinstance(error, OSError) else _("it is not text")
        raise BadFile(_("{path} cannot be read: {error}", path=batch, error=why)) from error


def facts(game: Game, positions: list[Position]) -> Report:
    """What is reported of a game."""
    return {
        "game": game.text,
        "states": [
            {
                "mover": position.mover,
                "legal": list(position.moves),
                "terminal": position.over,
                "payoffs": list(position.payoffs) if position.payoffs is not None else None,
                "board": game.show(position.state),
                "id": position.id,
            }
            for position in positions
        ],
    }


def show(positions: list[Position]) -> None:
    """The boards, one after the other."""
    for ply, position in enumerate(positions):
        if position.payoffs is not None:
            what = _(
                "the end, payoffs {payoffs}", payoffs=" ".join(f"{payoff:+d}" for payoff in position.payoffs)
            )
        else:
            what = _("player {n} to move: {moves}", n=position.mover + 1, moves=" ".join(position.moves))
        say(_("ply {ply}: {what}", ply=ply, what=what))
        say(str(position) + "\n")
