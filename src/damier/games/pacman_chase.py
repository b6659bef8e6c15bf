"""A ghost of Pacman that mostly comes nearer, and flees when it is scared (document [S2]; issue C,
item 5).
"""

from __future__ import annotations

from damier.core.bits import Rng, position_of
from damier.core.errors import BadInput, Unsuitable
from damier.core.game import Game
from damier.core.player import AnyKernel
from damier.core.rules import State
from damier.core.sampling import sample_move
from damier.core.words import message
from damier.games.maze import STEPS
from damier.games.pacman_state import PacmanState, half_cells


class ChasingPlayer:
    """Every legal move is as likely but, with the probability `share`, one of those that come
    nearest to Pacman; a scared ghost goes far.
    """

    compiles, learns = False, False

    def __init__(self, game: Game, share: float = 0.8) -> None:
        if not isinstance(game.start, PacmanState):
            raise Unsuitable(message("chase plays the ghosts of pacman; {game} has none", game=game.text))
        if not 0 <= share <= 1:
            raise BadInput(message("chase: share={share}; it is from 0 to 1", share=share))
        self.share = share

    @property
    def text(self) -> str:
        return f"chase:share={self.share:g}"

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return sample_move(self.probabilities(game, s), rng)

    def kernel(self, *, jit: bool) -> AnyKernel | None:
        return None

    def probabilities(self, game: Game, s: State) -> dict[int, float]:
        """How likely each legal move is. Raises Unsuitable for Pacman's own moves."""
        if game.mover(s) == 0:
            raise Unsuitable(message("chase plays the ghosts of pacman; Pacman himself needs another agent"))
        assert isinstance(s, PacmanState)
        legal = game.legal(s)
        ways = {move: distance_after(s, move) for move in legal}
        wanted = max(ways.values()) if s.fears[s.mover - 1] else min(ways.values())
        wished = [move for move in legal if ways[move] == wanted]
        return {
            move: (1 - self.share) / len(legal) + (self.share / len(wished) if move in wished else 0.0)
            for move in legal
        }


def distance_after(s: PacmanState, move: int) -> int:
    """How far from Pacman a move leaves the ghost that makes it, in half-cells, rows and columns
    added.
    """
    ghost = s.mover - 1
    step = STEPS[position_of(move)]
    return half_cells(s.pacman, s.ghosts[ghost] + (step if s.fears[ghost] else 2 * step))
