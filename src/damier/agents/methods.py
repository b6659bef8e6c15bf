"""The methods of an agent of one's own, and what each of them is given: what its parameters are
called is what it asks for.

    play(position) or choose(position)   the move: its name, or the move itself
    policy(position)                     how likely each move is, {move: probability}
    values(position)                     what each move is worth to it, {move: number}: only shown
    begin()                              a game begins
    learn(…), update(…)                  while it learns only, after each decision or each game
    end(…)                               a game is over, whether it learns or not
    save(), load(data)                   what it has learnt, as data of JSON

A method that asks for `position` hears of each own decision as soon as it is known what followed:
at its next turn before it chooses (after it has chosen, if it asks for `next_move`), or at the end.
One that does not is called once, at the end. These are the loops of Sutton & Barto [SuttonBarto]:
Q-learning and V take position, move, reward and next_position, SARSA next_move besides, Monte Carlo
methods history and payoff.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Literal, NamedTuple, TypeAlias

from damier.core.checks import refuse_deferred
from damier.core.errors import AgentFault, BadInput
from damier.core.position import Position
from damier.core.words import message

Answer: TypeAlias = "str | int"
"""A move as an agent says it: its name, or the move itself."""


class EpisodeStep(NamedTuple):
    """A decision in the history of a game.

    reward  what was gained between this decision and the next one; the payoff is not in it
    """

    position: Position
    move: Answer
    reward: float


@dataclass
class Experience:
    """All that a method of an agent may ask for, by name.

    position       in which it was to move
    move           what it chose, as it said it
    reward         what it gained until its next turn (pawns taken less those lost); at the end of
                   the game the payoff is in it
    next_position  its next own turn; None where the game has ended
    next_move      what it chose there; None where the game has ended
    payoff         what the game was worth to it: 1 won, 0 drawn, -1 lost; None while it goes on
    history        its decisions of this game, first to last: (position, move, reward)
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

    words  the names of its parameters: what it asks for
    """

    name: str
    call: Callable[..., object]
    words: tuple[str, ...]

    @property
    def when(self) -> When:
        """When it is called."""
        if not any(word in self.words for word in OF_A_DECISION):
            return "game"
        return "choice" if "next_move" in self.words else "turn"

    def tell(self, told: Experience) -> None:
        """Calls it with what it asks for."""
        self.call(*[getattr(told, word) for word in self.words])


def hook(agent: object, name: str, where: str) -> AgentMethod | None:
    """A method of an agent, if it has it. Raises BadInput where it asks for what there is not."""
    call = getattr(agent, name, None)
    if call is None:
        return None
    words = asked(call, f"{where}{name}")
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


def asked(call: Callable[..., object], where: str) -> tuple[str, ...]:
    """The names of the parameters that a method must be given.

    Raises BadInput for what is no function, and for parameters without a name of their own.
    """
    if not callable(call):
        raise BadInput(message("{method} is not a function", method=where))
    name = where.rpartition(": ")[2] or getattr(call, "__name__", type(call).__name__)
    refuse_deferred(call, name, AgentFault, where.partition(":")[0])
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
