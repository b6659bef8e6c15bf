"""The Universal Chess Interface, spoken with an engine (S. Meyer-Kahlen and R. Huber, 2000 [Uci00]).

    -> uci                      <- id …, option …, uciok
    -> setoption …, isready     <- readyok
    -> ucinewgame, isready      <- readyok                once a game
    -> position …, go …         <- info …, bestmove e2e4  whenever it is to move

What an engine says beside that is not looked at. For other games than chess: docs/engines.md.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from damier.agents.channel import Channel
from damier.agents.isolation import Launch
from damier.agents.process import MoveQuestion, ProcessPlayer, Talk
from damier.core.analysis import Analysis, plain_number
from damier.core.errors import AgentFault, BadFile, BadInput, UnknownName
from damier.core.game import Game, Position, written_position
from damier.core.rules import State
from damier.core.tree import Number
from damier.core.words import Text, message, printable
from damier.plugins.engines.gtp import heard, require_plays

# The options that a UCI engine offers, and what of them is set (S. Meyer-Kahlen and R. Huber,
# "Description of the universal chess interface", 2000 [Uci00]).

KINDS = ("check", "spin", "combo", "button", "string")
SHOWN = 60
"""Options that are listed where one is not known."""


class EngineOption(NamedTuple):
    """One option that an engine offers; `low` and `high` bound a `spin`, a `combo` has `choices`."""

    name: str
    kind: str
    default: str
    low: int | None
    high: int | None
    choices: tuple[str, ...]


def read_option(line: str) -> EngineOption | None:
    """The option that a line offers; None for a line that offers none as it should.

    >>> offered = read_option("option name Skill Level type spin default 20 min 0 max 20")
    >>> offered.name, offered.kind, offered.high
    ('Skill Level', 'spin', 20)
    >>> setting(offered, "5")
    'setoption name Skill Level value 5'
    """
    match = re.fullmatch(r"option\s+name\s+(\S.*?)\s+type\s+(\w+)(\s.*)?", line.strip())
    if not match or match[2] not in KINDS:
        return None
    facts = re.split(r"\s(default|min|max|var)(?=\s|$)", match[3] or "")
    found = [(key, value.strip()) for key, value in zip(facts[1::2], facts[2::2], strict=True)]
    given = dict(found)
    return EngineOption(
        match[1],
        match[2],
        given.get("default", ""),
        _whole_number(given.get("min")),
        _whole_number(given.get("max")),
        tuple(value for key, value in found if key == "var"),
    )


def settings(offered: Iterable[EngineOption], wanted: Mapping[str, str]) -> list[str]:
    """The lines that set what is wanted, by the names of options, in which case says nothing.

    Raises UnknownName, which lists what there is, and BadInput for a value that is not possible.
    """
    known = {option.name.casefold(): option for option in offered}
    return [setting(_known(known, name), value) for name, value in wanted.items()]


def setting(option: EngineOption, value: str) -> str:
    """The line that sets an option. Raises BadInput."""
    line = f"setoption name {option.name}"
    if option.kind == "button":
        return line
    expected: Text = ""
    if option.kind == "check":
        value = value.lower()
        expected = "" if value in ("true", "false") else message("true or false")
    elif option.kind == "spin":
        number, low, high = _whole_number(value), option.low, option.high
        if number is None or (low is not None and number < low) or (high is not None and number > high):
            expected = message("a whole number from {low} to {high}", low=low, high=high)
    elif option.kind == "combo":
        expected = (
            "" if value in option.choices else message("one of {choices}", choices=" ".join(option.choices))
        )
    if expected:
        raise BadInput(
            message(
                "its option {name}={value}; it must be {expected}",
                name=option.name,
                value=value,
                expected=expected,
            )
        )
    return f"{line} value {value}"


def _known(known: Mapping[str, EngineOption], name: str) -> EngineOption:
    if name.casefold() not in known:
        names = [printable(option.name, 40) for option in known.values()][:SHOWN]
        raise UnknownName(
            message(
                "it has no option {name}; its options: {names}",
                name=name,
                names=", ".join(names) or message("none"),
            )
        )
    return known[name.casefold()]


def _whole_number(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None


CHESS = "chess"
GAME_OPTION = "Game"
"""What an engine for another game than chess offers, with the game as its default."""
MOST_OPTIONS = 1000


class UciTalk(Talk):
    """Speaks UCI with an engine.

    Attributes:
        wanted: options to set, by name
        go: how far it may search: what is said after `go`
    """

    def __init__(self, game: Game, wanted: Mapping[str, str], go: str) -> None:
        self.game, self.wanted, self.go = game, wanted, go
        self.info: SearchInfo | None = None  # of the last search

    def begin(self, channel: Channel, until: float) -> bool:
        _say(channel, "uci", until)
        offered: list[EngineOption] = []
        while (line := heard(channel, until).lstrip()) != "uciok":
            option = read_option(line) if line.startswith("option ") else None
            if option and len(offered) < MOST_OPTIONS:
                offered.append(option)
        # of what UCI is made for, chess, no engine says so
        plays = next((option.default for option in offered if option.name == GAME_OPTION), CHESS)
        require_plays(plays, self.game)
        for line in settings(offered, self.wanted):
            _say(channel, line, until)
        _wait_until_ready(channel, until)
        return True

    def ask(self, channel: Channel, question: MoveQuestion, until: float) -> bytes:
        if question.new:
            _say(channel, "ucinewgame", until)
        _wait_until_ready(channel, until)
        self.info = None
        _say(channel, position_command(question), until)
        _say(channel, f"go {self.go}", until)
        while True:
            line = heard(channel, until).lstrip()
            if line.startswith("bestmove"):
                return line.encode()
            if line.startswith("info "):
                self.info = read_info(line) or self.info

    def read(self, answer: bytes) -> str | None:
        words = answer.decode().split()
        if len(words) < 2 or words[0] != "bestmove":
            raise BadFile(
                message("its answer is not bestmove MOVE: {line}", line=printable(answer.decode(), 40))
            )
        return words[1]

    def leave(self, channel: Channel, until: float) -> None:
        _say(channel, "quit", until)


class UciPlayer(ProcessPlayer):
    """A UCI engine, which can tell what it found in its last search."""

    def __init__(self, game: Game, launch: Launch, text: str, talk: UciTalk) -> None:
        super().__init__(game, launch, text, talk)
        self.uci = talk

    def analyse(self, s: State, seed: int = 0) -> Analysis:
        """One decision, as the engine explains it: the value is in pawns, a mate the payoff of the game.
        Where the game is over it is not asked.

        Raises AgentFault, also for an engine that explains nothing.
        """
        if self.game.over(s):
            value = plain_number(self.game.payoff(s, max(0, int(self.game.mover(s)))))
            none = self.game.gathered([])
            return Analysis(self.game, s, self.text, value, {}, none, 1, None, 0, True, False, False, 0.0)
        begun = time.perf_counter()
        move = self.choose(self.game, s, [0])
        info = self.uci.info
        if info is None:
            raise AgentFault(message("{agent}: it says nothing of its search", agent=self.text))
        pv = self._moves(s, info.pv)
        return Analysis(
            self.game,
            s,
            self.text,
            info.value,
            {pv[0]: info.value} if pv else {},
            self.game.gathered([move]),
            info.nodes,
            None,
            info.depth,
            info.mate is not None,
            False,
            False,
            time.perf_counter() - begun,
            pv,
            distance=info.distance,
        )

    def _moves(self, s: State, names: tuple[str, ...]) -> tuple[int, ...]:
        """The moves of these names, up to the first that is not legal."""
        found: list[int] = []
        position = Position(self.game, s)
        for name in names:
            if name not in position.named_moves:
                break
            found.append(position.named_moves[name])
            position = position.play(name)
        return tuple(found)


def position_command(question: MoveQuestion) -> str:
    """The position with the line that led to it, as an engine is told it, which judges repetition;
    where the line is not known, the position alone.
    """
    if question.moves is None:
        at = written_position(Position(question.game, question.state))
        return f"position fen {at}" if question.game.name == CHESS else f"position {at}"
    return "position startpos" + (" moves " + " ".join(question.moves) if question.moves else "")


def _wait_until_ready(channel: Channel, until: float) -> None:
    """Wait until what was said before is done; what the engine said before is past."""
    _say(channel, "isready", until)
    while heard(channel, until).lstrip() != "readyok":
        pass


def _say(channel: Channel, line: str, until: float) -> None:
    channel.say(f"{line}\n".encode(), until)


# What a UCI engine says of a search while it goes on: `info depth 8 score cp 31 nodes 5000 pv e2e4`.

WORDS = (
    *("depth", "seldepth", "time", "nodes", "pv", "multipv", "score", "currmove", "currmovenumber"),
    *("hashfull", "nps", "tbhits", "sbhits", "cpuload", "string", "refutation", "currline", "wdl"),
)


class SearchInfo(NamedTuple):
    """The findings of an engine, from the side of the player to move.

    Attributes:
        centipawns: its estimate, in hundredths of a pawn
        mate: moves, not plies, to the mate that it gives or, negative, gets
    """

    depth: int = 0
    centipawns: int | None = None
    mate: int | None = None
    nodes: int = 0
    pv: tuple[str, ...] = ()

    @property
    def value(self) -> Number:
        """In pawns; a mate is the payoff of the game: 1, or −1."""
        if self.mate is not None:
            return 1 if self.mate > 0 else -1
        return plain_number((self.centipawns or 0) / 100)

    @property
    def distance(self) -> int | None:
        """Plies to the mate."""
        if self.mate is None:
            return None
        return 2 * self.mate - 1 if self.mate > 0 else -2 * self.mate


def read_info(line: str) -> SearchInfo | None:
    """Return what a line says of the best line of play; None where it says nothing of that: a line beside it,
    a bound of its value, a message.

    >>> read_info("info depth 8 score cp 31 nodes 5000 time 12 pv e2e4 e7e5")
    SearchInfo(depth=8, centipawns=31, mate=None, nodes=5000, pv=('e2e4', 'e7e5'))
    """
    words = _by_word(line.split()[1:])
    score = words.get("score", [])
    if words.get("multipv", ["1"]) != ["1"] or "pv" not in words or len(score) != 2:
        return None
    kind, number = score[0], _whole_number(score[1])
    if number is None or kind not in ("cp", "mate"):
        return None
    return SearchInfo(
        _first(words, "depth"),
        number if kind == "cp" else None,
        number if kind == "mate" else None,
        _first(words, "nodes"),
        tuple(words["pv"]),
    )


def written_info(info: SearchInfo, seconds: float) -> str:
    """Return it as an engine writes it."""
    score = f"mate {info.mate}" if info.mate is not None else f"cp {info.centipawns or 0}"
    speed = f" nps {round(info.nodes / seconds)}" if seconds > 0 and info.nodes else ""
    pv = f" pv {' '.join(info.pv)}" if info.pv else ""
    return f"info depth {info.depth} score {score} nodes {info.nodes}{speed} time {round(seconds * 1000)}{pv}"


def _by_word(words: list[str]) -> dict[str, list[str]]:
    """Return what follows each word that means something, up to the next one."""
    found: dict[str, list[str]] = {}
    at = ""
    for word in words:
        if at != "string" and word in WORDS:
            at = word
            found[at] = []
        elif at:
            found[at].append(word)
    return found


def _first(words: dict[str, list[str]], word: str) -> int:
    return _whole_number(words.get(word, ["0"])[0] if words.get(word) else "0") or 0
