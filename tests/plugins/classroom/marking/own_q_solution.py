"""Q-learning and MENACE by the methods of damier, as a student would write them."""

import math
import random


def state_id(n):
    return sum((n[i] + 1) * 3**i for i in range(9))


def rewards(position, move):
    after = position.play(move)
    if after.over:
        return [{1: 100, 0: 10, -1: -100}[payoff] for payoff in after.payoffs]
    mine, theirs = ("W", "B") if position.mover == 0 else ("B", "W")
    eaten = 10 * (position.board.count(theirs) - after.board.count(theirs))
    return [eaten, -eaten] if mine == "W" else [-eaten, eaten]


class Agent:
    def __init__(self):
        self.learn_rate, self.gamma, self.epsilon = 0.01, 0.9, 1.0
        self.nb_step = 0
        self.q_table = {}

    def row(self, position):
        return self.q_table.setdefault(position.board, dict.fromkeys(position.moves, 0.0))

    def choose(self, position):
        row = self.row(position)
        if not self.learning:
            return self.greedy(row)
        explores = random.random() < self.epsilon
        if self.nb_step > 5000 and self.nb_step % 100 == 0:
            self.epsilon *= 0.99
        self.nb_step += 1
        return random.choice(position.moves) if explores else self.greedy(row)

    def greedy(self, row):
        return max(row, key=row.get)

    def learn(self, history, payoff):
        max_q = 0
        reward_next = {1: 100, 0: 10, -1: -100}[payoff]
        for number in range(len(history) - 1, -1, -1):
            position, move, _reward = history[number]
            row = self.row(position)
            row[move] = (1 - self.learn_rate) * row[move] + self.learn_rate * (
                reward_next + self.gamma * max_q
            )
            max_q = max(row.values())
            reward_next = 10 * history[number - 1][2]

    def move_score(self, position, move):
        return self.row(position)[move]

    def save(self):
        return [self.nb_step, self.epsilon, self.q_table]

    def load(self, data):
        self.nb_step, self.epsilon, self.q_table = data


class SoftmaxAgent(Agent):
    def policy(self, position):
        row = self.row(position)
        total = sum(math.exp(q) for q in row.values())
        return {move: math.exp(q) / total for move, q in row.items()}


def mirrored(board):
    return "".join(board[3 * row + 2 - column] for row in range(3) for column in range(3))


def box(position):
    return min(position.board, mirrored(position.board))


def mirrored_move(move):
    return "".join({"a": "c", "b": "b", "c": "a"}.get(sign, sign) for sign in move)


class Menace:
    def __init__(self):
        self.boxes = {}

    def bead(self, position, move):
        return move if box(position) == position.board else mirrored_move(move)

    def beads(self, position):
        kinds = [self.bead(position, move) for move in position.moves]
        return self.boxes.setdefault(box(position), dict.fromkeys(kinds, 2))

    def choose(self, position):
        weights = [self.beads(position)[self.bead(position, move)] for move in position.moves]
        return random.choices(position.moves, weights)[0] if sum(weights) else position.moves[0]

    def learn(self, history, payoff):
        for position, move, _reward in reversed(history):
            beads = self.beads(position)
            if payoff < 0:
                beads[self.bead(position, move)] -= 1
                if any(beads.values()):
                    return
            else:
                beads[self.bead(position, move)] += 3 if payoff > 0 else 1

    def move_score(self, position, move):
        return self.beads(position)[self.bead(position, move)]
