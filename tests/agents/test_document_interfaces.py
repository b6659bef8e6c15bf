"""Agents as the documents have them: transcriptions of S0's class, S3's and S4's, line by line, are asked by
their own methods, and learn what damier's own learners learn.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from damier.core.errors import AgentFault, BadInput, Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.loop import WINS, MatchSetup
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.lab.agent_file import data_of, load_into, own_player
from damier.lab.agents import Lab
from damier.lab.games import load
from damier.lab.grading import as_policy
from damier.lab.training import Plan, trainer

S0 = """
import random

class Player:
    def __init__(self, name, id, main):
        self.name, self.id, self.main = name, id, main
    def initialize(self):
        pass
    def update(self, state, reward, possible_actions):
        return -1
    def learn(self, state, reward):
        pass
    def save(self):
        pass

class Agent(Player):
    def __init__(self, name, id, main):
        super().__init__(name, id, main)
        self.states = []
        self.actions = []
        self.Qtable = []
        self.stateIndex = -1
        self.actionIndex = -1
        self.actionSequence = []
        self.stateSequence = []
        self.rewardSequence = []
        self.learnRate = 0.01
        self.gamma = 0.9
        self.epsilon = 1
        self.nbStep = 0

    def initialize(self):
        self.stateIndex = -1
        self.actionIndex = -1
        self.actionSequence.clear()
        self.stateSequence.clear()
        self.rewardSequence.clear()

    def update(self, state, reward, possible_actions):
        if state not in self.states:
            self.states.append(state)
            self.actions.append(list(possible_actions))
            self.Qtable.append([0.0] * len(possible_actions))
        self.stateIndex = self.states.index(state)
        rand = random.random()
        if rand < self.epsilon:
            self.actionIndex = int(random.random() * len(possible_actions))
        else:
            maxval = -1000
            for i in range(len(self.Qtable[self.stateIndex])):
                if self.Qtable[self.stateIndex][i] > maxval:
                    maxval = self.Qtable[self.stateIndex][i]
                    self.actionIndex = i
        if self.nbStep > 5000 and self.nbStep % 100 == 0:
            self.epsilon = 0.99 * self.epsilon
        self.nbStep += 1
        self.actionSequence.append(self.actionIndex)
        self.stateSequence.append(self.stateIndex)
        self.rewardSequence.append(reward)
        return possible_actions[self.actionIndex]

    def learn(self, state, reward):
        maxQ = 0
        reward_next = reward
        for i in range(len(self.actionSequence) - 1, -1, -1):
            row = self.Qtable[self.stateSequence[i]]
            action = self.actionSequence[i]
            q = (1 - self.learnRate) * row[action]
            row[action] = q + self.learnRate * (reward_next + self.gamma * maxQ)
            maxQ = max(row)
            reward_next = self.rewardSequence[i]
"""
S3 = """
import random

class Agent:
    def __init__(self, symbol, epsilon, alpha, is_train, states_length):
        self.symbol, self.epsilon, self.alpha, self.is_train = symbol, epsilon, alpha, is_train
        self.history = []
        self.estimations = [0] * states_length

    def choose_action(self, board, get_freeCellIndex, get_state):
        free = get_freeCellIndex()
        if random.random() < self.epsilon:
            return free[int(random.random() * len(free))]
        vmax, index = float("-inf"), 0
        for i in reversed(range(len(free))):
            board[free[i]] = self.symbol
            state = get_state(board)
            if vmax < self.estimations[state]:
                vmax, index = self.estimations[state], i
            board[free[i]] = 0
        return free[index]

    def update_estimations(self, reward):
        if self.is_train is False:
            self.history = []
            return
        for state in reversed(self.history):
            self.estimations[state] += self.alpha * (reward - self.estimations[state])
            reward = self.estimations[state]
        self.history = []
"""
S4 = """
import random

def start(agent):
    if agent.data is None:
        agent.data = {"scores": {}, "history": []}
    return agent.data

def moves(agent, board):
    return start(agent)["scores"].setdefault(board, {m: [0.0, 1] for m in range(9) if board[m] == " "})

def play(agent, board, player):
    known = moves(agent, board)
    if agent.training and random.random() < 0.25:
        move = random.choice(list(known))
    else:
        best = max(mean for mean, _count in known.values())
        move = random.choice([m for m, (mean, _count) in known.items() if mean == best])
    if agent.training:
        agent.data["history"].append((board, move))
    agent.player = player
    return move

def end(agent, board, winner):
    if not agent.training:
        return
    score = 0 if winner == "E" else 1 if winner == agent.player else -1
    for before, move in agent.data["history"]:
        mean, count = agent.data["scores"][before][move]
        agent.data["scores"][before][move] = [mean + (score - mean) / (count + 1), count + 1]
    agent.data["history"] = []

def getMoveScoreRlAgent(agent, board, move):
    return moves(agent, board)[move][0]
"""
WATCHED = """
TOLD = []

class Agent:
    def initialize(self):
        TOLD.append(("initialize",))
    def update(self, state, reward, possible_actions):
        TOLD.append(("update", state, reward, list(possible_actions)))
        return possible_actions[0]
    def learn(self, state, reward):
        TOLD.append(("learn", state, reward))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, code in {"s0": S0, "s3": S3, "s4": S4, "watched": WATCHED}.items():
        (tmp_path / f"{name}.py").write_text(code)
    return tmp_path


def learning(folder: Path, game: Game, file: str) -> Any:
    player = own_player(Lab(game), str(folder / file))
    player.learns = True
    return player


def play_on(player: Any, first: int, stop: int) -> list[list[int]]:
    table = MatchSetup(player.game, (player, RandomPlayer()), 1, record=True)
    return table.play(first, stop, jit=False).lines


@pytest.mark.parametrize("seat", [0, 1])
def test_the_class_of_s0_learns_what_its_document_says(folder: Path, seat: int) -> None:
    game = load("hexapawn")
    player = own_player(Lab(game), str(folder / "s0.py"))
    player.learns = True
    table = MatchSetup(game, (player, RandomPlayer()), 3, swap=2 * seat, record=True)
    q: dict[tuple[State, int], float] = {}
    for line in table.play(0, 200, jit=False).lines:
        s, decisions, gained = game.start, list[tuple[State, int]](), list[int]()
        for move in line:
            mine = game.mover(s) == seat
            if mine:
                decisions.append((s, move))
                gained.append(0)
            if gained:
                gained[-1] += 10 * game.reward(s, move) * (1 if mine else -1)
            s = game.play(s, move)
        payoff = game.payoff(s, seat)
        reward, later = 100.0 * payoff if payoff else 10.0, 0.0
        for number in reversed(range(len(decisions))):
            old = q.get(decisions[number], 0.0)
            q[decisions[number]] = (1 - 0.01) * old + 0.01 * (reward + 0.9 * later)
            at = decisions[number][0]
            later = max(q.get((at, move), 0.0) for move in game.legal(at))
            reward = gained[number - 1]
    assert len(q) > 40
    agent: Any = player.agent
    assert agent.written.id == seat + 1
    for (s, move), value in q.items():
        assert agent.move_score(player.position(s), game.name_move(s, move)) == pytest.approx(value, abs=1e-9)


def test_states_rewards_and_actions_are_those_of_the_document(folder: Path) -> None:
    game = load("hexapawn")
    player = own_player(Lab(game), str(folder / "watched.py"))
    player.learns = True
    table = MatchSetup(game, (RandomPlayer(), player), 3, record=True)
    lines = table.play(0, 40, jit=False).lines
    told: list[Any] = []
    for line in lines:  # what the document's main program tells player 2, row A-8 of the specification
        s, gained = game.start, 0
        told.append(("initialize",))
        for move in line:
            if game.mover(s) == 1:
                told.append(
                    ("update", game.id(s)[1], gained, [each.bit_length() - 1 for each in game.legal(s)])
                )  # type: ignore[index, misc]
                gained = 0
            gained += 10 * game.reward(s, move) * (1 if game.mover(s) == 1 else -1)
            s = game.play(s, move)
        payoff = game.payoff(s, 1)
        told.append(("learn", None, 100 * payoff if payoff else 10))
    found = player.agent.written.update.__func__.__globals__["TOLD"]  # type: ignore[attr-defined]
    assert [each if each[0] != "learn" else ("learn", None, each[2]) for each in found] == told
    assert any(each[2] == -10 for each in found if each[0] == "update")


def test_what_draws_only_to_explore_is_graded_exactly(folder: Path) -> None:
    game = load("hexapawn")
    made = trainer(Lab(game, Job(jit=False)), Plan(str(folder / "s0.py"), "random", "1", seed=1))
    made.training.run(6, made.lab.job)
    assert all(block.grade for block in made.training.curve.blocks)
    assert made.training.curve.blocks[-1].epsilon == 1
    lab = Lab(load("tictactoe"))
    policy, why = as_policy(lab, own_player(lab, str(folder / "s4.py")))
    assert policy is None
    assert "draws random numbers" in why


@pytest.mark.parametrize("softly", ["choices(possible_actions)[0]", "choice(possible_actions)"])
def test_what_it_draws_may_decide(folder: Path, softly: str) -> None:
    (folder / "soft.py").write_text(
        S0.replace("return possible_actions[self.actionIndex]", f"return random.{softly}")
    )
    lab = Lab(load("hexapawn"))
    policy, why = as_policy(lab, own_player(lab, str(folder / "soft.py")))
    assert policy is None
    assert "draws random numbers" in why


@pytest.mark.parametrize(
    ("game", "file"), [("hexapawn", "s0.py"), ("tictactoe", "s3.py"), ("tictactoe", "s4.py")]
)
def test_what_it_has_learnt_is_kept_and_goes_on(folder: Path, game: str, file: str) -> None:
    first, second = (learning(folder, load(game), file) for _ in range(2))
    play_on(first, 0, 60)
    kept = json.loads(json.dumps(data_of(first)))
    load_into(second, kept)
    assert data_of(second) == kept
    assert play_on(first, 60, 120) == play_on(second, 60, 120)
    assert data_of(first) == data_of(second) != kept


@pytest.mark.parametrize("file", ["s3.py", "s4.py"])
def test_s3_and_s4_get_better(folder: Path, file: str) -> None:
    game = load("tictactoe")
    player = own_player(Lab(game), str(folder / file))
    before = MatchSetup(game, (player, RandomPlayer()), 2).play(0, 300, jit=False).tallies
    player.learns = True
    MatchSetup(game, (player, RandomPlayer()), 1).play(0, 1500, jit=False)
    player.learns = False
    after = MatchSetup(game, (player, RandomPlayer()), 2).play(0, 300, jit=False).tallies
    assert after[WINS] > before[WINS] + 30


def test_the_scores_of_s4_are_those_of_its_own_function(folder: Path) -> None:
    player = learning(folder, load("tictactoe"), "s4.py")
    play_on(player, 0, 100)
    position = player.game.position()
    scores = player.agent.written.data["scores"][position.board]
    assert any(mean for mean, _count in scores.values())
    assert {m: player.agent.move_score(position, m) for m in position.moves} == {
        str(m): mean for m, (mean, _count) in scores.items()
    }


def test_what_does_not_fit_is_said(folder: Path) -> None:
    lab = Lab(load("tictactoe"))
    with pytest.raises(Unsuitable, match="document S0, which do not fit tictactoe"):
        own_player(lab, str(folder / "s0.py"))
    with pytest.raises(Unsuitable, match="document S4, which do not fit hexapawn"):
        own_player(Lab(load("hexapawn")), str(folder / "s4.py"))
    with pytest.raises(BadInput, match="no interface is called s9; there are: s0 s1 s3 s4"):
        own_player(lab, f"{folder / 's4.py'}:interface=s9")
    (folder / "far.py").write_text(WATCHED.replace("possible_actions[0]", "99"))
    player = own_player(Lab(load("hexapawn")), f"{folder / 'far.py'}:interface=s0")
    with pytest.raises(AgentFault, match=r"far.py:7: update returned 99; possible_actions are 0 3 6"):
        player.choose(player.game, player.game.start, [0])
    (folder / "kept.json").write_text("{}")
    player.agent.load({"pairs": [["learnRate", 0.5]]})  # type: ignore[attr-defined]
    for damaged in ({"pairs": [[1]]}, {"other": 1}, [1], {"pairs": [[[1], 2]]}):
        with pytest.raises(AgentFault):
            player.call(player.agent.load, damaged)  # type: ignore[attr-defined]


def test_numbers_of_numpy_and_values_of_a_class_are_taken_and_functions_share_nothing(folder: Path) -> None:
    (folder / "counted.py").write_text(
        "import numpy\n\n\nclass Counted:\n    ended = 0\n\n    def play(self, board, player):\n"
        "        return numpy.int64(board.index(' '))\n\n    def end(self, board, winner):\n"
        "        self.ended += 1\n"
    )
    player = learning(folder, load("tictactoe"), "counted.py")
    play_on(player, 0, 5)
    again = learning(folder, load("tictactoe"), "counted.py")
    load_into(again, data_of(player))
    assert again.agent.written.ended == player.agent.written.ended == 5
    (folder / "far.py").write_text(WATCHED.replace("possible_actions[0]", "possible_actions"))
    with pytest.raises(
        AgentFault, match=r"far.py:7: update returned \[0, 3, 6\]; possible_actions are 0 3 6"
    ):
        learning(folder, load("hexapawn"), "far.py").choose(load("hexapawn"), load("hexapawn").start, [0])
    first = learning(folder, load("tictactoe"), "s4.py")
    play_on(first, 0, 5)
    assert learning(folder, load("tictactoe"), "s4.py").agent.written.data is None
