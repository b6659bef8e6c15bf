"""A class opened: its folder, what it plays, its sheet, and the teacher's key."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from damier.agents.isolation import no_isolation
from damier.arena.classroom.roll import Roll
from damier.arena.tournament.plan import TournamentPlan
from damier.arena.tournament.store import opened
from damier.core.errors import BadInput, Unsuitable
from damier.core.words import message
from damier.lab.classroom.check import MAX_PLIES
from damier.lab.classroom.folder import ClassFolder
from damier.lab.games import is_file, load
from damier.lab.marking.finding import ExactTruth
from damier.lab.marking.marks import require_askable
from damier.lab.marking.sheet import BROUGHT
from damier.lab.marking.sheet import sheet as sheet_of

GAMES = 20
"""Of each pair, at both seats in turn."""


class OpenedClass(NamedTuple):
    """place  of its store; code: what its students show; teacher_key: new at each start
    game   what is played, as a page names it
    """

    place: str
    code: str
    teacher_key: str
    game: str


def open_class(folder: Path, game: str, sheet: str) -> OpenedClass:
    """Opens the class in a folder, which is founded where it is not there yet. What is left out, game
    or sheet, is as the folder has it; a sheet has a game of its own.

    Raises Unsuitable where agents cannot be isolated, BadInput, BadFile.
    """
    if refusal := no_isolation():
        raise Unsuitable(
            message(
                "--class: agents of a class play in a sandbox only, and there is none here: {why}",
                why=refusal,
            )
        )
    place = ClassFolder(folder)
    if not (game or sheet or Path(place.store).is_file()):
        raise nothing_to_play()
    place.make()
    with opened(place.store) as store:
        roll = Roll(store)
        before = roll.classroom()
        sheet = resolved(sheet) or (before.sheet if before else "")
        of_sheet = game_of(sheet) if sheet else ""
        played = load(game).text if game else of_sheet or (before.plan.game_text if before else "")
        if not played:
            raise nothing_to_play()
        found = load(played)
        if is_file(played) or found.players != 2:
            raise BadInput(
                message("--class: a class plays a game for two that damier brings, not {game}", game=game)
            )
        if of_sheet and of_sheet != found.text:
            raise BadInput(
                message(
                    "--class: the sheet is about {other}, the class plays {game}",
                    other=of_sheet,
                    game=found.text,
                )
            )
        plan = TournamentPlan(found.name, found.options, "", (), 0, GAMES, MAX_PLIES, is_open=True)
        key = roll.open(plan, sheet)
    return OpenedClass(place.store, place.code(), key, found.text)


def game_of(sheet: str) -> str:
    """The game that a sheet is about. Raises DamierError for a sheet that cannot be marked."""
    found = sheet_of(sheet)
    require_askable(found, ExactTruth(found.game))
    return found.game.text


def nothing_to_play() -> BadInput:
    return BadInput(
        message("--class: say what the class plays: damier serve tictactoe --class FOLDER, or --sheet s4")
    )


def resolved(sheet: str) -> str:
    """A sheet by its name, or by the whole path of its file."""
    return sheet if not sheet or (BROUGHT / f"{sheet}.toml").is_file() else str(Path(sheet).absolute())
