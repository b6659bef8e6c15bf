"""An agent of damier as a GTP engine [Farneback02]: for Go as it is, for other games in the dialect of
docs/engines.md.

>>> parsed("12 play black D4 # the centre"), parsed("# nothing")
(GtpLine(number='12', command='play', rest='black D4'), None)
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import damier
from damier.agents.gtp import COLOURS, GAME_COMMAND, GO, POSITION_COMMAND, RESIGN, VERSION
from damier.core.errors import BadInput, DamierError, IllegalMove
from damier.core.game import Game
from damier.core.position import Position, read, start, written
from damier.lab.engines.clock import seconds_for_move
from damier.lab.engines.thinker import SearchBounds, Thinker

MOVES_COMMAND = "damier-moves"
LINE_ID = re.compile(r"(?:([0-9]{1,18})(?:\s+|$))?(\S*)\s*(.*)")


class GtpError(Exception):
    """What is answered after `?`: in English, as the specification words it."""


class GtpLine(NamedTuple):
    """A line: its number, if it has one, the command, and what follows."""

    number: str
    command: str
    rest: str


class Clock(NamedTuple):
    """Seconds that a player has left, for so many moves; None: for all of them."""

    left: float
    moves: int | None


def parsed(raw: str) -> GtpLine | None:
    """What a line asks for; None for an empty one. Tabs are spaces, other control characters are
    nothing, from # on it is a comment.
    """
    text = "".join(mark for mark in raw.replace("\t", " ") if mark >= " " and mark != "\x7f")
    match = LINE_ID.fullmatch(text.partition("#")[0].strip())
    if match is None or not (match[1] or match[2]):
        return None
    return GtpLine(match[1] or "", match[2], match[3].strip())


class GtpEngine:
    """Answers the commands of GTP.

    make  the mind of an agent at a game. Raises BadInput.
    load  a game by its text. Raises BadInput.
    """

    def __init__(self, game: Game, make: Callable[[Game], Thinker], load: Callable[[str], Game]) -> None:
        self.make, self.load = make, load
        self.thinker = make(game)
        self.line = [start(game)]
        self.clocks: dict[str, Clock] = {}
        self.settings: tuple[float, float, int] = (0.0, 0.0, 0)  # main time, byo yomi time, its stones
        self.ended = False
        self.commands: dict[str, Callable[[str], str]] = {
            "protocol_version": lambda rest: VERSION,
            "name": lambda rest: "damier",
            "version": lambda rest: damier.__version__,
            "known_command": lambda rest: "true" if rest in self.commands else "false",
            "list_commands": lambda rest: "\n".join(self.commands),
            "quit": self._quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "undo": self._undo,
            "final_score": self._final_score,
            "showboard": lambda rest: f"\n{self.position}",
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            GAME_COMMAND: lambda rest: self.game.text,
            POSITION_COMMAND: self._set_position,
            MOVES_COMMAND: lambda rest: " ".join(self.position.moves),
        }
        if game.name != GO:
            del self.commands["komi"]

    @property
    def game(self) -> Game:
        return self.position.game

    @property
    def position(self) -> Position:
        return self.line[-1]

    def hear(self, raw: str) -> str:
        """The whole answer to a line, nothing to one that asks for nothing."""
        line = parsed(raw)
        if line is None:
            return ""
        sign = "="
        try:
            if line.command not in self.commands:
                raise GtpError("unknown command")
            said = self.commands[line.command](line.rest)
        except (GtpError, DamierError) as error:
            sign, said = "?", str(error)
        kept = "\n".join(text for text in said.splitlines() if text.strip())
        lead = "\n" if said.startswith("\n") else ""
        return f"{sign}{line.number} {lead}{kept}".rstrip() + "\n\n"

    def _quit(self, rest: str) -> str:
        self.ended = True
        return ""

    def _boardsize(self, rest: str) -> str:
        """Another board, empty. Of other games than Go the board is as it was chosen."""
        size = _number(rest, int)
        if self.game.name == GO:
            self._change(f"{GO}:size={int(size)},komi={self.game.options['komi']}", "unacceptable size")
        elif {value for name, value in self.game.options.items() if name in ("size", "width", "height")} - {
            int(size)
        }:
            raise GtpError("unacceptable size")
        return ""

    def _komi(self, rest: str) -> str:
        """Another komi: the stones stay."""
        at, size = written(self.position), self.game.options["size"]
        self._change(f"{GO}:size={size},komi={_number(rest, float)}", "unacceptable komi")
        self.line = [read(self.game, at)]
        return ""

    def _change(self, text: str, refusal: str) -> None:
        try:
            game = self.load(text)
        except BadInput:
            raise GtpError(refusal) from None
        if game.text != self.game.text:
            self.thinker = self.make(game)
        self.line = [start(game)]

    def _clear_board(self, rest: str) -> str:
        self.line = [start(self.game)]
        self.clocks = {}
        self.thinker.new_game()
        return ""

    def _play(self, rest: str) -> str:
        colour, _space, move = rest.partition(" ")
        try:
            self.line.append(self._turned_to(_colour(colour)).play(move.strip()))
        except IllegalMove:
            raise GtpError("illegal move") from None
        return ""

    def _genmove(self, rest: str) -> str:
        colour = _colour(rest)
        position = self._turned_to(colour)
        if position.over:
            raise GtpError("the game is over")
        decision = self.thinker.think(
            position, SearchBounds(seconds=self._seconds(colour)), lambda found: None
        )
        if decision.move == 0:
            return RESIGN
        name = self.game.name_move(position.state, decision.move)
        self.line.append(position.play(name))
        return name

    def _turned_to(self, colour: int) -> Position:
        """The present position with that player to move: in Go either may play, also after two passes.

        Raises GtpError.
        """
        position = self.position
        if self.game.name == GO and (position.over or position.mover != colour):
            rows = written(position).split(" ")[0]
            return read(self.game, f"{rows} {COLOURS[colour]}")
        if not position.over and position.mover != colour:
            raise GtpError(f"illegal move: it is the turn of {COLOURS[position.mover]}")
        return position

    def _undo(self, rest: str) -> str:
        if len(self.line) < 2:
            raise GtpError("cannot undo")
        del self.line[-1]
        return ""

    def _final_score(self, rest: str) -> str:
        """In Go, all stones on the board count as alive."""
        if self.game.name == GO:
            lead = self.game.features["area"](self.position.state) - float(self.game.options["komi"] or 0)
        elif self.position.payoffs is None:
            raise GtpError("cannot score")
        else:
            lead = self.position.payoffs[0]
        return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"

    def _set_position(self, rest: str) -> str:
        self.line = [read(self.game, rest)]
        return ""

    def _time_settings(self, rest: str) -> str:
        words = rest.split()
        if len(words) != 3:
            raise GtpError("syntax error")
        self.settings = (_number(words[0], int), _number(words[1], int), int(_number(words[2], int)))
        self.clocks = {}
        return ""

    def _time_left(self, rest: str) -> str:
        colour, *numbers = rest.split() or [""]
        if len(numbers) != 2:
            raise GtpError("syntax error")
        left, stones = (_number(number, int) for number in numbers)
        self.clocks[COLOURS[_colour(colour)]] = Clock(left, int(stones) or None)
        return ""

    def _seconds(self, colour: int) -> float | None:
        """For a move; None where no clock runs, which GTP says as byo yomi without stones."""
        main, byo_yomi, stones = self.settings
        clock = self.clocks.get(COLOURS[colour])
        if clock is None:
            if byo_yomi > 0 and stones == 0:
                return None
            clock = Clock(main, None) if main > 0 else Clock(byo_yomi, stones or None)
            if clock.left == 0:
                return None
        return seconds_for_move(clock.left, moves_to_go=clock.moves)


def _colour(text: str) -> int:
    """The player of a colour. Raises GtpError."""
    found = {"b": 0, "black": 0, "w": 1, "white": 1}.get(text.strip().casefold())
    if found is None:
        raise GtpError("syntax error")
    return found


def _number(text: str, kind: type[int] | type[float]) -> float:
    """Raises GtpError for what is no number."""
    pattern = r"[0-9]{1,9}" if kind is int else r"[+-]?[0-9]{1,9}(\.[0-9]{0,9})?"
    if not re.fullmatch(pattern, text.strip()):
        raise GtpError("syntax error")
    return kind(text)
