"""Proofs made before of a game's positions: the book that comes with damier, and the store in the
user's cache.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from damier.core.arrays import IntArray
from damier.core.code_cache import make_private, place
from damier.core.errors import BadFile
from damier.core.files import doubt_about_folder
from damier.core.game import Game
from damier.core.job import note_of_process
from damier.core.json_types import JsonObject
from damier.core.rules import TOP, State
from damier.core.runtime import has_numpy
from damier.core.solution import PayoffValue, side, signed, value_of_score
from damier.core.words import _, ngettext
from damier.search.exact import Exact
from damier.search.proof_store import Book, Bounds, Proofs, ProvenScore, kept_in, read_book

SWITCH = "DAMIER_PROOFS"
"""`off` in the environment: nothing that was proven before is read, and nothing is kept."""
BOOKS = Path(__file__).parent / "books"
STORE = "proofs-1.pages"


@dataclass(frozen=True)
class KnownBefore:
    """Answers of the book, or else the store; what is new goes to the store.

    Attributes:
        fresh: whether nothing is read
    """

    book: Proofs | None
    store: Proofs | None
    fresh: bool = False

    def look(self, s: State) -> ProvenScore | None:
        for source in (self.book, self.store):
            if not self.fresh and source is not None and (found := source.look(s)) is not None:
                return found
        return None

    @property
    def slots(self) -> IntArray | None:
        return None if self.fresh or self.book is None else self.book.slots

    def note(self, s: State, proven: ProvenScore) -> None:
        if self.store is not None:
            self.store.note(s, proven)


def known_before(game: Game, *, units: bool = False, fresh: bool = False) -> KnownBefore | None:
    """Return what is known of the positions of a game, with `units` their payoffs; None where it is switched
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
    readable = game.source is None and has_numpy() and path.exists()
    return _opened(game, path) if readable else None


def book_path(game: Game, folder: Path) -> Path:
    """Return where the book of a game is, by its name and options."""
    return folder / f"{re.sub('[^a-z0-9_]+', '-', game.text)}.book"


@lru_cache(16)
def _opened(game: Game, path: Path) -> Book | None:
    """A book as it was read once; one that is damaged is as good as none, and a note says so."""
    try:
        return read_book(path, game)
    except BadFile as error:
        note_of_process(str(error))
        return None


# What an exact search has proven so far, as it is told: in words, and as data.

METHOD = "alpha-beta"


def proven_in_words(found: Exact) -> str:
    """Return what is proven of the position, for the player to move."""
    least, most = found.bounds.for_mover(side(found.game, found.state))
    if found.units:
        return _margins_in_words(least, most)
    if least > 0:
        return (
            _("a win in {low} to {high} plies", low=TOP - most, high=TOP - least)
            if least < most
            else ngettext("a win in {n} ply", "a win in {n} plies", TOP - least)
        )
    if most < 0:
        return (
            _("a loss in {low} to {high} plies", low=TOP + least, high=TOP + most)
            if least < most
            else ngettext("a loss in {n} ply", "a loss in {n} plies", TOP + most)
        )
    if least == most:
        return _("a draw")
    return (
        _("at least a draw")
        if least == 0
        else _("at most a draw")
        if most == 0
        else _("neither a win nor a loss is proven or excluded")
    )


def nodes_and_proven(found: Exact) -> str:
    """Return what a search counts, and what it has proven so far; the latter behind a semicolon."""
    proven = proven_in_words(found)
    if not found.bounds.exact:
        return _("nodes; so far: {proven}", proven=proven)
    moves = sum(bounds.exact for bounds in found.children.values())
    return _("nodes; {proven}; moves: {known} of {n}", proven=proven, known=moves, n=len(found.children))


def _margins_in_words(least: int, most: int) -> str:
    """Return what is proven of a margin."""
    if least == most:
        return PayoffValue(least).words
    if most == TOP:
        return (
            _("neither a win nor a loss is proven or excluded")
            if least == -TOP
            else _("at least {least}", least=signed(least))
        )
    if least == -TOP:
        return _("at most {most}", most=signed(most))
    return _("at least {least}, at most {most}", least=signed(least), most=signed(most))


def proven_so_far(found: Exact) -> JsonObject:
    """Return what is proven so far as data: of the position, and of every move by its name."""
    game, s = found.game, found.state
    ours = side(game, s)
    told = _payoffs if found.units else _values
    moves = {game.name_move(s, move): told(bounds, ours) for move, bounds in found.children.items()}
    whole = told(found.bounds, ours)
    exactly: JsonObject = (
        {"value": whole["at_least"], "distance": None}
        if found.bounds.exact and found.units
        else {
            "value": whole["at_least"],
            "distance": TOP - abs(found.bounds.low) if found.bounds.low else None,
        }
        if found.bounds.exact
        else {}
    )
    return {
        "value": None,
        "distance": None,
        **whole,
        **exactly,
        "moves": moves,
        "positions": found.nodes,
        "seconds": round(found.seconds, 6),
        "method": METHOD,
    }


def _values(bounds: Bounds, ours: int) -> dict[str, str]:
    """The least and the most that something is worth to a player, in words."""
    least, most = bounds.for_mover(ours)
    return {"at_least": value_of_score(least), "at_most": value_of_score(most)}


def _payoffs(bounds: Bounds, ours: int) -> dict[str, int | None]:
    """The least and the most payoff of a player; None where nothing bounds it."""
    least, most = bounds.for_mover(ours)
    return {"at_least": None if least == -TOP else least, "at_most": None if most == TOP else most}
