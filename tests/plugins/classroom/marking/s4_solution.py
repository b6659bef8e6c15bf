"""A right solution of document S4's project, as a student would write it."""

import random

VALUES = {}


def minimax(position):
    if position.board not in VALUES:
        if position.over:
            VALUES[position.board] = -1 if any(position.payoffs) else 0
        else:
            VALUES[position.board] = max(-minimax(position.play(move)) for move in position.moves)
    return VALUES[position.board]


class AiAgent:
    def play(self, position):
        return max(position.moves, key=lambda move: -minimax(position.play(move)))


class RlAgent:
    def __init__(self):
        self.means = {}

    def row(self, position):
        if position.board not in self.means:
            self.means[position.board] = dict.fromkeys(position.moves, (0.0, 1))
        return self.means[position.board]

    def play(self, position):
        if self.learning and random.random() < 0.25:
            return random.choice(position.moves)
        row = self.row(position)
        best = max(score for score, count in row.values())
        return random.choice([move for move, (score, count) in row.items() if score == best])

    def end(self, history, payoff):
        if not self.learning:
            return
        for position, move, _reward in history:
            row = self.row(position)
            score, count = row[move]
            row[move] = score + (payoff - score) / (count + 1), count + 1

    def move_score(self, position, move):
        return self.row(position)[move][0]

    def save(self):
        return self.means

    def load(self, data):
        self.means = data
