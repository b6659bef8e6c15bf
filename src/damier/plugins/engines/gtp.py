"""The Go Text Protocol, version 2, spoken with an engine (G. Farnebäck, "Specification of the Go Text
Protocol, version 2", draft 2, 2002 [Farneback02]).

    -> 7 genmove black
    <- =7 D4            a blank line ends every answer; ?7 … is one that refuses

The line of the game is played move by move. Where it is not known the stones are played one by one,
in any order: of stones that all have a liberty at the end none is without one on the way, so nothing
is taken. For other games than Go: docs/engines.md.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from damier.agents.channel import Channel
from damier.agents.process import MoveQuestion, Talk
from damier.core.errors import AgentFault, BadFile, BadInput
from damier.core.game import Game, Position, written_position
from damier.core.words import FormattedNumber, message, printable

GO, VERSION = "go", "2"
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""Columns: without I."""
COLOURS = ("black", "white")
STONES = {"X": "black", "O": "white"}
PASS, RESIGN = "pass", "resign"
GAME_COMMAND, POSITION_COMMAND = "damier-game", "damier-position"
"""What an engine for another game than Go knows beside: its game, and to set up a position of it."""
LONGEST_ANSWER = 10_000
"""Lines."""


class Reply(NamedTuple):
    """An answer: whether the command was obeyed, and what was said."""

    obeyed: bool
    text: str


class GtpTalk(Talk):
    """Speaks GTP with an engine.

    Attributes:
        before: commands before the first game, such as `level 5`
        seconds: for a move, which the engine is told where it knows about time; None: it is told nothing
    """

    def __init__(self, game: Game, before: Sequence[str], seconds: float | None) -> None:
        self.game, self.before, self.seconds = game, before, seconds
        self._number = 0
        self._told: list[str] = []  # the moves that led to the board of the engine
        self._legal: dict[str, str] = {}

    def begin(self, channel: Channel, until: float) -> bool:
        version = self.must(channel, "protocol_version", until)
        if version != VERSION:
            raise BadInput(
                message("it speaks GTP {other}, not {known}", other=printable(version, 40), known=VERSION)
            )
        known = set(self.must(channel, "list_commands", until).split())
        if self.game.name != GO:
            plays = self.must(channel, GAME_COMMAND, until) if GAME_COMMAND in known else GO
            require_plays(plays, self.game)
        if missing := {command.split()[0] for command in self.before} - known:
            raise BadInput(message("it does not know the command {name}", name=" ".join(sorted(missing))))
        for command in self.before:
            self.must(channel, command, until)
        if self.seconds is not None and "time_settings" in known:
            self.must(channel, f"time_settings 0 {max(1, round(self.seconds))} 1", until)
        self._clear(channel, until)
        return True

    def ask(self, channel: Channel, question: MoveQuestion, until: float) -> bytes:
        self._legal = {name.casefold(): name for name in question.legal}
        moves = question.moves
        if moves is None or not self._follow(channel, moves, until, new=question.new):
            self.set_up(channel, Position(question.game, question.state), until)
        colour = COLOURS[question.game.mover(question.state)]
        reply = self._command(channel, f"genmove {colour}", until)
        if not reply.obeyed:
            raise AgentFault(message("it refused genmove: {said}", said=printable(reply.text, 80) or "?"))
        self._told = [*(moves or ()), self._legal.get(reply.text.casefold(), "")]
        return reply.text.encode()

    def read(self, answer: bytes) -> str | None:
        text = answer.decode()
        if text.casefold() == RESIGN:
            return None
        if not text:
            raise BadFile(message("it answered without a move"))
        if text.casefold() not in self._legal:
            raise BadFile(message("{move} is not a legal move here", move=printable(text, 40)))
        return self._legal[text.casefold()]

    def leave(self, channel: Channel, until: float) -> None:
        channel.say(b"quit\n", until)

    def _follow(self, channel: Channel, moves: list[str], until: float, *, new: bool) -> bool:
        """Plays on the board of the engine what it has not yet there; False where it refuses a move: of
        a line in which a position came back, say.
        """
        if new or moves[: len(self._told)] != self._told:
            self._clear(channel, until)
        position = self.game.position().play(*self._told)
        for move in moves[len(self._told) :]:
            reply = self._command(channel, f"play {COLOURS[position.mover]} {move}", until)
            if not reply.obeyed:
                return False
            position = position.play(move)
        return True

    def _clear(self, channel: Channel, until: float) -> None:
        """An empty board of the right size."""
        if self.game.name == GO:
            self.must(channel, f"boardsize {self.game.options['size']}", until)
        self.must(channel, "clear_board", until)
        if self.game.name == GO:
            self.must(channel, f"komi {self.game.options['komi']:g}", until)
        self._told = []

    def set_up(self, channel: Channel, position: Position, until: float) -> None:
        """Brings a position to the board of the engine without the line that led to it."""
        self._clear(channel, until)
        at = written_position(position)
        if self.game.name != GO:
            self.must(channel, f"{POSITION_COMMAND} {at}", until)
            return
        size = int(self.game.options["size"] or 0)
        for cell, mark in enumerate(position.board):
            if mark in STONES:
                row, column = divmod(cell, size)
                self.must(channel, f"play {STONES[mark]} {LETTERS[column]}{size - row}", until)
        if at.endswith(f" {PASS}"):
            self.must(channel, f"play {COLOURS[1 - position.mover]} {PASS}", until)

    def must(self, channel: Channel, command: str, until: float) -> str:
        """Return what is answered to a command. Raises BadInput where it is refused."""
        reply = self._command(channel, command, until)
        if not reply.obeyed:
            raise BadInput(
                message(
                    "it refused {command}: {said}", command=command, said=printable(reply.text, 80) or "?"
                )
            )
        return reply.text

    def _command(self, channel: Channel, command: str, until: float) -> Reply:
        self._number += 1
        number = str(self._number)
        channel.say(f"{number} {command}\n".encode(), until)
        while (first := heard(channel, until)).split(" ")[0] not in (f"={number}", f"?{number}"):
            pass
        lines = [first[1 + len(number) :].strip()]
        while line := heard(channel, until):
            lines.append(line)
            if len(lines) > LONGEST_ANSWER:
                raise AgentFault(
                    message("it answered more than {n} lines", n=FormattedNumber(LONGEST_ANSWER, ","))
                )
        return Reply(first.startswith("="), "\n".join(lines).strip())


def require_plays(plays: str, game: Game) -> None:
    """Raises BadInput for an engine that plays another game."""
    if plays != game.text:
        raise BadInput(message("it plays {other}, not {game}", other=printable(plays, 80), game=game.text))


def heard(channel: Channel, until: float) -> str:
    """The next line. Raises TimeoutError also where there is always one more."""
    if time.monotonic() > until:
        raise TimeoutError
    return channel.hear(until).decode(errors="replace").rstrip()
