"""The searches of document S1: `explore` and its references, breadth first, and the forced win,
against plain recursion and exact values.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import gallery
import pytest
from lasting import later

from damier import Game, load
from damier.core.errors import LimitReached, Unsuitable
from damier.core.solution import value_of_score
from damier.lab.agents import Lab, agent, policy
from damier.search.state_space import Path, and_or, andor, bfs, dfs, optimistic, value_of
from damier.solve import solve
from tests.reached import states_of

Search = Callable[..., Path]
SMALL = [
    "nim",
    "nim:heaps=1-2-3",
    "nim:matches=9,misere=false",
    "hexapawn",
    "hexapawn:blocked=loss",
    "mnk:width=3,height=2,in_a_row=3",
]
IA, HUMAN = 0, 1


def nim(matches: int, mover: int) -> tuple[Game, Any]:
    game = load("nim")
    return game, type(game.start)(mover, matches)


def taken(game: Game, moves: tuple[int, ...]) -> list[str]:
    return [game.name_move(game.start, move) for move in moves]


def explore(matches: int, mover: int) -> int | None:
    """The report's function, its own way: the matches that the current player takes, 0 at an end
    won by the AI, None where there is no way.
    """
    if matches == 0:
        return 0 if mover == IA else None
    return next(
        (take for take in (3, 2, 1) if take <= matches and explore(matches - take, 1 - mover) is not None),
        None,
    )


def walked(game: Game, s: Any, line: tuple[int, ...]) -> Any:
    for move in line:
        assert move & game.moves(s)
        assert not game.over(s)
        s = game.play(s, move)
    return s


@pytest.mark.parametrize(("matches", "mover", "take"), [(4, HUMAN, "2"), (7, IA, "3"), (16, IA, "3")])
def test_the_reports_references(matches: int, mover: int, take: str) -> None:
    game, s = nim(matches, mover)
    assert taken(game, (dfs(game, s, IA).move,)) == [take]
    assert explore(matches, mover) == int(take)


def test_explore_equals_the_reports_at_every_state() -> None:
    for matches in range(1, 17):
        for mover in (IA, HUMAN):
            game, s = nim(matches, mover)
            for revisit in (False, True):
                found = dfs(game, s, IA, revisit=revisit)
                expected = explore(matches, mover)
                assert found.found == (expected is not None)
                assert not found.found or taken(game, (found.move,)) == [str(expected)]


def test_explore_is_wrong() -> None:
    """At 7 it takes 3 and hopes: 4 are left, from which the human wins. Right is 2."""
    game, s = nim(7, IA)
    found, exact = dfs(game, s, IA), solve(load("nim:matches=20"))
    assert taken(game, found.line) == ["3", "2", "1", "1"]
    assert exact.value(s) == "win"
    assert not found.move & exact.best_moves(s)
    assert taken(game, (andor(game, s, IA).move,)) == ["2"]
    asked = [nim(matches, IA)[1] for matches in range(1, 17)]
    right = [s for s in asked if exact.value(s) == "win" and dfs(game, s, IA).move & exact.best_moves(s)]
    assert [s.matches for s in right] == [2, 3, 4, 8, 12, 16]


@pytest.mark.parametrize("search", [dfs, bfs])
@pytest.mark.parametrize("text", [*SMALL[:-1], "tictactoe"])
def test_a_line_leads_to_a_won_game(search: Search, text: str) -> None:
    game = load(text)
    for player in (0, 1):
        found = search(game, game.start, player)
        end = walked(game, game.start, found.line)
        assert found.found
        assert game.over(end)
        assert game.payoff(end, player) > 0
        assert found.visited >= found.expanded >= 1


@pytest.mark.parametrize("text", SMALL)
def test_both_find_a_line_where_there_is_one_and_breadth_first_a_shortest(text: str) -> None:
    game = load(text)

    @cache
    def shortest(s: Any, player: int) -> float:
        if game.over(s):
            return 0 if game.payoff(s, player) > 0 else float("inf")
        return 1 + min(shortest(game.play(s, move), player) for move in game.legal(s))

    for s in states_of(game):
        for player in (0, 1):
            deep, wide = dfs(game, s, player), bfs(game, s, player)
            assert deep.found == wide.found == (shortest(s, player) < float("inf"))
            assert not wide.found or len(wide.line) == shortest(s, player)
            assert dfs(game, s, player, revisit=True).line == deep.line
            assert bfs(game, s, player, revisit=True).line == wide.line


def test_what_the_list_of_visited_positions_saves() -> None:
    game, s = nim(16, IA)
    with_list, without = bfs(game, s, IA), bfs(game, s, IA, revisit=True)
    assert with_list.line == without.line
    assert (with_list.expanded, without.expanded) == (22, 122)
    assert taken(game, bfs(game, s, IA, order="first").line) == ["1", "3", "3", "3", "3", "3"]


@pytest.mark.parametrize("text", [*SMALL, later("tictactoe")])
def test_and_or_equals_exact_values_at_every_position(text: str) -> None:
    game = load(text)
    exact = solve(game)
    for s in states_of(game):
        if game.over(s):
            continue
        mover = game.mover(s)
        found = andor(game, s, mover)
        assert found.found == (exact.value(s) == "win")
        assert not found.found or found.move & exact.best_moves(s)
        assert found.expanded <= found.visited
        if text != "tictactoe":
            assert value_of(game, s) == exact.value(s)


@pytest.mark.parametrize("seed", range(20))
def test_and_or_does_not_assume_that_turns_alternate(seed: int) -> None:
    game = gallery.graph(seed, cycles=False)
    exact = solve(game)
    assert [value_of(game, s) for s in states_of(game) if not game.over(s)] == [
        exact.value(s) for s in states_of(game) if not game.over(s)
    ]


def test_the_plan_wins_whatever_the_opponent_plays() -> None:
    for text in ("nim", "nim:heaps=1-2-3", "hexapawn:blocked=loss"):
        game = load(text)
        winner = next(player for player in (0, 1) if andor(game, game.start, player).found)
        plan = andor(game, game.start, winner).plan
        waiting = [game.start]
        while waiting:
            s = waiting.pop()
            if game.over(s):
                assert game.payoff(s, winner) > 0
            else:
                moves = [plan[s]] if game.mover(s) == winner else game.legal(s)
                waiting += [game.play(s, move) for move in moves]


def test_a_finished_game() -> None:
    game, s = nim(0, IA)
    for search in (dfs, bfs):
        assert search(game, s, IA) == Path(IA, True, (), 0, 1)
        assert not search(game, s, HUMAN).found
    assert andor(game, s, IA).found
    assert andor(game, s, IA).line == ()


def test_positions_that_come_back() -> None:
    game = gallery.tug()
    assert dfs(game, game.start, 0).found == bfs(game, game.start, 0).found is True
    with pytest.raises(Unsuitable, match="can come back"):
        andor(game, game.start, 0)


@pytest.mark.parametrize("search", [dfs, bfs, andor])
def test_refused_by_name(search: Search) -> None:
    for game, reason in (
        (gallery.secret(), "secrets"),
        (gallery.dice(), "dice"),
        (gallery.three_players(), "two players"),
    ):
        with pytest.raises(Unsuitable, match=reason) as error:
            search(game, game.start, 0)
        assert search.__name__ in str(error.value)


@pytest.mark.parametrize(("search", "options"), [(dfs, {"revisit": True}), (bfs, {}), (andor, {})])
def test_a_limit_of_positions(search: Search, options: dict[str, Any]) -> None:
    game = gallery.tug() if search is dfs else load("tictactoe")
    with pytest.raises(LimitReached) as error:
        search(game, game.start, 1, nodes=3, **options)
    assert error.value.reached["expanded"] == 3


@pytest.mark.parametrize("matches", [6000, later(30_000)])
def test_a_line_deeper_than_pythons_stack(matches: int) -> None:
    game = load(f"nim:matches={matches}")
    assert len(dfs(game, game.start, 0, order="first").line) == matches > sys.getrecursionlimit()
    assert andor(game, game.start, 0).found


@pytest.mark.parametrize("text", [*SMALL, "hexapawn:width=2"])
def test_and_or_decides_exactly(text: str) -> None:
    game = load(text)
    exact = solve(game)
    for s in states_of(game):
        if not game.over(s):
            decided = and_or(game, s)
            assert decided.value == {"win": 1, "draw": 0, "loss": -1}[exact.value(s)]
            assert decided.best == exact.best_moves(s)
            assert {move: value_of_score(int(str(value))) for move, value in decided.values.items()} == {
                m: v for m, (v, _plies) in exact.explain(s).items()
            }
            quick = and_or(game, s, explain=False)
            assert quick.value == decided.value
            assert quick.best & decided.best == quick.best > 0


@pytest.mark.parametrize("search", [dfs, bfs])
def test_what_an_optimist_would_play(search: Search) -> None:
    game, s = nim(7, IA)
    decided = optimistic(search, game, s)
    assert (decided.value, decided.values, decided.best) == (1, {decided.pv[0]: 1}, decided.pv[0])
    assert not decided.exact
    lost = nim(1, IA)
    assert optimistic(search, *lost).value == 0
    assert optimistic(search, *lost).values == {}
    assert optimistic(search, *lost).best == 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("dfs", "dfs"),
        ("bfs:order=first,revisit=true", "bfs:order=first,revisit=true"),
        ("andor", "andor:ties=random"),
    ],
)
def test_as_agents(text: str, written: str) -> None:
    lab = Lab(load("nim"))
    player = agent(lab, text)
    assert player.text == written
    exact = solve(lab.game)
    keeps = []
    for s in states_of(lab.game):
        if not lab.game.over(s):
            chances = policy(lab, text).probabilities(lab.game, s)
            assert sum(chances.values()) == pytest.approx(1)
            keeps.append(sum(chance for move, chance in chances.items() if move & exact.best_moves(s)))
    assert len(keeps) == 30
    assert (sum(keeps) == pytest.approx(30)) == (text == "andor")


@pytest.mark.parametrize("text", ["dfs", "bfs", "andor"])
def test_agents_refuse_by_name(text: str) -> None:
    with pytest.raises(Unsuitable, match=text):
        agent(Lab(gallery.secret()), text)
