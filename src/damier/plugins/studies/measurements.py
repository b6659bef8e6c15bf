"""Studies of search (document S2): what depth and evaluation are worth (row A-54), and how fast a
game's tree grows (row A-53).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import log10
from typing import NotRequired, TypedDict, cast

from damier.arena.match import match, wilson
from damier.core.bits import seeded
from damier.core.compile import instantiate
from damier.core.errors import Unsuitable
from damier.core.game import Game
from damier.core.job import Job
from damier.core.json_types import JsonObject, JsonValue
from damier.core.loop import MatchSetup
from damier.core.moves import count_moves
from damier.core.player import Policy, drawn_move
from damier.core.rules import State
from damier.core.words import _, message
from damier.games.chess import KNOWN, from_fen
from damier.games.chess_pgn import read_san
from damier.lab.agents import Lab, agent, policy, searcher
from damier.lab.grading import as_policy
from damier.lab.workers import Hiring, PieceWork, TellPart, in_order, shared
from damier.search.running import SearchPlayer
from damier.solve.dispatch import refuse_too_large
from damier.solve.grade import Grader, refuse_ungradable

PLIES = 10_000
"""A random game that is longer is left where it is."""
GROWTH_GAMES = 50
"""Random games of a piece of work."""


class StudyRow(TypedDict):
    """Worth of an evaluation at a depth: its mean payoff over both seats, exact, or from games with the 95 %
    interval of its win rate.
    """

    evaluate: str
    plies: int
    payoff: float
    win: float
    interval: NotRequired[list[float]]


@dataclass(frozen=True)
class Growth:
    """Growth of a game's tree, from random games: mean legal moves of a position (b), mean, least
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


def entries(
    lab: Lab,
    depths: list[int],
    evaluations: list[str],
    against: str,
    games: int | None = None,
    seed: int = 0,
    hire: Hiring | None = None,
) -> Iterator[StudyRow]:
    """Every depth with every evaluation against an opponent, graded exactly, or by so many games each, the
    seats changing; shared among the cores of the job or those who are hired.

    Raises Unsuitable and LimitReached as `grade` does, and AgentFault.
    """
    given: JsonObject = {"against": against, "games": games, "seed": seed}
    work = PieceWork(ExactStudy if games is None else PlayedStudy, lab, given)
    orders: list[JsonObject] = [
        {"evaluate": evaluate, "plies": plies} for evaluate in evaluations for plies in depths
    ]
    job = lab.job
    for number, answer in enumerate(in_order(shared(work, orders, progress=job.progress, hire=hire)), 1):
        if len(orders) > 1:
            job.progress(number, len(orders), _("settings"))
        row = cast("StudyRow", answer)
        yield {**row, "evaluate": row["evaluate"] or "none"}


class ExactStudy:
    """Grades every depth and evaluation exactly against one opponent."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._lab = lab
        self._grader = Grader(lab.game, opponent_of(lab, str(given["against"])), lab.job)

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        found = policy(self._lab, searcher_of(order))
        seats = self._grader.grade(found).seats
        return {
            **order,
            "payoff": sum(seat.payoff for seat in seats) / 2,
            "win": sum(seat.win for seat in seats) / 2,
        }


class PlayedStudy:
    """Plays games of every depth and evaluation against one opponent."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._lab, self._against = lab, str(given["against"])
        self._games, self._seed = cast("int", given["games"]), cast("int", given["seed"])

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        games = self._games
        players = (agent(self._lab, searcher_of(order)), agent(self._lab, self._against))
        score = match(MatchSetup(self._lab.game, players, self._seed, 1), games, self._lab.job)
        wins, losses = score.wins, score.losses
        return {
            **order,
            "payoff": (wins - losses) / games,
            "win": wins / games,
            "interval": list(wilson(wins, games)),
        }


def opponent_of(lab: Lab, against: str) -> Policy:
    """The opponent of an exact study: its probabilities are known, or it is an agent of one's own that
    always chooses alike.

    Raises Unsuitable for any other, LimitReached, AgentFault.
    """
    refuse_ungradable(lab.game)
    refuse_too_large(lab.game, lab.job)
    found, why = as_policy(lab, agent(lab, against))
    if found is None:
        raise Unsuitable(message("{why}; it is not graded exactly: --games 2000 plays instead", why=why))
    return found


def searcher_of(order: JsonObject) -> str:
    """The agent that looks as far ahead as an order says; it breaks ties at random, so that no order of
    moves helps it.
    """
    evaluate = f",evaluate={order['evaluate']}" if order["evaluate"] else ""
    return f"alphabeta:plies={order['plies']},ties=random{evaluate}"


def growth(game: Game, games: int, seed: int, job: Job | None = None, hire: Hiring | None = None) -> Growth:
    """Measured in random games, one stream of random numbers a game; shared among the cores of the
    job or those who are hired.
    """
    work = PieceWork(GrowthStudy, Lab(game, job or Job()), {"seed": seed})
    orders: list[JsonObject] = [
        {"first": first, "stop": min(first + GROWTH_GAMES, games)} for first in range(0, games, GROWTH_GAMES)
    ]
    lengths, choices, unfinished = list[int](), 0, 0
    for answer in in_order(shared(work, orders, hire=hire)):
        plies, chosen_from, broken_off = cast("tuple[list[int], int, int]", answer)
        lengths += plies
        choices, unfinished = choices + chosen_from, unfinished + broken_off
    positions = sum(lengths)
    return Growth(choices / max(1, positions), positions / games, min(lengths), max(lengths), unfinished)


class GrowthStudy:
    """Plays random games, and answers their plies, how many moves could be chosen from, and how many games
    did not end.
    """

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._game, self._seed = lab.game, cast("int", given["seed"])
        self._draw = instantiate(drawn_move, lab.game, jit=False)

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        game, lengths, choices, unfinished = self._game, list[int](), 0, 0
        for number in range(cast("int", order["first"]), cast("int", order["stop"])):
            rng = seeded(self._seed, number)
            s, plies = game.start, 0
            while plies < PLIES and not game.over(s):
                legal = game.moves(s)
                choices += count_moves(legal)
                s, plies = game.play(s, self._draw(s, legal, rng)), plies + 1
            unfinished += not game.over(s)
            lengths.append(plies)
        return [lengths, choices, unfinished]


# What depth, quiescence, evaluation and the other parts of the selective search are worth on positions
# whose best moves are known: how many are solved, and what that costs (document [S2], row A-54, for a game
# that cannot be graded).

PARTS = ("quiescence", "null_move", "reductions", "pruning", "extensions", "table")
MATERIAL = "pawns+3*knights+3*bishops+5*rooks+9*queens"


class SolvedRow(TypedDict):
    """Results of one way to search with all positions: how many are solved, the mean depth, nodes and
    CPU seconds.
    """

    agent: str
    solved: int
    positions: int
    plies: float
    nodes: int
    seconds: float


def known_positions(lab: Lab) -> list[tuple[State, set[int]]]:
    """Positions of the lab's game, each with its best moves. Raises Unsuitable where none are known."""
    if lab.game.name != "chess":
        raise Unsuitable(
            message("{game} has no positions whose best move is known; chess has", game=lab.game.name)
        )
    return [
        (s, {read_san(s, move) for move in best})
        for s, best in ((from_fen(text), best) for text, best in KNOWN)
    ]


def ways(depths: list[int], nodes: int) -> list[str]:
    """The searches that are compared: some depths, then so many nodes with one part left out each."""
    limited = f"selective:nodes={nodes}"
    return [
        *(f"selective:plies={plies}" for plies in depths),
        limited,
        *(f"{limited},{part}=false" for part in PARTS),
        f"{limited},evaluate={MATERIAL}",
    ]


def solved_by(lab: Lab, agents: list[str], hire: Hiring | None = None) -> Iterator[SolvedRow]:
    """Return how many positions each agent solves, the agents shared among the cores of the job or those who
    are hired.

    Raises Unsuitable.
    """
    orders: list[JsonObject] = [{"agent": text} for text in agents]
    for answer in in_order(shared(PieceWork(KnownPositionsDoer, lab, {}), orders, hire=hire)):
        yield cast("SolvedRow", answer)


class KnownPositionsDoer:
    """Has agents decide in positions whose best moves are known."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._lab, self._positions = lab, known_positions(lab)

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        text, positions = str(order["agent"]), self._positions
        player = searcher(self._lab, text)
        assert isinstance(player, SearchPlayer)
        player.decide(self._lab.game.start, (), 0, False)  # compiled before the clock runs
        begun = time.process_time()
        found = [player.decide(s, (), 0, False) for s, _best in positions]
        return {
            "agent": text,
            "solved": sum(a.pv[0] in best for a, (_s, best) in zip(found, positions, strict=True)),
            "positions": len(positions),
            "plies": sum(a.plies for a in found) / len(found),
            "nodes": sum(a.nodes for a in found),
            "seconds": time.process_time() - begun,
        }
