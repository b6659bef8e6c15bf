"""What depth, quiescence, evaluation and the other parts of the selective search are worth on positions
whose best moves are known: how many are solved, and what that costs (document [S2], row A-54, for a game
that cannot be graded).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TypedDict, cast

from damier.core.errors import Unsuitable
from damier.core.json_types import JsonObject, JsonValue
from damier.core.rules import State
from damier.core.words import message
from damier.games.chess_fen import from_fen
from damier.games.chess_positions import KNOWN
from damier.games.chess_san import read_san
from damier.lab.agents import Lab, searcher
from damier.lab.workers.hiring import Hiring
from damier.lab.workers.shared import shared
from damier.lab.workers.work import PieceWork, TellPart, in_order
from damier.search.player import SearchPlayer

PARTS = ("quiescence", "null_move", "reductions", "pruning", "extensions", "table")
MATERIAL = "pawns+3*knights+3*bishops+5*rooks+9*queens"


class SolvedRow(TypedDict):
    """What one way to search does with all positions: how many are solved, the mean depth, nodes and
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
    """How many positions each agent solves, the agents shared among the cores of the job or those who
    are hired.

    Raises Unsuitable.
    """
    orders: list[JsonObject] = [{"agent": text} for text in agents]
    for answer in in_order(shared(PieceWork("known_positions", lab, {}), orders, hire=hire)):
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
