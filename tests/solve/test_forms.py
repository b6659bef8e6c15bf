"""What is solved, counted, graded and kept of a game is the same in whatever form its fields and its
moves are: keys of one word or of several, bits or a list; plain and compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pytest
from kinds import FORMS, as_wide_fields
from lasting import later, long

from damier import load
from damier.arena.match import match
from damier.arena.records import GameRecord
from damier.core import codes
from damier.core.bits import reseed
from damier.core.errors import BadFile, BadInput, LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import read_header, write_arrays
from damier.core.loop import MatchSetup
from damier.core.moves import random_move
from damier.core.open_addressing import array_of, listed
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.core.solution import AnySolution, Solution, ValueSolution
from damier.lab.solving import solved
from damier.solve import solve, store
from damier.solve.count import count, count_games
from damier.solve.grade import grade
from damier.solve.perfect import PerfectPlayer
from damier.solve.retrograde import solved as retrograde

PURE, JIT = Job(jit=False), Job(jit=True)
MARGINS = "dots_and_boxes:rows=1,columns=2"


def scores(found: AnySolution) -> dict[State, float]:
    """Every score of a solution, by its state."""
    table = found.key_table()
    return dict(zip(map(found.game.unkey, listed(table.keys)), table.scores.tolist(), strict=True))


def wide(text: str) -> Game:
    """A game with keys of two words, whose first field has more bits than a word."""
    game = as_wide_fields(load(text))
    assert game.key_words == 2
    return game


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("text", [later("tictactoe"), "hexapawn", MARGINS])
def test_the_same_is_solved_and_counted(text: str, form: str) -> None:
    plain = load(text)
    game = FORMS[form](plain)
    known = solve(plain, job=PURE)
    assert scores(solve(game, job=PURE)) == scores(known)
    assert scores(solve(game, job=PURE, method="retrograde")).keys() == scores(known).keys()
    for symmetric in (False, True):
        assert count(game, job=PURE, symmetric=symmetric) == count(plain, job=PURE, symmetric=symmetric)
    assert count_games(game, symmetric=True) == count_games(plain, symmetric=True)


def of_one_place(words: int) -> dict[Callable[..., Any], Callable[..., Any]]:
    """`codes.of_words`, with the same word for all codes."""

    def always(code: object) -> int:
        return 5

    return OF_WORDS(words) | {codes.word_of_code: always}


OF_WORDS = codes.of_words


@pytest.mark.parametrize("text", ["nim:matches=13", later("hexapawn")])
def test_the_same_is_solved_compiled(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though all positions are sent to one place, and must be told apart there."""
    monkeypatch.setattr(codes, "of_words", of_one_place)
    plain, game = load(text), wide(text)
    known, found = solve(plain, job=PURE), solve(game, job=JIT)
    assert found.method == "depth-first"
    assert scores(found) == scores(known)
    with pytest.raises(Unsuitable, match=r"keys of one word, and a position of tictactoe.* takes 2"):
        solve(wide("tictactoe"), job=JIT, method="layers")


@long
def test_the_same_is_solved_backwards_counted_and_graded_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(codes, "of_words", of_one_place)
    plain, game = load("hexapawn"), wide("hexapawn")
    known = solve(plain, job=PURE)
    table, cyclic = retrograde(game, game.start, JIT)
    assert not cyclic
    backwards = Solution(game, game.start, table, "retrograde", cyclic)
    assert isinstance(known, Solution)
    for s in scores(known):
        assert (backwards.value(s), backwards.distance(s)) == (known.value(s), known.distance(s))
    assert count(game, job=JIT, symmetric=True) == count(plain, job=PURE, symmetric=True)
    assert count(game, job=JIT) == count(plain, job=PURE)
    random = RandomPlayer()
    assert astuple(grade(game, random, random, JIT)) == astuple(grade(plain, random, random, PURE))


@long
def test_the_same_graph_gives_the_same_payoffs_compiled() -> None:
    found = solve(wide(MARGINS), job=JIT, method="retrograde")
    assert scores(found) == scores(solve(load(MARGINS), job=PURE))


@pytest.mark.parametrize(
    ("text", "jit"),
    [("tictactoe", False), later(("tictactoe", True)), (MARGINS, False), later((MARGINS, True))],
)
def test_perfect_players_play_the_same_games(text: str, jit: bool) -> None:
    records: list[list[GameRecord]] = []
    for game, compiled in ((load(text), False), (wide(text), jit)):
        found, kept = solve(game, job=PURE), list[GameRecord]()
        player = PerfectPlayer(found)
        match(
            MatchSetup(game, (player, RandomPlayer()), seed=3, record=True),
            40,
            Job(jit=compiled),
            keep=kept.extend,
        )
        records.append(kept)
    assert records[0] == records[1]


@pytest.mark.parametrize(
    ("text", "jit"),
    [
        ("hexapawn", False),
        *(later(("tictactoe", jit)) for jit in (False, True)),
        (MARGINS, False),
        later((MARGINS, True)),
    ],
)
def test_a_file_holds_keys_of_several_words(text: str, jit: bool, tmp_path: Path) -> None:
    game, path = wide(text), tmp_path / "solution"
    found = solve(game, job=Job(jit=jit))
    keep(found, path)
    assert read_header(path)["key_words"] == 2
    read = store.load(path, game) if isinstance(found, Solution) else store.load_payoffs(path, game)
    states = scores(found)
    assert scores(read).keys() == states.keys()
    assert all((read.value(s), read.distance(s)) == (found.value(s), found.distance(s)) for s in states)
    keep(solve(game, job=PURE), tmp_path / "plain")
    assert path.read_bytes() == (tmp_path / "plain").read_bytes()


def keep(found: AnySolution, path: Path) -> None:
    if isinstance(found, ValueSolution):
        store.save_payoffs(found, path)
    else:
        store.save(found, path)


@pytest.mark.parametrize("wrong", ["words", "missing", "order", "length"])
def test_a_file_with_other_keys_is_refused(wrong: str, tmp_path: Path) -> None:
    """`words` is what an older damier says of such a file: a field that it does not know."""
    game, path = wide("hexapawn"), tmp_path / "solution"
    found = solve(game, job=PURE)
    assert isinstance(found, Solution)
    store.save(found, path)
    table = store.by_ply(found.key_table())
    header = {name: value for name, value in read_header(path).items() if name in store.KEYS[2:-2]}
    keys = table.keys.copy()
    if wrong == "order":
        keys[[100, 101]] = keys[[101, 100]]
        keys[[102, 103, 104]] = keys[[104, 103, 102]]
    flat = keys.reshape(-1)[: -1 if wrong == "length" else None]
    if wrong != "missing":
        header["key_words"] = 3 if wrong == "words" else 2
    offsets = array_of(table.offsets, 1)
    scores = store.in_small_type(table).scores
    write_arrays(path, store.FORMAT, header, {"offsets": offsets, "keys": flat, "scores": scores})
    with pytest.raises(BadFile):
        store.load(path, game)


def test_many_positions_are_asked_for_at_once() -> None:
    game = wide("hexapawn")
    found = solve(game, job=PURE)
    assert isinstance(found, Solution)
    states = list(scores(found))
    values, distances = found.probe(array_of(map(game.key, states), 2))
    assert values.tolist() == [(found.score(s) > 0) - (found.score(s) < 0) for s in states]
    assert len(distances) == len(states)
    with pytest.raises(BadInput, match=r"\(0, 3\) is not the key"):
        found.probe(array_of([game.key(game.start), (0, 3)], 2))


def naive(game: Game, s: State) -> int:
    """Who wins with best play, for player 0: word for word."""
    if game.over(s):
        return (game.payoff(s, 0) > 0) - (game.payoff(s, 0) < 0)
    values = [naive(game, game.play(s, move)) for move in game.legal(s)]
    return max(values) if game.mover(s) == 0 else min(values)


@pytest.mark.parametrize("seed", range(4))
def test_a_late_position_of_a_game_too_large_is_enumerated(seed: int) -> None:
    """Othello on 6 x 6 has 73 bits; a search is tried first, and finds the same."""
    game, rng = load("othello:size=6"), [0]
    assert game.key_words == 2
    reseed(rng, 7, seed)
    line = random_line(game, rng)
    s = line[-6]
    found = solved(game, s, PURE, method="enumerate")
    assert (found.searched, found.solution.game) == (False, game)
    assert found.solution.value(s) == solved(game, s, PURE).solution.value(s)
    assert (found.solution.score(s) > 0) - (found.solution.score(s) < 0) == naive(game, s)
    with pytest.raises(LimitReached, match=r"up to 6.0 · 10¹⁶ positions"):
        solved(game, game.start, PURE, method="enumerate")


def random_line(game: Game, rng: list[int]) -> list[State]:
    line = [game.start]
    while not game.over(line[-1]):
        line.append(game.play(line[-1], random_move(rng, game.moves(line[-1]))))
    return line
