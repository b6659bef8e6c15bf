"""The one place that reaches into Numba, with `numba_pipeline`: what it does not promise to keep,
within the versions that pyproject.toml allows.

What is assumed about its insides is written down as `tests/core/test_numba_adapter.py`, which says
what has changed when it fails. Numba is imported only to compile: what is in the cache runs without
it (`damier.core.machine_code`).
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextvars import ContextVar
from importlib import metadata
from types import FunctionType
from typing import Any

from damier.core import bits, code_cache, machine_code, numba_pipeline
from damier.core.digest import instructions, module_attributes
from damier.core.errors import DamierError
from damier.core.machine_code import NUMBERS, Image, LinkedEngine, Words

Wrap = Callable[[FunctionType], Any]
Clone = Callable[[Wrap], FunctionType]
"""Copies an engine with all functions that it reaches, these wrapped, and returns the copy of the
engine itself, not wrapped.
"""
Kinds = tuple[Any, ...]
"""What `machine_code.flattened` says of arguments."""
Run = Callable[[Words, Collection[Any]], Any]
"""Runs an engine, given its arguments as words and as they are. Raises NotCompiled."""


class NotCompiled(Exception):
    """Numba refuses a function, or stumbles over it; the message, often of many lines, is Numba's
    own.
    """


class NotInCache(DamierError):
    """An engine is not in the cache, and nothing is to be compiled now."""


_starting = threading.RLock()
_from_cache = ContextVar("_from_cache", default=False)


@contextlib.contextmanager
def only_from_cache() -> Iterator[None]:
    """Inside, an engine that would have to be compiled raises NotInCache."""
    before = _from_cache.set(True)
    try:
        yield
    finally:
        _from_cache.reset(before)


_in_turn = ContextVar("_in_turn", default=False)


@contextlib.contextmanager
def making_in_turn() -> Iterator[None]:
    """Inside, an engine that another process makes just now is waited for, and not made twice: for who
    makes it beside the work that it is for.
    """
    before = _in_turn.set(True)
    try:
        yield
    finally:
        _in_turn.reset(before)


NEEDS_COUNTING = "NRT required but not enabled"
"""What Numba says where code makes a list or an array."""
OF_PYTHON = ("Py", "numba_gil_")
"""How names begin of what code calls to make objects of Python."""
MAKE_ARRAYS = {
    "empty",
    "zeros",
    "ones",
    "full",
    "arange",
    "array",
    "empty_like",
    "zeros_like",
    "ones_like",
    "full_like",
}


class CompiledEngine:
    """The machine code of an engine, one piece for each list of kinds of arguments: compiled, or
    read from the cache.
    """

    def __init__(self, name: str, clone: Clone) -> None:
        self.name = name  # holds the digest of all that the code depends on
        self._clone = clone
        self.runs: dict[Kinds | None, Run] = {}  # None: arguments that are passed by Numba's own means

    def prepare(self, kinds: Kinds | None, arguments: Collection[Any]) -> Run:
        """Reads the code for arguments of these kinds, or makes it. Raises NotCompiled."""
        if kinds not in self.runs:
            found = self._read(kinds)
            if found is None and _from_cache.get():
                raise NotInCache(self.name)
            self.runs[kinds] = found or self._made_once(kinds, arguments)
        return self.runs[kinds]

    def _made_once(self, kinds: Kinds | None, arguments: Collection[Any]) -> Run:
        if kinds is None or not _in_turn.get():
            return self.made(kinds, arguments)
        with code_cache.alone(self._purpose(kinds)):
            return self._read(kinds) or self.made(kinds, arguments)

    def _purpose(self, kinds: Kinds) -> code_cache.Purpose:
        return {"engine": self.name, "arguments": kinds, "target": machine_code.target(), "numba": version()}

    def _read(self, kinds: Kinds | None) -> Run | None:
        code = code_cache.load(self._purpose(kinds)) if kinds is not None else None
        return _linked(Image.from_bytes(code), kinds) if code is not None and kinds is not None else None

    def made(self, kinds: Kinds | None, arguments: Collection[Any]) -> Run:
        numba = started()
        try:
            types = tuple(numba.typeof(argument) for argument in arguments)
            if kinds is not None:
                made = self._compiled(types, alone=True)
                if image := _image_of(made):
                    if not made.library.has_dynamic_globals:
                        code_cache.save(self._purpose(kinds), image.to_bytes())
                    if run := _linked(image, kinds, made):
                        return run
            return _dispatched(self._compiled(types, alone=False))
        except MemoryError:
            raise
        except Exception as error:  # no rule runs here: whatever it is, the compiler stumbled
            raise NotCompiled(str(error) or repr(error)) from error

    def _compiled(self, types: tuple[Any, ...], alone: bool) -> Any:
        """Return what Numba makes of the engine: `alone` its result, in code that runs without Numba;
        otherwise a dispatcher that can be called.

        Memory is not counted unless something must make room at run time, and everything is one
        piece: both are worth a factor (learning is 7 times as fast as with calls and counted
        references). What the code names tells it before; if it did not, Numba does.
        """
        dispatcher, functions = self._dispatcher(alone, counted=False)
        if counted := any(map(_makes_room, functions)):
            dispatcher, _functions = self._dispatcher(alone, counted)
        try:
            dispatcher.compile(types)
        except Exception as error:
            if counted or NEEDS_COUNTING not in str(error):
                raise
            dispatcher, _functions = self._dispatcher(alone, counted=True)
            dispatcher.compile(types)
        return dispatcher.overloads[types] if alone else dispatcher

    def _dispatcher(self, alone: bool, counted: bool) -> tuple[Any, list[FunctionType]]:
        """Return what compiles the engine, and all functions that it reaches."""
        numba = started()
        whole, part = numba_pipeline.compilers() if alone else numba_pipeline.defaults()
        functions: list[FunctionType] = []

        def inner(function: FunctionType) -> Any:
            functions.append(function)
            # it does not call itself
            once = function.__name__ not in (*function.__code__.co_names, *function.__code__.co_freevars)
            options = {
                "no_cpython_wrapper": True,
                "no_cfunc_wrapper": True,
                "forceinline": once,
                "_nrt": counted,
            }
            return numba.njit(**options, pipeline_class=part)(function)

        engine = self._clone(inner)
        options = {"nogil": True, "_nrt": counted, "no_cfunc_wrapper": True, "no_cpython_wrapper": alone}
        return numba.njit(**options, pipeline_class=whole)(engine), [*functions, engine]


def started() -> Any:
    """Numba, imported, and told of the functions that it is to know: by one thread, while others wait."""
    with _starting:
        return _started()


@functools.cache
def _started() -> Any:
    import numba
    from numba.core.registry import cpu_target

    cpu_target.target_context.refresh()  # from here on the process has what code asks for that makes lists
    # what the cache is keyed by
    bits.register(has_pdep="+bmi2" in cpu_target.target_context.codegen().magic_tuple()[2].split(","))
    from damier.core import numba_moves, numba_sets  # tell Numba what they hold as they are imported

    assert numba_moves
    assert numba_sets
    return numba


@functools.cache
def version() -> str:
    """Numba's version, without importing it."""
    return metadata.version("numba")


def _makes_room(function: FunctionType) -> bool:
    """Return whether a function makes lists, sets or arrays, as far as its instructions tell."""
    steps = list(instructions(function.__code__))
    return (
        any(step.opname in ("BUILD_LIST", "BUILD_SET", "BUILD_MAP") for step in steps)
        or any(step.opname == "LOAD_GLOBAL" and step.argval in ("list", "set", "sorted") for step in steps)
        or any(
            module.__name__ == "numpy" and name in MAKE_ARRAYS for module, name in module_attributes(function)
        )
    )


def _image_of(made: Any) -> Image | None:
    """The engine as it is kept; None where it calls functions that must be looked up, returns what only
    Numba can hand over, or makes objects of Python, as `print` does and an error that tells a value.
    """
    import numba.types

    returned = numba.types.unliteral(made.signature.return_type)
    is_tuple = isinstance(returned, numba.types.BaseAnonymousTuple)
    result: list[str] | str = [str(part) for part in returned] if is_tuple else str(returned)
    names = [result] if isinstance(result, str) else result
    if not all(name in NUMBERS for name in names) and result != "none":
        return None
    module = made.library._final_module
    undefined = [
        value.name
        for values in (module.functions, module.global_variables)
        for value in values
        if value.is_declaration
    ]
    symbols = sorted(name for name in undefined if not name.startswith("llvm."))
    # What makes an object of Python asks Numba for an environment, which `alone` has not: `print` would leave
    # the code with the lock of the interpreter held, and the process would wait for ever.
    if any(name.startswith((numba_pipeline.UNRESOLVED, *OF_PYTHON)) for name in symbols):
        return None
    return Image(made.fndesc.llvm_func_name, result, symbols, made.library._get_compiled_object())


def _linked(image: Image, kinds: Iterable[Any], kept: object = None) -> Run | None:
    """Runs an image; None where this process lacks what its code asks for, even with Numba.

    `kept` lives as long as the code.
    """
    if machine_code.missing(image.symbols):
        started()
        if machine_code.missing(image.symbols):
            return None
    machine = LinkedEngine(image, tuple(kinds))

    def run(words: Words, arguments: Collection[Any], kept: object = kept) -> Any:
        return machine.run(words)

    return run


def _dispatched(dispatcher: Any) -> Run:
    """Calls as Numba does: for functions that call each other, and for values of other kinds.

    This code is not kept on disk.
    """
    from numba.core.errors import NumbaError, UnsupportedBytecodeError

    def run(words: Words, arguments: Collection[Any]) -> Any:
        try:
            return dispatcher(*arguments)
        except (NumbaError, UnsupportedBytecodeError) as error:
            raise NotCompiled(str(error)) from error

    return run
