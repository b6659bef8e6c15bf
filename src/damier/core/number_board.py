"""A board of places that hold numbers, as data: pits of seeds, points of players, dice, the points of
backgammon with its bar, and what a player may press.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from damier.core.grid import Look

PlaceLook: TypeAlias = Literal["pit", "store", "score", "die", "button", "point", "rail"]


class NumberPlace(NamedTuple):
    """A rectangle of a board.

    look           how it is drawn
    x, y           its top left corner, 1 being the room of a piece
    width, height  its size, in the same
    words          what it is and what is in it, for who does not see it
    number         that is in it; of a die None while it is in the air (active), or where nobody knows it
    label          what is written on it or beside it
    active         whether it is the turn of its player, or it may be pressed
    pieces         the looks of the pieces that lie in it, from its outer edge on
    """

    look: PlaceLook
    x: float
    y: float
    width: float
    height: float
    words: str
    number: int | None = None
    label: str = ""
    active: bool = False
    pieces: tuple[Look, ...] = ()


@dataclass(frozen=True)
class NumberBoard:
    """A board of such `spots`, numbered in their order; `caption` is a line below it.

    As text it is what the game shows: numbers of any size are no characters of a row.
    """

    spots: tuple[NumberPlace, ...]
    caption: str = ""
    looks: ClassVar[dict[str, Look]] = {}
    columns: ClassVar[tuple[str, ...]] = ()
    lines: ClassVar[tuple[str, ...]] = ()

    def thrown(self, face: int) -> NumberBoard:
        """The board with its dice showing what was thrown last, which a state need not know."""
        spots = (spot._replace(number=face) if spot.look == "die" else spot for spot in self.spots)
        return replace(self, spots=tuple(spots))

    @property
    def places(self) -> int:
        """How many places there are."""
        return len(self.spots)

    @cached_property
    def by_rows(self) -> tuple[tuple[int, ...], ...]:
        """The places of every height from the top, each from left to right.

        >>> one, two = (NumberPlace("pit", x, 0, 1, 1, "") for x in (1, 0))
        >>> NumberBoard((one, two)).by_rows
        ((1, 0),)
        """
        return tuple(
            tuple(
                sorted((p for p in range(self.places) if self.spots[p].y == y), key=lambda p: self.spots[p].x)
            )
            for y in sorted({spot.y for spot in self.spots})
        )

    @property
    def rows(self) -> tuple[str, ...]:
        """The places of every height in words."""
        return tuple(", ".join(self.piece(place) for place in row) for row in self.by_rows)

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height."""
        return (
            max((spot.x + spot.width for spot in self.spots), default=0.0),
            max((spot.y + spot.height for spot in self.spots), default=0.0),
        )

    def centre(self, place: int) -> tuple[float, float]:
        """The middle of a place, from the top left of the board."""
        spot = self.spots[place]
        return spot.x + spot.width / 2, spot.y + spot.height / 2

    def piece(self, place: int) -> str:
        """What a place is, and what is in it, in words."""
        return self.spots[place].words

    def name_of(self, place: int) -> str:
        """Nothing: its words say what a place is."""
        return ""
