"""What `numba_adapter` assumes about Numba's insides.

When a test here fails, a new version has changed something: look there before the bound moves.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import compiler, errors, typed_passes, untyped_passes
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from processes import run
from sample_engines import start_leaves

from damier import load
from damier.core import bits, code_cache, machine_code, numba_adapter, numba_pipeline
from damier.core.compile import instantiate

TESTS = Path(__file__).parents[1]
PYPROJECT = TESTS.parent / "pyproject.toml"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DAMIER_CACHE", str(tmp_path / "engines"))


def engine_of(
    function: Callable[..., Any], inner: Callable[[Any], Any] = lambda wrap: None
) -> Callable[..., Any]:
    """A function as an engine, compiled for each call as `core.compile` does it; `inner` gives it
    wrapped functions.
    """

    def clone(wrap: Any) -> Any:
        inner(wrap)
        return function

    engine = numba_adapter.CompiledEngine(f"{function.__name__}-{9:032x}", clone)

    def call(*arguments: Any) -> Any:
        words: machine_code.Words = []
        kinds = machine_code.flattened(arguments, words)
        return engine.prepare(kinds, arguments)(words, arguments)

    return call


def make_list(n: int) -> int:
    return len([n, n])


def make_list_unseen(n: int) -> Any:
    return len(np.ones_like(np.arange(n))) if n else 0


def add_one(n: int) -> int:
    return n + 1


def add_two(n: int) -> int:
    return add_one(add_one(n))


def total(numbers: Any, pair: Any, factor: float, double: bool) -> float:
    found = 0.0
    for number in numbers:
        found += number * factor
    return (found + pair[0] + pair[1][1]) * (2 if double else 1)


def test_numba_is_within_the_bounds_that_were_tried() -> None:
    (bounds,) = [
        text
        for text in tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]
        if text.startswith("numba")
    ]
    found = re.fullmatch(r"numba>=([0-9.]+),<([0-9.]+)", bounds)
    assert found, f"{bounds} has no upper bound"
    here = tuple(map(int, numba.__version__.split(".")[:2]))
    assert tuple(map(int, found[1].split("."))) <= here < tuple(map(int, found[2].split(".")))
    assert numba_adapter.version() == numba.__version__


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint64, np.float64])
def test_arguments_are_passed_as_words_in_the_order_that_numba_expects(dtype: Any) -> None:
    call = engine_of(total)
    numbers = np.array([1, 2, 3], dtype)
    assert call(numbers, (7, (8, 9)), 0.5, True) == (3.0 + 7 + 9) * 2
    readonly = numbers.copy()
    readonly.flags.writeable = False
    assert call(readonly, (7, (8, 9)), 0.5, False) == 3.0 + 7 + 9


def test_arrays_of_two_dimensions_and_empty_ones_are_passed() -> None:
    def corner(table: Any, empty: Any) -> int:
        return table[1, 2] * 10 + table.shape[0] + len(empty)

    assert engine_of(corner)(np.arange(6).reshape(2, 3), np.empty(0, np.int64)) == 52


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (lambda n: n + 1, 6),
        (lambda n: n > 3, True),
        (lambda n: n * 0.5, 2.5),
        (lambda n: (n, -n), (5, -5)),
        (lambda n: (n, n * 0.5), (5, 2.5)),
        (lambda n: None, None),
        (lambda n: 3, 3),
    ],
    ids=["int", "bool", "float", "pair", "mixed pair", "nothing", "constant"],
)
def test_results_are_returned_as_numba_returns_them(function: Callable[..., Any], expected: Any) -> None:
    function.__name__ = "function"
    for _time in range(2):  # compiled, then from the cache
        found = engine_of(function)(5)
        assert found == expected
        assert type(found) is type(expected)
    assert list(code_cache.cache_folder().glob("*.engine"))


@pytest.mark.parametrize(
    "arguments",
    [(1 << 63,), (np.arange(6)[::2],), (np.asfortranarray(np.zeros((2, 2))),), (None,), (np.int64(3),)],
)
def test_what_is_passed_by_numba_alone_is_left_to_numba(arguments: tuple[Any, ...]) -> None:
    def same(x: Any) -> bool:
        return x is x

    assert machine_code.flattened(arguments, []) is None
    assert engine_of(same)(*arguments) is True


def test_errors_of_the_code_come_out_with_their_class_and_words() -> None:
    def fails(n: int, numbers: Any) -> int:
        if n == 1:
            raise ValueError("one", 1)
        return int(7 // n)

    call = engine_of(fails)
    numbers = np.zeros(1, np.int64)
    assert call(2, numbers) == 3
    with pytest.raises(ValueError) as raised:
        call(1, numbers)
    assert raised.value.args == ("one", 1)
    with pytest.raises(ZeroDivisionError):
        call(0, numbers)


def test_a_damaged_engine_is_compiled_again_and_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    assert engine_of(add_one)(5) == 6
    (kept,) = code_cache.cache_folder().glob("*.engine")
    whole = kept.read_bytes()
    for place in (20, len(whole) // 2, -1):
        damaged = bytearray(whole)
        damaged[place] ^= 4
        kept.write_bytes(damaged)
        assert len(compilations(add_one, monkeypatch)) == 1
        assert compilations(add_one, monkeypatch) == [], "the damage was not mended"
        assert engine_of(add_one)(5) == 6


def test_a_function_that_calls_itself_is_kept_and_runs_in_another_process() -> None:
    game = load("nim:matches=11")
    assert instantiate(start_leaves, game, jit=True)(game.fields(game.start), 3) == 27
    code = """
import sys
from damier.core.compile import instantiate
from damier import load
from sample_engines import start_leaves
game = load("nim:matches=11")
print(instantiate(start_leaves, game, jit=True)(game.fields(game.start), 3), "numba" in sys.modules)
"""
    assert run(code, code_cache.cache_folder(), PYTHONPATH=str(TESTS)) == "27 False", (
        "the code from the cache needed the compiler"
    )


def test_code_that_makes_objects_of_python_has_what_it_needs(tmp_path: Path) -> None:
    code = """
from damier.core.compile import instantiate
from damier import load
from sample_engines import print_field, raise_field
game = load("nim:matches=11")
fields = game.fields(game.start)
print(instantiate(print_field, game, jit=True)(fields))
try:
    instantiate(raise_field, game, jit=True)(fields)
except ValueError as error:
    print(error)
"""
    printed = run(code, tmp_path / "objects", PYTHONPATH=str(TESTS))  # it waited for ever
    assert printed.splitlines() == ["of 0", "1", "(0, 'few')"]


def test_code_that_counts_no_memory_says_so_where_it_makes_a_list() -> None:
    with pytest.raises(errors.NumbaError, match=numba_adapter.NEEDS_COUNTING):
        numba.njit(make_list, _nrt=False).compile((numba.int64,))


def compilations(function: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For which ways of counting memory an engine is compiled."""
    counted: list[bool] = []
    compile = numba.core.dispatcher.Dispatcher.compile

    def watched(self: Any, types: Any) -> Any:
        if self.py_func is function:
            counted.append(self.targetoptions["_nrt"])
        return compile(self, types)

    with monkeypatch.context() as patch:
        patch.setattr(numba.core.dispatcher.Dispatcher, "compile", watched)
        engine_of(function)(2)
    return counted


def test_what_makes_lists_or_arrays_is_compiled_once_and_from_the_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for function in (make_list, make_list_unseen):
        assert compilations(function, monkeypatch) == [True]
        assert compilations(function, monkeypatch) == [], "it was not kept"


def test_what_makes_room_unseen_is_compiled_again() -> None:
    def unseen(numbers: Any) -> int:
        return len(numbers.copy())

    with pytest.raises(errors.NumbaError, match=numba_adapter.NEEDS_COUNTING):
        numba.njit(unseen, _nrt=False).compile((numba.int64[::1],))
    assert engine_of(unseen)(np.arange(3)) == 3


def test_what_numba_refuses_is_told_as_one_error() -> None:
    def refused(n: Any) -> Any:
        return n.no_such_thing

    with pytest.raises(numba_adapter.NotCompiled, match="no_such_thing"):
        engine_of(refused)(1)


def test_the_passes_left_out_are_among_numba_s_and_the_hooks_are_there() -> None:
    names = {
        step.__name__
        for step in (untyped_passes.WithLifting, untyped_passes.LiteralUnroll, typed_passes.AnnotateTypes)
    }
    taken: list[str] = []

    class Listed(compiler.CompilerBase):
        def define_pipelines(self) -> list[Any]:
            complete = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
            taken.extend(step.__name__ for step, _description in complete.passes)
            return [complete]

    numba.njit(make_list, pipeline_class=Listed).compile((numba.int64,))
    assert names < set(taken)
    assert "DeadBranchPrune" in taken
    for hook in (
        "_optimize_final_module",
        "_finalize_final_module",
        "_finalize_dynamic_globals",
        "get_pointer_to_function",
        "add_ir_module",
        "codegen",
    ):
        assert hasattr(JITCodeLibrary, hook), hook
    assert RuntimeLinker.PREFIX == numba_pipeline.UNRESOLVED


def test_functions_that_are_linked_in_become_no_machine_code_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    finished: list[str] = []
    finalize = JITCodeLibrary._finalize_specific  # noqa: SLF001  private to Numba
    monkeypatch.setattr(
        JITCodeLibrary, "_finalize_specific", lambda self: (finished.append(self.name), finalize(self))[1]
    )
    plain = add_one
    assert engine_of(add_two, lambda wrap: monkeypatch.setitem(globals(), "add_one", wrap(plain)))(3) == 5
    assert len(finished) == 1, finished


def test_random_words_wrap_around_in_64_bits() -> None:
    """Types of literals and of numpy's scalars, on which `bits.register` builds."""
    numba_adapter.started()
    rng, compiled = [2**63 + 12345], np.array([2**63 + 12345], np.uint64)
    assert numba.njit(lambda rng: bits.random_word(rng))(compiled) == bits.random_word(rng)
    assert compiled[0] == rng[0]
