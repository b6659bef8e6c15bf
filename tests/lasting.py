"""Tests that last long: `scripts/test` leaves them out, `scripts/test-long` runs them.

What is exhaustive is of this kind; something like it stays in the default run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

long = pytest.mark.long


def shortly(values: Iterable[Any], *always: Any) -> list[Any]:
    """Values for `parametrize`, of which only those of `always` are in the default run."""
    return [value if value in always else later(value) for value in values]


def later(value: Any) -> Any:
    """A value for `parametrize` (a tuple: one for each name) that only the long run takes."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=long)
