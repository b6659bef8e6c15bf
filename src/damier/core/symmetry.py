"""Images of a position under the symmetries of its game, of which one stands for all."""

from __future__ import annotations

from damier.core.moves import each
from damier.core.rules import Key, State, key, moves, symmetries, turn, turn_move


def least_image(s: State) -> tuple[Key, int]:
    """The least key among the images of `s`, and the symmetry that leads to it: of several the first."""
    least, chosen = key(s), 0
    for symmetry in range(1, symmetries()):
        image = key(turn(s, symmetry))
        if image < least:  # no `min`: compiled, it knows no tuples
            least, chosen = image, symmetry
    return least, chosen


def turned_back(s: State, turned: int, symmetry: int) -> int:
    """The move of `s` that is `turned` under a symmetry; 0 where none is."""
    if symmetry == 0:
        return turned
    for move in each(moves(s)):
        if turn_move(move, symmetry) == turned:
            return move
    return 0
