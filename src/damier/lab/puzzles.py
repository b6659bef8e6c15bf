"""Puzzles: positions in which exactly one move keeps what the position is worth, found by seeded play. The
same game and the same seed give the same puzzle, whatever the clock and the machine.

Of a game that is solved whole, from all positions of some random games; of a larger one from late positions
of random games, which a search of a fixed number of nodes proves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from damier.core.bits import random_below, seeded
from damier.core.errors import Unsuitable
from damier.core.game import Game, Position
from damier.core.moves import each
from damier.core.rules import State
from damier.core.solution import AnySolution, ValueSolution, word_of
from damier.core.words import message
from damier.lab.solving import solved_within
from damier.search.exact import NEEDS
from damier.search.proof import PROOF_NEEDS

LEAST_MOVES = 3
"""Moves of a puzzle at least: two are a coin."""
GAMES = 30
"""Random games among whose positions one is chosen."""
LATE_GAMES, FEW_GAMES = 40, 15
"""The same at most where a position of each is to be proven; and, once one is found, where a proof that comes
to no end counts for three.
"""
LONGEST = 200
"""Plies of a random game."""
LATE, EARLIER, LATEST = 8, 6, 2
"""How many plies before the end of a random game the first late position lies, as many more for large seeds,
and any at least. It is earlier than the one before where that was proven, later where it was not.
"""
NODES = 1_500
"""Nodes of one proof: a fraction of a second of plain Python."""
ENOUGH = 4
"""Positions among which one is chosen by how hard it is."""
STEEP = 9
"""The seed at which a puzzle of middling difficulty is chosen."""


class Puzzle(NamedTuple):
    """A position after some moves, the one move that keeps its value, and the values of all.

    Attributes:
        depth: plies that one must see to know it
    """

    position: Position
    moves: tuple[str, ...]
    right: int
    solution: AnySolution
    depth: int


def has_puzzles(game: Game) -> bool:
    """Return whether a game is of a kind of which puzzles are found, if it is solved or searched."""
    return all(need.is_met(game) for need in PROOF_NEEDS)


def is_searched(game: Game) -> bool:
    """Return whether late positions of a game are proven by a search."""
    return not game.has_past and all(need.is_met(game) for need in NEEDS)


def puzzle(game: Game, seed: int, solution: AnySolution | None) -> Puzzle:
    """The puzzle of a seed: the larger, the harder. With the `solution` of the game, or of late positions.

    Raises Unsuitable for a game in which none is found.
    """
    if not has_puzzles(game) or not (solution or is_searched(game)):
        raise Unsuitable(message("{game}: exact values are known of no position of it here", game=game.text))
    found = among_all(game, seed, solution) if solution else among_late(game, seed)
    candidates = sorted(found, key=lambda each: each.depth)
    harder = [each for each in candidates if each.depth > 1] or candidates
    if not harder:
        raise Unsuitable(
            message(
                "{game}: no position is found in which exactly one of several moves is right", game=game.text
            )
        )
    return harder[(len(harder) - 1) * seed // (seed + STEEP)]


def among_all(game: Game, seed: int, solution: AnySolution) -> list[Puzzle]:
    """Return the puzzles among the positions of some random games."""
    found: dict[State, Puzzle] = {}
    for number in range(GAMES):
        for position, moves in random_game(game, seed, number):
            made = as_puzzle(position, moves, solution)
            if made and position.state not in found:
                found[position.state] = made
    return [*found.values()]


def among_late(game: Game, seed: int) -> list[Puzzle]:
    """Return the first puzzles among late positions of some random games."""
    found: dict[State, Puzzle] = {}
    late, failed = LATE + EARLIER * seed // (seed + STEEP), 0
    for number in range(LATE_GAMES):
        if len(found) == ENOUGH or (found and number + 3 * failed >= FEW_GAMES):
            break
        played = [*random_game(game, seed, number)]
        position, moves = played[max(0, len(played) - late)]
        if len(position.moves) < LEAST_MOVES:
            continue
        solution = solved_within(game, position.state, NODES)
        if solution is None:
            late, failed = max(LATEST, late - 2), failed + 1
            continue
        late += 1
        if made := as_puzzle(position, moves, solution):
            found[position.state] = made
    return [*found.values()]


def random_game(game: Game, seed: int, number: int) -> Iterator[tuple[Position, tuple[str, ...]]]:
    """Yield the positions of a random game and the moves before each, as long as a move goes on: moves that
    lose at once are left out where the game tells them.
    """
    rng = seeded(seed, number)
    position, moves = game.position(), tuple[str, ...]()
    for _ply in range(LONGEST):
        yield position, moves
        s = position.state
        kept = [*each(game.non_losing_moves(s))] or game.legal(s)
        going = [move for move in kept if not game.over(game.play(s, move))]
        if not going:
            return
        move = going[random_below(rng, len(going))]
        moves = (*moves, game.name_move(s, move))
        position = position.after(move)


def as_puzzle(position: Position, moves: tuple[str, ...], solution: AnySolution) -> Puzzle | None:
    """The puzzle that a position is; None where it is none."""
    s = position.state
    if len(position.moves) < LEAST_MOVES or word_of(solution.value(s)) == "loss":
        return None
    best = [*each(solution.best_moves(s))]
    if len(best) != 1:
        return None
    return Puzzle(position, moves, best[0], solution, depth_of(solution, s, best[0]))


def depth_of(solution: AnySolution, s: State, right: int) -> int:
    """Return how many plies one must see to know the right move: to the end of what it wins, or of what all
    others lose. Of payoffs, which have no distance, how many moves there are.
    """
    explained = solution.explain(s)
    if isinstance(solution, ValueSolution):
        return len(explained)
    distances = {move: distance or 0 for move, (_value, distance) in explained.items()}
    if solution.value(s) == "win":
        return distances[right]
    return max(distance for move, distance in distances.items() if move != right)
