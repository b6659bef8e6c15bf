"""An agent of damier as a UCI engine [Uci00]: for chess as it is, for other games in the dialect of
docs/engines.md.

What is here knows nothing of threads: it hears one line after the other, and what it is asked in the
middle of a search its owner has to answer (`damier.cli.uci`).
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import damier
from damier.agents.uci import CHESS, GAME_OPTION, SearchInfo, written_info
from damier.core.analysis import Analysis
from damier.core.errors import BadInput
from damier.core.position import Position, line
from damier.core.words import _
from damier.lab.engines.clock import seconds_for_move
from damier.lab.engines.thinker import SearchBounds, Thinker, unit_of

AGENT_OPTION, THREADS_OPTION = "Agent", "Threads"
MOST_THREADS = 256
NO_MOVE = "(none)"
NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes", "mate")
MARKS = ("infinite", "ponder")
LONGEST_MATE = 400
"""Moves."""


class GoOrder(NamedTuple):
    """What stands after `go`: numbers (of milliseconds, moves, plies, nodes), marks, and moves to choose
    from.
    """

    numbers: dict[str, int]
    marks: tuple[str, ...]
    moves: tuple[str, ...]

    @property
    def waits(self) -> bool:
        """Whether the answer may come only once it is asked for."""
        return bool(self.marks)


def read_go(text: str) -> GoOrder:
    """What is ordered; words that mean nothing here are passed over.

    >>> read_go("go wtime 1000 btime 2000 infinite searchmoves e2e4 d2d4")
    GoOrder(numbers={'wtime': 1000, 'btime': 2000}, marks=('infinite',), moves=('e2e4', 'd2d4'))
    """
    numbers: dict[str, int] = {}
    marks: list[str] = []
    moves: list[str] = []
    at = ""
    for word in text.split()[1:]:
        if word in NUMBERS or word in MARKS or word == "searchmoves":
            at = word
            marks += [word] if word in MARKS else []
        elif at in NUMBERS and at not in numbers and re.fullmatch(r"-?[0-9]{1,15}", word):
            numbers[at] = int(word)
        elif at == "searchmoves":
            moves.append(word)
    return GoOrder(numbers, tuple(marks), tuple(moves))


class UciEngine:
    """Answers the lines of UCI; `send` gets each line of an answer.

    make  the mind of an agent by its text, of this game. Raises BadInput.
    """

    def __init__(self, thinker: Thinker, make: Callable[[str], Thinker], send: Callable[[str], None]) -> None:
        self.thinker, self.make, self.send = thinker, make, send
        self.game = thinker.lab.game
        self.line: list[Position] | None = [self.game.position()]  # None after one that is none

    def hear(self, text: str) -> None:
        """Answers a line that starts no search; what is unknown is ignored, as the protocol wants it."""
        word = text.split()[0] if text.split() else ""
        if word == "uci":
            self._introduce()
        elif word == "isready":
            self.send("readyok")
        elif word == "ucinewgame":
            self.thinker.new_game()
        elif word == "position":
            self._set_position(text)
        elif word == "setoption":
            self._set_option(text)

    def go(self, order: GoOrder) -> str:
        """Searches, and returns the line that answers `go`. Raises AgentFault, KeyboardInterrupt."""
        if self.line is None or self.line[-1].over:
            return f"bestmove {NO_MOVE}"
        position, begun = self.line[-1], time.perf_counter()
        unit = unit_of(self.thinker.lab, self.thinker.text)
        decision = self.thinker.think(
            position,
            self._bounds(order, position),
            lambda found: self.send(written_info(told(found, unit), time.perf_counter() - begun)),
        )
        if decision.move == 0:
            self.send("info string " + _("it resigns"))
            return f"bestmove {NO_MOVE}"
        if decision.at_random:
            self.send("info string " + _("it had no time to choose: any legal move"))
        return f"bestmove {self.game.name_move(position.state, decision.move)}"

    def _introduce(self) -> None:
        self.send(f"id name damier {damier.__version__} {self.thinker.text.partition(':')[0]}")
        self.send("id author damier")
        self.send(f"option name {AGENT_OPTION} type string default {self.thinker.text}")
        self.send(f"option name {THREADS_OPTION} type spin default 1 min 1 max {MOST_THREADS}")
        if self.game.name != CHESS:
            self.send(f"option name {GAME_OPTION} type string default {self.game.text}")
        self.send("uciok")

    def _set_position(self, text: str) -> None:
        """The line of positions; where it cannot be read there is none, and why is told."""
        at, _word, moves = text.strip().removeprefix("position").partition(" moves")
        begin = re.sub(r"^(startpos|fen\s)", "", at.strip()).strip()
        try:
            self.line = line(self.game, moves.split(), begin or None)
        except BadInput as error:
            self.line = None
            self.send(f"info string {error}")

    def _set_option(self, text: str) -> None:
        match = re.fullmatch(r"setoption\s+name\s+(.+?)(?:\s+value\s+(.*))?", text.strip())
        if not match:
            return
        name, value = match[1].casefold(), match[2] or ""
        if name == AGENT_OPTION.casefold():
            self._change(value)
        elif name == THREADS_OPTION.casefold() and re.fullmatch("[0-9]{1,3}", value):
            lab = self.thinker.lab
            lab.job = replace(lab.job, jobs=max(1, min(int(value), MOST_THREADS)))
            self._change(self.thinker.text)

    def _change(self, agent: str) -> None:
        """Another agent thinks; where there is none of that name, the present one."""
        try:
            self.thinker = self.make(agent)
        except BadInput as error:
            self.send(f"info string {error}")

    def _bounds(self, order: GoOrder, position: Position) -> SearchBounds:
        """How far the agent may look. Moves that are not legal are no moves to choose from."""
        numbers = order.numbers
        mate = numbers.get("mate")
        plies = numbers.get("depth", 2 * min(mate, LONGEST_MATE) - 1 if mate else None)
        return SearchBounds(
            max(1, plies) if plies is not None else None,
            max(1, numbers["nodes"]) if "nodes" in numbers else None,
            None if order.waits else _seconds(order, position.mover),
            order.waits,
            [position.named_moves[name] for name in order.moves if name in position.named_moves],
        )


def _seconds(order: GoOrder, mover: int) -> float | None:
    """What the clock leaves for this move; None where there is none."""
    numbers = order.numbers
    if "movetime" in numbers:
        return max(1, numbers["movetime"]) / 1000
    left, increment = (("wtime", "winc"), ("btime", "binc"))[mover]
    if left not in numbers:
        return None
    return seconds_for_move(
        numbers[left] / 1000, max(0, numbers.get(increment, 0)) / 1000, numbers.get("movestogo")
    )


def told(found: Analysis, unit: float) -> SearchInfo:
    """What a search found, as an engine says it, where `unit` is worth a pawn."""
    value = found.value if not isinstance(found.value, tuple) else found.value[found.game.mover(found.state)]
    names = found.pv_names or found.names(found.best)[:1]
    plies = found.distance
    if plies is None and found.pv and found.game.over(found.states[-1]):
        plies = len(found.pv)
    if plies is None or value == 0:
        return SearchInfo(found.plies, round(100 * value / unit), None, found.nodes, tuple(names))
    mate = (plies + 1) // 2 if value > 0 else -(plies // 2)
    return SearchInfo(found.plies, None, mate, found.nodes, tuple(names))
