"""A program in any language that learns, as an agent of one's own: version 2 of the protocol of
`damier.agents.process`, in which a program says what it can, is told whether a game is one to learn from,
and is asked for its scores and for what it has learnt.

    -> {"type": "hello", "protocol": 2, …}        once, when it has started
    <- {"protocol": 2, "learns": true, …}         "scores": true, "saves": true, where it can do that too
    -> {"type": "new_game", "learning": true, …}  and positions, moves and ends as in version 1
    -> {"type": "score", …}                       a position; <- {"scores": {"a1a2": 0.5, …}}
    -> {"type": "save"}                           <- {"data": …}
    -> {"type": "load", "data": …}                <- {"loaded": true}
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from random import Random

from damier.agents.channel import Channel
from damier.agents.foreign import ProgramFault
from damier.agents.isolation import Launch
from damier.agents.process import asked, ended, read_answer
from damier.core.errors import AgentFault, BadFile, BadInput
from damier.core.game import Game, Position
from damier.core.json_data import JsonBounds, parse_json
from damier.core.json_types import JsonValue
from damier.core.words import FormattedNumber, Text, _, message

VERSION = 2
LARGEST = JsonBounds(1 << 24, 1_000_000, 1_000_000)
"""Of a line with scores, or with what was learnt."""


class LearningProgram:
    """The process of a program, and the game that it plays.

    learning  whether it is to learn from the games that begin now
    """

    def __init__(self, game: Game, launch: Launch, rng: Random, name: str, data: JsonValue = None) -> None:
        self.game, self.rng, self.learning = game, rng, False
        self._launch, self._name, self._data = launch, name, data
        self._channel: Channel | None = None
        self._told: dict[str, JsonValue] = {}
        self._begins, self._moves, self._gained = True, list[str](), 0

    def hello(self) -> Mapping[str, JsonValue]:
        """Return what the program says that it can do; it is started where it does not run.

        Raises BadInput for one that does not know of this, and AgentFault.
        """
        if self._channel is None:
            self._channel = Channel(self._launch)
            told = {
                "type": "hello",
                "protocol": VERSION,
                "game": self.game.name,
                "options": self.game.options,
            }
            try:
                answer = self._exchanged(told, self._launch.limits.start_seconds)
            except AgentFault:
                raise BadInput(self._no_learner(_("it does not answer the message hello"))) from None
            if answer.get("protocol") != VERSION or answer.get("learns") is not True:
                self.close()
                raise BadInput(self._no_learner(_("it says so itself")))
            self._told = answer
            if self._data is not None:
                self._exchanged({"type": "load", "data": self._data}, self._launch.limits.seconds)
        return self._told

    def close(self) -> None:
        if self._channel is not None:
            self._channel.kill()
        self._channel = None

    def begin(self) -> None:
        self._begins, self._moves, self._gained = True, [], 0

    def play(self, position: Position) -> str:
        """Its move. Raises AgentFault, also where it resigns."""
        self.hello()
        lines = [self._new_game(position)] if self._begins else []
        s, legal = position.state, list(position.moves)
        lines.append({**asked(self.game, s, None, legal, self._launch.limits.seconds, self._gained)})
        self._gained = 0
        line = self._heard(lines, self._launch.limits.seconds)
        try:
            move = read_answer(line, self._launch.limits.answer)
        except BadFile as error:
            raise ProgramFault(self._named(error.args[0])) from None
        if move is None:
            raise ProgramFault(self._named(message("it resigns")))
        return move

    def update(self, position: Position, reward: float) -> None:
        """Notes what it gained since its last turn, which the next message tells."""
        self._gained = int(reward)

    def end(self, payoff: int) -> None:
        """Tells it that its game has ended; in a reward that is told at the end the payoff is in it."""
        if self._channel is not None and not self._begins:
            gained = self._gained - payoff if self.learning else 0
            self._said([{**ended(self.game, payoff, "", gained)}])
        self._begins = True

    def values(self, position: Position) -> dict[str, float]:
        """Return what it thinks of moves; nothing where it does not say. Raises AgentFault."""
        if self.hello().get("scores") is not True:
            return {}
        legal, s = list(position.moves), position.state
        told = {**asked(self.game, s, None, legal, self._launch.limits.seconds), "type": "score"}
        scores = self._exchanged(told, self._launch.limits.seconds).get("scores")
        found = scores if isinstance(scores, dict) else {}
        if not all(isinstance(found.get(move), (int, float)) for move in legal):
            raise ProgramFault(self._named(message("its answer cannot be used")))
        return {move: float(found[move]) for move in legal}

    def save(self) -> JsonValue:
        """Return what it has learnt. Raises AgentFault for a program that does not say."""
        if self.hello().get("saves") is not True:
            raise ProgramFault(self._named(message("it does not say what it has learnt")))
        return self._exchanged({"type": "save"}, self._launch.limits.seconds).get("data")

    def load(self, data: JsonValue) -> None:
        """Gives it what it has learnt, now or when it starts."""
        self._data = data
        self.close()

    def __deepcopy__(self, memo: object) -> LearningProgram:
        found = LearningProgram(self.game, self._launch, self.rng, self._name, self.save())
        found.learning = self.learning
        return found

    def _new_game(self, position: Position) -> dict[str, object]:
        limits = self._launch.limits
        self._begins = False
        return {
            "type": "new_game",
            "protocol": VERSION,
            "learning": self.learning,
            "game": self.game.name,
            "options": self.game.options,
            "players": self.game.players,
            "seat": position.mover,
            "seed": self.rng.getrandbits(53),
            "limits": {
                "seconds": limits.seconds,
                "game_seconds": limits.game_seconds,
                "memory": limits.memory,
            },
        }

    def _exchanged(self, told: Mapping[str, object], seconds: float) -> dict[str, JsonValue]:
        line = self._heard([told], seconds)
        try:
            answer = parse_json(line.decode(errors="replace"), _("its answer"), LARGEST)
        except BadFile as error:
            raise self._lost(error.args[0]) from None
        if not isinstance(answer, dict):
            raise self._lost(message("its answer cannot be used"))
        return answer

    def _heard(self, lines: list[Mapping[str, object]] | list[dict[str, object]], seconds: float) -> bytes:
        """Says lines and hears one."""
        channel = self._said(lines)
        try:
            with channel.its_turn():
                return channel.hear(time.monotonic() + seconds)
        except TimeoutError:
            raise self._lost(message("no answer within {n} seconds", n=FormattedNumber(seconds))) from None
        except AgentFault as fault:
            raise self._lost(fault.args[0]) from None

    def _said(self, lines: list[Mapping[str, object]] | list[dict[str, object]]) -> Channel:
        channel = self._channel
        assert channel is not None
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        try:
            channel.be_silent()
            channel.say(text.encode(), time.monotonic() + self._launch.limits.seconds)
        except TimeoutError:
            raise self._lost(message("it does not read")) from None
        except AgentFault as fault:
            raise self._lost(fault.args[0]) from None
        return channel

    def _lost(self, why: Text) -> ProgramFault:
        words = self._channel.last_words() if self._channel else ""
        self.close()
        return ProgramFault(self._named(message("{what} ({words})", what=why, words=words) if words else why))

    def _named(self, why: Text) -> Text:
        return message("{file}: {why}", file=self._name, why=why)

    def _no_learner(self, why: Text) -> Text:
        return message(
            "{agent} does not learn: {why} (version 2 of the protocol: docs/agent_protocol.md)",
            agent=self._name,
            why=why,
        )
