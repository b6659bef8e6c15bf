"""Sizes at which something once broke: a table that fills up, a layer longer than a chunk, a game
longer than an int16.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import pytest
from lasting import later

from damier import ONGOING, Game, Job, position_of
from damier.core.errors import LimitReached
from damier.solve import count, depth_first as searching, reach, solve


class Link(NamedTuple):
    place: int
    branch: int
    mover: int


def chain(links: int) -> Game:
    """A chain of links, each with 61 ends hanging on it: an unwinding path stores them all at once."""

    def moves(s: Link) -> int:
        return (1 << 62) - 1

    def play(s: Link, move: int) -> Link:
        branch = position_of(move)
        return Link(s.place + 1, 0, 1 - s.mover) if branch == 0 else Link(s.place, branch, 1 - s.mover)

    def outcome(s: Link) -> int:
        return ONGOING if s.branch == 0 and s.place < links else -1

    return Game("chain", Link(0, 0, 0), moves, play, outcome, bits=(20, 7, 1))


class Step(NamedTuple):
    n: int
    mover: int


def corridor(length: int) -> Game:
    """One move at every turn: as many layers as it is long."""

    def moves(s: Step) -> int:
        return 1

    def play(s: Step, move: int) -> Step:
        return Step(s.n + 1, 1 - s.mover)

    def outcome(s: Step) -> int:
        return ONGOING if s.n < length else -1

    def ply(s: Step) -> int:
        return s.n

    return Game("corridor", Step(0, 0), moves, play, outcome, ply=ply, bits=(30, 1))


def test_many_ends_on_a_deep_path_do_not_fill_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "FULL", 0.95)  # a table that is nearly full already
    solution = solve(chain(990), job=Job(jit=True), method="depth-first")
    assert len(solution) == 990 * 62 + 1
    assert solution.distance(solution.start) == 1


LONG = 33_000
"""Of the corridor of all tests, whose engines are made once."""


def in_a_corridor(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines are prepared near its end too."""
    monkeypatch.setattr(import_module("damier.solve.reach"), "PLIES", 40_000)


@pytest.mark.parametrize(
    ("length", "method"),
    [
        later((126, "layers")),
        later((127, "layers")),
        later((128, "layers")),
        later((999, "depth-first")),
        later((33_000, "retrograde")),
        later((33_000, "layers")),
    ],
)
def test_the_longest_distances_of_every_type(
    length: int, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_a_corridor(monkeypatch)
    game = corridor(LONG)
    solution = solve(game, Step(LONG - length, 0), job=Job(jit=True), method=method)  # type: ignore[arg-type]
    assert solution.distance(solution.start) == length
    assert solution.value(solution.start) == ("loss" if length % 2 == 0 else "win")


@pytest.mark.parametrize("jit", [False, True])
def test_a_game_that_goes_on_for_ever_is_left(monkeypatch: pytest.MonkeyPatch, jit: bool) -> None:
    monkeypatch.setattr(reach, "FARTHEST", 2_000)
    game = corridor(LONG)
    with pytest.raises(LimitReached, match="for ever: after 2,000 plies and 2,001 positions"):
        solve(game, job=Job(jit=jit))
    game.states = LONG + 1
    assert len(solve(game, Step(LONG - 3_000, 0), job=Job(jit=jit))) == 3_001


@pytest.mark.parametrize(
    ("text", "chunk", "memory", "states"),
    [("tictactoe", 100, 4 << 20, 5478), later(("octapawn", 400, 16 << 20, 20286))],
)
def test_a_layer_longer_than_a_chunk_takes_no_more_room(
    text: str, chunk: int, memory: int, states: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from damier import load

    monkeypatch.setattr(reach, "CHUNK", chunk)
    assert count(load(text), job=Job(jit=True, memory=memory)).states == states
