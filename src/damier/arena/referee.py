"""A recorded game played again by the rules: every move legal, and the payoffs those of its end."""

from __future__ import annotations

from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.past import NOTHING, Before, after
from damier.core.record import GameRecord
from damier.core.rules import State
from damier.core.words import message, printable

REMEMBERED = 100_000
"""Positions whose moves are kept by their names: most games of a match begin alike."""


class Referee:
    """Checks records of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._follow: dict[tuple[State, Before], dict[str, tuple[State, Before]]] = {}

    def check(self, record: GameRecord) -> None:
        """Raises BadFile, with the number of the move that is none, or the payoffs that are not the
        game's.
        """
        if len(record.players) != self.game.players:
            raise BadFile(
                message(
                    "{n} players; {game} has {right}",
                    n=len(record.players),
                    game=self.game.text,
                    right=self.game.players,
                )
            )
        s, before = self.game.start, NOTHING
        for number, name in enumerate(record.moves, 1):
            following = self._following(s, before).get(name)
            if following is None:
                legal = printable(" ".join(self._following(s, before)), 200)
                raise BadFile(
                    message(
                        "move {number}: {move} is not a legal move here; legal: {moves}",
                        number=number,
                        move=name,
                        moves=legal,
                    )
                )
            s, before = following
        if record.payoffs != (right := self.payoffs(record, s)):
            shown = [" ".join(f"{payoff:+d}" for payoff in payoffs) for payoffs in (record.payoffs, right)]
            raise BadFile(
                message(
                    "payoffs are {payoffs}; those of this game are {right}", payoffs=shown[0], right=shown[1]
                )
            )

    def payoffs(self, record: GameRecord, s: State) -> tuple[int, ...]:
        """What a game that led to `s` was worth to each.

        Raises BadFile where it ended otherwise than it says.
        """
        over, players = bool(self.game.over(s)), range(self.game.players)
        if record.resigned and (over or not record.finished):
            raise BadFile(message("a player is said to have given up a game that had ended, or went on"))
        if record.resigned:
            return tuple(-1 if player == self.game.mover(s) else 1 for player in players)
        if record.fault:
            raise BadFile(message("a player is said to have lost by a fault a game that it did not give up"))
        if record.finished != over:
            raise BadFile(
                message("the game is said to be finished, and goes on")
                if record.finished
                else message("the game is said to go on, and is finished")
            )
        return tuple(int(self.game.payoff(s, player)) if over else 0 for player in players)

    def _following(self, s: State, before: Before) -> dict[str, tuple[State, Before]]:
        """The positions that follow one at the end of a line, by the names of the moves."""
        found = self._follow.get((s, before))
        if found is None:
            game = self.game
            found = {game.name_move(s, move): after(game, s, move, before) for move in game.legal(s)}
            if len(self._follow) < REMEMBERED:
                self._follow[s, before] = found
        return found
