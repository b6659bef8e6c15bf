"""Endgame tables of draughts: how long they take to build, and how fast they are asked."""

from __future__ import annotations

import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.measure import Bar, Bench, Row, Sample, agree, cpu, race, rate
from damier import load
from damier.core.arrays import Ints
from damier.core.compile import instantiate
from damier.core.endgames import NOTHING, UNKNOWN, Probe, bindings, probe, state_at
from damier.core.job import Job
from damier.core.moves import each
from damier.core.player import Arrays
from damier.core.rules import ONGOING, TOP, Field, State, as_state, later, moves, outcome, play, sooner
from damier.plugins.large.endgame_tables import EndgameTables, build, open_tables

PIECES = 4
POSITIONS = 6_408_836  # with 2 to 4 pieces
ASKED = 2_000_000
GAME = load("draughts")


def built(jobs: int) -> EndgameTables:
    """The tables of four pieces, in a folder that is gone again."""
    with tempfile.TemporaryDirectory() as folder:
        build(GAME, PIECES, Path(folder), Job(jit=True, jobs=jobs))
        return open_tables(Path(folder), GAME)


@cache
def tables() -> EndgameTables:
    return built(1)


def time_of_building(name: str) -> Row:
    """CPU seconds for value and distance of all positions of English draughts with up to four pieces,
    6 408 836, written to disk, by one thread, against two.
    """
    agree(name, sum(one.counts.positions for one in tables().slices), POSITIONS)
    return race(name, "s", "two threads", cpu(lambda: built(1)), cpu(lambda: built(2)), pairs=3, less=True)


def positions_at(slices: Ints, places: Ints, found: Ints) -> int:
    """Writes the fields of the position at each of some places, a row of `found` each; returns how many
    places hold one.
    """
    there = 0
    for number in range(len(places)):
        s = state_at(slices[number], places[number])
        if s[0]:
            for field in range(len(s)):
                found[there, field] = s[field]
            there += 1
    return there


def ask_all(positions: Ints, held: tuple[Ints, Ints]) -> int:
    """Asks for the positions whose fields are the rows; returns the sum of the scores."""
    total = 0
    for row in positions:
        score = probe(as_state((row[0], row[1], row[2], row[3], row[4])), held)
        if score != UNKNOWN:
            total += score
    return total


def probes(name: str) -> Row:
    """Millions of compiled probes by CPU second in the tables of four pieces, of positions that are there as
    a search has them: all over the tables, against in the order of their places, as the positions of a search
    lie near each other.
    """
    found = tables()
    rng = np.random.default_rng(1)
    sizes = np.array([one.slice.places for one in found.slices], float)
    chosen = rng.choice(len(sizes), ASKED, p=sizes / sizes.sum())
    slices = np.array([one.slice.number for one in found.slices], np.int64)[chosen]
    places = (rng.random(ASKED) * sizes[chosen]).astype(np.int64)
    order = np.lexsort((places, slices))
    asked = found.probe()
    bind = bindings(GAME, jit=True) | asked.bindings
    place, ask = (instantiate(engine, GAME, jit=True, bind=bind) for engine in (positions_at, ask_all))

    def asking(slices: Ints, places: Ints) -> Sample:
        held = np.zeros((ASKED, len(GAME.fields(GAME.start))), np.int64)
        positions = held[: place(slices, places, held)]
        return rate(lambda: (ask(positions, asked.arrays), len(positions))[1], per=1e6)

    return race(
        name, "M/s", "in order", asking(slices, places), asking(slices[order], places[order]), pairs=3
    )


SEARCHED, PLIES, WHITE, PIECES_THERE = 300, 9, 3, 5


def best_within(s: State, plies: int, alpha: int, beta: int, held: Arrays, count: Ints) -> int:
    """Alpha-beta over scores, to so many plies; a position that is not decided there counts as a draw."""
    count[0] += 1
    known = probe(s, held)
    if known != UNKNOWN:
        return known
    end = outcome(s)
    if end != ONGOING:
        return end * TOP
    if plies == 0:
        return 0
    best = -TOP
    for move in each(moves(s)):
        t = play(s, move)
        score = later(-best_within(t, plies - 1, -sooner(beta), -sooner(max(alpha, best)), held, count))
        best = max(best, score)
        if best >= beta:
            return best
    return best


def root(start: tuple[Field, ...], plies: int, held: Arrays, count: Ints) -> int:
    """The score of a position as far as that depth tells."""
    return best_within(as_state(start), plies, -TOP, TOP, held, count)


def with_five_pieces(number: int) -> list[State]:
    """Positions with three pieces against two, drawn at random; the player to move, too."""
    rng, found = Random(6), []
    assert GAME.read_position
    while len(found) < number:
        squares = rng.sample(range(1, 33), PIECES_THERE)
        kings = [rng.random() < 0.3 or square in (1, 2, 3, 4, 29, 30, 31, 32) for square in squares]
        written = ["K" * king + str(square) for king, square in zip(kings, squares, strict=True)]
        s = GAME.read_position(
            f"{rng.choice('BW')}:W{','.join(written[:WHITE])}:B{','.join(written[WHITE:])}"
        )
        if not GAME.over(s):
            found.append(s)
    return found


def winners_found(name: str) -> Row:
    """Of 300 positions with three pieces against two, drawn at random: those of which alpha-beta to 9 plies
    finds who wins, with the tables of four pieces, against without.
    """
    states = with_five_pieces(SEARCHED)

    def found(probes: Probe) -> Sample:
        engine = instantiate(root, GAME, jit=True, bind=probes.bindings)
        count = np.zeros(1, np.int64)

        def sample() -> float:
            count[0] = 0
            begun = time.process_time()
            scores = [engine(GAME.fields(s), PLIES, probes.arrays, count) for s in states]
            seconds = time.process_time() - begun
            print(f"{name}: {int(count[0]):,} nodes, {seconds:.2f} CPU s", file=sys.stderr)
            return float(sum(score != 0 for score in scores))

        return sample

    with_tables, without = found(tables().probe()), found(NOTHING)
    return race(name, "winners", "without", with_tables, without, pairs=1)


BENCHES = (
    Bench("tables-search", winners_found),
    Bench("tables-draughts-4", time_of_building, Bar(15, of="ours", most=True)),
    Bench("tables-probes", probes, Bar(10, of="ours")),
)
