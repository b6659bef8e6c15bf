"""The proofs of one game in a file: every position under the name of its rules, images of one position
under symmetries as one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from damier.core import rules
from damier.core.digest import Digest
from damier.core.errors import Uncompilable
from damier.core.game import Game
from damier.core.proof_pages import KEY, NO_MOVE, PAGES, ProofPages, ProofRecord, Proofs, ProvenScore
from damier.core.rules import TOP, Key, State, later, loss_in, sooner, win_in

ALGORITHM = 1
"""Raised where an exact search has proven what is wrong: no proof of an earlier one is read then."""
MOST_MOVES = 1 << 15
"""Moves of a position among which a record can say one."""


@dataclass
class Bounds:
    """Proven bounds of a position's score for player 0."""

    low: int = -TOP
    high: int = TOP

    @property
    def exact(self) -> bool:
        return self.low == self.high

    def for_mover(self, side: int) -> tuple[int, int]:
        """The least and the most for the player whose side is 1 (player 0) or -1."""
        return (self.low, self.high) if side > 0 else (-self.high, -self.low)

    def question(self) -> int:
        """Return what to ask next: at least how much?"""
        if self.low <= 0 < self.high:
            return 1
        if self.low < 0 <= self.high:
            return 0
        if self.low > 0:
            return win_in(horizon(TOP - self.high, TOP - self.low))
        return loss_in(horizon(self.low + TOP, self.high + TOP)) + 1

    def nearest_question(self, guess: int) -> int:
        """Return the next question about payoffs, whose least and most nobody knows: next to what is
        proven, since a question that is far from the truth still takes a proof (the MTD(f) of Plaat and
        others [Plaat96]). First whether it is at least the `guess`.
        """
        if self.low > -TOP:
            return self.low + 1
        return self.high if self.high < TOP else guess

    def answered(self, asked: int, found: int) -> None:
        """Takes an answer in."""
        if found >= asked:
            self.low = found
        else:
            self.high = found


def farther(plies: int) -> int:
    """Half as far again: what lies nearer is proven in a fraction of the time."""
    return max(3, plies + (plies + 1) // 2)


def horizon(nearest: int, farthest: int) -> int:
    """Within how many plies to ask for the end next, which comes after so many at least and at most:
    half as far again as the nearest, or all but the farthest where two such steps lead beyond it. (The
    step between cost a quarter more in Connect Four from the empty board.)
    """
    step = farther(nearest)
    return step if farther(step) < farthest else farthest - 1


class ProofStore:
    """Knowledge of a file about positions of `game`: scores as `core.score` makes them, or, with `units`,
    payoffs.

    Raises Uncompilable for rules that depend on what has no digest: nobody could tell whether they are
    the same the next time.
    """

    def __init__(self, game: Game, path: Path, *, units: bool = False, pages: int = PAGES) -> None:
        self.game = game
        self._pages = ProofPages(path, pages)
        self._prefix = f"{ALGORITHM} {units} {rules_digest(game)} ".encode()

    def look(self, s: State) -> ProvenScore | None:
        """Return what is known of a position."""
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


# What an exact search takes from what was proven before, and what it hands on.

COSTLY = 100_000
"""Nodes from which a proof is worth to be kept: some hundredths of a second of compiled code."""


def recall(
    known: Proofs,
    game: Game,
    s: State,
    bounds: Bounds,
    children: Mapping[int, Bounds],
    *,
    units: bool = False,
) -> int:
    """Tightens the bounds of a position, and of what its moves lead to, by what is known of them, and by
    what follows of the ones for the others. Returns how many of these scores were known exactly.
    """
    if game.over(s):
        return 0
    after = {move: game.play(s, move) for move in children}
    found = {move: known.look(child) for move, child in after.items() if not game.over(child)}
    own = known.look(s)
    facts = [(own, bounds), *((proven, children[move]) for move, proven in found.items())]
    if not any(proven for proven, _bounds in facts):
        return 0
    ends = [(end_score(game, after[move], units), children[move]) for move in after.keys() - found.keys()]
    for proven, at_hand in (*facts, *ends):
        take_in(at_hand, proven)
    join(game, s, bounds, children, units=units)
    if own is not None and own.low == own.high and own.move is not None and children:
        score = own.low if units else sooner(own.low)
        tighten(children[own.move], score, score)
    return sum(proven is not None and proven.low == proven.high for proven, _bounds in facts)


def take_in(bounds: Bounds, proven: ProvenScore | None) -> None:
    """Tightens bounds by what is known, if anything is."""
    if proven is not None:
        tighten(bounds, proven.low, proven.high)


def end_score(game: Game, s: State, units: bool) -> ProvenScore | None:
    """The score of a position in which the game is over; None where it is no win, draw or loss, which a
    search refuses.
    """
    payoff = game.payoff(s, 0)
    if units:
        return ProvenScore(payoff, payoff)
    return ProvenScore(payoff * TOP, payoff * TOP) if abs(payoff) <= 1 else None


def keep(
    known: Proofs,
    game: Game,
    s: State,
    bounds: Bounds,
    children: Mapping[int, Bounds],
    nodes: int,
    *,
    units: bool = False,
) -> None:
    """Hands on what was proven at a cost of so many nodes, of which every move counts for an equal share;
    what was cheap is proven again as soon as it is looked up.
    """
    if nodes < COSTLY:
        return
    join(game, s, bounds, children, units=units)
    if bounds.low > 1 - TOP or bounds.high < TOP - 1:
        known.note(s, ProvenScore(bounds.low, bounds.high, best_move(bounds, children, units=units), nodes))
    for move, child in children.items():
        after = game.play(s, move)
        if (child.low > -TOP or child.high < TOP) and not game.over(after):
            known.note(after, ProvenScore(child.low, child.high, None, nodes // len(children)))


def join(
    game: Game, s: State, bounds: Bounds, children: Mapping[int, Bounds], *, units: bool = False
) -> None:
    """Minimax of bounds: a position is worth as much as the best of its moves, and none of them more."""
    if not children:
        return
    first, up, down = game.mover(s) == 0, (_as_it_is if units else later), (_as_it_is if units else sooner)
    best = max if first else min
    tighten(
        bounds,
        up(best(child.low for child in children.values())),
        up(best(child.high for child in children.values())),
    )
    for child in children.values():
        tighten(child, -TOP if first else down(bounds.low), down(bounds.high) if first else TOP)


def tighten(bounds: Bounds, low: int, high: int) -> None:
    """Takes in that a score is from `low` to `high`."""
    bounds.low, bounds.high = max(bounds.low, low), min(bounds.high, high)


def best_move(bounds: Bounds, children: Mapping[int, Bounds], *, units: bool = False) -> int | None:
    """A move that leads to the score of a position, where both are exact."""
    if not bounds.exact:
        return None
    score = bounds.low if units else sooner(bounds.low)
    return next((move for move, child in children.items() if child.exact and child.low == score), None)


def _as_it_is(score: int) -> int:
    return score
