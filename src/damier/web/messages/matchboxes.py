"""What the room of matchboxes answers, and the first page, where such a machine plays."""

from __future__ import annotations

from typing import TypedDict

from damier.web.messages.parts import Parts


class MachineState(TypedDict):
    """A machine of matchboxes, as an address says it."""

    game: str
    agent: str
    seat: str
    seed: int
    played: str


class MatchboxState(MachineState):
    """The same with the game that goes on.

    waiting  whether a bead is to be drawn; pause: whether somebody has to ask for it
    back     the moves before the person's last one; next, forgotten: the games with this one, and
             without it
    box      the number of the box that is open
    """

    moves: list[str]
    over: bool
    waiting: bool
    pause: bool
    back: list[str] | None
    next: str
    forgotten: str | None
    box: int | None


class MatchboxAnswer(TypedDict):
    """A machine of matchboxes and its game with a person."""

    parts: Parts
    state: MatchboxState


class HomeState(MatchboxState):
    """The same on the first page, with what can be pointed at as on a board: see BoardState."""

    person: bool
    legal: list[str]
    taps: dict[int, str]
    routes: list[tuple[tuple[int, ...], str]]
    columns: int


class HomeAnswer(TypedDict):
    """The machine of the first page and its game with a person."""

    parts: Parts
    state: HomeState
