"""An agent read from its file: all of it is checked against the rules of the game before anything
is used.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

from damier.core.arrays import IntArray
from damier.core.errors import BadFile
from damier.core.files import LARGEST, opened
from damier.core.game import Game
from damier.core.json_data import (
    HEADER,
    Arrays,
    format_of,
    read_arrays,
    read_json,
    require_keys,
    unsealed,
    whole_number,
    whole_numbers,
)
from damier.core.json_types import JsonObject
from damier.core.moves import MOVES, each
from damier.core.open_addressing import as_codes, listed
from damier.core.words import _, message
from damier.learn.action_values import Memory, Row, read_move
from damier.learn.beads import BeadsParameters
from damier.learn.parameters import BACKUPS, as_written, fields_of
from damier.learn.player import ALGORITHMS
from damier.learn.qtable import DECISIONS, GAMES, NO_MOVE
from damier.learn.store import (
    BOUNDS,
    FORMAT,
    LARGEST_ARRAYS,
    LARGEST_COUNT,
    Agent,
    objects,
    plain,
    read_curve,
    read_training,
    real,
    refusing,
    require_same_game,
    rows_of_lists,
    the,
    whole,
    whole_of,
    written_as_lists,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def load(path: Path, game: Game) -> Agent:
    """The agent in a file, of this game. Raises BadFile for a damaged, foreign or hostile file."""
    data, arrays = read(path)
    with refusing(path):
        require_keys(data, KEYS if arrays is None else (*KEYS, *ARRAY_KEYS), _("the agent"))
        require_same_game(data, game)
        learner, parameters = read_learner(data)
        tables = objects(data, "tables")
        opponent = read_opponent(the(data, "opponent", dict)) if "opponent" in data else None
        if not 1 <= len(tables) - (opponent is not None) <= 2:
            raise BadFile(message("it has {n} tables", n=len(tables)))
        kinds = [(learner, parameters)] * (len(tables) - (opponent is not None)) + (
            [opponent] if opponent else []
        )
        memories = [
            read_table(game, *kind, table, arrays, n)
            for n, (kind, table) in enumerate(zip(kinds, tables, strict=True))
        ]
        curve = read_curve(data)
        last = (*opponent, memories.pop()) if opponent else None
        note = unsealed(data, path) if arrays is not None else ""
        return Agent(
            game,
            learner,
            parameters,
            read_training(the(data, "training", dict)),
            memories,
            last,
            curve.games,
            curve,
            note,
        )


KEYS = (
    "format",
    "game",
    "options",
    "rules",
    "learner",
    "parameters",
    "training",
    "games",
    "curve",
    "tables",
    "opponent",
)
ARRAY_KEYS = ("version", "arrays", "sha256")
COUNTED = ("decisions", "games", "epsilon")


def read(path: Path) -> tuple[JsonObject, Arrays | None]:
    """What a file says, and its arrays if it has any. Raises BadFile."""
    format_of(path)
    with opened(path, LARGEST) as stream:
        large = stream.read(2)[1:2] == b'"' and b'"arrays"' in stream.readline(HEADER.size)
    if large:
        return read_arrays(path, FORMAT, largest=LARGEST_ARRAYS)
    return read_json(path, FORMAT, BOUNDS), None


def header(path: Path) -> JsonObject:
    """What a file says of itself, before its tables are looked at."""
    data, _arrays = read(path)
    return data


def read_opponent(data: JsonObject) -> tuple[str, DataclassInstance]:
    """The algorithm and the parameters of an opponent that learnt too."""
    require_keys(data, ("learner", "parameters"), _("the opponent"))
    return read_learner(data)


def read_learner(data: JsonObject) -> tuple[str, DataclassInstance]:
    """The algorithm and its parameters, checked."""
    name = the(data, "learner", str)
    if name not in ALGORITHMS:
        raise BadFile(message("no learner is called {name}", name=name))
    kind, given = ALGORITHMS[name].Parameters, the(data, "parameters", dict)
    plain = as_written(kind())
    require_keys(given, plain, name)
    if set(given) != set(plain):
        raise BadFile(message("its parameters are not those of {name}", name=name))
    hints = {key: type(value) for key, value in plain.items()}
    given = {
        key: number if hints[key] is int and (number := whole_number(value)) is not None else value
        for key, value in given.items()
    }
    for key, value in given.items():
        fits = (
            value is None or real(value, key)
            if key == "draw_second"
            else type(value) is hints[key] or (hints[key] is float and type(value) is int)
        )
        if fits is False:
            raise BadFile(message("its {name} is {value}", name=key, value=value))
    check_choices(kind, given)
    return name, kind(**fields_of(given))


def check_choices(kind: type[DataclassInstance], given: Mapping[str, object]) -> None:
    """Refuses words that are no choice of a parameter."""
    if given.get("backup", "best") not in BACKUPS:
        raise BadFile(message("its {name} is {value}", name="backup", value=given["backup"]))
    for key, hint in typing.get_type_hints(kind).items():
        if typing.get_origin(hint) is typing.Literal and given[key] not in typing.get_args(hint):
            raise BadFile(message("its {name} is {value}", name=key, value=given[key]))


def read_table(
    game: Game, name: str, parameters: DataclassInstance, data: JsonObject, arrays: Arrays | None, number: int
) -> Memory:
    """A table, every row checked against the rules."""
    memory = Memory(game)
    rows: Iterable[Row]
    holds = ""
    if arrays is not None:
        rows = rows_of_arrays(
            game, {key: arrays[f"{key}{number}"] for key in ("keys", "first", "moves", "values", "counts")}
        )
    elif "entries" in data:
        holds = "entries"
        if not written_as_lists(game, name, parameters):
            raise BadFile(message("it has lists, which only matches in one heap have"))
        rows = rows_of_lists(game, data["entries"], _("the lists"))
    else:
        holds = "rows"
        rows = (row_of_facts(game, name, row) for row in objects(data, "rows"))
    require_keys(data, (*COUNTED, holds), _("a table"))
    memory.fill(checked(game, name, parameters, rows))
    memory.counters[DECISIONS], memory.counters[GAMES] = (
        whole(data, "decisions", 1 << 60),
        whole(data, "games", 1 << 60),
    )
    memory.rates[:] = [real(data.get("epsilon"), "epsilon", 0, 1)] * 2
    return memory


def row_of_facts(game: Game, name: str, data: JsonObject) -> Row:
    """A row from plain data."""
    s = game.read_state(whole_numbers(the(data, "state", list)))
    kind = (
        ("value", "count")
        if name == "v"
        else ("moves", "beads")
        if name == "beads"
        else ("moves", "values", "counts")
    )
    require_keys(data, ("state", "board", *kind), _("a row"))
    if name == "v":
        return Row(s, (0,), (real(data.get("value"), "value"),), (whole(data, "count"),))
    named = {game.name_move(s, move): move for move in game.legal(s)}
    moves = tuple(named.get(str(word), 0) for word in the(data, "moves", list))
    counts = the(data, "beads" if name == "beads" else "counts", list)
    values = [0.0] * len(moves) if name == "beads" else the(data, "values", list)
    if not len(moves) == len(values) == len(counts):
        raise BadFile(message("a row has {n} moves, but not as many numbers", n=len(moves)))
    return Row(
        s,
        moves,
        tuple(real(value, "value") for value in values),
        tuple(whole_of(count, "count") for count in counts),
    )


def rows_of_arrays(game: Game, arrays: Arrays) -> Iterator[Row]:
    """The rows that arrays hold."""
    first, moves, values, counts = (arrays[name].tolist() for name in ("first", "moves", "values", "counts"))
    words = cast("IntArray", arrays["keys"])
    if len(words) % game.key_words:
        raise BadFile(message("its arrays do not fit each other"))
    keys = listed(as_codes(words, game.key_words))
    if (
        len(first) != len(keys) + 1
        or first[0] != 0
        or first[-1] != len(moves)
        or not len(moves) == len(values) == len(counts)
        or first != sorted(first)
    ):
        raise BadFile(message("its arrays do not fit each other"))
    most = MOVES if game.moves_are_bits else 1 << 62
    if not all(0 <= number < most or number == NO_MOVE for number in moves):
        raise BadFile(message("its arrays hold a move that is none"))
    for row, code in enumerate(keys):
        begin, end = first[row], first[row + 1]
        s = game.read_state(plain(game.unkey(code)))
        yield Row(
            s,
            tuple(read_move(game, number) for number in moves[begin:end]),
            tuple(real(value, "value") for value in values[begin:end]),
            tuple(counts[begin:end]),
        )


def checked(game: Game, name: str, parameters: DataclassInstance, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, once the rules agree: known positions, each once, with all the moves that an entry
    is kept for.
    """
    seen = set()
    for row in rows:
        if row.state in seen:
            raise BadFile(message("it has two rows for {state}", state=plain(row.state)))
        seen.add(row.state)
        if name == "v":
            fits = len(row.moves) == 1 and row.moves[0] == 0
        else:
            legal = tuple(each(game.moves(row.state))) if not game.over(row.state) else ()
            kept = (
                tuple(move for move in legal if move in row.moves)
                if isinstance(parameters, BeadsParameters) and parameters.merged
                else legal
            )
            fits = len(row.moves) > 0 and row.moves == kept
        if not fits or not all(0 <= count <= LARGEST_COUNT for count in row.counts):
            raise BadFile(
                message(
                    "its row for {state} does not have the moves of that position", state=plain(row.state)
                )
            )
        yield row
