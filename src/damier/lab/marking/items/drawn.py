"""While it learns, an agent draws its moves as often as their scores say: one of 6 twice as often as one
of 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import sqrt

from damier.core.position import Position
from damier.core.words import message
from damier.lab.marking.finding import AnySeat, ExactTruth, Finding, Positive, WrongAnswer, share
from damier.lab.marking.items.exploring import DEVIATIONS
from damier.lab.marking.items.learning import learnt
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class DrawnItem:
    """agent  the name of its class
    games  that it learns from first
    asked  how often it decides, in the position whose scores differ most
    seed   of the games, and of what it draws
    seat   at which it plays the games; 0: in turn at both
    """

    agent: str
    games: int
    asked: Positive
    seed: int
    seat: AnySeat = 0

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        agent, met = learnt(submission, game, self.agent, self.games, self.seed, self.seat)
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
    """How often each move must come; all alike where the scores say nothing."""
    numbers = [max(0.0, score) if isinstance(score, (int, float)) else 0.0 for score in scores]
    total = sum(numbers)
    return {
        move: number / total if total else 1 / len(moves) for move, number in zip(moves, numbers, strict=True)
    }
