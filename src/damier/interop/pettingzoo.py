"""Any game as an environment of PettingZoo, whose agents move one after the other (AEC):

    from damier.interop.pettingzoo import env
    environment = env("connect_four:width=5,height=5")

An observation is a dictionary: `observation`, the planes of the position from the side of the agent that
asks, whoever is to move; and `action_mask`, its legal actions, all 0 where it is not to move.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from damier.core.bits import Rng, seeded
from damier.core.errors import Unsuitable
from damier.core.game import Game, require
from damier.core.past import Line
from damier.core.rules import CHANCE
from damier.core.runtime import needing
from damier.core.words import _, message
from damier.interop.gymnasium import RESTARTS, space_of_observations
from damier.interop.observations import MISSING, RENDERING, SingleGame
from damier.lab.games import chance_move

with needing("gym", MISSING, package="pettingzoo"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import EzPickle
    from pettingzoo import AECEnv

Observation: TypeAlias = dict[str, Any]
Infos: TypeAlias = dict[str, Any]
LONGEST = 500
"""Moves of each agent after which a game is broken off, where nobody says."""


def env(game: str | Game = "tictactoe", **options: Any) -> GameAECEnv:
    """Return an environment in which an illegal action loses the game: its agent gets -1, all others 0.

    Args:
        game: a game, or as it is written on the command line
        options: `render_mode` and `max_cycles`, as `GameAECEnv` takes them

    Raises UnknownName, BadInput, and Unsuitable for a game with imperfect information.
    """
    return GameAECEnv(game, **options)


def raw_env(game: str | Game = "tictactoe", **options: Any) -> GameAECEnv:
    """Return an environment in which an illegal action raises IllegalMove, and nothing is played."""
    return GameAECEnv(game, illegal_loses=False, **options)


class GameAECEnv(SingleGame, AECEnv, EzPickle):  # type: ignore[misc]
    """A game of damier for PettingZoo."""

    metadata: dict[str, Any]

    def __init__(
        self,
        game: str | Game = "tictactoe",
        render_mode: str | None = None,
        max_cycles: int | None = None,
        illegal_loses: bool = True,
    ) -> None:
        """Prepare the environment of a game; `reset` begins it.

        Args:
            game: a game, or as it is written on the command line
            render_mode: ansi, human (which prints) or rgb_array (which needs the extra `plot`)
            max_cycles: moves of each agent after which a game is broken off
            illegal_loses: whether an illegal action loses the game, or raises IllegalMove
        """
        EzPickle.__init__(self, game, render_mode, max_cycles, illegal_loses)
        super().__init__()
        require(max_cycles is None or max_cycles > 0, _("max_cycles={n}: it is at least 1", n=max_cycles))
        self.take(game, render_mode)
        self._illegal_loses = illegal_loses
        self.possible_agents = [f"player_{number}" for number in range(self.game.players)]
        self.metadata = {
            "name": self.game.text,
            **RENDERING,
            "is_parallelizable": False,
            **self.observer.metadata,
        }
        self._limit = (max_cycles or LONGEST) * self.game.players
        self._numbers = {agent: number for number, agent in enumerate(self.possible_agents)}
        self.agents = self.possible_agents[:]
        self.agent_selection, self.terminations = self.agents[0], dict[str, bool]()
        self.action_spaces = {a: spaces.Discrete(self.game.actions) for a in self.agents}
        self.observation_spaces = {
            a: space_of_observations(self.observer.shape, self.observer.actions) for a in self.agents
        }
        self._rng: Rng | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Infos | None = None) -> None:
        """Begin a game; a seed gives the same dice, without one the dice go on falling."""
        if seed is not None or self._rng is None:
            self._rng = seeded(int(np.random.default_rng().integers(1 << 62)) if seed is None else seed)
        game = self.game
        self.agents = agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0)
        self._cumulative_rewards = dict.fromkeys(agents, 0)
        self.terminations, self.truncations = dict.fromkeys(agents, False), dict.fromkeys(agents, False)
        self.infos: dict[str, Infos] = {agent: {} for agent in agents}
        self._skip_agent_selection = None
        for _game in range(RESTARTS):  # dice may end one before anybody decides
            self.line, self._plies = Line(game, game.start), 0
            if not self._select(game.mover(self.line.state)):
                break
        else:
            raise Unsuitable(message("{game}: nobody ever decides anything", game=game.text))
        if self.render_mode == "human":
            self.render()

    def _select(self, mover: int) -> bool:
        """Lets dice fall until an agent is to move, and selects it. Returns whether the game is over."""
        game = self.game
        over = game.over(self.line.state)
        while mover == CHANCE and not over:
            assert self._rng is not None
            self.line.play(chance_move(game, self.line.state, self._rng))
            mover, over = game.mover(self.line.state), game.over(self.line.state)
        self.agent_selection = self.possible_agents[mover if mover >= 0 else 0]
        return bool(over)

    def observe(self, agent: str) -> Observation:
        decides = agent == self.agent_selection and not self.terminations.get(agent)
        return self.observation(self._numbers[agent], decides=decides)

    def step(self, action: int | None) -> None:
        """Play an action of the agent that is to move. Raises IllegalMove for what is none."""
        s, agent = self.line.state, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        game, rewards = self.game, self.rewards
        if action is None:
            raise self.observer.illegal(s, action)
        move = self.observer.move_of(s, action)
        if move == 0 and not self._illegal_loses:
            raise self.observer.illegal(s, action)
        self._cumulative_rewards[agent] = 0
        if move == 0:
            self.infos[agent]["illegal_action"] = int(action)
            for other in rewards:
                rewards[other] = -1 if other == agent else 0
            self._end(self.terminations)
            return
        s = self.line.play(move)
        self._plies += 1
        if self._select(game.mover(s)):
            s = self.line.state
            for player, other in enumerate(self.possible_agents):
                rewards[other] = game.payoff(s, player)
            self._end(self.terminations)
        elif self._plies >= self._limit:
            self._end(self.truncations)
        if self.render_mode == "human":
            self.render()

    def _end(self, ended: dict[str, bool]) -> None:
        for agent in self.agents:
            ended[agent] = True
        self._accumulate_rewards()

    def render(self) -> Any:
        """Return the board as text or as an array of pixels, or print it."""
        return self.picture()

    def close(self) -> None:
        """Nothing is open."""
