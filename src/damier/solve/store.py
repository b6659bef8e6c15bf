"""A solution as a file: a header that names the game and its rules, then keys and scores, read by memory map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from damier.core.errors import BadFile, BadInput
from damier.core.files import read_arrays, write_arrays
from damier.core.game import Game, written
from damier.core.score import later
from damier.core.solution import KeyTable, Solution, side
from damier.core.words import _

FORMAT = "damier-solution/1"
SCORES = ("|i1", "<i2", "<i4")
VERIFIED = 1000  # scores that are checked when a file is read


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
    if header.get("options") != game.options:
        raise BadFile(_("{path} holds {found}, not {game}", path=path, found=written_game(header), game=game.text))
    solution = Solution(game, _state(game, start, path), KeyTable(game, keys, scores, cuts, first_ply), header["method"], bool(header.get("cyclic")))
    _verify(solution, path)
    return solution


def written_game(header: dict[str, Any]) -> str:
    """The game of a header as it is written on the command line."""
    options = header.get("options")
    return written(str(header.get("game")), options if isinstance(options, dict) else {})


def _verify(solution: Solution, path: Path) -> None:
    """Checks the start and some scores spread over the file against the rules: each must follow from those of its moves."""
    game, table = solution.game, solution.key_table()
    try:
        solution.score(solution.start)
        for index in range(0, len(table), max(1, len(table) // VERIFIED)):
            s = game.unkey(int(table.keys[index]))
            score, top = int(table.scores[index]), table.top
            if game.over(s):
                right = score == top * game.payoff(s, 0)
            else:
                ours = side(game, s)
                best = ours * max(ours * solution.score(game.play(s, move)) for move in game.legal(s))
                right = score == later(best)
            if not right and not (solution.cyclic and score == 0):
                raise BadInput
    except (BadInput, ArithmeticError, ValueError, TypeError, IndexError):
        raise BadFile(_("{path} does not hold the values of {game}: were its rules changed?", path=path, game=game.text)) from None


def _state(game: Game, fields: list[Any], path: Path) -> Any:
    try:
        return game.read_state(fields)
    except BadInput as error:
        raise BadFile(_("{path}: {error}", path=path, error=error)) from None
