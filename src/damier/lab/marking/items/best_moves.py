"""An agent plays a move of the best value in every position."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.moves import each, holds
from damier.core.position import Position
from damier.core.words import FormattedNumber, message
from damier.lab.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class BestMovesItem:
    """agent  the name of its class"""

    agent: str

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game, states = truth.game, truth.decisions
        played = submission.decisions(self.agent, states)
        wrong = [index for index, s in enumerate(states) if not holds(truth.best_moves[s], played[index])]
        if not wrong:
            return Finding(
                True, message("a best move in all {n} positions", n=FormattedNumber(len(states), ","))
            )
        s = states[wrong[0]]
        right = " ".join(game.name_move(s, move) for move in each(truth.best_moves[s]))
        return Finding(
            False,
            message(
                "no best move in {n} of {all} positions",
                n=FormattedNumber(len(wrong), ","),
                all=FormattedNumber(len(states), ","),
            ),
            WrongAnswer(Position(game, s), right, game.name_move(s, played[wrong[0]])),
        )
