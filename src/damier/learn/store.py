"""An agent as a file: what it is, how it was trained, its curve and its tables; JSON that people can read, arrays where it is large.

Reading is the harder half: `damier.learn.reading`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from damier.core.curve import Curve, block_facts
from damier.core.files import write_arrays, write_json
from damier.core.game import Game
from damier.learn.lists import lists_of, written_as_lists
from damier.learn.memory import Memory, Row

FORMAT = "damier-agent/1"
JSON_ROWS = 30_000
"""Rows in all tables up to which a file is JSON."""


@dataclass
class Agent:
    """All that a file says.

    training   what a resumed training must be given again: opponent, seat, seed, limit of plies
    memories   what was learnt: one table, or one for each seat
    opponent   the table of an opponent that learnt too, by the name of its algorithm
    """

    game: Game
    learner: str
    parameters: Any
    training: dict[str, Any]
    memories: list[Memory]
    opponent: tuple[str, Any, Memory] | None = None
    games: int = 0
    curve: Curve = field(default_factory=Curve)

    @property
    def tables(self) -> Iterator[tuple[str, Any, Memory]]:
        """Algorithm, parameters and memory of every table in the file."""
        yield from ((self.learner, self.parameters, memory) for memory in self.memories)
        if self.opponent:
            yield self.opponent


def save(agent: Agent, path: Path) -> None:
    """Writes an agent, in one step. The bytes depend on what it says only. Raises BadInput if the place cannot be written."""
    large = agent.game.keyed and sum(len(memory) for _name, _parameters, memory in agent.tables) > JSON_ROWS
    game = agent.game
    data: dict[str, Any] = {
        "format": FORMAT,
        "game": game.name,
        "options": game.options,
        "rules": game.fingerprint(),
        "learner": agent.learner,
        "parameters": vars(agent.parameters),
        "training": agent.training,
        "games": agent.games,
        "curve": {"size": agent.curve.size, "blocks": [block_facts(block) for block in agent.curve.blocks]},
        "tables": [table_facts(game, *table, rows=not large) for table in agent.tables],
    }
    if agent.opponent:
        data["opponent"] = {"learner": agent.opponent[0], "parameters": vars(agent.opponent[1])}
    if large:
        write_arrays(path, FORMAT, {name: value for name, value in data.items() if name != "format"}, arrays_of(agent))
    else:
        write_json(path, data)


def table_facts(game: Game, name: str, parameters: Any, memory: Memory, *, rows: bool = True) -> dict[str, Any]:
    """A table as plain data; without `rows`, only what is counted."""
    data: dict[str, Any] = {"decisions": memory.decisions, "games": memory.games, "epsilon": memory.epsilon}
    if rows:
        lists = lists_of(game, parameters, memory) if written_as_lists(game, name, parameters) else None
        data |= {"entries": lists} if lists is not None else {"rows": [row_facts(game, name, row) for row in memory.rows()]}
    return data


def row_facts(game: Game, name: str, row: Row) -> dict[str, Any]:
    """A row as plain data: the board and the names of the moves are for people."""
    data: dict[str, Any] = {"state": plain(row.state), "board": game.show(row.state)}
    if name == "v":
        return data | {"value": row.values[0], "count": row.counts[0]}
    data["moves"] = [game.name_move(row.state, move) for move in row.moves]
    return data | ({"beads": list(row.counts)} if name == "beads" else {"values": list(row.values), "counts": list(row.counts)})


def plain(s: Sequence[Any]) -> list[Any]:
    return [list(field) if isinstance(field, tuple) else field for field in s]


def arrays_of(agent: Agent) -> dict[str, Any]:
    """The tables as arrays, those of table i named `…i`."""
    import numpy as np

    arrays = {}
    for number, (_name, _parameters, memory) in enumerate(agent.tables):
        index, first, moves, values, counts, *_rest = memory.arrays(jit=True)
        arrays[f"keys{number}"], arrays[f"first{number}"] = index[0][: len(memory)], first[: len(memory) + 1]
        for name, array in (("moves", moves), ("values", values), ("counts", counts)):
            arrays[f"{name}{number}"] = np.ascontiguousarray(array[: memory.entries])
    return arrays
