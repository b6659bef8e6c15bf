"""The kinds of exercises, by name: what a command reads before any of them is made."""

from __future__ import annotations

from typing import Literal, TypeAlias

DrillKind: TypeAlias = Literal[
    "minimax",
    "alphabeta",
    "expectimax",
    "maxn",
    "evaluation",
    "minimal",
    "q",
    "beads",
    "retrograde",
    "mixed",
]
