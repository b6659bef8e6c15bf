"""An agent of one's own in the loop of games: when its methods are called, and what each is told.

How they are called: `damier.agents.own`; how their answers are read: `damier.agents.own`.
"""

from __future__ import annotations

import contextlib
import copy
import io
import sys
import traceback
from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

from damier.agents.chance import GameRandom
from damier.agents.methods import (
    LEARNING,
    AgentMethod,
    Answer,
    EpisodeStep,
    Experience,
    asked,
    chooser,
    hook,
    valuer,
)
from damier.agents.overtime import Overtime, TooLong
from damier.core.bits import Rng, random_unit
from damier.core.checks import refuse_deferred
from damier.core.errors import AgentFault, DamierError, IllegalMove
from damier.core.game import Game
from damier.core.interruptible import from_outside, words_of
from damier.core.job import presses
from damier.core.player import AnyKernel, Arrays, Kernel
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import FormattedNumber, Text, _, bounded, message, printable, said_by

P = TypeVar("P", bound="OwnPlayer")

SECONDS = 10.0
"""That one call may take."""
REMEMBERED = 100_000
"""Positions that are kept with the names of their moves."""


@runtime_checkable
class WithKernel(Protocol):
    """An agent that brings functions of its own for the loop."""

    def kernel(self, *, jit: bool) -> AnyKernel: ...


class OwnPlayer:
    """A player that asks the methods of an agent of one's own.

    agent    whatever has the methods: an object of a class, or the functions of a file
    rng      what the agent draws its random numbers from
    text     as it is written on the command line; source: its file
    learns   whether it is told what it may learn from; the agent sees it as `learning`
    can_learn  whether it has a method that learns; `end` may be one
    """

    def __init__(
        self,
        game: Game,
        agent: object,
        rng: GameRandom,
        text: str,
        source: Path,
        seconds: float = SECONDS,
        prints: Prints | None = None,
    ) -> None:
        """Raises BadInput for an agent that cannot choose, or asks for what there is not."""
        self.game, self.agent, self.rng, self.text, self.source = game, agent, rng, text, source
        where = f"{source.name}: "
        self._choose = chooser(agent)
        self._policy: Callable[[Position], object] | None = getattr(agent, "policy", None)
        if self._choose is None and self._policy is None:
            raise AgentFault(
                message(
                    "{file}: an agent has play(position), choose(position) or policy(position)",
                    file=source.name,
                )
            )
        for call in (self._choose, self._policy):
            if call is not None and len(asked(call, where)) != 1:
                raise AgentFault(
                    message("{file}: what chooses takes one parameter, the position", file=source.name)
                )
        self._code = OwnCode(source, prints or Prints(source), seconds, line_of(self._choose or self._policy))
        self.call = self._code.call
        self._values = valuer(agent)
        self._begin: Callable[[], object] | None = getattr(agent, "begin", None)
        for name in ("values", "begin", "save", "load"):
            refuse_deferred(getattr(agent, name, None), name, AgentFault, source.name)
        learning = [found for name in LEARNING if (found := hook(agent, name, where))]
        self.can_learn = bool(learning) or hasattr(agent, "end")
        self._at_turn = [each for each in learning if each.when == "turn"]
        self._at_choice = [each for each in learning if each.when == "choice"]
        self._at_end = [each for each in learning if each.when == "game"]
        self._ending = [found for name in ("end",) if (found := hook(agent, name, where))]
        self._keeps_history = any("history" in found.words for found in (*learning, *self._ending))
        self._positions: dict[State, Position] = {}
        self._experience = Experience()
        self._history: list[EpisodeStep] = []
        self.learns = False

    @property
    def compiles(self) -> bool:
        """Whether the agent brings a kernel of its own."""
        return isinstance(self.agent, WithKernel)

    @property
    def memory(self) -> OwnMemory:
        return OwnMemory(self)

    @property
    def learns(self) -> bool:
        return self._learns

    @learns.setter
    def learns(self, learns: bool) -> None:
        self._learns = learns
        setattr(self.agent, "learning", learns)  # noqa: B010  any object, not one that declares it

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        """Raises AgentFault."""
        return self._decide(s, rng)

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        """Its methods as functions of the loop; compiled, the agent's own kernel."""
        if isinstance(self.agent, WithKernel):
            return self.agent.kernel(jit=jit)
        if jit:
            return None

        def begin(arrays: Arrays, plies: int) -> bool:
            self.begin_game()
            return True

        def choose(s: State, arrays: Arrays, rng: Rng) -> int:
            return self._decide(s, rng)

        def observe_reward(reward: int, player: int, arrays: Arrays) -> None:
            self._experience.reward += reward

        def learn(payoff: int, player: int, arrays: Arrays) -> None:
            self.over(payoff)

        return Kernel(choose, None, (), begin, observe_reward, learn)

    def frozen(self) -> OwnPlayer:
        """A copy that does not learn: what it is asked does not change this one.

        Raises AgentFault for an agent that cannot be copied.
        """
        found = self.copied_as(type(self))
        found._positions = self._positions
        return found

    def copied_as(self, kind: type[P]) -> P:
        """A player of this or another kind that asks a copy of the agent.

        Raises AgentFault for an agent that cannot be copied.
        """
        rng = GameRandom()
        memo = {id(self.rng): rng, id(self.game): self.game}
        return self._with(kind, self.call(copy.deepcopy, self.agent, memo), rng)

    def beside(self, *, learns: bool) -> OwnPlayer:
        """The same agent at another seat of the same game."""
        found = self._with(type(self), self.agent, self.rng)
        found._positions, found.learns = self._positions, learns
        return found

    def _with(self, kind: type[P], agent: object, rng: GameRandom) -> P:
        """A player of the same file that asks this object."""
        code = self._code
        return kind(self.game, agent, rng, self.text, self.source, code.seconds, code.prints)

    def position(self, s: State) -> Position:
        """The position of a state, the same object again where it is remembered."""
        found = self._positions.get(s)
        if found is None:
            if len(self._positions) >= REMEMBERED:
                self._positions.clear()
            found = self._positions[s] = Position(self.game, s)
        return found

    def break_off(self) -> None:
        """Forgets the game that was broken off."""
        self._experience, self._history = Experience(), []

    def begin_game(self) -> None:
        """Tells the agent that a game begins. Raises AgentFault."""
        self.break_off()
        if self._begin is not None:
            self.call(self._begin)

    def _decide(self, s: State, rng: Rng) -> int:
        """The move for a state, and what is told on the way."""
        self.rng.stream = rng
        position = self._positions.get(s) or self.position(s)
        if not self._follows:
            return self._answer(position, rng)[1]
        past = self._experience
        if past.position is not None:
            past.next_position = position
            if self._keeps_history:
                self._remember(past)
            if self._at_turn:
                self._tell(self._at_turn, past)
        answer, move = self._answer(position, rng)
        if self._at_choice and past.position is not None:
            past.next_move = answer
            self._tell(self._at_choice, past)
        self._experience = Experience(position, answer)
        return move

    def over(self, payoff: int) -> None:
        """Tells the agent that its game has ended. Raises AgentFault."""
        past = self._experience
        if past.position is not None:
            if self._keeps_history:
                self._remember(past)
            past.reward += payoff
            past.next_position = None
        past.payoff, past.history = payoff, tuple(self._history)
        if past.position is not None:
            self._tell(self._at_turn, past)
            self._tell(self._at_choice, past)
        self._tell(self._at_end, past)
        for each in self._ending:
            self.tell(each, past)
        self.break_off()

    @property
    def _follows(self) -> bool:
        """Whether what follows a decision is told to anybody."""
        return self._learns or self._keeps_history

    def _remember(self, past: Experience) -> None:
        assert past.position is not None
        assert past.move is not None
        self._history.append(EpisodeStep(past.position, past.move, past.reward))

    def _tell(self, methods: list[AgentMethod], past: Experience) -> None:
        """Tells some methods, if it learns."""
        if self._learns:
            for each in methods:
                self.tell(each, past)

    def tell(self, method: AgentMethod, past: Experience) -> None:
        """Calls a method with what it asks for. Raises AgentFault."""
        self.call(method.tell, past)

    def _answer(self, position: Position, rng: Rng) -> tuple[Answer, int]:
        """What the agent says, and the move that it means."""
        if self._choose is None:
            return self._drawn(position, rng)
        answer = self.call(self._choose, position)
        move = position.named_moves.get(answer) if type(answer) is str else None
        if move is None:
            move = self.call(read_move, position, answer, self._code)
        return answer, move  # type: ignore[return-value]  # what was read as a move is one

    def weights(self, position: Position) -> dict[int, float]:
        """How likely each legal move is, as the agent's policy says. Raises AgentFault."""
        assert self._policy is not None
        return self.call(read_weights, position, self.call(self._policy, position), self._code)

    @property
    def says_values(self) -> bool:
        """Whether it has a method `values`."""
        return self._values is not None

    def values(self, position: Position) -> dict[int, float]:
        """What moves are worth to it, as far as its method `values` says. Raises AgentFault."""
        if self._values is None:
            return {}
        code = OwnCode(self.source, self._code.prints, self._code.seconds, line_of(self._values))
        return code.call(read_values, position, code.call(self._values, position), code)

    def _drawn(self, position: Position, rng: Rng) -> tuple[Answer, int]:
        """A move drawn from the agent's policy."""
        weights = self.weights(position)
        left, last = random_unit(rng), 0
        for move in sorted(weights):
            if weights[move] > 0:
                last, left = move, left - weights[move]
                if left < 0:
                    break
        return self.game.name_move(position.state, last), last


class OwnMemory:
    """What an agent of one's own has learnt, as far as it can be seen from outside."""

    bytes = 0  # nobody can tell; the bound of the process holds

    def __init__(self, player: OwnPlayer) -> None:
        self._player = player

    def __len__(self) -> int:
        return 0

    @property
    def epsilon(self) -> float:
        """The agent's own `epsilon`, if it has one."""
        found = getattr(self._player.agent, "epsilon", 0.0)
        return float(found) if isinstance(found, (int, float)) and 0 <= found <= 1 else 0.0

    def break_off(self) -> None:
        """Forgets the game that was broken off."""
        self._player.break_off()


class OwnPolicy(OwnPlayer):
    """An agent that says how likely its moves are."""

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """Raises AgentFault."""
        weights = self.weights(self.position(s))
        return {move: weights.get(move, 0.0) for move in self.position(s).named_moves.values()}


# What an agent of one's own answers, read as a move, or as the probabilities or the values of moves.

NEARLY = 1e-6
"""How far the probabilities of a policy may sum from 1."""


def read_move(position: Position, answer: object, code: OwnCode) -> int:
    """The move that an agent means: by its name; or as a whole number, which is a name too where
    the game's moves are named by numbers, and the move itself, one bit, elsewhere.

    Raises AgentFault.
    """
    named = position.named_moves
    if type(answer) is int:
        numbers = all(name.isdecimal() for name in named)
        if str(answer) in named:
            return named[str(answer)]
        if not numbers and answer in named.values():
            return answer
    elif isinstance(answer, str):
        try:
            return position.read(answer)
        except IllegalMove as error:
            raise code.fault(said_by(error)) from None
    elif isinstance(answer, Integral):  # a number of numpy's, say, or a bool
        return read_move(position, int(answer), code)
    raise code.fault(
        message(
            "{answer} is not a legal move here; legal: {moves}",
            answer=shortened(answer),
            moves=" ".join(named),
        )
    )


def read_weights(position: Position, said: object, code: OwnCode) -> dict[int, float]:
    """How likely each legal move is, as an agent's policy says; they sum to 1. Raises AgentFault."""
    if not isinstance(said, Mapping):
        raise code.fault(
            message("policy returned {answer}; it must return {{move: probability}}", answer=shortened(said))
        )
    found: dict[int, float] = {}
    for answer, share in said.items():
        if isinstance(share, bool) or not isinstance(share, Real) or not 0 <= float(share) <= 1 + NEARLY:
            raise code.fault(
                message(
                    "policy gives {move} the probability {share}; it must be from 0 to 1",
                    move=shortened(answer),
                    share=shortened(share),
                )
            )
        move = read_move(position, answer, code)
        found[move] = found.get(move, 0.0) + float(share)
    total = sum(found.values())
    if abs(total - 1) > NEARLY:
        raise code.fault(
            message("the probabilities of policy sum to {total}, not to 1", total=FormattedNumber(total))
        )
    return {move: share / total for move, share in found.items()}


def read_values(position: Position, said: object, code: OwnCode) -> dict[int, float]:
    """What moves are worth to an agent, as its method `values` says. Raises AgentFault."""
    if not isinstance(said, Mapping):
        raise code.fault(
            message("values returned {answer}; it must return {{move: number}}", answer=shortened(said))
        )
    found: dict[int, float] = {}
    for answer, value in said.items():
        if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
            raise code.fault(
                message(
                    "values gives {move} the value {value}; it must be a number",
                    move=shortened(answer),
                    value=shortened(value),
                )
            )
        found[read_move(position, answer, code)] = float(value)
    return found


# Somebody's own code, called: for some seconds at most, what it prints apart from answers, and whatever
# goes wrong in it as one line that begins with its file and line (AgentFault).

T = TypeVar("T")

LONGEST = 200
"""Characters of what a line says of an answer or an exception."""


class OwnCode:
    """The code of one file.

    prints   where what it prints goes
    seconds  that one call may take
    line     of the file: where a fault is that is in no line of it
    """

    def __init__(self, source: Path, prints: Prints, seconds: float, line: int) -> None:
        self.source, self.prints, self.seconds = source, prints, seconds
        self._line = line
        self._overtime = Overtime(seconds)

    def call(self, method: Callable[..., T], *arguments: object) -> T:
        """What a method returns. Raises AgentFault for whatever goes wrong in it."""
        out, sys.stdout = sys.stdout, self.prints
        before = presses()
        try:
            with self._overtime:
                answer = method(*arguments)
        except BaseException as error:
            if presses() == before:
                raise self._blamed(error, before) from error
        finally:
            sys.stdout = out
        if presses() != before:  # whatever became of it in there
            raise KeyboardInterrupt
        return answer

    def _blamed(self, error: BaseException, before: int) -> BaseException:
        """What is to be raised in the place of an exception that came out of a method."""
        if isinstance(error, TooLong):
            return self.fault(message("no answer within {n} seconds", n=FormattedNumber(self.seconds)), error)
        if from_outside(error, before):
            return error
        if isinstance(error, AgentFault) and str(error).startswith(f"{self.source.name}:"):
            return error  # its place is told already
        said: Text = ""
        try:
            with self._overtime:
                said = words_of(error)
        except TooLong:
            pass
        if not isinstance(error, DamierError):
            said = message("{kind}: {error}", kind=type(error).__name__, error=bounded(said, LONGEST))
        return self.fault(said, error)

    def fault(self, why: Text, error: BaseException | None = None) -> AgentFault:
        """What went wrong, in one line that begins with the agent's file and line."""
        frames = traceback.extract_tb(error.__traceback__) if error else []
        own = [frame for frame in frames if Path(frame.filename) == self.source]
        line = own[-1].lineno if own else self._line
        place = f"{self.source.name}:{line}"
        return AgentFault(message("{place}: {why}", place=place, why=bounded(why, LONGEST)))


def line_of(call: Callable[..., object] | None) -> int:
    """Where a function or method begins in its file; 1 where nobody knows."""
    function = getattr(call, "func", call)
    return int(getattr(getattr(function, "__code__", None), "co_firstlineno", 1))


def shortened(answer: object) -> str:
    """An answer of an agent, as it would be written in Python, if it is not too long."""
    before = presses()
    try:
        return printable(repr(answer), LONGEST)
    except BaseException as error:  # even its __repr__ is somebody's own code
        if from_outside(error, before):
            raise
        return f"<{type(answer).__name__}: {type(error).__name__}>"


# What an agent prints: it goes to standard error, where it disturbs no answer, and is told once.


class Prints(io.TextIOBase):
    """Stands in the place of standard output while somebody's own code runs.

    note   told, once, that the file prints
    place  file and line of what was printed first; empty where nothing was
    """

    def __init__(self, source: Path, note: Callable[[str], object] = lambda sentence: None) -> None:
        self.source, self.note = source, note
        self.place = ""

    def begin(self, place: str) -> None:
        """Says, the first time, that it prints, and where."""
        if not self.place:
            self.place = place
            self.note(_("{place} prints; what it prints goes to standard error", place=place))

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if not self.place:
            frame = sys._getframe(1)
            while frame.f_back is not None and frame.f_code.co_filename != str(self.source):
                frame = frame.f_back
            self.begin(f"{self.source.name}:{frame.f_lineno}")
        with contextlib.suppress(BrokenPipeError):  # nobody reads it, which is no fault of the agent
            sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            sys.stderr.flush()
