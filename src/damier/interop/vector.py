"""Many games of one kind side by side, stepped by one compiled call: self-play, or one seat against an
agent that plays in the same call. A game that ends begins anew in the same step, and its last observation is
kept.

>>> from damier.interop.vector import VectorGames
>>> games = VectorGames("tictactoe", 2)
>>> observations, masks = games.reset(seed=1)
>>> observations.shape, masks.shape
((2, 2, 3, 3), (2, 9))
>>> step = games.step([4, 0])
>>> step.masks.astype(int).tolist()
[[1, 1, 1, 1, 0, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1, 1, 1, 1]]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from damier.core.agreement import require_agreement
from damier.core.arrays import IntArray
from damier.core.compile import instantiate
from damier.core.errors import IllegalMove, Unsuitable
from damier.core.game import Game, require
from damier.core.loop import FIRST_AGENT
from damier.core.past import words_of_key
from damier.core.player import Player
from damier.core.rules import State
from damier.core.words import _, message
from damier.interop import vector_engine
from damier.interop.observations import game_named, player_named, require_seat

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bytes: TypeAlias = "NDArray[np.uint8]"
LONGEST, LONGEST_WITH_PAST = 10_000, 1_000
"""Plies after which a game is broken off, where nobody says; of games whose past matters, which is kept."""


class PinnedArray(np.ndarray):
    """An array that stays where it is: where its numbers lie is worked out once, not at every call of an
    engine, of which that is half the cost.
    """

    @cached_property
    def __array_interface__(self) -> dict[str, Any]:
        return super().__array_interface__


class VectorStep(NamedTuple):
    """Outcome of a step of all games.

    Attributes:
        observations: [games, planes, rows, columns] from the side of who is to move; of games that ended, of
            the next game
        masks: [games, actions] which are legal
        rewards: [games, players], or [games] against an opponent: the payoffs of games that ended, else 0
        terminated, truncated: [games] whether a game ended by its rules, or was broken off
        final_observations: as observations, of games that ended; what the others hold means nothing
    """

    observations: Bytes
    masks: Bytes
    rewards: IntArray
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    final_observations: Bytes


WHOLE = np.dtype(np.int64)


def _whole(actions: object) -> IntArray:
    """Return actions of another type as whole numbers; 1.7 is none. Raises IllegalMove."""
    found = np.asarray(actions)
    if found.dtype.kind not in "iub" or found.ndim != 1:
        raise IllegalMove(message("actions are whole numbers, one for each game"))
    return found.astype(np.int64)


class VectorGames:
    """Games of one kind side by side.

    Attributes:
        game: whose rules they follow
        size: how many there are
        turn: [games] who is to move
    """

    def __init__(
        self,
        game: str | Game,
        size: int,
        *,
        opponent: str | Player | None = None,
        seat: int | None = None,
        max_plies: int | None = None,
        copy: bool = True,
    ) -> None:
        """Prepare the games.

        Args:
            game: a game, or as it is written on the command line
            size: how many games
            opponent: the agent that plays all seats but one; None: the caller moves for all
            seat: the caller's seat against an opponent; None: another in each game
            max_plies: plies after which a game is broken off
            copy: whether what comes back is the caller's own, or arrays that the next step writes anew

        Raises UnknownName, BadInput, Unsuitable, and Uncompilable where the rules cannot be compiled.
        """
        self.game = game_named(game)
        self.size, self.opponent, self.seat, self.copy = size, opponent, seat, copy
        require(size > 0, _("{n} games: there is at least one", n=size))
        require_seat(self.game, seat, opponent is not None)
        require_agreement(self.game)
        limit = max_plies or (LONGEST_WITH_PAST if self.game.has_past else LONGEST)
        self._lay_out(limit)
        self._arrays: tuple[Any, ...] = ()
        bound = vector_engine.bindings(self.game)
        if opponent is None:
            bound |= {FIRST_AGENT.choose: vector_engine.nobody}
        else:
            player = player_named(self.game, opponent)
            kernel = player.kernel(jit=True) if player.compiles and not player.learns else None
            if kernel is None:
                raise Unsuitable(
                    message(
                        "{agent} does not play in compiled code, or learns: many games side by side take such"
                        " an agent as no opponent; one environment of damier.interop.gymnasium does",
                        agent=player.text,
                    )
                )
            self._arrays = kernel.arrays
            bound |= {
                vector_engine.is_own: vector_engine.is_at_seat,
                vector_engine.side_of: vector_engine.side_of_seat,
            }
            bound |= FIRST_AGENT.bound_to(kernel)
        self._step = instantiate(vector_engine.step, self.game, jit=True, bind=bound)
        self._draw = instantiate(vector_engine.draw_actions, self.game, jit=True)
        self._begun = False

    def _lay_out(self, limit: int) -> None:
        game, size, layout = self.game, self.size, self.game.plane_layout
        cells, words = np.array(layout.bits_of_cells), game.key_words
        room = limit + 2 if game.has_past else 0
        of_past = room * words + room + 3 if game.has_past else 0
        header = vector_engine.HEADER + len(cells)
        columns = vector_engine.COLUMNS + game.players + words + of_past
        self._memory = np.zeros(header + columns * size + words, np.int64).view(PinnedArray)
        facts = (size, game.actions, len(layout.names), len(cells), limit, game.players)
        memory = self._memory.view(np.ndarray)
        memory[: len(facts)] = facts
        memory[vector_engine.SWAP] = self.opponent is not None and self.seat is None
        memory[vector_engine.ROOM] = room
        memory[vector_engine.HEADER : header] = cells
        self._streams = np.zeros(size + 2, np.uint64).view(PinnedArray)
        self._chosen, self.turn, _plies, self._seats, self._gained = (
            memory[header + number * size :][:size] for number in range(vector_engine.COLUMNS)
        )
        begin = header + vector_engine.COLUMNS * size
        self._rewards = memory[begin : begin + size * game.players].reshape(size, game.players)
        codes = begin + size * game.players
        self._codes = memory[codes : codes + size * words].reshape(size, words)
        memory[codes + size * words :][:words] = words_of_key(game, game.start)
        planes, actions = len(layout.names) * len(cells), game.actions
        self._seen = np.zeros(size * (2 * planes + actions + 2), np.uint8).view(PinnedArray)
        seen = self._seen.view(np.ndarray)
        shape = (size, *layout.shape)
        parts = np.split(seen, np.cumsum([planes, actions, planes, 1]) * size)
        self._observations, self._masks = parts[0].reshape(shape), parts[1].reshape(size, actions)
        self._parts = (
            self._observations,
            self._masks,
            self._rewards if self.opponent is None else self._gained,
            parts[3].view(np.bool_),
            parts[4].view(np.bool_),
            parts[2].reshape(shape),
        )

    @property
    def seats(self) -> IntArray:
        """Return the caller's seat in each game against an opponent."""
        return self._seats.copy()

    def reset(self, seed: int = 0) -> tuple[Bytes, Bytes]:
        """Begin all games; the same seed gives the same dice and opponents.

        Returns observations and masks.
        """
        self._memory[vector_engine.SEED] = seed
        self._streams[-1] = np.uint64(seed * 2 + 1 & (1 << 63) - 1)
        if self.opponent is not None:
            self._seats[:] = self.seat if self.seat is not None else np.arange(self.size) % self.game.players
        self._memory[vector_engine.BEGIN] = 1
        self._run()
        self._memory[vector_engine.BEGIN], self._begun = 0, True
        observations, masks = self._observations, self._masks
        return (observations.copy(), masks.copy()) if self.copy else (observations, masks)

    def step(self, actions: Sequence[int] | NDArray[np.integer[Any]]) -> VectorStep:
        """Play an action in every game.

        Raises IllegalMove, which names the first game whose action is not legal, and for what are no whole
        numbers; nothing is played then.
        """
        if not self._begun:
            raise IllegalMove(message("the games have not begun: call reset first"))
        if len(actions) != self.size:
            raise IllegalMove(
                message("{n} actions for {size} games: one for each", n=len(actions), size=self.size)
            )
        self._chosen[:] = actions if getattr(actions, "dtype", None) is WHOLE else _whole(actions)
        self._run()
        return VectorStep._make(map(np.ndarray.copy, self._parts) if self.copy else self._parts)

    def random_actions(self) -> IntArray:
        """Return a legal action for every game, each as likely."""
        self._draw(self._memory, self._streams, self._seen)
        return self._chosen.copy()

    def states(self) -> list[State]:
        """Return the position of every game."""
        keys = [tuple(map(int, words)) for words in self._codes]
        return [self.game.unkey(k[0] if len(k) == 1 else k) for k in keys]

    def _run(self) -> None:
        wrong = self._step(self._memory, self._streams, self._seen, self._arrays)
        if wrong == vector_engine.NEVER_MOVES:
            if self.opponent is None:
                raise Unsuitable(message("{game}: nobody ever decides anything", game=self.game.text))
            raise Unsuitable(
                message(
                    "{game}: whoever plays against {agent} never gets to move",
                    game=self.game.text,
                    agent=str(self.opponent),
                )
            )
        if wrong >= 0:
            legal = " ".join(map(str, np.flatnonzero(self._masks[wrong])[:40]))
            raise IllegalMove(
                message(
                    "game {n}: action {action} is not legal; legal are {legal}",
                    n=wrong,
                    action=int(self._chosen[wrong]),
                    legal=legal,
                )
            )
