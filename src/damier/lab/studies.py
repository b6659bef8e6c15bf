"""Studies of search (document S2): what depth and evaluation are worth (row A-54), and how fast a
game's tree grows (row A-53).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10

from damier.arena.match import match
from damier.arena.statistics import wilson
from damier.core.bits import reseed
from damier.core.compile import instantiate
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.loop import MatchSetup
from damier.core.moves import count_moves, random_move
from damier.core.player import Policy
from damier.core.rules import CHANCE
from damier.core.sampling import sample_chance
from damier.core.words import _
from damier.lab.agents import Lab, agent, policy
from damier.lab.grading import as_policy
from damier.solve.door import refuse_too_large
from damier.solve.grade import Grader, refuse_ungradable

PLIES = 10_000
"""A random game that is longer is left where it is."""


@dataclass(frozen=True)
class Entry:
    """What one depth with one evaluation is worth: its mean payoff over both seats, exact, or from
    games with the interval of its win rate.
    """

    evaluate: str
    plies: int
    payoff: float
    win: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Growth:
    """How a game's tree grows, from random games: mean legal moves of a position (b), mean, least
    and most plies of a game (m).
    """

    b: float
    m: float
    shortest: int
    longest: int
    unfinished: int

    @property
    def magnitude(self) -> float:
        """The decimal logarithm of b to the power of m."""
        return self.m * log10(self.b) if self.b > 0 else 0.0


def exact_entries(lab: Lab, depths: list[int], evaluations: list[str], against: str) -> Iterator[Entry]:
    """Every depth with every evaluation, graded exactly against an opponent.

    Raises Unsuitable and LimitReached as `grade` does, and AgentFault.
    """
    grader = Grader(lab.game, opponent_of(lab, against), lab.job)
    for evaluate in evaluations:
        for plies in depths:
            seats = grader.grade(policy(lab, searcher_text(plies, evaluate))).seats
            yield Entry(
                evaluate,
                plies,
                sum(seat.payoff for seat in seats) / 2,
                sum(seat.win for seat in seats) / 2,
                None,
            )


def opponent_of(lab: Lab, against: str) -> Policy:
    """The opponent of an exact study: its probabilities are known, or it is an agent of one's own that
    always chooses alike.

    Raises Unsuitable for any other, LimitReached, AgentFault.
    """
    refuse_ungradable(lab.game)
    refuse_too_large(lab.game, lab.job)
    found, why = as_policy(lab, agent(lab, against))
    if found is None:
        raise Unsuitable(_("{why}; it is not graded exactly: --games 2000 plays instead", why=why))
    return found


def played_entries(
    lab: Lab, depths: list[int], evaluations: list[str], against: str, games: int, seed: int
) -> Iterator[Entry]:
    """The same from so many games each, the seats changing."""
    for evaluate in evaluations:
        for plies in depths:
            score = match(
                MatchSetup(
                    lab.game, (agent(lab, searcher_text(plies, evaluate)), agent(lab, against)), seed, 1
                ),
                games,
                lab.job,
            )
            wins, losses = score.wins, score.losses
            yield Entry(evaluate, plies, (wins - losses) / games, wins / games, wilson(wins, games))


def searcher_text(plies: int, evaluate: str) -> str:
    """The agent that looks so far ahead; it breaks ties at random, so that no order of moves helps
    it.
    """
    return f"alphabeta:plies={plies},ties=random" + (f",evaluate={evaluate}" if evaluate else "")


def growth(game: Game, games: int, seed: int) -> Growth:
    """Measured in random games, one stream of random numbers a game."""
    throw = instantiate(sample_chance, game, jit=False)
    lengths, choices, positions, unfinished = [], 0, 0, 0
    for number in range(games):
        rng = [0]
        reseed(rng, seed, number)
        s, plies = game.start, 0
        while plies < PLIES and not game.over(s):
            legal = game.moves(s)
            choices += count_moves(legal)
            move = throw(s, legal, rng) if game.mover(s) == CHANCE else random_move(rng, legal)
            s, plies = game.play(s, move), plies + 1
        unfinished += not game.over(s)
        positions += plies
        lengths.append(plies)
    return Growth(choices / max(1, positions), positions / games, min(lengths), max(lengths), unfinished)
