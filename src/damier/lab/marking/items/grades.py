"""An agent is worth so much against random moves: as it is, or once it has learnt."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean, stdev

from damier.core.bits import Rng
from damier.core.game import Game, each
from damier.core.player import AnyKernel
from damier.core.rules import State
from damier.core.words import _
from damier.lab.marking.finding import ExactTruth, Finding, share
from damier.lab.marking.submission import Submission

STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""97.5 % of Student's distribution lies below, for so many runs."""


@dataclass(frozen=True)
class AnsweredPolicy:
    """What an agent played where it was asked, as a policy."""

    moves: dict[State, int]
    text: str = "submission"
    compiles, learns = False, False

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return self.moves[s]

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        return {move: float(move == self.moves[s]) for move in each(game.moves(s))}


@dataclass(frozen=True)
class CurveItem:
    """agent     the name of its class
    games     that it learns from against random moves, for each of `seeds`
    at_least  the chance not to lose against random moves that it then has, on average over both
              seats and all seeds
    """

    agent: str
    games: int
    seeds: tuple[int, ...]
    at_least: float

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        ends = [self._end(submission, truth, seed) for seed in self.seeds]
        low, high = interval(ends)
        said = _(
            "after {games} games it does not lose with {share} [{low}, {high}]; asked for: {least}",
            games=self.games,
            share=share(mean(ends)),
            low=share(low),
            high=share(high),
            least=share(self.at_least),
        )
        return Finding(mean(ends) >= self.at_least, said)

    def _end(self, submission: Submission, truth: ExactTruth, seed: int) -> float:
        """The exact chance not to lose that it has after its games."""
        agent = submission.agent(self.agent, seed)
        submission.train(agent, range(self.games), learning=True, seed=seed)
        moves = submission.moves(agent, truth.decisions, learning=False, seed=seed)
        policy = AnsweredPolicy(dict(zip(truth.decisions, moves, strict=True)))
        return 1 - mean(chances.loss for chances in truth.against_random.grade(policy).seats)


def interval(found: list[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, by Student's distribution, within 0 and 1."""
    if len(found) < 2:
        return 0.0, 1.0
    half = STUDENT[len(found)] * stdev(found) / len(found) ** 0.5
    return max(0.0, mean(found) - half), min(1.0, mean(found) + half)


@dataclass(frozen=True)
class NeverLosesItem:
    """agent  the name of its class"""

    agent: str

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        moves = submission.decisions(self.agent, truth.decisions)
        policy = AnsweredPolicy(dict(zip(truth.decisions, moves, strict=True)))
        lost = max(chances.win for chances in truth.against_random.grade(policy).best_response)
        said = _("the best opponent beats it with {share}", share=share(lost))
        return Finding(lost == 0, _("nobody can beat it") if lost == 0 else said)
