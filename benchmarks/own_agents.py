"""Agents in Python files: games a second, and a learner beside the plain twin of damier's own."""

from __future__ import annotations

import time
from itertools import count

from benchmarks.measure import Bar, Bench, Row, Sample, build_folder, race, rate
from damier import load
from damier.core.job import Job
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.lab.agents import Lab, agent
from damier.lab.training import Plan, trainer
from damier.learn.training import ungraded

GAMES = 2_000
TEN_LINES = '''
"""Takes the centre, else a corner, else the first free cell."""
CORNERS = ("0", "2", "6", "8")

def play(position):
    if "4" in position.moves:
        return "4"
    for corner in CORNERS:
        if corner in position.moves:
            return corner
    return position.moves[0]
'''
LEARNER = """
class QLearning:
    def __init__(self, rng, alpha: float = 0.1, epsilon: float = 0.2):
        self.rng, self.alpha, self.epsilon, self.q = rng, alpha, epsilon, {}

    def row(self, position):
        row = self.q.get(position.board)
        if row is None:
            row = self.q[position.board] = dict.fromkeys(position.moves, 0.0)
        return row

    def choose(self, position):
        if self.learning and self.rng.random() < self.epsilon:
            return self.rng.choice(position.moves)
        row = self.row(position)
        return max(row, key=row.get)

    def learn(self, position, move, reward, next_position):
        later = max(self.row(next_position).values()) if next_position else 0.0
        row = self.row(position)
        row[move] += self.alpha * (reward + later - row[move])
"""


def playing(text: str) -> Sample:
    """Thousands of games of tic-tac-toe a second between an agent and the random player."""
    lab = Lab(load("tictactoe"), Job(jit=False))
    table = MatchSetup(lab.game, (agent(lab, text), RandomPlayer()), seed=1)
    numbers = count(0, GAMES)

    def play() -> int:
        first = next(numbers)
        return sum(table.play(first, first + GAMES, jit=False).tallies[:6])

    return rate(play, per=1e3)


def learning(text: str) -> Sample:
    """Thousands of games a second of a training in plain Python from nothing."""

    def sample() -> float:
        job = Job(jit=False)
        made = trainer(Lab(load("tictactoe"), job), Plan(text, "random", "1"))
        made.training.grade = ungraded
        begun = time.process_time()
        made.training.run(2 * GAMES, job)
        return 2 * GAMES / 1e3 / (time.process_time() - begun)

    return sample


def own_play(name: str) -> Row:
    """A `play` of ten lines against the random player at tic-tac-toe, plain Python on one core, against two
    random players of damier's own in the same loop.
    """
    path = build_folder() / "ten_lines.py"
    path.write_text(TEN_LINES)
    return race(name, "k games/s", "random in plain Python", playing(str(path)), playing("random"))


def own_learner(name: str) -> Row:
    """Q-learning of 25 lines of Python, from nothing against random at tic-tac-toe, against the plain twin of
    damier's own q.
    """
    path = build_folder() / "q_learning.py"
    path.write_text(LEARNER)
    own = "q:preset=one-step,alpha=0.1,epsilon=0.2"
    return race(name, "k games/s", "plain twin of q", learning(str(path)), learning(own))


BENCHES = (
    Bench("own-play", own_play, Bar(5, of="ours")),
    Bench("own-learner", own_learner, Bar(0.5)),
)
