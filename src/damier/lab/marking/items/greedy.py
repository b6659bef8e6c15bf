"""Told not to learn, an agent plays a move of the highest score; among equals, any."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from damier.core.moves import each
from damier.core.position import Position
from damier.core.words import FormattedNumber, Message, Text, message, plural
from damier.lab.marking.finding import AnySeat, ExactTruth, Finding, Positive, WrongAnswer
from damier.lab.marking.items.learning import NEARLY, learnt, shown
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class GreedyItem:
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
        said = iter(submission.scores(agent, states, learning=False))
        played = submission.moves(agent, states, learning=False, seed=self.seed)
        for s, move in zip(states, played, strict=True):
            scores = dict(zip(each(game.moves(s)), islice(said, len(game.legal(s))), strict=True))
            numbers = {legal: score for legal, score in scores.items() if isinstance(score, (int, float))}
            best = max(numbers.values(), default=0.0)
            mine = numbers.get(move)
            if mine is None or mine < best - NEARLY:
                equals = [game.name_move(s, legal) for legal, score in numbers.items() if score == best]
                return Finding(
                    False,
                    message("a move is played whose score is not the highest"),
                    WrongAnswer(
                        Position(game, s),
                        scored(" ".join(equals), FormattedNumber(best, ".6g")),
                        scored(game.name_move(s, move), shown(scores[move])),
                    ),
                )
        return Finding(
            True,
            plural("the highest score in {n} position", "the highest score in {n} positions", len(states)),
        )


def scored(moves: str, score: Text) -> Message:
    """Moves and their score."""
    return message("{moves} ({score})", moves=moves, score=score)


@dataclass(frozen=True)
class TiesItem:
    """agent  the name of its class
    asked  how often; each of the equal moves must come once
    seed   of what it draws
    """

    agent: str
    asked: Positive
    seed: int

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, start = truth.game, truth.game.start
        agent = submission.agent(self.agent, self.seed)
        played = set(submission.moves(agent, [start] * self.asked, learning=False, seed=self.seed))
        if played == set(game.legal(start)):
            return Finding(True, message("among equal scores every move is played"))
        return Finding(
            False,
            message("asked {n} times where all scores are 0, some moves never come", n=self.asked),
            WrongAnswer(
                Position(game, start),
                " ".join(game.name_move(start, move) for move in game.legal(start)),
                " ".join(game.name_move(start, move) for move in game.legal(start) if move in played),
            ),
        )
