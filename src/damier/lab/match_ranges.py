"""Ranges of the games of a match as pieces of work, so that agents in plain Python play on all cores, and
compiled ones on all machines of a cluster.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypedDict, cast

from damier.arena.match import Hire, PlayedGames, PlayElsewhere
from damier.core.json_types import JsonObject, JsonValue
from damier.core.loop import MatchSetup, Played
from damier.core.words import Text, packed, unpacked
from damier.lab.agents import HumanPlayer, agent
from damier.lab.games import Lab
from damier.lab.workers import Hiring, PieceWork, TellPart, Workforce, in_order, workforce

CHUNK_SECONDS = 0.1
"""That a range takes, where the other process is of this machine: little is lost by Ctrl-C."""
FAR_CHUNK_SECONDS = 0.5
"""The same on another machine: much beside what it costs to ask."""


class RangeAnswer(TypedDict):
    """Result of a range: see `PlayedGames`."""

    tallies: list[int]
    lines: list[list[int]]
    faults: JsonObject
    after: JsonObject
    seconds: float


class MatchDoer:
    """Plays ranges of the games of a match, in plain Python or compiled."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._job = replace(lab.job, jit=True)
        first, second = cast("list[str]", given["agents"])
        self._table = MatchSetup(
            lab.game,
            (agent(lab, first), agent(lab, second)),
            cast("int", given["seed"]),
            cast("int", given["swap"]),
            cast("int", given["limit"]),
            cast("bool", given["record"]),
            cast("bool", given["strict"]),
        )

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        # compiled before the clock runs; where this machine cannot, the plain games are the same
        jit = cast("bool", order["jit"]) and self._table.tier.rises(self._job, 0.0)
        begun = time.perf_counter()
        played = self._table.play(cast("int", order["first"]), cast("int", order["stop"]), jit=jit)
        faults, after = map(taken, (self._table.faults.of_game, self._table.faults.after_game))
        return {
            "tallies": played.tallies,
            "lines": played.lines,
            "faults": faults,
            "after": after,
            "seconds": time.perf_counter() - begun,
        }


def taken(faults: dict[int, Text]) -> JsonObject:
    """Return the faults of some games to be sent, and forget them."""
    found: JsonObject = {str(number): packed(fault) for number, fault in faults.items()}
    faults.clear()
    return found


def received(faults: JsonObject) -> dict[int, Text]:
    """Return the faults of some games that were sent, by number."""
    return {int(number): unpacked(fault) for number, fault in faults.items()}


def play_ranges(workers: Workforce, chunks: Iterable[range], jit: bool) -> Iterator[PlayedGames]:
    """Have workers play games of a match (`PlayElsewhere`)."""
    ordered: deque[range] = deque()

    def orders() -> Iterator[JsonObject]:
        for chunk in chunks:
            ordered.append(chunk)
            yield {"first": chunk.start, "stop": chunk.stop, "jit": jit}

    for answer in in_order(workers.do(orders())):
        result = cast("RangeAnswer", answer)
        yield PlayedGames(
            ordered.popleft(),
            Played(result["tallies"], result["lines"]),
            received(result["faults"]),
            received(result["after"]),
            result["seconds"],
        )


def hiring(lab: Lab, table: MatchSetup, agents: Sequence[str], hire: Hiring | None = None) -> Hire | None:
    """Return who else may play the games of a table between these agents, by their texts: those who are
    hired, or processes of this machine, as many as the job has cores. None where nobody may: a person sits
    here. Those who are hired also play compiled games.
    """
    if any(isinstance(player, HumanPlayer) for player in table.agents):
        return None
    if hire is None and lab.job.jobs == 1:
        return None
    given: JsonObject = {
        "agents": list(agents),
        "seed": table.seed,
        "swap": int(table.swap),
        "limit": table.limit,
        "record": table.record,
        "strict": table.strict,
    }

    @contextlib.contextmanager
    def others() -> Iterator[PlayElsewhere]:
        with workforce(PieceWork(MatchDoer, lab, given), hire) as workers:
            yield partial(play_ranges, workers)

    return Hire(others, hire is not None, CHUNK_SECONDS if hire is None else FAR_CHUNK_SECONDS)
