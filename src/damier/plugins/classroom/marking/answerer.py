"""The process of a submission: it answers questions about a student's file, one line of JSON each.

    python -m damier.plugins.classroom.marking.answerer FILE GAME LANGUAGE

It knows no right answer: whatever the file does to this process (it prints, exits, never ends,
changes damier), the worst that comes of it is a wrong answer, or none. A question is an object whose
`ask` is a key of ASKED; an answer is `{"answer": …}`, or `{"fault": MESSAGE}`, which says what went
wrong, and where (`packed` of `core/words.py`).
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import io
import json
import os
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from math import isfinite
from numbers import Integral
from pathlib import Path
from types import FrameType, FunctionType, ModuleType, SimpleNamespace
from typing import IO, TypeAlias, TypeVar

from damier.agents.document_interfaces import (
    AgentOfS0,
    AgentOfS1,
    AgentOfS3,
    DocumentAgent,
    marks_of,
    parameters_of,
)
from damier.agents.languages import ForeignAgent, ForeignFunction, language_of
from damier.agents.own import GameRandom, OwnPlayer, Prints, chooser, required_parameters
from damier.core.bits import position_of, reseed, seeded
from damier.core.checks import refuse_deferred
from damier.core.errors import AgentFault, BadInput, DamierError
from damier.core.game import Game, Position
from damier.core.job import exception_in_words, from_outside, own_place, presses
from damier.core.json_types import JsonValue
from damier.core.loop import MatchSetup
from damier.core.moves import each
from damier.core.player import RandomPlayer
from damier.core.rules import State
from damier.core.runtime import limit_memory, serve_parent
from damier.core.words import error_text, message, packed, speak
from damier.lab import agent_file, user_file
from damier.lab.agent_file import MAIN, AgentFactory, agents_in, chosen, data_of, instance, load_into
from damier.lab.games import Lab, load
from damier.lab.options import parameters
from damier.lab.user_file import read_source

# A student's file in the process that answers for it: run once, its functions called, its agents
# made, whatever goes wrong told with the file and the line.

ONE_CALL = 3600.0
"""Seconds of a call: whoever asks ends this process long before."""
LONGEST_TEXT = 100
LARGEST_INT = 1 << 62
LONGEST_LIST = 20_000
DEEPEST = 3
"""Lists in lists that an answer may be."""

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
        self._others: dict[Path, ModuleType] = {}
        with contextlib.redirect_stdout(Prints(self.path)), user_file.blaming(path, AgentFault):
            self.module: ModuleType = user_file.run(path)

    def home(self, names: str) -> tuple[ModuleType, str] | None:
        """The first of some names ("a|b") that stands in the file, or elsewhere in its folder where it is the
        folder's `agent.py`, with the module in which it stands; None where none does.
        """
        for name in names.split("|"):
            first = name.partition(".")[0]
            if hasattr(self.module, first):
                return self.module, name
            for path in sorted(self.path.parent.glob("*.py")) if self.path.name == MAIN else ():
                if path != self.path and first in defined_in(path):
                    if path not in self._others:
                        self._others[path] = self.guarded(lambda: user_file.run(path))
                    return self._others[path], name
        return None

    def made(self, names: str, seed: int, option: str = "") -> OwnPlayer:
        """An agent of a class or factory of the file; its `option`, if it has it, is true. Raises AgentFault,
        BadInput.
        """
        home = self.home(names)
        if home is None:
            name = names.partition("|")[0]
            raise AgentFault(
                message(
                    "{file}: there is no {name}, a class or a function that makes an agent",
                    file=self.path.name,
                    name=name,
                )
            )
        module, name = home
        if isinstance(getattr(module, name), type) and name not in agents_in(module):
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
            factory = chosen(module, Path(self.path.name), name)[1]
            self._require_given(name, factory)
            options = {option: True} if option in parameters(factory.parameters, factory.given) else {}
            agent = instance(factory, Lab(self.game, seed=seed), rng, options)
            written = getattr(agent, "written", None)
            if option and isinstance(written, ForeignAgent) and hasattr(written, option):
                setattr(written, option, True)
        return OwnPlayer(self.game, agent, rng, name, self.path, ONE_CALL)

    def _require_given(self, name: str, factory: AgentFactory) -> None:
        """Raises AgentFault for what asks for more than it is given."""
        words = [word for word in required_parameters(factory.parameters, name) if word not in factory.given]
        if words:
            raise AgentFault(
                message(
                    "{file}: {name} asks for {words}; it can ask for {known}, and what else has a default"
                    " value",
                    file=self.path.name,
                    name=name,
                    words=" ".join(words),
                    known=" ".join(agent_file.GIVEN[1:]),
                )
            )

    def kept(self, player: OwnPlayer) -> int:
        """Keeps an agent; the number by which it is asked."""
        self.players.append(player)
        return len(self.players) - 1

    def player(self, question: Question) -> OwnPlayer:
        """The agent that a question is about, told whether it learns."""
        player: OwnPlayer = self.players[question.agent]
        player.learns = question.learning
        return player

    def method(self, player: OwnPlayer, name: str, *words: str) -> Callable[..., object]:
        """A method of an agent; `words` are what it takes. Raises AgentFault where there is none."""
        found: object = getattr(player.agent, name, None)
        if not callable(found):
            raise AgentFault(
                message(
                    "{file}: the agent has no {method}",
                    file=self.path.name,
                    method=f"{name}({', '.join(words)})",
                )
            )
        refuse_deferred(found, name, AgentFault, self.path.name)
        return found

    def function(self, names: str) -> Callable[..., object]:
        """A function of the file, or the method of a new object of a class ("State.get_state"); of several
        names ("a|b") the first that there is. Raises AgentFault where there is none.
        """
        home = self.home(names)
        module, name = home or (self.module, names.partition("|")[0])
        first, _dot, method = name.partition(".")
        found: object = getattr(module, first, None)
        if method and callable(found):
            found = getattr(self.guarded(found), method, None)
        if not callable(found):
            language = language_of(self.path)
            here = language.called(name) if language else name
            raise AgentFault(message("{file}: there is no function {name}", file=self.path.name, name=here))
        refuse_deferred(found, name, AgentFault, self.path.name)
        return found

    def of_position(self, names: str, takes: Sequence[str]) -> Callable[..., object]:
        """A function as one of a position (and of a move): the first of its names is given what `takes` says,
        keys of GIVEN, or NAME() for what that returns; another one the position.
        """
        home, function = self.home(names), self.function(names)
        if home is not None and home[1] != names.partition("|")[0]:
            return function
        made = {
            word: self.guarded(self.function(word.removesuffix("()")))
            for word in takes
            if word.endswith("()")
        }

        def asked(position: Position, *more: object) -> object:
            given = [made[word] if word in made else GIVEN[word](position) for word in takes]
            return function(*given, *more)

        return asked

    def guarded(self, call: Callable[[], T]) -> T:
        """Return what a function returns. Raises AgentFault, with file and line, for what goes wrong in
        it.
        """
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
                if own_place(error, self.path):
                    raise
                said = exception_in_words(error)
                raise AgentFault(message("{place}: {error}", place=self.path.name, error=said)) from error

    def state(self, fields: list[int]) -> State:
        """A state, as it came through JSON."""
        return type(self.game.start)(*fields)

    def position(self, fields: list[int]) -> Position:
        """The position of a state, the same object again: it keeps what it was asked."""
        state = self.state(fields)
        return self._positions.setdefault(state, Position(self.game, state))


@cache
def defined_in(path: Path) -> frozenset[str]:
    """The classes and functions that a file defines, as its text shows; none where Python cannot read it."""
    try:
        body = ast.parse(read_source(path)).body
    except (DamierError, SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(found.name for found in body if isinstance(found, (ast.ClassDef, ast.FunctionDef)))


def number(answer: object) -> JsonValue:
    """A number as an answer; anything else, and what is too large, as the text that Python would write."""
    try:
        if isinstance(answer, Integral) and not isinstance(answer, bool) and abs(int(answer)) < LARGEST_INT:
            return int(answer)  # numpy's too
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


def data(answer: object, depth: int = DEEPEST) -> JsonValue:
    """Numbers, texts, None, and lists of these as they are, some deep in others; anything else as
    Python would write it.
    """
    if answer is None or isinstance(answer, bool):
        return answer
    if isinstance(answer, str):
        return answer[:LONGEST_TEXT]
    if isinstance(answer, (list, tuple, set, frozenset)) and depth and len(answer) <= LONGEST_LIST:
        return [data(part, depth - 1) for part in answer]
    return number(answer)


# What a function of a student's file is asked.


class TooManyCalls(Exception):
    """More calls than were to be counted."""


def answers(file: StudentFile, question: Question) -> list[JsonValue]:
    """Return what a function says, whatever it is, each time it is given one of `given`: a position
    (`["position", state]`), a move after it (`["move", state, name]`), a list of numbers, or its arguments
    (`["arguments", …]`).
    """
    function, of_position = file.function(question.name), file.of_position(question.name, question.takes)

    def said(given: list[object]) -> JsonValue:
        kind, *arguments = given
        if kind in ("numbers", "arguments"):
            return data(file.guarded(lambda: function(*arguments)))
        state, *more = arguments
        return data(file.guarded(lambda: of_position(file.position(state), *more)))  # type: ignore[arg-type]  # of JSON

    return [said(given) for given in question.given]


def calls(file: StudentFile, question: Question) -> list[JsonValue]:
    """Return what a function answers for a position, or for `arguments`, and how many calls of functions of
    the file and its folder, or of those called `counted`, that takes; one more than `most` where it is more.
    """
    if question.arguments is None:
        function, position = file.of_position(question.name, question.takes), file.position(question.state)
        call = partial(function, position)
    else:
        call = partial(file.function(question.name), *question.arguments)
    if isinstance(foreign := file.function(question.name), ForeignFunction):
        return [data(file.guarded(call)), min(foreign.calls, int(question.most) + 1)]
    folder, counted, answers = str(file.path.parent), 0, list[object]()

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal counted
        code = frame.f_code
        if event == "call" and question.counted in ("", code.co_name) and within(code.co_filename):
            counted += 1
            if counted > question.most:
                sys.setprofile(None)
                raise TooManyCalls

    @cache
    def within(source: str) -> bool:
        return os.path.dirname(source) == folder

    def counting() -> None:
        sys.setprofile(count)
        try:
            answers.append(call())
        finally:
            sys.setprofile(None)

    try:
        file.guarded(counting)
    except AgentFault as fault:
        if not isinstance(fault.__cause__, TooManyCalls):
            raise
    return [data(answers[0]) if answers else None, counted]


def typed(file: StudentFile, question: Question) -> list[JsonValue]:
    """Return what a function returns that reads with `input`, while somebody types `lines` for each of some
    positions, and how many of these it read.
    """
    function, found = file.of_position(question.name, question.takes), list[JsonValue]()
    for state, lines in zip(question.states, question.lines, strict=True):
        answer, read = while_typing(file, lambda s=state: function(file.position(s)), iter(lines))  # type: ignore[misc]
        found.append([data(answer), read])
    return found


class ExaminedNode:
    """A node of a tree as a function sees it; who reads the value of an end is noted.

    Attributes:
        player: 0 maximises, 1 minimises
        children: the nodes below, in order; none at an end
        value: of an end
    """

    def __init__(self, number: int, nodes: list[tuple[int, list[int], float | None]], read: set[int]) -> None:
        self._number, self._read = number, read
        self.player, below, self._value = nodes[number]
        self.children = tuple(ExaminedNode(child, nodes, read) for child in below)

    @property
    def value(self) -> float | None:
        self._read.add(self._number)
        return self._value


def tree(file: StudentFile, question: Question) -> list[JsonValue]:
    """Return what a function says of an explicit tree, and the ends whose value it read."""
    function, read = file.function(question.name), set[int]()
    root = ExaminedNode(question.root, question.nodes, read)
    value = number(file.guarded(lambda: function(root)))
    return [value, sorted(read)]


# What an agent of a student's file is asked, and told.


def moves(file: StudentFile, question: Question) -> list[int]:
    """Return what an agent plays in some positions, each as in a game that begins there: the number of the
    move's bit.
    """
    player, found = file.player(question), []
    for index, state in enumerate(question.states):
        rng = seeded(question.seed, index)
        player.begin_game()
        found.append(position_of(player.choose(file.game, file.state(state), rng)))
    return found


def train(file: StudentFile, question: Question) -> list[list[int]]:
    """Lets an agent play games number `first` to `stop` against random moves, at seat 1 or 2, or in
    turn at both (seat 0); the numbers of the bits that were played in each.
    """
    swap = {0: 1, 1: 0, 2: 2}[question.seat]
    table = MatchSetup(
        file.game, (file.player(question), RandomPlayer()), question.seed, swap=swap, record=True
    )
    lines = table.play(question.first, question.stop, jit=False).lines
    return [[position_of(move) for move in line] for line in lines]


class DictatedAgent:
    """An agent that is asked for every move, so that it can take note, and plays another: `dictated`."""

    def __init__(self, agent: object) -> None:
        self._agent = agent
        self._chooses = chooser(agent)
        self.dictated = ""

    def __getattr__(self, name: str) -> object:
        """All its other methods."""
        return getattr(self._agent, name)

    @property
    def learning(self) -> bool:
        return bool(getattr(self._agent, "learning", False))

    @learning.setter
    def learning(self, learns: bool) -> None:
        setattr(self._agent, "learning", learns)  # noqa: B010  any object, not one that declares it

    def play(self, position: Position) -> str:
        if isinstance(self._agent, (AgentOfS0, AgentOfS1, AgentOfS3)):
            self._agent.replay(position, self.dictated)
        elif self._chooses is not None:
            self._chooses(position)
        return self.dictated


def replay(file: StudentFile, question: Question) -> int:
    """Tells an agent of games that are given, as if it had played them at this seat; how many."""
    player, game, seat = file.player(question), file.game, question.seat - 1
    dictated = DictatedAgent(player.agent)
    own_player = OwnPlayer(game, dictated, player.rng, player.text, file.path, ONE_CALL)
    own_player.learns = True
    for number_, line in enumerate(question.lines):
        rng = seeded(question.seed, number_)
        own_player.begin_game()
        s = game.start
        for cell in line:
            move, mover = 1 << cell, game.mover(s)
            if mover == seat:
                dictated.dictated = game.name_move(s, move)
                own_player.choose(game, s, rng)
            gained = game.reward(s, move)
            if gained:
                own_player.observe_reward(gained if mover == seat else -gained)
            s = game.play(s, move)
        own_player.over(game.payoff(s, seat))
    return len(question.lines)


def scores(file: StudentFile, question: Question) -> list[JsonValue]:
    """Return what `move_score(position, move)` of an agent says of every legal move of some positions, one
    position after the other.
    """
    player = file.player(question)
    score = file.method(player, "move_score", "position", "move")
    found: list[JsonValue] = []
    for state in question.states:
        position = file.position(state)
        for move in each(file.game.moves(position.state)):
            name = file.game.name_move(position.state, move)
            found.append(number(player.call(score, position, name)))
    return found


def policies(file: StudentFile, question: Question) -> list[JsonValue] | None:
    """Return how likely an agent's `policy` makes every legal move of some positions; None where it has
    none.
    """
    player = file.player(question)
    if not callable(getattr(player.agent, "policy", None)):
        return None
    found: list[JsonValue] = []
    for state in question.states:
        position = file.position(state)
        weights = player.weights(position)
        found += [weights.get(move, 0.0) for move in each(file.game.moves(position.state))]
    return found


def epsilon(file: StudentFile, question: Question) -> JsonValue:
    """The attribute `epsilon` of an agent."""
    player = file.player(question)
    if not hasattr(player.agent, "epsilon"):
        raise AgentFault(message("{file}: the agent has no {method}", file=file.path.name, method="epsilon"))
    return number(player.agent.epsilon)


def saved(file: StudentFile, question: Question) -> int:
    """A new agent of the class, with what another has saved, through JSON as in a file."""
    player = file.player(question)
    what = data_of(player)
    try:
        written = json.dumps(what)
    except (TypeError, ValueError) as error:
        raise AgentFault(
            message("{file}: save() must return data of JSON: {error}", file=file.path.name, error=error)
        ) from None
    other = file.made(player.text, question.seed)
    load_into(other, json.loads(written))
    return file.kept(other)


# Questions about classes and functions of the documents, by their own names.

# What a function of a document is given of a position, by the words of a sheet: those of `takes`.

GIVEN: dict[str, Callable[[Position], object]] = {
    "position": lambda position: position,
    "board": lambda position: position.board,
    "marks": marks_of,
    "allumettes": lambda position: position.board.count("|"),
    "joueur": lambda position: ("IA", "humain")[position.mover],
    "actions": lambda position: base_of_s1(position.game.position().board.count("|")),
    "0": lambda position: 0,
}


def base_of_s1(matches: int) -> list[list[int]]:
    """The list of actions of S1 before anything is reinforced: ((16 3 2 1) … (2 2 1) (1 1))."""
    return [[n, *(taken for taken in (3, 2, 1) if taken <= n)] for n in range(matches, 0, -1)]


def called(file: StudentFile, question: Question) -> JsonValue:
    """Calls methods of an agent of a document, one after the other, `[name, *arguments]` each; what they
    returned, and what its `attributes` hold then (None where there is none).
    """
    agent = file.players[question.agent].agent
    if not isinstance(agent, DocumentAgent):
        raise AgentFault(message("{file}: the methods of the document are asked for", file=file.path.name))
    answers: list[JsonValue] = []
    for name, *arguments in question.calls:
        method = agent.method(name)
        answers.append(data(file.guarded(lambda: method(*copy.deepcopy(arguments)))))
    return [answers, [data(getattr(agent.written, name, None)) for name in question.attributes]]


# What somebody types, where a function reads with `input`.

NOTHING_TYPED = "EOFError"


class NothingTyped(EOFError):
    """It reads on, and nobody types any more."""


def while_typing(file: StudentFile, call: Callable[[], object], lines: Iterator[str]) -> tuple[object, int]:
    """Return what a call returns, and how many lines it read."""
    read = 0

    def next_line(_prompt: object = "") -> str:
        nonlocal read
        for line in lines:
            read += 1
            return line
        raise NothingTyped

    before, builtins.input = builtins.input, next_line
    try:
        return file.guarded(call), read
    except AgentFault as fault:
        if not isinstance(fault.__cause__, NothingTyped):
            raise
        return NOTHING_TYPED, read
    finally:
        builtins.input = before


# S0: what its main program tells the players.


class NotingPlayer:
    """A player whose actions are given; what it is told goes into a list."""

    def __init__(self, number: int, noted: list[JsonValue]) -> None:
        self.name, self.id = f"Agent{'AB'[number - 1]}", number
        self.actions: Iterator[int] = iter(())
        self._noted = noted

    def initialize(self) -> None:
        pass

    def save(self) -> None:
        pass

    def update(self, state: object, reward: object, possible_actions: object) -> int:
        self._noted.append(["update", self.id, data(state), data(reward), data(possible_actions)])
        for action in self.actions:
            return action
        raise AgentFault(message("the main program asks for an action though the game is over"))

    def learn(self, state: object, reward: object) -> None:
        self._noted.append(["learn", self.id, data(state), data(reward)])


def main_program(file: StudentFile, question: Question) -> JsonValue:
    """Return what `Main(player1, player2)` tells both players in games, whose actions are given."""
    if isinstance(main := file.function("Main"), ForeignFunction):
        return program_answer(file, main, "main-program", lines=question.lines)
    noted: list[JsonValue] = []
    players = [NotingPlayer(number, noted) for number in (1, 2)]
    made = file.guarded(lambda: main(*players))
    found: list[JsonValue] = []
    for line in question.lines:
        noted.clear()
        for seat, player in enumerate(players):
            player.actions = iter(line[seat::2])
        play = getattr(made, "game", None)
        if not callable(play):
            raise AgentFault(message("{file}: there is no function {name}", file="Main", name="game"))
        file.guarded(play)
        found.append(list(noted))
    return found


def program_answer(file: StudentFile, function: ForeignFunction, ask: str, **facts: object) -> JsonValue:
    """Return what the process of a program in another language says."""
    answer: JsonValue = file.guarded(lambda: function.ask(ask, **facts))["value"]
    return answer


# S1: games of its functions, which draw from lists.


def reinforced(file: StudentFile, question: Question) -> JsonValue:
    """Games of a function of S1 from so many matches: what was drawn in each, and the base after it."""
    play = file.function(question.name)
    random.seed(question.seed)
    if isinstance(play, ForeignFunction):
        return program_answer(
            file, play, "reinforced", matches=question.matches, base=question.base, games=question.games
        )
    if not isinstance(play, FunctionType):
        raise AgentFault(
            message("{file}: there is no function {name}", file=file.path.name, name=question.name)
        )
    names, drawn = play.__globals__, list[JsonValue]()
    draw = names.get("Randomsuccesseurs")
    if not callable(draw):
        raise AgentFault(
            message("{file}: there is no function {name}", file=file.path.name, name="Randomsuccesseurs")
        )

    def noted(actions: object) -> object:
        answer = draw(actions)
        drawn.append(data(answer))
        return answer

    names["ACTIONS"], names["Randomsuccesseurs"] = copy.deepcopy(question.base), noted
    found: list[JsonValue] = []
    try:
        for _game in range(question.games):
            drawn.clear()
            given = (question.matches, names["ACTIONS"], "IA", 0)[: parameters_of(play)]
            file.guarded(lambda: play(*given))
            found.append([list(drawn), data(names["ACTIONS"])])
    finally:
        names["Randomsuccesseurs"] = draw
    return found


def changed(file: StudentFile, question: Question) -> JsonValue:
    """Call a function: what it returns, and its last argument then; each of `given` is asked."""
    function = file.function(question.name)
    found: list[JsonValue] = []
    for given in question.given:
        arguments = copy.deepcopy(given)
        returned = file.guarded(lambda: function(*arguments))
        found.append([data(returned), data(arguments[-1])])
    return found


# S3: the end of a game, and its training.


def game_over(file: StudentFile, question: Question) -> JsonValue:
    """Return what `check_gameOver()` of an environment `Env(agent1, agent2, 9)` says of boards."""
    make = file.function(question.name)
    environment = file.guarded(lambda: make(None, None, 9))
    found: list[JsonValue] = []
    for state in question.states:
        environment.board = marks_of(file.position(state))  # type: ignore[attr-defined]
        found.append(data(file.guarded(environment.check_gameOver)))  # type: ignore[attr-defined]
    return found


def trained(file: StudentFile, question: Question) -> JsonValue:
    """The rewards that `Vfunction().train(epoch)` gives to each symbol, game by game, and the ε of both
    agents afterwards.
    """
    train = file.function("Vfunction.train")
    names = getattr(getattr(train, "__func__", train), "__globals__", {})
    kind = names.get("Agent")
    if not isinstance(kind, type) or not callable(update := getattr(kind, "update_estimations", None)):
        raise AgentFault(message("{file}: there is no class {name}", file=file.path.name, name="Agent"))
    rewards: list[JsonValue] = []

    def noted(agent: object, reward: object, *more: object) -> object:
        rewards.append([data(getattr(agent, "symbol", None)), data(reward)])
        return update(agent, reward, *more)

    random.seed(question.seed)
    kind.update_estimations = noted  # type: ignore[attr-defined]
    try:
        agents = file.guarded(lambda: train(question.epoch))
    finally:
        kind.update_estimations = update  # type: ignore[attr-defined]
    both = agents if isinstance(agents, (list, tuple)) else ()
    return [rewards, [data(getattr(agent, "epsilon", None)) for agent in both]]


# S4: what its functions and its program print.


def printed(file: StudentFile, question: Question) -> JsonValue:
    """Return how many characters agentPlayGame prints with `verbose` and without, between random agents."""
    play = file.function("agentPlayGame")
    random.seed(question.seed)
    if isinstance(play, ForeignFunction):
        return program_answer(file, play, "printed")
    create, lengths = file.function("createRandomAgent"), list[JsonValue]()
    for verbose in (True, False):
        text = io.StringIO()
        file.guarded(printing(text, lambda v=verbose: play(create(), create(), v)))  # type: ignore[misc]
        lengths.append(len(text.getvalue()))
    return lengths


def program(file: StudentFile, question: Question) -> JsonValue:
    """Return what `main(arguments)` prints while somebody types, and how many lines it has read."""
    run, text = file.function("main"), io.StringIO()
    if isinstance(run, ForeignFunction):
        return program_answer(file, run, "program", arguments=question.arguments, lines=question.lines)
    _answer, read = while_typing(file, printing(text, lambda: run(question.arguments)), iter(question.lines))
    return [text.getvalue()[:LONGEST_LIST], read]


def printing(text: io.StringIO, call: Callable[[], object]) -> Callable[[], None]:
    """A call that prints into a text."""

    def call_there() -> None:
        with contextlib.redirect_stdout(text):
            call()

    return call_there


MEMORY = 1 << 29


ASKED: dict[str, Callable[[StudentFile, Question], object]] = {
    "load": lambda file, question: True,  # it has run by then
    "answers": answers,
    "calls": calls,
    "typed": typed,
    "tree": tree,
    "agents": lambda file, question: list(agents_in(file.module)),
    "agent": lambda file, question: file.kept(file.made(question.name, question.seed, question.option)),
    "moves": moves,
    "train": train,
    "replay": replay,
    "scores": scores,
    "policies": policies,
    "epsilon": epsilon,
    "saved": saved,
    "called": called,
    "main-program": main_program,
    "reinforced": reinforced,
    "changed": changed,
    "game-over": game_over,
    "has": lambda file, question: file.home(question.name) is not None,
    "trained": trained,
    "printed": printed,
    "program": program,
}
"""What may be asked."""


def serve(path: Path, game: Game, questions: IO[bytes], answers: IO[bytes]) -> None:
    """Answers until nobody asks any more."""
    file: StudentFile | None = None
    for line in questions:
        question = SimpleNamespace(**json.loads(line))
        answer: dict[str, JsonValue]
        try:
            file = file or StudentFile(path, game)
            if question.ask not in ASKED:
                raise BadInput(question.ask)
            answer = {"answer": ASKED[question.ask](file, question)}  # type: ignore[dict-item]  # each answers JSON
        except DamierError as error:
            answer = {"fault": packed(error_text(error))}
        except MemoryError:
            answer = {"fault": packed(message("{file}: it takes more memory than it may", file=path.name))}
        except RecursionError:
            answer = {
                "fault": packed(message("{file}: its calls go too deep (RecursionError)", file=path.name))
            }
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def main() -> None:
    """Serves on the standard streams, which are then those of nobody else."""
    questions, answers = serve_parent()
    path, game = Path(sys.argv[1]), load(sys.argv[2])
    speak(sys.argv[3])
    limit_memory(MEMORY)
    sys.path.insert(0, str(path.resolve().parent))
    serve(path, game, questions, answers)


if __name__ == "__main__":
    main()
