"""A digest of everything that a piece of compiled code depends on, so that a cache can never serve
stale code.

It covers the code objects reached from a function (whatever file they are in), their constants,
defaults, closure cells, the globals and `module.attribute`s they name, and the versions of Python,
Numba and damier. What cannot be hashed by value is refused: such a game runs as plain Python.
"""

from __future__ import annotations

import builtins
import dis
import enum
import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType

from damier.core.errors import Uncompilable
from damier.core.words import message


def instructions(code: CodeType) -> Iterator[dis.Instruction]:
    """The instructions of a code object, those of the functions inside it included."""
    yield from dis.get_instructions(code)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from instructions(constant)


def free_values(function: FunctionType) -> Iterator[tuple[str, object]]:
    """The closure cells of a function, by name."""
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # assigned later, or never: the function fails when it is called
            continue


@lru_cache(maxsize=1 << 12)
def global_names(code: CodeType) -> tuple[str, ...]:
    """The names of globals in a code object, sorted: remembered, since engines are put together again
    for every pair of agents, of the same few functions.
    """
    return tuple(sorted({i.argval for i in instructions(code) if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}))


def global_values(function: FunctionType) -> Iterator[tuple[str, object]]:
    """The globals that a function reads, by name; builtins are left out."""
    for name in global_names(function.__code__):
        if name in function.__globals__:
            yield name, function.__globals__[name]


def module_attributes(function: FunctionType) -> Iterator[tuple[ModuleType, str]]:
    """The (module, attribute) pairs that a function reads, as in `math.sqrt`."""
    module, cells = None, dict(free_values(function))
    for instruction in instructions(function.__code__):
        if instruction.opname == "LOAD_GLOBAL":
            module = function.__globals__.get(instruction.argval)
        elif instruction.opname == "LOAD_DEREF":
            module = cells.get(instruction.argval)
        elif instruction.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(module, ModuleType):
            yield module, instruction.argval
            module = getattr(module, instruction.argval, None)
        else:
            module = None


class Digest:
    """Feed it functions and values with `add`; `hexdigest` is the same in every process that runs
    the same code.
    """

    def __init__(self, replaced: Callable[[object], object]) -> None:
        self._hash = hashlib.sha256()
        self._visited: dict[int, int] = {}
        self._replaced = replaced  # what a rule's name stands for

    def hexdigest(self) -> str:
        return self._hash.hexdigest()

    def add(self, value: object, where: str) -> None:
        """Adds a value and all that it reaches; `where` names it for a refusal.

        Raises Uncompilable.
        """
        value = self._replaced(value)
        if isinstance(value, FunctionType):
            self._function(value)
        elif value is None or value is ... or isinstance(value, (bool, int, float, complex, str, bytes)):
            self._say("value", type(value).__qualname__, repr(value))
        elif isinstance(value, tuple):
            self._say("tuple", type(value).__qualname__, str(len(value)))
            self._all(value, where)
        elif isinstance(value, frozenset):
            self._say("frozenset", *sorted(map(repr, value)))
        elif isinstance(value, CodeType):
            self._code(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, BuiltinFunctionType):
            self._say("builtin", str(value.__module__), value.__qualname__)
        elif isinstance(value, ModuleType):
            self._say("module", value.__name__, str(getattr(value, "__version__", "")))
        elif hasattr(value, "dtype") and hasattr(value, "tobytes"):
            self._say("array", str(value.dtype), str(getattr(value, "shape", "")))
            self._hash.update(value.tobytes())
        elif isinstance(value, MethodType):
            kind = type(value.__self__).__qualname__
            raise Uncompilable(
                message("{where} is a method of {kind}; only functions are compiled", where=where, kind=kind)
            )
        else:
            raise Uncompilable(
                message(
                    "{where} is a {kind}, which is not frozen", where=where, kind=type(value).__qualname__
                )
            )

    def _say(self, *words: str) -> None:
        for word in words:
            data = word.encode("utf-8", "surrogatepass")
            self._hash.update(len(data).to_bytes(8, "little") + data)

    def _all(self, values: Iterable[object], where: str) -> None:
        for value in values:
            self.add(value, where)

    def _function(self, function: FunctionType) -> None:
        if id(function) in self._visited:  # also a function that calls itself, or one that calls it
            self._say("again", str(self._visited[id(function)]))
            return
        self._visited[id(function)] = len(self._visited)
        self._say("function", function.__name__)
        self._code(function.__code__)
        self.add(function.__defaults__, function.__qualname__)
        self.add(tuple(sorted((function.__kwdefaults__ or {}).items())), function.__qualname__)
        for name, value in free_values(function):
            self._say("cell", name)
            self.add(value, f"{name} in {function.__qualname__}")
        for name, value in global_values(function):
            self._say("global", name)
            self.add(value, f"{name} in {function.__qualname__}")
        for module, name in module_attributes(function):
            self._say("attribute", module.__name__, name)
            self.add(getattr(module, name, None), f"{module.__name__}.{name}")

    def _code(self, code: CodeType) -> None:
        self._say(
            "code",
            code.co_name,
            str(code.co_argcount),
            str(code.co_flags),
            *code.co_names,
            "|",
            *code.co_varnames,
            "|",
        )
        self._say(*code.co_freevars)
        self._hash.update(code.co_code + code.co_exceptiontable)
        self._all(code.co_consts, code.co_name)

    def _class(self, cls: type) -> None:
        self._say("class", cls.__module__, cls.__qualname__)
        if issubclass(cls, tuple):
            self._say(*getattr(cls, "_fields", ()), repr(getattr(cls, "_field_defaults", {})))
        elif issubclass(cls, enum.Enum):
            self._say(*(f"{member.name}={member.value!r}" for member in cls))
        elif not issubclass(cls, BaseException) and getattr(builtins, cls.__name__, None) is not cls:
            raise Uncompilable(
                message("{name} is a class, which compiled rules cannot use", name=cls.__qualname__)
            )


def source_digest(paths: Iterable[Path]) -> str:
    """A digest of files as they are on disk."""
    hashed = hashlib.sha256()
    for path in paths:
        hashed.update(path.read_bytes())
    return hashed.hexdigest()
