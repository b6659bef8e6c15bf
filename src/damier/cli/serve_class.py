"""The class of `damier serve --class`: opened before the lab is, and what the terminal says of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from damier.cli.standings import require_packages
from damier.core.errors import BadInput
from damier.core.words import _, message

if TYPE_CHECKING:
    from damier.lab.classroom.opening import OpenedClass
    from damier.web.settings import Settings


def class_of(folder: Path | None, games: Sequence[str], sheet: str, store: str) -> OpenedClass | None:
    """The class that is opened; None where there is none. A store that is only shown is looked at.

    Raises BadInput, BadFile, and Unsuitable where agents cannot be isolated.
    """
    if folder is None:
        if sheet:
            raise BadInput(message("--sheet: it is for a class, --class FOLDER"))
        if store:
            require_packages()
            from damier.arena.tournament.store import opened

            with opened(store, create=False):
                pass
        return None
    if store:
        raise BadInput(message("--class keeps a store of its own; leave --store out"))
    require_packages()
    from damier.lab.classroom.opening import open_class
    from damier.lab.games import is_file

    brought = [game for game in games if not is_file(game)]
    return open_class(folder, brought[0] if brought else "", sheet)


def class_welcome(settings: Settings, opened: OpenedClass) -> str:
    """What stands on the board, and what only the teacher is told."""
    from damier.web.settings import bracketed

    board = f"http://{bracketed(settings.reachable)}:{settings.port}/class"
    lines = [
        _("for the board: {address} — code of the class: {code}", address=board, code=opened.code),
        _("for the teacher, on the same page: {key}", key=opened.teacher_key),
    ]
    if settings.is_local:
        lines.append(_("only this machine can reach it; --host 0.0.0.0 lets the class in"))
    return "\n".join(lines)
