"""One table: a game, its moves so far, and who may make the next one."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from damier.core.words import _
from damier.web.messages.board import Judged
from damier.web.messages.hub import SeatState, TableState

HUMAN = "human"
MOVE = 80
"""Bytes that a move takes besides its letters."""


class Refused(Exception):
    """What a player asked for cannot be; the sentence for them."""


@dataclass
class Seat:
    """agent  its text, or `human`
    key    the secret of the person who sits there; empty while nobody does
    name   what that person wants to be called; may be empty
    """

    agent: str
    key: str = ""
    name: str = ""

    @property
    def taken(self) -> bool:
        return self.agent != HUMAN or bool(self.key)


@dataclass
class Table:
    """One game.

    `movers[i]` is the player who made `moves[i]`, from 0, -1 for chance; `mover` is whose turn it
    is.

    round  how many games were played here before; players may have changed their seats with each
    bytes  of its moves, when they were last measured
    """

    name: str
    game: str
    seats: list[Seat]
    moves: tuple[str, ...]
    movers: tuple[int, ...]
    mover: int
    over: bool
    seed: int
    seen: float
    trouble: str = ""
    round: int = 0
    bytes: int = 0

    @property
    def topic(self) -> str:
        return f"table:{self.name}"

    @property
    def waits_for_person(self) -> bool:
        return self.over or (self.mover >= 0 and self.seats[self.mover].agent == HUMAN)

    def measured(self) -> int:
        """By how many bytes it has grown since it was last measured: two copies of each move, one
        as it is told.
        """
        before, self.bytes = self.bytes, sum(2 * len(move) + MOVE for move in self.moves)
        return self.bytes - before

    def seat_of(self, key: object) -> int:
        """The seat, from 0, that a key belongs to. Raises Refused."""
        for number, seat in enumerate(self.seats):
            if seat.key and isinstance(key, str) and secrets.compare_digest(seat.key.encode(), key.encode()):
                return number
        raise Refused(_("you do not sit at this table"))

    def state(self) -> TableState:
        """What everybody may know of it."""
        seats: list[SeatState] = [
            {"agent": seat.agent, "taken": seat.taken, "name": seat.name} for seat in self.seats
        ]
        return {
            "game": self.game,
            "moves": self.moves,
            "seats": seats,
            "mover": self.mover,
            "over": self.over,
            "seed": self.seed,
            "trouble": self.trouble,
            "round": self.round,
        }

    def turn_of(self, key: object, at: object) -> tuple[str, ...]:
        """The moves so far, where it is the turn of the holder of `key`, who has seen `at` moves.

        Raises Refused.
        """
        seat = self.seat_of(key)
        self.seen_by(at)
        if self.over:
            raise Refused(_("the game is over"))
        if seat != self.mover:
            raise Refused(_("it is not your turn"))
        return self.moves

    def seen_by(self, at: object) -> None:
        """Raises Refused unless `at` is the number of moves so far."""
        if at is True or at is False or at != len(self.moves):
            raise late()

    def accept(self, before: tuple[str, ...], found: Judged) -> None:
        """Puts a judged move in place.

        Raises Refused where something else has happened since `before`.
        """
        if self.moves is not before:
            raise late()
        self.moves, self.movers, self.mover, self.over = played(found)
        self.trouble = ""

    def ended(self, key: object, at: object) -> tuple[str, ...]:
        """The moves of a game that is over, or that an agent does not go on with, for a player who
        has seen `at` of them. Raises Refused.
        """
        self.seat_of(key)
        self.seen_by(at)
        if not (self.over or self.trouble):
            raise Refused(_("the game goes on"))
        return self.moves

    def begin(self, before: tuple[str, ...], found: Judged, seed: int, *, swapped: bool) -> None:
        """A new game after that of the moves `before`; `swapped` gives every seat to who sat at the
        next. Raises Refused where it has begun already.
        """
        self.accept(before, found)
        self.seed = seed
        self.round += 1
        if swapped:
            self.seats = [*self.seats[1:], self.seats[0]]

    def take_back(self, seat: int) -> None:
        """Takes back to the last decision of the only person here. Raises Refused."""
        if sum(other.agent == HUMAN for other in self.seats) > 1:
            raise Refused(_("another person plays here: no move is taken back"))
        own = [ply for ply, mover in enumerate(self.movers) if mover == seat]
        if not own:
            raise Refused(_("there is no move of yours to take back"))
        self.moves, self.movers, self.mover, self.over = (
            self.moves[: own[-1]],
            self.movers[: own[-1]],
            seat,
            False,
        )


def played(found: Judged) -> tuple[tuple[str, ...], tuple[int, ...], int, bool]:
    """moves, movers, mover and over of a table, as the judge found them (`rooms/table.py`)."""
    return tuple(found["moves"]), tuple(found["movers"]), found["mover"], found["over"]


def late() -> Refused:
    return Refused(_("something else has been played here in between"))
