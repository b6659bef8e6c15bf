"""What `numba_adapter` assumes about Numba's insides. When a test here fails, a new version has changed something: look there before the bound moves."""

from __future__ import annotations

import inspect
import itertools
import re
import tomllib
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numba.core import caching, compiler, errors, serialize
from numba.core.bytecode import FunctionIdentity
from numba.core.registry import cpu_target

from damier.core import code_cache, numba_adapter

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def parameters(function: Any) -> list[str]:
    return list(inspect.signature(function).parameters)


def make_list(n: int) -> int:
    return len([n, n])


def add(a: int, b: int) -> int:
    return a + b


def test_numba_is_within_the_bounds_that_were_tried() -> None:
    (bounds,) = [text for text in tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"] if text.startswith("numba")]
    found = re.fullmatch(r"numba>=([0-9.]+),<([0-9.]+)", bounds)
    assert found, f"{bounds} has no upper bound"
    here = tuple(map(int, numba.__version__.split(".")[:2]))
    assert tuple(map(int, found[1].split("."))) <= here < tuple(map(int, found[2].split(".")))


def test_a_dispatcher_asks_its_cache_for_code_and_gives_it_code_to_keep() -> None:
    asked: list[str] = []

    class Watched(caching.NullCache):
        def load_overload(self, signature: Any, context: Any) -> None:
            asked.append(f"load {signature}")
            assert context is cpu_target.target_context

        def save_overload(self, signature: Any, result: Any) -> None:
            asked.append(f"save {signature}")
            assert isinstance(result, compiler.CompileResult)
            assert not result.lifted
            assert not result.library.has_dynamic_globals

    dispatcher = numba.njit(add)
    dispatcher._cache = Watched()
    dispatcher.compile((numba.int64, numba.int64))
    assert asked == ["load (int64, int64)", "save (int64, int64)"]


def test_what_a_compilation_makes_is_taken_apart_and_put_together() -> None:
    dispatcher = numba.njit(add)
    dispatcher.compile((numba.int64, numba.int64))
    (made,) = dispatcher.overloads.values()
    parts = numba_adapter.pickle.loads(serialize.dumps(made._reduce()))
    again = compiler.CompileResult._rebuild(cpu_target.target_context, *parts)
    assert str(again.signature) == str(made.signature)


def test_an_engine_asks_for_its_code_by_name_signature_target_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[code_cache.Purpose] = []
    monkeypatch.setattr(code_cache, "load", lambda purpose: asked.append(purpose))
    monkeypatch.setattr(code_cache, "save", lambda purpose, code: asked.append(purpose))
    engine = numba_adapter.CompiledEngine(f"add-{9:032x}", lambda wrap: add)
    engine.prepare((1, 2))
    assert engine(1, 2) == 3
    assert asked[0] == asked[1]
    assert asked[0]["engine"] == f"add-{9:032x}"
    assert asked[0]["signature"] == "(int64, int64)"
    assert asked[0]["numba"] == numba.__version__
    triple, processor, features = asked[0]["target"]
    assert all(isinstance(text, str) for text in (triple, processor, features))
    assert triple


def test_functions_are_numbered_by_the_counter_that_the_adapter_sets() -> None:
    before = FunctionIdentity._unique_ids
    try:
        FunctionIdentity._unique_ids = itertools.count(4711)
        assert FunctionIdentity.from_function(add).unique_id == 4711
    finally:
        FunctionIdentity._unique_ids = before


def test_code_that_counts_no_memory_says_so_where_it_makes_a_list() -> None:
    with pytest.raises(errors.NumbaError, match=numba_adapter.NEEDS_COUNTING):
        numba.njit(make_list, _nrt=False).compile((numba.int64,))
    numba.njit(make_list, _nrt=True).compile((numba.int64,))
    engine = numba_adapter.CompiledEngine(f"make_list-{9:032x}", lambda wrap: make_list)
    engine.prepare((1,))
    assert engine(1) == 2


def test_what_numba_refuses_is_told_as_one_error() -> None:
    def raises(n: Any) -> Any:
        return n.no_such_thing

    engine = numba_adapter.CompiledEngine(f"raises-{9:032x}", lambda wrap: raises)
    with pytest.raises(numba_adapter.NotCompiled, match="no_such_thing"):
        engine.prepare((1,))


def test_hooks_have_the_parameters_that_are_overridden() -> None:
    assert parameters(caching.NullCache.load_overload) == ["self", "sig", "target_context"]
    assert len(parameters(caching.NullCache.save_overload)) == 3
    assert parameters(compiler.CompileResult._reduce) == ["self"]
    assert parameters(compiler.CompileResult._rebuild)[0] == "target_context"


def test_random_words_wrap_around_in_64_bits() -> None:
    """Types of literals and of numpy's scalars, on which `bits.register` builds."""
    from damier.core import bits

    numba_adapter.started()
    rng, compiled = [2**63 + 12345], np.array([2**63 + 12345], np.uint64)
    assert numba.njit(lambda rng: bits.random_word(rng))(compiled) == bits.random_word(rng)
    assert compiled[0] == rng[0]
