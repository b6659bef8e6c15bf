"""A book: the scores of all early positions, made from the last ply of them, read again byte for byte."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from books import (
    bounds_from_above,
    bounds_of,
    early_positions,
    prove_all,
    prove_moves,
    scores_upwards,
    write_book,
)
from lasting import later, long

from damier import load
from damier.core.errors import BadFile, LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_data import Arrays, write_arrays
from damier.core.rules import State, win_in
from damier.core.solution import AnySolution
from damier.search.exact import Prover, exact
from damier.search.proof_store import BOOK_FORMAT, Book, Bounds, ProofStore, book_key, read_book
from damier.solve import solve
from tests.search.recorded import walk
from tests.search.test_exact import score_of

PLAIN, TINY = Job(jit=False), Job(memory=1 << 16, jit=False)
SMALL = "connect_four:width=5,height=3,in_a_row=3"
PLIES = 4


@cache
def solved(text: str) -> AnySolution:
    return solve(load(text), job=PLAIN)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The book of SMALL."""
    return made(load(SMALL), tmp_path_factory.mktemp("small")).read_bytes()


@pytest.fixture
def small(whole: bytes, tmp_path: Path) -> Path:
    """A copy of it."""
    (tmp_path / "small").write_bytes(whole)
    return tmp_path / "small"


def made(game: Game, folder: Path, plies: int = PLIES) -> Path:
    known = ProofStore(game, folder / "proofs", pages=64)
    layers = early_positions(game, plies)
    assert list(prove_all(game, layers[-1], known, TINY)) == layers[-1]
    write_book(folder / "book", game, scores_upwards(game, layers, known))
    return folder / "book"


@pytest.mark.parametrize("text", [later(SMALL), "tictactoe"])
def test_a_book_holds_what_solving_finds_of_every_early_position(text: str, tmp_path: Path) -> None:
    game = load(text)
    book, solution = read_book(made(game, tmp_path), game), solved(text)
    early = [s for s in solution.table.scores if not game.over(s) and game.ply(s) <= PLIES]  # type: ignore[attr-defined]
    for s in early:
        found = book.look(s)
        assert found is not None
        assert (found.low, found.high) == (score_of(solution, s),) * 2
    assert len(book) == len({book_key(game, s) for s in early})
    assert book.look(walk(game, PLIES + 1, 0)) is None


def test_a_search_of_what_a_book_knows_looks_at_nothing(small: Path) -> None:
    game = load(SMALL)
    book = read_book(small, game)
    for seed in range(5):
        s = walk(game, PLIES - 1, seed)
        found, searched = exact(game, s, PLAIN, known=book), exact(game, s, PLAIN)
        assert (found.bounds, found.children) == (searched.bounds, searched.children)
        assert found.nodes == 0


def test_the_same_scores_are_the_same_bytes_however_they_were_proven(whole: bytes, tmp_path: Path) -> None:
    game = load(SMALL)
    known = ProofStore(game, tmp_path / "proofs", pages=64)
    keys = early_positions(game, PLIES)[-1]
    for _key in zip(prove_all(game, keys[::-1], known, TINY), range(len(keys) // 2), strict=False):
        pass  # ended in the middle
    assert made(game, tmp_path).read_bytes() == whole


def test_a_book_of_fewer_plies_bounds_the_next_ply(tmp_path: Path) -> None:
    game, solution = load(SMALL), solved(SMALL)
    known = ProofStore(game, tmp_path / "proofs", pages=64)
    layers = early_positions(game, 3)
    assert all(bounds == Bounds() for bounds in bounds_from_above(game, layers, known).values())
    made(game, tmp_path, 2)
    found = bounds_from_above(game, layers, known)
    assert set(found) == set(layers[-1])
    for key, bounds in found.items():
        assert bounds != Bounds()
        assert bounds.low <= score_of(solution, game.unkey(key)) <= bounds.high


def test_positions_that_games_reach_are_proven_with_their_moves_and_what_was_dear_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("books", "damier.search.proof_store"):
        monkeypatch.setattr(f"{module}.DEAR", 1 << 5)
    game = load("connect_four")
    keys = [book_key(game, walk(game, plies, 3)) for plies in (24, 25, 27)]
    found: dict[int, Bounds] = {}
    assert list(prove_moves(game, keys, found, Job(memory=1 << 20, jit=False))) == keys
    moves = {book_key(game, s) for key in keys for s in children(game, game.unkey(key))}
    assert all(found[key].exact for key in {*keys, *moves})
    assert len(found) > len({*keys, *moves})
    for key, bounds in found.items():
        score = exact(game, game.unkey(key), PLAIN, moves=False).bounds.low
        assert bounds.low <= score <= bounds.high
    write_book(tmp_path / "book", game, found)
    book = read_book(tmp_path / "book", game)
    assert bounds_of(book) == dict(sorted(found.items()))


def test_a_search_begins_with_all_that_a_book_knows(tmp_path: Path) -> None:
    """Of a game whose engine other tests compile too."""
    game, found = load("connect_four"), dict[int, Bounds]()
    s = walk(game, 20, 1)
    keys = [book_key(game, child) for child in children(game, s)]
    assert list(prove_moves(game, keys, found, Job(memory=1 << 20))) == keys
    write_book(tmp_path / "book", game, found)
    begins_with_it(game, read_book(tmp_path / "book", game), s, exact(game, s, PLAIN, moves=False).bounds.low)


@long
def test_a_search_begins_with_all_that_a_book_of_early_positions_knows(small: Path) -> None:
    game = load(SMALL)
    s = walk(game, 1, 0)
    begins_with_it(game, read_book(small, game), s, score_of(solved(SMALL), s))


def begins_with_it(game: Game, book: Book, s: State, score: int) -> None:
    """A search of a position of which a book knows enough takes less than half of the nodes."""
    nodes = []
    for known in (None, book):
        prover, bounds = Prover.beginning(game, True, Job(memory=1 << 20), known), Bounds()
        prover.run.begin(1 << 20)
        prover.narrow(s, bounds)
        assert bounds.low == bounds.high == score
        nodes.append(prover.run.nodes)
    assert nodes[1] < nodes[0] / 2


def children(game: Game, s: State) -> list[State]:
    return [child for child in (game.play(s, move) for move in game.legal(s)) if not game.over(child)]


def test_a_position_that_is_not_proven_makes_no_book(tmp_path: Path) -> None:
    game = load(SMALL)
    with pytest.raises(KeyError):
        scores_upwards(game, early_positions(game, 2), ProofStore(game, tmp_path / "proofs"))


def test_a_damaged_book_and_one_of_other_rules_are_refused(small: Path) -> None:
    game, path = load(SMALL), small
    whole, draws = path.read_bytes(), random.Random(1)
    with pytest.raises(BadFile, match="other rules"):
        read_book(path, load("connect_four:width=4,height=4,in_a_row=3"))
    for _round in range(60):
        damaged = bytearray(whole)
        damaged[draws.randrange(len(whole))] ^= 1 << draws.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(BadFile):
            read_book(path, game)


@pytest.mark.parametrize("arrays", [{}, {"other": np.zeros(8, np.int8)}, {"packed": np.zeros(8, np.int8)}])
def test_a_book_without_its_positions_is_refused(arrays: Arrays, tmp_path: Path) -> None:
    game, path = load("connect_four"), tmp_path / "book"
    header = {"game": game.name, "fingerprint": game.fingerprint(), "plies": 2, "positions": 5}
    write_arrays(path, BOOK_FORMAT, header, arrays)
    with pytest.raises(BadFile, match=r"^[^\n]*$"):
        read_book(path, game)


def test_a_book_says_no_more_than_a_byte(tmp_path: Path) -> None:
    with pytest.raises(LimitReached, match="200 plies"):
        write_book(tmp_path / "book", load("tictactoe"), {0: Bounds(win_in(200), win_in(200))})
    with pytest.raises(LimitReached, match="too many bits"):
        early_positions(load("hex"), 1)
