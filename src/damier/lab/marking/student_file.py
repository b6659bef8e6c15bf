"""A student's file in the process that answers for it: run once, its functions called, its agents
made, whatever goes wrong told with the file and the line.
"""

from __future__ import annotations

import contextlib
import random
import traceback
from collections.abc import Callable, Iterator
from math import isfinite
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import TypeAlias, TypeVar

from damier.agents.chance import GameRandom
from damier.agents.methods import CHOOSING, asked
from damier.agents.own import OwnPlayer, Prints
from damier.core.bits import reseed
from damier.core.checks import refuse_deferred
from damier.core.errors import AgentFault
from damier.core.game import Game
from damier.core.interruptible import from_outside
from damier.core.job import presses
from damier.core.json_types import JsonValue
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import message
from damier.lab import user_file
from damier.lab.agent_file import GIVEN, asked_for, chosen
from damier.lab.lab import Lab

ONE_CALL = 3600.0
"""Seconds of a call: whoever asks ends this process long before."""
LONGEST_TEXT = 100
LARGEST_INT = 1 << 62
MOST_PARTS = 1000

Question: TypeAlias = "SimpleNamespace"
"""What is asked, as attributes; `ask` names it."""
T = TypeVar("T")


class StudentFile:
    """A student's file, run once, and the agents that were made of its classes."""

    def __init__(self, path: Path, game: Game) -> None:
        """Raises DamierError for a file that does not run."""
        self.path, self.game = path.resolve(), game
        self.players: list[OwnPlayer] = []
        self._positions: dict[State, Position] = {}
        with contextlib.redirect_stdout(Prints(self.path)), user_file.blaming(path, AgentFault):
            self.module: ModuleType = user_file.run(path)

    def made(self, name: str, seed: int) -> OwnPlayer:
        """An agent of a class or factory of the file. Raises AgentFault, BadInput."""
        found = getattr(self.module, name, None)
        if found is None:
            raise AgentFault(message("{file}: there is no class {name}", file=self.path.name, name=name))
        if isinstance(found, type) and not any(hasattr(found, method) for method in (*CHOOSING, "policy")):
            raise AgentFault(
                message(
                    "{file}: {name} has no play(position), choose(position) or policy(position)",
                    file=self.path.name,
                    name=name,
                )
            )
        random.seed(seed)
        rng = GameRandom()
        reseed(rng.stream, seed, 0)
        with self._blaming():
            factory = chosen(self.module, Path(self.path.name), name)[1]
            self._require_given(name, factory.parameters)
            agent = factory.make(**asked_for(factory, Lab(self.game, seed=seed), rng))
        return OwnPlayer(self.game, agent, rng, name, self.path, ONE_CALL)

    def _require_given(self, name: str, made_by: Callable[..., object]) -> None:
        """Raises AgentFault for what asks for more than it is given."""
        words = [word for word in asked(made_by, name) if word not in GIVEN]
        if words:
            raise AgentFault(
                message(
                    "{file}: {name} asks for {words}; it can ask for {known}, and what else has a default"
                    " value",
                    file=self.path.name,
                    name=name,
                    words=" ".join(words),
                    known=" ".join(GIVEN[1:]),
                )
            )

    def kept(self, player: OwnPlayer) -> int:
        """Keeps an agent; the number by which it is asked."""
        self.players.append(player)
        return len(self.players) - 1

    def player(self, asked: Question) -> OwnPlayer:
        """The agent that a question is about, told whether it learns."""
        player: OwnPlayer = self.players[asked.agent]
        player.learns = asked.learning
        return player

    def method(self, player: OwnPlayer, name: str, *words: str) -> Callable[..., object]:
        """A method of an agent; `words` are what it takes. Raises AgentFault where there is none."""
        found = getattr(player.agent, name, None)
        if not callable(found):
            raise AgentFault(
                message(
                    "{file}: the agent has no {method}",
                    file=self.path.name,
                    method=f"{name}({', '.join(words)})",
                )
            )
        refuse_deferred(found, name, AgentFault, self.path.name)
        method: Callable[..., object] = found
        return method

    def function(self, name: str) -> Callable[..., object]:
        """A function of the file. Raises AgentFault where there is none."""
        found = getattr(self.module, name, None)
        if not callable(found):
            raise AgentFault(message("{file}: there is no function {name}", file=self.path.name, name=name))
        refuse_deferred(found, name, AgentFault, self.path.name)
        function: Callable[..., object] = found
        return function

    def guarded(self, call: Callable[[], T]) -> T:
        """What a function returns. Raises AgentFault, with file and line, for what goes wrong in it."""
        with self._blaming():
            return call()

    @contextlib.contextmanager
    def _blaming(self) -> Iterator[None]:
        """Turns what goes wrong into an AgentFault: with the line of the file; without where none of its
        lines had begun, since it takes other arguments.
        """
        with contextlib.redirect_stdout(Prints(self.path)), user_file.blaming(self.path, AgentFault):
            try:
                yield
            except TypeError as error:
                frames = traceback.extract_tb(error.__traceback__)
                if any(frame.filename == str(self.path) for frame in frames):
                    raise
                kind = type(error).__name__
                said = message("{place}: {kind}: {error}", place=self.path.name, kind=kind, error=error)
                raise AgentFault(said) from error

    def state(self, fields: list[int]) -> State:
        """A state, as it came through JSON."""
        return type(self.game.start)(*fields)

    def position(self, fields: list[int]) -> Position:
        """The position of a state, the same object again: it keeps what it was asked."""
        state = self.state(fields)
        return self._positions.setdefault(state, Position(self.game, state))


def number(answer: object) -> JsonValue:
    """A number as an answer; anything else, and what is too large, as the text that Python would write."""
    if type(answer) is int and abs(answer) < LARGEST_INT:
        return answer
    try:
        found = float(answer)  # type: ignore[arg-type]  # of numpy's, a bool, a text
        return found if isfinite(found) else in_python(answer)
    except Exception:
        return in_python(answer)


def in_python(answer: object) -> str:
    """An answer as Python would write it, cut short."""
    before = presses()
    try:
        return repr(answer)[:LONGEST_TEXT]
    except BaseException as error:  # even its __repr__ is somebody's own code
        if from_outside(error, before):
            raise
        return f"<{type(answer).__name__}: {type(error).__name__}>"


def data(answer: object) -> JsonValue:
    """Numbers, texts, None, and lists of these as they are; anything else as Python would write it."""
    if answer is None or isinstance(answer, bool):
        return answer
    if isinstance(answer, str):
        return answer[:LONGEST_TEXT]
    if isinstance(answer, (list, tuple, set, frozenset)) and len(answer) <= MOST_PARTS:
        return [number(part) if not isinstance(part, str) else part[:LONGEST_TEXT] for part in answer]
    return number(answer)
