"""What was proven before of a game's positions: the book that comes with damier, and the store in the
user's cache.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from damier.core.code_cache import make_private, place
from damier.core.errors import BadFile
from damier.core.files import doubt_about_folder
from damier.core.game import Game
from damier.core.job import note_of_process
from damier.core.proof_pages import Proofs, ProvenScore
from damier.core.rules import State
from damier.core.words import _
from damier.search.book import Book, read_book
from damier.search.proof_store import kept_in

SWITCH = "DAMIER_PROOFS"
"""`off` in the environment: nothing that was proven before is read, and nothing is kept."""
BOOKS = Path(__file__).parent / "books"
STORE = "proofs-1.pages"


@dataclass(frozen=True)
class KnownBefore:
    """What the book says, or else the store; what is new goes to the store.

    fresh  whether nothing is read
    """

    book: Proofs | None
    store: Proofs | None
    fresh: bool = False

    def look(self, s: State) -> ProvenScore | None:
        for source in (self.book, self.store):
            if not self.fresh and source is not None and (found := source.look(s)) is not None:
                return found
        return None

    def note(self, s: State, proven: ProvenScore) -> None:
        if self.store is not None:
            self.store.note(s, proven)


def known_before(game: Game, *, units: bool = False, fresh: bool = False) -> KnownBefore | None:
    """What is known of the positions of a game, with `units` their payoffs; None where it is switched
    off. A `fresh` one is asked in vain, and only takes in what is proven anew.
    """
    if os.environ.get(SWITCH) == "off":
        return None
    return KnownBefore(None if units else book_of(game), store_of(game, units=units), fresh)


def store_of(game: Game, *, units: bool = False) -> Proofs | None:
    """The store of this user's cache; None where others could write to it, which a note of the process
    says, and where the rules of the game do not allow one.
    """
    folder = place()
    with contextlib.suppress(OSError):  # where nothing can be kept, nothing is
        make_private(folder)
    if doubt := doubt_about_folder(folder):
        note_of_process(_("proofs are not kept, nor read from there: {reason}", reason=doubt))
        return None
    return kept_in(folder / STORE, game, units=units)


def book_of(game: Game) -> Book | None:
    """The book of one of damier's own games, where there is one for its options."""
    path = book_path(game, BOOKS)
    return None if game.source is not None or not path.exists() else _opened(game, path)


def book_path(game: Game, folder: Path) -> Path:
    """Where the book of a game is, by its name and options."""
    return folder / f"{re.sub('[^a-z0-9_]+', '-', game.text)}.book"


@lru_cache(16)
def _opened(game: Game, path: Path) -> Book | None:
    """A book as it was read once; one that is damaged is as good as none, and a note says so."""
    try:
        return read_book(path, game)
    except BadFile as error:
        note_of_process(str(error))
        return None
