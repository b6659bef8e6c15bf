"""Every algorithm against dictionaries and textbooks: the same games, the same tables; plain and
compiled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from lasting import later
from oracles import Mnk, Nim, Pawns, Rules

from damier import load
from damier.core.game import Game
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.learn.player import LearningPlayer
from tests.learn import naive_learners as naive
from tests.learn.scripted import learner

GAMES: dict[str, Rules] = {"tictactoe": Mnk(), "hexapawn": Pawns(), "nim:matches=9": Nim((9,))}
FORMS: dict[str, tuple[dict[str, Any], Callable[..., None]]] = {
    "document": ({}, naive.document_q),
    "one-step": ({"fresh": False}, naive.one_step_q),
    "sarsa": ({"fresh": False, "backup": "taken"}, naive.sarsa),
    "q-lambda": ({"fresh": False, "trace": 0.7}, partial(naive.traced_q, trace=0.7, cut=True)),
    "sarsa-lambda": (
        {"fresh": False, "trace": 0.7, "backup": "taken"},
        partial(naive.traced_q, trace=0.7, cut=False),
    ),
}
PLAIN_FIRST = pytest.mark.parametrize("jit", [False, later(True)], ids=["plain", "compiled"])


def seen(rules: Rules, alike: bool) -> Callable[[Any], Any]:
    """What the mover sees of a naive state: rows and who moves; alike, as if it were the first
    player.
    """

    def see(s: Any) -> Any:
        rows, mover = tuple(rules.rows(s)), rules.mover(s)
        if not alike or mover == 0:
            return rows, mover
        turned = (
            tuple(row[::-1].translate(str.maketrans("WB", "BW")) for row in reversed(rows))
            if isinstance(rules, Pawns)
            else rows
        )
        return turned, 0

    return see


def seen_in(game: Game, s: State) -> Any:
    """The same of a state of a table."""
    return tuple(game.show(s).splitlines()), game.mover(s)


def gained(rules: Rules, per_pawn: float) -> Callable[[Any, Any], float]:
    def gain(s: Any, child: Any) -> float:
        before, after = ("".join(rules.rows(state)) for state in (s, child))
        return (
            per_pawn * (len(before.replace(".", "")) - len(after.replace(".", "")))
            if isinstance(rules, Pawns)
            else 0.0
        )

    return gain


def games_of(
    player: LearningPlayer, opponent: Any, n: int, seed: int, jit: bool, swap: int = 0
) -> list[list[str]]:
    """Games that a learner played, by the names of their moves."""
    game = player.game
    played = MatchSetup(game, (player, opponent), seed, swap=swap, limit=32, record=True).play(0, n, jit=jit)
    found = []
    for line in played.lines:
        s, names = game.start, []
        for move in line:
            if move:
                names.append(game.name_move(s, move))
                s = game.play(s, move)
        found.append(names)
    return found


def same(player: LearningPlayer, expected: dict[Any, dict[str, float]]) -> None:
    """The table of a learner holds these values; both list the moves in the game's own order."""
    game, found = player.game, {}
    for row in player.memory.rows():
        found[seen_in(game, row.state)] = list(row.values)
    assert set(found) == set(expected)
    for where, values in expected.items():
        assert found[where] == pytest.approx(list(values.values()), rel=1e-9, abs=1e-12), where


CONSTANTS = {"alpha": 0.3, "gamma": 0.9, "win": 5.0, "draw": 1.0, "loss": -4.0, "epsilon": 0.4, "event": 2.0}
ENDS = {1: 5.0, 0: 1.0, -1: -4.0}
TRACES = (None, 0.0, 0.8, 1.0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("text", "jit"), [*((text, False) for text in GAMES), ("hexapawn", True)])
def test_q_against_random(text: str, form: str, jit: bool) -> None:
    changed, learn = FORMS[form]
    rules = GAMES[text]
    for seed, swap in ((1, 0), (2, 2)):
        player = learner(load(text), "q", **(CONSTANTS | changed))
        expected: naive.Q = defaultdict(dict)
        for names in games_of(player, RandomPlayer(), 60, seed, jit, swap):
            both = naive.episodes(rules, names, seen(rules, False), gained(rules, 2.0), ENDS)
            learn(expected, both[swap >> 1], 0.3, 0.9)
        same(player, expected)


@PLAIN_FIRST
@pytest.mark.parametrize("form", ["document", "sarsa-lambda"])
def test_q_against_itself_with_one_table_in_which_seats_look_alike(form: str, jit: bool) -> None:
    """First the first player learns from a game, then the second, from what the first has left."""
    changed, learn = FORMS[form]
    for text in ("hexapawn",) if jit else ("hexapawn", "nim:matches=9"):
        rules = GAMES[text]
        player = learner(load(text), "q", alike=True, **(CONSTANTS | changed))
        expected: naive.Q = defaultdict(dict)
        for names in games_of(player, player.beside(learns=True), 60, 3, jit):
            both = naive.episodes(rules, names, seen(rules, True), gained(rules, 2.0), ENDS)
            for episode in both:
                learn(expected, episode, 0.3, 0.9)
        same(player, expected)


@PLAIN_FIRST
@pytest.mark.parametrize("ties", ["first", "last"])
def test_what_is_chosen_without_exploration(ties: str, jit: bool) -> None:
    """Epsilon 0: every move of the learner is the one that the naive table calls best."""
    rules = GAMES["tictactoe"]
    player = learner(load("tictactoe"), "q", **(CONSTANTS | {"epsilon": 0.0, "ties": ties}))
    expected: naive.Q = defaultdict(dict)
    decided = 0
    for names in games_of(player, RandomPlayer(), 80, 4, jit):
        both = naive.episodes(rules, names, seen(rules, False), gained(rules, 0.0), ENDS)
        naive.opened(expected, both[0])
        for step in both[0].steps:
            row = expected[step.seen]
            best = [move for move, value in row.items() if value == max(row.values())]
            assert step.taken == best[0 if ties == "first" else -1]
            decided += len(set(row.values())) > 1
        naive.document_q(expected, both[0], 0.3, 0.9)
    assert decided > 20


@pytest.mark.parametrize(
    ("trace", "jit"),
    [*((trace, False) for trace in TRACES), (None, True), *(later((trace, True)) for trace in TRACES[1:])],
)
def test_v(trace: float | None, jit: bool) -> None:
    """Two tables against each other, as in document S3; `trace` None is its own form."""
    rules = GAMES["tictactoe"]
    form = {"fresh": True} if trace is None else {"fresh": False, "trace": trace}
    constants = {
        "alpha": 0.3,
        "gamma": 1.0 if trace is None else 0.9,
        "epsilon": 0.5,
        "win": 5.0,
        "draw": 1.0,
        "loss": -4.0,
    }
    players = [learner(load("tictactoe"), "v", **(constants | form)) for _seat in range(2)]
    expected: list[naive.V] = [defaultdict(float), defaultdict(float)]
    for names in games_of(players[0], players[1], 80, 5, jit):
        for table, episode in zip(
            expected, naive.episodes(rules, names, seen(rules, False), gained(rules, 0.0), ENDS), strict=True
        ):
            if trace is None:
                naive.document_v(table, episode, 0.3)
            else:
                naive.td_lambda(table, episode, 0.3, 0.9, trace)
    for player, table in zip(players, expected, strict=True):
        found = {seen_in(player.game, row.state): row.values[0] for row in player.memory.rows()}
        assert found == pytest.approx(dict(table), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "jit"), [*((text, False) for text in GAMES), ("nim:matches=9", True), later(("tictactoe", True))]
)
def test_mean(text: str, jit: bool) -> None:
    rules = GAMES[text]
    player = learner(load(text), "mean", "morpion", event=0.5)
    scores: defaultdict[Any, list[float]] = defaultdict(list)
    games = games_of(player, RandomPlayer(), 100, 6, jit)
    for names in games:
        naive.mean_scores(
            scores,
            naive.episodes(rules, names, seen(rules, False), gained(rules, 0.5), {1: 1.0, 0: 0.0, -1: -1.0})[
                0
            ],
        )
    known = 0
    for row in player.memory.rows():
        where = seen_in(player.game, row.state)
        for move, value, count in zip(row.moves, row.values, row.counts, strict=True):
            found = scores[where, player.game.name_move(row.state, move)]
            assert count == 1 + len(found)
            assert value == pytest.approx(sum(found) / count, abs=1e-12)
            known += len(found)
    assert known == player.memory.decisions == sum(len(found) for found in scores.values())


MACHINES = {
    "hexapion": ({}, naive.Menace((4, 3, 2, 1), 3, 1, -1, last_only=True, cascade=True)),
    "michie": ({}, naive.Menace((4, 3, 2, 1), 3, 1, -1)),
    "scroggs": ({}, naive.Menace((8, 4, 2, 1), 3, 1, -1)),
    "michie, poor": ({"beads": "1", "win": 1, "draw": 0}, naive.Menace((1,), 1, 0, -1)),
    "hexapion, poor": (
        {"beads": "1", "win": 0, "draw": 0},
        naive.Menace((1,), 0, 0, -1, last_only=True, cascade=True),
    ),
}

OFTEN = {
    ("hexapion", 0, False),
    ("hexapion", 0, True),
    ("michie", 0, False),
    ("scroggs", 1, False),
    ("michie, poor", 1, False),
    ("hexapion, poor", 1, False),
}
"""Each machine once, and a machine compiled."""


@pytest.mark.parametrize(
    ("machine", "seat", "jit"),
    [
        (machine, seat, jit) if (machine, seat, jit) in OFTEN else later((machine, seat, jit))
        for machine in MACHINES
        for seat in (0, 1)
        for jit in (False, True)
    ],
)
def test_menace(machine: str, seat: int, jit: bool) -> None:
    """Poor machines that move second run empty, and resign."""
    changed, like = MACHINES[machine]
    expected = naive.Menace(like.first, like.win, like.draw, like.loss, like.last_only, like.cascade)
    player = learner(load("tictactoe"), "beads", machine.partition(",")[0], **changed)
    rules = Mnk()
    resigned = 0
    for names in games_of(player, RandomPlayer(), 300, 7, jit, swap=2 * seat):
        s = rules.start
        for name in names:
            s = rules.play(s, name)
        result = rules.result(s)
        resigned += result is None
        assert result is not None or rules.mover(s) == seat
        expected.learn(names, seat, -1 if result is None else result * (1 - 2 * seat))
    found = {}
    for row in player.memory.rows():
        board = "".join(player.game.show(row.state).split())
        box = {
            naive.colour(board, move.bit_length() - 1): count
            for move, count in zip(row.moves, row.counts, strict=True)
        }
        found[min(image for image, _cell in naive.images(board, 0))] = box
    assert found == expected.boxes
    assert len(player.memory) == len(found)
    assert resigned > 0 or seat == 0 or "poor" not in machine
