"""Small games of kinds that damier's own do not show.

Each is also loaded as a user's file: `tests/gallery.py:NAME`.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from damier import CHANCE, ONGOING, Game, popcount, position_of


class Node(NamedTuple):
    node: int


def graph(seed: int = 0, nodes: int = 40, degree: int = 3, cycles: bool = True) -> Game:
    """A random graph: a token is moved along edges, by whoever owns the node it is on; so a player
    may move several times in a row.
    """
    chosen = random.Random(seed)
    children = []
    movers = []
    ends = []
    for node in range(nodes):
        last = node >= nodes - 6
        first_child = 0 if cycles else node + 1
        children.append(
            tuple(chosen.randrange(first_child, nodes) if not last else 0 for _edge in range(degree))
        )
        movers.append(chosen.randrange(2))
        ends.append(
            chosen.choice((-1, 0, 1, -1, 1)) if last or (node and chosen.random() < 0.08) else ONGOING
        )
    edges, owners, results = tuple(children), tuple(movers), tuple(ends)
    all_moves = (1 << degree) - 1

    def moves(s: Node) -> int:
        return all_moves

    def play(s: Node, move: int) -> Node:
        return Node(edges[s.node][position_of(move)])

    def outcome(s: Node) -> int:
        return results[s.node]

    def mover(s: Node) -> int:
        return owners[s.node]

    return Game("graph", Node(0), moves, play, outcome, mover=mover, bits=(max(1, (nodes - 1).bit_length()),))


class Tug(NamedTuple):
    place: int
    mover: int


def tug(length: int = 7) -> Game:
    """A token on a row: player 0 pulls it right, player 1 left, one cell or, from every third cell,
    two; or lets it stay. Positions come back.
    """

    def moves(s: Tug) -> int:
        return 7 if s.place % 3 == 0 else 3

    def play(s: Tug, move: int) -> Tug:
        pulled = position_of(move)
        if s.mover == 1:
            pulled = -pulled
        return Tug(min(max(s.place + pulled, 0), length), 1 - s.mover)

    def outcome(s: Tug) -> int:
        if s.place == length:
            return 1 if s.mover == 0 else -1
        if s.place == 0:
            return 1 if s.mover == 1 else -1
        return ONGOING

    def name_move(s: Tug, move: int) -> str:
        return ("stay", "one", "two")[position_of(move)]

    return Game(
        "tug", Tug(length // 2, 0), moves, play, outcome, bits=(length.bit_length(), 1), name_move=name_move
    )


class Fence(NamedTuple):
    drawn: int
    boxes: int  # those of player 0
    mover: int


def fences(boxes: int = 4) -> Game:
    """Dots and boxes on one row of boxes: who draws the second side of a box owns it and moves
    again; most boxes win.
    """
    sides = (1 << (boxes + 1)) - 1

    def moves(s: Fence) -> int:
        return sides & ~s.drawn

    def play(s: Fence, move: int) -> Fence:
        drawn = s.drawn | move
        closed = (drawn & drawn >> 1) & ~(s.drawn & s.drawn >> 1)
        if closed == 0:
            return Fence(drawn, s.boxes, 1 - s.mover)
        return Fence(drawn, s.boxes | closed if s.mover == 0 else s.boxes, s.mover)

    def over(s: Fence) -> bool:
        return s.drawn == sides

    def payoff(s: Fence, player: int) -> int:
        lead = 2 * popcount(s.boxes) - boxes
        worth = 1 if lead > 0 else -1 if lead < 0 else 0
        return worth if player == 0 else -worth

    def ply(s: Fence) -> int:
        return popcount(s.drawn)

    return Game(
        "fences", Fence(0, 0, 0), moves, play, over=over, payoff=payoff, ply=ply, bits=(boxes + 1, boxes, 1)
    )


class Piles(NamedTuple):
    piles: tuple[int, int, int]
    mover: int


def piles(size: int = 3) -> Game:
    """Nim on a tuple: take one or two from a pile; who takes the last one wins."""

    def moves(s: Piles) -> int:
        a, b, c = s.piles
        return ((1 << min(a, 2)) - 1) | ((1 << min(b, 2)) - 1) << 2 | ((1 << min(c, 2)) - 1) << 4

    def play(s: Piles, move: int) -> Piles:
        a, b, c = s.piles
        pile, less = divmod(position_of(move), 2)
        if pile == 0:
            a -= less + 1
        elif pile == 1:
            b -= less + 1
        else:
            c -= less + 1
        return Piles((a, b, c), 1 - s.mover)

    def outcome(s: Piles) -> int:
        a, b, c = s.piles
        return -1 if a + b + c == 0 else ONGOING

    def turned(piles: tuple[int, int, int], symmetry: int) -> tuple[int, int, int]:
        a, b, c = piles
        return (b, c, a) if symmetry == 1 else (c, a, b) if symmetry == 2 else (a, b, c)

    def turn(s: Piles, symmetry: int) -> Piles:
        return Piles(turned(s.piles, symmetry), s.mover)

    def turn_move(move: int, symmetry: int) -> int:
        pile, less = divmod(position_of(move), 2)
        return 1 << ((pile - symmetry) % 3) * 2 + less

    width = size.bit_length()
    return Game(
        "piles",
        Piles((size, size - 1, size), 0),
        moves,
        play,
        outcome,
        bits=((width, width, width), 1),
        symmetries=3,
        turn=turn,
        turn_move=turn_move,
    )


class Race(NamedTuple):
    first: int
    second: int
    mover: int
    throwing: int


def dice(goal: int = 4) -> Game:
    """A race with a die of two faces, the 2 three times as likely as the 1: throw, or let the other
    throw; who reaches the goal wins.
    """

    def moves(s: Race) -> int:
        return 3

    def play(s: Race, move: int) -> Race:
        if s.throwing:
            steps = position_of(move) + 1
            first = min(goal, s.first + steps) if s.mover == 0 else s.first
            second = min(goal, s.second + steps) if s.mover == 1 else s.second
            return Race(first, second, 1 - s.mover, 0)
        return Race(s.first, s.second, s.mover if move == 1 else 1 - s.mover, 1)

    def outcome(s: Race) -> int:
        if s.first == goal:
            return 1 if s.mover == 0 else -1
        if s.second == goal:
            return 1 if s.mover == 1 else -1
        return ONGOING

    def mover(s: Race) -> int:
        return CHANCE if s.throwing else s.mover

    def payoff(s: Race, player: int) -> int:
        return 1 if (s.first == goal) == (player == 0) else -1

    def over(s: Race) -> bool:
        return s.first == goal or s.second == goal

    def chance(s: Race, move: int) -> float:
        return 1.0 if move == 1 else 3.0

    return Game(
        "dice",
        Race(0, 0, 0, 1),
        moves,
        play,
        over=over,
        payoff=payoff,
        mover=mover,
        chance=chance,
        bits=(4, 4, 1, 1),
    )


class Left(NamedTuple):
    left: int
    mover: int


def three_players(matches: int = 7) -> Game:
    """Take one or two; who takes the last one gains 2, the two others lose 1 each."""

    def moves(s: Left) -> int:
        return 3 if s.left > 1 else 1

    def play(s: Left, move: int) -> Left:
        return Left(s.left - position_of(move) - 1, (s.mover + 1) % 3)

    def over(s: Left) -> bool:
        return s.left == 0

    def payoff(s: Left, player: int) -> int:
        return 2 if player == (s.mover + 2) % 3 else -1

    return Game(
        "three_players",
        Left(matches, 0),
        moves,
        play,
        over=over,
        payoff=payoff,
        players=3,
        bits=(matches.bit_length(), 2),
    )


def scored(matches: int = 9, win: int = 1, loss: int = -1) -> Game:
    """Take one or two, the last one wins `win` and costs the other `loss`: payoffs instead of an
    outcome.
    """

    def moves(s: Left) -> int:
        return 3 if s.left > 1 else 1

    def play(s: Left, move: int) -> Left:
        return Left(s.left - position_of(move) - 1, 1 - s.mover)

    def over(s: Left) -> bool:
        return s.left == 0

    def payoff(s: Left, player: int) -> int:
        return loss if player == s.mover else win

    return Game(
        "scored", Left(matches, 0), moves, play, over=over, payoff=payoff, bits=(matches.bit_length(), 1)
    )


def secret(matches: int = 5) -> Game:
    """A game that says it hides something."""
    plain = scored(matches)
    return Game(
        "secret",
        plain.start,
        plain.moves,
        plain.play,
        over=plain.over,
        payoff=plain.payoff,
        bits=plain.bits,
        imperfect_information=True,
    )


class Wide(NamedTuple):
    low: int
    high: int
    more: int
    mover: int


def wide(plies: int = 3) -> Game:
    """Three fields of 30 bits: no key of 62 bits holds a state, yet it can be played."""

    def moves(s: Wide) -> int:
        return 7

    def play(s: Wide, move: int) -> Wide:
        return Wide(s.low << 1 | move & 1, s.high << 1 | (move >> 1 & 1), s.more + 1, 1 - s.mover)

    def outcome(s: Wide) -> int:
        return ONGOING if s.more < plies else -1 if s.low > s.high else 1 if s.low < s.high else 0

    return Game("wide", Wide(0, 0, 0, 0), moves, play, outcome, bits=(30, 30, 30, 1))


class Count(NamedTuple):
    n: int
    mover: int


def is_even(n: int) -> bool:
    return True if n == 0 else is_odd(n - 1)


def is_odd(n: int) -> bool:
    return False if n == 0 else is_even(n - 1)


def triangle(n: int) -> int:
    """A helper that calls itself."""
    return 0 if n <= 0 else n + triangle(n - 1)


def mutual(matches: int = 9) -> Game:
    """Take one or two; from a triangular number only one.

    Rules that use recursion, mutual recursion and a chain of closures.
    """

    def step(n: int) -> int:
        return n + 1

    def twice(n: int) -> int:
        return step(step(n)) - 1

    def triangular(n: int) -> bool:
        found = False
        for side in range(1, 8):
            found = found or triangle(side) == n
        return found

    def moves(s: Count) -> int:
        return 1 if s.n < 2 or triangular(s.n) else 3

    def play(s: Count, move: int) -> Count:
        return Count(s.n - twice(position_of(move)), 1 - s.mover)

    def outcome(s: Count) -> int:
        if s.n > 0:
            return ONGOING
        # both 1 and 3 are odd: who takes the last one loses
        return 1 if is_odd(triangle(s.mover + 1)) else -1

    return Game("mutual", Count(matches, 0), moves, play, outcome, bits=(matches.bit_length(), 1))
