"""An agent of damier, or one's own in a Python file, as a process that answers the line protocol:

    python -m damier.lab.host GAME AGENT [SEED [LANGUAGE [FILE]]]

One process for all games: it is loaded once, with what it has learnt by a FILE that a training has
written. What the agent prints goes to standard error. It is told when games begin, what moves gain and
how games end, as in a match.
"""

from __future__ import annotations

import json
import os
import sys

from damier.agents.own import OwnPlayer
from damier.agents.process import PositionMessage, ProtocolMessage, too_slow
from damier.core.bits import Rng, reseed
from damier.core.errors import AgentFault, DamierError
from damier.core.game import Game
from damier.core.json_types import JsonObject
from damier.core.player import Kernel, Player
from damier.core.runtime import serve_parent
from damier.core.words import SOURCE, error_text, packed, speak
from damier.lab.agent_file import with_file
from damier.lab.agents import agent
from damier.lab.games import Lab, load

MOST_PLIES = 10_000
"""That a game is said to have; nobody here knows its limit."""


class Host:
    """A player that is asked by messages."""

    def __init__(self, game: Game, player: Player) -> None:
        self.game = game
        self.kernel = player.kernel(jit=False) or Kernel(
            lambda s, arrays, rng: player.choose(game, s, rng), None, ()
        )
        self.player = player
        self.rng: Rng = [0]
        self.seat = 0

    def hear(self, message: ProtocolMessage) -> JsonObject | None:
        """The answer to a message, if it asks for one."""
        if message["type"] == "new_game":
            self.seat = message["seat"]
            reseed(self.rng, message["seed"], 0)
            if isinstance(self.player, OwnPlayer):  # the first move may take more than the limit of each
                seconds = message["limits"]["seconds"]
                self.player.set_outer_limit(seconds, too_slow(seconds))
            self.kernel.begin(self.kernel.arrays, MOST_PLIES)
        elif message["type"] == "end":
            self._gains(message.get("reward", 0))
            try:
                self.kernel.learn(message["payoff"], self.seat, self.kernel.arrays)
            except AgentFault as error:  # the game is over, and counts as it was played
                print(error, file=sys.stderr, flush=True)
        else:
            return self._answer(message)
        return None

    def _gains(self, reward: int) -> None:
        if reward:
            self.kernel.observe_reward(reward, self.seat, self.kernel.arrays)

    def _answer(self, message: PositionMessage) -> JsonObject:
        s = self.game.read_state(message["state"])
        self._gains(message.get("reward", 0))
        try:
            move = self.kernel.choose(s, self.kernel.arrays, self.rng)
        except AgentFault as error:
            return {"fault": packed(error_text(error))}
        return {"move": self.game.name_move(s, move)} if move else {"resign": True}


def main(game: str, text: str, seed: str = "0", spoken: str = SOURCE, file: str = "") -> None:
    """Answers until there is nothing more to read."""
    messages, answers = serve_parent()
    speak(spoken)
    try:
        lab = Lab(load(game), seed=int(seed))
        host = Host(lab.game, agent(lab, with_file(text, file) if file else text))
        for line in messages:
            if answer := host.hear(json.loads(line)):
                os.write(answers.fileno(), json.dumps(answer).encode() + b"\n")
    except DamierError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(*sys.argv[1:])
