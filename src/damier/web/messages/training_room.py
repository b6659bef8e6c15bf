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


class RoomStep(TypedDict):
    """A cell that is learnt from.

    decision  the place of its move in the game
    text, exactly, hue  what stands in it from there on, in short and in full, and its colour
    formula   the formula with its numbers
    """

    cell: str
    row: str
    decision: int
    text: str
    exactly: str
    hue: str
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
    """A game: its positions, then what is learnt from it; `later` are the parts that are others then."""

    parts: dict[str, str]
    later: dict[str, str]
    state: RoomState
    frames: list[RoomFrame]
    steps: list[RoomStep]
