"""The policy of an agent is the softmax of its scores: e^score over the sum of these, row A-22 [S0]."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import exp

from damier.core.position import Position
from damier.core.words import FormattedNumber, message, plural
from damier.lab.marking.finding import AnySeat, ExactTruth, Finding, WrongAnswer
from damier.lab.marking.items.learning import learnt, near, shown
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class SoftmaxItem:
    """agent  the name of its class
    games  that it learns from first
    seed   of these games
    seat   at which it plays them; 0: in turn at both
    """

    agent: str
    games: int
    seed: int
    seat: AnySeat = 0

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        agent, states = learnt(submission, game, self.agent, self.games, self.seed, self.seat)
        policies = submission.policies(agent, states)
        if policies is None:
            return Finding(False, message("{agent} has no policy(position)", agent=self.agent))
        said = iter(submission.scores(agent, states, learning=False))
        for s, policy in zip(states, policies, strict=True):
            scores = [
                score if isinstance(score, (int, float)) else 0.0 for score in islice(said, len(policy))
            ]
            weights = [exp(score - max(scores)) for score in scores]
            for (move, share), weight in zip(policy.items(), weights, strict=True):
                right = weight / sum(weights)
                if not near(share, right):
                    name = game.name_move(s, move)
                    return Finding(
                        False,
                        message("the probability of move {move} is wrong", move=name),
                        WrongAnswer(Position(game, s), FormattedNumber(right, ".6g"), shown(share)),
                    )
        return Finding(True, plural("a softmax in {n} position", "a softmax in {n} positions", len(states)))
