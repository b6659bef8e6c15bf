"""One seat of a game against an agent, as an environment of Gymnasium; and many of them at once:

    import gymnasium
    one = gymnasium.make("damier.interop.gymnasium:damier/hexapawn-v0", opponent="perfect")
    many = gymnasium.make_vec(
        "damier.interop.gymnasium:damier/hexapawn-v0", num_envs=64, opponent="random",
        vectorization_mode="vector_entry_point",
    )

Every game is registered when this module is imported, which the name before the colon asks for; a game with
options, or of a file, is given as `game=`.
"""

from __future__ import annotations

from typing import Any

from damier.core.bits import Rng, reseed
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game, require
from damier.core.past import Line
from damier.core.player import FollowsLine, Player
from damier.core.rules import CHANCE
from damier.core.runtime import needing
from damier.core.words import _, message
from damier.interop.observations import MISSING, RENDERING, SingleGame, player_named, require_seat
from damier.interop.vector import VectorGames
from damier.lab.games import GAMES, chance_move

with needing("gym", MISSING, package="gymnasium"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

Observation = dict[str, Any]
Infos = dict[str, Any]
LONGEST = 1_000
"""Plies after which a game is broken off, where nobody says."""
RESTARTS = 1_000
"""Games in a row that may end before the learner moves."""


class SeatEnv(SingleGame, gymnasium.Env[Observation, np.int64]):
    """One seat of a game; an agent plays all others, and dice fall by themselves.

    Attributes:
        seat: one's own in this game
    """

    metadata = RENDERING

    def __init__(
        self,
        game: str | Game = "tictactoe",
        opponent: str | Player = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        max_plies: int = LONGEST,
        illegal_loses: bool = True,
    ) -> None:
        """Prepare the environment of a game; `reset` begins it.

        Args:
            game: a game, or as it is written on the command line
            opponent: the agent at all other seats
            seat: one's own; None: drawn for each game
            render_mode: ansi, human (which prints) or rgb_array (which needs the extra `plot`)
            max_plies: plies after which a game is broken off
            illegal_loses: whether an illegal action ends the game, with -1, or raises IllegalMove

        Raises UnknownName, BadInput, and Unsuitable for a game with imperfect information.
        """
        self.take(game, render_mode)
        require(opponent is not None, _("seat={seat} needs an opponent", seat=seat))
        require_seat(self.game, seat, with_opponent=True)
        require(max_plies > 0, _("max_plies={n}: it is at least 1", n=max_plies))
        self.opponent = player_named(self.game, opponent)
        if self.opponent.learns:
            raise Unsuitable(
                message("{agent} learns: take what it has learnt, from its file", agent=self.opponent.text)
            )
        self._chosen_seat, self._limit, self._illegal_loses = seat, max_plies, illegal_loses
        self.observation_space = space_of_observations(self.observer.shape, self.observer.actions)
        self.action_space = spaces.Discrete(self.observer.actions)
        self._rng: Rng = [0]
        self.seat, self._ended = seat or 0, True

    def reset(self, *, seed: int | None = None, options: Infos | None = None) -> tuple[Observation, Infos]:
        """Begin a game; a seed gives the same seat, dice and moves of the opponent."""
        super().reset(seed=seed)
        reseed(self._rng, int(self.np_random.integers(1 << 62)), 0)
        for _game in range(RESTARTS):  # some are over before one's own turn
            if self._chosen_seat is None:
                self.seat = int(self.np_random.integers(self.game.players))
            self.line, self._plies = Line(self.game, self.game.start), 0
            if self._go_on() == 0 and not self._is_over():
                self._ended = False
                return self._observation(), self._facts()
        raise Unsuitable(
            message(
                "{game}: whoever plays against {agent} never gets to move",
                game=self.game.text,
                agent=self.opponent.text,
            )
        )

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, Infos]:
        """Play an action, and all that follows until it is one's turn again."""
        if self._ended:
            raise BadInput(message("the game has not begun: call reset first"))
        s = self.line.state
        move = self.observer.move_of(s, action)
        if move == 0:
            if not self._illegal_loses:
                raise self.observer.illegal(s, action)
            self._ended = True
            return self._observation(), -1.0, True, False, {**self._facts(), "illegal_action": int(action)}
        self.line.play(move)
        self._plies += 1
        resigned = self._go_on()
        over = bool(resigned) or self.game.over(self.line.state)
        broken_off = not over and self._plies >= self._limit
        self._ended = over or broken_off
        reward = resigned if resigned or not over else self.game.payoff(self.line.state, self.seat)
        if self.render_mode == "human":
            self.render()
        return self._observation(), float(reward), over, broken_off, self._facts()

    def _is_over(self) -> bool:
        return self.game.over(self.line.state) or self._plies >= self._limit

    def _go_on(self) -> int:
        """Play on until it is one's turn, or the game ends; returns 1 where the opponent resigned."""
        game, line = self.game, self.line
        while not self._is_over():
            s = line.state
            mover = game.mover(s)
            if mover == self.seat:
                break
            if mover == CHANCE:
                move = chance_move(game, s, self._rng)
            else:
                if isinstance(self.opponent, FollowsLine):
                    self.opponent.follow(line.past)
                move = self.opponent.choose(game, s, self._rng)
            if move == 0:
                return 1
            line.play(move)
            self._plies += 1
        return 0

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return which actions are legal, as MaskablePPO of sb3-contrib asks."""
        return self._observation()["action_mask"].astype(bool)  # type: ignore[no-any-return]

    def _observation(self) -> Observation:
        s = self.line.state
        decides = not (self._ended or self.game.over(s)) and self.game.mover(s) == self.seat
        return self.observation(self.seat, decides=decides)

    def _facts(self) -> Infos:
        return {"seat": self.seat}

    def render(self) -> Any:
        """Return the board as text or as an array of pixels, or print it."""
        return self.picture()


class SeatVectorEnv(VectorEnv[Observation, Any, Any]):
    """Many games at once, stepped by one compiled call. A game that ends begins anew in the same step
    (SAME_STEP); its last observation is in `infos["final_obs"]`.

    Attributes:
        games: what steps them
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012  as Gymnasium declares it

    def __init__(
        self,
        game: str | Game = "tictactoe",
        num_envs: int = 1,
        opponent: str | Player | None = "random",
        seat: int | None = None,
        max_plies: int | None = None,
        copy: bool = True,
    ) -> None:
        """Prepare the games.

        Args:
            game: a game, or as it is written on the command line
            num_envs: how many games
            opponent: the agent at all other seats; None: one plays for all of them, and is rewarded as the
                player who has just moved
            seat: one's own; None: another in each game
            max_plies: plies after which a game is broken off
            copy: whether observations are the caller's own, or arrays that the next step writes anew
        """
        self.games = VectorGames(game, num_envs, opponent=opponent, seat=seat, max_plies=max_plies, copy=copy)
        self.num_envs = num_envs
        layout = self.games.game.plane_layout
        self.single_observation_space = space_of_observations(layout.shape, self.games.game.actions)
        self.single_action_space = spaces.Discrete(self.games.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: Infos | None = None) -> tuple[Observation, Infos]:
        """Begin all games; a seed gives the same dice and moves of opponents."""
        super().reset(seed=seed)
        observations, masks = self.games.reset(int(self.np_random.integers(1 << 62)))
        return {"observation": observations.view(np.int8), "action_mask": masks.view(np.int8)}, {}

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, Infos]:
        """Play an action in every game."""
        moved = self.games.turn.copy()
        step = self.games.step(actions)
        rewards = step.rewards
        if self.games.opponent is None:
            rewards = rewards[np.arange(self.num_envs), moved]
        observation = {
            "observation": step.observations.view(np.int8),
            "action_mask": step.masks.view(np.int8),
        }
        ended, infos = step.terminated | step.truncated, dict[str, Any]()
        if ended.any():
            final = np.full(self.num_envs, None, object)
            none = np.zeros(self.games.game.actions, np.int8)
            for number in np.flatnonzero(ended):
                last = step.final_observations[number].view(np.int8)
                final[number] = {"observation": last, "action_mask": none}
            infos = {"final_obs": final, "_final_obs": ended}
        return observation, rewards.astype(np.float64), step.terminated, step.truncated, infos


def space_of_observations(shape: tuple[int, int, int], actions: int) -> spaces.Dict:
    """The space of observations of a game: planes, and which actions are legal."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, shape, np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.int8),
        }
    )


def register_games() -> None:
    """Name every game to Gymnasium: `damier/NAME-v0`."""
    for name in GAMES:
        identity = f"damier/{name}-v0"
        if identity not in gymnasium.registry:
            gymnasium.register(
                identity,
                entry_point=f"{__name__}:SeatEnv",
                vector_entry_point=f"{__name__}:SeatVectorEnv",
                kwargs={"game": name},
            )


register_games()
