"""Pacman written a second time, with floats and sets, from the words of the rules alone: what the
game of damier is compared with.
"""

from __future__ import annotations

from math import floor
from typing import Any

VECTORS = {"North": (0, 1), "South": (0, -1), "East": (1, 0), "West": (-1, 0), "Stop": (0, 0)}
OPPOSITE = {"North": "South", "South": "North", "East": "West", "West": "East", "Stop": "Stop"}


class NaivePacman:
    """One game, changed by every move; it begins as a state file says."""

    def __init__(self, data: dict[str, Any], stop: bool = True) -> None:
        rows = data["walls"][::-1]
        self.open = {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == " "}
        self.food = {tuple(place) for place in data["food"]}
        self.capsules = {tuple(place) for place in data["capsules"]}
        self.pacman = (data["pacman"]["x"], data["pacman"]["y"])
        self.direction = data["pacman"]["direction"]
        self.score = data["score"]
        self.ghosts = [
            {
                "at": (g["x"], g["y"]),
                "direction": g["direction"],
                "scared": g["scared"],
                "start": tuple(g["start"]),
            }
            for g in data["ghosts"]
        ]
        self.turn, self.won, self.lost, self.stop = 0, False, False, stop

    @property
    def over(self) -> bool:
        return self.won or self.lost

    def legal(self) -> list[str]:
        if self.turn == 0:
            return [
                word for word in VECTORS if self.is_open(self.pacman, word) and (word != "Stop" or self.stop)
            ]
        ghost = self.ghosts[self.turn - 1]
        x, y = ghost["at"]
        if x != int(x) or y != int(y):
            return [ghost["direction"]]
        ways = [word for word in VECTORS if word != "Stop" and self.is_open(ghost["at"], word)]
        not_back = [word for word in ways if word != OPPOSITE[ghost["direction"]]]
        return not_back or ways

    def is_open(self, at: tuple[float, float], word: str) -> bool:
        return (at[0] + VECTORS[word][0], at[1] + VECTORS[word][1]) in self.open

    def play(self, word: str) -> None:
        dx, dy = VECTORS[word]
        if self.turn == 0:
            self.move_pacman(dx, dy)
            if word != "Stop":
                self.direction = word
            meeting = self.ghosts
        else:
            ghost = self.ghosts[self.turn - 1]
            speed = 0.5 if ghost["scared"] else 1
            ghost["at"] = (ghost["at"][0] + speed * dx, ghost["at"][1] + speed * dy)
            ghost["direction"] = word
            if ghost["scared"] == 1:
                ghost["at"] = tuple(floor(n + 0.5) for n in ghost["at"])
            ghost["scared"] = max(0, ghost["scared"] - 1)
            meeting = [ghost]
        for ghost in meeting:
            self.meet(ghost)
        self.turn = (self.turn + 1) % (len(self.ghosts) + 1)

    def move_pacman(self, dx: int, dy: int) -> None:
        self.pacman = (self.pacman[0] + dx, self.pacman[1] + dy)
        self.score -= 1
        if self.pacman in self.food:
            self.food.remove(self.pacman)
            self.score += 10
            if not self.food:
                self.score += 500
                self.won = True
        if self.pacman in self.capsules:
            self.capsules.remove(self.pacman)
            for ghost in self.ghosts:
                ghost["scared"] = 40

    def meet(self, ghost: dict[str, Any]) -> None:
        if abs(ghost["at"][0] - self.pacman[0]) + abs(ghost["at"][1] - self.pacman[1]) > 0.7:
            return
        if ghost["scared"]:
            self.score += 200
            ghost.update(at=ghost["start"], direction="Stop", scared=0)
        elif not self.won:
            self.score -= 500
            self.lost = True

    def facts(self) -> dict[str, Any]:
        """The state as a state file has it, without the walls."""
        ghosts = [
            {
                "x": g["at"][0],
                "y": g["at"][1],
                "direction": g["direction"],
                "scared": g["scared"],
                "start": list(g["start"]),
            }
            for g in self.ghosts
        ]
        pacman = {"x": self.pacman[0], "y": self.pacman[1], "direction": self.direction}
        return {
            "food": self.food,
            "capsules": self.capsules,
            "pacman": pacman,
            "score": self.score,
            "ghosts": ghosts,
        }
