"""What is kept of proofs is what an exact search would prove: of every image, under the same rules only."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from lasting import later

from damier import load
from damier.core.game import Game
from damier.core.job import Job
from damier.core.rules import TOP, loss_in, win_in
from damier.search import proof_store
from damier.search.exact import Exact, exact
from damier.search.proof import Proof
from damier.search.proof_store import Bounds, ProofStore, ProvenScore, join, kept_in, rules_digest
from damier.solve import solve
from tests.search.recorded import walk
from tests.search.test_exact import score_of

PLAIN = Job(jit=False)
SMALL = "connect_four:width=4,height=4"


@pytest.fixture(autouse=True)
def all_is_worth_keeping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_store, "COSTLY", 1)
    monkeypatch.setattr("damier.search.proof.COSTLY", 1)


def store(game: Game, folder: Path, *, units: bool = False) -> ProofStore:
    return ProofStore(game, folder / "proofs", units=units, pages=64)


def facts(found: Exact) -> tuple[object, ...]:
    return found.bounds, found.children


@pytest.mark.parametrize(
    "text", ["tictactoe", "dots_and_boxes:columns=2,rows=1", *map(later, (SMALL, "mnk:width=4,height=3"))]
)
def test_what_was_proven_is_not_searched_again(text: str, tmp_path: Path) -> None:
    game = load(text)
    units = text.startswith("dots")
    for s in [walk(game, 3, seed) for seed in range(4)]:
        first = exact(game, s, PLAIN, units=units, known=store(game, tmp_path, units=units))
        again = exact(load(text), s, PLAIN, units=units, known=store(load(text), tmp_path, units=units))
        assert facts(again) == facts(first) == facts(exact(game, s, PLAIN, units=units))
        assert first.complete
        assert again.nodes == 0
        assert again.recalled


@pytest.mark.parametrize("text", ["connect_four:width=4,height=3,in_a_row=3", "tictactoe"])
def test_whatever_is_known_the_answers_are_those_of_solving(text: str, tmp_path: Path) -> None:
    """A store of some of the positions, of others only bounds."""
    game, draws = load(text), random.Random(1)
    solution, known = solve(game, job=PLAIN), store(game, tmp_path)
    states = [s for s in solution.table.scores if not game.over(s)]  # type: ignore[attr-defined]
    for s in draws.sample(states, len(states) // 3):
        score, slack = score_of(solution, s), draws.choice((0, 0, 40, TOP))
        known.note(s, ProvenScore(max(-TOP, score - slack), min(TOP, score + draws.choice((0, slack)))))
    for s in draws.sample(states, 40):
        found = exact(game, s, PLAIN, known=known)
        assert (found.bounds.low, found.bounds.high) == (score_of(solution, s),) * 2
        for move, bounds in found.children.items():
            assert (bounds.low, bounds.high) == (score_of(solution, game.play(s, move)),) * 2


@pytest.mark.parametrize("text", ["tictactoe", SMALL, "hex:size=3"])
def test_images_of_a_position_are_one_entry_and_their_moves_are_turned(text: str, tmp_path: Path) -> None:
    game, known = load(text), store(load(text), tmp_path)
    for seed in range(20):
        s = walk(game, 2, seed)
        move = random.Random(seed).choice(game.legal(s))
        known.note(s, ProvenScore(win_in(9), win_in(9), move, 100 + seed))
        images = [(game.turn(s, g), game.turn_move(move, g)) for g in range(game.symmetries())]
        for image, turned in images:
            found = known.look(image)
            assert found is not None
            assert found[:2] == (win_in(9), win_in(9))
            after, wanted = game.play(image, found.move or 0), game.play(image, turned)
            names = [{game.key(game.turn(t, g)) for g in range(game.symmetries())} for t in (after, wanted)]
            assert names[0] == names[1], "another move, and no image of it"


def test_other_rules_and_options_know_nothing_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("tictactoe")
    store(game, tmp_path).note(game.start, ProvenScore(0, 0))
    assert store(load("tictactoe"), tmp_path).look(game.start)
    assert store(load("tictactoe:misere=true"), tmp_path).look(game.start) is None
    assert store(game, tmp_path, units=True).look(game.start) is None
    monkeypatch.setattr("damier.search.proof_store.ALGORITHM", 0)
    assert store(game, tmp_path).look(game.start) is None


RULES = """
from typing import NamedTuple
from damier import Game

class PileState(NamedTuple):
    left: int
    mover: int

MOST = 3

def moves(s):
    return (1 << min(s.left, MOST)) - 1

def play(s, move):
    return PileState(s.left - move.bit_length(), 1 - s.mover)

def outcome(s):
    return -1 if s.left == 0 else 1 << 40

def pile():
    return Game("pile", PileState(10, 0), moves, play, outcome, bits=(4, 1))
"""


def test_an_edited_rule_or_constant_is_another_game(tmp_path: Path) -> None:
    digests = []
    for number, source in enumerate((RULES, RULES, RULES.replace("MOST = 3", "MOST = 2"))):
        path = tmp_path / str(number) / "pile.py"
        path.parent.mkdir()
        path.write_text(source)
        digests.append(rules_digest(load(str(path))))
    assert digests[0] == digests[1] != digests[2]


def test_rules_that_have_no_digest_and_games_with_a_past_have_no_store(tmp_path: Path) -> None:
    path = tmp_path / "pile.py"
    path.write_text(RULES.replace("MOST = 3", "MOST = [3]").replace("MOST)", "MOST[0])"))
    assert kept_in(tmp_path / "proofs", load(str(path))) is None
    assert kept_in(tmp_path / "proofs", load("go:size=3")) is None
    assert kept_in(tmp_path / "proofs", load("tictactoe")) is not None


def test_a_proof_in_slices_begins_where_another_ended(tmp_path: Path) -> None:
    game = load(SMALL)
    s = walk(game, 4, 3)
    first, job = Proof(game, s, PLAIN, known=store(game, tmp_path)), PLAIN
    assert not first.begun
    for _slice in range(100):
        first.advance(0.2)
        if first.complete:
            break
    again = Proof(game, s, job, known=store(game, tmp_path))
    assert again.complete
    assert again.bounds == first.bounds == exact(game, s, PLAIN).children


def test_bounds_go_up_and_down_a_ply() -> None:
    game = load("tictactoe")
    children = {move: Bounds(loss_in(5), 0) for move in game.legal(game.start)}
    first = next(iter(children))
    children[first] = Bounds(0, win_in(7))
    own = Bounds(-TOP, 0)
    join(game, game.start, own, children)
    assert (own.low, own.high) == (0, 0)
    assert (children[first].low, children[first].high) == (0, 0)
