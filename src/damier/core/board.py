"""The kinds of boards that a game may be drawn on.

Each has numbered places: `places` is how many, `centre(place)` where one lies, `piece(place)` what
stands on it, `name_of(place)` what it is called, `by_rows` which lie side by side; `rows` are the
pieces as text, `looks` their pictures, `extent` is the size of all. `columns` and `lines` are
labels, `caption` is a line below.

>>> Grid(("X.", ".O")).places, Hexagons(("X.", ".O")).places, Points("X.", ((0, 0), (1, 0))).places
(4, 4, 2)
"""

from __future__ import annotations

from typing import TypeAlias

from damier.core.grid import Grid
from damier.core.hexagons import Hexagons
from damier.core.number_board import NumberBoard
from damier.core.points import Points

Board: TypeAlias = Grid | Hexagons | NumberBoard | Points
