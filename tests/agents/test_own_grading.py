"""What an agent is worth where it can only be asked, and where it first goes wrong."""

from __future__ import annotations

import json
import random
import re
import threading
from pathlib import Path

import pytest
from commands import Captured, beginning
from own_agents import CENTRE, own, written

from damier import Job, load
from damier.core.game import Position
from damier.core.grade import Grade
from damier.core.player import Policy, RandomPlayer
from damier.core.words import speaking
from damier.lab.agents import Lab, agent
from damier.lab.grading import SampledGrade, as_policy, fixed_choices, graded, mistakes

TICTACTOE = load("tictactoe")
call, _data = beginning()
FIRST = "def play(position):\n    return position.moves[0]"
WORDS = {1: "win", 0: "draw", -1: "loss"}


def lab(game: str = "tictactoe") -> Lab:
    return Lab(load(game), Job(jit=False))


def naive_value(position: Position, seen: dict[object, int]) -> int:
    """Minimax, word for word: the value to the player to move."""
    if position.over:
        assert position.payoffs is not None
        return position.payoffs[position.mover]
    if position.state not in seen:
        seen[position.state] = max(-naive_value(position.play(move), seen) for move in position.moves)
    return seen[position.state]


def test_one_that_always_decides_alike_is_graded_exactly(tmp_path: Path) -> None:
    found = graded(lab(), own(written(tmp_path, CENTRE)), RandomPlayer(), None, 0)
    assert isinstance(found, Grade)
    sampled = graded(lab(), own(written(tmp_path, CENTRE)), RandomPlayer(), 4000, 0)
    assert isinstance(sampled, SampledGrade)
    for (wins, draws, losses), exact in zip(sampled.games.seats, found.seats, strict=True):
        games = wins + draws + losses
        for count, rate in ((wins, exact.win), (draws, exact.draw), (losses, exact.loss)):
            assert abs(count / games - rate) < 4 * 0.5 / games**0.5


@pytest.mark.parametrize(("known", "asked"), [(False, 10), (True, 4)])
def test_one_that_draws_and_decides_alike_is_asked_as_often_as_wanted(
    tmp_path: Path, known: bool, asked: int
) -> None:
    code = "asked = 0\ndef play(position, rng):\n    global asked\n    asked += 1\n    rng.random()\n"
    player = own(written(tmp_path, code + "    return position.moves[0]"))
    states = [TICTACTOE.start]
    assert not fixed_choices(TICTACTOE, player, states, known=known).varies
    assert vars(player.agent)["play"].func.__globals__["asked"] == asked


def test_what_chooses_among_moves_is_asked_as_often_at_every_grade(tmp_path: Path) -> None:
    """`random()` is asked at its extremes; a choice among two moves that are as good is not."""
    start = TICTACTOE.start
    states = [start, *(TICTACTOE.play(start, move) for move in TICTACTOE.legal(start))]
    code = "def play(position, rng):\n    return rng.choice(position.moves[:1 + (str(position) == {!r})])"
    for s in states:
        player = own(written(tmp_path, code.format(str(Position(TICTACTOE, s)))))
        assert fixed_choices(TICTACTOE, player, states, known=True).varies


def test_what_draws_random_numbers_is_graded_by_games_and_why_is_said(tmp_path: Path) -> None:
    code = "def play(position, rng):\n    return rng.choice(position.moves)"
    player = own(written(tmp_path, code))
    found = graded(lab(), player, RandomPlayer(), None, 0)
    assert isinstance(found, SampledGrade)
    assert found.games.games == 2000
    assert "draws random numbers" in found.why


def test_a_thread_that_draws_meanwhile_is_not_taken_for_the_agent(tmp_path: Path) -> None:
    stop = threading.Event()

    def draw() -> None:
        while not stop.is_set():
            random.random()

    thread = threading.Thread(target=draw)
    thread.start()
    try:
        policy, why = as_policy(lab("hexapawn"), own(written(tmp_path, FIRST), "hexapawn"))
    finally:
        stop.set()
        thread.join()
    assert (isinstance(policy, Policy), why) == (True, "")


def test_searches_are_graded() -> None:
    here = lab("hexapawn")
    found = graded(here, agent(here, "minimax:plies=2,ties=first"), agent(here, "perfect"), None, 0)
    assert isinstance(found, Grade)
    by_games = graded(here, agent(here, "mcts:simulations=5"), RandomPlayer(), 20, 0)
    assert isinstance(by_games, SampledGrade)


def test_every_mistake_is_one_and_what_is_said_of_it_is_so(tmp_path: Path) -> None:
    found = mistakes(lab(), own(written(tmp_path, CENTRE)), 10_000)
    values: dict[object, int] = {}
    for mistake in found:
        position = TICTACTOE.position().play(*mistake.moves)
        assert position.state == mistake.position.state
        assert position.mover == mistake.seat
        value = naive_value(position, values)
        after = -naive_value(position.play(mistake.played), values)
        assert (mistake.before, mistake.after) == (WORDS[value], WORDS[after])
        assert after < value
        keep = {move for move in position.moves if -naive_value(position.play(move), values) == value}
        assert set(mistake.right) == keep
        end = position.play(mistake.played, *mistake.punished)
        assert end.payoffs is not None
        assert WORDS[end.payoffs[mistake.seat]] == mistake.after
    assert len({(mistake.seat, mistake.position) for mistake in found}) == len(found)
    assert found == sorted(found, key=lambda mistake: len(mistake.moves))


def test_no_mistake_is_missed(tmp_path: Path) -> None:
    here, player = lab(), own(written(tmp_path, CENTRE))
    found = {(mistake.seat, mistake.position.state) for mistake in mistakes(here, player, 10_000)}
    policy, _why = as_policy(here, player)
    assert isinstance(policy, Policy)
    values: dict[object, int] = {}
    walked: set[tuple[int, Position]] = set()
    todo = [(seat, TICTACTOE.position()) for seat in (0, 1)]
    while todo:  # every game, until it errs
        seat, position = todo.pop()
        if (seat, position) in walked or position.over:
            continue
        walked.add((seat, position))
        if position.mover != seat:
            todo += [(seat, position.play(move)) for move in position.moves]
            continue
        shares = policy.probabilities(TICTACTOE, position.state)
        [move] = [move for move, share in shares.items() if share]
        child = position.play(TICTACTOE.name_move(position.state, move))
        if -naive_value(child, values) == naive_value(position, values):
            todo.append((seat, child))
        else:
            assert (seat, position.state) in found


def test_who_plays_perfectly_makes_none() -> None:
    here = lab("hexapawn:blocked=loss")
    assert mistakes(here, agent(here, "perfect"), 10) == []
    assert mistakes(here, RandomPlayer(), 1)[0].share < 1


def test_the_command_shows_them(tmp_path: Path, capsys: Captured) -> None:
    path, picture = written(tmp_path, CENTRE), tmp_path / "wrong.svg"
    line = ("grade", "tictactoe", str(path), "--mistakes", "2", "--pure")
    code, out, _err = call(capsys, *line, "-o", str(picture))
    assert code == 0
    assert "exact, nothing sampled" in out
    assert "Mistake 1, after 0 4 3:" in out
    assert "Ply 4, seat 2: it plays 1; a draw before, a loss after." in out
    assert "What punishes it: 6" in out
    assert picture.read_text().startswith("<svg")
    code, out, _err = call(capsys, *line, "--json")
    data = json.loads(out)
    assert data["exact"] is True
    assert [mistake["played"] for mistake in data["mistakes"]] == ["1", "1"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--out", "x.svg"), "--out needs --mistakes"),
        (("--mistakes", "-1"), "--mistakes"),
        (("--games", "0"), "--games"),
        (("--mistakes", "1", "-o", "x.doc"), ".doc"),
    ],
)
def test_what_is_refused(capsys: Captured, arguments: tuple[str, ...], said: str) -> None:
    code, _out, err = call(capsys, "grade", "tictactoe", "random", *arguments)
    assert code == 2
    assert said in err


def test_a_person_is_not_graded(capsys: Captured) -> None:
    code, _out, err = call(capsys, "grade", "tictactoe", "human")
    assert code == 2
    assert "cannot be asked in every position" in err


CASTS_LOTS = """
import random

def play(position):
    return random.choice(position.moves)
"""


@pytest.mark.parametrize(("language", "between"), [("en", ", "), ("fr", "\u00a0; ")])
def test_what_is_sampled_is_one_line_a_seat(
    tmp_path: Path, capsys: Captured, language: str, between: str
) -> None:
    path = written(tmp_path, CASTS_LOTS)
    line = ("grade", "tictactoe", str(path), "--games", "2000", "--pure")
    with speaking(language):
        code, out, err = call(capsys, *line)
    assert code == 0, err
    intervals = [re.findall(r"\[([^%\]]*)\]", found) for found in out.splitlines()]
    assert [len(found) for found in intervals if found] == [3, 3]
    assert all(between in interval for found in intervals for interval in found)
