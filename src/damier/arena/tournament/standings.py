"""The table of a tournament: what its results say about the agents."""

from __future__ import annotations

from typing import TypedDict

from damier.arena.tournament.rating import ratings
from damier.arena.tournament.results import Results


class Standing(TypedDict):
    """A line of the table. `elo` is 0 for the mean of all; an interval without an end has null."""

    place: int
    agent: str
    games: int
    wins: int
    draws: int
    losses: int
    points: float
    score: float
    elo: float
    elo_interval: list[float | None]
    faults: int


def standings(names: list[str], results: Results) -> list[Standing]:
    """The table: by points, then strength, then name; equal points and strength share a place."""
    strengths = ratings(results.wins, results.draws)
    points = results.points
    found: list[Standing] = []
    for number, name in enumerate(names):
        wins, draws = int(results.wins[number].sum()), int(results.draws[number].sum())
        games = wins + draws + int(results.wins[:, number].sum())
        score = (wins + draws / 2) / games if games else 0.0
        elo, low, high = strengths[number]
        found.append(
            {
                "place": 0,
                "agent": name,
                "games": games,
                "wins": wins,
                "draws": draws,
                "losses": games - wins - draws,
                "points": float(points[number]),
                "score": score,
                "elo": round(elo, 1) + 0.0,  # no minus before a zero
                "elo_interval": [None if end is None else round(end, 1) + 0.0 for end in (low, high)],
                "faults": int(results.faults[number]),
            }
        )
    found.sort(key=lambda line: (-line["points"], -line["elo"], line["agent"]))
    for at, line in enumerate(found):
        before = found[at - 1] if at else None
        same = before and (before["points"], before["elo"]) == (line["points"], line["elo"])
        line["place"] = before["place"] if before and same else at + 1
    return found
