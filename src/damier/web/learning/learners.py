"""The folder of learners, as pages see it: a learner has a name, never a path."""

from __future__ import annotations

import re
from pathlib import Path

from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.json_data import format_of
from damier.core.words import message

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
OWN_FORMAT = "damier-own/1"
"""`damier.lab.agent_file.FORMAT`, for the hub, which does without all that is imported there."""
MOST = 200
"""Learners that are kept: what pages can save is bounded."""


def names(folder: Path) -> list[str]:
    """The learners that there are, the one saved last first."""
    if not folder.is_dir():
        return []
    found = [
        path
        for path in folder.glob("*.json")
        if NAME.fullmatch(path.stem) and not path.is_symlink() and path.is_file()
    ]
    return [path.stem for path in sorted(found, key=saved_at, reverse=True)]


def saved_at(path: Path) -> tuple[int, str]:
    """When a file was written, in nanoseconds; one that has just gone counts as oldest."""
    try:
        return path.stat().st_mtime_ns, path.name
    except OSError:
        return 0, path.name


def place(folder: Path, name: str) -> Path:
    """Where a learner of this name is kept, or would be. Raises BadInput for what is no name."""
    if not NAME.fullmatch(name):
        raise BadInput(
            message("{name} cannot be the name of a learner: letters, digits, - and _, at most 40", name=name)
        )
    path = folder / f"{name}.json"
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise BadInput(message("{name} is no learner of this lab", name=name))
    return path


def free_place(folder: Path, name: str) -> Path:
    """The same for a new learner.

    Raises BadInput where there is one of this name, LimitReached where there are too many.
    """
    refuse_taken(folder, name)
    folder.mkdir(parents=True, exist_ok=True)
    return place(folder, name)


def refuse_taken(folder: Path, name: str) -> None:
    """Raises BadInput where there is a learner of this name, LimitReached where there are too many."""
    if place(folder, name).exists():
        raise BadInput(
            message(
                "there is a learner called {name} already; take another name, or let that one go on",
                name=name,
            )
        )
    if len(names(folder)) >= MOST:
        raise LimitReached(
            message("there are {n} learners already; whoever serves this lab can remove some", n=MOST)
        )


def kept(folder: Path, name: str) -> Path:
    """The file of a learner that there is. Raises BadInput."""
    path = place(folder, name)
    if not path.exists():
        raise BadInput(message("there is no learner called {name}", name=name))
    return path


def is_own(path: Path) -> bool:
    """Whether a file says that it holds what an agent of one's own has learnt."""
    try:
        return format_of(path) == OWN_FORMAT
    except BadFile:
        return False


def is_own_learner(folder: Path, name: str) -> bool:
    """Whether the learner of this name, if there is one, is an agent of one's own."""
    return NAME.fullmatch(name) is not None and is_own(folder / f"{name}.json")


def free_name(folder: Path, wanted: str, taken: set[str]) -> str:
    """`wanted`, made a name that nothing has yet.

    >>> free_name(Path("nowhere"), "hexapawn:width=4 q", {"hexapawn-width-4-q"})
    'hexapawn-width-4-q-2'
    """
    stem = re.sub(r"[^A-Za-z0-9]+", "-", wanted).strip("-")[:32] or "learner"
    used = taken | set(names(folder))
    return next(
        name
        for number in range(1, MOST + len(taken) + 2)
        if (name := stem if number == 1 else f"{stem}-{number}") not in used
    )
