"""Payoffs as a file: as `damier.solve.store` writes a solution by wins and losses, with `payoffs` in
the place of `scores`, the bound within which they are right, and how they are said.

Margins are whole numbers of the smallest type that holds them, expected payoffs float64.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import cast

import numpy as np

from damier.core.arrays import FloatArray, IntArray, SmallIntArray
from damier.core.errors import BadFile, BadInput
from damier.core.game import Game
from damier.core.json_data import (
    Arrays,
    held,
    read_arrays,
    require_keys,
    whole_number,
    whole_numbers,
    write_arrays,
)
from damier.core.json_types import JsonObject
from damier.core.open_addressing import code_of, flat
from damier.core.rules import CHANCE, State
from damier.core.solution import DIGITS, EXACT, KeyTable, Kind, ValueSolution
from damier.core.words import message
from damier.solve.store import (
    METHOD,
    VERIFIED,
    by_ply,
    keys_of,
    require_places,
    require_same_game,
    state_of,
    words_of_keys,
)

FORMAT = "damier-payoffs/1"
KINDS: tuple[Kind, ...] = ("margin", "payoff", "chance", "mean")
WHOLE = ("int8", "int16", "int32", "int64")
KEYS = (
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


def save(solution: ValueSolution, path: Path) -> None:
    """Writes the payoff of every position, in one step.

    Raises BadInput if the place cannot be written, LimitReached on a full disk.
    """
    game, table = solution.game, by_ply(solution.key_table())
    header: JsonObject = {
        "game": game.name,
        "options": game.options,
        "rules": game.fingerprint(),
        "start": tuple(solution.start),
        "cyclic": solution.cyclic,
        "endless": solution.endless,
        "kind": solution.kind,
        "bound": solution.bound,
        "first_ply": table.first_ply,
        **words_of_keys(game),
    }
    payoffs = smallest(table.scores) if solution.kind in EXACT else table.scores
    write_arrays(
        path,
        FORMAT,
        header,
        {"offsets": np.array(table.offsets, np.int64), "keys": flat(table.keys), "payoffs": payoffs},
    )


def smallest(payoffs: SmallIntArray | FloatArray) -> IntArray:
    """Whole payoffs in the smallest type that holds them."""
    most = int(np.abs(payoffs).max(initial=0))
    dtype = next(dtype for dtype in WHOLE if most <= np.iinfo(dtype).max)
    return cast("IntArray", payoffs.astype(dtype))


def load(path: Path, game: Game) -> ValueSolution:
    """The payoffs in a file, of this game.

    Raises BadFile for a damaged or foreign file, and where the rules are not the same.
    """
    header, arrays = read_arrays(
        path, FORMAT, lambda header, arrays: require_payoffs(header, arrays, path, game)
    )
    offsets = tuple(int(cut) for cut in cast("IntArray", arrays["offsets"]))
    keys = keys_of(cast("IntArray", arrays["keys"]), path, game)
    payoffs = cast("FloatArray", arrays["payoffs"])
    table: KeyTable[float] = KeyTable(game, keys, payoffs, offsets, whole_number(header["first_ply"]) or 0)
    start = state_of(game, whole_numbers(held(header, "start", list) or []), path)
    kind = next(kind for kind in KINDS if kind == header["kind"])
    bound = bound_of(header)
    solution = ValueSolution(
        game, start, table, METHOD, header["cyclic"] is True, kind, bound, header["endless"] is True
    )
    _verify(solution, path)
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
    require_keys(header, (*KEYS, *words_of_keys(game)), str(path))
    right = (
        whole_number(header.get("first_ply")) is not None
        and type(header.get("cyclic")) is bool
        and type(header.get("endless")) is bool
        and header.get("kind") in KINDS
        and bound_of(header) >= 0
        and isinstance(header.get("start"), list)
        and header.items() >= words_of_keys(game).items()
    )
    if not right:
        raise BadFile(message("{path}: its header is not that of a solution", path=path))
    if set(arrays) != {"offsets", "keys", "payoffs"}:
        raise BadFile(message("{path} lacks its keys or payoffs", path=path))
    dtypes = WHOLE if header["kind"] in EXACT else ("float64",)
    if arrays["payoffs"].dtype.name not in dtypes or {arrays[n].dtype.name for n in ("keys", "offsets")} != {
        "int64"
    }:
        raise BadFile(message("{path} lacks its keys or payoffs", path=path))
    offsets, keys = cast("IntArray", arrays["offsets"]), keys_of(cast("IntArray", arrays["keys"]), path, game)
    require_places(keys, offsets, len(arrays["payoffs"]), path, game)


def _verify(solution: ValueSolution, path: Path) -> None:
    """Checks the start and some payoffs spread over the file against the rules: each must follow
    from those of its moves.
    """
    game, table = solution.game, solution.key_table()
    try:
        solution.score(solution.start)
        for index in range(0, len(table), max(1, len(table) // VERIFIED)):
            s = game.unkey(code_of(table.keys, index))
            right = backed_up(solution, s)
            if not abs(table.scores[index].item() - right) <= 2 * solution.bound + DIGITS:
                raise ValueError
    except (BadInput, ArithmeticError, ValueError, TypeError, IndexError):
        raise BadFile(
            message(
                "{path} does not hold the values of {game}: were its rules changed?",
                path=path,
                game=game.text,
            )
        ) from None


def backed_up(solution: ValueSolution, s: State) -> float:
    """What a position is worth to player 0 by the payoffs of those that follow it."""
    game = solution.game
    if game.over(s):
        return game.payoff(s, 0)
    payoffs = {move: solution.score(game.play(s, move)) for move in game.legal(s)}
    if game.mover(s) == CHANCE:
        weights = {move: game.chance(s, move) for move in payoffs}
        return sum([weights[move] * payoffs[move] for move in payoffs]) / sum(weights.values())
    return max(payoffs.values()) if game.mover(s) == 0 else min(payoffs.values())
