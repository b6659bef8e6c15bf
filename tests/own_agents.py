"""Agents of one's own, as students write them."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from damier import Game, Job, load
from damier.agents.own import OwnPlayer
from damier.lab.agents import Lab, agent

CENTRE = """
def play(position):
    return "4" if "4" in position.moves else position.moves[0]
"""

LEARNER = """
class Learner:
    def __init__(self, game, rng, alpha: float = 0.2, epsilon: float = 0.1):
        self.values, self.rng, self.alpha, self.epsilon = {}, rng, alpha, epsilon

    def row(self, position):
        return self.values.setdefault(str(position.state), dict.fromkeys(position.moves, 0.0))

    def policy(self, position):
        row = self.row(position)
        return {max(row, key=row.get): 1.0}

    def choose(self, position):
        row = self.row(position)
        if self.learning and self.rng.random() < self.epsilon:
            return self.rng.choice(position.moves)
        return max(row, key=row.get)

    def learn(self, position, move, reward, next_position):
        later = max(self.row(next_position).values()) if next_position else 0.0
        row = self.row(position)
        row[move] += self.alpha * (reward + later - row[move])

    def save(self):
        return self.values

    def load(self, data):
        self.values = data
"""


def written(folder: Path, code: str, name: str = "mine.py") -> Path:
    """A file with this code."""
    path = folder / name
    path.write_text(dedent(code))
    return path


def own(path: Path, game: str | Game = "tictactoe", options: str = "", seed: int = 0) -> OwnPlayer:
    """The agent in a file."""
    lab = Lab(load(game) if isinstance(game, str) else game, Job(jit=False), seed=seed)
    found = agent(lab, f"{path}{options}")
    assert isinstance(found, OwnPlayer)
    return found


@pytest.fixture
def centre(tmp_path: Path) -> Path:
    return written(tmp_path, CENTRE, "centre.py")
