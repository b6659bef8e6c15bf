"""An agent of one's own in the loop of games: when its methods are called, what each is told, and how their
answers are read.
"""

from __future__ import annotations

import contextlib
import copy
import ctypes
import inspect
import io
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar, runtime_checkable

from damier.agents.languages import ForeignAgent, ProgramFault
from damier.core.bits import Rng, random_unit, random_word
from damier.core.checks import refuse_deferred
from damier.core.errors import AgentFault, BadInput, DamierError, IllegalMove
from damier.core.game import Game, Position
from damier.core.job import (
    EndedFromOutside,
    exception_in_words,
    from_outside,
    own_place,
    presses,
    words_of,
)
from damier.core.player import AnyKernel, Kernel
from damier.core.rules import State
from damier.core.words import FormattedNumber, Text, _, bounded, error_text, in_seconds, message, printable

# Random numbers for an agent of one's own: Python's `random.Random`, drawn from the game's stream.
#
# Game *n* of a seed draws the same numbers whatever was played before it, so a match with several
# jobs, and a training that goes on from a file, give the same games again.

WORD_BITS = 53
"""Bits of one random word."""


class GameRandom(Random):
    """A `random.Random` to whoever draws; `drawn` counts how often anybody has.

    The stream is that of the game which is being played; it cannot be seeded.
    """

    def __init__(self) -> None:
        self.stream: Rng = [0]
        self.drawn = 0
        super().__init__(0)

    def random(self) -> float:
        self.drawn += 1
        return random_unit(self.stream)

    def getrandbits(self, k: int, /) -> int:
        if k < 0:
            raise ValueError(k)
        self.drawn += 1
        bits, found = 0, 0
        while bits < k:
            found |= random_word(self.stream) << bits
            bits += WORD_BITS
        return found & ((1 << k) - 1)

    def seed(self, *_arguments: object) -> None:
        """Does nothing: the game's seed is the seed."""


# The methods of an agent of one's own, and what each of them is given: what its parameters are
# called is what it asks for.
#
#    play(position) or choose(position)   the move: its name, or the move itself
#    policy(position)                     how likely each move is, {move: probability}
#    values(position)                     what each move is worth to it, {move: number}: only shown
#    begin()                              a game begins
#    learn(…), update(…)                  while it learns only, after each decision or each game
#    end(…)                               a game is over, whether it learns or not
#    save(), load(data)                   what it has learnt, as data of JSON
#
# A method that asks for `position` hears of each own decision as soon as it is known what followed:
# at its next turn before it chooses (after it has chosen, if it asks for `next_move`), or at the end.
# One that does not is called once, at the end. These are the loops of Sutton & Barto [SuttonBarto]:
# Q-learning and V take position, move, reward and next_position, SARSA next_move besides, Monte Carlo
# methods history and payoff.

Answer: TypeAlias = "str | int"
"""A move as an agent says it: its name, or the move itself."""


class EpisodeStep(NamedTuple):
    """A decision in the history of a game.

    Attributes:
        reward: what was gained between this decision and the next one; the payoff is not in it
    """

    position: Position
    move: Answer
    reward: float


@dataclass
class Experience:
    """All that a method of an agent may ask for, by name.

    Attributes:
        position: in which it was to move
        move: what it chose, as it said it
        reward: what it gained until its next turn (pawns taken less those lost); at the end of the game the
            payoff is in it
        next_position: its next own turn; None where the game has ended
        next_move: what it chose there; None where the game has ended
        payoff: what the game was worth to it: 1 won, 0 drawn, -1 lost; None while it goes on
        history: its decisions of this game, first to last: (position, move, reward)
    """

    position: Position | None = None
    move: Answer | None = None
    reward: float = 0.0
    next_position: Position | None = None
    next_move: Answer | None = None
    payoff: int | None = None
    history: tuple[EpisodeStep, ...] = ()


When: TypeAlias = Literal["turn", "choice", "game"]
"""Of each decision once the next own turn is known, of each once it is known what was chosen there, or
at the end of the game.
"""

WORDS = tuple(field.name for field in fields(Experience))
OF_A_DECISION = ("position", "move", "next_position", "next_move")
CHOOSING = ("play", "choose")
LEARNING = ("update", "learn")
HOOKS = ("play", "choose", "policy", "values", "begin", "update", "learn", "end", "save", "load")


@dataclass(frozen=True)
class AgentMethod:
    """A method of an agent that is told something.

    Attributes:
        words: the names of its parameters: what it asks for
    """

    name: str
    call: Callable[..., object]
    words: tuple[str, ...]

    @property
    def when(self) -> When:
        """Return when it is called."""
        if not any(word in self.words for word in OF_A_DECISION):
            return "game"
        return "choice" if "next_move" in self.words else "turn"

    def tell(self, experience: Experience) -> None:
        """Calls it with what it asks for."""
        self.call(*[getattr(experience, word) for word in self.words])


def hook(agent: object, name: str, where: str) -> AgentMethod | None:
    """A method of an agent, if it has it. Raises BadInput where it asks for what there is not."""
    call = getattr(agent, name, None)
    if call is None:
        return None
    words = required_parameters(call, f"{where}{name}")
    for word in words:
        if word not in WORDS:
            raise BadInput(
                message(
                    "{method} asks for {word}; it can ask for: {words}",
                    method=f"{where}{name}",
                    word=word,
                    words=" ".join(WORDS),
                )
            )
    return AgentMethod(name, call, words)


def required_parameters(call: Callable[..., object], where: str) -> tuple[str, ...]:
    """The names of the parameters that a method must be given.

    Raises BadInput for what is no function, and for parameters without a name of their own.
    """
    if not callable(call):
        raise BadInput(message("{method} is not a function", method=where))
    name = where.rpartition(": ")[2] or getattr(call, "__name__", type(call).__name__)
    refuse_deferred(call, name, AgentFault, where.partition(":")[0])
    return required_names(call)


def required_names(call: Callable[..., object]) -> tuple[str, ...]:
    """The names of the parameters that a function must be given, or a class. Raises TypeError, ValueError for
    what tells of none.
    """
    found = inspect.signature(call).parameters.values()
    return tuple(
        parameter.name
        for parameter in found
        if parameter.default is inspect.Parameter.empty
        and parameter.kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    )


def chooser(agent: object) -> Callable[[Position], object] | None:
    """The method that chooses, if there is one."""
    calls = (getattr(agent, name, None) for name in CHOOSING)
    return next((call for call in calls if callable(call)), None)


def valuer(agent: object) -> Callable[[Position], object] | None:
    """The method `values(position)` of an agent, if it has one; anything else that it calls `values`, such
    as a table, is its own business.
    """
    call = getattr(agent, "values", None)
    if not (inspect.isfunction(call) or inspect.ismethod(call)):
        return None
    return call if tuple(inspect.signature(call).parameters) == ("position",) else None


# A call into somebody's own code that does not come back is ended after some seconds.
#
# A thread looks on. What it raises in the thread that is late reaches Python code only: a call that
# sleeps in the system, or computes in C, is ended when it comes back.

LOOK = 0.25
"""Seconds between two looks."""
SETTLED = 1000
"""Steps of plain Python in which an exception that was asked for arrives."""


class TooLong(EndedFromOutside):
    """A call has taken longer than it may."""


class Overtime:
    """A clock around calls of one thread: `with` it, a call of more than `seconds` raises TooLong."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._begun = 0.0  # 0: nothing runs
        self._thread = 0
        self._asked = False  # TooLong, for the call that runs
        self._looking = threading.Lock()
        _watch(self)

    def __enter__(self) -> None:
        self._thread = threading.get_ident()
        self._begun = time.monotonic()

    def __exit__(self, *_raised: object) -> None:
        if self._begun and time.monotonic() - self._begun < self.seconds - 2 * LOOK:
            self._begun = 0.0  # nobody has asked yet
            return
        with self._looking:
            self._begun = 0.0
        if self._asked:
            self._asked = False
            for _step in range(SETTLED):  # it arrives here, if it has not arrived yet
                pass

    def look(self) -> None:
        """Ends the call that runs, if it is late; again where it has caught what was to end it."""
        with self._looking:
            begun = self._begun
            if begun and time.monotonic() - begun > self.seconds:
                self._asked = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self._thread), ctypes.py_object(TooLong)
                )


clocks: weakref.WeakSet[Overtime] = weakref.WeakSet()
_watchers: list[threading.Thread] = []
clocks_lock = threading.Lock()
"""Held where clocks are added or gone through: a set that grows meanwhile would end the one thread
that looks at all of them, and with it every limit of time.
"""


def _watch(clock: Overtime) -> None:
    """Has a clock looked at; one thread looks at all."""
    with clocks_lock:
        clocks.add(clock)
        if not _watchers:
            _watchers.append(threading.Thread(target=_look_on, daemon=True, name="overtime"))
            _watchers[0].start()


def watched() -> list[Overtime]:
    """All clocks that are looked at."""
    with clocks_lock:
        return list(clocks)


def _look_on() -> None:
    while True:
        time.sleep(LOOK)
        for clock in watched():
            clock.look()


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

    Attributes:
        agent: whatever has the methods: an object of a class, or the functions of a file
        rng: what the agent draws its random numbers from
        text: as it is written on the command line
        source: its file
        learns: whether it is told what it may learn from; the agent sees it as `learning`
        can_learn: whether it has a method that learns; `end` may be one
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
            if call is not None and len(required_parameters(call, where)) != 1:
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
        self.positions_met: dict[State, Position] = {}
        self._experience = Experience()
        self._history: list[EpisodeStep] = []
        self.learns = False

    def set_outer_limit(self, seconds: float, timeout_text: Text) -> None:
        """Set what is said of a call that times out, where a limit of somebody else, of so many seconds, is
        shorter than its own.
        """
        self._code.timeout_text = timeout_text if seconds < self._code.seconds else ""

    @property
    def compiles(self) -> bool:
        """True where the agent brings a kernel of its own."""
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
        try:
            setattr(self.agent, "learning", learns)  # noqa: B010  any object, not one that declares it
        except AttributeError:  # of __slots__, or frozen: one that only plays need not hear of it
            if learns:
                raise AgentFault(
                    message(
                        "{file}: {kind} cannot be told whether it learns: `learning` cannot be set",
                        file=self.source.name,
                        kind=type(self.agent).__name__,
                    )
                ) from None

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        """Its methods as functions of the loop; compiled, the agent's own kernel."""
        if isinstance(self.agent, WithKernel):
            return self.agent.kernel(jit=jit)
        return None if jit else self.asked_kernel()

    def asked_kernel(self) -> Kernel[AskedAgent]:
        """Its methods as functions of the loop, which know it by their arrays: an engine that was made for
        one serves all.
        """
        return Kernel(choose, None, (self,), begin, observe_reward, learn)

    def frozen(self) -> OwnPlayer:
        """A copy that does not learn: what it is asked does not change this one.

        Raises AgentFault for an agent that cannot be copied.
        """
        found = self.copied_as(type(self))
        found.positions_met = self.positions_met
        return found

    def copied_as(self, kind: type[P]) -> P:
        """A player of this or another kind that asks a copy of the agent.

        Raises AgentFault for an agent that cannot be copied.
        """
        rng = GameRandom()
        memo = {id(self.rng): rng, id(self.game): self.game}
        return self._with(kind, self.call(copy.deepcopy, self.agent, memo), rng)

    def beside(self, *, learns: bool) -> OwnPlayer:
        """Return the same agent at another seat of the same game."""
        found = self._with(type(self), self.agent, self.rng)
        found.positions_met, found.learns = self.positions_met, learns
        return found

    def _with(self, kind: type[P], agent: object, rng: GameRandom) -> P:
        """A player of the same file that asks this object."""
        code = self._code
        return kind(self.game, agent, rng, self.text, self.source, code.seconds, code.prints)

    def position(self, s: State) -> Position:
        """The position of a state, the same object again where it is remembered."""
        found = self.positions_met.get(s)
        if found is None:
            if len(self.positions_met) >= REMEMBERED:
                self.positions_met.clear()
            found = self.positions_met[s] = Position(self.game, s)
        return found

    def break_off(self) -> None:
        """Forgets the game that was broken off."""
        self._experience, self._history = Experience(), []

    def begin_game(self) -> None:
        """Tells the agent that a game begins. Raises AgentFault."""
        self.break_off()
        if self._begin is not None:
            self.call(self._begin)

    def observe_reward(self, reward: int) -> None:
        """Takes note of what a move gained it."""
        self._experience.reward += reward

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        """The move for a state; what followed its last one is told on the way. Raises AgentFault."""
        self.rng.stream = rng
        position = self.positions_met.get(s) or self.position(s)
        if not (self._learns or self._keeps_history):  # nobody is told what follows
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
        """Return what the agent says, and the move that it means."""
        if self._choose is None:
            return self._drawn(position, rng)
        answer = self.call(self._choose, position)
        move = position.named_moves.get(answer) if type(answer) is str else None
        if move is None:
            move = self.call(read_move, position, answer, self._code)
        return answer, move  # type: ignore[return-value]  # what was read as a move is one

    def weights(self, position: Position) -> dict[int, float]:
        """Return how likely each legal move is, as the agent's policy says. Raises AgentFault."""
        assert self._policy is not None
        return self.call(read_weights, position, self.call(self._policy, position), self._code)

    @property
    def says_values(self) -> bool:
        """True where it has a method `values`."""
        return self._values is not None

    def values(self, position: Position) -> dict[int, float]:
        """Return what moves are worth to it, as far as its method `values` says. Raises AgentFault."""
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


AskedAgent: TypeAlias = tuple[OwnPlayer]


def begin(arrays: AskedAgent, plies: int) -> bool:
    arrays[0].begin_game()
    return True


def choose(s: State, arrays: AskedAgent, rng: Rng) -> int:
    return arrays[0].choose(arrays[0].game, s, rng)


def observe_reward(reward: int, player: int, arrays: AskedAgent) -> None:
    arrays[0].observe_reward(reward)


def learn(payoff: int, player: int, arrays: AskedAgent) -> None:
    arrays[0].over(payoff)


class OwnMemory:
    """The knowledge of an agent of one's own, as far as it can be seen from outside."""

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
            raise code.fault(error_text(error)) from None
    elif isinstance(answer, Integral):  # a number of numpy's, say, or a bool
        return read_move(position, int(answer), code)
    raise code.fault(
        message(
            "{answer} is not a legal move here; legal: {moves}",
            answer=shortened(answer),
            moves=" ".join(named),
        )
    )


def read_weights(position: Position, returned: object, code: OwnCode) -> dict[int, float]:
    """Return how likely each legal move is, as an agent's policy says; they sum to 1. Raises AgentFault."""
    if not isinstance(returned, Mapping):
        raise code.fault(
            message(
                "policy returned {answer}; it must return {{move: probability}}", answer=shortened(returned)
            )
        )
    found: dict[int, float] = {}
    for answer, share in returned.items():
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


def read_values(position: Position, returned: object, code: OwnCode) -> dict[int, float]:
    """Return what moves are worth to an agent, as its method `values` says. Raises AgentFault."""
    if not isinstance(returned, Mapping):
        raise code.fault(
            message("values returned {answer}; it must return {{move: number}}", answer=shortened(returned))
        )
    found: dict[int, float] = {}
    for answer, value in returned.items():
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

    Attributes:
        prints: where what it prints goes
        seconds: that one call may take
        line: of the file: where a fault is that is in no line of it
        timeout_text: what is said of a call that takes longer, where it has less than `seconds`
    """

    def __init__(self, source: Path, prints: Prints, seconds: float, line: int) -> None:
        self.source, self.prints, self.seconds = source, prints, seconds
        self._line = line
        self._overtime = Overtime(seconds)
        self.timeout_text: Text = ""

    def call(self, method: Callable[..., T], *arguments: object) -> T:
        """Return what a method returns. Raises AgentFault for whatever goes wrong in it.

        A copy of the process that the method has made (`os.fork`) ends here: it would go on with the
        work of this one, and answer in its place.
        """
        out, sys.stdout = sys.stdout, self.prints
        before, process = presses(), os.getpid()
        try:
            with self._overtime:
                answer = method(*arguments)
        except BaseException as error:
            if presses() == before:
                raise self._blamed(error, before) from error
        finally:
            if os.getpid() != process:
                os._exit(0)
            sys.stdout = out
        if presses() != before:  # whatever became of it in there
            raise KeyboardInterrupt
        return answer

    def _blamed(self, error: BaseException, before: int) -> BaseException:
        """Return what is to be raised in the place of an exception that came out of a method."""
        if isinstance(error, TooLong):
            own = message("no answer within {time}", time=in_seconds(self.seconds))
            return self.fault(self.timeout_text or own, error)
        if from_outside(error, before):
            return error
        if isinstance(error, ProgramFault) or (
            isinstance(error, AgentFault) and str(error).startswith(f"{self.source.name}:")
        ):
            return error  # its place is told already
        text: Text = ""
        try:
            with self._overtime:
                text = words_of(error)
        except TooLong:
            pass
        if not isinstance(error, DamierError):
            text = exception_in_words(error, bounded(text, LONGEST))
        return self.fault(text, error)

    def fault(self, why: Text, error: BaseException | None = None) -> AgentFault:
        """Return what went wrong, in one line that begins with the file, of the agent's folder, and line."""
        place = own_place(error, self.source) if error else ""
        if not place:
            place = f"{self.source.name}:{self._line}" if self._line else self.source.name
        return AgentFault(message("{place}: {why}", place=place, why=bounded(why, LONGEST)))


def line_of(call: Callable[..., object] | None) -> int:
    """Return where a function or method begins in its file; 1 where nobody knows, 0 where it is in no file of
    Python.
    """
    function = getattr(call, "func", call)
    if (written := getattr(getattr(function, "__self__", None), "chooses", None)) is not None:
        function = written  # of a document's agent, which another object asks
    if isinstance(getattr(function, "__self__", None), ForeignAgent):
        return 0
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

    Attributes:
        note: told, once, that the file prints
        place: file and line of what was printed first; empty where nothing was
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
            frame = sys._getframe(1)  # noqa: SLF001  the only way to a frame
            while frame.f_back is not None and frame.f_code.co_filename != str(self.source):
                frame = frame.f_back
            self.begin(f"{self.source.name}:{frame.f_lineno}")
        with contextlib.suppress(BrokenPipeError):  # nobody reads it, which is no fault of the agent
            sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            sys.stderr.flush()
