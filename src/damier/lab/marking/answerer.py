"""The process of a submission: it answers questions about a student's file, one line of JSON each.

    python -m damier.lab.marking.answerer FILE GAME LANGUAGE

It knows no right answer: whatever the file does to this process (it prints, exits, never ends,
changes damier), the worst that comes of it is a wrong answer, or none. A question is an object whose
`ask` is a key of ASKED; an answer is `{"answer": …}`, or `{"fault": "file.py:3: what went wrong"}`.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from types import FrameType, ModuleType, SimpleNamespace
from typing import TypeAlias, TypeVar

from damier.agents.chance import GameRandom
from damier.agents.own import OwnPlayer
from damier.agents.prints import Prints
from damier.core.bits import each, position_of, reseed
from damier.core.bounds import limit_memory
from damier.core.errors import AgentFault, BadInput, DamierError
from damier.core.game import Game
from damier.core.json_types import JsonValue
from damier.core.loop import MatchSetup
from damier.core.player import RandomPlayer
from damier.core.position import Position
from damier.core.rules import State
from damier.core.words import _, speak
from damier.lab import user_file
from damier.lab.agent_file import agents_in, asked_for, chosen
from damier.lab.games import load
from damier.lab.lab import Lab

MEMORY = 1 << 29
ONE_CALL = 3600.0
"""Seconds of a call: whoever asks ends this process long before."""

Question: TypeAlias = "SimpleNamespace"
T = TypeVar("T")


class TooManyCalls(Exception):
    """More calls than were to be counted."""


class Answerer:
    """A student's file, run once, and the agents that were made of its classes."""

    def __init__(self, path: Path, game: Game) -> None:
        """Raises DamierError for a file that does not run."""
        self.path, self.game = path.resolve(), game
        self.players: list[OwnPlayer] = []
        self._positions: dict[State, Position] = {}
        with contextlib.redirect_stdout(Prints(self.path)), user_file.blaming(path, AgentFault):
            self.module: ModuleType = user_file.run(path)

    def load(self, asked: Question) -> bool:
        """Has run the file."""
        return True

    def agents(self, asked: Question) -> list[str]:
        """The names of the agents of the file."""
        return list(agents_in(self.module))

    def agent(self, asked: Question) -> int:
        """Makes an agent of a class or factory of the file; the number by which it is asked."""
        random.seed(asked.seed)
        rng = GameRandom()
        reseed(rng.stream, asked.seed, 0)
        with contextlib.redirect_stdout(Prints(self.path)), user_file.blaming(self.path, AgentFault):
            factory = chosen(self.module, Path(self.path.name), asked.name)[1]
            made = factory.make(**asked_for(factory.make, Lab(self.game, seed=asked.seed), rng))
        self.players.append(OwnPlayer(self.game, made, rng, asked.name, self.path, ONE_CALL))
        return len(self.players) - 1

    def values(self, asked: Question) -> list[JsonValue]:
        """What a function of the file says of some positions."""
        function = self._function(asked.name)
        return [
            number(self._guarded(lambda: function(self._position(state))), self.path)
            for state in asked.states
        ]

    def calls(self, asked: Question) -> int:
        """How many calls of functions of the file it takes a function to answer for a position; one
        more than `most` where it is more.
        """
        function, position = self._function(asked.name), self._position(asked.state)
        source, counted = str(self.path), 0

        def count(frame: FrameType, event: str, _argument: object) -> None:
            nonlocal counted
            if event == "call" and frame.f_code.co_filename == source:
                counted += 1
                if counted > asked.most:
                    sys.setprofile(None)
                    raise TooManyCalls

        def counting() -> None:
            sys.setprofile(count)
            try:
                function(position)
            finally:
                sys.setprofile(None)

        try:
            self._guarded(counting)
        except AgentFault as fault:
            if not isinstance(fault.__cause__, TooManyCalls):
                raise
        return counted

    def moves(self, asked: Question) -> list[int]:
        """What an agent plays in some positions, each as in a game that begins there: the number of
        the move's bit.
        """
        player = self._player(asked)
        begin = player.kernel(jit=False)
        assert begin is not None
        found = []
        for index, state in enumerate(asked.states):
            rng = [0]
            reseed(rng, asked.seed, index)
            begin.begin((), 0)
            s = self._state(state)
            found.append(position_of(player.choose(self.game, s, rng)))
        return found

    def train(self, asked: Question) -> list[list[int]]:
        """Lets an agent play games number `first` to `stop` against random moves, changing seats;
        the numbers of the bits that were played in each.
        """
        table = MatchSetup(self.game, (self._player(asked), RandomPlayer()), asked.seed, swap=1, record=True)
        lines = table.play(asked.first, asked.stop, jit=False).lines
        return [[position_of(move) for move in line] for line in lines]

    def scores(self, asked: Question) -> list[JsonValue]:
        """What `move_score(position, move)` of an agent says of every legal move of some positions,
        one position after the other.
        """
        player = self._player(asked)
        score = getattr(player.agent, "move_score", None)
        if not callable(score):
            raise AgentFault(_("{file}: the agent has no move_score(position, move)", file=self.path.name))
        found: list[JsonValue] = []
        for state in asked.states:
            position = self._position(state)
            for move in each(self.game.moves(position.state)):
                name = self.game.name_move(position.state, move)
                found.append(number(player.call(lambda: score(position, name)), self.path))
        return found

    def _player(self, asked: Question) -> OwnPlayer:
        player: OwnPlayer = self.players[asked.agent]
        player.learns = asked.learning
        return player

    def _function(self, name: str) -> Callable[[Position], object]:
        function = getattr(self.module, name, None)
        if not callable(function):
            raise AgentFault(_("{file}: there is no function {name}", file=self.path.name, name=name))
        found: Callable[[Position], object] = function
        return found

    def _guarded(self, call: Callable[[], T]) -> T:
        """What a function returns. Raises AgentFault, with file and line, for what goes wrong in it."""
        with contextlib.redirect_stdout(Prints(self.path)), user_file.blaming(self.path, AgentFault):
            return call()

    def _state(self, fields: list[int]) -> State:
        return type(self.game.start)(*fields)

    def _position(self, fields: list[int]) -> Position:
        state = self._state(fields)
        return self._positions.setdefault(state, Position(self.game, state))


ASKED = ("load", "agents", "agent", "values", "calls", "moves", "train", "scores")
"""The methods that a question may name."""


def number(answer: object, path: Path) -> JsonValue:
    """A number as an answer; anything else as the text that Python would write."""
    if isinstance(answer, (int, float)) and not isinstance(answer, bool) and answer - answer == 0:
        return answer
    try:
        return float(answer)  # type: ignore[arg-type]  # of numpy's
    except Exception:
        return repr(answer)[:100]


def serve(path: Path, game: Game, questions: TextIOWrapper, answers: TextIOWrapper) -> None:
    """Answers until nobody asks any more."""
    answerer: Answerer | None = None
    for line in questions:
        asked = SimpleNamespace(**json.loads(line))
        said: dict[str, JsonValue]
        try:
            answerer = answerer or Answerer(path, game)
            if asked.ask not in ASKED:
                raise BadInput(asked.ask)
            said = {"answer": getattr(answerer, asked.ask)(asked)}
        except DamierError as error:
            said = {"fault": str(error)}
        except (MemoryError, RecursionError) as error:
            said = {"fault": f"{path.name}: {type(error).__name__}"}
        answers.write(json.dumps(said) + "\n")
        answers.flush()


def main() -> None:
    """Serves on the standard streams, which are then those of nobody else."""
    path, game = Path(sys.argv[1]), load(sys.argv[2])
    speak(sys.argv[3])
    questions = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    limit_memory(MEMORY)
    sys.path.insert(0, str(path.resolve().parent))
    serve(path, game, questions, answers)


if __name__ == "__main__":
    main()
