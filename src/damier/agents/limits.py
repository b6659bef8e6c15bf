"""What an agent of somebody's own may use."""

from __future__ import annotations

from dataclasses import dataclass

from damier.core.errors import BadInput
from damier.core.words import message

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class AgentLimits:
    """The most of everything.

    seconds          on the clock, for a move
    game_seconds     for all its moves of a game
    start_seconds    for its first answer, beside the time of that move, which are not counted
    memory           bytes of data of one process, and of all its processes together in RAM
    processes        with their threads, where it is isolated; without their threads elsewhere
    scratch          bytes in its scratch folder, and of any file
    answer           bytes of a line that it answers
    errors           bytes on its standard error, from one game to the next
    share            seconds of processor for each second that it is asked
    """

    seconds: float = 5.0
    game_seconds: float = 60.0
    start_seconds: float = 10.0
    memory: int = 512 * MEBIBYTE
    processes: int = 32
    scratch: int = 16 * MEBIBYTE
    answer: int = 1 << 16
    errors: int = MEBIBYTE
    share: float = 2.0

    def __post_init__(self) -> None:
        if not (0 < self.seconds <= 86_400 and 0 < self.game_seconds <= 86_400):
            raise BadInput(
                message(
                    "an agent has from 0 to 86400 seconds, not {n}", n=min(self.seconds, self.game_seconds)
                )
            )
        if not 16 * MEBIBYTE <= self.memory <= 1 << 44:
            raise BadInput(message("an agent needs 16 MiB of memory, not {n}", n=self.memory // MEBIBYTE))
