"""Games of damier in OpenSpiel, whose algorithms agree with damier's; games of OpenSpiel here, in every
command. Skipped where pyspiel is not installed.
"""

from __future__ import annotations

import copy
import pickle
import re
import runpy
import shlex
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import Captured, beginning
from lasting import later, long

from damier import load
from damier.core.errors import Unsuitable
from damier.interop import openspiel
from damier.interop.openspiel import PrintAlike, SpielStates, register, spiel_game
from damier.lab.agents import policy
from damier.lab.games import GAMES, Lab
from damier.solve import solve
from damier.solve.grade import grade
from damier.solve.store import load as load_solution, save

pyspiel = pytest.importorskip("pyspiel")
call, data = beginning()
HEXAPAWN, NIM = "damier_hexapawn(blocked=loss)", "damier_nim(matches=8)"
REFUSED = {"pacman"}  # three players


@pytest.fixture(scope="module", autouse=True)
def registered() -> list[str]:
    return register()


# ---- damier's games there


def test_every_game_of_two_players_is_there_once(registered: list[str]) -> None:
    assert {name for name in pyspiel.registered_names() if name.startswith("damier_")} == {
        f"damier_{name}" for name in GAMES if name not in REFUSED
    }
    assert register() == []


ALL = sorted({*GAMES} - REFUSED)
OPTIONS = [
    "hexapawn(width=4,height=3,blocked=loss)",
    "nim(matches=9,misere=false)",
    "mnk(width=4,height=3,in_a_row=3,misere=true)",
    later("go(size=5)"),
    "othello(size=4)",
]


@pytest.mark.parametrize(
    "text", [*(name if name in ("nim", "pig", "isola", "kalah") else later(name) for name in ALL), *OPTIONS]
)
def test_random_games_keep_what_openspiel_asks(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(f"damier_{text}"), num_sims=2, serialize=False, verbose=False)


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("damier_hexapawn(width=4,height=3)")
    assert game.get_parameters()["width"] == 4
    assert str(game.new_initial_state()).startswith("BBBB\n....\nWWWW\n")
    heaps = pyspiel.load_game("damier_nim", {"heaps": "1-2-3"})  # a text of digits is no text when written
    assert len(heaps.new_initial_state().legal_actions()) == 6
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("damier_hexapawn(widht=4)")


def test_games_and_states_are_sent_to_other_processes() -> None:
    game = pyspiel.load_game("damier_nim", {"heaps": "1-2", "take": "2"})
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    sent_game, sent = pickle.loads(pickle.dumps((game, state)))  # noqa: S301  its own
    assert str(sent_game) == str(game)
    assert (str(sent), sent.history()) == (str(state), state.history())
    assert sent.legal_actions() == state.legal_actions()
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read()))"
    there = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(state), capture_output=True, check=True
    )
    assert there.stdout.decode().strip() == str(state)
    assert str(copy.copy(state)) == str(copy.deepcopy(state)) == str(state)


def test_observations_are_of_the_player_who_asks() -> None:
    state = pyspiel.load_game("damier_tictactoe").new_initial_state()
    state.apply_action(4)
    observer = state.get_game().make_py_observer()
    own = []
    for player in (0, 1):
        observer.set_from(state, player)
        own.append(observer.dict["planes"][:2].sum(axis=(1, 2)).tolist())
    assert own == [[1, 0], [0, 1]]


@pytest.mark.parametrize(("text", "value"), [(HEXAPAWN, -1), (NIM, 1)])
def test_alpha_beta_and_value_iteration_agree_with_the_solution(
    text: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for_moves_at_once = "open_spiel.python.algorithms.lp_solver"  # needs a package more
    monkeypatch.setitem(sys.modules, for_moves_at_once, types.ModuleType(for_moves_at_once))
    from open_spiel.python.algorithms import minimax
    from open_spiel.python.algorithms.value_iteration import value_iteration

    game = pyspiel.load_game(text)
    name, _bracket, options = text.removeprefix("damier_").rstrip(")").partition("(")
    solution = solve(load(f"{name}:{options}"))
    assert solution.value(solution.start) == ("win" if value == 1 else "loss")
    assert minimax.alpha_beta_search(game)[0] == value
    values = value_iteration(game, -1, 1e-6)
    assert values[str(game.new_initial_state())] == value
    assert len(values) == len(solution)


def test_its_search_finds_the_winning_move() -> None:
    from open_spiel.python.algorithms import mcts

    game, random = pyspiel.load_game("damier_nim(matches=7)"), np.random.RandomState(7)
    bot = mcts.MCTSBot(game, 2.0, 500, mcts.RandomRolloutEvaluator(1, random), random_state=random)
    state = game.new_initial_state()
    best = solve(load("nim:matches=7")).best_moves(load("nim:matches=7").start)
    action = bot.step(state)
    assert load("nim:matches=7").name_moves(load("nim:matches=7").start, best) == [
        state.action_to_string(action)
    ]


@pytest.mark.parametrize(
    "text",
    ["hexapawn:blocked=loss", "nim:matches=8", "mnk:width=2,height=3,in_a_row=2", later("tictactoe")],
)
def test_exploitability_is_what_damier_grades(text: str) -> None:
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import exploitability

    name, _colon, options = text.partition(":")
    game = pyspiel.load_game(f"damier_{name}({options})")
    found = exploitability.nash_conv(game, policies.UniformRandomPolicy(game))
    lab = Lab(load(text))
    graded = grade(lab.game, policy(lab, "random"), policy(lab, "random"))
    assert found == pytest.approx(sum(best.payoff for best in graded.best_response), abs=1e-9)


def test_counterfactual_regret_goes_to_perfect_play() -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game = pyspiel.load_game("damier_nim(matches=5)")
    solver = cfr.CFRSolver(game)
    for _iteration in range(30):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < 0.2


# ---- its games here


@pytest.mark.parametrize(
    ("text", "positions", "ours"),
    [
        ("openspiel:tic_tac_toe", 5478, "tictactoe"),
        later(("openspiel:hex(board_size=3)", 5514, "hex:size=3")),
        ("openspiel:game=nim,pile_sizes=1;3", 12, "nim:heaps=1-3"),
        later(("openspiel:connect_four(rows=4,columns=4)", 161_029, "connect_four:width=4,height=4")),
    ],
)
def test_positions_and_value_are_those_of_the_same_game(text: str, positions: int, ours: str) -> None:
    game = load(text)
    solution = solve(game)
    assert len(solution) == positions
    assert load(game.text).text == game.text
    known = solve(load(ours))
    assert solution.value(game.start) == known.value(known.start)
    assert solution.distance(game.start) == known.distance(known.start)


def test_a_state_is_the_same_in_another_process_and_file(tmp_path: Path) -> None:
    text, path = "openspiel:tic_tac_toe", tmp_path / "solution"
    save(solve(load(text)), path)
    fresh = load(text)
    known = load_solution(path, fresh)
    position = fresh.position().play("x(0+0)", "o(0+1)")
    assert known.value(position.state) == "win"
    other = load(text)  # nothing has been played in it
    assert other.show(position.state) == str(position)


def test_states_that_print_alike_are_noticed_and_told_apart() -> None:
    game = load("openspiel:go(board_size=3)")
    assert game.text == "openspiel:go(board_size=3):history=true"
    position = game.position().play("B_PASS", "W_PASS")
    assert position.over
    once = game.position().play("B_PASS")
    assert not once.over
    states = SpielStates(pyspiel.load_game("go(board_size=3)"), "go", by_history=False)
    with pytest.raises(PrintAlike, match="history=true"):
        states.probe()


def test_a_position_that_differs_late_is_noticed_while_it_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SpielStates, "probe", lambda self: None)
    game = load("openspiel:go(board_size=2)")
    assert "history" not in game.text
    with pytest.raises(Unsuitable, match="print alike"):
        solve(game)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kuhn_poker", "imperfect information"),
        ("goofspiel", "move at once"),
        ("pig(players=3)", "3 players"),
        ("stones_and_gems", "how likely"),
        ("nothing", "Unknown game 'nothing'"),
        ("", "needs the name of one of OpenSpiel's games"),
        ("connect_four(rowz=4)", "Unknown parameter 'rowz'"),
        ("go(board_size=3):hist=1", "history=true"),
        ("hex(board_size=0)", "openspiel:hex(board_size=0): ValueError: "),
    ],
)
def test_what_is_no_such_game_is_refused_in_a_line(text: str, said: str, capfd: Any) -> None:
    code, _out, err = call(capfd, "play", f"openspiel:{text}", "random", "random")
    assert (code, err.count("\n"), said in err) == (2, 1, True), err


def test_payoffs_that_are_no_whole_numbers_are_refused() -> None:
    class Half:
        def returns(self) -> list[float]:
            return [0.5, -0.5]

    states = SpielStates(pyspiel.load_game("tic_tac_toe"), "t", by_history=False)
    states.known_states[states.start] = Half()
    with pytest.raises(Unsuitable, match=r"0\.5"):
        states.payoff(states.start, 0)


def test_moves_that_openspiel_cannot_write_are_numbers() -> None:
    class BeyondZ:
        """A board of so many columns that their letters are none."""

        def legal_actions(self) -> list[int]:
            return [3, 31]

        def current_player(self) -> int:
            return 0

        def action_to_string(self, player: int, action: int) -> str:
            return bytes([ord("a") + action % 32]).decode()

    states = SpielStates(pyspiel.load_game("tic_tac_toe"), "t", by_history=False)
    states.known_states[states.start] = BeyondZ()
    assert [states.name_move(states.start, move) for move in (4, 32)] == ["3", "31"]


def test_every_command_takes_them(tmp_path: Path, capsys: Captured) -> None:
    nim, agent = "openspiel:nim(pile_sizes=1;2)", str(tmp_path / "agent.json")
    assert data(capsys, "play", nim, "random", "perfect")["outcome"] in ("win", "loss")
    assert data(capsys, "match", nim, "perfect", "random", "--games", "20", "--jobs", "1")["games"] == 20
    solved = data(capsys, "solve", nim)
    searched = data(capsys, "search", nim, "alphabeta:plies=6")
    assert set(searched["best_moves"]) == set(solved["best_moves"])
    trained = data(capsys, "train", nim, "q", "--games", "100", "-o", agent)
    assert trained["grade"]["states"] > 0
    assert data(capsys, "show", agent)["game"] == nim
    graded = data(capsys, "grade", nim, f"q:file={agent}")
    assert graded["seats"] == trained["grade"]["seats"]
    assert data(capsys, "count", nim)["states"] == solved["positions"]
    code, out, _err = call(capsys, "replay", "openspiel:tic_tac_toe", "--moves", "x(1+1)")
    assert (code, ".x." in out) == (0, True)


def test_without_pyspiel_one_line_says_what_is_missing() -> None:
    program = (
        "import sys; sys.modules['pyspiel'] = None; from damier.cli.main import main;"
        " sys.exit(main(['play', 'openspiel:tic_tac_toe', 'random', 'random']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n"), "[openspiel]" in done.stderr) == (2, 1, True)


def test_a_page_cannot_ask_for_one() -> None:
    from damier.core.errors import UnknownName
    from damier.lab.games import brought

    with pytest.raises(UnknownName):
        brought("openspiel:efg_game(filename=/etc/passwd)")


def test_names_are_written_as_they_are_read_again() -> None:
    assert spiel_game("game=connect_four,rows=4,columns=4").text == "openspiel:connect_four(columns=4,rows=4)"
    assert openspiel.word_of_move("a b, c") == "a_b+_c"


@long
def test_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "openspiel.md").read_text(encoding="utf-8")
    lines = re.findall(r"^damier .*$", page, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        assert call(capsys, *shlex.split(line)[1:])[0] == 0
    [block] = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (tmp_path / "block.py").write_text(block)
    runpy.run_path("block.py")
