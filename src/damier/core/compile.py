"""One source, two speeds: an engine bound to the rules of a game, as plain Python or compiled.

An engine is a module-level function that names rules (`damier.core.rules`) as globals.
`instantiate` clones it, and every function on the way to a rule, over new globals in which those
names are the game's own functions: left as they are, or compiled together and cached on disk under
a digest of all the code and all the constants they reach (`damier.core.digest`).
"""

from __future__ import annotations

import builtins
import functools
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias, TypeVar, cast

from damier.core import (
    bits,
    codes,
    hooks,
    machine_code,
    moves,
    numba_adapter,
    numba_pipeline,
    past,
    rules,
    wide,
)
from damier.core.digest import Digest, free_values, global_values, source_digest
from damier.core.errors import BadGame, DamierError, Uncompilable
from damier.core.job import exception_in_words, from_outside, patiently, presses, words_of
from damier.core.wide import WideClass, widened
from damier.core.words import message

if TYPE_CHECKING:
    from damier.core.game import Game


Engine = Callable[..., Any]
E = TypeVar("E", bound=Engine)
LEFT_TO_NUMBA = bits.COMPILED | moves.COMPILED
"""Functions whose machine code Numba is told."""
Bindings = dict[Engine, Engine]


def instantiate(engine: E, game: Game, *, jit: bool, bind: Bindings | None = None) -> E:
    """`engine` with the rules of `game`; `bind` replaces further functions that it names.

    Compiled engines take and return ints, floats, arrays and plain tuples. Raises Uncompilable when
    called, if Numba cannot compile it.
    """
    memo = (engine, jit, frozenset((bind or {}).items()))
    if memo not in game.engines:
        bound: Bindings = {getattr(rules, name): rule for name, rule in game.rules.items()}
        bound |= past.bindings(game, jit)
        if jit:
            made = _compiled(engine, bound | bindings(game) | (bind or {}), game)
        else:
            plain = moves.in_plain(game.moves_are_bits) | codes.in_plain(game.key_words)
            made = _Cloner(bound | plain | (bind or {})).clone(engine)
        game.engines[memo] = _blaming(made, game, jit=jit) if game.source else made
    return cast("E", game.engines[memo])


def _blaming(engine: Engine, game: Game, *, jit: bool) -> Engine:
    """`engine` of a user's game: an error that its rules raise is told as theirs, with file and line
    where these are known, and in plain Python the state.
    """

    @functools.wraps(engine)
    def call(*arguments: Any) -> Any:
        before = presses()
        try:
            return engine(*arguments)
        except (DamierError, RecursionError):
            raise
        except BaseException as error:
            if from_outside(error, before):
                raise
            assert game.source is not None
            frames = [*traceback.walk_tb(error.__traceback__)]
            own = [at for at in frames if os.path.abspath(at[0].f_code.co_filename) == str(game.source)]
            line = own[-1][1] if own else _line_raised(error, game.source)
            place = f"{game.source.name}:{line}" if line else game.source.name
            said = str(words_of(error))  # of the watch over somebody's rules it is a text of the catalogue
            words = exception_in_words(error, message(said) if said else "")
            asked, _line = (own or frames[-1:])[0]
            state = next((s for s in asked.f_locals.values() if isinstance(s, type(game.start))), None)
            if state is not None:  # where plain Python has asked
                words = message("{error}, in the state {state}", error=words, state=state)
            elif jit:
                words = message("{error}; --pure tells in which state", error=words)
            raise BadGame(message("{place}: {error}", place=place, error=words)) from error

    return call


def _line_raised(error: BaseException, source: Path) -> int:
    """Return the line of a file in which compiled code has raised an error, where it still stands there: what
    stands elsewhere in the file may have changed since it was compiled. Else 0.
    """
    at = error.__cause__
    if not isinstance(at, machine_code.RaisedAt) or os.path.basename(at.path) != source.name:
        return 0  # of the file by its name: its folder may have been another when it was compiled
    linecache.checkcache(str(source))
    words = linecache.getline(str(source), at.line)
    stands = "assert" in words if isinstance(error, AssertionError) else type(error).__name__ in words
    return at.line if stands else 0


class _Cloner:
    """Copies functions over new globals and cells in which bound names are replaced; what no rule
    is reached from is left as it is.
    """

    def __init__(
        self,
        bound: Bindings,
        wrap: Callable[[FunctionType], Any] | None = None,
        suffix: str = "",
        width: int = 0,
    ) -> None:
        self.bound = bound
        self.wrap = wrap  # compiled: every function must be wrapped, not only those on the way to a rule
        self.suffix = suffix  # of the names of the copies: machine code from the cache is linked by name
        self.width = width  # of the game's wide ints, compiled
        self.made: dict[Any, Any] = {}

    def clone(self, value: Any) -> Any:
        function = self.bound.get(value, value) if isinstance(value, (FunctionType, type)) else value
        if isinstance(function, LATE):
            late = (type(function), function)  # as tuples, those of different kinds may be equal
            if late not in self.made:
                self.made[late] = function.made(self.clone)
            return self.made[late]
        if not isinstance(function, FunctionType):
            return widened(function, self.width) if self.width else function
        if function in LEFT_TO_NUMBA:
            return function
        if function not in self.made:
            self.made[function] = function
            if self.wrap or self._reaches_a_rule(function, set()):
                self._make(function)
        return self.made[function]

    def _make(self, function: FunctionType) -> None:
        namespace: dict[str, Any] = {
            "__builtins__": builtins,
            "__name__": function.__module__,
            "__file__": function.__code__.co_filename,
        }
        cells = tuple(CellType() for _cell in function.__code__.co_freevars) or None
        copy = FunctionType(self._code(function), namespace, function.__name__, function.__defaults__, cells)
        copy.__module__ = __name__  # what reads it from the cache must be able to import its module
        copy.__qualname__ = f"{function.__qualname__}{self.suffix}_{len(self.made)}"
        # before its globals: functions may call each other
        self.made[function] = self.wrap(copy) if self.wrap else copy
        for name, value in global_values(function):
            namespace[name] = self.clone(value)
        for cell, (_name, value) in zip(cells or (), free_values(function), strict=True):
            cell.cell_contents = self.clone(value)

    def _code(self, function: FunctionType) -> CodeType:
        """The code of a function, in which ints beyond a word are wide where the game has such."""
        code = function.__code__
        if not self.width:
            return code
        constants = tuple(widened(constant, self.width) for constant in code.co_consts)
        return code.replace(co_consts=constants)

    def _reaches_a_rule(self, function: FunctionType, visited: set[FunctionType]) -> bool:
        if function in self.bound:
            return True
        if function in visited:
            return False
        visited.add(function)
        reached = [
            value
            for _name, value in (*global_values(function), *free_values(function))
            if isinstance(value, FunctionType)
        ]
        return any(self._reaches_a_rule(value, visited) for value in reached)


def _compiled(engine: Engine, bound: Bindings, game: Game) -> Engine:
    """The compiled clone of `engine`, compiled (or read from the cache) at its first call with
    arguments of new types.
    """

    def replaced(value: object) -> object:
        found = bound.get(cast("Any", value), value) if isinstance(value, (FunctionType, type)) else value
        return found.facts if isinstance(found, wide.WideClass) else found

    digest = Digest(replaced)
    digest.add((damier_digest(), sys.version, numba_adapter.version()), "version")
    digest.add(engine, engine.__qualname__)
    suffix = f"_{digest.hexdigest()[:16]}"

    def clone(wrap: numba_adapter.Wrap) -> FunctionType:
        copy: FunctionType = _Cloner(bound, wrap, suffix, game.wide).clone(engine).py_func
        return copy

    compiled = numba_adapter.CompiledEngine(f"{engine.__name__}-{digest.hexdigest()[:32]}", clone)

    @functools.wraps(engine)
    def call(*arguments: Any) -> Any:
        try:
            words: machine_code.Words = []
            kinds = machine_code.flattened(arguments, words)
            run = compiled.runs.get(kinds)
            if run is None:
                # an interrupt inside the compiler is lost, or breaks it
                run = patiently(lambda: compiled.prepare(kinds, arguments))
            return run(words, arguments)
        except numba_adapter.NotCompiled as error:
            raise Uncompilable(_construct(error, game)) from error

    return call


def _construct(error: Exception, game: Game) -> str:
    """Return what Numba stumbled over and where: the last place in the game's own file that its message of
    many lines names.
    """
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    own = [
        place
        for place in places
        if game.source is not None and os.path.basename(place[0]) == game.source.name
    ]
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    reason = lines[0] if lines else repr(error)
    if reason.endswith(":") and len(lines) > 1:  # what it announces stands on the next line
        reason += f" {lines[1].removeprefix('>>> ')}"
    if not (own or places):
        return reason
    path, line = (own or places)[-1]
    construct = linecache.getline(str(game.source) if own else path, int(line)).strip()
    return f"{os.path.basename(path)}:{line}: `{construct}`: {reason}"


@functools.cache
def damier_digest() -> str:
    """Return what Numba is told about `bits`, and how functions are cloned and compiled, are part of every
    engine.
    """
    modules = (bits, machine_code, moves, numba_adapter, numba_pipeline, wide)
    named = [Path(__file__), *(Path(module.__file__ or "") for module in modules)]
    return source_digest(
        [*named, *(Path(__file__).with_name(f"numba_{kind}.py") for kind in ("moves", "sets"))]
    )


# Stand-ins of compiled code for the states and the moves of a game that do not fit a word: sets of any
# width (`wide`, `numba_sets`), and lists of moves (`moves`, `numba_moves`). The compiler's own objects are
# made when it has been started.

Compiled: TypeAlias = Any
"""What Numba makes of a function, or takes for one: it has no types."""
Clone: TypeAlias = Callable[[Callable[..., object]], Compiled]
"""The compiled copy of a function."""


class ListedBy(NamedTuple):
    """A rule that appends to a list of at most `room` moves."""

    rule: Callable[..., None]
    room: int

    def made(self, clone: Clone) -> Compiled:
        from damier.core import numba_moves

        return numba_moves.listed_by(clone(self.rule), self.room)


class NoMovesOf(NamedTuple):
    """An empty list with room for so many moves."""

    room: int

    def made(self, clone: Clone) -> Compiled:
        from damier.core import numba_moves

        return numba_moves.no_moves_of(self.room)


class OfWidth(NamedTuple):
    """Product of `maker` of `numba_sets` for sets of a width."""

    maker: str
    width: int

    def made(self, clone: Clone) -> Compiled:
        from damier.core import numba_sets

        return getattr(numba_sets, self.maker)(self.width)


NUMBERS: Final = (rules.outcome, rules.mover, rules.ply, rules.plies_left)
NUMBERS_OF_TWO: Final = (rules.payoff, rules.reward, rules.move_score)
"""The rules that answer numbers, of one argument and of two."""
LATE: Final = (ListedBy, NoMovesOf, OfWidth)
"""What stands for a function in compiled code, and is made when the compiler is there."""


def instead(rule: Callable[..., object], game: Game) -> Callable[..., Any]:
    """Return what stands for a rule that answers moves where the game leaves it out."""
    if rule is not rules.noisy_moves:
        return game.given["moves"]
    return hooks.none_listed if game.moves_are_listed else hooks.no_noisy_moves


def bindings(game: Game) -> dict[Any, Any]:
    """Return what stands for functions, rules and classes in compiled code of a game; nothing where all fits
    a word.
    """
    bound: dict[Any, Any] = dict(codes.of_words(game.key_words))
    if game.wide:
        state = WideClass(type(game.start), game.bits, game.wide)
        bound |= {
            type(game.start): state,
            game.make: state,
            bits.bit: OfWidth("bit_maker", game.wide),
            wide.as_wide: OfWidth("wide_maker", game.wide),
            wide.as_word: OfWidth("word_maker", game.wide),
        }
        bound |= {rule: wide.of_state(game.rules[rule.__name__]) for rule in NUMBERS}
        bound |= {rule: wide.of_state_and_more(game.rules[rule.__name__]) for rule in NUMBERS_OF_TWO}
    if not game.moves_are_bits:
        bound |= {moves.no_moves: NoMovesOf(game.most_moves())} | moves.BY_THEMSELVES
    for rule in (rules.moves, rules.non_losing_moves, rules.noisy_moves):
        given = game.given.get(rule.__name__) or instead(rule, game)
        if game.moves_are_listed:
            bound[rule] = ListedBy(given, game.most_moves())
        elif not game.moves_are_bits:
            bound[rule] = moves.in_wide_set(given)
        elif game.wide:
            bound[rule] = wide.of_state(game.rules[rule.__name__])
    return bound
