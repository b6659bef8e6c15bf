"""An agent as a file: what it is, how it was trained, its curve and its tables; JSON that people
can read, arrays where it is large.
"""

from __future__ import annotations

import contextlib
import re
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from damier.core.arrays import IntArray, np
from damier.core.errors import BadFile, DamierError
from damier.core.files import LARGEST, opened, read_text, write_text
from damier.core.game import Game, game_facts, is_of_game, written_game
from damier.core.grade import Block, Chances, Curve, Grade, block_facts
from damier.core.json_data import (
    HEADER,
    Arrays,
    Encoded,
    JsonBounds,
    Kind,
    format_of,
    held,
    read_arrays,
    read_json,
    require_keys,
    to_json,
    unsealed,
    whole_number,
    whole_numbers,
    write_arrays,
    write_json,
)
from damier.core.json_types import JsonObject, JsonValue
from damier.core.keys import flat
from damier.core.moves import MOVES, each
from damier.core.open_addressing import as_codes, listed
from damier.core.rules import ONGOING, Field, State
from damier.core.words import _, message
from damier.learn.action_values import Memory, Row, read_move
from damier.learn.beads import BeadsParameters
from damier.learn.parameters import BACKUPS, SeatName, as_written, fields_of
from damier.learn.player import ALGORITHMS
from damier.learn.qtable import DECISIONS, GAMES, NO_MOVE

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from numpy.typing import NDArray


FORMAT = "damier-agent/1"
JSON_ROWS = 30_000
"""Rows in all tables up to which a file is JSON."""

BOUNDS = JsonBounds(1 << 28, 4_000_000, 12_000_000)
LARGEST_ARRAYS = 1 << 31
"""What a file holds at most, as JSON and as arrays: ten million rows."""


@dataclass
class TrainedAgent:
    """The common part of the files of all agents that have learnt.

    Attributes:
        learner: its algorithm; of an agent of one's own, how it is written on the command line
        training: what a resumed training must be given again: opponent, seat, seed, limit of plies
    """

    game: Game
    learner: str
    training: dict[str, Any]
    curve: Curve = field(default_factory=Curve, kw_only=True)

    @property
    def games(self) -> int:
        """Games of training in all."""
        return self.curve.games

    @property
    def facts(self) -> JsonObject:
        """Return how it was trained, as its file says it."""
        blocks = [block_facts(block) for block in self.curve.blocks]
        return {
            "training": self.training,
            "games": self.games,
            "curve": {"size": self.curve.size, "blocks": blocks},
        }


@dataclass
class Agent(TrainedAgent):
    """All that the file of an agent with tables says.

    Attributes:
        memories: what was learnt: one table, or one for each seat
        opponent: the table of an opponent that learnt too, by the name of its algorithm
        note: what is to be said of the file that it was read from
    """

    parameters: DataclassInstance
    memories: list[Memory]
    opponent: tuple[str, DataclassInstance, Memory] | None = None
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
        **game_facts(game),
        "learner": agent.learner,
        "parameters": as_written(agent.parameters),
        **agent.facts,
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
    """Return what is counted in a table, as plain data."""
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
    """Return a table with its rows as JSON: what never changes of a row is written once in the life of a
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
    """Return what never changes of a row, as plain data: the board and the names of the moves are for
    people.
    """
    data: JsonObject = {"state": plain(row.state), "board": game.show(row.state)}
    return data if name == "v" else data | {"moves": [game.name_move(row.state, move) for move in row.moves]}


def numbers(name: str, values: Sequence[float], counts: Sequence[int]) -> JsonObject:
    """Return what was learnt of a row, as plain data."""
    if name == "v":
        return {"value": values[0], "count": counts[0]}
    return {"beads": list(counts)} if name == "beads" else {"values": list(values), "counts": list(counts)}


def plain(s: Iterable[Field]) -> list[int | list[int]]:
    return [list(field) if isinstance(field, tuple) else field for field in s]


def arrays_of(agent: Agent) -> dict[str, NDArray[np.generic]]:
    """The tables as arrays, those of table i named `…i`."""
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


# What the file of every agent says, whatever keeps its knowledge: for which game, how it was trained,
# its curve; each value checked before it is used.

LARGEST_VALUE = 1e15
LARGEST_COUNT = 1 << 50


@contextlib.contextmanager
def refusing(path: Path) -> Iterator[None]:
    """Turns whatever is wrong inside into a BadFile that names the file."""
    try:
        yield
    except DamierError as error:
        raise BadFile(message("{path}: {error}", path=path, error=error)) from error
    # the rules stumbled over a state that never comes up
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise BadFile(message("{path} does not hold what an agent file holds", path=path)) from error


def require_same_game(data: JsonObject, game: Game) -> None:
    """Raises BadFile for the agent of another game, or of other rules of the same name."""
    if bare(str(data.get("game"))) != bare(game.name) or not is_of_game(data, game):
        raise BadFile(
            message(
                "it is an agent for {found}, not for {game}, or for other rules",
                found=written_game(data),
                game=game.text,
            )
        )


def bare(name: str) -> str:
    """A game's name; that of a user's file without the place where it lies, which is no part of
    what was learnt.

    >>> bare("hexapawn"), bare("games/mine.py"), bare("mine")
    ('hexapawn', 'mine', 'mine')
    """
    path, dot, _function = name.partition(".py")
    return Path(path).name if dot else name


def the(data: Mapping[str, JsonValue], name: str, kind: type[Kind]) -> Kind:
    """Return what a file says under a name. Raises BadFile if it is not of the kind."""
    found = held(data, name, kind)
    if found is None:
        raise unusable(name)
    return found


def objects(data: Mapping[str, JsonValue], name: str) -> list[JsonObject]:
    """The list under a name, all of objects. Raises BadFile."""
    return [an_object(value, name) for value in the(data, name, list)]


def an_object(value: JsonValue, name: str) -> JsonObject:
    """Return what should be an object may be anything. Raises BadFile."""
    if not isinstance(value, dict):
        raise unusable(name)
    return value


def unusable(name: str) -> BadFile:
    return BadFile(message("its {name} is missing, or not what it should be", name=name))


def whole(data: Mapping[str, JsonValue], name: str, most: int = LARGEST_COUNT) -> int:
    return whole_of(data.get(name), name, most)


def whole_of(value: object, name: str, most: int = LARGEST_COUNT) -> int:
    """A count. Raises BadFile."""
    number = whole_number(value)
    if number is None or not 0 <= number <= most:
        raise BadFile(message("its {name} is {value}", name=name, value=value))
    return number


def real(value: object, name: str, least: float = -LARGEST_VALUE, most: float = LARGEST_VALUE) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not least <= value <= most:
        raise BadFile(message("its {name} is {value}", name=name, value=value))
    return float(value)


def read_training(data: JsonObject) -> JsonObject:
    """Return how an agent was trained; nothing, if it never was. `starts` says where its games began, stage
    by stage: after how many in all, and as it was written; it is not there where all began at the start.
    """
    kinds = {"opponent": str, "seat": str, "seed": int, "max_plies": int, "against": str}
    if not data:
        return {}
    require_keys(data, [*kinds, "starts"], _("the training"))
    if set(data) - {"starts"} != set(kinds) or data["seat"] not in typing.get_args(SeatName):
        raise BadFile(message("its training is not one of damier"))
    stages = stages_of(data)
    return {
        name: whole(data, name, 1 << 62) if kind is int else the(data, name, kind)
        for name, kind in kinds.items()
    } | ({"starts": [[games, written] for games, written in stages]} if stages else {})


def stages_of(training: JsonObject) -> list[tuple[int, str]]:
    """Return where the games of a training began, stage by stage. Raises BadFile."""
    written = training.get("starts", [])
    found = []
    for stage in written if isinstance(written, list) else [None]:
        match stage:
            case [int(games), str(text)] if not isinstance(games, bool) and games >= 0:
                found.append((games, text))
            case _:
                raise BadFile(message("its training is not one of damier"))
    return found


def read_curve(agent: JsonObject) -> Curve:
    """The curve of an agent, which counts as many games as its file says. Raises BadFile."""
    data, games = the(agent, "curve", dict), whole(agent, "games", 1 << 60)
    require_keys(data, ("size", "blocks"), _("the curve"))
    blocks = list(map(read_block, objects(data, "blocks")))
    size = whole(data, "size", 1 << 60)
    if (
        size & (size - 1)
        or size == 0
        or any(block.games != size for block in blocks[:-1])
        or any(block.games > size for block in blocks)
    ):
        raise BadFile(message("the blocks of its curve are not of one size"))
    curve = Curve(size, blocks)
    if curve.games != games:
        raise BadFile(message("its curve counts {n} games, not {games}", n=curve.games, games=games))
    return curve


def read_block(data: JsonObject) -> Block:
    """A block of a curve, as `block_facts` has it. Raises BadFile."""
    games, wins, draws, losses = (whole(data, name, 1 << 60) for name in ("games", "wins", "draws", "losses"))
    require_keys(data, ("games", "wins", "draws", "losses", "epsilon", "grade"), _("a block of the curve"))
    if games != wins + draws + losses:
        raise BadFile(message("a block of its curve does not add up"))
    epsilon = real(data.get("epsilon"), "epsilon", 0, 1)
    return Block(games, wins, draws, losses, epsilon, read_grade(data.get("grade")))


def chances(seat: JsonObject) -> Chances:
    """Return how a game ends, of a file: with its mean payoff, where that is not the wins less the losses."""
    require_keys(seat, ("win", "draw", "loss", "payoff"), _("a grade"))
    found = Chances(*(real(seat[end], end, 0, 1.000001) for end in ("win", "draw", "loss")))
    payoff = real(seat["payoff"], "payoff", -ONGOING, ONGOING)
    return found if abs(payoff - found.payoff) < 1e-9 else replace(found, margin=payoff)


def read_grade(grade: JsonValue) -> Grade | None:
    """The grade of a block, None where it was not graded. Raises BadFile."""
    if grade is None:
        return None
    data = an_object(grade, "grade")

    def pair(name: str) -> tuple[Chances, Chances]:
        one, two = map(chances, objects(data, name))
        return one, two

    require_keys(data, ("seats", "best_against", "best_response", "optimal_share", "states"), _("a grade"))
    share = the(data, "optimal_share", dict)
    require_keys(share, ("all", "reached"), _("a grade"))
    states = whole(data, "states")
    every, reached = (
        1.0 if share[name] is None and not states else real(share[name], name, 0, 1.000001)
        for name in ("all", "reached")
    )
    return Grade(pair("seats"), pair("best_against"), pair("best_response"), every, reached, states)


# The lists of document [S1] (rows ): what is known of one heap of Nim, one list of
# moves for each number of matches.
#
#     {"16": [3, 2, 1, 3, 3], …, "2": [2, 1, 1], "1": [1]}
#
# A move that stands there several times is drawn so much more often: a list is a box of beads.

LONGEST = 100_000
"""Moves in all lists that a file still shows one by one; and the largest heap that it has lists
for.
"""


def written_as_lists(game: Game, learner: str, parameters: DataclassInstance) -> bool:
    """Return whether what is learnt is shown as lists: beads, on one heap of Nim, that both players see
    alike.
    """
    return (
        game.name == "nim"
        and "matches" in game.options
        and learner == "beads"
        and isinstance(parameters, BeadsParameters)
        and parameters.alike
    )


def lists_of(game: Game, parameters: DataclassInstance, memory: Memory) -> dict[str, list[int]] | None:
    """The lists, longest heap first, those never used as they were at first; None where they are
    too many, or too long, to show.
    """
    if matches_of(game) > LONGEST:
        return None
    assert isinstance(parameters, BeadsParameters)
    stock = int(parameters.beads.split("-")[0])
    beads = {flat(row.state)[1]: dict(zip(row.moves, row.counts, strict=True)) for row in memory.rows()}
    if sum(sum(box.values()) for box in beads.values()) > LONGEST:
        return None
    lists = {}
    for matches in range(matches_of(game), 0, -1):
        moves = list(each(game.moves(heap_of(game, matches))))
        box = beads.get(matches) or dict.fromkeys(moves, stock)
        first = [taken(move) for move in reversed(moves) for _bead in range(min(stock, box[move]))]
        lists[str(matches)] = first + [
            taken(move) for move in reversed(moves) for _bead in range(box[move] - stock)
        ]
    return lists


def rows_of_lists(game: Game, lists: JsonValue, where: object) -> list[Row]:
    """The rows that lists stand for. Raises BadFile."""
    if (
        not isinstance(lists, dict)
        or len(lists) != matches_of(game)  # how many a file has is bounded; how many a game has is not
        or list(lists) != [str(n) for n in range(matches_of(game), 0, -1)]
    ):
        raise BadFile(
            message(
                "{where}: there is one list for each number of matches from {n} to 1",
                where=where,
                n=matches_of(game),
            )
        )
    rows = []
    for matches, written in lists.items():
        listed = whole_numbers(written) if isinstance(written, list) else None
        s = heap_of(game, int(matches))
        moves = tuple(each(game.moves(s)))
        if listed is None or not all(type(n) is int and n > 0 and 1 << n - 1 in moves for n in listed):
            raise BadFile(
                message("{where}: the list of {n} holds what cannot be taken there", where=where, n=matches)
            )
        rows.append(Row(s, moves, (0.0,) * len(moves), tuple(listed.count(taken(move)) for move in moves)))
    return rows


def matches_of(game: Game) -> int:
    """The matches in the heap, at first."""
    matches = game.options["matches"]
    assert isinstance(matches, int)
    return matches


def heap_of(game: Game, matches: int) -> State:
    return game.as_state((0, matches))


def taken(move: int) -> int:
    """Return how many matches a move takes."""
    return move.bit_length()


# An agent read from its file: all of it is checked against the rules of the game before anything
# is used.


def load(path: Path, game: Game) -> Agent:
    """The agent in a file, of this game. Raises BadFile for a damaged, foreign or hostile file."""
    data, arrays = read(path)
    with refusing(path):
        require_keys(data, KEYS if arrays is None else (*KEYS, *ARRAY_KEYS), _("the agent"))
        require_same_game(data, game)
        learner, parameters = read_learner(data)
        tables = objects(data, "tables")
        opponent = None
        if "opponent" in data:
            require_keys(the(data, "opponent", dict), ("learner", "parameters"), _("the opponent"))
            opponent = read_learner(the(data, "opponent", dict))
        if not 1 <= len(tables) - (opponent is not None) <= 2:
            raise BadFile(message("it has {n} tables", n=len(tables)))
        kinds = [(learner, parameters)] * (len(tables) - (opponent is not None)) + (
            [opponent] if opponent else []
        )
        memories = [
            read_table(game, *kind, table, arrays, n)
            for n, (kind, table) in enumerate(zip(kinds, tables, strict=True))
        ]
        curve, training = read_curve(data), read_training(the(data, "training", dict))
        last = (*opponent, memories.pop()) if opponent else None
        note = unsealed(data, path) if arrays is not None else ""
        return Agent(game, learner, training, parameters, memories, last, note, curve=curve)


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
    """Return what a file says, and its arrays if it has any. Raises BadFile."""
    format_of(path)
    with opened(path, LARGEST) as stream:
        large = stream.read(2)[1:2] == b'"' and b'"arrays"' in stream.readline(HEADER.size)
    if large:
        return read_arrays(path, FORMAT, largest=LARGEST_ARRAYS)
    return read_json(path, FORMAT, BOUNDS), None


def header(path: Path) -> JsonObject:
    """Return what a file says of itself, before its tables are looked at."""
    data, _arrays = read(path)
    return data


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


# The file of the Hexapawn lab (document [S0], row A-24): a Q-table as text, named after its agent.
#
#     nbStep epsilon
#     377                     a state's number, as its mover sees the board (rows)
#     0 3 6                   its actions
#     0.25 0.0 -0.5           their values
#
# Three lines a state, in order of discovery.

SUFFIX = ".txt"
"""How the lab names its files."""
LARGEST_TEXT = 1 << 26
NUMBER = r"[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]{1,3})?"


def number_of_view(game: Game, s: State) -> int:
    """The number of a state as its mover sees it. Raises BadFile for a game whose states have none."""
    if game.id is None or not isinstance(views := game.id(s), list):
        raise BadFile(
            message(
                "{game} has no numbers for what its players see; the file of the Hexapawn lab is for pawns",
                game=game.text,
            )
        )
    return views[game.mover(s)]


def load_hexapion(path: Path, game: Game) -> Memory:
    """The table in a file of the lab, both players seeing positions alike. Raises BadFile."""
    return table_in(read_text(path, LARGEST_TEXT, "ascii"), game, str(path))


def table_in(text: str, game: Game, path: str) -> Memory:
    """The table in the text of such a file, which is called `path`. Raises BadFile."""
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if (
        len(lines) % 3 != 1
        or not (head := re.fullmatch(rf"\s*([0-9]{{1,15}})\s+({NUMBER})\s*", lines[0]))
        or not 0 <= float(head[2]) <= 1
    ):
        raise BadFile(
            message(
                "{path} is not a file of the Hexapawn lab: a line `nbStep epsilon`, then three lines a state",
                path=path,
            )
        )
    memory = Memory(game, float(head[2]))
    memory.counters[DECISIONS] = int(head[1])
    states = views_of(game)
    rows: dict[State, Row] = {}
    for first in range(1, len(lines), 3):
        row = read_row(states, game, lines[first : first + 3], f"{path}:{first + 1}")
        if row.state in rows:
            raise BadFile(message("{where}: the state comes twice", where=f"{path}:{first + 1}"))
        rows[row.state] = row
    memory.fill(rows.values())
    return memory


def read_row(states: dict[int, State], game: Game, lines: list[str], where: str) -> Row:
    """A state, its actions and their values. Raises BadFile."""
    number, actions, values = (line.split() for line in lines)
    if len(number) != 1 or not re.fullmatch(r"[0-9]{1,30}", number[0]) or int(number[0]) not in states:
        raise BadFile(
            message(
                "{where}: {number} is not the number of a state of {game}",
                where=where,
                number=" ".join(number),
                game=game.text,
            )
        )
    s = states[int(number[0])]
    legal = [move.bit_length() - 1 for move in each(game.moves(s))]
    if (
        not all(re.fullmatch(r"[0-9]{1,3}", action) for action in actions)
        or sorted(map(int, actions)) != legal
    ):
        raise BadFile(
            message(
                "{where}: the actions of {number} are {legal}",
                where=where,
                number=number[0],
                legal=" ".join(map(str, legal)),
            )
        )
    if len(values) != len(actions) or not all(
        re.fullmatch(NUMBER, value) and abs(float(value)) < 1e15 for value in values
    ):
        raise BadFile(
            message(
                "{where}: {number} has {n} actions, and needs a value for each",
                where=where,
                number=number[0],
                n=len(actions),
            )
        )
    known = dict(zip(map(int, actions), map(float, values), strict=True))
    return Row(
        s, tuple(1 << action for action in legal), tuple(known[action] for action in legal), (0,) * len(legal)
    )


def views_of(game: Game) -> dict[int, State]:
    """Every state that somebody is to move in, as its mover sees it, by its number."""
    found: dict[int, State] = {}
    seen, todo = {game.start}, [game.start]
    while todo:
        s = todo.pop()
        if not game.over(s):
            found[number_of_view(game, s)] = game.canonical(s)
            children = {game.play(s, move) for move in each(game.moves(s))} - seen
            seen |= children
            todo += children
    return found


def save_hexapion(path: Path, game: Game, memory: Memory, rows: Iterable[Row]) -> None:
    """Writes a table as the lab does; values as it prints 32-bit floats, to 9 digits."""
    lines = [f"{memory.decisions} {memory.epsilon:.9g}"]
    views = set()
    for row in rows:
        view = number_of_view(game, row.state)
        if view in views:
            raise BadFile(
                message(
                    "both players met a position that they see as {view}, and the lab's file holds it once:"
                    " train with alike=true",
                    view=view,
                )
            )
        views.add(view)
        actions = [str(move.bit_length() - 1) for move in row.moves]
        lines += [str(view), " ".join(actions), " ".join(f"{value:.9g}" for value in row.values)]
    write_text(path, "\n".join(lines) + "\n")
