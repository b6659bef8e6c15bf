"""Node for node, value for value: the searches find what they found when `recorded.json` was
written, in plain Python and compiled.
"""

from __future__ import annotations

import json

import pytest
from lasting import later, shortly

from tests.search.recorded import FILE, as_data, compiled_settings, settings

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))
PARTS = 25
"""The settings are told apart by their names, and run a part at a time, each of which has some of every
kind: each takes a few thousandths of a second.
"""


def test_there_are_settings_enough_and_all_of_them_are_recorded() -> None:
    names = [name for name, _record in settings()]
    assert len(names) > 900
    assert set(names) == set(RECORDED)


@pytest.mark.parametrize("part", shortly(range(PARTS), 5))
def test_in_plain_python_nothing_has_changed(part: int) -> None:
    for name, record in list(settings())[part::PARTS]:
        assert as_data(record()) == RECORDED[name], name


SOME = (7, 15, 16)
"""With a table, an order and null windows, asked two questions; and an exact search, whose engine other tests
compile too.
"""


@pytest.mark.parametrize("numbers", [SOME, later(((),))], ids=["some", "all"])
def test_compiled_it_is_the_same(numbers: tuple[int, ...]) -> None:
    """Every engine once; by default two."""
    everything = list(compiled_settings())
    for name, record in [everything[number] for number in numbers] or everything:
        assert as_data(record()) == RECORDED[name], name
