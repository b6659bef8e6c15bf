"""`damier uci` and `damier gtp`: an agent as an engine, on standard input and output, for any program that
shows boards or speaks GTP.

In UCI the main thread searches; another one reads, answers what must be answered at once, and stops a search
as Ctrl-C does. Only the protocol goes to standard output: what an agent prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from types import FrameType
from typing import IO, Annotated

from cyclopts import Parameter

from damier.cli.command import AnySeed, Isolated, Work, checked_seed, remarks
from damier.core.errors import BadInput, DamierError, Unsuitable
from damier.core.game import Game
from damier.core.job import Notes, press, uninterrupted
from damier.core.runtime import take_streams
from damier.core.words import _, message
from damier.lab.agents import AGENTS
from damier.lab.games import GAMES, Lab, load
from damier.plugins.engines.engine import NO_MOVE, GtpEngine, Thinker, UciEngine, read_go, usual_agent

QUIT, PONDER = "quit", " ponder"

EngineAgent = Annotated[
    str,
    Parameter(
        help=_(
            "alphabeta:plies=4, perfect, path/to/agent.py … (default: selective where the game says how to"
            " judge, else mcts)"
        )
    ),
]
EngineGame = Annotated[str, Parameter(name="--game", help=_("chess, connect_four, path/to/game.py …"))]


def uci(
    agent: EngineAgent = "",
    /,
    *,
    game: EngineGame = "chess",
    isolated: Isolated = False,
    seed: AnySeed = None,
    work: Work | None = None,
) -> None:
    refuse_game(agent)
    requests, answers = take_streams()
    job, notes = (work or Work(quiet=True)).job()
    lab = Lab(played_by_engines(load(game)), job, seed=checked_seed(seed), isolated=isolated)
    desk = Desk(partial(os.write, answers.fileno()))

    def make(text: str) -> Thinker:
        return Thinker(lab, text, [lab.seed], desk.is_stopping)

    desk.serve(UciEngine(make(agent or usual_agent(lab.game)), make, desk.send), requests, notes)


def refuse_game(agent: str) -> None:
    """Raises BadInput for a game in the place of the agent, where other commands have the game, and for
    a person, who could not be asked: standard input belongs to the other program.
    """
    name = agent.partition(":")[0]
    if name == "human":
        raise BadInput(message("human is no engine: another program asks, and nobody can be asked here"))
    if name in GAMES and name not in AGENTS:
        raise BadInput(message("{game} is a game, and here the agent comes first: --game {game}", game=agent))


def played_by_engines(game: Game) -> Game:
    """The game. Raises Unsuitable for one that the protocols have no words for."""
    if game.players != 2 or game.stochastic or game.imperfect_information:
        raise Unsuitable(
            message(
                "engines play games of two players, without dice or secrets; {game} is none", game=game.text
            )
        )
    return game


class Desk:
    """Between the lines and the search: which search goes on, and which was asked to stop.

    Searches are numbered as they are ordered. What both threads write is written with `_lock` held.
    """

    def __init__(self, write: Callable[[bytes], int]) -> None:
        self._write = write
        self._lock = threading.RLock()
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._ordered = self._begun = self._answered = 0
        self._early = 0  # times that `isready` came between `go` and the beginning of its search
        self._stopped = 0  # all searches up to this one were asked to stop
        self._hit = False  # the move that was pondered on was played
        self._thinking = False
        self._waiting = threading.Event()

    def is_stopping(self) -> bool:
        """Return whether the search that goes on was asked to stop."""
        return self._answered < self._stopped

    def send(self, line: str) -> None:
        """Writes a line, whole, whatever signal comes meanwhile."""
        with uninterrupted(), self._lock:
            left = f"{' '.join(line.split())}\n".encode()
            while left:
                left = left[self._write(left) :]

    def serve(self, engine: UciEngine, requests: IO[bytes], notes: Notes) -> None:
        """Answers until `quit`, or until there is nothing more to read."""
        threading.Thread(target=self._read, args=(requests,), daemon=True, name="uci").start()
        with self._heeding_stop():
            while (line := self._lines.get()) != QUIT:
                if first_word(line) == "go":
                    self._go(engine, line)
                else:
                    engine.hear(line)
                remarks(notes)
                notes.clear()

    def _go(self, engine: UciEngine, line: str) -> None:
        """Searches, and tells the answer when it may be told."""
        with self._lock:
            self._begun += 1
            early, self._early = self._early, 0
        for _asked in range(early):
            self.send("readyok")
        answer = self._answer(engine, line)
        if read_go(line).waits:
            while not self.is_stopping():
                self._waiting.wait()
                self._waiting.clear()
        if self._hit:  # what was pondered on now has a clock
            with self._lock:
                self._stopped, self._hit = self._answered, False
            answer = self._answer(engine, line.replace(PONDER, ""))
        self.send(answer)
        with self._lock:
            self._answered += 1
            self._hit = False

    def _answer(self, engine: UciEngine, line: str) -> str:
        """The answer to `go`; where it is to stop, what was found so far."""
        try:
            self._thinking = True
            answer = engine.go(read_go(line))
            self._thinking = False
        except DamierError as error:
            self._thinking = False
            self.send(f"info string {error}")
            return f"bestmove {NO_MOVE}"
        except KeyboardInterrupt:  # before the search began, or after it had ended
            if not self.is_stopping():
                raise
            return engine.go(read_go(line))
        return answer

    def _read(self, requests: IO[bytes]) -> None:
        """Serve as the other thread: hands lines on, and answers at once what cannot wait."""
        last = ""
        for raw in requests:
            line = raw.decode(errors="replace").strip()
            word = first_word(line)
            if word == QUIT:
                last = ""
                break
            with self._lock:
                searching = self._answered < self._ordered
                waiting = self._begun < self._ordered
                self._early += waiting and word == "isready"
                self._ordered += word == "go"
            if word == "go":
                last = line = " ".join(line.split())
            if word == "isready" and searching:  # what was said before it is answered first
                if not waiting:
                    self.send("readyok")
            elif word in ("stop", "ponderhit"):
                self._stop(hit=word == "ponderhit")
            else:
                self._lines.put(line)
        self._lines.put(QUIT)
        if not last or read_go(last).waits:  # else: who has sent all that it wants waits for the answers
            self._stop()

    def _stop(self, *, hit: bool = False) -> None:
        """Stops the searches that were ordered; from the thread that reads."""
        with self._lock:
            if self._answered == self._ordered:
                return
            self._stopped, self._hit = self._ordered, hit
            self._waiting.set()
            if self._thinking:
                _interrupt_main()

    @contextlib.contextmanager
    def _heeding_stop(self) -> Iterator[None]:
        """Inside, SIGINT ends the search where one is to stop, and else is a Ctrl-C as ever."""

        def heed(number: int, frame: FrameType | None) -> None:
            if self.is_stopping() and not self._thinking:
                return
            self._thinking = False
            press()
            raise KeyboardInterrupt

        before = signal.signal(signal.SIGINT, heed)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


def first_word(line: str) -> str:
    return line.split(maxsplit=1)[0] if line.strip() else ""


def _interrupt_main() -> None:
    """Sends the main thread a Ctrl-C, also while it waits."""
    main = threading.main_thread().ident
    if hasattr(signal, "pthread_kill") and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


# `damier gtp`: an agent as a GTP engine, on standard input and output, for any program that speaks it.
#
# Only the protocol goes to standard output: what an agent prints goes to standard error.


def gtp(
    agent: EngineAgent = "",
    /,
    *,
    game: EngineGame = "go:size=19,komi=7.5",
    isolated: Isolated = False,
    seed: AnySeed = None,
    work: Work | None = None,
) -> None:
    refuse_game(agent)
    requests, answers = take_streams()
    job, notes = (work or Work(quiet=True)).job()
    chosen = checked_seed(seed)

    def make(game: Game) -> Thinker:
        lab = Lab(game, job, seed=chosen, isolated=isolated)
        return Thinker(lab, agent or usual_agent(game), [chosen])

    engine = GtpEngine(played_by_engines(load(game)), make, load)
    for raw in requests:
        left = engine.hear(raw.decode(errors="replace")).encode()
        while left:
            left = left[os.write(answers.fileno(), left) :]
        remarks(notes)
        notes.clear()
        if engine.ended:
            return
