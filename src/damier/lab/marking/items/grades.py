"""An agent is worth so much, exactly: as it is, or once it has learnt."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean, stdev

from damier.core.bits import Rng
from damier.core.game import Game
from damier.core.grade import Grade
from damier.core.player import AnyKernel
from damier.core.rules import State
from damier.core.words import FormattedNumber, Message, message
from damier.lab.marking.finding import AnySeat, ExactTruth, Finding, share
from damier.lab.marking.items.first_mistake import first_mistake
from damier.lab.marking.submission import Submission

STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""97.5 % of Student's distribution lies below, for so many runs; of more runs the interval is a little
wider than it need be.
"""


@dataclass(frozen=True)
class AnsweredPolicy:
    """What an agent plays where it was asked, as a policy: how likely each move is."""

    weights: dict[State, dict[int, float]]
    text: str = "submission"
    compiles, learns = False, False

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return max(self.weights[s], key=self.weights[s].__getitem__)

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        return self.weights[s]


def answered(submission: Submission, agent: int, states: list[State], seed: int) -> AnsweredPolicy:
    """The policy of an agent that does not learn: what its `policy` says, or the moves that it plays."""
    weights = submission.policies(agent, states)
    if weights is None:
        moves = submission.moves(agent, states, learning=False, seed=seed)
        weights = [
            {move: float(move == played) for move in submission.game.legal(s)}
            for s, played in zip(states, moves, strict=True)
        ]
    return AnsweredPolicy(dict(zip(states, weights, strict=True)))


@dataclass(frozen=True)
class CurveItem:
    """agent     the name of its class
    games     that it learns from against random moves, for each of `seeds`
    at_least  the chance not to lose against random moves that it then has, on average over all seeds
    seat      at which it plays, and is graded; 0: in turn at both, and the mean of both
    """

    agent: str
    games: int
    seeds: tuple[int, ...]
    at_least: float
    seat: AnySeat = 0

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        policies = [self._learnt(submission, truth, seed) for seed in self.seeds]
        ends = [not_losing(truth.against("random").grade(policy), self.seat) for policy in policies]
        low, high = interval(ends)
        said = message(
            "after {games} games it does not lose in {share} of the games"
            " (95 % interval: {low} to {high}); asked for: {least}",
            games=FormattedNumber(self.games, ","),
            share=share(mean(ends)),
            low=share(low),
            high=share(high),
            least=share(self.at_least),
        )
        return judged(truth, mean(ends) >= self.at_least, said, policies[-1], self.seat)

    def _learnt(self, submission: Submission, truth: ExactTruth, seed: int) -> AnsweredPolicy:
        """What it plays after its games."""
        agent = submission.agent(self.agent, seed)
        submission.train(agent, range(self.games), learning=True, seed=seed, seat=self.seat)
        return answered(submission, agent, truth.decisions, seed)


def judged(truth: ExactTruth, passed: bool, said: Message, policy: AnsweredPolicy, seat: int) -> Finding:
    """What came of a grade; where it is too low, with the first move that gives a game away."""
    return Finding(passed, said, None if passed else first_mistake(truth, policy.weights, seat))


def not_losing(grade: Grade, seat: int) -> float:
    """The chance not to lose at a seat; 0: the mean of both."""
    seats = grade.seats[seat - 1 : seat] if seat else grade.seats
    return 1 - mean(chances.loss for chances in seats)


def interval(found: list[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, by Student's distribution, within 0 and 1."""
    if len(found) < 2:
        return 0.0, 1.0
    half = STUDENT[min(len(found), max(STUDENT))] * stdev(found) / len(found) ** 0.5
    return max(0.0, mean(found) - half), min(1.0, mean(found) + half)


@dataclass(frozen=True)
class GradeItem:
    """agent     the name of its class
    against   an agent by its name, such as random or perfect
    at_least  the chance not to lose against it
    seat      at which it plays; 0: the mean of both
    """

    agent: str
    against: str
    at_least: float
    seat: AnySeat = 0

    def require(self, truth: ExactTruth) -> None:
        """Raises DamierError for a name that is no agent's, or of one that nobody is graded against."""
        truth.against(self.against)

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        agent = submission.agent(self.agent, 0)
        policy = answered(submission, agent, truth.decisions, 0)
        found = not_losing(truth.against(self.against).grade(policy), self.seat)
        said = message(
            "against {agent} it does not lose in {share} of the games; asked for: {least}",
            agent=self.against,
            share=share(found),
            least=share(self.at_least),
        )
        return judged(truth, found >= self.at_least, said, policy, self.seat)


@dataclass(frozen=True)
class NeverLosesItem:
    """agent  the name of its class"""

    agent: str

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        moves = submission.decisions(self.agent, truth.decisions)
        weights = [{move: 1.0} for move in moves]
        policy = AnsweredPolicy(dict(zip(truth.decisions, weights, strict=True)))
        lost = max(chances.win for chances in truth.against("random").grade(policy).best_response)
        said = message("the best opponent beats it in {share} of the games", share=share(lost))
        return judged(truth, lost == 0, message("nobody can beat it") if lost == 0 else said, policy, 0)
