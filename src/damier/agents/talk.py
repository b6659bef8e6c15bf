"""What a program that plays is asked, and how: one question, in the words of one protocol or another."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from damier.agents.channel import Channel
from damier.core.bits import Rng
from damier.core.game import Game
from damier.core.rules import State


class MoveQuestion(NamedTuple):
    """A program is to move in `state`.

    moves   the line of play that leads here, from the start of the game; None where it was not
            followed from there
    legal   the legal moves by name
    left    seconds of this game, for this program
    gained  since it was last to move (games whose moves gain something)
    new     whether this is the first that it hears of a game
    rng     random numbers of this game, for programs that are told some
    """

    game: Game
    state: State
    moves: list[str] | None
    legal: dict[str, int]
    left: float
    gained: int
    new: bool
    rng: Rng


class GameOver(NamedTuple):
    """How a game ended for a program; `fault` is what it lost it by, or empty."""

    game: Game
    payoff: int
    gained: int
    fault: str


class Talk(Protocol):
    """One protocol, as it is spoken with the process that is at the other end of a channel.

    All that it does ends before the moment `until` of `time.monotonic`. Raises TimeoutError where the
    process is late, AgentFault where it is of no more use.
    """

    def begin(self, channel: Channel, until: float) -> bool:
        """The process has just started; whether it has answered anything. Raises BadInput for a
        program that cannot play what is wanted, or as it is wanted.
        """
        ...

    def ask(self, channel: Channel, question: MoveQuestion, until: float) -> bytes:
        """The answer to a question, a line as it came."""
        ...

    def read(self, answer: bytes) -> str | None:
        """The move that an answer names; None where the program resigns. Raises BadFile."""
        ...

    def over(self, channel: Channel, end: GameOver, until: float) -> None:
        """A game of which it was told has ended."""
        ...

    def leave(self, channel: Channel, until: float) -> None:
        """The process may end."""
        ...
