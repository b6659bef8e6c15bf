"""An agent as a file: what it is, how it was trained, its curve and its tables; JSON that people
can read, arrays where it is large.

Reading is the harder half: `damier.learn.reading`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from damier.core.array_files import write_arrays
from damier.core.curve import Curve, block_facts
from damier.core.game import Game
from damier.core.json_data import JsonBounds
from damier.core.json_files import write_json
from damier.core.json_text import Encoded, to_json
from damier.core.json_types import JsonObject
from damier.core.rules import Field
from damier.learn.lists import lists_of, written_as_lists
from damier.learn.memory import Memory, Row
from damier.learn.parameters import as_written

if TYPE_CHECKING:
    import numpy as np
    from _typeshed import DataclassInstance
    from numpy.typing import NDArray

FORMAT = "damier-agent/1"
JSON_ROWS = 30_000
"""Rows in all tables up to which a file is JSON."""

BOUNDS = JsonBounds(1 << 28, 4_000_000, 12_000_000)
LARGEST_ARRAYS = 1 << 31
"""What a file holds at most, as JSON and as arrays: ten million rows."""


@dataclass
class Agent:
    """All that a file says.

    training   what a resumed training must be given again: opponent, seat, seed, limit of plies
    memories   what was learnt: one table, or one for each seat
    opponent   the table of an opponent that learnt too, by the name of its algorithm
    note       what is to be said of the file that it was read from
    """

    game: Game
    learner: str
    parameters: DataclassInstance
    training: dict[str, Any]
    memories: list[Memory]
    opponent: tuple[str, DataclassInstance, Memory] | None = None
    games: int = 0
    curve: Curve = field(default_factory=Curve)
    note: str = ""

    @property
    def tables(self) -> Iterator[tuple[str, DataclassInstance, Memory]]:
        """Algorithm, parameters and memory of every table in the file."""
        yield from ((self.learner, self.parameters, memory) for memory in self.memories)
        if self.opponent:
            yield self.opponent


def save(agent: Agent, path: Path) -> None:
    """Writes an agent, in one step.

    The bytes depend on what it says only. Raises BadInput if the place cannot be written.
    """
    large = sum(len(memory) for _name, _parameters, memory in agent.tables) > JSON_ROWS
    game = agent.game
    data: JsonObject = {
        "format": FORMAT,
        "game": game.name,
        "options": game.options,
        "rules": game.fingerprint(),
        "learner": agent.learner,
        "parameters": as_written(agent.parameters),
        "training": agent.training,
        "games": agent.games,
        "curve": {"size": agent.curve.size, "blocks": [block_facts(block) for block in agent.curve.blocks]},
        "tables": [counted(table[2]) if large else encoded(game, *table) for table in agent.tables],
    }
    if agent.opponent:
        data["opponent"] = {"learner": agent.opponent[0], "parameters": as_written(agent.opponent[1])}
    if large:
        write_arrays(
            path,
            FORMAT,
            {name: value for name, value in data.items() if name != "format"},
            arrays_of(agent),
            LARGEST_ARRAYS,
        )
    else:
        write_json(path, data, BOUNDS)


def counted(memory: Memory) -> JsonObject:
    """What is counted in a table, as plain data."""
    return {"decisions": memory.decisions, "games": memory.games, "epsilon": memory.epsilon}


def table_facts(game: Game, name: str, parameters: DataclassInstance, memory: Memory) -> dict[str, Any]:
    """A table as plain data."""
    lists = lists_of(game, parameters, memory) if written_as_lists(game, name, parameters) else None
    rows = (
        [label(game, name, row) | numbers(name, row.values, row.counts) for row in memory.rows()]
        if lists is None
        else []
    )
    return counted(memory) | ({"rows": rows} if lists is None else {"entries": lists})


def encoded(game: Game, name: str, parameters: DataclassInstance, memory: Memory) -> JsonObject:
    """The same, its rows as JSON: what never changes of a row is written once in the life of a
    table, which is saved again and again.
    """
    if written_as_lists(game, name, parameters):
        return table_facts(game, name, parameters, memory)
    memory.labels += [to_json(label(game, name, row))[:-1] for row in memory.rows(len(memory.labels))]
    _codes, first, _moves, values, counts = memory.columns()
    spans = zip(memory.labels, first, first[1:], strict=False)
    rows = [
        Encoded(f"{text}, {to_json(numbers(name, values[begin:end], counts[begin:end]))[1:]}")
        for text, begin, end in spans
    ]
    return counted(memory) | {"rows": rows}


def label(game: Game, name: str, row: Row) -> JsonObject:
    """What never changes of a row, as plain data: the board and the names of the moves are for
    people.
    """
    data: JsonObject = {"state": plain(row.state), "board": game.show(row.state)}
    return data if name == "v" else data | {"moves": [game.name_move(row.state, move) for move in row.moves]}


def numbers(name: str, values: Sequence[float], counts: Sequence[int]) -> JsonObject:
    """What was learnt of a row, as plain data."""
    if name == "v":
        return {"value": values[0], "count": counts[0]}
    return {"beads": list(counts)} if name == "beads" else {"values": list(values), "counts": list(counts)}


def plain(s: Iterable[Field]) -> list[int | list[int]]:
    return [list(field) if isinstance(field, tuple) else field for field in s]


def arrays_of(agent: Agent) -> dict[str, NDArray[np.generic]]:
    """The tables as arrays, those of table i named `…i`."""
    import numpy as np

    arrays: dict[str, NDArray[np.generic]] = {}
    for number, (_name, _parameters, memory) in enumerate(agent.tables):
        _index, first, moves, values, counts, *_rest = memory.arrays(jit=True)
        arrays[f"keys{number}"], arrays[f"first{number}"] = (
            memory.codes(),
            np.asarray(first[: len(memory) + 1]),
        )
        for name, array in (("moves", moves), ("values", values), ("counts", counts)):
            arrays[f"{name}{number}"] = np.ascontiguousarray(array[: memory.entries])
    return arrays
