"""Games of damier as Python games of pyspiel: opened once pyspiel is known to be there."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pyspiel

from damier.core.game import Game
from damier.core.option_text import written
from damier.core.past import NOTHING, Before, after
from damier.core.rules import CHANCE, State
from damier.interop.observations import Observer
from damier.lab.games import load

LONGEST = 1_000
"""Plies after which a game is drawn in OpenSpiel, whose games have ends."""
SAMPLED = 20
"""Games that are played at random to see how much is won."""
LARGEST = 10_000.0
"""The bound of payoffs where an end may be worth more than a win."""


def damier_game(name: str, kind: Any) -> type[DamierGame]:
    """Return the class of a game's pyspiel game."""
    return type(f"Damier_{name}", (DamierGame,), {"damier_name": name, "kind": kind})


class DamierGame(pyspiel.Game):  # type: ignore[misc]
    """Game of damier, with the options that it is given as parameters."""

    damier_name: str
    kind: Any

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {option: value for option, value in (params or {}).items() if value != ""}
        self.game = load(written(self.damier_name, given))
        self.observer = Observer(self.game)
        most = largest_payoff(self.game)
        super().__init__(
            self.kind,
            pyspiel.GameInfo(
                num_distinct_actions=self.game.actions,
                max_chance_outcomes=self.game.actions if self.game.stochastic else 0,
                num_players=self.game.players,
                min_utility=-most,
                max_utility=most,
                utility_sum=0.0 if self.game.zero_sum and self.game.players == 2 else None,
                max_game_length=LONGEST,
            ),
            params or {},
        )
        # OpenSpiel clones a state by copying its __dict__: what states share stands in their class
        shared = {"game": self.game, "observer": self.observer}
        self._states = type(f"State_of_{self.damier_name}", (DamierState,), shared)

    def new_initial_state(self) -> DamierState:
        return self._states(self)  # type: ignore[no-any-return]

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> PlaneObserver:
        return PlaneObserver(self.observer)


def largest_payoff(game: Game) -> float:
    """Return a bound of what an end is worth: 1 where ends are won, drawn or lost."""
    random = Random(1)
    for _game in range(SAMPLED):
        s, before = game.start, NOTHING
        for _ply in range(LONGEST):
            if game.over(s):
                break
            s, before = after(game, s, random.choice(game.legal(s)), before)
        if game.over(s) and any(abs(game.payoff(s, player)) > 1 for player in range(game.players)):
            return LARGEST
    return 1.0


class DamierState(pyspiel.State):  # type: ignore[misc]
    """Position of a game of damier, with those before it that may come back."""

    game: Game
    observer: Observer

    def __init__(self, spiel: DamierGame) -> None:
        super().__init__(spiel)
        self.position: State = self.game.start
        self.before: Before = ()
        self.plies = 0
        self._legal: dict[int, int] | None = None

    def is_terminal(self) -> bool:
        return self.plies >= LONGEST or bool(self.game.over(self.position))

    def current_player(self) -> int:
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        mover = self.game.mover(self.position)
        return int(pyspiel.PlayerId.CHANCE if mover == CHANCE else mover)

    def _moves(self) -> dict[int, int]:
        """Return the legal moves by their actions, in order."""
        if self._legal is None:
            s, game = self.position, self.game
            by_action = self.observer.legal(s) or dict(enumerate(game.legal(s)))
            self._legal = dict(sorted(by_action.items()))
        return self._legal

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._moves())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        weights = {action: self.game.chance(self.position, move) for action, move in self._moves().items()}
        total = sum(weights.values())
        return [(action, weight / total) for action, weight in weights.items() if weight]

    def _apply_action(self, action: int) -> None:
        self.position, self.before = after(self.game, self.position, self._moves()[action], self.before)
        self.plies += 1
        self._legal = None

    def _action_to_string(self, player: int, action: int) -> str:
        move = self._moves().get(action)
        return str(action) if move is None else self.game.name_move(self.position, move)

    def returns(self) -> list[float]:
        game, s = self.game, self.position
        if not game.over(s):
            return [0.0] * game.players
        return [float(game.payoff(s, player)) for player in range(game.players)]

    def __str__(self) -> str:
        """Return the board and, since that may not say all, the fields of the state."""
        return f"{self.game.show(self.position)}\n{tuple(self.position)}"

    def information_state_string(self, player: int | None = None) -> str:
        return str(tuple(self.position))

    def observation_string(self, player: int | None = None) -> str:
        return str(self)


class PlaneObserver:
    """Observer of pyspiel: the planes of a position from the side of a player."""

    def __init__(self, observer: Observer) -> None:
        self._observer = observer
        self.tensor = np.zeros(int(np.prod(observer.shape)), np.float32)
        self.dict = {"planes": self.tensor.reshape(observer.shape)}

    def set_from(self, state: DamierState, player: int) -> None:
        self.dict["planes"][:] = self._observer.observe(state.position, player)

    def string_from(self, state: DamierState, player: int) -> str:
        return state.observation_string(player)
