"""Tiered execution: every job runs in plain Python at once, and compiled when compiled code is
there.

What is not in the cache is compiled by a copy of this process while the job goes on in plain Python
(docs/decisions/0042). Whichever tier computes something, it computes the same.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from itertools import islice
from typing import NamedTuple, NoReturn, TypeAlias, TypeVar

from damier.core.arrays import Ints, ints, np, words
from damier.core.bits import Rng, mix64, reseed, seeded, word_of
from damier.core.codes import Reader, places, reader_of
from damier.core.compile import Bindings, instantiate
from damier.core.errors import BadGame, Uncompilable
from damier.core.game import Game
from damier.core.job import Job, forget_deadline, from_outside, presses, stand_back, uninterrupted
from damier.core.keys import flat
from damier.core.moves import each
from damier.core.numba_adapter import NotInCache, making_in_turn, only_from_cache
from damier.core.player import drawn_move
from damier.core.rules import Field, Moves, State, as_state, mover, moves, over, payoff, play, reward
from damier.core.runtime import end_with_parent, missing_to_compile
from damier.core.wide import WORD_BITS, is_wide
from damier.core.words import Text, _, message

T = TypeVar("T")

READING_PAYS = 0.25
"""Seconds of plain Python that it takes as long to read compiled engines from the cache."""
COMPILING_PAYS = 1.0
"""Seconds of plain Python that are worth a compiler beside it."""
PLAIN_POSITIONS = 30_000
"""Positions that a job may reach in plain Python before anybody asks for compiled code."""
VISITS = 40
"""How often it may come to each of them: some five seconds for them all."""
ENDLESS = 1 << 60
"""Positions, or seconds: more than there can be."""
MEASURED = 0.02
"""Seconds of plain Python that tell its rate: one game, or one simulation, tells nothing yet."""

compiling_tiers: list[Tier] = []  # one at a time: more would only take each other's time


def nothing() -> None:
    return None


def seconds_left(seconds: float, done: int, total: int) -> float:
    """Return what plain Python would still need, by the rate of what it has done; 0 where that is too
    little to tell.
    """
    return seconds / done * (total - done) if done and seconds >= MEASURED else 0.0


class Tier:
    """The choice of the tier that runs some engines of a game.

    Attributes:
        prepare: calls each of the engines on next to nothing, so that they are compiled
    """

    def __init__(self, game: Game, prepare: Callable[[], object]) -> None:
        self.game, self._prepare = game, prepare
        self.compiled = False  # the engines have been compiled, or read
        self.refusal: Text = ""  # why they cannot be
        if package := missing_to_compile():
            self.refusal = message("there is no compiler here: {package} is not installed", package=package)
        self.spent = 0.0  # seconds in plain Python, of this job and of those before it
        self._looked = False  # into the cache
        self._idle = False  # what it was to be compiled for has ended without it
        self._gave_way = False
        self.copy: CopyOfProcess | None = None

    def rises(self, job: Job, left: float) -> bool:
        """Return whether to go on with compiled code.

        Args:
            left: seconds that plain Python would need for what is left to do; 0 where that is not known yet.
                The compiler is asked only where that is long enough, and nobody waits for it, unless the job
                is to be compiled (`jit`)
        """
        if job.jit is not None:
            if job.jit:
                self._compile(job)
            return self.compiled and job.jit
        if not (self.compiled or self.refusal) and left >= READING_PAYS:
            self._seek(job, left)
        if self.refusal:
            self._tell(job)
        return self.compiled

    def _seek(self, job: Job, left: float) -> None:
        """Takes what is in the cache, or has it compiled."""
        if self.copy is None:
            if not self._looked and self.read_cache():
                return
            if left < COMPILING_PAYS or not all(other.gives_way() for other in compiling_tiers):
                return
            self.copy = copied(self.prepare_in_turn)
            if self.copy is None:
                self._compile(job)
                return
            compiling_tiers[:] = [self]
            # what is told of the work itself meanwhile takes the place of this
            job.progress(0, None, _("compiling; plain Python goes on meanwhile"))
        if self.copy.ended():
            self.refusal = self.copy.refusal
            if not self.refusal and not self.read_cache():
                self._compile(job)  # what cannot be kept on disk
            job.progress(0, None, _("at work"))

    def gives_way(self) -> bool:
        """Return whether another may have something compiled: nobody waits for this any more. Once only, or
        of several that take turns none would ever be compiled.
        """
        if self.copy is not None and not self.copy.ended():
            if not self._idle or self._gave_way:
                return False
            self.copy.kill()
            self.copy, self._gave_way = None, True
        return True

    @contextlib.contextmanager
    def spending(self) -> Iterator[None]:
        """Around work in plain Python, whose seconds count: others are expected to follow."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            self.spent += time.perf_counter() - begun

    @contextlib.contextmanager
    def wanted(self) -> Iterator[None]:
        """Around the work for which it is compiled."""
        self._idle = False
        try:
            yield
        finally:
            self._idle = True

    def read_cache(self) -> bool:
        """Return whether all is in the cache, and was read."""
        self._looked = True
        try:
            with only_from_cache():
                self._prepare_checked()
            self._done()
        except NotInCache:
            pass
        except Uncompilable as error:
            self.refusal = str(error)
        return self.compiled or bool(self.refusal)

    def _prepare_checked(self) -> None:
        """Prepares the engines, and trusts the compiled rules only where they say what the plain ones
        do. Raises BadGame where they do not.
        """
        self._prepare()
        require_agreement(self.game)

    def prepare_in_turn(self) -> None:
        """Prepare and check in a copy of the process, beside other copies, which may be at the same
        engines.
        """
        with making_in_turn():
            self._prepare_checked()

    def _done(self) -> None:
        self.compiled, self._prepare = True, nothing

    def refuse(self, job: Job, reason: str) -> None:
        """From here on plain Python runs it, whatever was prepared."""
        self.compiled, self.refusal = False, reason
        self._tell(job)

    def _compile(self, job: Job) -> None:
        if self.compiled or self.refusal:
            return
        job.progress(0, None, _("compiling"))
        try:
            self._prepare_checked()
            self._done()
        except Uncompilable as error:
            self.refuse(job, str(error))
        job.progress(0, None, _("at work"))

    def _tell(self, job: Job) -> None:
        job.note(
            _("{game} runs as plain Python, uncompiled: {reason}", game=self.game.name, reason=self.refusal)
        )

    @property
    def is_ready(self) -> bool:
        """Return whether the copy of this process has ended that compiled the engines."""
        return self.copy is not None and self.copy.ended()


LOOK = 0.05
"""Seconds between two looks at a job whose end is waited for."""


def tier(game: Game, key: Hashable, prepare: Callable[[], object]) -> Tier:
    """The tier of some engines of a game, the same one whenever it is asked for."""
    if key not in game.tiers:
        game.tiers[key] = Tier(game, prepare)
    found: Tier = game.tiers[key]
    return found


class Outgrown(Exception):
    """Plain Python has come as far as it may."""


class Allowance:
    """The limit of plain Python: so many positions, and not beyond the moment at which compiled
    code is there.

    Attributes:
        visits: how often it may come to a position, where it comes to each again and again
    """

    def __init__(self, positions: int = ENDLESS, tier: Tier | None = None, visits: int | None = None) -> None:
        self.positions = positions
        self.visits = min(VISITS * positions, ENDLESS) if visits is None else visits
        self._tier = tier

    def at_most(self, positions: int) -> Allowance:
        """Return this allowance with no more than so many positions."""
        return Allowance(min(positions, self.positions), self._tier, self.visits)

    @property
    def over(self) -> bool:
        """Return whether compiled code is there."""
        return self._tier is not None and self._tier.is_ready

    def spent(self, positions: int) -> bool:
        """Return whether plain Python has to end here."""
        return positions > self.positions or self.over

    @contextlib.contextmanager
    def watched(self, stop: Callable[[], None]) -> Iterator[None]:
        """Calls `stop`, in another thread, when compiled code is there while the block still runs."""
        if self._tier is None:
            yield
            return
        tier, left = self._tier, threading.Event()

        def watch() -> None:
            while not tier.is_ready:
                if left.wait(LOOK):
                    return
            stop()

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            yield
        finally:
            left.set()
            watcher.join()


def run_tiered(
    tier: Tier,
    job: Job,
    attempt: Callable[[bool, Allowance], T],
    positions: int | None = None,
) -> T:
    """Return what a job gives whose size nobody knows before, and which begins again where it goes over.

    Args:
        attempt: does the job, compiled or, within an allowance, in plain Python
        positions: how many it may reach before anybody asks for compiled code (PLAIN_POSITIONS), unless jobs
            before it have spent long enough

    Raises what an attempt raises, but Outgrown: plain Python raises that where its allowance ends.
    """
    few = PLAIN_POSITIONS if positions is None else positions
    if job.jit is not None or tier.compiled or tier.refusal:
        if not tier.rises(job, 0.0):
            return attempt(False, Allowance())
    elif not tier.rises(job, tier.spent):
        with contextlib.suppress(Outgrown), tier.spending():
            return attempt(False, Allowance(few))
        job.progress(few, None, _("positions"))
        if not tier.rises(job, ENDLESS):
            with contextlib.suppress(Outgrown), tier.wanted():
                return attempt(False, Allowance(tier=tier))
            if not tier.rises(job, ENDLESS):
                return attempt(False, Allowance())
    try:
        return attempt(True, Allowance())
    except Uncompilable as error:  # an engine that was not prepared
        tier.refuse(job, str(error))
        return attempt(False, Allowance())


# Work done by a copy of this process, at low priority: what it leaves on disk is all that it
# leaves.
#
# Only where a process can be copied as a whole (Linux): on other systems there is no copy, and
# whoever wanted one does the work himself (docs/decisions/0042).

NICENESS = 3
"""Added to the priority number of the copy: a third of the processor's time where it has to share."""
LONGEST = 1 << 16

_apart: list[int] = []  # how far the session of copies stands back, where they have one


def copies_stand_back(nice: int) -> None:
    """From here on copies of this process stand back behind every process that stands back less: where
    this one answers somebody, they would take a share of its own time, not of what is left to all.
    """
    _apart[:] = [nice]


class CopyOfProcess:
    """A copy that is at work. It ends with its work, or with this process."""

    def __init__(self, number: int, answer: int) -> None:
        self._number, self._answer = number, answer
        self._heard: bytes | None = None
        self._hearing = threading.Lock()

    @property
    def refusal(self) -> str:
        """Return why the work could not be done (Uncompilable), once it has ended; empty where it was
        done.
        """
        return (self._heard or b"").decode(errors="replace")

    def kill(self) -> None:
        """Ends it, whatever it is at."""
        with self._hearing:
            if self._heard is None:
                os.kill(self._number, signal.SIGKILL)
                os.waitpid(self._number, 0)
                os.close(self._answer)
                self._heard = b""

    def ended(self) -> bool:
        """Return whether it has ended."""
        with self._hearing:
            if self._heard is None and select.select([self._answer], [], [], 0.0)[0]:
                self._heard = os.read(self._answer, LONGEST)
                os.close(self._answer)
                os.waitpid(self._number, 0)
        return self._heard is not None


def copied(work: Callable[[], object]) -> CopyOfProcess | None:
    """Does `work` in a copy of this process, without its streams; None where there can be no copy."""
    if sys.platform != "linux":
        return None
    answer, says = os.pipe()
    parent = os.getpid()
    with uninterrupted():  # a Ctrl-C that the copy took for its own would go on as this process
        try:
            number = os.fork()
        except OSError:  # no room for one more process
            os.close(answer)
            os.close(says)
            return None
        if number == 0:
            _work_apart(work, parent, says)
    os.close(says)
    return CopyOfProcess(number, answer)


def _work_apart(work: Callable[[], object], parent: int, says: int) -> NoReturn:
    """Return what the copy does, and its end."""
    try:
        _stand_apart(parent, says)
        forget_deadline()
        work()
    except Uncompilable as error:
        os.write(says, str(error).encode()[:LONGEST])
    finally:
        os._exit(0)


def _stand_apart(parent: int, says: int) -> None:
    """Makes this process one of low priority, deaf to Ctrl-C, that ends with its parent and holds no
    file of it open but the one to which it says how it went: who waits for the end of a pipe waits
    for all that hold it.
    """
    end_with_parent()
    if os.getppid() != parent:  # which ended before it was asked for
        os._exit(0)
    for number in (signal.SIGINT, signal.SIGALRM, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL)
    if _apart:
        os.setsid()
        stand_back(_apart[0])
    else:
        os.nice(NICENESS)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.closerange(3, says)
    os.closerange(says + 1, os.sysconf("SC_OPEN_MAX"))
    # the old ones may be locked by a thread that was not copied
    sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115


# Comparison of compiled rules with the same rules in plain Python: some random games are played by
# both and compared, before compiled code is trusted with anything.
#
# They differ where plain Python knows more than a machine word: a number passes 2**63, a shift goes
# beyond its word, a table is read beyond its end. A difference ends the job, with the position, the
# rule and both answers.


GAMES, PLIES = 16, 200
"""Random games that are compared, and the plies of each."""
SECONDS = 0.1
"""CPU seconds of plain Python after which no further game is begun."""
OF_A_PLY = 4
"""Facts of a ply, besides the fields of the position after it."""
NOT_WRITTEN = -(1 << 63)
"""In the place of a fact that compiled code has not come to."""

Writer: TypeAlias = Callable[..., int]
"""Writes some ints of a state."""


def digest_of(legal: Moves) -> int:
    """Some moves as one int."""
    digest = 0
    for move in each(legal):
        digest = mix64(digest ^ move)
    return digest


def fact_of(value: int) -> int:
    """An int of a state as one of at most 62 bits: itself, unless it is wide (`wide_fact`)."""
    return value


def wide_fact(words: int) -> Callable[[int], int]:
    """`fact_of` an int of so many words."""
    mixed: Callable[[int], int] = _no_fact
    for number in range(words):
        mixed = _with_word(mixed, number)
    return mixed


def _no_fact(value: int) -> int:
    return 0


def _with_word(before: Callable[[int], int], number: int) -> Callable[[int], int]:
    def mix(value: int) -> int:
        return mix64(before(value) ^ word_of(value, number))

    return mix


def write_state(s: State, facts: Ints, n: int) -> int:
    """Writes every int of a state from facts[n] on, and returns where it ended: bound by `writer`."""
    raise TypeError


def walk(start: tuple[Field, ...], number: int, limit: int, players: int, rng: Rng, facts: Ints) -> int:
    """Plays random game `number`, and writes down all that the rules say; returns how much that is.

    Of a position: over, mover, moves; reward and the state after a random move; at the end payoffs.
    """
    reseed(rng, 0, number)
    s = as_state(start)
    n = 0
    for _ply in range(limit):
        facts[n] = int(over(s))
        if facts[n]:
            for player in range(players):
                facts[n + 1 + player] = payoff(s, player)
            return n + 1 + players
        facts[n + 1], facts[n + 2] = mover(s), digest_of(moves(s))
        move = drawn_move(s, moves(s), rng)
        facts[n + 3] = reward(s, move)
        s = play(s, move)
        n = write_state(s, facts, n + OF_A_PLY)
    return n


def require_agreement(game: Game) -> None:
    """Compares the compiled rules of a game with the plain ones, once.

    Raises BadGame where they differ, Uncompilable, and NotInCache inside `only_from_cache`.
    """
    if game.agrees:
        return
    bind: Bindings = {write_state: writer(game)}
    plain, compiled = (instantiate(walk, game, jit=jit, bind=bind) for jit in (False, True))
    room = PLIES * (OF_A_PLY + len(flat(game.start))) + game.players + 1
    begun = time.thread_time()
    for number in range(GAMES):
        run = (game.fields(game.start), number, PLIES, game.players)
        expected, found = ints(room, False), np.full(room, NOT_WRITTEN)
        written = _played(lambda: plain(*run, words(1, False), expected))
        raised: Exception | None = None
        if written:
            try:
                compiled(*run, words(1, True), found)
            except Exception as error:  # plain Python raised nothing: the answer before may be another
                raised = error
        for index in range(written):
            if raised and found[index] == NOT_WRITTEN:
                raise raised
            if expected[index] != found[index]:
                raise difference(game, number, index, int(expected[index]), int(found[index])) from raised
        if time.thread_time() - begun > SECONDS:
            break
    game.agrees = True


def _played(play_plain: Callable[[], int]) -> int:
    """Return how much a game in plain Python has written down; nothing where a rule raises, which whoever
    comes there will be told.
    """
    before = presses()
    try:
        return play_plain()
    except BaseException as error:  # whatever somebody's own rule raises
        if from_outside(error, before):
            raise
        return 0


def difference(game: Game, number: int, index: int, plain: int, compiled: int) -> BadGame:
    """Return what is wrong, by the number of the fact in which the two differ."""
    rule, state, is_mixed = next(islice(questions(game, number), index, None))
    if is_mixed:
        return BadGame(
            message(
                "{game}: compiled, {rule} answers otherwise than in plain Python, in {state}. Is 1 << n"
                " written for bit(n), does a number pass 2**63, or is a table read beyond its end? --pure"
                " plays it in plain Python",
                game=game.text,
                rule=rule,
                state=state,
            )
        )
    return BadGame(
        message(
            "{game}: compiled, {rule} answers {compiled}, in plain Python {plain}, in {state}. Does a number"
            " pass 2**63, or is a table read beyond its end? --pure plays it in plain Python",
            game=game.text,
            rule=rule,
            compiled=compiled,
            plain=plain,
            state=state,
        )
    )


class AskedRule(NamedTuple):
    """A rule and the state that it was asked in; whether what `walk` writes of the answer is mixed, so that
    it says nothing to people.
    """

    rule: str
    state: State
    is_mixed: bool = False


def questions(game: Game, number: int) -> Iterator[AskedRule]:
    """The question of every fact that `walk` writes, in plain Python."""
    rng = seeded(0, number)
    s = game.start
    while True:
        yield AskedRule("over", s)
        if game.over(s):
            for _player in range(game.players):
                yield AskedRule("payoff", s)
            return
        legal = game.moves(s)
        yield AskedRule("mover", s)
        yield AskedRule("moves", s, is_mixed=True)
        move = instantiate(drawn_move, game, jit=False)(s, legal, rng)
        yield AskedRule("reward", s)
        of_parts = [
            name
            for name, field in zip(s._fields, s, strict=True)
            for _part in (field if isinstance(field, tuple) else (field,))
        ]
        for name, place in zip(of_parts, places(game.bits), strict=True):
            yield AskedRule(f"play({game.name_move(s, move)}).{name}", s, is_wide(place.bits))
        s = game.play(s, move)


def writer(game: Game) -> Writer:
    """`write_state` of a game: of one closure for every int of a state, so that the compiler unrolls it."""
    wide = wide_fact(game.wide // WORD_BITS)
    write: Writer = _nothing
    for place in places(game.bits):
        write = _with_int(write, reader_of(place), wide if is_wide(place.bits) else fact_of)
    return write


def _nothing(s: State, facts: Ints, n: int) -> int:
    return n


def _with_int(before: Writer, read: Reader, fact: Callable[[int], int]) -> Writer:
    def write(s: State, facts: Ints, n: int) -> int:
        place = before(s, facts, n)
        facts[place] = fact(read(s))
        return place + 1

    return write
