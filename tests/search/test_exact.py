"""Exact search: value and distance of single positions, against all positions solved."""

from __future__ import annotations

from typing import Any

import pytest
from lasting import later, long, shortly

from damier import BadGame, Game, LimitReached, load
from damier.core.arrays import Ints
from damier.core.checks import try_out
from damier.core.compile import instantiate
from damier.core.errors import Unsuitable
from damier.core.job import Job
from damier.core.moves import each
from damier.core.rules import TOP, State, later as one_ply_later, loss_in, sooner, win_in
from damier.core.solution import Solution
from damier.lab.solving import METHOD, solved
from damier.search import bounds_table, exact as engine
from damier.search.bounds_table import SYMMETRIC_PLIES
from damier.search.exact import Prover, SearchThreads, exact, workers_for
from damier.search.proof_store import Bounds
from damier.search.running import COUNTS, DEPTH, DEPTH_CUTOFFS, ENDLESS, STOPPED, WORKER, Run, Visited
from damier.search.transposition import SearchMemory
from damier.solve import solve
from tests import gallery
from tests.search.recorded import walk

PLAIN, FAST = Job(jit=False), Job(jit=True)


def score_of(solution: Solution, s: State) -> int:
    """The score of a position in a solution, whose own scores may be narrower."""
    score, plies = solution.score(s), solution.distance(s)
    return 0 if score == 0 else (1 if score > 0 else -1) * (TOP - (plies or 0))


@pytest.mark.parametrize(
    "text",
    [
        "tictactoe",
        later("tictactoe:misere=true"),
        later("mnk:width=4,height=3"),
        "connect_four:width=3,height=3,in_a_row=3",
        "connect_four:width=4,height=3,in_a_row=3",
        later("connect_four:width=3,height=5,in_a_row=4"),
        "connect_four:width=5,height=2,in_a_row=4",
        "connect_four:width=3,height=3,in_a_row=5",
    ],
)
def test_every_position_of_a_small_game_has_the_score_that_solving_finds(text: str) -> None:
    game = load(text)
    solution = solve(game, job=PLAIN)
    prover = Prover(game, jit=False, slots=1 << 14)
    prover.run.begin(ENDLESS)
    for s, score in list(solution.table.scores.items())[::31]:  # type: ignore[attr-defined]
        bounds = Bounds()
        prover.narrow(s, bounds)
        assert (bounds.low, bounds.high) == (score, score), s


@long
@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("connect_four:width=4,height=4", 2),
        ("connect_four:width=5,height=4", 4),
        ("mnk:width=4,height=4,in_a_row=4", 5),
    ],
)
def test_larger_boards_agree_with_all_positions_solved(text: str, plies: int) -> None:
    game = load(text)
    first = walk(game, plies, 0)
    solution = solve(game, first, FAST)
    for s in (first, *(game.play(first, move) for move in game.legal(first)[:3])):
        found = exact(game, s, FAST)
        assert found.complete
        assert found.bounds.low == score_of(solution, s)
        assert {move: bounds.low for move, bounds in found.children.items()} == {
            m: score_of(solution, game.play(s, m)) for m in game.legal(s)
        }


def test_late_positions_of_7_by_6_agree_with_all_positions_solved() -> None:
    game = load("connect_four")
    for seed in range(8):
        s = walk(game, 30, seed)
        solution = solve(game, s, Job())
        for job in (PLAIN, FAST):
            found = exact(game, s, job)
            assert found.complete
            assert found.bounds.low == score_of(solution, s)
            assert {move: bounds.low for move, bounds in found.children.items()} == {
                m: score_of(solution, game.play(s, m)) for m in game.legal(s)
            }


def test_plain_and_compiled_look_at_the_same_nodes() -> None:
    game = load("connect_four")
    for seed in range(3):
        s = walk(game, 26, seed)
        plain, fast = exact(game, s, Job(jit=False)), exact(game, s, FAST)
        assert plain.nodes == fast.nodes
        assert (plain.bounds, plain.children) == (fast.bounds, fast.children)


def test_a_table_that_forgets_gives_the_same_answers() -> None:
    game = load("connect_four")
    s = walk(game, 24, 1)
    scores = []
    for slots in (1 << 4, 1 << 8, 1 << 16):
        prover, bounds = Prover(game, True, slots), Bounds()
        prover.run.begin(ENDLESS)
        prover.narrow(s, bounds)
        scores.append(bounds.low)
        assert bounds.exact
    assert len(set(scores)) == 1


def test_a_grown_table_still_knows_what_was_proven() -> None:
    game = load("connect_four")
    s = game.position().play(*"444442222336666642").state
    prover, bounds = Prover(game, True, 1 << 12), Bounds()
    prover.run.begin(ENDLESS)
    prover.narrow(s, bounds)
    prover.grow(1 << 16)
    before, again = prover.run.nodes, Bounds()
    prover.narrow(s, again)
    assert again == bounds
    assert before > 1000
    assert prover.run.nodes - before < before / 10


def test_facts_fit_their_bits() -> None:
    for least, most, move, cost in (
        (-TOP, TOP, 1, 0),
        (0, 0, 1 << 61, 1),
        (loss_in(4), win_in(3), 1 << 30, (1 << 62) - 1),
        (TOP, TOP, 2, 7),
    ):
        entry = bounds_table.entry_of(least, most, move, cost)
        assert (bounds_table.lower_of(entry), bounds_table.upper_of(entry)) == (least, most)
        assert bounds_table.noted_move(0, entry, []) == move
        assert entry >> bounds_table.COST == cost.bit_length()
        assert 0 < entry < 1 << 63


def test_of_a_pair_the_first_keeps_what_cost_most() -> None:
    words = [0] * 8  # two pairs: keys 0 to 3 have one of them
    facts = {
        key: bounds_table.entry_of(-key, key, 1 << key, cost) for key, cost in ((1, 900), (2, 5), (3, 70))
    }
    for key, entry in facts.items():
        bounds_table.put(key, entry, 0, words)
    held = [key for key, entry in facts.items() if bounds_table.slot_of(key, words)[1] == entry]
    assert 1 in held
    assert 3 in held
    better = bounds_table.entry_of(1, 1, 2, 2)
    bounds_table.put(1, better, 0, words)
    assert bounds_table.slot_of(1, words)[1] == better


def test_an_entry_that_two_threads_wrote_at_once_is_not_taken() -> None:
    one, other, both = [0] * 4, [0] * 4, [0] * 4
    bounds_table.put(5, bounds_table.entry_of(-3, 4, 1, 9), 0, one)
    bounds_table.put(6, bounds_table.entry_of(-3, 9, 1, 9), 0, other)
    both[:] = [one[0], other[1], 0, 0]
    for key in (5, 6):
        assert bounds_table.slot_of(key, both)[1] == 0
    assert bounds_table.slot_of(5, one)[1] == one[0]


def test_a_table_stays_within_its_memory() -> None:
    for text, slot in (("connect_four", 16), ("othello", 32), ("draughts", 32), ("hex:size=11", 40)):
        game = load(text)
        assert bounds_table.slot_bytes(game) == slot
        for memory in (1 << 20, 1 << 26, (1 << 30) + 1):
            slots = bounds_table.slots_within(game, memory)
            assert slots & (slots - 1) == 0
            assert slots * slot * 3 // 2 <= memory < 4 * slots * slot * 3 // 2


def test_a_score_one_ply_later_and_back() -> None:
    for score in (TOP, win_in(5), 0, loss_in(6), -TOP):
        assert sooner(one_ply_later(score)) == score
    assert one_ply_later(TOP) == win_in(1)


def test_bounds_are_narrowed_by_the_sign_first() -> None:
    bounds = Bounds()
    assert bounds.question() == 1
    bounds.answered(1, 0)
    assert bounds.question() == 0
    bounds.answered(0, loss_in(8))
    assert loss_in(0) < bounds.question() <= loss_in(8)
    assert Bounds(0, win_in(3)).for_mover(-1) == (loss_in(3), 0)


@pytest.mark.parametrize(
    "text",
    [
        "hexapawn",
        "pacman:layout=capsule",
        f"{gallery.__file__}:dice",
        f"{gallery.__file__}:mutual",
    ],
)
def test_what_it_cannot_handle_is_refused_by_name(text: str) -> None:
    game = load(text)
    with pytest.raises(Unsuitable, match="exact search"):
        exact(game, game.start)


def test_payoffs_beyond_one_are_refused() -> None:
    small = load("tictactoe")
    rules = small.rules

    def outcome(s: State) -> int:
        worth: int = rules["outcome"](s)
        return worth * 2 if worth in (-1, 1) else worth

    bits = small.bits
    double = Game(
        "double",
        small.start,
        rules["moves"],
        rules["play"],
        outcome,
        mover=rules["mover"],
        ply=rules["ply"],
        bits=bits,
    )
    with pytest.raises(BadGame, match="1, 0 or -1"):
        exact(double, double.start, PLAIN)


def test_a_limit_of_time_tells_what_is_proven() -> None:
    game = load("connect_four")
    with pytest.raises(LimitReached, match="larger --seconds") as stopped:
        solved(game, game.start, Job(memory=1 << 30), 0.2)
    reached = stopped.value.reached
    assert reached["states"] == game.states
    assert reached["at_least"] in ("loss", "draw")
    assert set(reached["moves"]) == set("1234567")  # type: ignore[call-overload]


def test_small_games_are_enumerated_and_large_ones_searched() -> None:
    small, large = load("tictactoe"), load("connect_four")
    assert solved(small, small.start, Job()).positions == 5478
    s = walk(large, 30, 1)
    answer, whole = solved(large, s, Job(), 600), solve(large, s, Job())
    assert answer.searched
    assert answer.solution.method == METHOD
    assert answer.solution.explain(s) == whole.explain(s)
    assert answer.solution.fastest_moves(s) == whole.fastest_moves(s)
    assert answer.solution.best_moves(s) == whole.best_moves(s)


def test_without_room_to_enumerate_a_position_is_searched() -> None:
    game = load("mnk:width=4,height=4,in_a_row=4")
    s = walk(game, 7, 3)
    assert solved(game, s, Job(memory=1 << 20), 600).solution.explain(s) == solve(game, s, PLAIN).explain(s)
    with pytest.raises(LimitReached, match="--out"):
        solved(game, s, Job(memory=1 << 20), whole=True)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({"non_losing_moves": lambda s: 0}, "cannot win at once"),
        ({"non_losing_moves": lambda s: 1 << 40}, "legal moves"),
        ({"non_losing_moves": lambda s: None}, "set of moves"),
        ({"plies_left": lambda s: -1}, "plies_left"),
        ({"bounds": lambda s: (win_in(1), 0)}, "two scores"),
        ({"bounds": lambda s: 0}, "two scores"),
        ({"bounds": lambda s: (loss_in(1), 0)}, "a move ends the game so"),
        ({"bounds": lambda s: (win_in(1), win_in(1))}, "every move ends the game"),
    ],
)
def test_wrong_rules_for_searches_are_told_by_the_trial_run(rules: dict[str, Any], said: str) -> None:
    game = load("tictactoe")
    wrong = Game(
        "wrong", game.start, game.moves, game.play, game.outcome, mover=game.mover, bits=game.bits, **rules
    )
    with pytest.raises(BadGame, match=said):
        try_out(wrong)


def test_candidates_of_connect_four_are_exactly_the_moves_that_do_not_lose_at_once() -> None:
    for text in ("connect_four:width=4,height=4", "connect_four:width=5,height=3,in_a_row=3", "connect_four"):
        game = load(text)
        for seed in range(40):
            s = walk(game, 3 + seed % 8, seed)
            for move in each(game.moves(s)):
                child = game.play(s, move)
                loses = any(game.outcome(game.play(child, reply)) == -1 for reply in game.legal(child))
                assert bool(game.non_losing_moves(s) & move) != loses


@pytest.mark.parametrize(
    "text",
    shortly(["connect_four", "connect_four:width=5,height=4", "mnk:width=4,height=4"], "connect_four"),
)
def test_what_is_proven_does_not_depend_on_the_number_of_threads(text: str) -> None:
    game = load(text)
    for seed in range(2):
        s = walk(game, 22 if text == "connect_four" else 4, seed)
        alone = exact(game, s, FAST)
        for jobs in (2, 3):
            shared = exact(game, s, Job(jit=True, jobs=jobs))
            assert shared.complete
            assert (shared.bounds, shared.children) == (alone.bounds, alone.children)


def test_threads_are_for_compiled_games_whose_past_does_not_matter() -> None:
    game = load("connect_four")
    assert workers_for(game, True, 3) == 3
    assert workers_for(game, False, 3) == 1
    assert workers_for(load("othello"), True, 3) == 3
    assert workers_for(load("go:size=5"), True, 3) == 1
    assert workers_for(game, True, 1000) == engine.WORKERS


def test_threads_are_stopped_by_the_clock_and_by_their_budget() -> None:
    game, job = load("connect_four"), Job(jit=True, jobs=2, memory=1 << 28)
    exact(game, walk(game, 30, 0), job)  # compiles: no part of the time below
    stopped = exact(game, game.start, job, 0.3)
    assert stopped.stopped
    assert not stopped.complete
    assert stopped.nodes > 0
    prover = Prover(game, True, 1 << 12, jobs=2)
    prover.run.begin(5000)
    prover.ask(game.start, 1)
    assert prover.run.stopped
    assert 2500 <= prover.run.nodes <= 5000


def test_what_threads_met_is_told_by_their_run() -> None:
    game = load("tictactoe")
    run = Run(game, True, marking=False)
    run.begin(ENDLESS)
    threads = SearchThreads(game, 2, run, engine.board())

    def meets(count: Ints, stack: Ints, marks: Visited) -> int:
        count[DEPTH_CUTOFFS] += 1
        return 7

    def fails(count: Ints, stack: Ints, marks: Visited) -> int:
        raise ZeroDivisionError

    threads.ask(meets)
    assert run.limited
    assert run.stopped
    with pytest.raises(ZeroDivisionError):
        threads.ask(fails)


@long
def test_threads_that_met_an_error_of_the_rules_tell_it() -> None:
    game = gallery.scored(8, 3, -2)
    prover = Prover(game, True, 1 << 12, jobs=2)
    prover.run.begin(ENDLESS)
    with pytest.raises(BadGame, match="1, 0 or -1"):
        prover.ask(game.start, 1)


def test_who_answers_calls_away_the_threads_that_are_still_there() -> None:
    game = load("connect_four")
    marks, plies = engine.board(), DEPTH
    one, other = ([0] * COUNTS for _worker in range(2))
    other[WORKER] = 1
    enter, leave, elsewhere = (
        instantiate(function, game, jit=False) for function in (engine.enter, engine.leave, engine.elsewhere)
    )

    def memory(count: list[int]) -> SearchMemory:
        return SearchMemory((), count, marks, (), [], ())  # type: ignore[arg-type]

    enter(game.start, plies, memory(one))
    assert elsewhere(game.start, plies, memory(other))
    assert not elsewhere(game.start, plies, memory(one))
    enter(game.start, plies, memory(other))
    leave(game.start, plies, memory(one))
    assert (marks[0], marks[1]) == (0, 1)
    assert not elsewhere(game.start, plies, memory(other))
    enter(game.start, plies, memory(other))
    assert other[STOPPED] == 1
    leave(game.start, plies, memory(other))
    assert marks[0] == 0


def test_symmetric_positions_are_one_in_the_first_plies() -> None:
    game = load("connect_four")
    left, right = (game.position().play(*moves).state for moves in ("12", "76"))
    store, known = (
        instantiate(function, game, jit=False) for function in (bounds_table.store, bounds_table.known)
    )
    probe = instantiate(bounds_table.probe, game, jit=False)
    for plies, found in ((DEPTH, (0, 5)), (DEPTH - SYMMETRIC_PLIES, (-TOP, TOP))):
        table = [0] * 64
        store(left, plies, True, 0, 5, game.position().play("1", "2").named_moves["3"], 9, table)
        assert known(right, plies, table) == found
        if plies == DEPTH:
            move = probe(right, plies, -TOP, TOP, False, False, table, [0] * COUNTS)[2]
            assert game.name_move(right, move) == "5"
