"""Engines in a few lines, bound to the rules of a game by tests, here and in processes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from damier.core.bits import lowest
from damier.core.rules import as_state, moves, over, play

if TYPE_CHECKING:
    import pytest


def leaves(s: Any, depth: int) -> int:
    """An engine that calls itself."""
    if depth == 0 or over(s):
        return 1
    total, untried = 0, moves(s)
    while untried:
        total += leaves(play(s, lowest(untried)), depth - 1)
        untried &= untried - 1
    return total


def start_leaves(fields: Any, depth: int) -> int:
    return leaves(as_state(fields), depth)


def print_field(fields: Any) -> int:
    print_number(fields[0])
    return 1


def print_number(number: int) -> None:
    print("of", number)


def raise_field(fields: Any) -> int:
    if fields[0] >= 0:
        raise ValueError(fields[0], "few")
    return 0


def names_of_engines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the compiled engines that are asked for from now on: equal names share machine code."""
    from damier.core import numba_adapter

    names: list[str] = []
    make = numba_adapter.CompiledEngine

    def name_kept(name: str, clone: Any) -> Any:
        names.append(name)
        return make(name, clone)

    monkeypatch.setattr(numba_adapter, "CompiledEngine", name_kept)
    return names
