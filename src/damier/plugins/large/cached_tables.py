"""Endgame tables in the user's cache: where `damier tables` keeps them, asked of one position, and built
beside the process that wants them, where they are small.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path

from damier.core.code_cache import make_private, place
from damier.core.endgames import UNKNOWN
from damier.core.errors import BadFile, BadInput, DamierError
from damier.core.files import doubt_about_folder, require_alone
from damier.core.game import Game
from damier.core.job import Job, TimeIsUp, gib, note_of_process
from damier.core.numba_adapter import making_in_turn
from damier.core.rules import State
from damier.core.runtime import has_threads, limit_time, missing_to_compile
from damier.core.solution import Solution
from damier.core.tiers import CopyOfProcess, copied
from damier.core.words import _
from damier.lab.large import INDEX, TablesAnswer
from damier.lab.solving import SWITCH
from damier.plugins.large.endgame_tables import (
    BYTES,
    FEW,
    EndgameTables,
    Layout,
    build,
    open_tables,
    pieces_of,
)

FOLDER = "endgames"
OPENED = 4
"""Tables that a process keeps open."""
SMALL = 8_000_000
"""Places of the largest tables that are built for who asks about one position: chess with three pieces has
half a million, draughts with four 6.6 million.
"""
BUILDING = 120
"""Seconds of the processor after which that is given up, the compiler's included."""
BUILDING_HERE = 30.0
"""The same by the clock, where this process has to build them itself."""
MEMORY = 1 << 28
"""Bytes that it may take."""
AGAIN = 30.0
"""Seconds after which it is tried again where it came to nothing."""
LOOK = 0.05
"""Seconds between two looks at tables that are being built."""
LOCK, TRIES = "building", 20
"""The file that is locked by who builds, and how often that is tried: who looks whether somebody builds locks
it for a moment.
"""


def kept_folder(game: Game) -> Path:
    """Return where the tables of a game are kept unless somebody says otherwise: tables of other rules, also
    those of its former ones, lie elsewhere.
    """
    name = re.sub("[^a-z0-9_]+", "-", game.text)[:80]
    return place() / FOLDER / f"{name}-{game.fingerprint()[:12]}"


def made_folder(game: Game) -> Path:
    """Return the same, the folders above it made for this user alone."""
    folder = kept_folder(game)
    with contextlib.suppress(OSError):  # who writes there says why it cannot be
        make_private(folder.parent)
    return folder


def ask_tables(game: Game, s: State, *, patience: float, begin: bool) -> TablesAnswer:
    """Answer of the tables in the cache about a position (`lab.large`).

    Only of damier's own games: those of a user may take what time and room they like.
    """
    pieces = _pieces(game, s)
    folder = kept_folder(game) if pieces else Path()
    if not pieces or not _is_trusted(folder):
        return TablesAnswer()
    try:
        if solution := _asked(game, folder, s):
            return TablesAnswer(solution)
        if Layout.of(game, pieces).places > SMALL:
            return TablesAnswer(None, _command(game, pieces))
        building = is_being_built(folder) or (begin and _builds(game, pieces, folder))
        deadline = time.monotonic() + patience
        while building:
            if solution := _asked(game, folder, s):
                return TablesAnswer(solution)
            if time.monotonic() > deadline:
                return TablesAnswer(None, _("Endgame tables that hold this position are being built …"), True)
            time.sleep(LOOK)
            building = is_being_built(folder)
        return TablesAnswer(_asked(game, folder, s))
    except BadFile as error:  # whose sentence names a file, which is not everybody's business
        note_of_process(str(error))
        return TablesAnswer(
            None, _("There are endgame tables, but they are damaged: nothing is taken from them.")
        )


def score_in_tables(game: Game, s: State) -> int | None:
    """The score of a position to its mover as the tables in the cache have it; None where they do not."""
    if not _pieces(game, s):
        return None
    folder = kept_folder(game)
    edition = _edition(folder)
    try:
        if edition is None or not _is_trusted(folder):
            return None
        score = _opened(game, folder, edition).score(s)
    except BadFile:
        return None
    return None if score == UNKNOWN else score


def _pieces(game: Game, s: State) -> int:
    """Return with how many pieces the tables of a page hold a position; 0 where none do."""
    if game.endgames is None or game.source or os.environ.get(SWITCH) == "off":
        return 0
    return pieces_of(game, s)


def _command(game: Game, pieces: int) -> str:
    """Return which command makes tables that are too large to be made for who looks at one position."""
    return _(
        "Endgame tables would know it at once: “{command}” makes them, {size} on disk.",
        command=f"damier tables {game.text} --pieces {pieces}",
        size=gib(BYTES * Layout.of(game, pieces).places),
    )


def _is_trusted(folder: Path) -> bool:
    """Return whether nobody else can have put tables there."""
    if doubt := doubt_about_folder(folder):
        note_of_process(_("endgame tables are not read from there: {reason}", reason=doubt))
    return not doubt


def _asked(game: Game, folder: Path, s: State) -> Solution | None:
    """The solution of a position; None where no table holds it. Raises BadFile."""
    edition = _edition(folder)
    try:
        return _opened(game, folder, edition).solution(s) if edition else None
    except BadFile:
        raise
    except BadInput:
        return None


def _edition(folder: Path) -> tuple[int, int, int] | None:
    """Return what changes whenever a slice is added to tables; None where there are none."""
    try:
        status = (folder / INDEX).stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


@lru_cache(OPENED)
def _opened(game: Game, folder: Path, edition: tuple[int, int, int]) -> EndgameTables:
    """The tables of a folder as they are in one edition of its index; a slice is checked when it is first
    asked. Raises BadFile.
    """
    return open_tables(folder, game, at_once=False)


# Tables built by a copy of this process (`core.tiers`), one at a time whoever wants them: what is finished
# when it ends, or is ended, is there for the next.

copies_at_work: dict[Path, CopyOfProcess] = {}
tried_in_vain: dict[Path, float] = {}


def is_being_built(folder: Path) -> bool:
    """Return whether tables are being built, by this process or another."""
    copy = copies_at_work.get(folder)
    if copy is not None and not copy.ended():
        return True
    try:
        with building_alone(folder.parent):
            return False
    except BadInput:
        return True
    except OSError:
        return False


def _builds(game: Game, pieces: int, folder: Path) -> bool:
    """Begins to build tables; returns whether that goes on."""
    compiles = not missing_to_compile() or Layout.of(game, pieces).places <= FEW
    if not compiles or not has_threads() or time.monotonic() < tried_in_vain.get(folder, 0.0):
        return False
    tried_in_vain[folder] = time.monotonic() + AGAIN
    made_folder(game)
    work = partial(build_alone, game, pieces, folder)
    copy = copied(partial(_bounded, work))
    if copy is None:
        with contextlib.suppress(DamierError, OSError, TimeIsUp):
            work(time.monotonic() + BUILDING_HERE)
        return False
    copies_at_work[folder] = copy
    return True


def _bounded(work: partial[None]) -> None:
    limit_time(BUILDING)
    with making_in_turn():
        work()


def build_alone(game: Game, pieces: int, folder: Path, deadline: float = float("inf")) -> None:
    """Builds tables. Raises BadInput where somebody else does, and what `build` raises."""

    def give_up_in_time(done: int, total: int | None, what: str) -> None:
        if time.monotonic() > deadline:
            raise TimeIsUp

    with building_alone(folder.parent, TRIES):
        build(game, pieces, folder, Job(memory=MEMORY, progress=give_up_in_time))


@contextlib.contextmanager
def building_alone(folder: Path, tries: int = 1) -> Iterator[None]:
    """Inside, no other process builds tables for who looks at a position. Raises BadInput where one does at
    each of so many tries, OSError where none can.
    """
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        for left in range(tries - 1, -1, -1):
            try:
                require_alone(descriptor, folder / LOCK, _("another process builds endgame tables"))
                break
            except BadInput:
                if not left:
                    raise
                time.sleep(LOOK)
        yield
    finally:
        os.close(descriptor)
