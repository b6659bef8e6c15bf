"""An agent explores less and less, as it should: its attribute `epsilon` after so many decisions.

After [S0], row A-21.
"""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.position import Position
from damier.core.words import FormattedNumber, message
from damier.lab.marking.finding import ExactTruth, Finding, Positive, WrongAnswer
from damier.lab.marking.items.learning import near, shown
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class ScheduleItem:
    """agent      the name of its class
    decisions  after so many of them it is asked, ascending
    epsilon    at first
    after      decisions before which it stays so
    every      so many decisions it is multiplied by `factor`
    seed       of what the agent draws
    """

    agent: str
    decisions: tuple[int, ...]
    epsilon: float
    after: int
    every: Positive
    factor: float
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        agent, decided = submission.agent(self.agent, self.seed), 0
        start = truth.game.start
        for decisions in self.decisions:
            submission.moves(agent, [start] * (decisions - decided), learning=True, seed=self.seed)
            decided = decisions
            said = submission.ask("epsilon", agent=agent, learning=True)
            right = self._right(decisions)
            if not near(said, right):
                return Finding(
                    False,
                    message("after {n} decisions epsilon is wrong", n=FormattedNumber(decisions, ",")),
                    WrongAnswer(Position(truth.game, start), FormattedNumber(right, ".6g"), shown(said)),
                )
        return Finding(True, message("epsilon is right after {n} decisions", n=FormattedNumber(decided, ",")))

    def _right(self, decisions: int) -> float:
        decays = sum(step > self.after and step % self.every == 0 for step in range(decisions))
        return self.epsilon * self.factor**decays
