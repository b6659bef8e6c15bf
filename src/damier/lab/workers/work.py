"""Independent pieces of work as data: a kind of work, what all its pieces share, and an order a piece.

Everything is JSON, so that a piece can be done anywhere: by this process (`here.py`), by processes of this
machine (`processes.py`), by a cluster (`cluster.py`). What comes of a piece depends on its order alone,
never on who did it, when, or after which others.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias, TypedDict

from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.job import Job, Progress
from damier.core.json_types import JsonObject, JsonValue
from damier.core.words import language
from damier.lab.games import load
from damier.lab.lab import Lab

TellPart: TypeAlias = Callable[[JsonValue], None]
"""Called with a part of what comes of a piece, before it is done."""


class Doer(Protocol):
    """Does pieces of one kind, one after the other."""

    def do(self, order: JsonObject, tell: TellPart) -> JsonValue:
        """What comes of a piece. Raises DamierError where it cannot be done."""
        ...


class DoneWork(NamedTuple):
    """A piece that has ended: its number among the orders, and what came of it, or why nothing did."""

    number: int
    answer: JsonValue
    error: DamierError | None = None


class Listener:
    """Hears of pieces while they are done; this one keeps nothing of it."""

    def part(self, number: int, data: JsonValue) -> None:
        """A part of what comes of a piece. A piece that is done again tells its parts again."""

    def progress(self, number: int, done: int, total: int | None, what: str) -> None:
        """How far a piece is."""


SILENT = Listener()


class Workforce(Protocol):
    """Who does pieces of one kind.

    count  pieces that are done at the same time
    """

    count: int

    def do(
        self, orders: Iterable[JsonObject], listener: Listener = SILENT, first: int = 0
    ) -> Iterator[DoneWork]:
        """Does all of them, numbered from `first` on, each handed over when it has ended; orders are
        taken as they are needed.

        Raises BadInput or LimitReached where no piece can be done at all.
        """
        ...

    def end(self) -> None:
        """Lets nobody work any more."""
        ...


class WorkOpening(TypedDict):
    """What all pieces share: the kind, the game, how it is worked on, and what the kind needs beside
    that; `folder` is where relative paths begin.
    """

    kind: str
    game: str
    memory: int
    jit: bool | None
    seed: int
    isolated: bool
    language: str
    folder: str
    given: JsonObject


@dataclass(frozen=True)
class PieceWork:
    """A kind of work on the game of a lab; `given` is what the kind needs beside that."""

    kind: str
    lab: Lab
    given: JsonObject

    def opening(self, count: int) -> WorkOpening:
        """What each of `count` processes is told first."""
        job = self.lab.job
        return {
            "kind": self.kind,
            "game": self.lab.game.text,
            "memory": job.memory // count,
            "jit": job.jit,
            "seed": self.lab.seed,
            "isolated": self.lab.isolated,
            "language": language(),
            "folder": os.getcwd(),
            "given": self.given,
        }


def opened_lab(opening: WorkOpening, progress: Progress, note: Callable[[str], None]) -> Lab:
    """The lab of a process that was told this first. Raises what `load` raises."""
    job = Job(opening["memory"], progress, opening["jit"], note)
    return Lab(load(opening["game"]), job, seed=opening["seed"], isolated=opening["isolated"])


def in_order(done: Iterable[DoneWork], first: int = 0) -> Iterator[JsonValue]:
    """What came of all pieces, in the order of their numbers from `first` on.

    Raises the error of the first piece, in this order, that has one.
    """
    early: dict[int, DoneWork] = {}
    following = first
    for piece in done:
        early[piece.number] = piece
        while following in early:
            yield answer_of(early.pop(following))
            following += 1


def answer_of(piece: DoneWork) -> JsonValue:
    """What came of a piece. Raises its error."""
    if piece.error is not None:
        raise piece.error
    return piece.answer


def error_said(error: DamierError) -> JsonObject:
    """An error as data."""
    if isinstance(error, LimitReached):
        return {"error": str(error), "reached": error.reached}
    return {"error": str(error)}


def error_heard(sentence: str, reached: JsonObject | None) -> DamierError:
    """The error that another process told of, and what was reached where it was a limit."""
    return BadInput(sentence) if reached is None else LimitReached(sentence, reached)


# The kinds of work that another process can be told to do, by name.

DoerMaker: TypeAlias = Callable[[Lab, JsonObject], Doer]


def tournament(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.tournament import TournamentDoer

    return TournamentDoer(lab, given)


def match(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.match_ranges import MatchDoer

    return MatchDoer(lab, given)


def exact_study(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.studies import ExactStudy

    return ExactStudy(lab, given)


def played_study(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.studies import PlayedStudy

    return PlayedStudy(lab, given)


def growth(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.studies import GrowthStudy

    return GrowthStudy(lab, given)


def pacman_study(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.pacman_study import PacmanDoer

    return PacmanDoer(lab, given)


def known_positions(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.studies import KnownPositionsDoer

    return KnownPositionsDoer(lab, given)


def sweep(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.sweep_runs import SweepDoer

    return SweepDoer(lab, given)


KINDS: dict[str, DoerMaker] = {
    "tournament": tournament,
    "match": match,
    "exact_study": exact_study,
    "played_study": played_study,
    "growth": growth,
    "pacman_study": pacman_study,
    "known_positions": known_positions,
    "sweep": sweep,
}
"""What makes the doer of each kind; a process imports only what its own needs."""
