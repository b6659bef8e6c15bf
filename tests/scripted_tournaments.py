"""Plans and players for tests: games whose ends are said, not played."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random

from damier.arena.pairing import Entrant, Keep, Piece, PlayedGame, TournamentPlan
from damier.arena.standings import Pair

Ends = Callable[[Pair, int], int]


def plan(entrants: int, games: int = 10, *, seed: int = 0, sha256: str = "") -> TournamentPlan:
    names = [f"agent{number:03}" for number in range(entrants)]
    return TournamentPlan(
        "nim", {"matches": 5}, "", tuple(Entrant(n, n, sha256) for n in names), seed, games, 100
    )


def by_number(pair: Pair, number: int) -> int:
    """The smaller number of an agent mostly wins; the same game always ends the same way."""
    return Random(f"{pair} {number}").choices([1, 0, -1], [6, 2, 2])[0]


@dataclass
class Scripted:
    """Plays games whose ends are known; `limit` is after how many games Ctrl-C is pressed."""

    ends: Ends = by_number
    limit: int | None = None
    played: list[tuple[Pair, int]] = field(default_factory=list)
    shuffled: Random | None = None

    def __call__(self, pieces: Iterable[Piece], keep: Keep) -> None:
        chosen = list(pieces)
        if self.shuffled:
            self.shuffled.shuffle(chosen)
        for piece in chosen:
            for number in piece.numbers:
                if self.limit is not None and len(self.played) >= self.limit:
                    raise KeyboardInterrupt
                self.played.append((piece.pairing.pair, number))
                end = self.ends(piece.pairing.pair, number)
                keep(piece.pairing, [PlayedGame(number, ["1", "2"], (end, -end), True, False, "")])
