"""While it learns, an agent draws a move at random as often as it should."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from damier.core.moves import each
from damier.core.position import Position
from damier.core.words import message
from damier.lab.marking.finding import AnySeat, ExactTruth, Finding, Positive, WrongAnswer, share
from damier.lab.marking.submission import Submission

DEVIATIONS = 5.0
"""A right agent is further off less than once in a million."""


@dataclass(frozen=True)
class ExploringItem:
    """agent    the name of its class
    epsilon  the share of decisions that are drawn among all moves
    games    that it learns from first, until one move of the first position is best
    asked    how often it decides in the first position
    seed     of the games, and of what it draws
    seat     at which it plays the games; 0: in turn at both
    """

    agent: str
    epsilon: float
    games: int
    asked: Positive
    seed: int
    seat: AnySeat = 0

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, start = truth.game, truth.game.start
        agent = submission.agent(self.agent, self.seed)
        submission.train(agent, range(self.games), learning=True, seed=self.seed, seat=self.seat)
        scores = submission.scores(agent, [start], learning=True)
        numbers = [score if isinstance(score, (int, float)) else 0.0 for score in scores]
        best = [
            move
            for move, score in zip(each(game.moves(start)), numbers, strict=True)
            if score == max(numbers)
        ]
        played = submission.moves(agent, [start] * self.asked, learning=True, seed=self.seed)
        others = sum(move not in best for move in played) / self.asked
        right = self.epsilon * (1 - len(best) / len(numbers))
        room = DEVIATIONS * sqrt(right * (1 - right) / self.asked)
        if abs(others - right) <= room:
            return Finding(True, message("{share} of its moves are not the best one", share=share(others)))
        return Finding(
            False,
            message("it explores too much or too little"),
            WrongAnswer(
                Position(game, start),
                message("{share} other moves, give or take {room}", share=share(right), room=share(room)),
                share(others),
            ),
        )
