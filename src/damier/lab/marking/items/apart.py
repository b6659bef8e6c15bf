"""Two agents of one class learn each for itself: what they know is no global variable."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.words import message
from damier.lab.marking.finding import AnySeat, ExactTruth, Finding
from damier.lab.marking.items.learning import met, scores_checked
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class ApartItem:
    """agent  the name of its class
    games  that the first plays before the second is asked
    seed   of these games
    seat   at which it plays them; 0: in turn at both
    """

    agent: str
    games: int
    seed: int
    seat: AnySeat = 0

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        learner = submission.agent(self.agent, self.seed)
        other = submission.agent(self.agent, self.seed + 1)
        lines = submission.train(learner, range(self.games), learning=True, seed=self.seed, seat=self.seat)
        seen = list(met(truth.game, lines, seat=self.seat))
        what = message("the other agent has not played a game")
        wrong = scores_checked(submission, other, truth.game, seen, lambda s, move: 0.0, what)
        return wrong or Finding(True, message("what one agent learns, the other does not know"))
