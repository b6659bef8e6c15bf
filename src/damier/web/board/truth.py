"""What is exactly known of the games that pages show: a solution where there is one, or why there
is none.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass

from damier.core.errors import DamierError, LimitReached
from damier.core.game import Game
from damier.core.interruptible import TimeIsUp, time_limit, until
from damier.core.job import Job
from damier.core.position import Position
from damier.core.rules import CHANCE
from damier.core.solution import (
    AnySolution,
    AnyValue,
    Solution,
    ValueSolution,
    Worth,
    distance_of,
    side,
    value_of_score,
)
from damier.core.words import _, together
from damier.draw.annotations import MARGIN, RANKS
from damier.draw.history import HistoricMoment
from damier.lab import solving
from damier.search.proof import Proof
from damier.solve import solve
from damier.solve.dispatch import refuse_too_large
from damier.solve.reach import PURE_BYTES
from damier.web.board.prospects import Prospects
from damier.web.board.proving import (
    MOST_SLICES,
    is_proven_in_slices,
    moment_of,
    proof_of,
    proof_so_far,
    solution_of,
)
from damier.web.board.session import GameSession
from damier.web.pages import for_page

SMALL = 6_000 * PURE_BYTES
"""Memory of a game that is solved while a person waits for the board: some 20 ms."""
LARGEST = 80 << 20
"""Memory of a game that is solved for a page at all: some seconds."""
AT_ONCE, LONGEST = 0.5, 10.0
"""Seconds of the processor after which that is given up: rules may be slow, whatever memory they take."""
BUSY = 4
"""How much longer it may take where others are at work."""
SEARCHING = 0.9
"""Seconds in which a single position of a larger game is searched, or all that can follow it."""
ENUMERATED = 1
"""The slice after which, once, all that can follow is gone through: of what the first one has not proven."""
KEPT = 32
REMEMBERED = 60.0
"""Seconds after which it is tried again where time was short: compiled code may be there by now."""


@dataclass(frozen=True)
class KnownTruth:
    """solution  what is known: of the whole game or, where that is too large, of one position and
              its moves; None where nothing is
    why       why there is none
    hopeful   whether more work may find it
    whole     whether it is of the whole game
    proof     what is proven where not all is
    ended     whether the game is over in the position that is shown, of which no more can be known
    """

    game: Game
    solution: AnySolution | None
    why: str = ""
    hopeful: bool = False
    whole: bool = True
    proof: Proof | None = None
    ended: bool = False


prospects = Prospects(SEARCHING)
_known: OrderedDict[tuple[str, str, int], tuple[KnownTruth, float]] = OrderedDict()
"""By game, beginning and memory: what is known, and the moment at which that is forgotten."""


def known(session: GameSession, memory: int = SMALL) -> KnownTruth:
    """The solution of a game, or of all that can follow where it begins elsewhere, if it takes no more
    than `memory`, or a perfect player has worked it out here; worked out once.
    """
    if not session.begin and session.lab.known is not None:
        return KnownTruth(session.game, session.lab.known)
    if memory > SMALL and not known(session).hopeful:
        return known(session)
    known_as = (session.name, session.begin, memory)
    found, forgotten = _known.get(known_as, (None, 0.0))
    if found is None or found.game is not session.game or time.monotonic() > forgotten:
        found, lasting = worked_out(session, memory)
        _known[known_as] = found, math.inf if lasting else time.monotonic() + REMEMBERED
        if len(_known) > KEPT:
            _known.popitem(last=False)
    if not session.begin:
        session.lab.known = found.solution
    return found


def worked_out(session: GameSession, memory: int) -> tuple[KnownTruth, bool]:
    """The same, and whether it lasts: time was not short. Plain Python for a small game: it needs no
    compiler.
    """
    game, small = session.game, memory <= SMALL
    seconds = AT_ONCE if small else LONGEST
    begun, deadline = time.process_time(), time.perf_counter() + BUSY * seconds

    def give_up_in_time(done: int, total: int | None, what: str) -> None:
        if time.process_time() - begun > seconds:
            raise TimeIsUp

    job = Job(memory=memory, jit=False if small else None, progress=give_up_in_time)
    try:
        with time_limit(BUSY * seconds), until(deadline):
            return KnownTruth(game, solve(game, session.positions[0].state, job=job)), True
    except LimitReached:
        return too_large(game), True
    except TimeIsUp:
        return too_large(game), False
    except DamierError as error:
        return KnownTruth(game, None, for_page(str(error))), True


def too_large(game: Game) -> KnownTruth:
    """What is said of a game that takes more than a page may ask for."""
    why = _("the game is too large to work out all of its positions here")
    return KnownTruth(game, None, why, hopeful=True)


def known_at_once(session: GameSession) -> KnownTruth:
    """What is known of a game or, where that is too large, how it ended, or what was proven before of the
    position that is shown; nothing is worked out for that.
    """
    found = known_whole(session, SMALL)
    if found.hopeful and session.position.over and is_too_large(session.game):
        return ended(session)
    if found.hopeful and not session.position.over and is_proven_in_slices(session):
        proof = proof_so_far(session)
        if proof.begun:
            return from_proof(session, proof, found.why)
    return found


def known_whole(session: GameSession, memory: int) -> KnownTruth:
    """`known`, but where it is hardly worth a try: of a game that says itself that it is too large, and
    whose positions are proven one by one.
    """
    game = session.game
    alone = session.position.over or is_proven_in_slices(session)
    return too_large(game) if alone and is_too_large(game) else known(session, memory)


def is_too_large(game: Game) -> bool:
    """Whether a game says itself that a page cannot work out all of its positions."""
    try:
        refuse_too_large(game, Job(memory=LARGEST))
    except LimitReached:
        return True
    return False


def ended(session: GameSession) -> KnownTruth:
    """What is known of the end of a game: all, of that position."""
    return KnownTruth(session.game, None, whole=False, ended=True)


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
    found = known_whole(session, LARGEST)
    if not found.hopeful:
        return found
    if session.position.over:
        return ended(session)
    if not is_proven_in_slices(session):
        return searched(session, found.why)
    proven = from_proof(session, proof_of(session), found.why)
    if proven.solution is None and session.slice == ENUMERATED and not session.game.acyclic:
        whole = searched(session, found.why)  # draws that go round in circles are proven by no horizon
        return whole if whole.solution else proven
    return proven


def searched(session: GameSession, why: str) -> KnownTruth:
    """What is found within a second of the position that is shown, by a search or by going through all
    that can follow.
    """
    seconds = prospects.seconds(session.name, session.at)
    if not seconds:
        return KnownTruth(session.game, None, together(why, not_begun()), whole=False)
    try:
        with prospects.told(session.name, session.at, seconds), time_limit(seconds):
            found = solving.solved(session.game, session.position.state, Job(memory=LARGEST), seconds)
        return KnownTruth(session.game, found.solution, whole=False)
    except LimitReached as error:
        searched_in_vain = "at_least" in error.reached
        said = together(why, proven(error.reached, seconds)) if searched_in_vain else for_page(str(error))
        return KnownTruth(session.game, None, said, whole=False)
    except TimeIsUp:
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
    at = session.at
    if found.ended:
        return {at: end_of(session)}
    if found.proof:
        proven = moment_of(found.proof, session.moves[at - 1] if at else "")
        return {at: proven} if proven else {}
    if found.solution is None:
        return {}
    plies = range(len(session.positions)) if found.whole else [at]
    return {ply: moment(found.solution, session, ply, whole=found.whole) for ply in plies}


def end_of(session: GameSession) -> HistoricMoment:
    """How a game ended, from the side of the first player."""
    game, s, at = session.game, session.position.state, session.at
    payoff, alone = game.payoff(s, 0), game.players == 1
    worth = Worth(payoff, "payoff" if alone else "margin") if alone or abs(payoff) > 1 else None
    return HistoricMoment(session.moves[at - 1] if at else "", value_of_score(payoff), 0, worth=worth)


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
