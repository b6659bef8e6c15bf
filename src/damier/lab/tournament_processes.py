"""Several processes that play the games of a tournament: each is started once and keeps its agents."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, NotRequired, TypedDict

from damier.arena.tournament.pairing import Pairing
from damier.arena.tournament.schedule import Keep, Piece, PlayedGame
from damier.core.errors import BadInput, LimitReached
from damier.core.files import to_json
from damier.core.interpreter import python
from damier.core.words import _, language
from damier.lab.lab import Lab

AHEAD = 2
"""Pieces that a process has at a time: it need not wait for the next one."""


class LineOfGames(TypedDict):
    """A line that a process writes: see tournament_worker.py."""

    id: NotRequired[int]
    games: NotRequired[list[tuple[int, list[str], tuple[int, int], bool, bool, str]]]
    error: NotRequired[str]
    limit: NotRequired[bool]


class PlayingProcess:
    """One process. Its lines go to a queue that all share; None where it has ended."""

    def __init__(self, opening: str, lines: queue.Queue[tuple[PlayingProcess, bytes | None]]) -> None:
        self.owed: dict[int, Pairing] = {}  # pairings of the pieces that it has, by number
        self.pieces = 0
        self._process = subprocess.Popen(
            python("-m", "damier.lab.tournament_worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # a Ctrl-C at the terminal is for its parent
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders = self._process.stdin
        threading.Thread(target=self._listen, args=(self._process.stdout, lines), daemon=True).start()
        self._say(opening)

    def order(self, piece: Piece) -> None:
        self.owed[piece.pairing.id] = piece.pairing
        self.pieces += 1
        self._say(
            to_json(
                {
                    "id": piece.pairing.id,
                    "pair": list(piece.pairing.pair),
                    "seed": piece.seed,
                    "first": piece.numbers.start,
                    "stop": piece.numbers.stop,
                }
            )
        )

    def end(self) -> None:
        """Ends the process, whatever it is at."""
        with contextlib.suppress(OSError):
            self._orders.close()  # it ends by itself then, and so do the agents that it started
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _say(self, line: str) -> None:
        with contextlib.suppress(BrokenPipeError):  # why it ended is on its way
            self._orders.write(line.encode() + b"\n")
            self._orders.flush()

    def _listen(self, answers: IO[bytes], lines: queue.Queue[tuple[PlayingProcess, bytes | None]]) -> None:
        for line in answers:
            lines.put((self, line))
        lines.put((self, None))


class PlayingProcesses:
    """So many processes that play one game between these agents."""

    def __init__(self, count: int, game: str, agents: Sequence[str], max_plies: int, lab: Lab) -> None:
        opening = {
            "game": game,
            "agents": list(agents),
            "max_plies": max_plies,
            "memory": lab.job.memory // count,
            "jit": lab.job.jit,
            "seed": lab.seed,
            "isolated": lab.isolated,
            "language": language(),
        }
        self._lines: queue.Queue[tuple[PlayingProcess, bytes | None]] = queue.Queue()
        self._processes = [PlayingProcess(to_json(opening), self._lines) for _number in range(count)]

    def play(self, pieces: Iterable[Piece], keep: Keep) -> None:
        """Plays all pieces. Raises BadInput or LimitReached, as the process that could not."""
        left = iter(pieces)
        for process in self._processes * AHEAD:
            self._order(process, left)
        while any(process.pieces for process in self._processes):
            process, line = self._lines.get()
            if line is None:
                raise BadInput(_("a process that played games has ended; run the same again to go on"))
            answer: LineOfGames = json.loads(line)
            if "error" in answer:
                raise (LimitReached if answer["limit"] else BadInput)(answer["error"])
            if "games" in answer:
                games = [
                    PlayedGame(number, moves, (first, second), finished, resigned, fault)
                    for number, moves, (first, second), finished, resigned, fault in answer["games"]
                ]
                keep(process.owed[answer["id"]], games)
            else:
                process.pieces -= 1
                self._order(process, left)

    def _order(self, process: PlayingProcess, left: Iterator[Piece]) -> None:
        piece = next(left, None)
        if piece is not None:
            process.order(piece)

    def end(self) -> None:
        for process in self._processes:
            process.end()
