"""What a function of a position can be asked for, and the right answers, worked out from the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.json_types import JsonValue
from damier.core.rules import Moves, State
from damier.core.words import message
from damier.lab.marking.finding import ExactTruth
from damier.lab.marking.submission import Given


def as_said(answer: JsonValue) -> JsonValue:
    """An answer as it is."""
    return answer


def as_move(answer: JsonValue) -> JsonValue:
    """A move by its name, also where a number was said."""
    return str(answer) if isinstance(answer, int) and not isinstance(answer, bool) else answer


def as_moves(answer: JsonValue) -> JsonValue:
    """Moves by name, in whatever order."""
    return sorted(str(as_move(move)) for move in answer) if isinstance(answer, list) else answer


@dataclass(frozen=True)
class ExactAnswer:
    """right  the answers that are right in a position
    ended  whether positions are asked in which the game has ended; read  how an answer is understood
    given  what the function is given of a position
    recursive  whether a mistake goes on to the positions before: the last wrong one tells most
    """

    right: Callable[[ExactTruth, State], Sequence[JsonValue]]
    ended: bool = True
    read: Callable[[JsonValue], JsonValue] = as_said
    given: Callable[[Game, State], Given] = lambda game, s: ("position", s)
    recursive: bool = False


def winner(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The player who has won, from 0; None where nobody has."""
    game = truth.game
    won = [player for player in range(game.players) if game.over(s) and game.payoff(s, player) > 0]
    return won or [None]


def legal_moves(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The names of all legal moves."""
    return [sorted(truth.game.name_move(s, move) for move in truth.game.legal(s))]


def winning_move(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """Any move that wins whatever the other does; None where there is none."""
    return names(truth.game, s, truth.best_moves[s]) if truth.worth[s] == 1 else [None]


def optimistic_move(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """Any first move of a way on which player 0 wins in the end, the other helping; None where there is
    no such way.
    """
    ways = 0
    for move in truth.game.legal(s):
        if can_win(truth, truth.game.play(s, move)):
            ways |= move
    return names(truth.game, s, ways) or [None]


def can_win(truth: ExactTruth, s: State) -> bool:
    """Whether player 0 wins in some position that can come up from here."""
    game, seen, queue = truth.game, {s}, [s]
    for found in queue:
        if game.over(found) and game.payoff(found, 0) > 0:
            return True
        for move in game.legal(found):
            child = game.play(found, move)
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return False


def complete_tree(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """How many nodes the tree of all games from here has, this one included."""
    known: dict[State, int] = {}

    def nodes(at: State) -> int:
        if at not in known:
            game = truth.game
            known[at] = 1 + sum(nodes(game.play(at, move)) for move in game.legal(at))
        return known[at]

    return [nodes(s)]


def truncated_tree(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The same, where a position that stands in the tree already is one node without any below it: the
    first position, and one node a move of each.
    """
    game, seen, queue = truth.game, {s}, [s]
    for found in queue:
        for move in game.legal(found):
            child = game.play(found, move)
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return [1 + sum(len(game.legal(found)) for found in queue)]


def numbers_of(game: Game, s: State) -> Given:
    """The cells as document [S0] numbers them: n_0, the last one in reading order, first; 1 for the first
    player, -1 for the second, 0 where it is empty.
    """
    return ("numbers", cells_of(game, s))


def cells_of(game: Game, s: State) -> list[int]:
    """The same numbers. Raises Unsuitable for a game that is no board of cells."""
    if game.grid is None:
        raise Unsuitable(message("{game} is not played on a board of cells", game=game.text))
    grid = game.grid(s)
    signs = dict(zip(grid.looks, (1, -1), strict=False))
    return [signs.get(cell, 0) for row in reversed(grid.rows) for cell in reversed(row)]


def base_3(truth: ExactTruth, s: State) -> Sequence[JsonValue]:
    """The number of a board in base 3, row A-4: the sum of (n_i + 1) 3^i."""
    return [sum((cell + 1) * 3**place for place, cell in enumerate(cells_of(truth.game, s)))]


def names(game: Game, s: State, moves: Moves) -> list[JsonValue]:
    """The names of a set of moves."""
    return [*game.name_moves(s, moves)]


ANSWERS: dict[str, ExactAnswer] = {
    "base-3": ExactAnswer(base_3, given=numbers_of),
    "complete-tree": ExactAnswer(complete_tree, recursive=True),
    "legal-moves": ExactAnswer(legal_moves, read=as_moves),
    "optimistic-move": ExactAnswer(optimistic_move, ended=False, read=as_move, recursive=True),
    "truncated-tree": ExactAnswer(truncated_tree, recursive=True),
    "winner": ExactAnswer(winner),
    "winning-move": ExactAnswer(winning_move, ended=False, read=as_move, recursive=True),
}
