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
from typing import TYPE_CHECKING, Any, TypeVar, cast

from damier.core import (
    bits,
    codes,
    lowering,
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
from damier.core.interruptible import from_outside, patiently, words_of
from damier.core.job import presses
from damier.core.wide import widened
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
            made = _compiled(engine, bound | lowering.bindings(game) | (bind or {}), game)
        else:
            plain = moves.in_plain(game.moves_are_bits) | codes.in_plain(game.key_words)
            made = _Cloner(bound | plain | (bind or {})).clone(engine)
        game.engines[memo] = _blaming(made, game) if game.source else made
    return cast("E", game.engines[memo])


def _blaming(engine: Engine, game: Game) -> Engine:
    """`engine` of a user's game: an error that its rules raise is told as theirs, with file and
    line where plain Python knows them.
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
            frames = [
                frame
                for frame in traceback.extract_tb(error.__traceback__)
                if os.path.abspath(frame.filename) == str(game.source)
            ]
            place = f"{game.source.name}:{frames[-1].lineno}" if frames else game.source.name
            raise BadGame(
                message(
                    "{place}: {kind}: {error}",
                    place=place,
                    kind=type(error).__name__,
                    error=message(str(words_of(error))),
                )
            ) from error

    return call


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
        if isinstance(function, lowering.LATE):
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

    def _reaches_a_rule(self, function: FunctionType, seen: set[FunctionType]) -> bool:
        if function in self.bound:
            return True
        if function in seen:
            return False
        seen.add(function)
        reached = [
            value
            for _name, value in (*global_values(function), *free_values(function))
            if isinstance(value, FunctionType)
        ]
        return any(self._reaches_a_rule(value, seen) for value in reached)


def _compiled(engine: Engine, bound: Bindings, game: Game) -> Engine:
    """The compiled clone of `engine`, compiled (or read from the cache) at its first call with
    arguments of new types.
    """

    def replaced(value: object) -> object:
        found = bound.get(cast("Any", value), value) if isinstance(value, (FunctionType, type)) else value
        return found.facts if isinstance(found, wide.WideClass) else found

    digest = Digest(replaced)
    digest.add((_damier_digest(), sys.version, numba_adapter.version()), "version")
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
    said = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")]
    reason = said[0] if said else repr(error)
    if reason.endswith(":") and len(said) > 1:  # what it announces stands on the next line
        reason += f" {said[1].removeprefix('>>> ')}"
    if not (own or places):
        return reason
    path, line = (own or places)[-1]
    construct = linecache.getline(str(game.source) if own else path, int(line)).strip()
    return f"{os.path.basename(path)}:{line}: `{construct}`: {reason}"


@functools.cache
def _damier_digest() -> str:
    """Return what Numba is told about `bits`, and how functions are cloned and compiled, are part of every
    engine.
    """
    modules = (bits, machine_code, moves, numba_adapter, numba_pipeline, lowering, wide)
    named = [Path(__file__), *(Path(module.__file__ or "") for module in modules)]
    return source_digest(
        [*named, *(Path(__file__).with_name(f"numba_{kind}.py") for kind in ("moves", "sets"))]
    )
