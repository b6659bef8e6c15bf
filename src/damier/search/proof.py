"""Proofs about the moves of a position too large for an exact search at once: proven a slice at
a time, and told as far as it is.

The questions of `exact` in another order: of every move, whether somebody can force a win within two
plies of it, within four, within six, … A question with so near a horizon is soon answered, and each answer
tightens the bounds of a move, so that something is known early: "nobody wins within twelve plies".

Where no position comes back, a question without a horizon ends too, and tells more than many with one: after
the nearest horizons `exact`'s own questions are asked, and ever farther horizons only in between.

A question with a horizon comes to its end also where positions come back, as in chess: so wins and losses
are proven there, and draws where they are all that is left. What was before a position (repetition, superko,
moves without progress) is not looked at: every position is taken by itself, as `solve` takes it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from damier.core.analysis import NO_CHANCE, PERFECT_INFORMATION, TWO_PLAYERS, ZERO_SUM, require
from damier.core.game import Game
from damier.core.job import Job, TimeIsUp, until
from damier.core.rules import TOP, State, loss_in, sooner, win_in
from damier.core.tiers import Allowance, run_tiered, tier
from damier.core.words import _
from damier.search.exact import Prover, prepare_exact, prove_all
from damier.search.proof_store import (
    COSTLY,
    Bounds,
    Proofs,
    ProvenScore,
    end_score,
    join,
    keep,
    recall,
    take_in,
)
from damier.search.running import DEPTH

PROOF_NEEDS = (TWO_PLAYERS, PERFECT_INFORMATION, NO_CHANCE, ZERO_SUM)

STEP = 2
"""Plies from one horizon to the next: who has just moved wins at odd ones, the other at even ones."""
NEAR = 6
"""Plies within which wins and losses are looked for before the whole game that follows is."""
FARTHER = 4
"""Of so many slices beyond, one asks about a farther horizon: something is told of what has no end."""


@dataclass
class Proof:
    """Proofs about every move of `state`, for player 0. What is `known` already is not proven again, and
    what is proven is noted there. Compiled, `job.jobs` threads share the table, as those of `exact` do.
    Raises Unsuitable for a game of another kind.

    Attributes:
        plies: as far as it was asked of all moves, counted from the state
        nodes: positions looked at
        slices: how often it went on
        provers: plain, compiled: those who prove other positions of the game over the same tables share them
    """

    game: Game
    state: State
    job: Job = field(default_factory=Job)
    bounds: dict[int, Bounds] = field(init=False)
    plies: int = 0
    nodes: int = 0
    slices: int = 0
    known: Proofs | None = None
    _whole: Bounds = field(default_factory=Bounds)
    _kept: int = 0
    provers: dict[bool, Prover] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require(self.game, _("exact search"), *PROOF_NEEDS)
        self.bounds = {move: self._at_sight(move) for move in self.game.legal(self.state)}
        if self.known is not None:
            recall(self.known, self.game, self.state, self._whole, self.bounds)

    def _at_sight(self, move: int) -> Bounds:
        """Return what is known of a move without any search: whether it ends the game, and how."""
        after = self.game.play(self.state, move)
        if not self.game.over(after):
            return Bounds(1 - TOP, TOP - 1)
        found = Bounds()
        take_in(found, end_score(self.game, after, units=False))
        return found

    @property
    def own(self) -> Bounds:
        """Return what is known of the position itself: by its moves, or by a question about it."""
        found = replace(self._whole)
        join(self.game, self.state, found, self.bounds)
        return found

    @property
    def complete(self) -> bool:
        """Return whether every move is known exactly."""
        return all(bounds.exact for bounds in self.bounds.values())

    @property
    def exhausted(self) -> bool:
        """Return whether nothing is left to ask: every move is known exactly or, where positions come back,
        nobody can force a win within the farthest horizon.
        """
        return self.complete or (not self.game.acyclic and self._is_at_the_farthest)

    @property
    def _is_at_the_farthest(self) -> bool:
        return self.plies + STEP >= DEPTH

    @property
    def begun(self) -> bool:
        """Return whether anything is proven."""
        intervals = (self._whole, *self.bounds.values())
        return any(bounds.low > 1 - TOP or bounds.high < TOP - 1 for bounds in intervals)

    def advance(self, seconds: float) -> None:
        """Goes on for so long, or until nothing is left to ask."""
        self.slices += 1
        if self._for(seconds, self._ask_on, lambda: self.exhausted):
            self._keep()

    def line(self, seconds: float, first: int | None = None) -> list[int]:
        """Return best play from the position, or from after its move `first`, where the score is known
        exactly: who wins hurries, who loses holds out. To its end, or as far as it is found in so many
        seconds.
        """
        found = list[int]()
        s = self.state if first is None else self.game.play(self.state, first)
        interval = self.own if first is None else self.bounds[first]
        assert interval.exact
        score = interval.low

        def follow(prover: Prover) -> None:
            nonlocal s, score
            while not self.game.over(s) and (best := self._move_to(prover, s, sooner(score))) is not None:
                found.append(best)
                s, score = self.game.play(s, best), sooner(score)

        self._for(seconds, follow, lambda: self.game.over(s))
        return found

    def _move_to(self, prover: Prover, s: State, score: int) -> int | None:
        """A move that leads to a score, the best that its mover can reach; None where the run was stopped."""
        game, first = self.game, self.game.mover(s) == 0
        after = {move: game.play(s, move) for move in game.legal(s)}
        for move, child in after.items():
            interval = self._told(child)
            if interval is not None and interval.low == interval.high == score:
                return move
        bound = score if first else score + 1
        for move, child in after.items():
            if game.over(child):
                continue
            found = prover.ask(child, bound)
            if prover.run.stopped:
                return None
            if (found >= bound) == first:
                return move
        return None

    def _told(self, s: State) -> ProvenScore | None:
        """Return what is known of a position without any search."""
        if self.game.over(s):
            return end_score(self.game, s, units=False)
        return None if self.known is None else self.known.look(s)

    def _for(self, seconds: float, ask: Callable[[Prover], None], done: Callable[[], bool]) -> bool:
        """Asks for so long, or until it is done; False where the time was over before anything could be
        asked.
        """
        game, deadline, alone = self.game, time.perf_counter() + seconds, self.game.has_past

        def attempt(jit: bool, allowance: Allowance) -> None:
            if jit not in self.provers:
                self.provers[jit] = Prover.beginning(game, jit, self.job, self.known, alone=alone)
            prover = self.provers[jit]
            for nodes in prover.go_on(lambda: ask(prover), done, deadline, allowance):
                self.nodes += nodes

        engines = tier(
            game, ("exact", False, alone), lambda: prepare_exact(game, self.state, False, alone=alone)
        )
        try:
            with until(deadline):
                run_tiered(engines, self.job, attempt)
        except TimeIsUp:  # on the way to compiled code
            return False
        return True

    def _keep(self) -> None:
        """Notes what is proven so far, where it took some work."""
        if self.known is not None and self.nodes - self._kept >= COSTLY:
            keep(self.known, self.game, self.state, self._whole, self.bounds, self.nodes - self._kept)
            self._kept = self.nodes

    def _ask_on(self, prover: Prover) -> None:
        """Deeper and deeper, and to the end of the game where it has one, until all is known or the run
        is stopped.
        """
        whole = self.game.acyclic and (self.slices % FARTHER != 0 or self._is_at_the_farthest)
        for horizon in range(self.plies + STEP, NEAR + 1 if whole else DEPTH, STEP):
            for move, bounds in self.bounds.items():
                if not self._asked(prover, self.game.play(self.state, move), bounds, horizon - 1):
                    return
            self.plies = horizon
            if self.complete:
                return
        if whole:
            self._whole = self.own
            prove_all(self.game, self.state, self._whole, self.bounds, prover)

    def _asked(self, prover: Prover, s: State, bounds: Bounds, plies: int) -> bool:
        """Asks of one move who wins within so many plies of it; False where the run was stopped."""
        for question in questions(bounds, plies):
            found = prover.ask(s, question)
            if prover.run.stopped:
                return False
            bounds.answered(question, found)
        if bounds.low > 0 or bounds.high < 0:  # somebody wins: how soon is soon found
            prover.narrow(s, bounds)
        return not prover.run.stopped


def questions(bounds: Bounds, plies: int) -> Iterator[int]:
    """Yield the open questions: does player 0 win within so many plies, and does it not lose?"""
    for question in (win_in(plies), loss_in(plies) + 1):
        if bounds.low < question <= bounds.high:
            yield question
