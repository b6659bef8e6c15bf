"""The exact value of a position: by enumerating all that can follow, or, where that is too much for
the memory budget, by an exact search from there.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, NoReturn, TypeAlias

from damier.core.arrays import IntArray, np
from damier.core.code_cache import make_private, place
from damier.core.data_files import OF_GAME, Cell, Columns, DataTable, joined_columns, of_game
from damier.core.errors import BadFile, BadInput, Interrupted, LimitReached, Unsuitable
from damier.core.files import doubt_about_folder
from damier.core.game import Game
from damier.core.job import Job, Progress, TimeIsUp, cores, is_past, note_of_process, until
from damier.core.json_types import JsonObject
from damier.core.keys import flat, widths
from damier.core.open_addressing import array_of, code_of
from damier.core.rules import CHANCE, TOP, State
from damier.core.runtime import has_numpy
from damier.core.solution import (
    DISTANT_SCORE_TYPE,
    PAYOFF_TYPE,
    SCORE_TYPE,
    TOPS,
    AnySolution,
    AnyValue,
    PayoffValue,
    Scores,
    Solution,
    StateTable,
    ValueSolution,
    side,
    signed,
    value_of_score,
    word_of,
)
from damier.core.tiers import Allowance
from damier.core.words import N_, FormattedNumber, _, decimal, grouped, message, ngettext
from damier.lab.games import Lab
from damier.lab.large import Disk, disk_layers, endgame_tables
from damier.learn.action_values import Row
from damier.search.exact import NEEDS, Exact, exact, exact_within
from damier.search.proof_store import Book, Bounds, Proofs, ProvenScore, kept_in, read_book
from damier.solve import dispatch, solve
from damier.solve.count import Counts, count
from damier.solve.reach import BOUND, TooMany, in_units, pure_layers

Method: TypeAlias = Literal["auto", "enumerate", "search"]

SECONDS = 30.0
"""How long a search may take where nobody said so."""
FIRST_SECONDS = 60.0
"""The same from the first position of a game, which takes longest, where all cores are at work: Connect Four
7×6 is proven within it by two of them.
"""
TRIED_SECONDS = 5.0
"""How long a search is tried before a large game is enumerated."""
LARGE = 1 << 28
"""Positions, by the game's own bound, from which on a search is tried first: to enumerate so many
takes minutes.
"""
RECALLED = N_("proven before")
"""The method of an answer for which nothing was searched."""


@dataclass(frozen=True)
class SolvedPosition:
    """Knowledge of a position and its moves.

    `positions`: how many were solved; of a search, looked at, each as often as it was. `written`:
    whether the whole solution is in its file already.
    """

    solution: AnySolution
    positions: int
    searched: bool
    written: bool = False


def solved(
    game: Game,
    s: State,
    job: Job,
    seconds: float | None = None,
    *,
    whole: bool = False,
    method: Method = "auto",
    bound: float = BOUND,
    disk: Disk | None = None,
    out: Path | None = None,
    fresh: bool = False,
) -> SolvedPosition:
    """The value of `s` and of its moves, or of everything that can follow it, if the `whole` is
    asked for.

    By itself (`auto`) it enumerates what fits into the memory budget, and else searches; where
    there is much to enumerate, it tries first whether a search answers in a few seconds. Value,
    distance and best moves are the same either way. Expected payoffs are no farther than `bound`
    from the right ones. With `disk`, layers that do not fit into memory go there, and the whole solution
    to `out`. What a search has proven before it does not prove again, unless it is to be `fresh`.

    Raises LimitReached at the limit of memory or of time, with what is proven so far; Interrupted
    after a note of what is.
    """
    deadline = None if seconds is None else time.perf_counter() + seconds
    limited = job if deadline is None else replace(job, progress=limited_to(deadline, job.progress))
    dispatch.refuse_unsuitable(game, "solve")
    if method == "search":
        return _by_search(game, s, job, seconds, whole=whole, fresh=fresh)
    if method == "auto" and not whole and (answer := _tried(game, s, job, seconds, fresh)):
        return answer
    if disk is not None and disk_layers().is_begun(disk):
        return solution_on_disk(game, s, limited, disk, out, deadline)
    try:
        if (method == "auto" or disk is not None) and (s == game.start or _is_searched(game)):
            dispatch.refuse_too_large(game, job, dispatch.bytes_of(game))
        with until(deadline):
            solution = dispatch.solve(game, s, limited, bound=bound)
        return SolvedPosition(solution, len(solution), searched=False)
    except LimitReached as error:
        if disk is not None and not is_past(deadline):
            error.__traceback__ = None  # whose frames hold all that did not fit
            return solution_on_disk(game, s, limited, disk, out, deadline)
        refusal = _with_advice(error, game) if disk is None else error
        if method == "enumerate":
            raise refusal from None
    except TimeIsUp:
        raise LimitReached(message("stopped at the limit of time (--seconds)")) from None
    if whole:
        raise LimitReached(
            message(
                "{refusal}. A search of this position alone, without --out, leaves nothing to write",
                refusal=refusal,
            ),
            refusal.reached,
        )
    if not _is_searched(game):
        raise refusal
    left = usual_seconds(game, s, job) if deadline is None else deadline - time.perf_counter()
    if left <= 0:
        raise refusal
    return _searched(_exact(game, s, job, left, fresh), job, refusal)


def _exact(game: Game, s: State, job: Job, seconds: float, fresh: bool) -> Exact:
    """A search that knows what was proven before."""
    units = in_units(game)
    known = known_before(game, units=units, fresh=fresh)
    return exact(game, s, job, seconds, units=units, known=known, in_words=nodes_and_proven)


def usual_seconds(game: Game, s: State, job: Job) -> float:
    """Return how long a search of `s` may take where nobody said so."""
    return FIRST_SECONDS if s == game.start and job.jobs >= cores() else SECONDS


def counted(game: Game, job: Job, *, symmetric: bool, disk: Disk | None) -> Counts:
    """Return how many positions a game has; with `disk`, layers that do not fit into memory go there.

    Raises LimitReached where memory, or disk, does not suffice.
    """
    if disk is None or not disk_layers().is_begun(disk):
        try:
            return count(game, job=job, symmetric=symmetric)
        except LimitReached as error:
            if disk is None:
                raise _with_advice(error, game) from None
    return disk_layers().count_on_disk(game, None, job, disk, symmetric=symmetric)


def solution_on_disk(
    game: Game, s: State, job: Job, disk: Disk, out: Path | None, deadline: float | None
) -> SolvedPosition:
    """The answer with layers on disk. Raises LimitReached."""
    try:
        with until(deadline):
            solution, positions = disk_layers().solve_on_disk(game, s, job, disk, out)
    except TimeIsUp:
        raise LimitReached(message("stopped at the limit of time (--seconds)")) from None
    return SolvedPosition(solution, positions, searched=False, written=True)


def _with_advice(refusal: LimitReached, game: Game) -> LimitReached:
    """A refusal for want of memory, with what the disk can do about it."""
    if "memory" not in refusal.reached or not disk_layers().fits_disk(game):
        return refusal
    return LimitReached(
        message("{refusal}; with --disk GIB its layers go to disk", refusal=refusal), refusal.reached
    )


def from_tables(folder: Path, game: Game, s: State) -> SolvedPosition:
    """The value of `s` and of its moves as endgame tables hold them.

    Raises BadFile for a folder without tables of this game, BadInput where they do not reach `s`.
    """
    begun = time.perf_counter()
    solution = endgame_tables().open_tables(folder, game).solution(s)
    seconds = time.perf_counter() - begun
    return SolvedPosition(replace(solution, seconds=seconds), len(solution), searched=True)


def _by_search(
    game: Game, s: State, job: Job, seconds: float | None, *, whole: bool, fresh: bool
) -> SolvedPosition:
    """The answer of a search alone."""
    if whole:
        raise BadInput(
            message(
                "--method search answers for one position, and --out writes the values of all; give one of"
                " them"
            )
        )
    limit = usual_seconds(game, s, job) if seconds is None else seconds
    return _searched(_exact(game, s, job, limit, fresh), job, None)


def _tried(game: Game, s: State, job: Job, seconds: float | None, fresh: bool) -> SolvedPosition | None:
    """The answer of a search, where there is much to enumerate and it is quick."""
    if game.states is None or game.states <= LARGE or game.states * dispatch.least_bytes(game) > job.memory:
        return None
    if not _is_searched(game):
        return None
    limit = TRIED_SECONDS if seconds is None else min(TRIED_SECONDS, seconds)
    found = _exact(game, s, job, limit, fresh)
    return _searched(found, job, None) if found.complete or found.interrupted else None


def _is_searched(game: Game) -> bool:
    """Return whether an exact search serves a game; of others a late position is enumerated, however many
    positions there are from the first on.
    """
    return all(need.is_met(game) for need in NEEDS)


def limited_to(deadline: float, progress: Progress) -> Progress:
    """Return signs of life, at one of which the work ends when its time is over."""

    def tell(done: int, total: int | None, what: str) -> None:
        progress(done, total, what)
        if time.perf_counter() > deadline:
            raise LimitReached(
                message(
                    "stopped at the limit of time (--seconds) after {n} {what}",
                    n=FormattedNumber(done, ","),
                    what=what,
                )
                if done
                else message("stopped at the limit of time (--seconds)"),
                {"done": done},
            )

    return tell


def _searched(found: Exact, job: Job, refusal: LimitReached | None) -> SolvedPosition:
    """The answer of a search that came to its end; else what it proved is told."""
    if not found.complete:
        _tell(found, job, refusal)
    game, s, method = found.game, found.state, METHOD if found.nodes else RECALLED
    if found.recalled and found.nodes:
        job.note(
            ngettext(
                "{n} score was proven before; --fresh proves it anew",
                "{n} scores were proven before; --fresh proves them anew",
                found.recalled,
            )
        )
    scores = {s: found.bounds.low} | {
        game.play(s, move): bounds.low for move, bounds in found.children.items()
    }
    if found.units:
        payoffs = ValueSolution(
            game,
            s,
            StateTable(scores, PAYOFF_TYPE),
            method,
            cyclic=False,
            kind="margin",
            seconds=found.seconds,
        )
        return SolvedPosition(payoffs, found.nodes, searched=True)
    return SolvedPosition(
        Solution(game, s, StateTable(scores), method, cyclic=False, seconds=found.seconds),
        found.nodes,
        searched=True,
    )


def solved_within(game: Game, s: State, nodes: int) -> AnySolution | None:
    """Return the values of a position and of its moves, where a search in plain Python proves them within so
    many nodes: the same on every machine.
    """
    found = exact_within(game, s, nodes, units=in_units(game))
    return _searched(found, Job(), None).solution if found.complete else None


def _tell(found: Exact, job: Job, refusal: LimitReached | None) -> NoReturn:
    """Raises what a search raises that was stopped; `refusal` is why nothing was enumerated."""
    facts = {
        "proven": proven_in_words(found),
        "n": grouped(found.nodes),
        "seconds": decimal(found.seconds, ".1f"),
    }
    if found.interrupted:
        sentence = _("{proven}; the search was stopped after {n} nodes in {seconds} s", **facts)
    else:
        sentence = _(
            "{proven}; the search was stopped after {n} nodes in {seconds} s,"
            " a larger --seconds goes further",
            **facts,
        )
    if refusal is not None:
        sentence += _(". To enumerate is too much: {refusal}", refusal=refusal)
    if found.interrupted:
        job.note(sentence)
        raise Interrupted(proven_so_far(found))
    raise LimitReached(sentence, {**(refusal.reached if refusal else {}), **proven_so_far(found)})


# The exact values of a small game, beside what a learner takes its moves to be worth.

LARGEST = 30_000
"""Positions of the largest game whose values are quickly found."""


@dataclass
class Truth:
    """The exact values of a small game.

    `known` finds, for a position as a player sees it, one that can come up.
    """

    solution: AnySolution
    known: dict[State, State]

    def of_moves(self, s: State) -> Mapping[int, tuple[AnyValue, int | None]]:
        """Return what each move leads to for the player who makes it, and in how many plies; nothing where
        the position is not known.
        """
        real = self.known.get(s)
        return {} if real is None else self.solution.explain(real)

    def of_afterstate(self, game: Game, s: State) -> tuple[AnyValue, int | None] | None:
        """Return what a position is worth to the player who has just moved."""
        real = self.known.get(s)
        if real is None:
            return None
        if isinstance(self.solution, ValueSolution):
            payoff = self.solution.for_first(real)
            return payoff if side(game, real) < 0 else -payoff, None
        value = value_of_score(-self.solution.score(real) * side(game, real))
        return value, self.solution.distance(real)


def truth(lab: Lab) -> Truth | None:
    """The exact values, where they are quickly found."""
    try:
        states = [
            s
            for layer in pure_layers(lab.game, lab.game.start, Job(), allowance=Allowance(LARGEST))
            for s in layer
        ]
        return Truth(
            solve(lab.game, job=lab.job), {lab.game.canonical(s): s for s in states} | {s: s for s in states}
        )
    except (TooMany, LimitReached, Unsuitable):
        return None


def exact_of(game: Game, name: str, row: Row, exact: Truth) -> list[tuple[AnyValue, int | None] | None]:
    """The exact value of every entry of a row."""
    if name == "v":
        return [exact.of_afterstate(game, row.state)]
    found = exact.of_moves(row.state)
    return [found.get(move) for move in row.moves]


# A solution as a table, a row a position.

SOLUTION_COLUMNS: Columns = {
    **OF_GAME,
    "mover": int,
    "over": bool,
    "value": str,
    "payoff": float,
    "distance": int,
    "best_moves": list,
}
"""The columns of a solution, which those of the fields of its states follow (docs/data.md)."""
POSITIONS_AT_ONCE = 1 << 12
INT64 = 63
"""Bits of the largest whole number that a column holds; a larger one is written as a text of digits."""


def solution_data(solution: AnySolution, progress: Progress) -> DataTable:
    """Return all positions of a solution for data frames, in the order of their keys."""
    fields = list(field_names(solution.start))
    wide = [width > INT64 for width in widths(solution.game.bits)]
    kinds = dict(zip(fields, (str if beyond else int for beyond in wide), strict=True))
    columns = joined_columns(SOLUTION_COLUMNS, fields)
    return DataTable({**columns, **kinds}, _rows(solution, progress, wide))


def field_names(s: State) -> Iterator[str]:
    """Yield the names of all ints of a state: those of a tuple are numbered from 0."""
    for name, field in zip(s._fields, s, strict=True):
        if isinstance(field, tuple):
            yield from (f"state_{name}_{number}" for number in range(len(field)))
        else:
            yield f"state_{name}"


def _rows(solution: AnySolution, progress: Progress, wide: Sequence[bool]) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows; what some thousand positions and their moves lead to is looked up together."""
    game, table = solution.game, solution.key_table()
    given, searched = of_game(game.name, game.options), table.searchable(game)
    for first in range(0, len(table), POSITIONS_AT_ONCE):
        last = min(first + POSITIONS_AT_ONCE, len(table))
        states = [game.unkey(code_of(table.keys, number)) for number in range(first, last)]
        near = list({*states, *(game.play(s, move) for s in states for move in game.legal(s))})
        known = with_scores(solution, near, searched.scores_of(array_of(map(game.key, near), game.key_words)))
        for s in states:
            value, mover = known.value(s), game.mover(s)
            yield (
                *given,
                None if mover == CHANCE else mover,
                game.over(s),
                word_of(value),
                float(value.payoff) if isinstance(value, PayoffValue) else None,
                known.distance(s),
                game.name_moves(s, known.best_moves(s)),
                *(str(field) if beyond else field for field, beyond in zip(flat(s), wide, strict=True)),
            )
        progress(last, len(table), _("positions"))


def with_scores(solution: AnySolution, states: Sequence[State], scores: Scores) -> AnySolution:
    """Return a solution that holds these states alone, in a dictionary, with scores from its key table."""
    if isinstance(solution, ValueSolution):
        found: StateTable[float] = StateTable(dict(zip(states, scores.tolist(), strict=True)), PAYOFF_TYPE)
        return replace(solution, table=found)
    size = scores.dtype.itemsize
    dtype = DISTANT_SCORE_TYPE if size > 2 else SCORE_TYPE
    moved = scores.astype(dtype)
    moved += np.sign(moved) * (TOPS[np.dtype(dtype).itemsize] - TOPS[size])
    return replace(solution, table=StateTable(dict(zip(states, moved.tolist(), strict=True)), dtype))


# Proofs made before of a game's positions: the book that comes with damier, and the store in the
# user's cache.


SWITCH = "DAMIER_PROOFS"
"""`off` in the environment: nothing that was proven before is read, and nothing is kept."""
BOOKS = Path(__file__).parent / "books"
STORE = "proofs-1.pages"


@dataclass(frozen=True)
class KnownBefore:
    """Answers of the book, or else the store; what is new goes to the store.

    Attributes:
        fresh: whether nothing is read
    """

    book: Proofs | None
    store: Proofs | None
    fresh: bool = False

    def look(self, s: State) -> ProvenScore | None:
        for source in (self.book, self.store):
            if not self.fresh and source is not None and (found := source.look(s)) is not None:
                return found
        return None

    @property
    def slots(self) -> IntArray | None:
        return None if self.fresh or self.book is None else self.book.slots

    def note(self, s: State, proven: ProvenScore) -> None:
        if self.store is not None:
            self.store.note(s, proven)


def known_before(game: Game, *, units: bool = False, fresh: bool = False) -> KnownBefore | None:
    """Return what is known of the positions of a game, with `units` their payoffs; None where it is switched
    off. A `fresh` one is asked in vain, and only takes in what is proven anew.
    """
    if os.environ.get(SWITCH) == "off":
        return None
    return KnownBefore(None if units else book_of(game), store_of(game, units=units), fresh)


def store_of(game: Game, *, units: bool = False) -> Proofs | None:
    """The store of this user's cache; None where others could write to it, which a note of the process
    says, and where the rules of the game do not allow one.
    """
    folder = place()
    with contextlib.suppress(OSError):  # where nothing can be kept, nothing is
        make_private(folder)
    if doubt := doubt_about_folder(folder):
        note_of_process(_("proofs are not kept, nor read from there: {reason}", reason=doubt))
        return None
    return kept_in(folder / STORE, game, units=units)


def book_of(game: Game) -> Book | None:
    """The book of one of damier's own games, where there is one for its options."""
    path = book_path(game, BOOKS)
    readable = game.source is None and has_numpy() and path.exists()
    return _opened(game, path) if readable else None


def book_path(game: Game, folder: Path) -> Path:
    """Return where the book of a game is, by its name and options."""
    return folder / f"{re.sub('[^a-z0-9_]+', '-', game.text)}.book"


@lru_cache(16)
def _opened(game: Game, path: Path) -> Book | None:
    """A book as it was read once; one that is damaged is as good as none, and a note says so."""
    try:
        return read_book(path, game)
    except BadFile as error:
        note_of_process(str(error))
        return None


# What an exact search has proven so far, as it is told: in words, and as data.

METHOD = "alpha-beta"


def proven_in_words(found: Exact) -> str:
    """Return what is proven of the position, for the player to move."""
    least, most = found.bounds.for_mover(side(found.game, found.state))
    if found.units:
        return _margins_in_words(least, most)
    if least > 0:
        return (
            _("a win in {low} to {high} plies", low=TOP - most, high=TOP - least)
            if least < most
            else ngettext("a win in {n} ply", "a win in {n} plies", TOP - least)
        )
    if most < 0:
        return (
            _("a loss in {low} to {high} plies", low=TOP + least, high=TOP + most)
            if least < most
            else ngettext("a loss in {n} ply", "a loss in {n} plies", TOP + most)
        )
    if least == most:
        return _("a draw")
    return (
        _("at least a draw")
        if least == 0
        else _("at most a draw")
        if most == 0
        else _("neither a win nor a loss is proven or excluded")
    )


def nodes_and_proven(found: Exact) -> str:
    """Return what a search counts, and what it has proven so far; the latter behind a semicolon."""
    proven = proven_in_words(found)
    if not found.bounds.exact:
        return _("nodes; so far: {proven}", proven=proven)
    moves = sum(bounds.exact for bounds in found.children.values())
    return _("nodes; {proven}; moves: {known} of {n}", proven=proven, known=moves, n=len(found.children))


def _margins_in_words(least: int, most: int) -> str:
    """Return what is proven of a margin."""
    if least == most:
        return PayoffValue(least).words
    if most == TOP:
        return (
            _("neither a win nor a loss is proven or excluded")
            if least == -TOP
            else _("at least {least}", least=signed(least))
        )
    if least == -TOP:
        return _("at most {most}", most=signed(most))
    return _("at least {least}, at most {most}", least=signed(least), most=signed(most))


def proven_so_far(found: Exact) -> JsonObject:
    """Return what is proven so far as data: of the position, and of every move by its name."""
    game, s = found.game, found.state
    ours = side(game, s)
    in_words = _payoffs if found.units else _values
    moves = {game.name_move(s, move): in_words(bounds, ours) for move, bounds in found.children.items()}
    whole = in_words(found.bounds, ours)
    exactly: JsonObject = (
        {"value": whole["at_least"], "distance": None}
        if found.bounds.exact and found.units
        else {
            "value": whole["at_least"],
            "distance": TOP - abs(found.bounds.low) if found.bounds.low else None,
        }
        if found.bounds.exact
        else {}
    )
    return {
        "value": None,
        "distance": None,
        **whole,
        **exactly,
        "moves": moves,
        "positions": found.nodes,
        "seconds": round(found.seconds, 6),
        "method": METHOD,
    }


def _values(bounds: Bounds, ours: int) -> dict[str, str]:
    """The least and the most that something is worth to a player, in words."""
    least, most = bounds.for_mover(ours)
    return {"at_least": value_of_score(least), "at_most": value_of_score(most)}


def _payoffs(bounds: Bounds, ours: int) -> dict[str, int | None]:
    """The least and the most payoff of a player; None where nothing bounds it."""
    least, most = bounds.for_mover(ours)
    return {"at_least": None if least == -TOP else least, "at_most": None if most == TOP else most}
