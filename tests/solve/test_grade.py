"""Exact grades against naive recursion over fractions, and against what theory says."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import gallery
import pytest
from lasting import later

from damier import Job, load
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.grade import Chances
from damier.core.moves import each
from damier.core.player import Policy, RandomPlayer
from damier.core.rules import State
from damier.lab.agents import Lab, policy
from damier.solve.grade import grade, jobs_of
from damier.solve.graph import bytes_of, graph

Triple = tuple[Fraction, Fraction, Fraction]  # win, draw, loss of player 0


def ended(game: Game, s: State) -> Triple:
    worth = game.payoff(s, 0)
    return Fraction(worth > 0), Fraction(worth == 0), Fraction(worth < 0)


def naive(game: Game, policies: tuple[Any, Any], done: dict[State, Triple], s: State) -> Triple:
    """The chances of player 0; a policy of None maximises its payoff."""
    if s in done:
        return done[s]
    if game.over(s):
        done[s] = ended(game, s)
        return done[s]
    player = game.mover(s)
    children = {move: naive(game, policies, done, game.play(s, move)) for move in each(game.moves(s))}
    if policies[player] is None:
        sign = 1 if player == 0 else -1
        done[s] = max(children.values(), key=lambda c: sign * (c[0] - c[2]))
    else:
        likely = {
            move: Fraction(p).limit_denominator(1000)
            for move, p in policies[player].probabilities(game, s).items()
        }
        sums = [sum((likely[move] * c[end] for move, c in children.items()), Fraction(0)) for end in range(3)]
        resigns = 1 - sum(likely.values())
        sums[2 if player == 0 else 0] += resigns
        done[s] = (sums[0], sums[1], sums[2])
    return done[s]


def seen_from(seat: int, triple: Triple) -> tuple[float, float, float]:
    win, draw, loss = (float(x) for x in triple)
    return (win, draw, loss) if seat == 0 else (loss, draw, win)


def same(chances: Chances, expected: tuple[float, float, float]) -> None:
    assert (chances.win, chances.draw, chances.loss) == pytest.approx(expected, abs=1e-12)


class Resigner:
    """Plays its first move, or resigns, each half of the time."""

    text = "resigner"

    def choose(self, game: Game, s: State, rng: Any) -> int:
        raise AssertionError("never asked")

    compiles, learns = False, False

    def kernel(self, *, jit: bool) -> None:
        return None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        first = next(each(game.moves(s)))
        return {move: 0.5 * (move == first) for move in each(game.moves(s))}


def policies_of(lab: Lab) -> dict[str, Policy]:
    names = [
        "random",
        "perfect",
        "perfect:ties=first",
        "perfect:ties=last",
        "perfect:prefer=fastest,ties=random",
    ]
    return {name: policy(lab, name) for name in names} | {"resigner": Resigner()}


@pytest.mark.parametrize(
    ("text", "jit"),
    [
        ("nim:matches=9", False),
        *(later(("hexapawn", jit)) for jit in (False, True)),
        later(("mnk:width=3,height=2,in_a_row=2", False)),
        *(later((text, False)) for text in ("hexapawn:blocked=loss", "nim:heaps=1-2-3")),
        later(("nim:heaps=1-2-3", True)),
    ],
)
def test_grades_are_those_of_naive_recursion(text: str, jit: bool) -> None:
    lab = Lab(load(text))
    game = lab.game
    for a in policies_of(lab).values():
        for b in policies_of(lab).values():
            found = grade(game, a, b, Job(jit=jit))
            for seat in (0, 1):
                pair = (a, b) if seat == 0 else (b, a)
                same(found.seats[seat], seen_from(seat, naive(game, pair, {}, game.start)))
                for opponent, best in ((b, found.best_against), (a, found.best_response)):
                    expected = naive(
                        game, (None, opponent) if seat == 0 else (opponent, None), {}, game.start
                    )
                    assert best[seat].payoff == pytest.approx(
                        float(expected[0] - expected[2]) * (1 if seat == 0 else -1), abs=1e-12
                    )
                assert found.seats[seat].payoff <= found.best_against[seat].payoff + 1e-12


def test_compiled_grades_are_those_of_plain_python() -> None:
    """Which are those of naive recursion."""
    lab = Lab(load("tictactoe"))
    for ours in (policy(lab, "random"), policy(lab, "perfect:ties=first")):
        for theirs in (policy(lab, "random"), Resigner()):
            plain, compiled = (grade(lab.game, ours, theirs, Job(jit=jit)) for jit in (False, True))
            for seat in (0, 1):
                other = compiled.seats[seat]
                same(plain.seats[seat], (other.win, other.draw, other.loss))
                for name in ("best_against", "best_response"):
                    best, known = getattr(compiled, name)[seat], getattr(plain, name)[seat]
                    assert best.payoff == pytest.approx(known.payoff, abs=1e-12)
            assert plain.optimal_share_all == pytest.approx(compiled.optimal_share_all, abs=1e-12)
            assert plain.optimal_share_reached == pytest.approx(compiled.optimal_share_reached, abs=1e-12)


def test_who_waits_is_told_in_how_many_positions_an_agent_has_decided() -> None:
    told: list[tuple[int, int | None, str]] = []
    job = Job(jit=False, progress=lambda *news: told.append(news))
    found = grade(load("tictactoe"), RandomPlayer(), Resigner(), job)
    assert found.states == 4520
    decided = [(done, total) for done, total, what in told if what == "positions decided"]
    assert decided
    assert set(decided) <= {(done, 5478) for done in range(1024, 5478, 1024)}


@pytest.mark.parametrize("jit", [False, later(True)])
def test_a_game_in_which_a_player_moves_twice(jit: bool) -> None:
    game = gallery.fences()
    found = grade(game, RandomPlayer(), Resigner(), Job(jit=jit))
    same(found.seats[0], seen_from(0, naive(game, (RandomPlayer(), Resigner()), {}, game.start)))
    same(found.seats[1], seen_from(1, naive(game, (Resigner(), RandomPlayer()), {}, game.start)))


@pytest.mark.parametrize("jit", [False, True])
def test_random_tictactoe(jit: bool) -> None:
    """Exact: X 737/1260, O 121/420, draw 8/63 (spec C)."""
    found = grade(load("tictactoe"), RandomPlayer(), RandomPlayer(), Job(jit=jit))
    same(found.seats[0], (737 / 1260, 8 / 63, 121 / 420))
    assert found.states == 4520


@pytest.mark.parametrize("jit", [False, True])
def test_where_no_end_is_a_draw_nothing_is_drawn_by_rounding(jit: bool) -> None:
    found = grade(load("nim"), RandomPlayer(), RandomPlayer(), Job(jit=jit))
    assert [seat.draw for seat in (*found.seats, *found.best_against, *found.best_response)] == [0.0] * 6


def test_perfect_play_keeps_every_value_and_is_beaten_by_nobody() -> None:
    lab = Lab(load("tictactoe"))
    for name in ("perfect", "perfect:ties=first", "perfect:ties=last", "perfect:prefer=fastest"):
        found = grade(lab.game, policy(lab, name), RandomPlayer())
        assert found.optimal_share_all == found.optimal_share_reached == 1
        assert [chances.payoff for chances in found.best_response] == [0, 0]


def test_the_share_of_moves_that_keep_the_value() -> None:
    """Nim with 5 matches, counted by hand: of 8 positions with a move to make, those with 1 or 5
    left are lost whatever is played.
    """
    found = grade(load("nim:matches=5"), RandomPlayer(), RandomPlayer())
    by_matches = {5: 1, 4: 1 / 3, 3: 1 / 3, 2: 1 / 2, 1: 1}
    positions = [(5, 0), (4, 1), (3, 1), (2, 1), (3, 0), (2, 0), (1, 0), (1, 1)]
    assert found.states == len(positions)
    assert found.optimal_share_all == pytest.approx(
        sum(by_matches[left] for left, _mover in positions) / len(positions)
    )


def test_one_who_always_resigns_loses() -> None:
    class Quitter(Resigner):
        def probabilities(self, game: Game, s: State) -> dict[int, float]:
            return {}

    found = grade(load("hexapawn"), Quitter(), RandomPlayer())
    assert found.seats[0] == Chances(0.0, 0.0, 1.0)
    assert found.best_response[1].win == 1


def test_what_cannot_be_graded_is_refused_by_name() -> None:
    with pytest.raises(Unsuitable, match="two players"):
        grade(load("examples/three_player_nim.py"), RandomPlayer(), RandomPlayer())
    with pytest.raises(Unsuitable, match="two players"):
        grade(load("examples/river.py"), RandomPlayer(), RandomPlayer())
    lab = Lab(load("nim"))
    with pytest.raises(Unsuitable, match="human"):
        policy(lab, "human")


@pytest.mark.parametrize(
    "game",
    [
        *map(later, (gallery.tug(), gallery.scored(), gallery.dice(), load("hexapawn"), load("octapawn"))),
        load("tictactoe"),
    ],
    ids=str,
)
def test_cores_that_share_a_grade_find_the_same_figures(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("grade", "graph"):
        monkeypatch.setattr(sys.modules[f"damier.solve.{module}"], "LONG", 1)
    monkeypatch.setattr("damier.core.job.ALONE", 0)
    monkeypatch.setattr(sys.modules["damier.solve.graph"], "PART", 10)
    random = RandomPlayer()
    alone, *shared = (grade(game, random, random, Job(jit=True, jobs=jobs)) for jobs in (1, 2, 3))
    assert shared == [alone] * 2
    assert [repr(found) for found in shared] == [repr(alone)] * 2


def test_a_grade_is_shared_as_far_as_the_budget_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["damier.solve.grade"], "LONG", 1)
    game = load("tictactoe")
    positions = graph(game, Job(jit=True), jit=True)
    taken = bytes_of(len(positions), len(positions.moves), game)
    each = 16 * len(positions)
    for memory, jobs in ((0, 1), (taken, 1), (taken + each - 1, 1), (taken + each, 2), (1 << 40, 5)):
        assert jobs_of(positions, Job(memory, jobs=5)) == jobs
    monkeypatch.setattr(sys.modules["damier.solve.grade"], "LONG", len(positions) + 1)
    assert jobs_of(positions, Job(jobs=5)) == 1
