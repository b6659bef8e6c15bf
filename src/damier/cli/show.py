"""`damier show`: what is in a file that damier wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from damier.arena import records
from damier.cli.options import Json
from damier.cli.output import report, say, table
from damier.core.errors import BadFile, BadInput
from damier.core.files import read_header
from damier.core.game import written
from damier.core.words import _
from damier.solve import store


def show(
    file: Annotated[Path, Parameter(help=_("a solution or a record of games"))],
    /,
    *,
    game: Annotated[str, Parameter(help=_("the file of your own game that a solution is of"))] = "",
    json: Json = False,
) -> None:
    if records.is_record(file):
        data = record_facts(file)
        report(data, json, lambda: show_record(data))
        return
    header, _offset = read_header(file)
    if header["format"] == store.FORMAT:
        data, text = solution_facts(file, header, game)
        report(data, json, lambda: say(text))
    else:
        raise BadFile(_("{path} is a {found}, which this damier cannot show", path=file, found=header["format"]))


def record_facts(path: Path) -> dict[str, Any]:
    """The games of a record, counted."""
    ends = {"win": 0, "draw": 0, "loss": 0}
    games, plies, first = 0, 0, None
    for game in records.read_records(path):
        first = first or game
        games, plies = games + 1, plies + len(game["moves"])
        ends[game["outcome"]] += 1
    assert first is not None
    options = first.get("options")
    text = written(str(first.get("game")), options if isinstance(options, dict) else {})
    fields = {"game": text, "options": options, "players": first.get("players"), "first_moves": first["moves"]}
    return {"format": records.FORMAT, "games": games, "wins": ends["win"], "draws": ends["draw"], "losses": ends["loss"], "plies": plies} | fields


def show_record(data: dict[str, Any]) -> None:
    """The same as a table."""
    rows = [(_("games"), data["games"]), (_("won by player 1"), data["wins"]), (_("drawn"), data["draws"]), (_("lost by player 1"), data["losses"])]
    rows += [(_("plies a game"), f"{data['plies'] / data['games']:.2f}"), (_("first game"), " ".join(map(str, data["first_moves"])))]
    table((str(data["game"]), ""), rows)


def solution_facts(path: Path, header: dict[str, Any], named: str) -> tuple[dict[str, Any], str]:
    """The value of the start of a solution, and the same in words.

    A game that is a file of Python runs only if a person names it: a solution from elsewhere must not choose what runs here.
    """
    from damier.cli import solve
    from damier.core.position import Position
    from damier.lab.games import is_file, load

    found = store.written_game(header)
    if is_file(found) and not named:
        raise BadInput(_("{path} is a solution of {game}, a file that would run; if you trust it, give --game {game}", path=path, game=found))
    game = load(named or found)
    solution = store.load(path, game)
    start = Position(game, solution.start)
    text = f"{game.text}\n{start}\n\n{solve.sentence(solution, start)}\n" + _("{positions} positions", positions=f"{len(solution):,}")
    return {"format": header["format"], **solve.facts(solution, start)}, text
