"""What a learner knows, as text: one line a position, its values under the numbers of the moves
(row A-23, the Q-table's window).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from damier.core.game import Game
from damier.core.rules import CHANCE, State
from damier.core.words import printable
from damier.draw.text import columns_of

LONGEST_NAME = 24


@dataclass(frozen=True)
class TableLine:
    """A position by name, and what is written under each column, by the number of the move."""

    name: str
    cells: Mapping[int, str]


def position_name(game: Game, s: State) -> str:
    """The document's number of a position as its mover sees it (rows A-4 and A-5); where there is
    none, the board in one line.
    """
    if game.id is None:
        return printable("/".join(line.strip() for line in game.show(s).splitlines()), LONGEST_NAME)
    found, mover = game.id(s), game.mover(s)
    return str(found if isinstance(found, int) else found[0 if mover == CHANCE else mover])


def table_lines(
    lines: Sequence[TableLine],
    marked: int | None = None,
    marker: str = ">",
    heads: Mapping[int, str] = MappingProxyType({}),
) -> list[str]:
    """The head of the table, and its lines; that of number `marked` begins with `marker`, as no
    colour need tell it.

    A column is headed by its number, unless `heads` has other words for it.
    """
    columns = sorted({column for line in lines for column in line.cells})
    names = max((columns_of(line.name) for line in lines), default=0)
    titles = {column: heads.get(column, str(column)) for column in columns}
    widths = {
        column: max(len(titles[column]), *(len(line.cells.get(column, "")) for line in lines))
        for column in columns
    }
    head = " " * (names + 2) + "".join(f"  {titles[column]:>{widths[column]}}" for column in columns)
    drawn = [head]
    for number, line in enumerate(lines):
        room = " " * (names - columns_of(line.name))
        before = (
            (marker if number == marked else " ")
            + " "
            + (room + line.name if line.name.isdecimal() else line.name + room)
        )
        drawn.append(
            (
                before + "".join(f"  {line.cells.get(column, ''):>{widths[column]}}" for column in columns)
            ).rstrip()
        )
    return drawn
