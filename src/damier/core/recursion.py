"""Which compiled functions must not be cached: Numba's cached code crashes in the next process where a function calls itself through
another one, or calls itself in several specialisations, as it does if a literal is passed somewhere (Numba issue 6061).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from damier.core.digest import free_values, global_values


def tangled(dispatchers: Collection[Any]) -> bool:
    """Whether compiled functions call each other, or one calls itself in more than one specialisation."""
    known = {id(dispatcher) for dispatcher in dispatchers}

    def callees(dispatcher: Any) -> list[Any]:
        named = (*global_values(dispatcher.py_func), *free_values(dispatcher.py_func))
        return [value for _name, value in named if id(value) in known]

    def reached_from(dispatcher: Any) -> set[int]:
        found: set[int] = set()
        waiting = callees(dispatcher)
        while waiting:
            value = waiting.pop()
            if id(value) not in found:
                found.add(id(value))
                waiting += callees(value)
        return found

    for dispatcher in dispatchers:
        others = [value for value in callees(dispatcher) if value is not dispatcher]
        if any(id(dispatcher) in reached_from(value) for value in others):
            return True
        if len(dispatcher.overloads) > 1 and len(others) < len(callees(dispatcher)):
            return True
    return False
