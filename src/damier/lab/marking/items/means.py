"""A learner's scores are exactly what its games make of them."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.words import _, grouped, ngettext
from damier.lab.marking.finding import ExactTruth, Finding
from damier.lab.marking.items.learning import Means, add_game, met, scores_checked
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class MeansItem:
    """agent    the name of its class
    games    after so many games it is asked, ascending; 0: before the first, and in every position
    learning whether it is told to learn; if not, nothing may change
    seed     of the games
    """

    agent: str
    games: tuple[int, ...]
    learning: bool
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, means, played = truth.game, Means(), 0
        agent = submission.agent(self.agent, self.seed)
        seen = met(game, ())
        for games in self.games:
            lines = submission.train(agent, range(played, games), learning=self.learning, seed=self.seed)
            seen |= met(game, lines, played)
            if self.learning:
                for number, line in enumerate(lines, played):
                    add_game(means, game, line, number % 2)
            played = games
            asked = list(seen) if games else truth.decisions
            what = ngettext("after {n} game", "after {n} games", games)
            wrong = scores_checked(submission, agent, game, asked, means, what)
            if wrong is not None:
                return wrong
        if not self.learning:
            return Finding(True, _("no score changes while it only plays what it knows"))
        return Finding(True, _("every score right to 1e-9, in {n} positions", n=grouped(len(asked))))
