"""The one place that reaches into Numba: what it does not promise to keep, within the versions that pyproject.toml allows.

What is assumed about its insides is written down as `tests/core/test_numba_adapter.py`, which says what has changed when it fails.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import pickle
from collections.abc import Callable, Collection
from types import FunctionType
from typing import Any

from damier.core import bits, code_cache
from damier.core.recursion import tangled

Wrap = Callable[[FunctionType], Any]
Clone = Callable[[Wrap], FunctionType]
"""Copies an engine with all functions that it reaches, these wrapped, and returns the copy of the engine itself, not wrapped."""


class NotCompiled(Exception):
    """Numba refuses a function, or stumbles over it; the message, often of many lines, is Numba's own."""


NEEDS_COUNTING = "NRT required but not enabled"
"""What Numba says where code makes a list or an array."""


class CompiledEngine:
    """The machine code of an engine: compiled, or read from the cache, at its first call with arguments of new types."""

    def __init__(self, name: str, clone: Clone) -> None:
        self.name = name  # holds the digest of all that the code depends on
        self._clone = clone
        self._dispatcher = self._dispatcher_of(counted=False)

    @property
    def is_ready(self) -> bool:
        return bool(self._dispatcher.signatures)

    def prepare(self, arguments: Collection[Any]) -> None:
        """Makes the code for arguments of these types, or reads it. Raises NotCompiled."""
        numba = started()
        try:
            types = tuple(numba.typeof(argument) for argument in arguments)
            try:
                self._dispatcher.compile(types)
            except Exception as error:
                if NEEDS_COUNTING not in str(error):
                    raise
                self._dispatcher = self._dispatcher_of(counted=True)
                self._dispatcher.compile(types)
        except MemoryError:
            raise
        except Exception as error:  # no rule runs here: whatever it is, the compiler stumbled
            raise NotCompiled(str(error) or repr(error)) from error

    def __call__(self, *arguments: Any) -> Any:
        """Runs the code; `prepare` comes before. Raises NotCompiled for arguments of other types that Numba refuses."""
        try:
            return self._dispatcher(*arguments)
        except _refusals() as error:
            raise NotCompiled(str(error)) from error

    def _dispatcher_of(self, counted: bool) -> Any:
        """Everything is compiled into one piece, where memory is not counted unless something must make room at run time: both are worth a
        factor (learning is 7 times as fast as with calls and counted references)."""
        numba = started()
        made: list[Any] = []

        def inner(function: FunctionType) -> Any:
            once = function.__name__ not in (*function.__code__.co_names, *function.__code__.co_freevars)  # it does not call itself
            made.append(numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=once, _nrt=counted)(function))
            return made[-1]

        dispatcher = numba.njit(nogil=True, _nrt=counted)(self._clone(inner))
        dispatcher._cache = _cache_of(dispatcher.py_func, self.name, made)
        return dispatcher


@functools.cache
def started() -> Any:
    """Numba, imported, and told of the functions that it is to know."""
    import numba
    from numba.core.registry import cpu_target

    bits.register(has_pdep="+bmi2" in cpu_target.target_context.codegen().magic_tuple()[2].split(","))  # what the cache is keyed by
    return numba


@functools.cache
def version() -> str:
    return str(started().__version__)


def _refusals() -> tuple[type[Exception], ...]:
    import numba.core.errors as errors

    return errors.NumbaError, errors.UnsupportedBytecodeError


def _cache_of(function: FunctionType, name: str, inner: Collection[Any]) -> Any:
    """What a dispatcher asks for code before it compiles, and gives code to keep: no file, key or index of Numba's own cache is used."""
    from numba.core import caching, compiler, serialize
    from numba.core.bytecode import FunctionIdentity

    def purpose(signature: Any, codegen: Any) -> code_cache.Purpose:
        return {"engine": name, "signature": str(signature), "target": codegen.magic_tuple(), "numba": version()}

    class DigestCache(caching.NullCache):  # type: ignore[misc]
        def load_overload(self, signature: Any, context: Any) -> Any:
            context.refresh()
            code = code_cache.load(purpose(signature, context.codegen()))
            if code is not None:
                with contextlib.suppress(Exception):
                    return compiler.CompileResult._rebuild(context, *pickle.loads(code))  # its digest has been checked
            # it will be compiled: number its functions, Numba's own included, as no other engine's are
            FunctionIdentity._unique_ids = itertools.count(int(name[-15:], 16))
            return None

        def save_overload(self, signature: Any, result: Any) -> None:
            if not (result.lifted or result.library.has_dynamic_globals or tangled(inner)):
                code_cache.save(purpose(signature, result.codegen), serialize.dumps(result._reduce()))

    return DigestCache()
