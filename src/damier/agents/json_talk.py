"""damier's own protocol, spoken with a program: a line of JSON each way (docs/agent_protocol.md)."""

from __future__ import annotations

from damier.agents.channel import Channel
from damier.agents.limits import AgentLimits
from damier.agents.protocol import VERSION, NewGame, asked, ended, read_answer, written_line
from damier.agents.talk import GameOver, MoveQuestion
from damier.core.bits import random_word


class JsonTalk:
    """Tells a program when games begin, where it is to move, and how games end."""

    def __init__(self, limits: AgentLimits) -> None:
        self.limits = limits

    def begin(self, channel: Channel, until: float) -> bool:
        return False

    def ask(self, channel: Channel, question: MoveQuestion, until: float) -> bytes:
        said = written_line(
            asked(
                question.game,
                question.state,
                question.moves,
                list(question.legal),
                question.left,
                question.gained,
            )
        )
        if question.new:
            said = written_line(self._told(question)) + said
        channel.be_silent()
        channel.say(said, until)
        return channel.hear(until)

    def read(self, answer: bytes) -> str | None:
        return read_answer(answer, self.limits.answer)

    def over(self, channel: Channel, end: GameOver, until: float) -> None:
        channel.say(written_line(ended(end.game, end.payoff, end.fault, end.gained)), until)

    def leave(self, channel: Channel, until: float) -> None:
        return None

    def _told(self, question: MoveQuestion) -> NewGame:
        game, limits = question.game, self.limits
        return {
            "type": "new_game",
            "protocol": VERSION,
            "game": game.name,
            "options": game.options,
            "players": game.players,
            "seat": int(game.mover(question.state)),
            "seed": random_word(question.rng),
            "limits": {
                "seconds": limits.seconds,
                "game_seconds": limits.game_seconds,
                "memory": limits.memory,
            },
        }
