"""Exact knowledge of the games that pages show: a solution where there is one, what is proven so far
and an estimate, or why there is none; and the lines of best play that show why a position, or a move, is
worth what it is.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from damier.core.analysis import evaluation
from damier.core.errors import BadInput, DamierError, LimitReached
from damier.core.game import Game, Position
from damier.core.job import Job, TimeIsUp, cores, time_limit, until
from damier.core.moves import first_move
from damier.core.rules import CHANCE, TOP, State, later, sooner
from damier.core.solution import (
    OPPOSITE,
    PAYOFFS,
    AnySolution,
    AnyValue,
    PayoffValue,
    Solution,
    StateTable,
    Value,
    ValueSolution,
    distance_of,
    side,
    value_of_score,
)
from damier.core.words import _, decimal, in_seconds, message, together
from damier.draw.history import HistoricMoment
from damier.draw.text import MARGIN, MoveMark, player_in_words
from damier.lab import solving
from damier.lab.agents import brought
from damier.lab.large import TablesAnswer, ask_tables, score_in_tables
from damier.lab.levels import INFLUENCE
from damier.lab.solving import KnownBefore, known_before
from damier.search.exact import Prover
from damier.search.proof import PROOF_NEEDS, Proof
from damier.search.proof_store import Bounds, end_score, take_in, tighten
from damier.search.running import SearchPlayer
from damier.solve import solve
from damier.solve.dispatch import refuse_too_large
from damier.solve.reach import PURE_BYTES, in_units, plies_of_random_game
from damier.web import pages
from damier.web.board_session import GameSession, squeezed
from damier.web.limits import LRU
from damier.web.pages import for_page

# Which proofs are worth to be begun: of a game that is too large to enumerate, the search of an early
# position ends at its limit of time for everybody who asks, and a class that begins a game asks many.
#
# The later a position, the less can follow it. So where a search came to no end, one of a position several
# plies earlier hardly will, and is not begun; in between it is given less time, for what a few moves decide.


BRIEF = 0.25
"""The share of the time for a position no later than one whose search came to no end."""
HOPELESS = 4
"""Plies before such a one where no search is begun."""
BUSY_SHARE = 0.5
"""The share of its time in which a search must have worked, or its end tells nothing: others were."""
VAIN_FOR = 60.0
"""Seconds after which such a search is forgotten: compiled code may be there by now."""


@dataclass
class Prospects:
    """Seconds that searches of a game may take, after those that were in vain.

    Attributes:
        most: seconds for a search at most.
    """

    most: float
    _vain: LRU[str, tuple[int, float]] = field(default_factory=lambda: LRU(64))

    def seconds(self, game: str, ply: int) -> float:
        """Seconds for a search of a position at a ply; 0 where none is begun."""
        vain = self._latest(game)
        if ply > vain:
            return self.most
        return BRIEF * self.most if ply > vain - HOPELESS else 0.0

    @contextmanager
    def remembering(self, game: str, ply: int, seconds: float) -> Iterator[None]:
        """Around a search of so many seconds: remembers where it came to no end."""
        begun = time.process_time()
        try:
            yield
        except LimitReached:
            worked = seconds >= self.most and time.process_time() - begun > BUSY_SHARE * seconds
            if worked and self._latest(game) <= ply:
                self._vain[game] = ply, time.monotonic() + VAIN_FOR
            raise

    def _latest(self, game: str) -> int:
        """The latest ply at which a search came to no end of late; -1 where none did."""
        ply, forgotten = self._vain.get(game, (-1, 0.0))
        return ply if time.monotonic() < forgotten else -1


# What is proven of a position that is too large to work out at once, a slice of a second at a time, and
# beside it an estimate; both as a page shows them.


SLICE = 0.8
"""Seconds of one slice: who leaves the position gives up no more than that."""
MOST_SLICES = 30
"""Slices that a page asks for of one position before a person is to say that it shall go on."""
LEAST_MEMORY, SHARE = 48 << 20, 3
"""Memory of the table in which a process keeps what it proves of a game, for all who ask: so much, or one in
SHARE of what a worker may take.
"""
MOST_THREADS = 4
"""Threads that share that table: as many as there are cores, at most."""
KEPT_PROOFS = 64
"""Proofs that a process keeps; as many estimates."""
SIMULATIONS, PLIES = 300, 15_000
"""Random games of an estimate at most, and their plies together, about: some tenths of a second in plain
Python, and no more than seconds of games as long as those of chess.
"""
JUDGED, JUDGING = 20_000, 0.8
"""Positions that are judged by an evaluation at most, all moves together, and seconds."""
MANY, CELLS = 45, 5.0
"""Moves beyond which none of them is searched, and cells of Go that are worth as much as a pawn of chess."""
FEWEST, LONGEST_ESTIMATE = 10, 10
"""Games that are played however long they are, and seconds after which rules are too slow for an estimate."""

_proofs = LRU[tuple[object, ...], Proof](KEPT_PROOFS)
_estimates = LRU[tuple[object, ...], dict[int, float]](KEPT_PROOFS)
_tables = LRU[str, tuple[Game, dict[bool, Prover]]](2)
"""Games of which a process keeps a table."""


def is_proven_in_slices(session: GameSession) -> bool:
    """Return whether the moves of a position can be proven so: wins, draws and losses in a number of
    plies.
    """
    game = session.game
    return all(need.is_met(game) for need in PROOF_NEEDS) and not in_units(game)


def proof_so_far(session: GameSession) -> Proof:
    """Return what is proven of the position that is shown, here or by whoever keeps proofs in the same
    cache.
    """
    found = _proofs.get((session.name, session.position.state))
    if found is not None and found.game is session.game:
        return found
    memory = max(LEAST_MEMORY, session.lab.job.memory // SHARE)
    job = Job(memory=memory, jobs=min(MOST_THREADS, cores()))
    game = session.game  # whose file may have been edited
    # what was proven of one position is known in all others
    _game, provers = _tables.find(session.name, lambda: (game, {}), lambda kept: kept[0] is game)
    return Proof(game, session.position.state, job, known=known_before(game), provers=provers)


def proof_of(session: GameSession) -> Proof:
    """Return the same after one more slice."""
    found = _proofs[session.name, session.position.state] = proof_so_far(session)
    if not found.exhausted:
        found.advance(SLICE if session.slice else SLICE / 4)  # the first comes with the estimate
    return found


def solution_of(proof: Proof) -> Solution:
    """A proof that is complete, as the solution of its position."""
    game, s = proof.game, proof.state
    ours = side(game, s)
    scores = {game.play(s, move): bounds.low for move, bounds in proof.bounds.items()}
    best = max(later(ours * score) for score in scores.values())
    return Solution(game, s, StateTable({s: ours * best} | scores), "alpha-beta", cyclic=False)


def known_values(proof: Proof) -> dict[int, tuple[Value, int | None]]:
    """The moves that are known exactly, as a solution explains them."""
    ours = side(proof.game, proof.state)
    return {
        move: (value_of_score(ours * bounds.low), 1 + TOP - abs(bounds.low) if bounds.low else None)
        for move, bounds in proof.bounds.items()
        if bounds.exact
    }


def estimates(session: GameSession) -> dict[int, float]:
    """Return what is likely of every move, for who is to move: from -1 to 1. By the evaluation of the game, a
    few plies after each move; of a game that has none by random games.
    """
    estimate = by_evaluation if judges(session.game) else by_random_games
    with suppress(DamierError):
        return _estimates.find((session.name, session.position.state), lambda: estimate(session))
    return {}


def judges(game: Game) -> str:
    """The evaluation by which moves are judged; nothing where random games tell as much."""
    return INFLUENCE if game.name == "go" and game.source is None else game.evaluation


def by_evaluation(session: GameSession) -> dict[int, float]:
    """Return what a short search of its own finds after each move or, where they are many, what the
    evaluation says of the position there.
    """
    game, s = session.game, session.position.state
    after = {move: child for move in game.legal(s) if not game.over(child := game.play(s, move))}
    share = 1 / max(1, len(after))
    text = (
        f"selective:nodes={max(1, int(JUDGED * share))},seconds={JUDGING * share:.4f},evaluate={judges(game)}"
    )
    player = brought(session.lab, text)
    assert isinstance(player, SearchPlayer)
    static, unit = evaluation(game, judges(game)), CELLS if game.name == "go" else 1.0

    def value_of(child: State) -> float:
        """The value of what a move leads to, for who moves there."""
        if len(after) > MANY:
            terms = zip(static.features, static.weights, strict=True)
            return side(game, child) * sum(weight * feature(child) for feature, weight in terms)
        value = player.analyse(child, 1).value
        assert not isinstance(value, tuple)
        return value

    return {
        move: squeezed((1 if game.mover(child) == game.mover(s) else -1) * value_of(child) / unit)
        for move, child in after.items()
    }


def by_random_games(session: GameSession) -> dict[int, float]:
    """Return what random games say that a tree search directs."""
    s = session.position.state
    player = brought(session.lab, estimating(session.game, s))
    assert isinstance(player, SearchPlayer)
    found = player.analyse(s, 1)
    return {move: float(value) for move, value in found.values.items() if not isinstance(value, tuple)}


def estimating(game: Game, s: State) -> str:
    """The agent that estimates, by as many games as one of them is short."""
    games = PLIES // max(1, plies_of_random_game(game, s))
    return f"mcts:simulations={min(SIMULATIONS, max(FEWEST, games))},seconds={LONGEST_ESTIMATE}"


def proven_moves(session: GameSession, proof: Proof) -> list[pages.Row]:
    """Every move: what is proven of it in words, its value where that is exact, and the estimate, which comes
    with the first slice.
    """
    exact, guessed = known_values(proof), estimates(session) if proof.slices else {}
    game, s = proof.game, proof.state
    return [
        {
            "name": game.say_move(s, move),
            "proven": move_in_words(proof, move),
            "value": exact[move][0] if move in exact else None,
            "estimate": decimal(guessed[move], "+.2f") if move in guessed else "",
        }
        for move in proof.bounds
    ]


def move_in_words(proof: Proof, move: int) -> str:
    """Return what is proven of a move for who makes it."""
    bounds = proof.bounds[move]
    least, most = bounds.for_mover(side(proof.game, proof.state))
    if bounds.exact:
        plies = 1 + TOP - abs(least)
        if not least:
            return _("a draw")
        return _("wins in {n}", n=plies) if least > 0 else _("loses in {n}", n=plies)
    if least > 0:
        return _("a win")
    if most < 0:
        return _("a loss")
    if least == 0:
        return _("at least a draw")
    if most == 0:
        return _("at most a draw")
    plies = min(TOP - most, TOP + least)
    return _("open for {n} plies", n=plies) if plies > 1 else ""


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
TABLES_SOON = 3.0
"""Seconds for which tables that are being built are waited for before a search goes on beside them: those of
chess with three pieces take about one, once they are compiled.
"""
ENUMERATED = 1
"""The slice after which, once, all that can follow is gone through: of what the first one has not proven."""
REMEMBERED = 60.0
"""Seconds after which it is tried again where time was short: compiled code may be there by now."""


@dataclass(frozen=True)
class KnownTruth:
    """Exact truth about a position, as far as it is known.

    Attributes:
        solution: what is known: of the whole game or, where that is too large, of one position and its moves;
            None where nothing is
        why: why there is none
        hopeful: whether more work may find it
        whole: whether it is of the whole game
        proof: what is proven where not all is
        ended: whether the game is over in the position that is shown, of which no more can be known
        tables: what is to be said of endgame tables that do not know it yet
    """

    game: Game
    solution: AnySolution | None
    why: str = ""
    hopeful: bool = False
    whole: bool = True
    proof: Proof | None = None
    ended: bool = False
    tables: str = ""


prospects = Prospects(SEARCHING)
_known = LRU[tuple[str, str, int], tuple[KnownTruth, float]](32)
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
    if not session.begin:
        session.lab.known = found.solution
    return found


def worked_out(session: GameSession, memory: int) -> tuple[KnownTruth, bool]:
    """Return the same, and whether it lasts: time was not short. Plain Python for a small game: it
    needs no compiler.
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
    """Return what is said of a game that takes more than a page may ask for."""
    why = _("the game is too large to work out all of its positions here")
    return KnownTruth(game, None, why, hopeful=True)


def known_at_once(session: GameSession) -> KnownTruth:
    """Return what is known of a game or, where that is too large, how it ended, or what was proven
    before of the position that is shown; nothing is worked out for that.
    """
    found = known_whole(session, SMALL)
    if found.hopeful and session.position.over and is_too_large(session.game):
        return ended(session)
    if not found.hopeful or session.position.over:
        return found
    tables = ask_tables(session.game, session.position.state)
    if tables.solution:
        return KnownTruth(session.game, tables.solution, whole=False)
    if is_proven_in_slices(session):
        proof = proof_so_far(session)
        if proof.begun:
            return beside_tables(from_proof(session, proof, found.why), tables)
    return beside_tables(found, tables)


def beside_tables(found: KnownTruth, tables: TablesAnswer) -> KnownTruth:
    """Return what is known where endgame tables do not know more yet: with what is said of them, and as
    something to be asked for again while they are being built.
    """
    if found.solution:
        return found
    return replace(found, tables=tables.why, hopeful=found.hopeful or tables.building)


def known_whole(session: GameSession, memory: int) -> KnownTruth:
    """`known`, but where it is hardly worth a try: of a game that says itself that it is too large, and
    whose positions are proven one by one.
    """
    game = session.game
    alone = session.position.over or is_proven_in_slices(session)
    return too_large(game) if alone and is_too_large(game) else known(session, memory)


def is_too_large(game: Game) -> bool:
    """Return whether a game says itself that a page cannot work out all of its positions."""
    try:
        refuse_too_large(game, Job(memory=LARGEST))
    except LimitReached:
        return True
    return False


def ended(session: GameSession) -> KnownTruth:
    """Return what is known of the end of a game: all, of that position."""
    return KnownTruth(session.game, None, whole=False, ended=True)


def from_proof(session: GameSession, proof: Proof, why: str) -> KnownTruth:
    """Return what a proof says, the whole of it or so far."""
    if proof.complete:
        return KnownTruth(session.game, solution_of(proof), whole=False)
    more = not proof.exhausted and (session.slice + 1) % MOST_SLICES != 0
    return KnownTruth(session.game, None, why, more, whole=False, proof=proof)


def known_here(session: GameSession) -> KnownTruth:
    """The solution of a game or, where that is too large, what endgame tables hold of the position that is
    shown, a search of it finds within a second, or has proven so far.
    """
    found = known_whole(session, LARGEST)
    if not found.hopeful:
        return found
    if session.position.over:
        return ended(session)
    tables = ask_tables(session.game, session.position.state, patience=TABLES_SOON, begin=True)
    if tables.solution:
        return KnownTruth(session.game, tables.solution, whole=False)
    if not is_proven_in_slices(session):
        return searched(session, found.why)
    proven = beside_tables(from_proof(session, proof_of(session), found.why), tables)
    if proven.solution is None and session.slice == ENUMERATED and not session.game.acyclic:
        whole = searched(session, found.why)  # draws that go round in circles are proven by no horizon
        return whole if whole.solution else proven
    return proven


def searched(session: GameSession, why: str) -> KnownTruth:
    """Return what is found within a second of the position that is shown, by a search or by going
    through all that can follow.
    """
    seconds = prospects.seconds(session.name, session.at)
    if not seconds:
        why_none = _("proofs of later positions have come to no end here, so that none of this one is begun")
        return KnownTruth(session.game, None, together(why, why_none), whole=False)
    try:
        with prospects.remembering(session.name, session.at, seconds), time_limit(seconds):
            found = solving.solved(session.game, session.position.state, Job(memory=LARGEST), seconds)
        return KnownTruth(session.game, found.solution, whole=False)
    except LimitReached as error:
        searched_in_vain = "at_least" in error.reached
        sentence = together(why, proven(error.reached, seconds)) if searched_in_vain else for_page(str(error))
        return KnownTruth(session.game, None, sentence, whole=False)
    except TimeIsUp:
        return KnownTruth(session.game, None, why, whole=False)


def proven(reached: Mapping[str, object], seconds: float) -> str:
    """Return what a search that was stopped says of its position."""
    bounds = (reached.get("at_least"), reached.get("at_most"))
    if any(isinstance(bound, int) for bound in bounds):
        least, most = ("?" if bound is None else f"{bound:+}" for bound in bounds)
        return _(
            "a search of {time} proves at least {least} and at most {most} for who is to move",
            time=in_seconds(seconds),
            least=least,
            most=most,
        )
    if bounds == ("draw", "win"):
        return _("a search of {time} proves at least a draw for who is to move", time=in_seconds(seconds))
    if bounds == ("loss", "draw"):
        return _("a search of {time} proves at most a draw for who is to move", time=in_seconds(seconds))
    return _("a search of {time} of this position proves nothing", time=in_seconds(seconds))


def history(found: KnownTruth, session: GameSession) -> dict[int, HistoricMoment]:
    """By ply, what the positions of the game were worth, from the side of the first player, and
    which moves lost something: as far as it is known.
    """
    solution, last = found.solution, len(session.positions) - 1
    if solution and found.whole:
        return {ply: moment(solution, session, ply, whole=True) for ply in range(last + 1)}
    moments = moments_proven(session, bounds_along(found, session)) if is_proven_in_slices(session) else {}
    if solution and session.at not in moments:
        moments[session.at] = moment(solution, session, session.at, whole=False)
    if session.positions[last].over and (found.ended or moments):
        lost = moments[last].lost if last in moments else None
        moments[last] = replace(end_of(session), lost=lost)
    return moments


def bounds_along(found: KnownTruth, session: GameSession) -> list[Bounds]:
    """Return what is proven of every position of the game, without any work: what is known of the one shown,
    what was proven here, or by whoever keeps proofs in the same cache; what endgame tables hold, how the game
    ended, and what follows of a position for those beside it.
    """
    game, before = session.game, known_before(session.game)
    along = [bounds_at(session, position.state, before) for position in session.positions]
    if session.positions[-1].over:
        along[-1] = Bounds()
        take_in(along[-1], end_score(game, session.positions[-1].state, units=False))
    if found.proof:
        tighten(along[session.at], found.proof.own.low, found.proof.own.high)
    elif isinstance(found.solution, Solution):
        score = found.solution.score(session.position.state)
        tighten(along[session.at], score, score)
    plies = range(len(along) - 1)
    for ply in (*reversed(plies), *plies):
        link(along[ply], along[ply + 1], first=game.mover(session.positions[ply].state) == 0)
    return along


def bounds_at(session: GameSession, s: State, before: KnownBefore | None) -> Bounds:
    """Return what is proven of one position in which a game is not over."""
    game, found = session.game, Bounds(1 - TOP, TOP - 1)
    if (score := score_in_tables(game, s)) is not None:
        return Bounds(side(game, s) * score, side(game, s) * score)
    proof = _proofs.get((session.name, s))
    if proof is not None and proof.game is game:
        own = proof.own
        tighten(found, own.low, own.high)
    if before is not None:
        take_in(found, before.look(s))
    return found


def link(parent: Bounds, child: Bounds, *, first: bool) -> None:
    """Tightens the bounds of a position, and of another that a move of the `first` player leads to, or one of
    the other: none of the moves is worth more than the position. Where the past of a game had a say (a draw
    by repetition), nothing follows.
    """
    low, high = (later(child.low), TOP) if first else (-TOP, later(child.high))
    least, most = (-TOP, sooner(parent.high)) if first else (sooner(parent.low), TOP)
    if max(low, parent.low) <= min(high, parent.high) and max(least, child.low) <= min(most, child.high):
        tighten(parent, low, high)
        tighten(child, least, most)


def moments_proven(session: GameSession, along: list[Bounds]) -> dict[int, HistoricMoment]:
    """By ply, those positions of which it is proven who wins, or that nobody does; with what a move lost
    where that is proven of the position before it, too.
    """
    values = [value_within(bounds) for bounds in along]
    moments = {}
    for ply, (value, bounds) in enumerate(zip(values, along, strict=True)):
        if value is None:
            continue
        plies = TOP - abs(bounds.low) if bounds.exact and bounds.low else None
        had = values[ply - 1] if ply else None
        lost = had and lost_between(had, value, side(session.game, session.positions[ply - 1].state))
        moments[ply] = HistoricMoment(session.moves[ply - 1] if ply else "", value, plies, lost)
    return moments


def value_within(bounds: Bounds) -> Value | None:
    """Return what a position is worth to the first player, where its bounds leave no doubt."""
    low, high = value_of_score(bounds.low), value_of_score(bounds.high)
    return low if low == high else None


def end_of(session: GameSession) -> HistoricMoment:
    """Return how a game ended, from the side of the first player."""
    game, s = session.game, session.positions[-1].state
    payoff, alone = game.payoff(s, 0), game.players == 1
    payoff_value = PayoffValue(payoff, "payoff" if alone else "margin") if alone or abs(payoff) > 1 else None
    return HistoricMoment(
        session.moves[-1] if session.moves else "", value_of_score(payoff), 0, payoff=payoff_value
    )


def moment(solution: AnySolution, session: GameSession, ply: int, *, whole: bool) -> HistoricMoment:
    """Return what one position was worth; where the `whole` game is known, with what its move lost."""
    position = session.positions[ply]
    move = session.moves[ply - 1] if ply else ""
    if isinstance(solution, ValueSolution):
        payoff = solution.for_first(position.state)
        given = given_away(solution, session.positions[ply - 1], position) if ply and whole else None
        return HistoricMoment(move, payoff.word, None, given, payoff)
    score, lost = solution.score(position.state), None
    value = value_of_score(score)
    if ply and whole:
        before = session.positions[ply - 1].state
        lost = lost_between(value_of_score(solution.score(before)), value, side(position.game, before))
    return HistoricMoment(
        move,
        value,
        distance_of(position.game, position.state, score, solution.table.top),
        lost,
    )


def given_away(
    solution: ValueSolution, before: Position, after: Position
) -> tuple[AnyValue, AnyValue] | None:
    """Return what a position was worth to its mover and what it is after the move, where that is less."""
    if before.mover == CHANCE:
        return None
    had, has = (solution.for_first(position.state) for position in (before, after))
    if side(before.game, before.state) < 0:
        had, has = -had, -has
    return (had, has) if has.payoff < had.payoff - MARGIN else None


def lost_between(had: Value, has: Value, ours: int) -> tuple[Value, Value] | None:
    """Return what two positions are worth to who moved from the one to the other, whose side is `ours`, where
    the second is less; given what both are worth to the first player.
    """
    if ours * PAYOFFS[has] >= ours * PAYOFFS[had]:
        return None
    return (had, has) if ours > 0 else (OPPOSITE[had], OPPOSITE[has])


# Lines of best play, played out on the board.
#
# A line is found when it is asked for. On the page it stands in the place of the moves that followed: an
# address of the game like any other, whose `why` says from which ply on its moves are the line.

LONGEST_LINE = 200
"""Plies of a line."""
LINE_SECONDS = 2 * SEARCHING
"""Seconds for a line, beside what it takes to know the position that it begins in."""


# The links by which a line is asked for.


def has_lines(session: GameSession) -> bool:
    """Return whether a line can show anything of a game: nobody draws, and nothing is hidden; at a table
    nobody leaves the game that is played there.
    """
    return session.me is None and all(need.is_met(session.game) for need in PROOF_NEEDS)


def why_links(session: GameSession, marks: list[MoveMark]) -> dict[str, pages.Row]:
    """By the names of moves that give something away, or lose, the line that shows it."""
    known = any(mark.best for mark in marks)
    worse = [mark for mark in marks if mark.value == "loss" or (mark.value and known and not mark.best)]
    return {mark.name: link for mark in worse if (link := link_of(session, mark))}


def proof_links(session: GameSession, marks: list[MoveMark]) -> dict[str, pages.Row]:
    """By moves that win or lose, as people write them, the line that shows it."""
    decided = [mark for mark in marks if mark.value and mark.value != "draw"]
    return {mark.text: link for mark in decided if (link := link_of(session, mark))}


def link_of(session: GameSession, mark: MoveMark) -> pages.Row | None:
    """The link to the line after a move: its address, the move that it explains, and what it is to explain,
    in words; None where there is none, or nothing follows.
    """
    game = session.game
    if not has_lines(session) or game.over(game.play(session.position.state, mark.move)):
        return None
    return {"address": address_of(session, mark.name), "move": mark.name, "words": mark.words}


def why_here(session: GameSession, here: HistoricMoment | None) -> pages.Row | None:
    """The link to the line that shows why a position is won or lost, or what the last move gave away; None
    where it is neither.
    """
    if here is None or (here.value == "draw" and here.lost is None):
        return None
    if not has_lines(session) or session.position.over:
        return None
    return {"address": address_of(session), "move": "", "words": here.words(session.at)}


def address_of(session: GameSession, move: str = "") -> str:
    """The address of a line from the position that is shown, or from after a move."""
    return pages.address(f"/why/{session.name}", **{**session.query(), "why": "", "move": move})


# The line.


def explained(session: GameSession, move: str) -> GameSession:
    """Return the same game with the line in the place of what followed, at its first position.

    Raises BadInput where nothing is known of that.
    """
    if move:  # as its name has it, however it was written
        move = session.game.name_move(session.position.state, session.position.read(move))
    if not has_lines(session) or session.position.over:
        raise BadInput(message("no line shows that here"))
    begun = replace(session, written=tuple(session.moves[: session.at]), why=-1, guessed=True)
    begun = begun.then(move) if move else begun
    moves = (*begun.moves, *line_from(session, begun, move))
    if len(moves) == len(begun.moves):
        raise BadInput(message("no line is found here in the time that a page has"))
    return replace(begun, written=moves, at=len(begun.moves), why=len(begun.moves))


def line_from(session: GameSession, begun: GameSession, move: str) -> Iterator[str]:
    """Yield best play of a game that has `begun`, by a proof of the position that is `session` of where there
    is one.
    """
    game, s = begun.game, begun.position.state
    proven = proven_line(session, move)
    for each in proven:
        yield game.name_move(s, each)
        s = game.play(s, each)
    if not proven:
        yield from known_line(begun)


def proven_line(session: GameSession, move: str) -> list[int]:
    """Return best play from the position, or from after a move, as far as a search that proves it finds it in
    time; nothing where it proves nothing.
    """
    if not is_proven_in_slices(session) or not known_whole(session, LARGEST).hopeful:
        return []
    proof, deadline = proof_so_far(session), time.perf_counter() + LINE_SECONDS
    first = session.position.named_moves[move] if move else None
    while not (proof.own if first is None else proof.bounds[first]).exact:
        if time.perf_counter() > deadline:
            return []
        proof.advance(SLICE)
    return proof.line(LINE_SECONDS, first)


def known_line(session: GameSession) -> Iterator[str]:
    """Yield best play as solutions know it: the one of the position as far as it goes, then those of the
    positions that follow. It ends where a position comes back.
    """
    game, deadline = session.game, time.perf_counter() + LINE_SECONDS
    solution: AnySolution | None = None
    visited = set[State]()
    while not session.position.over and len(visited) < LONGEST_LINE and time.perf_counter() < deadline:
        s = session.position.state
        if s in visited:
            return
        visited.add(s)
        best = best_of(solution, s) or best_of(known_here(replace(session, slice=0)).solution, s)
        if best is None:
            return
        yield (name := game.name_move(s, best[0]))
        solution, session = best[1], session.then(name)


def best_of(solution: AnySolution | None, s: State) -> tuple[int, AnySolution] | None:
    """Return the first of the best moves as a solution knows them, and the solution; None where it does
    not.
    """
    try:
        found = solution.fastest_moves(s) if solution else 0
    except BadInput:  # it is of one position and its moves only
        return None
    return (first_move(found), solution) if found and solution else None


# How it is told.


def why_part(session: GameSession) -> str:
    """The line that a page shows: what it comes to, its moves, and the ways along it and back."""
    if session.why < 0:
        return ""
    first = max(0, session.why - 1)
    return pages.part(
        "board_why.html",
        session=session,
        player=player_in_words,
        steps=[
            {"ply": ply, "said": session.move_texts[ply - 1], "address": at_ply(session, ply)}
            for ply in range(first + 1, len(session.moves) + 1)
        ],
        before=at_ply(session, session.at - 1) if session.at > first else "",
        after=at_ply(session, session.at + 1) if session.at < len(session.moves) else "",
        back=at_ply(replace(session, written=tuple(session.moves[: session.why]), why=-1), first),
    )


def at_ply(session: GameSession, ply: int) -> str:
    """The address of the same game at another ply."""
    return pages.address(f"/{session.name}", **replace(session, at=ply).query())
