"""Parts of a page, and how a page is asked again: what the answers of all rooms are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, TypedDict

Parts: TypeAlias = dict[str, str]
"""By name, the HTML of parts of a page."""

AddressValues: TypeAlias = "Mapping[str, str | int]"
"""What an address says of a page, by name."""


class NoAnswer(TypedDict):
    """There is nothing to say: what was asked has been done, or can be."""


class PartsAnswer(TypedDict):
    """Parts of a page, and nothing else."""

    parts: Parts


class AddressState(TypedDict):
    """What a page is asked again with, and its address."""

    values: AddressValues
    address: str


class AddressAnswer(TypedDict):
    """A graph."""

    state: AddressState
    parts: Parts
