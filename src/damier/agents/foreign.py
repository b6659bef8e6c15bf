"""An agent in another language (`damier.agents.languages`) as a module of Python: its classes make agents of
its process, whose methods are those of its document, and its functions are the document's.

A line of JSON asks for a call, and one answers it (docs/agent_protocol.md). One process serves all agents of
a module. The random numbers of a call follow from one of Python's, which is given back where nothing was
drawn: so an agent draws alike wherever Python does.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import random
import re
import shutil
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from damier.agents.channel import Channel
from damier.agents.isolation import AgentCommand, AgentLimits, launch
from damier.agents.languages import Sources, built, sources_of
from damier.core.errors import AgentFault
from damier.core.game import Position
from damier.core.words import FormattedNumber, Text, message, printable

VERSION = 2
"""Of the protocol in which an agent's own functions are called."""
LIMITS = AgentLimits(seconds=10.0, game_seconds=86_400.0, answer=1 << 24)
RANDOM_BITS = 53
LONGEST = 200
COPIES = 16
"""Copies of an agent that are processes of their own; one more plays its games again."""
PLACED = re.compile(r"[\w.-]+:\d+: ")
"""How the last words of a program begin that name the line in which it ended."""
BATCH = 500
"""Games that are played again by one message."""
METHODS = {
    "play": ("board", "player"),
    "end": ("board", "winner"),
    "setTrainingModeRlAgent": ("training",),
    "getMoveScoreRlAgent": ("board", "move"),
    "initialize": (),
    "update": ("state", "reward", "possible_actions"),
    "learn": ("state", "reward"),
    "coup": ("allumettes",),
    "explore_renf": ("allumettes", "coups", "commence"),
}
"""The methods that an agent may have, with their parameters."""


class ProgramFault(AgentFault):
    """Fault of an agent in another language, which says in which of its lines."""


class ForeignProgram:
    """The process of an agent, and the numbers of its agents.

    starts   how often it was started: what it knew before is gone
    seconds  that it has for a call
    """

    def __init__(self, sources: Sources, isolated: bool | None = None) -> None:
        """Raises BadInput, AgentFault for what cannot be compiled."""
        self.sources = sources
        self.seconds = LIMITS.seconds
        self.starts = 0
        self._folder = tempfile.TemporaryDirectory(prefix="damier-")
        Path(self._folder.name).chmod(0o755)
        program = Path(self._folder.name, "program")
        program.write_bytes(built(sources))
        program.chmod(0o755)
        language = sources.language
        words = language.words(program)
        words += [name for name in sources.files if name.endswith(language.suffixes)]
        words[0] = shutil.which(words[0]) or words[0]
        own = {place: word for place, word in enumerate(words) if word == str(program)}
        self._launch, said = launch(AgentCommand(tuple(words), own), LIMITS, isolated)
        self.note = said.replace(words[0], sources.path.name)
        self._channel: Channel | None = None
        self._agents = 0
        self._dropped: list[int] = []
        self._free: list[int] = []
        self.hello: Mapping[str, Any] = {}
        self.begin()

    def begin(self) -> None:
        """Starts the process, where it does not run."""
        if self._channel is None:
            self.starts += 1
            self._dropped.clear()
            try:
                self._channel = Channel(self._launch)
            except OSError as error:
                raise AgentFault(message("it could not be started: {error}", error=error.strerror)) from None
            self.hello = self._exchanged({"type": "hello", "protocol": VERSION}, LIMITS.start_seconds)

    def number(self) -> int:
        """The number of a new agent: one that no agent has any more, where there is one."""
        if self._free:
            return self._free.pop()
        self._agents += 1
        return self._agents - 1

    def drop(self, agent: int, starts: int) -> None:
        """Nobody holds an agent any more; told with the next question, as this may be called at any time."""
        if starts == self.starts:
            self._dropped.append(agent)

    def ask(self, type: str, **facts: object) -> dict[str, Any]:
        """The answer to a message. Raises AgentFault."""
        self.begin()
        return self._exchanged({"type": type, **facts}, self.seconds)

    def drawing(self, type: str, **facts: object) -> dict[str, Any]:
        """The answer to a message that comes with random numbers: one of Python's, if any is drawn."""
        before = random.getstate()
        bits = int(random.random() * (1 << RANDOM_BITS))
        answer = self.ask(type, **facts, random=bits)
        answer["random"] = bits
        if not answer.get("drawn"):
            random.setstate(before)
        return answer

    def _exchanged(self, asked: Mapping[str, object], seconds: float) -> dict[str, Any]:
        channel = self._channel
        assert channel is not None
        lines = [json.dumps({"type": "drop", "agent": agent}) for agent in self._dropped]
        self._free += self._dropped
        self._dropped.clear()
        said = ("\n".join([*lines, json.dumps(asked, ensure_ascii=False)]) + "\n").encode()
        until = time.monotonic() + seconds
        ended: EOFError | None = None
        try:
            with channel.its_turn():
                channel.be_silent()
                channel.say(said, until)
                answer = json.loads(channel.hear(until))
                while isinstance(answer, dict) and "asks" in answer:
                    line, ended = typed_line()
                    channel.say((json.dumps({"line": line}) + "\n").encode(), until)
                    answer = json.loads(channel.hear(until))
        except TimeoutError:
            raise self._ended(message("no answer within {n} seconds", n=FormattedNumber(seconds))) from None
        except AgentFault as fault:
            raise self._ended(fault.args[0]) from None
        except (ValueError, RecursionError):
            raise self._ended(message("its answer cannot be used")) from None
        except BaseException:  # Ctrl-C: what it may yet answer is the answer to nothing
            self.end()
            raise
        if not isinstance(answer, dict):
            raise self._ended(message("its answer cannot be used"))
        if "fault" in answer:
            if ended is not None:
                raise ended
            words = printable(str(answer["fault"]), LONGEST) or channel.last_words()
            raise ProgramFault(words if PLACED.match(words) else self._named(words))
        return answer

    def forget_errors(self) -> None:
        """Makes room for what it may write for people."""
        if self._channel is not None:
            with contextlib.suppress(AgentFault):  # it prints much: only what it printed is lost
                self._channel.forget_errors()

    def _ended(self, why: Text) -> ProgramFault:
        """Ends the process; what went wrong, with its last words."""
        words = self._channel.last_words() if self._channel else ""
        self.end()
        if PLACED.match(words):
            return ProgramFault(words)
        return ProgramFault(self._named(message("{what} ({words})", what=why, words=words) if words else why))

    def _named(self, why: Text) -> Text:
        return message("{file}: {why}", file=self.sources.path.name, why=why)

    def end(self) -> None:
        """Ends the process at once."""
        if self._channel is not None:
            self._channel.kill()
        self._channel = None


def typed_line() -> tuple[str | None, EOFError | None]:
    """A line that somebody types; None, and why, where nobody types any more."""
    try:
        return input(), None
    except EOFError as error:
        return None, error


class ForeignAgent:
    """An agent of a process. Its classes are made by `module_of`, with the methods that it says it has.

    Attributes that are none of this object are those of the agent, as far as they are data; an agent without
    attributes has its `games`: what it was asked and told while it learnt, which it can be asked again.
    """

    _program: ForeignProgram
    _class: str
    _number: int
    _starts: int
    _known: dict[str, object]
    _games: list[str]
    _turns: list[str]
    _trains: bool

    def __init__(self) -> None:
        vars(self).update(_number=self._program.number(), _known={}, _games=[], _turns=[], _trains=True)
        self._make()

    def _make(self) -> None:
        program = self._program
        program.begin()
        vars(self).update(_starts=program.starts)
        program.drawing("make", agent=self._number, name=self._class)
        self._watch()

    def _watch(self) -> None:
        weakref.finalize(self, self._program.drop, self._number, self._starts)

    def _present(self) -> None:
        """Makes it again where its process has ended, as far as that is known."""
        program = self._program
        program.begin()
        if self._starts == program.starts:
            return
        known, games, trains = self._known, self._games, self._trains
        self._make()
        vars(self).update(_turns=[], _trains=True)
        if program.hello.get("attributes"):
            for name, value in known.items():
                program.ask("set", agent=self._number, name=name, value=value)
        elif games:
            self._replay(games)
        if not trains:
            self.ask("setTrainingModeRlAgent", False)

    def ask(self, method: str, *arguments: object) -> object:
        """Return what one of its methods answers. Raises AgentFault."""
        self._present()
        given = [value.replace(" ", ".") if isinstance(value, str) else value for value in arguments]
        if method == "setTrainingModeRlAgent":
            vars(self).update(_trains=bool(given[0]))
        if method in ("initialize", "end"):
            self._program.forget_errors()
        answer = self._program.drawing("call", agent=self._number, name=method, arguments=given)
        value = answer.get("value")
        if self._trains and method in ("play", "end") and not self._program.hello.get("attributes"):
            turn = " ".join(map(str, (answer["random"], *given, *([value] if method == "play" else []))))
            self._turns.append(turn)
            if method == "end":
                self._games.append(";".join(self._turns))
                self._turns.clear()
        self._known.clear()
        return value

    def _replay(self, games: list[str]) -> None:
        """Has it play games again, learning. Raises AgentFault where it chooses otherwise than it did."""
        if not (trains := self._trains):
            self.ask("setTrainingModeRlAgent", True)
        for first in range(0, len(games), BATCH):
            batch = games[first : first + BATCH]
            if self._program.ask("replay", agent=self._number, arguments=batch).get("value") != -1:
                raise ProgramFault(
                    message(
                        "{file}: what it learnt is kept as its games, and it does not play them again"
                        " as it did",
                        file=self._program.sources.path.name,
                    )
                )
        if not trains:
            self.ask("setTrainingModeRlAgent", False)

    @property
    def attributes(self) -> dict[str, object]:
        """Return what its attributes hold, as far as it is data."""
        if not self._program.hello.get("attributes"):
            return {"games": list(self._games)}
        self._present()
        found: dict[str, object] = self._program.ask("attributes", agent=self._number)["value"]
        vars(self).update(_known=dict(found))
        return found

    def __getattr__(self, name: str) -> object:
        if name.startswith("_") or not self._program.hello.get("attributes"):
            raise AttributeError(name)
        if name not in self._known:
            self._present()
            answer = self._program.ask("get", agent=self._number, name=name)
            if "value" not in answer:
                raise AttributeError(name)
            self._known[name] = answer["value"]
        return self._known[name]

    def __setattr__(self, name: str, value: object) -> None:
        if self._program.hello.get("attributes"):
            self._present()
            self._program.ask("set", agent=self._number, name=name, value=value)
            self._known[name] = value
        elif name == "games":
            games = [game for game in value if isinstance(game, str)] if isinstance(value, list) else []
            self._present()
            self._replay(games)
            self._games[:] = games
        else:
            object.__setattr__(self, name, value)

    def __deepcopy__(self, memo: object) -> ForeignAgent:
        self._present()
        program = self._program
        found = object.__new__(type(self))
        vars(found).update(vars(self))
        vars(found).update(
            _number=program.number(), _known={}, _games=list(self._games), _turns=list(self._turns)
        )
        try:
            program.ask("copy", agent=self._number, to=found._number)
            found._watch()
        except ProgramFault:  # there are as many as there may be
            found._make()
            vars(found).update(_trains=True)
            found._replay(found._games)
            if not self._trains:
                found.ask("setTrainingModeRlAgent", False)
        return found


def method(name: str) -> Callable[..., object]:
    """A method of the classes of a module."""

    def called(self: ForeignAgent, *arguments: object) -> object:
        return self.ask(name, *arguments)

    words = ("self", *METHODS[name])
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    called.__name__ = name
    called.__signature__ = inspect.Signature([inspect.Parameter(word, kind) for word in words])  # type: ignore[attr-defined]
    return called


class ForeignFunction:
    """A function of a document, given data, or a position as its board.

    calls  how many calls of functions of its own the last answer took
    """

    def __init__(self, program: ForeignProgram, name: str) -> None:
        self.program, self.__name__ = program, name
        self.calls = 0

    def __call__(self, *arguments: object) -> object:
        given = [position_as_board(value) for value in arguments]
        answer = self.ask("call", arguments=given)
        self.calls = int(answer.get("calls") or 0)
        return answer.get("value")

    def ask(self, type: str, **facts: object) -> dict[str, Any]:
        """The answer to a message about it."""
        return self.program.drawing(type, name=self.__name__, **facts)


def position_as_board(value: object) -> object:
    """A position as its board, in which a point is a free cell; anything else as it is."""
    return value.board.replace(" ", ".") if isinstance(value, Position) else value


FUNCTIONS = {
    "getMinimaxScore": "minimax",
    "randomsuccesseurs": "Randomsuccesseurs",
    "jeujoueur": "JeuJoueur",
}
"""What functions are called here, where their language calls them otherwise."""


def module_of(path: Path, isolated: bool | None = None) -> ModuleType:
    """A file, or a folder, as a module: compiled and started.

    Raises BadFile, BadInput, AgentFault.
    """
    sources = sources_of(path)
    program = ForeignProgram(sources, isolated)
    found = ModuleType(f"damier_program_{path.stem}")
    found.__file__ = str(path.resolve())
    vars(found)["program"] = program
    for name, methods in program.hello.get("agents", {}).items():
        body: dict[str, object] = {each: method(each) for each in methods if each in METHODS}
        body |= {"_program": program, "_class": name, "__module__": found.__name__}
        vars(found)[name] = type(name, (ForeignAgent,), body)
    for name in program.hello.get("functions", ()):
        vars(found)[FUNCTIONS.get(name, name)] = ForeignFunction(program, name)
    return found


def program_of(module: ModuleType) -> ForeignProgram | None:
    """The process of a module in another language; None of one in Python."""
    found = vars(module).get("program")
    return found if isinstance(found, ForeignProgram) else None


def attributes_of(written: object) -> dict[str, object]:
    """Return what the attributes of an agent hold: of one in another language, as far as it is data."""
    return written.attributes if isinstance(written, ForeignAgent) else vars(written)
