"""Layout of the numbers that a network sees, on the board of its game.

No game says which bit of its state is which cell: positions of random games show it. A number belongs to a
cell where what stands there, and who is to move, always tells it; a field whose numbers go along the rows
and columns of the board in equal steps has the other cells too, that those games did not come to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from damier.core.bits import random_below, reseed
from damier.core.board import Board, Points
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.past import Line
from damier.core.rules import CHANCE, State
from damier.core.words import message
from damier.lab.lab import chance_move
from damier.plugins.zero import encoding
from damier.plugins.zero.encoding import NetworkSizes
from damier.plugins.zero.self_play import ZeroEngines

LOOKED_AT = 1024
"""Positions of random games from which a layout follows."""
PLIES = 128
"""Plies of each of these games, at most."""
FILLED = 4
"""A plane has a number in one of so many cells at least; what is fewer is no picture of the board."""
EXACT = 1e-6

Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class BoardLayout:
    """Planes of a board, as convolutions see them.

    Attributes:
        rows, columns: of the board
        planes: how many
        numbers: [planes · rows · columns] which of the numbers that a network sees lies there; -1: none
    """

    rows: int
    columns: int
    planes: int
    numbers: tuple[int, ...]


@lru_cache(maxsize=16)
def layout_of(game: Game, sizes: NetworkSizes) -> BoardLayout:
    """Lay the numbers that the network of a game sees out on its board. Raises Unsuitable where there is no
    board, or nothing of them lies on it.
    """
    states = list(random_states(game))
    if game.grid is None:
        raise no_board(game)
    places = places_of(game.grid(game.start))
    rows, columns = (max(way, default=0) + 1 for way in zip(*places, strict=True))
    engines = ZeroEngines(game, sizes, Job(jit=False))
    codes = engines.codes(states)
    inputs = np.zeros((len(states), encoding.input_count(game)), np.float32)
    engines.fill(codes, inputs)
    told = cells_that_tell(game, states, inputs)
    cells: dict[int, tuple[int, int]] = {}
    begin = 0
    for block in encoding.blocks(game):
        known = {n: places[told[begin + n]] for n in range(block.count) if told[begin + n] >= 0}
        cells |= {begin + n: cell for n, cell in in_equal_steps(known, block.count, set(places)).items()}
        begin += block.count
    planes: list[dict[tuple[int, int], int]] = []
    begin = 0
    for block in encoding.blocks(game):  # numbers of a field that share a cell lie on planes of their own
        made: list[dict[tuple[int, int], int]] = []
        for number in range(begin, begin + block.count):
            if number in cells:
                free = next((plane for plane in made if cells[number] not in plane), None)
                if free is None:
                    made.append(free := {})
                free[cells[number]] = number
        planes += made
        begin += block.count
    planes = [plane for plane in planes if FILLED * len(plane) >= len(places)]
    if not planes:
        raise no_board(game)
    everywhere = [(row, column) for row in range(rows) for column in range(columns)]
    numbers = tuple(plane.get(cell, -1) for plane in planes for cell in everywhere)
    return BoardLayout(rows, columns, len(planes), numbers)


def no_board(game: Game) -> Unsuitable:
    """The error of a game without cells."""
    return Unsuitable(
        message(
            "zero: network=conv needs a board that shows the state; {game} has none, network=mlp does"
            " without",
            game=game.text,
        )
    )


def random_states(game: Game) -> Iterator[State]:
    """Positions of random games as their movers see them, always the same ones."""
    rng, count, number = [0], 0, 0
    while count < LOOKED_AT:
        reseed(rng, 1, number)
        number += 1
        line = Line(game, game.start)
        for _ply in range(PLIES):
            s = line.state
            if game.over(s):
                break
            if game.mover(s) == CHANCE:
                line.play(chance_move(game, s, rng))
                continue
            count += 1
            yield game.canonical(s)
            legal = game.legal(s)
            line.play(legal[random_below(rng, len(legal))])
        else:
            count += 1  # games that only dice play also come to an end


def places_of(board: Board) -> list[tuple[int, int]]:
    """Row and column of every place of a board, from the top left."""
    if isinstance(board, Points):
        return [(board.heights.index(y), board.across.index(x)) for x, y in board.spots]
    found = dict[int, tuple[int, int]]()
    for row, cells in enumerate(board.by_rows):
        found |= {cell: (row, column) for column, cell in enumerate(cells)}
    return [found[place] for place in range(board.places)]


def cells_that_tell(game: Game, states: list[State], inputs: NDArray[np.float32]) -> list[int]:
    """Return the cell that tells each number, -1 where none does, or several do."""
    assert game.grid is not None
    boards = [game.grid(s) for s in states]
    movers = [game.mover(s) for s in states]
    telling = np.zeros((boards[0].places, inputs.shape[1]), np.bool_)
    for cell in range(boards[0].places):
        contents = [(board.piece(cell), mover) for board, mover in zip(boards, movers, strict=True)]
        kinds = {content: number for number, content in enumerate(dict.fromkeys(contents))}
        groups = np.array([kinds[content] for content in contents])
        order = np.argsort(groups, kind="stable")
        starts = np.searchsorted(groups[order], np.arange(len(kinds)))
        lowest, highest = (way.reduceat(inputs[order], starts, 0) for way in (np.minimum, np.maximum))
        telling[cell] = (lowest == highest).all(0)
    alone = telling.sum(0) == 1
    found: list[int] = np.where(alone, telling.argmax(0), -1).tolist()
    return found


def in_equal_steps(
    known: dict[int, tuple[int, int]], count: int, places: set[tuple[int, int]]
) -> dict[int, tuple[int, int]]:
    """Return the cells of `count` numbers from those that are known: number = first + a · row + b · column
    where that holds for these; else these alone.

    >>> in_equal_steps({0: (0, 0), 1: (0, 1), 2: (1, 0)}, 5, {(0, 0), (0, 1), (1, 0), (1, 1)})
    {0: (0, 0), 1: (0, 1), 2: (1, 0), 3: (1, 1)}
    """
    numbers = np.array(list(known), np.float64)
    cells = np.array([(1, *cell) for cell in known.values()], np.float64).reshape(-1, 3)
    if len(set(known.values())) < len(known) or np.linalg.matrix_rank(cells) < 3:
        return known
    steps = np.linalg.lstsq(cells, numbers, rcond=None)[0]
    if np.abs(cells @ steps - numbers).max() > EXACT:
        return known
    found = dict[int, tuple[int, int]]()
    for row, column in sorted(places):
        number = float(steps @ (1, row, column))
        if abs(number - round(number)) < EXACT and 0 <= round(number) < count:
            found[round(number)] = (row, column)
    return dict(sorted(found.items()))
