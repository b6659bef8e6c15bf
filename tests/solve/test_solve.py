"""Exact values: three methods, two speeds, one answer; and what each refuses."""

from __future__ import annotations

from bisect import bisect_left
from itertools import product
from typing import Any

import gallery
import pytest
from lasting import later, shortly
from oracles import FromGame, best_moves, by_iteration, by_recursion, census

from damier import BadGame, BadInput, Game, LimitReached, load
from damier.core.arrays import IntArray, SmallIntArray
from damier.core.errors import Unsuitable
from damier.core.job import Job, Notes
from damier.core.moves import each
from damier.core.solution import KeyTable, Solution
from damier.solve import PerfectPlayer, count, count_games, perft, retrograde, solve

WORDS = {1: "win", 0: "draw", -1: "loss"}


def check(game: Game, solution: Solution) -> None:
    """Every position of a solution against the naive solver by rounds."""
    rules = FromGame(game)
    known = by_iteration(rules)
    assert len(solution) == len(known)
    for s, (value, plies) in known.items():
        ours = 1 if game.mover(s) == 0 else -1
        assert solution.value(s) == WORDS[ours * value], s
        assert solution.distance(s) == plies, s
        if not game.over(s):
            keeping, fastest = best_moves(rules, known, s)
            assert names(solution.best_moves(s)) == keeping, s
            assert names(solution.fastest_moves(s)) == fastest, s
            explained = solution.explain(s)
            for move in game.legal(s):
                child = known[game.play(s, move)]
                plies_from_here = None if child.plies is None else child.plies + 1
                assert explained[move] == (WORDS[ours * child.value], plies_from_here), s


def names(moves: int) -> set[str]:
    return {str(move.bit_length() - 1) for move in each(moves)}


ACYCLIC = {
    "graph": lambda: gallery.graph(seed=5, nodes=60, cycles=False),
    "fences": gallery.fences,
    "fences 5": lambda: gallery.fences(5),
    "piles": gallery.piles,
    "scored": gallery.scored,
    "mutual": gallery.mutual,
    "hexapawn": lambda: load("hexapawn:blocked=loss"),
    "misere": lambda: load("tictactoe:misere=true"),
    "connect": lambda: load("connect_four:width=3,height=3,in_a_row=3"),
}
CYCLIC = {
    f"graph {seed}": lambda seed=seed: gallery.graph(seed=seed, nodes=30 + 5 * seed, degree=2 + seed % 3)
    for seed in range(1, 9)
} | {"tug": gallery.tug, "tug 9": lambda: gallery.tug(9), "tug 12": lambda: gallery.tug(12)}


def graph_130() -> Game:
    """The game of all tests whose subject is compiled retrograde analysis: its engines are made once, the
    faster the fewer nodes it has.
    """
    return gallery.graph(seed=5, nodes=130)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        later((name, method)) if name == "misere" and method else (name, method)
        for name, method in product(ACYCLIC, (None, "depth-first", "retrograde"))
    ],
)
def test_every_method_agrees_with_the_naive_solver(name: str, method: str | None) -> None:
    game = ACYCLIC[name]()
    solution = solve(game, job=Job(jit=False), method=method)
    assert not solution.cyclic
    assert solution.method == (method or "depth-first")
    check(game, solution)


@pytest.mark.parametrize("make", CYCLIC.values(), ids=CYCLIC)
@pytest.mark.parametrize("method", [None, "retrograde"])
def test_where_a_position_can_come_back_nobody_s_win_is_a_draw(make: object, method: str | None) -> None:
    game = make()
    solution = solve(game, job=Job(jit=False), method=method)
    assert solution.method == "retrograde"
    check(game, solution)


def test_some_positions_of_games_with_cycles_are_won_and_some_are_endless() -> None:
    """The naive oracle and the gallery do exercise what they are for."""
    seen = set()
    for make in CYCLIC.values():
        seen |= {(known.value, known.plies) for known in by_iteration(FromGame(make())).values()}
    assert (0, None) in seen
    assert {plies for value, plies in seen if value} >= {0, 1, 2, 3, 4}


COMPILED = [
    ("tictactoe", "layers"),
    ("tictactoe", "depth-first"),
    later(("misere", "layers")),
    later(("misere", "retrograde")),
    later(("fences", "layers")),
    later(("fences", "retrograde")),
    later(("graph", "depth-first")),
    later(("piles", "retrograde")),
]


@pytest.mark.parametrize(("name", "method"), COMPILED)
def test_compiled_methods_agree_with_the_naive_solver(name: str, method: str) -> None:
    game, notes = (ACYCLIC | {"tictactoe": lambda: load("tictactoe")})[name](), Notes()
    solution = solve(game, job=Job(jit=True, note=notes), method=method)
    assert solution.method == method
    assert not solution.cyclic
    assert notes == []
    check(game, solution)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("graph 130", None),
        later(("graph 300", None)),
        later(("graph 3", None)),
        later(("graph 4", "depth-first")),
        later(("tug 9", "retrograde")),
    ],
)
def test_compiled_games_with_cycles_agree_with_the_naive_solver(name: str, method: str | None) -> None:
    large = {"graph 130": graph_130, "graph 300": lambda: gallery.graph(seed=5, nodes=300)}
    game, notes = (CYCLIC | large)[name](), Notes()
    solution = solve(game, job=Job(jit=True, note=notes), method=method)
    assert solution.method == "retrograde"
    assert notes == []
    check(game, solution)


@pytest.mark.parametrize(("text", "positions"), [("tictactoe", 5478), later(("octapawn", 20286))])
def test_a_large_game_goes_over_to_compiled_code_and_agrees_with_itself(text: str, positions: int) -> None:
    game = load(text)
    pure, compiled = solve(game, job=Job(jit=False)), solve(game, job=Job(jit=True))
    assert len(pure) == len(compiled) == positions
    s = game.start
    while not game.over(s):
        assert (pure.value(s), pure.distance(s), pure.fastest_moves(s)) == (
            compiled.value(s),
            compiled.distance(s),
            compiled.fastest_moves(s),
        )
        s = game.play(s, next(each(compiled.fastest_moves(s))))


@pytest.mark.parametrize("text", ["hexapawn:blocked=loss", "nim", later("mnk:width=4,height=3")])
def test_best_play_from_the_start_takes_exactly_the_distance(text: str) -> None:
    game = load(text)
    solution = solve(game)
    s, plies = game.start, 0
    while not game.over(s):
        s, plies = game.play(s, next(each(solution.fastest_moves(s)))), plies + 1
    assert plies == solution.distance(game.start)


def test_a_solution_may_start_anywhere_and_knows_only_what_follows() -> None:
    game = load("tictactoe")
    after = game.position().play("4", "0").state
    for jit in (False, True):
        solution = solve(game, after, job=Job(jit=jit))
        assert solution.start == after
        assert len(solution) == count(game, after).states < 5478
        assert solution.value(after) == "draw"
        with pytest.raises(BadInput, match="cannot come up"):
            solution.value(game.start)
        with pytest.raises(BadInput, match="cannot come up"):
            solution.value(game.position().play("1").state)
        for alien in (game.position(), (1, 2)):
            with pytest.raises(BadInput, match=r"no state of tictactoe.*give a MnkState, as position.state"):
                solution.value(alien)  # type: ignore[arg-type]


def test_a_finished_position_can_be_solved() -> None:
    game = load("tictactoe")
    end = game.position().play(*"03142").state
    for jit in (False, True):
        solution = solve(game, end, job=Job(jit=jit))
        assert (len(solution), solution.value(end), solution.distance(end)) == (1, "loss", 0)
        assert solution.best_moves(end) == solution.fastest_moves(end) == 0
        assert solution.explain(end) == {}


def test_a_drawn_end_is_0_plies_away_and_another_draw_nowhere() -> None:
    game = load("tictactoe")
    solution = solve(game)
    drawn = game.position().play(*"012435768").state
    assert game.over(drawn)
    assert (solution.value(drawn), solution.distance(drawn)) == ("draw", 0)
    assert solution.distance(game.start) is None


# ------------------------------------------------------------------------------------------
# refusals


@pytest.mark.parametrize(
    ("make", "words"),
    [(gallery.secret, "hides"), (gallery.three_players, "two players.*3")],
)
def test_games_of_another_kind_are_refused_by_name(make: object, words: str) -> None:
    for jit in (None, False, True):
        with pytest.raises(Unsuitable, match=words):
            solve(make(), job=Job(jit=jit))


def test_payoffs_that_do_not_cancel_out_are_refused() -> None:
    """Both gain 1, or nobody loses: what is good for one says nothing about the other."""
    for win, loss in ((1, 1), (1, 0)):
        with pytest.raises((Unsuitable, BadGame)):
            solve(gallery.scored(win=win, loss=loss))


def test_payoffs_that_do_not_cancel_out_are_refused_also_from_a_file() -> None:
    with pytest.raises((Unsuitable, BadGame)):
        solve(load(f"{gallery.__file__}:scored:win=1,loss=1"))


@pytest.mark.parametrize("jit", [False, later(True)])
def test_a_state_of_more_than_62_bits_is_solved_and_counted(jit: bool) -> None:
    game, job = gallery.wide(), Job(jit=jit)
    assert game.key_words == 2
    assert perft(game, 3) == [3, 9, 27]
    assert count(game, job=job).by_ply == [1, 3, 9, 27]
    found = solve(game, job=job)
    assert (len(found), found.method) == (40, "depth-first")


@pytest.mark.parametrize("work", [solve, count], ids=["solve", "count"])
def test_a_game_whose_own_bound_is_beyond_the_budget_is_refused_before_it_starts(work: object) -> None:
    def never(done: int, total: int | None, what: str) -> None:
        raise AssertionError("it started")

    with pytest.raises(LimitReached, match=r"up to [0-9,]+ positions") as refusal:
        work(load("connect_four"), job=Job(memory=8 << 30, progress=never))
    assert refusal.value.exit_code == 3
    assert refusal.value.reached["states"] == load("connect_four").states


PAWNS = load("pawns:width=5,height=4")


@pytest.mark.parametrize(
    ("game", "memory", "jit"),
    [(PAWNS, 1_000_000, False), (graph_130(), 4_000, True), later((PAWNS, 1_000_000, True))],
    ids=["pure", "compiled", "compiled pawns"],
)
@pytest.mark.parametrize("method", ["depth-first", "retrograde"])
def test_a_game_without_a_bound_is_stopped_at_the_budget(
    game: Game, memory: int, jit: bool, method: str
) -> None:
    assert game.states is None
    with pytest.raises(LimitReached, match="by ply") as refusal:
        solve(game, job=Job(memory=memory, jit=jit), method=method)
    reached = refusal.value.reached
    assert reached["memory"] == memory
    assert 0 < reached["positions"] == sum(reached["by_ply"])
    assert all(isinstance(n, int) for n in reached["by_ply"])


@pytest.mark.parametrize(
    ("text", "jit"),
    [
        ("octapawn", None),
        ("octapawn", False),
        ("nim:heaps=12-12-12", True),  # its rules are fast to compile
        later(("octapawn", True)),
    ],
)
def test_counting_is_stopped_at_the_budget_with_its_growth_by_ply(text: str, jit: bool | None) -> None:
    with pytest.raises(LimitReached, match="by ply") as refusal:
        count(load(text), job=Job(memory=200_000, jit=jit))
    by_ply = refusal.value.reached["by_ply"]
    assert by_ply == count(load(text)).by_ply[: len(by_ply)]
    assert len(by_ply) > 2


def test_a_game_with_a_ply_is_stopped_at_the_budget_too() -> None:
    game = gallery.fences(11)
    for jit in (False, True):
        with pytest.raises(LimitReached, match="by ply") as refusal:
            count(game, job=Job(memory=100_000, jit=jit))
        assert refusal.value.reached["by_ply"][:2] == [1, 12]


def test_no_line_is_walked_again_where_all_have_ended() -> None:
    assert perft(load("nim:matches=3"), 1000) == [3, 3, 1, *[0] * 997]


@pytest.mark.parametrize("work", [solve, count, count_games, lambda game, start=None: perft(game, 2, start)])
def test_what_is_no_game_and_no_state_is_refused_in_a_line(work: Any) -> None:
    game = load("tictactoe")
    for wrong in ("tictactoe", game.position()):
        with pytest.raises(BadInput, match=r"is no game; give what damier\.load makes"):
            work(wrong)
    with pytest.raises(BadInput, match=r"give its position\.state"):
        work(game, game.position())


@pytest.mark.parametrize("text", ["nim:matches=3", "dots_and_boxes:columns=1,rows=1"])
def test_a_solution_says_what_it_is_asked_wrongly_and_is_short_in_a_terminal(text: str) -> None:
    solution = solve(load(text))
    for ask in (solution.value, solution.explain, solution.best_moves, solution.scores_of_moves):
        with pytest.raises(BadInput, match=r"as position\.state is one"):
            ask(solution.game.position())  # type: ignore[arg-type]
    assert len(repr(solution)) < 300


def test_an_unknown_method_and_layers_without_a_ply_are_refused() -> None:
    with pytest.raises(BadInput, match="depth-first layers retrograde"):
        solve(load("nim"), method="magic")
    for jit in (None, False, True):
        with pytest.raises(Unsuitable, match="layers needs a ply"):
            solve(load("nim"), method="layers", job=Job(jit=jit))


def test_complete_games_have_no_end_where_a_position_comes_back() -> None:
    with pytest.raises(Unsuitable, match="come back"):
        count_games(gallery.tug())


def test_progress_is_told() -> None:
    told: list[tuple[int, int | None, str]] = []
    solve(load("tictactoe"), job=Job(jit=True, progress=lambda *news: told.append(news)))
    assert told
    assert all(done >= 0 and (total is None or done <= total) and what for done, total, what in told)


# ------------------------------------------------------------------------------------------
# counting


@pytest.mark.parametrize("make", [*ACYCLIC.values(), *list(CYCLIC.values())[:4], CYCLIC["tug 12"]])
def test_counts_agree_with_a_naive_walk(make: object) -> None:
    game = make()
    found, counted = census(FromGame(game)), count(game, job=Job(jit=False))
    assert counted.by_ply == found.by_ply
    assert (counted.wins, counted.draws, counted.losses) == (found.wins, found.draws, found.losses)


def test_counts_up_to_symmetry_agree_with_a_naive_walk() -> None:
    for game in (
        gallery.piles(),
        load("hexapawn"),
        load("mnk:width=4,height=2"),
        load("connect_four:width=4,height=3,in_a_row=3"),
    ):

        def smallest(s: object, game: Game = game) -> int:
            return min(game.key(game.turn(s, symmetry)) for symmetry in range(game.symmetries()))

        found, counted = census(FromGame(game), smallest), count(game, symmetric=True)
        assert counted.by_ply == found.by_ply
        assert (counted.wins, counted.draws, counted.losses) == (found.wins, found.draws, found.losses)


# ------------------------------------------------------------------------------------------
# perfect players


def test_the_perfect_player_says_how_likely_each_move_is() -> None:
    game = load("tictactoe")
    solution = solve(game)
    # crosses win with 2 or 6, and with nothing else that keeps the fork
    fork = game.position().play("0", "8").state
    winning = set(each(solution.best_moves(fork)))
    assert winning == {1 << cell for cell in (2, 6)} | (winning & {1 << cell for cell in (1, 3, 4, 5, 7)})
    policy = PerfectPlayer(solution).probabilities(game, fork)
    assert set(policy) == set(game.legal(fork))
    assert {move for move, share in policy.items() if share} == winning
    assert all(share == pytest.approx(1 / len(winning)) for share in policy.values() if share)


@pytest.mark.parametrize("prefer", ["value", "fastest"])
@pytest.mark.parametrize("ties", ["first", "last", "random"])
def test_probabilities_of_every_rule_of_ties(prefer: str, ties: str) -> None:
    game = load("hexapawn:blocked=loss")
    solution = solve(game)
    player = PerfectPlayer(solution, prefer, ties)
    for s in by_recursion(FromGame(game)):
        if game.over(s):
            continue
        equals = list(each(solution.best_moves(s) if prefer == "value" else solution.fastest_moves(s)))
        expected = {"first": equals[:1], "last": equals[-1:], "random": equals}[ties]
        assert player.probabilities(game, s) == {
            move: 1 / len(expected) if move in expected else 0.0 for move in game.legal(s)
        }
        rng = [3]
        drawn = {player.choose(game, s, rng) for _draw in range(40)}
        assert drawn <= set(expected)
        assert ties == "random" or drawn == set(expected)


def test_the_perfect_player_never_loses_what_it_holds() -> None:
    game = load("hexapawn:blocked=loss")
    player, rng = PerfectPlayer(solve(game)), [5]
    for game_number in range(50):
        s = game.start
        while not game.over(s):
            legal = game.legal(s)
            s = game.play(
                s,
                (
                    player.choose(game, s, rng)
                    if game.mover(s) == 1
                    else legal[(game_number * 7 + s.white) % len(legal)]
                ),
            )
        assert game.payoff(s, 1) == 1


def test_where_a_position_can_come_back_only_the_fastest_way_is_offered() -> None:
    solution = solve(gallery.graph(seed=3, nodes=45))
    assert solution.cyclic
    with pytest.raises(BadInput, match="fastest"):
        PerfectPlayer(solution, "value")
    assert PerfectPlayer(solution, "fastest").text == "perfect:prefer=fastest,ties=random"


@pytest.mark.parametrize("jobs", shortly([2, 3], 3))
@pytest.mark.parametrize(
    "game",
    [graph_130(), later(load("connect_four:width=4,height=3"))],
    ids=["graph", "connect_four"],
)
def test_cores_that_share_the_way_backwards_find_the_same_bytes(
    game: Game, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("damier.solve.retrograde.CHUNK", 40)
    one, several = (solve(game, job=Job(jit=True, jobs=n), method="retrograde") for n in (1, jobs))
    assert isinstance(one, Solution)
    assert isinstance(several, Solution)
    assert several.cyclic == one.cyclic
    assert len(several) == len(one) > 100
    for here, there in zip(arrays_of(several), arrays_of(one), strict=True):
        assert here.tobytes() == there.tobytes()


def test_two_cores_need_no_more_memory_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("damier.solve.retrograde.CHUNK", 40)
    game = graph_130()

    def solved(memory: int, jobs: int) -> tuple[bool, bytes]:
        table, cyclic = retrograde.solved(game, game.start, Job(jit=True, memory=memory, jobs=jobs))
        assert isinstance(table, KeyTable)
        return cyclic, table.scores.tobytes()

    def suffices(memory: int) -> bool:
        try:
            solved(memory, 1)
        except LimitReached:
            return False
        return True

    least = bisect_left(range(1 << 20), True, key=suffices)
    assert least > 0
    assert solved(least, 2) == solved(least, 1) == solved(1 << 30, 2)


def arrays_of(solution: Solution) -> list[IntArray | SmallIntArray]:
    table = solution.key_table()
    return [table.keys, table.scores]
