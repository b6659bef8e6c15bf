"""A solution as a file: a header that names the game and its rules, then keys and scores, read by
memory map.

The file says what is known, not how it was found: the same positions give the same bytes, whatever
method and whichever of the two worlds solved them (docs/decisions/0030). Where moves advance a ply,
layer i holds the positions of ply first_ply + i, in order of their keys; else one layer has all.
Scores have the smallest type that holds them. Keys of several words lie one after the other, and the
header says how many words: `key_words`, which damier refused to read before there were any. Large
solutions are packed (`damier.solve.packed_store`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from math import isfinite
from pathlib import Path
from typing import Literal, cast

from damier.core.arrays import FloatArray, IntArray, SmallIntArray, np
from damier.core.compile import instantiate
from damier.core.errors import BadFile, BadInput, LimitReached
from damier.core.game import Game, game_facts, written_game
from damier.core.job import Job
from damier.core.json_data import (
    Arrays,
    format_of,
    held,
    read_arrays,
    require_keys,
    whole_number,
    whole_numbers,
    write_arrays,
)
from damier.core.json_types import JsonObject, JsonValue
from damier.core.open_addressing import as_codes, code_of, flat, listed
from damier.core.rules import CHANCE, State, later
from damier.core.solution import (
    DIGITS,
    EXACT,
    EXPECTED_TYPE,
    AnySolution,
    KeyTable,
    Kind,
    N,
    Scores,
    Solution,
    ValueSolution,
    side,
)
from damier.core.tiers import tier
from damier.core.words import N_, message
from damier.solve.packed_store import (
    FORMAT as PACKED,
    PackedTable,
    converted,
    fill_plies,
    is_packed,
    read_packed,
    require_possible,
    smallest_score_type,
    sources_of,
    unfitting,
    write_packed,
)

FORMAT = "damier-solution/1"
METHOD = "file"  # how a solution was found that was read
KEYS = ("format", "version", "game", "options", "rules", "start", "cyclic", "first_ply", "arrays", "sha256")
MOST_LAYERS = 1 << 22
CHUNK = 1 << 22  # scores that are copied at once
SECONDS_A_KEY = 2e-6  # that plain Python takes to read one
VERIFIED = 1000  # scores that are checked when a file is read
SCORE_TYPES = ("int8", "int16", "int32")


def save(solution: Solution, path: Path) -> None:
    """Writes every position of a solution by wins and losses, in one step.

    Raises BadInput if the place cannot be written, LimitReached on a full disk.
    """
    game, table = solution.game, by_ply(solution.key_table())
    header = header_of(game, solution.start, solution.cyclic, table.first_ply)
    require_readable(path, len(table.offsets))
    if is_packed(game, len(table)):
        write_packed(path, header, sources_of(table), table.top, farthest_end(table))
        return
    table = in_small_type(table)
    arrays = {"offsets": np.array(table.offsets, np.int64), "keys": flat(table.keys), "scores": table.scores}
    write_arrays(path, FORMAT, header, arrays)


def header_of(game: Game, start: State, cyclic: bool, first_ply: int, **more: JsonValue) -> JsonObject:
    """Return what a file says of its solution."""
    return {
        **game_facts(game),
        "start": tuple(start),
        "cyclic": cyclic,
        **more,
        "first_ply": first_ply,
        **words_of_keys(game),
    }


def require_readable(path: Path, offsets: int) -> None:
    """Raises LimitReached for more layers than are read again."""
    if offsets > MOST_LAYERS:
        raise LimitReached(
            message(
                "{path} would hold more than can be read again: {said}",
                path=path,
                said=message("{n} plies", n=offsets),
            )
        )


def words_of_keys(game: Game) -> JsonObject:
    """Return what a header says of keys of more than one word."""
    return {"key_words": game.key_words} if game.key_words > 1 else {}


def by_ply(table: KeyTable[N]) -> KeyTable[N]:
    """Return the scores as a file has them: by ply where moves advance one."""
    game = table.game
    if not game.advances or len(table.offsets) != 2:
        return table
    plies = plies_of(game, table.keys)
    order = np.argsort(plies, kind="stable")  # the keys stay ascending within each
    first, counts = int(plies.min()), np.bincount(plies - plies.min())
    offsets = tuple(int(cut) for cut in np.concatenate([[0], np.cumsum(counts)]))
    return KeyTable(game, table.keys[order], table.scores[order], offsets, first)


def in_small_type(table: KeyTable[int]) -> KeyTable[int]:
    """Return the scores in the smallest type that holds them."""
    dtype, top = smallest_score_type(farthest_end(table))
    if table.scores.dtype.str == dtype:
        return table
    scores = np.zeros(len(table), dtype)
    for first in range(0, len(table), CHUNK):
        part = cast("SmallIntArray", table.scores[first : first + CHUNK])
        scores[first : first + CHUNK] = converted(part, table.top, dtype, top)
    return KeyTable(table.game, table.keys, scores, table.offsets, table.first_ply)


def farthest_end(table: KeyTable[int]) -> int:
    """Plies to the latest end that somebody can force."""
    farthest = 0
    for first in range(0, len(table), CHUNK):
        part = np.abs(table.scores[first : first + CHUNK])
        farthest = max(farthest, table.top - int(part.min(initial=table.top, where=part > 0)))
    return farthest


def plies_of(game: Game, keys: IntArray) -> IntArray:
    """The ply of the position of each key, int64."""
    found = np.zeros(len(keys), np.int64)
    compiled = instantiate(fill_plies, game, jit=True)
    rising = tier(game, "plies", lambda: compiled(flat(keys[:0]), found[:0]))
    if rising.rises(Job(), SECONDS_A_KEY * len(keys)):
        compiled(flat(keys), found)
    else:
        found[:] = [game.ply(game.unkey(key)) for key in listed(keys)]
    return found


def load(path: Path, game: Game) -> Solution:
    """The solution in a file, of this game.

    Raises BadFile for a damaged or foreign file, and where the rules are not the same.
    """
    packed = format_of(path) == PACKED
    header, table = (_read_packed if packed else _read_plain)(path, game)
    start = state_of(game, whole_numbers(held(header, "start", list) or []), path)
    solution = Solution(game, start, table, held(header, "method", str) or METHOD, header["cyclic"] is True)
    with verifying(solution, path):
        _verify(solution)
    return solution


def _read_packed(path: Path, game: Game) -> tuple[JsonObject, PackedTable]:
    def check(header: JsonObject) -> None:
        require_same_game(header, path, game)
        require_keys(header, (*KEYS, "block"), str(path))
        require_header(header, path, game)

    return read_packed(path, game, check)


def _read_plain(path: Path, game: Game) -> tuple[JsonObject, KeyTable[int]]:
    header, arrays = read_arrays(
        path, FORMAT, lambda header, arrays: require_solution(header, arrays, path, game)
    )
    keys, scores, offsets = columns_of(arrays, "scores", SCORE_TYPES, path, game)
    first_ply = whole_number(header["first_ply"]) or 0
    return header, KeyTable(game, keys, scores, tuple(offsets.tolist()), first_ply)


LACKING = {
    "scores": N_("{path} lacks its keys or scores"),
    "payoffs": N_("{path} lacks its keys or payoffs"),
}


def columns_of(
    arrays: Arrays, name: Literal["scores", "payoffs"], types: Collection[str], path: Path, game: Game
) -> tuple[IntArray, Scores, IntArray]:
    """The keys of a file, [positions] or [positions, words], ascending in every layer; beside them the array
    of this name and of one of these types; and where each layer begins, [layers + 1]. Raises BadFile.
    """
    kinds = {each: array.dtype.name for each, array in arrays.items()}
    if kinds.pop(name, "") not in types or kinds != {"offsets": "int64", "keys": "int64"}:
        raise BadFile(message(LACKING[name], path=path))
    keys = keys_of(cast("IntArray", arrays["keys"]), path, game)
    return keys, cast("Scores", arrays[name]), cast("IntArray", arrays["offsets"])


def keys_of(words: IntArray, path: Path, game: Game) -> IntArray:
    """The keys that lie in a file one after the other. Raises BadFile."""
    if len(words) % game.key_words:
        raise unfitting(path)
    return as_codes(words, game.key_words)


def require_same_game(header: JsonObject, path: Path, game: Game) -> None:
    """Raises BadFile where a header names other rules, or other options."""
    if header.get("rules") != game.fingerprint():
        raise BadFile(
            message(
                "{path} holds {found}, with other rules than {game}",
                path=path,
                found=written_game(header),
                game=game.text,
            )
        )
    if header.get("options") != game.options:
        raise BadFile(
            message("{path} holds {found}, not {game}", path=path, found=written_game(header), game=game.text)
        )


def require_solution(header: JsonObject, arrays: Arrays, path: Path, game: Game) -> None:
    """Raises BadFile where a header, or a glance at the arrays, does not fit the game: before all
    bytes are read.
    """
    require_same_game(header, path, game)
    known = (*KEYS, *words_of_keys(game))
    require_keys(header, (*known, "method") if header["version"] == 1 else known, str(path))
    require_header(header, path, game)
    require_places(*columns_of(arrays, "scores", SCORE_TYPES, path, game), path, game)


def require_header(header: JsonObject, path: Path, game: Game, *, right: bool = True) -> None:
    """Raises BadFile where a header is not that of a solution, or not `right`."""
    right = (
        right
        and whole_number(header.get("first_ply")) is not None
        and type(header.get("cyclic")) is bool
        and isinstance(header.get("start"), list)
        and header.items() >= words_of_keys(game).items()
    )
    if not right or header.get("method", "layers") not in ("depth-first", "layers", "retrograde"):
        raise BadFile(message("{path}: its header is not that of a solution", path=path))


def require_places(keys: IntArray, scores: Scores, offsets: IntArray, path: Path, game: Game) -> None:
    """Raises BadFile where keys, what stands beside them, and the layers that they lie in do not fit
    together, or not the game.
    """
    fits = len(keys) == len(scores) and 2 <= len(offsets) <= min(len(keys) + 1, MOST_LAYERS)
    if not fits or offsets[0] != 0 or offsets[-1] != len(keys) or bool((np.diff(offsets) < 0).any()):
        raise unfitting(path)
    require_possible(len(keys), path, game)
    inner = np.linspace(0, max(len(keys) - 2, 0), min(VERIFIED, max(len(keys) - 1, 0))).astype(np.int64)
    falls = [place + 1 for place in inner.tolist() if not code_of(keys, place) < code_of(keys, place + 1)]
    if not np.isin(falls, offsets).all():
        raise BadFile(message("{path} is damaged: its keys are not in order", path=path))


@contextlib.contextmanager
def verifying(solution: AnySolution, path: Path) -> Iterator[None]:
    """Check the start of a solution, and inside the block more of it, against the rules: whatever does not
    follow from them, or cannot be, is a BadFile.
    """
    try:
        solution.score(solution.start)
        yield
    except (BadInput, ArithmeticError, ValueError, TypeError, IndexError):
        raise BadFile(
            message(
                "{path} does not hold the values of {game}: were its rules changed?",
                path=path,
                game=solution.game.text,
            )
        ) from None


def _verify(solution: Solution) -> None:
    """Raises ValueError where some scores spread over the file do not follow from those of their moves."""
    game, table = solution.game, solution.table
    assert isinstance(table, (KeyTable, PackedTable))
    for wanted, score in table.spread(VERIFIED):
        s = game.unkey(wanted)
        if game.over(s):
            right = score == table.top * game.payoff(s, 0)
        else:
            ours = side(game, s)
            best = ours * max(ours * solution.score(game.play(s, move)) for move in game.legal(s))
            right = score == later(best)
        if not right and not (solution.cyclic and score == 0):
            raise ValueError


def state_of(game: Game, fields: object, path: Path) -> State:
    try:
        return game.read_state(fields)
    except BadInput as error:
        raise BadFile(message("{path}: {error}", path=path, error=error)) from None


# Payoffs as a file: as a solution by wins and losses is written, with `payoffs` in
# the place of `scores`, the bound within which they are right, and how they are said.
#
# Margins are whole numbers of the smallest type that holds them, expected payoffs float64.

PAYOFF_FORMAT = "damier-payoffs/1"
KINDS: tuple[Kind, ...] = ("margin", "payoff", "chance", "mean")
WHOLE = (*SCORE_TYPES, "int64")
PAYOFF_KEYS = (
    "format",
    "version",
    "game",
    "options",
    "rules",
    "start",
    "cyclic",
    "endless",
    "kind",
    "bound",
    "first_ply",
    "arrays",
    "sha256",
)


def save_payoffs(solution: ValueSolution, path: Path) -> None:
    """Writes the payoff of every position, in one step.

    Raises BadInput if the place cannot be written, LimitReached on a full disk.
    """
    game, table = solution.game, by_ply(solution.key_table())
    more: JsonObject = {"endless": solution.endless, "kind": solution.kind, "bound": solution.bound}
    header = header_of(game, solution.start, solution.cyclic, table.first_ply, **more)
    payoffs = smallest(table.scores) if solution.kind in EXACT else table.scores
    write_arrays(
        path,
        PAYOFF_FORMAT,
        header,
        {"offsets": np.array(table.offsets, np.int64), "keys": flat(table.keys), "payoffs": payoffs},
    )


def smallest(payoffs: SmallIntArray | FloatArray) -> IntArray:
    """Whole payoffs in the smallest type that holds them."""
    most = int(np.abs(payoffs).max(initial=0))
    dtype = next(dtype for dtype in WHOLE if most <= np.iinfo(dtype).max)
    return cast("IntArray", payoffs.astype(dtype))


def load_payoffs(path: Path, game: Game) -> ValueSolution:
    """The payoffs in a file, of this game.

    Raises BadFile for a damaged or foreign file, and where the rules are not the same.
    """
    header, arrays = read_arrays(
        path, PAYOFF_FORMAT, lambda header, arrays: require_payoffs(header, arrays, path, game)
    )
    keys, payoffs, offsets = columns_of(arrays, "payoffs", (*WHOLE, EXPECTED_TYPE), path, game)
    first_ply = whole_number(header["first_ply"]) or 0
    table: KeyTable[float] = KeyTable(game, keys, payoffs, tuple(offsets.tolist()), first_ply)
    start = state_of(game, whole_numbers(held(header, "start", list) or []), path)
    kind = next(kind for kind in KINDS if kind == header["kind"])
    bound = bound_of(header)
    solution = ValueSolution(
        game, start, table, METHOD, header["cyclic"] is True, kind, bound, header["endless"] is True
    )
    with verifying(solution, path):
        _verify_payoffs(solution)
    return solution


def bound_of(header: JsonObject) -> float:
    """The bound that a header says; -1 where it says none."""
    bound = header.get("bound")
    fits = isinstance(bound, (int, float)) and not isinstance(bound, bool) and isfinite(bound) and bound >= 0
    return float(cast("float", bound)) if fits else -1.0


def require_payoffs(header: JsonObject, arrays: Arrays, path: Path, game: Game) -> None:
    """Raises BadFile where a header, or a glance at the arrays, does not fit the game: before all
    bytes are read.
    """
    require_same_game(header, path, game)
    require_keys(header, (*PAYOFF_KEYS, *words_of_keys(game)), str(path))
    kind = header.get("kind")
    right = type(header.get("endless")) is bool and kind in KINDS and bound_of(header) >= 0
    require_header(header, path, game, right=right)
    types = WHOLE if kind in EXACT else (EXPECTED_TYPE,)
    require_places(*columns_of(arrays, "payoffs", types, path, game), path, game)


def _verify_payoffs(solution: ValueSolution) -> None:
    """Raises ValueError where some payoffs spread over the file do not follow from those of their moves."""
    game, table = solution.game, solution.key_table()
    for index in range(0, len(table), max(1, len(table) // VERIFIED)):
        right = backed_up(solution, game.unkey(code_of(table.keys, index)))
        if not abs(table.scores[index].item() - right) <= 2 * solution.bound + DIGITS:
            raise ValueError


def backed_up(solution: ValueSolution, s: State) -> float:
    """Return what a position is worth to player 0 by the payoffs of those that follow it."""
    game = solution.game
    if game.over(s):
        return game.payoff(s, 0)
    payoffs = {move: solution.score(game.play(s, move)) for move in game.legal(s)}
    if game.mover(s) == CHANCE:
        weights = {move: game.chance(s, move) for move in payoffs}
        return sum([weights[move] * payoffs[move] for move in payoffs]) / sum(weights.values())
    return max(payoffs.values()) if game.mover(s) == 0 else min(payoffs.values())
