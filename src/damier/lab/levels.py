"""The levels by which people know opponents: beginner, medium, strong, perfect. What each is in a game
is one of the other agents, with all its options: nothing of it is left open.

pacman                                chase for the ghosts, nearer more often; for Pacman random, then mcts
imperfect information                 random; no search here looks at what it must not see
dice, payoffs, other than two sides   maxn:plies=1, then mcts
a game that brings an evaluation      alphabeta:plies=1 by it, then selective
go                                    alphabeta:plies=1, then mcts among the moves that an evaluation likes
few positions (`is_small`)            alphabeta of 1, 2 and 4 plies
any other                             alphabeta:plies=1, then mcts

`perfect` is the agent of that name, for the games that can be solved.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from damier.core.bits import Rng
from damier.core.errors import LimitReached, Unsuitable
from damier.core.game import Game
from damier.core.grade import Grade
from damier.core.job import Job
from damier.core.player import AskedPlayer, Player, Policy, RandomPlayer, Ties
from damier.core.rules import State
from damier.core.solution import Solution
from damier.core.words import N_, _, grouped, message, ngettext
from damier.games.pacman import ChasingPlayer, PacmanState
from damier.lab.agents import brought
from damier.lab.games import Lab
from damier.solve import PerfectPlayer
from damier.solve.dispatch import refuse_too_large, refuse_unsuitable
from damier.solve.grade import grade
from damier.solve.perfect import Prefer
from damier.solve.reach import has_at_most

Level: TypeAlias = Literal["beginner", "medium", "strong"]
LEVELS: tuple[Level, ...] = ("beginner", "medium", "strong")
"""Those that every game has, as far as it can be played by looking; `perfect` is the fourth."""
NAMES = {"beginner": N_("beginner"), "medium": N_("medium"), "strong": N_("strong"), "perfect": N_("perfect")}
"""What people read, by how it is written."""
SMALL = 100_000
"""Positions up to which a few plies are much of a game, as far as the game says how many it has."""
FEW = 2_000
"""The same for a game that does not say it: so many are looked for."""
GRADED = 10_000
"""Positions up to which somebody who asks how good a level is need not wait for the answer."""
PLIES: dict[Level, int] = {"beginner": 1, "medium": 2, "strong": 4}
SIMULATIONS: dict[Level, int] = {"medium": 100, "strong": 1000}
NODES: dict[Level, int] = {"medium": 2000, "strong": 20_000}
GO: dict[Level, tuple[int, int]] = {"medium": (1000, 16), "strong": (5000, 24)}
"""Simulations, and moves among which they choose: of so many moves as Go has, each would get a few only."""
INFLUENCE = "influence+0.3*liberties"
SHARES: dict[Level, float] = {"beginner": 0.4, "medium": 0.8, "strong": 1.0}
PACMAN: dict[Level, str] = {
    "beginner": "random",
    "medium": "mcts:simulations=10",
    "strong": "mcts:simulations=30",
}


class Meaning(NamedTuple):
    """Meaning of a level in a game: the agent as it is written, and what that does, in words."""

    agent: str
    words: str


def meaning(game: Game, level: Level) -> Meaning:
    """Return what a level is in a game. Raises Unsuitable where there is no such level."""
    if is_pacman(game):
        share = round(100 * SHARES[level])
        return Meaning(
            f"chase:share={SHARES[level]:g}", _("a ghost that comes nearer in {n}% of its moves", n=share)
        )
    if game.imperfect_information:
        if level != "beginner":
            raise Unsuitable(
                message(
                    "{game} hides information: the only level there is beginner, who plays at random",
                    game=game.text,
                )
            )
        return Meaning("random", _("plays at random"))
    if level == "beginner":
        return _beginner(game)
    if not is_searched(game):
        return _simulations(level)
    if game.name == "go" and game.source is None:
        n, most = GO[level]
        words = _(
            "plays {n} games at random in its head before it moves, with the {moves} moves that reach"
            " farthest",
            n=grouped(n),
            moves=most,
        )
        return Meaning(f"mcts:simulations={n},c=0.5,evaluate={INFLUENCE},width={most}", words)
    if game.evaluation:
        n = NODES[level]
        return Meaning(f"selective:nodes={n}", _("looks at {n} positions before it moves", n=grouped(n)))
    if is_small(game, SMALL):
        return _plies(PLIES[level])
    return _simulations(level)


def is_pacman(game: Game) -> bool:
    """Return whether one player flees from all others."""
    return isinstance(game.start, PacmanState)


def is_searched(game: Game) -> bool:
    """Return whether alpha-beta can look ahead in a game."""
    return game.players == 2 and game.zero_sum and not game.stochastic


@lru_cache(maxsize=64)
def is_small(game: Game, most: int) -> bool:
    """Return whether a game has at most so many positions; where it does not say: whether FEW are all."""
    if game.states is not None:
        return game.states <= most
    return has_at_most(game, FEW, Job())


def _beginner(game: Game) -> Meaning:
    if not is_searched(game):
        return Meaning("maxn:plies=1", _("takes what its next move gains, else plays at random"))
    if not game.evaluation:
        return _plies(1)
    words = _("looks one move ahead: takes what it can, and does not see the answer")
    return Meaning(f"alphabeta:plies=1,evaluate={game.evaluation}", words)


def _plies(plies: int) -> Meaning:
    words = ngettext(
        "looks {n} ply ahead; where that shows no difference, it plays at random",
        "looks {n} plies ahead; where that shows no difference, it plays at random",
        plies,
        n=plies,
    )
    return Meaning(f"alphabeta:plies={plies}", words)


def _simulations(level: Level) -> Meaning:
    n = SIMULATIONS[level]
    return Meaning(
        f"mcts:simulations={n}", _("plays {n} games at random in its head before it moves", n=grouped(n))
    )


class PacmanSeats(AskedPlayer):
    """One agent for Pacman, another for all ghosts."""

    def __init__(self, text: str, pacman: Player, ghosts: Player) -> None:
        self.text, self.pacman, self.ghosts = text, pacman, ghosts

    def choose(self, game: Game, s: State, rng: Rng) -> int:
        return (self.ghosts if game.mover(s) else self.pacman).choose(game, s, rng)


def refuse_perfect(lab: Lab) -> None:
    """Raises Unsuitable, or LimitReached, for a game that has no perfect player here."""
    refuse_unsuitable(lab.game, "perfect")
    refuse_too_large(lab.game, lab.job)


def against_random(lab: Lab, player: Player) -> Grade | None:
    """Grade a level against random play, exactly; None where that is not known, or takes long."""
    game = lab.game
    if not is_small(game, GRADED) or not isinstance(player, Policy):
        return None
    try:
        return grade(game, player, RandomPlayer(), lab.job)
    except (Unsuitable, LimitReached):
        return None


# The agents of these names.


def perfect(lab: Lab, prefer: Prefer | None = None, ties: Ties = "random") -> Player:
    solution = lab.solution(_("perfect play needs the game solved"))
    hurries = isinstance(solution, Solution) and solution.cyclic
    return PerfectPlayer(solution, prefer or ("fastest" if hurries else "value"), ties)


def chase(lab: Lab, share: float = 0.8) -> Player:
    return ChasingPlayer(lab.game, share)


def level_factory(level: Level) -> Callable[[Lab], Player]:
    """The function that makes the agent that a level is in a game."""

    def make(lab: Lab) -> Player:
        found = brought(lab, meaning(lab.game, level).agent)
        if is_pacman(lab.game):
            return PacmanSeats(level, brought(lab, PACMAN[level]), found)
        return found

    return make


beginner, medium, strong = map(level_factory, LEVELS)
