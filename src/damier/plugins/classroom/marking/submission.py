"""A submission as whoever marks it sees it: a process that is asked, and ended where it is late; what is
known of the game of its sheet, and what is found.

`launched` is the one place that starts a student's code.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from damier.agents.channel import Channel, TooLongAnswer
from damier.agents.isolation import AgentCommand, AgentLimits, Launch, launch, no_isolation
from damier.agents.languages import Language, carried, language_of
from damier.core.bits import position_of
from damier.core.errors import AgentFault, BadFile, BadInput, LimitReached, Unsuitable
from damier.core.game import Game, Position
from damier.core.job import Job
from damier.core.json_types import JsonValue
from damier.core.moves import holds
from damier.core.rules import Moves, State
from damier.core.runtime import python
from damier.core.solution import PAYOFFS, Solution
from damier.core.tiers import Allowance
from damier.core.tree import Scene
from damier.core.words import FormattedNumber, Message, Text, error_text, language, message, unpacked
from damier.lab.agent_file import MAIN, PYTHON_FILE, files_of
from damier.lab.agents import policy
from damier.lab.games import Lab
from damier.lab.user_file import read_source
from damier.solve import solve
from damier.solve.grade import Grader
from damier.solve.reach import TooMany, pure_layers

Given: TypeAlias = "Sequence[object]"
"""What a function is given, as JSON: see `questions.functions.answers`."""
OF_A_POSITION = ("position",)
LONGEST_ANSWER = 1 << 24
"""Bytes."""
NEARLY, NEARLY_SINGLE = 1e-9, 1e-4
"""How far a score may be from the right one: with double and with single precision."""
NEARLY_1 = 1e-6
"""How far the probabilities of a policy may sum from 1."""
LOADING = 10.0
"""Seconds that a file may take to run from its first line to its last."""
MOST_AGENTS, LONGEST_NAME = 20, 60
"""Agents of a file that are looked at, and characters of the name of one."""
LIMITS = AgentLimits(seconds=3600, game_seconds=3600, answer=LONGEST_ANSWER)
"""Memory, processes and files of a student's code; its time is that of the items."""


def launched(path: Path, game: Game, beside: Mapping[str, Path], isolated: bool | None = None) -> Launch:
    """Return how the process that answers for a student's file is started (`answerer`): in a sandbox that
    shows it this file alone, or with those of its folder, and that of the game if it is one's own, where
    there is one; else with the rights of whoever marks, its memory bounded.

    Args:
        isolated: true: in a sandbox, or not at all: Raises Unsuitable
    """
    module = python("-m", "damier.plugins.classroom.marking.answerer")
    own = {len(module): str(path.resolve())}
    played = game.text
    if game.source is not None:
        own[len(module) + 1] = str(game.source)
        played = str(game.source) + game.text.partition(PYTHON_FILE)[2]
    own_file = own[len(module)]
    visible = {f"own/{name}": str(file.resolve()) for name, file in beside.items()}
    with ExitStack() as stack:
        if language_of(path) is not None and isolated is not False and not no_isolation():
            own_file, visible = stack.enter_context(carried(path))
            del own[len(module)]
        words = (*module, own_file, played, language())
        return launch(AgentCommand(words, own, visible), LIMITS, isolated)[0]


@dataclass
class Submission:
    """A student's file, or folder with an `agent.py`. A question that is not answered until `deadline`
    ends its process; the next one begins another.

    Raises AgentFault, with the file and what went wrong, wherever it is asked.

    Attributes:
        isolated: as in `launched`
    """

    path: Path
    game: Game
    isolated: bool | None = None
    deadline: float = field(default=float("inf"), init=False)
    _channel: Channel | None = field(default=None, init=False)
    _broken: AgentFault | None = field(default=None, init=False)
    _closed: bool = field(default=False, init=False)
    _decisions: dict[str, list[int]] = field(default_factory=dict, init=False)

    def allow(self, seconds: float) -> None:
        """From here on, this much time for all that is asked; what its process waits for a processor does not
        count.
        """
        self.deadline = time.monotonic() + seconds

    def agent(self, name: str, seed: int, option: str = "") -> int:
        """Makes an agent of a class of the file, an option of which is true if it has it; the number to ask
        it by.
        """
        return whole(self, self.ask("agent", name=name, seed=seed, option=option))

    def agents(self) -> list[str]:
        """The names of the agents in the file, in the order in which they stand there."""
        names = [name for name in listed(self, self.ask("agents"), None) if isinstance(name, str)]
        return [name for name in names[:MOST_AGENTS] if name.isidentifier() and len(name) <= LONGEST_NAME]

    def calls(
        self,
        function: str,
        state: State,
        most: int,
        counted: str = "",
        takes: Sequence[str] = OF_A_POSITION,
        arguments: Sequence[object] | None = None,
    ) -> tuple[JsonValue, int]:
        """Return what a function says of a position, or given these arguments, and how many calls of the
        file's functions, or of those called `counted`, that takes; `most` + 1 for more.
        """
        options = {"most": most, "counted": counted, "takes": takes, "arguments": arguments}
        answers = listed(self, self.ask("calls", name=function, state=state, **options), 2)
        return answers[0], whole(self, answers[1])

    def answers(
        self, function: str, given: Sequence[Given], takes: Sequence[str] = OF_A_POSITION
    ) -> list[JsonValue]:
        """Return what a function says each time it is given something, whatever it is; `takes` is what it is
        given of a position, keys of GIVEN (`answerer`).
        """
        return listed(self, self.ask("answers", name=function, given=given, takes=takes), len(given))

    def moves(self, agent: int, states: Sequence[State], *, learning: bool, seed: int = 0) -> list[int]:
        """The moves that an agent plays, each as a bit."""
        answer = self.ask("moves", agent=agent, states=states, learning=learning, seed=seed)
        cells = listed(self, answer, len(states))
        return [self._move(s, cell) for s, cell in zip(states, cells, strict=True)]

    def decisions(self, name: str, states: Sequence[State]) -> list[int]:
        """Return what a new agent of a class plays, without learning, in all positions of a game; asked once,
        as several items want to know.
        """
        if name not in self._decisions:
            self._decisions[name] = self.moves(self.agent(name, 0), states, learning=False)
        return self._decisions[name]

    def train(self, agent: int, games: range, *, learning: bool, seed: int, seat: int = 0) -> list[list[int]]:
        """Games of an agent against random moves, at seat 1 or 2 or in turn at both (seat 0): the moves
        of each, as bits, legal to the last.
        """
        options = {"agent": agent, "first": games.start, "stop": games.stop, "learning": learning}
        answers = listed(self, self.ask("train", seed=seed, seat=seat, **options), len(games))
        return [self._legal(line) for line in answers]

    def replay(self, agent: int, lines: Sequence[Sequence[int]], *, seat: int, seed: int) -> None:
        """Tells an agent of games that are given, by the bits of their moves, as if it had played them at
        a seat.
        """
        cells = [[position_of(move) for move in line] for line in lines]
        self.ask("replay", agent=agent, lines=cells, seat=seat, seed=seed, learning=True)

    def policies(self, agent: int, states: Sequence[State]) -> list[dict[int, float]] | None:
        """Return how likely an agent's policy makes each legal move of positions; None where it has none."""
        answer = self.ask("policies", agent=agent, states=states, learning=False)
        if answer is None:
            return None
        return [self._policy(shares) for shares in self._by_move(answer, states)]

    def scores(self, agent: int, states: Sequence[State], *, learning: bool) -> list[dict[int, JsonValue]]:
        """Return what an agent thinks of every legal move of positions."""
        answer = self.ask("scores", agent=agent, states=states, learning=learning)
        return self._by_move(answer, states)

    def ask(self, ask: str, **arguments: object) -> JsonValue:
        """The answer to a question."""
        if self._channel is None:
            self._begin()
        return self._answer(ask, self.deadline, arguments)

    def end(self) -> None:
        """Ends the process and all that it has started."""
        if self._channel is not None:
            self._channel.kill()
            self._channel = None

    def close(self) -> None:
        """From another thread: whoever asks now, or later, hears that there is nobody any more."""
        self._closed = True
        if (channel := self._channel) is not None:
            channel.stop()

    @property
    def main(self) -> Path:
        """The file that is asked."""
        return self.path / MAIN if self.path.is_dir() and self.language is None else self.path

    @property
    def language(self) -> Language | None:
        """The language in which it is written; None for Python."""
        return language_of(self.path)

    @property
    def nearly(self) -> float:
        """Return how far a score may be from the right one: as documents in C and Java have it, it has single
        precision.
        """
        return NEARLY if self.language is None else NEARLY_SINGLE

    def files(self) -> dict[str, Path]:
        """The files of its folder by their places; none where a file was handed in alone."""
        if not self.path.is_dir() or self.language is not None:
            return {}
        try:
            return files_of(self.path)
        except BadInput as error:
            raise AgentFault(error_text(error)) from None

    def _begin(self) -> None:
        """Starts the process and lets it run the file; a file that does not come to its end once is not
        tried again.
        """
        if self._closed or self._broken:
            raise self._broken or self._fault(message("its process has ended"))
        try:
            if self.language is None:
                read_source(self.main)
            found = launched(self.main, self.game, self.files(), self.isolated)
            self._channel = Channel(found, keeps_errors=False)
            timeout_text = message(
                "no answer in time: the file still ran after {n} s; a loop outside of its functions may never"
                " end",
                n=FormattedNumber(LOADING),
            )
            self._answer("load", time.monotonic() + LOADING, {}, timeout_text)
        except (AgentFault, BadFile) as fault:
            self._broken = AgentFault(error_text(fault))
            raise self._broken from None

    def _answer(
        self, ask: str, deadline: float, question: Mapping[str, object], timeout_text: Message | None = None
    ) -> JsonValue:
        line = (json.dumps({"ask": ask, **question}) + "\n").encode()
        try:
            reply = read_answer(self._exchange(line, deadline, timeout_text))
        except (ValueError, RecursionError):
            raise self.unusable() from None
        if not isinstance(reply, dict) or not reply.keys() & {"answer", "fault"}:
            raise self.unusable()
        if "fault" in reply:
            try:
                fault = unpacked(reply["fault"])
            except ValueError:
                raise self.unusable() from None
            raise AgentFault(fault)
        answer: JsonValue = reply["answer"]
        return answer

    def _exchange(self, line: bytes, deadline: float, timeout_text: Message | None) -> bytes:
        """Sends a question and reads a line, both while there is time; after it `timeout_text` is said."""
        assert self._channel is not None
        try:
            with self._channel.its_turn():
                self._channel.say(line, deadline)
                answer = self._channel.hear(deadline)
            self.deadline += self._channel.waited
        except TimeoutError:
            raise self._lost(timeout_text or message("no answer in time")) from None
        except TooLongAnswer:
            raise self._lost(message("too much said")) from None
        except AgentFault as fault:
            raise self._lost(message("its process has ended: {why}", why=error_text(fault))) from None
        if self._channel.unread:
            raise self.unusable()
        return answer

    def _lost(self, why: Message) -> AgentFault:
        self.end()
        return self._fault(why)

    def _fault(self, why: Message) -> AgentFault:
        return AgentFault(message("{file}: {why}", file=self.main.name, why=why))

    def unusable(self) -> AgentFault:
        """Return what is raised for an answer that nobody could have meant; the process is ended."""
        return self._lost(message("its answer cannot be used"))

    def _move(self, s: State, cell: JsonValue) -> int:
        """A legal move, which was said by the number of its bit."""
        move = 1 << cell if isinstance(cell, int) and 0 <= cell < 62 else 0
        if not holds(self.game.moves(s), move):
            raise self.unusable()
        return move

    def _by_move(self, answer: JsonValue, states: Sequence[State]) -> list[dict[int, JsonValue]]:
        """Return what was said of every legal move of positions, one position after the other."""
        moves = [self.game.legal(s) for s in states]
        said = iter(listed(self, answer, sum(map(len, moves))))
        return [{move: next(said) for move in legal} for legal in moves]

    def _policy(self, shares: Mapping[int, JsonValue]) -> dict[int, float]:
        """Return how likely each of some moves is, in all 1."""
        found = {
            move: float(share)
            for move, share in shares.items()
            if isinstance(share, (int, float)) and share >= 0
        }
        total = sum(found.values())
        if len(found) < len(shares) or abs(total - 1) > NEARLY_1:
            raise self.unusable()
        return {move: share / total for move, share in found.items()}

    def _legal(self, cells: JsonValue) -> list[int]:
        """A game to its end, checked move by move."""
        s, moves = self.game.start, []
        for cell in listed(self, cells, None):
            if self.game.over(s):
                raise self.unusable()
            moves.append(self._move(s, cell))
            s = self.game.play(s, moves[-1])
        if not self.game.over(s):
            raise self.unusable()
        return moves


def listed(submission: Submission, answer: JsonValue, length: int | None) -> list[JsonValue]:
    """An answer that is a list, of this length."""
    if not isinstance(answer, list) or (length is not None and len(answer) != length):
        raise submission.unusable()
    return answer


def whole(submission: Submission, answer: JsonValue) -> int:
    """An answer that is a whole number."""
    if not isinstance(answer, int) or isinstance(answer, bool):
        raise submission.unusable()
    return answer


# A line that the process of a submission has written: JSON of a stranger, in which all numbers are
# finite.

LONGEST_INT = 19
"""Characters; a longer whole number is read as one with a point."""
UNUSUAL_NUMBER = re.compile(rb"(?<![.0-9])[0-9]{19}|[eE]\+?[0-9]{3}|NaN|Infinity")
"""What is read with care, which takes time."""


def read_answer(line: bytes) -> JsonValue:
    """An answer, in which all numbers are finite. Raises ValueError, RecursionError."""
    hooks = {"parse_int": finite, "parse_float": finite, "parse_constant": finite}
    answer: JsonValue = json.loads(line, **(hooks if UNUSUAL_NUMBER.search(line) else {}))  # type: ignore[arg-type]
    return answer


def finite(written: str) -> int | float:
    """A number as JSON has it. Raises ValueError for one that is not finite."""
    if len(written) < LONGEST_INT and written.lstrip("-").isdigit():
        return int(written)
    found = float(written)
    if not isfinite(found):
        raise ValueError(written)
    return found


# What is known of the game of a sheet, and what is found of a submission.

MOST_POSITIONS = 200_000
"""Of the game of a sheet: each of them may be asked of every submission."""


@dataclass(frozen=True)
class WrongAnswer:
    """The first thing that was wrong: where, what should have been said, and what was.

    Attributes:
        position: None where it was a tree, worked out
    """

    position: Position | None
    expected: Text
    got: Text
    tree: Scene | None = None


@dataclass(frozen=True)
class Finding:
    """The finding of an item: whether it passed, in a sentence how it stands, and what was wrong."""

    passed: bool
    sentence: Text
    wrong: WrongAnswer | None = None


class ExactTruth:
    """Everything known of the game of a sheet, worked out once for a class."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lab = Lab(game, Job(jit=False), loads_files=False)
        self._graders: dict[str, Grader] = {}

    def prepare(self) -> None:
        """Works all of it out, before several threads ask for it."""
        for each in (self.states, self.values_to_movers, self.best_moves, self.against("random")):
            assert each

    @cached_property
    def solution(self) -> Solution:
        found = solve(self.game, job=Job(jit=False))
        if not isinstance(found, Solution):
            raise Unsuitable(
                message(
                    "a sheet asks for wins, draws and losses; values of {game} are payoffs",
                    game=self.game.text,
                )
            )
        return found

    @cached_property
    def states(self) -> list[State]:
        """Every position that can come up, those of fewer moves first.

        Raises LimitReached for more than MOST_POSITIONS.
        """
        try:
            return list(following(self.game, self.game.start, Allowance(MOST_POSITIONS)))
        except TooMany:
            raise LimitReached(
                message(
                    "{game} has more than {n} positions: too large for a sheet",
                    game=self.game.text,
                    n=FormattedNumber(MOST_POSITIONS, ","),
                )
            ) from None

    @cached_property
    def decisions(self) -> list[State]:
        """Those in which somebody is to move."""
        return [s for s in self.states if not self.game.over(s)]

    @cached_property
    def values_to_movers(self) -> dict[State, int]:
        """The exact value of every position to the player to move: 1, 0 or -1."""
        return {s: PAYOFFS[self.solution.value(s)] for s in self.states}

    @cached_property
    def best_moves(self) -> dict[State, Moves]:
        """The moves that keep the value, as a set, for every decision."""
        return {s: self.solution.best_moves(s) for s in self.decisions}

    def against(self, agent: str) -> Grader:
        """Grades policies against an agent of this name; it is none of somebody's own.

        Raises DamierError for what is no agent, or cannot be graded against.
        """
        if agent not in self._graders:
            self._graders[agent] = Grader(self.game, policy(self._lab, agent), self._lab.job)
        return self._graders[agent]


def following(game: Game, s: State, allowance: Allowance | None = None) -> Iterator[State]:
    """Give every position that can come up from here, this one first, each once. Raises TooMany where the
    allowance ends.
    """
    return chain.from_iterable(pure_layers(game, s, Job(jit=False), allowance=allowance))


def share(rate: float) -> Message:
    """A rate in percent."""
    return message("{n} %", n=FormattedNumber(100 * rate, ".1f"))


Positive: TypeAlias = Annotated[int, 1]
"""A whole number of a sheet that is at least 1; an int may be 0."""
Seat: TypeAlias = Literal[1, 2]
AnySeat: TypeAlias = Literal[0, 1, 2]
"""0: in turn at both."""
