"""Machine code of engines, run without the compiler: object code is linked by LLVM, in
milliseconds, and called by its address.

An engine takes ints, floats, bools, arrays and tuples of these, and returns numbers, a tuple of
numbers, or nothing. Numba passes them as separate words (an array of n dimensions as 5 + 2n), after
the address of the result and of what was raised, and returns a status.
"""

from __future__ import annotations

import ctypes
import functools
import json
import os
import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

Words = list[Any]
"""Arguments as the processor takes them: ints and floats, addresses among them."""

STATUS_OK, STATUS_NONE, FIRST_RAISED = 0, -2, 1
NUMBERS: dict[str, type[Any]] = {
    "int8": ctypes.c_int8,
    "int16": ctypes.c_int16,
    "int32": ctypes.c_int32,
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float64": ctypes.c_double,
    "bool": ctypes.c_bool,
}
"""What can be returned, alone or (without bool) in a tuple, by Numba's names."""


class Image(NamedTuple):
    """An engine as it is kept: `entry` names its function, `result` what it returns, `symbols` what
    it asks the process for.
    """

    entry: str
    result: list[str] | str
    symbols: list[str]
    code: bytes

    def to_bytes(self) -> bytes:
        """A line of JSON, and the object code."""
        return json.dumps(self[:3]).encode() + b"\n" + self.code

    @classmethod
    def from_bytes(cls, data: bytes) -> Image:
        head, _newline, code = data.partition(b"\n")
        entry, result, symbols = json.loads(head)
        return cls(entry, result, symbols, code)


class RaisedAt(Exception):
    """Place of a `raise` in what was compiled: cause of the error that compiled code raises.

    Attributes:
        path, line: as they were when it was compiled
    """

    def __init__(self, path: str, line: int) -> None:
        super().__init__(path, line)
        self.path, self.line = path, line


class Raised(ctypes.Structure):
    """Error as engines say it: pickled class and arguments; where some of these are known at
    run time only, a function that gives them.
    """

    _fields_ = (
        ("pickled", ctypes.c_void_p),
        ("length", ctypes.c_int32),
        ("values", ctypes.c_void_p),
        ("unwrap", ctypes.c_void_p),
        ("dynamic", ctypes.c_int32),
    )


def flattened(arguments: Iterable[Any], words: Words) -> tuple[Any, ...] | None:
    """The kinds of arguments, and their words appended to `words`; None if one of them is of no
    kind that is passed like this.
    """
    kinds: list[Any] = []
    for value in arguments:
        kind = type(value)
        if kind is int:
            if not -1 << 63 <= value < 1 << 63:
                return None
            kinds.append("i")
            words.append(value)
        elif kind is tuple:
            inner = flattened(value, words)
            if inner is None:
                return None
            kinds.append(inner)
        elif kind is bool or kind is float:
            kinds.append("b" if kind is bool else "d")
            words.append(value)
        elif (interface := getattr(value, "__array_interface__", None)) is not None and value.shape:
            flags = value.flags
            if not (
                flags.c_contiguous and flags.aligned and value.dtype.isnative and value.dtype.kind in "iuf"
            ):
                return None
            kinds.append(f"{value.dtype.str}{value.ndim}{'' if flags.writeable else 'r'}")
            words += (
                0,
                0,
                value.size,
                value.itemsize,
                interface["data"][0],  # made anew whenever it is asked for
                *value.shape,
                *value.strides,
            )
        else:
            return None
    return tuple(kinds)


def is_passed(kinds: Sequence[Any]) -> Iterator[type[Any]]:
    """The type of every word of arguments of these kinds."""
    for kind in kinds:
        if isinstance(kind, tuple):
            yield from is_passed(kind)
        elif kind in ("i", "d", "b"):
            yield {"i": ctypes.c_int64, "d": ctypes.c_double, "b": ctypes.c_int8}[kind]
        else:
            dimensions = int(kind.rstrip("r")[3:])
            yield from (ctypes.c_int64,) * (5 + 2 * dimensions)


@functools.cache
def target() -> tuple[str, ...]:
    """Return what object code is made for: the system, the processor and its features, and Numba's
    settings in the environment.
    """
    from llvmlite import binding

    settings = sorted(f"{name}={value}" for name, value in os.environ.items() if name.startswith("NUMBA_"))
    return (
        binding.get_process_triple(),
        binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(),
        *settings,
    )


def missing(symbols: Iterable[str]) -> bool:
    """Return whether this process lacks one of these symbols: code that asks for it must not be linked,
    LLVM would end the process.
    """
    from llvmlite import binding

    return any(binding.address_of_symbol(name) is None for name in symbols)


class LinkedEngine:
    """An engine that runs: an image, linked, for arguments of given kinds."""

    def __init__(self, image: Image, kinds: Sequence[Any]) -> None:
        from llvmlite import binding

        binding.initialize_native_target()
        binding.initialize_native_asmprinter()
        machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine(jit=True)
        # of its own: engines do not see each other's names
        self._linker = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        self._linker.add_object_file(binding.ObjectFileRef.from_data(image.code))
        self._linker.finalize_object()
        addresses = (ctypes.c_void_p, ctypes.c_void_p)
        declared = ctypes.CFUNCTYPE(ctypes.c_int32, *addresses, *is_passed(kinds))
        self._function = declared(self._linker.get_function_address(image.entry))
        self._result: type[Any] = _result_type(image.result)
        self._returns = image.result != "none"
        self._in_tuple = not isinstance(image.result, str)

    def run(self, words: Words) -> Any:
        """Calls it; other threads run meanwhile. What the engine raises is raised."""
        result, raised = self._result(), ctypes.c_void_p()
        status = self._function(ctypes.addressof(result), ctypes.addressof(raised), *words)
        if status >= FIRST_RAISED:
            error, place = _error(Raised.from_address(raised.value or 0))
            raise error from place
        if status not in (STATUS_OK, STATUS_NONE):
            raise SystemError(status)
        if status == STATUS_NONE or not self._returns:
            return None
        if self._in_tuple:
            return tuple(getattr(result, name) for name, _type in result._fields_)
        return result.value


def _result_type(result: list[str] | str) -> type[Any]:
    if isinstance(result, str):
        return NUMBERS.get(result, ctypes.c_int64)
    fields = [(f"f{number}", NUMBERS[name]) for number, name in enumerate(result)]
    return type("Result", (ctypes.Structure,), {"_fields_": fields})


def _error(raised: Raised) -> tuple[BaseException, RaisedAt | None]:
    """The error that an engine tells of, and where a `raise` stands that raised it; its bytes are a part of
    the code that has just run.
    """
    kind, arguments, place = pickle.loads(ctypes.string_at(raised.pickled or 0, raised.length))
    if raised.dynamic > 0 and raised.unwrap:
        found = iter(ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p)(raised.unwrap)(raised.values))
        arguments = [
            next(found) if type(value).__module__.startswith("llvmlite") else value for value in arguments
        ]
    error: BaseException = (kind or RuntimeError)(*(arguments or ()))
    return error, RaisedAt(*place[1:]) if place else None
