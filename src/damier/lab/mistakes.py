"""Where an agent first goes wrong: the positions that it can come into by right moves of its own,
whatever its opponent does, and in which it plays a move that gives away the exact value.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from damier.agents.own import OwnPlayer
from damier.core.bits import reseed
from damier.core.game import Game, Position
from damier.core.grade import Mistake
from damier.core.moves import each, holds
from damier.core.player import Player, Policy
from damier.core.rules import CHANCE, State
from damier.core.solution import AnySolution
from damier.core.words import _
from damier.lab.lab import Lab

ASKED = 8
"""How often an agent is asked in a position that cannot say its probabilities."""
LONGEST = 200
"""Plies of a line that punishes."""


def mistakes(lab: Lab, player: Player, most: int) -> list[Mistake]:
    """The first mistakes of an agent at either seat, those of fewer plies first.

    Raises LimitReached or Unsuitable where the game cannot be solved.
    """
    solution = lab.solution(_("to find mistakes needs the game solved"))
    asked_of = player.frozen() if isinstance(player, OwnPlayer) else player
    return list(islice(first_mistakes(lab.game, asked_of, solution), most))


def first_mistakes(game: Game, player: Player, solution: AnySolution) -> Iterator[Mistake]:
    """All of them, ply by ply; beyond a mistake nobody looks."""
    layer: dict[tuple[int, State], tuple[str, ...]] = {(seat, game.start): () for seat in range(game.players)}
    seen = set(layer)
    while layer:
        following: dict[tuple[int, State], tuple[str, ...]] = {}
        for (seat, s), moves in layer.items():
            if game.over(s):
                continue
            ours = game.mover(s) == seat
            shares = asked(game, player, s) if ours else dict.fromkeys(each(game.moves(s)), 1.0)
            right = solution.best_moves(s)
            for move, share in shares.items():
                child = (seat, game.play(s, move))
                if ours and not holds(right, move):
                    yield mistake(game, solution, seat, s, moves, move, share)
                elif child not in seen:
                    seen.add(child)
                    following[child] = (*moves, game.name_move(s, move))
        layer = following


def asked(game: Game, player: Player, s: State) -> dict[int, float]:
    """The moves that a player may choose, each with its share."""
    if isinstance(player, Policy):
        return {move: share for move, share in player.probabilities(game, s).items() if share > 0}
    found: dict[int, float] = {}
    for time in range(ASKED):
        rng = [0]
        reseed(rng, time, 0)
        move = player.choose(game, s, rng)
        found[move] = found.get(move, 0.0) + 1 / ASKED
    return {move: found[move] for move in game.legal(s) if move in found}


def mistake(
    game: Game, solution: AnySolution, seat: int, s: State, moves: tuple[str, ...], played: int, share: float
) -> Mistake:
    """A mistake with what was right, and what punishes it."""
    value, _distance = solution.explain(s)[played]
    return Mistake(
        Position(game, s),
        seat,
        moves,
        game.name_move(s, played),
        share,
        solution.value(s),
        value,
        tuple(game.name_move(s, move) for move in each(solution.best_moves(s))),
        tuple(best_line(game, solution, game.play(s, played))),
    )


def best_line(game: Game, solution: AnySolution, s: State) -> Iterator[str]:
    """How both play best from `s`, up to a throw of dice: the winner hurries, the loser delays."""
    for _ply in range(LONGEST):
        if game.over(s) or game.mover(s) == CHANCE:
            return
        move = next(each(solution.fastest_moves(s)))
        yield game.name_move(s, move)
        s = game.play(s, move)
