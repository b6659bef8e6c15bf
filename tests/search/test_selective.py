"""The selective search: mates, captures at the horizon, zugzwang, and the same answers compiled as plain."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from lasting import later, long, shortly

from damier import Game, load
from damier.core.analysis import Analysis, Limit, evaluation
from damier.core.errors import Unsuitable
from damier.core.job import Job, patiently
from damier.core.rules import TOP, State, win_in
from damier.games.chess import from_fen
from damier.games.chess_rules import holds_up, noisy_moves
from damier.search.lookahead import LookAhead
from damier.search.minimax import minimax
from damier.search.running import Run
from damier.search.selective import (
    Helpers,
    KeptTable,
    Recipe,
    SearchOne,
    SelectiveDepths,
    SelectiveEngine,
    judge_every_move,
    selective,
)
from damier.search.selective_engine import COMPLETE, EXACT, NOTHING, UNJUDGED, find, value_in, write
from damier.solve import solve

PURE = Job(jit=False)
MATES = {
    "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1": (1, "d1d8"),
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": (3, "a1a6"),
    "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1": (5, "f6a6"),
}
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def recipe(game: Game, **parts: bool) -> Recipe:
    return replace(Recipe(evaluation=evaluation(game, game.evaluation)), **parts)


def searched(game: Game, text: str, plies: int, job: Job = PURE, **parts: bool) -> Analysis:
    s = from_fen(text) if text else game.start
    return selective(game, s, Limit(plies=plies), recipe(game, **parts), job=job, explain=False)


@pytest.mark.parametrize("text", shortly(MATES, *list(MATES)[:2]))
def test_a_mate_is_found_and_its_distance(text: str) -> None:
    game, (distance, move) = load("chess"), MATES[text]
    found = searched(game, text, distance)
    assert (found.names(found.best), found.distance) == ([move], distance)
    assert found.value == win_in(distance) / 100
    assert not found.exact


def test_quiescence_does_not_hang_a_queen_at_the_horizon() -> None:
    """One ply deep the guarded pawn on d5 looks free."""
    game, text = load("chess"), "4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1"
    assert game.name_move(from_fen(text), searched(game, text, 1).pv[0]) != "d1d5"
    greedy = searched(game, text, 1, quiescence=False)
    assert game.name_move(from_fen(text), greedy.pv[0]) == "d1d5"


def test_there_is_no_null_move_in_pawn_endings() -> None:
    """Who is to move loses the pawn, or the opposition: a pass would save it."""
    game = load("chess")
    s = from_fen("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1")
    pawns = from_fen("8/8/8/3k4/3P4/3K4/8/8 b - - 0 1")
    assert game.mover(game.null_move(s)) == 1
    assert game.null_move(pawns) == pawns


def test_a_shot_of_draughts_is_seen_beyond_the_horizon() -> None:
    """One ply deep: Black gives a man that must be taken, and comes out ahead. Minimax sees that three
    plies deep.
    """
    game = load("draughts")
    assert game.read_position is not None
    s = game.read_position("B:W9,18,26,28:B11,12,21,24")
    shot = minimax(game, s, Limit(plies=3), evaluation(game, "men+1.5*kings"), job=PURE)
    found = selective(game, s, Limit(plies=1), recipe(game), job=PURE, explain=False)
    assert game.threatened(game.play(s, found.pv[0]))
    assert (found.best, shot.value) == (shot.best, 1.5)
    assert found.value > 1
    blind = {"extensions": False, "quiescence": False}
    assert selective(game, s, Limit(plies=1), recipe(game, **blind), job=PURE, explain=False).value < 1


@pytest.mark.parametrize(
    "text",
    [
        *map(later, ("connect_four:width=4,height=3", "connect_four:width=4,height=4")),
        "tictactoe",
        "hexapawn",
    ],
)
def test_a_game_searched_to_its_end_has_its_value(text: str) -> None:
    game = load(text)
    value = solve(game).value(game.start)
    found = selective(game, game.start, Limit(plies=30), job=PURE, explain=False)
    assert (found.value > 0) - (found.value < 0) == {"win": 1, "draw": 0, "loss": -1}[value]
    assert not found.exact


@pytest.mark.parametrize("text", ["tictactoe", later("nim:heaps=1-2-3"), later("kalah:pits=3,seeds=2")])
def test_plain_and_compiled_find_the_same(text: str) -> None:
    game = load(text)
    for plies in (3, 6):
        pure, compiled = (
            selective(game, game.start, Limit(plies=plies), job=job, explain=False)
            for job in (PURE, Job(jit=True))
        )
        assert (pure.value, pure.best, pure.nodes, pure.pv) == (
            compiled.value,
            compiled.best,
            compiled.nodes,
            compiled.pv,
        )


@pytest.mark.parametrize("game", [later("chess"), later("draughts")])
def test_plain_and_compiled_find_the_same_in_large_games(game: str) -> None:
    """Compiled once for each game: all parts are data."""
    loaded = load(game)
    text = KIWIPETE if game == "chess" else ""
    for parts in ({}, {"null_move": False, "reductions": False}, {"table": False}, {"pruning": False}):
        pure, compiled = (searched(loaded, text, 4, job, **parts) for job in (PURE, Job(jit=True)))
        assert (pure.value, pure.nodes, pure.pv) == (compiled.value, compiled.nodes, compiled.pv)
    clock = Limit(seconds=0.2)
    found = selective(loaded, loaded.start, clock, recipe(loaded), job=Job(jit=True), explain=False)
    assert found.stopped
    assert found.best
    assert found.seconds < 60  # not the minutes that a depth without an end takes


def test_the_value_is_the_evaluation_where_best_play_ends() -> None:
    game = load("chess")
    found = searched(game, KIWIPETE, 3)
    s = found.state
    for move in found.pv:
        s = game.play(s, move)
    judge = found.evaluation
    assert judge is not None
    total = sum(w * f(s) for w, f in zip(judge.weights, judge.features, strict=True))
    assert found.value == int(100 * total) / 100


def test_noisy_moves_are_legal_and_lose_nothing() -> None:
    game, s = load("chess"), from_fen("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1")
    assert list(game.noisy_moves(s)) == []  # the pawn is guarded
    found: list[int] = []
    noisy_moves(from_fen(KIWIPETE), found)
    assert set(found) <= set(game.legal(from_fen(KIWIPETE)))
    queen, pawn = 1 << 3, 1 << 35
    assert not holds_up(s, queen, pawn, s.mine | s.theirs)
    assert game.name_moves(s, game.noisy_moves(from_fen("4k3/P7/8/8/8/8/8/4K3 w - - 0 1"))) == ["a7a8q"]


def test_an_entry_is_read_as_it_was_written() -> None:
    table = [0] * (1 << 22)
    write(12345, 7, -TOP, EXACT, True, 99, 3, 5, table)
    facts, move, judged = find(12345, table)
    assert (value_in(facts), facts >> COMPLETE & 1, move, judged) == (-TOP, 1, 99, 3)
    assert find(12346, table) == (NOTHING, 0, UNJUDGED)


def test_an_entry_of_which_two_threads_wrote_a_part_each_is_none() -> None:
    one, two = [0] * (1 << 22), [0] * (1 << 22)
    write(12345, 7, 50, EXACT, True, 99, 3, 5, one)
    write(12345, 9, -80, EXACT, False, 98, 4, 5, two)
    written = [place for place, word in enumerate(one) if word]
    assert len(written) == 4
    for place in written:
        whole, one[place] = one[place], two[place]
        assert find(12345, one) == (NOTHING, 0, UNJUDGED)
        one[place] = whole
    assert find(12345, one)[1] == 99


def test_a_table_is_kept_between_moves_only_where_it_is_asked_for() -> None:
    game, kept = load("connect_four:width=4,height=4"), KeptTable()
    nodes = [
        selective(game, game.start, Limit(plies=6), kept=table, job=PURE, explain=False).nodes
        for table in (None, None, kept, kept)
    ]
    assert nodes[0] == nodes[1] == nodes[2] > nodes[3]


def test_there_always_is_an_answer() -> None:
    game = load("chess")
    found = selective(game, from_fen(KIWIPETE), Limit(nodes=3), recipe(game), job=PURE, explain=False)
    assert (found.plies, found.stopped, len(found.pv)) == (1, True, 1)


@long
@pytest.mark.parametrize("jobs", [1, 2, 3])
@pytest.mark.parametrize("text", MATES)
def test_threads_with_one_table_find_the_same_mates(
    text: str, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.search.selective.ALONE", -1.0)
    game, (distance, move) = load("chess"), MATES[text]
    job = Job(jit=True, jobs=jobs)
    found = selective(game, from_fen(text), Limit(plies=9, seconds=600), recipe(game), job=job)
    assert (found.names(found.best), found.distance) == ([move], distance)
    assert found.explored is not None
    assert 0 < found.explored <= found.nodes


@long
def test_what_plies_or_nodes_limit_is_searched_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.search.selective.ALONE", -1.0)
    game = load("draughts")
    for limit in (Limit(plies=6), Limit(nodes=20_000), Limit(nodes=20_000, seconds=600)):
        one, two = (
            selective(game, game.start, limit, recipe(game), job=Job(jit=True, jobs=jobs)) for jobs in (1, 2)
        )
        assert replace(one, seconds=0) == replace(two, seconds=0)


def test_nobody_helps_with_what_only_prepares_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper there would compile, whatever its search may, and Ctrl-C would wait for it."""
    monkeypatch.setattr("damier.search.selective.ALONE", -1.0)
    game = load("tictactoe")
    search = LookAhead(game, game.start, Limit(seconds=600), Job(jobs=2), "selective", marking=False)
    begun: list[bool] = []

    def helping() -> SearchOne:
        begun.append(True)
        return lambda run, plies: None

    helpers = Helpers(search, helping)
    run = Run(game, jit=True, marking=False)
    helpers.around(lambda: helpers.join(run, 2))
    assert not begun
    search.run = run
    helpers.around(lambda: helpers.join(run, 2))
    assert begun


def test_what_compiles_beside_an_interrupted_search_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.search.selective.ALONE", -1.0)
    game = load("tictactoe")
    search = LookAhead(game, game.start, Limit(seconds=600), Job(jobs=2), "selective", marking=False)
    search.run = Run(game, jit=True, marking=False)
    at_work, compiled = threading.Event(), threading.Event()

    def helping() -> SearchOne:
        at_work.set()
        patiently(compiled.wait)  # as for a compiler
        return lambda run, plies: None

    helpers = Helpers(search, helping)

    def interrupted() -> None:
        assert search.run is not None
        helpers.join(search.run, 2)
        at_work.wait()
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "join", lambda thread: pytest.fail("the compiler is waited for"))
    with pytest.raises(KeyboardInterrupt):
        helpers.around(interrupted)
    compiled.set()


def test_what_was_stopped_judges_no_further_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while every move is judged: none is judged after it."""
    game = load("tictactoe")
    search = LookAhead(game, game.start, Limit(plies=3), PURE, "selective")
    at = SelectiveDepths(recipe(game), KeptTable())
    found = search.search(at.search, deepen=True)
    judged: list[int] = []

    def stopped(engine: SelectiveEngine, s: State, depth: int, alpha: int, beta: int) -> int:
        judged.append(depth)
        engine.run.stop()
        return 0

    monkeypatch.setattr(SelectiveEngine, "value", stopped)
    judge_every_move(search, at, found)
    assert (len(judged), search.left_out) == (1, ["values"])


def test_it_says_what_every_move_is_worth() -> None:
    game = load("tictactoe")
    found = selective(game, game.start, Limit(plies=9), job=PURE)
    assert len(found.values) == 9
    assert set(found.values.values()) == {0}


def test_what_it_cannot_search_is_refused() -> None:
    game = load("pig")
    with pytest.raises(Unsuitable):
        selective(game, game.start, Limit(plies=2))
