"""Q-learning by hand: the tables after scripted games, the schedule of epsilon, ties, the softmax."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from damier import Job, load
from damier.core.bits import reseed
from damier.core.compile import instantiate
from damier.core.errors import BadInput
from damier.core.game import Game
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.learn.action_values import Row
from damier.learn.parameters import fields_of
from damier.learn.player import LearningPlayer
from damier.learn.q import Numbers, QParameters
from damier.learn.qtable import DECISIONS, SeatArrays, count_decision
from damier.solve.grade import grade
from tests.learn.scripted import counts, learner, play, position, row

DRAWN = "a1a2 b3a2 b1a2 c3c2"  # each takes a pawn, and White is blocked
LOST = "a1a2 b3a2 b1b2 a2a1"  # Black takes a pawn and walks through
WON = "b1b2 a3a2 b2c3"  # White takes a pawn on Black's row


def test_hexapion_after_one_two_and_three_games() -> None:
    """Rows A-7 to A-9, A-15 to A-19: alpha 0.01, gamma 0.9, a pawn 10, the ends 100, 10, -100
    alone; backwards, each maximum after its update.
    """
    game = load("hexapawn")
    white = learner(game, "q", "hexapion")
    start, answered = game.start, position(game, "a1a2 b3a2")

    play(white, None, DRAWN)
    # b1a2 takes a pawn, but the end counts alone:   0.99 * 0 + 0.01 * (10 + 0.9 * 0)       =  0.1
    # a1a2 loses a pawn; the maximum there is 0.1:   0.99 * 0 + 0.01 * (-10 + 0.9 * 0.1)    = -0.0991
    assert row(white, answered) == pytest.approx({"b1a2": 0.1, "b1b2": 0.0, "c1c2": 0.0})
    assert row(white, start) == pytest.approx({"a1a2": -0.0991, "b1b2": 0.0, "c1c2": 0.0})

    play(white, None, LOST)
    # b1b2 loses:                                    0.99 * 0 + 0.01 * (-100 + 0.9 * 0)     = -1
    # a1a2; the maximum there is still 0.1:          0.99 * -0.0991 + 0.01 * (-10 + 0.09)   = -0.098109 -
    # 0.0991 = -0.197209
    assert row(white, answered) == pytest.approx({"b1a2": 0.1, "b1b2": -1.0, "c1c2": 0.0})
    assert row(white, start) == pytest.approx({"a1a2": -0.197209, "b1b2": 0.0, "c1c2": 0.0})

    play(white, None, WON)
    # b2c3 takes a pawn and wins: 100, not 110:      0.01 * 100                             =  1
    # b1b2, nothing taken:                           0.01 * (0 + 0.9 * 1)                   =  0.009
    assert row(white, position(game, "b1b2 a3a2"))["b2c3"] == pytest.approx(1.0)
    assert row(white, start) == pytest.approx({"a1a2": -0.197209, "b1b2": 0.009, "c1c2": 0.0})

    assert (white.memory.games, white.memory.decisions, len(white.memory)) == (3, 6, 3)
    assert counts(white, start) == {"a1a2": 2, "b1b2": 1, "c1c2": 0}
    # in order of discovery
    assert [game.id(found.state)[0] for found in white.memory.rows()] == [377, 2312, 6773]


def test_hexapion_at_the_second_seat_and_on_both() -> None:
    """Row A-5: both players' rows are boards as their mover sees them, in one table."""
    game = load("hexapawn")
    white = learner(game, "q", "hexapion")
    play(white, white.beside(learns=True), DRAWN)
    first, second = (game.canonical(position(game, moves)) for moves in ("a1a2", "a1a2 b3a2 b1a2"))
    # White as before.
    assert row(white, game.start)["a1a2"] == pytest.approx(-0.0991)
    # Black: c3c2 draws 0.01 * 10 = 0.1. b3a2 takes a pawn (10) and loses one (-10): 0.01 * (0 + 0.9 * 0.1) =
    # 0.0009. Black's b3a2 and c3c2, seen from his side, are White's b1c2 and a1a2.
    assert row(white, second) == pytest.approx({"a1a2": 0.1})
    assert row(white, first)["b1c2"] == pytest.approx(0.0009)
    assert sorted(value for value in row(white, first).values() if value) == pytest.approx([0.0009])
    ids = [game.id(position(game, moves)) for moves in ("", "a1a2", "a1a2 b3a2", "a1a2 b3a2 b1a2")]
    assert [game.id(found.state)[0] for found in white.memory.rows()] == [
        ids[0][0],
        ids[1][1],
        ids[2][0],
        ids[3][1],
    ]
    assert (white.memory.games, white.memory.decisions) == (1, 4)  # one game, though it was learnt from twice


SIX_CAPTURES = "b1b2 a3b2 a1b2 c3b2 c1b2"  # both take on b2 in turn, until Black is blocked: a draw


def test_gains_between_decisions_add_up() -> None:
    """Row A-8."""
    game = load("hexapawn")
    white, black = learner(game, "q", "hexapion"), learner(game, "q", "hexapion")
    play(white, black, SIX_CAPTURES)
    # White: c1b2 draws 0.1; a1b2 takes one and loses one: 0.01 * (0 + 0.09) = 0.0009; b1b2 loses one: 0.01 *
    # (-10 + 0.9 * 0.0009) = -0.0999919
    assert row(white, position(game, "b1b2 a3b2 a1b2 c3b2"))["c1b2"] == pytest.approx(0.1)
    assert row(white, position(game, "b1b2 a3b2"))["a1b2"] == pytest.approx(0.0009)
    assert row(white, game.start)["b1b2"] == pytest.approx(-0.0999919)
    # Black: c3b2 draws 0.1, what was taken after it is dropped; a3b2 takes one and loses one: 0.0009
    assert values(black) == pytest.approx([0.0009, 0.1])


def test_the_error_of_the_skeleton_as_an_option() -> None:
    """Spec A.7: with events=first only White's captures are told, +10 to White and -10 to Black."""
    game = load("hexapawn")
    white, black = (learner(game, "q", "hexapion", events="first") for _seat in range(2))
    play(white, black, SIX_CAPTURES)
    # White: 0.1; a1b2 takes one: 0.01 * (10 + 0.09) = 0.1009; b1b2: 0.01 * (0 + 0.9 * 0.1009) = 0.0009081
    assert values(white) == pytest.approx([0.0009081, 0.1009, 0.1])
    # Black: 0.1; a3b2 loses one: 0.01 * (-10 + 0.09) = -0.0991
    assert values(black) == pytest.approx([-0.0991, 0.1])


def test_gains_count_beside_the_end_if_they_are_to() -> None:
    game = load("hexapawn")
    white = learner(game, "q", "hexapion", last_event=True)
    play(white, None, WON)
    assert values(white) == pytest.approx([0.0099, 1.1])  # 0.01 * 110, not 100; 0.01 * 0.9 * 1.1


def values(player: LearningPlayer) -> list[float]:
    """The values that are not 0, in order of discovery."""
    return [value for found in player.memory.rows() for value in found.values if value]


def test_one_step_sarsa_and_lambda_after_the_same_two_games() -> None:
    """alpha 1/2, gamma 1, rewards +1 and -1: White wins the same game twice, b1b2 then b2c3; then
    draws with another second move.
    """
    expected = {
        # fresh: 1/2, then 1/4 at once; 3/4, then 1/8 + 3/8
        "": ([0.25, 0.5], [0.5, 0.75]),
        # one step: 0 before the first game; then 1/2 of the 1/2 that the first game left
        "one-step": ([0.0, 0.5], [0.25, 0.75]),
        "sarsa": ([0.0, 0.5], [0.25, 0.75]),
        # lambda 0.9: the target of b1b2 is 0 + 0.9 * (1 - 0) = 0.9 while b2c3 is (as good as) best; then 1/2
        # + 0.9 * (1 - 1/2) = 0.95
        "q-lambda": ([0.45, 0.5], [0.225 + 0.475, 0.75]),
    }
    game = load("hexapawn")
    for preset, after in expected.items():
        white = learner(game, "q", preset, alpha=0.5, epsilon=1.0)
        for table in after:
            play(white, None, WON)
            assert [
                row(white, position(game, moves))[name]
                for moves, name in (("", "b1b2"), ("b1b2 a3a2", "b2c3"))
            ] == pytest.approx(table), preset


def test_a_move_that_is_not_best_cuts_the_trace_of_watkins_but_not_of_sarsa() -> None:
    """alpha 1/2, gamma 1, lambda 0.9.

    First a win: b2c3 is worth 1/2, b1b2 0.45. Then, from the same two positions, c1c2 and a loss:

    Watkins  c1c2 (0) was not the best, so that b1b2 led to what b2c3 is worth, 1/2, whatever came
             of c1c2
    SARSA    b1b2 led to c1c2, worth 0, that to a1b2, worth 0, that to -1: 0.9 * 0.9 * -1
    """
    game = load("hexapawn")
    for backup, target in (("best", 0.5), ("taken", 0.9 * 0.9 * -1.0)):
        white = learner(game, "q", alpha=0.5, epsilon=1.0, fresh=False, trace=0.9, backup=backup)
        play(white, None, WON, "b1b2 a3a2 c1c2 c3b2 a1b2 a2a1")
        assert row(white, game.start)["b1b2"] == pytest.approx(0.5 * 0.45 + 0.5 * target)


def test_the_schedule_of_epsilon() -> None:
    """Row A-21: if nbStep > 5000 and nbStep % 100 == 0, epsilon becomes 0.99 epsilon; then
    nbStep++. First at nbStep 5100.
    """
    game = load("hexapawn")
    white = learner(game, "q", "hexapion")
    table = MatchSetup(game, (white, RandomPlayer()), seed=3)
    played, epsilon, step = 0, 1.0, 0
    while white.memory.decisions < 5600:
        table.play(played, played + 1, jit=False)
        played += 1
        while step < white.memory.decisions:
            if step > 5000 and step % 100 == 0:
                epsilon = 0.99 * epsilon
            step += 1
        assert white.memory.epsilon == epsilon, step
    assert epsilon < 0.96
    assert white.memory.games == played


@pytest.mark.parametrize(
    ("step", "decays"),
    [(0, False), (5000, False), (5099, False), (5100, True), (5101, False), (5150, False), (5200, True)],
)
def test_when_epsilon_decays(step: int, decays: bool) -> None:
    """What the decision that finds nbStep at `step` does."""
    white = learner(load("hexapawn"), "q", "hexapion")
    kernel = white.kernel(jit=False)
    assert kernel is not None
    seat = SeatArrays(*kernel.arrays)
    seat.counters[DECISIONS] = step
    count_decision(seat, Numbers(*seat.options))
    assert (white.memory.decisions, white.memory.epsilon) == (step + 1, 0.99 if decays else 1.0)


def filled(game: Game, known: tuple[float, ...], **changed: Any) -> LearningPlayer:
    """A learner that never explores, and knows what the three moves at the start are worth."""
    player = learner(game, "q", epsilon=0.0, **changed)
    moves = tuple(game.legal(game.start))
    player.memory.fill([Row(game.start, moves, known, (0,) * len(moves))])
    return player


def chosen(player: LearningPlayer, n: int = 2000) -> list[Counter[int]]:
    """How often each move is chosen at the start, while only playing and while learning."""
    game, rng = player.game, [0]
    kernel = player.kernel(jit=False)
    assert kernel is not None
    choose = instantiate(kernel.choose, game, jit=False, bind=kernel.bind)
    found = [Counter[int](), Counter[int]()]
    for number in range(n):
        reseed(rng, 5, number)
        found[0][player.choose(game, game.start, rng)] += 1
        SeatArrays(*kernel.arrays).length[0] = 0
        found[1][choose(game.start, kernel.arrays, rng)] += 1
    return found


@pytest.mark.parametrize(
    ("ties", "known", "shares"),
    [
        ("first", (2.0, 2.0, -1.0), (1, 0, 0)),
        ("last", (2.0, 2.0, -1.0), (0, 1, 0)),
        ("random", (2.0, 2.0, -1.0), (0.5, 0.5, 0)),
        ("random", (0.0, 0.0, 0.0), (1 / 3, 1 / 3, 1 / 3)),
        ("last", (-5.0, -7.0, -5.0), (0, 0, 1)),
        ("first", (-7.0, -5.0, -5.0), (0, 1, 0)),
    ],
)
def test_ties(ties: str, known: tuple[float, ...], shares: tuple[float, ...]) -> None:
    """Row A-20: the first of the best; other ways are options."""
    game = load("hexapawn")
    player = filled(game, known, ties=ties)
    likely = dict(zip(game.legal(game.start), shares, strict=True))
    assert player.probabilities(game, game.start) == pytest.approx(likely)
    for found in chosen(player):
        for move, share in likely.items():
            assert found[move] / found.total() == pytest.approx(share, abs=0.05 if 0 < share < 1 else 0)


@pytest.mark.parametrize("temperature", [1e-6, 1.0, 1e12])
@pytest.mark.parametrize(
    "known",
    [
        (1e6, -1e6, 0.0),
        (-1e6, -1e6, -1e6),
        (1e6, 1e6, -1e6),
        (-1e6, 1e6, 1e6),
        (0.0, 1.0, 2.0),
        (1e15, -1e15, 1e15),
    ],
)
def test_the_softmax_cannot_overflow(known: tuple[float, ...], temperature: float) -> None:
    """Row A-22: every share is a number from 0 to 1, their sum is 1, and no move without a share is
    ever chosen.
    """
    game = load("hexapawn")
    player = filled(game, known, policy="softmax", temperature=temperature)
    likely = player.probabilities(game, game.start)
    assert all(0 <= share <= 1 for share in likely.values())
    assert sum(likely.values()) == pytest.approx(1, abs=1e-12)
    best = [move for move, value in zip(likely, known, strict=True) if value == max(known)]
    assert len({likely[move] for move in best}) == 1
    assert max(likely.values()) == likely[best[0]]
    for found in chosen(player, 100):
        assert all(likely[move] > 0 for move in found)


def test_the_shares_of_the_softmax() -> None:
    """e^0, e^1, e^2 over their sum 11.107: 0.0900, 0.2447, 0.6652."""
    game = load("hexapawn")
    player = filled(game, (0.0, 1.0, 2.0), policy="softmax")
    assert list(player.probabilities(game, game.start).values()) == pytest.approx(
        [0.0900306, 0.2447285, 0.6652410], abs=1e-7
    )
    for found in chosen(player):
        assert [found[move] / found.total() for move in game.legal(game.start)] == pytest.approx(
            [0.0900306, 0.2447285, 0.6652410], abs=0.04
        )
    unknown = learner(game, "q", policy="softmax")
    assert list(unknown.probabilities(game, game.start).values()) == pytest.approx([1 / 3] * 3)


def test_the_softmax_is_the_same_compiled() -> None:
    game = load("hexapawn")
    player = filled(game, (1e6, -1e6, 1e6), policy="softmax", temperature=1e-6)
    assert grade(game, player, RandomPlayer(), Job(jit=True)) == grade(
        game, player, RandomPlayer(), Job(jit=False)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"alpha": 0.0},
        {"alpha": 1.5},
        {"gamma": -0.1},
        {"temperature": 0.0},
        {"epsilon": 1.1},
        {"lambda": 2.0},
        {"win": 1e7},
        {"decay_every": 0},
    ],
)
def test_parameters_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput, match=f"{next(iter(wrong))}="):
        QParameters(**fields_of(wrong))  # type: ignore[arg-type]


def test_what_is_not_a_number_is_refused() -> None:
    for name in ("alpha", "gamma", "temperature", "epsilon", "lambda", "win", "event"):
        with pytest.raises(BadInput, match=name):
            QParameters(**fields_of({name: float("nan")}))  # type: ignore[arg-type]


def test_the_last_decision_is_known_in_either_tier() -> None:
    game = load("hexapawn")
    player = LearningPlayer(game, "q", QParameters())
    table = MatchSetup(game, (player, RandomPlayer()), 0)
    table.play(0, 50, jit=True)
    found = player.last_row
    assert found is not None
    player.probabilities(game, game.start)  # lays the table out for plain Python
    assert player.last_row == found
