"""A player that is a program of its own, in any language, asked line by line in one protocol or another."""

from __future__ import annotations

import contextlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from random import Random
from typing import Literal, NamedTuple, TypeAlias, TypedDict

from damier.agents.channel import FAREWELL, Channel, with_last_words
from damier.agents.isolation import AgentLimits, Launch
from damier.agents.languages import AskedProgram
from damier.core.bits import Rng, random_word
from damier.core.errors import AgentFault, BadFile, BadInput
from damier.core.game import Game, Option, Position
from damier.core.hooks import nothing
from damier.core.json_data import JsonBounds, parse_json, require_keys
from damier.core.json_types import JsonObject, JsonValue
from damier.core.moves import each
from damier.core.past import Before, after
from damier.core.player import AnyKernel, Arrays, Kernel
from damier.core.rules import Field, State
from damier.core.words import (
    NO_BREAK,
    FormattedNumber,
    Message,
    Text,
    _,
    error_text,
    message,
    printable,
    unpacked,
)

# What is said to an agent in a process of its own, and what it answers: a line of JSON each.
#
#    -> {"type": "new_game", …}      once a game, before its first position
#    -> {"type": "position", …}      whenever it is to move
#    <- {"move": "a1a2"}             one of the legal moves; or {"resign": true}, {"fault": TEXT}
#    -> {"type": "end", …}           the game is over
#
# docs/agent_protocol.md tells the rest.

VERSION = 1
"""Of the protocol: another one would be another number."""


class Learning(TypedDict, total=False):
    """The key of a new game that only programs that learn are told."""

    learning: bool


class Gained(TypedDict, total=False):
    """The key of positions and ends that only games have whose moves gain something: what the agent gained,
    less what the others did, since it was last to move.
    """

    reward: int


class NewGame(Learning):
    """A game begins, in which the agent sits at `seat`, counted from 0; `seed` is the same whenever
    the match is played with the same seed; `limits` are those that an agent may want to plan with, in
    seconds and bytes.
    """

    type: Literal["new_game"]
    protocol: int
    game: str
    options: Mapping[str, Option]
    players: int
    seat: int
    seed: int
    limits: Mapping[str, float]


class PositionMessage(Gained):
    """The agent is to move.

    Attributes:
        moves: a line of play that leads here: the one that was played, but for moves that came to the same
            position; None where the game was not followed from its start
        state: the state, field by field
        player: who is to move, from 0; the seat of the agent, if it has only one
        legal: the names of the legal moves
        board: the position as text
        seconds_left: of this game, for this agent
    """

    type: Literal["position"]
    moves: list[str] | None
    state: list[Field]
    player: int
    legal: list[str]
    board: str
    seconds_left: float


class GameEnd(Gained):
    """The game is over; `fault` is what the agent lost it by, or empty."""

    type: Literal["end"]
    payoff: int
    fault: str


ProtocolMessage: TypeAlias = NewGame | PositionMessage | GameEnd

WITHIN = 64
"""Lists and objects, and values, that an answer may hold: one is right, a fault has a few more as a
message (`core/words.py`), deep ones are refused.
"""


def gained(game: Game, reward: int) -> Gained:
    """Return the reward of positions and ends, in games whose moves gain something."""
    return {} if game.reward is nothing else {"reward": reward}


def too_slow(seconds: float) -> Message:
    """Return what is said of an agent that has taken longer for a move than it may."""
    return message("it took more than its {n} s for a move", n=FormattedNumber(seconds))


def new_game(game: Game, s: State, seed: int, limits: AgentLimits, learning: bool | None = None) -> NewGame:
    """Return what an agent is told when a game begins, in which it sits at the seat that moves in `s`; a
    program that learns is told whether it does now.
    """
    learning_facts: Learning = {} if learning is None else {"learning": learning}
    return {
        "type": "new_game",
        "protocol": VERSION if learning is None else LEARNING_VERSION,
        **learning_facts,
        "game": game.name,
        "options": game.options,
        "players": game.players,
        "seat": int(game.mover(s)),
        "seed": seed,
        "limits": {
            "seconds": limits.seconds,
            "game_seconds": limits.game_seconds,
            "memory": limits.memory,
        },
    }


def position_message(
    game: Game, s: State, moves: list[str] | None, legal: list[str], left: float, reward: int = 0
) -> PositionMessage:
    """Return what an agent is told that is to move in `s`."""
    return {
        "type": "position",
        "moves": moves,
        "state": [int(field) if not isinstance(field, tuple) else field for field in s],
        "player": int(game.mover(s)),
        "legal": legal,
        "board": game.show(s),
        **gained(game, reward),
        "seconds_left": round(left, 3),
    }


def ended(game: Game, payoff: int, fault: str, reward: int) -> GameEnd:
    """Return what an agent is told when its game is over."""
    return {"type": "end", "payoff": payoff, **gained(game, reward), "fault": fault}


def written_line(message: ProtocolMessage) -> bytes:
    """A message as it is sent."""
    return (_ENCODER.encode(message) + "\n").encode()


_ENCODER = json.JSONEncoder(ensure_ascii=False)


def read_answer(line: bytes, largest: int) -> str | None:
    """The move that a line names; None where the agent resigns.

    Raises BadFile, which says what is wrong with the line, or by what the agent says that it fails.
    """
    where = _("its answer")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise BadFile(message("{where} is not UTF-8", where=where)) from None
    data = parse_json(text, where, JsonBounds(largest, WITHIN, WITHIN))
    if not isinstance(data, dict):
        raise BadFile(message('{where} is not an object such as {{"move": "a1a2"}}', where=where))
    require_keys(data, ("move", "resign", "fault"), where)
    if data == {"resign": True}:
        return None
    move = data.get("move")
    fault = data.get("fault")
    if len(data) == 1 and isinstance(fault, (str, dict)):
        try:
            fault_text = unpacked(fault)  # what it says that it fails by: a text, or a message
        except ValueError:
            raise BadFile(
                message('{where} must be {{"move": TEXT}} or {{"resign": true}}', where=where)
            ) from None
        raise BadFile(fault_text)
    if len(data) != 1 or not isinstance(move, str):
        raise BadFile(message('{where} must be {{"move": TEXT}} or {{"resign": true}}', where=where))
    return move


IN_A_ROW = 3
"""Games that an agent may lose one after the other by ending, or by hanging, before it is asked no more."""
SPARE, ONE_IN = 10, 50
"""All such games that it may lose: so many, and one in so many that it plays."""
LOOKED_AT = 10_000
"""Positions so many moves on that are looked at for the moves that led to one."""


class Trust:
    """A count of the breakdowns of an agent. One that does so again and again is not started any more, so
    that a match with it ends: each further game is lost at once.
    """

    def __init__(self) -> None:
        self.games = self.breakdowns = self.in_a_row = 0
        self._broke = False

    @property
    def lost(self) -> bool:
        return self.in_a_row >= IN_A_ROW or self.breakdowns > SPARE + self.games // ONE_IN

    def game(self) -> None:
        """A game begins."""
        self.games += 1
        if not self._broke:
            self.in_a_row = 0
        self._broke = False

    def breakdown(self) -> None:
        self.breakdowns += 1
        self.in_a_row += 1
        self._broke = True


class Followed:
    """A game as an agent knows it: the last position that it saw, and the moves that led to it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.state: State = game.start
        self.before: Before = ()
        self.moves: list[str] | None = []

    def go_to(self, s: State) -> bool:
        """Follows to a position that the others' moves lead to; False where none do."""
        way = self._way(s)
        if way is None:
            return False
        for move in way:
            self.played(move)
        return True

    def played(self, move: int) -> None:
        """Goes one move on."""
        if self.moves is not None:
            self.moves.append(self.game.name_move(self.state, move))
        self.state, self.before = after(self.game, self.state, move, self.before)

    def _way(self, s: State) -> tuple[int, ...] | None:
        """The moves from the last position to another: the fewest, and of these the first; at most
        one of each player, and chance's after each.
        """
        level: list[tuple[State, Before, tuple[int, ...]]] = [(self.state, self.before, ())]
        for _turn in range(2 * self.game.players + 1):
            for state, _before, way in level:
                if state == s:
                    return way
            if len(level) > LOOKED_AT:
                return None
            level = list(islice(self._onwards(level), LOOKED_AT + 1))
        return None

    def _onwards(
        self, level: list[tuple[State, Before, tuple[int, ...]]]
    ) -> Iterator[tuple[State, Before, tuple[int, ...]]]:
        """The positions a move further, each with its way."""
        for state, before, way in level:
            if not self.game.over(state):
                for move in each(self.game.moves(state)):
                    yield *after(self.game, state, move, before), (*way, move)


class ProcessPlayer:
    """Plays what a program answers. Raises AgentFault, which names it, where that ends, hangs or
    answers wrongly.

    Where the loop says when games begin and end (`kernel`) so it is told; asked for a single move,
    it takes a position to which the last one does not lead for one of a new game. `talk` is the
    protocol in which it is asked: by default damier's own.
    """

    compiles, learns = False, False

    def __init__(self, game: Game, launch: Launch, text: str, talk: Talk | None = None) -> None:
        self.game, self.launch, self.text = game, launch, text
        self.talk: Talk = talk or JsonTalk(game, launch.limits)
        self.trust = Trust()
        self.channel: Channel | None = None
        self._followed: Followed | None = None  # the game of which the agent was told
        self._fault: Text = ""
        self._left = 0.0  # seconds of this game
        self._gained = 0  # since it was last to move
        self._fresh = True  # whether the process has never answered

    def start(self) -> None:
        """Starts the process, unless it runs: what is wrong with it is told at once.

        Raises AgentFault, and BadInput for one that cannot play what is wanted.
        """
        try:
            self._open()
        except BadInput as error:
            sentence = self._with_last_words(error)
            self._kill()
            raise type(error)(sentence) from None
        except BaseException:
            self._kill()
            raise

    def close(self) -> None:
        """Lets the process end; the next game starts it again."""
        if self.channel is not None:
            with contextlib.suppress(AgentFault, TimeoutError):
                self.talk.leave(self.channel, time.monotonic() + FAREWELL)
            self.channel.close()
        self.channel = self._followed = None

    def _kill(self) -> None:
        """Ends the process at once."""
        if self.channel is not None:
            self.channel.kill()
        self.channel = self._followed = None

    def played_elsewhere(self, games: int) -> None:
        self.trust.games += games

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None if jit else Kernel(self._choose, None, (), self._begin, self._gains, self._end)

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return self._choose(s, (), rng)

    def _begin(self, arrays: Arrays, plies: int) -> bool:
        self._followed, self._gained = None, 0
        return True

    def _gains(self, reward: int, player: int, arrays: Arrays) -> None:
        self._gained += reward

    def over(self, payoff: int) -> None:
        """Tells the agent that its game has ended."""
        if self.channel is None or self._followed is None:
            return
        self._followed = None
        until = time.monotonic() + self.launch.limits.seconds
        try:
            self.talk.over(self.channel, int(payoff), int(self._gained), str(self._fault), until)
        except (AgentFault, TimeoutError):  # the game is over; at the next one it is started again
            self._kill()

    def _end(self, payoff: int, player: int, arrays: Arrays) -> None:
        self.over(payoff)

    def _choose(self, s: State, arrays: Arrays, rng: Rng) -> int:
        self._fault = ""
        legal = {self.game.name_move(s, move): move for move in each(self.game.moves(s))}
        answer = self._asked(s, rng, legal)
        try:
            return self._read(answer, legal)
        except BadFile as error:
            self._fault = error_text(error)
            raise AgentFault(self._blamed(self._fault)) from None

    def _asked(self, s: State, rng: Rng, legal: dict[str, int]) -> bytes:
        """`_ask`; where the process is of no more use it is ended, and the agent blamed."""
        try:
            return self._ask(s, rng, legal)
        except BadInput as error:
            self._fault = error_text(error)
            sentence = self._with_last_words(error)
            if not self.trust.lost:
                self.trust.breakdown()
            self._kill()
            raise AgentFault(sentence) from None
        except BaseException:  # Ctrl-C: what it may yet answer is the answer to nothing
            self._kill()
            raise

    def _ask(self, s: State, rng: Rng, legal: dict[str, int]) -> bytes:
        """Return what the agent answers where these moves are legal.

        Raises AgentFault or BadInput, without its name, where the process is of no more use.
        """
        new = self._followed is None or not self._followed.go_to(s)
        if new:
            self._new_game(s)
        channel, followed = self.channel, self._followed
        assert channel is not None
        assert followed is not None
        limits, begun = self.launch.limits, time.monotonic()
        spare = limits.start_seconds if self._fresh else 0.0
        until = begun + spare + min(limits.seconds, self._left)
        question = MoveQuestion(self.game, s, followed.moves, legal, self._left, int(self._gained), new, rng)
        self._gained = 0
        with channel.its_turn():
            try:
                answer = self.talk.ask(channel, question, until)
            except TimeoutError:
                raise AgentFault(self._late()) from None
        self._left -= max(0.0, time.monotonic() - begun - spare - channel.waited)
        self._fresh = False
        return answer

    def _new_game(self, s: State) -> None:
        """Begins a game whose first position for the agent is `s`; starts it where it does not run.

        Raises AgentFault, also where it is not trusted any more, and BadInput.
        """
        if self.trust.lost:
            raise AgentFault(
                message(
                    "it is not asked any more: {n} games were lost by its process", n=self.trust.breakdowns
                )
            )
        self.trust.game()
        self._followed = Followed(self.game)
        if not self._followed.go_to(s):
            self._followed.state, self._followed.before, self._followed.moves = s, (), None
        self._left = self.launch.limits.game_seconds
        self._open().forget_errors()

    def _open(self) -> Channel:
        """The channel to the process, which is started where it does not run."""
        if self.channel is None:
            seconds = self.launch.limits.start_seconds
            self.channel = Channel(self.launch)
            try:
                self._fresh = not self.talk.begin(self.channel, time.monotonic() + seconds)
            except TimeoutError:
                raise AgentFault(
                    message("it took more than {n} s to begin", n=FormattedNumber(seconds))
                ) from None
        return self.channel

    def _read(self, line: bytes, legal: dict[str, int]) -> int:
        """The move that the agent named, 0 where it resigns. Raises BadFile for anything else."""
        name = self.talk.read(line)
        if name is None:
            return 0
        if name not in legal:
            raise BadFile(message("{move} is not a legal move here", move=printable(name, 40)))
        assert self._followed is not None
        self._followed.played(legal[name])
        return legal[name]

    def _late(self) -> Message:
        limits = self.launch.limits
        if self._left < limits.seconds:
            return message("it took more than its {n} s for a game", n=FormattedNumber(limits.game_seconds))
        return too_slow(limits.seconds)

    def _with_last_words(self, error: BadInput) -> Text:
        """Return whose fault it was, what, and the last that the agent wrote for people."""
        return self._blamed(with_last_words(error_text(error), self.channel))

    def _blamed(self, what: Text) -> Text:
        named = str(what).startswith((f"{self.text}:", f"{self.text}{NO_BREAK}:"))
        return what if named else message("{agent}: {what}", agent=self.text, what=what)


# What a program that plays is asked, and how: one question, in the words of one protocol or another.


class MoveQuestion(NamedTuple):
    """A program is to move in `state`.

    Attributes:
        moves: the line of play that leads here, from the start of the game; None where it was not followed
            from there
        legal: the legal moves by name
        left: seconds of this game, for this program
        gained: since it was last to move (games whose moves gain something)
        new: whether this is the first that it hears of a game
        rng: random numbers of this game, for programs that are told some
    """

    game: Game
    state: State
    moves: list[str] | None
    legal: dict[str, int]
    left: float
    gained: int
    new: bool
    rng: Rng


class Talk(ABC):
    """One protocol, as it is spoken with the process that is at the other end of a channel.

    All that it does ends before the moment `until` of `time.monotonic`. Raises TimeoutError where the
    process is late, AgentFault where it is of no more use.
    """

    def begin(self, channel: Channel, until: float) -> bool:
        """The process has just started; whether it has answered anything. Raises BadInput for a
        program that cannot play what is wanted, or as it is wanted.
        """
        return False

    @abstractmethod
    def ask(self, channel: Channel, question: MoveQuestion, until: float) -> bytes:
        """The answer to a question, a line as it came."""

    @abstractmethod
    def read(self, answer: bytes) -> str | None:
        """The move that an answer names; None where the program resigns. Raises BadFile."""

    def over(self, channel: Channel, payoff: int, gained: int, fault: str, until: float) -> None:
        """A game of which it was told has ended; `fault` is what it lost it by, or empty."""
        return None

    def leave(self, channel: Channel, until: float) -> None:
        """The process may end."""
        return None


class JsonTalk(Talk):
    """damier's own protocol: a line of JSON each way (docs/agent_protocol.md)."""

    def __init__(self, game: Game, limits: AgentLimits) -> None:
        self.game, self.limits = game, limits

    def ask(self, channel: Channel, question: MoveQuestion, until: float) -> bytes:
        line = written_line(
            position_message(
                question.game,
                question.state,
                question.moves,
                list(question.legal),
                question.left,
                question.gained,
            )
        )
        if question.new:
            seed = random_word(question.rng)
            line = written_line(new_game(question.game, question.state, seed, self.limits)) + line
        channel.be_silent()
        channel.say(line, until)
        return channel.hear(until)

    def read(self, answer: bytes) -> str | None:
        return read_answer(answer, self.limits.answer)

    def over(self, channel: Channel, payoff: int, gained: int, fault: str, until: float) -> None:
        channel.say(written_line(ended(self.game, payoff, fault, gained)), until)


# A program in any language that learns, as an agent of one's own: version 2 of the protocol,
# in which a program says what it can, is told whether a game is one to learn from,
# and is asked for its scores and for what it has learnt.
#
#     -> {"type": "hello", "protocol": 2, …}        once, when it has started
#     <- {"protocol": 2, "learns": true, …}         "scores": true, "saves": true, where it can do that too
#     -> {"type": "new_game", "learning": true, …}  and positions, moves and ends as in version 1
#     -> {"type": "score", …}                       a position; <- {"scores": {"a1a2": 0.5, …}}
#     -> {"type": "save"}                           <- {"data": …}
#     -> {"type": "load", "data": …}                <- {"loaded": true}

LEARNING_VERSION = 2
LARGEST = JsonBounds(1 << 24, 1_000_000, 1_000_000)
"""Of a line with scores, or with what was learnt."""


def unanswered(fault: AgentFault) -> Message:
    """Return that a program has not answered `hello`, and what it did instead: it need not know the message,
    and it need not have begun.
    """
    what = error_text(fault)
    why = what.values.get("why", what) if isinstance(what, Message) else what
    return message("it does not answer the message hello: {why}", why=why)


class LearningProgram(AskedProgram):
    """The process of a program, and the game that it plays.

    Attributes:
        learning: whether it is to learn from the games that begin now
    """

    def __init__(self, game: Game, launch: Launch, rng: Random, name: str, data: JsonValue = None) -> None:
        super().__init__(launch, name)
        self.game, self.rng, self.learning = game, rng, False
        self._data = data
        self._told: dict[str, JsonValue] = {}
        self._begins, self._moves, self._gained = True, list[str](), 0

    def hello(self) -> Mapping[str, JsonValue]:
        """Return what the program says that it can do; it is started where it does not run.

        Raises BadInput for one that does not know of this, and AgentFault.
        """
        if self.channel is None:
            self.channel = Channel(self.launch)
            message: JsonObject = {
                "type": "hello",
                "protocol": LEARNING_VERSION,
                "game": self.game.name,
                "options": self.game.options,
            }
            try:
                answer = self._exchanged(message, self.launch.limits.start_seconds)
            except AgentFault as fault:
                raise BadInput(self._no_learner(unanswered(fault))) from None
            if answer.get("protocol") != LEARNING_VERSION or answer.get("learns") is not True:
                self.end_process()
                raise BadInput(self._no_learner(_("it says so itself")))
            self._told = answer
            if self._data is not None:
                self._exchanged({"type": "load", "data": self._data})
        return self._told

    def begin(self) -> None:
        self._begins, self._moves, self._gained = True, [], 0

    def play(self, position: Position) -> str:
        """Its move. Raises AgentFault, also where it resigns."""
        self.hello()
        s, legal, limits = position.state, list(position.moves), self.launch.limits
        lines: list[ProtocolMessage] = []
        if self._begins:
            lines.append(new_game(self.game, s, self.rng.getrandbits(53), limits, self.learning))
        lines.append(position_message(self.game, s, None, legal, limits.seconds, self._gained))
        self._begins, self._gained = False, 0
        line = self._heard(lines, limits.seconds)
        try:
            move = read_answer(line, limits.answer)
        except BadFile as error:
            raise self.fault(error.args[0]) from None
        if move is None:
            raise self.fault(message("it resigns"))
        return move

    def update(self, position: Position, reward: float) -> None:
        """Notes what it gained since its last turn, which the next message tells."""
        self._gained = int(reward)

    def end(self, payoff: int) -> None:
        """Tells it that its game has ended; in a reward that is told at the end the payoff is in it."""
        if self.channel is not None and not self._begins:
            gained = self._gained - payoff if self.learning else 0
            self._say([ended(self.game, payoff, "", gained)])
        self._begins = True

    def values(self, position: Position) -> dict[str, float]:
        """Return what it thinks of moves; nothing where it does not say. Raises AgentFault."""
        if self.hello().get("scores") is not True:
            return {}
        legal, s = list(position.moves), position.state
        question = {
            **position_message(self.game, s, None, legal, self.launch.limits.seconds),
            "type": "score",
        }
        scores = self._exchanged(question).get("scores")
        found = scores if isinstance(scores, dict) else {}
        if not all(isinstance(found.get(move), (int, float)) for move in legal):
            raise self.fault(message("its answer cannot be used"))
        return {move: float(found[move]) for move in legal}

    def save(self) -> JsonValue:
        """Return what it has learnt. Raises AgentFault for a program that does not say."""
        if self.hello().get("saves") is not True:
            raise self.fault(message("it does not say what it has learnt"))
        return self._exchanged({"type": "save"}).get("data")

    def load(self, data: JsonValue) -> None:
        """Gives it what it has learnt, now or when it starts."""
        self._data = data
        self.end_process()

    def __deepcopy__(self, memo: object) -> LearningProgram:
        found = LearningProgram(self.game, self.launch, self.rng, self.name, self.save())
        found.learning = self.learning
        return found

    def _exchanged(self, content: Mapping[str, object], seconds: float | None = None) -> JsonObject:
        line = self._heard([content], self.launch.limits.seconds if seconds is None else seconds)
        try:
            answer = parse_json(line.decode(errors="replace"), _("its answer"), LARGEST)
        except BadFile as error:
            raise self.lost(error.args[0]) from None
        if not isinstance(answer, dict):
            raise self.lost(message("its answer cannot be used"))
        return answer

    def _heard(self, lines: Sequence[Mapping[str, object]], seconds: float) -> bytes:
        """Says lines and hears one."""
        self._say(lines)
        with self.its_turn(seconds) as (channel, until):
            return channel.hear(until)

    def _say(self, lines: Sequence[Mapping[str, object]]) -> None:
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        with self.its_turn(self.launch.limits.seconds, message("it does not read")) as (channel, until):
            channel.be_silent()
            channel.say(text.encode(), until)

    def _no_learner(self, why: Text) -> Text:
        return message(
            "{agent} does not learn: {why} (version 2 of the protocol: docs/agent_protocol.md)",
            agent=self.name,
            why=why,
        )
