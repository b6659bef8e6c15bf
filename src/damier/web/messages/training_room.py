"""What the training room answers: one game as a film that the page plays, in parts that it puts in place."""

from __future__ import annotations

from typing import TypedDict


class RoomFrame(TypedDict):
    """A position of a game.

    board  its picture; said: whose turn it is, or how the game has ended; why: how the last move was chosen
    cell   of a table, that of the last move: seat, row and entry; row: of the position at hand
    """

    board: str
    said: str
    why: str
    cell: str
    row: str


class RoomCell(TypedDict):
    """What stands in a cell from there on, in short and in full, and its colour."""

    cell: str
    text: str
    exactly: str
    hue: str


class RoomStep(TypedDict):
    """Something that is learnt.

    seat      who learns, from 1; decision: the place of the move in the game that it is learnt of
    frame     the number of the position, from 0, after which it happens
    row       of a table, where it is to be seen; cells: what is another there
    formula   how, as far as that is known
    """

    seat: int
    decision: int
    frame: int
    row: str
    cells: list[RoomCell]
    formula: str


RoomState = TypedDict(
    "RoomState",
    {
        "game": str,
        "1": str,
        "2": str,
        "seed": int,
        "log": str,
        "person": str,
        "moves": list[str],
        "over": bool,
        "next": str,
        "games": int,
    },
)
"""A room, as an address says it.

log     what has happened; next: with this game, where it is over
person  the seat of a person, from 1, or nothing; moves: those of that person
"""


class RoomFilm(TypedDict):
    """A game: its positions, and what is learnt from it; `later` are the parts that are others then."""

    parts: dict[str, str]
    later: dict[str, str]
    state: RoomState
    frames: list[RoomFrame]
    steps: list[RoomStep]
