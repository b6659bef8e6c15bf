"""The games of a tournament as pieces of work for other processes: each keeps its agents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypedDict, cast

from damier.arena.tournament.pairing import Pairing
from damier.arena.tournament.schedule import Keep, Piece, PlayedGame
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import packed, unpacked
from damier.lab.lab import Lab
from damier.lab.tournament import Players
from damier.lab.workers.work import Listener, PieceWork, TellPart, Workforce, answer_of


class PieceOrder(TypedDict):
    """Some games of a pair."""

    id: int
    pair: tuple[int, int]
    seed: int
    first: int
    stop: int


class TournamentDoer:
    """Plays pieces; tells games as they are played."""

    def __init__(self, lab: Lab, given: JsonObject) -> None:
        self._players = Players(lab, cast("list[str]", given["agents"]), cast("int", given["max_plies"]))

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        said = cast("PieceOrder", order)
        first, second = said["pair"]
        pairing = Pairing(said["id"], 0, (first, second))

        def keep(pairing: Pairing, played: Sequence[PlayedGame]) -> None:
            tell([(*game[:-1], packed(game.fault)) for game in played])

        self._players.play_piece(Piece(pairing, said["seed"], range(said["first"], said["stop"])), keep)
        return None


@dataclass
class PlayedPieces(Listener):
    """Hands games over as they come, each once: a piece that is played again tells of all of its own."""

    keep: Keep
    pieces: dict[int, Piece] = field(default_factory=dict)
    next_game: dict[int, int] = field(default_factory=dict)

    def orders(self, pieces: Iterable[Piece]) -> Iterator[JsonObject]:
        for number, piece in enumerate(pieces):
            self.pieces[number], self.next_game[number] = piece, piece.numbers.start
            yield {
                "id": piece.pairing.id,
                "pair": list(piece.pairing.pair),
                "seed": piece.seed,
                "first": piece.numbers.start,
                "stop": piece.numbers.stop,
            }

    def part(self, number: int, data: JsonValue) -> None:
        said = cast("list[tuple[int, list[str], tuple[int, int], bool, bool, JsonValue]]", data)
        games = [
            PlayedGame(game, moves, (first, second), finished, resigned, unpacked(fault))
            for game, moves, (first, second), finished, resigned, fault in said
        ]
        fresh = [game for game in games if game.number >= self.next_game[number]]
        if fresh:
            self.next_game[number] = fresh[-1].number + 1
            self.keep(self.pieces[number].pairing, fresh)


class PlayingWorkers:
    """Workforce as the hands of a tournament."""

    def __init__(self, workers: Workforce) -> None:
        self._workers = workers

    def play(self, pieces: Iterable[Piece], keep: Keep) -> None:
        """Plays all pieces. Raises BadInput or LimitReached, as the process that could not."""
        played = PlayedPieces(keep)
        for piece in self._workers.do(played.orders(pieces), played):
            answer_of(piece)
            del played.pieces[piece.number], played.next_game[piece.number]


def tournament_work(lab: Lab, agents: Sequence[str], max_plies: int) -> PieceWork:
    """The games between these agents."""
    return PieceWork("tournament", lab, {"agents": list(agents), "max_plies": max_plies})
