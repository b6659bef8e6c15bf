"""Two agents of one class learn each for itself: what they know is no global variable."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.words import _
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.items.learning import Means, met, scores_checked
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class ApartItem:
    """agent  the name of its class
    games  that the first plays before the second is asked
    seed   of these games
    """

    agent: str
    games: int
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        learner = submission.agent(self.agent, self.seed)
        other = submission.agent(self.agent, self.seed + 1)
        lines = submission.train(learner, range(self.games), learning=True, seed=self.seed)
        seen = list(met(truth.game, lines))
        what = _("the other agent has not played a game")
        wrong = scores_checked(submission, other, truth.game, seen, Means(), what)
        return wrong or Finding(True, _("what one agent learns, the other does not know"))
