"""`damier replay`: every state of a game that is given by its moves; with `--batch`, of many games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from damier.cli.options import Begin, GameName, Json, Moves, split_moves
from damier.cli.output import Report, report, result, say
from damier.cli.play import board
from damier.core.errors import BadFile, BadInput, IllegalMove
from damier.core.files import reason
from damier.core.game import Game, Position
from damier.core.position import line, written
from damier.core.solution import AnySolution, as_data
from damier.core.words import _, message

LONGEST = 1 << 26
"""Characters of a line: a game of millions of plies."""


def replay(
    game: GameName,
    /,
    *,
    moves: Moves = "",
    begin: Begin = None,
    hints: Annotated[
        bool, Parameter(negative=(), show_default=False, help=_("show what every move is worth"))
    ] = False,
    batch: Annotated[
        Path | None, Parameter(help=_("a file with one game a line; one JSON object a line comes back"))
    ] = None,
    json: Json = False,
) -> None:
    from damier.lab.games import load
    from damier.lab.lab import Lab

    loaded = load(game)
    if batch is None:
        positions = line(loaded, split_moves(moves), begin)
        solution = Lab(loaded).solution(_("--hints needs the game solved")) if hints else None
        report(facts(loaded, positions, solution), json, lambda: show(positions, solution))
        return
    if moves:
        raise BadInput(message("--moves and --batch exclude each other; give one of them"))
    if hints:
        raise BadInput(message("--hints and --batch exclude each other; give one of them"))
    try:
        with open(batch, encoding="utf-8-sig") as stream:
            for number, moves_of_line in enumerate(iter(lambda: stream.readline(LONGEST + 1), ""), 1):
                if len(moves_of_line) > LONGEST:
                    raise BadFile(
                        message("{where}: the line is longer than any game", where=f"{batch}:{number}")
                    )
                try:
                    result(facts(loaded, line(loaded, split_moves(moves_of_line)), None))
                except IllegalMove as error:
                    raise IllegalMove(
                        message("{path}:{number}: {error}", path=batch, number=number, error=error)
                    ) from None
    except (OSError, UnicodeDecodeError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        why = reason(error) if isinstance(error, OSError) else _("it is not text")
        raise BadFile(message("{path} cannot be read: {error}", path=batch, error=why)) from error


def facts(game: Game, positions: list[Position], solution: AnySolution | None) -> Report:
    """What is reported of a game; with a solution also what every move is worth to who moves."""
    return {"game": game.text, "states": [state_facts(position, solution) for position in positions]}


def state_facts(position: Position, solution: AnySolution | None) -> Report:
    """What is reported of a state; `moves` is what each is worth, by name: value and plies to the end."""
    found: dict[str, object] = {
        "mover": position.mover,
        "legal": list(position.moves),
        "terminal": position.over,
        "payoffs": list(position.payoffs) if position.payoffs is not None else None,
        "position": written(position),
        "board": position.game.show(position.state),
        "id": position.id,
    }
    if solution is not None:
        explained = {} if position.over else solution.explain(position.state)
        found["moves"] = {
            position.game.name_move(position.state, move): {"value": as_data(value), "distance": distance}
            for move, (value, distance) in explained.items()
        }
    return found


def show(positions: list[Position], solution: AnySolution | None) -> None:
    """The boards, one after the other."""
    for ply, position in enumerate(positions):
        if position.payoffs is not None:
            what = _(
                "the end, payoffs {payoffs}", payoffs=" ".join(f"{payoff:+d}" for payoff in position.payoffs)
            )
        else:
            what = _("player {n} to move: {moves}", n=position.mover + 1, moves=" ".join(position.moves))
        say(_("ply {ply}: {what}", ply=ply, what=what))
        say((str(position) if solution is None or position.over else board(position, solution)) + "\n")
