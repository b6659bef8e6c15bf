"""Compiled rules that say otherwise than plain Python are found out before anything is done with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from textwrap import dedent

import pytest
from commands import Captured, beginning
from lasting import long, shortly

from damier import Job, load
from damier.arena.match import match
from damier.core import tiers
from damier.core.errors import BadGame
from damier.core.game import Game
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.tiers import require_agreement
from damier.solve import solve

call, _data = beginning()

POWERS = """
from typing import NamedTuple
from damier import ONGOING, Game

class State(NamedTuple):
    total: int
    ply: int
    mover: int

def powers() -> Game:
    '''Who wins is seen in the fifth power of the total, which does not fit a word.'''
    def moves(s: State) -> int:
        return 0b111

    def play(s: State, move: int) -> State:
        return State(4 * s.total + move, s.ply + 1, 1 - s.mover)

    def outcome(s: State) -> int:
        return ONGOING if s.ply < 8 else (s.total**5 >> 13) % 3 - 1

    return Game("powers", State(1, 0, 0), moves, play, outcome)
"""
READS_BEYOND = """
from typing import NamedTuple
from damier import Game, position_of

TABLE = (0, 1, 0, 1)

class State(NamedTuple):
    place: int
    ply: int
    mover: int

def beyond() -> Game:
    def moves(s: State) -> int:
        return 0b11 if s.place else 0b110

    def play(s: State, move: int) -> State:
        return State(s.place ^ position_of(move), s.ply + 1, 1 - s.mover)

    def over(s: State) -> bool:
        return s.ply == 6

    def payoff(s: State, player: int) -> int:
        return 1 << (62 + 2 * s.place) >> 62 if player == 0 else -(1 << (62 + 2 * s.place) >> 62)

    return Game("beyond", State(0, 0, 0), moves, play, over=over, payoff=payoff)
"""

DIFFERS = r"payoff answers -?\d, in plain Python -?\d, in State\(total=\d+, ply=8"


def written(folder: Path, code: str, name: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(dedent(code))
    return str(path)


def play_100(game: Game) -> None:
    match(MatchSetup(game, (RandomPlayer(), RandomPlayer()), 0), 100, Job(jit=True))


@long
@pytest.mark.parametrize("job", [require_agreement, play_100])
def test_a_number_that_passes_a_word_ends_the_job_with_the_rule_and_both_answers(
    job: Callable[[Game], object], tmp_path: Path
) -> None:
    game = load(written(tmp_path, POWERS, "powers"))
    with pytest.raises(BadGame, match=DIFFERS):
        job(game)
    assert match(MatchSetup(game, (RandomPlayer(), RandomPlayer()), 0), 100, Job(jit=False)).games == 100


@long
@pytest.mark.parametrize("job", [require_agreement, partial(solve, job=Job(jit=True))])
def test_the_rule_that_differs_is_named(job: Callable[[Game], object], tmp_path: Path) -> None:
    game = load(written(tmp_path, READS_BEYOND, "beyond"))
    with pytest.raises(BadGame, match="payoff answers"):
        job(game)


def test_a_match_by_the_command_line_says_so_in_one_line(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, POWERS, "powers")
    code, out, err = call(capsys, "match", path, "random", "random", "--games", "100", "--compiled")
    assert (code, out) == (2, "")
    assert len(err.strip().splitlines()) == 1
    assert re.search(DIFFERS, err)
    assert "--pure" in err
    game = load(path)
    assert match(MatchSetup(game, (RandomPlayer(), RandomPlayer()), 0), 100, Job(jit=False)).games == 100


WORD_TOO_SMALL = """
from typing import NamedTuple
from damier import ONGOING, Game

class State(NamedTuple):
    left: int
    mover: int

def narrow() -> Game:
    def moves(s: State) -> int:
        return MOVES

    def play(s: State, move: int) -> State:
        return State(PLAYED, 1 - s.mover)

    def outcome(s: State) -> int:
        return -1 if s.left == 0 else ONGOING

    return Game("narrow", State(4, 0), moves, play, outcome, bits=(100, 1), most_moves=80)
"""


@pytest.mark.parametrize(
    ("moves", "played", "said"),
    [
        ("1 << 66 + s.mover", "s.left - 1", "moves answers otherwise than in plain Python, in State(left=4,"),
        (
            "1",
            "0 if s.left > 9 else 1 << 66 + s.mover",
            "play(0).left answers otherwise than in plain Python",
        ),
    ],
)
def test_a_bit_beyond_a_word_is_told_without_numbers_of_nobody(
    moves: str, played: str, said: str, tmp_path: Path
) -> None:
    """Also where compiled code then stumbles: over a position without moves."""
    game = load(written(tmp_path, WORD_TOO_SMALL.replace("MOVES", moves).replace("PLAYED", played), "narrow"))
    with pytest.raises(BadGame, match=re.escape(said)) as error:
        require_agreement(game)
    assert "Is 1 << n written for bit(n)" in str(error.value)


@pytest.mark.parametrize("name", shortly(["hexapawn", "nim", "pacman"], "hexapawn"))
def test_it_is_compared_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(name)
    require_agreement(game)
    monkeypatch.setattr(tiers, "GAMES", 0)
    monkeypatch.setattr(tiers, "instantiate", None)
    require_agreement(game)
    assert game.agrees


def test_where_a_rule_raises_nothing_is_compared_and_the_job_tells() -> None:
    game = load("nim")

    def stumbles(s: object) -> int:
        raise ZeroDivisionError

    game.mover = stumbles
    require_agreement(game)
    with pytest.raises(ZeroDivisionError):
        solve(game, job=Job(jit=False))
