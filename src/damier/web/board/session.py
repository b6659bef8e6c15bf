"""A game as the address of a board page says it: rules, moves, how many of them are played, who
sits where, the seed. Nothing else is known of it, so a page can be shared, reloaded and gone back
in.

A draw of chance may be written `*`: the die falls as the seed says. Where players have secrets it
is never written otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from damier.core.bits import reseed
from damier.core.errors import IllegalMove
from damier.core.game import Game
from damier.core.position import Position, read
from damier.core.rules import CHANCE
from damier.core.words import message
from damier.lab.agents import Lab
from damier.lab.chance import chance_move
from damier.web.asked import Asked
from damier.web.board.seats import HUMAN, asked_seats
from damier.web.registry import Registry

DIE = "*"
SHOWN = ("truth", "outcome", "mind", "predict")
"""What a page may show beside the board: exact values, of these only who wins, what the agents think, the
values only after a guess.
"""
LONGEST_POSITION = 600
"""Characters of a position: a board of Go of 19 by 19 takes 400."""
LONGEST_NAME = 24
"""Characters of a player's name."""


@dataclass(frozen=True)
class GameSession:
    """name    the game as the page names it
    lab     the same, loaded, with what is known of it
    asked   moves as they were written, some of them perhaps `*`
    at      how many of them are played: what follows was taken back, and may be played again
    seats   the text of an agent for every player
    seed    of the dice, and of agents that draw
    shown   some of SHOWN
    me      at a table, the player who looks on, counted from 0, or a number that no player has;
            else None
    look    the ply at which a person said that nobody else looks on
    guessed whether a person has said what the position is worth, so that the values may be seen
    begin   the position that the game began in, in its own notation; nothing: the first one
    names   of the players, where they gave any
    slice   how often more was asked for of what is being proven
    """

    name: str
    lab: Lab
    asked: tuple[str, ...]
    at: int
    seats: tuple[str, ...]
    seed: int = 0
    shown: frozenset[str] = frozenset()
    me: int | None = None
    look: int = -1
    guessed: bool = False
    begin: str = ""
    names: tuple[str, ...] = ()
    slice: int = 0

    @property
    def game(self) -> Game:
        return self.lab.game

    @cached_property
    def line(self) -> tuple[list[Position], list[str]]:
        """Every position, the first one included, and the name of every move.

        Raises IllegalMove, which says at which ply.
        """
        positions, names = [read(self.game, self.begin) if self.begin else self.game.position()], []
        for number, move in enumerate(self.asked, 1):
            position = positions[-1]
            try:
                played = (
                    self.sample_chance(position, number - 1)
                    if move == DIE and is_chance(position)
                    else position.read(move)
                )
            except IllegalMove as error:
                raise IllegalMove(message("move {number}: {error}", number=number, error=error)) from None
            secret = self.game.imperfect_information and is_chance(position)
            names.append(DIE if secret else self.game.name_move(position.state, played))
            positions.append(position.after(played))
        return positions, names

    @property
    def positions(self) -> list[Position]:
        return self.line[0]

    @property
    def moves(self) -> list[str]:
        return self.line[1]

    @property
    def position(self) -> Position:
        """The one that is shown."""
        return self.positions[self.at]

    @property
    def is_latest(self) -> bool:
        """Whether nothing was taken back."""
        return self.at == len(self.asked)

    @property
    def people(self) -> list[int]:
        """The players that are people."""
        return [player for player, agent in enumerate(self.seats) if agent == HUMAN]

    @property
    def you(self) -> int | None:
        """The player who reads the page, where that is one only."""
        return self.me if self.me is not None else self.people[0] if len(self.people) == 1 else None

    @property
    def plays(self) -> bool:
        """Whether who reads the page has a say in the game: at a table, who sits there."""
        return self.me is None or self.me < len(self.seats)

    def sample_chance(self, position: Position, ply: int) -> int:
        """How the die falls: whatever was played before, the same seed throws the same at the same
        ply.
        """
        return chance_move(self.game, position.state, self.random(ply))

    def random(self, ply: int) -> list[int]:
        """The random numbers of one ply."""
        rng = [0]
        reseed(rng, self.seed, ply)
        return rng

    def then(self, move: str) -> GameSession:
        """After one more move at the position that is shown; what was taken back is forgotten."""
        return replace(self, asked=(*self.moves[: self.at], move), at=self.at + 1)

    def query(self) -> dict[str, str]:
        """What an address says of it, beside the game."""
        written_moves = ",".join(self.moves)
        values = {"moves": written_moves, "at": "" if self.is_latest else str(self.at)}
        values |= {str(player + 1): agent for player, agent in enumerate(self.seats)}
        values |= {"position": self.begin}
        values |= {f"name{player + 1}": name for player, name in enumerate(self.names)}
        return values | {
            "seed": str(self.seed or ""),
            "show": ",".join(name for name in SHOWN if name in self.shown),
        }


def is_chance(position: Position) -> bool:
    """Whether a die is thrown."""
    return not position.over and position.mover == CHANCE


def asked_session(registry: Registry, asked: Asked) -> GameSession:
    """The game of a question. Raises BadInput where it cannot be."""
    name = asked.text("game")
    lab = registry.lab(name)
    game = lab.game
    moves = asked.moves()
    me = asked.whole("me", 0, high=game.players + 1)
    return GameSession(
        name,
        lab,
        tuple(moves),
        asked.whole("at", len(moves), high=len(moves)),
        asked_seats(game, asked),
        asked.whole("seed", 0),
        frozenset(asked.text("show").split(",")) & frozenset(SHOWN),
        me - 1 if me else None,
        asked.whole("look", 1 << 20) if asked.values.get("look") is not None else -1,
        asked.flag("guessed"),
        asked.text("position", longest=LONGEST_POSITION),
        tuple(" ".join(asked.text(f"name{n + 1}").split())[:LONGEST_NAME] for n in range(game.players)),
        asked.whole("slice", 0, high=1_000),
    )
