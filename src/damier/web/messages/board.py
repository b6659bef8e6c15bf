"""What the rooms of boards answer."""

from __future__ import annotations

from typing import TypedDict

from damier.web.messages.parts import Parts, PartsAnswer


class BoardState(TypedDict):
    """A position, for the program of the board.

    at       how many of `moves` are played
    query    what the address says beside the game
    mover    who is to move, from 0; -1 is chance
    person   whether that is somebody at this page; plays: whether anybody at it ever is
    decided  the plies at which a person was to move
    stopped  whether an agent gave up
    light    whether the next reply takes no time to think about
    moving   whether something moves by itself: dice, or agents
    veiled   whether the board is hidden, since it shows secrets
    taps     by place, the move that it means; routes: the places of a move one after the other, where
             one does not say it, and the move; said: the moves that are said otherwise than written
    truth    off, guess, later, wait, search, stopped, none or here: what is known of the exact values;
             search: something, and more is being proven; stopped: something
    mistakes the plies of the moves that gave something away, as far as it is known
    steered  whether a person steers by directions
    written  the position in the game's notation, where it has one
    """

    game: str
    moves: list[str]
    at: int
    query: dict[str, str]
    seats: list[str]
    mover: int
    over: bool
    person: bool
    plays: bool
    decided: list[int]
    stopped: bool
    light: bool
    moving: bool
    veiled: bool
    legal: list[str]
    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]
    said: dict[str, str]
    columns: int
    show: list[str]
    truth: str
    mistakes: list[int]
    steered: bool
    written: str


class BoardAnswer(TypedDict):
    """A position on a board."""

    state: BoardState
    parts: Parts


class BoardReply(BoardAnswer):
    """The same after a reply, with the last move."""

    move: str


class GuessAnswer(BoardAnswer):
    """The same after a guess: whether it was right, None where nobody knows, and what is said."""

    right: bool | None
    said: str


class PossibleAnswer(PartsAnswer):
    """Whether a board can come up."""

    possible: bool


class Judged(TypedDict):
    """What the moves of a table come to: their names, who made each, whose turn it is, from 0, -1
    is chance.
    """

    moves: list[str]
    movers: list[int]
    mover: int
    over: bool
    players: int


class ReplayAnswer(TypedDict):
    """The address of a board with a game that is to be seen again."""

    address: str
