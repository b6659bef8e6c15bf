"""A solution as a file: a header that names the game and its rules, then keys and scores, read by memory map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from damier.core.errors import BadFile
from damier.core.files import read_arrays, write_arrays
from damier.core.game import Game, written
from damier.core.solution import KeyTable, Solution
from damier.core.words import _

FORMAT = "damier-solution/1"
SCORES = ("|i1", "<i2", "<i4")


def save(solution: Solution, path: Path) -> None:
    """Writes every position of a solution, in one step. Raises BadInput if the place cannot be written."""
    import numpy as np

    game, table = solution.game, solution.key_table()
    header = {
        "game": game.name,
        "options": game.options,
        "rules": game.fingerprint(),
        "start": solution.start,
        "method": solution.method,
        "cyclic": solution.cyclic,
        "first_ply": table.first_ply,
    }
    arrays = {"offsets": np.array(table.offsets, np.int64), "keys": table.keys, "scores": table.scores}
    write_arrays(path, FORMAT, header, arrays)


def load(path: Path, game: Game) -> Solution:
    """The solution in a file, of this game. Raises BadFile for a damaged or foreign file, and where the rules are not the same."""
    header, arrays = read_arrays(path, FORMAT)
    if header.get("rules") != game.fingerprint():
        raise BadFile(_("{path} holds {found}, with other rules than {game}", path=path, found=written_game(header), game=game.text))
    keys, scores, offsets = (arrays.get(name) for name in ("keys", "scores", "offsets"))
    if keys is None or scores is None or offsets is None or (keys.dtype.str, offsets.dtype.str) != ("<i8", "<i8") or scores.dtype.str not in SCORES:
        raise BadFile(_("{path} lacks its keys or scores", path=path))
    cuts = tuple(int(cut) for cut in offsets)
    if len(keys) != len(scores) or len(cuts) < 2 or cuts[0] != 0 or cuts[-1] != len(keys) or list(cuts) != sorted(cuts):
        raise BadFile(_("{path}: its layers do not fit its keys", path=path))
    first_ply, start = header.get("first_ply"), header.get("start")
    if type(first_ply) is not int or not isinstance(start, list) or header.get("method") not in ("depth-first", "layers", "retrograde"):
        raise BadFile(_("{path}: its header is not that of a solution", path=path))
    state = _state(game, start, path)
    return Solution(game, state, KeyTable(game, keys, scores, cuts, first_ply), header["method"], bool(header.get("cyclic")))


def written_game(header: dict[str, Any]) -> str:
    """The game of a header as it is written on the command line."""
    options = header.get("options")
    return written(str(header.get("game")), options if isinstance(options, dict) else {})


def _state(game: Game, fields: list[Any], path: Path) -> Any:
    """The state of these fields."""
    try:
        return game.as_state(tuple(tuple(field) if isinstance(field, list) else int(field) for field in fields))
    except (TypeError, ValueError, OverflowError):
        raise BadFile(_("{path}: {start} is not a state of {game}", path=path, start=fields, game=game.text)) from None
