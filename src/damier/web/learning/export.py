"""A table as text, as document S0 keeps it (row A-24): the file of one agent, named after it."""

from __future__ import annotations

from damier.core.game import Game
from damier.draw.table import position_name
from damier.learn.memory import Memory, Row


def table_text(game: Game, memory: Memory, *, beads: bool) -> str:
    """A line `decisions epsilon`, then three lines a position, in order of discovery: its number, as
    its mover sees it where the game has numbers, else its board; its actions; their values, or beads.
    """
    lines = [f"{memory.decisions} {memory.epsilon:.9g}"]
    for row in memory.rows():
        lines += [
            position_text(game, row),
            " ".join(actions_of(game, row)),
            " ".join(values_of(row, beads=beads)),
        ]
    return "\n".join(lines) + "\n"


def position_text(game: Game, row: Row) -> str:
    if game.id is not None:
        return position_name(game, row.state)
    return "/".join(line.strip() for line in game.show(row.state).splitlines())


def actions_of(game: Game, row: Row) -> list[str]:
    """The moves of a row by their numbers; V where it is a position after a move."""
    if not any(row.moves):
        return ["V"]
    return [str(move.bit_length() - 1 if game.moves_are_bits else move) for move in row.moves]


def values_of(row: Row, *, beads: bool) -> list[str]:
    """The values as 32-bit floats are printed; of matchboxes, the beads."""
    return list(map(str, row.counts)) if beads else [f"{value:.9g}" for value in row.values]
