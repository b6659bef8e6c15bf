"""The agent `zero:file=z/,simulations=32`: a network, and a search that it guides."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from damier.core.analysis import Analysis, plain_number
from damier.core.arrays import FloatArray, IntArray
from damier.core.bits import Rng
from damier.core.errors import BadInput
from damier.core.game import Game, written
from damier.core.past import Before, states
from damier.core.player import AskedPlayer
from damier.core.rules import CHANCE, AnyPast, State
from damier.core.words import _, message
from damier.lab.games import Lab
from damier.plugins.zero import encoding
from damier.plugins.zero.files import kept, open_folder
from damier.plugins.zero.lockstep import CONSIDERED, SearchSettings
from damier.plugins.zero.network import Array, Evaluator
from damier.plugins.zero.self_play import Lockstep, ZeroEngines

BATCH = 8192
"""Positions that a network judges at a time."""
SIDE_BY_SIDE = 256
"""Positions that are searched side by side."""
REMEMBERED = 200_000
"""Positions whose moves a player remembers."""
SIMULATIONS = 32
"""Simulations of an opponent at a board, whatever it was trained with."""


def zero(
    lab: Lab,
    file: str = "",
    simulations: int = 32,
    root: Literal["puct", "gumbel"] = "puct",
    c: float = 1.5,
    solve: bool = True,
) -> ZeroPlayer:
    """Return the agent of a folder, for the command line. Raises BadInput, BadFile."""
    if not file:
        raise BadInput(
            message("zero: it plays what a folder holds, zero:file=FOLDER; damier train GAME zero makes one")
        )
    if not lab.loads_files:
        raise BadInput(message("zero: no files are loaded here"))
    if not 0 <= simulations <= 1_000_000 or simulations == 1:
        raise BadInput(
            message(
                "zero: simulations={n}; it is 0, for the network alone, or from 2 to 1000000", n=simulations
            )
        )
    found = open_folder(Path(file))
    network = found.network(lab.game)
    engines = ZeroEngines(lab.game, found.sizes, lab.job)
    given = {"file": file, "simulations": simulations}
    given |= {
        name: value
        for name, value, usual in (("root", root, "puct"), ("c", c, 1.5), ("solve", solve, True))
        if value != usual
    }
    settings = SearchSettings(max(simulations, 2), CONSIDERED[root], c, solve=solve)
    return ZeroPlayer(written("zero", given), engines, network, settings if simulations else None)


def opponent(lab: Lab, path: Path, text: str) -> ZeroPlayer:
    """Return the player of a file of the web lab, as it sits at a board. One position at a time is searched
    in plain Python: it takes some hundredths of a second, and no compiler. Raises BadFile.
    """
    found = kept(path, lab.game)
    engines = ZeroEngines(lab.game, found.sizes, replace(lab.job, jit=False))
    return ZeroPlayer(text, engines, found.network, SearchSettings(SIMULATIONS))


@dataclass
class ZeroPlayer(AskedPlayer):
    """Plays the move that a search of so many simulations decides for, or the network's first choice.

    It always decides alike, so that it can be graded: all positions in a few large batches.

    Attributes:
        search: the settings of its search; None: the network alone
        line: the positions before the one at hand, where they matter
        latest: the positions of the latest `batch_probabilities`, and how likely each of their moves is
    """

    text: str
    engines: ZeroEngines
    network: Evaluator
    search: SearchSettings | None
    line: AnyPast | None = field(default=None, init=False)
    known: dict[tuple[State, Before], int] = field(default_factory=dict, init=False)
    latest: tuple[IntArray, FloatArray] | None = field(default=None, init=False, compare=False)

    @property
    def game(self) -> Game:
        return self.engines.game

    def follow(self, past: AnyPast | None) -> None:
        """Positions are searched as the end of this line."""
        self.line = past

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        before = states(self.line) if self.line else ()
        return self._choice(s, before)

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        chosen = self._choice(s, ())
        return {move: float(move == chosen) for move in game.legal(s)}

    def _choice(self, s: State, before: Before) -> int:
        if (s, before) not in self.known:
            if len(self.known) >= REMEMBERED:
                self.known.clear()
            codes = self.engines.codes([s])
            if self.search is None:
                index = int(self.first_choices(codes)[0])
                self.known[s, before] = self.game.legal(s)[index]
            else:
                number = next(iter(self._alone.search(self.network, codes, [before])))
                self.known[s, before] = self._alone.decision(number)
        return self.known[s, before]

    @cached_property
    def _alone(self) -> Lockstep:
        """The search of one position."""
        assert self.search is not None
        return Lockstep(self.engines, self.search, 1)

    @cached_property
    def _many(self) -> Lockstep:
        """SearchStates side by side."""
        assert self.search is not None
        return Lockstep(self.engines, self.search, SIDE_BY_SIDE)

    def priors(self, codes: IntArray) -> tuple[Array, Array]:
        """Return how likely the network takes each move to be, in their order [positions, moves], 0 where
        there is none, and what it takes each position to be worth to its mover [positions].
        """
        inputs = np.zeros((len(codes), encoding.input_count(self.game)), np.float32)
        slots, _policy = self.engines.fill(codes, inputs)
        answers, values = self.network.evaluate(inputs)
        legal = slots >= 0
        logits = np.where(legal, answers[np.arange(len(codes))[:, None], slots], -1e9)
        likely = np.exp(logits - logits.max(1, keepdims=True)) * legal
        return likely / likely.sum(1, keepdims=True), values

    def first_choices(self, codes: IntArray) -> IntArray:
        """Return the index of the network's first choice among the moves of each position."""
        found = [np.zeros(0, np.int64)]
        for begin in range(0, len(codes), BATCH):
            found.append(self.priors(codes[begin : begin + BATCH])[0].argmax(1))
            if begin:
                self.engines.job.progress(begin, len(codes), _("positions decided"))
        return np.concatenate(found)

    def batch_probabilities(self, codes: IntArray, first: IntArray, moves: IntArray) -> FloatArray:
        """Return how likely each move of many positions is: all are judged in large batches, and kept for who
        asks of the same positions again.

        Args:
            codes: [positions, words] the positions
            first: [positions + 1] the number of the first move of each
            moves: [moves] the moves
        """
        if self.latest is not None and np.array_equal(self.latest[0], codes):
            return self.latest[1]
        found = np.zeros(len(moves), np.float64)
        if self.search is None:
            found[first[:-1] + self.first_choices(codes)] = 1.0
        else:
            for place, decided in enumerate(self.decisions(codes)):
                begin, end = int(first[place]), int(first[place + 1])
                found[begin + moves[begin:end].tolist().index(decided)] = 1.0
        self.latest = codes, found
        return found

    def decisions(self, codes: IntArray) -> Iterator[int]:
        """Yield the move that a search decides for, in each of many positions."""
        for place, number in enumerate(self._many.search(self.network, codes)):
            if place and place % SIDE_BY_SIDE == 0:
                self.engines.job.progress(place, len(codes), _("positions decided"))
            yield self._many.decision(number)

    def analyse(self, s: State, seed: int = 0) -> Analysis:
        """One decision, explained: priors, visits and values of the moves; at a throw of the die its odds."""
        begun, game = time.perf_counter(), self.game
        before = states(self.line) if self.line else ()
        if self.search is None:
            priors, values = self.priors(self.engines.codes([s]))
            likely = dict(zip(game.legal(s), map(float, priors[0]), strict=False))
            best = max(likely, key=lambda move: likely[move])
            value = float(values[0]) * self.engines.sizes.scale
            return Analysis(
                game,
                s,
                "zero",
                value,
                {},
                game.gathered([best]),
                1,
                None,
                0,
                False,
                False,
                False,
                time.perf_counter() - begun,
                (best,),
                before=before,
                priors=likely,
            )
        search = self._alone
        evaluated = search.evaluated
        number = next(iter(search.search(self.network, self.engines.codes([s]), [before])))
        decided, tree, base = search.decision(number), search.tree, search.root(number)
        mover, scale = game.mover(s), self.engines.sizes.scale
        side, thrown = -1 if mover == 1 else 1, mover == CHANCE
        begin = int(tree.first_child[base])
        children = {
            int(tree.move[child]): child for child in range(begin, begin + int(tree.child_count[base]))
        }

        def value_of(node: int) -> float:
            """Return what a position is worth to who is to move at the root, to player 0 at a throw."""
            mean = tree.exact[node] if tree.proven[node] else tree.total[node] / tree.visits[node]
            return side * float(mean) * scale

        found = {
            move: value_of(child)
            for move, child in children.items()
            if tree.proven[child] or tree.visits[child]
        }
        line = () if thrown else search.line(number)
        return Analysis(
            game,
            s,
            "zero",
            plain_number(value_of(base) if thrown else found.get(decided, 0.0)),
            {move: plain_number(value) for move, value in found.items()},
            game.gathered([] if thrown else [decided]),
            search.evaluated - evaluated,
            None,
            len(line),
            bool(tree.proven[base]),
            False,
            False,
            time.perf_counter() - begun,
            line,
            {move: int(tree.visits[child]) for move, child in children.items()},
            before=before,
            priors={move: float(tree.prior[child]) for move, child in children.items()},
        )
