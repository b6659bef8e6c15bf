"""One source, two speeds: an engine bound to the rules of a game, as plain Python or compiled. The only door to Numba.

An engine is a module-level function that names rules (`damier.core.rules`) as globals. `instantiate` clones it, and every function on the
way to a rule, over new globals in which those names are the game's own functions: left as they are, or compiled together and cached on
disk under a digest of all the code and all the constants they reach (`damier.core.digest`).
"""

from __future__ import annotations

import builtins
import functools
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from damier.core import bits, rules
from damier.core.digest import Digest, free_values, global_values, source_digest
from damier.core.errors import Uncompilable

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
    memo = (engine, jit, tuple(sorted((stub.__qualname__, id(f)) for stub, f in (bind or {}).items())))
    if memo not in game.engines:
        game.engines[memo] = _compiled(engine, bound, game) if jit else _Cloner(bound).clone(engine)
    return game.engines[memo]  # type: ignore[no-any-return]


class _Cloner:
    """Copies functions over new globals and cells in which bound names are replaced; what no rule is reached from is left as it is."""

    def __init__(self, bound: Bindings, wrap: Callable[[FunctionType], Any] | None = None) -> None:
        self.bound = bound
        self.wrap = wrap  # compiled: every function must be wrapped, not only those on the way to a rule
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
        copy.__module__ = function.__module__
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

    def inner(function: FunctionType) -> Any:
        return numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)

    cloner = _Cloner(bound, inner)
    dispatcher = numba.njit(nogil=True)(cloner.clone(engine).py_func)
    dispatcher._cache = _cache_of(dispatcher.py_func, f"{engine.__name__}-{digest.hexdigest()[:32]}")

    @functools.wraps(engine)
    def call(*arguments: Any) -> Any:
        try:
            return dispatcher(*arguments)
        except numba.core.errors.NumbaError as error:
            raise Uncompilable(_construct(error, game)) from error
        except (NotImplementedError, AssertionError, KeyError, TypeError, AttributeError) as error:
            if dispatcher.signatures:
                raise  # it was compiled: the error is the rules' own
            raise Uncompilable(_construct(error, game)) from error

    return call


def _construct(error: Exception, game: Game) -> str:
    """What Numba stumbled over and where, from its message of many lines."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    places = re.findall(r'File "([^"]+)", line (\d+)', text)
    own = [(path, line) for path, line in places if game.source is not None and os.path.basename(path) == game.source.name]
    shown = re.findall(r"^\s*(?:<source elided>|def .*)\s*$|^\s*(\S.*)\n\s*\^", text, re.MULTILINE)
    construct = next((line.strip() for line in reversed(shown) if line.strip()), "")
    first = next((line.strip() for line in text.splitlines() if line.strip() and not line.startswith("Failed in")), repr(error))
    path, line = own[-1] if own else places[-1] if places else (game.name, "")
    where = f"{os.path.basename(path)}:{line}" if line else path
    return f"{where}: `{construct}`: {first}" if construct else f"{where}: {first}"


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


def _cache_of(function: FunctionType, name: str) -> Any:
    """A disk cache for one compiled function. Whatever is wrong with the folder or a file in it only costs the time to compile again."""
    from numba.core import caching

    folder = cache_folder()

    class Implementation(caching.CompileResultCacheImpl):  # type: ignore[misc]
        def __init__(self) -> None:  # the name holds the digest: no source file is looked at
            self._lineno = function.__code__.co_firstlineno

        def check_cachable(self, result: Any) -> bool:
            return not result.lifted and not result.library.has_dynamic_globals

    class DigestCache(caching.FunctionCache):  # type: ignore[misc]
        def __init__(self) -> None:
            self._name, self._py_func = name, function
            self._impl = Implementation()
            self._cache_path = str(folder)
            self._cache_file = caching.IndexDataCacheFile(str(folder), name, source_stamp=name)
            self.enable()

        def load_overload(self, signature: Any, context: Any) -> Any:
            context.refresh()
            try:
                found = self._load_overload(signature, context)
            except Exception:
                return None
            if found is not None:
                _touch(folder, name)
            return found

        def _save_overload(self, signature: Any, result: Any) -> None:
            if not self._impl.check_cachable(result):
                return
            try:
                folder.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._cache_file.save(self._index_key(signature, result.codegen), self._impl.reduce(result))
                _prune(folder)
            except OSError:
                return

    return DigestCache()


def _touch(folder: Path, name: str) -> None:
    for path in folder.glob(f"{name}.*"):
        try:
            os.utime(path)
        except OSError:
            continue


def _prune(folder: Path) -> None:
    """Deletes the compiled engines that have not been used for longest."""
    indexes = sorted(folder.glob("*.nbi"), key=lambda path: path.stat().st_mtime, reverse=True)
    for index in indexes[CACHE_FILES:]:
        for path in folder.glob(f"{index.stem}.*"):
            path.unlink(missing_ok=True)
