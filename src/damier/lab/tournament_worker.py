"""A process that plays games of a tournament: pieces of work come as lines of JSON on its standard
input, games go back as lines on its standard output.

    {"game": …, "agents": […], "max_plies": N, "memory": N, "jit": null,
     "seed": N, "isolated": true, "language": "en"}                              the first line
    {"id": N, "pair": [I, J], "seed": N, "first": N, "stop": N}                      then a piece a line
    {"id": N, "games": [[number, moves, payoffs, finished, resigned, fault], …]}     as they are played
    {"id": N}                                                                        the piece is played
    {"error": …, "limit": false}                                                     it cannot be played

It is deaf to Ctrl-C, which its parent hears, and ends when that has gone.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Sequence
from typing import IO, TypedDict

from damier.arena.tournament.pairing import Pairing
from damier.arena.tournament.schedule import Piece, PlayedGame
from damier.core.errors import DamierError, LimitReached
from damier.core.files import to_json
from damier.core.job import Job
from damier.core.words import _, speak
from damier.lab.games import load
from damier.lab.lab import Lab
from damier.lab.tournament import Players


class Opening(TypedDict):
    """The first line."""

    game: str
    agents: list[str]
    max_plies: int
    memory: int
    jit: bool | None
    seed: int
    isolated: bool
    language: str


class Order(TypedDict):
    """A piece of work."""

    id: int
    pair: tuple[int, int]
    seed: int
    first: int
    stop: int


class Lines:
    """The lines that arrive. Where none can come any more this process ends, whatever it is at."""

    def __init__(self, source: IO[bytes]) -> None:
        self._lines: deque[bytes] = deque()
        self._arrived = threading.Semaphore(0)
        threading.Thread(target=self._listen, args=(source,), daemon=True).start()

    def next(self) -> bytes:
        self._arrived.acquire()
        return self._lines.popleft()

    def _listen(self, source: IO[bytes]) -> None:
        for line in source:
            self._lines.append(line)
            self._arrived.release()
        os._exit(0)


def streams() -> tuple[IO[bytes], IO[bytes]]:
    """Where orders come from and games go to. What agents print goes to standard error, and they
    have nothing to read.
    """
    orders, games = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return orders, games


def main() -> None:
    """Plays until nobody orders any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    orders, games = streams()
    lines = Lines(orders)

    def tell(answer: dict[str, object]) -> None:
        games.write(to_json(answer).encode() + b"\n")
        games.flush()

    def keep(pairing: Pairing, played: Sequence[PlayedGame]) -> None:
        tell({"id": pairing.id, "games": played})

    try:
        opening: Opening = json.loads(lines.next())
        speak(opening["language"])
        job = Job(opening["memory"], jit=opening["jit"])
        lab = Lab(load(opening["game"]), job, seed=opening["seed"], isolated=opening["isolated"])
        players = Players(lab, opening["agents"], opening["max_plies"])
        while True:
            order: Order = json.loads(lines.next())
            first, second = order["pair"]
            pairing = Pairing(order["id"], 0, (first, second))
            players.play_piece(Piece(pairing, order["seed"], range(order["first"], order["stop"])), keep)
            tell({"id": pairing.id})
    except BrokenPipeError:  # nobody is there any more
        os._exit(0)
    except DamierError as error:
        tell({"error": str(error), "limit": isinstance(error, LimitReached)})
    except Exception as error:  # whoever started this reads one line; standard error has the rest
        sys.excepthook(*sys.exc_info())
        said = _(
            "a fault of the game, or of damier itself: {kind}: {error}",
            kind=type(error).__name__,
            error=error,
        )
        tell({"error": said, "limit": False})


if __name__ == "__main__":
    main()
