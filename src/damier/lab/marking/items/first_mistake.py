"""Where an agent first gives a game away, to be shown."""

from __future__ import annotations

from collections.abc import Mapping

from damier.core.moves import each
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import message
from damier.lab.marking.finding import ExactTruth, WrongAnswer, share
from damier.lab.marking.items.learning import player_at

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
