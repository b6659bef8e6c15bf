"""The proofs of one game in a file: every position under the name of its rules, images of one position
under symmetries as one.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

from damier.core import rules
from damier.core.digest import Digest
from damier.core.errors import Uncompilable
from damier.core.game import Game
from damier.core.proof_pages import KEY, NO_MOVE, PAGES, ProofPages, ProofRecord
from damier.core.proofs import ProvenScore
from damier.core.rules import Key, State
from damier.core.score import TOP

ALGORITHM = 1
"""Raised where an exact search has proven what is wrong: no proof of an earlier one is read then."""
MOST_MOVES = 1 << 15
"""Moves of a position among which a record can say one."""


class ProofStore:
    """What a file knows of positions of `game`: scores as `core.score` makes them, or, with `units`,
    payoffs.

    Raises Uncompilable for rules that depend on what has no digest: nobody could tell whether they are
    the same the next time.
    """

    def __init__(self, game: Game, path: Path, *, units: bool = False, pages: int = PAGES) -> None:
        self.game = game
        self._pages = ProofPages(path, pages)
        self._prefix = f"{ALGORITHM} {units} {rules_digest(game)} ".encode()

    def look(self, s: State) -> ProvenScore | None:
        """What is known of a position."""
        key, symmetry = least_image(self.game, s)
        found = self._pages.look(self._name(key))
        if found is None or not -TOP <= found.low <= found.high <= TOP:
            return None
        return ProvenScore(found.low, found.high, self._move(s, symmetry, found.move), found.nodes)

    def note(self, s: State, proven: ProvenScore) -> None:
        """Takes in what was proven of a position."""
        key, symmetry = least_image(self.game, s)
        number = self._number(s, symmetry, proven.move)
        self._pages.note(self._name(key), ProofRecord(proven.low, proven.high, number, proven.nodes))

    def _name(self, key: Key) -> bytes:
        return hashlib.blake2b(self._prefix + repr(key).encode(), digest_size=KEY).digest()

    def _number(self, s: State, symmetry: int, move: int | None) -> int:
        """The number of a move among those of the image that stands for `s`."""
        if move is None:
            return NO_MOVE
        turned = self.game.legal(self.game.turn(s, symmetry))
        number = turned.index(self.game.turn_move(move, symmetry))
        return number if number < MOST_MOVES else NO_MOVE

    def _move(self, s: State, symmetry: int, number: int) -> int | None:
        """The move of such a number."""
        turned = self.game.legal(self.game.turn(s, symmetry))
        if not 0 <= number < len(turned):
            return None
        moves = (move for move in self.game.legal(s) if self.game.turn_move(move, symmetry) == turned[number])
        return next(moves, None)


def least_image(game: Game, s: State) -> tuple[Key, int]:
    """The least key among the images of a position, and the symmetry that leads to it."""
    return min((game.key(game.turn(s, symmetry)), symmetry) for symmetry in range(game.symmetries()))


@lru_cache(16)
def rules_digest(game: Game) -> str:
    """A digest of all the code and constants that the rules of a game reach: another version of Python
    may give another. Raises Uncompilable where something has none.
    """
    given = {getattr(rules, name): rule for name, rule in game.rules.items()}
    digest = Digest(lambda value: given.get(value, value) if callable(value) else value)
    for name in sorted(game.rules):
        digest.add(game.rules[name], name)
    return digest.hexdigest()


def kept_in(path: Path, game: Game, *, units: bool = False) -> ProofStore | None:
    """The store of a game's proofs; None of rules that have no digest, and of a game in which positions
    before one matter to it.
    """
    if game.has_past:
        return None
    try:
        return ProofStore(game, path, units=units)
    except Uncompilable:
        return None
