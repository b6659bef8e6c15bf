"""What is exactly known of the games that pages show: a solution where there is one, or why there
is none.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from damier.core.errors import DamierError, LimitReached
from damier.core.game import Game
from damier.core.job import Job
from damier.core.position import Position
from damier.core.rules import CHANCE, State
from damier.core.solution import Solution, distance_of, side, value_of_score
from damier.core.value_solution import AnySolution, AnyValue, ValueSolution
from damier.core.words import _, together
from damier.draw.history import HistoricMoment
from damier.draw.marks import MARGIN, RANKS
from damier.lab import solving
from damier.lab.agents import Lab
from damier.search.proof import Proof
from damier.solve import solve
from damier.solve.reach import PURE_BYTES
from damier.web.board.prospects import Prospects
from damier.web.board.proving import (
    MOST_SLICES,
    is_proven_in_slices,
    proof_of,
    proof_so_far,
    solution_of,
)
from damier.web.board.session import GameSession
from damier.web.plain import for_page

SMALL = 6_000 * PURE_BYTES
"""Memory of a game that is solved while a person waits for the board: some 20 ms."""
LARGEST = 80 << 20
"""Memory of a game that is solved for a page at all: some seconds."""
SEARCHING = 0.9
"""Seconds in which a single position of a larger game is searched that cannot be proven in slices."""
KEPT = 16


@dataclass(frozen=True)
class KnownTruth:
    """solution  what is known: of the whole game or, where that is too large, of one position and
              its moves; None where nothing is
    why       why there is none
    hopeful   whether more work may find it
    whole     whether it is of the whole game
    proof     what is proven where not all is
    """

    game: Game
    solution: AnySolution | None
    why: str = ""
    hopeful: bool = False
    whole: bool = True
    proof: Proof | None = None


prospects = Prospects(SEARCHING)
_unknown: OrderedDict[tuple[str, int], KnownTruth] = OrderedDict()
_begun: OrderedDict[tuple[str, str, int], KnownTruth] = OrderedDict()


def known(session: GameSession, memory: int = SMALL) -> KnownTruth:
    """The solution of a game, if it takes no more than `memory`, or a perfect player has worked it
    out here; worked out once.
    """
    if session.begin:
        return known_from(session, memory)
    if session.lab.known is not None:
        return KnownTruth(session.game, session.lab.known)
    if memory > SMALL and not known(session).hopeful:
        return known(session)
    found = _unknown.get((session.name, memory))
    if found is None or found.game is not session.game:
        found = solved(session.lab, memory)
        if found.solution is None:
            _unknown[session.name, memory] = found
            if len(_unknown) > KEPT:
                _unknown.popitem(last=False)
    return found


def known_from(session: GameSession, memory: int) -> KnownTruth:
    """The same of a game that begins elsewhere: of all that can follow there."""
    if memory > SMALL and not known_from(session, SMALL).hopeful:
        return known_from(session, SMALL)
    known_as = (session.name, session.begin, memory)
    if known_as not in _begun or _begun[known_as].game is not session.game:
        _begun[known_as] = worked_out(session.game, session.positions[0].state, memory)
        if len(_begun) > KEPT:
            _begun.popitem(last=False)
    return _begun[known_as]


def solved(lab: Lab, memory: int) -> KnownTruth:
    """The same of a whole game, which its lab keeps."""
    found = worked_out(lab.game, None, memory)
    lab.known = found.solution
    return found


def worked_out(game: Game, s: State | None, memory: int) -> KnownTruth:
    """Plain Python for a small game: it needs no compiler."""
    try:
        job = Job(memory=memory, jit=False if memory <= SMALL else None)
        return KnownTruth(game, solve(game, s, job=job) if s is not None else solve(game, job=job))
    except LimitReached:
        return KnownTruth(
            game, None, _("the game is too large to work out all of its positions here"), hopeful=True
        )
    except DamierError as error:
        return KnownTruth(game, None, for_page(str(error)))


def known_at_once(session: GameSession) -> KnownTruth:
    """What is known of a game or, where that is too large, what was proven before of the position that is
    shown; nothing is worked out for that.
    """
    found = known(session)
    if found.hopeful and not session.position.over and is_proven_in_slices(session):
        proof = proof_so_far(session)
        if proof.begun:
            return from_proof(session, proof, found.why)
    return found


def from_proof(session: GameSession, proof: Proof, why: str) -> KnownTruth:
    """What a proof says, the whole of it or so far."""
    if proof.complete:
        return KnownTruth(session.game, solution_of(proof), whole=False)
    more = session.slice < MOST_SLICES
    return KnownTruth(session.game, None, why, more, whole=False, proof=proof)


def known_here(session: GameSession) -> KnownTruth:
    """The solution of a game or, where that is too large, what a search of the position that is
    shown finds within a second, or has proven so far.
    """
    found, position = known(session, LARGEST), session.position
    if not found.hopeful or position.over:
        return replace(found, hopeful=False)
    if is_proven_in_slices(session):
        return from_proof(session, proof_of(session), found.why)
    seconds = prospects.seconds(session.name, session.at)
    if not seconds:
        return KnownTruth(session.game, None, together(found.why, not_begun()), whole=False)
    try:
        with prospects.told(session.name, session.at, seconds):
            searched = solving.solved(session.game, position.state, Job(memory=LARGEST), seconds)
        return KnownTruth(session.game, searched.solution, whole=False)
    except LimitReached as error:
        searched_in_vain = "at_least" in error.reached
        why = (
            together(found.why, proven(error.reached, seconds)) if searched_in_vain else for_page(str(error))
        )
        return KnownTruth(session.game, None, why, whole=False)


def not_begun() -> str:
    return _("proofs of later positions have come to no end here, so that none of this one is begun")


def proven(reached: Mapping[str, object], seconds: float) -> str:
    """What a search that was stopped says of its position."""
    bounds = (reached.get("at_least"), reached.get("at_most"))
    if any(isinstance(bound, int) for bound in bounds):
        least, most = ("?" if bound is None else f"{bound:+}" for bound in bounds)
        return _(
            "a search of {n} seconds proves at least {least} and at most {most} for who is to move",
            n=f"{seconds:g}",
            least=least,
            most=most,
        )
    if bounds == ("draw", "win"):
        return _("a search of {n} seconds proves at least a draw for who is to move", n=f"{seconds:g}")
    if bounds == ("loss", "draw"):
        return _("a search of {n} seconds proves at most a draw for who is to move", n=f"{seconds:g}")
    return _("a search of {n} seconds of this position proves nothing", n=f"{seconds:g}")


def history(found: KnownTruth, session: GameSession) -> dict[int, HistoricMoment]:
    """By ply, what the positions of the game were worth, from the side of the first player, and
    which moves lost something: as far as it is known.
    """
    if found.solution is None:
        return {}
    plies = range(len(session.positions)) if found.whole else [session.at]
    return {ply: moment(found.solution, session, ply, whole=found.whole) for ply in plies}


def moment(solution: AnySolution, session: GameSession, ply: int, *, whole: bool) -> HistoricMoment:
    """What one position was worth; where the `whole` game is known, with what its move lost."""
    position = session.positions[ply]
    move = session.moves[ply - 1] if ply else ""
    if isinstance(solution, ValueSolution):
        worth = solution.for_first(position.state)
        given = given_away(solution, session.positions[ply - 1], position) if ply and whole else None
        return HistoricMoment(move, worth.word, None, given, worth)
    score = solution.score(position.state)
    lost = lost_by(solution, session.positions[ply - 1], position) if ply and whole else None
    return HistoricMoment(
        move,
        value_of_score(score),
        distance_of(position.game, position.state, score, solution.table.top),
        lost,
    )


def given_away(
    solution: ValueSolution, before: Position, after: Position
) -> tuple[AnyValue, AnyValue] | None:
    """What a position was worth to its mover and what it is after the move, where that is less."""
    if before.mover == CHANCE:
        return None
    had, has = (solution.for_first(position.state) for position in (before, after))
    if side(before.game, before.state) < 0:
        had, has = -had, -has
    return (had, has) if has.payoff < had.payoff - MARGIN else None


def lost_by(solution: Solution, before: Position, after: Position) -> tuple[AnyValue, AnyValue] | None:
    """What a position was worth to its mover and what it is after the move, where that is less."""
    ours = side(before.game, before.state)
    had, has = (value_of_score(ours * solution.score(position.state)) for position in (before, after))
    return (had, has) if RANKS[has] < RANKS[had] else None
