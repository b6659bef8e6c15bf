"""An agent is worth so much, exactly: as it is, or once it has learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import exp, sqrt
from statistics import mean, stdev

from damier.core.bits import Rng
from damier.core.game import Game, Position
from damier.core.grade import Grade
from damier.core.json_types import JsonValue
from damier.core.moves import each
from damier.core.player import AskedPlayer
from damier.core.rules import State
from damier.core.words import FormattedNumber, Message, message, plural
from damier.plugins.classroom.marking.finding import (
    AnySeat,
    ExactTruth,
    Finding,
    Positive,
    WrongAnswer,
    share,
)
from damier.plugins.classroom.marking.learning_items import LearntItem, near, player_at, shown
from damier.plugins.classroom.marking.submission import Submission

STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""97.5 % of Student's distribution lies below, for so many runs; of more runs the interval is a little
wider than it need be.
"""


@dataclass(frozen=True)
class AnsweredPolicy(AskedPlayer):
    """The moves that an agent played where it was asked, as a policy: how likely each move is."""

    weights: dict[State, dict[int, float]]
    text: str = "submission"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return max(self.weights[s], key=self.weights[s].__getitem__)

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
    """Item of a sheet: how well an agent plays after training.

    Attributes:
        agent: the name of its class
        games: that it learns from against random moves, for each of `seeds`
        at_least: the chance not to lose against random moves that it then has, on average over all seeds
        seat: at which it plays, and is graded; 0: in turn at both, and the mean of both
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
        """Return what it plays after its games."""
        agent = submission.agent(self.agent, seed)
        submission.train(agent, range(self.games), learning=True, seed=seed, seat=self.seat)
        return answered(submission, agent, truth.decisions, seed)


def judged(truth: ExactTruth, passed: bool, said: Message, policy: AnsweredPolicy, seat: int) -> Finding:
    """Return what came of a grade; where it is too low, with the first move that gives a game away."""
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
    """Item of a sheet: how well an agent plays.

    Attributes:
        agent: the name of its class
        against: an agent by its name, such as random or perfect
        at_least: the chance not to lose against it
        seat: at which it plays; 0: the mean of both
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
    """Item of a sheet: an agent that nobody can beat.

    Attributes:
        agent: the name of its class
    """

    agent: str

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        moves = submission.decisions(self.agent, truth.decisions)
        weights = [{move: 1.0} for move in moves]
        policy = AnsweredPolicy(dict(zip(truth.decisions, weights, strict=True)))
        lost = max(chances.win for chances in truth.against("random").grade(policy).best_response)
        said = message("the best opponent beats it in {share} of the games", share=share(lost))
        return judged(truth, lost == 0, message("nobody can beat it") if lost == 0 else said, policy, 0)


# Where an agent first gives a game away, to be shown.

CERTAIN = 1 - 1e-9


def first_mistake(
    truth: ExactTruth, weights: Mapping[State, Mapping[int, float]], seat: int
) -> WrongAnswer | None:
    """The first position in its own games, at this seat or at both, in which it need not lose, and may
    play a move after which it must; of several such moves the likeliest.
    """
    game = truth.game

    def lost(s: State, player: int) -> bool:
        return truth.worth[s] * (1 if game.mover(s) == player else -1) < 0

    for player in [player_at(seat, 0)] if seat else [0, 1]:
        seen, queue = {game.start}, [game.start]
        for s in queue:
            if game.over(s):
                continue
            mine = game.mover(s) == player
            moves = [move for move in game.legal(s) if not mine or weights[s].get(move, 0.0) > 0]
            safe = mine and not lost(s, player)
            wrong = [move for move in moves if safe and lost(game.play(s, move), player)]
            if wrong:
                played = max(wrong, key=lambda move: weights[s][move])
                chance = weights[s][played]
                name = game.name_move(s, played)
                return WrongAnswer(
                    Position(game, s),
                    " ".join(game.name_move(s, move) for move in each(truth.best_moves[s])),
                    name if chance > CERTAIN else message("{move} ({share})", move=name, share=share(chance)),
                )
            for move in moves:
                child = game.play(s, move)
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
    return None


# While it learns, an agent draws its moves as often as their scores say: one of 6 twice as often as one
# of 3.


@dataclass(frozen=True, kw_only=True)
class DrawnItem(LearntItem):
    """The agent draws its moves as often as their scores say.

    Attributes:
        asked: how often it decides, in the position whose scores differ most
    """

    asked: Positive

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        agent, met = self.learnt(submission)
        states = [s for s in met if len(game.legal(s)) > 1]
        said = iter(submission.scores(agent, states, learning=True))
        shares = {s: shares_of(game.legal(s), list(islice(said, len(game.legal(s))))) for s in states}
        s = max(shares, key=lambda s: max(shares[s].values()) * len(shares[s]))
        played = submission.moves(agent, [s] * self.asked, learning=True, seed=self.seed)
        for move, right in shares[s].items():
            found = played.count(move) / self.asked
            room = DEVIATIONS * sqrt(right * (1 - right) / self.asked)
            if abs(found - right) > room:
                expected = message("{share}, give or take {room}", share=share(right), room=share(room))
                return Finding(
                    False,
                    message("move {move} comes too often or too rarely", move=game.name_move(s, move)),
                    WrongAnswer(Position(game, s), expected, share(found)),
                )
        return Finding(True, message("every move comes as often as its score says"))


def shares_of(moves: list[int], scores: list[object]) -> dict[int, float]:
    """Return how often each move must come; all alike where the scores say nothing."""
    numbers = [max(0.0, score) if isinstance(score, (int, float)) else 0.0 for score in scores]
    total = sum(numbers)
    return {
        move: number / total if total else 1 / len(moves) for move, number in zip(moves, numbers, strict=True)
    }


# While it learns, an agent draws a move at random as often as it should.

DEVIATIONS = 5.0
"""A right agent is further off less than once in a million."""


@dataclass(frozen=True, kw_only=True)
class ExploringItem(LearntItem):
    """The agent draws a move at random as often as it should; `games` until one move of the first is best.

    Attributes:
        epsilon: the share of decisions that are drawn among all moves
        asked: how often it decides in the first position
    """

    epsilon: float
    asked: Positive

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, start = truth.game, truth.game.start
        agent, _met = self.learnt(submission)
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


def softmax(scores: Sequence[JsonValue]) -> list[float]:
    """The softmax of scores; what is no number counts as 0."""
    numbers = [float(score) if isinstance(score, (int, float)) else 0.0 for score in scores]
    weights = [exp(number - max(numbers)) for number in numbers]
    return [weight / sum(weights) for weight in weights]


# The policy of an agent is the softmax of its scores: e^score over the sum of these, row A-22 [S0].


@dataclass(frozen=True, kw_only=True)
class SoftmaxItem(LearntItem):
    """The policy of the agent is the softmax of its scores."""

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        agent, states = self.learnt(submission)
        policies = submission.policies(agent, states)
        if policies is None:
            return Finding(False, message("{agent} has no policy(position)", agent=self.agent))
        said = iter(submission.scores(agent, states, learning=False))
        for s, policy in zip(states, policies, strict=True):
            rights = softmax(list(islice(said, len(policy))))
            for (move, said_share), right in zip(policy.items(), rights, strict=True):
                if not near(said_share, right, submission.nearly):
                    name = game.name_move(s, move)
                    return Finding(
                        False,
                        message("the probability of move {move} is wrong", move=name),
                        WrongAnswer(Position(game, s), FormattedNumber(right, ".6g"), shown(said_share)),
                    )
        return Finding(True, plural("a softmax in {n} position", "a softmax in {n} positions", len(states)))
