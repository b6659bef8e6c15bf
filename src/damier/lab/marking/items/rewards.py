"""A function says what a move pays both players: for what it takes, and for the end of the game.

After [S0], rows A-7 and A-9: at the end only the end counts, not what the last move took.
"""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.game import Game
from damier.core.json_types import JsonValue
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import Text, message
from damier.lab.marking.finding import ExactTruth, Finding, WrongAnswer
from damier.lab.marking.items.learning import near, shown
from damier.lab.marking.submission import Submission


@dataclass(frozen=True)
class RewardsItem:
    """function  its name; it is given a position and a move, and returns a number for each player
    event     for each gain of the mover, such as a pawn taken; the other gets as much less
    win       to the winner; the loser gets as much less
    draw      to both
    """

    function: str
    event: float
    win: float
    draw: float

    def check(self, submission: Submission, truth: ExactTruth) -> Finding:
        game = truth.game
        asked = [(s, move) for s in truth.decisions for move in game.legal(s)]
        given = [("move", s, game.name_move(s, move)) for s, move in asked]
        for (s, move), said in zip(asked, submission.answers(self.function, given), strict=True):
            right = self._right(game, s, move)
            if not alike(said, right):
                return Finding(
                    False,
                    message("the rewards of move {move} are wrong", move=game.name_move(s, move)),
                    WrongAnswer(Position(game, s), told(list(right)), told(said)),
                )
        return Finding(True, message("the rewards of all {n} moves are right", n=len(asked)))

    def _right(self, game: Game, s: State, move: int) -> tuple[float, ...]:
        child = game.play(s, move)
        if game.over(child):
            payoffs = [game.payoff(child, player) for player in range(game.players)]
            return tuple(self.win * payoff if payoff else self.draw for payoff in payoffs)
        gained, mover = self.event * game.reward(s, move), game.mover(s)
        return tuple(gained if player == mover else -gained for player in range(game.players))


def alike(said: JsonValue, right: tuple[float, ...]) -> bool:
    return (
        isinstance(said, list)
        and len(said) == len(right)
        and all(near(one, other) for one, other in zip(said, right, strict=True))
    )


def told(said: JsonValue) -> Text:
    """Rewards in words: what the first player gets, and the second."""
    if not isinstance(said, list) or len(said) != 2:
        return shown(said)
    return message("player 1: {first}, player 2: {second}", first=shown(said[0]), second=shown(said[1]))
