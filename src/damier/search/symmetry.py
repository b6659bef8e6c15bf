"""Symmetric positions as one, in the first plies of an exact search.

A position is looked up as the least of its symmetric ones. Near an empty board they meet often: from
there Connect Four takes about half of the nodes. Deeper they hardly meet, and to turn a position costs more
than a node.
"""

from __future__ import annotations

from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import each
from damier.core.rules import Key, State, key, moves, symmetries, turn, turn_move
from damier.search.running import DEPTH

SYMMETRIC_PLIES = 8
"""How many plies from the position that was asked about. With 14, Connect Four after 444444 takes 3 % fewer
nodes; four in a row on 5×4, all of whose few plies would be turned, takes some three times as long.
"""


def symmetry_of(s: State, plies: int) -> int:
    """The symmetry under which `s` has the least key; the identity beyond the first plies."""
    if plies <= DEPTH - SYMMETRIC_PLIES:
        return 0
    chosen, least = 0, key(s)
    for symmetry in range(1, symmetries()):
        turned = key(turn(s, symmetry))
        if turned < least:
            chosen, least = symmetry, turned
    return chosen


def key_under(s: State, symmetry: int) -> Key:
    """The key of `s` as seen under a symmetry."""
    return key(turn(s, symmetry)) if symmetry else key(s)


def move_under(move: int, symmetry: int) -> int:
    """A move as seen under a symmetry; 0, no move, stays."""
    return turn_move(move, symmetry) if symmetry and move else move


def turned_back(s: State, seen: int, symmetry: int) -> int:
    """The move of `s` that is `seen` under a symmetry."""
    if symmetry == 0:
        return seen
    for move in each(moves(s)):
        if turn_move(move, symmetry) == seen:
            return move
    return 0


def identity(s: State, plies: int) -> int:
    return 0


def key_itself(s: State, symmetry: int) -> Key:
    return key(s)


def move_itself(move: int, symmetry: int) -> int:
    return move


def seen_itself(s: State, seen: int, symmetry: int) -> int:
    return seen


NO_SYMMETRY: Bindings = {
    symmetry_of: identity,
    key_under: key_itself,
    move_under: move_itself,
    turned_back: seen_itself,
}


def symmetry_in(game: Game) -> Bindings:
    """What stands for the functions of this file in a game."""
    return NO_SYMMETRY if game.symmetries() == 1 else {}
