"""The digest of a piece of code changes with everything that its compiled form depends on, and with
nothing else.
"""

from __future__ import annotations

import enum
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from damier.core.digest import Digest, source_digest
from damier.core.errors import Uncompilable

HELPER = """
K = 3
from typing import NamedTuple
class Pair(NamedTuple):
    a: int
    b: int = 5
def aid(x, more=2):
    return x + more
"""
CODE = """
import math
import helper
from helper import Pair, aid
LIMIT = 7
TABLE = (1, 2, (3, 4))
def inner(x):
    return x * 2 + LIMIT
def default(x, by=10):
    return x + by
def keyword(x, *, by=10):
    return x + by
def rule(x):
    return inner(x) + 100
def attribute(x):
    return helper.K + x
def nested_attribute(x):
    def deep(y):
        return helper.K + y
    return deep(x)
def helped(x):
    return aid(x)
def table(x):
    return TABLE[x]
def make(bound, steps=(1, 2)):
    def closed(x):
        return x + bound + steps[0]
    return closed
def make_with_module():
    import helper
    def closed(x):
        return helper.K + x
    return closed
def named(x):
    return Pair(x)
def local_function(x):
    def twice(y):
        return 2 * y + LIMIT
    return twice(x)
def recursive(x):
    return 0 if x == 0 else recursive(x - 1) + LIMIT
def even(x):
    return x == 0 or odd(x - 1)
def odd(x):
    return x != LIMIT and even(x - 1)
def constant_set(x):
    return x in {1, 2, 3}
"""


def module_of(name: str, source: str, **others: ModuleType) -> ModuleType:
    import sys

    module = ModuleType(name)
    before = {other: sys.modules.get(other) for other in others}
    sys.modules |= others
    try:
        exec(compile(textwrap.dedent(source), f"{name}.py", "exec"), module.__dict__)  # noqa: S102 - a test's own text
    finally:
        for other, old in before.items():
            if old is None:
                del sys.modules[other]
            else:
                sys.modules[other] = old
    return module


def digest(value: Any, replaced: Callable[[Any], Any] = lambda value: value) -> str:
    made = Digest(replaced)
    made.add(value, "value")
    return made.hexdigest()


def digest_of(name: str, code: str = CODE, helper: str = HELPER, call: tuple[Any, ...] | None = None) -> str:
    other = module_of("helper", helper)
    function = getattr(module_of("game", code, helper=other), name)
    if call is not None:
        import sys

        sys.modules["helper"] = other
        try:
            function = function(*call)
        finally:
            del sys.modules["helper"]
    return digest(function)


EDITS = {
    "a constant": ("rule", "+ 100", "+ 101"),
    "the type of a constant": ("rule", "+ 100", "+ 100.0"),
    "the code of a function that it calls": ("rule", "x * 2", "x * 3"),
    "an operator": ("rule", "inner(x) + 100", "inner(x) - 100"),
    "a global": ("rule", "LIMIT = 7", "LIMIT = 8"),
    "a table": ("table", "(3, 4)", "(3, 5)"),
    "the shape of a table": ("table", "(1, 2, (3, 4))", "(1, 2, 3, 4)"),
    "a default": (
        "default",
        "by=10):\n    return x + by\ndef keyword",
        "by=11):\n    return x + by\ndef keyword",
    ),
    "a default of a keyword": ("keyword", "*, by=10", "*, by=11"),
    "a global of a function inside": ("local_function", "LIMIT = 7", "LIMIT = 8"),
    "the code of a function inside": ("local_function", "2 * y", "3 * y"),
    "a global of a recursive function": ("recursive", "LIMIT = 7", "LIMIT = 8"),
    "a global of the other of two that call each other": ("even", "LIMIT = 7", "LIMIT = 8"),
    "a set of constants": ("constant_set", "{1, 2, 3}", "{1, 2, 4}"),
}
HELPER_EDITS = {
    "a constant of another module": ("attribute", "K = 3", "K = 4", None),
    "a constant of another module, in a function inside": ("nested_attribute", "K = 3", "K = 4", None),
    "a constant of a module in a closure": ("make_with_module", "K = 3", "K = 4", ()),
    "a helper in another module": ("helped", "x + more", "x - more", None),
    "a default in another module": ("helped", "more=2", "more=3", None),
    "the fields of a NamedTuple": ("named", "a: int", "c: int", None),
    "a default of a NamedTuple": ("named", "b: int = 5", "b: int = 6", None),
}


@pytest.mark.parametrize(("name", "old", "new"), EDITS.values(), ids=EDITS.keys())
def test_an_edit_changes_the_digest(name: str, old: str, new: str) -> None:
    assert CODE.count(old) == 1
    assert digest_of(name) != digest_of(name, CODE.replace(old, new))


@pytest.mark.parametrize(("name", "old", "new", "call"), HELPER_EDITS.values(), ids=HELPER_EDITS.keys())
def test_an_edit_in_another_file_changes_the_digest(
    name: str, old: str, new: str, call: tuple[Any, ...] | None
) -> None:
    assert HELPER.count(old) == 1
    assert digest_of(name, call=call) != digest_of(name, helper=HELPER.replace(old, new), call=call)


@pytest.mark.parametrize(
    "call", [(4,), (3, (2, 1)), (3.0,), (True,)], ids=["an int", "a tuple", "a float", "a bool"]
)
def test_a_closure_s_value_changes_the_digest(call: tuple[Any, ...]) -> None:
    assert digest_of("make", call=call) != digest_of("make", call=(3,))
    assert digest_of("make", call=call) != digest_of("make", call=(1,))


@pytest.mark.parametrize(
    "name", [name for name, _old, _new in EDITS.values()] + ["helped", "attribute", "named"]
)
def test_the_same_code_has_the_same_digest_and_comments_do_not_count(name: str) -> None:
    """Loaded again from a file with other lines and comments, as in another process."""
    commented = "# a comment\n\n\n" + CODE.replace("LIMIT = 7", "LIMIT = 7  # seven")
    assert digest_of(name) == digest_of(name, commented)


def test_what_a_rule_stands_for_is_digested_in_its_place() -> None:
    def stub(x: int) -> int:
        raise NotImplementedError

    def first(x: int) -> int:
        return x + 1

    def second(x: int) -> int:
        return x + 2

    def engine(x: int) -> int:
        return stub(x)

    digests = {
        digest(engine, lambda value, by=by: by if value is stub else value) for by in (stub, first, second)
    }
    assert len(digests) == 3


def test_values_of_equal_text_or_equal_sum_differ() -> None:
    values = [
        1,
        1.0,
        True,
        "1",
        b"1",
        (1,),
        (1, ()),
        ((1,),),
        None,
        "None",
        (),
        frozenset({1}),
        frozenset(),
        -0.0,
        0.0,
        ("ab", "c"),
        ("a", "bc"),
    ]
    assert len({digest(value) for value in values}) == len(values)


class Colour(enum.IntEnum):
    RED = 1


@pytest.mark.parametrize("value", [[1], {1: 2}, {1}, bytearray(b"a"), object(), [[]], (1, [2])])
def test_what_can_change_under_compiled_code_is_refused_by_name(value: Any) -> None:
    with pytest.raises(Uncompilable, match="LIMITS"):
        digest_with_global(value)


def digest_with_global(value: Any) -> str:
    module = module_of("game", "def rule(x):\n    return LIMITS[x]\n")
    module.LIMITS = value
    return digest(module.rule)


def test_a_class_of_the_user_s_own_is_refused() -> None:
    module = module_of("game", "class C:\n    K = 3\ndef rule(x):\n    return C.K + x\n")
    with pytest.raises(Uncompilable, match="C is a class"):
        digest(module.rule)


def test_arrays_are_digested_by_value() -> None:
    np = pytest.importorskip("numpy")
    assert digest_with_global(np.array([1, 2])) == digest_with_global(np.array([1, 2]))
    arrays = [
        np.array([1, 2]),
        np.array([1, 3]),
        np.array([1.0, 2.0]),
        np.array([[1, 2]]),
        np.array([1, 2], np.int8),
    ]
    assert len({digest_with_global(array) for array in arrays}) == len(arrays)
    assert digest_with_global(np.int64(3)) != digest_with_global(np.int64(4))


def test_a_digest_of_files_follows_their_content(tmp_path: Any) -> None:
    path = tmp_path / "file"
    path.write_text("a")
    before = source_digest([path])
    path.write_text("b")
    assert source_digest([path]) != before
    path.write_text("a")
    assert source_digest([path]) == before
