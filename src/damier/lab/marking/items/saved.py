"""What an agent has learnt goes on: another agent that loads what it has saved gives the same scores."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.words import message
from damier.lab.marking.finding import AnySeat, ExactTruth, Finding
from damier.lab.marking.items.learning import NEARLY, learnt, scores_checked
from damier.lab.marking.submission import Submission, whole


@dataclass(frozen=True)
class SavedItem:
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
        moves = [(s, move) for s in states for move in game.legal(s)]
        scores = dict(zip(moves, submission.scores(agent, states, learning=False), strict=True))
        numbers = {at: score for at, score in scores.items() if isinstance(score, (int, float))}
        if not any(abs(score) > NEARLY for score in numbers.values()):
            return Finding(False, message("there is nothing to save: it has learnt nothing"))
        other = whole(submission, submission.ask("saved", agent=agent, seed=self.seed, learning=False))
        wrong = scores_checked(
            submission,
            other,
            game,
            states,
            lambda s, move: numbers.get((s, move), 0.0),
            message("loaded again"),
        )
        return wrong or Finding(True, message("what is saved can be loaded again"))
