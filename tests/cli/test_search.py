"""`damier search` and the agents that search: the contract of spec D, refusals, exact grades,
games.
"""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import gallery
import pytest
from commands import beginning

from damier import load
from damier.core.errors import BadInput, Unsuitable
from damier.core.job import Job
from damier.core.player import Policy
from damier.lab.agents import Lab, agent, policy, searcher
from damier.search import mcts as search_mcts
from damier.solve import PerfectPlayer, solve
from damier.solve.grade import grade

Captured = pytest.CaptureFixture[str]


call, _data = beginning()


def search(capsys: Captured, *arguments: str) -> dict[str, Any]:
    code, out, err = call(capsys, "search", *arguments, "--json")
    assert code == 0, err
    assert out.count("\n") == 1
    return json.loads(out)  # type: ignore[no-any-return]


def test_one_position_is_one(capsys: Captured) -> None:
    _code, out, _err = call(capsys, "search", "nim:matches=1", "minimax", "--pure")
    assert re.search(r"\b2 nodes, 2 different positions, 1 ply deep", out)
    _code, out, _err = call(capsys, "search", "nim:matches=1", "minimax", "--moves", "1", "--pure")
    assert re.search(r"\b1 node, 1 different position, 0 plies deep", out)


def test_where_the_game_is_over_nobody_is_to_move(capsys: Captured) -> None:
    for agent_text in ("minimax", "mcts"):
        _code, out, _err = call(capsys, "search", "tictactoe", agent_text, "--moves", "0,3,1,4,2")
        assert "the game is over, worth -1 to player 2." in out
        assert "to move" not in out


def test_the_contract(capsys: Captured) -> None:
    found = search(capsys, "tictactoe", "alphabeta", "--moves", "4,1")
    assert {"values", "best_moves", "value", "nodes", "explored", "plies", "seconds"} <= set(found)
    solution = solve(load("tictactoe"))
    position = load("tictactoe").position().play("4", "1")
    worth = {"win": 1, "draw": 0, "loss": -1}
    named = {
        position.game.name_move(position.state, move): worth[value]
        for move, (value, _plies) in solution.explain(position.state).items()
    }
    assert found["values"] == named
    assert found["best_moves"] == [move for move, value in named.items() if value == found["value"]]
    assert found["plies"] == 7
    assert (found["distance"], found["left_out"]) == (solution.distance(position.state), [])


@pytest.mark.parametrize(
    "text",
    [
        "minimax",
        "alphabeta:prune=strict",
        "alphabeta:window=null",
        "expectimax",
        "maxn",
        "mcts:simulations=500",
    ],
)
def test_every_search_reports_and_explains_itself(capsys: Captured, text: str) -> None:
    found = search(capsys, "hexapawn", text)
    assert found["best_moves"]
    assert set(found["best_moves"]) <= set(found["values"])
    assert found["line"][0] == found["best_moves"][0]
    code, out, _err = call(capsys, "search", "hexapawn", text)
    assert code == 0
    assert "best" in out


def test_maxn_tells_one_number_a_player(capsys: Captured) -> None:
    found = search(capsys, "nim:matches=5", "maxn")
    assert found["value"] == [-1, 1]
    assert all(len(value) == 2 for value in found["values"].values())


def test_a_seed_decides_what_mcts_finds(capsys: Captured) -> None:
    once, again, other = (
        search(capsys, "connect_four", "mcts:simulations=200", "--seed", seed) for seed in ("1", "1", "2")
    )
    assert once["visits"] == again["visits"] != other["visits"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("tictactoe", "random"), "alphabeta andor bfs dfs"),
        (("tictactoe", "alphabeta:window=half"), "full null"),
        (("tictactoe", "alphabeta:plies=0"), "above 0"),
        (("tictactoe", "alphabeta:plies=2,rounds=1"), "exclude"),
        (("tictactoe", "alphabeta:prune=never"), "weak strict"),
        (("tictactoe", "minimax:evaluate=beauty"), "lines threats"),
        (("tictactoe", "mcts:simulations=0"), "at least 1"),
        (("tictactoe", "minimax", "--moves", "4,4"), "legal"),
        ((f"{gallery.__file__}:dice", "minimax"), "expectimax"),
        ((f"{gallery.__file__}:dice", "expectimax:rounds=2"), "plies"),
        ((f"{gallery.__file__}:secret", "mcts"), "secrets"),
        ((f"{gallery.__file__}:secret", "maxn"), "secrets"),
        ((f"{gallery.__file__}:mutual", "alphabeta:evaluate=lines"), "none"),
    ],
)
def test_bad_input_is_one_line(capsys: Captured, arguments: tuple[str, ...], said: str) -> None:
    code, out, err = call(capsys, "search", *arguments)
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert said in err


def test_a_search_with_ties_is_graded_exactly() -> None:
    """Full-depth alpha-beta plays what the perfect player plays, so both have one grade."""
    game = load("hexapawn")
    lab = Lab(game, Job(jit=False))
    for ties in ("first", "last", "random"):
        searched = grade(game, policy(lab, f"alphabeta:ties={ties}"), policy(lab, "random"))
        perfect = grade(game, PerfectPlayer(solve(game), "value", ties), policy(lab, "random"))
        assert searched == perfect


def test_what_the_clock_or_random_numbers_decide_cannot_be_graded() -> None:
    lab = Lab(load("hexapawn"))
    for text in ("alphabeta:seconds=1", "mcts"):
        assert not isinstance(agent(lab, text), Policy)
        with pytest.raises(Unsuitable, match=text.split(":", maxsplit=1)[0]):
            policy(lab, text)
    assert isinstance(agent(lab, "alphabeta:nodes=100"), Policy)


def test_searches_play_matches(capsys: Captured) -> None:
    games = ("--games", "10", "--seed", "1", "--swap-seats", "--json")
    code, out, err = call(
        capsys, "match", "hexapawn:blocked=loss", "alphabeta", "mcts:simulations=50", *games
    )
    assert code == 0, err
    found = json.loads(out)
    assert found["games"] == 10
    assert found["seats"][1]["wins"] == 5  # Black has won from the start


def test_mcts_with_a_limit_of_time_alone_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """This clock goes on by a thousandth of a second when it is looked at: in one second there are
    more than a thousand simulations.
    """
    ticks = itertools.count()
    monkeypatch.setattr(search_mcts.time, "perf_counter", lambda: 0.001 * next(ticks))
    game = load("tictactoe")
    player = searcher(Lab(game), "mcts:seconds=1")
    assert player.text == "mcts:c=1.4,seconds=1.0"
    assert sum(player.analyse(game.start, 0).visits.values()) > 1_000
    both = searcher(Lab(game), "mcts:simulations=100,seconds=1")
    assert sum(both.analyse(game.start, 0).visits.values()) == 99
    assert searcher(Lab(game), "mcts").text == "mcts:simulations=1000,c=1.4"


def test_the_text_of_a_search_makes_it_again() -> None:
    lab = Lab(load("hexapawn"))
    for text in (
        "alphabeta:plies=3,prune=strict,table=true,order=true,evaluate=2*pawns+advance,ties=first",
        "alphabeta:table=true,window=null,ties=random",
        "mcts:simulations=70,c=2.0",
        "mcts:c=1.4,seconds=0.5",
        "maxn:rounds=2,ties=last",
    ):
        assert agent(lab, text).text == text
    with pytest.raises(BadInput):
        searcher(lab, "alphabeta:plies=x")


def test_selective_search_shows_its_evaluation_as_a_sum(capsys: Captured) -> None:
    found = search(capsys, "chess", "selective:plies=2")
    assert {"values", "best_moves", "value", "nodes", "explored", "plies", "seconds"} <= set(found)
    assert not found["exact"]
    assert set(found["evaluation"]["features"]) == set(load("chess").features)
    assert found["value"] == pytest.approx(sum(found["evaluation"]["line_end"].values()), abs=0.011)
    code, out, _err = call(capsys, "search", "chess", "selective:plies=1")
    assert code == 0
    assert "mobility" in out


def test_selective_search_says_a_win_and_its_distance(capsys: Captured) -> None:
    found = search(capsys, "chess", "selective:plies=3", "--position", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1")
    assert (found["best_moves"], found["distance"], found["value"]) == (["d1d8"], 1, 327.66)
