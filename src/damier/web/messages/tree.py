"""What the room of search trees answers."""

from __future__ import annotations

from typing import TypedDict

from damier.web.messages.parts import AddressState, Parts


class TreeState(AddressState):
    """A search at one of its steps.

    chunk    steps that may be asked for at once
    order    of the moves; ordered: whether there are others; cuts: the steps at which it cuts
    """

    steps: int
    step: int
    chunk: int
    order: int
    ordered: bool
    cuts: list[int]


class TreeAnswer(TypedDict):
    """A search at one of its steps."""

    state: TreeState
    parts: Parts


class StepsAnswer(TypedDict):
    """Some steps of a search: the parts that change with each."""

    steps: dict[int, Parts]
