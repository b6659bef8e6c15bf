"""Exact grades of policies, learning curves, and first mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field

from damier.core.display import Displayed
from damier.core.game import Position
from damier.core.json_types import JsonObject
from damier.core.solution import AnyValue, as_data


@dataclass(frozen=True)
class Chances:
    """Probabilities of the ends of a game, for one of its players.

    Attributes:
        margin: the mean payoff, of games whose ends are worth more than a win, a draw or a loss; else None
    """

    win: float
    draw: float
    loss: float
    margin: float | None = None

    @property
    def payoff(self) -> float:
        """Return what the game is worth on average: win minus loss, or the mean margin."""
        return self.win - self.loss if self.margin is None else self.margin


@dataclass(frozen=True)
class Grade:
    """A policy A graded against B. Pairs hold one entry a seat."""

    seats: tuple[Chances, Chances]  # A at seat 1, at seat 2, against B
    # the most that any policy gets against B from that seat: the best-response value, A's ceiling
    best_against: tuple[Chances, Chances]
    best_response: tuple[Chances, Chances]  # the most that an opponent at that seat gets against A
    # mean probability that A gives to moves that keep the value, over all positions in which somebody is to
    # move
    optimal_share_all: float
    optimal_share_reached: float  # the same over those that A reaches against B
    states: int  # positions in which somebody is to move


def grade_facts(grade: Grade) -> JsonObject:
    """A grade as plain data, as `damier grade --json` prints it."""

    def pair(chances: tuple[Chances, Chances]) -> list[dict[str, float]]:
        return [{"win": c.win, "draw": c.draw, "loss": c.loss, "payoff": c.payoff} for c in chances]

    # of no position there is no share: 1.0 would read as if all was played right
    share = (grade.optimal_share_all, grade.optimal_share_reached) if grade.states else (None, None)
    return {
        "seats": pair(grade.seats),
        "best_against": pair(grade.best_against),
        "best_response": pair(grade.best_response),
        "optimal_share": dict(zip(("all", "reached"), share, strict=True)),
        "states": grade.states,
    }


# A learning curve: what happened in each block of games, and what the learner was worth, exactly,
# at its end.

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
class Curve(Displayed):
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
    def total(self) -> Block:
        """All games as one block."""
        return joined(self.blocks) if self.blocks else Block()

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


# Where an agent first goes wrong, as data.


@dataclass(frozen=True)
class Mistake:
    """A move that gives away what the position was worth.

    Attributes:
        position: where it is played, reached by `moves`, the names of all moves from the start
        seat: who plays it, from 0
        played: the move
        share: how likely the agent is to play it
        before: what the position is worth to the agent
        after: what it is worth once it has moved
        right: the moves that keep the value
        punished: the line of best play by which the opponent makes use of it, to the end of the game
    """

    position: Position
    seat: int
    moves: tuple[str, ...]
    played: str
    share: float
    before: AnyValue
    after: AnyValue
    right: tuple[str, ...]
    punished: tuple[str, ...]

    def as_json(self) -> JsonObject:
        """The mistake as plain data."""
        return {
            "moves": list(self.moves),
            "board": str(self.position),
            "seat": self.seat,
            "played": self.played,
            "share": self.share,
            "before": as_data(self.before),
            "after": as_data(self.after),
            "right": list(self.right),
            "punished": list(self.punished),
        }
