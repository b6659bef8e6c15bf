"""The kinds of work that another process can be told to do, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from damier.core.json_types import JsonObject
from damier.lab.lab import Lab
from damier.lab.workers.work import Doer

DoerMaker: TypeAlias = Callable[[Lab, JsonObject], Doer]


def tournament(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.tournament_pieces import TournamentDoer

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
    from damier.lab.known_positions import KnownPositionsDoer

    return KnownPositionsDoer(lab, given)


def sweep(lab: Lab, given: JsonObject) -> Doer:
    from damier.lab.sweep.result import SweepDoer

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
