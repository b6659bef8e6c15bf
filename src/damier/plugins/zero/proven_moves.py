"""Positions whose moves are known exactly, which networks are graded in: all of a game that can be solved;
of a larger one those of random games, proven when they are needed, or a sample that comes with damier.

The file of a sample (`core/json_data.py`) says for which rules it was made. Its one array is compressed:

    of each ply: the least keys, as they were drawn: all lowest bytes, then all second bytes, … (8 of them)
    in the same way a word for each: two bits for each of its legal moves in their order, what it leads to for
    player 0: 0 a loss, 1 a draw, 2 a win
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from damier.arena.match import wilson
from damier.core.arrays import FloatArray, IntArray
from damier.core.bits import random_below, reseed
from damier.core.errors import BadFile, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.grade import Grade, grade_facts
from damier.core.json_data import read_arrays, whole_number
from damier.core.json_types import JsonObject
from damier.core.past import words_of_key
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.core.words import _, grouped, message
from damier.lab.games import Lab
from damier.lab.solving import book_path
from damier.plugins.zero.agent import ZeroPlayer
from damier.search.exact import exact
from damier.search.proof_store import Bounds
from damier.solve.grade import Grader, decision_nodes

PROVEN = 400
"""Positions of a game that is too large to be solved, which are proven for the grade."""
PROVEN_SECONDS = 2.0
"""Seconds after which a proof is given up, and another position taken."""
SEED = 20
"""Seed of the random games of which samples are made."""
SAMPLES: Final = Path(__file__).parent / "samples"
FORMAT: Final = "damier-zerosample/1"
PACKED, LARGEST = "packed", 1 << 24
MOST_PLIES = 1000
"""Plies after which a random game is left."""


@dataclass(frozen=True)
class Share:
    """Share of positions in which a choice is exactly best, of how many; its 95 % interval where they are a
    sample; and what choices give away on average, of what a game can be worth.
    """

    share: float
    positions: int
    low: float
    high: float
    loss: float

    @property
    def is_sample(self) -> bool:
        return self.low < self.high


@dataclass(frozen=True)
class KnownMoves:
    """Positions whose moves are known exactly.

    Attributes:
        codes: [positions, words] the positions
        first: [positions + 1] the number of the first move of each; moves: [moves]
        losses: [moves] what each gives away of the exact value
        values: [positions] the exact value of each to its mover
        whole: whether they are all positions of the game
    """

    codes: IntArray
    first: IntArray
    moves: IntArray
    losses: FloatArray
    values: FloatArray
    whole: bool

    def __len__(self) -> int:
        return len(self.codes)

    def sample(self, count: int) -> KnownMoves:
        """Some of the positions, always the same ones; all where there are no more."""
        if len(self) <= count:
            return self
        places = np.sort(np.random.default_rng(0).choice(len(self), count, replace=False))
        counts = np.diff(self.first)[places]
        edges = np.concatenate([np.arange(self.first[place], self.first[place + 1]) for place in places])
        first = np.concatenate([[0], np.cumsum(counts)])
        return KnownMoves(
            self.codes[places], first, self.moves[edges], self.losses[edges], self.values[places], False
        )

    def share(self, player: ZeroPlayer) -> Share:
        """The share of the positions in which the choice of a player is exactly best."""
        chosen = player.batch_probabilities(self.codes, self.first, self.moves) > 0
        lost = self.losses[chosen]
        right, count = int((lost == 0).sum()), len(self)
        low, high = (right / count, right / count) if self.whole else wilson(right, count)
        return Share(right / count, count, low, high, float(lost.mean()))


def sampled(game: Game, found: Sequence[tuple[State, dict[int, int]]]) -> KnownMoves:
    """Return some positions, each with 1, 0 or -1 for each of its moves, for player 0."""
    first, moves, losses, values = [0], list[int](), list[float](), list[float]()
    for s, signs in found:
        side = 1 if game.mover(s) == 0 else -1
        best = max(side * sign for sign in signs.values())
        moves += signs
        losses += [float(best - side * sign) for sign in signs.values()]
        first.append(len(moves))
        values.append(float(best))
    return KnownMoves(
        np.array([words_of_key(game, s) for s, _signs in found], np.int64),
        np.array(first),
        np.array(moves, np.int64),
        np.array(losses),
        np.array(values),
        False,
    )


def proven_moves(lab: Lab) -> KnownMoves | None:
    """Return a sample of positions from random games, proven one by one; None where nothing can be proven, of
    which a note tells.
    """
    game, job = lab.game, lab.job if lab.job.jit is not None else replace(lab.job, jit=True)
    found, rng, tried = list[tuple[State, dict[int, int]]](), [0], 0
    while len(found) < PROVEN and tried < 4 * PROVEN:
        reseed(rng, SEED, tried)
        s = random_position(game, rng)
        tried += 1
        if s is None:
            continue
        try:
            proof = exact(game, s, job, PROVEN_SECONDS)
        except (Unsuitable, LimitReached) as error:
            job.note(_("the network is not graded: {error}", error=error))
            return None
        signs = {
            move: sign for move, bounds in proof.children.items() if (sign := sign_of(bounds)) is not None
        }
        if proof.interrupted:
            raise KeyboardInterrupt
        if len(signs) == len(proof.children):
            found.append((s, signs))
            job.progress(len(found), PROVEN, _("positions proven"))
    if not found:
        job.note(_("the network is not graded: no position of {game} could be proven", game=game.text))
        return None
    job.note(
        _(
            "{game} is too large to be solved: graded in {n} positions of random games, each proven",
            game=game.text,
            n=grouped(len(found)),
        )
    )
    return sampled(game, found)


def sign_of(bounds: Bounds) -> int | None:
    """Return 1, 0 or -1 for a win, a draw or a loss of player 0; None where it is not known which."""
    return 1 if bounds.low > 0 else -1 if bounds.high < 0 else 0 if bounds.low == bounds.high == 0 else None


def random_position(game: Game, rng: list[int]) -> State | None:
    """A position of a random game in which somebody decides, drawn by its ply; None where that is none."""
    line = [game.start]
    while not game.over(line[-1]) and len(line) < MOST_PLIES:
        legal = game.legal(line[-1])
        line.append(game.play(line[-1], legal[random_below(rng, len(legal))]))
    s: State = line[random_below(rng, max(1, len(line) - 1))]
    return None if game.over(s) or game.mover(s) < 0 else s


# Samples that are kept: so many positions of every depth.


@dataclass
class Sample:
    """Proven positions of a game by their ply, in the order in which they were drawn: the least keys of their
    images under symmetries, and what their moves lead to, as the file has it.
    """

    game: Game
    plies: dict[int, dict[int, int]]

    def known(self, most: int, plies: Collection[int] | None = None) -> KnownMoves:
        """The positions, at most so many of each ply; of some plies alone, if asked."""
        found = list[tuple[State, dict[int, int]]]()
        for ply, drawn in self.plies.items():
            if plies is not None and ply not in plies:
                continue
            for key, word in islice(drawn.items(), most):
                s = self.game.unkey(key)
                signs = {move: (word >> 2 * n & 3) - 1 for n, move in enumerate(self.game.legal(s))}
                found.append((s, signs))
        return sampled(self.game, found)


def sample_path(game: Game, folder: Path = SAMPLES) -> Path:
    """Return where the sample of a game is, by its name and options."""
    return book_path(game, folder).with_suffix(".sample")


def kept_sample(lab: Lab) -> Sample | None:
    """Return the sample that comes with damier, if there is one for a game; a note says what it is."""
    path = sample_path(lab.game)
    if not path.is_file():
        return None
    try:
        return read_sample(path, lab.game)
    except BadFile as error:
        lab.job.note(str(error))
        return None


def read_sample(path: Path, game: Game) -> Sample:
    """The sample of a game. Raises BadFile, also for one that was made for other rules."""
    header, arrays = read_arrays(path, FORMAT, largest=LARGEST)
    if header.get("game") != game.name or header.get("fingerprint") != game.fingerprint():
        raise BadFile(message("{path} was made for other rules than {game}", path=path, game=game.text))
    plies = header.get("plies")
    counts = (
        {int(ply): whole_number(n) for ply, n in plies.items() if ply.isdecimal()}
        if isinstance(plies, dict)
        else {}
    )
    lengths = [n for n in counts.values() if n is not None and 0 < n <= LARGEST // 16]
    size = 16 * sum(lengths)
    if not lengths or len(lengths) < len(counts) or set(arrays) != {PACKED}:
        raise BadFile(message("{path} does not say how many positions it has", path=path))
    try:
        whole = zlib.decompressobj().decompress(arrays[PACKED].tobytes(), size)
    except zlib.error as error:
        raise BadFile(message("{path} is damaged: {error}", path=path, error=error)) from None
    if len(whole) != size:
        raise BadFile(message("{path} has fewer positions than it says", path=path))
    sample, place = Sample(game, {}), 0
    for ply, length in zip(counts, lengths, strict=True):
        planes = np.frombuffer(whole, np.uint8, 16 * length, place).reshape(2, 8, length)
        keys, words = (np.ascontiguousarray(plane.T).view("<u8").ravel().tolist() for plane in planes)
        sample.plies[int(ply)] = dict(zip(keys, words, strict=True))
        place += 16 * length
    return sample


# Grades of networks against the exact truth: of all positions where the game can be solved, else of a
# fixed sample of positions that an exact search proves.


GRADED_BYTES = 1 << 31
"""Memory that the graph of a game may take, to be graded in all positions."""
ROUNDS = 16
"""How many times smaller a game must be whose values are found by going over it again and again."""
UNCOMPILED = 64
"""The same of a game whose rules are plain Python."""
SEARCHED = 8192
"""Positions that a search is graded in, at most: all of a smaller game."""
GRADED_OF_PLY = 10
"""Positions of each ply of a sample that comes with damier, in which networks are graded while they learn."""
SHARE = 10
"""Grading takes this part of the work of self-play, at most, where nobody said how often."""


@dataclass(frozen=True)
class ZeroGrade:
    """Grade of a network: alone, and with a search of so many simulations.

    Attributes:
        alone, searched: the shares of positions in which its choice is exactly best
        simulations: of the search
        exact: the exact grade of the network alone against the random player, where the game is solved
        exact_searched: the same with the search, where there are few positions
    """

    alone: Share
    searched: Share
    simulations: int
    exact: Grade | None = None
    exact_searched: Grade | None = None

    def as_json(self) -> JsonObject:
        """The grade as plain data."""
        return {
            "alone": {**asdict(self.alone)},
            "searched": {**asdict(self.searched)},
            "simulations": self.simulations,
            "grade": grade_facts(self.exact) if self.exact else None,
            "grade_searched": grade_facts(self.exact_searched) if self.exact_searched else None,
        }


class ZeroGrader:
    """Grader of the networks of a training; what it grades against is worked out once."""

    def __init__(self, lab: Lab, *, compiled: bool = True) -> None:
        self._lab, self._compiled = lab, compiled

    @cached_property
    def _grader(self) -> Grader | None:
        """The exact grader of all positions; None where the game is too large to be solved."""
        game = self._lab.game
        most = GRADED_BYTES // (1 if game.acyclic and not game.stochastic else ROUNDS)
        if not self._compiled:
            most //= UNCOMPILED
        job = replace(self._lab.job, memory=min(self._lab.job.memory, most))
        try:
            return Grader(self._lab.game, RandomPlayer(), job)
        except (Unsuitable, LimitReached):
            return None

    @property
    def is_solved(self) -> bool:
        """Return whether all positions of the game are graded."""
        return self._grader is not None

    @cached_property
    def truth(self) -> KnownMoves | None:
        """The positions that are graded; None where nothing can be proven, of which a note tells."""
        grader = self._grader
        if grader is None:
            sample = kept_sample(self._lab)
            if sample is None:
                return proven_moves(self._lab)
            known = sample.known(GRADED_OF_PLY)
            self._lab.job.note(
                _(
                    "{game} is too large to be solved: graded in {n} proven positions, {each} of each ply",
                    game=self._lab.game.text,
                    n=grouped(len(known)),
                    each=GRADED_OF_PLY,
                )
            )
            return known
        nodes = decision_nodes(grader.graph)
        moves, losses = np.asarray(grader.graph.moves, np.int64), grader.losses()
        values = grader.values_to_movers()[nodes.positions]
        return KnownMoves(nodes.codes, nodes.first, moves[nodes.edges], losses[nodes.edges], values, True)

    @cached_property
    def _few(self) -> KnownMoves | None:
        """The positions in which searches are graded."""
        return self.truth.sample(SEARCHED) if self.truth else None

    def grade(self, player: ZeroPlayer) -> ZeroGrade | None:
        """The grade of a player with a search, and of its network alone."""
        if self.truth is None or self._few is None or player.search is None:
            return None
        alone = replace(player, search=None)
        small = len(self.truth) == len(self._few)
        return ZeroGrade(
            self.truth.share(alone),
            self._few.share(player),
            player.search.simulations,
            self._grader.grade(alone) if self._grader else None,
            self._grader.grade(player) if self._grader and small else None,
        )

    def generations_between(self, games: int, plies: int, simulations: int) -> int:
        """Return after how many generations to grade, so that it takes a small part of the work: by the game
        alone, not by a clock.
        """
        if self.truth is None or self._few is None:
            return 1
        cost = 2 * len(self.truth) + (simulations + 2) * len(self._few)
        return max(1, -(-SHARE * cost // (games * plies * simulations)))
