"""A learning curve: what happened in each block of games, and what the learner was worth, exactly,
at its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from damier.core.grade import Grade, grade_facts
from damier.core.json_types import JsonObject

MOST_BLOCKS = 40


@dataclass
class Block:
    """Games that were played one after the other, counted for the learner; how it explored and what
    it was worth after them.
    """

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    epsilon: float = 0.0
    grade: Grade | None = None


@dataclass
class Curve:
    """Blocks of `size` games; the last one may be shorter.

    Sizes are powers of 2, so that the curve of a longer training can be made from that of a shorter
    one, whenever it was stopped.
    """

    size: int = 1
    blocks: list[Block] = field(default_factory=list)

    @property
    def games(self) -> int:
        return sum(block.games for block in self.blocks)

    @property
    def left(self) -> int:
        """Games until the next block is full."""
        return self.size - self.blocks[-1].games % self.size if self.blocks else self.size

    def add(self, wins: int, draws: int, losses: int) -> Block:
        """Counts games, no more than are left of a block; returns that block."""
        if not self.blocks or self.blocks[-1].games == self.size:
            self.blocks.append(Block())
        block = self.blocks[-1]
        block.games, block.wins, block.draws, block.losses = (
            block.games + wins + draws + losses,
            block.wins + wins,
            block.draws + draws,
            block.losses + losses,
        )
        block.grade = None  # of an end that has moved
        return block

    def prepare(self, games: int) -> None:
        """Joins blocks until so many games are at most 40 of them, and then more than 20."""
        while games > MOST_BLOCKS * self.size:
            pairs = [self.blocks[first : first + 2] for first in range(0, len(self.blocks), 2)]
            self.blocks = [joined(pair) for pair in pairs]
            self.size *= 2

    def keep_grades(self, every: int) -> None:
        """Forgets the grades of blocks that do not end at a multiple of `every` games (0: all
        grades): a longer training has none there.
        """
        games = 0
        for block in self.blocks:
            games += block.games
            if not every or games % every:
                block.grade = None


def joined(blocks: list[Block]) -> Block:
    """Blocks as one."""
    games, wins, draws, losses = (
        sum(getattr(block, name) for block in blocks) for name in ("games", "wins", "draws", "losses")
    )
    return Block(games, wins, draws, losses, blocks[-1].epsilon, blocks[-1].grade)


def block_facts(block: Block) -> JsonObject:
    """A block as plain data."""
    return {**vars(block), "grade": grade_facts(block.grade) if block.grade else None}
