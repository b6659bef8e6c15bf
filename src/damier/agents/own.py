"""An agent of one's own in the loop: its methods are called, what they answer is read as a move, and
whatever is wrong in it becomes one line with its file and line (AgentFault).
"""

from __future__ import annotations

import copy
import sys
import traceback
from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from typing import TypeAlias, TypeVar

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
from damier.agents.prints import Prints
from damier.core.bits import Rng, random_unit
from damier.core.errors import AgentFault, DamierError, IllegalMove
from damier.core.game import Game
from damier.core.player import AnyKernel, Arrays, Kernel
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import _, decimal, printable

T = TypeVar("T")
P = TypeVar("P", bound="OwnPlayer")
AnyMethod: TypeAlias = Callable[[Position], object]
"""A method that is asked about a position."""

SECONDS = 10.0
"""That one call may take."""
REMEMBERED = 100_000
"""Positions that are kept with the names of their moves."""
NEARLY = 1e-6
"""How far the probabilities of a policy may sum from 1."""
LONGEST = 200
"""Characters of what a line says of an answer or an exception."""


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
        self.prints = prints or Prints(source)
        self._overtime = Overtime(seconds)
        where = f"{source.name}: "
        self._choose = chooser(agent)
        self._policy: AnyMethod | None = getattr(agent, "policy", None)
        if self._choose is None and self._policy is None:
            raise AgentFault(
                _(
                    "{file}: an agent has play(position), choose(position) or policy(position)",
                    file=source.name,
                )
            )
        for call in (self._choose, self._policy):
            if call is not None and len(asked(call, where)) != 1:
                raise AgentFault(
                    _("{file}: what chooses takes one parameter, the position", file=source.name)
                )
        self._values = valuer(agent)
        self._begin: Callable[[], object] | None = getattr(agent, "begin", None)
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
        return hasattr(self.agent, "kernel")

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
        if self.compiles:
            kernel: AnyKernel = self.agent.kernel(jit=jit)  # type: ignore[attr-defined]
            return kernel
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
        return kind(self.game, agent, rng, self.text, self.source, self._overtime.seconds, self.prints)

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
        return answer, self.read(position, answer) if move is None else move  # type: ignore[return-value]

    def read(self, position: Position, answer: object, method: AnyMethod | None = None) -> int:
        """The move that an agent means: by its name; or as a whole number, which is a name too where
        the game's moves are named by numbers, and the move itself, one bit, elsewhere. `method` has
        answered, where it is not what chooses.

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
                raise self._fault(str(error), method=method) from None
        elif isinstance(answer, Integral):  # a number of numpy's, say, or a bool
            return self.read(position, int(answer), method)
        raise self._fault(
            _(
                "{answer} is not a legal move here; legal: {moves}",
                answer=shortened(answer),
                moves=" ".join(named),
            ),
            method=method,
        )

    def weights(self, position: Position) -> dict[int, float]:
        """How likely each legal move is, as the agent's policy says. Raises AgentFault."""
        policy = self._policy
        assert policy is not None
        said = self.call(policy, position)
        if not isinstance(said, Mapping):
            raise self._fault(
                _("policy returned {answer}; it must return {{move: probability}}", answer=shortened(said))
            )
        found: dict[int, float] = {}
        for answer, share in said.items():
            if isinstance(share, bool) or not isinstance(share, Real) or not 0 <= float(share) <= 1 + NEARLY:
                raise self._fault(
                    _(
                        "policy gives {move} the probability {share}; it must be from 0 to 1",
                        move=shortened(answer),
                        share=shortened(share),
                    )
                )
            move = self.read(position, answer)
            found[move] = found.get(move, 0.0) + float(share)
        total = sum(found.values())
        if abs(total - 1) > NEARLY:
            raise self._fault(_("the probabilities of policy sum to {total}, not to 1", total=decimal(total)))
        return {move: share / total for move, share in found.items()}

    @property
    def says_values(self) -> bool:
        """Whether it has a method `values`."""
        return self._values is not None

    def values(self, position: Position) -> dict[int, float]:
        """What moves are worth to it, as far as its method `values` says. Raises AgentFault."""
        method = self._values
        said = self.call(method, position) if method is not None else {}
        if not isinstance(said, Mapping):
            sentence = _("values returned {answer}; it must return {{move: number}}", answer=shortened(said))
            raise self._fault(sentence, method=method)
        found: dict[int, float] = {}
        for answer, value in said.items():
            if isinstance(value, bool) or not isinstance(value, Real) or not isfinite(value):
                sentence = _(
                    "values gives {move} the value {value}; it must be a number",
                    move=shortened(answer),
                    value=shortened(value),
                )
                raise self._fault(sentence, method=method)
            found[self.read(position, answer, method)] = float(value)
        return found

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

    def call(self, method: Callable[..., T], *arguments: object) -> T:
        """What a method returns. Raises AgentFault for whatever goes wrong in it."""
        out, sys.stdout = sys.stdout, self.prints
        try:
            with self._overtime:
                return method(*arguments)
        except DamierError as error:
            raise self._fault(str(error), error) from error
        except TooLong as error:
            raise self._fault(
                _("no answer within {n} seconds", n=decimal(self._overtime.seconds)), error
            ) from error
        except (Exception, SystemExit) as error:
            if isinstance(error, MemoryError):
                raise
            raise self._fault(f"{type(error).__name__}: {error}", error) from error
        finally:
            sys.stdout = out

    def _fault(
        self, sentence: str, error: BaseException | None = None, *, method: AnyMethod | None = None
    ) -> AgentFault:
        """What went wrong, in one line that begins with the agent's file and line: that of `method`, or of
        what chooses, where no line of its own was at work.
        """
        frames = traceback.extract_tb(error.__traceback__) if error else []
        own = [frame for frame in frames if Path(frame.filename) == self.source]
        line = own[-1].lineno if own else line_of(method or self._choose or self._policy)
        return AgentFault(f"{self.source.name}:{line}: {printable(sentence, LONGEST)}")


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


def line_of(method: AnyMethod | None) -> int:
    """Where a method begins."""
    function = getattr(method, "func", method)
    return int(getattr(getattr(function, "__code__", None), "co_firstlineno", 1))


def shortened(answer: object) -> str:
    """An answer of an agent, as it would be written in Python, if it is not too long."""
    try:
        return printable(repr(answer), LONGEST)
    except Exception as error:  # even its __repr__ is somebody's own code
        return f"<{type(answer).__name__}: {type(error).__name__}>"
