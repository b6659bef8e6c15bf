"""Questions to the process of a submission about classes and functions of the documents, by their own names.

Each of `ASKED` is given a student's file (`answerer`) and a question, and answers JSON.
"""

from __future__ import annotations

import builtins
import contextlib
import copy
import io
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from damier.agents.document_interfaces import DocumentAgent, marks_of, parameters_of
from damier.agents.languages import ForeignFunction
from damier.core.errors import AgentFault
from damier.core.game import Position
from damier.core.json_types import JsonValue
from damier.core.words import message

if TYPE_CHECKING:
    from types import SimpleNamespace

    from damier.agents.own import OwnPlayer

T = TypeVar("T")


class ExaminedFile(Protocol):
    """A student's file, as far as it is asked here: `answerer.StudentFile`."""

    path: Path
    players: list[OwnPlayer]

    def home(self, names: str) -> tuple[ModuleType, str] | None: ...

    def function(self, names: str) -> Callable[..., object]: ...

    def guarded(self, call: Callable[[], T]) -> T: ...

    def position(self, fields: list[int]) -> Position: ...


Question: TypeAlias = "SimpleNamespace"
LONGEST_LIST, LONGEST_TEXT, DEEPEST = 20_000, 100, 3

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


def nested(answer: object, depth: int = DEEPEST) -> JsonValue:
    """Numbers, texts and lists of these, one in another; anything else as Python would write it."""
    if answer is None or isinstance(answer, (bool, int, float)):
        return answer if not isinstance(answer, int) or abs(answer) < 1 << 62 else repr(answer)[:LONGEST_TEXT]
    if isinstance(answer, (list, tuple)) and depth and len(answer) <= LONGEST_LIST:
        return [nested(part, depth - 1) for part in answer]
    return repr(answer)[:LONGEST_TEXT]


def called(file: ExaminedFile, asked: Question) -> JsonValue:
    """Calls methods of an agent of a document, one after the other, `[name, *arguments]` each; what they
    returned, and what its `attributes` hold then (None where there is none).
    """
    agent = file.players[asked.agent].agent
    if not isinstance(agent, DocumentAgent):
        raise AgentFault(message("{file}: the methods of the document are asked for", file=file.path.name))
    said: list[JsonValue] = []
    for name, *arguments in asked.calls:
        method = agent.method(name)
        said.append(nested(file.guarded(lambda: method(*copy.deepcopy(arguments)))))
    return [said, [nested(getattr(agent.written, name, None)) for name in asked.attributes]]


# What somebody types, where a function reads with `input`.

NOTHING_TYPED = "EOFError"


class NothingTyped(EOFError):
    """It reads on, and nobody types any more."""


def while_typing(file: ExaminedFile, call: Callable[[], object], lines: Iterator[str]) -> tuple[object, int]:
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

    def __init__(self, number: int, told: list[JsonValue]) -> None:
        self.name, self.id = f"Agent{'AB'[number - 1]}", number
        self.actions: Iterator[int] = iter(())
        self._told = told

    def initialize(self) -> None:
        pass

    def save(self) -> None:
        pass

    def update(self, state: object, reward: object, possible_actions: object) -> int:
        self._told.append(["update", self.id, nested(state), nested(reward), nested(possible_actions)])
        for action in self.actions:
            return action
        raise AgentFault(message("the main program asks for an action though the game is over"))

    def learn(self, state: object, reward: object) -> None:
        self._told.append(["learn", self.id, nested(state), nested(reward)])


def main_program(file: ExaminedFile, asked: Question) -> JsonValue:
    """Return what `Main(player1, player2)` tells both players in games, whose actions are given."""
    if isinstance(main := file.function("Main"), ForeignFunction):
        return program_answer(file, main, "main-program", lines=asked.lines)
    told: list[JsonValue] = []
    players = [NotingPlayer(number, told) for number in (1, 2)]
    made = file.guarded(lambda: main(*players))
    found: list[JsonValue] = []
    for line in asked.lines:
        told.clear()
        for seat, player in enumerate(players):
            player.actions = iter(line[seat::2])
        play = getattr(made, "game", None)
        if not callable(play):
            raise AgentFault(message("{file}: there is no function {name}", file="Main", name="game"))
        file.guarded(play)
        found.append(list(told))
    return found


def program_answer(file: ExaminedFile, function: ForeignFunction, ask: str, **facts: object) -> JsonValue:
    """Return what the process of a program in another language says."""
    said: JsonValue = file.guarded(lambda: function.ask(ask, **facts))["value"]
    return said


# S1: games of its functions, which draw from lists.


def reinforced(file: ExaminedFile, asked: Question) -> JsonValue:
    """Games of a function of S1 from so many matches: what was drawn in each, and the base after it."""
    play = file.function(asked.name)
    random.seed(asked.seed)
    if isinstance(play, ForeignFunction):
        return program_answer(
            file, play, "reinforced", matches=asked.matches, base=asked.base, games=asked.games
        )
    if not isinstance(play, FunctionType):
        raise AgentFault(message("{file}: there is no function {name}", file=file.path.name, name=asked.name))
    names, drawn = play.__globals__, list[JsonValue]()
    draw = names.get("Randomsuccesseurs")
    if not callable(draw):
        raise AgentFault(
            message("{file}: there is no function {name}", file=file.path.name, name="Randomsuccesseurs")
        )

    def noted(actions: object) -> object:
        answer = draw(actions)
        drawn.append(nested(answer))
        return answer

    names["ACTIONS"], names["Randomsuccesseurs"] = copy.deepcopy(asked.base), noted
    found: list[JsonValue] = []
    try:
        for _game in range(asked.games):
            drawn.clear()
            given = (asked.matches, names["ACTIONS"], "IA", 0)[: parameters_of(play)]
            file.guarded(lambda: play(*given))
            found.append([list(drawn), nested(names["ACTIONS"])])
    finally:
        names["Randomsuccesseurs"] = draw
    return found


def changed(file: ExaminedFile, asked: Question) -> JsonValue:
    """Call a function: what it returns, and its last argument then; each of `given` is asked."""
    function = file.function(asked.name)
    found: list[JsonValue] = []
    for given in asked.given:
        arguments = copy.deepcopy(given)
        said = file.guarded(lambda: function(*arguments))
        found.append([nested(said), nested(arguments[-1])])
    return found


# S3: the end of a game, and its training.


def game_over(file: ExaminedFile, asked: Question) -> JsonValue:
    """Return what `check_gameOver()` of an environment `Env(agent1, agent2, 9)` says of boards."""
    make = file.function(asked.name)
    environment = file.guarded(lambda: make(None, None, 9))
    found: list[JsonValue] = []
    for state in asked.states:
        environment.board = marks_of(file.position(state))  # type: ignore[attr-defined]
        found.append(nested(file.guarded(environment.check_gameOver)))  # type: ignore[attr-defined]
    return found


def trained(file: ExaminedFile, asked: Question) -> JsonValue:
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
        rewards.append([nested(getattr(agent, "symbol", None)), nested(reward)])
        return update(agent, reward, *more)

    random.seed(asked.seed)
    kind.update_estimations = noted  # type: ignore[attr-defined]
    try:
        agents = file.guarded(lambda: train(asked.epoch))
    finally:
        kind.update_estimations = update  # type: ignore[attr-defined]
    both = agents if isinstance(agents, (list, tuple)) else ()
    return [rewards, [nested(getattr(agent, "epsilon", None)) for agent in both]]


# S4: what its functions and its program print.


def printed(file: ExaminedFile, asked: Question) -> JsonValue:
    """Return how many characters agentPlayGame prints with `verbose` and without, between random agents."""
    play = file.function("agentPlayGame")
    random.seed(asked.seed)
    if isinstance(play, ForeignFunction):
        return program_answer(file, play, "printed")
    create, lengths = file.function("createRandomAgent"), list[JsonValue]()
    for verbose in (True, False):
        text = io.StringIO()
        file.guarded(printing(text, lambda v=verbose: play(create(), create(), v)))  # type: ignore[misc]
        lengths.append(len(text.getvalue()))
    return lengths


def program(file: ExaminedFile, asked: Question) -> JsonValue:
    """Return what `main(arguments)` prints while somebody types, and how many lines it has read."""
    run, text = file.function("main"), io.StringIO()
    if isinstance(run, ForeignFunction):
        return program_answer(file, run, "program", arguments=asked.arguments, lines=asked.lines)
    _answer, read = while_typing(file, printing(text, lambda: run(asked.arguments)), iter(asked.lines))
    return [text.getvalue()[:LONGEST_LIST], read]


def has(file: ExaminedFile, asked: Question) -> bool:
    """Return whether there is a class or function of this name."""
    return file.home(asked.name) is not None


def printing(text: io.StringIO, call: Callable[[], object]) -> Callable[[], None]:
    """A call that prints into a text."""

    def call_there() -> None:
        with contextlib.redirect_stdout(text):
            call()

    return call_there


ASKED: dict[str, Callable[[ExaminedFile, Question], JsonValue]] = {
    "called": called,
    "main-program": main_program,
    "reinforced": reinforced,
    "changed": changed,
    "game-over": game_over,
    "has": has,
    "trained": trained,
    "printed": printed,
    "program": program,
}
"""What may be asked."""
