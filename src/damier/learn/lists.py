"""The lists of document [S1] (rows A-39 to A-47): what is known of one heap of Nim, one list of
moves for each number of matches.

    {"16": [3, 2, 1, 3, 3], …, "2": [2, 1, 1], "1": [1]}

A move that stands there several times is drawn so much more often: a list is a box of beads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from damier.core.errors import BadFile
from damier.core.game import Game
from damier.core.json_data import whole_numbers
from damier.core.json_types import JsonValue
from damier.core.keys import flat
from damier.core.moves import each
from damier.core.rules import State
from damier.core.words import message
from damier.learn.beads import BeadsParameters
from damier.learn.memory import Memory, Row

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LONGEST = 100_000
"""Moves in all lists that a file still shows one by one; and the largest heap that it has lists
for.
"""


def written_as_lists(game: Game, learner: str, parameters: DataclassInstance) -> bool:
    """Whether what is learnt is shown as lists: beads, on one heap of Nim, that both players see
    alike.
    """
    return (
        game.name == "nim"
        and "matches" in game.options
        and learner == "beads"
        and isinstance(parameters, BeadsParameters)
        and parameters.alike
    )


def lists_of(game: Game, parameters: DataclassInstance, memory: Memory) -> dict[str, list[int]] | None:
    """The lists, longest heap first, those never used as they were at first; None where they are
    too many, or too long, to show.
    """
    if matches_of(game) > LONGEST:
        return None
    assert isinstance(parameters, BeadsParameters)
    stock = int(parameters.beads.split("-")[0])
    beads = {flat(row.state)[1]: dict(zip(row.moves, row.counts, strict=True)) for row in memory.rows()}
    if sum(sum(box.values()) for box in beads.values()) > LONGEST:
        return None
    lists = {}
    for matches in range(matches_of(game), 0, -1):
        moves = list(each(game.moves(heap_of(game, matches))))
        box = beads.get(matches) or dict.fromkeys(moves, stock)
        first = [taken(move) for move in reversed(moves) for _bead in range(min(stock, box[move]))]
        lists[str(matches)] = first + [
            taken(move) for move in reversed(moves) for _bead in range(box[move] - stock)
        ]
    return lists


def rows_of_lists(game: Game, lists: JsonValue, where: object) -> list[Row]:
    """The rows that lists stand for. Raises BadFile."""
    if (
        not isinstance(lists, dict)
        or len(lists) != matches_of(game)  # how many a file has is bounded; how many a game has is not
        or list(lists) != [str(n) for n in range(matches_of(game), 0, -1)]
    ):
        raise BadFile(
            message(
                "{where}: there is one list for each number of matches from {n} to 1",
                where=where,
                n=matches_of(game),
            )
        )
    rows = []
    for matches, written in lists.items():
        listed = whole_numbers(written) if isinstance(written, list) else None
        s = heap_of(game, int(matches))
        moves = tuple(each(game.moves(s)))
        if listed is None or not all(type(n) is int and n > 0 and 1 << n - 1 in moves for n in listed):
            raise BadFile(
                message("{where}: the list of {n} holds what cannot be taken there", where=where, n=matches)
            )
        rows.append(Row(s, moves, (0.0,) * len(moves), tuple(listed.count(taken(move)) for move in moves)))
    return rows


def matches_of(game: Game) -> int:
    """The matches in the heap, at first."""
    matches = game.options["matches"]
    assert isinstance(matches, int)
    return matches


def heap_of(game: Game, matches: int) -> State:
    return game.as_state((0, matches))


def taken(move: int) -> int:
    """How many matches a move takes."""
    return move.bit_length()
