"""Q-learning by the methods of damier, as a student would write them."""

import random


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
