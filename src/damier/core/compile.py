"""One source, two speeds: an engine bound to the rules of a game, as plain Python or compiled. The only door to Numba.

An engine is a module-level function that names rules (`damier.core.rules`) as globals. `instantiate` clones it, and every function on the
way to a rule, over new globals in which those names are the game's own functions: left as they are, or compiled together and cached on
disk under a digest of all the code and all the constants they reach (`damier.core.digest`).
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import itertools
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable, Collection
from pathlib import Path
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from damier.core import bits, rules
from damier.core.digest import Digest, free_values, global_values, source_digest
from damier.core.errors import BadGame, DamierError, Uncompilable
from damier.core.patience import patiently
from damier.core.recursion import tangled
from damier.core.words import _

if TYPE_CHECKING:
    from damier.core.game import Game

Engine = Callable[..., Any]
Bindings = dict[Engine, Engine]

PURE_LIMIT = 30_000
"""Positions or games that a job may reach in plain Python before it goes over to compiled code."""

CACHE_FILES = 400
"""Compiled engines kept on disk; those not used for longest go first."""


def instantiate(engine: Engine, game: Game, *, jit: bool, bind: Bindings | None = None) -> Engine:
    """`engine` with the rules of `game`; `bind` replaces further functions that it names.

    Compiled engines take and return ints, floats, arrays and plain tuples. Raises Uncompilable when called, if Numba cannot compile it.
    """
    bound = {getattr(rules, name): rule for name, rule in game.rules.items()} | (bind or {})
    memo = (engine, jit, frozenset((bind or {}).items()))
    if memo not in game.engines:
        made = _compiled(engine, bound, game) if jit else _Cloner(bound).clone(engine)
        game.engines[memo] = _blaming(made, game) if game.source else made
    return game.engines[memo]  # type: ignore[no-any-return]


def _blaming(engine: Engine, game: Game) -> Engine:
    """`engine` of a user's game: an error that its rules raise is told as theirs, with file and line where plain Python knows them."""

    @functools.wraps(engine)
    def call(*arguments: Any) -> Any:
        try:
            return engine(*arguments)
        except (DamierError, MemoryError, RecursionError):
            raise
        except Exception as error:
            assert game.source is not None
            frames = [frame for frame in traceback.extract_tb(error.__traceback__) if os.path.abspath(frame.filename) == str(game.source)]
            place = f"{game.source.name}:{frames[-1].lineno}" if frames else game.source.name
            raise BadGame(_("{place}: {kind}: {error}", place=place, kind=type(error).__name__, error=_(str(error)))) from error

    return call


class _Cloner:
    """Copies functions over new globals and cells in which bound names are replaced; what no rule is reached from is left as it is."""

    def __init__(self, bound: Bindings, wrap: Callable[[FunctionType], Any] | None = None, suffix: str = "") -> None:
        self.bound = bound
        self.wrap = wrap  # compiled: every function must be wrapped, not only those on the way to a rule
        self.suffix = suffix  # of the names of the copies: machine code from the cache is linked by name
        self.made: dict[FunctionType, Any] = {}

    def clone(self, value: Any) -> Any:
        function = self.bound.get(value, value) if isinstance(value, FunctionType) else value
        if not isinstance(function, FunctionType) or function in bits.COMPILED:
            return function
        if function not in self.made:
            self.made[function] = function
            if self.wrap or self._reaches_a_rule(function, set()):
                self._make(function)
        return self.made[function]

    def _make(self, function: FunctionType) -> None:
        namespace: dict[str, Any] = {"__builtins__": builtins, "__name__": function.__module__, "__file__": function.__code__.co_filename}
        cells = tuple(CellType() for _cell in function.__code__.co_freevars) or None
        copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__, cells)
        copy.__module__ = __name__  # what reads it from the cache must be able to import its module
        copy.__qualname__ = f"{function.__qualname__}{self.suffix}_{len(self.made)}"
        self.made[function] = self.wrap(copy) if self.wrap else copy  # before its globals: functions may call each other
        for name, value in global_values(function):
            namespace[name] = self.clone(value)
        for cell, (_name, value) in zip(cells or (), free_values(function), strict=True):
            cell.cell_contents = self.clone(value)

    def _reaches_a_rule(self, function: FunctionType, seen: set[FunctionType]) -> bool:
        if function in self.bound:
            return True
        if function in seen:
            return False
        seen.add(function)
        reached = [value for _name, value in (*global_values(function), *free_values(function)) if isinstance(value, FunctionType)]
        return any(self._reaches_a_rule(value, seen) for value in reached)


def _compiled(engine: Engine, bound: Bindings, game: Game) -> Engine:
    """The compiled clone of `engine`, compiled (or read from the cache) at its first call with arguments of new types."""
    digest = Digest(lambda value: bound.get(value, value) if isinstance(value, FunctionType) else value)
    numba = _numba()
    digest.add((_damier_digest(), sys.version, numba.__version__), "version")
    digest.add(engine, engine.__qualname__)

    name = f"{engine.__name__}-{digest.hexdigest()[:32]}"

    def dispatcher_of(counted: bool) -> Any:
        """Everything is compiled into one piece, where memory is not counted unless something must make room at run time: both are worth a
        factor (learning is 7 times as fast as with calls and counted references)."""

        def inner(function: FunctionType) -> Any:
            once = function.__name__ not in (*function.__code__.co_names, *function.__code__.co_freevars)  # it does not call itself
            return numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=once, _nrt=counted)(function)

        cloner = _Cloner(bound, inner, f"_{digest.hexdigest()[:16]}")
        made = numba.njit(nogil=True, _nrt=counted)(cloner.clone(engine).py_func)
        made._cache = _cache_of(made.py_func, name, [part for part in cloner.made.values() if hasattr(part, "overloads")])
        return made

    dispatcher = dispatcher_of(False)

    def compile_for(types: tuple[Any, ...]) -> None:
        nonlocal dispatcher
        try:
            dispatcher.compile(types)
        except Exception as error:
            if NEEDS_COUNTING not in str(error):
                raise
            dispatcher = dispatcher_of(True)
            dispatcher.compile(types)

    @functools.wraps(engine)
    def call(*arguments: Any) -> Any:
        try:
            if not dispatcher.signatures:
                types = tuple(numba.typeof(argument) for argument in arguments)
                patiently(lambda: compile_for(types))  # an interrupt inside the compiler is lost, or breaks it
            return dispatcher(*arguments)
        except (numba.core.errors.NumbaError, numba.core.errors.UnsupportedBytecodeError) as error:
            raise Uncompilable(_construct(error, game)) from error
        except (NotImplementedError, AssertionError, KeyError, TypeError, AttributeError) as error:
            if dispatcher.signatures:
                raise  # it was compiled: the error is the rules' own
            raise Uncompilable(_construct(error, game)) from error

    return call


NEEDS_COUNTING = "NRT required but not enabled"
"""What Numba says where code makes a list or an array."""


def _construct(error: Exception, game: Game) -> str:
    """What Numba stumbled over and where: the last place in the game's own file that its message of many lines names."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    own = [place for place in places if game.source is not None and os.path.basename(place[0]) == game.source.name]
    reason = next((line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")), repr(error))
    if not (own or places):
        return reason
    path, line = (own or places)[-1]
    construct = linecache.getline(str(game.source) if own else path, int(line)).strip()
    return f"{os.path.basename(path)}:{line}: `{construct}`: {reason}"


@functools.cache
def _numba() -> Any:
    import numba
    import numba.core.errors

    bits.register()
    return numba


@functools.cache
def _damier_digest() -> str:
    """What Numba is told about `bits`, and how this file compiles, are part of every engine."""
    return source_digest((Path(bits.__file__), Path(__file__)))


def cache_folder() -> Path:
    """Where compiled engines are kept: DAMIER_CACHE, or the user's cache folder."""
    if folder := os.environ.get("DAMIER_CACHE"):
        return Path(folder)
    import platformdirs

    return Path(platformdirs.user_cache_dir("damier")) / "engines"


def _cache_of(function: FunctionType, name: str, inner: Collection[Any]) -> Any:
    """A disk cache for one compiled function. Whatever is wrong with the folder or a file in it only costs the time to compile again."""
    from numba.core import caching
    from numba.core.bytecode import FunctionIdentity

    folder = cache_folder()

    class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
        def __init__(self) -> None:  # the name holds the digest: no source file is looked at
            self._lineno = function.__code__.co_firstlineno

        def check_cachable(self, result: Any) -> bool:
            return not result.lifted and not result.library.has_dynamic_globals and not tangled(inner)

    class DigestCache(caching.FunctionCache):  # type: ignore[misc]
        def __init__(self) -> None:
            self._name, self._py_func = name, function
            self._impl = Implementation()
            self._cache_path = str(folder)
            self._cache_file = caching.IndexDataCacheFile(str(folder), name, source_stamp=name)
            self.enable()

        def load_overload(self, signature: Any, context: Any) -> Any:
            context.refresh()
            found = None
            with contextlib.suppress(Exception):
                found = self._load_overload(signature, context)
            if found is not None:
                _touch(folder, name)
            else:  # it will be compiled: number its functions, Numba's own included, as no other engine's are
                FunctionIdentity._unique_ids = itertools.count(int(name[-15:], 16))
            return found

        def _save_overload(self, signature: Any, result: Any) -> None:
            if not self._impl.check_cachable(result):
                return
            key, reduced = self._index_key(signature, result.codegen), self._impl.reduce(result)
            with contextlib.suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                try:
                    self._cache_file.save(key, reduced)
                except OSError:
                    return
                except Exception:  # the index that is there is damaged
                    self._cache_file.flush()
                    self._cache_file.save(key, reduced)
                _prune(folder)

    return DigestCache()


def _touch(folder: Path, name: str) -> None:
    for path in folder.glob(f"{name}.*"):
        with contextlib.suppress(OSError):
            os.utime(path)


def _prune(folder: Path) -> None:
    """Deletes the compiled engines that have not been used for longest."""
    times = []
    for index in folder.glob("*.nbi"):
        with contextlib.suppress(OSError):  # another process may be pruning too
            times.append((index.stat().st_mtime, index.stem))
    for _time, stem in sorted(times, reverse=True)[CACHE_FILES:]:
        for path in folder.glob(f"{stem}.*"):
            path.unlink(missing_ok=True)
