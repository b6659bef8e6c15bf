"""In what order a search tries the moves of a position.

The sooner a good one comes, the more is cut.

A move lies on the stack with what it promises: score · 64 + 63 - number, so that of moves that promise
the same the lowest comes first. Where moves are no bits, the promise lies in the first half of the
stack, and the move in the second.
"""

from __future__ import annotations

from damier.core.arrays import Ints
from damier.core.bits import position_of
from damier.core.compile import Bindings
from damier.core.game import Game
from damier.core.moves import count_moves, each
from damier.core.rules import Moves, State, move_score

HASH_MOVE = 1 << 44
"""More than any move scores: the best move of an earlier search of the position."""


def move_at(place: int, stack: Ints) -> int:
    """The move that lies at a place of the stack."""
    return 1 << (63 - (int(stack[place]) & 63))


def to_the_end(place: int, last: int, stack: Ints) -> None:
    """Puts the move at a place behind all others, which end before `last`."""
    rotate(place, last, stack)


def rotate(place: int, last: int, stack: Ints) -> None:
    """Puts the word at a place behind those up to `last`."""
    word = stack[place]
    for n in range(place, last - 1):
        stack[n] = stack[n + 1]
    stack[last - 1] = word


def promise(s: State, move: int) -> int:
    """Return what a move promises its mover: what the game scores it, unless `care` is bound."""
    return move_score(s, move)


def in_given_order(tried: Moves, first: int, stack: Ints) -> int:
    """The game's own order."""
    last = first
    for move in each(tried):
        stack[last] = 63 - position_of(move)
        last += 1
    return last


def most_promising_first(s: State, tried: Moves, hash_move: int, first: int, stack: Ints) -> int:
    """The hash move first, then those that the game scores highest: sorted as they are laid down. A single
    move is not scored.
    """
    last, single = first, count_moves(tried) == 1
    for move in each(tried):
        score = HASH_MOVE if single or move == hash_move else promise(s, move)
        word = (score << 6) + 63 - position_of(move)
        place = last
        while place > first and stack[place - 1] < word:
            stack[place] = stack[place - 1]
            place -= 1
        stack[place] = word
        last += 1
    return last


def move_beside(place: int, stack: Ints) -> int:
    """`move_at`, where moves are no bits."""
    return int(stack[place + (len(stack) >> 1)])


def beside_to_the_end(place: int, last: int, stack: Ints) -> None:
    """`to_the_end`, where moves are no bits."""
    rotate(place, last, stack)
    beside = len(stack) >> 1
    rotate(place + beside, last + beside, stack)


def list_in_given_order(tried: Moves, first: int, stack: Ints) -> int:
    """`in_given_order`, where moves are no bits."""
    last, beside = first, len(stack) >> 1
    for move in each(tried):
        stack[last + beside] = move
        last += 1
    return last


def list_most_promising_first(s: State, tried: Moves, hash_move: int, first: int, stack: Ints) -> int:
    """`most_promising_first`, where moves are no bits: of those that promise the same the first of the
    list comes first.
    """
    last, beside, single = first, len(stack) >> 1, count_moves(tried) == 1
    for move in each(tried):
        score = HASH_MOVE if single or move == hash_move else promise(s, move)
        place = last
        while place > first and stack[place - 1] < score:
            stack[place] = stack[place - 1]
            stack[place + beside] = stack[place + beside - 1]
            place -= 1
        stack[place] = score
        stack[place + beside] = move
        last += 1
    return last


NO_BITS: Bindings = {
    move_at: move_beside,
    to_the_end: beside_to_the_end,
    in_given_order: list_in_given_order,
    most_promising_first: list_most_promising_first,
}
"""What stands for the functions of this file in games whose moves are no bits."""


def order_of(game: Game) -> Bindings:
    """Return what stands for the functions of this file in a game."""
    return {} if game.moves_are_bits else NO_BITS


def stack_words(game: Game, plies: int) -> int:
    """Return how many words the stack of a search of so many plies has."""
    return (plies + 1) * game.most_moves() * (1 if game.moves_are_bits else 2)
