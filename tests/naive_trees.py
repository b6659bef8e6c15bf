"""Naive search of explicit trees, to hold damier's against: each algorithm as the slides write it,
calling itself; nothing of damier is imported.

A tree is the plain data of a tree file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import inf
from typing import Any


@dataclass
class Naive:
    """One search: what was found, in the order in which it was found."""

    data: dict[str, Any]
    plies: float = inf
    generated: list[str] = field(default_factory=list)
    evaluated: list[str] = field(default_factory=list)
    cut: list[tuple[str, str]] = field(default_factory=list)  # where, and after which move
    visits: int = 0

    def ends(self, name: str, ply: int) -> bool:
        return "moves" not in self.data["nodes"][name] or ply >= self.plies

    def mover(self, name: str, ply: int) -> Any:
        player = self.data["nodes"][name].get("player", 0)
        return (
            ply % self.data["players"] if self.data.get("turn") == "cycle" and player != "chance" else player
        )

    def moves(self, name: str) -> list[list[Any]]:
        return self.data["nodes"][name]["moves"]  # type: ignore[no-any-return]

    def read(self, name: str) -> Any:
        self.evaluated.append(name)
        node = self.data["nodes"][name]
        return node["value"] if "moves" not in node and "value" in node else self.data["evaluation"][name]

    def look(self, name: str) -> None:
        self.visits += 1
        self.generated.append(name)

    # --------------------------------------------------------------------------------------------------------
    # the slides' functions

    def minimax(self, name: str, ply: int = 0) -> Any:
        self.look(name)
        if self.ends(name, ply):
            return first(self.read(name))
        values = [self.minimax(child, ply + 1) for _move, child in self.moves(name)]
        return max(values) if self.mover(name, ply) == 0 else min(values)

    def alphabeta(self, name: str, strict: bool, alpha: float = -inf, beta: float = inf, ply: int = 0) -> Any:
        self.look(name)
        if self.ends(name, ply):
            return first(self.read(name))
        v = -inf if self.mover(name, ply) == 0 else inf
        for number, (move, child) in enumerate(self.moves(name)):
            found = self.alphabeta(child, strict, alpha, beta, ply + 1)
            if self.mover(name, ply) == 0:
                v = max(v, found)
                done = v > beta if strict else v >= beta
                alpha = alpha if done else max(alpha, v)
            else:
                v = min(v, found)
                done = v < alpha if strict else v <= alpha
                beta = beta if done else min(beta, v)
            if done:
                if number + 1 < len(self.moves(name)):
                    self.cut.append((name, move))
                break
        return v

    def expectimax(self, name: str, ply: int = 0) -> Any:
        self.look(name)
        if self.ends(name, ply):
            return Fraction(first(self.read(name)))
        values = [self.expectimax(move[1], ply + 1) for move in self.moves(name)]
        return max(values) if self.mover(name, ply) == 0 else weighted(self.moves(name), values)

    def maxn(self, name: str, ply: int = 0) -> Any:
        self.look(name)
        if self.ends(name, ply):
            value = self.read(name)
            return tuple(map(Fraction, value if isinstance(value, list) else (value, -value)))
        vectors = [self.maxn(move[1], ply + 1) for move in self.moves(name)]
        mover = self.mover(name, ply)
        if mover == "chance":
            return tuple(weighted(self.moves(name), list(column)) for column in zip(*vectors, strict=True))
        best = vectors[0]
        for vector in vectors[1:]:
            if vector[mover] > best[mover]:
                best = vector
        return best


def first(value: Any) -> Any:
    return value[0] if isinstance(value, list) else value


def weighted(moves: list[list[Any]], values: list[Fraction]) -> Fraction:
    weights = [Fraction(move[2]) if len(move) > 2 else Fraction(1, len(moves)) for move in moves]
    return sum((weight * value for weight, value in zip(weights, values, strict=True)), Fraction(0))
